//===- ScatterKernel.cpp - Scatter as loops -------------------------------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

//
// A dimension of the updates is *free* if it walks a dimension of the inputs
// whole and in step: as a batch, or as a window that no index moves. Different
// indices along free dimensions touch different elements, so they are the parts
// of the kernel; what they leave runs in row-major order of the updates. If the
// last dimension is free it becomes the innermost loop, cut into blocks.
//
// `cleave.scatter` asks for other parts, for the threads of a GPU, which do not
// loop: see cleave-spread-scatters. A part is then one element of the updates.
//
//===----------------------------------------------------------------------===//

#include "passes/Codegen/Kernels/ScatterKernel.h"
#include "dialects/Graph/KernelAttributes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "passes/Codegen/Kernels/ScalarSemantics.h"
#include "llvm/ADT/Sequence.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace cleave::codegen;
using namespace cleave::graph;

ScatterWriter::Form ScatterWriter::formOf(ScatterOp op) {
  auto name = op->getParentOfType<func::FuncOp>()->getAttrOfType<StringAttr>(
      kScatterAttr);
  return llvm::StringSwitch<Form>(name ? name.getValue() : "")
      .Case("unique", Form::Unique)
      .Case("atomic", Form::Atomic)
      .Case("sorted", Form::Sorted)
      .Default(Form::InOrder);
}

/// The atomic operation of a kind on elements of a type.
static std::optional<arith::AtomicRMWKind>
atomicKind(std::optional<cleave::ReductionKind> kind, Type element) {
  using K = arith::AtomicRMWKind;
  using cleave::ReductionKind;
  if (!kind || !hasAtomicUpdate(*kind, element))
    return std::nullopt;
  bool isUnsigned = element.isUnsignedInteger();
  switch (*kind) {
  case ReductionKind::Sum:
    return isa<FloatType>(element) ? K::addf : K::addi;
  case ReductionKind::Max:
    return isUnsigned ? K::maxu : K::maxs;
  case ReductionKind::Min:
    return isUnsigned ? K::minu : K::mins;
  case ReductionKind::And:
    return K::andi;
  case ReductionKind::Or:
    return K::ori;
  case ReductionKind::Prod:
    return std::nullopt;
  }
  llvm_unreachable("unknown kind of reduction");
}

/// What cleave-spread-scatters has decided must be possible.
LogicalResult ScatterWriter::checkForm() {
  for (unsigned i = 0; i < count; ++i)
    if (form != Form::InOrder && !k.isInPlace(i, i))
      return op.emitOpError("does not update its inputs in place, as "
                            "`cleave.scatter` requires");
  if (form == Form::Atomic)
    for (unsigned i = 0; i < count; ++i)
      if (!atomicKind(op.getSimpleKind(), k.result(i).type.getElementType()))
        return op.emitOpError(
            "has no atomic operation; `cleave.scatter` must not be \"atomic\"");
  int64_t numSorted = 0;
  for (int64_t d : dims.scatterDims)
    numSorted += !dims.isBatch(d);
  bool areWhole = llvm::all_of(dims.inputDims, [](const auto &dim) {
    return dim.windowDim < 0 || dim.isWhole();
  });
  if (form == Form::Sorted && (numSorted != 1 || !areWhole))
    return op.emitOpError("has not one dimension of updates and whole windows "
                          "besides; `cleave.scatter` must not be \"sorted\"");
  return success();
}

void ScatterWriter::findFreeDims() {
  if (form != Form::InOrder) {
    for (auto [d, size] : llvm::enumerate(updateShape)) {
      freeDims.push_back({d, -1});
      numParts *= size;
    }
    return;
  }
  for (auto [d, dim] : llvm::enumerate(dims.inputDims)) {
    if (dim.batchDim >= 0)
      freeDims.push_back({dim.batchDim, d});
    else if (dim.windowDim >= 0 && dim.isWhole())
      freeDims.push_back({dim.windowDim, d});
  }
  int64_t last = static_cast<int64_t>(updateShape.size()) - 1;
  int64_t lastInput = static_cast<int64_t>(inputShape.size()) - 1;
  // Along a batch, indices are read anew.
  if (!freeDims.empty() && freeDims.back() == std::pair(last, lastInput) &&
      dims.inputDims.back().batchDim < 0) {
    hasInner = true;
    freeDims.pop_back();
    numBlocks = llvm::divideCeil(updateShape[last], innerBlock);
  }
  for (auto [from, to] : freeDims)
    numParts *= updateShape[from];
  numParts *= numBlocks;
}

