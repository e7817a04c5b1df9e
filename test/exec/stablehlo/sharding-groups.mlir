// Values of a group are cut alike, in a loop and where what they come from is cut otherwise, and stay the same values.
// RUN: %cleave verify %s --random-inputs 1 | FileCheck %s
// CHECK: verified 3 of 3 outputs on 4 ranks
sdy.mesh @mesh = <["x"=2, "y"=2]>
func.func @main(%a: tensor<7x6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, %b: tensor<7x6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"y"}]>}, %c: tensor<7x6xf32>) -> (tensor<7x6xf32>, tensor<7x6xf32>, tensor<6x6xf32>) {
  sdy.sharding_group %a group_id=0 : tensor<7x6xf32>
  sdy.sharding_group %b group_id=0 : tensor<7x6xf32>
  sdy.sharding_group %c group_id=0 : tensor<7x6xf32>
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %three = stablehlo.constant dense<3> : tensor<i32>
  %0:2 = stablehlo.while(%i = %zero, %v = %c) : tensor<i32>, tensor<7x6xf32>
    cond {
      %p = stablehlo.compare LT, %i, %three : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %p : tensor<i1>
    } do {
      %n = stablehlo.add %i, %one : tensor<i32>
      %s = stablehlo.add %v, %b : tensor<7x6xf32>
      sdy.sharding_group %s group_id=0 : tensor<7x6xf32>
      stablehlo.return %n, %s : tensor<i32>, tensor<7x6xf32>
    }
  %1 = stablehlo.multiply %a, %b : tensor<7x6xf32>
  %2 = stablehlo.dot_general %0#1, %1, contracting_dims = [0] x [0] : (tensor<7x6xf32>, tensor<7x6xf32>) -> tensor<6x6xf32>
  return %1, %0#1, %2 : tensor<7x6xf32>, tensor<7x6xf32>, tensor<6x6xf32>
}
