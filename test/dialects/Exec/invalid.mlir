// RUN: cleave-opt %s --split-input-file --verify-diagnostics

// expected-error @+1 {{two axes are called "x"}}
exec.program @p mesh <"m" ["x"=2, "x"=2]> inputs() outputs() {
}

// -----

// expected-error @+1 {{device_ids must be a permutation of 0..1}}
exec.program @p mesh <"m" ["x"=2] device_ids = [1, 1]> inputs() outputs() {
}

// -----

// expected-error @+1 {{more than 2147483647 ranks}}
exec.program @p mesh <"m" ["x"=65536, "y"=65536]> inputs() outputs() {
}

// -----

// expected-error @+1 {{a shard of tensor "x" has type 'memref<4xf32>', not 'memref<3xf32>'}}
exec.program @p mesh <"m" ["x"=2]> inputs(%x: memref<3xf32> = <"x", tensor<7xf32>, [["x":(1)2]]>) outputs() {
}

// -----

// expected-error @+1 {{tensor "x" is cut over axis "y", which mesh "m" does not have}}
exec.program @p mesh <"m" ["x"=2]> inputs(%x: memref<3xf32> = <"x", tensor<6xf32>, [["y":(1)2]]>) outputs() {
}

// -----

// expected-error @+2 {{tensor "x" of rank 1 has a sharding of 2 dimensions}}
exec.program @p mesh <"m" ["x"=2]>
    inputs(%x: memref<3xf32> = <"x", tensor<6xf32>, [["x":(1)2], []]>) outputs() {
}

// -----

exec.program @p mesh <"m" []> inputs() outputs() {
  // expected-error @+1 {{offset 4 is not a multiple of 64}}
  %a = exec.buffer at 4 : memref<4xf32>
}

// -----

exec.program @p mesh <"m" []> inputs() outputs() {
  // expected-error @+1 {{is too large to address}}
  %a = exec.buffer : memref<4294967296x4294967296xf32>
}

// -----

exec.program @p mesh <"m" []> inputs() outputs() {
  // expected-error @+1 {{must be dense static buffer}}
  %a = exec.buffer : memref<4xf32, strided<[2]>>
}

// -----

exec.program @p mesh <"m" []> inputs() outputs() {
  %a = exec.buffer : memref<4xf32>
  // expected-error @+1 {{must keep the number of elements}}
  %b = exec.view %a : memref<4xf32> to memref<5xf32>
}

// -----

exec.program @p mesh <"m" []> inputs() outputs() {
  // expected-error @+1 {{does not fit buffer}}
  %b = exec.constant dense<0.0> : tensor<4xf32> : memref<5xf32>
}

// -----

exec.program @p mesh <"m" []> inputs() outputs() {
  %a = exec.constant dense<0.0> : tensor<4xf32> : memref<4xf32>
  %b = exec.buffer : memref<4xf32>
  // expected-error @+1 {{writes a constant}}
  exec.copy %b into %a : memref<4xf32> -> memref<4xf32>
}

// -----

exec.program @p mesh <"m" []> inputs() outputs() {
  %a = exec.buffer : memref<4xf32>
  // expected-error @+1 {{writes a buffer that it also reads}}
  exec.copy %a into %a : memref<4xf32> -> memref<4xf32>
}

// -----

exec.program @p mesh <"m" []> inputs() outputs() {
  %a = exec.buffer : memref<4xf32>
  // expected-error @+1 {{launches nothing, which does not exist}}
  exec.launch @nothing ins(%a : memref<4xf32>) outs()
}

// -----

exec.program @p mesh <"m" []> inputs() outputs() {
  %a = exec.buffer : memref<4xf32>
  %v = exec.view %a : memref<4xf32> to memref<2x2xf32>
  // expected-error @+1 {{writes a buffer that it also reads}}
  exec.launch @f ins(%a : memref<4xf32>) outs(%v : memref<2x2xf32>)
}
func.func private @f(memref<4xf32>, memref<2x2xf32>)

// -----

exec.program @p mesh <"m" []> inputs() outputs() {
  %a = exec.buffer : memref<4xf32>
  // expected-error @+1 {{updates output 1 of 1}}
  exec.launch @f ins() outs(%a : memref<4xf32>) updated [1]
}
func.func private @f(memref<4xf32>)

// -----

