//===- AttentionPattern.cpp - Attention written as primitives -------------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// From the second product back to the first. Dimensions of the weights have
// labels, their numbers, which are followed through transposes; what each is
// follows from the products.
//
//===----------------------------------------------------------------------===//

#include "passes/Fusion/AttentionPattern.h"
#include "dialects/Graph/GraphBuilders.h"
#include "passes/Fusion/Softmax.h"
#include <cmath>

using namespace mlir;
using namespace cleave;
using namespace cleave::graph;

using Role = AttentionRole;
using Dims = SmallVector<int64_t>;

int64_t AttentionOperand::sizeOf(Role role) const {
  const auto *found = llvm::find(roles, role);
  return found == roles.end() ? 1
                              : typeOf(value).getDimSize(found - roles.begin());
}

//===----------------------------------------------------------------------===//
// Scores
//===----------------------------------------------------------------------===//

namespace {

/// An operand of a product, seen from there.
struct Side {
  Value value;
  Dims batching, contracting, free;
};

/// The first product and what is done to it before the softmax.
struct Scores {
  DotGeneralOp product;
  /// Label of each dimension of the product, and of the mask.
  Dims labels, maskLabels;
  Value mask;
  double scale = 1;
  std::optional<double> fill;
};

} // namespace

static Side sideOf(DotGeneralOp dot, bool isLeft) {
  Side side;
  side.value = isLeft ? dot.getLhs() : dot.getRhs();
  side.batching =
      Dims(isLeft ? dot.getLhsBatchingDims() : dot.getRhsBatchingDims());
  side.contracting =
      Dims(isLeft ? dot.getLhsContractingDims() : dot.getRhsContractingDims());
  for (int64_t dim : dimRange(typeOf(side.value).getRank()))
    if (!llvm::is_contained(side.batching, dim) &&
        !llvm::is_contained(side.contracting, dim))
      side.free.push_back(dim);
  return side;
}

/// A factor that all elements of `value` have, and what they are without it.
static std::optional<std::pair<double, Value>> takeFactor(Value value) {
  if (auto product = value.getDefiningOp<MulOp>())
    for (auto [factor, rest] : {std::pair(product.getLhs(), product.getRhs()),
                                std::pair(product.getRhs(), product.getLhs())})
      if (std::optional<double> number = splatNumber(factor))
        if (std::isfinite(*number))
          return std::pair(*number, rest);
  if (auto quotient = value.getDefiningOp<DivOp>())
    if (std::optional<double> number = splatNumber(quotient.getRhs()))
      // As a factor it must not lose digits.
      if (std::isnormal(static_cast<float>(1 / *number)))
        return std::pair(1 / *number, quotient.getLhs());
  return std::nullopt;
}

/// Whether `value` is a product, scaled or transposed, that nothing else uses.
static bool isScaledProduct(Value value) {
  while (value.hasOneUse()) {
    if (value.getDefiningOp<DotGeneralOp>())
      return true;
    if (auto transpose = value.getDefiningOp<TransposeOp>())
      value = transpose.getOperand();
    else if (auto factor = takeFactor(value))
      value = factor->second;
    else
      return false;
  }
  return false;
}

/// Takes a mask off `value`: false if there is none.
static bool takeMask(Value &value, Scores &scores) {
  if (auto sum = value.getDefiningOp<AddOp>()) {
    bool isLeft = isScaledProduct(sum.getLhs());
    scores.mask = isLeft ? sum.getRhs() : sum.getLhs();
    value = isLeft ? sum.getLhs() : sum.getRhs();
    return true;
  }
  auto select = value.getDefiningOp<SelectOp>();
  if (!select ||
      typeOf(select.getPred()).getShape() != typeOf(value).getShape())
    return false;
  scores.mask = select.getPred();
  scores.fill = splatNumber(select.getOnFalse());
  value = select.getOnTrue();
  return scores.fill.has_value();
}

/// Follows what a softmax reads, whose dimensions have `labels`, to a product.
/// The order is that of attention: a mask comes after the scale.
static std::optional<Scores> findScores(Value value, Dims labels) {
  Scores scores;
  bool isScaled = false;
  while (true) {
    if ((scores.product = value.getDefiningOp<DotGeneralOp>())) {
      scores.labels = labels;
      return scores;
    }
    if (auto op = value.getDefiningOp<TransposeOp>()) {
      Dims before(labels.size());
      for (auto [dim, label] : llvm::zip_equal(op.getDims(), labels))
        before[dim] = label;
      labels = before;
      value = op.getOperand();
    } else if (auto factor = takeFactor(value); factor && !isScaled) {
      scores.scale = factor->first;
      value = factor->second;
      isScaled = true;
    } else if (!scores.mask && !isScaled && takeMask(value, scores)) {
      scores.maskLabels = labels;
    } else {
      return std::nullopt;
    }
    if (!value.hasOneUse())
      return std::nullopt;
  }
}

