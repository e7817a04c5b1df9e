// Single elements by two coordinates: the table stays cut along either or both,
// and one all_reduce of what is found (50 elements) follows.
//
// RUN: %python %S/check.py %cleave %s all_reduce:300 --mesh x=4 --shard table=x,-
// RUN: %python %S/check.py %cleave %s all_reduce:300 --mesh x=4 --shard table=-,x
// RUN: %python %S/check.py %cleave %s all_reduce:300 --mesh x=2,y=2 --shard table=x,y
// RUN: %python %S/check.py %cleave %s any --mesh x=3,y=2 --shard table=y,x

func.func @elements(%table: tensor<60x70xf32> {cleave.name = "table"},
                    %points: tensor<50x2xi64> {cleave.name = "points"}) -> tensor<50xf32> {
  %r = cleave.gather %table, %points, offset_dims = [], collapsed_slice_dims = [0, 1], start_index_map = [0, 1],
      index_vector_dim = 1, slice_sizes = [1, 1] : (tensor<60x70xf32>, tensor<50x2xi64>) -> tensor<50xf32>
  return %r : tensor<50xf32>
}