exec.program @p mesh <"m" []> inputs() outputs() {
  %a = exec.buffer : memref<4x4xf32>
  %b = exec.buffer : memref<4x4xf32>
  %c = exec.buffer : memref<4x4xf32>
  // expected-error @+1 {{operand b is read or written beyond its end}}
  exec.gemm %a, %b into %c batch = [] m = 4 n = 4 k = 4 strides [4, 1] x [5, 1] -> [4, 1]
    : memref<4x4xf32>, memref<4x4xf32>, memref<4x4xf32>
}

// -----

exec.program @p mesh <"m" []> inputs() outputs() {
  %a = exec.buffer : memref<4x4xf32>
  %b = exec.buffer : memref<4x4xf32>
  %c = exec.buffer : memref<4x4xf32>
  // expected-error @+1 {{operand a needs 3 strides, got 2}}
  exec.gemm %a, %b into %c batch = [1] m = 4 n = 4 k = 4 strides [4, 1] x [0, 4, 1] -> [0, 4, 1]
    : memref<4x4xf32>, memref<4x4xf32>, memref<4x4xf32>
}

// -----

exec.program @p mesh <"m" []> inputs() outputs() {
  %a = exec.buffer : memref<4x4xf32>
  %b = exec.buffer : memref<4x4xf32>
  %c = exec.buffer : memref<4x4xf32>
  %d = exec.buffer : memref<3xf32>
  // expected-error @+1 {{bias must have 4 elements}}
  exec.gemm %a, %b bias(n) %d into %c batch = [] m = 4 n = 4 k = 4 strides [4, 1] x [4, 1] -> [4, 1]
    : memref<4x4xf32>, memref<4x4xf32>, memref<3xf32>, memref<4x4xf32>
}

// -----

exec.program @p mesh <"m" ["x"=4]> inputs() outputs() {
  %a = exec.buffer : memref<4xf32>
  %b = exec.buffer : memref<4xf32>
  // expected-error @+1 {{all_reduce needs reduction}}
  exec.collective all_reduce %a into %b over <["x":(1)4]> : memref<4xf32> -> memref<4xf32>
}

// -----

exec.program @p mesh <"m" ["x"=4]> inputs() outputs() {
  %a = exec.buffer : memref<4xf32>
  %b = exec.buffer : memref<4xf32>
  // expected-error @+1 {{all_reduce takes no dim}}
  exec.collective all_reduce(sum) %a into %b over <["x":(1)4]> dim = 0 : memref<4xf32> -> memref<4xf32>
}

// -----

exec.program @p mesh <"m" ["x"=4]> inputs() outputs() {
  %a = exec.buffer : memref<4xf32>
  %b = exec.buffer : memref<12xf32>
  // expected-error @+1 {{cannot make 'memref<12xf32>' from 'memref<4xf32>' over 4 ranks}}
  exec.collective all_gather %a into %b over <["x":(1)4]> dim = 0 : memref<4xf32> -> memref<12xf32>
}

// -----

exec.program @p mesh <"m" ["x"=4]> inputs() outputs() {
  %a = exec.buffer : memref<4xf32>
  %b = exec.buffer : memref<4xf32>
  // expected-error @+1 {{uses axis "y", which mesh "m" does not have}}
  exec.collective all_reduce(sum) %a into %b over <["y":(1)4]> : memref<4xf32> -> memref<4xf32>
}

// -----

exec.program @p mesh <"m" ["x"=4]> inputs() outputs() {
  %a = exec.buffer : memref<4xf32>
  %b = exec.buffer : memref<4xf32>
  // expected-error @+1 {{uses part (1)3 of axis "x", whose size 4 it does not divide}}
  exec.collective all_reduce(sum) %a into %b over <["x":(1)3]> : memref<4xf32> -> memref<4xf32>
}

// -----

exec.program @p mesh <"m" ["x"=4]> inputs() outputs() {
  %a = exec.buffer : memref<4xf32>
  %b = exec.buffer : memref<4xf32>
  // expected-error @+1 {{axis "x" appears twice for the same positions}}
  exec.collective all_reduce(sum) %a into %b over <["x":(1)4, "x":(2)2]> : memref<4xf32> -> memref<4xf32>
}

// -----

exec.program @p mesh <"m" ["x"=4]> inputs() outputs() {
  %a = exec.buffer : memref<4xf32>
  %b = exec.buffer : memref<4xf32>
  // expected-error @+1 {{a rank may be a target only once}}
  exec.collective collective_permute %a into %b over <[]> pairs = [0, 1, 2, 1] : memref<4xf32> -> memref<4xf32>
}

