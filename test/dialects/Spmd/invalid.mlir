// RUN: cleave-opt %s -split-input-file -verify-diagnostics

func.func @f(%x: tensor<4xf32>) {
  // expected-error @+1 {{'spmd.sharding_constraint' op there is no mesh @m}}
  %0 = spmd.sharding_constraint %x <@m, [{}]> : tensor<4xf32>
  return
}

// -----

spmd.mesh @m <"x"=4>
func.func @f(%x: tensor<4xf32>) {
  // expected-error @+1 {{'spmd.reshard' op sharding has 0 dimensions, the tensor 'tensor<4xf32>' has 1}}
  %0 = spmd.reshard %x <@m, []> : tensor<4xf32>
  return
}

// -----

spmd.mesh @m <"x"=4>
func.func @f(%x: tensor<?xf32>) {
  // expected-error @+1 {{operand #0 must be statically shaped tensor}}
  %0 = spmd.reshard %x <@m, [{}]> : tensor<?xf32>
  return
}

// -----

spmd.mesh @m <"x"=4>
func.func @f(%x: tensor<4xf32>) {
  spmd.manual_computation() in [] out [] : () -> () {
    %y = cleave.constant dense<0.0> : tensor<4xf32>
    // expected-error @+1 {{acts on global tensors, but the values in an spmd.manual_computation are local}}
    %0 = spmd.sharding_constraint %y <@m, [{}]> : tensor<4xf32>
    spmd.return
  }
  return
}

// -----

spmd.mesh @m <"x"=4>
func.func @f(%x: tensor<4xf32>) {
  // expected-error @+1 {{needs one sharding and one local type per input}}
  spmd.manual_computation(%x) in [] out [] : (tensor<4xf32>) -> () {
  ^bb0(%a: tensor<4xf32>):
    spmd.return
  }
  return
}

// -----

spmd.mesh @m <"x"=4>
func.func @f(%x: tensor<7xf32>) {
  // expected-error @+1 {{input of local type 'tensor<7xf32>' should be 'tensor<2xf32>' under #spmd.sharding<@m, [{"x"}]>}}
  spmd.manual_computation(%x) in [#spmd.sharding<@m, [{"x"}]>] out [] : (tensor<7xf32>) -> () {
  ^bb0(%a: tensor<7xf32>):
    spmd.return
  }
  return
}

// -----

spmd.mesh @m <"x"=4>
func.func @f(%x: tensor<8xf32>) {
  // expected-error @+1 {{result of local type 'tensor<8xf32>' should be 'tensor<2xf32>' under #spmd.sharding<@m, [{"x"}]>}}
  %0 = spmd.manual_computation() in [] out [#spmd.sharding<@m, [{"x"}]>] : () -> tensor<8xf32> {
    %y = cleave.constant dense<0.0> : tensor<8xf32>
    spmd.return %y : tensor<8xf32>
  }
  return
}

// -----

spmd.mesh @m <"x"=4>
func.func @f() {
  // expected-error @+1 {{needs one sharding and one local type per result}}
  %0 = spmd.manual_computation() in [] out [#spmd.sharding<@m, [{"x"}]>] : () -> tensor<8xf32> {
    spmd.return
  }
  return
}

// -----

func.func @f(%x: tensor<8xf32>) {
  // expected-error @+1 {{there is no mesh @m}}
  spmd.manual_computation(%x) in [#spmd.sharding<@m, [{"x"}]>] out [] : (tensor<8xf32>) -> () {
  ^bb0(%a: tensor<2xf32>):
    spmd.return
  }
  return
}

// -----

func.func @f() {
  // expected-error @+1 {{body must end with spmd.return}}
  "spmd.manual_computation"() <{in_shardings = [], out_shardings = []}> ({
    "cleave.return"() : () -> ()
  }) : () -> ()
  return
}

// -----

func.func @f() {
  // expected-error @+1 {{expects parent op 'spmd.manual_computation'}}
  spmd.return
}

// -----

