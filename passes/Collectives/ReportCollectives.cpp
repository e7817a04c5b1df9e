//===- ReportCollectives.cpp - Say what collectives receive ---------------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialects/Spmd/ShardingConversion.h"
#include "mlir/Pass/Pass.h"
#include "passes/Collectives/LocalCollectives.h"
#include "passes/Collectives/Passes.h"

namespace cleave {
#define GEN_PASS_DEF_REPORTCOLLECTIVES
#include "passes/Collectives/Passes.h.inc"
} // namespace cleave

using namespace mlir;
using namespace cleave;
using namespace cleave::spmd;

namespace {

struct ReportCollectives
    : cleave::impl::ReportCollectivesBase<ReportCollectives> {
  void runOnOperation() override {
    for (auto func : getOperation().getOps<FunctionOpInterface>()) {
      int64_t number = 0, bytes = 0;
      func.walk([&](CollectiveOpInterface op) {
        if (op.getCollectiveKind() == CollectiveKind::AllSlice)
          return;
        auto mesh =
            SymbolTable::lookupNearestSymbolFrom<MeshOp>(op, op.getMeshAttr());
        ++number;
        bytes += bytesOf(op, toMesh(mesh));
      });
      func.emitRemark() << "collectives of @" << func.getName() << ": "
                        << number << ", bytes: " << bytes;
    }
    markAllAnalysesPreserved();
  }
};

} // namespace
