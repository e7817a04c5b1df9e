// Dimensions that slices and the like change stay cut: what moves is what a rank lacks.
// RUN: cleave-opt %s -cleave-propagate-shardings -cleave-insert-reshards -cleave-verify-shardings -cleave-partition-to-local -split-input-file | FileCheck %s

// Blocks of 4 of the operand, of 2 of the result.
spmd.mesh @m <"x"=4>
// CHECK-LABEL: func.func @slice(
// CHECK-NEXT: %[[W:.*]] = spmd.window_exchange %arg0 dim 0 blocks [0, 4, 0, 4, 4, 0, 0, 0, 0, 0, 0, 0] windows [0, 2, 0, 2, 2, 0, 4, 2, 0, 6, 2, 0]
// CHECK-SAME: over @m ["x"] cause "slice takes elements 0 to 7 of sharded dimension 0" : tensor<4xf32> -> tensor<2xf32>
// CHECK-NEXT: return %[[W]]
func.func @slice(%a: tensor<16xf32> {spmd.sharding = #spmd.sharding<@m, [{"x"}]>})
    -> (tensor<8xf32> {spmd.sharding = #spmd.sharding<@m, [{"x"}]>}) {
  %0 = cleave.slice %a [0:8] : (tensor<16xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}

// -----

// Every other element is where it is wanted.
spmd.mesh @m <"x"=4>
// CHECK-LABEL: func.func @even(
// CHECK-NOT: spmd.window_exchange
// CHECK: cleave.slice %{{.*}} [0:3:2] : (tensor<3xf32>) -> tensor<2xf32>
// CHECK-NEXT: return
func.func @even(%a: tensor<16xf32> {spmd.sharding = #spmd.sharding<@m, [{"x"}]>})
    -> (tensor<8xf32> {spmd.sharding = #spmd.sharding<@m, [{"x"}]>}) {
  %0 = cleave.slice %a [0:16:2] : (tensor<16xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}

// -----

// Blocks of 7 over 2 times 3: 0-1, 2-3, none, 4-5, 6, none. Elements before the reversal; a block that is short has
// them at its end.
spmd.mesh @m <"x"=2, "y"=3>
// CHECK-LABEL: func.func @reverse(
// CHECK-NEXT: %[[W:.*]] = spmd.window_exchange %arg0 dim 0 blocks [0, 2, 0, 2, 2, 0, 0, 0, 0, 4, 2, 0, 6, 1, 0, 0, 0, 0]
// CHECK-SAME: windows [5, 2, 0, 3, 2, 0, 0, 0, 0, 1, 2, 0, 0, 1, 1, 0, 0, 0] over @m ["x", "y"] cause "reverse turns sharded dimension 0"
// CHECK-NEXT: %[[R:.*]] = cleave.reverse %[[W]], dims = [0]
// CHECK-NEXT: return %[[R]]
func.func @reverse(%a: tensor<7xf32> {spmd.sharding = #spmd.sharding<@m, [{"x", "y"}]>})
    -> (tensor<7xf32> {spmd.sharding = #spmd.sharding<@m, [{"x", "y"}]>}) {
  %0 = cleave.reverse %a, dims = [0] : tensor<7xf32>
  return %0 : tensor<7xf32>
}

// -----

// What lies before element 2 is padding, on the first rank.
spmd.mesh @m <"x"=4>
// CHECK-LABEL: func.func @pad(
// CHECK-NEXT: %[[W:.*]] = spmd.window_exchange %arg0 dim 0 {{.*}} windows [0, 2, 2, 2, 4, 0, 6, 4, 0, 10, 4, 0]
// CHECK-SAME: cause "pad puts sharded dimension 0 at 2 of 16 elements"
// CHECK: cleave.select
func.func @pad(%a: tensor<16xf32> {spmd.sharding = #spmd.sharding<@m, [{"x"}]>}, %p: tensor<f32>)
    -> (tensor<16xf32> {spmd.sharding = #spmd.sharding<@m, [{"x"}]>}) {
  %0 = cleave.pad %a, %p, low = [2], high = [-2], interior = [0] : (tensor<16xf32>, tensor<f32>) -> tensor<16xf32>
  return %0 : tensor<16xf32>
}

// -----

// The part that all ranks have is not exchanged.
spmd.mesh @m <"x"=4>
// CHECK-LABEL: func.func @append(
// CHECK-NOT: spmd.window_exchange
// CHECK: cleave.select
// CHECK-NOT: spmd.window_exchange
// CHECK: return
func.func @append(%a: tensor<15xf32> {spmd.sharding = #spmd.sharding<@m, [{"x"}]>},
                  %b: tensor<1xf32> {spmd.sharding = #spmd.sharding<@m, [{}]>})
    -> (tensor<16xf32> {spmd.sharding = #spmd.sharding<@m, [{"x"}]>}) {
  %0 = cleave.concatenate %a, %b, dim = 0 : (tensor<15xf32>, tensor<1xf32>) -> tensor<16xf32>
  return %0 : tensor<16xf32>
}

// -----

// A start clamped to the whole dimension, counted from the block, and clamped to it.
spmd.mesh @m <"x"=4>
// CHECK-LABEL: func.func @update(
// CHECK: cleave.clamp
// CHECK: spmd.axis_index @m ["x"]
// CHECK: cleave.clamp
// CHECK: %[[OLD:.*]] = cleave.dynamic_slice %arg0, %[[AT:.*]], sizes = [1]
// CHECK: %[[NEW:.*]] = cleave.select %{{.*}}, %arg1, %[[OLD]]
// CHECK-NEXT: cleave.dynamic_update_slice %arg0, %[[NEW]], %[[AT]]
// CHECK-NEXT: return
func.func @update(%a: tensor<16xf32> {spmd.sharding = #spmd.sharding<@m, [{"x"}]>}, %u: tensor<1xf32>, %i: tensor<i64>)
    -> (tensor<16xf32> {spmd.sharding = #spmd.sharding<@m, [{"x"}]>}) {
  %0 = cleave.dynamic_update_slice %a, %u, %i : (tensor<16xf32>, tensor<1xf32>, tensor<i64>) -> tensor<16xf32>
  return %0 : tensor<16xf32>
}

// -----

spmd.mesh @m <"x"=4>
// CHECK-LABEL: func.func @read(
// CHECK: %[[S:.*]] = cleave.dynamic_slice %arg0, %{{.*}}, sizes = [1]
// CHECK: %[[F:.*]] = cleave.select %{{.*}}, %[[S]]
// CHECK-NEXT: spmd.all_reduce sum %[[F]] over @m ["x"] cause "dynamic_slice of sharded dimension 0" : tensor<1xf32>
func.func @read(%a: tensor<16xf32> {spmd.sharding = #spmd.sharding<@m, [{"x"}]>}, %i: tensor<i32>)
    -> (tensor<1xf32> {spmd.sharding = #spmd.sharding<@m, [{}]>}) {
  %0 = cleave.dynamic_slice %a, %i, sizes = [1] : (tensor<16xf32>, tensor<i32>) -> tensor<1xf32>
  return %0 : tensor<1xf32>
}