//===----------------------------------------------------------------------===//
// Roles
//===----------------------------------------------------------------------===//

/// Reads what transposes read.
static void readThroughTransposes(AttentionOperand &operand) {
  while (auto op = operand.value.getDefiningOp<TransposeOp>()) {
    SmallVector<Role> before(operand.roles.size());
    for (auto [dim, role] : llvm::zip_equal(op.getDims(), operand.roles))
      before[dim] = role;
    operand = {op.getOperand(), before};
  }
}

/// The smallest array that the mask is spread from, without what attention
/// cannot spread itself: keys, and one of two dimensions that heads are.
static AttentionOperand shrinkMask(const AttentionOperand &whole) {
  AttentionOperand mask = whole;
  while (auto op = mask.value.getDefiningOp<BroadcastInDimOp>()) {
    SmallVector<Role> roles;
    for (auto [dim, size] :
         llvm::zip_equal(op.getDims(), typeOf(op.getOperand()).getShape()))
      roles.push_back(size == typeOf(mask.value).getDimSize(dim)
                          ? mask.roles[dim]
                          : Role::One);
    mask = {op.getOperand(), roles};
  }
  auto isWhole = [&](Role role) {
    return mask.sizeOf(role) == whole.sizeOf(role);
  };
  bool hasHeads = isWhole(Role::Group) && isWhole(Role::Head);
  bool hasNoHeads =
      mask.sizeOf(Role::Group) == 1 && mask.sizeOf(Role::Head) == 1;
  return isWhole(Role::Key) && (hasHeads || hasNoHeads) ? mask : whole;
}

/// What `operand` was before each of its groups was repeated, and how often.
static std::optional<std::pair<AttentionOperand, int64_t>>
takeRepetition(AttentionOperand operand) {
  readThroughTransposes(operand);
  int64_t group =
      llvm::find(operand.roles, Role::Group) - operand.roles.begin();
  auto merge = operand.value.getDefiningOp<ReshapeOp>();
  if (group == static_cast<int64_t>(operand.roles.size()) || !merge)
    return std::nullopt;
  auto spread = merge.getOperand().getDefiningOp<BroadcastInDimOp>();
  if (!spread || spread.getType().getRank() != merge.getType().getRank() + 1)
    return std::nullopt;
  Dims wide(spread.getType().getShape());
  int64_t times = wide[group + 1];
  Dims merged(wide), before(wide);
  merged[group] *= times;
  merged.erase(merged.begin() + group + 1);
  before.erase(before.begin() + group + 1);
  if (ArrayRef<int64_t>(merged) != merge.getType().getShape())
    return std::nullopt;
  Value source = spread.getOperand();
  Dims kept = dimRange(wide.size());
  if (llvm::equal(spread.getDims(), kept)) {
    // The new dimension was there, of size 1.
    auto insertion = source.getDefiningOp<ReshapeOp>();
    if (!insertion || typeOf(source).getDimSize(group + 1) != 1)
      return std::nullopt;
    source = insertion.getOperand();
  } else {
    kept.erase(kept.begin() + group + 1);
    if (!llvm::equal(spread.getDims(), kept))
      return std::nullopt;
  }
  if (typeOf(source).getShape() != ArrayRef<int64_t>(before))
    return std::nullopt;
  return std::pair(AttentionOperand{source, operand.roles}, times);
}

static void takeRepetitions(AttentionOperand &key, AttentionOperand &value) {
  auto beforeKey = takeRepetition(key), beforeValue = takeRepetition(value);
  if (!beforeKey || !beforeValue || beforeKey->second != beforeValue->second)
    return;
  key = beforeKey->first;
  value = beforeValue->first;
}

/// What each label is: of at most two batching dimensions of the first product
/// the second are groups, of at most two free ones of the queries the second
/// are the heads of a group.
static std::optional<SmallVector<Role>>
rolesOfLabels(const Scores &scores, const Side &query, int64_t numFreeBefore) {
  size_t numBatching = query.batching.size();
  if (numBatching > 2 || query.free.size() > 2)
    return std::nullopt;
  SmallVector<Role> roles(scores.labels.size(), Role::Key);
  const Role batching[] = {Role::Batch, Role::Group};
  const Role rows[] = {Role::Row, Role::Head};
  for (size_t i = 0; i < numBatching; ++i)
    roles[scores.labels[i]] = batching[i];
  for (size_t i = 0; i < query.free.size(); ++i)
    roles[scores.labels[numBatching + numFreeBefore + i]] = rows[i];
  return roles;
}

