// Shardings of other dimensions than a value has, or of another number of values, which were dropped.
// RUN: cleave-opt %s -cleave-import-shardy-shardings -split-input-file -verify-diagnostics | FileCheck %s

sdy.mesh @mesh = <["x"=2]>
func.func @constraint(%x: tensor<8x8xf32>) -> tensor<8x8xf32> {
  // expected-error @+1 {{sharding has 1 dimension, but 'tensor<8x8xf32>' has 2}}
  %0 = sdy.sharding_constraint %x <@mesh, [{"x"}]> : tensor<8x8xf32>
  return %0 : tensor<8x8xf32>
}

// -----

sdy.mesh @mesh = <["x"=2]>
func.func @collective(%x: tensor<8xf32>) -> tensor<8xf32> {
  // expected-error @+1 {{sharding has 2 dimensions, but 'tensor<8xf32>' has 1}}
  %0 = sdy.all_slice [{"x"}] %x out_sharding=<@mesh, [{"x"}, {}]> : tensor<8xf32>
  return %0 : tensor<8xf32>
}

// -----

sdy.mesh @mesh = <["x"=2]>
func.func @op(%x: tensor<8x8xf32>) -> tensor<8x8xf32> {
  // expected-error @+1 {{sharding has 3 dimensions, but 'tensor<8x8xf32>' has 2}}
  %0 = stablehlo.negate %x {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}, {}, {}]>]>} : tensor<8x8xf32>
  return %0 : tensor<8x8xf32>
}

// -----

sdy.mesh @mesh = <["x"=2]>
func.func @too_many(%x: tensor<8x8xf32>) -> tensor<8x8xf32> {
  // expected-error @+1 {{sdy.sharding has 2 shardings for 1 result}}
  %0 = stablehlo.negate %x {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}, {}]>, <@mesh, [{"x"}, {}]>]>} : tensor<8x8xf32>
  return %0 : tensor<8x8xf32>
}

// -----

sdy.mesh @mesh = <["x"=2]>
func.func @not_per_value(%x: tensor<8x8xf32>) -> tensor<8x8xf32> {
  // expected-error @+1 {{expected #sdy.sharding_per_value<[...]>}}
  %0 = stablehlo.negate %x {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>} : tensor<8x8xf32>
  return %0 : tensor<8x8xf32>
}

// -----

sdy.mesh @mesh = <["x"=2]>
// expected-error @+1 {{sdy.sharding of argument 0 is "junk"; expected #sdy.sharding<...>}}
func.func @junk(%x: tensor<8x8xf32> {sdy.sharding = "junk"}) {
  return
}

// -----

sdy.mesh @mesh = <["x"=2]>
// expected-error @+1 {{sharding of result 0 has 1 dimension, but 'tensor<8x8xf32>' has 2}}
func.func @result(%x: tensor<8x8xf32>) -> (tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) {
  return %x : tensor<8x8xf32>
}

// -----

// What is on one device need not name its dimensions.
sdy.mesh @many = <["x"=2]>
sdy.mesh @one = <[], device_ids=[0]>
// CHECK-LABEL: func.func @one_device(%arg0: tensor<8x8xf32>, %arg1: tensor<8xf32> {spmd.sharding = #spmd.sharding<@many, [{"x"}]>})
func.func @one_device(%x: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@one, []>}, %y: tensor<8xf32> {sdy.sharding = #sdy.sharding<@many, [{"x"}]>}) -> tensor<8x8xf32> {
  // CHECK-NEXT: return %arg0
  %0 = sdy.sharding_constraint %x <@one, []> : tensor<8x8xf32>
  return %0 : tensor<8x8xf32>
}
