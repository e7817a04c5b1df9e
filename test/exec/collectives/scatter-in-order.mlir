// Updates that replace elements: of several for one element the last one counts,
// so tokens are gathered, with the reason in `explain`. Rows over ranks need no
// communication all the same.
//
// RUN: %python %S/check.py %cleave %s all_gather:1152,all_gather:192 --mesh data=4 \
// RUN:   --shard ids=data --shard updates=data,-
// RUN: %cleave explain %s --mesh data=4 --shard ids=data --shard updates=data,- | FileCheck %s
// CHECK: cleave.scatter needs its operand 2 as
// RUN: %python %S/check.py %cleave %s none --mesh model=3 --shard table=model,-

func.func @replace(%table: tensor<40x6xf32> {cleave.name = "table"},
                   %ids: tensor<64xi32> {cleave.name = "ids"},
                   %updates: tensor<64x6xf32> {cleave.name = "updates"}) -> tensor<40x6xf32> {
  %r = cleave.scatter(%table) at %ids with (%updates)
      {update_window_dims = array<i64: 1>, inserted_window_dims = array<i64: 0>,
       scatter_dims_to_operand_dims = array<i64: 0>, index_vector_dim = 1}
      : (tensor<40x6xf32>, tensor<64xi32>, tensor<64x6xf32>) -> tensor<40x6xf32> {
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    cleave.return %b : tensor<f32>
  }
  return %r : tensor<40x6xf32>
}
