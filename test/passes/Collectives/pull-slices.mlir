// The bytes before and after are checked, too.
// RUN: cleave-opt %s -cleave-report-collectives -cleave-pull-slices -cleave-form-reduce-scatters \
// RUN:     -cleave-report-collectives 2> %t.bytes | FileCheck %s
// RUN: FileCheck %s --check-prefix=BYTES < %t.bytes

spmd.mesh @m <"x"=2, "y"=4>

// CHECK-LABEL: func.func @cancel(
// CHECK-SAME: %[[A:.*]]: tensor<2x8xf32>
// CHECK-NEXT: return %[[A]]
func.func @cancel(%a: tensor<2x8xf32>) -> tensor<2x8xf32> {
  %0 = spmd.all_gather %a dim 0 over @m ["y"] : tensor<2x8xf32> -> tensor<7x8xf32>
  %1 = spmd.all_slice %0 dim 0 over @m ["y"] : tensor<7x8xf32> -> tensor<2x8xf32>
  return %1 : tensor<2x8xf32>
}

// CHECK-LABEL: func.func @other_dimension(
// CHECK-NEXT: spmd.all_gather
// CHECK-NEXT: spmd.all_slice
// CHECK-NEXT: spmd.all_slice
// CHECK-NEXT: return
func.func @other_dimension(%a: tensor<2x8xf32>) -> (tensor<8x2xf32>, tensor<4x8xf32>) {
  %0 = spmd.all_gather %a dim 0 over @m ["y"] : tensor<2x8xf32> -> tensor<8x8xf32>
  %1 = spmd.all_slice %0 dim 1 over @m ["y"] : tensor<8x8xf32> -> tensor<8x2xf32>
  %2 = spmd.all_slice %0 dim 0 over @m ["x"] : tensor<8x8xf32> -> tensor<4x8xf32>
  return %1, %2 : tensor<8x2xf32>, tensor<4x8xf32>
}

// Elementwise ops and a transposition on pieces; what is whole is cut. Uneven: 7 over 4 ranks.
// CHECK-LABEL: func.func @chain(
// CHECK-SAME: %[[A:.*]]: tensor<2x8xf32>, %[[B:.*]]: tensor<8x7xf32>
// CHECK-NOT: spmd.all_gather
// CHECK-DAG: %[[T:.*]] = cleave.tanh %[[A]] : tensor<2x8xf32>
// CHECK-DAG: %[[P:.*]] = cleave.transpose %[[T]], dims = [1, 0] : (tensor<2x8xf32>) -> tensor<8x2xf32>
// CHECK-DAG: %[[S:.*]] = spmd.all_slice %[[B]] dim 1 over @m ["y"] : tensor<8x7xf32> -> tensor<8x2xf32>
// CHECK: %[[R:.*]] = cleave.maximum %[[P]], %[[S]] : tensor<8x2xf32>
// CHECK-NEXT: return %[[R]]
func.func @chain(%a: tensor<2x8xf32>, %b: tensor<8x7xf32>) -> tensor<8x2xf32> {
  %0 = spmd.all_gather %a dim 0 over @m ["y"] : tensor<2x8xf32> -> tensor<7x8xf32>
  %1 = cleave.tanh %0 : tensor<7x8xf32>
  %2 = cleave.transpose %1, dims = [1, 0] : (tensor<7x8xf32>) -> tensor<8x7xf32>
  %3 = cleave.maximum %2, %b : tensor<8x7xf32>
  %4 = spmd.all_slice %3 dim 1 over @m ["y"] : tensor<8x7xf32> -> tensor<8x2xf32>
  return %4 : tensor<8x2xf32>
}

