// The bytes before and after are checked, too.
// RUN: cleave-opt %s -cleave-report-collectives -cleave-sink-collectives -cleave-report-collectives 2> %t.bytes | FileCheck %s
// RUN: FileCheck %s --check-prefix=BYTES < %t.bytes

spmd.mesh @m <"x"=2, "y"=4>

//===----------------------------------------------------------------------===//
// Sums
//===----------------------------------------------------------------------===//

// CHECK-LABEL: func.func @add(
// CHECK-SAME: %[[A:.*]]: tensor<8xf32>, %[[B:.*]]: tensor<8xf32>
// CHECK-NEXT: %[[S:.*]] = cleave.add %[[A]], %[[B]]
// CHECK-NEXT: %[[R:.*]] = spmd.all_reduce sum %[[S]] over @m ["y"] cause "a; b" : tensor<8xf32>
// CHECK-NEXT: return %[[R]]
func.func @add(%a: tensor<8xf32>, %b: tensor<8xf32>) -> tensor<8xf32> {
  %0 = spmd.all_reduce sum %a over @m ["y"] cause "a" : tensor<8xf32>
  %1 = spmd.all_reduce sum %b over @m ["y"] cause "b" : tensor<8xf32>
  %2 = cleave.add %0, %1 : tensor<8xf32>
  return %2 : tensor<8xf32>
}

