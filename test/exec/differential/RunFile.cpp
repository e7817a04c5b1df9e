//===- RunFile.cpp - One module from a file -------------------------------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Campaign.h"
#include "Isolate.h"
#include "Random.h"
#include "Runner.h"
#include "dialects/Graph/EntryFunction.h"
#include "mlir/Parser/Parser.h"
#include "test/exec/differential/mutants/KernelMutants.h"
#include "test/exec/differential/mutants/Mutants.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace cleave::graph;
using namespace cleave::differential;

/// The module with random inputs; no module if there is none.
static Case readCase(MLIRContext *context, const CampaignOptions &options,
                     llvm::StringRef path, bool isExact) {
  Case test;
  test.seed = options.seed;
  test.isEmulated = options.isEmulated;
  test.usesTf32 = options.usesTf32;
  test.isGuarded = options.isGuarded;
  test.module = parseSourceFile<ModuleOp>(path, context);
  func::FuncOp main;
  if (test.module)
    main = getEntryFunction(*test.module);
  if (!main) {
    test.module = nullptr;
    return test;
  }
  Random random(options.seed);
  for (Type type : main.getArgumentTypes()) {
    Literal literal(cast<RankedTensorType>(type));
    Type element = literal.elementType();
    int64_t low = element.isInteger(1) || element.isUnsignedInteger() ? 0 : -4;
    int64_t high = element.isInteger(1) ? 1 : 4;
    if (literal.isFloat())
      for (double &value : literal.mutableFloats())
        value = isExact ? random.range(low, high)
                        : roundToType(random.real(-2, 2), element);
    else
      for (int64_t &value : literal.mutableInts())
        value = random.range(low, high);
    test.inputs.push_back(std::move(literal));
  }
  for (Type type : main.getResultTypes())
    test.exact.push_back(
        isExact ||
        !isa<FloatType>(cast<RankedTensorType>(type).getElementType()));
  return test;
}

int cleave::differential::runFile(MLIRContext *context,
                                  const CampaignOptions &options,
                                  llvm::StringRef path, bool isExact) {
  Case test = readCase(context, options, path, isExact);
  if (!test.module)
    return 2;
  Outcome outcome = runIsolated(
      options.isolation, [&] { return runWithFault(test, options.fault); });
  llvm::outs() << name(outcome.verdict) << "\n";
  if (!outcome.passed())
    llvm::outs() << outcome.message << "\n";
  return outcome.passed() ? 0 : 1;
}

int cleave::differential::runKernelMutants(MLIRContext *context,
                                           const CampaignOptions &options,
                                           llvm::StringRef path,
                                           llvm::StringRef only) {
  Case test = readCase(context, options, path, /*isExact=*/false);
  if (!test.module)
    return 2;
  test.isEmulated = true;
  // Unchanged, the case must pass: or everything would seem to be caught.
  Outcome plain = runIsolated(options.isolation, [&] { return runCase(test); });
  if (!plain.passed()) {
    llvm::outs() << "without mutant: " << plain.message << "\n";
    return 1;
  }
  unsigned missed = 0;
  for (const KernelMutant &mutant : getKernelMutants()) {
    if (!only.empty() && mutant.name != only)
      continue;
    unsigned applied = 0, caught = 0;
    for (;; ++applied) {
      // The child says by its verdict whether there was such a place.
      Outcome outcome = runIsolated(options.isolation, [&] {
        std::string was;
        Outcome outcome = runCase(test, "codegen", [&](ModuleOp module) {
          was = mutant.apply(module, applied);
        });
        if (outcome.passed())
          outcome.message = was.empty() ? "no place" : "unnoticed " + was;
        return outcome;
      });
      if (outcome.passed() && outcome.message == "no place")
        break;
      caught += !outcome.passed();
      if (outcome.passed() || options.isVerbose)
        llvm::outs() << mutant.name << " " << applied << ": "
                     << name(outcome.verdict) << " " << outcome.message << "\n";
    }
    llvm::outs() << mutant.name << ": caught " << caught << " of " << applied
                 << "\n";
    missed += applied - caught;
  }
  return missed ? 1 : 0;
}
