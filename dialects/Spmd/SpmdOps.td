//===- SpmdOps.td - Operations of the spmd dialect -*- tablegen -*-===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CLEAVE_SPMD_OPS_TD
#define CLEAVE_SPMD_OPS_TD

include "mlir/IR/BuiltinAttributeInterfaces.td"
include "mlir/IR/SymbolInterfaces.td"
include "mlir/Interfaces/ControlFlowInterfaces.td"
include "mlir/Interfaces/SideEffectInterfaces.td"
include "dialects/Graph/GraphInterfaces.td"
include "dialects/Spmd/SpmdAttrs.td"
include "dialects/Spmd/SpmdInterfaces.td"

class Spmd_Op<string mnemonic, list<Trait> traits = []> : Op<Spmd_Dialect, mnemonic, traits>;

def Spmd_Tensor : StaticShapeTensorOf<[AnyType]>;

def Spmd_MeshOp : Spmd_Op<"mesh", [Symbol]> {
  let summary = "A named grid of devices";
  let arguments = (ins SymbolNameAttr:$sym_name, Spmd_MeshAttr:$shape);
  let assemblyFormat = "$sym_name custom<MeshShape>($shape) attr-dict";
}

//===----------------------------------------------------------------------===//
// On global shapes
//===----------------------------------------------------------------------===//

def Spmd_ShardingConstraintOp : Spmd_Op<"sharding_constraint", [Pure,
    AllTypesMatch<["input", "result"]>, DeclareOpInterfaceMethods<SymbolUserOpInterface>,
    DeclareOpInterfaceMethods<EvaluableOpInterface>]> {
  let summary = "Fixes the sharding of a value";
  let arguments = (ins Spmd_Tensor:$input, Spmd_ShardingAttr:$sharding);
  let results = (outs Spmd_Tensor:$result);
  let assemblyFormat = "$input $sharding attr-dict `:` type($result)";
}

def Spmd_ReshardOp : Spmd_Op<"reshard", [Pure, AllTypesMatch<["input", "result"]>,
    DeclareOpInterfaceMethods<SymbolUserOpInterface>,
    DeclareOpInterfaceMethods<EvaluableOpInterface>]> {
  let summary = "Moves a value from one sharding to another";
  let description = [{
    From the sharding of `input` to `sharding`; partial axes that the target
    lacks are reduced. `cause` says which op needs it and which annotations led there.
  }];
  let arguments = (ins Spmd_Tensor:$input, Spmd_ShardingAttr:$sharding, OptionalAttr<StrAttr>:$cause);
  let results = (outs Spmd_Tensor:$result);
  let assemblyFormat = "$input $sharding (`cause` $cause^)? attr-dict `:` type($result)";
}

def Spmd_ManualComputationOp : Spmd_Op<"manual_computation", [SingleBlock, RecursiveMemoryEffects,
    IsolatedFromAbove, DeclareOpInterfaceMethods<SymbolUserOpInterface>,
    DeclareOpInterfaceMethods<EvaluableOpInterface>]> {
  let summary = "A region on local shapes, partitioned by its author";
  let description = [{
    The body sees the local shards of the inputs under `in_shardings` and
    returns local shards under `out_shardings`; collectives in it are explicit.
    All shardings and all ops of the body name one mesh.

    Axes are manual, unless they are listed as `free`: along those the body is a program on whole
    values, which is partitioned like code around it. Shapes in the body are cut over the manual axes only;
    a dimension of `in_shardings` and `out_shardings` names manual axes first (Shardy's
    `sdy.manual_computation`), collectives in the body are over manual axes, and shardings in
    it are over free ones. `free ["y"]` on a mesh of x and y:
    `spmd.manual_computation(%x) in [#spmd.sharding<@m, [{"x", "y"}, {?} ]>] out [...] free ["y"]`.
    One inside of another takes axes that are free in the one around it.

    Ranks that have the same block of a result must return the same bits. Padding
    has unspecified content, and so what a valid element of a result is made of
    must not include any. A partial input arrives as terms, which the body must
    not tell apart: it may only reduce them or do what is linear in them.
  }];
  let arguments = (ins Variadic<Spmd_Tensor>:$inputs,
      TypedArrayAttrBase<Spmd_ShardingAttr, "shardings">:$in_shardings,
      TypedArrayAttrBase<Spmd_ShardingAttr, "shardings">:$out_shardings,
      OptionalAttr<StrArrayAttr>:$free_axes);
  let results = (outs Variadic<Spmd_Tensor>);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = [{
    `(` $inputs `)` `in` $in_shardings `out` $out_shardings (`free` $free_axes^)? attr-dict
    `:` functional-type(operands, results) $body
  }];
  let hasRegionVerifier = 1;
  let extraClassDeclaration = [{
    /// The mesh that the shardings name; null if there is none.
    MeshOp getMeshOp();
    /// Whether the body is partitioned along some axes, and along one.
    bool hasFreeAxes() { return getFreeAxes() && !getFreeAxes()->empty(); }
    bool isFree(::cleave::spmd::AxisAttr axis);
    /// How a side's sharding cuts a value before the body sees it: without free axes, closed.
    ShardingAttr getManualPart(ShardingAttr sharding);
    /// How it cuts the value that the body sees: free axes only, nothing partial.
    ShardingAttr getFreePart(ShardingAttr sharding);
  }];
}

