//===- CheckModule.cpp - Check one module ---------------------------------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tools/cleave/check/CheckModule.h"
#include "dialects/Graph/EntryFunction.h"
#include "dialects/Graph/Evaluate/Expectation.h"
#include "dialects/Graph/Evaluate/Literal.h"
#include "dialects/Graph/Unsupported.h"
#include "mlir/Pass/PassManager.h"
#include "passes/Graph/Passes.h"
#include "passes/Sharding/Passes.h"
#include "tools/cleave/Gathered.h"
#include "tools/cleave/ShardedRun.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include <algorithm>
#include <chrono>

using namespace mlir;
using namespace cleave;
using namespace cleave::tool;
using graph::Expectation;
using graph::Literal;
using Clock = std::chrono::steady_clock;

/// Constants of the entry function with fewer elements stay constants when the
/// program is not cut: what is made for them is part of what is checked.
static constexpr int64_t minLiftedElements = 64;

namespace {

/// Whether the parser stopped at an op that no dialect has: one of a newer
/// release, or of a dialect that is not read. Of Cleave's own dialects there
/// are no other ops.
static bool namesUnknownOp(StringRef text) {
  StringRef name = getUnknownOperation(text);
  return name.contains('.') && !name.starts_with("cleave.") &&
         !name.starts_with("spmd.");
}

/// The first error on a context and the warnings, instead of printing them.
class Findings {
public:
  explicit Findings(MLIRContext &context)
      : handler(&context, [this](Diagnostic &diagnostic) {
          take(diagnostic);
          return success();
        }) {}

  bool isUnsupported() const { return unsupported; }
  std::string getError() const {
    return text.empty() ? "failed without a diagnostic" : text;
  }
  /// Each once.
  const std::vector<CheckWarning> &getWarnings() const { return warnings; }

private:
  void take(Diagnostic &diagnostic) {
    std::string line = StringRef(diagnostic.str()).split('\n').first.str();
    std::string where = graph::describe(diagnostic.getLocation());
    if (where == "unknown location")
      where.clear();
    if (diagnostic.getSeverity() == DiagnosticSeverity::Warning) {
      CheckWarning warning{where, line};
      if (!llvm::is_contained(warnings, warning))
        warnings.push_back(std::move(warning));
    }
    if (diagnostic.getSeverity() != DiagnosticSeverity::Error || !text.empty())
      return;
    unsupported = graph::isUnsupported(diagnostic) || namesUnknownOp(line);
    text = line;
    if (!where.empty())
      text += " (" + where + ")";
  }

  std::string text;
  bool unsupported = false;
  std::vector<CheckWarning> warnings;
  ScopedDiagnosticHandler handler;
};

class Checker {
public:
  Checker(const CheckInput &input, const Options &options, MLIRContext &context,
          const Target &target)
      : input(input), options(options), model(options, context, target),
        findings(context) {}

  CheckResult check() {
    lapStart = Clock::now();
    bool loaded = succeeded(model.load(input.getBuffer()));
    lap("read");
    if (!loaded || failed(prepare()))
      return failWithError();
    if (expectations.empty())
      return finish(CheckResult::Skip, "has no expectation");
    if (failed(annotate())) {
      result.isBadUsage = !findings.isUnsupported();
      return failWithError();
    }
    std::unique_ptr<LoadedProgram> program = compile();
    if (!program)
      return failWithError();
    ShardedRun run(std::move(program));
    if (run.create(getSessionOptions()) || run.setInputs(inputs) || run.run())
      return finish(CheckResult::Fail, "run failed: " + getRuntimeError());
    lap("run");
    result.ranks = run.getNumRanks();
    return compare(run);
  }

private:
  ModuleOp getModule() { return model.getModule(); }

  /// Takes inputs and expectations out of the module.
  LogicalResult prepare() {
    PassManager manager(&model.getContext());
    LiftConstantsOptions lift;
    // A single rank needs no argument of what is small.
    lift.minElements = isCut() ? 2 : minLiftedElements;
    manager.addPass(createLiftConstants(lift));
    manager.addPass(createInlineCalls());
    if (failed(manager.run(getModule())))
      return failure();
    func::FuncOp entry = graph::getEntryFunction(getModule());
    auto found = graph::getExpectations(entry);
    if (failed(found))
      return failure();
    expectations = std::move(*found);
    resultTypes = llvm::to_vector(entry.getResultTypes());
    result.expectations = expectations.size();
    return expectations.empty() ? success() : takeInputs(entry);
  }

  bool isCut() const { return !options.shards.empty(); }