// -----

exec.program @p mesh <"m" ["x"=4]> inputs() outputs() {
  %a = exec.buffer : memref<2xi1>
  // expected-error @+1 {{condition must have one element}}
  exec.if %a : memref<2xi1> then {
  } else {
  }
}

// -----

func.func @f(%a: memref<i32>) {
  // expected-error @+1 {{must be inside an exec.program}}
  exec.axis_index <[]> into %a : memref<i32>
  return
}

// -----

exec.program @p mesh <"m" []> inputs() outputs() {
  %a = exec.buffer : memref<1x4x2xf32>
  %b = exec.buffer : memref<2x2x3xf32>
  %c = exec.buffer : memref<1x3x3xf32>
  // expected-error @+1 {{needs as many entries in each list as spatial dimensions, 1}}
  exec.convolution %a, %b into %c batch = 1 groups = 1 features = 2 outputs = 3 sizes = [4] counts = [3, 1] taps = [2] strides = [1] low = [0]
    dilations = [1] x [1] reversed = [false] layout [8, 2, 1, 2] x [3, 1, 3, 6] -> [9, 3, 1, 3] : memref<1x4x2xf32>, memref<2x2x3xf32>, memref<1x3x3xf32>
}

// -----

exec.program @p mesh <"m" []> inputs() outputs() {
  %a = exec.buffer : memref<1x4x2xf32>
  %b = exec.buffer : memref<2x2x3xf32>
  %c = exec.buffer : memref<1x3x3xf32>
  // expected-error @+1 {{needs to say of each of 1 spatial dimensions whether it is reversed}}
  exec.convolution %a, %b into %c batch = 1 groups = 1 features = 2 outputs = 3 sizes = [4] counts = [3] taps = [2] strides = [1] low = [0]
    dilations = [1] x [1] reversed = [false, true] layout [8, 2, 1, 2] x [3, 1, 3, 6] -> [9, 3, 1, 3] : memref<1x4x2xf32>, memref<2x2x3xf32>, memref<1x3x3xf32>
}

// -----

exec.program @p mesh <"m" []> inputs() outputs() {
  %a = exec.buffer : memref<1x4x2xf32>
  %b = exec.buffer : memref<2x2x3xf32>
  %c = exec.buffer : memref<1x3x3xf32>
  // expected-error @+1 {{has a negative size}}
  exec.convolution %a, %b into %c batch = 1 groups = 1 features = -2 outputs = 3 sizes = [4] counts = [3] taps = [2] strides = [1] low = [0]
    dilations = [1] x [1] reversed = [false] layout [8, 2, 1, 2] x [3, 1, 3, 6] -> [9, 3, 1, 3] : memref<1x4x2xf32>, memref<2x2x3xf32>, memref<1x3x3xf32>
}

// -----

exec.program @p mesh <"m" []> inputs() outputs() {
  %a = exec.buffer : memref<1x4x2xf32>
  %b = exec.buffer : memref<2x2x3xf32>
  %c = exec.buffer : memref<1x3x3xf32>
  // expected-error @+1 {{strides and dilations must be at least 1}}
  exec.convolution %a, %b into %c batch = 1 groups = 1 features = 2 outputs = 3 sizes = [4] counts = [3] taps = [2] strides = [0] low = [0]
    dilations = [1] x [1] reversed = [false] layout [8, 2, 1, 2] x [3, 1, 3, 6] -> [9, 3, 1, 3] : memref<1x4x2xf32>, memref<2x2x3xf32>, memref<1x3x3xf32>
}

// -----

exec.program @p mesh <"m" []> inputs() outputs() {
  %a = exec.buffer : memref<1x4x2xf32>
  %b = exec.buffer : memref<2x2x3xf64>
  %c = exec.buffer : memref<1x3x3xf32>
  // expected-error @+1 {{operands must have one element type}}
  exec.convolution %a, %b into %c batch = 1 groups = 1 features = 2 outputs = 3 sizes = [4] counts = [3] taps = [2] strides = [1] low = [0]
    dilations = [1] x [1] reversed = [false] layout [8, 2, 1, 2] x [3, 1, 3, 6] -> [9, 3, 1, 3] : memref<1x4x2xf32>, memref<2x2x3xf64>, memref<1x3x3xf32>
}

