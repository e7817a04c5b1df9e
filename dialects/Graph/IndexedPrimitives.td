//===- IndexedPrimitives.td - Scatter, sort and random bits -*- tablegen -*-===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CLEAVE_GRAPH_INDEXEDPRIMITIVES_TD
#define CLEAVE_GRAPH_INDEXEDPRIMITIVES_TD

include "dialects/Graph/Primitives.td"

def Cleave_ScatterOp : LocalizedPrimitive<Cleave_Dialect, "scatter",
    [SameVariadicOperandSize, SingleBlock, RecursiveMemoryEffects,
     DeclareOpInterfaceMethods<OwnKernelOpInterface>]> {
  let description = [{
    Copies `inputs` and combines each window of `updates` into them where `scatter_indices`
    say: the body takes the present elements, then the updates, and yields the new ones.
    Updates out of bounds, wholly or partly, are left out element by element. Updates of one
    element are combined in row-major order of `updates`.

    Attributes are those of the StableHLO specification. `unique_indices` promises that no
    element is updated twice.
  }];
  let arguments = (ins Variadic<Cleave_Tensor>:$inputs, Cleave_IntTensor:$scatter_indices,
                       Variadic<Cleave_Tensor>:$updates,
                       DenseI64ArrayAttr:$update_window_dims,
                       DenseI64ArrayAttr:$inserted_window_dims,
                       DefaultValuedAttr<DenseI64ArrayAttr, "{}">:$input_batching_dims,
                       DefaultValuedAttr<DenseI64ArrayAttr, "{}">:$scatter_indices_batching_dims,
                       DenseI64ArrayAttr:$scatter_dims_to_operand_dims,
                       I64Attr:$index_vector_dim, UnitAttr:$unique_indices);
  let results = (outs Variadic<Cleave_Tensor>);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = [{
    `(` $inputs `)` `at` $scatter_indices `with` `(` $updates `)` attr-dict
    `:` functional-type(operands, results) $body
  }];
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    /// The kind of reduction of all results, when the body is one known op for each.
    std::optional<::cleave::ReductionKind> getSimpleKind();
  }];
}

def Cleave_SortOp : ShardablePrimitive<Cleave_Dialect, "sort",
    [SingleBlock, RecursiveMemoryEffects,
     DeclareOpInterfaceMethods<OwnKernelOpInterface, ["getWorkspaceTypes"]>]> {
  let description = [{
    Sorts all `inputs`, of one shape, together along `dimension` (0 or more). The body takes, for
    each input, the left and the right element (scalars), and yields whether left goes first. The
    sort is always stable. A body that is no strict weak order gives some permutation, the same
    wherever the op runs.
  }];
  let arguments = (ins Variadic<Cleave_Tensor>:$inputs, I64Attr:$dimension);
  let results = (outs Variadic<Cleave_Tensor>);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = [{
    `(` $inputs `)` `dimension` `=` $dimension attr-dict `:` functional-type(operands, results) $body
  }];
  let hasVerifier = 1;
}

def Cleave_RngAlgorithm : I32EnumAttr<"RngAlgorithm", "", [
    I32EnumAttrCase<"ThreeFry", 0, "three_fry">, I32EnumAttrCase<"Philox", 1, "philox">]> {
  let cppNamespace = "::cleave::graph";
}

def Cleave_RngBitGeneratorOp : LocalizedPrimitive<Cleave_Dialect, "rng_bit_generator",
    [DeclareOpInterfaceMethods<OwnKernelOpInterface>]> {
  let description = [{
    Random bits from `initial_state` (key, then counter; ui64), and the state after them:
    ThreeFry-2x32 with 2 words of state or Philox-4x32 with 2 or 3 (Salmon et al., "Parallel random
    numbers: as easy as 1, 2, 3", SC 2011), with the order of bits that XLA gives them. Floats are
    given by their bits; those of 8 and 16 bits are the low ones of 32.

    ThreeFry makes two words from each counter. Elements of 64 bits take both, in row-major
    order. Narrower ones take turns along one dimension, the first of even size or else the
    first of the largest: its pairs share a counter. Philox makes four words, which go to
    elements in row-major order; of a state of 2 words, the key is the upper half of the counter.

    With a block, the output is the part at `offsets` (i32 scalars) of an output of `full_shape`,
    as far as it lies in it; other elements are unspecified. `output_state` is that of the whole.
  }];
  let arguments = (ins Cleave_RngAlgorithm:$algorithm, Cleave_IntTensor:$initial_state,
                       Variadic<Cleave_IntTensor>:$offsets,
                       OptionalAttr<DenseI64ArrayAttr>:$full_shape);
  let results = (outs Cleave_IntTensor:$output_state, Cleave_NumberTensor:$output);
  let assemblyFormat = [{
    $algorithm `,` $initial_state (`block` `at` `(` $offsets^ `)` `of` $full_shape)?
    attr-dict `:` functional-type(operands, results)
  }];
  let hasVerifier = 1;
  let builders = [OpBuilder<(ins "::mlir::TypeRange":$types, "RngAlgorithm":$algorithm,
                                 "::mlir::Value":$initialState), [{
    build($_builder, $_state, types, algorithm, initialState, ::mlir::ValueRange(),
          ::mlir::DenseI64ArrayAttr());
  }]>];
  let extraClassDeclaration = [{
    /// The shape of the output that the state advances by.
    ::llvm::ArrayRef<int64_t> getWholeShape() {
      return getFullShape() ? *getFullShape() : getOutput().getType().getShape();
    }
  }];
}

#endif // CLEAVE_GRAPH_INDEXEDPRIMITIVES_TD
