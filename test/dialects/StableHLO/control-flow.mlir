// Control flow, tuples, calls, communication, and expectations.
// RUN: cleave-opt %s | FileCheck %s
// RUN: cleave-opt %s | cleave-opt | FileCheck %s

// CHECK: module @m attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32}
module @m attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {

// CHECK-LABEL: func.func public @control
// CHECK-SAME: jax.buffer_donor = true, mhlo.layout_mode = "default", tf.aliasing_output = 0 : i32
func.func public @control(%n: tensor<i64> {mhlo.layout_mode = "default", jax.buffer_donor = true, tf.aliasing_output = 0 : i32} loc("params['w1']"), %p: tensor<i1>, %k: tensor<i32>) -> (tensor<i64> {jax.result_info = ""}) {
  // CHECK: %[[W:.*]]:2 = "stablehlo.while"(%arg0, %arg0) ({
  %0:2 = stablehlo.while(%i = %n, %s = %n) : tensor<i64>, tensor<i64> attributes {mhlo.frontend_attributes = {}}
  cond {
    %c = stablehlo.compare LT, %i, %n, SIGNED : (tensor<i64>, tensor<i64>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  } do {
    %a = stablehlo.add %s, %i : tensor<i64>
    stablehlo.return %a, %a : tensor<i64>, tensor<i64>
  }
  // CHECK: "stablehlo.if"(%arg1) ({
  %1 = "stablehlo.if"(%p) ({
    stablehlo.return %n : tensor<i64>
  }, {
    "stablehlo.return"(%n) : (tensor<i64>) -> ()
  }) : (tensor<i1>) -> tensor<i64>
  // CHECK: "stablehlo.case"(%arg2) ({
  "stablehlo.case"(%k) ({
    // CHECK: "stablehlo.return"() : () -> ()
    stablehlo.return
  }, {
    stablehlo.return
  }) : (tensor<i32>) -> ()
  // CHECK: %{{.*}}:2 = "stablehlo.optimization_barrier"(%arg0, %arg1) {mhlo.sharding = "{replicated}"} : (tensor<i64>, tensor<i1>) -> (tensor<i64>, tensor<i1>)
  %2:2 = stablehlo.optimization_barrier {mhlo.sharding = "{replicated}"} %n, %p : tensor<i64>, tensor<i1>
  // CHECK: "stablehlo.optimization_barrier"() : () -> ()
  stablehlo.optimization_barrier()
  // CHECK: "stablehlo.tuple"(%arg0, %arg1) : (tensor<i64>, tensor<i1>) -> tuple<tensor<i64>, tensor<i1>>
  %3 = stablehlo.tuple %n, %p : tuple<tensor<i64>, tensor<i1>>
  // CHECK: "stablehlo.get_tuple_element"(%{{.*}}) <{index = 1 : i32}>
  %4 = stablehlo.get_tuple_element %3[1] : (tuple<tensor<i64>, tensor<i1>>) -> tensor<i1>
  // CHECK: "stablehlo.composite"(%arg0) <{composite_attributes = {a = 1 : i64}, decomposition = @square, name = "my.square"}>
  %5 = stablehlo.composite "my.square" %n {composite_attributes = {a = 1 : i64}, decomposition = @square} : (tensor<i64>) -> tensor<i64>
  // CHECK: "stablehlo.custom_call"(%arg0) <{backend_config = "", call_target_name = "Sharding", has_side_effect = false}> {mhlo.sharding = "{replicated}"}
  %6 = stablehlo.custom_call @Sharding(%n) {backend_config = "", has_side_effect = false, mhlo.sharding = "{replicated}"} : (tensor<i64>) -> tensor<i64>
  // CHECK: call_target_name = "not an.identifier"
  %7 = stablehlo.custom_call @"not an.identifier"() {api_version = 4 : i32, called_computations = [@square], mhlo.backend_config = {a = 1 : i32}, output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [], operand_index = 0, operand_tuple_indices = []>]} : () -> tuple<tensor<i64>>
  return %0#0 : tensor<i64>
}

// CHECK-LABEL: func.func private @square
func.func private @square(%x: tensor<i64>) -> tensor<i64> {
  %0 = stablehlo.multiply %x, %x : tensor<i64>
  func.return %0 : tensor<i64>
}

// CHECK-LABEL: func.func @communication
func.func @communication(%x: tensor<2xf32>) {
  // CHECK: "stablehlo.after_all"() : () -> !stablehlo.token
  %t = stablehlo.after_all : !stablehlo.token
  // CHECK: "stablehlo.after_all"(%{{.*}}, %{{.*}}) : (!stablehlo.token, !stablehlo.token) -> !stablehlo.token
  %0 = stablehlo.after_all %t, %t : !stablehlo.token
  // CHECK: "stablehlo.create_token"() : () -> !stablehlo.token
  %1 = stablehlo.create_token : !stablehlo.token
  // CHECK: "stablehlo.replica_id"() : () -> tensor<ui32>
  %2 = stablehlo.replica_id : tensor<ui32>
  // CHECK: "stablehlo.partition_id"() : () -> tensor<ui32>
  %3 = stablehlo.partition_id : tensor<ui32>
  // CHECK: channel_handle = #stablehlo.channel_handle<handle = 1 : i64, type = 0 : i64>, replica_groups = dense<{{\[\[}}0, 1]]> : tensor<1x2xi64>, use_global_device_ids
  %4 = "stablehlo.all_reduce"(%x) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 0>, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, use_global_device_ids}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<2xf32>) -> tensor<2xf32>
  // CHECK: "interpreter.run_parallel"() <{programs = {{\[\[}}@square]]}> : () -> tensor<ui32>
  %5 = "interpreter.run_parallel"() {programs = [[@square]]} : () -> tensor<ui32>
  // CHECK: "interpreter.probe"(%arg0) <{probe_id = "p"}>
  %6 = interpreter.probe %x, probe_id = "p" : tensor<2xf32>
  return
}

// CHECK-LABEL: func.func @expectations
func.func @expectations(%x: tensor<2xf32>) {
  // CHECK: "check.expect_eq"(%arg0, %arg0) : (tensor<2xf32>, tensor<2xf32>) -> ()
  check.expect_eq %x, %x : tensor<2xf32>
  // CHECK: "check.expect_eq_const"(%arg0) <{value = dense<1.000000e+00> : tensor<2xf32>}> : (tensor<2xf32>) -> ()
  check.expect_eq_const %x, dense<1.0> : tensor<2xf32>
  // CHECK: "check.expect_almost_eq"(%arg0, %arg0)
  check.expect_almost_eq %x, %x : tensor<2xf32>
  // CHECK: "check.expect_almost_eq_const"(%arg0) <{tolerance = 1.000000e-01 : f64, value = dense<1.000000e+00> : tensor<2xf32>}>
  check.expect_almost_eq_const %x, dense<1.0> : tensor<2xf32>, tolerance = 0.1
  // CHECK: "check.expect_close"(%arg0, %arg0) <{max_ulp_difference = 10 : i64, min_ulp_difference = 0 : i64}>
  check.expect_close %x, %x, max_ulp_difference = 10, min_ulp_difference = 0 : tensor<2xf32>, tensor<2xf32>
  return
}
}
