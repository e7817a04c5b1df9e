// RUN: cleave-opt %s --cleave-convert-kernels-to-linalg --split-input-file | FileCheck %s

// Unsigned integers become signless; the signedness is in the operation. An i1
// is an i8, and splat constants are in the body.
// CHECK-LABEL: func private @integers
// CHECK-SAME: (%arg0: tensor<8xi8>, %arg1: tensor<8xi8>) -> tensor<8xi8>
// CHECK: linalg.generic
// CHECK: %[[C:.*]] = arith.constant 3 : i8
// CHECK: arith.maxui %{{.*}}, %[[C]] : i8
// CHECK: arith.cmpi ult
// CHECK: arith.extui %{{.*}} : i1 to i8
func.func private @integers(%a: tensor<8xui8>, %b: tensor<8xui8>) -> tensor<8xi1> attributes {cleave.kernel} {
  %c = cleave.constant dense<3> : tensor<8xui8>
  %m = cleave.maximum %a, %c : tensor<8xui8>
  %r = cleave.compare LT, %m, %b : (tensor<8xui8>, tensor<8xui8>) -> tensor<8xi1>
  return %r : tensor<8xi1>
}

// -----

// Division is defined for all operands.
// CHECK-LABEL: func private @divide
// CHECK: %[[ZERO:.*]] = arith.cmpi eq
// CHECK: %[[ONE:.*]] = arith.cmpi eq
// CHECK: %[[SPECIAL:.*]] = arith.ori %[[ZERO]], %[[ONE]]
// CHECK: %[[BY:.*]] = arith.select %[[SPECIAL]]
// CHECK: arith.divsi %{{.*}}, %[[BY]]
func.func private @divide(%a: tensor<8xi32>, %b: tensor<8xi32>) -> tensor<8xi32> attributes {cleave.kernel} {
  %r = cleave.divide %a, %b : tensor<8xi32>
  return %r : tensor<8xi32>
}

// -----

// Narrow floats are stored as bits, computed in f32 and rounded once per op.
// CHECK-LABEL: func private @half
// CHECK-SAME: (%arg0: tensor<8xi16>) -> tensor<8xi16>
// CHECK: arith.bitcast %{{.*}} : i16 to f16
// CHECK: arith.extf %{{.*}} : f16 to f32
// CHECK: math.tanh %{{.*}} : f32
// CHECK: arith.truncf %{{.*}} : f32 to f16
func.func private @half(%a: tensor<8xf16>) -> tensor<8xf16> attributes {cleave.kernel} {
  %r = cleave.tanh %a : tensor<8xf16>
  return %r : tensor<8xf16>
}

// -----

// Parallel loops come first; a sum of bf16 is accumulated in f32.
// CHECK: #[[IN:.*]] = affine_map<(d0, d1, d2) -> (d0, d2, d1)>
// CHECK: #[[LOOPS:.*]] = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
// CHECK: #[[OUT:.*]] = affine_map<(d0, d1, d2) -> (d0, d1)>
// CHECK-LABEL: func private @reduce
// CHECK: linalg.fill {{.*}} -> tensor<2x4xf32>
// CHECK: linalg.generic {indexing_maps = [#[[IN]], #[[LOOPS]], #[[OUT]]], iterator_types = ["parallel", "parallel", "reduction"]}
// CHECK: arith.addf %{{.*}}, %{{.*}} : f32
func.func private @reduce(%a: tensor<2x3x4xbf16>) -> tensor<2x4xbf16> attributes {cleave.kernel} {
  %zero = cleave.constant dense<0.0> : tensor<bf16>
  %r = cleave.reduce(%a init: %zero) applies cleave.add across dimensions = [1] : (tensor<2x3x4xbf16>, tensor<bf16>) -> tensor<2x4xbf16>
  return %r : tensor<2x4xbf16>
}

// -----

// CHECK: #[[SLICE:.*]] = affine_map<(d0, d1) -> (d0 mod 8, d1 * 2 + 1)>
// CHECK-LABEL: func private @views
// CHECK: linalg.generic {indexing_maps = [#[[SLICE]]
// CHECK: tensor.insert_slice %{{.*}} into %{{.*}}[0, 0] [4, 3] [1, 1]
// CHECK: tensor.insert_slice %{{.*}} into %{{.*}}[0, 3] [4, 3] [1, 1]
func.func private @views(%a: tensor<8x7xf32>) -> tensor<4x6xf32> attributes {cleave.kernel} {
  %s = cleave.slice %a [0:4, 1:7:2] : (tensor<8x7xf32>) -> tensor<4x3xf32>
  %r = cleave.concatenate %s, %s, dim = 1 : (tensor<4x3xf32>, tensor<4x3xf32>) -> tensor<4x6xf32>
  return %r : tensor<4x6xf32>
}

// -----

