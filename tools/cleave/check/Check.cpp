//===- Check.cpp - cleave check -------------------------------------------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "cleave/Support/Isolation.h"
#include "tools/cleave/Commands.h"
#include "tools/cleave/check/CheckModule.h"
#include "tools/cleave/check/CheckReport.h"
#include "llvm/Support/Threading.h"

using namespace mlir;
using namespace cleave;
using namespace cleave::tool;

/// Modules that one child checks. Few enough that children end at about the
/// same time, and that attributes, which a context never frees, stay small.
static unsigned chooseBatch(size_t numModules, unsigned jobs) {
  return std::clamp<size_t>(numModules / (4 * jobs), 1, 64);
}

int cleave::tool::check(const Options &options) {
  std::vector<CheckInput> inputs;
  if (int status = readCheckInputs(options.models, inputs))
    return status;
  // Set up once and inherited by the children, who run no threads before that.
  MLIRContext context(MLIRContext::Threading::DISABLED);
  prepareContext(context);
  context.loadAllAvailableDialects();
  FailureOr<Target> target;
  {
    Diagnostics diagnostics(context);
    target = resolveTarget(
        options, [&] { return emitError(UnknownLoc::get(&context)); });
  }
  if (failed(target))
    return BadInput;
  unsigned jobs = options.jobs
                      ? options.jobs
                      : llvm::hardware_concurrency().compute_thread_count();
  CheckReport report(inputs, options);
  runIsolated(
      0, inputs.size(),
      {jobs, chooseBatch(inputs.size(), jobs), options.timeout},
      [&](uint64_t index) {
        return checkModule(inputs[index], options, context, *target).encode();
      },
      [&](uint64_t index, IsolatedResult result) {
        report.add(index, CheckResult::decode(result, options.timeout));
      });
  return report.finish();
}
