//===- LocalWindows.cpp - Local forms of reduce_window and convolution ----===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "cleave/Partition/WindowShards.h"
#include "dialects/Graph/Sharding/LocalForm.h"
#include "dialects/Graph/Sharding/ShardingRuleBuilder.h"
#include "mlir/IR/Matchers.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;
using namespace mlir;

namespace cleave::graph {

//===----------------------------------------------------------------------===//
// Elements that a rank's windows reach
//===----------------------------------------------------------------------===//

namespace {

/// Brings the elements of one dimension of an operand that the windows (or
/// taps) of this rank read.
class WindowedDim {
public:
  WindowedDim(LocalForm &form, StringRef what, unsigned dim, unsigned factor,
              const WindowDim &window, const WindowDemand &demand)
      : form(form), what(what), dim(dim), factor(factor), window(window),
        shards(shardWindows(window, demand, form.shards.axes(factor))) {}

  /// `value` is this rank's block; `padding` a scalar.
  Value bring(Value value, Value padding);
  WindowDim local(int64_t taps) const { return shards.local(window, taps); }

private:
  Value exchange(Value value, Value padding);
  Value gather(Value value, Value padding);
  Value maskOutside(Value value, Value padding);
  /// First needed position, and first needed element, of this rank.
  Value position();
  Value first();
  std::string cause() const;

