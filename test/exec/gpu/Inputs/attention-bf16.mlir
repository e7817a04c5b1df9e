// bf16: products by tensor cores, with f32 sums.
func.func @main(%q0: tensor<1x70x2x64xbf16>, %k0: tensor<1x70x2x64xbf16>, %v0: tensor<1x70x2x64xbf16>,
                %q1: tensor<2x5x6x32xbf16>, %k1: tensor<2x40x2x32xbf16>, %v1: tensor<2x40x2x32xbf16>,
                %m1: tensor<2x6x5x40xbf16>, %q2: tensor<1x17x2x128xbf16>, %k2: tensor<1x65x1x128xbf16>,
                %v2: tensor<1x65x1x128xbf16>, %q3: tensor<1x20x1x96xbf16>, %k3: tensor<1x33x1x96xbf16>,
                %v3: tensor<1x33x1x96xbf16>, %m3: tensor<1x1x20x33xbf16>, %q4: tensor<2x7x3x13xbf16>,
                %k4: tensor<2x19x3x13xbf16>, %v4: tensor<2x19x3x11xbf16>, %q5: tensor<1x3x4x80xbf16>,
                %k5: tensor<1x64x1x80xbf16>, %v5: tensor<1x64x1x72xbf16>, %m5: tensor<1x1x1x64xbf16>,
                %q6: tensor<1x1x16x64xbf16>, %k6: tensor<1x50x2x64xbf16>, %v6: tensor<1x50x2x64xbf16>)
    -> (tensor<1x70x2x64xbf16>, tensor<2x5x6x32xbf16>, tensor<1x17x2x128xbf16>, tensor<1x20x1x96xbf16>, tensor<2x7x3x11xbf16>, tensor<1x3x4x72xbf16>, tensor<1x1x16x64xbf16>) {
  %r0 = cleave.attention %q0, %k0, %v0 causal : (tensor<1x70x2x64xbf16>, tensor<1x70x2x64xbf16>, tensor<1x70x2x64xbf16>) -> tensor<1x70x2x64xbf16>
  %r1 = cleave.attention %q1, %k1, %v1 mask %m1 : (tensor<2x5x6x32xbf16>, tensor<2x40x2x32xbf16>, tensor<2x40x2x32xbf16>, tensor<2x6x5x40xbf16>) -> tensor<2x5x6x32xbf16>
  %r2 = cleave.attention %q2, %k2, %v2 scale = 0.25 : (tensor<1x17x2x128xbf16>, tensor<1x65x1x128xbf16>, tensor<1x65x1x128xbf16>) -> tensor<1x17x2x128xbf16>
  %r3 = cleave.attention %q3, %k3, %v3 mask %m3 causal : (tensor<1x20x1x96xbf16>, tensor<1x33x1x96xbf16>, tensor<1x33x1x96xbf16>, tensor<1x1x20x33xbf16>) -> tensor<1x20x1x96xbf16>
  %r4 = cleave.attention %q4, %k4, %v4 causal : (tensor<2x7x3x13xbf16>, tensor<2x19x3x13xbf16>, tensor<2x19x3x11xbf16>) -> tensor<2x7x3x11xbf16>
  %r5 = cleave.attention %q5, %k5, %v5 mask %m5 : (tensor<1x3x4x80xbf16>, tensor<1x64x1x80xbf16>, tensor<1x64x1x72xbf16>, tensor<1x1x1x64xbf16>) -> tensor<1x3x4x72xbf16>
  %r6 = cleave.attention %q6, %k6, %v6 causal : (tensor<1x1x16x64xbf16>, tensor<1x50x2x64xbf16>, tensor<1x50x2x64xbf16>) -> tensor<1x1x16x64xbf16>
  return %r0, %r1, %r2, %r3, %r4, %r5, %r6 : tensor<1x70x2x64xbf16>, tensor<2x5x6x32xbf16>, tensor<1x17x2x128xbf16>, tensor<1x20x1x96xbf16>, tensor<2x7x3x11xbf16>, tensor<1x3x4x72xbf16>, tensor<1x1x16x64xbf16>
}
