//===- Kernel.h - GPU kernels on the CPU ------------------------*- C++ -*-===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Runs a gpu.func as a GPU would: blocks of threads, each a fiber that stops at
// barriers and shuffles until the threads that take part have arrived.
//
// What a GPU leaves undefined is a fault: an access out of bounds; a read of
// shared or local memory that was never written; a barrier or shuffle that not
// all threads reach; two accesses to one element, one of which writes, by
// threads of a block without a barrier between them, or by two blocks, unless
// both are atomic.
//
//===----------------------------------------------------------------------===//

#ifndef CLEAVE_TEST_SIMT_KERNEL_H
#define CLEAVE_TEST_SIMT_KERNEL_H

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include <memory>
#include <string>

namespace cleave::simt {

struct Code;

class Kernel {
public:
  /// Fails with a diagnostic at an operation that is not known. Locations in
  /// faults are those of `function`, which need not outlive the kernel.
  static mlir::FailureOr<std::unique_ptr<Kernel>>
  compile(mlir::gpu::GPUFuncOp function);
  ~Kernel();

  /// Runs `blocks` blocks of the size that the function declares. `buffers`
  /// are its arguments, row-major elements as MLIR lays them out. Returns the
  /// first fault; empty if there is none. May be called by several threads at
  /// once.
  std::string run(llvm::ArrayRef<void *> buffers, int64_t blocks) const;

  size_t getNumArguments() const;

private:
  Kernel();
  std::unique_ptr<Code> code;
};

} // namespace cleave::simt

#endif // CLEAVE_TEST_SIMT_KERNEL_H
