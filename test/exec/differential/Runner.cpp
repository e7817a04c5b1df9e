//===- Runner.cpp - Compile and run one case ------------------------------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Runner.h"
#include "Execute.h"
#include "Measure.h"
#include "dialects/Exec/ExecDialect.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Pass/PassInstrumentation.h"
#include "passes/Codegen/Passes.h"
#include "passes/Codegen/Program/EmitObject.h"
#include "passes/Phases.h"
#include "test/simt/Emulation.h"
#include <ctime>

using namespace mlir;
using namespace cleave;
using namespace cleave::differential;

namespace {

/// Remembers whether the pass that checks shardings has run: without it the
/// rest of the tests would be all there is.
struct VerifierWatch : PassInstrumentation {
  explicit VerifierWatch(bool &seen) : seen(seen) {}
  void runAfterPass(Pass *pass, Operation *) override {
    seen |= pass->getArgument() == "cleave-verify-shardings";
  }
  bool &seen;
};

class CaseRunner {
public:
  CaseRunner(const Case &test, StringRef mutateAfter, Mutation mutate)
      : test(test), mutateAfter(mutateAfter), mutate(std::move(mutate)),
        handler(
            test.module.get()->getContext(), [this](Diagnostic &diagnostic) {
              // Notes that show operations would drown what is wrong.
              if (diagnostic.getSeverity() == DiagnosticSeverity::Error)
                messages += (messages.empty() ? "" : "\n") + diagnostic.str();
              return success();
            }) {}

  Outcome run() {
    startTime = cpuTime();
    if (failed(verify(*test.module)))
      return fail(Verdict::Invalid);
    FailureOr<Reference> reference = evaluate(test);
    if (failed(reference))
      return fail(Verdict::Invalid);
    lap(Statistics::EvaluateTime);
    outcome.statistics[Statistics::Cases] = 1;

    module = OwningOpRef<ModuleOp>(cast<ModuleOp>(test.module.get()->clone()));
    if (failed(compile()))
      return fail(Verdict::CompileError);
    SmallVector<char> object;
    if (failed(emitObject(*module, {}, object)))
      return fail(Verdict::CompileError);
    lap(Statistics::EmitTime);
    std::unique_ptr<LoadedProgram> program = LoadedProgram::load(
        object, [&] { return emitError(UnknownLoc::get(getContext())); });
    if (!program)
      return fail(Verdict::LoadError);
    lap(Statistics::LoadTime);
    execute(*program, test, *reference, collectives, outcome);
    if (emulation && !emulation->fault().empty()) {
      outcome.verdict = Verdict::RunFailed;
      outcome.message = emulation->fault();
    }
    lap(Statistics::RunTime);
    return std::move(outcome);
  }

private:
  MLIRContext *getContext() { return test.module.get()->getContext(); }

  Outcome fail(Verdict verdict) {
    outcome.verdict = verdict;
    outcome.message = messages;
    return std::move(outcome);
  }

  static double cpuTime() {
    timespec time;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return time.tv_sec + time.tv_nsec * 1e-9;
  }

  void lap(Statistics::Entry entry) {
    double now = cpuTime();
    outcome.statistics[entry] += now - startTime;
    startTime = now;
  }

  LogicalResult compile() {
    PhaseOptions options;
    options.vectorBits = test.vectorBits;
    options.guardPages = test.isGuarded;
    options.checkStreams = true;
    options.products = test.usesTf32 ? "tf32" : "";
    if (test.isEmulated)
      options.target = "simt";
    // Few graphs have scatters of so many updates as are sorted by default.
    if (test.seed % 2)
      options.sortedUpdates = 0;
    bool isVerified = false;
    for (const Phase &phase : getPhases()) {
      PassManager manager(getContext());
      manager.addInstrumentation(std::make_unique<VerifierWatch>(isVerified));
      phase.build(manager, options);
      if (failed(manager.run(*module)))
        return failure();
      if (mutate && mutateAfter == phase.name)
        mutate(*module);
      StringRef name = phase.name;
      if (name == "sharding") {
        lap(Statistics::ShardTime);
        measureShardings(*module, outcome.statistics);
        if (!isVerified)
          return module->emitError("cleave-verify-shardings has not run");
      } else if (name == "partition") {
        outcome.statistics[Statistics::PartitionBytes] += bytesOf(*module);
      } else if (name == "collectives") {
        outcome.statistics[Statistics::FinalBytes] += bytesOf(*module);
        lap(Statistics::PartitionTime);
      } else if (name == "schedule") {
        collectives = listCollectives(*module);
        lap(Statistics::LowerTime);
      } else if (name == "codegen") {
        lap(Statistics::CodegenTime);
      }
    }
    return test.isEmulated ? emulateKernels() : success();
  }

  LogicalResult emulateKernels() {
    FailureOr<std::unique_ptr<simt::Emulation>> taken =
        simt::Emulation::take(*module);
    if (failed(taken))
      return failure();
    emulation = std::move(*taken);
    PassManager manager(getContext());
    manager.addPass(createLowerExecToLLVM());
    return manager.run(*module);
  }

  const Case &test;
  StringRef mutateAfter;
  Mutation mutate;
  std::string messages;
  ScopedDiagnosticHandler handler;
  OwningOpRef<ModuleOp> module;
  std::vector<CollectiveFigures> collectives;
  std::unique_ptr<simt::Emulation> emulation;
  double startTime = 0;
  Outcome outcome;
};

} // namespace

Outcome cleave::differential::runCase(const Case &test, StringRef mutateAfter,
                                      Mutation mutate) {
  return CaseRunner(test, mutateAfter, std::move(mutate)).run();
}