func.func @f(%x: tensor<4xf32>) {
  // expected-error @+1 {{refers to mesh @m, which does not exist}}
  %0 = spmd.all_reduce sum %x over @m ["x"] : tensor<4xf32>
  return
}

// -----

spmd.mesh @m <"x"=4>
func.func @f(%x: tensor<4xf32>) {
  // expected-error @+1 {{mesh @m has no axis "y"; its axes are "x"}}
  %0 = spmd.all_reduce sum %x over @m ["y"] : tensor<4xf32>
  return
}

// -----

spmd.mesh @m <"x"=4>
func.func @f(%x: tensor<4xf32>) {
  // expected-error @+1 {{axis "x" is used twice; an axis cuts a tensor once}}
  %0 = spmd.all_reduce sum %x over @m ["x", "x":(1)2] : tensor<4xf32>
  return
}

// -----

spmd.mesh @m <"x"=4>
func.func @f(%x: tensor<4xf32>) {
  // expected-error @+1 {{a part of axis "x" has at least 2 positions and comes after at least 1}}
  %0 = spmd.all_reduce sum %x over @m ["x":(0)2] : tensor<4xf32>
  return
}

// -----

spmd.mesh @m <"x"=4>
func.func @f(%x: tensor<4xf32>) {
  // expected-error @+1 {{axis "x" has 4 positions, which (2)4 does not divide}}
  %0 = spmd.all_reduce sum %x over @m ["x":(2)4] : tensor<4xf32>
  return
}

// -----

spmd.mesh @m <"x"=4>
func.func @f(%x: tensor<4xf32>) {
  // expected-error @+1 {{dimension 0 has extents 4 and 12, but a group of 4 needs the smaller to be 3}}
  %0 = spmd.all_gather %x dim 0 over @m ["x"] : tensor<4xf32> -> tensor<12xf32>
  return
}

// -----

spmd.mesh @m <"x"=4>
func.func @f(%x: tensor<4xf32>) {
  // expected-error @+1 {{dimension 1 is out of range for rank 1}}
  %0 = spmd.all_gather %x dim 1 over @m ["x"] : tensor<4xf32> -> tensor<16xf32>
  return
}

// -----

spmd.mesh @m <"x"=4>
func.func @f(%x: tensor<4xf32>) {
  // expected-error @+1 {{operand and result differ in rank or element type}}
  %0 = spmd.all_gather %x dim 0 over @m ["x"] : tensor<4xf32> -> tensor<16xf16>
  return
}

// -----

spmd.mesh @m <"x"=4>
func.func @f(%x: tensor<4x4xf32>) {
  // expected-error @+1 {{dimension 1 has extents 4 and 5, but a group of 4 needs both to be 5}}
  %0 = spmd.all_gather %x dim 0 over @m ["x"] : tensor<4x4xf32> -> tensor<16x5xf32>
  return
}

// -----

spmd.mesh @m <"x"=4>
func.func @f(%x: tensor<7xf32>) {
  // expected-error @+1 {{dimension 0 has extents 7 and 1, but a group of 4 needs the smaller to be 2}}
  %0 = spmd.all_slice %x dim 0 over @m ["x"] : tensor<7xf32> -> tensor<1xf32>
  return
}

// -----

spmd.mesh @m <"x"=4>
func.func @f(%x: tensor<8xf32>) {
  // expected-error @+1 {{dimension -1 is out of range for rank 1}}
  %0 = spmd.reduce_scatter sum %x dim -1 over @m ["x"] : tensor<8xf32> -> tensor<2xf32>
  return
}

// -----

spmd.mesh @m <"x"=4>
func.func @f(%x: tensor<8xf32>) {
  // expected-error @+1 {{dimension 0 has extents 8 and 4, but a group of 4 needs the smaller to be 2}}
  %0 = spmd.reduce_scatter sum %x dim 0 over @m ["x"] : tensor<8xf32> -> tensor<4xf32>
  return
}

// -----

