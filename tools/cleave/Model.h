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
#include "passes/Codegen/Program/EmitObject.h"
#include "passes/Codegen/Program/Jit.h"
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

/// The processor that code is made for.
struct Target {
  HostTargetOptions options;
  /// Of its vector registers.
  int64_t vectorBits = 128;
  bool fusedMultiplyAdd = false;
};

/// The target that the options name; fails, with a diagnostic, if there is no
/// such processor.
llvm::FailureOr<Target>
resolveTarget(const Options &options,
              llvm::function_ref<mlir::InFlightDiagnostic()> emitError);

/// Registers what models consist of.
void prepareContext(mlir::MLIRContext &context);

/// A model file in memory. Errors are diagnostics on stderr.
class Model {
public:
  explicit Model(const Options &options);
  /// In a context that was prepared, for a target that is known.
  Model(const Options &options, mlir::MLIRContext &context,
        const Target &target);

  /// Parses the file, imports StableHLO, checks the entry function, and finds
  /// out for which processor to make code.
  llvm::LogicalResult load();
  /// The same with text that is there.
  llvm::LogicalResult load(std::unique_ptr<llvm::MemoryBuffer> text);

  /// As it is in the file, in Cleave's dialect.
  mlir::ModuleOp getModule() { return *module; }
  mlir::OwningOpRef<mlir::ModuleOp> clone() { return module->clone(); }
  mlir::MLIRContext &getContext() { return context; }

  /// Whether the options' mesh and shardings are put on the module, or it has
  /// them already.
  enum class Annotate { FromOptions, Already };
  /// Called with the name of each phase that has run.
  using PhaseObserver = llvm::function_ref<void(llvm::StringRef)>;
  /// Runs the phases up to and including `last`.
  llvm::LogicalResult runPhases(mlir::ModuleOp program, llvm::StringRef last,
                                Annotate annotate = Annotate::FromOptions,
                                PhaseObserver observe = nullptr);
  /// All phases, then machine code.
  llvm::LogicalResult compile(mlir::ModuleOp program,
                              llvm::SmallVectorImpl<char> &object,
                              Annotate annotate = Annotate::FromOptions);
  /// The same, loaded into this process. Null, after a diagnostic, on failure.
  std::unique_ptr<LoadedProgram>
  compileInMemory(mlir::ModuleOp program,
                  Annotate annotate = Annotate::FromOptions);

  bool isForCuda() const { return !options.cudaChip.empty(); }
  const HostTargetOptions &getTarget() const { return target->options; }
  /// Later phases are not written to --dump-phases any more.
  void stopDumping() { dumps = false; }
  /// Of ops that run on gathered operands there is no warning any more.
  void stopWarning() { warns = false; }

private:
  llvm::LogicalResult parse(std::unique_ptr<llvm::MemoryBuffer> text);
  llvm::LogicalResult checkOperations();
  llvm::LogicalResult import();
  llvm::LogicalResult checkEntry();
  llvm::LogicalResult nameArguments(mlir::func::FuncOp entry);
  llvm::LogicalResult checkResultNames(mlir::func::FuncOp entry);
  llvm::LogicalResult dumpPhase(mlir::ModuleOp program, unsigned number,
                                llvm::StringRef name);

  const Options &options;
  bool dumps;
  std::unique_ptr<mlir::MLIRContext> ownContext;
  mlir::MLIRContext &context;
  Diagnostics diagnostics;
  mlir::OwningOpRef<mlir::ModuleOp> module;
  std::optional<Target> target;
  bool warns = true;
  mlir::DefaultTimingManager timing;
  mlir::TimingScope timingRoot;
};

} // namespace cleave::tool

#endif // CLEAVE_TOOLS_CLEAVE_MODEL_H
