//===- ExecOps.td - Operations of the exec dialect -*- tablegen -*-===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Shapes are local shapes in elements, strides are in elements, offsets and
// sizes named `bytes` are in bytes.
//
//===----------------------------------------------------------------------===//

#ifndef CLEAVE_EXEC_OPS_TD
#define CLEAVE_EXEC_OPS_TD

include "dialects/Exec/ExecDialect.td"
include "mlir/IR/SymbolInterfaces.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

class Exec_Op<string mnemonic, list<Trait> traits = []> : Op<Exec_Dialect, mnemonic, traits>;

class Exec_Read<TypeConstraint type> : Arg<type, "buffer that is read", [MemRead]>;
class Exec_Write<TypeConstraint type> : Arg<type, "buffer that is written", [MemWrite]>;

//===----------------------------------------------------------------------===//
// The program
//===----------------------------------------------------------------------===//

def Exec_ProgramOp : Exec_Op<"program", [Symbol, IsolatedFromAbove, SingleBlock,
                                         NoTerminator]> {
  let summary = "What each rank runs in one step";
  let description = [{
    Block arguments are the buffers of the inputs, then of the outputs: local
    shards, 64-byte aligned, none aliasing another. Each has an `#exec.tensor`
    that says which global tensor it is a shard of. Outputs are written
    completely before the program ends, which is when both streams are empty; the end reads the outputs on the compute stream. Only inputs whose numbers are in `donated` may be written. `shared`
    has, for each output, the donated input in whose buffer it ends up, or -1; the buffer of such an output is not used.
    `arena` is the size of the arena in
    bytes; it is absent until `cleave-plan-arena` has placed every buffer. With
    the attribute `exec.stepwise`, library calls round each product before they
    add it, and add in the order of the index.

    ```mlir
    exec.program @main mesh <"m" ["x"=2]>
        inputs(%a: memref<4xf32> = <"a", tensor<8xf32>, [["x":(1)2]]>)
        outputs(%b: memref<8xf32> = <"b", tensor<8xf32>, [[]]>) arena 0 {
      exec.collective all_gather %a into %b over <["x":(1)2]> dim = 0
        : memref<4xf32> -> memref<8xf32>
    }
    ```
  }];
  let arguments = (ins SymbolNameAttr:$sym_name, Exec_MeshAttr:$mesh,
                       TypedArrayAttrBase<Exec_TensorAttr, "input tensors">:$inputs,
                       TypedArrayAttrBase<Exec_TensorAttr, "output tensors">:$outputs,
                       OptionalAttr<I64Attr>:$arena_bytes,
                       OptionalAttr<DenseI64ArrayAttr>:$donated,
                       OptionalAttr<DenseI64ArrayAttr>:$shared);
  let regions = (region SizedRegion<1>:$body);
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
  let hasRegionVerifier = 1;
  let skipDefaultBuilders = 1;
  let builders = [
    OpBuilder<(ins "::llvm::StringRef":$name, "MeshAttr":$mesh,
      "::llvm::ArrayRef<TensorAttr>":$inputs, "::mlir::TypeRange":$inputTypes,
      "::llvm::ArrayRef<TensorAttr>":$outputs, "::mlir::TypeRange":$outputTypes,
      "::llvm::ArrayRef<::mlir::Location>":$argumentLocs)>];
  let extraClassDeclaration = [{
    ::mlir::Block &getBlock() { return getBody().front(); }
    ::mlir::Block::BlockArgListType getInputBuffers() {
      return getBlock().getArguments().take_front(getInputs().size());
    }
    ::mlir::Block::BlockArgListType getOutputBuffers() {
      return getBlock().getArguments().drop_front(getInputs().size());
    }
    /// Number of events: one more than the largest in use.
    int32_t getNumEvents();
    /// Whether the program may write input `index`.
    bool isDonated(int64_t index) {
      return getDonated() && ::llvm::is_contained(*getDonated(), index);
    }
    /// The input in whose buffer output `index` ends up; -1 if it has its own.
    int64_t getSharedInput(int64_t index) {
      return getShared() ? (*getShared())[index] : -1;
    }
  }];
}

//===----------------------------------------------------------------------===//
// Buffers
//===----------------------------------------------------------------------===//

