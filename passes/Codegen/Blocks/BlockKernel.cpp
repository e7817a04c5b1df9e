//===- BlockKernel.cpp - A kernel of one op run by blocks -----------------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/Codegen/Blocks/BlockKernel.h"
#include "dialects/Graph/KernelAttributes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "passes/Codegen/GPU/GPUMapping.h"
#include "passes/Codegen/Kernels/IrregularKernel.h"
#include "passes/Codegen/Kernels/ScalarSemantics.h"

using namespace mlir;
using namespace cleave::graph;

namespace cleave::codegen {

//===----------------------------------------------------------------------===//
// Frame
//===----------------------------------------------------------------------===//

BlockKernel::BlockKernel(GPUModuleBuilder &functions, func::FuncOp kernel,
                         gpu::GPUFuncOp function, int64_t threads)
    : KernelBuilder(kernel.getLoc()), functions(functions), kernel(kernel),
      function(function), threads(threads) {
  b.setInsertionPointToStart(&function.getBody().front());
}

FailureOr<BlockKernel> BlockKernel::start(GPUModuleBuilder &functions,
                                          func::FuncOp kernel, Operation *op,
                                          int64_t threads) {
  Block &body = kernel.getBody().front();
  if (body.getTerminator()->getOperands() != op->getResults() ||
      !inPlaceArguments(kernel).empty())
    return kernel.emitError("returns other values than the results of its "
                            "only operation, in order, each in a buffer of "
                            "its own");
  SmallVector<Type> types;
  auto addType = [&](Type type) {
    auto tensor = cast<RankedTensorType>(type);
    types.push_back(MemRefType::get({tensor.getNumElements()},
                                    storageType(tensor.getElementType())));
  };
  llvm::for_each(kernel.getArgumentTypes(), addType);
  llvm::for_each(op->getResultTypes(), addType);
  SmallVector<Type> workspace;
  if (auto list = kernel->getAttrOfType<ArrayAttr>(kWorkspaceAttr))
    llvm::append_range(workspace, list.getAsValueRange<TypeAttr>());
  llvm::for_each(workspace, addType);
  gpu::GPUFuncOp function = functions.makeFunction(kernel, types, threads);

  BlockKernel result(functions, kernel, function, threads);
  auto buffers = function.getArguments();
  size_t next = 0;
  DenseMap<Value, KernelBuffer> known;
  for (BlockArgument argument : body.getArguments())
    known[argument] = {
        cast<RankedTensorType>(argument.getType()), buffers[next++], {}};
  for (auto constant : body.getOps<ConstantOp>()) {
    auto elements = cast<DenseElementsAttr>(constant.getValue());
    if (!elements.isSplat())
      return constant.emitOpError("in a kernel must have equal elements");
    known[constant.getOutput()] = {
        constant.getOutput().getType(),
        {},
        cast<TypedAttr>(elements.getSplatValue<Attribute>())};
  }
  for (Value operand : op->getOperands())
    result.operands.push_back(known.lookup(operand));
  for (Type type : op->getResultTypes())
    result.results.push_back(
        {cast<RankedTensorType>(type), buffers[next++], {}});
  for (Type type : workspace)
    result.workspaces.push_back(
        {cast<RankedTensorType>(type), buffers[next++], {}});

  result.b.setLoc(op->getLoc());
  result.thread = gpu::ThreadIdOp::create(result.b, gpu::Dimension::x);
  result.lane = result.remainder(result.thread, warpSize);
  result.warp = result.divide(result.thread, warpSize);
  return result;
}

void BlockKernel::finish(int64_t blocks) {
  b.setInsertionPointToEnd(&function.getBody().front());
  gpu::ReturnOp::create(b);
  functions.declare(kernel, function, blocks);
}

//===----------------------------------------------------------------------===//
// Threads
//===----------------------------------------------------------------------===//

Value BlockKernel::sharedArray(int64_t elements, Type element) {
  return addSharedArray(function, elements, element);
}

void BlockKernel::barrier() { gpu::BarrierOp::create(b); }

Value BlockKernel::shuffleXor(Value value, int32_t mask) {
  return gpu::ShuffleOp::create(b, value, mask, warpSize, gpu::ShuffleMode::XOR)
      .getShuffleResult();
}

Value BlockKernel::shuffleFrom(Value value, Value source, int32_t width) {
  Value from = arith::IndexCastUIOp::create(b, b.getI32Type(), source);
  Value lanes = arith::ConstantIntOp::create(b, width, 32);
  return gpu::ShuffleOp::create(b, value, from, lanes, gpu::ShuffleMode::IDX)
      .getShuffleResult();
}

void BlockKernel::loopOverBlocks(int64_t count, LoopBody body) {
  Value first = gpu::BlockIdOp::create(b, gpu::Dimension::x);
  Value step = gpu::GridDimOp::create(b, gpu::Dimension::x);
  auto loop = scf::ForOp::create(b, first, index(count), step);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(loop.getBody());
  body(loop.getInductionVar());
}

/// Few steps are written one after the other, so that their loads overlap.
void BlockKernel::share(int64_t count, LoopBody body) {
  constexpr int64_t maxSteps = 8;
  if (count > maxSteps * threads)
    return loop(thread, index(count), body, threads);
  for (int64_t done = 0; done < count; done += threads) {
    Value item = done ? add(thread, index(done)) : thread;
    Value isItem =
        done + threads <= count ? Value() : isBelow(item, index(count));
    ifTrue(isItem, [&] { body(item); });
  }
}

void BlockKernel::share(Value count, LoopBody body) {
  loop(thread, count, body, threads);
}

void BlockKernel::inFirstThread(llvm::function_ref<void()> body) {
  ifTrue(arith::CmpIOp::create(b, arith::CmpIPredicate::eq, thread, index(0)),
         body);
}

//===----------------------------------------------------------------------===//
// Elements
//===----------------------------------------------------------------------===//

static int64_t bytesOf(Type element, int64_t lanes) {
  return lanes * llvm::divideCeil(element.getIntOrFloatBitWidth(), 8);
}

Value BlockKernel::loadVector(const KernelBuffer &buffer, Value place,
                              int64_t lanes, Value condition) {
  Type element = storageType(buffer.type.getElementType());
  auto type = VectorType::get({lanes}, element);
  return ifElse(
      condition,
      [&]() -> Value {
        if (buffer.splat) {
          Value number = toStorage(b, scalarConstant(b, buffer.splat),
                                   buffer.type.getElementType());
          return vector::BroadcastOp::create(b, type, number);
        }
        return vector::LoadOp::create(
            b, type, buffer.memref, place, /*nontemporal=*/false,
            llvm::MaybeAlign(bytesOf(element, lanes)));
      },
      [&]() -> Value {
        return arith::ConstantOp::create(b, b.getZeroAttr(type));
      });
}

void BlockKernel::storeVector(const KernelBuffer &buffer, Value place,
                              ValueRange numbers) {
  Type element = buffer.type.getElementType(), stored = storageType(element);
  int64_t lanes = numbers.size();
  Value vector = vector::FromElementsOp::create(
      b, VectorType::get({lanes}, b.getF32Type()), numbers);
  if (!element.isF32())
    vector = vector::BitCastOp::create(
        b, VectorType::get({lanes}, stored),
        arith::TruncFOp::create(b, VectorType::get({lanes}, element), vector));
  vector::StoreOp::create(b, vector, buffer.memref, place,
                          /*nontemporal=*/false,
                          llvm::MaybeAlign(bytesOf(stored, lanes)));
}

} // namespace cleave::codegen
