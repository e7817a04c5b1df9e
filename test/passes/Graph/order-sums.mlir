// RUN: cleave-opt %s -cleave-order-sums | FileCheck %s
// RUN: cleave-opt %s -cleave-phase-graph="math=stepwise" | FileCheck %s
// RUN: cleave-opt %s -cleave-phase-graph | FileCheck %s --check-prefix=STANDARD
// RUN: cleave-opt %s -cleave-phase-graph="math=wide" | FileCheck %s --check-prefix=STANDARD

// CHECK: func.func @main({{.*}}attributes {cleave.ordered_sums}
// STANDARD-NOT: cleave.ordered_sums
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  return %x : tensor<4xf32>
}
