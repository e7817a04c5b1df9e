// RUN: cleave-opt %s | cleave-opt | FileCheck %s
// RUN: cleave-opt %s --mlir-print-op-generic | cleave-opt | FileCheck %s
// RUN: cleave-opt %s --emit-bytecode | cleave-opt | FileCheck %s

// CHECK-LABEL: func.func @sources(
func.func @sources() {
  // CHECK: cleave.constant dense<{{\[\[}}1, 2], [3, 4{{\]\]}}> : tensor<2x2xi64>
  cleave.constant dense<[[1, 2], [3, 4]]> : tensor<2x2xi64>
  // CHECK: cleave.constant dense<1.500000e+00> : tensor<7xbf16>
  cleave.constant dense<1.500000e+00> : tensor<7xbf16>
  // CHECK: cleave.constant dense<true> : tensor<i1>
  cleave.constant dense<true> : tensor<i1>
  // CHECK: cleave.constant dense<> : tensor<0x4xf32>
  cleave.constant dense<> : tensor<0x4xf32>
  // CHECK: cleave.constant dense<200> : tensor<ui8>
  cleave.constant dense<200> : tensor<ui8>
  // CHECK: cleave.constant {cleave.name = "table"} dense_resource<blob> : tensor<2xi32>
  cleave.constant {cleave.name = "table"} dense_resource<blob> : tensor<2xi32>
  // CHECK: cleave.iota dim = 1 : tensor<2x5xi32>
  cleave.iota dim = 1 : tensor<2x5xi32>
  // CHECK: cleave.iota dim = 0 : tensor<4xf16>
  cleave.iota dim = 0 : tensor<4xf16>
  return
}

// CHECK-LABEL: func.func @shape(
func.func @shape(%x: tensor<2x3xf32>, %row: tensor<1x3xf32>, %s: tensor<f32>, %e: tensor<2x0xf32>) {
  // CHECK: cleave.broadcast_in_dim %{{.*}}, dims = [2, 0] : (tensor<2x3xf32>) -> tensor<3x5x2xf32>
  cleave.broadcast_in_dim %x, dims = [2, 0] : (tensor<2x3xf32>) -> tensor<3x5x2xf32>
  // CHECK: cleave.broadcast_in_dim %{{.*}}, dims = [0, 1] : (tensor<1x3xf32>) -> tensor<4x3xf32>
  cleave.broadcast_in_dim %row, dims = [0, 1] : (tensor<1x3xf32>) -> tensor<4x3xf32>
  // CHECK: cleave.broadcast_in_dim %{{.*}}, dims = [] : (tensor<f32>) -> tensor<2x0xf32>
  cleave.broadcast_in_dim %s, dims = [] : (tensor<f32>) -> tensor<2x0xf32>
  // CHECK: cleave.reshape %{{.*}} : (tensor<2x3xf32>) -> tensor<3x1x2xf32>
  cleave.reshape %x : (tensor<2x3xf32>) -> tensor<3x1x2xf32>
  // CHECK: cleave.reshape %{{.*}} : (tensor<2x0xf32>) -> tensor<0xf32>
  cleave.reshape %e : (tensor<2x0xf32>) -> tensor<0xf32>
  // CHECK: cleave.transpose %{{.*}}, dims = [1, 0] : (tensor<2x3xf32>) -> tensor<3x2xf32>
  cleave.transpose %x, dims = [1, 0] : (tensor<2x3xf32>) -> tensor<3x2xf32>
  // CHECK: cleave.transpose %{{.*}}, dims = [] : (tensor<f32>) -> tensor<f32>
  cleave.transpose %s, dims = [] : (tensor<f32>) -> tensor<f32>
  // CHECK: cleave.reverse %{{.*}}, dims = [1, 0] : tensor<2x3xf32>
  cleave.reverse %x, dims = [1, 0] : tensor<2x3xf32>
  return
}

// CHECK-LABEL: func.func @slice(
func.func @slice(%x: tensor<4x7xf32>, %s: tensor<f32>) {
  // CHECK: cleave.slice %{{.*}} [0:2, 1:6:2] : (tensor<4x7xf32>) -> tensor<2x3xf32>
  cleave.slice %x [0:2, 1:6:2] : (tensor<4x7xf32>) -> tensor<2x3xf32>
  // CHECK: cleave.slice %{{.*}} [4:4, 0:7:9223372036854775807] : (tensor<4x7xf32>) -> tensor<0x1xf32>
  cleave.slice %x [4:4, 0:7:9223372036854775807] : (tensor<4x7xf32>) -> tensor<0x1xf32>
  // CHECK: cleave.slice %{{.*}} [] : (tensor<f32>) -> tensor<f32>
  cleave.slice %s [] : (tensor<f32>) -> tensor<f32>
  return
}

