//===- Kernels.cpp - Kernels on the emulator ------------------------------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FakeCuda.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Parser/Parser.h"
#include "test/simt/Kernel.h"

#include <cstdlib>
#include <cstring>
#include <cuda_runtime_api.h>
#include <elf.h>
#include <map>

using namespace mlir;
using namespace cleave::fake;
using cleave::simt::Kernel;

namespace {
/// A kernel, with the bytes of each of its buffers.
struct Function {
  std::unique_ptr<Kernel> kernel;
  std::string name;
  std::vector<size_t> bytes;
  unsigned threads;
};

/// The kernels of CLEAVE_FAKE_CUDA_KERNELS.
class Functions {
public:
  Functions();
  Function *find(const std::string &name) {
    auto it = functions.find(name);
    return it == functions.end() ? nullptr : &it->second;
  }

private:
  void add(gpu::GPUFuncOp function);

  MLIRContext context;
  std::map<std::string, Function> functions;
};
} // namespace

Functions::Functions() {
  context.loadDialect<arith::ArithDialect, func::FuncDialect, gpu::GPUDialect,
                      LLVM::LLVMDialect, NVVM::NVVMDialect, math::MathDialect,
                      memref::MemRefDialect, scf::SCFDialect, ub::UBDialect,
                      vector::VectorDialect>();
  context.allowUnregisteredDialects();
  const char *path = std::getenv("CLEAVE_FAKE_CUDA_KERNELS");
  if (!path)
    return;
  OwningOpRef<ModuleOp> module = parseSourceFile<ModuleOp>(path, &context);
  if (!module) {
    setFault(std::string("cannot read kernels from ") + path);
    return;
  }
  module->walk([&](gpu::GPUFuncOp function) { add(function); });
}

void Functions::add(gpu::GPUFuncOp op) {
  Function function;
  function.name = op.getName().str();
  for (Type type : op.getArgumentTypes()) {
    auto memref = cast<MemRefType>(type);
    function.bytes.push_back(memref.getNumElements() *
                             ((memref.getElementTypeBitWidth() + 7) / 8));
  }
  std::optional<ArrayRef<int32_t>> size = op.getKnownBlockSize();
  function.threads = size ? (*size)[0] : 0;
  FailureOr<std::unique_ptr<Kernel>> kernel = Kernel::compile(op);
  if (failed(kernel))
    return setFault("the emulator does not know kernel " + function.name);
  function.kernel = std::move(*kernel);
  functions.emplace(op.getName().str(), std::move(function));
}

static Functions &getFunctions() {
  static Functions functions;
  return functions;
}

//===----------------------------------------------------------------------===//
// Code
//===----------------------------------------------------------------------===//

namespace {
/// Machine code, or PTX.
struct Code {
  const char *image;
  size_t bytes;
};
} // namespace

/// Bytes of machine code for a GPU; 0 if it is none.
static size_t getMachineCodeBytes(const void *image) {
  constexpr unsigned machineOfCuda = 190;
  const auto *header = static_cast<const Elf64_Ehdr *>(image);
  if (std::memcmp(header->e_ident, ELFMAG, SELFMAG) ||
      header->e_machine != machineOfCuda)
    return 0;
  return header->e_shoff + size_t(header->e_shnum) * header->e_shentsize;
}

FAKE_API cudaError_t cudaLibraryLoadData(cudaLibrary_t *library,
                                         const void *image, cudaJitOption *,
                                         void **, unsigned, cudaLibraryOption *,
                                         void **, unsigned) {
  std::lock_guard<std::recursive_mutex> lock(getMutex());
  if (mustFail("cudaLibraryLoadData"))
    return cudaErrorUnknown;
  const char *text = static_cast<const char *>(image);
  size_t bytes = getMachineCodeBytes(image);
  // As on a chip that is newer than the machine code.
  if (bytes && std::getenv("CLEAVE_FAKE_CUDA_NEWER_CHIP"))
    return cudaErrorNoKernelImageForDevice;
  if (!bytes && std::strstr(text, ".version"))
    bytes = std::strlen(text);
  if (!bytes)
    return cudaErrorInvalidKernelImage;
  *library = reinterpret_cast<cudaLibrary_t>(new Code{text, bytes});
  return cudaSuccess;
}

FAKE_API cudaError_t cudaLibraryUnload(cudaLibrary_t library) {
  delete reinterpret_cast<Code *>(library);
  return mustFail("cudaLibraryUnload") ? cudaErrorUnknown : cudaSuccess;
}

FAKE_API cudaError_t cudaLibraryGetKernel(cudaKernel_t *kernel,
                                          cudaLibrary_t library,
                                          const char *name) {
  std::lock_guard<std::recursive_mutex> lock(getMutex());
  if (mustFail("cudaLibraryGetKernel"))
    return cudaErrorUnknown;
  const Code &code = *reinterpret_cast<Code *>(library);
  bool isInImage =
      ::memmem(code.image, code.bytes, name, std::strlen(name)) != nullptr;
  Function *function = getFunctions().find(name);
  if (!isInImage || !function)
    return cudaErrorSymbolNotFound;
  *kernel = reinterpret_cast<cudaKernel_t>(function);
  return hasFault() ? cudaErrorIllegalAddress : cudaSuccess;
}

static void runKernel(const Function &function,
                      const std::vector<void *> &addresses, int64_t blocks) {
  SmallVector<void *> buffers;
  for (auto [address, bytes] : llvm::zip(addresses, function.bytes)) {
    buffers.push_back(fromDevice(address, bytes));
    if (!buffers.back())
      return setFault("kernel " + function.name + ": buffer " +
                      std::to_string(buffers.size() - 1) + " of " +
                      std::to_string(bytes) +
                      " bytes is no memory of the device");
  }
  std::string fault = function.kernel->run(buffers, blocks);
  if (!fault.empty())
    setFault("kernel " + function.name + ": " + fault);
}

FAKE_API cudaError_t cudaLaunchKernel(const void *kernel, dim3 grid, dim3 block,
                                      void **arguments, size_t,
                                      cudaStream_t stream) {
  std::lock_guard<std::recursive_mutex> lock(getMutex());
  if (mustFail("cudaLaunchKernel"))
    return cudaErrorUnknown;
  const auto *function = static_cast<const Function *>(kernel);
  if (block.x != function->threads || grid.x == 0 ||
      block.y * block.z * grid.y * grid.z != 1)
    return cudaErrorInvalidConfiguration;
  // Arguments are read now.
  std::vector<void *> addresses;
  for (size_t i = 0; i < function->bytes.size(); ++i)
    addresses.push_back(*static_cast<void **>(arguments[i]));
  enqueue(stream, [=] {
    runKernel(*function, addresses, grid.x);
    return true;
  });
  return hasFault() ? cudaErrorIllegalAddress : cudaSuccess;
}