// -----

exec.program @p mesh <"m" []> inputs() outputs() {
  %a = exec.buffer : memref<1x4x2xi1>
  %b = exec.buffer : memref<2x2x3xi1>
  %c = exec.buffer : memref<1x3x3xi1>
  // expected-error @+1 {{of i1 is not defined; count in i32 instead}}
  exec.convolution %a, %b into %c batch = 1 groups = 1 features = 2 outputs = 3 sizes = [4] counts = [3] taps = [2] strides = [1] low = [0]
    dilations = [1] x [1] reversed = [false] layout [8, 2, 1, 2] x [3, 1, 3, 6] -> [9, 3, 1, 3] : memref<1x4x2xi1>, memref<2x2x3xi1>, memref<1x3x3xi1>
}

// -----

exec.program @p mesh <"m" []> inputs() outputs() {
  %a = exec.buffer : memref<1x4x2xf32>
  %b = exec.buffer : memref<2x2x3xf32>
  %c = exec.buffer : memref<1x3x3xf32>
  // expected-error @+1 {{lhs needs 4 strides, got 3}}
  exec.convolution %a, %b into %c batch = 1 groups = 1 features = 2 outputs = 3 sizes = [4] counts = [3] taps = [2] strides = [1] low = [0]
    dilations = [1] x [1] reversed = [false] layout [8, 2, 1] x [3, 1, 3, 6] -> [9, 3, 1, 3] : memref<1x4x2xf32>, memref<2x2x3xf32>, memref<1x3x3xf32>
}

// -----

exec.program @p mesh <"m" []> inputs() outputs() {
  %a = exec.buffer : memref<1x4x2xf32>
  %b = exec.buffer : memref<2x2x3xf32>
  %c = exec.buffer : memref<1x3x3xf32>
  // expected-error @+1 {{kernel is read or written beyond its end}}
  exec.convolution %a, %b into %c batch = 1 groups = 1 features = 2 outputs = 3 sizes = [4] counts = [3] taps = [2] strides = [1] low = [0]
    dilations = [1] x [1] reversed = [false] layout [8, 2, 1, 2] x [3, 1, 3, 8] -> [9, 3, 1, 3] : memref<1x4x2xf32>, memref<2x2x3xf32>, memref<1x3x3xf32>
}

// -----

exec.program @p mesh <"m" []> inputs() outputs() {
  %a = exec.buffer : memref<1x4x2xf32>
  %b = exec.buffer : memref<2x2x3xf32>
  %c = exec.buffer : memref<1x3x3xf32>
  // expected-error @+1 {{out has a negative stride}}
  exec.convolution %a, %b into %c batch = 1 groups = 1 features = 2 outputs = 3 sizes = [4] counts = [3] taps = [2] strides = [1] low = [0]
    dilations = [1] x [1] reversed = [false] layout [8, 2, 1, 2] x [3, 1, 3, 6] -> [9, 3, -1, 3] : memref<1x4x2xf32>, memref<2x2x3xf32>, memref<1x3x3xf32>
}

// -----

exec.program @p mesh <"m" []> inputs() outputs() {
  %a = exec.buffer : memref<1x4x2xf32>
  %b = exec.buffer : memref<2x2x3xf32>
  %c = exec.buffer : memref<1x3x3xf32>
  %d = exec.buffer : memref<2xf32>
  // expected-error @+1 {{bias must have one element per output feature}}
  exec.convolution %a, %b bias %d into %c batch = 1 groups = 1 features = 2 outputs = 3 sizes = [4] counts = [3] taps = [2] strides = [1] low = [0]
    dilations = [1] x [1] reversed = [false] layout [8, 2, 1, 2] x [3, 1, 3, 6] -> [9, 3, 1, 3] : memref<1x4x2xf32>, memref<2x2x3xf32>, memref<2xf32>, memref<1x3x3xf32>
}

// -----

exec.program @p mesh <"m" []> inputs() outputs() {
  %a = exec.buffer : memref<1x4x2xf32>
  %b = exec.buffer : memref<2x2x3xf32>
  %c = exec.buffer : memref<1x3x3xf32>
  // expected-error @+1 {{residual must have as many elements as out}}
  exec.convolution %a, %b residual %a into %c batch = 1 groups = 1 features = 2 outputs = 3 sizes = [4] counts = [3] taps = [2] strides = [1] low = [0]
    dilations = [1] x [1] reversed = [false] layout [8, 2, 1, 2] x [3, 1, 3, 6] -> [9, 3, 1, 3] : memref<1x4x2xf32>, memref<2x2x3xf32>, memref<1x4x2xf32>, memref<1x3x3xf32>
}

