// Scatters of more updates than one thread makes, which are sorted: chains x -> 2 x - u
// and ties show every change of the order. Some indices are out of bounds.
func.func @main(%i0: tensor<300x1xi32>,
                %u0: tensor<300x24xf32>,
                %i1: tensor<300xi64>,
                %x1: tensor<11xf32>,
                %u1: tensor<300xf32>,
                %i2: tensor<10x9x1xi32>,
                %u2: tensor<10x9x5xbf16>,
                %i3: tensor<90xui8>,
                %x3: tensor<5x8xi16>,
                %u3: tensor<5x90xi16>,
                %i4: tensor<2x30xi32>,
                %x4: tensor<9x8xi32>,
                %u4: tensor<30x3x2xi32>,
                %i5: tensor<30x1xi32>,
                %x5: tensor<9x8xi32>,
                %u5: tensor<3x30x8xi32>,
                %i6: tensor<40x1xi32>,
                %x6: tensor<9x8xf32>,
                %u6: tensor<40x5xf32>,
                %i7: tensor<9x8x2xi64>,
                %x7: tensor<4x6x7xi32>,
                %u7: tensor<9x8x4xi32>,
                %i8: tensor<5x4x20x1xi32>,
                %x8: tensor<9x4x6xi8>,
                %u8: tensor<5x4x20x6xi8>,
                %i9: tensor<70x1x3xi32>,
                %x9: tensor<9x3x40xf16>,
                %u9: tensor<70x3x40xf16>,
                %i10: tensor<3x70xi64>,
                %x10: tensor<3x9xf64>,
                %u10: tensor<3x70xf64>,
                %i11: tensor<70xi32>,
                %x11: tensor<40xi1>,
                %u11: tensor<70xi1>,
                %i12: tensor<70xui64>,
                %i13: tensor<2xi32>,
                %x13: tensor<40x30xf32>,
                %u13: tensor<20x10xf32>,
                %i14: tensor<3x1xi32>,
                %x14: tensor<9x3xf32>,
                %u14: tensor<3xf32>,
                %y: tensor<80x3xf32>,
                %w: tensor<90x3xf32>,
                %v: tensor<300xf32>)
    -> (tensor<11x24xf32>,
        tensor<11xf32>,
        tensor<11xf32>,
        tensor<11x5xbf16>,
        tensor<5x8xi16>,
        tensor<9x8xi32>,
        tensor<9x8xi32>,
        tensor<9x8xf32>,
        tensor<4x6x7xi32>,
        tensor<9x4x6xi8>,
        tensor<9x3x40xf16>,
        tensor<3x9xf64>,
        tensor<40xi1>,
        tensor<40xi1>,
        tensor<40x30xf32>,
        tensor<40x30xf32>,
        tensor<9x3xf32>,
        tensor<80x3xf32>,
        tensor<11xf32>,
        tensor<11xi32>) {
  // The gradient of a table look-up; then single elements, of a value that is used again.
  %by0 = cleave.constant dense<3> : tensor<300x1xi32>
  %j0 = cleave.multiply %i0, %by0 : tensor<300x1xi32>
  %x0 = cleave.constant dense<0.0> : tensor<11x24xf32>
  %r0 = cleave.scatter(%x0) at %j0 with (%u0) {update_window_dims = array<i64: 1>, inserted_window_dims = array<i64: 0>, scatter_dims_to_operand_dims = array<i64: 0>, index_vector_dim = 1}
      : (tensor<11x24xf32>, tensor<300x1xi32>, tensor<300x24xf32>) -> tensor<11x24xf32> {
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = cleave.add %a, %b : tensor<f32>
    cleave.return %s : tensor<f32>
  }
  %r1 = cleave.scatter(%x1) at %i1 with (%u1) {update_window_dims = array<i64>, inserted_window_dims = array<i64: 0>, scatter_dims_to_operand_dims = array<i64: 0>, index_vector_dim = 1}
      : (tensor<11xf32>, tensor<300xi64>, tensor<300xf32>) -> tensor<11xf32> {
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = cleave.add %a, %b : tensor<f32>
    cleave.return %s : tensor<f32>
  }
  %k1 = cleave.add %x1, %r1 : tensor<11xf32>
  // Two dimensions of updates, columns, windows that overlap.
  %by2 = cleave.constant dense<3> : tensor<10x9x1xi32>
  %j2 = cleave.multiply %i2, %by2 : tensor<10x9x1xi32>
  %x2 = cleave.constant dense<0.0> : tensor<11x5xbf16>
  %r2 = cleave.scatter(%x2) at %j2 with (%u2) {update_window_dims = array<i64: 2>, inserted_window_dims = array<i64: 0>, scatter_dims_to_operand_dims = array<i64: 0>, index_vector_dim = 2}
      : (tensor<11x5xbf16>, tensor<10x9x1xi32>, tensor<10x9x5xbf16>) -> tensor<11x5xbf16> {
  ^bb0(%a: tensor<bf16>, %b: tensor<bf16>):
    %t = cleave.add %a, %a : tensor<bf16>
    %s = cleave.subtract %t, %b : tensor<bf16>
    cleave.return %s : tensor<bf16>
  }
  %by3 = cleave.constant dense<3> : tensor<90xui8>
  %j3 = cleave.multiply %i3, %by3 : tensor<90xui8>
  %r3 = cleave.scatter(%x3) at %j3 with (%u3) {update_window_dims = array<i64: 0>, inserted_window_dims = array<i64: 1>, scatter_dims_to_operand_dims = array<i64: 1>, index_vector_dim = 1}
      : (tensor<5x8xi16>, tensor<90xui8>, tensor<5x90xi16>) -> tensor<5x8xi16> {
  ^bb0(%a: tensor<i16>, %b: tensor<i16>):
    %t = cleave.add %a, %a : tensor<i16>
    %s = cleave.subtract %t, %b : tensor<i16>
    cleave.return %s : tensor<i16>
  }
  %by4 = cleave.constant dense<2> : tensor<2x30xi32>
  %j4 = cleave.multiply %i4, %by4 : tensor<2x30xi32>
  %r4 = cleave.scatter(%x4) at %j4 with (%u4) {update_window_dims = array<i64: 1, 2>, inserted_window_dims = array<i64>, scatter_dims_to_operand_dims = array<i64: 1, 0>, index_vector_dim = 0}
      : (tensor<9x8xi32>, tensor<2x30xi32>, tensor<30x3x2xi32>) -> tensor<9x8xi32> {
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %t = cleave.add %a, %a : tensor<i32>
    %s = cleave.subtract %t, %b : tensor<i32>
    cleave.return %s : tensor<i32>
  }
  %by5 = cleave.constant dense<2> : tensor<30x1xi32>
  %j5 = cleave.multiply %i5, %by5 : tensor<30x1xi32>
  %r5 = cleave.scatter(%x5) at %j5 with (%u5) {update_window_dims = array<i64: 0, 2>, inserted_window_dims = array<i64>, scatter_dims_to_operand_dims = array<i64: 0>, index_vector_dim = 1}
      : (tensor<9x8xi32>, tensor<30x1xi32>, tensor<3x30x8xi32>) -> tensor<9x8xi32> {
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %t = cleave.add %a, %a : tensor<i32>
    %s = cleave.subtract %t, %b : tensor<i32>
    cleave.return %s : tensor<i32>
  }
  // A window shorter than its dimension, which no index moves; pairs of indices.
  %by6 = cleave.constant dense<3> : tensor<40x1xi32>
  %j6 = cleave.multiply %i6, %by6 : tensor<40x1xi32>
  %r6 = cleave.scatter(%x6) at %j6 with (%u6) {update_window_dims = array<i64: 1>, inserted_window_dims = array<i64: 0>, scatter_dims_to_operand_dims = array<i64: 0>, index_vector_dim = 1}
      : (tensor<9x8xf32>, tensor<40x1xi32>, tensor<40x5xf32>) -> tensor<9x8xf32> {
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = cleave.add %a, %b : tensor<f32>
    cleave.return %s : tensor<f32>
  }
  %by7 = cleave.constant dense<2> : tensor<9x8x2xi64>
  %j7 = cleave.multiply %i7, %by7 : tensor<9x8x2xi64>
  %r7 = cleave.scatter(%x7) at %j7 with (%u7) {update_window_dims = array<i64: 2>, inserted_window_dims = array<i64: 1, 2>, scatter_dims_to_operand_dims = array<i64: 2, 1>, index_vector_dim = 2}
      : (tensor<4x6x7xi32>, tensor<9x8x2xi64>, tensor<9x8x4xi32>) -> tensor<4x6x7xi32> {
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    cleave.return %b : tensor<i32>
  }
  // Batches, in the middle and at the end.
  %by8 = cleave.constant dense<3> : tensor<5x4x20x1xi32>
  %j8 = cleave.multiply %i8, %by8 : tensor<5x4x20x1xi32>
  %r8 = cleave.scatter(%x8) at %j8 with (%u8) {update_window_dims = array<i64: 3>, inserted_window_dims = array<i64: 0>, input_batching_dims = array<i64: 1>, scatter_indices_batching_dims = array<i64: 1>, scatter_dims_to_operand_dims = array<i64: 0>, index_vector_dim = 3}
      : (tensor<9x4x6xi8>, tensor<5x4x20x1xi32>, tensor<5x4x20x6xi8>) -> tensor<9x4x6xi8> {
  ^bb0(%a: tensor<i8>, %b: tensor<i8>):
    cleave.return %b : tensor<i8>
  }
  %by9 = cleave.constant dense<3> : tensor<70x1x3xi32>
  %j9 = cleave.multiply %i9, %by9 : tensor<70x1x3xi32>
  %r9 = cleave.scatter(%x9) at %j9 with (%u9) {update_window_dims = array<i64: 2>, inserted_window_dims = array<i64: 0>, input_batching_dims = array<i64: 1>, scatter_indices_batching_dims = array<i64: 2>, scatter_dims_to_operand_dims = array<i64: 0>, index_vector_dim = 1}
      : (tensor<9x3x40xf16>, tensor<70x1x3xi32>, tensor<70x3x40xf16>) -> tensor<9x3x40xf16> {
  ^bb0(%a: tensor<f16>, %b: tensor<f16>):
    %s = cleave.add %a, %b : tensor<f16>
    cleave.return %s : tensor<f16>
  }
  %by10 = cleave.constant dense<3> : tensor<3x70xi64>
  %j10 = cleave.multiply %i10, %by10 : tensor<3x70xi64>
  %r10 = cleave.scatter(%x10) at %j10 with (%u10) {update_window_dims = array<i64>, inserted_window_dims = array<i64: 1>, input_batching_dims = array<i64: 0>, scatter_indices_batching_dims = array<i64: 0>, scatter_dims_to_operand_dims = array<i64: 1>, index_vector_dim = 2}
      : (tensor<3x9xf64>, tensor<3x70xi64>, tensor<3x70xf64>) -> tensor<3x9xf64> {
  ^bb0(%a: tensor<f64>, %b: tensor<f64>):
    %s = cleave.maximum %a, %b : tensor<f64>
    cleave.return %s : tensor<f64>
  }
  // Truth values, and a splat that need not be permuted.
  %by11 = cleave.constant dense<3> : tensor<70xi32>
  %j11 = cleave.multiply %i11, %by11 : tensor<70xi32>
  %r11 = cleave.scatter(%x11) at %j11 with (%u11) {update_window_dims = array<i64>, inserted_window_dims = array<i64: 0>, scatter_dims_to_operand_dims = array<i64: 0>, index_vector_dim = 1}
      : (tensor<40xi1>, tensor<70xi32>, tensor<70xi1>) -> tensor<40xi1> {
  ^bb0(%a: tensor<i1>, %b: tensor<i1>):
    %s = cleave.or %a, %b : tensor<i1>
    cleave.return %s : tensor<i1>
  }
  %by12 = cleave.constant dense<3> : tensor<70xui64>
  %j12 = cleave.multiply %i12, %by12 : tensor<70xui64>
  %x12 = cleave.constant dense<false> : tensor<40xi1>
  %u12 = cleave.constant dense<true> : tensor<70xi1>
  %r12 = cleave.scatter(%x12) at %j12 with (%u12) {update_window_dims = array<i64>, inserted_window_dims = array<i64: 0>, scatter_dims_to_operand_dims = array<i64: 0>, index_vector_dim = 1}
      : (tensor<40xi1>, tensor<70xui64>, tensor<70xi1>) -> tensor<40xi1> {
  ^bb0(%a: tensor<i1>, %b: tensor<i1>):
    cleave.return %b : tensor<i1>
  }
  // One window, which updates no element twice: also in each batch.
  %by13 = cleave.constant dense<3> : tensor<2xi32>
  %j13 = cleave.multiply %i13, %by13 : tensor<2xi32>
  %r13 = cleave.scatter(%x13) at %j13 with (%u13) {update_window_dims = array<i64: 0, 1>, inserted_window_dims = array<i64>, scatter_dims_to_operand_dims = array<i64: 0, 1>, index_vector_dim = 0}
      : (tensor<40x30xf32>, tensor<2xi32>, tensor<20x10xf32>) -> tensor<40x30xf32> {
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    cleave.return %b : tensor<f32>
  }
  %k13 = cleave.add %x13, %r13 : tensor<40x30xf32>
  %by14 = cleave.constant dense<3> : tensor<3x1xi32>
  %j14 = cleave.multiply %i14, %by14 : tensor<3x1xi32>
  %r14 = cleave.scatter(%x14) at %j14 with (%u14) {update_window_dims = array<i64>, inserted_window_dims = array<i64: 0>, input_batching_dims = array<i64: 1>, scatter_indices_batching_dims = array<i64: 0>, scatter_dims_to_operand_dims = array<i64: 0>, index_vector_dim = 1}
      : (tensor<9x3xf32>, tensor<3x1xi32>, tensor<3xf32>) -> tensor<9x3xf32> {
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %t = cleave.add %a, %a : tensor<f32>
    %s = cleave.subtract %t, %b : tensor<f32>
    cleave.return %s : tensor<f32>
  }
  // Indices that are promised to differ, the last ones out of bounds.
  %number = cleave.iota dim = 0 : tensor<90xi32>
  %seven = cleave.constant dense<7> : tensor<90xi32>
  %ninety = cleave.constant dense<90> : tensor<90xi32>
  %multiple = cleave.multiply %number, %seven : tensor<90xi32>
  %differ = cleave.remainder %multiple, %ninety : tensor<90xi32>
  %q = cleave.scatter(%y) at %differ with (%w) {update_window_dims = array<i64: 1>, inserted_window_dims = array<i64: 0>, scatter_dims_to_operand_dims = array<i64: 0>, index_vector_dim = 1, unique_indices}
      : (tensor<80x3xf32>, tensor<90xi32>, tensor<90x3xf32>) -> tensor<80x3xf32> {
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = cleave.subtract %b, %a : tensor<f32>
    cleave.return %s : tensor<f32>
  }
  // Two at a time: the greater, and what came with it; ties are in order.
  %first = cleave.iota dim = 0 : tensor<300xi32>
  %none = cleave.constant dense<-1> : tensor<11xi32>
  %low = cleave.constant dense<-9.0> : tensor<11xf32>
  %p:2 = cleave.scatter(%low, %none) at %i0 with (%v, %first) {update_window_dims = array<i64>, inserted_window_dims = array<i64: 0>, scatter_dims_to_operand_dims = array<i64: 0>, index_vector_dim = 1}
      : (tensor<11xf32>, tensor<11xi32>, tensor<300x1xi32>, tensor<300xf32>, tensor<300xi32>) -> (tensor<11xf32>, tensor<11xi32>) {
  ^bb0(%a: tensor<f32>, %n: tensor<i32>, %b: tensor<f32>, %m: tensor<i32>):
    %g = cleave.compare GE, %b, %a : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %s = cleave.select %g, %b, %a : tensor<i1>, tensor<f32>
    %t = cleave.select %g, %m, %n : tensor<i1>, tensor<i32>
    cleave.return %s, %t : tensor<f32>, tensor<i32>
  }
  return %r0, %r1, %k1, %r2, %r3, %r4, %r5, %r6, %r7, %r8, %r9, %r10, %r11, %r12, %r13, %k13, %r14, %q, %p#0, %p#1
      : tensor<11x24xf32>, tensor<11xf32>, tensor<11xf32>, tensor<11x5xbf16>, tensor<5x8xi16>, tensor<9x8xi32>, tensor<9x8xi32>, tensor<9x8xf32>, tensor<4x6x7xi32>, tensor<9x4x6xi8>, tensor<9x3x40xf16>, tensor<3x9xf64>, tensor<40xi1>, tensor<40xi1>, tensor<40x30xf32>, tensor<40x30xf32>, tensor<9x3xf32>, tensor<80x3xf32>, tensor<11xf32>, tensor<11xi32>
}