def Spmd_ReturnOp : Spmd_Op<"return", [Pure, Terminator, ReturnLike,
    HasParent<"ManualComputationOp">]> {
  let summary = "Yields local shards from a manual computation";
  let arguments = (ins Variadic<Spmd_Tensor>:$operands);
  let assemblyFormat = "($operands^ `:` type($operands))? attr-dict";
}

//===----------------------------------------------------------------------===//
// On local shapes
//===----------------------------------------------------------------------===//

/// A collective is not speculatable or removable only in so far as all ranks of
/// a group must execute it; as a value computation it is pure.
class Spmd_Collective<string mnemonic, list<Trait> traits = [], list<string> methods = []>
    : Spmd_Op<mnemonic, !listconcat([Pure, DeclareOpInterfaceMethods<SymbolUserOpInterface>,
        DeclareOpInterfaceMethods<CollectiveOpInterface, methods>], traits)>;

/// The ranks that differ only along axes, or listed groups: `over @m ["x"]`,
/// `over @m groups [[0, 2], [1, 3]]`. Ranks that are in no group get zeros.
def Spmd_AxesOrGroups : AnyAttrOf<[Spmd_AxesAttr, Spmd_GroupsAttr], "axes or groups of ranks">;

def Spmd_AllGatherOp : Spmd_Collective<"all_gather", [], ["getCollectiveDim"]> {
  let summary = "Concatenates the shards of a group along a dimension";
  let description = [{
    Result dim B, operand dim ceil(B / k): piece j goes to j * ceil(B / k), cut off at B.
    `spmd.all_gather %x dim 1 over @m ["model"] : tensor<4x2xf32> -> tensor<4x8xf32>`

    Like every collective over axes it can list groups of ranks instead, each in the order of
    positions: `over @m groups [[0, 2], [3, 1]]`. A rank that is in no group gets zeros.
  }];
  let arguments = (ins Spmd_Tensor:$operand, I64Attr:$dim, FlatSymbolRefAttr:$mesh,
                       Spmd_AxesOrGroups:$groups, OptionalAttr<StrAttr>:$cause);
  let results = (outs Spmd_Tensor:$result);
  let assemblyFormat = [{
    $operand `dim` $dim `over` $mesh custom<Groups>($groups) (`cause` $cause^)? attr-dict
    `:` type($operand) `->` type($result)
  }];
}

def Spmd_AllSliceOp : Spmd_Collective<"all_slice", [], ["getCollectiveDim"]> {
  let summary = "Keeps the rank's piece of a dimension; no communication";
  let arguments = Spmd_AllGatherOp.arguments;
  let results = (outs Spmd_Tensor:$result);
  let assemblyFormat = Spmd_AllGatherOp.assemblyFormat;
}

def Spmd_AllReduceOp : Spmd_Collective<"all_reduce", [AllTypesMatch<["operand", "result"]>],
    ["getCollectiveReduction"]> {
  let summary = "Reduces over a group; every rank gets the same bits";
  let description = [{ `spmd.all_reduce sum %x over @m ["model"] : tensor<4x8xf32>` }];
  let arguments = (ins Spmd_Reduction:$reduction, Spmd_Tensor:$operand, FlatSymbolRefAttr:$mesh,
                       Spmd_AxesOrGroups:$groups, OptionalAttr<StrAttr>:$cause);
  let results = (outs Spmd_Tensor:$result);
  let assemblyFormat = [{
    $reduction $operand `over` $mesh custom<Groups>($groups) (`cause` $cause^)? attr-dict `:` type($result)
  }];
}

