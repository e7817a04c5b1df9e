//===- RunChecks.cpp - Self-checking programs on the emulator -------------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Their outputs are compared with the evaluator, not with what they expect:
// `cleave check` does that for the host.
//
//===----------------------------------------------------------------------===//

#include "Campaign.h"
#include "Isolate.h"
#include "Runner.h"
#include "dialects/Graph/EntryFunction.h"
#include "dialects/Graph/Evaluate/Expectation.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Support/FileUtilities.h"
#include "passes/Graph/Passes.h"
#include "passes/Phases.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace cleave;
using namespace cleave::graph;
using namespace cleave::differential;

namespace {
struct Program {
  /// The file, and which of its modules.
  std::string name, text;
};
} // namespace

/// Modules of a file are separated by `// -----`.
static void readModules(const std::string &path,
                        std::vector<Program> &programs) {
  std::string problem;
  auto file = openInputFile(path, &problem);
  if (!file) {
    programs.push_back({path + ": " + problem, ""});
    return;
  }
  llvm::SmallVector<llvm::StringRef> parts;
  file->getBuffer().split(parts, "// -----");
  for (auto [i, part] : llvm::enumerate(parts))
    programs.push_back(
        {parts.size() == 1 ? path : path + ", module " + std::to_string(i),
         part.str()});
}

/// The program with its inputs as arguments.
static FailureOr<Case> readProgram(MLIRContext *context,
                                   const CampaignOptions &options,
                                   llvm::StringRef text) {
  Case test;
  test.seed = options.seed;
  test.isEmulated = options.isEmulated;
  test.isGuarded = options.isGuarded;
  test.module = parseSourceString<ModuleOp>(text, context);
  if (!test.module)
    return failure();
  PassManager manager(context);
  getPhases().front().build(manager, PhaseOptions());
  LiftConstantsOptions lift;
  lift.minElements = 64;
  manager.addPass(createLiftConstants(lift));
  manager.addPass(createInlineCalls());
  if (failed(manager.run(*test.module)))
    return failure();
  func::FuncOp entry = getEntryFunction(*test.module);
  if (!entry || failed(getExpectations(entry)))
    return failure();
  // Cases are run from `main`; what it calls has been inlined.
  entry.setSymName("main");
  for (auto function : test.module->getOps<func::FuncOp>())
    if (function != entry)
      function.setPrivate();
  for (unsigned i = 0; i < entry.getNumArguments(); ++i) {
    auto value = entry.getArgAttrOfType<ElementsAttr>(i, "cleave.value");
    if (!value)
      return failure();
    FailureOr<Literal> literal =
        Literal::fromAttr(value, [&] { return entry.emitError(); });
    if (failed(literal))
      return failure();
    test.inputs.push_back(std::move(*literal));
    entry.removeArgAttr(i, "cleave.value");
  }
  for (Type type : entry.getResultTypes())
    test.exact.push_back(
        !isa<FloatType>(cast<RankedTensorType>(type).getElementType()));
  return std::move(test);
}

int cleave::differential::runChecks(MLIRContext *context,
                                    const CampaignOptions &options,
                                    llvm::ArrayRef<std::string> paths) {
  std::vector<Program> programs;
  for (const std::string &path : paths)
    readModules(path, programs);
  unsigned numPassed = 0, numFailed = 0, numSkipped = 0;
  auto run = [&](uint64_t number) {
    Outcome outcome;
    ScopedDiagnosticHandler quiet(context,
                                  [](Diagnostic &) { return success(); });
    FailureOr<Case> test = readProgram(context, options, programs[number].text);
    if (failed(test)) {
      outcome.verdict = Verdict::Invalid;
      outcome.message = "is no program of one process with its inputs";
      return outcome;
    }
    return runCase(*test);
  };
  auto take = [&](uint64_t number, const Outcome &outcome) {
    if (outcome.passed()) {
      ++numPassed;
      return;
    }
    bool isSkipped = outcome.verdict == Verdict::Invalid;
    ++(isSkipped ? numSkipped : numFailed);
    llvm::outs() << (isSkipped ? "SKIP " : "FAIL ") << programs[number].name
                 << ": " << name(outcome.verdict) << ": " << outcome.message
                 << "\n";
  };
  IsolationOptions isolation = options.isolation;
  isolation.batch = 20;
  runIsolated(0, programs.size(), isolation, run, take);
  llvm::outs() << numPassed << " passed, " << numFailed << " failed, "
               << numSkipped << " skipped\n";
  return numFailed ? 1 : 0;
}