// -----

exec.program @p mesh <"m" []> inputs() outputs() {
  %a = exec.buffer : memref<1x4x2xf32>
  %b = exec.buffer : memref<2x2x3xf32>
  %c = exec.buffer : memref<1x3x3xf32>
  // expected-error @+1 {{writes a buffer that it also reads}}
  exec.convolution %a, %b residual %c into %c batch = 1 groups = 1 features = 2 outputs = 3 sizes = [4] counts = [3] taps = [2] strides = [1] low = [0]
    dilations = [1] x [1] reversed = [false] layout [8, 2, 1, 2] x [3, 1, 3, 6] -> [9, 3, 1, 3] : memref<1x4x2xf32>, memref<2x2x3xf32>, memref<1x3x3xf32>, memref<1x3x3xf32>
}

// -----

exec.program @p mesh <"m" ["x"=4]> inputs() outputs() {
  %a = exec.buffer : memref<4xf32>
  %b = exec.buffer : memref<4xf32>
  // expected-error @+1 {{root 4 is not in a group of 4}}
  exec.collective broadcast %a into %b over <["x":(1)4]> root = 4 : memref<4xf32> -> memref<4xf32>
}

// -----

exec.program @p mesh <"m" ["x"=4]> inputs() outputs() {
  %a = exec.buffer : memref<4xf32>
  %b = exec.buffer : memref<4xf32>
  // expected-error @+1 {{broadcast needs root}}
  exec.collective broadcast %a into %b over <["x":(1)4]> : memref<4xf32> -> memref<4xf32>
}

// -----

exec.program @p mesh <"m" ["x"=4]> inputs() outputs() {
  %a = exec.buffer : memref<4xf32>
  %b = exec.buffer : memref<4xf32>
  // expected-error @+1 {{has both axes and groups}}
  exec.collective broadcast %a into %b over <["x":(1)4]> root = 0 groups = [array<i64: 0, 1>] : memref<4xf32> -> memref<4xf32>
}

// -----

exec.program @p mesh <"m" ["x"=4]> inputs() outputs() {
  %a = exec.buffer : memref<4xf32>
  %b = exec.buffer : memref<4xf32>
  // expected-error @+1 {{root 1 is not in a group of 1}}
  exec.collective broadcast %a into %b over <[]> root = 1 groups = [array<i64: 0, 1>, array<i64: 2>] : memref<4xf32> -> memref<4xf32>
}

// -----

exec.program @p mesh <"m" ["x"=4]> inputs() outputs() {
  %a = exec.buffer : memref<4xf32>
  %b = exec.buffer : memref<4xf32>
  // expected-error @+1 {{groups name rank 4 of 4}}
  exec.collective broadcast %a into %b over <[]> root = 0 groups = [array<i64: 0, 4>] : memref<4xf32> -> memref<4xf32>
}

// -----

exec.program @p mesh <"m" ["x"=4]> inputs() outputs() {
  %a = exec.buffer : memref<4xf32>
  %b = exec.buffer : memref<4xf32>
  // expected-error @+1 {{rank 1 is in two groups}}
  exec.collective broadcast %a into %b over <[]> root = 0 groups = [array<i64: 0, 1>, array<i64: 1>] : memref<4xf32> -> memref<4xf32>
}

// -----

exec.program @p mesh <"m" ["x"=4]> inputs() outputs() {
  %a = exec.buffer : memref<4xf32>
  %b = exec.buffer : memref<4xf32>
  // expected-error @+1 {{lists an empty group}}
  exec.collective broadcast %a into %b over <[]> root = 0 groups = [array<i64>] : memref<4xf32> -> memref<4xf32>
}

// -----

exec.program @p mesh <"m" ["x"=4]> inputs() outputs() {
  %a = exec.buffer : memref<4xf32>
  %b = exec.buffer : memref<4xf32>
  // expected-error @+1 {{lists groups of different sizes}}
  exec.collective all_slice %a into %b over <[]> dim = 0 groups = [array<i64: 0, 1>, array<i64: 2>] : memref<4xf32> -> memref<4xf32>
}

