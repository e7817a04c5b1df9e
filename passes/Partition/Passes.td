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

def MaskPadding : Pass<"cleave-mask-padding", "::mlir::ModuleOp"> {
  let summary = "Rewrite spmd.mask_padding as index comparisons";
  let description = [{ The valid extent is computed from the rank's position along the axes. }];
  let dependentDialects = ["::cleave::graph::CleaveDialect", "::cleave::spmd::SpmdDialect"];
}

#endif // CLEAVE_PASSES_PARTITION_TD