def Exec_BufferOp : Exec_Op<"buffer"> {
  let summary = "A buffer of the arena";
  let description = [{
    `%b = exec.buffer at 128 : memref<4x8xf32>` lies 128 bytes behind the start of
    the arena; `cleave-plan-arena` sets the offset, a multiple of 64. Its content is
    unspecified until it is written, and after the last operation on it: others
    may then share its bytes. A buffer of a loop body has no content at the
    start of an iteration.
  }];
  let arguments = (ins OptionalAttr<ConfinedAttr<I64Attr, [IntNonNegative]>>:$offset);
  // An allocation, so that two buffers of one type are never merged.
  let results = (outs Res<Exec_Buffer, "", [MemAlloc]>:$result);
  let assemblyFormat = "(`at` $offset^)? attr-dict `:` type($result)";
  let hasVerifier = 1;
  let builders = [OpBuilder<(ins "::mlir::MemRefType":$type), [{
    build($_builder, $_state, type, ::mlir::IntegerAttr());
  }]>];
}

def Exec_ViewOp : Exec_Op<"view", [Pure]> {
  let summary = "The same elements in another shape";
  let description = [{
    An alias of `source` with the same number of elements of the same type in row-major order.
  }];
  let arguments = (ins Exec_Buffer:$source);
  let results = (outs Exec_Buffer:$result);
  let assemblyFormat = "$source attr-dict `:` type($source) `to` type($result)";
  let hasVerifier = 1;
}

def Exec_ConstantOp : Exec_Op<"constant", [Pure]> {
  let summary = "A buffer of constant data outside the arena";
  let description = [{ Read-only, 64-byte aligned, the same on all ranks. }];
  let arguments = (ins ElementsAttr:$value);
  let results = (outs Exec_Buffer:$result);
  let assemblyFormat = "$value attr-dict `:` type($result)";
  let hasVerifier = 1;
}

def Exec_CopyOp : Exec_Op<"copy"> {
  let summary = "Copies a buffer into another that does not overlap it";
  let arguments = (ins Exec_Read<Exec_Buffer>:$from, Exec_Write<Exec_Buffer>:$to);
  let assemblyFormat = "$from `into` $to attr-dict `:` type($from) `->` type($to)";
  let hasVerifier = 1;
}

//===----------------------------------------------------------------------===//
// Work
//===----------------------------------------------------------------------===//

def Exec_LaunchOp : Exec_Op<"launch", [AttrSizedOperandSegments,
    DeclareOpInterfaceMethods<MemoryEffectsOpInterface>,
    DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let summary = "Runs a kernel over its whole iteration space";
  let description = [{
    The kernel takes the input buffers, then the output buffers, and writes
    every element of each output. No output overlaps another operand. The outputs whose
    numbers are in `updated` are read as well: the kernel computes their new elements from the old ones or keeps them.
    The last outputs may be workspace, of which nothing is known afterwards.
  }];
  let arguments = (ins FlatSymbolRefAttr:$kernel, Variadic<Exec_Buffer>:$inputs,
                       Variadic<Exec_Buffer>:$outputs,
                       OptionalAttr<DenseI64ArrayAttr>:$updated);
  let assemblyFormat = [{
    $kernel `ins` `(` ($inputs^ `:` type($inputs))? `)` `outs` `(` ($outputs^ `:` type($outputs))? `)`
    (`updated` $updated^)? attr-dict
  }];
  let hasVerifier = 1;
}

def Exec_GemmOp : Exec_Op<"gemm", [AttrSizedOperandSegments]> {
  let summary = "A matrix product with epilogue";
  let description = [{
    out[b, i, j] = activation(sum over l of a[b, i, l] * b[b, l, j] + bias) + residual,
    for i < `m`, j < `n`, l < `k` and all b below the sizes in `batch`. The strides of
    each operand, in elements, are those of the batch dimensions, then of its
    row and column index. All operands have one element type, but with f32, f16 or bf16 a and b
    may be floats of 8 bits; sums are in f32 for f16 and bf16. `bias` has `n` elements (kind n) or `m` (kind m); `residual` is
    laid out like `out`. `out` overlaps no other operand, and its elements are distinct.
  }];
  let arguments = (ins Exec_Read<Exec_Buffer>:$a, Exec_Read<Exec_Buffer>:$b,
                       Exec_Read<Optional<Exec_Buffer>>:$bias,
                       Exec_Read<Optional<Exec_Buffer>>:$residual,
                       Exec_Write<Exec_Buffer>:$out,
                       DefaultValuedAttr<Exec_BiasKind, "::cleave::exec::BiasKind::None">:$bias_kind,
                       DefaultValuedAttr<Exec_Activation, "::cleave::exec::Activation::None">:$activation,
                       DenseI64ArrayAttr:$batch, I64Attr:$m, I64Attr:$n, I64Attr:$k,
                       DenseI64ArrayAttr:$a_strides, DenseI64ArrayAttr:$b_strides,
                       DenseI64ArrayAttr:$out_strides);
  let assemblyFormat = [{
    $a `,` $b (`bias` `(` $bias_kind^ `)` $bias)? (`activation` `(` $activation^ `)`)?
    (`residual` $residual^)? `into` $out
    `batch` `=` $batch `m` `=` $m `n` `=` $n `k` `=` $k
    `strides` $a_strides `x` $b_strides `->` $out_strides attr-dict
    `:` type(operands)
  }];
  let hasVerifier = 1;
}