// Through ops that gain nothing by themselves to the subtraction where two sums meet. The factor is the same on all
// ranks along y, and the conversion is exact.
// CHECK-LABEL: func.func @meet(
// CHECK-SAME: %[[A:.*]]: tensor<8x4xf32>, %[[B:.*]]: tensor<4x8xbf16>, %[[F:[a-z0-9]*]]: tensor<8x4xf32>
// CHECK-NEXT: %[[M:.*]] = cleave.multiply %[[A]], %[[F]] : tensor<8x4xf32>
// CHECK-NEXT: %[[C:.*]] = cleave.convert %[[B]] : (tensor<4x8xbf16>) -> tensor<4x8xf32>
// CHECK-NEXT: %[[T:.*]] = cleave.transpose %[[C]], dims = [1, 0]
// CHECK-NEXT: %[[S:.*]] = cleave.subtract %[[M]], %[[T]] : tensor<8x4xf32>
// CHECK-NEXT: %[[R:.*]] = spmd.all_reduce sum %[[S]] over @m ["y"] : tensor<8x4xf32>
// CHECK-NEXT: return %[[R]]
func.func @meet(%a: tensor<8x4xf32>, %b: tensor<4x8xbf16>, %f: tensor<8x4xf32> {spmd.sharding = #spmd.sharding<@m, [{"x"}, {}]>}) -> tensor<8x4xf32> {
  %0 = spmd.all_reduce sum %a over @m ["y"] : tensor<8x4xf32>
  %1 = cleave.multiply %0, %f : tensor<8x4xf32>
  %2 = spmd.all_reduce sum %b over @m ["y"] : tensor<4x8xbf16>
  %3 = cleave.convert %2 : (tensor<4x8xbf16>) -> tensor<4x8xf32>
  %4 = cleave.transpose %3, dims = [1, 0] : (tensor<4x8xf32>) -> tensor<8x4xf32>
  %5 = cleave.subtract %1, %4 : tensor<8x4xf32>
  return %5 : tensor<8x4xf32>
}

// A factor that is cut over y is another one on each rank; rounding to a narrower type comes after the sum.
// CHECK-LABEL: func.func @no_meet(
// CHECK-COUNT-4: spmd.all_reduce
// CHECK-NOT: spmd.all_reduce
// CHECK: return
func.func @no_meet(%a: tensor<8xf32>, %b: tensor<8xf32>, %f: tensor<8xf32> {spmd.sharding = #spmd.sharding<@m, [{"y"}]>}) -> (tensor<8xf32>, tensor<8xbf16>) {
  %0 = spmd.all_reduce sum %a over @m ["y"] : tensor<8xf32>
  %1 = spmd.all_reduce sum %b over @m ["y"] : tensor<8xf32>
  %2 = cleave.multiply %0, %f : tensor<8xf32>
  %3 = cleave.add %2, %1 : tensor<8xf32>
  %4 = cleave.abs %a : tensor<8xf32>
  %5 = spmd.all_reduce sum %4 over @m ["y"] : tensor<8xf32>
  %6 = spmd.all_reduce sum %3 over @m ["y"] : tensor<8xf32>
  %7 = cleave.convert %5 : (tensor<8xf32>) -> tensor<8xbf16>
  %8 = cleave.convert %6 : (tensor<8xf32>) -> tensor<8xbf16>
  %9 = cleave.add %7, %8 : tensor<8xbf16>
  return %2, %9 : tensor<8xf32>, tensor<8xbf16>
}

// A mask puts zeros, which are sums of zeros; one row of what is summed is used.
// CHECK-LABEL: func.func @smaller(
// CHECK-NOT: spmd.all_reduce
// CHECK: cleave.select %{{.*}}, %{{.*}}, %{{.*}} : tensor<8x4xi1>, tensor<8x4xf32>
// CHECK: cleave.reduce
// CHECK-NEXT: %[[S:.*]] = cleave.slice
// CHECK-NEXT: %[[R:.*]] = spmd.all_reduce sum %[[S]] over @m ["y"] : tensor<2xf32>
// CHECK-NEXT: return %[[R]]
func.func @smaller(%a: tensor<8x4xf32>, %p: tensor<8x4xi1> {spmd.sharding = #spmd.sharding<@m, [{}, {}]>}) -> tensor<2xf32> {
  %z = cleave.constant dense<0.0> : tensor<f32>
  %0 = spmd.all_reduce sum %a over @m ["y"] : tensor<8x4xf32>
  %1 = cleave.broadcast_in_dim %z, dims = [] : (tensor<f32>) -> tensor<8x4xf32>
  %2 = cleave.select %p, %0, %1 : tensor<8x4xi1>, tensor<8x4xf32>
  %3 = cleave.reduce(%2 init: %z) applies cleave.add across dimensions = [1] : (tensor<8x4xf32>, tensor<f32>) -> tensor<8xf32>
  %4 = cleave.slice %3 [2:4] : (tensor<8xf32>) -> tensor<2xf32>
  return %4 : tensor<2xf32>
}

// A larger result is not worth waiting for.
// CHECK-LABEL: func.func @larger(
// CHECK-NEXT: spmd.all_reduce
// CHECK-NEXT: cleave.broadcast_in_dim
// CHECK-NEXT: return
func.func @larger(%a: tensor<8xf32>) -> tensor<8x4xf32> {
  %0 = spmd.all_reduce sum %a over @m ["y"] : tensor<8xf32>
  %1 = cleave.broadcast_in_dim %0, dims = [0] : (tensor<8xf32>) -> tensor<8x4xf32>
  return %1 : tensor<8x4xf32>
}

// Past collectives over other axes; a reduce_scatter over x leaves half of what must be summed over y.
// CHECK-LABEL: func.func @across(
// CHECK-NEXT: spmd.reduce_scatter sum %{{.*}} dim 0 over @m ["x"]
// CHECK-NEXT: spmd.all_reduce sum %{{.*}} over @m ["y"] : tensor<4xf32>
// CHECK-NEXT: return
func.func @across(%a: tensor<8xf32>) -> tensor<4xf32> {
  %0 = spmd.all_reduce sum %a over @m ["y"] : tensor<8xf32>
  %1 = spmd.reduce_scatter sum %0 dim 0 over @m ["x"] : tensor<8xf32> -> tensor<4xf32>
  return %1 : tensor<4xf32>
}

// Not sums, not over the same axes, used elsewhere, or booleans, whose addition is `or`.
// CHECK-LABEL: func.func @no_add(
// CHECK-COUNT-8: spmd.all_reduce
// CHECK-NOT: spmd.all_reduce
// CHECK: return
func.func @no_add(%a: tensor<8xf32>, %b: tensor<8xf32>, %c: tensor<8xi1>)
    -> (tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xi1>) {
  %0 = spmd.all_reduce max %a over @m ["y"] : tensor<8xf32>
  %1 = spmd.all_reduce max %b over @m ["y"] : tensor<8xf32>
  %2 = cleave.add %0, %1 : tensor<8xf32>
  %3 = spmd.all_reduce sum %a over @m ["y"] : tensor<8xf32>
  %4 = spmd.all_reduce sum %b over @m ["x"] : tensor<8xf32>
  %5 = cleave.add %3, %4 : tensor<8xf32>
  %6 = spmd.all_reduce sum %a over @m ["y"] : tensor<8xf32>
  %7 = spmd.all_reduce sum %b over @m ["y"] : tensor<8xf32>
  %8 = cleave.add %6, %7 : tensor<8xf32>
  %9 = spmd.all_reduce sum %c over @m ["y"] : tensor<8xi1>
  %10 = spmd.all_reduce sum %c over @m ["y"] : tensor<8xi1>
  %11 = cleave.add %9, %10 : tensor<8xi1>
  return %2, %5, %6, %8, %11 : tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xi1>
}

// A bias of each term does not keep them apart: sums are added first.
// CHECK-LABEL: func.func @biases(
// CHECK-SAME: %[[A:.*]]: tensor<8xf32>, %[[B:.*]]: tensor<8xf32>, %[[C:.*]]: tensor<8xf32>, %[[X:.*]]: tensor<8xf32>, %[[Y:.*]]: tensor<8xf32>
// CHECK-NEXT: %[[S:.*]] = cleave.add %[[A]], %[[C]]
// CHECK-NEXT: %[[D:.*]] = cleave.subtract %[[S]], %[[B]]
// CHECK-NEXT: %[[R:.*]] = spmd.all_reduce sum %[[D]] over @m ["y"] : tensor<8xf32>
// CHECK-NEXT: %[[RX:.*]] = cleave.add %[[R]], %[[X]]
// CHECK-NEXT: %[[RY:.*]] = cleave.subtract %[[RX]], %[[Y]] {cleave.name = "sum"} : tensor<8xf32>
// CHECK-NEXT: return %[[RY]]
func.func @biases(%a: tensor<8xf32>, %b: tensor<8xf32>, %c: tensor<8xf32>, %x: tensor<8xf32>, %y: tensor<8xf32>) -> tensor<8xf32> {
  %0 = spmd.all_reduce sum %a over @m ["y"] : tensor<8xf32>
  %1 = cleave.add %0, %x : tensor<8xf32>
  %2 = spmd.all_reduce sum %b over @m ["y"] : tensor<8xf32>
  %3 = cleave.add %y, %2 : tensor<8xf32>
  %4 = cleave.subtract %1, %3 : tensor<8xf32>
  %5 = spmd.all_reduce sum %c over @m ["y"] : tensor<8xf32>
  %6 = cleave.add %4, %5 {cleave.name = "sum"} : tensor<8xf32>
  return %6 : tensor<8xf32>
}

// Another use needs the first of two sums; nothing is reordered.
// CHECK-LABEL: func.func @bias_of_used_sum(
// CHECK-NEXT: spmd.all_reduce
// CHECK-NEXT: cleave.add
// CHECK-NEXT: spmd.all_reduce
// CHECK-NEXT: cleave.add
// CHECK-NEXT: return
func.func @bias_of_used_sum(%a: tensor<8xf32>, %b: tensor<8xf32>, %x: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>) {
  %0 = spmd.all_reduce sum %a over @m ["y"] : tensor<8xf32>
  %1 = cleave.add %0, %x : tensor<8xf32>
  %2 = spmd.all_reduce sum %b over @m ["y"] : tensor<8xf32>
  %3 = cleave.add %1, %2 : tensor<8xf32>
  return %0, %3 : tensor<8xf32>, tensor<8xf32>
}

// Pieces of one term are used, too: reduce_scatters of both, or of what they were added to, cost less than all_reduces.
// CHECK-LABEL: func.func @pieces(
// CHECK-NEXT: %[[S:.*]] = cleave.add
// CHECK-NEXT: %[[R:.*]] = spmd.all_reduce sum %[[S]]
// CHECK-NEXT: spmd.all_slice %[[R]]
// CHECK-NEXT: return
func.func @pieces(%a: tensor<8xf32>, %b: tensor<8xf32>) -> tensor<2xf32> {
  %0 = spmd.all_reduce sum %a over @m ["y"] : tensor<8xf32>
  %1 = spmd.all_reduce sum %b over @m ["y"] : tensor<8xf32>
  %2 = cleave.add %0, %1 : tensor<8xf32>
  %3 = spmd.all_slice %2 dim 0 over @m ["y"] : tensor<8xf32> -> tensor<2xf32>
  return %3 : tensor<2xf32>
}

// Terms of which pieces are wanted are added whole; the bias of a piece afterwards. Uneven: 7 over 4 ranks.
// CHECK-LABEL: func.func @scatters(
// CHECK-SAME: %[[A:.*]]: tensor<7x3xf32>, %[[B:.*]]: tensor<7x3xbf16>, %[[X:.*]]: tensor<2x3xf32>
// CHECK-NEXT: %[[C:.*]] = cleave.convert %[[B]] : (tensor<7x3xbf16>) -> tensor<7x3xf32>
// CHECK-NEXT: %[[S:.*]] = cleave.subtract %[[A]], %[[C]] : tensor<7x3xf32>
// CHECK-NEXT: %[[R:.*]] = spmd.reduce_scatter sum %[[S]] dim 0 over @m ["y"] cause "a; b" : tensor<7x3xf32> -> tensor<2x3xf32>
// CHECK-NEXT: %[[Y:.*]] = cleave.add %[[R]], %[[X]] : tensor<2x3xf32>
// CHECK-NEXT: return %[[Y]]
func.func @scatters(%a: tensor<7x3xf32>, %b: tensor<7x3xbf16>, %x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %0 = spmd.reduce_scatter sum %a dim 0 over @m ["y"] cause "a" : tensor<7x3xf32> -> tensor<2x3xf32>
  %1 = cleave.add %0, %x : tensor<2x3xf32>
  %2 = spmd.reduce_scatter sum %b dim 0 over @m ["y"] cause "b" : tensor<7x3xbf16> -> tensor<2x3xbf16>
  %3 = cleave.convert %2 : (tensor<2x3xbf16>) -> tensor<2x3xf32>
  %4 = cleave.subtract %1, %3 : tensor<2x3xf32>
  return %4 : tensor<2x3xf32>
}

// Terms of other lengths have pieces of the same one.
// CHECK-LABEL: func.func @other_scatters(
// CHECK-COUNT-3: spmd.reduce_scatter
// CHECK-NOT: spmd.reduce_scatter
// CHECK: return
func.func @other_scatters(%a: tensor<7xf32>, %b: tensor<8xf32>, %c: tensor<2x2xf32>) -> (tensor<2xf32>, tensor<2xf32>) {
  %0 = spmd.reduce_scatter sum %a dim 0 over @m ["y"] : tensor<7xf32> -> tensor<2xf32>
  %1 = spmd.reduce_scatter sum %b dim 0 over @m ["y"] : tensor<8xf32> -> tensor<2xf32>
  %2 = cleave.add %0, %1 : tensor<2xf32>
  %3 = spmd.reduce_scatter sum %c dim 1 over @m ["x"] : tensor<2x2xf32> -> tensor<2x1xf32>
  %4 = cleave.reshape %3 : (tensor<2x1xf32>) -> tensor<2xf32>
  return %2, %4 : tensor<2xf32>, tensor<2xf32>
}

//===----------------------------------------------------------------------===//
// Pieces
//===----------------------------------------------------------------------===//

// CHECK-LABEL: func.func @narrow(
// CHECK-SAME: %[[A:.*]]: tensor<2xf32>
// CHECK-NEXT: %[[C:.*]] = cleave.convert %[[A]] : (tensor<2xf32>) -> tensor<2xbf16>
// CHECK-NEXT: %[[G:.*]] = spmd.all_gather %[[C]] dim 0 over @m ["y"] : tensor<2xbf16> -> tensor<8xbf16>
// CHECK-NEXT: return %[[G]]
func.func @narrow(%a: tensor<2xf32>) -> tensor<8xbf16> {
  %0 = spmd.all_gather %a dim 0 over @m ["y"] : tensor<2xf32> -> tensor<8xf32>
  %1 = cleave.convert %0 : (tensor<8xf32>) -> tensor<8xbf16>
  return %1 : tensor<8xbf16>
}

// CHECK-LABEL: func.func @widen(
// CHECK-NEXT: spmd.all_gather
// CHECK-NEXT: cleave.convert
func.func @widen(%a: tensor<2xf32>) -> tensor<8xf64> {
  %0 = spmd.all_gather %a dim 0 over @m ["y"] : tensor<2xf32> -> tensor<8xf32>
  %1 = cleave.convert %0 : (tensor<8xf32>) -> tensor<8xf64>
  return %1 : tensor<8xf64>
}

// A gather over other axes takes a piece of a value that is whole for other uses.
// CHECK-LABEL: func.func @gather_a_piece(
// CHECK: %[[N:.*]] = cleave.negate
// CHECK-NEXT: %[[P:.*]] = spmd.all_slice %[[N]] dim 0 over @m ["y"] : tensor<8x6xf32> -> tensor<2x6xf32>
// CHECK-NEXT: %[[G:.*]] = spmd.all_gather %[[P]] dim 1 over @m ["x"] : tensor<2x6xf32> -> tensor<2x12xf32>
// CHECK-NOT: all_gather
func.func @gather_a_piece(%a: tensor<2x6xf32>) -> (tensor<8x6xf32>, tensor<8x6xf32>, tensor<2x12xf32>) {
  %0 = spmd.all_gather %a dim 0 over @m ["y"] : tensor<2x6xf32> -> tensor<8x6xf32>
  %1 = cleave.negate %0 : tensor<8x6xf32>
  %2 = spmd.all_gather %1 dim 1 over @m ["x"] : tensor<8x6xf32> -> tensor<8x12xf32>
  %3 = spmd.all_slice %2 dim 0 over @m ["y"] : tensor<8x12xf32> -> tensor<2x12xf32>
  return %0, %1, %3 : tensor<8x6xf32>, tensor<8x6xf32>, tensor<2x12xf32>
}

// Two that meet, a whole value that is cut, and a row sum that is smaller. Uneven: 7 over 4 ranks.
// CHECK-LABEL: func.func @meet_in_pieces(
// CHECK-SAME: %[[A:.*]]: tensor<2x8xf32>, %[[B:.*]]: tensor<2x8xf32>, %[[W:[a-z0-9]*]]: tensor<7x8xf32>
// CHECK-NEXT: %[[Z:.*]] = cleave.constant
// CHECK-NEXT: %[[M:.*]] = cleave.multiply %[[A]], %[[B]] : tensor<2x8xf32>
// CHECK-NEXT: %[[S:.*]] = spmd.all_slice %[[W]] dim 0 over @m ["y"] : tensor<7x8xf32> -> tensor<2x8xf32>
// CHECK-NEXT: %[[X:.*]] = cleave.maximum %[[M]], %[[S]] : tensor<2x8xf32>
// CHECK-NEXT: %[[R:.*]] = cleave.reduce(%[[X]] init: %[[Z]]) applies cleave.add across dimensions = [1] : (tensor<2x8xf32>, tensor<f32>) -> tensor<2xf32>
// CHECK-NEXT: %[[G:.*]] = spmd.all_gather %[[R]] dim 0 over @m ["y"] cause "a; b" : tensor<2xf32> -> tensor<7xf32>
// CHECK-NEXT: return %[[G]]
func.func @meet_in_pieces(%a: tensor<2x8xf32>, %b: tensor<2x8xf32>, %w: tensor<7x8xf32> {spmd.sharding = #spmd.sharding<@m, [{}, {}]>}) -> tensor<7xf32> {
  %z = cleave.constant dense<0.0> : tensor<f32>
  %0 = spmd.all_gather %a dim 0 over @m ["y"] cause "a" : tensor<2x8xf32> -> tensor<7x8xf32>
  %1 = spmd.all_gather %b dim 0 over @m ["y"] cause "b" : tensor<2x8xf32> -> tensor<7x8xf32>
  %2 = cleave.multiply %0, %1 : tensor<7x8xf32>
  %3 = cleave.maximum %2, %w : tensor<7x8xf32>
  %4 = cleave.reduce(%3 init: %z) applies cleave.add across dimensions = [1] : (tensor<7x8xf32>, tensor<f32>) -> tensor<7xf32>
  return %4 : tensor<7xf32>
}

// A gather of what was a piece of a result that waits: the piece is gone when the gather is followed.
// CHECK-LABEL: func.func @gather_of_a_piece(
// CHECK-SAME: %[[P:[a-z0-9]*]]: tensor<i1> {{{.*}}}, %[[A:[a-z0-9]*]]: tensor<8xf32>
// CHECK-NEXT: %[[S:.*]] = cleave.select %[[P]], %[[A]], %[[A]] : tensor<i1>, tensor<8xf32>
// CHECK-NEXT: %[[M:.*]] = cleave.maximum %[[S]], %[[A]] : tensor<8xf32>
// CHECK-NEXT: %[[G:.*]] = spmd.all_gather %[[M]] dim 0 over @m ["x"]
// CHECK-NEXT: return %[[G]]
func.func @gather_of_a_piece(%p: tensor<i1> {spmd.sharding = #spmd.sharding<@m, []>}, %a: tensor<8xf32> {spmd.sharding = #spmd.sharding<@m, [{"x"}]>}) -> tensor<16xf32> {
  %0 = spmd.all_gather %a dim 0 over @m ["x"] : tensor<8xf32> -> tensor<16xf32>
  %1 = cleave.select %p, %0, %0 : tensor<i1>, tensor<16xf32>
  %2 = spmd.all_slice %1 dim 0 over @m ["x"] : tensor<16xf32> -> tensor<8xf32>
  %3 = spmd.all_gather %2 dim 0 over @m ["x"] : tensor<8xf32> -> tensor<16xf32>
  %4 = cleave.maximum %3, %0 : tensor<16xf32>
  return %4 : tensor<16xf32>
}

// %w may differ between ranks: each has its own whole result.
// CHECK-LABEL: func.func @differs(
// CHECK-NEXT: cleave.constant
// CHECK-NEXT: spmd.all_gather
// CHECK-NEXT: cleave.maximum
func.func @differs(%a: tensor<2x8xf32>, %w: tensor<8x8xf32>) -> tensor<8xf32> {
  %z = cleave.constant dense<0.0> : tensor<f32>
  %0 = spmd.all_gather %a dim 0 over @m ["y"] : tensor<2x8xf32> -> tensor<8x8xf32>
  %1 = cleave.maximum %0, %w : tensor<8x8xf32>
  %2 = cleave.reduce(%1 init: %z) applies cleave.add across dimensions = [1] : (tensor<8x8xf32>, tensor<f32>) -> tensor<8xf32>
  return %2 : tensor<8xf32>
}

// A sum over other ranks has a quarter to do before the gather.
// CHECK-LABEL: func.func @reduce_pieces(
// CHECK-NEXT: spmd.all_reduce max %{{.*}} over @m ["x"] : tensor<2x8xf32>
// CHECK-NEXT: spmd.all_gather
// CHECK-NEXT: return
func.func @reduce_pieces(%a: tensor<2x8xf32>) -> tensor<8x8xf32> {
  %0 = spmd.all_gather %a dim 0 over @m ["y"] : tensor<2x8xf32> -> tensor<8x8xf32>
  %1 = spmd.all_reduce max %0 over @m ["x"] : tensor<8x8xf32>
  return %1 : tensor<8x8xf32>
}

// Nothing moves into a loop, where it would be repeated.
// CHECK-LABEL: func.func @loop(
// CHECK-COUNT-2: spmd.all_reduce
// CHECK: spmd.all_gather
// CHECK: cleave.while
// CHECK-NOT: spmd
// CHECK: return
func.func @loop(%a: tensor<8xf32>, %b: tensor<8xf32>, %c: tensor<2xf32>, %d: tensor<8xbf16>, %p: tensor<i1>) -> (tensor<8xf32>, tensor<8xbf16>) {
  %0 = spmd.all_reduce sum %a over @m ["y"] : tensor<8xf32>
  %1 = spmd.all_reduce sum %b over @m ["y"] : tensor<8xf32>
  %2 = spmd.all_gather %c dim 0 over @m ["y"] : tensor<2xf32> -> tensor<8xf32>
  %3:2 = cleave.while(%i = %a, %j = %d) : tensor<8xf32>, tensor<8xbf16>
  cond {
    cleave.return %p : tensor<i1>
  } do {
    %4 = cleave.add %0, %1 : tensor<8xf32>
    %5 = cleave.convert %2 : (tensor<8xf32>) -> tensor<8xbf16>
    cleave.return %4, %5 : tensor<8xf32>, tensor<8xbf16>
  }
  return %3#0, %3#1 : tensor<8xf32>, tensor<8xbf16>
}

// A loop variable that becomes another one on each rank differs from the first iteration on, as far as is known.
// CHECK-LABEL: func.func @variable(
// CHECK-COUNT-2: spmd.all_reduce
// CHECK: return
func.func @variable(%a: tensor<i32>, %b: tensor<i32>, %s: tensor<i32> {spmd.sharding = #spmd.sharding<@m, []>}) -> tensor<i32> {
  %n = cleave.constant dense<3> : tensor<i32>
  %0 = cleave.while(%i = %s) : tensor<i32>
  cond {
    %1 = cleave.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
    cleave.return %1 : tensor<i1>
  } do {
    %r = spmd.axis_index @m ["y"] : tensor<i32>
    %2 = spmd.all_reduce sum %a over @m ["y"] : tensor<i32>
    %3 = spmd.all_reduce sum %b over @m ["y"] : tensor<i32>
    %4 = cleave.multiply %2, %i : tensor<i32>
    %5 = cleave.add %3, %4 : tensor<i32>
    %6 = cleave.add %5, %r : tensor<i32>
    cleave.return %6 : tensor<i32>
  }
  return %0 : tensor<i32>
}

// Before, then after.
// BYTES: collectives of @add: 2, bytes: 96{{$}}
// BYTES: collectives of @meet: 2, bytes: 288{{$}}
// BYTES: collectives of @no_meet: 4, bytes: 192{{$}}
// BYTES: collectives of @smaller: 1, bytes: 192{{$}}
// BYTES: collectives of @larger: 1, bytes: 48{{$}}
// BYTES: collectives of @across: 2, bytes: 64{{$}}
// BYTES: collectives of @no_add: 8, bytes: 296{{$}}
// BYTES: collectives of @biases: 3, bytes: 144{{$}}
// BYTES: collectives of @bias_of_used_sum: 2, bytes: 96{{$}}
// BYTES: collectives of @pieces: 2, bytes: 96{{$}}
// BYTES: collectives of @scatters: 2, bytes: 108{{$}}
// BYTES: collectives of @other_scatters: 3, bytes: 56{{$}}
// BYTES: collectives of @narrow: 1, bytes: 24{{$}}
// BYTES: collectives of @widen: 1, bytes: 24{{$}}
// BYTES: collectives of @gather_a_piece: 2, bytes: 336{{$}}
// BYTES: collectives of @meet_in_pieces: 2, bytes: 384{{$}}
// BYTES: collectives of @gather_of_a_piece: 2, bytes: 64{{$}}
// BYTES: collectives of @differs: 1, bytes: 192{{$}}
// BYTES: collectives of @reduce_pieces: 2, bytes: 448{{$}}
// BYTES: collectives of @loop: 3, bytes: 120{{$}}
// BYTES: collectives of @variable: 2, bytes: 12{{$}}
// BYTES: collectives of @add: 1, bytes: 48{{$}}
// BYTES: collectives of @meet: 1, bytes: 192{{$}}
// BYTES: collectives of @no_meet: 4, bytes: 192{{$}}
// BYTES: collectives of @smaller: 1, bytes: 12{{$}}
// BYTES: collectives of @larger: 1, bytes: 48{{$}}
// BYTES: collectives of @across: 2, bytes: 40{{$}}
// BYTES: collectives of @no_add: 8, bytes: 296{{$}}
// BYTES: collectives of @biases: 1, bytes: 48{{$}}
// BYTES: collectives of @bias_of_used_sum: 2, bytes: 96{{$}}
// BYTES: collectives of @pieces: 1, bytes: 48{{$}}
// BYTES: collectives of @scatters: 1, bytes: 72{{$}}
// BYTES: collectives of @other_scatters: 3, bytes: 56{{$}}
// BYTES: collectives of @narrow: 1, bytes: 12{{$}}
// BYTES: collectives of @widen: 1, bytes: 24{{$}}
// BYTES: collectives of @gather_a_piece: 2, bytes: 192{{$}}
// BYTES: collectives of @meet_in_pieces: 1, bytes: 24{{$}}
// BYTES: collectives of @gather_of_a_piece: 1, bytes: 32{{$}}
// BYTES: collectives of @differs: 1, bytes: 192{{$}}
// BYTES: collectives of @reduce_pieces: 2, bytes: 256{{$}}
// BYTES: collectives of @loop: 3, bytes: 120{{$}}
// BYTES: collectives of @variable: 2, bytes: 12{{$}}
