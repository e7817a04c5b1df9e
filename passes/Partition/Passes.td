//===- Passes.td - From global to local shapes -*- tablegen -*-===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CLEAVE_PASSES_PARTITION_TD
#define CLEAVE_PASSES_PARTITION_TD

include "mlir/Pass/PassBase.td"

def PartitionToLocal : Pass<"cleave-partition-to-local", "::mlir::ModuleOp"> {
  let summary = "Rewrite the entry function for the shards of one rank";
  let description = [{
    Values get their local types, each `spmd.reshard` becomes the collectives of its
    plan, operands padded along a reduced dimension are masked. Argument and
    result attributes keep the global type and the sharding.
  }];
  let dependentDialects = ["::cleave::spmd::SpmdDialect", "::cleave::graph::CleaveDialect"];
  let statistics = [
    Statistic<"numCollectives", "collectives", "Collectives that communicate">,
    Statistic<"numBytes", "bytes", "Bytes received per device, each collective once">];
}

def VerifyUniformPredicates : Pass<"cleave-verify-uniform-predicates", "::mlir::ModuleOp"> {
  let summary = "Check that ranks agree on whether they run a collective";
  let description = [{
    On local shapes: the condition of a loop or branch must be the same on all ranks that
    meet in a collective inside. For each value the axes are known along which it may differ:
    shards of arguments, `spmd.axis_index`, pieces and padding bring axes in, an all_reduce or
    all_gather over them takes them out. An error names the condition, the collective, and
    what first differed.

    Ranks that do not meet may go different ways: in a loop whose length depends on the
    position along "x", an all_reduce over "y" is legal.
  }];
  let dependentDialects = ["::cleave::spmd::SpmdDialect"];
}

def MaskPadding : Pass<"cleave-mask-padding", "::mlir::ModuleOp"> {
  let summary = "Rewrite spmd.mask_padding and fills of halos as index comparisons";
  let description = [{
    The valid extent, or where a halo exchange's window lies, is computed from the rank's
    position along the axes. Where no window reaches past an end nothing is compared.
  }];
  let dependentDialects = ["::cleave::graph::CleaveDialect", "::cleave::spmd::SpmdDialect"];
}

#endif // CLEAVE_PASSES_PARTITION_TD