// -----

exec.program @p mesh <"m" ["x"=4]> inputs() outputs() {
  %a = exec.buffer : memref<4xf32>
  %b = exec.buffer : memref<4xf32>
  // expected-error @+1 {{collective_permute takes no groups}}
  exec.collective collective_permute %a into %b over <[]> pairs = [0, 1] groups = [array<i64: 0, 1>] : memref<4xf32> -> memref<4xf32>
}

// -----

exec.program @p mesh <"m" ["x"=4]> inputs() outputs() {
  %a = exec.buffer : memref<4xf32>
  %b = exec.buffer : memref<4xf32>
  // expected-error @+1 {{halo_exchange needs high}}
  exec.collective halo_exchange %a into %b over <["x":(1)4]> dim = 0 size = 16 low = 1 : memref<4xf32> -> memref<4xf32>
}

// -----

exec.program @p mesh <"m" ["x"=4]> inputs() outputs() {
  %a = exec.buffer : memref<4xf32>
  %b = exec.buffer : memref<4xf32>
  // expected-error @+1 {{dimension 0 has extent 4, but a block of 17 has 5}}
  exec.collective halo_exchange %a into %b over <["x":(1)4]> dim = 0 size = 17 low = 1 high = -1 : memref<4xf32> -> memref<4xf32>
}

// -----

exec.program @p mesh <"m" ["x"=4]> inputs() outputs() {
  %a = exec.buffer : memref<4xf32>
  %b = exec.buffer : memref<4xf32>
  // expected-error @+1 {{dimension 1 is out of range}}
  exec.collective halo_exchange %a into %b over <["x":(1)4]> dim = 1 size = 16 low = 1 high = -1 : memref<4xf32> -> memref<4xf32>
}

// -----

exec.program @p mesh <"m" ["x"=4]> inputs() outputs() {
  %a = exec.buffer : memref<4xf32>
  %b = exec.buffer : memref<4xf32>
  // expected-error @+1 {{cannot make 'memref<4xf32>' from 'memref<4xf32>' over 4 ranks}}
  exec.collective halo_exchange %a into %b over <["x":(1)4]> dim = 0 size = 16 low = 1 high = 0 : memref<4xf32> -> memref<4xf32>
}

// -----

// expected-error @+1 {{writes input 0, which is not donated}}
exec.program @p mesh <"m" []> inputs(%a: memref<4xf32> = <"a", tensor<4xf32>, [[]]>) outputs() {
  %b = exec.buffer : memref<4xf32>
  %v = exec.view %a : memref<4xf32> to memref<4xf32>
  exec.copy %b into %v : memref<4xf32> -> memref<4xf32>
}

// -----

// expected-error @+1 {{donates input 1 of 1}}
exec.program @p mesh <"m" []> inputs(%a: memref<4xf32> = <"a", tensor<4xf32>, [[]]>) outputs() donated [1] {
}

// -----

// expected-error @+1 {{output 0 shares input 0, which is not donated or shared already}}
exec.program @p mesh <"m" []> inputs(%a: memref<4xf32> = <"a", tensor<4xf32>, [[]]>) outputs(%b: memref<4xf32> = <"b", tensor<4xf32>, [[]]>) shared [0] {
}

// -----

// expected-error @+1 {{output 1 shares input 0, which is not donated or shared already}}
exec.program @p mesh <"m" []> inputs(%a: memref<4xf32> = <"a", tensor<4xf32>, [[]]>) outputs(%b: memref<4xf32> = <"b", tensor<4xf32>, [[]]>, %c: memref<4xf32> = <"c", tensor<4xf32>, [[]]>) donated [0] shared [0, 0] {
}

// -----

// expected-error @+1 {{output 0 shares input 0 but differs from it}}
exec.program @p mesh <"m" []> inputs(%a: memref<4xf32> = <"a", tensor<4xf32>, [[]]>) outputs(%b: memref<2x2xf32> = <"b", tensor<2x2xf32>, [[], []]>) donated [0] shared [0] {
}

// -----

// expected-error @+1 {{uses the buffer of output 0, which shares that of input 0}}
exec.program @p mesh <"m" []> inputs(%a: memref<4xf32> = <"a", tensor<4xf32>, [[]]>) outputs(%b: memref<4xf32> = <"b", tensor<4xf32>, [[]]>) donated [0] shared [0] {
  exec.copy %a into %b : memref<4xf32> -> memref<4xf32>
}

