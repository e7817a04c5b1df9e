// RUN: cleave-opt %s -cleave-partition -split-input-file | FileCheck %s

// Columns: the outs operand is cut with the result.
spmd.mesh @m <"x"=4>
// CHECK-LABEL: func.func @columns(
// CHECK: %[[E:.*]] = tensor.empty() : tensor<8x2xf32>
// CHECK-NEXT: %[[F:.*]] = linalg.fill {{.*}} outs(%[[E]] : tensor<8x2xf32>)
// CHECK-NEXT: linalg.matmul ins(%arg0, %arg1 : tensor<8x16xf32>, tensor<16x2xf32>) outs(%[[F]] : tensor<8x2xf32>)
// CHECK-NEXT: return
func.func @columns(%a: tensor<8x16xf32>, %b: tensor<16x8xf32> {spmd.sharding = #spmd.sharding<@m, [{}, {"x"}]>}) -> tensor<8x8xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8x8xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
  %0 = linalg.matmul ins(%a, %b : tensor<8x16xf32>, tensor<16x8xf32>) outs(%f : tensor<8x8xf32>) -> tensor<8x8xf32>
  return %0 : tensor<8x8xf32>
}

// -----

// The contracted dimension: every rank starts from zeros.
spmd.mesh @m <"x"=4>
// CHECK-LABEL: func.func @contracted(
// CHECK: %[[R:.*]] = linalg.matmul ins(%arg0, %arg1 : tensor<8x4xf32>, tensor<4x8xf32>)
// CHECK-NEXT: spmd.all_reduce sum %[[R]] over @m ["x"]
// CHECK-NEXT: return
func.func @contracted(%a: tensor<8x16xf32> {spmd.sharding = #spmd.sharding<@m, [{}, {"x"}]>}, %b: tensor<16x8xf32>) -> tensor<8x8xf32> {
  %zero = arith.constant dense<0.0> : tensor<8x8xf32>
  %0 = linalg.matmul ins(%a, %b : tensor<8x16xf32>, tensor<16x8xf32>) outs(%zero : tensor<8x8xf32>) -> tensor<8x8xf32>
  return %0 : tensor<8x8xf32>
}

// -----

// Of an initial value that is no zero, each rank would count one.
spmd.mesh @m <"x"=4>
// CHECK-LABEL: func.func @accumulate(
// CHECK-NEXT: %[[G:.*]] = spmd.all_gather %arg0 dim 1
// CHECK-NEXT: linalg.matmul ins(%[[G]], %arg1 : tensor<8x16xf32>, tensor<16x8xf32>) outs(%arg2
// CHECK-NEXT: return
func.func @accumulate(%a: tensor<8x16xf32> {spmd.sharding = #spmd.sharding<@m, [{}, {"x"}]>}, %b: tensor<16x8xf32>, %c: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %0 = linalg.matmul ins(%a, %b : tensor<8x16xf32>, tensor<16x8xf32>) outs(%c : tensor<8x8xf32>) -> tensor<8x8xf32>
  return %0 : tensor<8x8xf32>
}

// -----

// Padding of an uneven contracted dimension is masked.
spmd.mesh @m <"x"=4>
// CHECK-LABEL: func.func @uneven(
// CHECK: %[[A:.*]] = cleave.select %{{.*}}, %arg0, %{{.*}} : tensor<8x2xi1>
// CHECK: %[[B:.*]] = cleave.select %{{.*}}, %arg1, %{{.*}} : tensor<2x8xi1>
// CHECK: %[[R:.*]] = linalg.matmul ins(%[[A]], %[[B]]
// CHECK-NEXT: spmd.all_reduce sum %[[R]]
func.func @uneven(%a: tensor<8x7xf32> {spmd.sharding = #spmd.sharding<@m, [{}, {"x"}]>}, %b: tensor<7x8xf32>) -> tensor<8x8xf32> {
  %zero = arith.constant dense<0.0> : tensor<8x8xf32>
  %0 = linalg.matmul ins(%a, %b : tensor<8x7xf32>, tensor<7x8xf32>) outs(%zero : tensor<8x8xf32>) -> tensor<8x8xf32>
  return %0 : tensor<8x8xf32>
}

// -----

// A maximum may start from anything.
spmd.mesh @m <"x"=4>
// CHECK-LABEL: func.func @maximum(
// CHECK-NEXT: %[[R:.*]] = linalg.reduce { arith.maximumf } ins(%arg0 : tensor<8x4xf32>) outs(%arg1
// CHECK-NEXT: spmd.all_reduce max %[[R]] over @m ["x"]
// CHECK-NEXT: return
func.func @maximum(%a: tensor<8x16xf32> {spmd.sharding = #spmd.sharding<@m, [{}, {"x"}]>}, %c: tensor<8xf32>) -> tensor<8xf32> {
  %0 = linalg.reduce { arith.maximumf } ins(%a : tensor<8x16xf32>) outs(%c : tensor<8xf32>) dimensions = [1]
  return %0 : tensor<8xf32>
}

// -----

// exp(0) is not 0, so zeros in the padding would count.
spmd.mesh @m <"x"=4>
// CHECK-LABEL: func.func @sum_of_exp(
// CHECK-NOT: spmd.all
// CHECK: linalg.generic {{.*}} ins(%arg0 : tensor<2x16xf32>)
// CHECK: %[[G:.*]] = spmd.all_gather %arg1 dim 1
// CHECK-NEXT: linalg.generic {{.*}} ins(%[[G]] : tensor<8x16xf32>)
// CHECK-NOT: spmd.all
// CHECK: return
func.func @sum_of_exp(%a: tensor<8x16xf32> {spmd.sharding = #spmd.sharding<@m, [{"x"}, {}]>}, %b: tensor<8x16xf32> {spmd.sharding = #spmd.sharding<@m, [{}, {"x"}]>})
    -> (tensor<8xf32>, tensor<8xf32>) {
  %zero = arith.constant dense<0.0> : tensor<8xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]}
      ins(%a : tensor<8x16xf32>) outs(%zero : tensor<8xf32>) {
  ^bb0(%x: f32, %acc: f32):
    %e = math.exp %x : f32
    %s = arith.addf %acc, %e : f32
    linalg.yield %s : f32
  } -> tensor<8xf32>
  %1 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]}
      ins(%b : tensor<8x16xf32>) outs(%zero : tensor<8xf32>) {
  ^bb0(%x: f32, %acc: f32):
    %e = math.exp %x : f32
    %s = arith.addf %acc, %e : f32
    linalg.yield %s : f32
  } -> tensor<8xf32>
  return %0, %1 : tensor<8xf32>, tensor<8xf32>
}

// -----

// A broadcast dimension, a scalar used from outside, and a transposed operand.
spmd.mesh @m <"x"=4>
// CHECK-LABEL: func.func @generic(
// CHECK: %[[TWO:.*]] = arith.constant 2.000000e+00 : f32
// CHECK: linalg.generic {{.*}} ins(%arg0, %arg1, %arg2 : tensor<2x16xf32>, tensor<16x2xf32>, tensor<16xf32>) outs(%{{.*}} : tensor<2x16xf32>)
// CHECK: arith.mulf %{{.*}}, %[[TWO]]
// CHECK-NOT: spmd.all
// CHECK: return
func.func @generic(%a: tensor<8x16xf32> {spmd.sharding = #spmd.sharding<@m, [{"x"}, {}]>}, %b: tensor<16x8xf32>, %c: tensor<16xf32>) -> tensor<8x16xf32> {
  %two = arith.constant 2.0 : f32
  %e = tensor.empty() : tensor<8x16xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (j, i)>, affine_map<(i, j) -> (j)>, affine_map<(i, j) -> (i, j)>],
                       iterator_types = ["parallel", "parallel"]}
      ins(%a, %b, %c : tensor<8x16xf32>, tensor<16x8xf32>, tensor<16xf32>) outs(%e : tensor<8x16xf32>) {
  ^bb0(%x: f32, %y: f32, %z: f32, %o: f32):
    %s = arith.addf %x, %y : f32
    %t = arith.mulf %s, %two : f32
    %u = arith.addf %t, %z : f32
    linalg.yield %u : f32
  } -> tensor<8x16xf32>
  return %0 : tensor<8x16xf32>
}

// -----

// An index within a block is not the global one.
spmd.mesh @m <"x"=4>
// CHECK-LABEL: func.func @index(
// CHECK: %[[G:.*]] = spmd.all_gather %arg0 dim 0
// CHECK: linalg.generic {{.*}} outs(%[[G]] : tensor<8x16xf32>)
func.func @index(%a: tensor<8x16xf32> {spmd.sharding = #spmd.sharding<@m, [{"x"}, {}]>}) -> tensor<8x16xf32> {
  %0 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} outs(%a : tensor<8x16xf32>) {
  ^bb0(%x: f32):
    %i = linalg.index 0 : index
    %k = arith.index_cast %i : index to i32
    %f = arith.sitofp %k : i32 to f32
    %s = arith.addf %x, %f : f32
    linalg.yield %s : f32
  } -> tensor<8x16xf32>
  return %0 : tensor<8x16xf32>
}

// -----

// A convolution: images and channels may be cut, windows not.
spmd.mesh @m <"x"=4, "y"=2>
// CHECK-LABEL: func.func @convolution(
// CHECK: %[[R:.*]] = linalg.conv_2d_nhwc_hwcf ins(%arg0, %arg1 : tensor<2x10x10x2xf32>, tensor<3x3x2x16xf32>) outs(%{{.*}} : tensor<2x8x8x16xf32>)
// CHECK-NEXT: spmd.all_reduce sum %[[R]] over @m ["y"]
// CHECK-NEXT: return
func.func @convolution(%a: tensor<8x10x10x4xf32> {spmd.sharding = #spmd.sharding<@m, [{"x"}, {}, {}, {"y"}]>}, %w: tensor<3x3x4x16xf32>) -> tensor<8x8x8x16xf32> {
  %zero = arith.constant dense<0.0> : tensor<8x8x8x16xf32>
  %0 = linalg.conv_2d_nhwc_hwcf ins(%a, %w : tensor<8x10x10x4xf32>, tensor<3x3x4x16xf32>) outs(%zero : tensor<8x8x8x16xf32>) -> tensor<8x8x8x16xf32>
  return %0 : tensor<8x8x8x16xf32>
}

// -----

// Partial sums pass through a product: one reduction, of the smaller result.
spmd.mesh @m <"x"=4>
// CHECK-LABEL: func.func @chain(
// CHECK: %[[R:.*]] = linalg.matmul ins(%arg0, %arg1
// CHECK-NEXT: spmd.all_reduce sum %[[R]] over @m ["x"] {{.*}} : tensor<64x2xf32>
// CHECK-NEXT: return
func.func @chain(%a: tensor<64x64xf32> {spmd.sharding = #spmd.sharding<@m, [{}, {}], partial = [sum "x"]>},
                 %c: tensor<64x2xf32> {spmd.sharding = #spmd.sharding<@m, [{}, {}]>}) -> tensor<64x2xf32> {
  %zero = arith.constant dense<0.0> : tensor<64x2xf32>
  %0 = linalg.matmul ins(%a, %c : tensor<64x64xf32>, tensor<64x2xf32>) outs(%zero : tensor<64x2xf32>) -> tensor<64x2xf32>
  return %0 : tensor<64x2xf32>
}

// -----

// A square is not linear: the sums must be complete before.
spmd.mesh @m <"x"=4>
// CHECK-LABEL: func.func @square(
// CHECK: %[[R:.*]] = spmd.all_reduce sum %arg0 over @m ["x"]
// CHECK: linalg.generic {{.*}} ins(%[[R]]
// CHECK-NOT: spmd.all
// CHECK: return %
func.func @square(%a: tensor<64x64xf32> {spmd.sharding = #spmd.sharding<@m, [{}, {}], partial = [sum "x"]>}) -> tensor<64xf32> {
  %zero = arith.constant dense<0.0> : tensor<64xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]}
      ins(%a : tensor<64x64xf32>) outs(%zero : tensor<64xf32>) {
  ^bb0(%x: f32, %acc: f32):
    %e = arith.mulf %x, %x : f32
    %s = arith.addf %acc, %e : f32
    linalg.yield %s : f32
  } -> tensor<64xf32>
  return %0 : tensor<64xf32>
}
