// The gradient of an embedding: each token adds a row to the table. Tokens are cut over "data", rows over "model": each
// rank takes, of its tokens, those whose row it has, by counting indices from the start of its block; what is out of
// bounds is dropped. The sums over "data" are completed by one all_reduce of half of the table.
//
// RUN: cleave-opt %s '-cleave-partition=mesh=data=2,model=2 shard=tokens=data;rows=data,-;out:0=model,-' | FileCheck %s
// RUN: %cleave explain %s --mesh data=2,model=2 --shard tokens=data --shard rows=data,- --shard out:0=model,- \
// RUN:   | FileCheck %s --check-prefix=EXPLAIN
// RUN: %cleave verify %s --mesh data=2,model=2 --shard tokens=data --shard rows=data,- --shard out:0=model,- \
// RUN:   --random-inputs 1 | FileCheck %s --check-prefix=VERIFY

// CHECK: %[[ZERO:.*]] = cleave.constant dense<0.000000e+00> : tensor<50x8xf32>
// CHECK: spmd.axis_index @mesh ["model"]
// CHECK: %[[LOCAL:.*]] = cleave.subtract {{.*}} : tensor<64x1xi32>
// CHECK: %[[PART:.*]] = cleave.scatter(%[[ZERO]]) at %[[LOCAL]] with(%arg1)
// CHECK: spmd.all_reduce sum %[[PART]] over @mesh ["data"]
// EXPLAIN: all_reduce  data   1600  tensor<50x8xf32>  once
// VERIFY: verified 1 of 1 outputs on 4 ranks

func.func @gradient(%tokens: tensor<128xi32> {cleave.name = "tokens"},
                    %rows: tensor<128x8xf32> {cleave.name = "rows"}) -> tensor<100x8xf32> {
  %zero = cleave.constant dense<0.0> : tensor<100x8xf32>
  %table = cleave.scatter(%zero) at %tokens with (%rows)
      {update_window_dims = array<i64: 1>, inserted_window_dims = array<i64: 0>,
       scatter_dims_to_operand_dims = array<i64: 0>, index_vector_dim = 1}
      : (tensor<100x8xf32>, tensor<128xi32>, tensor<128x8xf32>) -> tensor<100x8xf32> {
  ^bb0(%present: tensor<f32>, %update: tensor<f32>):
    %sum = cleave.add %present, %update : tensor<f32>
    cleave.return %sum : tensor<f32>
  }
  return %table : tensor<100x8xf32>
}
