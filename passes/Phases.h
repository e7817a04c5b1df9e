//===- Phases.h - The order of the phases -----------------------*- C++ -*-===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// From a graph with global shapes to LLVM. Phases talk only through the IR, so
// what one leaves behind can be printed, tested and read on its own.
//
//===----------------------------------------------------------------------===//

#ifndef CLEAVE_PASSES_PHASES_H
#define CLEAVE_PASSES_PHASES_H

#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassOptions.h"
#include <string>
#include <vector>

namespace cleave {

/// How floats are computed; docs/cli.md says what each means.
enum class MathMode { Standard, Stepwise, Wide, Fast };

/// What the option `target` may be.
llvm::StringRef describeTargets();

struct PhaseOptions : mlir::PassPipelineOptions<PhaseOptions> {
  Option<std::string> mesh{
      *this, "mesh", llvm::cl::desc("Axes and sizes, e.g. data=2,model=4")};
  Option<std::string> shard{
      *this, "shard",
      llvm::cl::desc("GLOB=DIMS or random:SEED, several separated by ';'")};
  Option<int64_t> bucketBytes{
      *this, "bucket-bytes", llvm::cl::init(65536),
      llvm::cl::desc("Size below which all_reduces are combined")};
  Option<int64_t> vectorBits{*this, "vector-bits", llvm::cl::init(512),
                             llvm::cl::desc("Bits of a vector register")};
  Option<bool> fusedMultiplyAdd{
      *this, "fused-multiply-add", llvm::cl::init(true),
      llvm::cl::desc("The processor has fused multiply-add")};
  Option<bool> guardPages{
      *this, "guard-pages", llvm::cl::init(false),
      llvm::cl::desc("Put each buffer of the arena between guard pages")};
  Option<std::string> target{*this, "target", llvm::cl::init("host"),
                             llvm::cl::desc(describeTargets())};
  Option<bool> overlap{*this, "overlap", llvm::cl::init(true),
                       llvm::cl::desc("Communicate while computing")};
  Option<bool> checkStreams{
      *this, "check-streams", llvm::cl::init(false),
      llvm::cl::desc("Let the runtime check that events order the streams")};
  Option<bool> gpuFunctions{
      *this, "gpu-functions", llvm::cl::init(false),
      llvm::cl::desc("Leave the functions of a GPU as they are")};
  Option<std::string> products{
      *this, "products", llvm::cl::init(""),
      llvm::cl::desc("On a GPU, to what products of f32 round operands: tf32, "
                     "bf16 or f16")};
  Option<int64_t> sortedUpdates{
      *this, "sorted-updates", llvm::cl::init(64),
      llvm::cl::desc("On a GPU, scatters of more updates than this sort them")};
  Option<MathMode> math{
      *this, "math", llvm::cl::init(MathMode::Standard),
      llvm::cl::desc("Accuracy of floats"),
      llvm::cl::values(
          clEnumValN(MathMode::Standard, "standard",
                     "in the element type, sums in f32 or wider"),
          clEnumValN(MathMode::Stepwise, "stepwise",
                     "each product and sum rounded, in order"),
          clEnumValN(MathMode::Wide, "wide", "in f64, rounded once per op"),
          clEnumValN(MathMode::Fast, "fast", "functions to 3.5 ulps"))};
};

/// Whether a program is made for GPUs of NVIDIA.
inline bool isForCuda(const PhaseOptions &options) {
  return llvm::StringRef(options.target).starts_with("cuda:");
}

struct Phase {
  const char *name;
  void (*build)(mlir::OpPassManager &, const PhaseOptions &);
};

/// All phases in order: import, graph, sharding, partition, collectives,
/// fusion, schedule, codegen.
llvm::ArrayRef<Phase> getPhases();

/// Phases up to and including `last`.
void buildPhases(mlir::OpPassManager &manager, const PhaseOptions &options,
                 llvm::StringRef last);

/// Makes each phase available as `cleave-phase-NAME`, and `cleave-partition`
/// (all up to collectives) and `cleave-compile` (all).
void registerPhasePipelines();

} // namespace cleave

#endif // CLEAVE_PASSES_PHASES_H