// A square uses its operand twice; rows of a product are rows of its left operand.
// CHECK-LABEL: func.func @product(
// CHECK-SAME: %[[A:.*]]: tensor<2x8xf32>, %[[W:.*]]: tensor<8x3xf32>
// CHECK-NEXT: %[[Q:.*]] = cleave.multiply %[[A]], %[[A]] : tensor<2x8xf32>
// CHECK-NEXT: %[[R:.*]] = cleave.linear %[[Q]], %[[W]] : (tensor<2x8xf32>, tensor<8x3xf32>) -> tensor<2x3xf32>
// CHECK-NEXT: return %[[R]]
func.func @product(%a: tensor<2x8xf32>, %w: tensor<8x3xf32>) -> tensor<2x3xf32> {
  %0 = spmd.all_gather %a dim 0 over @m ["y"] : tensor<2x8xf32> -> tensor<8x8xf32>
  %1 = cleave.multiply %0, %0 : tensor<8x8xf32>
  %2 = cleave.linear %1, %w : (tensor<8x8xf32>, tensor<8x3xf32>) -> tensor<8x3xf32>
  %3 = spmd.all_slice %2 dim 0 over @m ["y"] : tensor<8x3xf32> -> tensor<2x3xf32>
  return %3 : tensor<2x3xf32>
}

// The sum is needed by pieces only, behind ops that are not linear.
// CHECK-LABEL: func.func @scatter(
// CHECK-SAME: %[[A:.*]]: tensor<8x3xf32>
// CHECK-NEXT: %[[S:.*]] = spmd.reduce_scatter sum %[[A]] dim 0 over @m ["y"] cause "c" : tensor<8x3xf32> -> tensor<2x3xf32>
// CHECK-NEXT: %[[E:.*]] = cleave.exponential %[[S]] : tensor<2x3xf32>
// CHECK-NEXT: %[[N:.*]] = cleave.softmax %[[E]], dim = 1 : tensor<2x3xf32>
// CHECK-NEXT: return %[[N]]
func.func @scatter(%a: tensor<8x3xf32>) -> tensor<2x3xf32> {
  %0 = spmd.all_reduce sum %a over @m ["y"] cause "c" : tensor<8x3xf32>
  %1 = cleave.exponential %0 : tensor<8x3xf32>
  %2 = cleave.softmax %1, dim = 1 : tensor<8x3xf32>
  %3 = spmd.all_slice %2 dim 0 over @m ["y"] : tensor<8x3xf32> -> tensor<2x3xf32>
  return %3 : tensor<2x3xf32>
}

// Collectives over other axes have a quarter to move.
// CHECK-LABEL: func.func @across(
// CHECK-SAME: %[[A:.*]]: tensor<8x3xf32>
// CHECK-NEXT: %[[S:.*]] = spmd.all_slice %[[A]] dim 0 over @m ["y"] : tensor<8x3xf32> -> tensor<2x3xf32>
// CHECK-NEXT: %[[R:.*]] = spmd.all_reduce max %[[S]] over @m ["x"] cause "c" : tensor<2x3xf32>
// CHECK-NEXT: %[[G:.*]] = spmd.all_gather %[[R]] dim 1 over @m ["x"] cause "d" : tensor<2x3xf32> -> tensor<2x6xf32>
// CHECK-NEXT: return %[[G]]
func.func @across(%a: tensor<8x3xf32>) -> tensor<2x6xf32> {
  %0 = spmd.all_reduce max %a over @m ["x"] cause "c" : tensor<8x3xf32>
  %1 = spmd.all_gather %0 dim 1 over @m ["x"] cause "d" : tensor<8x3xf32> -> tensor<8x6xf32>
  %2 = spmd.all_slice %1 dim 0 over @m ["y"] : tensor<8x6xf32> -> tensor<2x6xf32>
  return %2 : tensor<2x6xf32>
}

