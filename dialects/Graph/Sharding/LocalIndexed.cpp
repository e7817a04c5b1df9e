//===- LocalIndexed.cpp - Local forms of gather, scatter, random bits -----===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialects/Graph/ScatterDimensions.h"
#include "dialects/Graph/Sharding/LocalForm.h"
#include "dialects/Graph/Sharding/ShardingRuleBuilder.h"

using namespace llvm;
using namespace mlir;

namespace cleave::graph {

/// Index vectors along a dimension of their own, which a scalar index gets.
static Value withVectorDim(LocalForm &form, Value indices, int64_t vectorDim) {
  SmallVector<int64_t> shape(typeOf(indices).getShape());
  if (vectorDim == typeOf(indices).getRank())
    shape.push_back(1);
  return form.reshape(indices, shape);
}

static Value component(LocalForm &form, Value indices, int64_t vectorDim,
                       int64_t number) {
  if (typeOf(indices).getDimSize(vectorDim) == 1)
    return indices;
  return sliceDim(form.builder, form.loc, indices, vectorDim, number,
                  number + 1);
}

static Value joinComponents(LocalForm &form, ValueRange components,
                            int64_t vectorDim) {
  return components.size() == 1 ? components.front()
                                : form.concatenate(components, vectorDim);
}

//===----------------------------------------------------------------------===//
// Gather
//===----------------------------------------------------------------------===//

LocalResults GatherOp::buildLocal(OpBuilder &builder, ValueRange operands,
                                  LocalShards &shards) {
  LocalForm form(*this, builder, shards);
  ShardingRule rule = getShardingRule();
  ArrayRef<int64_t> global = typeOf(getOperand()).getShape();

  // Sharded dimensions of which each rank looks up its own elements.
  llvm::DenseMap<int64_t, unsigned> lookups;
  SmallVector<unsigned> factors;
  for (auto [d, dim] : enumerate(rule.operands[0].dims))
    if (rule.factors[dim.front()].kind == FactorKind::Collective &&
        shards.isSharded(dim.front())) {
      lookups[d] = dim.front();
      factors.push_back(dim.front());
    }

  SmallVector<Value> localOperands(operands);
  int64_t vectorDim = getIndexVectorDim();
  Value found;
  if (!lookups.empty()) {
    Value indices = withVectorDim(form, operands[1], vectorDim);
    SmallVector<Value> components;
    for (auto [k, d] : enumerate(getStartIndexMap())) {
      Value index = component(form, indices, vectorDim, k);
      auto lookup = lookups.find(d);
      if (lookup == lookups.end()) {
        components.push_back(
            form.clampedIndices(index, 0, global[d] - getSliceSizes()[d]));
        continue;
      }
      components.push_back(form.localIndices(index, global[d], lookup->second));
      Value here = form.areFound(components.back());
      found = found ? form.binary<AndOp>(found, here) : here;
    }
    localOperands[1] = joinComponents(form, components, vectorDim);
  }
  LocalResults results =
      cloneWithLocalTypes(*this, builder, localOperands, shards);
  if (failed(results))
    return failure();
  SmallVector<int64_t> sizes(getSliceSizes());
  for (auto [d, size] : enumerate(typeOf(operands[0]).getShape()))
    if (sizes[d] == global[d])
      sizes[d] = size;
  Value value = results->front();
  value.getDefiningOp<GatherOp>().setSliceSizes(sizes);
  if (!found)
    return results;

  SmallVector<int64_t> shape(typeOf(found).getShape());
  shape.erase(shape.begin() + vectorDim);
  SmallVector<int64_t> batchDims;
  for (int64_t d : dimRange(typeOf(value).getRank()))
    if (!is_contained(getOffsetDims(), d))
      batchDims.push_back(d);
  value.getDefiningOp()->setDiscardableAttrs(ArrayRef<NamedAttribute>());
  return form.finish(form.combineLookups(value, form.reshape(found, shape),
                                         batchDims, factors,
                                         "gather from sharded rows"));
}

//===----------------------------------------------------------------------===//
// Scatter
//===----------------------------------------------------------------------===//

namespace {

/// Along a cut dimension that indices address, the indices are counted from
/// the start of the rank's block, so that updates for other ranks are out of
/// bounds. Along cut dimensions of the updates each rank scatters its part, in
/// which padding has been masked with what changes nothing; the inputs count
/// once, on the first rank, and the caller reduces.
class LocalScatter {
public:
  LocalScatter(ScatterOp op, OpBuilder &builder, ValueRange operands,
               LocalShards &shards)
      : op(op), form(op, builder, shards), shards(shards), dims(op),
        rule(op.getShardingRule()), operands(operands),
        count(op.getInputs().size()) {}

