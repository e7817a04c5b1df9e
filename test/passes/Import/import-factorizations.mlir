// What JAX calls for linear algebra, on processors, GPUs and elsewhere.
// RUN: cleave-opt %s -cleave-convert-stablehlo-to-cleave -split-input-file | FileCheck %s

// CHECK-LABEL: func.func @lu
func.func @lu(%a: tensor<3x4x4xf32>) -> (tensor<3x4x4xf32>, tensor<3x4xi32>, tensor<3xi32>) {
  // CHECK: %[[LU:.*]], %[[PIVOTS:.*]] = cleave.lu %arg0{{.*}} : (tensor<3x4x4xf32>) -> (tensor<3x4x4xf32>, tensor<3x4xi32>)
  // CHECK: %[[ONE:.*]] = cleave.constant dense<1> : tensor<3x4xi32>
  // CHECK: %[[FROM_ONE:.*]] = cleave.add %[[PIVOTS]], %[[ONE]]
  // CHECK: %[[IS_ZERO:.*]] = cleave.compare EQ, %[[LU]], %{{.*}}
  // CHECK: %[[INFO:.*]] = cleave.select
  // CHECK: return %[[LU]], %[[FROM_ONE]], %{{.*}}
  %0:3 = stablehlo.custom_call @lapack_sgetrf_ffi(%a) {backend_config = "", mhlo.backend_config = {}, mhlo.frontend_attributes = {num_batch_dims = "1"}, operand_layouts = [dense<[1, 2, 0]> : tensor<3xindex>], output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [0], operand_index = 0, operand_tuple_indices = []>], result_layouts = [dense<[1, 2, 0]> : tensor<3xindex>, dense<[1, 0]> : tensor<2xindex>, dense<0> : tensor<1xindex>], sdy.sharding_rule = #sdy.op_sharding_rule<([i, j, k])->([i, l, m], [i, n], [i]) {i=3, j=4, k=4, l=4, m=4, n=4}, custom>} : (tensor<3x4x4xf32>) -> (tensor<3x4x4xf32>, tensor<3x4xi32>, tensor<3xi32>)
  return %0#0, %0#1, %0#2 : tensor<3x4x4xf32>, tensor<3x4xi32>, tensor<3xi32>
}

// -----

// CHECK-LABEL: func.func @lu_elsewhere
func.func @lu_elsewhere(%a: tensor<4x3xf32>) -> (tensor<4x3xf32>, tensor<3xi32>, tensor<4xi32>) {
  // CHECK: %[[LU:.*]], %[[PIVOTS:.*]] = cleave.lu %arg0
  // CHECK: %[[ORDER:.*]] = cleave.pivots_to_permutation %[[PIVOTS]]{{.*}} : (tensor<3xi32>) -> tensor<4xi32>
  // CHECK: return %[[LU]], %[[PIVOTS]], %[[ORDER]]
  %0:3 = stablehlo.custom_call @LuDecomposition(%a) {api_version = 2 : i32, backend_config = ""} : (tensor<4x3xf32>) -> (tensor<4x3xf32>, tensor<3xi32>, tensor<4xi32>)
  return %0#0, %0#1, %0#2 : tensor<4x3xf32>, tensor<3xi32>, tensor<4xi32>
}

// -----