void ScatterWriter::enterPart(Value part) {
  SmallVector<int64_t> shape;
  for (auto [from, to] : freeDims)
    shape.push_back(updateShape[from]);
  shape.push_back(numBlocks);
  SmallVector<Value> indices = k.delinearize(part, shape);
  updateIndex.assign(updateShape.size(), Value());
  for (auto [dim, index] : llvm::zip(freeDims, indices))
    updateIndex[dim.first] = index;
  if (!hasInner)
    return;
  innerBegin = k.scale(indices.back(), innerBlock);
  innerEnd = k.minimum(k.add(innerBegin, k.index(innerBlock)),
                       k.index(updateShape.back()));
}

void ScatterWriter::overInner(llvm::function_ref<void(Value)> body) {
  if (!hasInner)
    return body(Value());
  k.loop(innerBegin, innerEnd, body);
}

Value ScatterWriter::addTerm(Value sum, Value index, int64_t stride) {
  Value term = k.scale(index, stride);
  return sum ? k.add(sum, term) : term;
}

/// The part's elements of the results start as those of the inputs.
void ScatterWriter::copyInputs() {
  auto isInPlace = [&](unsigned i) { return k.isInPlace(i, i); };
  if (llvm::all_of(llvm::seq(count), isInPlace))
    return;
  auto copyElement = [&](Value place) {
    for (unsigned i = 0; i < count; ++i)
      if (!isInPlace(i))
        k.store(k.result(i), place, k.load(k.operand(i), place));
  };
  // In one part the elements lie one after the other.
  if (numParts == 1)
    return k.loop(k.index(0), k.index(k.result(0).type.getNumElements()),
                  copyElement);
  SmallVector<Value> index(inputShape.size());
  for (auto [from, to] : freeDims)
    index[to] = updateIndex[from];
  SmallVector<int64_t> looped, shape;
  for (auto [d, size] : llvm::enumerate(inputShape))
    if (!index[d] && !isInner(d)) {
      looped.push_back(d);
      shape.push_back(size);
    }
  k.loops(shape, [&](ValueRange indices) {
    for (auto [d, i] : llvm::zip_equal(looped, indices))
      index[d] = i;
    Value place;
    for (auto [i, stride] : llvm::zip_equal(index, inputStrides))
      if (i)
        place = addTerm(place, i, stride);
    overInner([&](Value inner) {
      Value at = inner && place ? k.add(place, inner) : inner ? inner : place;
      copyElement(at);
    });
  });
}

/// The component of a start index. Unsigned ones beyond the dimension are out
/// of bounds before anything is added that could wrap.
Value ScatterWriter::startIndex(Value vector, int64_t component,
                                Value &isValid) {
  ImplicitLocOpBuilder &b = k.b;
  const KernelBuffer &indices = k.operand(count);
  SmallVector<int64_t> strides = rowMajorStrides(indices.type.getShape());
  Value at = vector;
  if (dims.vectorDim >= 0)
    at = k.add(at, k.index(component * strides[dims.vectorDim]));
  Value loaded = k.load(indices, at);
  if (!indices.type.getElementType().isUnsignedInteger())
    return arith::IndexCastOp::create(b, b.getIndexType(), loaded);
  Value start = arith::IndexCastUIOp::create(b, b.getIndexType(), loaded);
  Value positive =
      arith::CmpIOp::create(b, arith::CmpIPredicate::sge, start, k.index(0));
  isValid = isValid ? arith::AndIOp::create(b, isValid, positive) : positive;
  return start;
}

