// RUN: cleave-opt %s --cleave-lower-exec-to-llvm | FileCheck %s

// The manifest.

// CHECK: llvm.mlir.global external constant @cleave_program_manifest("{\22version\22:4,\22name\22:\22main\22,\22mesh\22:{\22name\22:\22m\22,\22axes\22:[{\22name\22:\22data\22,\22size\22:2},{\22name\22:\22model\22,\22size\22:4}]},\22arena_bytes\22:256,\22events\22:1,
// CHECK-SAME: \22inputs\22:[{\22name\22:\22x\22,\22dtype\22:\22f32\22,\22shape\22:[4,8],\22local_shape\22:[2,8],\22sharding\22:{{\[\[}}{\22axis\22:0,\22pre\22:1,\22size\22:2}],[]],\22location\22:\22model.py:1:2\22},{\22name\22:\22n\22,\22dtype\22:\22ui8\22,\22shape\22:[],\22local_shape\22:[],\22sharding\22:[],\22location\22:\22
// CHECK-SAME: \22collectives\22:[{\22kind\22:\22all_reduce\22,\22dtype\22:\22f32\22,\22axes\22:[{\22axis\22:1,\22pre\22:2,\22size\22:2}],\22operand_shape\22:[2,8],\22result_shape\22:[2,8],\22reduction\22:\22sum\22,\22location\22:\22model.py:7:3\22,\22cause\22:\22contraction\22,\22axis_names\22:\22model:(2)2\22},{\22kind\22:\22collective_permute\22,{{.*}}\22pairs\22:{{\[\[}}0,1],[1,0]],\22location\22:\22named\22,
// CHECK-SAME: \22gemms\22:[{\22dtype\22:\22f32\22,\22accumulate\22:\22f32\22,\22batch\22:[],\22m\22:2,\22n\22:8,\22k\22:8,\22a\22:{\22batch\22:[],\22row\22:8,\22col\22:1},\22b\22:{\22batch\22:[],\22row\22:8,\22col\22:1},\22out\22:{\22batch\22:[],\22row\22:8,\22col\22:1},\22bias\22:\22none\22,\22activation\22:\22relu\22,\22residual\22:false,\22location\22:\22{{.*}}lower-exec-to-llvm.mlir:{{[0-9:]+}}\22,\22b_constant\22:true}],
// CHECK-SAME: \22convolutions\22:[{\22dtype\22:\22f32\22,\22accumulate\22:\22f32\22,\22batch\22:2,\22groups\22:1,\22features\22:1,\22outputs\22:8,\22windows\22:[{\22size\22:8,\22count\22:1,\22taps\22:8,\22stride\22:1,\22low\22:0,\22base_dilation\22:1,\22window_dilation\22:1,\22reversed\22:false}],\22lhs\22:{\22batch\22:8,\22group\22:0,\22feature\22:0,\22spatial\22:[1]},\22kernel\22:{\22group\22:0,\22output\22:8,\22feature\22:0,\22spatial\22:[1]},\22out\22:{\22batch\22:8,\22group\22:0,\22output\22:1,\22spatial\22:[0]},\22bias\22:false,\22activation\22:\22none\22,\22residual\22:false}],
// CHECK-SAME: \22axis_lists\22:{{\[\[}}{\22axis\22:1,\22pre\22:1,\22size\22:4}],[]]}\00")

// CHECK: llvm.func @cleave_program_step(%[[RANK:.*]]: !llvm.ptr, %[[ARENA:.*]]: !llvm.ptr, %[[INS:.*]]: !llvm.ptr, %[[OUTS:.*]]: !llvm.ptr) -> i32 {
// CHECK: %[[SLOTS:.*]] = llvm.mlir.constant(3 : i64) : i64
// CHECK: %[[ARRAY:.*]] = llvm.alloca %[[SLOTS]] x !llvm.ptr
// CHECK: %[[STATUS:.*]] = llvm.call @cleave_rt_gemm(%[[RANK]],
// CHECK: llvm.icmp "ne" %[[STATUS]]
// CHECK: llvm.cond_br %{{.*}}, ^[[FAIL:.*]](%[[STATUS]] : i32), ^
// CHECK: llvm.call @cleave_rt_convolution(%[[RANK]],
// CHECK: %[[STREAM:.*]] = llvm.mlir.constant(1 : i32) : i32
// CHECK: %[[ID:.*]] = llvm.mlir.constant(0 : i32) : i32
// CHECK: llvm.call @cleave_rt_collective(%[[RANK]], %[[STREAM]], %[[ID]],
// CHECK: ^bb{{[0-9]+}}:
// CHECK-NEXT: %[[EVENT:.*]] = llvm.mlir.constant(0 : i32) : i32
// CHECK-NEXT: %[[STREAM:.*]] = llvm.mlir.constant(1 : i32) : i32
// CHECK-NEXT: llvm.call @cleave_rt_record(%[[RANK]], %[[EVENT]], %[[STREAM]])
// CHECK: ^bb{{[0-9]+}}:
// CHECK-NEXT: %[[EVENT:.*]] = llvm.mlir.constant(0 : i32) : i32
// CHECK-NEXT: %[[STREAM:.*]] = llvm.mlir.constant(0 : i32) : i32
// CHECK-NEXT: llvm.call @cleave_rt_wait(%[[RANK]], %[[EVENT]], %[[STREAM]])
// CHECK: llvm.mlir.addressof @kernel_0
// CHECK: llvm.mlir.constant(16 : i64)
// CHECK: llvm.call @cleave_rt_launch
// CHECK: llvm.call @cleave_rt_axis_index
// A loop: condition, body, exit.
// CHECK: llvm.br ^[[COND:.*]]
// CHECK: ^[[COND]]:
// CHECK: llvm.call @cleave_rt_condition(%[[RANK]], %{{.*}}, %[[VALUE:.*]]) :
// CHECK: llvm.load %[[VALUE]] : !llvm.ptr -> i32
// CHECK: llvm.cond_br %{{.*}}, ^[[BODY:.*]], ^[[DONE:.*]]
// CHECK: ^[[BODY]]:
// CHECK: llvm.call @cleave_rt_copy
// CHECK: llvm.br ^[[COND]]
// CHECK: ^[[DONE]]:
// CHECK: llvm.return %{{.*}} : i32
// CHECK: ^[[FAIL]](%[[S:.*]]: i32):
// CHECK-NEXT: llvm.return %[[S]] : i32