  LogicalResult takeInputs(func::FuncOp entry) {
    for (unsigned i = 0; i < entry.getNumArguments(); ++i) {
      auto value = entry.getArgAttrOfType<ElementsAttr>(i, "cleave.value");
      if (!value)
        return entry.emitError()
               << "argument '" << graph::getArgumentName(entry, i)
               << "' has no value; a self-checking program holds its inputs";
      FailureOr<Literal> literal =
          Literal::fromAttr(value, [&] { return entry.emitError(); });
      if (failed(literal))
        return failure();
      inputs.push_back(literal->toBytes());
      entry.removeArgAttr(i, "cleave.value");
    }
    return success();
  }

  /// Puts mesh and shardings of the command line on the module.
  LogicalResult annotate() {
    PassManager manager(&model.getContext());
    AnnotateShardingsOptions annotate;
    annotate.mesh = options.mesh;
    annotate.shard = llvm::join(options.shards, ";");
    manager.addPass(createAnnotateShardings(annotate));
    return manager.run(getModule());
  }

  std::unique_ptr<LoadedProgram> compile() {
    lap("prepare");
    auto observe = [&](StringRef phase) {
      lap(phase);
      if (phase == "sharding")
        result.gathered = countGathered(getModule());
    };
    if (failed(model.runPhases(getModule(), "codegen", Model::Annotate::Already,
                               observe)))
      return nullptr;
    SmallVector<char, 0> object;
    if (failed(emitObject(getModule(), model.getTarget(), object)))
      return nullptr;
    lap("machine code");
    std::unique_ptr<LoadedProgram> program =
        LoadedProgram::load(object, [&] { return getModule().emitError(); });
    lap("load");
    return program;
  }

  /// A line for each rank that failed or waited for another, in one.
  static std::string getRuntimeError() {
    SmallVector<StringRef> lines;
    StringRef(cleave_rt_last_error()).split(lines, '\n', -1, false);
    return llvm::join(lines, "; ");
  }

  cleave_rt_session_options getSessionOptions() const {
    cleave_rt_session_options session;
    cleave_rt_session_options_init(&session);
    session.threads_per_rank = 1;
    // A collective that hangs tells more than a process that does.
    session.deadline_seconds = options.timeout / 2;
    return session;
  }

  CheckResult compare(ShardedRun &run) {
    for (const Expectation &expectation : expectations) {
      std::vector<char> actual, expected;
      if (run.getOutput(expectation.actual, actual) ||
          run.getOutput(expectation.expected, expected))
        return finish(CheckResult::Fail, getRuntimeError());
      auto type = cast<RankedTensorType>(resultTypes[expectation.actual]);
      auto mismatch = graph::findMismatch(expectation, type, actual, expected);
      if (mismatch)
        return differ(expectation, mismatch->str());
    }
    lap("compare");
    std::string what = llvm::formatv("{0} {1}", result.expectations,
                                     result.expectations == 1 ? "expectation"
                                                              : "expectations");
    if (result.ranks > 1)
      what += llvm::formatv(" on {0} ranks", result.ranks);
    if (int gathered = result.getNumGathered())
      what += llvm::formatv(", {0} gathered", gathered);
    return finish(CheckResult::Pass, what);
  }

  CheckResult differ(const Expectation &expectation, StringRef mismatch) {
    std::string what =
        llvm::formatv("{0} at {1}: {2}", graph::stringify(expectation.kind),
                      expectation.location, mismatch);
    if (auto reason = input.getDisabledReason())
      return finish(CheckResult::Skip,
                    llvm::formatv("RUN-DISABLED({0}) for {1}; {2}", *reason,
                                  expectation.op, what));
    return finish(CheckResult::Fail, what);
  }

  CheckResult failWithError() {
    return finish(findings.isUnsupported() ? CheckResult::Skip
                                           : CheckResult::Fail,
                  findings.getError());
  }

  CheckResult finish(CheckResult::Verdict verdict, std::string reason) {
    result.verdict = verdict;
    result.reason = std::move(reason);
    result.warnings = findings.getWarnings();
    return std::move(result);
  }

  void lap(StringRef step) {
    Clock::time_point now = Clock::now();
    result.addTime(step, std::chrono::duration<double>(now - lapStart).count());
    lapStart = now;
  }

  const CheckInput &input;
  const Options &options;
  Model model;
  /// Asked before the model's own printer.
  Findings findings;
  SmallVector<Expectation> expectations;
  SmallVector<Type> resultTypes;
  std::vector<std::vector<char>> inputs;
  CheckResult result;
  Clock::time_point lapStart;
};

} // namespace

CheckResult cleave::tool::checkModule(const CheckInput &input,
                                      const Options &options,
                                      MLIRContext &context,
                                      const Target &target) {
  return Checker(input, options, context, target).check();
}
