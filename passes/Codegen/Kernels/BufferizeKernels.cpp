//===- BufferizeKernels.cpp - Kernels on memrefs --------------------------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Kernels are single blocks in which every destination has one use by
// construction, so two walks are enough: backwards, each value learns where it
// belongs (an output, a part of what it is inserted into, or a temporary);
// forwards, ops are rebuilt on those buffers.
//
//===----------------------------------------------------------------------===//

#include "dialects/Graph/KernelAttributes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "passes/Codegen/Kernels/IrregularKernel.h"
#include "passes/Codegen/Passes.h"

namespace cleave {
#define GEN_PASS_DEF_BUFFERIZEKERNELS
#include "passes/Codegen/Passes.h.inc"
} // namespace cleave

using namespace mlir;
using namespace cleave::graph;

namespace {

class KernelBufferizer {
public:
  explicit KernelBufferizer(func::FuncOp kernel)
      : kernel(kernel), block(kernel.getBody().front()),
        b(kernel.getLoc(), kernel.getContext()) {}

  LogicalResult run();

private:
  static MemRefType memrefType(Type type) {
    auto tensor = cast<RankedTensorType>(type);
    return MemRefType::get(tensor.getShape(), tensor.getElementType());
  }
  bool isUnclaimed(Value value) {
    return value.getDefiningOp() && !destinations.count(value);
  }
  /// The buffer of `value`: what a user has claimed for it, or a temporary.
  Value destinationOf(Value value) {
    Value &buffer = destinations[value];
    if (!buffer) {
      OpBuilder::InsertionGuard guard(b);
      b.setInsertionPointToStart(&block);
      buffer = memref::AllocOp::create(b, memrefType(value.getType()));
    }
    return buffer;
  }
  void assignDestinations();
  void assignInserted(tensor::InsertSliceOp insert);
  LogicalResult rebuild(Operation *op);
  Value bufferOf(Value value);
  void copy(Value from, Value to) {
    if (from != to)
      linalg::CopyOp::create(b, from, to);
  }

  func::FuncOp kernel;
  Block &block;
  ImplicitLocOpBuilder b;
  /// Where a value is to be computed, and where it is.
  DenseMap<Value, Value> destinations, buffers;
  /// Insertions whose source is computed where it is inserted.
  DenseSet<Operation *> inPlace;
  SmallVector<Value> outputs;
};

} // namespace

/// A concatenation is a chain that starts from an empty tensor.
static bool startsEmpty(Value value) {
  while (auto insert = value.getDefiningOp<tensor::InsertSliceOp>())
    value = insert.getDest();
  return value.getDefiningOp<tensor::EmptyOp>();
}

void KernelBufferizer::assignInserted(tensor::InsertSliceOp insert) {
  Value buffer = destinationOf(insert.getResult());
  Value into = insert.getDest(), source = insert.getSource();
  if (into.hasOneUse() && isUnclaimed(into))
    destinations[into] = buffer;
  // What is inserted is computed in place, if nothing is written before it.
  if (startsEmpty(into) && source.hasOneUse() && isUnclaimed(source) &&
      source.getDefiningOp<linalg::LinalgOp>() &&
      llvm::none_of(insert.getStaticOffsets(), ShapedType::isDynamic)) {
    inPlace.insert(insert);
    b.setInsertionPointAfterValue(buffer);
    destinations[source] = memref::SubViewOp::create(
        b, buffer, insert.getMixedOffsets(), insert.getMixedSizes(),
        insert.getMixedStrides());
  }
}

void KernelBufferizer::assignDestinations() {
  for (auto [value, output] :
       llvm::zip_equal(block.getTerminator()->getOperands(), outputs))
    if (isUnclaimed(value))
      destinations[value] = output;
  for (Operation &op : llvm::reverse(block.without_terminator())) {
    if (auto insert = dyn_cast<tensor::InsertSliceOp>(op)) {
      assignInserted(insert);
    } else if (auto linalgOp = dyn_cast<linalg::LinalgOp>(op)) {
      for (OpOperand &init : linalgOp.getDpsInitsMutable()) {
        Value buffer = destinationOf(linalgOp.getTiedOpResult(&init));
        if (init.get().hasOneUse() && isUnclaimed(init.get()))
          destinations[init.get()] = buffer;
      }
    }
  }
}

Value KernelBufferizer::bufferOf(Value value) {
  if (Value buffer = buffers.lookup(value))
    return buffer;
  // An empty tensor: its content does not matter, only its shape.
  Value &buffer = buffers[value];
  buffer = destinationOf(value);
  return buffer;
}

