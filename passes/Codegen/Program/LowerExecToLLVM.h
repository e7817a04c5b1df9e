//===- LowerExecToLLVM.h - A program as a function --------------*- C++ -*-===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CLEAVE_PASSES_CODEGEN_PROGRAM_LOWEREXECTOLLVM_H
#define CLEAVE_PASSES_CODEGEN_PROGRAM_LOWEREXECTOLLVM_H

#include "dialects/Exec/ExecDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "passes/Codegen/Program/GPUProgram.h"

namespace cleave {

/// Globals for the constants of a program, one per distinct value.
class ConstantGlobals {
public:
  explicit ConstantGlobals(mlir::SymbolTable &symbols) : symbols(symbols) {}

  /// The global that holds the data; null, with a diagnostic, if there is none.
  mlir::LLVM::GlobalOp get(exec::ConstantOp constant);

private:
  mlir::SymbolTable &symbols;
  llvm::DenseMap<mlir::Attribute, mlir::LLVM::GlobalOp> globals;
};

/// Builds `cleave_program_step`, the function that runs a program.
class StepLowering {
public:
  /// `gpu` is null for the host.
  StepLowering(exec::ProgramOp program, mlir::SymbolTable &symbols,
               const llvm::DenseMap<mlir::Operation *, int32_t> &ids,
               bool checksStreams, GPUProgram *gpu);

  llvm::LogicalResult lower();

private:
  llvm::LogicalResult lowerBlock(mlir::Block &block);
  llvm::LogicalResult lowerOp(exec::LaunchOp op);
  llvm::LogicalResult lowerOp(exec::GemmOp op);
  llvm::LogicalResult lowerOp(exec::ConvolutionOp op);
  llvm::LogicalResult callLibrary(mlir::Operation *op, llvm::StringRef function,
                                  llvm::ArrayRef<mlir::Value> buffers);
  llvm::LogicalResult lowerOp(exec::CollectiveOp op);
  llvm::LogicalResult lowerOp(exec::CopyOp op);
  llvm::LogicalResult lowerOp(exec::AxisIndexOp op);
  llvm::LogicalResult lowerOp(exec::WhileOp op);
  llvm::LogicalResult lowerOp(exec::IfOp op);

  // Nothing unless the runtime is to check the streams.
  /// Tells that `op` reads or writes a buffer.
  llvm::LogicalResult tellAccess(mlir::Operation *op, mlir::Value buffer,
                                 bool isWrite);
  /// Tells all that an operation without regions does.
  llvm::LogicalResult tellAccesses(mlir::Operation *op);
  /// Tells that the end of the program reads the outputs.
  llvm::LogicalResult tellOutputs();

  // The forms of programs for GPUs: include/cleave-rt/gpu.h.
  llvm::LogicalResult launchOnGPU(exec::LaunchOp op);
  mlir::Value constantOnGPU(mlir::LLVM::GlobalOp data, int64_t bytes);
  mlir::Value locationText();

  llvm::LogicalResult storePointers(mlir::ValueRange buffers);
  mlir::Value constant(mlir::Type type, int64_t value);
  llvm::FailureOr<mlir::Value> pointer(mlir::Value buffer);
  void callStream(llvm::StringRef function, uint32_t event,
                  exec::Stream stream);
  /// Whether an i1 buffer holds true.
  llvm::FailureOr<mlir::Value> readCondition(mlir::Operation *op,
                                             mlir::Value buffer);
  mlir::Value call(llvm::StringRef name, mlir::Type result,
                   mlir::ValueRange arguments);
  /// Calls a function that returns a status, and leaves the step if that is
  /// not 0.
  void checkedCall(llvm::StringRef name, mlir::ValueRange arguments);
  mlir::Block *makeBlock();
  /// Goes on at the start of a block made by makeBlock.
  void enter(mlir::Block *block);

  exec::ProgramOp program;
  mlir::SymbolTable &symbols;
  const llvm::DenseMap<mlir::Operation *, int32_t> &ids;
  bool checksStreams;
  GPUProgram *gpu;
  mlir::ImplicitLocOpBuilder b;
  ConstantGlobals constants;
  mlir::Type ptr, i32, i64;
  mlir::Value rank, arena, inputs, outputs;
  mlir::Value pointers, condition, address; ///< memory on the stack
  mlir::Block *failed = nullptr;
};

} // namespace cleave

#endif // CLEAVE_PASSES_CODEGEN_PROGRAM_LOWEREXECTOLLVM_H