spmd.mesh @m <"x"=4>
func.func @f(%x: tensor<8xf32>) {
  // expected-error @+1 {{failed to verify that all of {operand, result} have same type}}
  %0 = "spmd.all_reduce"(%x) <{groups = #spmd.axes<["x"]>, mesh = @m, reduction = 0 : i32}> : (tensor<8xf32>) -> tensor<4xf32>
  return
}

// -----

spmd.mesh @m <"x"=4>
func.func @f(%x: tensor<8x8xf32>) {
  // expected-error @+1 {{gathers and cuts the same dimension}}
  %0 = spmd.all_to_all %x split 0 concat 0 over @m ["x"] : tensor<8x8xf32> -> tensor<8x8xf32>
  return
}

// -----

spmd.mesh @m <"x"=4>
func.func @f(%x: tensor<8x8xf32>) {
  // expected-error @+1 {{dimension 1 has extents 8 and 16, but a group of 4 needs the smaller to be 4}}
  %0 = spmd.all_to_all %x split 0 concat 1 over @m ["x"] : tensor<8x8xf32> -> tensor<2x16xf32>
  return
}

// -----

spmd.mesh @m <"x"=4>
func.func @f(%x: tensor<8x8xf32>) {
  // expected-error @+1 {{pairs must list a source and a target for each entry}}
  %0 = spmd.collective_permute %x over @m pairs [0, 1, 2] : tensor<8x8xf32>
  return
}

// -----

spmd.mesh @m <"x"=4>
func.func @f(%x: tensor<8x8xf32>) {
  // expected-error @+1 {{rank 4 is not one of the mesh's 4}}
  %0 = spmd.collective_permute %x over @m pairs [0, 4] : tensor<8x8xf32>
  return
}

// -----

spmd.mesh @m <"x"=4>
func.func @f(%x: tensor<8x8xf32>) {
  // expected-error @+1 {{rank -1 is not one of the mesh's 4}}
  %0 = spmd.collective_permute %x over @m pairs [-1, 0] : tensor<8x8xf32>
  return
}

// -----

spmd.mesh @m <"x"=4>
func.func @f(%x: tensor<8x8xf32>) {
  // expected-error @+1 {{rank 1 is a target twice}}
  %0 = spmd.collective_permute %x over @m pairs [0, 1, 2, 1] : tensor<8x8xf32>
  return
}

// -----

func.func @f(%x: tensor<8x8xf32>) {
  // expected-error @+1 {{refers to mesh @m, which does not exist}}
  %0 = spmd.collective_permute %x over @m pairs [] : tensor<8x8xf32>
  return
}

// -----

spmd.mesh @m <"x"=4>
func.func @f(%x: tensor<2x8xf32>) {
  // expected-error @+1 {{mesh @m has no axis "y"; its axes are "x"}}
  %0 = spmd.halo_exchange %x dim 0 size 8 low 1 high 1 over @m ["y"] : tensor<2x8xf32> -> tensor<4x8xf32>
  return
}

// -----

spmd.mesh @m <"x"=4>
func.func @f(%x: tensor<2x8xf32>) {
  // expected-error @+1 {{dimension 2 is out of range for 'tensor<2x8xf32>'}}
  %0 = spmd.halo_exchange %x dim 2 size 8 low 1 high 1 over @m ["x"] : tensor<2x8xf32> -> tensor<4x8xf32>
  return
}

// -----

spmd.mesh @m <"x"=4>
func.func @f(%x: tensor<2x8xf32>) {
  // expected-error @+1 {{dimension 0 has extent 2, but a block of 9 has 3}}
  %0 = spmd.halo_exchange %x dim 0 size 9 low 1 high 1 over @m ["x"] : tensor<2x8xf32> -> tensor<4x8xf32>
  return
}

// -----

spmd.mesh @m <"x"=4>
func.func @f(%x: tensor<2x8xf32>) {
  // expected-error @+1 {{has a negative size, -8}}
  %0 = spmd.halo_exchange %x dim 0 size -8 low 1 high 1 over @m ["x"] : tensor<2x8xf32> -> tensor<4x8xf32>
  return
}

// -----

spmd.mesh @m <"x"=4>
func.func @f(%x: tensor<2x8xf32>) {
  // expected-error @+1 {{result should be 'tensor<5x8xf32>', not 'tensor<4x8xf32>'}}
  %0 = spmd.halo_exchange %x dim 0 size 8 low 1 high 2 over @m ["x"] : tensor<2x8xf32> -> tensor<4x8xf32>
  return
}

// -----

spmd.mesh @m <"x"=4>
func.func @f(%x: tensor<2x8xf32>) {
  // expected-error @+1 {{leaves out more than the 2 elements of dimension 0}}
  %0 = spmd.halo_exchange %x dim 0 size 8 low -2 high -1 over @m ["x"] : tensor<2x8xf32> -> tensor<0x8xf32>
  return
}

// -----

spmd.mesh @m <"x"=4>
func.func @f(%x: tensor<2x8xf32>) {
  // expected-error @+1 {{amounts are at most 1099511627776, not 1099511627777 and 0}}
  %0 = spmd.halo_exchange %x dim 0 size 8 low 1099511627777 high 0 over @m ["x"] : tensor<2x8xf32> -> tensor<2x8xf32>
  return
}

// -----

spmd.mesh @m <"x"=4>
func.func @f(%x: tensor<2x8xf32>) {
  // expected-error @+1 {{fill is of type 'f64', the elements are of type 'f32'}}
  %0 = spmd.halo_exchange %x dim 0 size 8 low 1 high 1 over @m ["x"] fill 0.0 : f64 : tensor<2x8xf32> -> tensor<4x8xf32>
  return
}

// -----

spmd.mesh @m <"x"=4>
func.func @f() {
  // expected-error @+1 {{mesh @m has no axis "y"; its axes are "x"}}
  %0 = spmd.axis_index @m ["y"] : tensor<i32>
  return
}

// -----

spmd.mesh @m <"x"=4>
func.func @f() {
  // expected-error @+1 {{result #0 must be 0D tensor of 32-bit signless integer values}}
  %0 = spmd.axis_index @m ["x"] : tensor<i64>
  return
}

// -----

spmd.mesh @m <"x"=4>
func.func @f(%x: tensor<2xf32>) {
  // expected-error @+1 {{dimension 1 is out of range for 'tensor<2xf32>'}}
  %0 = spmd.mask_padding sum %x dim 1 size 7 over @m ["x"] : tensor<2xf32>
  return
}

// -----

spmd.mesh @m <"x"=4>
func.func @f(%x: tensor<2xf32>) {
  // expected-error @+1 {{dimension 0 has extent 2, but a block of 9 has 3}}
  %0 = spmd.mask_padding sum %x dim 0 size 9 over @m ["x"] : tensor<2xf32>
  return
}

// -----

// Where the sizes divide, the parts are the axis.
spmd.mesh @m <"x"=4>
func.func @parts_of_an_even_dimension(%x: tensor<8xf32> {spmd.sharding = #spmd.sharding<@m, [{"x":(1)2, "x":(2)2}]>}) {
  return
}

// -----

spmd.mesh @m <"x"=4>
func.func @f(%x: tensor<4xf32>) {
  // expected-error @+1 {{axis "x" is used twice; an axis cuts a tensor once}}
  %0 = spmd.sharding_constraint %x <@m, [{"x"}], replicated = ["x"]> : tensor<4xf32>
  return
}

// -----

spmd.mesh @m <"x"=4>
// expected-error @+1 {{expected 'partial' or 'replicated', each at most once}}
func.func @f(%x: tensor<4xf32> {spmd.sharding = #spmd.sharding<@m, [{"x"}], other = ["x"]>}) {
  return
}

// -----

spmd.mesh @m <"x"=4>
func.func @f(%x: tensor<8xf32>) {
  // expected-error @+1 {{'or' is not defined for 'f32'}}
  %0 = spmd.all_reduce or %x over @m ["x"] : tensor<8xf32>
  return
}

// -----

spmd.mesh @m <"x"=4>
func.func @f(%x: tensor<8xf32>) {
  // expected-error @+1 {{'and' is not defined for 'f32'}}
  %0 = spmd.reduce_scatter and %x dim 0 over @m ["x"] : tensor<8xf32> -> tensor<2xf32>
  return
}

// -----

spmd.mesh @m <"x"=4>
func.func @f(%x: tensor<2xf32>) {
  // expected-error @+1 {{'and' is not defined for 'f32'}}
  %0 = spmd.mask_padding and %x dim 0 size 7 over @m ["x"] : tensor<2xf32>
  return
}

// -----

spmd.mesh @m <"x"=4>
func.func @f(%x: tensor<8xf32>) {
  // expected-error @+1 {{partial or is not defined for 'tensor<8xf32>'}}
  %0 = spmd.sharding_constraint %x <@m, [{}], partial = [or "x"]> : tensor<8xf32>
  return
}

// -----

spmd.mesh @m <"x"=4>
spmd.mesh @n <"x"=4>
func.func @f(%x: tensor<8xf32>) {
  // expected-error @+1 {{is on mesh @m and on mesh @n}}
  %0 = spmd.manual_computation(%x) in [#spmd.sharding<@m, [{}]>] out [#spmd.sharding<@n, [{}]>] : (tensor<8xf32>) -> tensor<8xf32> {
  ^bb0(%a: tensor<8xf32>):
    spmd.return %a : tensor<8xf32>
  }
  return
}

// -----

spmd.mesh @m <"x"=4>
func.func @f(%x: tensor<8xf32>) {
  // expected-error @+1 {{position 4 is not in a group of 4}}
  %0 = spmd.broadcast %x from 4 over @m ["x"] : tensor<8xf32>
  return
}

// -----

spmd.mesh @m <"x"=4>
func.func @f(%x: tensor<8xf32>) {
  // expected-error @+1 {{position -1 is not in a group of 4}}
  %0 = spmd.broadcast %x from -1 over @m ["x"] : tensor<8xf32>
  return
}

// -----

spmd.mesh @m <"x"=4>
func.func @f(%x: tensor<8xf32>) {
  // expected-error @+1 {{position 1 is not in a group of 1}}
  %0 = spmd.broadcast %x from 1 over @m groups [[0, 1], [2]] : tensor<8xf32>
  return
}

// -----

spmd.mesh @m <"x"=4>
func.func @f(%x: tensor<8xf32>) {
  // expected-error @+1 {{lists no group}}
  %0 = spmd.all_reduce sum %x over @m groups [] : tensor<8xf32>
  return
}

// -----

spmd.mesh @m <"x"=4>
func.func @f(%x: tensor<8xf32>) {
  // expected-error @+1 {{lists an empty group}}
  %0 = spmd.all_reduce sum %x over @m groups [[0], []] : tensor<8xf32>
  return
}

// -----

spmd.mesh @m <"x"=4>
func.func @f(%x: tensor<8xf32>) {
  // expected-error @+1 {{rank 4 is not one of the mesh's 4}}
  %0 = spmd.all_reduce sum %x over @m groups [[0, 4]] : tensor<8xf32>
  return
}

// -----

spmd.mesh @m <"x"=4>
func.func @f(%x: tensor<8xf32>) {
  // expected-error @+1 {{rank -1 is not one of the mesh's 4}}
  %0 = spmd.all_reduce sum %x over @m groups [[-1, 3]] : tensor<8xf32>
  return
}

// -----

spmd.mesh @m <"x"=4>
func.func @f(%x: tensor<8xf32>) {
  // expected-error @+1 {{rank 1 is listed twice}}
  %0 = spmd.all_reduce sum %x over @m groups [[0, 1], [1, 2]] : tensor<8xf32>
  return
}

// -----

spmd.mesh @m <"x"=4>
func.func @f(%x: tensor<8xf32>) {
  // expected-error @+1 {{lists groups of 2 and of 1 ranks; its shapes need equal ones}}
  %0 = spmd.all_gather %x dim 0 over @m groups [[0, 1], [2]] : tensor<8xf32> -> tensor<16xf32>
  return
}

// -----

spmd.mesh @m <"x"=4>
func.func @f(%x: tensor<8xf32>) {
  // expected-error @+1 {{dimension 0 has extents 8 and 4, but a group of 3 needs the smaller to be 3}}
  %0 = spmd.all_slice %x dim 0 over @m groups [[0, 1, 2]] : tensor<8xf32> -> tensor<4xf32>
  return
}

// -----

spmd.mesh @m <"x"=4>
func.func @f(%x: tensor<8xf32>) {
  // expected-error @+1 {{failed to satisfy constraint: axes or groups of ranks}}
  %0 = "spmd.all_reduce"(%x) <{groups = [0], mesh = @m, reduction = 0 : i32}> : (tensor<8xf32>) -> tensor<8xf32>
  return
}

// -----

spmd.mesh @m <"x"=4>
func.func @f(%x: tensor<2xf32>) {
  // expected-error @+1 {{fill is no number: dense<0.000000e+00> : tensor<f32>}}
  %0 = spmd.halo_exchange %x dim 0 size 8 low 1 high 1 over @m ["x"] fill dense<0.0> : tensor<f32> : tensor<2xf32> -> tensor<4xf32>
  return
}

// -----

spmd.mesh @m <"x"=2>
func.func @f(%x: tensor<2x8xf32>) {
  // expected-error @+1 {{mesh @m has no axis "y"}}
  %0 = spmd.window_exchange %x dim 0 blocks [0, 2, 0, 2, 2, 0] windows [0, 1, 0, 1, 1, 0] over @m ["y"] : tensor<2x8xf32> -> tensor<1x8xf32>
  return
}

// -----

spmd.mesh @m <"x"=2>
func.func @f(%x: tensor<2x8xf32>) {
  // expected-error @+1 {{dimension 2 is out of range for 'tensor<2x8xf32>'}}
  %0 = spmd.window_exchange %x dim 2 blocks [0, 2, 0, 2, 2, 0] windows [0, 1, 0, 1, 1, 0] over @m ["x"] : tensor<2x8xf32> -> tensor<1x8xf32>
  return
}

// -----

spmd.mesh @m <"x"=2>
func.func @f(%x: tensor<2x8xf32>) {
  // expected-error @+1 {{lists begin, count and place of each segment}}
  %0 = spmd.window_exchange %x dim 0 blocks [0, 2, 0, 2, 2] windows [0, 1, 0, 1, 1, 0] over @m ["x"] : tensor<2x8xf32> -> tensor<1x8xf32>
  return
}

// -----

spmd.mesh @m <"x"=2>
func.func @f(%x: tensor<2x8xf32>) {
  // expected-error @+1 {{lists 1 windows for 2 ranks}}
  %0 = spmd.window_exchange %x dim 0 blocks [0, 2, 0, 2, 2, 0] windows [0, 1, 0] over @m ["x"] : tensor<2x8xf32> -> tensor<1x8xf32>
  return
}

// -----

spmd.mesh @m <"x"=2>
func.func @f(%x: tensor<2x8xf32>) {
  // expected-error @+1 {{blocks lie within an extent of 2, not 2 elements at 1}}
  %0 = spmd.window_exchange %x dim 0 blocks [0, 2, 0, 2, 2, 1] windows [0, 1, 0, 1, 1, 0] over @m ["x"] : tensor<2x8xf32> -> tensor<1x8xf32>
  return
}

// -----

spmd.mesh @m <"x"=2>
func.func @f(%x: tensor<2x8xf32>) {
  // expected-error @+1 {{windows lie within an extent of 1, not 2 elements at 0}}
  %0 = spmd.window_exchange %x dim 0 blocks [0, 2, 0, 2, 2, 0] windows [0, 2, 0, 1, 1, 0] over @m ["x"] : tensor<2x8xf32> -> tensor<1x8xf32>
  return
}

// -----

spmd.mesh @m <"x"=2>
func.func @f(%x: tensor<2x8xf32>) {
  // expected-error @+1 {{two blocks have element 1}}
  %0 = spmd.window_exchange %x dim 0 blocks [0, 2, 0, 1, 2, 0] windows [0, 1, 0, 1, 1, 0] over @m ["x"] : tensor<2x8xf32> -> tensor<1x8xf32>
  return
}

// -----

spmd.mesh @m <"x"=2>
func.func @f(%x: tensor<2x8xf32>) {
  // expected-error @+1 {{result should be 'tensor<1x8xf32>' or of another extent along dimension 0, not 'tensor<1x7xf32>'}}
  %0 = spmd.window_exchange %x dim 0 blocks [0, 2, 0, 2, 2, 0] windows [0, 1, 0, 1, 1, 0] over @m ["x"] : tensor<2x8xf32> -> tensor<1x7xf32>
  return
}

// -----

spmd.mesh @m <"x"=2, "y"=2>
func.func @f(%x: tensor<8xf32>) {
  // expected-error @+1 {{has free axis "z", but mesh @m has no such axis}}
  spmd.manual_computation(%x) in [#spmd.sharding<@m, [{"x"}]>] out [] free ["z"] : (tensor<8xf32>) -> () {
  ^bb0(%a: tensor<4xf32>):
    spmd.return
  }
  return
}

// -----

spmd.mesh @m <"x"=2, "y"=2>
func.func @f(%x: tensor<8xf32>) {
  // expected-error @+1 {{dimension 0 of #spmd.sharding<@m, [{"y", "x"}]> has manual axis "x" after free axis "y"}}
  spmd.manual_computation(%x) in [#spmd.sharding<@m, [{"y", "x"}]>] out [] free ["y"] : (tensor<8xf32>) -> () {
  ^bb0(%a: tensor<4xf32>):
    spmd.return
  }
  return
}

// -----

spmd.mesh @m <"x"=2, "y"=2>
func.func @f(%x: tensor<8xf32>) {
  // expected-error @+1 {{is partial over free axis "y"}}
  spmd.manual_computation(%x) in [#spmd.sharding<@m, [{"x"}], partial = [sum "y"]>] out [] free ["y"] : (tensor<8xf32>) -> () {
  ^bb0(%a: tensor<4xf32>):
    spmd.return
  }
  return
}

// -----

spmd.mesh @m <"x"=2, "y"=2>
func.func @f(%x: tensor<8xf32>) {
  spmd.manual_computation(%x) in [#spmd.sharding<@m, [{"x"}]>] out [] free ["y"] : (tensor<8xf32>) -> () {
  ^bb0(%a: tensor<4xf32>):
    // expected-error @+1 {{is over axis "x", which is manual in the computation around it}}
    %0 = spmd.sharding_constraint %a <@m, [{"x"}]> : tensor<4xf32>
    spmd.return
  }
  return
}

// -----

spmd.mesh @m <"x"=2>
func.func @f(%x: tensor<8xf8E4M3FN>) {
  // expected-error @+1 {{reduces 'f8E4M3FN', which is not computed with: should be converted to f32 before, and back}}
  %0 = spmd.all_reduce sum %x over @m ["x"] : tensor<8xf8E4M3FN>
  return
}

// -----

spmd.mesh @m <"x"=2>
// expected-error @+1 {{a tensor of floats of 8 bits cannot be partial: 'tensor<8xf8E4M3FN>'}}
func.func @f(%x: tensor<8xf8E4M3FN> {spmd.sharding = #spmd.sharding<@m, [{}], partial = [sum "x"]>}) {
  return
}

// -----

// f8E8M0FNU has no zero.
spmd.mesh @m <"x"=2>
func.func @f(%x: tensor<8xf8E8M0FNU>) {
  // expected-error @+1 {{reduces 'f8E8M0FNU', which is not computed with}}
  %0 = spmd.mask_padding sum %x dim 0 size 15 over @m ["x"] : tensor<8xf8E8M0FNU>
  return
}
