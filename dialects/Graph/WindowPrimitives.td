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

    Of n elements, dilated to (n - 1) * base_dilation + 1 and then padded to p, windows of w taps, dilated to
    d = (w - 1) * window_dilation + 1, give (p - d) / stride + 1 results, rounded down, and none if d > p.

    ```mlir
    %y = cleave.reduce_window(%x) init(%lowest) {
        window_dimensions = array<i64: 1, 2>, window_strides = array<i64: 1, 2>, base_dilations = array<i64: 1, 1>,
        window_dilations = array<i64: 1, 1>, padding = array<i64: 0, 0, 0, 1>}
        : (tensor<4x7xf32>, tensor<f32>) -> tensor<4x4xf32> {
    ^bb0(%a: tensor<f32>, %e: tensor<f32>):
      %m = cleave.maximum %a, %e : tensor<f32>
      cleave.return %m : tensor<f32>
    }
    ```
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
    /// How windows walk over each dimension.
    ::llvm::SmallVector<::cleave::WindowDim> getWindows();
    void setWindows(::llvm::ArrayRef<::cleave::WindowDim> windows);
    /// Whether the op is a scan along one dimension: a simple kind, of which the window of each
    /// result has the elements up to it, or from it on, and whose padding changes nothing.
    std::optional<::cleave::ScanDim> getScan();
  }];
  let builders = [OpBuilder<(ins "::mlir::Value":$input, "::mlir::Value":$init,
      "::llvm::ArrayRef<::cleave::WindowDim>":$windows, "::cleave::ReductionKind":$kind)>];
}

def Cleave_ConvolutionOp : LocalizedPrimitive<Cleave_Dialect, "convolution"> {
  let description = [{
    The convolution of the StableHLO specification. Attributes named after spatial dimensions have
    one entry per spatial dimension, `padding` a (low, high) pair for each, which may be negative. The element types of
    operands and result are those that `cleave.dot_general` takes, and sums are made as there.

    Spatial sizes of the result follow from those of lhs (dilated by `lhs_dilation`, padded with zeros) and of the
    kernel rhs (dilated by `rhs_dilation`) as in `cleave.reduce_window`. With feature groups, the features of lhs
    and the output features of rhs are cut into as many parts, of which each is convolved with its counterpart; with
    batch groups, so are the batch of lhs and the output features of rhs. Parts of the result are concatenated
    along its features.

    ```mlir
    %y = cleave.convolution %x, %kernel {
        window_strides = array<i64: 2, 2>, padding = array<i64: 1, 1, 1, 1>, lhs_dilation = array<i64: 1, 1>,
        rhs_dilation = array<i64: 1, 1>, window_reversal = array<i1: false, false>,
        input_batch_dimension = 0, input_feature_dimension = 3, input_spatial_dimensions = array<i64: 1, 2>,
        kernel_input_feature_dimension = 2, kernel_output_feature_dimension = 3,
        kernel_spatial_dimensions = array<i64: 0, 1>,
        output_batch_dimension = 0, output_feature_dimension = 3, output_spatial_dimensions = array<i64: 1, 2>,
        feature_group_count = 1, batch_group_count = 1}
        : (tensor<8x56x56x64xf32>, tensor<3x3x64x128xf32>) -> tensor<8x28x28x128xf32>
    ```
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
  let extraClassDeclaration = [{
    /// How the kernel walks over each spatial dimension.
    ::llvm::SmallVector<::cleave::WindowDim> getWindows();
    void setWindows(::llvm::ArrayRef<::cleave::WindowDim> windows);
    /// Whether a cut along a spatial dimension cuts the taps, not the windows: there are more of them
    /// (in the gradient of a kernel, say), and each rank computes a term of all results.
    bool contractsTaps(unsigned spatial);
    int64_t getNumGroups() { return getFeatureGroupCount() * getBatchGroupCount(); }
  }];
}

#endif // CLEAVE_GRAPH_WINDOWPRIMITIVES_TD
