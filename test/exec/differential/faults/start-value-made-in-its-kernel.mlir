// RUN: cleave-differential --file %s
// The last op joins the kernels of both of its operands, one of which computes
// the value from which the other's reduction starts: it was read before it was
// written.

spmd.mesh @mesh <"x"=2>
func.func @main(%low: tensor<f16>, %high: tensor<f16>, %x: tensor<2xf16>, %y: tensor<f16>) -> tensor<f16> {
  %0 = cleave.clamp %low, %y, %high : (tensor<f16>, tensor<f16>, tensor<f16>) -> tensor<f16>
  %1 = cleave.reduce(%x init: %0) applies cleave.add across dimensions = [0] : (tensor<2xf16>, tensor<f16>) -> tensor<f16>
  %2 = cleave.clamp %1, %0, %1 : (tensor<f16>, tensor<f16>, tensor<f16>) -> tensor<f16>
  return %2 : tensor<f16>
}
