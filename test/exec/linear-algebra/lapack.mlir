// What exporters on a processor call LAPACK for.
// RUN: %cleave check %s | FileCheck %s
// CHECK: 3 passed, 0 failed, 0 skipped
module @potrf {
  func.func @main() {
    %a = stablehlo.constant dense<[[[4.0, 2.0], [2.0, 5.0]], [[1.0, 2.0], [2.0, 1.0]]]> : tensor<2x2x2xf32>
    %0:2 = stablehlo.custom_call @lapack_spotrf_ffi(%a) {backend_config = "", mhlo.backend_config = {uplo = 76 : ui8}, mhlo.frontend_attributes = {num_batch_dims = "1"}} : (tensor<2x2x2xf32>) -> (tensor<2x2x2xf32>, tensor<2xi32>)
    // The second has no factor.
    check.expect_eq_const %0#1, dense<[0, 1]> : tensor<2xi32>
    %1 = stablehlo.slice %0#0 [0:1, 0:2, 0:2] : (tensor<2x2x2xf32>) -> tensor<1x2x2xf32>
    check.expect_almost_eq_const %1, dense<[[[2.0, 0.0], [1.0, 2.0]]]> : tensor<1x2x2xf32>
    return
  }
}
// -----
module @trsm {
  func.func @main() {
    // The upper triangle is not read, nor the diagonal.
    %a = stablehlo.constant dense<[[9.0, 9.0], [3.0, 9.0]]> : tensor<2x2xf64>
    %b = stablehlo.constant dense<[[1.0, 2.0], [5.0, 7.0]]> : tensor<2x2xf64>
    %0 = stablehlo.custom_call @lapack_dtrsm_ffi(%a, %b) {mhlo.backend_config = {diag = 85 : ui8, side = 76 : ui8, trans_x = 78 : ui8, uplo = 76 : ui8}} : (tensor<2x2xf64>, tensor<2x2xf64>) -> tensor<2x2xf64>
    check.expect_almost_eq_const %0, dense<[[1.0, 2.0], [2.0, 1.0]]> : tensor<2x2xf64>
    return
  }
}
// -----
module @adjoint_from_the_right {
  func.func @main() {
    %a = stablehlo.constant dense<[[(1.0, 1.0), (0.0, 0.0)], [(2.0, 0.0), (1.0, 0.0)]]> : tensor<2x2xcomplex<f32>>
    %b = stablehlo.constant dense<[[(1.0, -1.0), (3.0, 0.0)]]> : tensor<1x2xcomplex<f32>>
    %0 = stablehlo.custom_call @lapack_ctrsm_ffi(%a, %b) {mhlo.backend_config = {diag = 78 : ui8, side = 82 : ui8, trans_x = 67 : ui8, uplo = 76 : ui8}} : (tensor<2x2xcomplex<f32>>, tensor<1x2xcomplex<f32>>) -> tensor<1x2xcomplex<f32>>
    check.expect_almost_eq_const %0, dense<[[(1.0, 0.0), (1.0, 0.0)]]> : tensor<1x2xcomplex<f32>>
    return
  }
}
