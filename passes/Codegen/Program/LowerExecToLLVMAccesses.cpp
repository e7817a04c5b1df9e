//===- LowerExecToLLVMAccesses.cpp - What operations read and write -------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The calls by which a program tells the runtime what it uses, so that the
// runtime can check that events order it.
//
//===----------------------------------------------------------------------===//

#include "passes/Codegen/Program/LowerExecToLLVM.h"
#include "passes/Codegen/Program/Manifest.h"

using namespace mlir;
using namespace cleave;

/// `all_reduce at model.mlir:7:3`.
static std::string describe(Operation *op) {
  std::string text = op->getName().stripDialect().str();
  if (auto collective = dyn_cast<exec::CollectiveOp>(op))
    text = exec::stringifyCollectiveKind(collective.getKind()).str();
  else if (auto launch = dyn_cast<exec::LaunchOp>(op))
    text = launch.getKernel().str();
  else if (isa<exec::WhileOp, exec::IfOp>(op))
    text = "the condition of " + text;
  else if (isa<exec::ProgramOp>(op))
    return "the end of the program";
  std::string location = locationText(op->getLoc());
  return location.empty() ? text : text + " at " + location;
}

/// A global with `text` as a C string.
static Value makeText(ImplicitLocOpBuilder &b, Operation *before,
                      StringRef text, SymbolTable &symbols) {
  LLVM::GlobalOp global;
  {
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPoint(before);
    std::string bytes = (text + Twine('\0')).str();
    auto type = LLVM::LLVMArrayType::get(b.getI8Type(), bytes.size());
    global = LLVM::GlobalOp::create(b, type, /*isConstant=*/true,
                                    LLVM::Linkage::Internal, "cleave_text",
                                    b.getStringAttr(bytes));
    symbols.insert(global);
  }
  return LLVM::AddressOfOp::create(b, global);
}

LogicalResult StepLowering::tellAccess(Operation *op, Value buffer,
                                       bool isWrite) {
  std::optional<int64_t> bytes =
      exec::bufferBytes(cast<MemRefType>(buffer.getType()));
  if (!checksStreams || bytes == 0)
    return success();
  FailureOr<Value> data = pointer(buffer);
  if (mlir::failed(data))
    return failure();
  Value what = makeText(b, program, describe(op), symbols);
  checkedCall("cleave_rt_access",
              {rank, constant(i32, static_cast<int32_t>(exec::streamOf(op))),
               *data, constant(i64, bytes.value_or(0)), constant(i32, isWrite),
               what});
  return success();
}

LogicalResult StepLowering::tellAccesses(Operation *op) {
  auto described = dyn_cast<MemoryEffectOpInterface>(op);
  if (!checksStreams || !described)
    return success();
  SmallVector<MemoryEffects::EffectInstance> effects;
  described.getEffects(effects);
  for (const MemoryEffects::EffectInstance &effect : effects)
    if (effect.getValue() &&
        mlir::failed(tellAccess(op, effect.getValue(),
                                isa<MemoryEffects::Write>(effect.getEffect()))))
      return failure();
  return success();
}

LogicalResult StepLowering::tellOutputs() {
  for (auto [index, buffer] : llvm::enumerate(program.getOutputBuffers())) {
    int64_t shared = program.getSharedInput(index);
    Value output =
        shared < 0 ? Value(buffer) : program.getInputBuffers()[shared];
    if (mlir::failed(tellAccess(program, output, /*isWrite=*/false)))
      return failure();
  }
  return success();
}
