//===- CollectiveBytes.cpp - Bytes that a collective moves ----------------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The formulas of docs/manifest.md. Pieces that reach past the end of the
// buffer they are cut from are shorter, so the maximum over the ranks of a
// group is at a rank whose own piece is short.
//
//===----------------------------------------------------------------------===//

#include "cleave/Partition/ReshardPlan.h"

#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>

using namespace llvm;

namespace cleave {

StringRef stringifyCollective(CollectiveKind kind) {
  switch (kind) {
  case CollectiveKind::AllGather:
    return "all_gather";
  case CollectiveKind::AllSlice:
    return "all_slice";
  case CollectiveKind::AllReduce:
    return "all_reduce";
  case CollectiveKind::ReduceScatter:
    return "reduce_scatter";
  case CollectiveKind::AllToAll:
    return "all_to_all";
  case CollectiveKind::CollectivePermute:
    return "collective_permute";
  case CollectiveKind::Broadcast:
    return "broadcast";
  case CollectiveKind::HaloExchange:
    return "halo_exchange";
  case CollectiveKind::WindowExchange:
    return "window_exchange";
  }
  llvm_unreachable("unknown collective");
}

static int64_t product(ArrayRef<int64_t> shape) {
  int64_t count = 1;
  for (int64_t n : shape)
    count *= n;
  return count;
}

namespace {
/// A dimension of `extent` that is cut into pieces of `piece`.
struct Cut {
  int64_t extent = 1;
  int64_t piece = 1;

  /// What is left of piece `j` inside the extent.
  int64_t kept(int64_t j) const {
    return std::clamp<int64_t>(extent - j * piece, 0, piece);
  }
};
} // namespace

/// The dimension whose extent is `larger` in one shape and smaller in the
/// other. If there is none, the cut dimension has at most one element and any
/// such one gives the same bytes.
static Cut findCut(ArrayRef<int64_t> larger, ArrayRef<int64_t> smaller) {
  for (size_t d = 0; d < larger.size(); ++d)
    if (larger[d] > smaller[d])
      return {larger[d], smaller[d]};
  return {};
}

static int64_t allToAllElements(ArrayRef<int64_t> operand,
                                ArrayRef<int64_t> result, int64_t groupSize) {
  Cut concat = findCut(result, operand);
  Cut split = findCut(operand, result);
  int64_t others = product(result) / (concat.extent * split.piece);
  // A rank receives its slice of everybody's piece but its own. That is most
  // at the first rank whose own piece is full, short or empty.
  int64_t most = 0;
  int64_t full = concat.extent / concat.piece;
  for (int64_t j : {int64_t(0), full, full + 1})
    if (j < groupSize)
      most = std::max(most, split.kept(j) * (concat.extent - concat.kept(j)));
  return most * others;
}

int64_t collectiveBytes(CollectiveKind kind, ArrayRef<int64_t> operand,
                        ArrayRef<int64_t> result, int64_t elementBytes,
                        int64_t groupSize) {
  if (product(operand) == 0 || product(result) == 0)
    return 0;
  switch (kind) {
  case CollectiveKind::AllSlice:
    return 0;
  case CollectiveKind::AllGather: {
    if (groupSize == 1)
      return 0;
    Cut cut = findCut(result, operand);
    int64_t received = cut.extent - cut.kept(groupSize - 1);
    return product(result) / cut.extent * received * elementBytes;
  }
  case CollectiveKind::AllReduce:
    return divideCeil(2 * (groupSize - 1) * product(operand) * elementBytes,
                      groupSize);
  case CollectiveKind::ReduceScatter:
    return (groupSize - 1) * product(result) * elementBytes;
  case CollectiveKind::AllToAll:
    return allToAllElements(operand, result, groupSize) * elementBytes;
  case CollectiveKind::CollectivePermute:
    return product(operand) * elementBytes;
  case CollectiveKind::Broadcast:
    return groupSize == 1 ? 0 : product(operand) * elementBytes;
  case CollectiveKind::HaloExchange:
  case CollectiveKind::WindowExchange:
    llvm_unreachable("depends on more than shapes");
  }
  llvm_unreachable("unknown collective");
}

} // namespace cleave
