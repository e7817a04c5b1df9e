// RUN: cleave-opt %s -cleave-partition-to-local -split-input-file -verify-diagnostics -allow-unregistered-dialect

spmd.mesh @m <"x"=2>
// expected-error @+1 {{argument 0 has no sharding; run cleave-propagate-shardings first}}
func.func @main(%x: tensor<8xf32>) -> tensor<8xf32> {
  return %x : tensor<8xf32>
}

// -----

spmd.mesh @m <"x"=2>
// expected-error @+1 {{result 0 has no sharding; run cleave-propagate-shardings first}}
func.func @main(%x: tensor<8xf32> {spmd.sharding = #spmd.sharding<@m, [{"x"}]>}) -> tensor<8xf32> {
  return %x : tensor<8xf32>
}

// -----

spmd.mesh @m <"x"=2>
// expected-error @+1 {{is partitioned already}}
func.func @main(%x: tensor<4xf32> {spmd.sharding = #spmd.sharding<@m, [{"x"}]>, spmd.global_type = tensor<8xf32>}) {
  return
}

// -----

spmd.mesh @m <"x"=2>
// expected-error @+1 {{has several blocks; use cleave.if and cleave.while instead}}
func.func @main(%x: tensor<8xf32> {spmd.sharding = #spmd.sharding<@m, [{"x"}]>}) {
  cf.br ^end
^end:
  return
}

// -----

spmd.mesh @m <"x"=2>
func.func @main(%x: tensor<8xf32> {spmd.sharding = #spmd.sharding<@m, [{}]>}) -> (tensor<8xf32> {spmd.sharding = #spmd.sharding<@m, [{}], partial = [sum "x"]>}) {
  // expected-error @+1 {{no sequence of collectives makes a value partial}}
  %0 = spmd.reshard %x <@m, [{}], partial = [sum "x"]> {spmd.shardings = [#spmd.sharding<@m, [{}], partial = [sum "x"]>]} : tensor<8xf32>
  return %0 : tensor<8xf32>
}

// -----

spmd.mesh @m <"x"=2>
func.func @main(%x: tensor<8xf32> {spmd.sharding = #spmd.sharding<@m, [{"x"}]>}) -> (tensor<8xf32> {spmd.sharding = #spmd.sharding<@m, [{"x"}]>}) {
  // expected-error @+1 {{has a region that uses a sharded value from outside; make that an operand}}
  "other.op"() ({
    "other.use"(%x) : (tensor<8xf32>) -> ()
  }) : () -> ()
  return %x : tensor<8xf32>
}

// -----

spmd.mesh @m <"x"=4>
func.func @main(%a: tensor<14xf32> {spmd.sharding = #spmd.sharding<@m, [{"x"}]>}) -> (tensor<2x7xf32> {spmd.sharding = #spmd.sharding<@m, [{}, {}]>}) {
  // expected-error @+1 {{an operand is not cut along the op's factors}}
  %0 = cleave.reshape %a {spmd.shardings = [#spmd.sharding<@m, [{}, {}]>]} : (tensor<14xf32>) -> tensor<2x7xf32>
  return %0 : tensor<2x7xf32>
}
