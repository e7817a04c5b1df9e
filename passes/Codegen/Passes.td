//===- Passes.td - Code generation passes ------------------*- tablegen -*-===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CLEAVE_PASSES_CODEGEN_PASSES_TD
#define CLEAVE_PASSES_CODEGEN_PASSES_TD

include "mlir/Pass/PassBase.td"

//===----------------------------------------------------------------------===//
// Kernels
//===----------------------------------------------------------------------===//

def LowerIrregularKernels : Pass<"cleave-lower-irregular-kernels", "::mlir::ModuleOp"> {
  let summary = "Lower kernels of one op that is no linalg operation to loops";
  let description = [{
    Scatters, sorts and random bits become scalar loops over flat memrefs: inputs, results, then the
    workspace that `cleave.workspace` asks for. Like kernels that have been vectorised, they get
    the bounds of their outermost loop as two index arguments and its extent as
    the attribute `cleave.extent`; the passes on tensors leave them alone. `cleave.scalar_loops`
    has LLVM make vectors of their innermost loops.

    A part of a scatter has `scatter-block` neighbours of the last dimension, for which indices are read once; threads of a
    GPU have one each, since neighbouring threads then access neighbouring elements. With `cleave.scatter` (see `cleave-spread-scatters`) it is
    one element of the updates: for threads of a GPU, beside each other.
  }];
  let options = [
    Option<"scatterBlock", "scatter-block", "int64_t", "128", "Elements of the innermost dimension in a part of a scatter">
  ];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::math::MathDialect",
    "::mlir::memref::MemRefDialect", "::mlir::scf::SCFDialect"
  ];
}

def LowerLibraryKernels : Pass<"cleave-lower-library-kernels", "::mlir::ModuleOp"> {
  let summary = "Make library calls of kernels that are one";
  let description = [{
    A kernel of one op with `LibraryKernelOpInterface` becomes a function of the
    runtime's signature that hands its buffers on to `cleave_rt_NAME_TYPE`, with the
    numbers of the call as a constant array.
  }];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect"];
}

def ConvertKernelsToLinalg : Pass<"cleave-convert-kernels-to-linalg", "::mlir::ModuleOp"> {
  let summary = "Rewrite the bodies of kernels as linalg operations on tensors";
  let description = [{
    Functions with the attribute `cleave.kernel` become linalg.generic
    operations: parallel loops first, then the reduced ones. Slices, transposes, reversals and broadcasts are
    indexing maps; concatenation and padding insert into the result; gathers read the tensor in
    the body. Unsigned integers become signless; tensors of i1 become i8 (0 or 1), of f16 and bf16
    the i16 of their bits. A kernel with `cleave.in_place` inserts into the argument that a result replaces.
    With `fuse-products`, a product of floats that only a sum or difference uses is part of it and
    not rounded, for processors that have fused multiply-add.
    Runs when nothing calls the kernels any more, since their signatures change.
  }];
  let options = [Option<"fuseProducts", "fuse-products", "bool", /*default=*/"false",
                        "Add products without rounding them">];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::linalg::LinalgDialect",
    "::mlir::math::MathDialect", "::mlir::tensor::TensorDialect"
  ];
}

def FuseKernelOps : Pass<"cleave-fuse-kernel-ops", "::mlir::ModuleOp"> {
  let summary = "Compute elementwise producers inside their consumers";
  let description = [{
    Inlines a producer into its consumer where nothing expensive is computed
    more than once. What is left between the operations of a kernel is a
    temporary, which vectorisation shrinks to one row.
  }];
  let dependentDialects = ["::mlir::linalg::LinalgDialect", "::mlir::affine::AffineDialect"];
}

def BufferizeKernels : Pass<"cleave-bufferize-kernels", "::mlir::ModuleOp"> {
  let summary = "Give kernels memrefs: inputs, then outputs";
  let description = [{
    Destination-passing: results become trailing arguments, and each value that
    is returned or inserted is computed right where it belongs.
  }];
  let dependentDialects = ["::mlir::linalg::LinalgDialect", "::mlir::memref::MemRefDialect"];
}

