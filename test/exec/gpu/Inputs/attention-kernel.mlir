// A kernel of f32, whose products may be rounded to TF32.
func.func private @attend(%q: tensor<1x32x1x32xf32>, %k: tensor<1x32x1x32xf32>, %v: tensor<1x32x1x32xf32>)
    -> tensor<1x32x1x32xf32> attributes {cleave.kernel} {
  %r = cleave.attention %q, %k, %v : (tensor<1x32x1x32xf32>, tensor<1x32x1x32xf32>, tensor<1x32x1x32xf32>) -> tensor<1x32x1x32xf32>
  return %r : tensor<1x32x1x32xf32>
}
