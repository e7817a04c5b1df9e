// RUN: cleave-opt %s -cleave-mask-padding -split-input-file | FileCheck %s

spmd.mesh @m <"x"=2, "y"=3>

// Over one axis: rank i has clamp(7 - 4i, 0, 4) valid rows.
func.func @sum(%a: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %0 = spmd.mask_padding sum %a dim 0 size 7 over @m ["x"] : tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}

// Over two, level by level.
func.func @nested(%a: tensor<8x2xi32>) -> tensor<8x2xi32> {
  %0 = spmd.mask_padding max %a dim 1 size 7 over @m ["x", "y"] : tensor<8x2xi32>
  return %0 : tensor<8x2xi32>
}

// Neutral elements.
func.func @neutral(%f: tensor<4xf32>, %i: tensor<4xi8>, %u: tensor<4xui8>, %b: tensor<4xi1>) {
  %0 = spmd.mask_padding sum %f dim 0 size 7 over @m ["x"] : tensor<4xf32>
  %1 = spmd.mask_padding max %f dim 0 size 7 over @m ["x"] : tensor<4xf32>
  %2 = spmd.mask_padding min %f dim 0 size 7 over @m ["x"] : tensor<4xf32>
  %3 = spmd.mask_padding prod %f dim 0 size 7 over @m ["x"] : tensor<4xf32>
  %4 = spmd.mask_padding max %i dim 0 size 7 over @m ["x"] : tensor<4xi8>
  %5 = spmd.mask_padding min %i dim 0 size 7 over @m ["x"] : tensor<4xi8>
  %6 = spmd.mask_padding max %u dim 0 size 7 over @m ["x"] : tensor<4xui8>
  %7 = spmd.mask_padding min %u dim 0 size 7 over @m ["x"] : tensor<4xui8>
  %8 = spmd.mask_padding and %b dim 0 size 7 over @m ["x"] : tensor<4xi1>
  %9 = spmd.mask_padding or %b dim 0 size 7 over @m ["x"] : tensor<4xi1>
  return
}
