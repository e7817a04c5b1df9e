// Four least-squares problems by jnp.linalg.qr and a triangular solve, as JAX
// 0.10.2 exports them for processors: LAPACK's geqrf, orgqr and trsm. With the
// batch cut nothing is communicated; rows that are cut are gathered first.
//
// RUN: %cleave verify %s --mesh data=2 --shard 'a=data,-,-' --shard 'b=data,-,-' --random-inputs 1 \
// RUN:   | FileCheck %s
// RUN: %cleave verify %s --mesh data=3 --shard 'a=data,-,-' --shard 'b=data,-,-' --random-inputs 2
// RUN: %cleave explain %s --mesh rows=2 --shard 'a=-,rows,-' | FileCheck %s --check-prefix=ROWS
// CHECK: verified 1 of 1 outputs on 2 ranks
// ROWS: all_gather
module @least_squares attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<4x8x3xf32> {cleave.name = "a"},
                                %arg1: tensor<4x8x2xf32> {cleave.name = "b"}) -> (tensor<4x3x2xf32> {jax.result_info = "result"}) {
    %0:2 = call @qr(%arg0) : (tensor<4x8x3xf32>) -> (tensor<4x8x3xf32>, tensor<4x3x3xf32>)
    %1 = stablehlo.dot_general %0#0, %arg1, batching_dims = [0] x [0], contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<4x8x3xf32>, tensor<4x8x2xf32>) -> tensor<4x3x2xf32>
    %2 = stablehlo.custom_call @lapack_strsm_ffi(%0#1, %1) {backend_config = "", mhlo.backend_config = {diag = 78 : ui8, side = 76 : ui8, trans_x = 78 : ui8, uplo = 85 : ui8}, mhlo.frontend_attributes = {num_batch_dims = "1"}, operand_layouts = [dense<[1, 2, 0]> : tensor<3xindex>, dense<[1, 2, 0]> : tensor<3xindex>], output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [], operand_index = 1, operand_tuple_indices = []>], result_layouts = [dense<[1, 2, 0]> : tensor<3xindex>], sdy.sharding_rule = #sdy.op_sharding_rule<([i, j, k], [i, l, m])->([i, n, o]) {i=4, j=3, k=3, l=3, m=2, n=3, o=2}, custom>} : (tensor<4x3x3xf32>, tensor<4x3x2xf32>) -> tensor<4x3x2xf32>
    return %2 : tensor<4x3x2xf32>
  }
  func.func private @qr(%arg0: tensor<4x8x3xf32>) -> (tensor<4x8x3xf32>, tensor<4x3x3xf32>) {
    %0:2 = stablehlo.custom_call @lapack_sgeqrf_ffi(%arg0) {backend_config = "", mhlo.backend_config = {}, mhlo.frontend_attributes = {num_batch_dims = "1"}, operand_layouts = [dense<[1, 2, 0]> : tensor<3xindex>], output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [0], operand_index = 0, operand_tuple_indices = []>], result_layouts = [dense<[1, 2, 0]> : tensor<3xindex>, dense<[1, 0]> : tensor<2xindex>], sdy.sharding_rule = #sdy.op_sharding_rule<([i, j, k])->([i, l, m], [i, n]) {i=4, j=8, k=3, l=8, m=3, n=3}, custom>} : (tensor<4x8x3xf32>) -> (tensor<4x8x3xf32>, tensor<4x3xf32>)
    %1 = stablehlo.custom_call @lapack_sorgqr_ffi(%0#0, %0#1) {backend_config = "", mhlo.backend_config = {}, mhlo.frontend_attributes = {num_batch_dims = "1"}, operand_layouts = [dense<[1, 2, 0]> : tensor<3xindex>, dense<[1, 0]> : tensor<2xindex>], output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [], operand_index = 0, operand_tuple_indices = []>], result_layouts = [dense<[1, 2, 0]> : tensor<3xindex>], sdy.sharding_rule = #sdy.op_sharding_rule<([i, j, k], [i, l])->([i, m, n]) {i=4, j=8, k=3, l=3, m=8, n=3}, custom>} : (tensor<4x8x3xf32>, tensor<4x3xf32>) -> tensor<4x8x3xf32>
    %2 = stablehlo.slice %0#0 [0:4, 0:3, 0:3] : (tensor<4x8x3xf32>) -> tensor<4x3x3xf32>
    %3 = stablehlo.iota dim = 0 : tensor<3x3xi32>
    %c = stablehlo.constant dense<-1> : tensor<i32>
    %4 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<3x3xi32>
    %5 = stablehlo.add %3, %4 : tensor<3x3xi32>
    %6 = stablehlo.iota dim = 1 : tensor<3x3xi32>
    %7 = stablehlo.compare GE, %5, %6, SIGNED : (tensor<3x3xi32>, tensor<3x3xi32>) -> tensor<3x3xi1>
    %8 = stablehlo.broadcast_in_dim %7, dims = [1, 2] : (tensor<3x3xi1>) -> tensor<4x3x3xi1>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %9 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<4x3x3xf32>
    %10 = stablehlo.select %8, %9, %2 : tensor<4x3x3xi1>, tensor<4x3x3xf32>
    return %1, %10 : tensor<4x8x3xf32>, tensor<4x3x3xf32>
  }
}
