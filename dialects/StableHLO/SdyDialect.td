//===- SdyDialect.td - The sdy dialect and its attributes -*- tablegen -*-===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Shardy's dialect as exporters print it, read from its public documentation
// (https://openxla.org/shardy/sdy_dialect). It exists only to be imported.
//
//===----------------------------------------------------------------------===//

#ifndef CLEAVE_SDY_DIALECT_TD
#define CLEAVE_SDY_DIALECT_TD

include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/OpBase.td"

def Sdy_Dialect : Dialect {
  let name = "sdy";
  let cppNamespace = "::cleave::sdy";
  let summary = "Shardy's shardings, as read from StableHLO programs";
  let useDefaultAttributePrinterParser = 1;
  let extraClassDeclaration = [{
    void registerAttributes();
    /// Name of the discardable attribute of arguments, results and ops.
    static constexpr ::llvm::StringLiteral kSharding = "sdy.sharding";
  }];
}

class Sdy_Attr<string name, string mnemonic_> : AttrDef<Sdy_Dialect, name> {
  let mnemonic = mnemonic_;
  let hasCustomAssemblyFormat = 1;
}

def Sdy_MeshAttr : Sdy_Attr<"Mesh", "mesh"> {
  let summary = "`<[\"x\"=2, \"y\"=4], device_ids=[...]>`";
  let description = [{
    No axes and one device is a maximal mesh: everything is on that device.
  }];
  let parameters = (ins ArrayRefParameter<"::mlir::StringAttr">:$names,
                        ArrayRefParameter<"int64_t">:$sizes,
                        OptionalArrayRefParameter<"int64_t">:$device_ids);
  let genVerifyDecl = 1;
}

def Sdy_AxisAttr : Sdy_Attr<"Axis", "axis_ref"> {
  let summary = "`\"x\"`, or its part `\"x\":(2)4`";
  // size 0 stands for the whole axis.
  let parameters = (ins "::mlir::StringAttr":$name, "int64_t":$pre, "int64_t":$size);
}

def Sdy_DimShardingAttr : Sdy_Attr<"DimSharding", "dimension_sharding"> {
  let summary = "`{\"x\", \"y\", ?}p1`";
  let parameters = (ins ArrayRefParameter<"::cleave::sdy::AxisAttr">:$axes, "bool":$open,
                        "std::optional<int64_t>":$priority);
}

def Sdy_ShardingAttr : Sdy_Attr<"Sharding", "sharding"> {
  let summary = "`<@mesh, [{\"x\"}, {}], replicated={\"y\"}, unreduced={\"z\"}>`";
  let description = [{ `mesh` is a symbol or a mesh written in place (`mesh<[...]>`). }];
  let parameters = (ins "::mlir::Attribute":$mesh,
                        ArrayRefParameter<"::cleave::sdy::DimShardingAttr">:$dims,
                        OptionalArrayRefParameter<"::cleave::sdy::AxisAttr">:$replicated,
                        OptionalArrayRefParameter<"::cleave::sdy::AxisAttr">:$unreduced);
}

def Sdy_ShardingPerValueAttr : Sdy_Attr<"ShardingPerValue", "sharding_per_value"> {
  let summary = "`<[<@mesh, [...]>, ...]>`: one sharding per result";
  let parameters = (ins OptionalArrayRefParameter<"::cleave::sdy::ShardingAttr">:$shardings);
  let extraClassDeclaration = [{
    /// The list alone, without angle brackets: what ops print.
    static ::llvm::FailureOr<ShardingPerValueAttr> parseList(::mlir::AsmParser &parser);
    void printList(::mlir::AsmPrinter &printer) const;
  }];
}

def Sdy_ManualAxesAttr : Sdy_Attr<"ManualAxes", "manual_axes"> {
  let summary = "`{\"x\", \"y\"}`";
  let parameters = (ins OptionalArrayRefParameter<"::mlir::StringAttr">:$names);
}

/// Which axes a collective moves. This follows from the shardings of operand and
/// result, too, so that it is kept as text only.
class Sdy_TextAttr<string name, string mnemonic> : Sdy_Attr<name, mnemonic> {
  let parameters = (ins "::mlir::StringAttr":$text);
}

def Sdy_AxisListAttr : Sdy_TextAttr<"AxisList", "axis_ref_list"> {
  let summary = "`{\"x\", \"y\"}`: axes that are reduced over";
}

def Sdy_AxisListsAttr : Sdy_TextAttr<"AxisLists", "list_of_axis_ref_lists"> {
  let summary = "`[{\"x\"}, {}]`: axes of each dimension";
}

def Sdy_ExchangesAttr : Sdy_TextAttr<"Exchanges", "all_to_all_param_list"> {
  let summary = "`[{\"x\"}: 0->1]`, formerly `{\"x\"} 0->1`: axes and between which dimensions";
}

def Sdy_OpShardingRuleAttr : Sdy_Attr<"OpShardingRule", "op_sharding_rule"> {
  let summary = "`<([i, j])->([i, j]) {i=2, j=4}>`: the rule of a custom call";
  let description = [{ Kept as text; custom calls cannot be compiled. }];
  let parameters = (ins "::mlir::StringAttr":$text);
}

def Sdy_PropagationEdgesAttr : Sdy_Attr<"PropagationEdges", "propagation_edges"> {
  let summary = "`<[{step-1 = [...]}]>`: how a sharding came to a value";
  let description = [{ A trace for people, kept as text. }];
  let parameters = (ins "::mlir::StringAttr":$text);
}

#endif // CLEAVE_SDY_DIALECT_TD
