// RUN: cleave-opt %s --cleave-lower-library-kernels -verify-diagnostics

func.func private @kernel(%a: tensor<3x3xf64>) -> tensor<3x3xf64> attributes {cleave.kernel} {
  %0 = cleave.negate %a : tensor<3x3xf64>
  // expected-error@+1 {{'cleave.cholesky' op must be alone in its kernel, with the arguments as operands and all results returned}}
  %1 = cleave.cholesky lower %0 : (tensor<3x3xf64>) -> tensor<3x3xf64>
  return %1 : tensor<3x3xf64>
}
