// f32: products by multiply-add.
func.func @main(%q0: tensor<1x70x2x64xf32>, %k0: tensor<1x70x2x64xf32>, %v0: tensor<1x70x2x64xf32>,
                %q1: tensor<2x5x6x32xf32>, %k1: tensor<2x40x2x32xf32>, %v1: tensor<2x40x2x32xf32>,
                %m1: tensor<2x6x5x40xf32>, %q2: tensor<1x17x2x128xf32>, %k2: tensor<1x35x1x128xf32>,
                %v2: tensor<1x35x1x128xf32>, %q3: tensor<1x20x1x96xf32>, %k3: tensor<1x33x1x96xf32>,
                %v3: tensor<1x33x1x96xf32>, %m3: tensor<1x1x20x33xf32>, %q4: tensor<2x7x3x13xf32>,
                %k4: tensor<2x19x3x13xf32>, %v4: tensor<2x19x3x11xf32>, %q5: tensor<1x3x4x80xf32>,
                %k5: tensor<1x64x1x80xf32>, %v5: tensor<1x64x1x72xf32>, %m5: tensor<1x1x1x64xf32>,
                %q6: tensor<1x1x16x64xf32>, %k6: tensor<1x50x2x64xf32>, %v6: tensor<1x50x2x64xf32>)
    -> (tensor<1x70x2x64xf32>, tensor<2x5x6x32xf32>, tensor<1x17x2x128xf32>, tensor<1x20x1x96xf32>, tensor<2x7x3x11xf32>, tensor<1x3x4x72xf32>, tensor<1x1x16x64xf32>) {
  %r0 = cleave.attention %q0, %k0, %v0 causal : (tensor<1x70x2x64xf32>, tensor<1x70x2x64xf32>, tensor<1x70x2x64xf32>) -> tensor<1x70x2x64xf32>
  %r1 = cleave.attention %q1, %k1, %v1 mask %m1 : (tensor<2x5x6x32xf32>, tensor<2x40x2x32xf32>, tensor<2x40x2x32xf32>, tensor<2x6x5x40xf32>) -> tensor<2x5x6x32xf32>
  %r2 = cleave.attention %q2, %k2, %v2 scale = 0.25 : (tensor<1x17x2x128xf32>, tensor<1x35x1x128xf32>, tensor<1x35x1x128xf32>) -> tensor<1x17x2x128xf32>
  %r3 = cleave.attention %q3, %k3, %v3 mask %m3 causal : (tensor<1x20x1x96xf32>, tensor<1x33x1x96xf32>, tensor<1x33x1x96xf32>, tensor<1x1x20x33xf32>) -> tensor<1x20x1x96xf32>
  %r4 = cleave.attention %q4, %k4, %v4 causal : (tensor<2x7x3x13xf32>, tensor<2x19x3x13xf32>, tensor<2x19x3x11xf32>) -> tensor<2x7x3x11xf32>
  %r5 = cleave.attention %q5, %k5, %v5 mask %m5 : (tensor<1x3x4x80xf32>, tensor<1x64x1x80xf32>, tensor<1x64x1x72xf32>, tensor<1x1x1x64xf32>) -> tensor<1x3x4x72xf32>
  %r6 = cleave.attention %q6, %k6, %v6 causal : (tensor<1x1x16x64xf32>, tensor<1x50x2x64xf32>, tensor<1x50x2x64xf32>) -> tensor<1x1x16x64xf32>
  return %r0, %r1, %r2, %r3, %r4, %r5, %r6 : tensor<1x70x2x64xf32>, tensor<2x5x6x32xf32>, tensor<1x17x2x128xf32>, tensor<1x20x1x96xf32>, tensor<2x7x3x11xf32>, tensor<1x3x4x72xf32>, tensor<1x1x16x64xf32>
}
