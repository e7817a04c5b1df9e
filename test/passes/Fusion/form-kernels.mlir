// RUN: cleave-opt %s --cleave-form-kernels | FileCheck %s

// A softmax is one kernel, whose constants it holds itself; what follows in
// another order of dimensions, too.
// CHECK-LABEL: func @softmax
// CHECK-SAME: %[[X:.*]]: tensor<4x64x100xf32>
// CHECK-NEXT: %[[S:.*]] = call @[[SOFTMAX:[a-z0-9_]+]](%[[X]]) : (tensor<4x64x100xf32>) -> tensor<4x64x100xf32>
// CHECK-NEXT: %[[T:.*]] = call @[[TRANSPOSE:[a-z0-9_]+]](%[[S]]) : (tensor<4x64x100xf32>) -> tensor<100x64x4xf32>
// CHECK-NEXT: return %[[T]]
func.func @softmax(%x: tensor<4x64x100xf32>) -> tensor<100x64x4xf32> {
  %ninf = cleave.constant dense<0xFF800000> : tensor<f32>
  %zero = cleave.constant dense<0.0> : tensor<f32>
  %m = cleave.reduce(%x init: %ninf) applies cleave.maximum across dimensions = [2] : (tensor<4x64x100xf32>, tensor<f32>) -> tensor<4x64xf32>
  %mb = cleave.broadcast_in_dim %m, dims = [0, 1] : (tensor<4x64xf32>) -> tensor<4x64x100xf32>
  %s = cleave.subtract %x, %mb : tensor<4x64x100xf32>
  %e = cleave.exponential %s : tensor<4x64x100xf32>
  %d = cleave.reduce(%e init: %zero) applies cleave.add across dimensions = [2] : (tensor<4x64x100xf32>, tensor<f32>) -> tensor<4x64xf32>
  %db = cleave.broadcast_in_dim %d, dims = [0, 1] : (tensor<4x64xf32>) -> tensor<4x64x100xf32>
  %r = cleave.divide %e, %db : tensor<4x64x100xf32>
  %t = cleave.transpose %r, dims = [2, 1, 0] : (tensor<4x64x100xf32>) -> tensor<100x64x4xf32>
  return %t : tensor<100x64x4xf32>
}

// An expression is computed inside the reduction of outer dimensions.
// CHECK-LABEL: func @column_sums
// CHECK-NEXT: call @{{.*}} : (tensor<512x64xf32>) -> tensor<64xf32>
// CHECK-NEXT: return
func.func @column_sums(%x: tensor<512x64xf32>) -> tensor<64xf32> {
  %zero = cleave.constant dense<0.0> : tensor<f32>
  %e = cleave.exponential %x : tensor<512x64xf32>
  %s = cleave.reduce(%e init: %zero) applies cleave.add across dimensions = [0] : (tensor<512x64xf32>, tensor<f32>) -> tensor<64xf32>
  return %s : tensor<64xf32>
}

// A splat that leaves the function is a kernel's result; a reshape is none.
// CHECK-LABEL: func @views
// CHECK-NEXT: %[[C:.*]] = call @{{.*}}() : () -> tensor<6xi32>
// CHECK-NEXT: %[[R:.*]] = cleave.reshape %{{.*}} : (tensor<2x3xf32>) -> tensor<6xf32>
// CHECK-NEXT: return %[[R]], %[[C]]
func.func @views(%x: tensor<2x3xf32>) -> (tensor<6xf32>, tensor<6xi32>) {
  %c = cleave.constant dense<7> : tensor<6xi32>
  %r = cleave.reshape %x : (tensor<2x3xf32>) -> tensor<6xf32>
  return %r, %c : tensor<6xf32>, tensor<6xi32>
}

// The two additions cannot share a kernel: a product lies between them.
// CHECK-LABEL: func @no_cycle
// CHECK-NEXT: %[[A:.*]] = call
// CHECK-NEXT: %[[D:.*]] = cleave.dot_general %[[A]]
// CHECK-NEXT: call @{{.*}}(%{{.*}}, %[[D]])
func.func @no_cycle(%x: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %a = cleave.add %x, %x : tensor<8x8xf32>
  %d = cleave.dot_general %a, %x, contracting_dims = [1] x [0] : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
  %r = cleave.add %a, %d : tensor<8x8xf32>
  return %r : tensor<8x8xf32>
}

// Branches have kernels of their own.
// CHECK-LABEL: func @branches
// CHECK: cleave.if
// CHECK: call @
// CHECK: cleave.return
// CHECK: call @
// CHECK: cleave.return
func.func @branches(%p: tensor<i1>, %x: tensor<8xf32>) -> tensor<8xf32> {
  %r = cleave.if %p : (tensor<i1>) -> tensor<8xf32> then {
    %a = cleave.add %x, %x : tensor<8xf32>
    cleave.return %a : tensor<8xf32>
  } else {
    %a = cleave.negate %x : tensor<8xf32>
    cleave.return %a : tensor<8xf32>
  }
  return %r : tensor<8xf32>
}

