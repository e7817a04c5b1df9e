// RUN: cleave-opt %s -cleave-convert-stablehlo-to-cleave -split-input-file -verify-diagnostics

func.func @of_another_version(%a: tensor<4x4xf32>) -> tensor<4x4xf32> {
  // expected-error @below {{this call of 'lapack_sgetrf_ffi' is not supported: its operands, results or settings are not those that JAX gives it}}
  %0 = stablehlo.custom_call @lapack_sgetrf_ffi(%a) : (tensor<4x4xf32>) -> tensor<4x4xf32>
  return %0 : tensor<4x4xf32>
}

// -----

func.func @old(%n: tensor<i32>, %a: tensor<4x4xf32>) -> tensor<4x4xf32> {
  // expected-error @below {{custom_call 'lapack_sgetrf' is not supported: of LAPACK only calls whose names end with '_ffi' are, as JAX has exported since 0.4.34}}
  %0:3 = stablehlo.custom_call @lapack_sgetrf(%n, %a) : (tensor<i32>, tensor<4x4xf32>) -> (tensor<4x4xf32>, tensor<4xi32>, tensor<i32>)
  return %0#0 : tensor<4x4xf32>
}

// -----

func.func @without_triangle(%a: tensor<4x4xf32>) -> tensor<4xf32> {
  // expected-error @below {{this call of 'lapack_ssyevd_ffi' is not supported}}
  %0:3 = stablehlo.custom_call @lapack_ssyevd_ffi(%a) {mhlo.backend_config = {mode = 86 : ui8}} : (tensor<4x4xf32>) -> (tensor<4x4xf32>, tensor<4xf32>, tensor<i32>)
  return %0#1 : tensor<4xf32>
}

// -----

func.func @undefined(%a: tensor<5x3xf32>) -> tensor<5x3xf32> {
  // expected-error @below {{the use of result 0 of 'lapack_sgesdd_ffi' is not supported: what it is depends on the library}}
  %0:5 = stablehlo.custom_call @lapack_sgesdd_ffi(%a) {mhlo.backend_config = {mode = 83 : ui8}} : (tensor<5x3xf32>) -> (tensor<5x3xf32>, tensor<3xf32>, tensor<5x3xf32>, tensor<3x3xf32>, tensor<i32>)
  return %0#0 : tensor<5x3xf32>
}

// -----

func.func @wrong_shape(%a: tensor<5x3xf32>) -> tensor<5x3xf32> {
  // expected-error @below {{'cleave.qr' op taus has type 'tensor<2xf32>': should be 'tensor<3xf32>'}}
  %0:2 = stablehlo.custom_call @lapack_sgeqrf_ffi(%a) {mhlo.backend_config = {}} : (tensor<5x3xf32>) -> (tensor<5x3xf32>, tensor<2xf32>)
  return %0#0 : tensor<5x3xf32>
}

// -----

func.func @sorted(%a: tensor<4x4xf32>) -> tensor<4x4xf32> {
  // expected-error @below {{this call of 'lapack_sgees_ffi' is not supported}}
  %0:6 = stablehlo.custom_call @lapack_sgees_ffi(%a) {mhlo.backend_config = {mode = 86 : ui8, sort = 83 : ui8}} : (tensor<4x4xf32>) -> (tensor<4x4xf32>, tensor<4x4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<i32>, tensor<i32>)
  return %0#0 : tensor<4x4xf32>
}

// -----

func.func @part_of_a_matrix(%a: tensor<4x4xf32>) -> tensor<4x4xf32> {
  // expected-error @below {{this call of 'lapack_sgehrd_ffi' is not supported}}
  %0:3 = stablehlo.custom_call @lapack_sgehrd_ffi(%a) {mhlo.backend_config = {high = 3 : i32, low = 1 : i32}} : (tensor<4x4xf32>) -> (tensor<4x4xf32>, tensor<3xf32>, tensor<i32>)
  return %0#0 : tensor<4x4xf32>
}

// -----

