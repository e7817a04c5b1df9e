// The shardings that XLA writes on a module instead of its entry function were read by nobody.
// RUN: cleave-opt %s -cleave-import-gspmd-shardings -split-input-file -verify-diagnostics | FileCheck %s

// Functions that are called have none of these. What a value has itself is the same, however it is written.
// CHECK-NOT: mhlo.spmd
// CHECK: spmd.mesh @mesh <"d0"=2, "d1"=2>
// CHECK-LABEL: func.func @main(
// CHECK-SAME: %arg0: tensor<8x6xf32> {spmd.sharding = #spmd.sharding<@mesh, [{"d0"}, {"d1"}]>}
// CHECK-SAME: %arg1: tensor<6xf32> {spmd.sharding = #spmd.sharding<@mesh, [{"d1"}]>}
// CHECK-SAME: -> (tensor<8x6xf32> {spmd.sharding = #spmd.sharding<@mesh, [{"d0"}, {}]>})
// CHECK-LABEL: func.func private @callee(%arg0: tensor<8x6xf32>, %arg1: tensor<6xf32>) -> tensor<8x6xf32>
module attributes {
  mhlo.num_partitions = 4 : i32,
  mhlo.spmd_parameters_shardings = ["{devices=[2,2]0,1,2,3}", "{devices=[2,2]<=[2,2]T(1,0) last_tile_dim_replicate}"],
  mhlo.spmd_output_sharding = "{devices=[2,1,2]<=[4] last_tile_dim_replicate}"
} {
  func.func @main(%x: tensor<8x6xf32> {mhlo.sharding = "{devices=[2,2]<=[4]}"}, %b: tensor<6xf32>) -> tensor<8x6xf32> {
    %0 = call @callee(%x, %b) : (tensor<8x6xf32>, tensor<6xf32>) -> tensor<8x6xf32>
    return %0 : tensor<8x6xf32>
  }
  func.func private @callee(%x: tensor<8x6xf32>, %b: tensor<6xf32>) -> tensor<8x6xf32> {
    return %x : tensor<8x6xf32>
  }
}

// -----

// Several results: a tuple. The module does not say for how many devices it is.
// CHECK: spmd.mesh @mesh <"d0"=2>
// CHECK-LABEL: func.func @results(
// CHECK-SAME: -> (tensor<8xf32> {spmd.sharding = #spmd.sharding<@mesh, [{"d0"}]>}, tensor<8x8xf32> {spmd.sharding = #spmd.sharding<@mesh, [{}, {}]>})
module attributes {mhlo.spmd_output_sharding = "{{devices=[2]<=[2]}, {replicated}}"} {
  func.func @results(%x: tensor<8xf32>, %y: tensor<8x8xf32>) -> (tensor<8xf32>, tensor<8x8xf32>) {
    return %x, %y : tensor<8xf32>, tensor<8x8xf32>
  }
}

// -----

// Of so many results some are numbered, which was an error.
// CHECK-LABEL: func.func @numbered(
// CHECK-SAME: tensor<8xf32> {spmd.sharding = #spmd.sharding<@mesh, [{"d0"}]>})
module attributes {mhlo.spmd_output_sharding = "{{replicated}, {replicated}, {replicated}, {replicated}, {replicated}, /*index=5*/{devices=[2]<=[2]}}"} {
  func.func @numbered(%x: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>) {
    return %x, %x, %x, %x, %x, %x : tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>
  }
}

// -----

// One for all results.
// CHECK-LABEL: func.func @all_results(
// CHECK-SAME: -> (tensor<8xf32> {spmd.sharding = #spmd.sharding<@mesh, [{"d0"}]>}, tensor<6xf32> {spmd.sharding = #spmd.sharding<@mesh, [{"d0"}]>})
module attributes {mhlo.spmd_output_sharding = "{devices=[2]<=[2]}"} {
  func.func @all_results(%x: tensor<8xf32>, %y: tensor<6xf32>) -> (tensor<8xf32>, tensor<6xf32>) {
    return %x, %y : tensor<8xf32>, tensor<6xf32>
  }
}

// -----

