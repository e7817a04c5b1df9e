//===- Case.h - One graph, its inputs and its mesh --------------*- C++ -*-===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CLEAVE_TEST_EXEC_DIFFERENTIAL_CASE_H
#define CLEAVE_TEST_EXEC_DIFFERENTIAL_CASE_H

#include "dialects/Graph/Evaluate/Literal.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "passes/Codegen/Program/EmitObject.h"
#include <string>
#include <vector>

namespace cleave::differential {

/// The module has its mesh and its annotations, so that its text alone says
/// what is compiled.
struct Case {
  uint64_t seed = 0;
  mlir::OwningOpRef<mlir::ModuleOp> module;
  std::vector<graph::Literal> inputs;
  /// Per output, whether every order of evaluation gives the same bits: then
  /// the result must be equal, and not only close.
  std::vector<bool> exact;
  /// Bits of a vector register for which code is made: at most those that this
  /// machine has, since functions of a library are for one size.
  int64_t vectorBits = getHostVectorWidths().front();
  /// Kernels are those of a GPU, and run on its emulator.
  bool isEmulated = false;
  /// Of these kernels those that multiply f32 round operands to TF32.
  bool usesTf32 = false;
  /// Buffers lie between guard pages.
  bool isGuarded = false;

  mlir::func::FuncOp getMain() const;
  Case clone() const;
  /// The module, and the inputs if they are few.
  std::string text() const;
};

} // namespace cleave::differential

#endif // CLEAVE_TEST_EXEC_DIFFERENTIAL_CASE_H
