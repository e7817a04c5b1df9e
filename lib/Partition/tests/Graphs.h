//===- Graphs.h - Graphs and rules for tests --------------------*- C++ -*-===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CLEAVE_LIB_PARTITION_TESTS_GRAPHS_H
#define CLEAVE_LIB_PARTITION_TESTS_GRAPHS_H

#include "ParseSharding.h"
#include "cleave/Partition/Propagation.h"
#include "llvm/ADT/StringMap.h"

namespace cleave::test {

/// A rule as einsum letters: `ik,kj->ij`. Letters that the result lacks are
/// reduced, those in `replicated` need replication. `(ij)` is one dimension of
/// two factors, `1` one without factor.
ShardingRule makeRule(llvm::StringRef einsum,
                      const llvm::StringMap<int64_t> &sizes,
                      ShardingRule::Priority priority,
                      llvm::StringRef replicated = "");

/// Builds a graph of named values.
class GraphBuilder {
public:
  explicit GraphBuilder(const Mesh &mesh) : mesh(mesh) { graph.mesh = &mesh; }

  unsigned value(llvm::StringRef name, llvm::ArrayRef<int64_t> shape,
                 llvm::StringRef annotation = "none");
  /// An op whose letter sizes are those of the values.
  unsigned op(llvm::StringRef einsum, llvm::ArrayRef<llvm::StringRef> operands,
              llvm::StringRef result, llvm::ArrayRef<int64_t> shape,
              ShardingRule::Priority priority, llvm::StringRef replicated = "");
  unsigned linear(llvm::StringRef x, llvm::StringRef weight,
                  llvm::StringRef result);
  unsigned elementwise(llvm::ArrayRef<llvm::StringRef> operands,
                       llvm::StringRef result);
  PropagationStatistics run() { return propagate(graph); }
  std::string sharding(llvm::StringRef name) const;
  PropagationValue &get(llvm::StringRef name) {
    return graph.values[ids.lookup(name)];
  }

  const Mesh &mesh;
  PropagationGraph graph;

private:
  llvm::StringMap<unsigned> ids;
};

} // namespace cleave::test

#endif // CLEAVE_LIB_PARTITION_TESTS_GRAPHS_H
