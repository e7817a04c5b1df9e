// RUN: split-file %s %t

// Without any mesh, one of a single rank.
// RUN: cleave-opt %t/none.mlir -cleave-annotate-shardings | FileCheck %s --check-prefix=ONE
// ONE: spmd.mesh @mesh <"replica"=1>

// The file's own mesh is obeyed, and may be repeated.
// RUN: cleave-opt %t/own.mlir -cleave-annotate-shardings='shard=*=y' | FileCheck %s --check-prefix=OWN
// RUN: cleave-opt %t/own.mlir -cleave-annotate-shardings='mesh=x=2,y=4 shard=*=y' | FileCheck %s --check-prefix=OWN
// OWN: spmd.mesh @m <"x"=2, "y"=4, device_ids = [7, 6, 5, 4, 3, 2, 1, 0]>
// OWN-NOT: spmd.mesh
// OWN: tensor<8xf32> {spmd.sharding = #spmd.sharding<@m, [{"y"}]>}

// The same seed gives the same shardings; annotations are kept.
// RUN: cleave-opt %t/random.mlir -cleave-annotate-shardings='mesh=x=2,y=4 shard=random:3' > %t/a
// RUN: cleave-opt %t/random.mlir -cleave-annotate-shardings='mesh=x=2,y=4 shard=random:3' > %t/b
// RUN: cleave-opt %t/random.mlir -cleave-annotate-shardings='mesh=x=2,y=4 shard=random:4' > %t/c
// RUN: cmp %t/a %t/b
// RUN: not cmp %t/a %t/c
// RUN: FileCheck %s --check-prefix=RANDOM < %t/a
// RANDOM: func.func @main(%arg0: tensor<8x9x10xf32> {spmd.sharding = #spmd.sharding<@mesh, {{.*}}>}) -> (tensor<8x9x10xf32> {spmd.sharding = #spmd.sharding<@mesh, {{.*}}>})
// RANDOM: spmd.sharding_constraint
// What is inside a manual computation is local, and is left alone.
// RANDOM: spmd.manual_computation
// RANDOM-NOT: spmd.sharding_constraint
// RANDOM: spmd.return

//--- none.mlir
func.func @main(%x: tensor<8xf32>) -> tensor<8xf32> {
  return %x : tensor<8xf32>
}

//--- own.mlir
spmd.mesh @m <"x"=2, "y"=4, device_ids = [7, 6, 5, 4, 3, 2, 1, 0]>
func.func @main(%x: tensor<8xf32>) -> tensor<8xf32> {
  return %x : tensor<8xf32>
}

//--- random.mlir
func.func @main(%x: tensor<8x9x10xf32>) -> tensor<8x9x10xf32> {
  %0 = cleave.negate %x : tensor<8x9x10xf32>
  %1 = cleave.negate %0 : tensor<8x9x10xf32>
  %2 = cleave.negate %1 : tensor<8x9x10xf32>
  %3 = cleave.negate %2 : tensor<8x9x10xf32>
  %4 = cleave.negate %3 : tensor<8x9x10xf32>
  %5 = cleave.negate %4 : tensor<8x9x10xf32>
  spmd.manual_computation() in [] out [] : () -> () {
    %a = cleave.constant dense<0.0> : tensor<8xf32>
    %b = cleave.negate %a : tensor<8xf32>
    %c = cleave.negate %b : tensor<8xf32>
    %d = cleave.negate %c : tensor<8xf32>
    %e = cleave.negate %d : tensor<8xf32>
    %f = cleave.negate %e : tensor<8xf32>
    spmd.return
  }
  return %5 : tensor<8x9x10xf32>
}
