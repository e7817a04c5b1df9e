//===- KernelMutants.h - Faults that GPU kernels could have -----*- C++ -*-===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// None of them is without consequence in the kernels that they are tried on:
// barriers are written only between accesses that conflict, sums meet in every
// shuffle, and each step of a loop has its part in the result.
//
//===----------------------------------------------------------------------===//

#ifndef CLEAVE_TEST_EXEC_DIFFERENTIAL_MUTANTS_KERNELMUTANTS_H
#define CLEAVE_TEST_EXEC_DIFFERENTIAL_MUTANTS_KERNELMUTANTS_H

#include "mlir/IR/BuiltinOps.h"
#include <string>

namespace cleave::differential {

struct KernelMutant {
  llvm::StringRef name;
  /// Puts the fault into the place of this number, and tells what was there;
  /// nothing if there are fewer.
  std::string (*apply)(mlir::ModuleOp module, unsigned place);
};

llvm::ArrayRef<KernelMutant> getKernelMutants();

} // namespace cleave::differential

#endif // CLEAVE_TEST_EXEC_DIFFERENTIAL_MUTANTS_KERNELMUTANTS_H
