//===- Campaign.h - Many cases, and what came of them -----------*- C++ -*-===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CLEAVE_TEST_EXEC_DIFFERENTIAL_CAMPAIGN_H
#define CLEAVE_TEST_EXEC_DIFFERENTIAL_CAMPAIGN_H

#include "Case.h"
#include "Outcome.h"
#include "cleave/Support/Isolation.h"
#include <string>

namespace cleave::differential {

struct CampaignOptions {
  uint64_t seed = 1;
  uint64_t first = 0;
  uint64_t cases = 100;
  bool isVerbose = false;
  /// Share of ops with a cut operand that may run whole on each rank, in
  /// percent.
  double maxReplicated = 100;
  /// Bytes of all collectives to the bytes of the reshards' plans.
  double maxBytesRatio = 1e9;
  /// Bytes of all collectives to those of gathering every operand.
  double maxGatherRatio = 1e9;
  /// How many cases run at a time, and how long each may.
  IsolationOptions isolation;
  double shrinkSeconds = 60;
  unsigned maxReports = 5;
  /// Put faults into graphs of all ops, where some have no consequence.
  bool isGeneral = false;
  /// Run the kernels of a GPU, on its emulator.
  bool isEmulated = false;
  /// Let these kernels round operands of f32 to TF32.
  bool usesTf32 = false;
  /// Put each buffer between guard pages.
  bool isGuarded = false;
  /// The mutant that is put into every case where there is a place for it, or
  /// none: what a campaign does with faults is seen by that.
  std::string fault;
  /// Graphs of ops that blocks of a GPU have kernels for.
  bool isWide = false;
  /// Graphs with floats of 8 bits.
  bool hasSmallFloats = false;
};

/// The seed of one case of a campaign.
uint64_t seedOf(const CampaignOptions &options, uint64_t number);

/// Each returns the exit status.
int runCampaign(mlir::MLIRContext *context, const CampaignOptions &options);
int runMutants(mlir::MLIRContext *context, const CampaignOptions &options,
               llvm::StringRef name);
/// One module from a file, with inputs from the seed: integers if `isExact`.
int runFile(mlir::MLIRContext *context, const CampaignOptions &options,
            llvm::StringRef path, bool isExact);
/// The same with each fault that a GPU kernel of the module could have, in
/// turn, or with those of one name; prints how many are noticed.
int runKernelMutants(mlir::MLIRContext *context, const CampaignOptions &options,
                     llvm::StringRef path, llvm::StringRef only);
/// Programs of StableHLO that hold their inputs, against the evaluator.
int runChecks(mlir::MLIRContext *context, const CampaignOptions &options,
              llvm::ArrayRef<std::string> paths);

} // namespace cleave::differential

#endif // CLEAVE_TEST_EXEC_DIFFERENTIAL_CAMPAIGN_H
