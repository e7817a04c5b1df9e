// The gradient of a table look-up: rows are added to where they came from.
//
// Tokens over ranks: each adds its own into zeros, but for one which starts from
// what is there, and one all_reduce of the table (40x6) completes it.
// RUN: %python %S/check.py %cleave %s all_reduce:1440 --mesh data=4 \
// RUN:   --shard ids=data --shard updates=data,- --shard out:0=-,-
// More tokens than rows, rows wanted in parts: a reduce_scatter.
// RUN: %python %S/check.py %cleave %s reduce_scatter:720 --mesh data=4 \
// RUN:   --shard ids=data --shard updates=data,- --shard out:0=data,-
// Rows or columns over ranks: each takes the updates for its part.
// RUN: %python %S/check.py %cleave %s none --mesh model=4 --shard table=model,-
// RUN: %python %S/check.py %cleave %s none --mesh model=3 --shard table=model,-
// RUN: %python %S/check.py %cleave %s none --mesh model=3 --shard table=-,model \
// RUN:   --shard updates=-,model
// Tokens over one axis, rows or columns over another: half of the table.
// RUN: %python %S/check.py %cleave %s all_reduce:480 --mesh data=2,model=2 \
// RUN:   --shard table=model,- --shard ids=data --shard updates=data,- --shard out:0=model,-
// RUN: %python %S/check.py %cleave %s all_reduce:480 --mesh data=2,model=2 \
// RUN:   --shard table=-,model --shard ids=data --shard updates=data,model --shard out:0=-,model
// Nothing divides.
// RUN: %python %S/check.py %cleave %s any --mesh data=5,model=3 \
// RUN:   --shard table=model,- --shard ids=data --shard updates=data,- --shard out:0=-,-

func.func @embedding_gradient(%table: tensor<40x6xf32> {cleave.name = "table"},
                              %ids: tensor<200xi32> {cleave.name = "ids"},
                              %updates: tensor<200x6xf32> {cleave.name = "updates"}) -> tensor<40x6xf32> {
  %r = cleave.scatter(%table) at %ids with (%updates)
      {update_window_dims = array<i64: 1>, inserted_window_dims = array<i64: 0>,
       scatter_dims_to_operand_dims = array<i64: 0>, index_vector_dim = 1}
      : (tensor<40x6xf32>, tensor<200xi32>, tensor<200x6xf32>) -> tensor<40x6xf32> {
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = cleave.add %a, %b : tensor<f32>
    cleave.return %s : tensor<f32>
  }
  return %r : tensor<40x6xf32>
}