  LocalForm &form;
  StringRef what;
  unsigned dim, factor;
  const WindowDim &window;
  WindowShards shards;
};

} // namespace

std::string WindowedDim::cause() const {
  return (what + " reads " + Twine(std::max<int64_t>(shards.low, 0)) +
          " elements before and " + Twine(std::max<int64_t>(shards.high, 0)) +
          " after each block of dimension " + Twine(dim))
      .str();
}

Value WindowedDim::position() {
  const WindowDemand &demand = shards.demand;
  Value start = form.offset(factor, demand.total);
  return form.add(form.multiply(start, form.index(demand.slope)),
                  form.index(demand.base));
}

/// Rounded down, also below zero.
Value WindowedDim::first() {
  Value at = position();
  int64_t step = shards.baseDilation;
  if (step == 1)
    return at;
  const WindowDemand &demand = shards.demand;
  int64_t more = divideCeil(
      std::abs(demand.base) + std::abs(demand.slope) * demand.total, step);
  Value positive = form.add(at, form.index(more * step));
  return form.subtract(form.divide(positive, form.index(step)),
                       form.index(more));
}

/// Where `value`, which starts `low` before this rank's block, lies beyond the
/// dimension it becomes `padding`.
Value WindowedDim::maskOutside(Value value, Value padding) {
  Value index = form.indices(typeOf(value).getShape(), dim);
  Value start = form.offset(factor, window.size);
  start = form.subtract(start, form.index(shards.low));
  index = form.add(index, form.spread(start, index));
  auto compareTo = [&](ComparisonDirection direction, int64_t number) {
    return compare(form.builder, form.loc, direction, index,
                   form.integer(index, number));
  };
  Value inside =
      form.binary<AndOp>(compareTo(ComparisonDirection::GE, 0),
                         compareTo(ComparisonDirection::LT, window.size));
  return form.select(inside, value, form.spread(padding, value));
}

Value WindowedDim::exchange(Value value, Value padding) {
  DenseElementsAttr elements;
  TypedAttr fill;
  if (shards.needsFill && matchPattern(padding, m_Constant(&elements)))
    fill = cast<TypedAttr>(*elements.value_begin<Attribute>());
  if (shards.isLocal) {
    int64_t extent = typeOf(value).getDimSize(dim);
    value = sliceDim(form.builder, form.loc, value, dim, -shards.low,
                     extent + shards.high);
  } else {
    value = form.shards.haloExchange(form.builder, form.loc, value, dim, factor,
                                     window.size, shards.low, shards.high, fill,
                                     cause());
    if (shards.needsFill && !fill)
      value = maskOutside(value, padding);
  }
  if (!shards.isShifted)
    return value;
  Value start = form.offset(factor, window.size);
  start = form.subtract(form.add(first(), form.index(shards.low)), start);
  return form.sliceAt(value, dim, start, shards.count);
}

/// When the exchange would bring everything, the whole dimension, padded so
/// that all ranks find there what they need.
Value WindowedDim::gather(Value value, Value padding) {
  value = form.gatherDim(value, dim, window.size, factor, cause());
  int64_t low = 0, high = 0;
  for (BlockExtent block :
       blocksOf(shards.demand.total, form.shards.axes(factor))) {
    if (block.valid == 0)
      continue;
    int64_t from = shards.first(block.offset);
    low = std::max(low, -from);
    high = std::max(high, from + shards.count - window.size);
  }
  value = form.padDim(value, padding, dim, low, high);
  return form.sliceAt(value, dim, form.add(first(), form.index(low)),
                      shards.count);
}

Value WindowedDim::bring(Value value, Value padding) {
  ArrayRef<AxisRef> axes = form.shards.axes(factor);
  int64_t received =
      std::max<int64_t>(shards.low, 0) + std::max<int64_t>(shards.high, 0);
  bool isWhole =
      received >= window.size - blockSize(window.size, axes) && received > 0;
  value = isWhole ? gather(value, padding) : exchange(value, padding);
  if (shards.phase)
    return value;
  int64_t step = shards.baseDilation;
  value = form.padDim(value, padding, dim, 0, step - 1, step - 1);
  Value phase =
      form.subtract(position(), form.multiply(first(), form.index(step)));
  return form.sliceAt(value, dim, phase, shards.demand.length);
}

//===----------------------------------------------------------------------===//
// reduce_window
//===----------------------------------------------------------------------===//

/// Each rank scans its block and adds what the blocks before it come to.
static LocalResults buildLocalScan(ReduceWindowOp op, ScanDim scan,
                                   unsigned factor, ValueRange operands,
                                   LocalForm &form) {
  ReductionKind kind = *op.getSimpleKind();
  Value value = form.mask(operands[0], scan.dim, factor, kind);
  value = form.accumulated(value);
  Value init = form.accumulated(operands[1]);
  int64_t extent = typeOf(value).getDimSize(scan.dim);
  SmallVector<WindowDim> windows;
  for (int64_t size : typeOf(value).getShape()) {
    windows.emplace_back();
    windows.back().size = size;
  }
  WindowDim &along = windows[scan.dim];
  along.window = extent;
  (scan.isReverse ? along.high : along.low) = extent - 1;
  Value scanned =
      ReduceWindowOp::create(form.builder, form.loc, value, init, windows, kind)
          .getResult(0);

  int64_t last = scan.isReverse ? 0 : extent - 1;
  Value total =
      sliceDim(form.builder, form.loc, scanned, scan.dim, last, last + 1);
  Value totals =
      form.shards.allGather(form.builder, form.loc, total, scan.dim, factor,
                            "scan along a sharded dimension");
  SmallVector<int32_t> starts;
  for (BlockExtent block :
       blocksOf(op.getWindows()[scan.dim].size, form.shards.axes(factor)))
    starts.push_back(block.offset);
  auto type = RankedTensorType::get({static_cast<int64_t>(starts.size())},
                                    form.builder.getI32Type());
  Value start = ConstantOp::create(
      form.builder, form.loc,
      DenseElementsAttr::get(type, ArrayRef<int32_t>(starts)));
  // Blocks that start at the same element are empty but for one.
  Value isBefore = compare(form.builder, form.loc,
                           scan.isReverse ? ComparisonDirection::GT
                                          : ComparisonDirection::LT,
                           start, form.spread(form.offset(factor), start));
  Value neutral = neutralScalar(form.builder, form.loc,
                                typeOf(totals).getElementType(), kind);
  totals = form.select(form.alongDim(isBefore, totals, scan.dim), totals,
                       form.spread(neutral, totals));
  Value before = form.reduceDim(totals, scan.dim, kind);
  Value result = combine(form.builder, form.loc, kind,
                         form.alongRows(before, scanned, scan.dim), scanned);
  return form.finish(result);
}

LocalResults ReduceWindowOp::buildLocal(OpBuilder &builder, ValueRange operands,
                                        LocalShards &shards) {
  LocalForm form(*this, builder, shards);
  ShardingRule rule = getShardingRule();
  SmallVector<WindowDim> windows = getWindows();
  unsigned count = getInputs().size();
  SmallVector<Value> locals(operands);
  if (std::optional<ScanDim> scan = getScan()) {
    unsigned factor = rule.operands[0].dims[scan->dim].front();
    if (shards.isSharded(factor))
      return buildLocalScan(*this, *scan, factor, operands, form);
  }
  for (auto [d, window] : enumerate(windows)) {
    unsigned factor = rule.operands[0].dims[d].front();
    if (!shards.isSharded(factor))
      continue;
    if (rule.factors[factor].kind == FactorKind::Reduction)
      window.window = typeOf(operands[0]).getDimSize(d);
    if (rule.factors[factor].kind != FactorKind::Collective)
      continue;
    WindowDim global = window;
    WindowedDim windowed(form, "reduce_window", d, factor, global,
                         demandOfWindows(global, shards.axes(factor)));
    for (unsigned i = 0; i < count; ++i)
      locals[i] = windowed.bring(locals[i], operands[count + i]);
    window = windowed.local(window.window);
  }
  LocalResults results = cloneWithLocalTypes(*this, builder, locals, shards);
  if (succeeded(results))
    results->front().getDefiningOp<ReduceWindowOp>().setWindows(windows);
  return results;
}

//===----------------------------------------------------------------------===//
// convolution
//===----------------------------------------------------------------------===//

LocalResults ConvolutionOp::buildLocal(OpBuilder &builder, ValueRange operands,
                                       LocalShards &shards) {
  LocalForm form(*this, builder, shards);
  ShardingRule rule = getShardingRule();
  SmallVector<WindowDim> windows = getWindows();
  Value lhs = operands[0], rhs = operands[1];
  Value zero = splatInt(builder, getLoc(), withShape(typeOf(lhs), {}), 0);
  // Taps that do not divide: a rank's last ones would be zero, but not what
  // they are multiplied by. One rank computes everything then.
  SmallVector<unsigned> alone;
  for (auto [i, window] : enumerate(windows)) {
    unsigned dim = getInputSpatialDimensions()[i];
    unsigned kernelDim = getKernelSpatialDimensions()[i];
    unsigned factor = rule.operands[0].dims[dim].front();
    if (!shards.isSharded(factor) ||
        rule.factors[factor].kind == FactorKind::PassThrough)
      continue;
    ArrayRef<AxisRef> axes = shards.axes(factor);
    WindowDim global = window;
    int64_t taps = global.window;
    if (!contractsTaps(i)) {
      WindowedDim windowed(form, "convolution", dim, factor, global,
                           demandOfWindows(global, axes));
      lhs = windowed.bring(lhs, zero);
      window = windowed.local(taps);
    } else if (!isPadded(taps, axes)) {
      WindowedDim windowed(form, "convolution", dim, factor, global,
                           demandOfTaps(global, axes));
      lhs = windowed.bring(lhs, zero);
      window = windowed.local(blockSize(taps, axes));
    } else {
      StringRef cause = "convolution with taps cut unevenly";
      lhs = form.gatherDim(lhs, dim, global.size, factor, cause);
      rhs = form.gatherDim(rhs, kernelDim, taps, factor, cause);
      alone.push_back(factor);
    }
  }
  LocalResults results =
      cloneWithLocalTypes(*this, builder, {lhs, rhs}, shards);
  if (failed(results))
    return failure();
  auto local = results->front().getDefiningOp<ConvolutionOp>();
  local.setWindows(windows);
  unsigned group = 0; // the first factor of the rule
  int64_t groups = blockSize(getNumGroups(), shards.axes(group));
  if (getFeatureGroupCount() > 1)
    local.setFeatureGroupCount(groups);
  if (getBatchGroupCount() > 1)
    local.setBatchGroupCount(groups);
  for (unsigned factor : alone) {
    Value offset = form.offset(factor);
    Value isFirst = compare(builder, getLoc(), ComparisonDirection::EQ, offset,
                            form.integer(offset, 0));
    Value result = results->front();
    results->front() = form.select(form.spread(isFirst, result), result,
                                   form.integer(result, 0));
  }
  return results;
}

} // namespace cleave::graph
