//===- Softmax.cpp - A softmax written as primitives ----------------------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/Fusion/Softmax.h"
#include "dialects/Graph/GraphBuilders.h"
#include <cmath>

using namespace mlir;
using namespace cleave;
using namespace cleave::graph;

std::optional<double> cleave::splatNumber(Value value) {
  while (true) {
    if (auto spread = value.getDefiningOp<BroadcastInDimOp>())
      value = spread.getOperand();
    else if (auto reshape = value.getDefiningOp<ReshapeOp>())
      value = reshape.getOperand();
    else
      break;
  }
  auto constant = value.getDefiningOp<ConstantOp>();
  auto elements =
      constant ? dyn_cast<DenseElementsAttr>(constant.getValue()) : nullptr;
  if (!elements || !elements.isSplat() ||
      !isa<FloatType>(elements.getElementType()))
    return std::nullopt;
  APFloat number = elements.getSplatValue<APFloat>();
  return number.convertToDouble();
}

/// What `value` repeats along `dim` and along no other dimension; null if that,
/// or a value between, has other uses.
static Value repeatedAlong(Value value, int64_t dim) {
  RankedTensorType whole = typeOf(value);
  SmallVector<int64_t> dims = dimRange(whole.getRank());
  while (auto spread = value.getDefiningOp<BroadcastInDimOp>()) {
    if (!value.hasOneUse())
      return Value();
    dims = llvm::map_to_vector(spread.getDims(),
                               [&](int64_t i) { return dims[i]; });
    value = spread.getOperand();
  }
  auto insertion = value.getDefiningOp<ReshapeOp>();
  if (insertion && dims.size() == size_t(whole.getRank())) {
    if (!value.hasOneUse() || typeOf(value).getDimSize(dim) != 1)
      return Value();
    dims.erase(dims.begin() + dim);
    value = insertion.getOperand();
  }
  SmallVector<int64_t> kept = dimRange(whole.getRank());
  kept.erase(kept.begin() + dim);
  SmallVector<int64_t> shape =
      llvm::map_to_vector(kept, [&](int64_t i) { return whole.getDimSize(i); });
  if (!value.hasOneUse() || dims != kept ||
      typeOf(value).getShape() != ArrayRef<int64_t>(shape))
    return Value();
  return value;
}

/// Whether `value` is what `kind` makes of `input` along `dim`, from the
/// element that it ignores.
static bool isReduction(Value value, Value input, int64_t dim,
                        ReductionKind kind) {
  auto reduce = value.getDefiningOp<ReduceOp>();
  if (!reduce || reduce.getSimpleKind() != kind ||
      reduce.getInputs().front() != input ||
      reduce.getDimensions() != ArrayRef<int64_t>{dim})
    return false;
  return splatNumber(reduce.getInits().front()) ==
         (kind == ReductionKind::Sum ? 0 : -HUGE_VAL);
}

/// `value` without a maximum with -inf, which changes nothing.
static Value withoutLowest(Value value) {
  auto larger = value.getDefiningOp<MaxOp>();
  if (!larger)
    return value;
  for (auto [number, rest] : {std::pair(larger.getLhs(), larger.getRhs()),
                              std::pair(larger.getRhs(), larger.getLhs())})
    if (splatNumber(number) == -HUGE_VAL && rest.hasOneUse())
      return rest;
  return value;
}

std::optional<Value> cleave::softmaxInput(Value value, int64_t dim) {
  if (!value.hasOneUse())
    return std::nullopt;
  if (auto softmax = value.getDefiningOp<SoftmaxOp>()) {
    Value input = softmax.getInput();
    if (static_cast<int64_t>(softmax.getDim()) != dim || !input.hasOneUse())
      return std::nullopt;
    return input;
  }
  auto quotient = value.getDefiningOp<DivOp>();
  auto exponential =
      quotient ? quotient.getLhs().getDefiningOp<ExpOp>() : nullptr;
  if (!exponential || !exponential.getResult().hasNUses(2))
    return std::nullopt;
  Value sum = repeatedAlong(quotient.getRhs(), dim);
  if (!sum || !isReduction(sum, exponential, dim, ReductionKind::Sum))
    return std::nullopt;

  auto shifted = exponential.getOperand().getDefiningOp<SubtractOp>();
  if (!shifted || !shifted.getResult().hasOneUse())
    return std::nullopt;
  Value input = shifted.getLhs();
  Value maximum = repeatedAlong(shifted.getRhs(), dim);
  if (!maximum || !input.hasNUses(2) ||
      !isReduction(withoutLowest(maximum), input, dim, ReductionKind::Max))
    return std::nullopt;
  return input;
}