/// The roles of an operand of a product: those of its batching dimensions, of
/// its only contracted one, and of the free ones in order.
static AttentionOperand operandOf(const Side &side, ArrayRef<Role> batching,
                                  Role contracting, ArrayRef<Role> free) {
  AttentionOperand operand{
      side.value, SmallVector<Role>(typeOf(side.value).getRank(), contracting)};
  for (auto [dim, role] : llvm::zip_equal(side.batching, batching))
    operand.roles[dim] = role;
  for (auto [dim, role] : llvm::zip_equal(side.free, free))
    operand.roles[dim] = role;
  return operand;
}

//===----------------------------------------------------------------------===//
// The whole
//===----------------------------------------------------------------------===//

/// With the weights on one side of `sums`.
static std::optional<AttentionPattern> matchWith(DotGeneralOp sums,
                                                 bool isLeft) {
  Side weights = sideOf(sums, isLeft), values = sideOf(sums, !isLeft);
  if (weights.contracting.size() != 1 || values.free.size() != 1)
    return std::nullopt;
  int64_t rank = typeOf(weights.value).getRank();
  Value value = weights.value;
  Dims labels = dimRange(rank);
  auto peel = [&](auto op) {
    bool isOnly = value.hasOneUse();
    value = op.getOperand();
    return isOnly;
  };
  if (auto convert = value.getDefiningOp<ConvertOp>())
    if (!peel(convert))
      return std::nullopt;
  int64_t key = weights.contracting.front();
  std::optional<Value> input = softmaxInput(value, key);
  if (!input)
    return std::nullopt;
  std::optional<Scores> scores = findScores(*input, labels);
  if (!scores || scores->product.getLhsContractingDims().size() != 1)
    return std::nullopt;

  // The keys are what the softmax goes along, on either side.
  size_t numBatching = scores->product.getLhsBatchingDims().size();
  bool keyIsLeft = sideOf(scores->product, true).free.size() == 1 &&
                   scores->labels[numBatching] == key;
  Side queries = sideOf(scores->product, !keyIsLeft);
  Side keys = sideOf(scores->product, keyIsLeft);
  if (keys.free.size() != 1 || (!keyIsLeft && scores->labels.back() != key))
    return std::nullopt;
  auto roles = rolesOfLabels(*scores, queries, keyIsLeft ? 1 : 0);
  if (!roles)
    return std::nullopt;

  // Each product goes by the same batches.
  Dims batchLabels(ArrayRef<int64_t>(scores->labels).take_front(numBatching));
  if (!std::is_permutation(batchLabels.begin(), batchLabels.end(),
                           weights.batching.begin(), weights.batching.end()))
    return std::nullopt;
  auto rolesOf = [&](ArrayRef<int64_t> list) {
    return llvm::map_to_vector(list, [&](int64_t i) { return (*roles)[i]; });
  };
  const Role rows[] = {Role::Row, Role::Head};
  AttentionPattern pattern;
  pattern.query = operandOf(queries, rolesOf(batchLabels), Role::Width,
                            ArrayRef(rows).take_front(queries.free.size()));
  pattern.key = operandOf(keys, rolesOf(batchLabels), Role::Width, Role::Key);
  pattern.value =
      operandOf(values, rolesOf(weights.batching), Role::Key, Role::Width);
  pattern.resultRoles = rolesOf(weights.batching);
  if (!isLeft)
    pattern.resultRoles.push_back(Role::Width);
  llvm::append_range(pattern.resultRoles, rolesOf(weights.free));
  if (isLeft)
    pattern.resultRoles.push_back(Role::Width);
  if (scores->mask)
    pattern.mask = shrinkMask({scores->mask, rolesOf(scores->maskLabels)});
  pattern.scale = scores->scale;
  pattern.fill = scores->fill;
  takeRepetitions(pattern.key, pattern.value);
  readThroughTransposes(pattern.query);
  readThroughTransposes(pattern.key);
  readThroughTransposes(pattern.value);

  // Scores and weights are in the type in which sums are made, and rounded
  // where attention rounds them.
  auto elementOf = [](Value v) { return typeOf(v).getElementType(); };
  Type element = elementOf(sums);
  bool isEqual = elementOf(scores->product) == accumulationType(element) &&
                 elementOf(value) == accumulationType(element) &&
                 elementOf(queries.value) == element &&
                 elementOf(values.value) == element;
  if (!isEqual ||
      (scores->mask && !scores->fill && elementOf(scores->mask) != element))
    return std::nullopt;
  return pattern;
}

std::optional<AttentionPattern> cleave::matchAttention(DotGeneralOp sums) {
  auto pattern = matchWith(sums, /*isLeft=*/true);
  return pattern ? pattern : matchWith(sums, /*isLeft=*/false);
}
