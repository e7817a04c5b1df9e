//===- MaximumFlow.cpp - Minimum cuts of small networks -------------------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MaximumFlow.h"

#include <algorithm>

namespace cleave {

unsigned MaximumFlow::addNode() {
  edgesOf.emplace_back();
  return edgesOf.size() - 1;
}

void MaximumFlow::addEdge(unsigned from, unsigned to, int64_t capacity) {
  edgesOf[from].push_back(edges.size());
  edges.push_back({to, capacity});
  edgesOf[to].push_back(edges.size());
  edges.push_back({from, 0});
}

/// Distances from the source over edges that can take more; whether the sink
/// is reached.
bool MaximumFlow::levelFrom(unsigned source, unsigned sink) {
  level.assign(edgesOf.size(), -1);
  level[source] = 0;
  std::vector<unsigned> queue = {source};
  for (size_t i = 0; i < queue.size(); ++i)
    for (unsigned edge : edgesOf[queue[i]])
      if (edges[edge].left > 0 && level[edges[edge].to] < 0) {
        level[edges[edge].to] = level[queue[i]] + 1;
        queue.push_back(edges[edge].to);
      }
  return level[sink] >= 0;
}

/// Sends what one path over the levels can take; false if there is no path. A
/// stack instead of recursion: chains of ops are as long as programs.
bool MaximumFlow::augment(unsigned source, unsigned sink) {
  std::vector<unsigned> path;
  unsigned at = source;
  while (at != sink) {
    unsigned &i = next[at];
    while (i < edgesOf[at].size()) {
      const Edge &edge = edges[edgesOf[at][i]];
      if (edge.left > 0 && level[edge.to] == level[at] + 1)
        break;
      ++i;
    }
    if (i < edgesOf[at].size()) {
      path.push_back(edgesOf[at][i]);
      at = edges[path.back()].to;
      continue;
    }
    if (at == source)
      return false;
    // A dead end: the edge that led here is of no use.
    at = edges[path.back() ^ 1].to;
    path.pop_back();
    ++next[at];
  }
  int64_t amount = kInfinite;
  for (unsigned edge : path)
    amount = std::min(amount, edges[edge].left);
  for (unsigned edge : path) {
    edges[edge].left -= amount;
    edges[edge ^ 1].left += amount;
  }
  return true;
}

void MaximumFlow::run(unsigned source, unsigned sink) {
  while (levelFrom(source, sink)) {
    next.assign(edgesOf.size(), 0);
    while (augment(source, sink))
      ;
  }
}

} // namespace cleave
