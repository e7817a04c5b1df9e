//===- RunFile.cpp - One module from a file -*- C++ -*-===//
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
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace cleave::graph;
using namespace cleave::differential;

int cleave::differential::runFile(MLIRContext *context,
                                  const CampaignOptions &options,
                                  llvm::StringRef path, bool isExact) {
  Case test;
  test.seed = options.seed;
  test.module = parseSourceFile<ModuleOp>(path, context);
  if (!test.module)
    return 2;
  func::FuncOp main = getEntryFunction(*test.module);
  if (!main)
    return 2;
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
  Outcome outcome =
      runIsolated(options.secondsPerCase, [&] { return runCase(test); });
  llvm::outs() << name(outcome.verdict) << "\n";
  if (!outcome.passed())
    llvm::outs() << outcome.message << "\n";
  return outcome.passed() ? 0 : 1;
}