// A factor that is the same on all ranks need not be whole when its product with a partial sum is scattered.
// CHECK-LABEL: func.func @scatter_product(
// CHECK-SAME: %[[G:.*]]: tensor<2x3xf32> {{.*}}, %[[P:.*]]: tensor<8x3xf32>
// CHECK-NEXT: %[[S:.*]] = spmd.reduce_scatter sum %[[P]] dim 0 over @m ["y"] cause "c" : tensor<8x3xf32> -> tensor<2x3xf32>
// CHECK-NEXT: %[[R:.*]] = cleave.multiply %[[G]], %[[S]] : tensor<2x3xf32>
// CHECK-NEXT: return %[[R]]
func.func @scatter_product(%g: tensor<2x3xf32> {spmd.sharding = #spmd.sharding<@m, [{"y"}, {}]>}, %p: tensor<8x3xf32>) -> tensor<2x3xf32> {
  %0 = spmd.all_gather %g dim 0 over @m ["y"] : tensor<2x3xf32> -> tensor<8x3xf32>
  %1 = cleave.multiply %0, %p : tensor<8x3xf32>
  %2 = spmd.reduce_scatter sum %1 dim 0 over @m ["y"] cause "c" : tensor<8x3xf32> -> tensor<2x3xf32>
  return %2 : tensor<2x3xf32>
}

// The factor differs between the ranks: each rank's term has another one.
// CHECK-LABEL: func.func @scatter_other_product(
// CHECK-NEXT: spmd.all_gather
// CHECK-NEXT: cleave.multiply
// CHECK-NEXT: cleave.multiply
// CHECK-NEXT: spmd.reduce_scatter
// CHECK-NEXT: return
func.func @scatter_other_product(%g: tensor<2x3xf32>, %h: tensor<8x3xf32>, %p: tensor<8x3xf32>) -> tensor<2x3xf32> {
  %0 = spmd.all_gather %g dim 0 over @m ["y"] : tensor<2x3xf32> -> tensor<8x3xf32>
  %1 = cleave.multiply %0, %h : tensor<8x3xf32>
  %2 = cleave.multiply %1, %p : tensor<8x3xf32>
  %3 = spmd.reduce_scatter sum %2 dim 0 over @m ["y"] : tensor<8x3xf32> -> tensor<2x3xf32>
  return %3 : tensor<2x3xf32>
}

// Something else needs the whole value; the dimension is reduced; a reshape does not keep the blocks.
// CHECK-LABEL: func.func @stay(
// CHECK-COUNT-3: spmd.all_gather
// CHECK-NOT: spmd.all_gather
// CHECK: return
func.func @stay(%a: tensor<2x8xf32>, %b: tensor<2x8xf32>, %c: tensor<2x3xf32>)
    -> (tensor<8x8xf32>, tensor<2x8xf32>, tensor<2xf32>, tensor<2x8xf32>) {
  %0 = spmd.all_gather %a dim 0 over @m ["y"] : tensor<2x8xf32> -> tensor<8x8xf32>
  %1 = cleave.tanh %0 : tensor<8x8xf32>
  %2 = spmd.all_slice %1 dim 0 over @m ["y"] : tensor<8x8xf32> -> tensor<2x8xf32>
  %3 = spmd.all_gather %b dim 0 over @m ["y"] : tensor<2x8xf32> -> tensor<8x8xf32>
  %z = cleave.constant dense<0.0> : tensor<f32>
  %4 = cleave.reduce(%3 init: %z) applies cleave.add across dimensions = [0] : (tensor<8x8xf32>, tensor<f32>) -> tensor<8xf32>
  %5 = spmd.all_slice %4 dim 0 over @m ["y"] : tensor<8xf32> -> tensor<2xf32>
  %6 = spmd.all_gather %c dim 0 over @m ["y"] : tensor<2x3xf32> -> tensor<8x3xf32>
  %7 = cleave.reshape %6 : (tensor<8x3xf32>) -> tensor<3x8xf32>
  %8 = spmd.all_slice %7 dim 0 over @m ["x"] : tensor<3x8xf32> -> tensor<2x8xf32>
  return %1, %2, %5, %8 : tensor<8x8xf32>, tensor<2x8xf32>, tensor<2xf32>, tensor<2x8xf32>
}

// A gather of which another slice is used, over other axes first.
// CHECK-LABEL: func.func @through_a_slice(
// CHECK-SAME: %[[A:.*]]: tensor<2x8xf32>
// CHECK-NEXT: %[[S:.*]] = spmd.all_slice %[[A]] dim 1 over @m ["x"] : tensor<2x8xf32> -> tensor<2x4xf32>
// CHECK-NEXT: return %[[S]]
func.func @through_a_slice(%a: tensor<2x8xf32>) -> tensor<2x4xf32> {
  %0 = spmd.all_gather %a dim 0 over @m ["y"] : tensor<2x8xf32> -> tensor<8x8xf32>
  %1 = spmd.all_slice %0 dim 1 over @m ["x"] : tensor<8x8xf32> -> tensor<8x4xf32>
  %2 = spmd.all_slice %1 dim 0 over @m ["y"] : tensor<8x4xf32> -> tensor<2x4xf32>
  return %2 : tensor<2x4xf32>
}

// Two slices of one sum: each is a reduce_scatter, and neither goes before the other for ever.
// CHECK-LABEL: func.func @both_dimensions(
// CHECK-NEXT: %[[X:.*]] = spmd.reduce_scatter sum %{{.*}} dim 0 over @m ["x"] : tensor<8x8xf32> -> tensor<4x8xf32>
// CHECK-NEXT: %[[Y:.*]] = spmd.reduce_scatter sum %[[X]] dim 1 over @m ["y"] : tensor<4x8xf32> -> tensor<4x2xf32>
// CHECK-NEXT: %[[T:.*]] = cleave.tanh %[[Y]] : tensor<4x2xf32>
// CHECK-NEXT: return %[[T]]
func.func @both_dimensions(%a: tensor<8x8xf32>) -> tensor<4x2xf32> {
  %0 = spmd.all_reduce sum %a over @m ["y", "x"] : tensor<8x8xf32>
  %1 = spmd.all_slice %0 dim 0 over @m ["x"] : tensor<8x8xf32> -> tensor<4x8xf32>
  %2 = cleave.tanh %1 : tensor<4x8xf32>
  %3 = spmd.all_slice %2 dim 1 over @m ["y"] : tensor<4x8xf32> -> tensor<4x2xf32>
  return %3 : tensor<4x2xf32>
}

// Before, then after.
// BYTES: collectives of @cancel: 1, bytes: 192{{$}}
// BYTES: collectives of @other_dimension: 1, bytes: 192{{$}}
// BYTES: collectives of @chain: 1, bytes: 192{{$}}
// BYTES: collectives of @product: 1, bytes: 192{{$}}
// BYTES: collectives of @scatter: 1, bytes: 144{{$}}
// BYTES: collectives of @across: 2, bytes: 192{{$}}
// BYTES: collectives of @scatter_product: 2, bytes: 144{{$}}
// BYTES: collectives of @scatter_other_product: 2, bytes: 144{{$}}
// BYTES: collectives of @stay: 3, bytes: 456{{$}}
// BYTES: collectives of @through_a_slice: 1, bytes: 192{{$}}
// BYTES: collectives of @both_dimensions: 1, bytes: 448{{$}}
// BYTES: collectives of @cancel: 0, bytes: 0{{$}}
// BYTES: collectives of @other_dimension: 1, bytes: 192{{$}}
// BYTES: collectives of @chain: 0, bytes: 0{{$}}
// BYTES: collectives of @product: 0, bytes: 0{{$}}
// BYTES: collectives of @scatter: 1, bytes: 72{{$}}
// BYTES: collectives of @across: 2, bytes: 48{{$}}
// BYTES: collectives of @scatter_product: 1, bytes: 72{{$}}
// BYTES: collectives of @scatter_other_product: 2, bytes: 144{{$}}
// BYTES: collectives of @stay: 3, bytes: 456{{$}}
// BYTES: collectives of @through_a_slice: 0, bytes: 0{{$}}
// BYTES: collectives of @both_dimensions: 2, bytes: 224{{$}}
