// RUN: split-file %s %t
// RUN: not cleave-opt %t/a.mlir -cleave-annotate-shardings='mesh=data' 2>&1 | FileCheck %s --check-prefix=SIZE
// SIZE: error: mesh 'data': expected NAME=SIZE entries such as data=2,model=4, but got 'data'
// RUN: not cleave-opt %t/a.mlir -cleave-annotate-shardings='mesh=data=two' 2>&1 | FileCheck %s --check-prefix=NUMBER
// NUMBER: error: mesh 'data=two': expected NAME=SIZE entries such as data=2,model=4, but got 'data=two'
// RUN: not cleave-opt %t/a.mlir -cleave-annotate-shardings='mesh=data=0' 2>&1 | FileCheck %s --check-prefix=ZERO
// ZERO: error: mesh axis "data" has size 0; a size is at least 1
// RUN: not cleave-opt %t/a.mlir -cleave-annotate-shardings='mesh=x=2,x=2' 2>&1 | FileCheck %s --check-prefix=TWICE
// TWICE: error: mesh axis "x" appears twice
// RUN: not cleave-opt %t/a.mlir -cleave-annotate-shardings='mesh=x=2 shard=argx' 2>&1 | FileCheck %s --check-prefix=DIMS
// DIMS: error: shard 'argx': expected GLOB=DIMS such as '*.weight=-,model'
// RUN: not cleave-opt %t/a.mlir -cleave-annotate-shardings='mesh=x=2 shard==x' 2>&1 | FileCheck %s --check-prefix=EMPTY
// EMPTY: error: shard '=x': expected GLOB=DIMS
// RUN: not cleave-opt %t/a.mlir -cleave-annotate-shardings='mesh=x=2 shard=[=x' 2>&1 | FileCheck %s --check-prefix=GLOB
// GLOB: error: shard '[=x': invalid glob pattern
// RUN: not cleave-opt %t/a.mlir -cleave-annotate-shardings='mesh=x=2 shard=b*=x,-' 2>&1 | FileCheck %s --check-prefix=MATCH
// MATCH: error: shard 'b*=x,-': 'b*' matches no argument, result (out:N) or named value
// MATCH: note: arguments are w, arg1
// RUN: not cleave-opt %t/a.mlir -cleave-annotate-shardings='mesh=x=2 shard=w=x' 2>&1 | FileCheck %s --check-prefix=RANK
// RANK: error: shard 'w=x': for argument 'w', sharding has 1 dimensions, the tensor 'tensor<8x8xf32>' has 2
// RUN: not cleave-opt %t/a.mlir -cleave-annotate-shardings='mesh=x=2 shard=w=y,-' 2>&1 | FileCheck %s --check-prefix=AXIS
// AXIS: error: shard 'w=y,-': for argument 'w', mesh @mesh has no axis "y"; its axes are "x"
// RUN: not cleave-opt %t/a.mlir -cleave-annotate-shardings='mesh=x=2 shard=w=x,x' 2>&1 | FileCheck %s --check-prefix=USED
// USED: error: shard 'w=x,x': for argument 'w', axis "x" is used twice; an axis cuts a tensor once
// RUN: not cleave-opt %t/a.mlir -cleave-annotate-shardings='mesh=x=2 shard=out:1=x,-' 2>&1 | FileCheck %s --check-prefix=OUT
// OUT: error: shard 'out:1=x,-': 'out:1' matches no argument, result (out:N) or named value
// RUN: not cleave-opt %t/a.mlir -cleave-annotate-shardings='mesh=x=2 shard=random:x' 2>&1 | FileCheck %s --check-prefix=SEED
// SEED: error: shard 'random:x': expected random:SEED with a number
// RUN: not cleave-opt %t/b.mlir -cleave-annotate-shardings='mesh=x=2' 2>&1 | FileCheck %s --check-prefix=DIFFERS
// DIFFERS: b.mlir:1:1: error: the module's mesh differs from the option mesh=x=2; leave the option out or change the file
// RUN: not cleave-opt %t/c.mlir -cleave-annotate-shardings 2>&1 | FileCheck %s --check-prefix=SEVERAL
// SEVERAL: c.mlir:2:1: error: the module has several meshes; only one is supported
// SEVERAL: c.mlir:1:1: note: the first one is here
// RUN: not cleave-opt %t/d.mlir -cleave-annotate-shardings 2>&1 | FileCheck %s --check-prefix=ENTRY
// ENTRY: error: the module has no public function to run

//--- a.mlir
func.func @main(%w: tensor<8x8xf32> {cleave.name = "w"}, %x: tensor<8x8xf32>) -> tensor<8x8xf32> {
  return %x : tensor<8x8xf32>
}

//--- b.mlir
spmd.mesh @m <"x"=4>
func.func @main(%x: tensor<8x8xf32>) -> tensor<8x8xf32> {
  return %x : tensor<8x8xf32>
}

//--- c.mlir
spmd.mesh @m <"x"=4>
spmd.mesh @n <"x"=4>
func.func @main(%x: tensor<8x8xf32>) -> tensor<8x8xf32> {
  return %x : tensor<8x8xf32>
}

//--- d.mlir
spmd.mesh @m <"x"=4>
