// What Shardy's meshes, dimensions and manual computations cannot be.
// RUN: cleave-opt %s -split-input-file -verify-diagnostics

// expected-error @+1 {{the mesh has two axes "a"}}
sdy.mesh @twice = <["a"=2, "a"=2]>

// -----

// expected-error @+1 {{a mesh has at most 1048576 devices}}
sdy.mesh @huge = <["a"=1048576, "b"=1048576, "c"=1048576, "d"=1048576]>

// -----

// expected-error @+1 {{device_ids lists 2 devices for a mesh of 4}}
sdy.mesh @short = <["a"=4], device_ids=[1, 0]>

// -----

// expected-error @+1 {{device_ids must be a permutation of 0 to 3}}
sdy.mesh @no_permutation = <["a"=4], device_ids=[0, 1, 1, 3]>

// -----

sdy.mesh @mesh = <["a"=2]>
// expected-error @+1 {{a closed dimension without axes has nothing that a priority could order}}
func.func @priority_of_nothing(%x: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}p1]>}) {
  return
}

// -----

sdy.mesh @mesh = <["a"=2, "b"=2]>
func.func @free_axis_first(%x: tensor<8xf32>) -> tensor<8xf32> {
  // expected-error @+1 {{names manual axis "b" after axis "a", which is not manual, in dimension 0 of #sdy.sharding<@mesh, [{"a", "b"}]>; manual axes come first}}
  %0 = sdy.manual_computation(%x) in_shardings=[<@mesh, [{"a", "b"}]>] out_shardings=[<@mesh, [{"b"}]>] manual_axes={"b"} (%l: tensor<4xf32>) {
    sdy.return %l : tensor<4xf32>
  } : (tensor<8xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}

// -----

sdy.mesh @mesh = <["a"=4]>
func.func @part_of_a_manual_axis(%x: tensor<8xf32>) -> tensor<8xf32> {
  // expected-error @+1 {{names a part of manual axis "a" in #sdy.sharding<@mesh, [{"a":(1)2}]>}}
  %0 = sdy.manual_computation(%x) in_shardings=[<@mesh, [{"a":(1)2}]>] out_shardings=[<@mesh, [{"a"}]>] manual_axes={"a"} (%l: tensor<4xf32>) {
    sdy.return %l : tensor<4xf32>
  } : (tensor<8xf32>) -> tensor<16xf32>
  return %x : tensor<8xf32>
}

// -----

sdy.mesh @mesh = <["a"=4]>
func.func @part_of_a_manual_axis_replicated(%x: tensor<8xf32>) -> tensor<8xf32> {
  // expected-error @+1 {{names a part of manual axis "a"}}
  %0 = sdy.manual_computation(%x) in_shardings=[<@mesh, [{}], replicated={"a":(1)2}>] out_shardings=[<@mesh, [{}]>] manual_axes={"a"} (%l: tensor<8xf32>) {
    sdy.return %l : tensor<8xf32>
  } : (tensor<8xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}

// -----

// Local values would have padding, which the body cannot know of.
sdy.mesh @mesh = <["a"=4]>
func.func @uneven_blocks(%x: tensor<6xf32>) -> tensor<6xf32> {
  // expected-error @+1 {{cuts dimension 0, of size 6, into 4 blocks that are not equal}}
  %0 = sdy.manual_computation(%x) in_shardings=[<@mesh, [{"a"}]>] out_shardings=[<@mesh, [{"a"}]>] manual_axes={"a"} (%l: tensor<2xf32>) {
    sdy.return %l : tensor<2xf32>
  } : (tensor<6xf32>) -> tensor<6xf32>
  return %0 : tensor<6xf32>
}

// -----

sdy.mesh @mesh = <["a"=2]>
func.func @unknown_manual_axis(%x: tensor<8xf32>) -> tensor<8xf32> {
  // expected-error @+1 {{has manual axis "b", but mesh #sdy.mesh<["a"=2]> has no such axis}}
  %0 = sdy.manual_computation(%x) in_shardings=[<@mesh, [{"a"}]>] out_shardings=[<@mesh, [{"a"}]>] manual_axes={"a", "b"} (%l: tensor<4xf32>) {
    sdy.return %l : tensor<4xf32>
  } : (tensor<8xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}

// -----

sdy.mesh @a = <["x"=2]>
sdy.mesh @b = <["x"=2], device_ids=[1, 0]>
func.func @two_meshes(%x: tensor<8xf32>) -> tensor<8xf32> {
  // expected-error @+1 {{is on mesh #sdy.mesh<["x"=2]> and on mesh #sdy.mesh<["x"=2], device_ids=[1, 0]>}}
  %0 = sdy.manual_computation(%x) in_shardings=[<@a, [{"x"}]>] out_shardings=[<@b, [{"x"}]>] manual_axes={"x"} (%l: tensor<4xf32>) {
    sdy.return %l : tensor<4xf32>
  } : (tensor<8xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}

// -----

func.func @axes_of_no_mesh() {
  // expected-error @+1 {{has manual axes, but no sharding says of which mesh}}
  sdy.manual_computation() in_shardings=[] out_shardings=[] manual_axes={"a"} () {
    sdy.return
  } : () -> ()
  return
}

// -----

sdy.mesh @mesh = <["a"=2]>
func.func @missing_sharding(%x: tensor<8xf32>) -> tensor<8xf32> {
  // expected-error @+1 {{needs one sharding per input and result}}
  %0 = sdy.manual_computation(%x) in_shardings=[] out_shardings=[<@mesh, [{"a"}]>] manual_axes={"a"} (%l: tensor<4xf32>) {
    sdy.return %l : tensor<4xf32>
  } : (tensor<8xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}

// -----

sdy.mesh @mesh = <["a"=2]>
func.func @local_values_lost(%x: tensor<8xf32>) -> tensor<8xf32> {
  // expected-error @+1 {{has a body that yields () where the results of the op are ('tensor<8xf32>')}}
  %0 = sdy.manual_computation(%x) in_shardings=[<@mesh, [{"a"}]>] out_shardings=[<@mesh, [{"a"}]>] manual_axes={"a"} (%l: tensor<4xf32>) {
    sdy.return
  } : (tensor<8xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}

// -----

func.func @named_yields_nothing(%x: tensor<8xf32>) -> tensor<8xf32> {
  // expected-error @+1 {{has a body that yields () where the results of the op are ('tensor<8xf32>')}}
  %0 = sdy.named_computation<"f">(%x) (%l: tensor<8xf32>) {
    sdy.return
  } : (tensor<8xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}

// -----

func.func @named_yields_another_type(%x: tensor<8xf32>, %y: tensor<4xf32>) -> tensor<8xf32> {
  // expected-error @+1 {{has a body that yields ('tensor<4xf32>') where the results of the op are ('tensor<8xf32>')}}
  %0 = sdy.named_computation<"f">(%x, %y) (%l: tensor<8xf32>, %m: tensor<4xf32>) {
    sdy.return %m : tensor<4xf32>
  } : (tensor<8xf32>, tensor<4xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}

// -----

func.func @named_takes_less(%x: tensor<8xf32>) -> tensor<8xf32> {
  // expected-error @+1 {{has a body that takes () where the inputs of the op are ('tensor<8xf32>')}}
  %0 = sdy.named_computation<"f">(%x) () {
    %1 = stablehlo.constant dense<0.0> : tensor<8xf32>
    sdy.return %1 : tensor<8xf32>
  } : (tensor<8xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}

// -----

sdy.mesh @mesh = <["a"=2]>
func.func @named_with_shardings_of_others(%x: tensor<8xf32>) -> tensor<8xf32> {
  // expected-error @+1 {{needs one sharding per input and result, or none}}
  %0 = sdy.named_computation<"f">(%x) in_shardings=[<@mesh, [{"a"}]>, <@mesh, [{"a"}]>] (%l: tensor<8xf32>) {
    sdy.return %l : tensor<8xf32>
  } : (tensor<8xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}

// -----

func.func @ends_with_another_op(%x: tensor<8xf32>) -> tensor<8xf32> {
  // expected-error @+1 {{has a body that ends with 'stablehlo.return'; expected 'sdy.return'}}
  %0 = sdy.named_computation<"f">(%x) (%l: tensor<8xf32>) {
    stablehlo.return %l : tensor<8xf32>
  } : (tensor<8xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}
