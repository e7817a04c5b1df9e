//===- Emulation.h - Programs whose GPU kernels run on the CPU --*- C++ -*-===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A program that was lowered for a GPU runs on the host's runtime, with its
// kernels emulated: library calls and collectives are the host's.
//
//===----------------------------------------------------------------------===//

#ifndef CLEAVE_TEST_SIMT_EMULATION_H
#define CLEAVE_TEST_SIMT_EMULATION_H

#include "Kernel.h"
#include "mlir/IR/BuiltinOps.h"
#include <mutex>
#include <vector>

namespace cleave::simt {

class Emulation {
public:
  /// Takes the kernels out of a module in which `cleave-map-kernels-to-gpu` has
  /// run, and puts functions of the host in their place, which call back here:
  /// the emulation must live as long as the program. Fails with a diagnostic
  /// at an operation that is not known.
  static mlir::FailureOr<std::unique_ptr<Emulation>>
  take(mlir::ModuleOp module);

  /// The first fault of any launch since the start; empty if there is none.
  std::string fault() const;

private:
  struct Entry {
    Emulation *owner;
    std::unique_ptr<Kernel> kernel;
    int64_t blocks;
  };
  static void run(Entry *entry, void *const *buffers);
  mlir::LogicalResult replace(mlir::ModuleOp module, mlir::Operation *kernel);

  std::vector<std::unique_ptr<Entry>> entries;
  mutable std::mutex mutex;
  std::string firstFault;
};

} // namespace cleave::simt

#endif // CLEAVE_TEST_SIMT_EMULATION_H
