// Attention of f32 beside attention of f64, which no kernel of TF32 computes. An operand x of a product
// becomes x (1 + e) with |e| <= u = 2^-11. A score then errs by at most 2 u of the sum of |q| |k| scale, and
// a row of weights, with a score error of at most d, by a factor between exp(-2 d) and exp(2 d); rounding weights
// and values adds 2 u. To first order the result errs by (2 d + 2 u) sum(weight |value|); a tenth is
// for higher orders, and for sums in f32. The result is whether each element keeps that bound.
func.func @main(%q: tensor<1x32x2x16xf32>, %k: tensor<1x64x2x16xf32>, %v: tensor<1x64x2x32xf32>) -> tensor<i1> {
  %u = cleave.constant dense<4.8828125e-04> : tensor<f64>
  %r = cleave.attention %q, %k, %v scale = 0.25
      : (tensor<1x32x2x16xf32>, tensor<1x64x2x16xf32>, tensor<1x64x2x32xf32>) -> tensor<1x32x2x32xf32>
  %wq = cleave.convert %q : (tensor<1x32x2x16xf32>) -> tensor<1x32x2x16xf64>
  %wk = cleave.convert %k : (tensor<1x64x2x16xf32>) -> tensor<1x64x2x16xf64>
  %wv = cleave.convert %v : (tensor<1x64x2x32xf32>) -> tensor<1x64x2x32xf64>
  %aq = cleave.abs %wq : tensor<1x32x2x16xf64>
  %ak = cleave.abs %wk : tensor<1x64x2x16xf64>
  %av = cleave.abs %wv : tensor<1x64x2x32xf64>
  %exact = cleave.attention %wq, %wk, %wv scale = 0.25
      : (tensor<1x32x2x16xf64>, tensor<1x64x2x16xf64>, tensor<1x64x2x32xf64>) -> tensor<1x32x2x32xf64>
  %mixed = cleave.attention %wq, %wk, %av scale = 0.25
      : (tensor<1x32x2x16xf64>, tensor<1x64x2x16xf64>, tensor<1x64x2x32xf64>) -> tensor<1x32x2x32xf64>

  // d: 2 u scale max over keys of the sum of |q| |k|.
  %sums = cleave.dot_general %aq, %ak, batching_dims = [0, 2] x [0, 2], contracting_dims = [3] x [3]
      : (tensor<1x32x2x16xf64>, tensor<1x64x2x16xf64>) -> tensor<1x2x32x64xf64>
  %low = cleave.constant dense<0.0> : tensor<f64>
  %top = cleave.reduce(%sums init: %low) applies cleave.maximum across dimensions = [3]
      : (tensor<1x2x32x64xf64>, tensor<f64>) -> tensor<1x2x32xf64>
  // Twice that and 2 u, with the tenth: 1.1 u (4 scale top + 2), where the scale is a quarter.
  %two = cleave.constant dense<2.0> : tensor<1x2x32xf64>
  %tenth = cleave.constant dense<1.1> : tensor<1x2x32xf64>
  %t1 = cleave.add %top, %two : tensor<1x2x32xf64>
  %t2 = cleave.multiply %t1, %tenth : tensor<1x2x32xf64>
  %unit = cleave.broadcast_in_dim %u, dims = [] : (tensor<f64>) -> tensor<1x2x32xf64>
  %t3 = cleave.multiply %t2, %unit : tensor<1x2x32xf64>
  %factor = cleave.broadcast_in_dim %t3, dims = [0, 2, 1] : (tensor<1x2x32xf64>) -> tensor<1x32x2x32xf64>
  %bound = cleave.multiply %factor, %mixed : tensor<1x32x2x32xf64>

  %wr = cleave.convert %r : (tensor<1x32x2x32xf32>) -> tensor<1x32x2x32xf64>
  %d0 = cleave.subtract %wr, %exact : tensor<1x32x2x32xf64>
  %d1 = cleave.abs %d0 : tensor<1x32x2x32xf64>
  %within = cleave.compare LE, %d1, %bound : (tensor<1x32x2x32xf64>, tensor<1x32x2x32xf64>) -> tensor<1x32x2x32xi1>
  %true = cleave.constant dense<true> : tensor<i1>
  %all = cleave.reduce(%within init: %true) applies cleave.and across dimensions = [0, 1, 2, 3]
      : (tensor<1x32x2x32xi1>, tensor<i1>) -> tensor<i1>
  return %all : tensor<i1>
}
