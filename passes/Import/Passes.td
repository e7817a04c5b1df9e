//===- Passes.td - Passes that read other dialects -*- tablegen -*-===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CLEAVE_PASSES_IMPORT_TD
#define CLEAVE_PASSES_IMPORT_TD

include "mlir/Pass/PassBase.td"

def ConvertStableHLOToCleave : Pass<"cleave-convert-stablehlo-to-cleave", "::mlir::ModuleOp"> {
  let summary = "Rebuild functions of StableHLO as functions of cleave";
  let description = [{
    Each function is built anew: calls and composites are replaced by what they call, complex
    numbers by their real and imaginary parts, tuples by their members; tokens vanish. Attributes that
    conversion does not know are kept on the op that yields the result.

    What a program checks (`check.*`) becomes results of the entry function, see Expectation.h. Functions
    without arguments that only check something, none of which is called main, become one that does all of it.
    Arguments of several parts are called `NAME.real`, `NAME.imag`, `NAME.0` and so on. An op, a
    type or a form that `cleave` does not have is an error at its location. Modules without StableHLO
    stay as they are.
  }];
  let dependentDialects = ["::cleave::graph::CleaveDialect", "::cleave::spmd::SpmdDialect",
                           "::mlir::func::FuncDialect"];
}

def DropUnusedFunctions : Pass<"cleave-drop-unused-functions", "::mlir::ModuleOp"> {
  let summary = "Remove functions that main does not reach";
  let description = [{
    Whatever their visibility. A module without a public function `main` stays as it is.
  }];
  let statistics = [Statistic<"numDropped", "dropped", "Functions that were removed">];
}

def ImportShardyShardings : Pass<"cleave-import-shardy-shardings", "::mlir::ModuleOp"> {
  let summary = "Turn meshes, shardings and manual computations of sdy into those of spmd";
  let description = [{
    Shardings of arguments and results become `spmd.sharding`; those of ops, sdy's constraints,
    reshards and collectives become `spmd.sharding_constraint`; `unreduced` axes become partial sums, but not of whole values
    that a program only stores as terms (`sdy.replicated_to_unreduced`, `sdy.sharded_to_unreduced`). Several meshes
    over the same devices, named or written in place, become one whose axes make up the axes of each. Where that has
    other devices at a mesh's places, values are cut over its axes all the same, with a warning, and a manual
    computation gets `device_ids`, the device that each rank stands for in its body. What lies on
    a mesh of one device is replicated. Mesh axes that are not manual in a manual computation are free in it, and shardings in
    its body are over these; one inside of another takes axes that are free in that.
    A member of an `sdy.sharding_group` is under an open constraint with its number, `cleave.sharding_group`;
    an `sdy.propagation_barrier` is one with its direction, `cleave.propagation_barrier`.
    Meshes and shardings that `mhlo.frontend_attributes` keep as text (`xla.sdy.meshes`, `xla.sdy.sharding`) count as well.
  }];
  let dependentDialects = ["::cleave::spmd::SpmdDialect"];
}

def ImportGSPMDShardings : Pass<"cleave-import-gspmd-shardings", "::mlir::ModuleOp"> {
  let summary = "Turn mhlo.sharding strings into meshes and shardings of spmd";
  let description = [{
    The mesh is the coarsest grid over `mhlo.num_partitions` devices (as many as the tile assignments have, where
    that attribute is missing) whose axes make up all tile assignments of the
    module; its axes are called d0, d1, and so on. What a module has in `mhlo.spmd_parameters_shardings`
    and `mhlo.spmd_output_sharding` is of its entry function's arguments and results. Text that is no sharding, tiles for
    other dimensions than the value has or for another number of devices and shardings that contradict one another are errors. Where that has other devices at the places of some tiles, these are cut
    alike, with a warning. `custom_call @Sharding` becomes `spmd.sharding_constraint`, with open
    dimensions where its backend_config says `unspecified_dims`; what lies between `@SPMDFullToShardShape` and
    `@SPMDShardToFullShape` becomes `spmd.manual_computation`, with free axes where some devices only are manual. With one partition, or when the module has a
    mesh already, the strings say nothing and are dropped.
  }];
  let dependentDialects = ["::cleave::spmd::SpmdDialect"];
}

#endif // CLEAVE_PASSES_IMPORT_TD
