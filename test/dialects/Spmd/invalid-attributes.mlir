// RUN: cleave-opt %s -split-input-file -verify-diagnostics

// expected-error @+1 {{mesh axis "x" has size 0; a size is at least 1}}
spmd.mesh @m <"x"=0>

// -----

// expected-error @+1 {{mesh axis "x" has size -2; a size is at least 1}}
spmd.mesh @m <"x"=-2>

// -----

// expected-error @+1 {{mesh axis "x" appears twice}}
spmd.mesh @m <"x"=2, "x"=2>

// -----

// expected-error @+1 {{a mesh axis needs a name}}
spmd.mesh @m <""=2>

// -----

// expected-error @+1 {{a mesh has at most 1048576 ranks}}
spmd.mesh @m <"x"=1048576, "y"=2>

// -----

// expected-error @+1 {{a mesh has at most 1048576 ranks}}
spmd.mesh @m <"x"=4611686018427387904, "y"=4>

// -----

// expected-error @+1 {{device_ids lists 3 devices for 4 ranks}}
spmd.mesh @m <"x"=4, device_ids = [0, 1, 2]>

// -----

// expected-error @+1 {{device_ids must be a permutation of 0 to 3}}
spmd.mesh @m <"x"=4, device_ids = [0, 1, 2, 2]>

// -----

// expected-error @+1 {{device_ids must be a permutation of 0 to 3}}
spmd.mesh @m <"x"=4, device_ids = [0, 1, 2, 4]>

// -----

// expected-error @+1 {{expected string}}
spmd.mesh @m <x=4>

// -----

// expected-error @+1 {{a part of axis "x" has at least 2 positions and comes after at least 1}}
#axis = #spmd.axis<"x":(0)2>

// -----

// expected-error @+1 {{a part of axis "x" has at least 2 positions and comes after at least 1}}
#axis = #spmd.axis<"x":(1)1>

// -----

// expected-error @+1 {{a part of axis "x" has at least 2 positions and comes after at least 1}}
#axes = #spmd.axes<["y", "x":(1)0]>

// -----

// expected-error @+1 {{'?' must be the last entry of a dimension}}
#dim = #spmd.dim<{?, "x"}>

// -----

// expected-error @+1 {{expected a priority such as p0 or p1}}
#dim = #spmd.dim<{"x"}q1>

// -----

// expected-error @+1 {{expected a priority such as p0 or p1}}
#dim = #spmd.dim<{"x"}p99999999999999999999>

// -----

// expected-error @+1 {{unknown reduction 'mean'; expected sum, max, min, prod, and or or}}
#partial = #spmd.partial<mean "x">

// -----

// expected-error @+1 {{a mesh is named by a flat symbol such as @mesh}}
#sharding = #spmd.sharding<@a::@b, []>

// -----

// expected-error @+1 {{expected 'partial'}}
#sharding = #spmd.sharding<@m, [{}], sums = [sum "x"]>

// -----

// expected-error @+1 {{argument 0: there is no mesh @m}}
func.func @f(%x: tensor<4xf32> {spmd.sharding = #spmd.sharding<@m, [{"x"}]>}) {
  return
}

// -----

spmd.mesh @m <"x"=4, "y"=2>
// expected-error @+1 {{argument 0: mesh @m has no axis "z"; its axes are "x", "y"}}
func.func @f(%x: tensor<4xf32> {spmd.sharding = #spmd.sharding<@m, [{"z"}]>}) {
  return
}

// -----

spmd.mesh @m <"x"=4>
// expected-error @+1 {{argument 1: sharding has 1 dimensions, the tensor 'tensor<4x4xf32>' has 2}}
func.func @f(%w: tensor<f32>, %x: tensor<4x4xf32> {spmd.sharding = #spmd.sharding<@m, [{"x"}]>}) {
  return
}

// -----

spmd.mesh @m <"x"=4>
// expected-error @+1 {{argument 0: axis "x" is used twice; an axis cuts a tensor once}}
func.func @f(%x: tensor<4x4xf32> {spmd.sharding = #spmd.sharding<@m, [{"x"}, {"x"}]>}) {
  return
}

// -----

spmd.mesh @m <"x"=8>
// expected-error @+1 {{argument 0: axis "x" is used twice; an axis cuts a tensor once}}
func.func @f(%x: tensor<8x8xf32> {spmd.sharding = #spmd.sharding<@m, [{"x":(1)4}, {"x":(2)2}]>}) {
  return
}

// -----

spmd.mesh @m <"x"=4>
// expected-error @+1 {{argument 0: axis "x" is used twice; an axis cuts a tensor once}}
func.func @f(%x: tensor<4xf32> {spmd.sharding = #spmd.sharding<@m, [{"x"}], partial = [sum "x"]>}) {
  return
}

// -----

spmd.mesh @m <"x"=4>
// expected-error @+1 {{argument 0: axis "x" has 4 positions, which (2)4 does not divide}}
func.func @f(%x: tensor<4xf32> {spmd.sharding = #spmd.sharding<@m, [{"x":(2)4}]>}) {
  return
}

// -----

spmd.mesh @m <"x"=4>
// expected-error @+1 {{argument 0: axis "x" has 4 positions, which (4611686018427387904)4 does not divide}}
func.func @f(%x: tensor<4xf32> {spmd.sharding = #spmd.sharding<@m, [{"x":(4611686018427387904)4}]>}) {
  return
}

// -----

spmd.mesh @m <"x"=4>
// expected-error @+1 {{argument 0: axis "x" has 4 positions, which (1)3 does not divide}}
func.func @f(%x: tensor<4xf32> {spmd.sharding = #spmd.sharding<@m, [{}], partial = [sum "x":(1)3]>}) {
  return
}

// -----

spmd.mesh @m <"x"=4>
// expected-error @+1 {{result 0: only ranked tensors have shardings, not 'f32'}}
func.func @f(%x: f32) -> (f32 {spmd.sharding = #spmd.sharding<@m, []>}) {
  return %x : f32
}

// -----

// expected-error @+1 {{argument 0: spmd.sharding must be a #spmd.sharding}}
func.func @f(%x: tensor<4xf32> {spmd.sharding = "x"}) {
  return
}

// -----

// expected-error @+1 {{argument 0: spmd.global_type must be a type}}
func.func @f(%x: tensor<4xf32> {spmd.global_type = 4}) {
  return
}

// -----

// expected-error @+1 {{argument 0: unknown attribute "spmd.typo"}}
func.func @f(%x: tensor<4xf32> {spmd.typo = 4}) {
  return
}

// -----

// expected-error @+1 {{unknown attribute "spmd.sharding"}}
func.func @f() attributes {spmd.sharding = 4} {
  return
}

// -----

func.func @f() {
  // expected-error @+1 {{spmd.shardings needs one entry per result}}
  %0 = cleave.constant {spmd.shardings = []} dense<0.0> : tensor<4xf32>
  return
}

// -----

func.func @f() {
  // expected-error @+1 {{an entry of spmd.shardings is a #spmd.sharding, or unit where there is none}}
  %0 = cleave.constant {spmd.shardings = ["x"]} dense<0.0> : tensor<4xf32>
  return
}

// -----

spmd.mesh @m <"x"=4>
func.func @f() {
  // expected-error @+1 {{mesh @m has no axis "y"; its axes are "x"}}
  %0 = cleave.constant {spmd.shardings = [#spmd.sharding<@m, [{"y"}]>]} dense<0.0> : tensor<4xf32>
  return
}
