// GSPMD's values that are kept as terms on all devices: added, scaled, reduced, scattered; an error where there are no terms,
// and where whole values are expected.
// RUN: split-file %s %t
// RUN: %cleave verify %t/terms.mlir --random-inputs 1 | FileCheck %s --check-prefix=TERMS
// TERMS: verified 3 of 3 outputs on 4 ranks
// RUN: %cleave explain %t/terms.mlir | FileCheck %s --check-prefix=EXPLAINED
// EXPLAINED: total: 2 collectives, 840 bytes per device, 4 ranks
// RUN: not %cleave verify %t/whole.mlir --random-inputs 1 2>&1 | FileCheck %s --check-prefix=WHOLE
// WHOLE: whole.mlir:3:10: error: is partial over "d0", but its operand is not made of terms
// RUN: not %cleave verify %t/returned.mlir --random-inputs 1 2>&1 | FileCheck %s --check-prefix=RETURNED
// RETURNED: returned.mlir:2:3: error: result 0 of the entry function is annotated as partial; a program takes and returns whole values
// RUN: sh -c '"$0" compile %t/named-axes.mlir -o %t/a.out; test $? = 2' %cleave 2>&1 | FileCheck %s --check-prefix=NAMED --implicit-check-not=error:
// NAMED: named-axes.mlir:2:3: error: mhlo.sharding: a mesh of named axes is not read; expected 'replicated',

//--- terms.mlir
module attributes {mhlo.num_partitions = 4 : i32} {
  func.func @main(%a: tensor<8x6xf32> {mhlo.sharding = "{devices=[1,4]<=[4]}"}, %b: tensor<6x7xf32> {mhlo.sharding = "{devices=[4,1]<=[4]}"}) -> (tensor<8x7xf32> {mhlo.sharding = "{replicated}"}, tensor<8x7xf32>, tensor<8x7xf32> {mhlo.sharding = "{devices=[4,1]<=[4]}"}) {
    %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] {mhlo.sharding = "{unreduced}"} : (tensor<8x6xf32>, tensor<6x7xf32>) -> tensor<8x7xf32>
    %1 = stablehlo.add %0, %0 {mhlo.sharding = "{unreduced}"} : tensor<8x7xf32>
    %2 = stablehlo.negate %1 {mhlo.sharding = "{unreduced}"} : tensor<8x7xf32>
    return %1, %2, %0 : tensor<8x7xf32>, tensor<8x7xf32>, tensor<8x7xf32>
  }
}

//--- whole.mlir
module attributes {mhlo.num_partitions = 4 : i32} {
  func.func @main(%a: tensor<8xf32>) -> tensor<8xf32> {
    %0 = stablehlo.tanh %a {mhlo.sharding = "{unreduced}"} : tensor<8xf32>
    return %0 : tensor<8xf32>
  }
}

//--- returned.mlir
module attributes {mhlo.num_partitions = 4 : i32} {
  func.func @main(%a: tensor<8xf32> {mhlo.sharding = "{devices=[4]<=[4]}"}) -> (tensor<f32> {mhlo.sharding = "{unreduced}"}) {
    %0 = stablehlo.constant dense<0.0> : tensor<f32>
    %1 = stablehlo.reduce(%a init: %0) applies stablehlo.add across dimensions = [0] : (tensor<8xf32>, tensor<f32>) -> tensor<f32>
    return %1 : tensor<f32>
  }
}

//--- named-axes.mlir
module attributes {mhlo.num_partitions = 4 : i32} {
  func.func @main(%a: tensor<8xf32> {mhlo.sharding = "{mesh[a=4], [{a}]}"}) -> tensor<8xf32> {
    return %a : tensor<8xf32>
  }
}
