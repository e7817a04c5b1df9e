// RUN: cleave-opt %s --cleave-lower-vector-math | FileCheck %s
// RUN: cleave-opt %s --cleave-lower-vector-math=fast=true | FileCheck %s --check-prefix=FAST

// CHECK-DAG: llvm.func @Sleef_expf16_u10avx512f(vector<16xf32>) -> vector<16xf32> attributes {memory_effects = {{.*}}, no_unwind, will_return}
// CHECK-DAG: llvm.func @Sleef_powd4_u10avx2(vector<4xf64>, vector<4xf64>) -> vector<4xf64>

// CHECK-LABEL: func private @kernel
func.func private @kernel(%a: vector<16xf32>, %b: vector<4xf64>, %c: f32, %d: vector<2xf32>)
    -> (vector<16xf32>, vector<4xf64>, f32, vector<16xf32>, vector<2xf32>) attributes {cleave.kernel} {
  // CHECK: llvm.call @Sleef_expf16_u10avx512f
  %0 = math.exp %a : vector<16xf32>
  // CHECK: llvm.call @Sleef_powd4_u10avx2
  %1 = math.powf %b, %b : vector<4xf64>
  // CHECK: llvm.call @Sleef_erff_u10(%{{.*}}) : (f32) -> f32
  %2 = math.erf %c : f32
  // There is an instruction for the square root.
  // CHECK: math.sqrt
  %3 = math.sqrt %a : vector<16xf32>
  // Two lanes of f32 fill no register.
  // CHECK-COUNT-2: llvm.call @Sleef_tanhf_u10
  // FAST-COUNT-2: llvm.call @Sleef_tanhf_u35
  %4 = math.tanh %d : vector<2xf32>
  // The consistent variant, and an accuracy of its own.
  // CHECK: llvm.call @Sleef_finz_sinf16_u10avx512f
  // CHECK: llvm.call @Sleef_erfcd4_u15avx2
  // FAST: llvm.call @Sleef_finz_sinf16_u35avx512f
  // FAST: llvm.call @Sleef_erfcd4_u15avx2
  %5 = math.sin %a : vector<16xf32>
  %6 = math.erfc %b : vector<4xf64>
  // CHECK: llvm.call @Sleef_exp2f16_u10avx512f
  // CHECK: llvm.call @Sleef_log2d4_u10avx2
  %7 = math.exp2 %a : vector<16xf32>
  %8 = math.log2 %b : vector<4xf64>
  return %0, %1, %2, %3, %4 : vector<16xf32>, vector<4xf64>, f32, vector<16xf32>, vector<2xf32>
}

// CHECK-LABEL: func @no_kernel
// CHECK: math.exp
func.func @no_kernel(%a: f32) -> f32 {
  %0 = math.exp %a : f32
  return %0 : f32
}
