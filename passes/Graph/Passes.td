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

def DropDeadOps : Pass<"cleave-drop-dead-ops", "::mlir::func::FuncOp"> {
  let summary = "Remove ops without effects whose results nothing uses";
  let statistics = [Statistic<"numDropped", "dropped", "Ops that were removed">];
}

def WidenArithmetic : Pass<"cleave-widen-arithmetic", "::mlir::func::FuncOp"> {
  let summary = "Compute floats in a wider type and round each op's result once";
  let description = [{
    With `f32`, floats of 16 bits are widened to f32 as described here, except in scatter; f32 and f64 stay.

    Every op on f16, bf16 or f32 that rounds more than once becomes conversions to f64, the op,
    and conversions back: functions, products, composites, and reductions with the functions that they
    apply, so that they accumulate and communicate in f64. f64 stays, and so do ops that are
    exact or correctly rounded as they are (data movement, comparisons, maximum, addition,
    multiplication, division, square root), and those that depend on the type (bitcasts).

    Results are then the exact ones, rounded, unless the error in f64 crosses a
    tie: of functions less than 4 ulps of f64, of sums of n terms about sqrt(n) roundings of
    the largest partial sum, which is more than the result where terms cancel.
  }];
  let options = [Option<"toF32", "f32", "bool", "false", "Widen to f32, not to f64">];
  let dependentDialects = ["::cleave::graph::CleaveDialect"];
  let statistics = [Statistic<"numWidened", "ops-widened", "Ops that compute in a wider type">];
}

def ExpandFunctions : Pass<"cleave-expand-functions", "::mlir::func::FuncOp"> {
  let summary = "Compute functions step by step, as their public definitions say";
  let description = [{
    sinh and cosh become the exponential functions that StableHLO's chlo functions of the same names are
    defined by. Their results have the rounding of those steps: an argument of 8 loses two bits
    when log(2) is subtracted from it.
  }];
  let dependentDialects = ["::cleave::graph::CleaveDialect"];
}

def OrderSums : Pass<"cleave-order-sums", "::mlir::func::FuncOp"> {
  let summary = "Form sums and products of floats in the order of the index";
  let description = [{
    Says so of the function (`cleave.ordered_sums`). No dimension is then cut along which ranks would
    combine floats that each has rounded: a sum, a product, a scan, the statistics of a normalisation. Their
    operands are resharded to be whole along it and stay cut along others, and no all_reduce of floats
    moves past an addition. Results have the same bits on any mesh, for
    communication that sums in parts would not need. Sums that annotations ask for (a result that is `partial`) are
    made as asked; integers, maxima and lookups are cut as ever.
  }];
  let dependentDialects = ["::cleave::graph::CleaveDialect"];
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

def LiftConstants : Pass<"cleave-lift-constants", "::mlir::ModuleOp"> {
  let summary = "Turn constants of the entry function into arguments";
  let description = [{
    A self-checking program holds its inputs as constants, often in functions such as `@inputs`
    that return nothing else. As arguments they can be sharded like those of a model. All results of
    such a function are lifted, constants with an attribute `cleave.input` (which import puts on those
    that come from such a function), and of the others those whose elements differ. The attribute `cleave.value` of the new argument keeps the value, `cleave.name` is the
    function's name.
  }];
  let options = [
    Option<"minElements", "min-elements", "int64_t", /*default=*/"2",
           "Smallest constant of the entry function itself that is lifted">];
  let dependentDialects = ["::cleave::graph::CleaveDialect"];
  let statistics = [Statistic<"numLifted", "constants-lifted", "Constants that became arguments">];
}

def DecomposeComposites : Pass<"cleave-decompose-composites", "::mlir::ModuleOp"> {
  let summary = "Rewrite composites as primitives";
  let description = [{
    Runs after partitioning, on local shapes: a composite's own sharding rule
    communicates less than its decomposition would. Kernels (functions with the attribute `cleave.kernel`) keep
    theirs.
  }];
  let options = [
    ListOption<"keep", "keep", "std::string", "Composites to leave alone, e.g. gelu,silu">];
  let dependentDialects = ["::cleave::graph::CleaveDialect"];
}

#endif // CLEAVE_PASSES_GRAPH_TD
