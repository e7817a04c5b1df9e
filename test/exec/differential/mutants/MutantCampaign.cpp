//===- MutantCampaign.cpp - Whether faults are found ----------------------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "test/exec/differential/Campaign.h"
#include "test/exec/differential/Generator.h"
#include "test/exec/differential/Isolate.h"
#include "test/exec/differential/Runner.h"
#include "test/exec/differential/mutants/Mutants.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace cleave::differential;
using llvm::formatv;
using llvm::outs;

namespace {

/// How often a mutant was applied, and how often it was noticed.
struct Tally {
  unsigned applied = 0, caught = 0;
};

class MutantCampaign {
public:
  MutantCampaign(MLIRContext *context, const CampaignOptions &options,
                 const Mutant &mutant)
      : context(context), options(options), mutant(mutant) {}

  /// Goes through cases until as many as wanted had a place for the mutant.
  Tally run() {
    constexpr unsigned batch = 10;
    for (uint64_t number = options.first;
         tally.applied < options.cases && number < options.first + 2000;
         number += batch)
      runIsolated(
          number, batch, options.isolation,
          [&](uint64_t number) { return runBoth(number); },
          [&](uint64_t number, Outcome outcome) { take(number, outcome); });
    return tally;
  }

private:
  static Outcome runUnchanged(const Case &test) {
    Outcome outcome = runCase(test);
    if (!outcome.passed())
      outcome.message = "without mutant: " + outcome.message;
    return outcome;
  }

  /// Whether the mutant was noticed, by what is meant to notice it.
  bool isCaught(const Outcome &outcome) const {
    llvm::StringRef message = outcome.message;
    return mutant.isForGuards
               ? outcome.verdict == Verdict::Crash &&
                     message.contains("exit status 3: error: rank ") &&
                     message.contains(" past the end of a buffer ")
               : outcome.passed() && message.starts_with("caught");
  }

  /// Unchanged, the case must pass: or everything would seem to be caught.
  Outcome runBoth(uint64_t number) {
    uint64_t seed = seedOf(options, number);
    Case test = options.isGeneral ? Generator(context, seed).generate()
                                  : generateMonotone(context, seed);
    test.isGuarded = options.isGuarded || mutant.isForGuards;
    bool isApplied = false;
    Random random(test.seed);
    // Of two runs the one that a guard page ends is the last.
    if (mutant.isForGuards)
      if (Outcome plain = runUnchanged(test); !plain.passed())
        return plain;
    Outcome outcome = runCase(test, mutant.after, [&](ModuleOp module) {
      isApplied = mutant.apply(module, random);
    });
    Outcome plain;
    plain.message = "no place";
    if (!isApplied)
      return plain;
    if (!mutant.isForGuards)
      if (plain = runUnchanged(test); !plain.passed())
        return plain;
    if (outcome.passed()) {
      plain.message = "missed\n" + test.text();
      return plain;
    }
    plain.message =
        ("caught: " + name(outcome.verdict) + ": " + outcome.message).str();
    return plain;
  }

  void take(uint64_t number, const Outcome &outcome) {
    llvm::StringRef message = outcome.message;
    if (message == "no place" || tally.applied >= options.cases)
      return;
    ++tally.applied;
    tally.caught += isCaught(outcome);
    if ((!isCaught(outcome) && !options.isGeneral) || options.isVerbose)
      outs() << formatv("{0}, case {1} (--seed {2} --first {1} --cases 1): "
                        "{3} {4}\n",
                        mutant.name, number, options.seed,
                        name(outcome.verdict), message);
  }

  MLIRContext *context;
  const CampaignOptions &options;
  const Mutant &mutant;
  Tally tally;
};

} // namespace

const Mutant *cleave::differential::findMutant(llvm::StringRef name) {
  for (const Mutant &mutant : getMutants())
    if (mutant.name == name)
      return &mutant;
  llvm::errs() << "unknown mutant '" << name << "'; there are: all";
  for (const Mutant &mutant : getMutants())
    llvm::errs() << ", " << mutant.name;
  llvm::errs() << "\n";
  return nullptr;
}

Outcome cleave::differential::runWithFault(const Case &test,
                                           llvm::StringRef name) {
  if (name.empty())
    return runCase(test);
  const Mutant *mutant = findMutant(name);
  Random random(test.seed);
  return runCase(test, mutant->after,
                 [&](ModuleOp module) { mutant->apply(module, random); });
}

int cleave::differential::runMutants(MLIRContext *context,
                                     const CampaignOptions &options,
                                     llvm::StringRef name) {
  if (name != "all" && !findMutant(name))
    return 2;
  Tally total;
  bool ok = true;
  for (const Mutant &mutant : getMutants()) {
    if (name != "all" && name != mutant.name)
      continue;
    Tally tally = MutantCampaign(context, options, mutant).run();
    outs() << formatv("{0}: caught {1} of {2} applied\n", mutant.name,
                      tally.caught, tally.applied);
    outs().flush();
    total.applied += tally.applied;
    total.caught += tally.caught;
    ok &= tally.applied > 0 && tally.caught == tally.applied;
  }
  outs() << formatv("mutants: caught {0} of {1} applied\n", total.caught,
                    total.applied);
  return ok ? 0 : 1;
}
