//===- SdyOps.td - Operations of the sdy dialect -*- tablegen -*-===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CLEAVE_SDY_OPS_TD
#define CLEAVE_SDY_OPS_TD

include "mlir/IR/SymbolInterfaces.td"
include "mlir/Interfaces/ControlFlowInterfaces.td"
include "mlir/Interfaces/SideEffectInterfaces.td"
include "dialects/StableHLO/SdyDialect.td"

class Sdy_Op<string mnemonic, list<Trait> traits = []> : Op<Sdy_Dialect, mnemonic, traits>;

def Sdy_MeshOp : Sdy_Op<"mesh", [Symbol]> {
  let summary = "A named grid of devices";
  let arguments = (ins SymbolNameAttr:$sym_name, Sdy_MeshAttr:$mesh);
  let assemblyFormat = "$sym_name `=` $mesh attr-dict";
}

/// An op that is the identity on values.
class Sdy_Identity<string mnemonic> : Sdy_Op<mnemonic, [AllTypesMatch<["input", "result"]>]> {
  let results = (outs AnyType:$result);
}

def Sdy_ShardingConstraintOp : Sdy_Identity<"sharding_constraint"> {
  let summary = "Fixes the sharding of a value";
  let arguments = (ins AnyType:$input, Sdy_ShardingAttr:$sharding);
  let assemblyFormat = "$input $sharding attr-dict `:` type($result)";
}

def Sdy_ReshardOp : Sdy_Identity<"reshard"> {
  let summary = "Moves a value to another sharding";
  let arguments = (ins AnyType:$input, Sdy_ShardingAttr:$sharding);
  let assemblyFormat = "$input $sharding attr-dict `:` type($result)";
}

/// Shardy's collectives act on global tensors: each is a move to `out_sharding`.
class Sdy_Collective<string mnemonic, Attr axes, string axesName> : Sdy_Identity<mnemonic> {
  let summary = "A move to `out_sharding` by one kind of collective";
  let arguments = !con(!dag(ins, [axes], [axesName]),
                       (ins AnyType:$input, Sdy_ShardingAttr:$out_sharding));
  let assemblyFormat = "$" # axesName #
      " $input `out_sharding` `=` $out_sharding attr-dict `:` type($result)";
}
def Sdy_AllGatherOp : Sdy_Collective<"all_gather", Sdy_AxisListsAttr, "gathering_axes">;
def Sdy_AllSliceOp : Sdy_Collective<"all_slice", Sdy_AxisListsAttr, "slicing_axes">;
def Sdy_AllReduceOp : Sdy_Collective<"all_reduce", Sdy_AxisListAttr, "reduction_axes">;
def Sdy_AllToAllOp : Sdy_Collective<"all_to_all", Sdy_ExchangesAttr, "params">;
def Sdy_ReduceScatterOp
    : Sdy_Collective<"reduce_scatter", Sdy_AxisListsAttr, "reduce_scatter_axes">;
def Sdy_ReplicatedToUnreducedOp
    : Sdy_Collective<"replicated_to_unreduced", Sdy_AxisListAttr, "axes">;
def Sdy_ShardedToUnreducedOp
    : Sdy_Collective<"sharded_to_unreduced", Sdy_AxisListsAttr, "axes">;
def Sdy_CollectivePermuteOp : Sdy_Identity<"collective_permute"> {
  let summary = "A move to `out_sharding` by permuting shards";
  let arguments = (ins AnyType:$input, Sdy_ShardingAttr:$out_sharding);
  let assemblyFormat = "$input `out_sharding` `=` $out_sharding attr-dict `:` type($result)";
}

def Sdy_ConstantOp : Sdy_Op<"constant", [Pure, AllTypesMatch<["value", "output"]>]> {
  let summary = "A constant that is not shared by its users";
  let arguments = (ins ElementsAttr:$value);
  let results = (outs AnyType:$output);
  let assemblyFormat = "attr-dict $value";
}

def Sdy_DataFlowEdgeOp : Sdy_Identity<"data_flow_edge"> {
  let summary = "The sharding on which an operand and the results that it reaches agree";
  let arguments = (ins AnyType:$input, OptionalAttr<Sdy_ShardingAttr>:$sharding);
  let assemblyFormat = "$input (`sharding` `=` $sharding^)? attr-dict `:` type($result)";
}

def Sdy_FuncDataFlowEdgeOp : Sdy_Identity<"func_data_flow_edge"> {
  let summary = "The same between a function and its calls";
  let arguments = (ins AnyType:$input);
  let assemblyFormat = "$input attr-dict `:` type($result)";
}

def Sdy_PropagationBarrierOp : Sdy_Identity<"propagation_barrier"> {
  let summary = "Keeps shardings from spreading through a value";
  // A keyword in text, a number in the generic form.
  let arguments = (ins AnyType:$input, AnyAttr:$allowed_direction);
  let extraClassDeclaration = [{
    /// NONE, FORWARD, BACKWARD or BOTH; empty if the attribute is none of these.
    ::llvm::StringRef getDirection();
  }];
  let hasCustomAssemblyFormat = 1;
}

def Sdy_ShardingGroupOp : Sdy_Op<"sharding_group"> {
  let summary = "Values of one group have one sharding";
  let arguments = (ins AnyType:$input, I64Attr:$group_id);
  let assemblyFormat = "$input `group_id` `=` $group_id attr-dict `:` type($input)";
}

def Sdy_ManualComputationOp : Sdy_Op<"manual_computation", [SingleBlock, IsolatedFromAbove,
    RecursiveMemoryEffects, DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let summary = "A region on local shapes along `manual_axes`";
  let description = [{
    All shardings are on one mesh, which has the manual axes. These come before the others in a
    dimension, are named as a whole, and divide it: local values have no padding.
  }];
  let arguments = (ins Variadic<AnyType>:$inputs, Sdy_ShardingPerValueAttr:$in_shardings,
                       Sdy_ShardingPerValueAttr:$out_shardings, Sdy_ManualAxesAttr:$manual_axes);
  let results = (outs Variadic<AnyType>);
  let regions = (region SizedRegion<1>:$body);
  let hasCustomAssemblyFormat = 1;
  let hasRegionVerifier = 1;
}

def Sdy_NamedComputationOp : Sdy_Op<"named_computation", [SingleBlock, IsolatedFromAbove,
                                                          RecursiveMemoryEffects]> {
  let summary = "A function call with its body in place";
  let arguments = (ins StrAttr:$name, Variadic<AnyType>:$inputs,
                       OptionalAttr<Sdy_ShardingPerValueAttr>:$in_shardings,
                       OptionalAttr<Sdy_ShardingPerValueAttr>:$out_shardings);
  let results = (outs Variadic<AnyType>);
  let regions = (region SizedRegion<1>:$body);
  let hasCustomAssemblyFormat = 1;
  let hasRegionVerifier = 1;
}

def Sdy_ReturnOp : Sdy_Op<"return", [Pure, Terminator, ReturnLike]> {
  let summary = "Yields values from a region";
  let arguments = (ins Variadic<AnyType>:$operands);
  let assemblyFormat = "($operands^ `:` type($operands))? attr-dict";
}

#endif // CLEAVE_SDY_OPS_TD
