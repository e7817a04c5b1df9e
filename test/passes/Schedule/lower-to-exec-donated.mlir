// RUN: cleave-opt %s --cleave-lower-to-exec --split-input-file --verify-diagnostics | FileCheck %s

// A step of an optimizer: both states are overwritten where they are. What is
// donated to any output gets the first one of its type that is left; %s has none,
// and is updated in place before it is read.

// CHECK-LABEL: exec.program @step
// CHECK: inputs(%[[P:.*]]: memref<8xf32> = {{.*}}, %[[M:.*]]: memref<8xf32> = {{.*}}, %[[G:.*]]: memref<8xf32> = {{.*}}, %[[S:.*]]: memref<4xf32> =
// CHECK: donated [0, 1, 3] shared [1, 0, -1] {
// CHECK-NEXT: exec.launch @f_in_place_0 ins(%[[G]] : memref<8xf32>) outs(%[[M]] : memref<8xf32>) updated [0]
// CHECK-NEXT: exec.launch @f_in_place_0 ins(%[[M]] : memref<8xf32>) outs(%[[P]] : memref<8xf32>) updated [0]
// CHECK-NEXT: exec.launch @update_in_place_0 ins(%[[G]] : memref<8xf32>) outs(%[[S]] : memref<4xf32>) updated [0]
// CHECK-NEXT: exec.launch @sum ins(%[[S]] : memref<4xf32>)
// CHECK-NEXT: }
func.func @step(%p: tensor<8xf32> {cleave.donated = 1}, %m: tensor<8xf32> {cleave.donated}, %g: tensor<8xf32>, %s: tensor<4xf32> {cleave.donated})
    -> (tensor<8xf32>, tensor<8xf32>, tensor<f32>) {
  %0 = call @f(%m, %g) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
  %1 = call @f(%p, %0) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
  %2 = call @update(%s, %g) : (tensor<4xf32>, tensor<8xf32>) -> tensor<4xf32>
  %3 = call @sum(%2) : (tensor<4xf32>) -> tensor<f32>
  return %0, %1, %3 : tensor<8xf32>, tensor<8xf32>, tensor<f32>
}
func.func private @f(tensor<8xf32> {cleave.overwritten_by = 0 : i64}, tensor<8xf32>) -> tensor<8xf32> attributes {cleave.kernel}
func.func private @update(tensor<4xf32> {cleave.updated_by = 0 : i64}, tensor<8xf32>) -> tensor<4xf32> attributes {cleave.kernel}
func.func private @sum(tensor<4xf32>) -> tensor<f32> attributes {cleave.kernel}

// -----

// Swapped, through a temporary; a third output reads one of them before it is
// overwritten.

// CHECK-LABEL: exec.program @swap
// CHECK: inputs(%[[X:.*]]: memref<8xf32> = {{.*}}, %[[Y:.*]]: memref<8xf32> =
// CHECK: outputs(%{{.*}}: memref<8xf32> = {{.*}}, %{{.*}}: memref<8xf32> = {{.*}}, %[[C:.*]]: memref<8xf32> = {{.*}}) donated [0, 1] shared [0, 1, -1] {
// CHECK-NEXT: exec.copy %[[X]] into %[[C]]
// CHECK-NEXT: %[[T:.*]] = exec.buffer
// CHECK-NEXT: exec.copy %[[Y]] into %[[T]]
// CHECK-NEXT: exec.copy %[[X]] into %[[Y]]
// CHECK-NEXT: exec.copy %[[T]] into %[[X]]
// CHECK-NEXT: }
func.func @swap(%x: tensor<8xf32> {cleave.donated = 0}, %y: tensor<8xf32> {cleave.donated = 1}) -> (tensor<8xf32>, tensor<8xf32>, tensor<8xf32>) {
  return %y, %x, %x : tensor<8xf32>, tensor<8xf32>, tensor<8xf32>
}

// -----

// What is read at other indices cannot be overwritten meanwhile; what another
// output reads later neither.

// CHECK-LABEL: exec.program @reversed
// CHECK: inputs(%[[X:[a-z0-9]*]]: memref<8xf32> =
// CHECK: outputs(%{{.*}}: memref<8xf32> = {{.*}}, %[[B:[a-z0-9]*]]: memref<8xf32> =
// CHECK: %[[N:.*]] = exec.buffer
// CHECK-NEXT: exec.launch @reverse ins(%[[X]] : memref<8xf32>) outs(%[[N]] : memref<8xf32>)
// CHECK-NEXT: exec.launch @reverse ins(%[[X]] : memref<8xf32>) outs(%[[B]] : memref<8xf32>)
// CHECK-NEXT: exec.copy %[[N]] into %[[X]]
// CHECK-NEXT: }
func.func @reversed(%x: tensor<8xf32> {cleave.donated}) -> (tensor<8xf32>, tensor<8xf32>) {
  %0 = call @reverse(%x) : (tensor<8xf32>) -> tensor<8xf32>
  %1 = call @reverse(%x) : (tensor<8xf32>) -> tensor<8xf32>
  return %0, %1 : tensor<8xf32>, tensor<8xf32>
}
func.func private @reverse(tensor<8xf32>) -> tensor<8xf32> attributes {cleave.kernel}

// -----

// Another placement: the output has memory of its own, and the input may still
// be overwritten.

spmd.mesh @m <"x"=2>

// CHECK-LABEL: exec.program @placement
// CHECK: donated [0] shared [-1]
func.func @placement(%x: tensor<4xf32> {cleave.donated = 0, spmd.global_type = tensor<4xf32>, spmd.sharding = #spmd.sharding<@m, [{}]>})
    -> (tensor<2xf32> {spmd.global_type = tensor<4xf32>, spmd.sharding = #spmd.sharding<@m, [{"x"}]>}) {
  %0 = spmd.all_slice %x dim 0 over @m ["x"] : tensor<4xf32> -> tensor<2xf32>
  return %0 : tensor<2xf32>
}

// -----

// expected-error @+1 {{input "arg0" is donated to output 1 of 1}}
func.func @no_output(%x: tensor<4xf32> {cleave.donated = 1}) -> tensor<4xf32> {
  return %x : tensor<4xf32>
}

// -----

// expected-error @+1 {{input "arg0" is donated to output 0 of type 'tensor<f32>'}}
func.func @other_type(%x: tensor<4xf32> {cleave.donated = 0}) -> tensor<f32> {
  %0 = call @sum(%x) : (tensor<4xf32>) -> tensor<f32>
  return %0 : tensor<f32>
}
func.func private @sum(tensor<4xf32>) -> tensor<f32> attributes {cleave.kernel}

// -----

// expected-error @+1 {{cleave.donated is "yes"; it must be the number of an output, or unit}}
func.func @text(%x: tensor<4xf32> {cleave.donated = "yes"}) -> tensor<4xf32> {
  return %x : tensor<4xf32>
}