  LocalResults build();

private:
  unsigned inputFactor(unsigned dim) const {
    return rule.operands[0].dims[dim].front();
  }
  /// Whether a rank must find out which updates are for its block.
  bool isShifted(unsigned dim) {
    const ScatterInputDim &numbers = dims.inputDims[dim];
    return numbers.batchDim < 0 && !numbers.isWhole() &&
           shards.isSharded(inputFactor(dim));
  }
  void findParts();
  bool needsLocalIndices();
  Value localIndices();
  void startFromNeutral();
  void growInputs();
  bool hasPadding();

  ScatterOp op;
  LocalForm form;
  LocalShards &shards;
  ScatterDimensions dims;
  ShardingRule rule;
  SmallVector<Value> operands;
  unsigned count;
  /// Factors along which each rank has a part of the updates.
  SmallVector<unsigned> parts;
  /// Dimensions that the start indices address, with those added here.
  SmallVector<int64_t> addressed;
  int64_t vectorDim = 0;
};

} // namespace

void LocalScatter::findParts() {
  for (int64_t d : dims.indexDims) {
    unsigned f = rule.operands[count].dims[d].front();
    if (rule.factors[f].kind == FactorKind::Reduction && shards.isSharded(f))
      parts.push_back(f);
  }
}

bool LocalScatter::needsLocalIndices() {
  for (unsigned d = 0; d < dims.inputDims.size(); ++d)
    if (isShifted(d))
      return true;
  return false;
}

/// Indices from the start of the rank's block as i32. Dimensions that no index
/// addresses start at 0.
Value LocalScatter::localIndices() {
  Value indices = withVectorDim(form, operands[count], vectorDim);
  SmallVector<Value> components(addressed.size());
  for (auto [d, dim] : enumerate(dims.inputDims)) {
    if (dim.component < 0 && !isShifted(d))
      continue;
    Value start;
    int64_t k = dim.component;
    if (k >= 0) {
      start = form.clampedIndices(component(form, indices, vectorDim, k),
                                  -dim.windowSize, dim.size);
    } else {
      SmallVector<int64_t> shape(typeOf(indices).getShape());
      shape[vectorDim] = 1;
      start =
          splatInt(form.builder, form.loc,
                   RankedTensorType::get(shape, form.builder.getI32Type()), 0);
      k = components.size();
      components.push_back(Value());
      addressed.push_back(d);
    }
    if (isShifted(d))
      start =
          form.subtract(start, form.spread(form.offset(inputFactor(d)), start));
    components[k] = start;
  }
  return joinComponents(form, components, vectorDim);
}

/// Only the first rank along the parts adds its updates to the inputs. What is
/// idempotent may count more than once.
void LocalScatter::startFromNeutral() {
  ReductionKind kind = *op.getSimpleKind();
  if (kind != ReductionKind::Sum && kind != ReductionKind::Prod)
    return;
  Value isFirst;
  for (unsigned f : parts) {
    Value offset = form.offset(f);
    Value here = compare(form.builder, form.loc, ComparisonDirection::EQ,
                         offset, form.integer(offset, 0));
    isFirst = isFirst ? form.binary<AndOp>(isFirst, here) : here;
  }
  bool isSum = kind == ReductionKind::Sum;
  for (unsigned i = 0; i < count; ++i) {
    Value &input = operands[i];
    if (isConstant(op.getInputs()[i], isSum ? 0 : 1))
      continue;
    bool isFloat = isa<FloatType>(typeOf(input).getElementType());
    // Negative zero keeps the sign of zeros that nothing is added to.
    Value neutral = isFloat ? form.number(input, isSum ? -0.0 : 1.0)
                            : form.integer(input, isSum ? 0 : 1);
    input = form.select(isFirst, input, neutral);
  }
}

/// A block may be smaller than a window; it is padded to the window's size.
void LocalScatter::growInputs() {
  SmallVector<int64_t> high(dims.inputDims.size(), 0), none(high);
  SmallVector<int64_t> shape(typeOf(operands[0]).getShape());
  for (auto [d, dim] : enumerate(dims.inputDims))
    if (isShifted(d) && dim.windowSize > shape[d]) {
      high[d] = dim.windowSize - shape[d];
      shape[d] = dim.windowSize;
    }
  if (high == none)
    return;
  for (unsigned i = 0; i < count; ++i) {
    Value &input = operands[i];
    RankedTensorType type = typeOf(input);
    Value zero = splatInt(form.builder, form.loc, withShape(type, {}), 0);
    input = PadOp::create(form.builder, form.loc, withShape(type, shape), input,
                          zero, none, high, none);
  }
}

/// Whether blocks of inputs, indices or updates have elements that the whole
/// does not have. Updates in padding and out of bounds may meet in one of them.
bool LocalScatter::hasPadding() {
  for (auto [f, factor] : enumerate(rule.factors))
    if (isPadded(factor.size, shards.axes(f)))
      return true;
  return false;
}

LocalResults LocalScatter::build() {
  vectorDim = op.getIndexVectorDim();
  addressed.assign(op.getScatterDimsToOperandDims().begin(),
                   op.getScatterDimsToOperandDims().end());
  findParts();
  if (needsLocalIndices())
    operands[count] = localIndices();
  if (!parts.empty())
    startFromNeutral();
  growInputs();

  LocalResults results =
      cloneWithLocalTypes(op, form.builder, operands, shards);
  if (failed(results))
    return failure();
  auto local = results->front().getDefiningOp<ScatterOp>();
  local.setScatterDimsToOperandDims(addressed);
  if (hasPadding() || typeOf(operands[0]) != shards.localType(op->getResult(0)))
    local.setUniqueIndices(false);
  for (auto [result, input] : zip_equal(*results, local.getInputs())) {
    RankedTensorType type = typeOf(result);
    if (type == input.getType())
      continue;
    result.setType(typeOf(input));
    SmallVector<int64_t> start(type.getRank(), 0), steps(type.getRank(), 1);
    result = SliceOp::create(form.builder, form.loc, type, result, start,
                             SmallVector<int64_t>(type.getShape()), steps);
    keepAttributes(op, result);
  }
  return results;
}

LocalResults ScatterOp::buildLocal(OpBuilder &builder, ValueRange operands,
                                   LocalShards &shards) {
  return LocalScatter(*this, builder, operands, shards).build();
}

//===----------------------------------------------------------------------===//
// Random bits
//===----------------------------------------------------------------------===//

LocalResults RngBitGeneratorOp::buildLocal(OpBuilder &builder,
                                           ValueRange operands,
                                           LocalShards &shards) {
  ShardingRule rule = getShardingRule();
  LocalForm form(*this, builder, shards);
  auto isCut = [&](const auto &dim) { return shards.isSharded(dim.front()); };
  if (none_of(rule.results[1].dims, isCut))
    return cloneWithLocalTypes(*this, builder, operands, shards);
  SmallVector<Value> offsets;
  for (const auto &dim : rule.results[1].dims)
    offsets.push_back(form.offset(dim.front()));
  auto local = RngBitGeneratorOp::create(
      builder, getLoc(),
      TypeRange{getOutputState().getType(),
                shards.localType(cast<OpResult>(getOutput()))},
      getAlgorithm(), operands[0], offsets,
      builder.getDenseI64ArrayAttr(getOutput().getType().getShape()));
  keepAttributes(*this, local.getOutput());
  return SmallVector<Value>(local->getResults());
}

} // namespace cleave::graph
