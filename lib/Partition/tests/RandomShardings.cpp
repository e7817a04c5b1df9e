//===- RandomShardings.cpp - Random meshes and shardings ------------------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RandomShardings.h"

#include "llvm/ADT/STLExtras.h"
#include <algorithm>

using namespace llvm;

namespace cleave::test {

Mesh makeMesh(ArrayRef<int64_t> sizes) {
  Mesh mesh;
  mesh.name = "m";
  for (auto [i, size] : enumerate(sizes))
    mesh.axes.push_back({std::string(1, 'a' + i), size});
  return mesh;
}

Mesh RandomShardings::mesh(ArrayRef<int64_t> sizes, int64_t maxAxes,
                           int64_t maxRanks) {
  while (true) {
    SmallVector<int64_t, 4> chosen(1 + below(maxAxes));
    for (int64_t &size : chosen)
      size = oneOf(sizes);
    Mesh mesh = makeMesh(chosen);
    if (mesh.numRanks() <= maxRanks)
      return mesh;
  }
}

/// The axes in random order, some split where their size has a divisor.
AxisList RandomShardings::parts(const Mesh &mesh, int64_t subAxes) {
  AxisList parts;
  for (AxisId id = 0; id < mesh.axes.size(); ++id) {
    AxisRef axis = mesh.whole(id);
    for (int64_t divisor : {2, 3}) {
      if (axis.size % divisor != 0 || axis.size == divisor ||
          below(100) >= subAxes)
        continue;
      parts.push_back({id, axis.pre, divisor});
      axis = {id, axis.pre * divisor, axis.size / divisor};
    }
    parts.push_back(axis);
  }
  std::shuffle(parts.begin(), parts.end(), engine);
  return parts;
}

Sharding RandomShardings::sharding(const Mesh &mesh, size_t rank,
                                   int64_t subAxes) {
  Sharding sharding = Sharding::replicated(rank);
  unused.clear();
  for (const AxisRef &axis : parts(mesh, subAxes)) {
    size_t d = below(rank + 1);
    (d < rank ? sharding.dims[d].axes : unused).push_back(axis);
  }
  return sharding;
}

void RandomShardings::makePartial(Sharding &sharding, ReductionKind kind) {
  for (const AxisRef &axis : unused)
    if (below(3) != 0)
      sharding.partial.push_back({axis, kind});
}

} // namespace cleave::test
