// Layer normalisation over a sharded dimension: one all_gather of two numbers
// per row (mean and sum of squared distances) from three other ranks. Sums of
// squares would have no correct digit at a mean of 10000 and a deviation of 1.
//
// RUN: mkdir -p %t
// RUN: %python -c "import numpy as np; \
// RUN:   x = np.random.default_rng(1).normal(1e4, 1, (8, 30)); \
// RUN:   np.save(r'%t/x.npy', x.astype(np.float32))"
// RUN: %python %S/check.py %cleave %s all_gather:192 --mesh model=4 \
// RUN:   --shard x=-,model --shard scale=model --shard bias=model --shard out:0=-,model \
// RUN:   --input x=%t/x.npy --random-inputs 1

func.func @norm(%x: tensor<8x30xf32> {cleave.name = "x"},
                %scale: tensor<30xf32> {cleave.name = "scale"},
                %bias: tensor<30xf32> {cleave.name = "bias"}) -> tensor<8x30xf32> {
  %y = cleave.layer_norm %x, %scale, %bias, epsilon = 1.0e-5
    : (tensor<8x30xf32>, tensor<30xf32>, tensor<30xf32>) -> tensor<8x30xf32>
  return %y : tensor<8x30xf32>
}