def Exec_ConvolutionOp : Exec_Op<"convolution", [AttrSizedOperandSegments]> {
  let summary = "A convolution with epilogue";
  let description = [{
    out[n, g, o, w...] = activation(sum over i, t... of lhs[n, g, i, e...] * kernel[g, o, i, t...] + bias[g * outputs + o]) + residual,
    for n < `batch`, g < `groups`, o < `outputs`, i < `features`, windows w below `counts` and taps t below
    `taps`. Along each spatial dimension the element is e = (w * stride + t' * window_dilation - low) / base_dilation, where t' is t or, if
    the dimension is reversed, taps - 1 - t; where that is no whole number in 0..size - 1 the term is left out.

    The strides of each operand, in elements: `lhs_strides` are those of n, g, i and the spatial dimensions, `kernel_strides`
    those of g, o, i and the taps, `out_strides` those of n, g, o and the windows. All operands have one element type, not i1; sums are in
    f32 for f16 and bf16. `residual` is laid out like `out`. `out` overlaps no other operand, and its elements are distinct.
  }];
  let arguments = (ins Exec_Read<Exec_Buffer>:$lhs, Exec_Read<Exec_Buffer>:$kernel,
                       Exec_Read<Optional<Exec_Buffer>>:$bias,
                       Exec_Read<Optional<Exec_Buffer>>:$residual,
                       Exec_Write<Exec_Buffer>:$out,
                       DefaultValuedAttr<Exec_Activation, "::cleave::exec::Activation::None">:$activation,
                       I64Attr:$batch, I64Attr:$groups, I64Attr:$features, I64Attr:$outputs,
                       DenseI64ArrayAttr:$sizes, DenseI64ArrayAttr:$counts, DenseI64ArrayAttr:$taps,
                       DenseI64ArrayAttr:$strides, DenseI64ArrayAttr:$low,
                       DenseI64ArrayAttr:$base_dilations, DenseI64ArrayAttr:$window_dilations,
                       DenseBoolArrayAttr:$reversed,
                       DenseI64ArrayAttr:$lhs_strides, DenseI64ArrayAttr:$kernel_strides,
                       DenseI64ArrayAttr:$out_strides);
  let assemblyFormat = [{
    $lhs `,` $kernel (`bias` $bias^)? (`activation` `(` $activation^ `)`)? (`residual` $residual^)? `into` $out
    `batch` `=` $batch `groups` `=` $groups `features` `=` $features `outputs` `=` $outputs
    `sizes` `=` $sizes `counts` `=` $counts `taps` `=` $taps `strides` `=` $strides `low` `=` $low
    `dilations` `=` $base_dilations `x` $window_dilations `reversed` `=` $reversed
    `layout` $lhs_strides `x` $kernel_strides `->` $out_strides attr-dict `:` type(operands)
  }];
  let hasVerifier = 1;
}

def Exec_CollectiveOp : Exec_Op<"collective"> {
  let summary = "A collective among groups of ranks";
  let description = [{
    Kinds, their keys and the shapes of operand and result are those of
    docs/manifest.md. `over` lists the axes along which the ranks of a group differ, major
    to minor; `groups`, with no axes, lists the groups themselves. `cause` says why the
    collective exists. Operand and result do not overlap.

    It runs `on` the compute stream, as everything else does, or on the communication
    stream: then its buffers are in use until a later event of that stream has been waited for. All collectives of a
    program that communicate run on one stream, so that all ranks meet in the same order; an all_slice may run on either.
  }];
  let arguments = (ins Exec_CollectiveKind:$kind, OptionalAttr<Exec_Reduction>:$reduction,
                       Exec_Read<Exec_Buffer>:$operand, Exec_Write<Exec_Buffer>:$result,
                       Exec_AxesAttr:$axes,
                       OptionalAttr<ConfinedAttr<I64Attr, [IntNonNegative]>>:$dim,
                       OptionalAttr<ConfinedAttr<I64Attr, [IntNonNegative]>>:$split_dim,
                       OptionalAttr<ConfinedAttr<I64Attr, [IntNonNegative]>>:$concat_dim,
                       OptionalAttr<DenseI64ArrayAttr>:$pairs,
                       OptionalAttr<ConfinedAttr<I64Attr, [IntNonNegative]>>:$root,
                       OptionalAttr<ConfinedAttr<I64Attr, [IntNonNegative]>>:$size,
                       OptionalAttr<I64Attr>:$low, OptionalAttr<I64Attr>:$high,
                       OptionalAttr<DenseI64ArrayAttr>:$blocks, OptionalAttr<DenseI64ArrayAttr>:$windows,
                       OptionalAttr<TypedArrayAttrBase<DenseI64ArrayAttr, "groups of ranks">>:$groups,
                       OptionalAttr<StrAttr>:$cause,
                       DefaultValuedAttr<Exec_Stream, "::cleave::exec::Stream::Compute">:$stream);
  let assemblyFormat = [{
    $kind (`(` $reduction^ `)`)? $operand `into` $result `over` $axes
    (`dim` `=` $dim^)? (`split_dim` `=` $split_dim^)? (`concat_dim` `=` $concat_dim^)?
    (`pairs` `=` $pairs^)? (`root` `=` $root^)? (`size` `=` $size^)? (`low` `=` $low^)?
    (`high` `=` $high^)? (`blocks` `=` $blocks^)? (`windows` `=` $windows^)? (`groups` `=` $groups^)? (`cause` `=` $cause^)? (`on` $stream^)? attr-dict
    `:` type($operand) `->` type($result)
  }];
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    /// Whether ranks meet in it: all but all_slice.
    bool communicates() { return getKind() != CollectiveKind::AllSlice; }
  }];
}

