// RUN: cleave-opt %s --verify-diagnostics --cleave-serialize-gpu-kernels=chip=sm_75

// LLVM would abort.
// expected-error @below {{unknown GPU 'sm_75'; expected sm_80, sm_90 or sm_100}}
module {
  gpu.module @cleave_kernels {
  }
}
