//===- RaiseAttention.cpp - Products around a softmax as attention --------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialects/Graph/GraphBuilders.h"
#include "dialects/Graph/KernelAttributes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "passes/Fusion/AttentionLimits.h"
#include "passes/Fusion/AttentionPattern.h"
#include "passes/Fusion/Passes.h"

namespace cleave {
#define GEN_PASS_DEF_RAISEATTENTION
#include "passes/Fusion/Passes.h.inc"
} // namespace cleave

using namespace mlir;
using namespace cleave;
using namespace cleave::graph;

using Role = AttentionRole;
/// Dimensions that become one, for each dimension of an operand of attention.
using Groups = ArrayRef<SmallVector<Role, 2>>;

static const SmallVector<Role, 2> queryDims[] = {
    {Role::Batch}, {Role::Row}, {Role::Group, Role::Head}, {Role::Width}};
static const SmallVector<Role, 2> keyDims[] = {
    {Role::Batch}, {Role::Key}, {Role::Group}, {Role::Width}};
static const SmallVector<Role, 2> maskDims[] = {
    {Role::Batch}, {Role::Group, Role::Head}, {Role::Row}, {Role::Key}};

/// The operand with the dimensions of `groups`.
static Value arrange(OpBuilder &b, Location loc,
                     const AttentionOperand &operand, Groups groups) {
  SmallVector<int64_t> order, shape;
  for (auto [dim, role] : llvm::enumerate(operand.roles))
    if (role == Role::One)
      order.push_back(dim);
  for (ArrayRef<Role> group : groups) {
    shape.push_back(1);
    for (Role role : group) {
      const Role *found = llvm::find(operand.roles, role);
      if (found == operand.roles.end())
        continue;
      order.push_back(found - operand.roles.begin());
      shape.back() *= typeOf(operand.value).getDimSize(order.back());
    }
  }
  return reshapeTo(b, loc, transpose(b, loc, operand.value, order), shape);
}

/// The result of attention in the order of the second product. Transposes of
/// it, which often undo that, read what attention makes.
static void replaceSums(OpBuilder &b, DotGeneralOp sums, Value result,
                        const AttentionPattern &pattern) {
  Location loc = sums.getLoc();
  ArrayRef<int64_t> shape = sums.getType().getShape();
  SmallVector<int64_t> order(shape.size()), split;
  for (ArrayRef<Role> group : queryDims)
    for (Role role : group) {
      const Role *found = llvm::find(pattern.resultRoles, role);
      if (found == pattern.resultRoles.end())
        continue;
      int64_t dim = found - pattern.resultRoles.begin();
      order[dim] = split.size();
      split.push_back(shape[dim]);
    }
  Value made = reshapeTo(b, loc, result, split);
  for (Operation *user : llvm::make_early_inc_range(sums->getUsers())) {
    auto moved = dyn_cast<TransposeOp>(user);
    if (!moved)
      continue;
    SmallVector<int64_t> direct = llvm::map_to_vector(
        moved.getDims(), [&](int64_t dim) { return order[dim]; });
    b.setInsertionPoint(moved);
    moved.getResult().replaceAllUsesWith(
        transpose(b, moved.getLoc(), made, direct));
    moved.erase();
  }
  if (sums->use_empty())
    return;
  b.setInsertionPoint(sums);
  sums.getResult().replaceAllUsesWith(transpose(b, loc, made, order));
}

/// Removes ops that nothing uses any more, from `op` up.
static void eraseDead(Operation *op) {
  SmallVector<Operation *> pending = {op};
  while (!pending.empty()) {
    Operation *dead = pending.pop_back_val();
    if (!isOpTriviallyDead(dead))
      continue;
    SetVector<Operation *> producers;
    for (Value operand : dead->getOperands())
      if (Operation *producer = operand.getDefiningOp())
        producers.insert(producer);
    for (Operation *other : producers)
      llvm::erase(pending, other);
    llvm::append_range(pending, producers);
    dead->erase();
  }
}

namespace {
struct RaiseAttention
    : public cleave::impl::RaiseAttentionBase<RaiseAttention> {
  using RaiseAttentionBase::RaiseAttentionBase;

  void runOnOperation() override {
    SmallVector<DotGeneralOp> products;
    getOperation().walk([&](DotGeneralOp op) {
      auto function = op->getParentOfType<func::FuncOp>();
      if (function && !function->hasAttr(kKernelAttr))
        products.push_back(op);
    });
    // What is erased comes before the second product, and so has been seen.
    for (DotGeneralOp sums : products)
      if (std::optional<AttentionPattern> pattern = matchAttention(sums);
          pattern && raise(sums, *pattern))
        ++numRaised;
  }

private:
  bool raise(DotGeneralOp sums, const AttentionPattern &pattern);
};
} // namespace

bool RaiseAttention::raise(DotGeneralOp sums, const AttentionPattern &pattern) {
  RankedTensorType query = typeOf(pattern.query.value);
  int64_t batch = pattern.query.sizeOf(Role::Batch);
  int64_t rows = pattern.query.sizeOf(Role::Row);
  int64_t heads =
      pattern.query.sizeOf(Role::Group) * pattern.query.sizeOf(Role::Head);
  int64_t groups = pattern.key.sizeOf(Role::Group);
  auto queryType =
      withShape(query, {batch, rows, heads, pattern.query.sizeOf(Role::Width)});
  auto type =
      withShape(query, {batch, rows, heads, pattern.value.sizeOf(Role::Width)});
  if (type.getNumElements() == 0 || pattern.key.sizeOf(Role::Key) == 0 ||
      queryType.getNumElements() == 0 || !isAttentionKernel(queryType, type) ||
      rows * (heads / groups) < minRows)
    return false;
  OpBuilder b(sums);
  Location loc = sums.getLoc();
  Value mask =
      pattern.mask.value ? arrange(b, loc, pattern.mask, maskDims) : Value();
  Value result = AttentionOp::create(
      b, loc, type, arrange(b, loc, pattern.query, queryDims),
      arrange(b, loc, pattern.key, keyDims),
      arrange(b, loc, pattern.value, keyDims), mask, /*causal=*/false,
      b.getF64FloatAttr(pattern.scale),
      pattern.fill ? b.getF64FloatAttr(*pattern.fill) : FloatAttr());
  replaceSums(b, sums, result, pattern);
  eraseDead(sums);
  return true;
}
