//===- Register.cpp - Everything Cleave adds to MLIR ----------------------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/Register.h"
#include "dialects/Exec/ExecDialect.h"
#include "dialects/Graph/GraphDialect.h"
#include "dialects/Spmd/SpmdDialect.h"
#include "dialects/Upstream/UpstreamShardingRules.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "passes/Codegen/Passes.h"
#include "passes/Collectives/Passes.h"
#include "passes/Fusion/Passes.h"
#include "passes/Graph/Passes.h"
#include "passes/Import/Passes.h"
#include "passes/Partition/Passes.h"
#include "passes/Phases.h"
#include "passes/Schedule/Passes.h"
#include "passes/Sharding/Passes.h"

void cleave::registerDialects(mlir::DialectRegistry &registry) {
  registry.insert<graph::CleaveDialect, spmd::SpmdDialect, exec::ExecDialect,
                  mlir::func::FuncDialect>();
  registerUpstreamShardingRules(registry);
}

void cleave::registerPasses() {
  registerImportPasses();
  registerGraphPasses();
  registerShardingPasses();
  registerPartitionPasses();
  registerCollectivesPasses();
  registerFusionPasses();
  registerSchedulePasses();
  registerCodegenPasses();
  registerPhasePipelines();
}
