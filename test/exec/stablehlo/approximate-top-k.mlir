// RUN: %cleave check %s | FileCheck %s
// RUN: %cleave check %s --mesh x=2,y=2 --shard random:1 | FileCheck %s
// CHECK: 2 passed, 0 failed, 0 skipped

// As JAX exports approx_max_k: the comparator is a function of its own, whose body ends as a region does.
module @max {
  func.func @greater(%a: tensor<f32>, %b: tensor<f32>, %i: tensor<i32>, %j: tensor<i32>) -> tensor<i1> {
    %0 = stablehlo.compare GT, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %0 : tensor<i1>
  }
  func.func private @inputs() -> tensor<2x5xf32> {
    %0 = stablehlo.constant dense<[[3.0, 1.0, 4.0, 1.5, 5.0], [9.0, 2.0, 6.0, 5.0, 3.0]]> : tensor<2x5xf32>
    return %0 : tensor<2x5xf32>
  }
  func.func public @main() {
    %x = call @inputs() : () -> tensor<2x5xf32>
    %0 = stablehlo.iota dim = 1 : tensor<2x5xi32>
    %c = stablehlo.constant dense<-1> : tensor<i32>
    %cst = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %1:2 = stablehlo.custom_call @ApproxTopK(%x, %0, %cst, %c) {backend_config = "", called_computations = [@greater], mhlo.backend_config = {aggregate_to_topk = true, is_fallback = true, recall_target = 0.949999988 : f32, reduction_dim = 1 : i64, reduction_input_size_override = -1 : i64, top_k = 2 : i64}} : (tensor<2x5xf32>, tensor<2x5xi32>, tensor<f32>, tensor<i32>) -> (tensor<2x2xf32>, tensor<2x2xi32>)
    check.expect_eq_const %1#0, dense<[[5.0, 4.0], [9.0, 6.0]]> : tensor<2x2xf32>
    check.expect_eq_const %1#1, dense<[[4, 2], [0, 2]]> : tensor<2x2xi32>
    return
  }
}
// -----
module @min {
  func.func @less(%a: tensor<i32>, %b: tensor<i32>) -> tensor<i1> {
    %0 = stablehlo.compare LT, %a, %b : (tensor<i32>, tensor<i32>) -> tensor<i1>
    return %0 : tensor<i1>
  }
  func.func public @main() {
    %x = stablehlo.constant dense<[[3, 1], [4, 1], [2, 5]]> : tensor<3x2xi32>
    %c = stablehlo.constant dense<2147483647> : tensor<i32>
    %0 = stablehlo.custom_call @ApproxTopK(%x, %c) {called_computations = [@less], mhlo.backend_config = {aggregate_to_topk = true, reduction_dim = 0 : i64, top_k = 1 : i64}} : (tensor<3x2xi32>, tensor<i32>) -> tensor<1x2xi32>
    check.expect_eq_const %0, dense<[[2, 1]]> : tensor<1x2xi32>
    return
  }
}
