//===- MaximumFlow.h - Minimum cuts of small networks -----------*- C++ -*-===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CLEAVE_LIB_PARTITION_MAXIMUMFLOW_H
#define CLEAVE_LIB_PARTITION_MAXIMUMFLOW_H

#include <cstdint>
#include <limits>
#include <vector>

namespace cleave {

/// A network with capacities, and its maximum flow by Dinic's algorithm.
class MaximumFlow {
public:
  /// More than all finite capacities of a network may sum up to.
  static constexpr int64_t kInfinite = std::numeric_limits<int64_t>::max() / 4;

  unsigned addNode();
  void addEdge(unsigned from, unsigned to, int64_t capacity);

  /// Finds the flow; call once.
  void run(unsigned source, unsigned sink);
  /// Whether a node is on the source's side of the minimum cut that has the
  /// fewest nodes there. After `run`.
  bool isOnSourceSide(unsigned node) const { return level[node] >= 0; }

private:
  struct Edge {
    unsigned to;
    int64_t left;
  };

  bool levelFrom(unsigned source, unsigned sink);
  bool augment(unsigned source, unsigned sink);

  /// Edge 2 i and its reverse, edge 2 i + 1.
  std::vector<Edge> edges;
  std::vector<std::vector<unsigned>> edgesOf;
  std::vector<int> level;
  std::vector<unsigned> next;
};

} // namespace cleave

#endif // CLEAVE_LIB_PARTITION_MAXIMUMFLOW_H