/// What elements and their update become.
SmallVector<Value> ScatterWriter::runBody(ArrayRef<Value> elements,
                                          Value update) {
  SmallVector<Value> arguments(elements);
  for (unsigned i = 0; i < count; ++i)
    arguments.push_back(k.load(k.operand(count + 1 + i), update));
  FailureOr<SmallVector<Value>> combined =
      buildScalarBody(k.b, op.getBody().front(), arguments);
  if (succeeded(combined))
    return *combined;
  status = failure();
  return SmallVector<Value>(elements);
}

/// Combines one element of each result with its update.
void ScatterWriter::combine(Value place, Value update) {
  if (form == Form::Atomic)
    return combineAtomically(place, update);
  SmallVector<Value> elements;
  for (unsigned i = 0; i < count; ++i)
    elements.push_back(k.load(k.result(i), place));
  for (auto [i, element] : llvm::enumerate(runBody(elements, update)))
    k.store(k.result(i), place, element);
}

void ScatterWriter::combineAtomically(Value place, Value update) {
  for (unsigned i = 0; i < count; ++i)
    k.update(*atomicKind(op.getSimpleKind(), k.result(i).type.getElementType()),
             k.result(i), place, k.load(k.operand(count + 1 + i), update));
}

/// `index` has all dimensions of the updates but that of the innermost loop.
ScatterTarget ScatterWriter::locate(ArrayRef<Value> index) {
  ImplicitLocOpBuilder &b = k.b;
  SmallVector<int64_t> indexStrides =
      rowMajorStrides(k.operand(count).type.getShape());
  ScatterTarget target = {k.index(0), k.index(0), k.index(0), Value()};
  for (auto [to, from] : llvm::zip_equal(dims.indexDims, dims.scatterDims))
    target.vector = addTerm(target.vector, index[from], indexStrides[to]);
  for (auto [d, at] : llvm::enumerate(index))
    if (at)
      target.update = addTerm(target.update, at, updateStrides[d]);
  for (auto [d, dim] : llvm::enumerate(dims.inputDims)) {
    if (isInner(d))
      continue;
    Value at;
    if (dim.component >= 0)
      at = startIndex(target.vector, dim.component, target.isInside);
    for (int64_t from : {dim.windowDim, dim.batchDim})
      if (from >= 0)
        at = addTerm(at, index[from], 1);
    if (!at)
      at = k.index(0);
    if (dim.component >= 0)
      // As unsigned numbers, negative ones are too large.
      target.isInside = k.both(
          target.isInside, arith::CmpIOp::create(b, arith::CmpIPredicate::ult,
                                                 at, k.index(dim.size)));
    target.element = addTerm(target.element, at, inputStrides[d]);
  }
  return target;
}

void ScatterWriter::applyUpdates() {
  SmallVector<int64_t> looped, shape;
  int64_t numLoopDims = static_cast<int64_t>(updateShape.size()) - hasInner;
  for (int64_t d = 0; d < numLoopDims; ++d)
    if (!updateIndex[d]) {
      looped.push_back(d);
      shape.push_back(updateShape[d]);
    }
  k.loops(shape, [&](ValueRange indices) {
    SmallVector<Value> at = updateIndex;
    for (auto [d, i] : llvm::zip_equal(looped, indices))
      at[d] = i;
    ScatterTarget target = locate(at);
    k.ifTrue(target.isInside, [&] {
      overInner([&](Value inner) {
        if (inner)
          combine(k.add(target.element, inner), k.add(target.update, inner));
        else
          combine(target.element, target.update);
      });
    });
  });
}

LogicalResult ScatterWriter::run() {
  bool isEmpty = k.result(0).type.getNumElements() == 0;
  if (failed(checkForm()))
    return failure();
  if (!isEmpty) {
    findFreeDims();
    k.loopOverParts([&](Value part) {
      enterPart(part);
      copyInputs();
      if (form == Form::Sorted)
        applySorted();
      else if (!llvm::is_contained(updateShape, 0))
        applyUpdates();
    });
  }
  k.finish(isEmpty ? 0 : numParts);
  return status;
}

LogicalResult cleave::codegen::writeScatter(IrregularKernel &kernel,
                                            ScatterOp op, int64_t innerBlock) {
  return ScatterWriter(kernel, op, innerBlock).run();
}