// CHECK-LABEL: func private @embedding
// CHECK: %[[I:.*]] = arith.index_cast %{{.*}} : i32 to index
// CHECK: arith.maxsi %[[I]]
// CHECK: %[[ROW:.*]] = arith.minsi
// CHECK: %[[COL:.*]] = linalg.index 1
// CHECK: tensor.extract %arg0[%[[ROW]], %[[COL]]]
func.func private @embedding(%t: tensor<10x16xf32>, %i: tensor<5xi32>) -> tensor<5x16xf32> attributes {cleave.kernel} {
  %r = cleave.gather %t, %i, offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1, slice_sizes = [1, 16] : (tensor<10x16xf32>, tensor<5xi32>) -> tensor<5x16xf32>
  return %r : tensor<5x16xf32>
}

// -----

// Windows, then their taps.
// CHECK: #[[IN:.*]] = affine_map<(d0, d1, d2) -> (d0, d1 * 2 + d2 * 3)>
// CHECK: #[[LOOPS:.*]] = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
// CHECK: #[[OUT:.*]] = affine_map<(d0, d1, d2) -> (d0, d1)>
// CHECK-LABEL: func private @windows
// CHECK: linalg.generic {indexing_maps = [#[[IN]], #[[LOOPS]], #[[OUT]]], iterator_types = ["parallel", "parallel", "reduction"]} ins(%arg0, %{{.*}} : tensor<3x9xf32>, tensor<3x3x2xi8>)
// CHECK: arith.maximumf
func.func private @windows(%a: tensor<3x9xf32>, %b: tensor<f32>) -> tensor<3x3xf32> attributes {cleave.kernel} {
  %r = cleave.reduce_window(%a) init(%b) {window_dimensions = array<i64: 1, 2>, window_strides = array<i64: 1, 2>, base_dilations = array<i64: 1, 1>, window_dilations = array<i64: 1, 3>, padding = array<i64: 0, 0, 0, 0>} : (tensor<3x9xf32>, tensor<f32>) -> tensor<3x3xf32> {
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %sum = cleave.maximum %x, %y : tensor<f32>
    cleave.return %sum : tensor<f32>
  }
  return %r : tensor<3x3xf32>
}

// -----

// The loop over the scanned dimension comes last, from its end here.
// CHECK: #[[SCAN:.*]] = affine_map<(d0, d1) -> (-d1 + 8, d0)>
// CHECK-LABEL: func private @scan
// CHECK: linalg.generic {indexing_maps = [#[[SCAN]], #{{.*}}, #{{.*}}, #[[SCAN]]], iterator_types = ["parallel", "reduction"]} ins(%arg0, %{{.*}}, %{{.*}} : tensor<9x3xi32>, i32, tensor<3x9xi8>)
// CHECK-SAME: attrs = {cleave.scan}
// CHECK: arith.addi
func.func private @scan(%a: tensor<9x3xi32>) -> tensor<9x3xi32> attributes {cleave.kernel} {
  %b = cleave.constant dense<0> : tensor<i32>
  %r = cleave.reduce_window(%a) init(%b) {window_dimensions = array<i64: 9, 1>, window_strides = array<i64: 1, 1>, base_dilations = array<i64: 1, 1>, window_dilations = array<i64: 1, 1>, padding = array<i64: 0, 8, 0, 0>} : (tensor<9x3xi32>, tensor<i32>) -> tensor<9x3xi32> {
  ^bb0(%x: tensor<i32>, %y: tensor<i32>):
    %sum = cleave.add %x, %y : tensor<i32>
    cleave.return %sum : tensor<i32>
  }
  return %r : tensor<9x3xi32>
}

// -----

// A loop over groups, around their features; sums of f16 in f32.
// CHECK: #[[LHS:.*]] = affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d1 + d4, d2 * 2 + d5)>
// CHECK: #[[RHS:.*]] = affine_map<(d0, d1, d2, d3, d4, d5) -> (d4, d5, d2 * 3 + d3)>
// CHECK: #[[OUT:.*]] = affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d1, d2 * 3 + d3)>
// CHECK-LABEL: func private @convolution
// CHECK: linalg.generic {indexing_maps = [#[[LHS]], #[[RHS]], #{{.*}}, #[[OUT]]], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction"]}
// CHECK: arith.mulf %{{.*}}, %{{.*}} : f32
// CHECK: arith.addf %{{.*}}, %{{.*}} : f32
func.func private @convolution(%a: tensor<2x8x4xf16>, %b: tensor<3x2x6xf16>) -> tensor<2x6x6xf16> attributes {cleave.kernel} {
  %r = cleave.convolution %a, %b {window_strides = array<i64: 1>, padding = array<i64: 0, 0>, lhs_dilation = array<i64: 1>, rhs_dilation = array<i64: 1>, window_reversal = array<i1: false>, input_batch_dimension = 0, input_feature_dimension = 2, input_spatial_dimensions = array<i64: 1>, kernel_input_feature_dimension = 1, kernel_output_feature_dimension = 2, kernel_spatial_dimensions = array<i64: 0>, output_batch_dimension = 0, output_feature_dimension = 2, output_spatial_dimensions = array<i64: 1>, feature_group_count = 2, batch_group_count = 1} : (tensor<2x8x4xf16>, tensor<3x2x6xf16>) -> tensor<2x6x6xf16>
  return %r : tensor<2x6x6xf16>
}