LogicalResult KernelBufferizer::rebuild(Operation *op) {
  b.setLoc(op->getLoc());
  b.setInsertionPoint(op);
  if (isa<tensor::EmptyOp>(op))
    return success();
  if (auto extract = dyn_cast<tensor::ExtractOp>(op)) {
    Value element = memref::LoadOp::create(b, bufferOf(extract.getTensor()),
                                           extract.getIndices());
    extract.getResult().replaceAllUsesWith(element);
    return success();
  }
  if (auto extract = dyn_cast<tensor::ExtractSliceOp>(op)) {
    buffers[extract.getResult()] = memref::SubViewOp::create(
        b, bufferOf(extract.getSource()), extract.getMixedOffsets(),
        extract.getMixedSizes(), extract.getMixedStrides());
    return success();
  }
  if (auto insert = dyn_cast<tensor::InsertSliceOp>(op)) {
    Value buffer = destinationOf(insert.getResult());
    if (!insert.getDest().getDefiningOp<tensor::EmptyOp>())
      copy(bufferOf(insert.getDest()), buffer);
    Value source = bufferOf(insert.getSource());
    if (!inPlace.contains(insert))
      copy(source, memref::SubViewOp::create(
                       b, buffer, insert.getMixedOffsets(),
                       insert.getMixedSizes(), insert.getMixedStrides()));
    buffers[insert.getResult()] = buffer;
    return success();
  }
  if (auto linalgOp = dyn_cast<linalg::LinalgOp>(op)) {
    SmallVector<Value> operands;
    for (Value input : linalgOp.getDpsInputs())
      operands.push_back(
          isa<RankedTensorType>(input.getType()) ? bufferOf(input) : input);
    for (OpOperand &init : linalgOp.getDpsInitsMutable()) {
      OpResult result = linalgOp.getTiedOpResult(&init);
      Value buffer = destinationOf(result);
      if (!init.get().getDefiningOp<tensor::EmptyOp>())
        copy(bufferOf(init.get()), buffer);
      operands.push_back(buffer);
      buffers[result] = buffer;
    }
    Operation *rebuilt =
        Operation::create(op->getLoc(), op->getName(), TypeRange(), operands,
                          op->getAttrDictionary(), op->getPropertiesStorage(),
                          BlockRange(), op->getNumRegions());
    b.insert(rebuilt);
    for (auto [from, to] : llvm::zip(op->getRegions(), rebuilt->getRegions()))
      to.takeBody(from);
    rebuilt->walk([&](tensor::ExtractOp extract) {
      b.setInsertionPoint(extract);
      Value element = memref::LoadOp::create(b, bufferOf(extract.getTensor()),
                                             extract.getIndices());
      extract.getResult().replaceAllUsesWith(element);
      extract.erase();
    });
    return success();
  }
  if (op->getNumResults() != 0 &&
      isa<RankedTensorType>(op->getResult(0).getType()))
    return op->emitOpError("cannot be bufferized in a kernel");
  return success();
}

LogicalResult KernelBufferizer::run() {
  unsigned numInputs = block.getNumArguments();
  for (Type type : kernel.getResultTypes())
    outputs.push_back(block.addArgument(memrefType(type), kernel.getLoc()));
  assignDestinations();
  // Arguments keep their tensor type until nothing refers to them. Those that
  // results replace are in the buffers of these.
  ArrayRef<int64_t> replaced = cleave::codegen::inPlaceArguments(kernel);
  unsigned numKept = 0;
  for (unsigned i = 0; i < numInputs; ++i) {
    BlockArgument old = block.getArgument(i);
    const auto *result = llvm::find(replaced, i);
    buffers[old] =
        result != replaced.end()
            ? outputs[result - replaced.begin()]
            : block.insertArgument(numInputs + numKept++,
                                   memrefType(old.getType()), old.getLoc());
  }
  SmallVector<Operation *> old;
  for (Operation &op : block.without_terminator())
    if (!isa<memref::AllocOp, memref::SubViewOp>(op))
      old.push_back(&op);
  for (Operation *op : old)
    if (failed(rebuild(op)))
      return failure();
  Operation *terminator = block.getTerminator();
  b.setInsertionPoint(terminator);
  for (auto [value, output] :
       llvm::zip_equal(terminator->getOperands(), outputs))
    copy(bufferOf(value), output);
  func::ReturnOp::create(b);
  terminator->erase();
  for (Operation *op : llvm::reverse(old))
    if (op->use_empty() && !isa<memref::LoadOp>(op) &&
        (isa<linalg::LinalgOp>(op) ||
         isa<tensor::TensorDialect>(op->getDialect())))
      op->erase();
  block.eraseArguments(0, numInputs);
  for (auto alloc : llvm::make_early_inc_range(block.getOps<memref::AllocOp>()))
    if (alloc->use_empty())
      alloc.erase();
  kernel->removeAttr(kInPlaceAttr);
  kernel.setType(b.getFunctionType(block.getArgumentTypes(), {}));
  return success();
}

namespace {
struct BufferizeKernels
    : public cleave::impl::BufferizeKernelsBase<BufferizeKernels> {
  void runOnOperation() override {
    for (auto kernel : getOperation().getOps<func::FuncOp>())
      if (cleave::codegen::isTensorKernel(kernel) &&
          failed(KernelBufferizer(kernel).run()))
        return signalPassFailure();
  }
};
} // namespace