// -----

// expected-error @+1 {{needs one number per output in shared}}
exec.program @p mesh <"m" []> inputs() outputs() shared [-1] {
}

// -----

exec.program @p mesh <"m" ["x"=2]> inputs() outputs() {
  %a = exec.buffer : memref<4xf32>
  %b = exec.buffer : memref<3xf32>
  // expected-error @+1 {{window_exchange needs windows}}
  exec.collective window_exchange %a into %b over <["x":(1)2]> dim = 0 blocks = [0, 4, 0, 4, 4, 0] : memref<4xf32> -> memref<3xf32>
}

// -----

exec.program @p mesh <"m" ["x"=2]> inputs() outputs() {
  %a = exec.buffer : memref<4xf32>
  %b = exec.buffer : memref<3xf32>
  // expected-error @+1 {{lists begin, count and place of each segment}}
  exec.collective window_exchange %a into %b over <["x":(1)2]> dim = 0 blocks = [0, 4, 0, 4, 4] windows = [0, 3, 0, 4, 3, 0] : memref<4xf32> -> memref<3xf32>
}

// -----

exec.program @p mesh <"m" ["x"=2]> inputs() outputs() {
  %a = exec.buffer : memref<4xf32>
  %b = exec.buffer : memref<3xf32>
  // expected-error @+1 {{windows lie within an extent of 3, not 4 elements at 0}}
  exec.collective window_exchange %a into %b over <["x":(1)2]> dim = 0 blocks = [0, 4, 0, 4, 4, 0] windows = [0, 3, 0, 4, 4, 0] : memref<4xf32> -> memref<3xf32>
}

// -----

exec.program @p mesh <"m" ["x"=2]> inputs() outputs() {
  %a = exec.buffer : memref<4xf32>
  %b = exec.buffer : memref<3xf32>
  // expected-error @+1 {{dimension 1 is out of range}}
  exec.collective window_exchange %a into %b over <["x":(1)2]> dim = 1 blocks = [0, 4, 0, 4, 4, 0] windows = [0, 3, 0, 4, 3, 0] : memref<4xf32> -> memref<3xf32>
}

// -----

exec.program @p mesh <"m" []> inputs() outputs() {
  // expected-error @+1 {{waits for event 1, which is not recorded}}
  exec.wait 1 on compute
}

// -----

exec.program @p mesh <"m" []> inputs() outputs() {
  exec.record 1 on compute
  // expected-error @+1 {{waits for an event of its own stream}}
  exec.wait 1 on compute
}

// -----

exec.program @p mesh <"m" []> inputs() outputs() {
  // expected-note @+1 {{it is recorded here}}
  exec.record 1 on compute
  // expected-error @+1 {{records event 1 again}}
  exec.record 1 on communication
}

// -----

exec.program @p mesh <"m" []> inputs() outputs() {
  // expected-error @+1 {{must have a number below 1048576}}
  exec.record 1048576 on compute
}

// -----

exec.program @p mesh <"m" ["x"=2]> inputs(%x: memref<4xf32> = <"x", tensor<4xf32>, [[]]>)
    outputs(%y: memref<4xf32> = <"y", tensor<4xf32>, [[]]>) {
  %a = exec.buffer : memref<4xf32>
  // expected-note @+1 {{this one does on communication}}
  exec.collective all_reduce(sum) %x into %a over <["x":(1)2]> on communication : memref<4xf32> -> memref<4xf32>
  exec.record 0 on communication
  exec.wait 0 on compute
  // expected-error @+1 {{communicates on stream compute, so that ranks may meet in different orders}}
  exec.collective all_reduce(sum) %a into %y over <["x":(1)2]> : memref<4xf32> -> memref<4xf32>
}

// -----

// Only operands are converted, and only to f32, f16 and bf16.
exec.program @p mesh <"m" []> inputs() outputs() {
  %a = exec.buffer : memref<2x3xf8E5M2>
  %b = exec.buffer : memref<3x2xf8E5M2>
  %c = exec.buffer : memref<2x2xf64>
  // expected-error @+1 {{operands must have one element type}}
  exec.gemm %a, %b into %c batch = [] m = 2 n = 2 k = 3 strides [3, 1] x [2, 1] -> [2, 1] : memref<2x3xf8E5M2>, memref<3x2xf8E5M2>, memref<2x2xf64>
}
