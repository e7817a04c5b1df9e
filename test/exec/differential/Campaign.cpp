//===- Campaign.cpp - Many cases, and what came of them -------------------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Campaign.h"
#include "Generator.h"
#include "Isolate.h"
#include "Runner.h"
#include "Shrink.h"
#include "mutants/Mutants.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"
#include <map>
#include <unistd.h>

using namespace mlir;
using namespace cleave::differential;
using llvm::formatv;
using llvm::outs;

uint64_t cleave::differential::seedOf(const CampaignOptions &options,
                                      uint64_t number) {
  return Random(options.seed * 1000003 + number).next();
}

/// What a command line needs to run a case again.
static std::string describeCase(const CampaignOptions &options,
                                uint64_t number) {
  std::string text =
      formatv("--seed {0} --first {1} --cases 1", options.seed, number);
  if (options.isWide)
    text += " --wide";
  if (options.isEmulated)
    text += " --emulate";
  if (options.hasSmallFloats)
    text += " --small-floats";
  if (options.isGuarded)
    text += " --guard-pages";
  if (!options.fault.empty())
    text += " --fault " + options.fault;
  return text;
}

namespace {

class Campaign {
public:
  Campaign(MLIRContext *context, const CampaignOptions &options)
      : context(context), options(options),
        showsProgress(::isatty(STDERR_FILENO)) {}

  int run() {
    runIsolated(
        options.first, options.cases, options.isolation,
        [&](uint64_t number) {
          return runWithFault(make(number), options.fault);
        },
        [&](uint64_t number, Outcome outcome) {
          take(number, std::move(outcome));
        });
    if (showsProgress)
      llvm::errs() << "\r";
    for (auto &[number, outcome] : failures)
      report(number, outcome);
    return summarise();
  }

private:
  Case make(uint64_t number) {
    Case test = Generator(context, seedOf(options, number), options.isWide,
                          options.isEmulated, options.hasSmallFloats)
                    .generate();
    test.isEmulated = options.isEmulated;
    test.isGuarded = options.isGuarded;
    return test;
  }

  void take(uint64_t number, Outcome outcome) {
    ++numDone;
    statistics += outcome.statistics;
    if (!outcome.passed())
      failures[number] = std::move(outcome);
    if (showsProgress)
      llvm::errs() << "\r" << numDone << " of " << options.cases << ", "
                   << failures.size() << " failed ";
  }

  void report(uint64_t number, const Outcome &outcome) {
    outs() << formatv("case {0} ({1}): {2}\n", number,
                      describeCase(options, number), name(outcome.verdict));
    outs() << outcome.message << "\n";
    unsigned &reported = numReported[outcome.verdict];
    if (++reported > options.maxReports) {
      outs() << "\n";
      return;
    }
    Case test = make(number);
    if (options.isVerbose)
      outs() << test.text() << "\n";
    outs().flush();
    Outcome last = outcome;
    Case small =
        shrink(test, options.shrinkSeconds, [&](const Case &candidate) {
          Outcome now = runIsolated(options.isolation, [&] {
            return runWithFault(candidate, options.fault);
          });
          if (!now.isLike(outcome))
            return false;
          last = std::move(now);
          return true;
        });
    outs() << "smallest case that fails like it: " << last.message << "\n"
           << small.text() << "\n";
    outs().flush();
  }

  int summarise() {
    outs() << formatv("{0} cases, {1} passed, {2} failed\n", numDone,
                      numDone - failures.size(), failures.size());
    const Statistics &sum = statistics;
    bool ok = failures.empty();
    auto limit = [&](double value, double most) {
      ok &= value <= most;
      return value <= most ? "" : "  TOO MUCH";
    };
    auto count = [&](Statistics::Entry entry) {
      return static_cast<uint64_t>(sum[entry]);
    };
    double replicated =
        100 * sum[Statistics::Replicated] / std::max(1.0, sum[Statistics::Ops]);
    outs() << formatv(
        "replicated: {0} of {1} ops with a cut operand run whole, {2:F1}% "
        "(at most {3:F1}%){4}\n",
        count(Statistics::Replicated), count(Statistics::Ops), replicated,
        options.maxReplicated, limit(replicated, options.maxReplicated));
    double final = sum[Statistics::FinalBytes];
    double planned = final / std::max(1.0, sum[Statistics::PlannedBytes]);
    double gathered = final / std::max(1.0, sum[Statistics::GatherBytes]);
    outs() << formatv(
        "bytes: {0} reshards planned at {1}, partitioned {2}, final {3}, "
        "gathering everything {4}\n",
        count(Statistics::Reshards), count(Statistics::PlannedBytes),
        count(Statistics::PartitionBytes), count(Statistics::FinalBytes),
        count(Statistics::GatherBytes));
    outs() << formatv("bytes to planned: {0:F3} (at most {1:F3}){2}\n", planned,
                      options.maxBytesRatio,
                      limit(planned, options.maxBytesRatio));
    outs() << formatv("bytes to gathering: {0:F3} (at most {1:F3}){2}\n",
                      gathered, options.maxGatherRatio,
                      limit(gathered, options.maxGatherRatio));
    outs() << formatv("{0} outputs had to be close, {1} of them needed the "
                      "model of errors\n",
                      count(Statistics::InexactOutputs),
                      count(Statistics::ByNoise));
    if (options.isVerbose)
      printTimes();
    return ok ? 0 : 1;
  }

  void printTimes() {
    static const std::pair<const char *, Statistics::Entry> entries[] = {
        {"evaluate", Statistics::EvaluateTime},
        {"shard", Statistics::ShardTime},
        {"partition", Statistics::PartitionTime},
        {"fuse and schedule", Statistics::LowerTime},
        {"codegen", Statistics::CodegenTime},
        {"emit", Statistics::EmitTime},
        {"load", Statistics::LoadTime},
        {"run", Statistics::RunTime}};
    double cases = std::max(1.0, statistics[Statistics::Cases]), total = 0;
    outs() << "CPU per case:";
    for (auto [name, entry] : entries) {
      outs() << formatv(" {0} {1:F1} ms,", name,
                        1000 * statistics[entry] / cases);
      total += statistics[entry];
    }
    outs() << formatv(" all {0:F1} ms\n", 1000 * total / cases);
  }

  MLIRContext *context;
  const CampaignOptions &options;
  bool showsProgress;
  uint64_t numDone = 0;
  Statistics statistics;
  std::map<uint64_t, Outcome> failures;
  std::map<Verdict, unsigned> numReported;
};

} // namespace

int cleave::differential::runCampaign(MLIRContext *context,
                                      const CampaignOptions &options) {
  return Campaign(context, options).run();
}