def Exec_AxisIndexOp : Exec_Op<"axis_index"> {
  let summary = "Writes the position of the rank along some axes";
  let description = [{ `result` has one i32: the position along `axes`, major to minor. }];
  let arguments = (ins Exec_AxesAttr:$axes, Exec_Write<Exec_IndexBuffer>:$result);
  let assemblyFormat = "$axes `into` $result attr-dict `:` type($result)";
  let hasVerifier = 1;
}

//===----------------------------------------------------------------------===//
// Streams
//===----------------------------------------------------------------------===//

class Exec_EventOp<string mnemonic> : Exec_Op<mnemonic> {
  let arguments = (ins ConfinedAttr<I32Attr, [IntNonNegative]>:$event, Exec_Stream:$stream);
  let assemblyFormat = "$event `on` $stream attr-dict";
}

def Exec_RecordOp : Exec_EventOp<"record"> {
  let summary = "Marks a point of a stream";
  let description = [{
    Event number `event` is now the point that `stream` has reached when all operations before this one are
    complete. A number has one record in a program, below 2^20; in a loop, the last one counts.
  }];
}

def Exec_WaitOp : Exec_EventOp<"wait"> {
  let summary = "Lets a stream wait for a point of another";
  let description = [{
    Operations that follow on `stream` start after the point that the event marked when it was last recorded in
    this step; at once if it was not. The event is one of another stream. Waits order across loops and branches too: a wait
    at the start of a loop's body can be for the iteration before.
  }];
}

//===----------------------------------------------------------------------===//
// Control flow
//===----------------------------------------------------------------------===//

class Exec_RegionOp<string mnemonic>
    : Exec_Op<mnemonic, [SingleBlock, NoTerminator, NoRegionArguments, RecursiveMemoryEffects]> {
  let hasVerifier = 1;
}

def Exec_WhileOp : Exec_RegionOp<"while"> {
  let summary = "Repeats while a condition holds";
  let description = [{
    Runs `cond`, which writes `condition`; stops if that is 0; runs `do`; repeats. `condition` is read on the
    compute stream, and the host waits for it.
  }];
  let arguments = (ins Exec_Read<Exec_PredBuffer>:$condition);
  let regions = (region SizedRegion<1>:$cond, SizedRegion<1>:$body);
  let assemblyFormat = "$condition `:` type($condition) `cond` $cond `do` $body attr-dict";
}

def Exec_IfOp : Exec_RegionOp<"if"> {
  let summary = "Runs one of two regions";
  let description = [{ `condition` is read on the compute stream, and the host waits for it. }];
  let arguments = (ins Exec_Read<Exec_PredBuffer>:$condition);
  let regions = (region SizedRegion<1>:$then_region, SizedRegion<1>:$else_region);
  let assemblyFormat = [{
    $condition `:` type($condition) `then` $then_region `else` $else_region attr-dict
  }];
}

#endif // CLEAVE_EXEC_OPS_TD
