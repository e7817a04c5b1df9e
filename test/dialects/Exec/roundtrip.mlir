// RUN: cleave-opt %s | cleave-opt | FileCheck %s
// RUN: cleave-opt %s --mlir-print-op-generic | cleave-opt | FileCheck %s

// CHECK-LABEL: exec.program @all mesh <"m" ["data"=2, "model"=4] device_ids = [0, 1, 2, 3, 4, 5, 7, 6]>
// CHECK-NEXT: inputs(%{{.*}}: memref<4x8xf32> = <"x y", tensor<8x8xf32>, {{\[}}["data":(1)2], []]>, %{{.*}}: memref<i32> = <"n", tensor<i32>, []>)
// CHECK-NEXT: outputs(%{{.*}}: memref<4x2xf32> = <"out", tensor<8x8xf32>, {{\[}}["data":(1)2], ["model":(1)2, "model":(2)2]]>) arena 4096 attributes {note = "kept"} {
exec.program @all mesh <"m" ["data"=2, "model"=4] device_ids = [0, 1, 2, 3, 4, 5, 7, 6]>
    inputs(%x: memref<4x8xf32> = <"x y", tensor<8x8xf32>, [["data":(1)2], []]>,
           %n: memref<i32> = <"n", tensor<i32>, []>)
    outputs(%out: memref<4x2xf32> = <"out", tensor<8x8xf32>, [["data":(1)2], ["model":(1)2, "model":(2)2]]>)
    arena 4096 attributes {note = "kept"} {
  // CHECK: exec.constant dense<1.000000e+00> : tensor<8x8xf32> : memref<8x8xf32>
  %w = exec.constant dense<1.0> : tensor<8x8xf32> : memref<8x8xf32>
  // CHECK: exec.buffer : memref<i1>
  %c = exec.buffer : memref<i1>
  // CHECK: exec.buffer at 64 : memref<4x8xf32>
  %h = exec.buffer at 64 : memref<4x8xf32>
  // CHECK: exec.gemm %{{.*}}, %{{.*}} bias(n) %{{.*}} activation(relu) residual %{{.*}} into %{{.*}} batch = [] m = 4 n = 8 k = 8 strides [8, 1] x [8, 1] -> [8, 1] :
  %row = exec.buffer at 256 : memref<8xf32>
  exec.gemm %x, %w bias(n) %row activation(relu) residual %x into %h
    batch = [] m = 4 n = 8 k = 8 strides [8, 1] x [8, 1] -> [8, 1]
    : memref<4x8xf32>, memref<8x8xf32>, memref<8xf32>, memref<4x8xf32>, memref<4x8xf32>
  // CHECK: exec.gemm %{{.*}}, %{{.*}} into %{{.*}} batch = [2] m = 2 n = 2 k = 4
  %q = exec.buffer at 512 : memref<2x2x2xf32>
  %v = exec.view %h : memref<4x8xf32> to memref<2x2x8xf32>
  exec.gemm %v, %w into %q batch = [2] m = 2 n = 2 k = 4 strides [16, 8, 1] x [0, 8, 1] -> [4, 2, 1]
    : memref<2x2x8xf32>, memref<8x8xf32>, memref<2x2x2xf32>
  // CHECK: exec.convolution %{{.*}}, %{{.*}} bias %{{.*}} activation(relu) residual %{{.*}} into %{{.*}} batch = 2 groups = 1 features = 2 outputs = 2 sizes = [2] counts = [2] taps = [2] strides = [1] low = [-1] dilations = [1] x [2] reversed = [true] layout [16, 2, 1, 8] x [2, 4, 1, 2] -> [4, 2, 1, 2] :
  %o = exec.buffer at 3968 : memref<2xf32>
  %e = exec.buffer at 4032 : memref<2x2x2xf32>
  exec.convolution %v, %w bias %o activation(relu) residual %q into %e
    batch = 2 groups = 1 features = 2 outputs = 2 sizes = [2] counts = [2] taps = [2] strides = [1] low = [-1] dilations = [1] x [2]
    reversed = [true] layout [16, 2, 1, 8] x [2, 4, 1, 2] -> [4, 2, 1, 2]
    : memref<2x2x8xf32>, memref<8x8xf32>, memref<2xf32>, memref<2x2x2xf32>, memref<2x2x2xf32>
  // CHECK: exec.collective all_reduce(sum) %{{.*}} into %{{.*}} over <["model":(1)4]> cause = "contraction" : memref<4x8xf32> -> memref<4x8xf32>
  %r = exec.buffer at 640 : memref<4x8xf32>
  exec.collective all_reduce(sum) %h into %r over <["model":(1)4]> cause = "contraction"
    : memref<4x8xf32> -> memref<4x8xf32>
  // CHECK: exec.record 2 on compute
  // CHECK-NEXT: exec.wait 2 on communication
  // CHECK-NEXT: exec.collective all_slice %{{.*}} into %{{.*}} over <["model":(1)4]> dim = 1 on communication : memref<4x8xf32> -> memref<4x2xf32>
  // CHECK-NEXT: exec.record 0 on communication
  // CHECK-NEXT: exec.wait 0 on compute
  exec.record 2 on compute
  exec.wait 2 on communication
  exec.collective all_slice %r into %out over <["model":(1)4]> dim = 1 on communication
    : memref<4x8xf32> -> memref<4x2xf32>
  exec.record 0 on communication
  exec.wait 0 on compute
  %g = exec.buffer at 768 : memref<16x2xf32>
  %s = exec.buffer at 1024 : memref<4x2xf32>
  %a = exec.buffer at 1152 : memref<1x32xf32>
  // CHECK: all_gather
  exec.collective all_gather %out into %g over <["model":(1)4]> dim = 0 : memref<4x2xf32> -> memref<16x2xf32>
  // CHECK: reduce_scatter(max)
  exec.collective reduce_scatter(max) %g into %s over <["model":(1)4]> dim = 0
    : memref<16x2xf32> -> memref<4x2xf32>
  // CHECK: all_to_all {{.*}} split_dim = 0 concat_dim = 1
  exec.collective all_to_all %h into %a over <["model":(1)4]> split_dim = 0 concat_dim = 1
    : memref<4x8xf32> -> memref<1x32xf32>
  // CHECK: collective_permute {{.*}} over <[]> pairs = [0, 1, 1, 0]
  exec.collective collective_permute %s into %out over <[]> pairs = [0, 1, 1, 0]
    : memref<4x2xf32> -> memref<4x2xf32>
  // CHECK: exec.collective broadcast %{{.*}} into %{{.*}} over <["model":(1)4]> root = 3 : memref<4x2xf32> -> memref<4x2xf32>
  exec.collective broadcast %s into %out over <["model":(1)4]> root = 3 : memref<4x2xf32> -> memref<4x2xf32>
  // CHECK: exec.collective all_reduce(sum) %{{.*}} into %{{.*}} over <[]> groups = {{\[}}array<i64: 0, 3, 5>, array<i64: 2>] : memref<4x2xf32> -> memref<4x2xf32>
  exec.collective all_reduce(sum) %s into %out over <[]> groups = [array<i64: 0, 3, 5>, array<i64: 2>] : memref<4x2xf32> -> memref<4x2xf32>
  // CHECK: exec.collective halo_exchange %{{.*}} into %{{.*}} over <["data":(1)2]> dim = 1 size = 4 low = 1 high = -1 : memref<4x2xf32> -> memref<4x2xf32>
  exec.collective halo_exchange %s into %out over <["data":(1)2]> dim = 1 size = 4 low = 1 high = -1 : memref<4x2xf32> -> memref<4x2xf32>
  // CHECK: exec.collective window_exchange %{{.*}} into %{{.*}} over <["data":(1)2]> dim = 1 blocks = [0, 2, 0, 2, 2, 0] windows = [2, 2, 0, 0, 2, 0] : memref<4x2xf32> -> memref<4x2xf32>
  exec.collective window_exchange %s into %out over <["data":(1)2]> dim = 1 blocks = [0, 2, 0, 2, 2, 0] windows = [2, 2, 0, 0, 2, 0] : memref<4x2xf32> -> memref<4x2xf32>
  // CHECK: exec.axis_index <["data":(1)2, "model":(2)2]> into %{{.*}} : memref<i32>
  %i = exec.buffer at 1280 : memref<i32>
  exec.axis_index <["data":(1)2, "model":(2)2]> into %i : memref<i32>
  // CHECK: exec.while %{{.*}} : memref<i1> cond {
  // CHECK-NEXT: exec.launch @less ins(%{{.*}}, %{{.*}} : memref<i32>, memref<i32>) outs(%{{.*}} : memref<i1>)
  // CHECK-NEXT: } do {
  exec.while %c : memref<i1> cond {
    exec.launch @less ins(%i, %n : memref<i32>, memref<i32>) outs(%c : memref<i1>)
  } do {
    // CHECK: exec.if %{{.*}} : memref<i1> then {
    // CHECK-NEXT: exec.copy %{{.*}} into %{{.*}} : memref<4x8xf32> -> memref<4x8xf32>
    // CHECK-NEXT: } else {
    exec.if %c : memref<i1> then {
      exec.copy %h into %r : memref<4x8xf32> -> memref<4x8xf32>
    } else {
      exec.launch @nothing ins() outs()
      // CHECK: exec.launch @double ins() outs(%{{.*}} : memref<i32>) updated [0]
      exec.launch @double ins() outs(%i : memref<i32>) updated [0]
    }
  }
}

func.func private @less(tensor<i32>, tensor<i32>) -> tensor<i1>
func.func private @nothing()
func.func private @double(memref<i32>)

// CHECK-LABEL: exec.program @empty mesh <"m" []>
// CHECK-NEXT: inputs()
// CHECK-NEXT: outputs() {
exec.program @empty mesh <"m" []> inputs() outputs() {
}