def VectorizeHostKernels : Pass<"cleave-vectorize-host-kernels", "::mlir::ModuleOp"> {
  let summary = "Lower the linalg operations of kernels to loops of vector operations";
  let description = [{
    All operations of a kernel run inside one loop over their common parallel
    prefix (rows), so that temporaries of a row stay in the first-level cache.
    The function gets the bounds of that loop as two index arguments and its
    extent as the attribute `cleave.extent`.

    Sums may be reassociated unless `ordered` is set: a reduction has one accumulator per lane,
    and sums that run across vectors have four per element.
  }];
  let options = [
    Option<"vectorBits", "vector-bits", "int64_t", "512", "Bits of a vector register">,
    Option<"ordered", "ordered", "bool", "false", "Form every sum in the order of the index">
  ];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::memref::MemRefDialect",
    "::mlir::scf::SCFDialect", "::mlir::vector::VectorDialect"
  ];
}

def LowerVectorMath : Pass<"cleave-lower-vector-math", "::mlir::ModuleOp"> {
  let options = [Option<"fast", "fast", "bool", /*default=*/"false",
                        "Functions of at most 3.5 ulps error where there are such">];
  let summary = "Call SLEEF's vector functions for transcendental operations";
  let description = [{
    Functions of at most 1.0 ulp error, by the number of lanes: AVX-512, AVX2
    or SSE2 on x86-64; other vectors are cut into scalars.
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::LLVM::LLVMDialect",
    "::mlir::vector::VectorDialect"
  ];
}

def LowerKernelsToLLVM : Pass<"cleave-lower-kernels-to-llvm", "::mlir::ModuleOp"> {
  let summary = "Lower kernels to functions of the runtime's kernel interface";
  let description = [{
    `void kernel(void *const *buffers, int64_t begin, int64_t end)`: one pointer
    per argument, none of which alias, each aligned to 64 bytes.
  }];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect", "::mlir::cf::ControlFlowDialect"];
}

//===----------------------------------------------------------------------===//
// Kernels on a GPU
//===----------------------------------------------------------------------===//

def LowerProductsToKernels : Pass<"cleave-lower-products-to-kernels", "::mlir::ModuleOp"> {
  let summary = "Make kernels of matrix products that cuBLASLt does not have";
  let description = [{
    An `exec.gemm` becomes the launch of a kernel of scalar loops, one part per element of the result: of integers; of operands
    that are contiguous along neither index; with a bias along the other index than that along which the result is contiguous; with
    an activation other than relu and gelu by tanh, or before a residual; of f64 with a bias or an activation. In a program with `exec.stepwise`
    all do, and products are rounded before they are added in order.
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::func::FuncDialect", "::mlir::math::MathDialect",
    "::mlir::memref::MemRefDialect", "::mlir::scf::SCFDialect"
  ];
}

def WriteBlockKernels : Pass<"cleave-write-block-kernels", "::mlir::ModuleOp"> {
  let summary = "Make functions of a GPU of kernels whose op has an algorithm for blocks";
  let description = [{
    A kernel of one such op becomes a function of `gpu.module @cleave_kernels`, as in `cleave-map-kernels-to-gpu`, whose
    threads share memory, wait for each other and use tensor cores:

    - `cleave.attention`: 16 rows per warp, with an online softmax over tiles of keys and values in shared memory
      (Milakov and Gimelshein, 2018; Dao, FlashAttention-2, 2023). Products of f16 and bf16 are `mma.sync.m16n8k16` with
      sums in f32; of f32 they are multiply-add, or with `tf32` `mma.sync.m16n8k8`;
    - `cleave.convolution`: tiles of 64 windows by 64 output features, whose taps are brought into shared memory (an
      implicit GEMM); f16 and bf16 by `mma.sync.m16n8k16`;
    - `cleave.fft`: a block per transform, in f64 in the workspace, factor by factor of any length (Stockham's autosort form);
    - `cleave.cholesky`, `cleave.triangular_solve`: a block per matrix, column by column, in f32 or f64;
    - `cleave.sort` of more than 64 elements: a block per row, in shared memory if it fits there.

    Other kernels are left to the passes that follow.
  }];
  let options = [
    Option<"tf32", "tf32", "bool", /*default=*/"false",
           "Multiply f32 on tensor cores, with operands rounded to 10 bits after the point">
  ];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::gpu::GPUDialect", "::mlir::math::MathDialect",
    "::mlir::memref::MemRefDialect", "::mlir::NVVM::NVVMDialect", "::mlir::scf::SCFDialect",
    "::mlir::vector::VectorDialect"
  ];
}

def MapKernelsToGPU : Pass<"cleave-map-kernels-to-gpu", "::mlir::ModuleOp"> {
  let summary = "Make functions of a GPU of kernels on memrefs";
  let description = [{
    Kernels become functions of `gpu.module @cleave_kernels`, which take their buffers as flat memrefs.
    Rows are run by threads, each with accesses of 16 bytes where layouts permit, or by blocks, whose threads share the
    steps of a loop and combine sums by shuffles; temporaries of such rows lie in shared memory.
    Kernels of scalar loops run one part per thread. A function may be launched with any number of blocks.

    What is left is a declaration with the attributes `cleave.gpu_kernel`, the function; `cleave.threads`, the size that
    its blocks must have; and `cleave.blocks`, a number of blocks that is useful.
  }];
  let options = [
    Option<"ordered", "ordered", "bool", /*default=*/"false", "Form every sum in the order of the index">
  ];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::gpu::GPUDialect", "::mlir::memref::MemRefDialect",
    "::mlir::scf::SCFDialect", "::mlir::vector::VectorDialect"
  ];
}

def LowerGPUKernelsToNVVM : Pass<"cleave-lower-gpu-kernels-to-nvvm", "::mlir::gpu::GPUModuleOp"> {
  let summary = "Lower functions of a GPU to the llvm dialect";
  let description = [{
    Buffers become pointers, and functions of floats calls of libdevice.
  }];
  let dependentDialects = [
    "::mlir::LLVM::LLVMDialect", "::mlir::NVVM::NVVMDialect", "::mlir::cf::ControlFlowDialect"
  ];
}

def SerializeGPUKernels : Pass<"cleave-serialize-gpu-kernels", "::mlir::ModuleOp"> {
  let summary = "Make PTX and machine code of GPU kernels";
  let description = [{
    Modules of kernels in the llvm dialect become a `gpu.binary` with two objects: PTX, for newer chips too, and
    the machine code that ptxas makes of it. `cleave.gpu_resources` on a kernel's declaration says what it needs: registers per thread,
    bytes of its stack frame and of spilled registers, and bytes of shared memory per block.

    The CUDA toolkit is looked for in CUDA_PATH, CUDA_HOME and /usr/local/cuda.
  }];
  let options = [
    Option<"chip", "chip", "std::string", /*default=*/"\"sm_90\"", "sm_80, sm_90 or sm_100">,
    Option<"assemble", "assemble", "bool", /*default=*/"true", "Run ptxas; otherwise there is PTX only">
  ];
  let dependentDialects = ["::mlir::gpu::GPUDialect", "::mlir::NVVM::NVVMDialect"];
}

//===----------------------------------------------------------------------===//
// Programs
//===----------------------------------------------------------------------===//

def LowerExecToLLVM : Pass<"cleave-lower-exec-to-llvm", "::mlir::ModuleOp"> {
  let summary = "Lower the program to the function that the runtime calls";
  let description = [{
    `cleave_program_step` runs the operations through the C interface of
    include/cleave-rt/cleave-rt.h and returns the first status that is not 0.
    `cleave_program_manifest` is the text of docs/manifest.md. Constants become
    globals. Kernels must have been lowered and buffers placed before.

    With a `target` other than the host, buffers are in the memory of a GPU: kernels are launched there, constants copied there
    once, and conditions read back, by the functions of include/cleave-rt/gpu.h. Machine code and PTX of the kernels become
    globals, too.
  }];
  let options = [
    Option<"checkStreams", "check-streams", "bool", "false",
           "Tell the runtime what each operation reads and writes">,
    Option<"target", "target", "std::string", /*default=*/"\"host\"", "host or cuda:CHIP">,
    Option<"products", "products", "std::string", /*default=*/"\"\"",
           "To what libraries round operands of products of f32: tf32, bf16 or f16">
  ];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect"];
}

#endif // CLEAVE_PASSES_CODEGEN_PASSES_TD
