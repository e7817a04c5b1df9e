//===- Passes.td - Fewer and cheaper collectives -*- tablegen -*-===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CLEAVE_PASSES_COLLECTIVES_TD
#define CLEAVE_PASSES_COLLECTIVES_TD

include "mlir/Pass/PassBase.td"

def FormReduceScatters : Pass<"cleave-form-reduce-scatters", "::mlir::ModuleOp"> {
  let summary = "all_reduce followed by all_slice becomes reduce_scatter";
  let dependentDialects = ["::cleave::spmd::SpmdDialect"];
  let statistics = [Statistic<"numFormed", "formed", "Reduce-scatters formed">];
}

def PullSlices : Pass<"cleave-pull-slices", "::mlir::ModuleOp"> {
  let summary = "Cut values before they are communicated";
  let description = [{
    An all_slice or reduce_scatter moves up, through ops that do the same on every block, if
    that saves bytes: an all_gather of the same pieces cancels, an all_reduce becomes a
    reduce_scatter, collectives over other axes have less to move.
  }];
  let dependentDialects = ["::cleave::spmd::SpmdDialect", "::cleave::graph::CleaveDialect"];
  let statistics = [
    Statistic<"numPulled", "pulled", "Slices and reduce-scatters moved up">,
    Statistic<"numBytesSaved", "bytes-saved", "Bytes received per device that are saved, each collective once">];
}

def SinkCollectives : Pass<"cleave-sink-collectives", "::mlir::ModuleOp"> {
  let summary = "Communicate where the least is needed";
  let description = [{
    An all_reduce waits until after ops that are linear in what it sums, an all_gather until
    after ops that do the same on every piece, where that saves bytes: sums that meet in an
    addition become one, a smaller result is communicated instead of its operands. All
    collectives of a block over the same axes are planned at once, by a minimum cut.
  }];
  let dependentDialects = ["::cleave::spmd::SpmdDialect", "::cleave::graph::CleaveDialect"];
  let statistics = [
    Statistic<"numSunk", "sunk", "Groups of collectives of which some moved down">,
    Statistic<"numBytesSaved", "bytes-saved", "Bytes received per device that are saved, each collective once">];
}

def MergeCollectives : Pass<"cleave-merge-collectives", "::mlir::ModuleOp"> {
  let summary = "Equal collectives of one value become one";
  let dependentDialects = ["::cleave::spmd::SpmdDialect"];
  let statistics = [Statistic<"numMerged", "merged", "Collectives removed">];
}

def BucketCollectives : Pass<"cleave-bucket-collectives", "::mlir::ModuleOp"> {
  let summary = "Combine small all_reduces into one";
  let description = [{
    Independent all_reduces over the same axes with the same reduction and element type, each below
    `threshold` bytes, are done as one on their concatenation.
  }];
  let options = [
    Option<"threshold", "threshold", "int64_t", "65536", "Bytes below which an all_reduce is combined">];
  let dependentDialects = ["::cleave::spmd::SpmdDialect", "::cleave::graph::CleaveDialect"];
  let statistics = [Statistic<"numCombined", "combined", "all_reduces combined">];
}

def HoistCollectives : Pass<"cleave-hoist-collectives", "::mlir::ModuleOp"> {
  let summary = "Communicate what a loop does not change once, before it";
  let description = [{
    A collective in a loop (in its body or condition) whose operand is computed from values outside of the loop, or from
    variables that the loop only passes on, runs before the loop, with all that its operand needs. It then
    receives its bytes once instead of once per iteration, also if the loop runs zero times, and its result stays in memory
    while the loop runs: of a gathered weight, the whole weight. What depends on a variable, as a gather of a layer's slice of
    stacked weights does, stays and needs memory for one iteration at a time. Collectives in branches stay, and so do those
    whose results would take more than `max-growth` bytes, altogether in a loop, more than their operands.
  }];
  let options = [
    Option<"maxGrowth", "max-growth", "int64_t", "268435456",
           "Bytes by which results that a loop holds may exceed their operands">];
  let dependentDialects = ["::cleave::spmd::SpmdDialect", "::cleave::graph::CleaveDialect"];
  let statistics = [Statistic<"numHoisted", "hoisted", "Collectives moved before a loop">];
}

def ReportCollectives : Pass<"cleave-report-collectives", "::mlir::ModuleOp"> {
  let summary = "Say what the collectives of each function receive";
  let description = [{
    A remark per function with the number of its collectives and the bytes that a device
    receives, each collective counted once. Changes nothing.
  }];
}

#endif // CLEAVE_PASSES_COLLECTIVES_TD
