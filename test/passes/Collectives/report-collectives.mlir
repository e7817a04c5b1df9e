// RUN: cleave-opt %s -cleave-report-collectives -verify-diagnostics -o /dev/null

spmd.mesh @m <"x"=2, "y"=4>

// Gathering receives 3 pieces of 8 bytes, the sum 2 * 3 / 4 of 32.
// expected-remark@+1 {{collectives of @two: 2, bytes: 72}}
func.func @two(%a: tensor<2xf32>) -> tensor<8xf32> {
  %0 = spmd.all_gather %a dim 0 over @m ["y"] : tensor<2xf32> -> tensor<8xf32>
  %1 = spmd.all_reduce sum %0 over @m ["y"] : tensor<8xf32>
  return %1 : tensor<8xf32>
}

// A slice receives nothing, and a permutation that leaves all where it is neither.
// expected-remark@+1 {{collectives of @none: 1, bytes: 0}}
func.func @none(%a: tensor<8xf32>) -> tensor<2xf32> {
  %0 = spmd.all_slice %a dim 0 over @m ["y"] : tensor<8xf32> -> tensor<2xf32>
  %1 = spmd.collective_permute %0 over @m pairs [0, 0, 1, 1] : tensor<2xf32>
  return %1 : tensor<2xf32>
}
