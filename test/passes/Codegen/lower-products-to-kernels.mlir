// RUN: cleave-opt %s -split-input-file -cleave-lower-products-to-kernels | FileCheck %s

// What cuBLASLt has stays; of the rest each element is a part of a kernel.
// CHECK-LABEL: func.func private @product(
// CHECK-SAME: %[[A:.*]]: memref<30xi32>, %[[B:.*]]: memref<40xi32>, %[[OUT:.*]]: memref<48xi32>, %[[BEGIN:.*]]: index, %[[END:.*]]: index
// CHECK-SAME: cleave.extent = 48 : i64
// CHECK: scf.for %[[PART:.*]] = %[[BEGIN]] to %[[END]]
// CHECK: %[[SUM:.*]] = scf.for
// CHECK: arith.muli
// CHECK: arith.addi
// CHECK: memref.store %[[SUM]], %[[OUT]]
// CHECK-LABEL: exec.program @main
// CHECK: exec.launch @product ins(%{{.*}}, %{{.*}} : memref<6x5xi32>, memref<5x8xi32>) outs(%{{.*}} : memref<6x8xi32>)
// CHECK-NEXT: exec.gemm
exec.program @main mesh <"m" ["x"=1]>
    inputs(%a: memref<6x5xi32> = <"a", tensor<6x5xi32>, [[], []]>, %b: memref<5x8xi32> = <"b", tensor<5x8xi32>, [[], []]>,
           %x: memref<6x5xf32> = <"x", tensor<6x5xf32>, [[], []]>, %w: memref<5x8xf32> = <"w", tensor<5x8xf32>, [[], []]>,
           %bias: memref<8xf32> = <"bias", tensor<8xf32>, [[]]>)
    outputs(%out: memref<6x8xi32> = <"out", tensor<6x8xi32>, [[], []]>, %y: memref<6x8xf32> = <"y", tensor<6x8xf32>, [[], []]>) arena 0 {
  exec.gemm %a, %b into %out batch = [] m = 6 n = 8 k = 5 strides [5, 1] x [8, 1] -> [8, 1]
    : memref<6x5xi32>, memref<5x8xi32>, memref<6x8xi32>
  exec.gemm %x, %w bias(n) %bias into %y batch = [] m = 6 n = 8 k = 5 strides [5, 1] x [8, 1] -> [8, 1]
    : memref<6x5xf32>, memref<5x8xf32>, memref<8xf32>, memref<6x8xf32>
}

// -----

// Products are rounded before they are added where the program wants that; a bias
// of each row, an activation and a residual follow.
// CHECK-LABEL: func.func private @product(
// CHECK-NOT: math.fma
// CHECK: arith.mulf
// CHECK: arith.addf
// CHECK: arith.maximumf
// CHECK: arith.addf
// CHECK: memref.store
// CHECK: exec.launch @product ins(%{{.*}}, %{{.*}}, %{{.*}}, %{{.*}} : memref<6x5xf32>, memref<5x8xf32>, memref<6xf32>, memref<6x8xf32>)
exec.program @main mesh <"m" ["x"=1]>
    inputs(%x: memref<6x5xf32> = <"x", tensor<6x5xf32>, [[], []]>, %w: memref<5x8xf32> = <"w", tensor<5x8xf32>, [[], []]>,
           %bias: memref<6xf32> = <"bias", tensor<6xf32>, [[]]>, %r: memref<6x8xf32> = <"r", tensor<6x8xf32>, [[], []]>)
    outputs(%y: memref<6x8xf32> = <"y", tensor<6x8xf32>, [[], []]>) arena 0 attributes {exec.stepwise} {
  exec.gemm %x, %w bias(m) %bias activation(relu) residual %r into %y batch = [] m = 6 n = 8 k = 5 strides [5, 1] x [8, 1] -> [8, 1]
    : memref<6x5xf32>, memref<5x8xf32>, memref<6xf32>, memref<6x8xf32>, memref<6x8xf32>
}
