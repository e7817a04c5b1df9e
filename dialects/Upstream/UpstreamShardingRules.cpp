//===- UpstreamShardingRules.cpp - Sharding rules of MLIR's own ops -------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialects/Upstream/UpstreamShardingRules.h"

void cleave::registerUpstreamShardingRules(mlir::DialectRegistry &registry) {
  registerLinalgShardingRules(registry);
  registerArithShardingRules(registry);
  registerTensorShardingRules(registry);
}