func.func @token_as_info(%a: tensor<4x4xf32>) -> tensor<4x4xf32> {
  // expected-error @below {{this call of 'lapack_sgehrd_ffi' is not supported}}
  %0:3 = stablehlo.custom_call @lapack_sgehrd_ffi(%a) {mhlo.backend_config = {high = 4 : i32, low = 1 : i32}} : (tensor<4x4xf32>) -> (tensor<4x4xf32>, tensor<3xf32>, !stablehlo.token)
  return %0#0 : tensor<4x4xf32>
}

// -----

func.func @tuple_as_info(%a: tensor<4x4xf32>) -> tensor<4xf32> {
  // expected-error @below {{this call of 'lapack_sgeev_ffi' is not supported}}
  %0:5 = stablehlo.custom_call @lapack_sgeev_ffi(%a) {mhlo.backend_config = {compute_left = 78 : ui8, compute_right = 86 : ui8}} : (tensor<4x4xf32>) -> (tensor<4xf32>, tensor<4xf32>, tensor<4x4xcomplex<f32>>, tensor<4x4xcomplex<f32>>, tuple<tensor<i32>>)
  return %0#0 : tensor<4xf32>
}

// -----

func.func @float_as_info(%a: tensor<4x4xf32>) -> tensor<4x4xf32> {
  // expected-error @below {{this call of 'lapack_sgetrf_ffi' is not supported}}
  %0:3 = stablehlo.custom_call @lapack_sgetrf_ffi(%a) : (tensor<4x4xf32>) -> (tensor<4x4xf32>, tensor<4xi32>, tensor<f32>)
  return %0#0 : tensor<4x4xf32>
}

// -----

func.func @info_of_another_shape(%a: tensor<4x4xf32>) -> tensor<4x4xf32> {
  // expected-error @below {{this call of 'lapack_ssyevd_ffi' is not supported}}
  %0:3 = stablehlo.custom_call @lapack_ssyevd_ffi(%a) {mhlo.backend_config = {mode = 86 : ui8, uplo = 76 : ui8}} : (tensor<4x4xf32>) -> (tensor<4x4xf32>, tensor<4xf32>, tensor<3xi32>)
  return %0#0 : tensor<4x4xf32>
}

// -----

func.func @scalar(%a: tensor<f32>) -> tensor<f32> {
  // expected-error @below {{this call of 'lapack_sgehrd_ffi' is not supported}}
  %0:3 = stablehlo.custom_call @lapack_sgehrd_ffi(%a) {mhlo.backend_config = {high = 4 : i32, low = 1 : i32}} : (tensor<f32>) -> (tensor<f32>, tensor<3xf32>, tensor<i32>)
  return %0#0 : tensor<f32>
}

// -----

func.func @without_operands() -> tensor<4xf32> {
  // expected-error @below {{this call of 'lapack_sgeev_ffi' is not supported}}
  %0:5 = stablehlo.custom_call @lapack_sgeev_ffi() {mhlo.backend_config = {compute_left = 78 : ui8, compute_right = 86 : ui8}} : () -> (tensor<4xf32>, tensor<4xf32>, tensor<4x4xcomplex<f32>>, tensor<4x4xcomplex<f32>>, tensor<i32>)
  return %0#0 : tensor<4xf32>
}

// -----

func.func @token_instead_of_a_factor(%a: tensor<4x4xf32>) -> tensor<4x4xf32> {
  // expected-error @below {{this call of 'lapack_spotrf_ffi' is not supported}}
  %0:2 = stablehlo.custom_call @lapack_spotrf_ffi(%a) {mhlo.backend_config = {uplo = 76 : ui8}} : (tensor<4x4xf32>) -> (tensor<4x4xf32>, !stablehlo.token)
  return %0#0 : tensor<4x4xf32>
}

// -----

func.func @product_on_the_wrong_side(%packed: tensor<5x3xf32>, %taus: tensor<3xf32>, %c: tensor<2x5xf32>) -> tensor<2x5xf32> {
  // expected-error @below {{this call of 'lapack_sormqr_ffi' is not supported: its operands, results or settings are not those that JAX gives it}}
  %0 = stablehlo.custom_call @lapack_sormqr_ffi(%packed, %taus, %c) {mhlo.backend_config = {left = true, transpose = false}} : (tensor<5x3xf32>, tensor<3xf32>, tensor<2x5xf32>) -> tensor<2x5xf32>
  return %0 : tensor<2x5xf32>
}
