//===- KernelHarness.h - Kernels against the evaluator ----------*- C++ -*-===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CLEAVE_PASSES_CODEGEN_TESTS_KERNELHARNESS_H
#define CLEAVE_PASSES_CODEGEN_TESTS_KERNELHARNESS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <string>

namespace cleave::test {

/// `tensor<2x3xf32>`
std::string tensor(llvm::ArrayRef<int64_t> shape, llvm::StringRef element);

/// A function of a module that is tested.
std::string function(llvm::ArrayRef<std::string> arguments,
                     llvm::ArrayRef<std::string> results, std::string body);

/// Forms kernels of each function in `source` (whose bodies end in kernels,
/// constants and reshapes only), compiles them for registers of 512, 256 and
/// 128 bits, runs them on random data in pieces of random size and order, and
/// compares with the evaluator. Outputs lie between guard bytes and a guard
/// page. With `extremes`, floats include NaN, infinities and zeros.
void expectKernelsMatch(const std::string &source, bool extremes = false);

} // namespace cleave::test

#endif // CLEAVE_PASSES_CODEGEN_TESTS_KERNELHARNESS_H
