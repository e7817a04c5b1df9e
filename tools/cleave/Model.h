//===- Model.h - A model and what is made of it -----------------*- C++ -*-===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CLEAVE_TOOLS_CLEAVE_MODEL_H
#define CLEAVE_TOOLS_CLEAVE_MODEL_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Support/Timing.h"
#include "passes/Codegen/EmitObject.h"
#include "passes/Codegen/Jit.h"
#include "tools/cleave/Diagnostics.h"
#include "tools/cleave/Options.h"

namespace cleave::tool {

/// Shows what is being done, on a terminal only.
class Progress {
public:
  explicit Progress(const llvm::Twine &what);
  ~Progress();

private:
  bool shown;
};

/// A model file in memory. Errors are diagnostics on stderr.
class Model {
public:
  explicit Model(const Options &options);

  /// Parses the file, checks the entry function, and finds out for which
  /// processor to make code.
  llvm::LogicalResult load();

  /// As it is in the file.
  mlir::ModuleOp getModule() { return *module; }
  mlir::OwningOpRef<mlir::ModuleOp> clone() { return module->clone(); }
  mlir::MLIRContext &getContext() { return context; }

  /// Whether the options' mesh and shardings are put on the module, or it has
  /// them already.
  enum class Annotate { FromOptions, Already };
  /// Runs the phases up to and including `last`.
  llvm::LogicalResult runPhases(mlir::ModuleOp target, llvm::StringRef last,
                                Annotate annotate = Annotate::FromOptions);
  /// All phases, then machine code.
  llvm::LogicalResult compile(mlir::ModuleOp target,
                              llvm::SmallVectorImpl<char> &object,
                              Annotate annotate = Annotate::FromOptions);
  /// The same, loaded into this process. Null, after a diagnostic, on failure.
  std::unique_ptr<LoadedProgram>
  compileInMemory(mlir::ModuleOp target,
                  Annotate annotate = Annotate::FromOptions);

  const HostTargetOptions &getTarget() const { return target; }
  /// Later phases are not written to --dump-phases any more.
  void stopDumping() { dumps = false; }

private:
  llvm::LogicalResult checkEntry();
  llvm::LogicalResult nameArguments(mlir::func::FuncOp entry);
  llvm::LogicalResult resolveTarget();
  llvm::LogicalResult dumpPhase(mlir::ModuleOp target, unsigned number,
                                llvm::StringRef name);

  const Options &options;
  bool dumps;
  mlir::MLIRContext context;
  Diagnostics diagnostics;
  mlir::OwningOpRef<mlir::ModuleOp> module;
  HostTargetOptions target;
  int64_t vectorBits = 128;
  mlir::DefaultTimingManager timing;
  mlir::TimingScope timingRoot;
};

} // namespace cleave::tool

#endif // CLEAVE_TOOLS_CLEAVE_MODEL_H
