// RUN: cleave-opt %s -cleave-propagate-shardings -split-input-file -verify-diagnostics -allow-unregistered-dialect

// expected-error @+1 {{the module has no mesh; declare one with spmd.mesh or give --mesh}}
module {
  func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
    return %x : tensor<4xf32>
  }
}

// -----

spmd.mesh @m <"x"=4>
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-warning @+1 {{op has no sharding rule; it will run replicated on gathered operands}}
  %0 = "other.op"(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

// On a single rank that costs nothing.
spmd.mesh @m <"x"=1>
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = "other.op"(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

spmd.mesh @m <"x"=4>
// expected-error @+1 {{argument 1 has type 'f32'; what is sharded takes ranked tensors}}
func.func @main(%x: tensor<4xf32>, %y: f32) -> tensor<4xf32> {
  return %x : tensor<4xf32>
}

// -----

spmd.mesh @m <"x"=4>
// expected-error @+1 {{result 0 has type 'tensor<*xf32>'; what is sharded returns ranked tensors}}
func.func @main() -> tensor<*xf32> {
  %0 = "other.op"() : () -> tensor<*xf32>
  return %0 : tensor<*xf32>
}

// -----

spmd.mesh @m <"x"=4>
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{has a tensor of dynamic shape, which cannot be sharded}}
  %0 = "other.op"(%x) : (tensor<4xf32>) -> tensor<?xf32>
  %1 = "other.op"(%0) : (tensor<?xf32>) -> tensor<4xf32>
  return %1 : tensor<4xf32>
}

// -----

spmd.mesh @m <"x"=4>
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  scf.execute_region {
    // expected-error @+1 {{acts on global tensors, but is in a region without them}}
    %0 = spmd.sharding_constraint %x <@m, [{"x"}]> : tensor<4xf32>
    scf.yield
  }
  return %x : tensor<4xf32>
}

// -----

// Free axes are partitioned by Cleave, not by the author of the body.
spmd.mesh @m <"x"=2, "y"=2>
func.func @collective_over_free_axis(%x: tensor<8xf32>) -> tensor<8xf32> {
  // expected-note @+1 {{that is here}}
  %0 = spmd.manual_computation(%x) in [#spmd.sharding<@m, [{"x"}]>] out [#spmd.sharding<@m, [{"x"}]>] free ["y"]
      : (tensor<8xf32>) -> tensor<8xf32> {
  ^bb0(%a: tensor<4xf32>):
    // expected-error @+1 {{acts along axis "y", which is free in the manual computation around it}}
    %1 = spmd.all_reduce sum %a over @m groups [[0, 2, 1, 3]] : tensor<4xf32>
    spmd.return %1 : tensor<4xf32>
  }
  return %0 : tensor<8xf32>
}

// -----

// Nor does the body know where it is along them.
spmd.mesh @m <"x"=2, "y"=2>
func.func @position_along_free_axis(%x: tensor<8xf32>) -> (tensor<8xf32>, tensor<i32>) {
  // expected-note @+1 {{that is here}}
  %0:2 = spmd.manual_computation(%x) in [#spmd.sharding<@m, [{"x"}]>] out [#spmd.sharding<@m, [{"x"}]>, #spmd.sharding<@m, []>] free ["y"]
      : (tensor<8xf32>) -> (tensor<8xf32>, tensor<i32>) {
  ^bb0(%a: tensor<4xf32>):
    // expected-error @+1 {{acts along axis "y", which is free in the manual computation around it}}
    %1 = spmd.axis_index @m ["x", "y"] : tensor<i32>
    spmd.return %a, %1 : tensor<4xf32>, tensor<i32>
  }
  return %0#0, %0#1 : tensor<8xf32>, tensor<i32>
}

// -----

spmd.mesh @m <"x"=2, "y"=2>
func.func @padding_along_free_axis(%x: tensor<8xf32>) -> tensor<8xf32> {
  // expected-note @+1 {{that is here}}
  %0 = spmd.manual_computation(%x) in [#spmd.sharding<@m, [{"x"}]>] out [#spmd.sharding<@m, [{"x"}]>] free ["y"]
      : (tensor<8xf32>) -> tensor<8xf32> {
  ^bb0(%a: tensor<4xf32>):
    // expected-error @+1 {{acts along axis "y", which is free in the manual computation around it}}
    %1 = spmd.mask_padding sum %a dim 0 size 7 over @m ["y"] : tensor<4xf32>
    spmd.return %1 : tensor<4xf32>
  }
  return %0 : tensor<8xf32>
}
