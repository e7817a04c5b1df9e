//===- WindowPrimitives.td - Reductions and products over windows -*- tablegen -*-===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CLEAVE_GRAPH_WINDOWPRIMITIVES_TD
#define CLEAVE_GRAPH_WINDOWPRIMITIVES_TD

include "dialects/Graph/Primitives.td"

def Cleave_ReduceWindowOp : LocalizedPrimitive<Cleave_Dialect, "reduce_window",
    [SameVariadicOperandSize, SingleBlock, RecursiveMemoryEffects]> {
  let description = [{
    Each result element reduces a window of the inputs, which have been dilated and padded with the
    initial values. One entry per dimension in each attribute; `padding` has (low, high) pairs, which may be negative.
    The body takes the accumulators, then the elements, as that of `cleave.reduce`.
  }];
  let arguments = (ins Variadic<Cleave_Tensor>:$inputs, Variadic<Cleave_Tensor>:$inits,
                       DenseI64ArrayAttr:$window_dimensions, DenseI64ArrayAttr:$window_strides,
                       DenseI64ArrayAttr:$base_dilations, DenseI64ArrayAttr:$window_dilations,
                       DenseI64ArrayAttr:$padding);
  let results = (outs Variadic<Cleave_Tensor>);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = [{
    `(` $inputs `)` `init` `(` $inits `)` attr-dict `:` functional-type(operands, results) $body
  }];
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    /// The kind of reduction when the body is a single known op on one input.
    std::optional<::cleave::ReductionKind> getSimpleKind();
  }];
}

def Cleave_ConvolutionOp : LocalizedPrimitive<Cleave_Dialect, "convolution"> {
  let description = [{
    The convolution of the StableHLO specification. Attributes named after spatial dimensions have
    one entry per spatial dimension, `padding` a (low, high) pair for each. The element types of operands
    and result are those that `cleave.dot_general` takes.
  }];
  let arguments = (ins Cleave_Tensor:$lhs, Cleave_Tensor:$rhs,
                       DenseI64ArrayAttr:$window_strides, DenseI64ArrayAttr:$padding,
                       DenseI64ArrayAttr:$lhs_dilation, DenseI64ArrayAttr:$rhs_dilation,
                       DenseBoolArrayAttr:$window_reversal,
                       I64Attr:$input_batch_dimension, I64Attr:$input_feature_dimension,
                       DenseI64ArrayAttr:$input_spatial_dimensions,
                       I64Attr:$kernel_input_feature_dimension, I64Attr:$kernel_output_feature_dimension,
                       DenseI64ArrayAttr:$kernel_spatial_dimensions,
                       I64Attr:$output_batch_dimension, I64Attr:$output_feature_dimension,
                       DenseI64ArrayAttr:$output_spatial_dimensions,
                       I64Attr:$feature_group_count, I64Attr:$batch_group_count);
  let results = (outs Cleave_Tensor:$result);
  let assemblyFormat = [{
    $lhs `,` $rhs attr-dict `:` functional-type(operands, results)
  }];
  let hasVerifier = 1;
}

#endif // CLEAVE_GRAPH_WINDOWPRIMITIVES_TD
