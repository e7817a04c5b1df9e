//===- ProgramLowering.h - From values to buffers ---------------*- C++ -*-===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Lowers the ops of a function on local tensors to exec operations. Each value
// is held by one buffer. A value may have a *target*: a buffer in which it is
// wanted in the end (an output, the result of a branch, a loop variable) and
// into which its op can write directly.
//
// A value may *take over* the buffer of an operand that it replaces: where a
// kernel updates or overwrites an argument, and where a loop starts from its
// initial value. That is legal where nothing reads the operand later.
//
//===----------------------------------------------------------------------===//

#ifndef CLEAVE_PASSES_SCHEDULE_PROGRAMLOWERING_H
#define CLEAVE_PASSES_SCHEDULE_PROGRAMLOWERING_H

#include "dialects/Exec/ExecDialect.h"
#include "dialects/Graph/GraphDialect.h"
#include "dialects/Spmd/SpmdDialect.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace cleave {

/// The dense buffer type of a tensor.
mlir::MemRefType bufferType(mlir::Type tensor);

/// Axes with explicit sizes; fails, with a diagnostic, on unknown ones.
llvm::FailureOr<exec::AxesAttr> convertAxes(mlir::Location loc,
                                            llvm::ArrayRef<spmd::AxisAttr> axes,
                                            exec::MeshAttr mesh);

class ProgramLowering {
public:
  ProgramLowering(mlir::OpBuilder &builder, exec::MeshAttr mesh,
                  mlir::SymbolTable &symbols)
      : builder(builder), mesh(mesh), symbols(symbols) {}

  /// Lowers the body of `function`, whose arguments are in the input buffers of
  /// `program`, so that its results end up in the output buffers, or in those
  /// of the inputs that these share.
  llvm::LogicalResult lowerFunction(mlir::func::FuncOp function,
                                    exec::ProgramOp program);

  unsigned getNumBuffers() const { return numBuffers; }
  unsigned getNumCopies() const { return numCopies; }
  unsigned getNumInPlace() const { return numInPlace; }

private:
  llvm::LogicalResult lowerBlock(mlir::Block &block);
  llvm::LogicalResult lowerOp(mlir::Operation *op);
  llvm::LogicalResult lowerCall(mlir::func::CallOp call);
  llvm::LogicalResult lowerGemm(mlir::func::CallOp call,
                                mlir::func::FuncOp callee,
                                mlir::DictionaryAttr gemm);
  llvm::LogicalResult lowerConvolution(mlir::func::CallOp call,
                                       mlir::func::FuncOp callee,
                                       mlir::DictionaryAttr epilogue);
  llvm::LogicalResult lowerCollective(spmd::CollectiveOpInterface op);
  llvm::LogicalResult lowerWhile(graph::WhileOp op);
  llvm::LogicalResult lowerIf(graph::IfOp op);

  // Parts of lowerWhile.
  mlir::Value makeLoopVariable(graph::WhileOp op, unsigned index);
  llvm::LogicalResult lowerLoopCondition(graph::WhileOp op,
                                         mlir::Value condition);
  llvm::LogicalResult lowerLoopBody(graph::WhileOp op,
                                    mlir::ValueRange variables);

  /// Makes `target` the place of the yielded value if its op is in `block` and
  /// can write there: once nothing reads `held`, if given, the value of a block
  /// argument that is there until then.
  void requestTarget(mlir::Value yielded, mlir::Value target,
                     mlir::Block *block, mlir::Value held = {});
  /// The buffer an op writes `result` to: its target, unless the op reads that,
  /// or a new one.
  mlir::Value makeResultBuffer(mlir::OpResult result,
                               mlir::ValueRange read = {});
  llvm::SmallVector<mlir::Value> makeResultBuffers(mlir::Operation *op);

  // Taking over buffers.
  /// The result that may be written over an operand; null if none may.
  mlir::OpResult replacementOf(mlir::OpOperand &operand);
  /// Whether the op of `result` leaves most of an operand in place.
  bool isUpdate(mlir::OpOperand &operand);
  /// Whether nothing reads `value` after the op of `result`, and that op only
  /// as what `result` replaces.
  bool endsAt(mlir::Value value, mlir::OpResult result);
  bool canTakeOver(mlir::OpOperand &operand, mlir::OpResult result);
  /// The operand of a call whose buffer `result` takes over; null if none.
  mlir::OpOperand *findReplaced(mlir::func::CallOp call, mlir::OpResult result);
  /// Starts `result` as a copy of the operand that it updates, which is
  /// returned; null if there is none.
  mlir::OpOperand *copyUpdated(mlir::func::CallOp call, mlir::OpResult result);
  /// The form of `kernel` whose result i is computed in the buffer of argument
  /// `replaced[i]`, or in a buffer of its own if that is -1.
  mlir::FlatSymbolRefAttr inPlaceForm(mlir::func::FuncOp kernel,
                                      llvm::ArrayRef<int64_t> replaced);
  llvm::LogicalResult lowerLaunch(mlir::func::CallOp call,
                                  mlir::func::FuncOp kernel);

  mlir::Value makeBuffer(mlir::Location loc, mlir::MemRefType type);
  /// `buffer` seen with `type`.
  mlir::Value viewAs(mlir::Location loc, mlir::Value buffer,
                     mlir::MemRefType type);
  void copy(mlir::Location loc, mlir::Value from, mlir::Value to);
  /// Copies `value` to `target` unless it is there already.
  void settle(mlir::Location loc, mlir::Value value, mlir::Value target);
  /// Copies what `terminator` yields to `targets`, which it may read, at once.
  void assign(mlir::Operation *terminator, mlir::ValueRange targets);

  mlir::Value lookup(mlir::Value value) { return buffers.lookup(value); }
  llvm::SmallVector<mlir::Value> lookup(mlir::ValueRange values);

  mlir::OpBuilder &builder;
  exec::MeshAttr mesh;
  mlir::SymbolTable &symbols;
  llvm::DenseMap<mlir::Value, mlir::Value> buffers;
  llvm::DenseMap<mlir::Value, mlir::Value> targets;
  /// Buffers that must not be written.
  llvm::DenseSet<mlir::Value> readOnly;
  unsigned numBuffers = 0;
  unsigned numCopies = 0;
  unsigned numInPlace = 0;
};

} // namespace cleave

#endif // CLEAVE_PASSES_SCHEDULE_PROGRAMLOWERING_H