// Beside Shardy's, which are followed instead.
// CHECK: spmd.mesh @own <"x"=2>
// CHECK-LABEL: func.func @beside_others(%arg0: tensor<8xf32> {spmd.sharding = #spmd.sharding<@own, [{"x"}]>})
module attributes {mhlo.spmd_parameters_shardings = ["{devices=[2]<=[2]}"]} {
  spmd.mesh @own <"x"=2>
  func.func @beside_others(%x: tensor<8xf32> {spmd.sharding = #spmd.sharding<@own, [{"x"}]>}) {
    return
  }
}

// -----

// expected-error @+1 {{mhlo.spmd_parameters_shardings "{devices=[1,2]<=[2]}" of argument 1 contradicts its mhlo.sharding "{devices=[2,1]<=[2]}"}}
module attributes {mhlo.spmd_parameters_shardings = ["{replicated}", "{devices=[1,2]<=[2]}"]} {
  func.func @contradicts(%x: tensor<8xf32>, %y: tensor<8x8xf32> {mhlo.sharding = "{devices=[2,1]<=[2]}"}) {
    return
  }
}

// -----

// expected-error @+1 {{mhlo.spmd_output_sharding "{replicated}" of result 0 contradicts its mhlo.sharding "{devices=[2]<=[2]}"}}
module attributes {mhlo.spmd_output_sharding = "{replicated}"} {
  func.func @contradicts(%x: tensor<8xf32>) -> (tensor<8xf32> {mhlo.sharding = "{devices=[2]<=[2]}"}) {
    return %x : tensor<8xf32>
  }
}

// -----

// expected-error @+1 {{mhlo.spmd_parameters_shardings has 1 shardings for 2 arguments}}
module attributes {mhlo.spmd_parameters_shardings = ["{devices=[2]<=[2]}"]} {
  func.func @too_few(%x: tensor<8xf32>, %y: tensor<8xf32>) {
    return
  }
}

// -----

// expected-error @+1 {{mhlo.spmd_output_sharding has 1 shardings for 2 results}}
module attributes {mhlo.spmd_output_sharding = "{{devices=[2]<=[2]}}"} {
  func.func @too_few(%x: tensor<8xf32>, %y: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>) {
    return %x, %y : tensor<8xf32>, tensor<8xf32>
  }
}

// -----

// expected-error @+1 {{mhlo.spmd_parameters_shardings "{devices=[2]<=[2]}" of argument 0 cuts 1 dimension, but 'tensor<8x8xf32>' has 2; expected devices=[...] to list 2 sizes}}
module attributes {mhlo.spmd_parameters_shardings = ["{devices=[2]<=[2]}"]} {
  func.func @another_rank(%x: tensor<8x8xf32>) {
    return
  }
}

// -----

// expected-error @+1 {{mhlo.spmd_parameters_shardings is a list of strings}}
module attributes {mhlo.spmd_parameters_shardings = [1 : i32]} {
  func.func @no_strings(%x: tensor<8xf32>) {
    return
  }
}

// -----

// expected-error @+1 {{mhlo.spmd_output_sharding is a string}}
module attributes {mhlo.spmd_output_sharding = 1 : i32} {
  func.func @no_string(%x: tensor<8xf32>) -> tensor<8xf32> {
    return %x : tensor<8xf32>
  }
}

// -----

// Protocol buffers, as XLA writes them too: the one of {replicated} is empty.
// expected-error @+1 {{mhlo.spmd_parameters_shardings: a serialized OpSharding is not read; expected text such as '{devices=[2,1]<=[2]}': JAX writes that for meshes whose devices are in order}}
module attributes {mhlo.spmd_parameters_shardings = [""]} {
  func.func @empty(%x: tensor<8xf32>) {
    return
  }
}

// -----

// expected-error @+1 {{mhlo.sharding: a serialized OpSharding is not read; expected text}}
func.func @protocol_buffer(%x: tensor<8xf32> {mhlo.sharding = "\08\03\1A\01\02\22\02\00\01"}) {
  return
}

// -----

// expected-error @+1 {{the module has no public function to run}}
module attributes {mhlo.spmd_output_sharding = "{replicated}"} {
}