def Spmd_ReduceScatterOp : Spmd_Collective<"reduce_scatter", [],
    ["getCollectiveReduction", "getCollectiveDim"]> {
  let summary = "all_reduce, of which each rank keeps its piece of a dimension";
  let arguments = (ins Spmd_Reduction:$reduction, Spmd_Tensor:$operand, I64Attr:$dim,
                       FlatSymbolRefAttr:$mesh, Spmd_AxesOrGroups:$groups, OptionalAttr<StrAttr>:$cause);
  let results = (outs Spmd_Tensor:$result);
  let assemblyFormat = [{
    $reduction $operand `dim` $dim `over` $mesh custom<Groups>($groups) (`cause` $cause^)? attr-dict
    `:` type($operand) `->` type($result)
  }];
}

def Spmd_AllToAllOp : Spmd_Collective<"all_to_all", [],
    ["getCollectiveDim", "getCollectiveSplitDim"]> {
  let summary = "Gathers one dimension and cuts another";
  let description = [{
    `spmd.all_to_all %x split 0 concat 1 over @m ["x"] : tensor<8x2xf32> -> tensor<2x8xf32>`
  }];
  let arguments = (ins Spmd_Tensor:$operand, I64Attr:$split_dim, I64Attr:$concat_dim,
                       FlatSymbolRefAttr:$mesh, Spmd_AxesOrGroups:$groups, OptionalAttr<StrAttr>:$cause);
  let results = (outs Spmd_Tensor:$result);
  let assemblyFormat = [{
    $operand `split` $split_dim `concat` $concat_dim `over` $mesh custom<Groups>($groups)
    (`cause` $cause^)? attr-dict `:` type($operand) `->` type($result)
  }];
}

def Spmd_BroadcastOp : Spmd_Collective<"broadcast", [AllTypesMatch<["operand", "result"]>]> {
  let summary = "Every rank of a group gets the value of one of them";
  let description = [{
    `root` is a position in the group.
    `spmd.broadcast %x from 0 over @m ["model"] : tensor<4x8xf32>`
  }];
  let arguments = (ins Spmd_Tensor:$operand, I64Attr:$root, FlatSymbolRefAttr:$mesh,
                       Spmd_AxesOrGroups:$groups, OptionalAttr<StrAttr>:$cause);
  let results = (outs Spmd_Tensor:$result);
  let assemblyFormat = [{
    $operand `from` $root `over` $mesh custom<Groups>($groups) (`cause` $cause^)? attr-dict `:` type($result)
  }];
}

def Spmd_CollectivePermuteOp : Spmd_Collective<"collective_permute",
    [AllTypesMatch<["operand", "result"]>]> {
  let summary = "Each target rank receives the value of its source rank";
  let description = [{
    `pairs` lists source, target, source, target, ... of the whole mesh; each rank
    is a target at most once, and gets zeros if it is none. The list is the
    permutation itself: it grows with the mesh. Only ranks that pairs connect wait for
    each other, so that a send and its receive are one op with one pair.
  }];
  let arguments = (ins Spmd_Tensor:$operand, FlatSymbolRefAttr:$mesh, DenseI64ArrayAttr:$pairs,
                       OptionalAttr<StrAttr>:$cause);
  let results = (outs Spmd_Tensor:$result);
  let assemblyFormat = [{
    $operand `over` $mesh `pairs` $pairs (`cause` $cause^)? attr-dict `:` type($result)
  }];
  let extraClassDefinition = [{
    ::mlir::Attribute $cppClass::getGroups() { return {}; }
  }];
}

