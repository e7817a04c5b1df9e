// RUN: cleave-opt %s --cleave-lower-to-exec --split-input-file | FileCheck %s

// A sharded multi-layer perceptron: results go straight to the output.

spmd.mesh @m <"data"=2, "model"=4>

// CHECK-LABEL: exec.program @mlp mesh <"m" ["data"=2, "model"=4]>
// CHECK-NEXT: inputs(%[[X:.*]]: memref<32x512xf32> = <"x", tensor<64x512xf32>, {{\[}}["data":(1)2], []]>, %[[UP:.*]]: memref<512x512xf32> = <"up.weight", tensor<512x2048xf32>, {{\[}}[], ["model":(1)4]]>, %[[DOWN:.*]]: memref<512x512xf32> = <"arg2", tensor<2048x512xf32>, {{\[}}["model":(1)4], []]>, %[[BIAS:.*]]: memref<512xf32> = <"arg3", tensor<512xf32>, {{\[}}[]]>)
// CHECK-NEXT: outputs(%[[Y:.*]]: memref<32x512xf32> = <"out0", tensor<64x512xf32>, {{\[}}["data":(1)2], []]>) {
// CHECK-NEXT: %[[H:.*]] = exec.buffer : memref<32x512xf32>
// CHECK-NEXT: exec.gemm %[[X]], %[[UP]] activation(gelu_erf) into %[[H]] batch = [] m = 32 n = 512 k = 512 strides [512, 1] x [512, 1] -> [512, 1]
// CHECK-NEXT: %[[P:.*]] = exec.buffer : memref<32x512xf32>
// CHECK-NEXT: exec.gemm %[[H]], %[[DOWN]] into %[[P]]
// CHECK-NEXT: %[[R:.*]] = exec.buffer : memref<32x512xf32>
// CHECK-NEXT: exec.collective all_reduce(sum) %[[P]] into %[[R]] over <["model":(1)4]> cause = "contraction" : memref<32x512xf32> -> memref<32x512xf32>
// CHECK-NEXT: exec.launch @kernel_0 ins(%[[R]], %[[BIAS]] : memref<32x512xf32>, memref<512xf32>) outs(%[[Y]] : memref<32x512xf32>)
// CHECK-NEXT: }
// CHECK: func.func private @kernel_0
// CHECK-NOT: gemm
// CHECK-NOT: spmd.mesh
func.func @mlp(%x: tensor<32x512xf32> {cleave.name = "x", spmd.global_type = tensor<64x512xf32>, spmd.sharding = #spmd.sharding<@m, [{"data"}, {}]>},
               %up: tensor<512x512xf32> {cleave.name = "up.weight", spmd.global_type = tensor<512x2048xf32>, spmd.sharding = #spmd.sharding<@m, [{}, {"model"}]>},
               %down: tensor<512x512xf32> {spmd.global_type = tensor<2048x512xf32>, spmd.sharding = #spmd.sharding<@m, [{"model"}, {}]>},
               %bias: tensor<512xf32>)
    -> (tensor<32x512xf32> {spmd.global_type = tensor<64x512xf32>, spmd.sharding = #spmd.sharding<@m, [{"data"}, {}]>}) {
  %h = call @gemm_0(%x, %up) : (tensor<32x512xf32>, tensor<512x512xf32>) -> tensor<32x512xf32>
  %p = call @gemm_1(%h, %down) : (tensor<32x512xf32>, tensor<512x512xf32>) -> tensor<32x512xf32>
  %r = spmd.all_reduce sum %p over @m ["model"] cause "contraction" : tensor<32x512xf32>
  %y = call @kernel_0(%r, %bias) : (tensor<32x512xf32>, tensor<512xf32>) -> tensor<32x512xf32>
  return %y : tensor<32x512xf32>
}
func.func private @kernel_0(%x: tensor<32x512xf32>, %b: tensor<512xf32>) -> tensor<32x512xf32> attributes {cleave.kernel} {
  %0 = cleave.broadcast_in_dim %b, dims = [1] : (tensor<512xf32>) -> tensor<32x512xf32>
  %1 = cleave.add %x, %0 : tensor<32x512xf32>
  return %1 : tensor<32x512xf32>
}
func.func private @gemm_0(%a: tensor<32x512xf32>, %b: tensor<512x512xf32>) -> tensor<32x512xf32>
    attributes {cleave.gemm = {bias = "none", activation = "gelu_erf", residual = false}} {
  %0 = cleave.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<32x512xf32>, tensor<512x512xf32>) -> tensor<32x512xf32>
  %1 = cleave.gelu %0 : tensor<32x512xf32>
  return %1 : tensor<32x512xf32>
}
func.func private @gemm_1(%a: tensor<32x512xf32>, %b: tensor<512x512xf32>) -> tensor<32x512xf32>
    attributes {cleave.gemm = {bias = "none", activation = "none", residual = false}} {
  %0 = cleave.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<32x512xf32>, tensor<512x512xf32>) -> tensor<32x512xf32>
  return %0 : tensor<32x512xf32>
}

// -----

// Every kind of collective; sub-axes; permutations name no axes.

spmd.mesh @m <"x"=4>

// CHECK-LABEL: exec.program @collectives
// CHECK: exec.collective all_gather %{{.*}} into %{{.*}} over <["x":(2)2]> dim = 0 : memref<2x4xf32> -> memref<4x4xf32>
// CHECK: exec.collective all_slice %{{.*}} into %{{.*}} over <["x":(1)4]> dim = 1 : memref<4x4xf32> -> memref<4x1xf32>
// CHECK: exec.collective reduce_scatter(max) %{{.*}} into %{{.*}} over <["x":(1)2]> dim = 0 : memref<4x1xf32> -> memref<2x1xf32>
// CHECK: exec.collective all_to_all %{{.*}} into %{{.*}} over <["x":(1)2]> split_dim = 0 concat_dim = 1 : memref<2x1xf32> -> memref<1x2xf32>
// CHECK: exec.collective collective_permute %{{.*}} into %{{.*}} over <[]> pairs = [0, 1, 1, 0] : memref<1x2xf32> -> memref<1x2xf32>
// CHECK: exec.collective broadcast %{{.*}} into %{{.*}} over <["x":(1)4]> root = 2 : memref<1x2xf32> -> memref<1x2xf32>
// CHECK: exec.collective halo_exchange %{{.*}} into %{{.*}} over <["x":(1)2]> dim = 1 size = 3 low = 1 high = 0 cause = "window" : memref<1x2xf32> -> memref<1x3xf32>
// CHECK: exec.collective window_exchange %{{.*}} into %{{.*}} over <["x":(1)2]> dim = 1 blocks = [0, 3, 0, 3, 3, 0] windows = [3, 3, 0, 0, 3, 0] cause = "reverse" : memref<1x3xf32> -> memref<1x3xf32>
// CHECK: exec.collective all_slice %{{.*}} into %{{.*}} over <[]> dim = 1 groups = {{\[}}array<i64: 3, 0>] : memref<1x3xf32> -> memref<1x2xf32>
// CHECK: exec.axis_index <["x":(1)4]> into %{{.*}} : memref<i32>
func.func @collectives(%x: tensor<2x4xf32>) -> (tensor<1x2xf32>, tensor<i32>) {
  %0 = spmd.all_gather %x dim 0 over @m ["x":(2)2] : tensor<2x4xf32> -> tensor<4x4xf32>
  %1 = spmd.all_slice %0 dim 1 over @m ["x"] : tensor<4x4xf32> -> tensor<4x1xf32>
  %2 = spmd.reduce_scatter max %1 dim 0 over @m ["x":(1)2] : tensor<4x1xf32> -> tensor<2x1xf32>
  %3 = spmd.all_to_all %2 split 0 concat 1 over @m ["x":(1)2] : tensor<2x1xf32> -> tensor<1x2xf32>
  %4 = spmd.collective_permute %3 over @m pairs [0, 1, 1, 0] : tensor<1x2xf32>
  %b = spmd.broadcast %4 from 2 over @m ["x"] : tensor<1x2xf32>
  %h = spmd.halo_exchange %b dim 1 size 3 low 1 high 0 over @m ["x":(1)2] cause "window" : tensor<1x2xf32> -> tensor<1x3xf32>
  %w = spmd.window_exchange %h dim 1 blocks [0, 3, 0, 3, 3, 0] windows [3, 3, 0, 0, 3, 0] over @m ["x":(1)2] cause "reverse" : tensor<1x3xf32> -> tensor<1x3xf32>
  %s = spmd.all_slice %w dim 1 over @m groups [[3, 0]] : tensor<1x3xf32> -> tensor<1x2xf32>
  %5 = spmd.axis_index @m ["x"] : tensor<i32>
  return %s, %5 : tensor<1x2xf32>, tensor<i32>
}

// -----

// Returned arguments, constants and values returned twice are copied; a
// reshape is a view.

// CHECK-LABEL: exec.program @copies mesh <"mesh" []>
// CHECK: inputs(%[[X:.*]]: memref<4xf32> =
// CHECK: outputs(%[[A:.*]]: memref<4xf32> = {{.*}}, %[[B:.*]]: memref<4xf32> = {{.*}}, %[[C:.*]]: memref<4xf32> = {{.*}}, %[[D:.*]]: memref<4xf32> = {{.*}}, %[[E:.*]]: memref<2x2xf32> =
// CHECK: %[[V:.*]] = exec.view %[[E]] : memref<2x2xf32> to memref<4xf32>
// CHECK: %[[CST:.*]] = exec.constant dense<[1.000000e+00, 2.000000e+00, 3.000000e+00, 4.000000e+00]> : tensor<4xf32> : memref<4xf32>
// CHECK: exec.launch @kernel_0 ins(%[[X]] : memref<4xf32>) outs(%[[C]] : memref<4xf32>)
// CHECK: exec.launch @kernel_0 ins(%[[C]] : memref<4xf32>) outs(%[[V]] : memref<4xf32>)
// CHECK: exec.copy %[[X]] into %[[A]]
// CHECK: exec.copy %[[CST]] into %[[B]]
// CHECK: exec.copy %[[C]] into %[[D]]
// CHECK-NOT: exec.copy
func.func @copies(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<2x2xf32>) {
  %c = cleave.constant dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32>
  %0 = call @kernel_0(%x) : (tensor<4xf32>) -> tensor<4xf32>
  %1 = call @kernel_0(%0) : (tensor<4xf32>) -> tensor<4xf32>
  %2 = cleave.reshape %1 : (tensor<4xf32>) -> tensor<2x2xf32>
  return %x, %c, %0, %0, %2 : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<2x2xf32>
}
func.func private @kernel_0(%x: tensor<4xf32>) -> tensor<4xf32> attributes {cleave.kernel} {
  %0 = cleave.add %x, %x : tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

// A loop that swaps two variables needs a temporary; %s may be overwritten
// where its new value is made, %i is read by that op, so that it is copied.

// CHECK-LABEL: exec.program @loop
// CHECK: inputs(%[[X:.*]]: memref<4xf32> = {{.*}}, %[[Y:.*]]: memref<4xf32> = {{.*}}, %[[N:.*]]: memref<i32> =
// CHECK: outputs(%[[A:.*]]: memref<4xf32> = {{.*}}, %[[B:.*]]: memref<4xf32> =
// CHECK: %[[ZERO:.*]] = exec.constant dense<0>
// CHECK: exec.copy %[[X]] into %[[A]]
// CHECK: exec.copy %[[Y]] into %[[B]]
// CHECK: %[[I:.*]] = exec.buffer : memref<i32>
// CHECK: exec.copy %[[ZERO]] into %[[I]]
// CHECK: %[[S:.*]] = exec.buffer : memref<i32>
// CHECK: exec.copy %[[ZERO]] into %[[S]]
// CHECK: %[[C:.*]] = exec.buffer : memref<i1>
// CHECK: exec.while %[[C]] : memref<i1> cond {
// CHECK-NEXT: exec.launch @less ins(%[[I]], %[[N]] : memref<i32>, memref<i32>) outs(%[[C]] : memref<i1>)
// CHECK-NEXT: } do {
// CHECK-NEXT: %[[NEXT:.*]] = exec.buffer : memref<i32>
// CHECK-NEXT: exec.launch @next ins(%[[I]] : memref<i32>) outs(%[[NEXT]], %[[S]] : memref<i32>, memref<i32>)
// CHECK-NEXT: exec.copy %[[NEXT]] into %[[I]]
// CHECK-NEXT: %[[T:.*]] = exec.buffer : memref<4xf32>
// CHECK-NEXT: exec.copy %[[B]] into %[[T]]
// CHECK-NEXT: exec.copy %[[A]] into %[[B]]
// CHECK-NEXT: exec.copy %[[T]] into %[[A]]
// CHECK-NEXT: }
// CHECK-NEXT: }
func.func @loop(%x: tensor<4xf32>, %y: tensor<4xf32>, %n: tensor<i32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %zero = cleave.constant dense<0> : tensor<i32>
  %r:4 = cleave.while(%a = %x, %b = %y, %i = %zero, %s = %zero) : tensor<4xf32>, tensor<4xf32>, tensor<i32>, tensor<i32> cond {
    %c = func.call @less(%i, %n) : (tensor<i32>, tensor<i32>) -> tensor<i1>
    cleave.return %c : tensor<i1>
  } do {
    %0:2 = func.call @next(%i) : (tensor<i32>) -> (tensor<i32>, tensor<i32>)
    cleave.return %b, %a, %0#0, %0#1 : tensor<4xf32>, tensor<4xf32>, tensor<i32>, tensor<i32>
  }
  return %r#0, %r#1 : tensor<4xf32>, tensor<4xf32>
}
func.func private @less(tensor<i32>, tensor<i32>) -> tensor<i1> attributes {cleave.kernel}
func.func private @next(tensor<i32>) -> (tensor<i32>, tensor<i32>) attributes {cleave.kernel}

// -----

// The variable of a loop lives in the buffer of its initial value if that is
// read nowhere else; branches write into the results of the op around them.

// CHECK-LABEL: exec.program @branch
// CHECK: inputs(%[[X:.*]]: memref<4xf32> = {{.*}}, %[[P:.*]]: memref<i1> =
// CHECK: outputs(%[[Y:.*]]: memref<4xf32> =
// CHECK-NEXT: %[[H:.*]] = exec.buffer : memref<4xf32>
// CHECK-NEXT: exec.launch @f ins(%[[X]] : memref<4xf32>) outs(%[[H]] : memref<4xf32>)
// CHECK-NEXT: %[[C:.*]] = exec.buffer : memref<i1>
// CHECK-NEXT: exec.while %[[C]] : memref<i1> cond {
// CHECK-NEXT: exec.launch @test ins(%[[H]] : memref<4xf32>) outs(%[[C]] : memref<i1>)
// CHECK-NEXT: } do {
// CHECK-NEXT: %[[N:.*]] = exec.buffer : memref<4xf32>
// CHECK-NEXT: exec.launch @f ins(%[[H]] : memref<4xf32>) outs(%[[N]] : memref<4xf32>)
// CHECK-NEXT: exec.copy %[[N]] into %[[H]]
// CHECK-NEXT: }
// CHECK-NEXT: exec.if %[[P]] : memref<i1> then {
// CHECK-NEXT: exec.launch @f ins(%[[H]] : memref<4xf32>) outs(%[[Y]] : memref<4xf32>)
// CHECK-NEXT: } else {
// CHECK-NEXT: exec.copy %[[H]] into %[[Y]]
// CHECK-NEXT: }
func.func @branch(%x: tensor<4xf32>, %p: tensor<i1>) -> tensor<4xf32> {
  %h = call @f(%x) : (tensor<4xf32>) -> tensor<4xf32>
  %w = cleave.while(%a = %h) : tensor<4xf32> cond {
    %c = func.call @test(%a) : (tensor<4xf32>) -> tensor<i1>
    cleave.return %c : tensor<i1>
  } do {
    %0 = func.call @f(%a) : (tensor<4xf32>) -> tensor<4xf32>
    cleave.return %0 : tensor<4xf32>
  }
  %y = cleave.if %p : (tensor<i1>) -> tensor<4xf32> then {
    %0 = func.call @f(%w) : (tensor<4xf32>) -> tensor<4xf32>
    cleave.return %0 : tensor<4xf32>
  } else {
    cleave.return %w : tensor<4xf32>
  }
  return %y : tensor<4xf32>
}
func.func private @f(tensor<4xf32>) -> tensor<4xf32> attributes {cleave.kernel}
func.func private @test(tensor<4xf32>) -> tensor<i1> attributes {cleave.kernel}

// -----

// Matrix products: dimensions collapse, transposed operands have strides, free
// dimensions that do not collapse become batch dimensions.

// CHECK-LABEL: exec.program @gemms
// CHECK: exec.gemm {{.*}} bias(n) {{.*}} residual {{.*}} batch = [] m = 6 n = 20 k = 8 strides [8, 1] x [20, 1] -> [20, 1]
// CHECK: exec.gemm {{.*}} batch = [2] m = 3 n = 7 k = 8 strides [24, 8, 1] x [56, 1, 8] -> [21, 7, 1]
// CHECK: exec.gemm {{.*}} batch = [2] m = 3 n = 5 k = 8 strides [24, 1, 3] x [0, 5, 1] -> [15, 5, 1]
func.func @gemms(%x: tensor<2x3x8xf32>, %w: tensor<8x4x5xf32>, %b: tensor<4x5xf32>, %r: tensor<2x3x4x5xf32>,
                 %t: tensor<2x7x8xf32>, %u: tensor<2x8x3xf32>, %v: tensor<8x5xf32>)
    -> (tensor<2x3x4x5xf32>, tensor<2x3x7xf32>, tensor<2x3x5xf32>) {
  %0 = call @gemm_0(%x, %w, %b, %r) : (tensor<2x3x8xf32>, tensor<8x4x5xf32>, tensor<4x5xf32>, tensor<2x3x4x5xf32>) -> tensor<2x3x4x5xf32>
  %1 = call @gemm_1(%x, %t) : (tensor<2x3x8xf32>, tensor<2x7x8xf32>) -> tensor<2x3x7xf32>
  %2 = call @gemm_2(%u, %v) : (tensor<2x8x3xf32>, tensor<8x5xf32>) -> tensor<2x3x5xf32>
  return %0, %1, %2 : tensor<2x3x4x5xf32>, tensor<2x3x7xf32>, tensor<2x3x5xf32>
}
func.func private @gemm_0(%a: tensor<2x3x8xf32>, %b: tensor<8x4x5xf32>, %c: tensor<4x5xf32>, %d: tensor<2x3x4x5xf32>) -> tensor<2x3x4x5xf32>
    attributes {cleave.gemm = {bias = "n", activation = "none", residual = true}} {
  %0 = cleave.dot_general %a, %b, contracting_dims = [2] x [0] : (tensor<2x3x8xf32>, tensor<8x4x5xf32>) -> tensor<2x3x4x5xf32>
  %1 = cleave.broadcast_in_dim %c, dims = [2, 3] : (tensor<4x5xf32>) -> tensor<2x3x4x5xf32>
  %2 = cleave.add %0, %1 : tensor<2x3x4x5xf32>
  %3 = cleave.add %2, %d : tensor<2x3x4x5xf32>
  return %3 : tensor<2x3x4x5xf32>
}
func.func private @gemm_1(%a: tensor<2x3x8xf32>, %b: tensor<2x7x8xf32>) -> tensor<2x3x7xf32>
    attributes {cleave.gemm = {bias = "none", activation = "none", residual = false}} {
  %0 = cleave.dot_general %a, %b, batching_dims = [0] x [0], contracting_dims = [2] x [2] : (tensor<2x3x8xf32>, tensor<2x7x8xf32>) -> tensor<2x3x7xf32>
  return %0 : tensor<2x3x7xf32>
}
func.func private @gemm_2(%a: tensor<2x8x3xf32>, %b: tensor<8x5xf32>) -> tensor<2x3x5xf32>
    attributes {cleave.gemm = {bias = "none", activation = "none", residual = false}} {
  %0 = cleave.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<2x8x3xf32>, tensor<8x5xf32>) -> tensor<2x3x5xf32>
  return %0 : tensor<2x3x5xf32>
}

// -----

// Workspace is written like a result, and used by nobody.

// CHECK-LABEL: exec.program @workspace
// CHECK: %[[W:.*]] = exec.buffer : memref<3x20xf32>
// CHECK: exec.launch @sort ins(%{{.*}} : memref<3x20xf32>) outs(%{{.*}}, %[[W]] : memref<3x20xf32>, memref<3x20xf32>)
func.func @workspace(%x: tensor<3x20xf32>) -> tensor<3x20xf32> {
  %0 = call @sort(%x) : (tensor<3x20xf32>) -> tensor<3x20xf32>
  return %0 : tensor<3x20xf32>
}
func.func private @sort(tensor<3x20xf32>) -> tensor<3x20xf32> attributes {cleave.kernel, cleave.workspace = [tensor<3x20xf32>]}

// -----

// Groups are parts of the batch here: their distance in lhs is that of 2 images.
// CHECK-LABEL: exec.program @convolutions
// CHECK: exec.convolution %{{.*}}, %{{.*}} bias %{{.*}} activation(relu) into %{{.*}} batch = 2 groups = 1 features = 3 outputs = 8 sizes = [8] counts = [4] taps = [3] strides = [2] low = [1] dilations = [1] x [1] reversed = [true] layout [24, 3, 1, 3] x [8, 1, 8, 24] -> [32, 8, 1, 8]
// CHECK: exec.convolution %{{.*}}, %{{.*}} into %{{.*}} batch = 2 groups = 2 features = 3 outputs = 4 sizes = [8] counts = [6] taps = [3] strides = [1] low = [0] dilations = [1] x [1] reversed = [false] layout [24, 48, 8, 1] x [36, 9, 3, 1] -> [6, 48, 12, 1]
func.func @convolutions(%x: tensor<2x8x3xf32>, %k: tensor<3x3x8xf32>, %b: tensor<8xf32>, %u: tensor<4x3x8xf32>, %v: tensor<8x3x3xf32>) -> (tensor<2x4x8xf32>, tensor<8x2x6xf32>) {
  %0 = call @convolution_0(%x, %k, %b) : (tensor<2x8x3xf32>, tensor<3x3x8xf32>, tensor<8xf32>) -> tensor<2x4x8xf32>
  %1 = call @convolution_1(%u, %v) : (tensor<4x3x8xf32>, tensor<8x3x3xf32>) -> tensor<8x2x6xf32>
  return %0, %1 : tensor<2x4x8xf32>, tensor<8x2x6xf32>
}
func.func private @convolution_0(%a: tensor<2x8x3xf32>, %b: tensor<3x3x8xf32>, %c: tensor<8xf32>) -> tensor<2x4x8xf32>
    attributes {cleave.convolution = {bias = "feature", activation = "relu", residual = false}} {
  %0 = cleave.convolution %a, %b {window_strides = array<i64: 2>, padding = array<i64: 1, 0>, lhs_dilation = array<i64: 1>, rhs_dilation = array<i64: 1>, window_reversal = array<i1: true>, input_batch_dimension = 0, input_feature_dimension = 2, input_spatial_dimensions = array<i64: 1>, kernel_input_feature_dimension = 1, kernel_output_feature_dimension = 2, kernel_spatial_dimensions = array<i64: 0>, output_batch_dimension = 0, output_feature_dimension = 2, output_spatial_dimensions = array<i64: 1>, feature_group_count = 1, batch_group_count = 1} : (tensor<2x8x3xf32>, tensor<3x3x8xf32>) -> tensor<2x4x8xf32>
  %1 = cleave.broadcast_in_dim %c, dims = [2] : (tensor<8xf32>) -> tensor<2x4x8xf32>
  %2 = cleave.add %0, %1 : tensor<2x4x8xf32>
  %3 = cleave.relu %2 : tensor<2x4x8xf32>
  return %3 : tensor<2x4x8xf32>
}
func.func private @convolution_1(%a: tensor<4x3x8xf32>, %b: tensor<8x3x3xf32>) -> tensor<8x2x6xf32>
    attributes {cleave.convolution = {bias = "none", activation = "none", residual = false}} {
  %0 = cleave.convolution %a, %b {window_strides = array<i64: 1>, padding = array<i64: 0, 0>, lhs_dilation = array<i64: 1>, rhs_dilation = array<i64: 1>, window_reversal = array<i1: false>, input_batch_dimension = 0, input_feature_dimension = 1, input_spatial_dimensions = array<i64: 2>, kernel_input_feature_dimension = 1, kernel_output_feature_dimension = 0, kernel_spatial_dimensions = array<i64: 2>, output_batch_dimension = 1, output_feature_dimension = 0, output_spatial_dimensions = array<i64: 2>, feature_group_count = 1, batch_group_count = 2} : (tensor<4x3x8xf32>, tensor<8x3x3xf32>) -> tensor<8x2x6xf32>
  return %0 : tensor<8x2x6xf32>
}
