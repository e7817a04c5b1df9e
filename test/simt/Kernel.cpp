//===- Kernel.cpp - GPU kernels on the CPU --------------------------------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Kernel.h"
#include "Compiler.h"

using namespace mlir;
using namespace cleave::simt;

Kernel::Kernel() : code(std::make_unique<Code>()) {}
Kernel::~Kernel() = default;

size_t Kernel::getNumArguments() const { return code->numArguments; }

FailureOr<std::unique_ptr<Kernel>> Kernel::compile(gpu::GPUFuncOp function) {
  std::unique_ptr<Kernel> kernel(new Kernel());
  if (failed(Compiler(function, *kernel->code).compile()))
    return failure();
  return std::move(kernel);
}

std::string Kernel::run(ArrayRef<void *> buffers, int64_t blocks) const {
  return launch(*code, buffers, blocks);
}
