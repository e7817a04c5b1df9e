//===- Passes.td - Passes on global graphs -*- tablegen -*-===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CLEAVE_PASSES_GRAPH_TD
#define CLEAVE_PASSES_GRAPH_TD

include "mlir/Pass/PassBase.td"

def InlineCalls : Pass<"cleave-inline-calls", "::mlir::ModuleOp"> {
  let summary = "Inline every called function into the entry function";
  let description = [{
    Each call site then has shardings of its own. Recursion is an error.
    Functions that nothing calls any more are removed.
  }];
  let dependentDialects = ["::cleave::graph::CleaveDialect"];
  let statistics = [Statistic<"numInlined", "calls-inlined", "Calls replaced by bodies">];
}

def ExpandBias : Pass<"cleave-expand-bias", "::mlir::func::FuncOp"> {
  let summary = "Turn the bias of linear ops into an addition";
  let description = [{
    A bias must enter after the sum over a sharded contracted dimension. As an op of its own it
    is placed there by partitioning, and can follow a reduce-scatter.
  }];
  let dependentDialects = ["::cleave::graph::CleaveDialect"];
}

def SplitReductionInits : Pass<"cleave-split-reduction-inits", "::mlir::func::FuncOp"> {
  let summary = "Add the initial value of a sum after the sum";
  let description = [{
    Where a reduced dimension is sharded each rank would count the initial value. As an op of its
    own it enters once, after the reduction; sums from zero and products from one stay as they are.
  }];
  let dependentDialects = ["::cleave::graph::CleaveDialect"];
}

def DecomposeComposites : Pass<"cleave-decompose-composites", "::mlir::ModuleOp"> {
  let summary = "Rewrite composites as primitives";
  let description = [{
    Runs after partitioning, on local shapes: a composite's own sharding rule
    communicates less than its decomposition would.
  }];
  let options = [
    ListOption<"keep", "keep", "std::string", "Composites to leave alone, e.g. gelu,silu">];
  let dependentDialects = ["::cleave::graph::CleaveDialect"];
}

#endif // CLEAVE_PASSES_GRAPH_TD
