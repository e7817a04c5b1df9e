// RUN: cleave-opt %s --split-input-file --verify-diagnostics --cleave-lower-library-kernels --cleave-map-kernels-to-gpu

func.func private @factor(%x: tensor<8x8xf32>) -> tensor<8x8xf32> attributes {cleave.kernel} {
  // expected-error @below {{is computed by a function of the host's library, which target cuda does not have}}
  %r = cleave.cholesky lower %x : (tensor<8x8xf32>) -> tensor<8x8xf32>
  return %r : tensor<8x8xf32>
}
