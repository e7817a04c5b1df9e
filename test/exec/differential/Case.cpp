//===- Case.cpp - One graph, its inputs and its mesh ----------------------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Case.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace cleave::differential;

func::FuncOp Case::getMain() const {
  return SymbolTable::lookupSymbolIn(module.get(), "main")
             ? cast<func::FuncOp>(
                   SymbolTable::lookupSymbolIn(module.get(), "main"))
             : func::FuncOp();
}

Case Case::clone() const {
  Case copy;
  copy.seed = seed;
  copy.module = OwningOpRef<ModuleOp>(cast<ModuleOp>(module.get()->clone()));
  copy.inputs = inputs;
  copy.exact = exact;
  copy.vectorBits = vectorBits;
  copy.isEmulated = isEmulated;
  copy.usesTf32 = usesTf32;
  copy.isGuarded = isGuarded;
  return copy;
}

std::string Case::text() const {
  std::string text;
  llvm::raw_string_ostream os(text);
  module.get()->print(os);
  os << "\n";
  for (auto [index, input] : llvm::enumerate(inputs)) {
    if (input.size() > 32)
      continue;
    os << "// %arg" << index << " = [";
    if (input.isFloat())
      llvm::interleaveComma(input.floats(), os, [&](double value) {
        os << llvm::format("%.9g", value);
      });
    else
      llvm::interleaveComma(input.ints(), os);
    os << "]\n";
  }
  return text;
}