// CHECK-LABEL: func.func @pad(
func.func @pad(%x: tensor<2x3xf32>, %s: tensor<f32>, %e: tensor<0xf32>) {
  // CHECK: cleave.pad %{{.*}}, %{{.*}}, low = [1, -1], high = [0, 2], interior = [3, 0] : (tensor<2x3xf32>, tensor<f32>) -> tensor<6x4xf32>
  cleave.pad %x, %s, low = [1, -1], high = [0, 2], interior = [3, 0] : (tensor<2x3xf32>, tensor<f32>) -> tensor<6x4xf32>
  // CHECK: cleave.pad %{{.*}}, %{{.*}}, low = [2], high = [0], interior = [5] : (tensor<0xf32>, tensor<f32>) -> tensor<2xf32>
  cleave.pad %e, %s, low = [2], high = [0], interior = [5] : (tensor<0xf32>, tensor<f32>) -> tensor<2xf32>
  // CHECK: cleave.pad %{{.*}}, %{{.*}}, low = [], high = [], interior = [] : (tensor<f32>, tensor<f32>) -> tensor<f32>
  cleave.pad %s, %s, low = [], high = [], interior = [] : (tensor<f32>, tensor<f32>) -> tensor<f32>
  return
}

// CHECK-LABEL: func.func @concatenate(
func.func @concatenate(%x: tensor<2x3xf32>, %y: tensor<2x0xf32>) {
  // CHECK: cleave.concatenate %{{.*}}, %{{.*}}, %{{.*}}, dim = 1 : (tensor<2x3xf32>, tensor<2x0xf32>, tensor<2x3xf32>) -> tensor<2x6xf32>
  cleave.concatenate %x, %y, %x, dim = 1 : (tensor<2x3xf32>, tensor<2x0xf32>, tensor<2x3xf32>) -> tensor<2x6xf32>
  // CHECK: cleave.concatenate %{{.*}}, dim = 0 : (tensor<2x3xf32>) -> tensor<2x3xf32>
  cleave.concatenate %x, dim = 0 : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}

// CHECK-LABEL: func.func @windows(
func.func @windows(%x: tensor<2x3xf32>, %u: tensor<1x2xf32>, %i: tensor<i32>, %s: tensor<f32>) {
  // CHECK: cleave.dynamic_slice %{{.*}}, %{{.*}}, %{{.*}}, sizes = [1, 2] : (tensor<2x3xf32>, tensor<i32>, tensor<i32>) -> tensor<1x2xf32>
  cleave.dynamic_slice %x, %i, %i, sizes = [1, 2] : (tensor<2x3xf32>, tensor<i32>, tensor<i32>) -> tensor<1x2xf32>
  // CHECK: cleave.dynamic_slice %{{.*}}, sizes = [] : (tensor<f32>) -> tensor<f32>
  cleave.dynamic_slice %s, sizes = [] : (tensor<f32>) -> tensor<f32>
  // CHECK: cleave.dynamic_update_slice %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}} : (tensor<2x3xf32>, tensor<1x2xf32>, tensor<i32>, tensor<i32>) -> tensor<2x3xf32>
  cleave.dynamic_update_slice %x, %u, %i, %i : (tensor<2x3xf32>, tensor<1x2xf32>, tensor<i32>, tensor<i32>) -> tensor<2x3xf32>
  // CHECK: cleave.dynamic_update_slice %{{.*}}, %{{.*}} : (tensor<f32>, tensor<f32>) -> tensor<f32>
  cleave.dynamic_update_slice %s, %s : (tensor<f32>, tensor<f32>) -> tensor<f32>
  return
}

// CHECK-LABEL: func.func @gather(
func.func @gather(%table: tensor<5x3xf32>, %ids: tensor<2x4xi32>, %batched: tensor<2x5xf32>, %pairs: tensor<6x2xi64>) {
  // CHECK: cleave.gather %{{.*}}, %{{.*}}, offset_dims = [2], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2, slice_sizes = [1, 3] : (tensor<5x3xf32>, tensor<2x4xi32>) -> tensor<2x4x3xf32>
  cleave.gather %table, %ids, offset_dims = [2], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2, slice_sizes = [1, 3] : (tensor<5x3xf32>, tensor<2x4xi32>) -> tensor<2x4x3xf32>
  // CHECK: cleave.gather %{{.*}}, %{{.*}}, offset_dims = [], collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [0], start_index_map = [1], index_vector_dim = 2, slice_sizes = [1, 1] : (tensor<2x5xf32>, tensor<2x4xi32>) -> tensor<2x4xf32>
  cleave.gather %batched, %ids, offset_dims = [], collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [0], start_index_map = [1], index_vector_dim = 2, slice_sizes = [1, 1] : (tensor<2x5xf32>, tensor<2x4xi32>) -> tensor<2x4xf32>
  // CHECK: cleave.gather %{{.*}}, %{{.*}}, offset_dims = [0, 2], collapsed_slice_dims = [], start_index_map = [1, 0], index_vector_dim = 1, slice_sizes = [4, 2] : (tensor<5x3xf32>, tensor<6x2xi64>) -> tensor<4x6x2xf32>
  cleave.gather %table, %pairs, offset_dims = [0, 2], collapsed_slice_dims = [], start_index_map = [1, 0], index_vector_dim = 1, slice_sizes = [4, 2] : (tensor<5x3xf32>, tensor<6x2xi64>) -> tensor<4x6x2xf32>
  return
}

{-#
  dialect_resources: {
    builtin: {
      blob: "0x040000000100000002000000"
    }
  }
#-}