// The last sum must not join the exponential: it needs the negation, whose
// kernel has the first sum, which needs the exponential.
// CHECK-LABEL: func @two_kernels_that_need_each_other
// CHECK: call @{{.*}}(%arg1) : (tensor<32xf32>) -> tensor<32xf32>
// CHECK: call @{{.*}} -> (tensor<4x8xf32>, tensor<4x8xf32>)
// CHECK: call @{{.*}} -> tensor<32xf32>
func.func @two_kernels_that_need_each_other(%x: tensor<4x8xf32>, %y: tensor<32xf32>) -> (tensor<4x8xf32>, tensor<32xf32>) {
  %negated = cleave.negate %x : tensor<4x8xf32>
  %flat = cleave.reshape %negated : (tensor<4x8xf32>) -> tensor<32xf32>
  %exp = cleave.exponential %y : tensor<32xf32>
  %square = cleave.reshape %exp : (tensor<32xf32>) -> tensor<4x8xf32>
  %first = cleave.add %negated, %square : tensor<4x8xf32>
  %last = cleave.add %flat, %exp : tensor<32xf32>
  return %first, %last : tensor<4x8xf32>, tensor<32xf32>
}

// A sort is alone in its kernel, gives all results, and says what room it needs.
// CHECK-LABEL: func @sorted
// CHECK: call @[[BEFORE:.*]](%arg0)
// CHECK: %[[S:.*]]:2 = call @[[SORT:.*]](%{{.*}}, %arg1) : (tensor<3x20xf32>, tensor<3x20xi32>) -> (tensor<3x20xf32>, tensor<3x20xi32>)
// CHECK: call @[[AFTER:.*]](%[[S]]#1)
func.func @sorted(%x: tensor<3x20xf32>, %i: tensor<3x20xi32>) -> tensor<3x20xi32> {
  %a = cleave.negate %x : tensor<3x20xf32>
  %s:2 = cleave.sort(%a, %i) dimension = 1 : (tensor<3x20xf32>, tensor<3x20xi32>) -> (tensor<3x20xf32>, tensor<3x20xi32>) {
  ^bb0(%l: tensor<f32>, %r: tensor<f32>, %m: tensor<i32>, %n: tensor<i32>):
    %0 = cleave.compare LT, %l, %r : (tensor<f32>, tensor<f32>) -> tensor<i1>
    cleave.return %0 : tensor<i1>
  }
  %r = cleave.negate %s#1 : tensor<3x20xi32>
  return %r : tensor<3x20xi32>
}

// What a dynamic slice may read is stored, so none of it may be large: it was
// inlined, and the kernel wanted 2.4 MB for one row.
// CHECK-LABEL: func @dynamic_slice_of_a_large_slice
// CHECK: call @{{.*}}(%arg0) : (tensor<12x500x40xf32>) -> tensor<6x500x40xf32>
// CHECK: call @{{.*}} -> tensor<5x400x40xf32>
func.func @dynamic_slice_of_a_large_slice(%x: tensor<12x500x40xf32>, %i: tensor<i32>) -> tensor<5x400x40xf32> {
  %0 = cleave.slice %x [0:6, 0:500, 0:40] : (tensor<12x500x40xf32>) -> tensor<6x500x40xf32>
  %1 = cleave.dynamic_slice %0, %i, %i, %i, sizes = [5, 400, 40] : (tensor<6x500x40xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<5x400x40xf32>
  return %1 : tensor<5x400x40xf32>
}

// Of one row it may be, and then has rows, which a transpose does not keep.
// CHECK-LABEL: func @transpose_of_a_dynamic_slice_in_rows
// CHECK: call @{{.*}} -> tensor<64x4096xf32>
// CHECK: call @{{.*}} -> tensor<4096x64xf32>
func.func @transpose_of_a_dynamic_slice_in_rows(%x: tensor<64x8192xf32>, %i: tensor<i32>) -> tensor<4096x64xf32> {
  %0 = cleave.exponential %x : tensor<64x8192xf32>
  %1 = cleave.dynamic_slice %0, %i, %i, sizes = [64, 4096] : (tensor<64x8192xf32>, tensor<i32>, tensor<i32>) -> tensor<64x4096xf32>
  %2 = cleave.transpose %1, dims = [1, 0] : (tensor<64x4096xf32>) -> tensor<4096x64xf32>
  return %2 : tensor<4096x64xf32>
}

// CHECK: func private @[[SOFTMAX]](%arg0: tensor<4x64x100xf32>) -> tensor<4x64x100xf32> attributes {cleave.kernel} {
// CHECK: cleave.constant
// CHECK: cleave.reduce
// CHECK: cleave.exponential
// CHECK: cleave.reduce
// CHECK: cleave.divide

// CHECK: func private @[[SORT]]({{.*}}) attributes {cleave.kernel, cleave.workspace = [tensor<3x20xf32>, tensor<3x20xi32>]}
// CHECK-NEXT: cleave.sort
