//===- MergeCollectives.cpp - Equal collectives become one ----------------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialects/Spmd/SpmdDialect.h"
#include "mlir/Pass/Pass.h"
#include "passes/Collectives/Passes.h"
#include "llvm/ADT/DenseMap.h"

namespace cleave {
#define GEN_PASS_DEF_MERGECOLLECTIVES
#include "passes/Collectives/Passes.h.inc"
} // namespace cleave

using namespace mlir;
using namespace cleave;
using namespace cleave::spmd;

/// What two collectives must share to be one: everything but their causes.
static DictionaryAttr withoutCause(CollectiveOpInterface op) {
  NamedAttrList attrs(op->getAttrDictionary());
  attrs.erase("cause");
  return attrs.getDictionary(op->getContext());
}

namespace {

struct MergeCollectives : cleave::impl::MergeCollectivesBase<MergeCollectives> {
  void runOnOperation() override {
    getOperation().walk([&](mlir::Block *block) { mergeIn(*block); });
  }

  void mergeIn(mlir::Block &block) {
    using Key = std::tuple<Attribute, Attribute, Value, Type>;
    llvm::DenseMap<Key, Operation *> known;
    for (Operation &op : llvm::make_early_inc_range(block)) {
      auto collective = dyn_cast<CollectiveOpInterface>(op);
      if (!collective)
        continue;
      Key key{StringAttr::get(&getContext(), op.getName().getStringRef()),
              withoutCause(collective), collective.getCollectiveOperand(),
              op.getResult(0).getType()};
      auto [it, inserted] = known.try_emplace(key, &op);
      if (inserted)
        continue;
      op.replaceAllUsesWith(it->second);
      op.erase();
      ++numMerged;
    }
  }
};

} // namespace
