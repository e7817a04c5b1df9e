//===- DeduplicateKernels.cpp - Compile each kernel once ------------------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialects/Graph/GraphDialect.h"
#include "dialects/Graph/KernelAttributes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/OperationSupport.h"
#include "passes/Fusion/Passes.h"
#include "llvm/ADT/Hashing.h"

namespace cleave {
#define GEN_PASS_DEF_DEDUPLICATEKERNELS
#include "passes/Fusion/Passes.h.inc"
} // namespace cleave

using namespace mlir;
using namespace cleave::graph;

/// Equal kernels have equal hashes: names, types and attributes of all ops.
static llvm::hash_code hashOf(func::FuncOp kernel) {
  llvm::hash_code hash = hash_value(kernel.getFunctionType());
  kernel.getBody().walk([&](Operation *op) {
    hash =
        llvm::hash_combine(hash, OperationEquivalence::computeHash(
                                     op, OperationEquivalence::ignoreHashValue,
                                     OperationEquivalence::ignoreHashValue,
                                     OperationEquivalence::IgnoreLocations));
  });
  return hash;
}

static bool areEqual(func::FuncOp a, func::FuncOp b) {
  auto attributes = [](func::FuncOp kernel) {
    NamedAttrList list(kernel->getDiscardableAttrDictionary());
    list.erase("cleave.name");
    return list.getDictionary(kernel.getContext());
  };
  return a.getFunctionType() == b.getFunctionType() &&
         attributes(a) == attributes(b) &&
         OperationEquivalence::isRegionEquivalentTo(
             &a.getBody(), &b.getBody(), OperationEquivalence::IgnoreLocations);
}

namespace {
struct DeduplicateKernels
    : public cleave::impl::DeduplicateKernelsBase<DeduplicateKernels> {
  void runOnOperation() override {
    ModuleOp module = getOperation();
    DenseMap<size_t, SmallVector<func::FuncOp>> kernels;
    DenseMap<StringAttr, StringAttr> renamed;
    for (auto function :
         llvm::make_early_inc_range(module.getOps<func::FuncOp>())) {
      if (!function->hasAttr(kKernelAttr) && !function->hasAttr(kGemmAttr) &&
          !function->hasAttr(kConvolutionAttr))
        continue;
      auto &candidates = kernels[hashOf(function)];
      auto *same = llvm::find_if(candidates, [&](func::FuncOp candidate) {
        return areEqual(candidate, function);
      });
      if (same == candidates.end()) {
        candidates.push_back(function);
        continue;
      }
      renamed[function.getSymNameAttr()] = same->getSymNameAttr();
      function.erase();
    }
    module.walk([&](func::CallOp call) {
      StringAttr callee = call.getCalleeAttr().getAttr();
      if (StringAttr name = renamed.lookup(callee))
        call.setCalleeAttr(FlatSymbolRefAttr::get(name));
    });
  }
};
} // namespace