def Spmd_HaloExchangeOp : Spmd_Collective<"halo_exchange", [], ["getCollectiveDim"]> {
  let summary = "Extends a shard by elements of its neighbours";
  let description = [{
    `operand` is a shard whose dimension `dim`, `size` elements long globally, is cut over
    `axes` into blocks, nested as in a sharding. A rank's block starts at s, the sum over
    the axes of its coordinate times the block size at that level, and is b elements long
    (the extent of the operand). The result holds the window [s - low, s + b + high)
    of the global dimension: its element p is global element s - low + p, from
    whichever rank has it. So a halo may be wider than a neighbour's block, blocks may
    be short or empty (those in between are skipped over), and what follows a short
    block is part of the window, too. Padding of the operand is never read.

    Elements of the window below 0 or not below `size` are `fill`; without it their
    content is unspecified. With a neutral element as `fill` the result needs no mask.
    A negative amount leaves elements out; the extent of the result is low + b + high.

    `spmd.halo_exchange %x dim 0 size 7 low 1 high 2 over @m ["x"] fill 0.0 : f32 : tensor<4x8xf32> -> tensor<7x8xf32>`
    gives on x = 2 rows -1 to 5 and 3 to 9, of which -1 and 7 to 9 are zero.
    `cleave-mask-padding` makes `fill` explicit; programs exchange elements only.
  }];
  let arguments = (ins Spmd_Tensor:$operand, I64Attr:$dim, I64Attr:$size, I64Attr:$low,
                       I64Attr:$high, FlatSymbolRefAttr:$mesh, Spmd_AxesAttr:$axes,
                       OptionalAttr<TypedAttrInterface>:$fill, OptionalAttr<StrAttr>:$cause);
  let results = (outs Spmd_Tensor:$result);
  let assemblyFormat = [{
    $operand `dim` $dim `size` $size `low` $low `high` $high `over` $mesh custom<Axes>($axes)
    (`fill` $fill^)? (`cause` $cause^)? attr-dict `:` type($operand) `->` type($result)
  }];
  let extraClassDeclaration = [{
    /// The exchange along `dim` as plain data.
    ::cleave::HaloExchange getExchange(const ::cleave::Mesh &mesh);
  }];
  let extraClassDefinition = [{
    ::mlir::Attribute $cppClass::getGroups() { return getAxes(); }
  }];
}

def Spmd_WindowExchangeOp : Spmd_Collective<"window_exchange", [], ["getCollectiveDim"]> {
  let summary = "Gives each rank a segment of a line that the ranks hold segments of";
  let description = [{
    `blocks` and `windows` list begin, count, at for each position along `axes`. Along `dim`
    the operand of a rank holds elements begin to begin + count of a line from index `at` on;
    no two hold the same element. Its result gets the elements of its window from index
    `at` on, each from whichever rank has it. What no rank has, and what lies outside the
    window, has unspecified content. So blocks and windows may be of any sizes, and only
    elements that are wanted travel.

    `spmd.window_exchange %x dim 0 blocks [0, 4, 0, 4, 3, 0] windows [0, 2, 0, 2, 2, 0] over @m ["x"] : tensor<4xf32> -> tensor<2xf32>`
    gives on x = 2, of a line of 7 in blocks of 4, the first four elements in blocks of 2.
  }];
  let arguments = (ins Spmd_Tensor:$operand, I64Attr:$dim, DenseI64ArrayAttr:$blocks,
                       DenseI64ArrayAttr:$windows, FlatSymbolRefAttr:$mesh, Spmd_AxesAttr:$axes,
                       OptionalAttr<StrAttr>:$cause);
  let results = (outs Spmd_Tensor:$result);
  let assemblyFormat = [{
    $operand `dim` $dim `blocks` $blocks `windows` $windows `over` $mesh custom<Axes>($axes)
    (`cause` $cause^)? attr-dict `:` type($operand) `->` type($result)
  }];
  let extraClassDeclaration = [{
    /// The exchange along `dim` as plain data.
    ::cleave::WindowExchange getExchange();
  }];
  let extraClassDefinition = [{
    ::mlir::Attribute $cppClass::getGroups() { return getAxes(); }
  }];
}

def Spmd_AxisIndexOp : Spmd_Op<"axis_index", [Pure, DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let summary = "Position of the rank along axes, major to minor";
  let arguments = (ins FlatSymbolRefAttr:$mesh, Spmd_AxesAttr:$axes);
  let results = (outs 0DTensorOf<[I32]>:$result);
  let assemblyFormat = "$mesh custom<Axes>($axes) attr-dict `:` type($result)";
}

def Spmd_MaskPaddingOp : Spmd_Op<"mask_padding", [Pure, AllTypesMatch<["operand", "result"]>,
    DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let summary = "Replaces padding by the neutral element of a reduction";
  let description = [{
    `operand` is a shard whose dimension `dim`, `size` elements long globally, is cut over
    `axes`: what lies beyond this rank's valid elements becomes the neutral element.
    `spmd.mask_padding sum %x dim 0 size 7 over @m ["x"] : tensor<4x8xf32>`
  }];
  let arguments = (ins Spmd_Reduction:$reduction, Spmd_Tensor:$operand, I64Attr:$dim,
                       I64Attr:$size, FlatSymbolRefAttr:$mesh, Spmd_AxesAttr:$axes);
  let results = (outs Spmd_Tensor:$result);
  let assemblyFormat = [{
    $reduction $operand `dim` $dim `size` $size `over` $mesh custom<Axes>($axes) attr-dict `:` type($result)
  }];
}

#endif // CLEAVE_SPMD_OPS_TD