// Runtime functions, constants.

// CHECK-DAG: llvm.func @cleave_rt_gemm(!llvm.ptr, i32, !llvm.ptr, !llvm.ptr, !llvm.ptr, !llvm.ptr, !llvm.ptr) -> i32
// CHECK-DAG: llvm.func @cleave_rt_convolution(!llvm.ptr, i32, !llvm.ptr, !llvm.ptr, !llvm.ptr, !llvm.ptr, !llvm.ptr) -> i32
// CHECK-DAG: llvm.func @cleave_rt_collective(!llvm.ptr, i32, i32, !llvm.ptr, !llvm.ptr) -> i32
// CHECK-DAG: llvm.func @cleave_rt_launch(!llvm.ptr, !llvm.ptr, !llvm.ptr, i64) -> i32
// CHECK-DAG: llvm.func @cleave_rt_copy(!llvm.ptr, !llvm.ptr, !llvm.ptr, i64) -> i32
// CHECK-DAG: llvm.func @cleave_rt_axis_index(!llvm.ptr, i32, !llvm.ptr) -> i32
// CHECK-DAG: llvm.mlir.global internal constant @cleave_constant_1("\00\00\80?{{.*}}alignment = 64 : i64
// CHECK-DAG: llvm.mlir.global internal constant @cleave_constant_2("\01\00\01") {{.*}}alignment = 64 : i64
// CHECK-DAG: llvm.func internal @kernel_0
exec.program @main mesh <"m" ["data"=2, "model"=4]>
    inputs(%x: memref<2x8xf32> = <"x", tensor<4x8xf32>, [["data":(1)2], []]> loc("model.py":1:2),
           %n: memref<ui8> = <"n", tensor<ui8>, []>)
    outputs(%y: memref<2x8xf32> = <"y", tensor<4x8xf32>, [["data":(1)2], []]>) arena 256 {
  %w = exec.constant dense<1.0> : tensor<8x8xf32> : memref<8x8xf32>
  %f = exec.constant dense<[true, false, true]> : tensor<3xi1> : memref<3xi1>
  %h = exec.buffer at 0 : memref<2x8xf32>
  exec.gemm %x, %w activation(relu) into %h batch = [] m = 2 n = 8 k = 8 strides [8, 1] x [8, 1] -> [8, 1]
    : memref<2x8xf32>, memref<8x8xf32>, memref<2x8xf32>
  %v = exec.buffer at 128 : memref<2x8xf32>
  exec.convolution %h, %w into %v batch = 2 groups = 1 features = 1 outputs = 8 sizes = [8] counts = [1] taps = [8] strides = [1] low = [0]
    dilations = [1] x [1] reversed = [false] layout [8, 0, 0, 1] x [0, 8, 0, 1] -> [8, 0, 1, 0]
    : memref<2x8xf32>, memref<8x8xf32>, memref<2x8xf32>
  %r = exec.buffer at 64 : memref<2x8xf32>
  exec.collective all_reduce(sum) %h into %r over <["model":(2)2]> cause = "contraction" on communication
    : memref<2x8xf32> -> memref<2x8xf32> loc("model.py":7:3)
  exec.record 0 on communication
  exec.wait 0 on compute
  exec.launch @kernel_0 ins(%r, %f : memref<2x8xf32>, memref<3xi1>) outs(%h : memref<2x8xf32>)
  exec.collective collective_permute %h into %y over <[]> pairs = [0, 1, 1, 0] on communication
    : memref<2x8xf32> -> memref<2x8xf32> loc("named")
  %i = exec.buffer at 128 : memref<i32>
  exec.axis_index <["model":(1)4]> into %i : memref<i32>
  exec.axis_index <[]> into %i : memref<i32>
  exec.axis_index <["model":(1)4]> into %i : memref<i32>
  %c = exec.buffer at 192 : memref<i1>
  exec.while %c : memref<i1> cond {
    exec.launch @kernel_0 ins(%i, %f : memref<i32>, memref<3xi1>) outs(%c : memref<i1>)
  } do {
    exec.if %c : memref<i1> then {
      exec.copy %h into %y : memref<2x8xf32> -> memref<2x8xf32>
    } else {
    }
  }
}
llvm.func @kernel_0(%buffers: !llvm.ptr, %begin: i64, %end: i64) attributes {cleave.extent = 16 : i64, cleave.kernel} {
  llvm.return
}
