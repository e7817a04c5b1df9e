//===- Passes.td - From annotations to explicit reshards -*- tablegen -*-===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CLEAVE_PASSES_SHARDING_TD
#define CLEAVE_PASSES_SHARDING_TD

include "mlir/Pass/PassBase.td"

def AnnotateShardings : Pass<"cleave-annotate-shardings", "::mlir::ModuleOp"> {
  let summary = "Declare a mesh and shardings from options";
  let description = [{
    `mesh=data=2,model=4` declares the mesh; a module that has one of another shape is
    an error. Each `GLOB=DIMS` of `shard` annotates what the glob matches: arguments
    by name (`cleave.name`, else `argN`), results as `out:N`, inner values by their
    `cleave.name`. DIMS has per dimension `-`, an axis, or axes joined by `+`.
    A pattern that matches nothing is an error. `shard=random:SEED` gives random
    valid shardings to arguments, results and some inner values.
    Without any mesh a mesh of one rank is declared.
  }];
  let options = [
    Option<"mesh", "mesh", "std::string", "", "Axes and sizes, e.g. data=2,model=4">,
    Option<"shard", "shard", "std::string", "", "GLOB=DIMS or random:SEED, several separated by ';'">];
  let dependentDialects = ["::cleave::spmd::SpmdDialect"];
}

def PropagateShardings : Pass<"cleave-propagate-shardings", "::mlir::ModuleOp"> {
  let summary = "Give every value one sharding";
  let description = [{
    Spreads the annotations by the ops' sharding rules. Afterwards each tensor
    value has a closed sharding (`spmd.shardings`, `spmd.sharding`) and each axis of it a recorded origin
    (`spmd.origins`). An op without a sharding rule is a warning: its operands will be gathered.

    Constraints that have the same number as `cleave.sharding_group` get one sharding, if their
    values have one shape: that of the annotations that reach one of them. Through one with
    `cleave.propagation_barrier` they spread `"FORWARD"` or `"BACKWARD"` only, or not at all (`"NONE"`).

    The operand of a constraint that is partial over an axis stays unreduced, as far back as the
    ops are linear in it; an error where it is no sum over what is cut over the axis.
  }];
  let dependentDialects = ["::cleave::spmd::SpmdDialect"];
  let statistics = [
    Statistic<"numOpVisits", "op-visits", "Ops visited until the fixpoint">,
    Statistic<"numConflicts", "conflicts", "Factors on which annotations disagree">];
}

def CarryPartialSums : Pass<"cleave-carry-partial-sums", "::mlir::ModuleOp"> {
  let summary = "Let partial sums wait where that is cheaper";
  let description = [{
    Values that ops leave as partial sums stay partial through ops that are linear in them,
    as the sharding rules say, through loop variables that start from zero, and through
    branches, as far as the collectives then receive fewer bytes: a minimum cut. Sums over the free axes of a
    manual computation stay partial in its body, through the author's own sums and moves, too. Shardings
    become `partial`; an `spmd.reshard` reduces one where it is needed complete. A loop is taken
    to run 16 times.
  }];
  let dependentDialects = ["::cleave::spmd::SpmdDialect"];
  let statistics = [Statistic<"numCarried", "carried", "Values that stay partial">];
}

def InsertReshards : Pass<"cleave-insert-reshards", "::mlir::ModuleOp"> {
  let summary = "Make every change of sharding an spmd.reshard";
  let description = [{
    Chooses for each op how its iteration space is sharded, by the bytes its operands
    and results would have to move, and puts an `spmd.reshard` with its cause
    wherever a value has another sharding than its use needs.
  }];
  let dependentDialects = ["::cleave::spmd::SpmdDialect"];
  let statistics = [Statistic<"numReshards", "reshards", "Reshards inserted">];
}

def VerifyShardings : Pass<"cleave-verify-shardings", "::mlir::ModuleOp"> {
  let summary = "Check that shardings agree with the ops' rules";
  let description = [{
    Every tensor value has an explicit sharding; operands and results of each op agree on the sharding of its
    iteration space; a sharded reduction leaves its result partial, and a partial operand is legal
    only where the op is linear. A missing or doubled reduction is thereby an error.
  }];
  let dependentDialects = ["::cleave::spmd::SpmdDialect"];
}

#endif // CLEAVE_PASSES_SHARDING_TD