// Complex matrices are two.
// CHECK-LABEL: func.func @qr
func.func @qr(%a: tensor<5x3xcomplex<f64>>) -> tensor<5x3xcomplex<f64>> {
  // CHECK: %[[R:.*]]:2, %[[TAU:.*]]:2 = cleave.qr %arg0, %arg1{{.*}} : (tensor<5x3xf64>, tensor<5x3xf64>) -> (tensor<5x3xf64>, tensor<5x3xf64>, tensor<3xf64>, tensor<3xf64>)
  %0:2 = stablehlo.custom_call @lapack_zgeqrf_ffi(%a) {mhlo.backend_config = {}} : (tensor<5x3xcomplex<f64>>) -> (tensor<5x3xcomplex<f64>>, tensor<3xcomplex<f64>>)
  // CHECK: cleave.householder_product(%[[R]]#0, %[[R]]#1) (%[[TAU]]#0, %[[TAU]]#1)
  %1 = stablehlo.custom_call @lapack_zungqr_ffi(%0#0, %0#1) {mhlo.backend_config = {}} : (tensor<5x3xcomplex<f64>>, tensor<3xcomplex<f64>>) -> tensor<5x3xcomplex<f64>>
  return %1 : tensor<5x3xcomplex<f64>>
}

// -----

// CHECK-LABEL: func.func @eigh
func.func @eigh(%a: tensor<4x4xf32>) -> (tensor<4x4xf32>, tensor<4xf32>, tensor<i32>, tensor<4xf32>, tensor<4xf32>) {
  // CHECK: %[[V:.*]], %[[W:.*]] = cleave.eigh %arg0
  // CHECK: %[[FIRST:.*]] = cleave.slice %[[W]] [0:1]
  // CHECK: %[[SCALAR:.*]] = cleave.reshape %[[FIRST]]
  // CHECK: %[[NAN:.*]] = cleave.compare NE, %[[SCALAR]], %[[SCALAR]]
  // CHECK: %[[INFO:.*]] = cleave.convert %[[NAN]]
  %0:3 = stablehlo.custom_call @lapack_ssyevd_ffi(%a) {mhlo.backend_config = {mode = 86 : ui8, uplo = 85 : ui8}} : (tensor<4x4xf32>) -> (tensor<4x4xf32>, tensor<4xf32>, tensor<i32>)
  // CHECK: cleave.eigh lower %arg0
  %1:3 = stablehlo.custom_call @cusolver_syevd_ffi(%a) {mhlo.backend_config = {algorithm = 0 : ui8, lower = true}} : (tensor<4x4xf32>) -> (tensor<4x4xf32>, tensor<4xf32>, tensor<i32>)
  // CHECK: cleave.eigh lower %arg0
  %2:2 = stablehlo.custom_call @Eigh(%a) {backend_config = "1,1,100,1e-6"} : (tensor<4x4xf32>) -> (tensor<4x4xf32>, tensor<4xf32>)
  // CHECK: return %[[V]], %[[W]], %[[INFO]]
  return %0#0, %0#1, %0#2, %1#1, %2#1 : tensor<4x4xf32>, tensor<4xf32>, tensor<i32>, tensor<4xf32>, tensor<4xf32>
}

// -----

// CHECK-LABEL: func.func @svd
func.func @svd(%a: tensor<5x3xf32>, %c: tensor<5x3xcomplex<f32>>) -> (tensor<3xf32>, tensor<3xf32>, tensor<3x3xcomplex<f32>>, tensor<3xf32>) {
  // CHECK: cleave.svd values %arg0{{.*}} : (tensor<5x3xf32>) -> tensor<3xf32>
  %0:5 = stablehlo.custom_call @lapack_sgesdd_ffi(%a) {mhlo.backend_config = {mode = 78 : ui8}} : (tensor<5x3xf32>) -> (tensor<5x3xf32>, tensor<3xf32>, tensor<5x5xf32>, tensor<3x3xf32>, tensor<i32>)
  // CHECK: cleave.svd full %arg0{{.*}} : (tensor<5x3xf32>) -> (tensor<3xf32>, tensor<5x5xf32>, tensor<3x3xf32>)
  %1:5 = stablehlo.custom_call @lapack_sgesdd_ffi(%a) {mhlo.backend_config = {mode = 65 : ui8}} : (tensor<5x3xf32>) -> (tensor<5x3xf32>, tensor<3xf32>, tensor<5x5xf32>, tensor<3x3xf32>, tensor<i32>)
  // A GPU gives V instead of its adjoint.
  // CHECK: %{{.*}}, %{{.*}}:2, %[[VH:.*]]:2 = cleave.svd full %arg1, %arg2
  // CHECK-DAG: %[[REAL:.*]] = cleave.transpose %[[VH]]#0, dims = [1, 0]
  // CHECK-DAG: %[[TRANSPOSED:.*]] = cleave.transpose %[[VH]]#1, dims = [1, 0]
  // CHECK-DAG: %[[IMAGINARY:.*]] = cleave.negate %[[TRANSPOSED]]
  %2:5 = stablehlo.custom_call @cusolver_gesvdj_ffi(%c) {mhlo.backend_config = {compute_uv = true, full_matrices = true}} : (tensor<5x3xcomplex<f32>>) -> (tensor<5x3xcomplex<f32>>, tensor<3xf32>, tensor<5x5xcomplex<f32>>, tensor<3x3xcomplex<f32>>, tensor<i32>)
  // CHECK: cleave.svd values %arg0
  %3:5 = stablehlo.custom_call @cusolver_gesvdj_ffi(%a) {mhlo.backend_config = {compute_uv = false, full_matrices = true}} : (tensor<5x3xf32>) -> (tensor<5x3xf32>, tensor<3xf32>, tensor<5x5xf32>, tensor<3x3xf32>, tensor<i32>)
  // CHECK: return {{.*}}, {{.*}}, %[[REAL]], %[[IMAGINARY]]
  return %0#1, %1#1, %2#3, %3#1 : tensor<3xf32>, tensor<3xf32>, tensor<3x3xcomplex<f32>>, tensor<3xf32>
}

// -----

// CHECK-LABEL: func.func @general
func.func @general(%a: tensor<4x4xf32>) -> (tensor<4xf32>, tensor<4x4xcomplex<f32>>, tensor<4x4xf32>, tensor<4x4xf32>) {
  // CHECK: cleave.eig right %arg0{{.*}} : (tensor<4x4xf32>) -> (tensor<4xf32>, tensor<4xf32>, tensor<4x4xf32>, tensor<4x4xf32>)
  %0:5 = stablehlo.custom_call @lapack_sgeev_ffi(%a) {mhlo.backend_config = {compute_left = 78 : ui8, compute_right = 86 : ui8}} : (tensor<4x4xf32>) -> (tensor<4xf32>, tensor<4xf32>, tensor<4x4xcomplex<f32>>, tensor<4x4xcomplex<f32>>, tensor<i32>)
  // CHECK: cleave.schur %arg0
  %1:6 = stablehlo.custom_call @lapack_sgees_ffi(%a) {mhlo.backend_config = {mode = 86 : ui8, sort = 78 : ui8}} : (tensor<4x4xf32>) -> (tensor<4x4xf32>, tensor<4x4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<i32>, tensor<i32>)
  // CHECK: cleave.hessenberg %arg0
  %2:3 = stablehlo.custom_call @lapack_sgehrd_ffi(%a) {mhlo.backend_config = {high = 4 : i32, low = 1 : i32}} : (tensor<4x4xf32>) -> (tensor<4x4xf32>, tensor<3xf32>, tensor<i32>)
  // CHECK: cleave.tridiagonal lower %arg0
  %3:5 = stablehlo.custom_call @lapack_ssytrd_ffi(%a) {mhlo.backend_config = {uplo = 76 : ui8}} : (tensor<4x4xf32>) -> (tensor<4x4xf32>, tensor<4xf32>, tensor<3xf32>, tensor<3xf32>, tensor<i32>)
  return %0#0, %0#3, %1#0, %2#0 : tensor<4xf32>, tensor<4x4xcomplex<f32>>, tensor<4x4xf32>, tensor<4x4xf32>
}

// -----

// CHECK-LABEL: func.func @tridiagonal_solve
func.func @tridiagonal_solve(%d: tensor<3x5xf32>, %b: tensor<3x5x2xf32>) -> (tensor<3x5x2xf32>, tensor<3x5x2xf32>) {
  // CHECK: cleave.tridiagonal_solve(%arg0) (%arg0) (%arg0) (%arg1)
  %0:5 = stablehlo.custom_call @lapack_sgtsv_ffi(%d, %d, %d, %b) {mhlo.backend_config = {}} : (tensor<3x5xf32>, tensor<3x5xf32>, tensor<3x5xf32>, tensor<3x5x2xf32>) -> (tensor<3x5xf32>, tensor<3x5xf32>, tensor<3x5xf32>, tensor<3x5x2xf32>, tensor<3xi32>)
  // CHECK: cleave.tridiagonal_solve(%arg0) (%arg0) (%arg0) (%arg1)
  %1 = stablehlo.custom_call @cusparse_gtsv2_ffi(%d, %d, %d, %b) {mhlo.backend_config = {}} : (tensor<3x5xf32>, tensor<3x5xf32>, tensor<3x5xf32>, tensor<3x5x2xf32>) -> tensor<3x5x2xf32>
  return %0#3, %1 : tensor<3x5x2xf32>, tensor<3x5x2xf32>
}

// -----

// CHECK-LABEL: func.func @pivoted_qr
func.func @pivoted_qr(%a: tensor<5x3xf32>, %front: tensor<3xi32>) -> (tensor<5x3xf32>, tensor<3xi32>) {
  // CHECK: %[[R:.*]], %[[ORDER:.*]], %[[TAU:.*]] = cleave.pivoted_qr(%arg0) front(%arg1)
  // CHECK: %[[FROM_ONE:.*]] = cleave.add %[[ORDER]]
  // CHECK: return %[[R]], %[[FROM_ONE]]
  %0:3 = stablehlo.custom_call @lapack_sgeqp3_ffi(%a, %front) {mhlo.backend_config = {}} : (tensor<5x3xf32>, tensor<3xi32>) -> (tensor<5x3xf32>, tensor<3xi32>, tensor<3xf32>)
  return %0#0, %0#1 : tensor<5x3xf32>, tensor<3xi32>
}

// -----

// Q is never made: C - (C V) S^-1 V^H with the triangle S.
// CHECK-LABEL: func.func @product_by_reflections
func.func @product_by_reflections(%packed: tensor<5x3xf32>, %taus: tensor<3xf32>, %c: tensor<2x5xf32>) -> tensor<2x5xf32> {
  // CHECK: %[[GRAM:.*]] = cleave.dot_general %[[VECTORS:.*]], %[[VECTORS]], contracting_dims = [0] x [0]
  // CHECK: %[[S:.*]] = cleave.select %{{.*}}, %{{.*}}, %[[GRAM]] :
  // CHECK: %[[INNER:.*]] = cleave.dot_general %arg2, %[[VECTORS]]
  // CHECK: %[[SOLVED:.*]] = cleave.triangular_solve adjoint(%[[S]]) (%[[INNER]]) : (tensor<3x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  // CHECK: %[[UPDATE:.*]] = cleave.dot_general %[[SOLVED]], %[[VECTORS]]
  // CHECK: cleave.subtract %arg2, %[[UPDATE]]
  %0 = stablehlo.custom_call @lapack_sormqr_ffi(%packed, %taus, %c) {mhlo.backend_config = {left = false, transpose = true}} : (tensor<5x3xf32>, tensor<3xf32>, tensor<2x5xf32>) -> tensor<2x5xf32>
  return %0 : tensor<2x5xf32>
}
