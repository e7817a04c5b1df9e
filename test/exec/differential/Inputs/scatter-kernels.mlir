// Scatters by atomic operations: counts, each kind of the others, rows, windows
// that overlap. Many updates of few elements, so that each operation that is not
// atomic meets another one.
func.func @main(%i0: tensor<200x1xi32>,
                %i1: tensor<200xi64>,
                %x1: tensor<11xui32>,
                %u1: tensor<200xui32>,
                %i2: tensor<200xui8>,
                %x2: tensor<11xi32>,
                %u2: tensor<200xi32>,
                %i3: tensor<100x1xi8>,
                %x3: tensor<5x8xui64>,
                %u3: tensor<100x8xui64>,
                %i4: tensor<100x1xi64>,
                %x4: tensor<5x8xi64>,
                %u4: tensor<100x8xi64>,
                %i5: tensor<200xi32>,
                %x5: tensor<11xi32>,
                %u5: tensor<200xi32>,
                %i6: tensor<200xi32>,
                %x6: tensor<11xui64>,
                %u6: tensor<200xui64>,
                %i7: tensor<2x30xi32>,
                %x7: tensor<9x8xi32>,
                %u7: tensor<30x3x2xi32>)
    -> (tensor<11xi32>,
        tensor<11xui32>,
        tensor<11xi32>,
        tensor<11xi32>,
        tensor<5x8xui64>,
        tensor<5x8xi64>,
        tensor<5x8xi64>,
        tensor<11xi32>,
        tensor<11xui64>,
        tensor<9x8xi32>) {
  %by0 = cleave.constant dense<3> : tensor<200x1xi32>
  %j0 = cleave.multiply %i0, %by0 : tensor<200x1xi32>
  %x0 = cleave.constant dense<0> : tensor<11xi32>
  %u0 = cleave.constant dense<1> : tensor<200xi32>
  %r0 = cleave.scatter(%x0) at %j0 with (%u0) {update_window_dims = array<i64>, inserted_window_dims = array<i64: 0>, scatter_dims_to_operand_dims = array<i64: 0>, index_vector_dim = 1}
      : (tensor<11xi32>, tensor<200x1xi32>, tensor<200xi32>) -> tensor<11xi32> {
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %s = cleave.add %a, %b : tensor<i32>
    cleave.return %s : tensor<i32>
  }
  %by1 = cleave.constant dense<3> : tensor<200xi64>
  %j1 = cleave.multiply %i1, %by1 : tensor<200xi64>
  %r1 = cleave.scatter(%x1) at %j1 with (%u1) {update_window_dims = array<i64>, inserted_window_dims = array<i64: 0>, scatter_dims_to_operand_dims = array<i64: 0>, index_vector_dim = 1}
      : (tensor<11xui32>, tensor<200xi64>, tensor<200xui32>) -> tensor<11xui32> {
  ^bb0(%a: tensor<ui32>, %b: tensor<ui32>):
    %s = cleave.maximum %a, %b : tensor<ui32>
    cleave.return %s : tensor<ui32>
  }
  %by2 = cleave.constant dense<3> : tensor<200xui8>
  %j2 = cleave.multiply %i2, %by2 : tensor<200xui8>
  %r2 = cleave.scatter(%x2) at %j2 with (%u2) {update_window_dims = array<i64>, inserted_window_dims = array<i64: 0>, scatter_dims_to_operand_dims = array<i64: 0>, index_vector_dim = 1}
      : (tensor<11xi32>, tensor<200xui8>, tensor<200xi32>) -> tensor<11xi32> {
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %s = cleave.minimum %a, %b : tensor<i32>
    cleave.return %s : tensor<i32>
  }
  %k2 = cleave.add %x2, %r2 : tensor<11xi32>
  %by3 = cleave.constant dense<2> : tensor<100x1xi8>
  %j3 = cleave.multiply %i3, %by3 : tensor<100x1xi8>
  %r3 = cleave.scatter(%x3) at %j3 with (%u3) {update_window_dims = array<i64: 1>, inserted_window_dims = array<i64: 0>, scatter_dims_to_operand_dims = array<i64: 0>, index_vector_dim = 1}
      : (tensor<5x8xui64>, tensor<100x1xi8>, tensor<100x8xui64>) -> tensor<5x8xui64> {
  ^bb0(%a: tensor<ui64>, %b: tensor<ui64>):
    %s = cleave.minimum %a, %b : tensor<ui64>
    cleave.return %s : tensor<ui64>
  }
  %by4 = cleave.constant dense<2> : tensor<100x1xi64>
  %j4 = cleave.multiply %i4, %by4 : tensor<100x1xi64>
  %r4 = cleave.scatter(%x4) at %j4 with (%u4) {update_window_dims = array<i64: 1>, inserted_window_dims = array<i64: 0>, scatter_dims_to_operand_dims = array<i64: 0>, index_vector_dim = 1}
      : (tensor<5x8xi64>, tensor<100x1xi64>, tensor<100x8xi64>) -> tensor<5x8xi64> {
  ^bb0(%a: tensor<i64>, %b: tensor<i64>):
    %s = cleave.maximum %a, %b : tensor<i64>
    cleave.return %s : tensor<i64>
  }
  %k4 = cleave.add %x4, %r4 : tensor<5x8xi64>
  %by5 = cleave.constant dense<3> : tensor<200xi32>
  %j5 = cleave.multiply %i5, %by5 : tensor<200xi32>
  %r5 = cleave.scatter(%x5) at %j5 with (%u5) {update_window_dims = array<i64>, inserted_window_dims = array<i64: 0>, scatter_dims_to_operand_dims = array<i64: 0>, index_vector_dim = 1}
      : (tensor<11xi32>, tensor<200xi32>, tensor<200xi32>) -> tensor<11xi32> {
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %s = cleave.and %a, %b : tensor<i32>
    cleave.return %s : tensor<i32>
  }
  %by6 = cleave.constant dense<3> : tensor<200xi32>
  %j6 = cleave.multiply %i6, %by6 : tensor<200xi32>
  %r6 = cleave.scatter(%x6) at %j6 with (%u6) {update_window_dims = array<i64>, inserted_window_dims = array<i64: 0>, scatter_dims_to_operand_dims = array<i64: 0>, index_vector_dim = 1}
      : (tensor<11xui64>, tensor<200xi32>, tensor<200xui64>) -> tensor<11xui64> {
  ^bb0(%a: tensor<ui64>, %b: tensor<ui64>):
    %s = cleave.or %a, %b : tensor<ui64>
    cleave.return %s : tensor<ui64>
  }
  %by7 = cleave.constant dense<2> : tensor<2x30xi32>
  %j7 = cleave.multiply %i7, %by7 : tensor<2x30xi32>
  %r7 = cleave.scatter(%x7) at %j7 with (%u7) {update_window_dims = array<i64: 1, 2>, inserted_window_dims = array<i64>, scatter_dims_to_operand_dims = array<i64: 1, 0>, index_vector_dim = 0}
      : (tensor<9x8xi32>, tensor<2x30xi32>, tensor<30x3x2xi32>) -> tensor<9x8xi32> {
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %s = cleave.add %a, %b : tensor<i32>
    cleave.return %s : tensor<i32>
  }
  return %r0, %r1, %r2, %k2, %r3, %r4, %k4, %r5, %r6, %r7
      : tensor<11xi32>, tensor<11xui32>, tensor<11xi32>, tensor<11xi32>, tensor<5x8xui64>, tensor<5x8xi64>, tensor<5x8xi64>, tensor<11xi32>, tensor<11xui64>, tensor<9x8xi32>
}
