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

def MoveCollectives : Pass<"cleave-move-collectives", "::mlir::ModuleOp"> {
  let summary = "Move and cancel collectives where that saves bytes";
  let description = [{
    all_slice of all_gather along the same dimension and axes cancels; two all_reduces that
    are only added become one; a conversion to a narrower type goes before an all_gather.
  }];
  let dependentDialects = ["::cleave::spmd::SpmdDialect", "::cleave::graph::CleaveDialect"];
  let statistics = [Statistic<"numCancelled", "cancelled", "Collectives removed">];
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

#endif // CLEAVE_PASSES_COLLECTIVES_TD
