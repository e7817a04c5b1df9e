// RUN: cleave-opt %s -cleave-insert-reshards -split-input-file -verify-diagnostics

spmd.mesh @m <"x"=2>
// expected-error @+1 {{argument 0 has no sharding; run cleave-propagate-shardings first}}
func.func @main(%x: tensor<8xf32>) -> tensor<8xf32> {
  return %x : tensor<8xf32>
}

// -----

spmd.mesh @m <"x"=2>
// expected-error @+1 {{result 0 has no sharding; run cleave-propagate-shardings first}}
func.func @main(%x: tensor<8xf32> {spmd.sharding = #spmd.sharding<@m, [{}]>}) -> tensor<8xf32> {
  return %x : tensor<8xf32>
}

// -----

spmd.mesh @m <"x"=2>
func.func @main(%p: tensor<i1> {spmd.sharding = #spmd.sharding<@m, []>}) {
  cleave.if %p : (tensor<i1>) -> () then {
    // expected-error @+1 {{has a result without a sharding; run cleave-propagate-shardings first}}
    %0 = cleave.constant dense<0.0> : tensor<8xf32>
    cleave.return
  } else {
    cleave.return
  }
  return
}
