//===- SpmdAttrs.td - The spmd dialect and its attributes -*- tablegen -*-===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CLEAVE_SPMD_ATTRS_TD
#define CLEAVE_SPMD_ATTRS_TD

include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/EnumAttr.td"
include "mlir/IR/OpBase.td"

def Spmd_Dialect : Dialect {
  let name = "spmd";
  let cppNamespace = "::cleave::spmd";
  let summary = "Meshes, shardings and collectives";
  let description = [{
    `spmd.sharding` on function arguments and results, and `spmd.shardings` on
    operations (one entry per result), say how global tensors are cut.
    Collectives act on the local tensors of one rank.
  }];
  let dependentDialects = ["::cleave::graph::CleaveDialect"];
  let useDefaultAttributePrinterParser = 1;
  let hasOperationAttrVerify = 1;
  let hasRegionArgAttrVerify = 1;
  let hasRegionResultAttrVerify = 1;
  let extraClassDeclaration = [{
    void registerAttributes();
    /// Names of the discardable attributes.
    static constexpr ::llvm::StringLiteral kSharding = "spmd.sharding";
    static constexpr ::llvm::StringLiteral kShardings = "spmd.shardings";
    static constexpr ::llvm::StringLiteral kOrigins = "spmd.origins";
    static constexpr ::llvm::StringLiteral kGlobalType = "spmd.global_type";
  }];
}

def Spmd_Reduction : I32EnumAttr<"Reduction", "How values are combined", [
    I32EnumAttrCase<"Sum", 0, "sum">, I32EnumAttrCase<"Max", 1, "max">,
    I32EnumAttrCase<"Min", 2, "min">, I32EnumAttrCase<"Prod", 3, "prod">,
    I32EnumAttrCase<"And", 4, "and">, I32EnumAttrCase<"Or", 5, "or">]> {
  let cppNamespace = "::cleave::spmd";
}

class Spmd_Attr<string name, string mnemonic_> : AttrDef<Spmd_Dialect, name> {
  let mnemonic = mnemonic_;
}

def Spmd_AxisAttr : Spmd_Attr<"Axis", "axis"> {
  let summary = "A mesh axis or a part of it";
  let description = [{
    `"x"` is a whole axis; `"x":(2)4` the part with 4 positions after 2
    positions have been split off in front (Shardy's notation).
  }];
  // size 0 stands for the whole axis.
  let parameters = (ins "::mlir::StringAttr":$name, "int64_t":$pre, "int64_t":$size);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
  let extraClassDeclaration = "bool isWhole() const { return getSize() == 0; }";
}

def Spmd_DimShardingAttr : Spmd_Attr<"DimSharding", "dim"> {
  let summary = "How one dimension is cut";
  let description = [{
    `{"x", "y"}` cuts over x, then y; `{"x", ?}` is open: propagation may cut
    further; `{"x"}p1` has priority 1 (0 is propagated first).
  }];
  let parameters = (ins ArrayRefParameter<"::cleave::spmd::AxisAttr">:$axes, "bool":$open,
                        "std::optional<int64_t>":$priority);
  let hasCustomAssemblyFormat = 1;
}

def Spmd_PartialAttr : Spmd_Attr<"Partial", "partial"> {
  let summary = "An axis over which values are still to be reduced";
  let parameters = (ins "::cleave::spmd::Reduction":$reduction, "::cleave::spmd::AxisAttr":$axis);
  let hasCustomAssemblyFormat = 1;
}

def Spmd_ShardingAttr : Spmd_Attr<"Sharding", "sharding"> {
  let summary = "How a tensor is spread over a mesh";
  let description = [{
    `#spmd.sharding<@m, [{"data"}, {"model", ?} ], partial = [sum "x"]>`: per
    dimension the axes it is cut over, major to minor, and the axes over which
    the tensor is a partial result. Blocks nest: over [a, b] a dimension of n is
    cut into blocks of ceil(n / a), each of which into blocks of ceil(that / b).
    `replicated = ["y"]` keeps propagation from cutting open dimensions over those axes.
  }];
  let parameters = (ins "::mlir::FlatSymbolRefAttr":$mesh,
                        ArrayRefParameter<"::cleave::spmd::DimShardingAttr">:$dims,
                        OptionalArrayRefParameter<"::cleave::spmd::PartialAttr">:$partial,
                        OptionalArrayRefParameter<"::cleave::spmd::AxisAttr">:$replicated);
  let builders = [AttrBuilder<(ins "::mlir::FlatSymbolRefAttr":$mesh,
      "::llvm::ArrayRef<::cleave::spmd::DimShardingAttr>":$dims,
      "::llvm::ArrayRef<::cleave::spmd::PartialAttr>":$partial), [{
    return $_get($_ctxt, mesh, dims, partial, ::llvm::ArrayRef<::cleave::spmd::AxisAttr>());
  }]>];
  let hasCustomAssemblyFormat = 1;
}

/// A list of axes, printed `["x", "y":(1)2]`.
def Spmd_AxesAttr : Spmd_Attr<"Axes", "axes"> {
  let summary = "Axes, major to minor";
  let parameters = (ins OptionalArrayRefParameter<"::cleave::spmd::AxisAttr">:$axes);
  let hasCustomAssemblyFormat = 1;
  let extraClassDeclaration = [{
    /// The list alone, without angle brackets: what ops print.
    static ::llvm::FailureOr<AxesAttr> parseList(::mlir::AsmParser &parser);
    void printList(::mlir::AsmPrinter &printer) const;
  }];
}

/// Groups of ranks, printed `[[0, 2], [1, 3]]`.
def Spmd_GroupsAttr : Spmd_Attr<"Groups", "groups"> {
  let summary = "Groups of ranks of a mesh";
  let description = [{
    `#spmd.groups<[[0, 2], [1, 3]]>`: each group lists its ranks in the order of their positions.
    A rank is in one group at most; groups need be neither equally long nor all of the mesh,
    unless a collective says so.
  }];
  let parameters = (ins OptionalArrayRefParameter<"::mlir::DenseI64ArrayAttr">:$groups);
  let hasCustomAssemblyFormat = 1;
  let extraClassDeclaration = [{
    /// The list alone, without angle brackets: what ops print.
    static ::llvm::FailureOr<GroupsAttr> parseList(::mlir::AsmParser &parser);
    void printList(::mlir::AsmPrinter &printer) const;
  }];
}

def Spmd_MeshAttr : Spmd_Attr<"Mesh", "mesh_shape"> {
  let summary = "Named axes with sizes";
  let description = [{
    `<"data"=2, "model"=4>`: ranks are numbered row-major, the first axis slowest.
    `<"x"=4, device_ids = [0, 2, 1, 3]>` lists the device of each rank.
  }];
  let parameters = (ins ArrayRefParameter<"::mlir::StringAttr">:$names,
                        ArrayRefParameter<"int64_t">:$sizes,
                        OptionalArrayRefParameter<"int64_t">:$device_ids);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
}

#endif // CLEAVE_SPMD_ATTRS_TD
