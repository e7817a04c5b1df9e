//===- ReshardMoves.cpp - Collectives that lead from a state to others ----===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ReshardSpace.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;

namespace cleave {

static ReshardMove makeMove(CollectiveKind kind, unsigned dim, AxisList axes) {
  ReshardMove move;
  move.kind = kind;
  move.dim = dim;
  move.axes = std::move(axes);
  return move;
}

static void removeSuffix(ReshardState &state, unsigned d, unsigned count) {
  while (count--)
    state.ids[d][--state.length[d]] = 0;
}

ArrayRef<uint8_t> ReshardSpace::nextOfGoal(const ReshardState &state,
                                           unsigned d) const {
  ArrayRef<uint8_t> done = state.dim(d), all = last.dim(d);
  if (done.size() >= all.size() || all.take_front(done.size()) != done)
    return {};
  ArrayRef<uint8_t> next = all.drop_front(done.size());
  int64_t extent = extentOf(done, shape[d]);
  while (next.size() > 1 && !isFlat(extent, next))
    next = next.drop_back();
  return next;
}

//===----------------------------------------------------------------------===//
// Slices
//===----------------------------------------------------------------------===//

bool ReshardSpace::onlySlicesLeft(const ReshardState &state) const {
  if (state.partial != 0)
    return false;
  for (unsigned d = 0; d < dims.size(); ++d)
    if (last.dim(d).take_front(state.length[d]) != state.dim(d))
      return false;
  return true;
}

/// Slices cost nothing and their order is irrelevant: follow one order only.
void ReshardSpace::visitSlicesToGoal(const ReshardState &state,
                                     Visitor visit) const {
  for (unsigned d = 0; d < dims.size(); ++d) {
    ArrayRef<uint8_t> next = nextOfGoal(state, d);
    if (next.empty())
      continue;
    ReshardState sliced = state;
    AxisList axes = axesOf(next);
    if (!setDim(sliced, d, axes))
      return;
    mergeSubAxes(axes);
    return visit(sliced, makeMove(CollectiveKind::AllSlice, d, axes));
  }
}

void ReshardSpace::visitSlices(const ReshardState &state, Visitor visit) const {
  uint32_t used = usedMask(state);
  for (unsigned d = 0; d < dims.size(); ++d) {
    for (unsigned id = 0; id < tokens.size(); ++id) {
      ReshardState sliced = state;
      if (!(used >> id & 1) && cut(sliced, d, tokens.ref(id)))
        visit(sliced, makeMove(CollectiveKind::AllSlice, d, {tokens.ref(id)}));
    }
  }
}

void ReshardSpace::visitGoalSlices(const ReshardState &state,
                                   Visitor visit) const {
  uint32_t used = usedMask(state);
  for (unsigned d = 0; d < dims.size(); ++d) {
    ArrayRef<uint8_t> next = nextOfGoal(state, d).take_while(
        [&](uint8_t id) { return !(used >> id & 1); });
    if (next.empty())
      continue;
    AxisList axes = axesOf(next);
    mergeSubAxes(axes);
    ReshardState sliced = state;
    if (cut(sliced, d, axes))
      visit(sliced, makeMove(CollectiveKind::AllSlice, d, axes));
  }
}

//===----------------------------------------------------------------------===//
// Gathers and exchanges
//===----------------------------------------------------------------------===//

void ReshardSpace::visitGathers(const ReshardState &state,
                                Visitor visit) const {
  for (unsigned d = 0; d < dims.size(); ++d) {
    for (unsigned count = 1; count <= state.length[d]; ++count) {
      ArrayRef<uint8_t> suffix = state.dim(d).take_back(count);
      ReshardState gathered = state;
      removeSuffix(gathered, d, count);
      if (!isFlat(extentOf(gathered.dim(d), shape[d]), suffix))
        break;
      AxisList axes = axesOf(suffix);
      mergeSubAxes(axes);
      ReshardMove move = makeMove(CollectiveKind::AllGather, d, axes);
      visit(gathered, move);
      visitExchanges(gathered, move, visit);
    }
  }
}

/// An all_to_all is the gather of one dimension and the slice of another.
void ReshardSpace::visitExchanges(const ReshardState &gathered,
                                  const ReshardMove &gather,
                                  Visitor visit) const {
  ReshardMove move = gather;
  move.kind = CollectiveKind::AllToAll;
  for (unsigned d = 0; d < dims.size(); ++d) {
    ReshardState exchanged = gathered;
    if (d == gather.dim || !cut(exchanged, d, gather.axes))
      continue;
    move.splitDim = d;
    visit(exchanged, move);
  }
}

//===----------------------------------------------------------------------===//
// Reductions
//===----------------------------------------------------------------------===//

/// Partial ids of the kind to reduce first. Sums and maxima do not commute:
/// kinds are reduced in the order in which the sharding lists them.
uint32_t ReshardSpace::partialMask(const ReshardState &state,
                                   ReductionKind &kind) const {
  uint32_t mask = 0;
  for (uint8_t id : partialIds) {
    if (!(state.partial >> id & 1))
      continue;
    if (mask == 0)
      kind = reductions[id];
    if (reductions[id] == kind)
      mask |= 1u << id;
  }
  return mask;
}

void ReshardSpace::visitReductions(const ReshardState &state,
                                   Visitor visit) const {
  ReductionKind kind = ReductionKind::Sum;
  uint32_t candidates = partialMask(state, kind);
  if (candidates == 0)
    return;
  // All subsets: (m - 1) & candidates enumerates them downwards.
  for (uint32_t m = candidates; m != 0; m = (m - 1) & candidates) {
    AxisList axes;
    for (unsigned id = 0; id < tokens.size(); ++id)
      if (m >> id & 1)
        axes.push_back(tokens.ref(id));
    sort(axes);
    mergeSubAxes(axes);
    ReshardState reduced = state;
    reduced.partial &= ~m;
    ReshardMove move = makeMove(CollectiveKind::AllReduce, 0, axes);
    move.reduction = kind;
    visit(reduced, move);
  }
  visitScatters(state, kind, candidates, visit);
}

void ReshardSpace::visitScatters(const ReshardState &state, ReductionKind kind,
                                 uint32_t candidates, Visitor visit) const {
  auto scatter = [&](unsigned d, AxisList axes) {
    ReshardState scattered = state;
    for (const AxisRef &axis : axes) {
      SmallVector<uint8_t, 4> atoms;
      if (!tokens.atoms(axis, atoms))
        return;
      for (uint8_t id : atoms) {
        if (!(candidates >> id & 1))
          return;
        scattered.partial &= ~(1u << id);
      }
    }
    mergeSubAxes(axes);
    if (!cut(scattered, d, axes))
      return;
    ReshardMove move = makeMove(CollectiveKind::ReduceScatter, d, axes);
    move.reduction = kind;
    visit(scattered, move);
  };
  for (unsigned d = 0; d < dims.size(); ++d) {
    for (unsigned id = 0; id < tokens.size(); ++id)
      scatter(d, {tokens.ref(id)});
    ArrayRef<uint8_t> next = nextOfGoal(state, d);
    if (next.size() > 1)
      scatter(d, axesOf(next));
  }
}

//===----------------------------------------------------------------------===//
// Permutations
//===----------------------------------------------------------------------===//

/// Extends the dimensions of a state, one after the other, by axes that give
/// the same blocks as those of another state: not by all of them on meshes of
/// many axes, but first by those that the goal has there.
class PermutationVisitor {
public:
  PermutationVisitor(const ReshardSpace &space, const ReshardState &state,
                     ReshardSpace::Visitor visit)
      : space(space), state(state), visit(visit) {
    permuted.partial = state.partial;
    for (unsigned d = 0; d < space.numDims(); ++d)
      families.push_back(family(d, state.dim(d)));
  }
  void run() { extend(0, space.usedMask(permuted)); }
  /// Visits only the goal, if it has the same blocks.
  void runToGoal() {
    if (state == space.last || state.partial != 0)
      return;
    for (unsigned d = 0; d < space.numDims(); ++d)
      if (family(d, space.last.dim(d)) != families[d])
        return;
    visit(space.last, makeMove(CollectiveKind::CollectivePermute, 0, {}));
  }

private:
  using Sizes = SmallVector<int64_t, 4>;

  /// Sizes of the cuts, with neighbours joined where the blocks are flat:
  /// equal families have equal blocks, in order. Blocks of one element are
  /// equal in some order, whatever cut them.
  Sizes family(unsigned d, ArrayRef<uint8_t> ids) const {
    Sizes sizes;
    int64_t extent = space.shape[d], shards = 1;
    for (uint8_t id : ids) {
      int64_t size = space.tokens.ref(id).size;
      if (!sizes.empty() && (extent % size == 0 || extent <= 1))
        sizes.back() *= size;
      else
        sizes.push_back(size);
      shards *= size;
      extent = divideCeil(extent, size);
    }
    if (extent <= 1 && !sizes.empty())
      sizes.assign(1, shards);
    return sizes;
  }

  bool isCanonical(unsigned d) const {
    ReshardState canonical = permuted;
    space.sortCutsOfOneElement({canonical.ids[d], canonical.length[d]},
                               space.shape[d]);
    return canonical == permuted;
  }

  void extend(unsigned d, uint32_t used) {
    if (d == space.numDims()) {
      if (!(permuted == state))
        visit(permuted, makeMove(CollectiveKind::CollectivePermute, 0, {}));
      return;
    }
    int64_t wanted = 1;
    for (int64_t size : families[d])
      wanted *= size;
    extendDim(d, wanted, space.shape[d], used);
  }

  /// Adds axes to dimension `d`, which is to be cut into `left` more shards
  /// of its current `extent`.
  void extendDim(unsigned d, int64_t left, int64_t extent, uint32_t used) {
    if (++tried > kMaxTried)
      return;
    if (left == 1) {
      if (family(d, permuted.dim(d)) == families[d] && isCanonical(d))
        extend(d + 1, used);
      return;
    }
    unsigned at = permuted.length[d];
    if (at == ReshardState::kMaxLength)
      return;
    auto tryNext = [&](unsigned id) {
      const AxisRef &axis = space.tokens.ref(id);
      if ((used >> id & 1) || left % axis.size != 0)
        return;
      SmallVector<uint8_t, 4> canonical;
      // Only canonical spellings: parts that split are visited one by one.
      if (!space.tokens.append(axis, extent, canonical) ||
          canonical.size() != 1)
        return;
      permuted.ids[d][at] = id;
      permuted.length[d] = at + 1;
      extendDim(d, left / axis.size, divideCeil(extent, axis.size),
                used | space.tokens.overlaps(id));
    };
    ArrayRef<uint8_t> goal = space.last.dim(d), own = state.dim(d);
    if (at < goal.size())
      tryNext(goal[at]);
    if (at < own.size() && (at >= goal.size() || own[at] != goal[at]))
      tryNext(own[at]);
    for (unsigned id = 0; id < space.tokens.size(); ++id)
      if ((at >= goal.size() || id != goal[at]) &&
          (at >= own.size() || id != own[at]))
        tryNext(id);
    permuted.ids[d][at] = 0;
    permuted.length[d] = at;
  }

  static constexpr unsigned kMaxTried = 200;

  const ReshardSpace &space;
  const ReshardState &state;
  ReshardSpace::Visitor visit;
  ReshardState permuted;
  SmallVector<Sizes, ReshardState::kMaxDims> families;
  unsigned tried = 0;
};

void ReshardSpace::forEachMove(const ReshardState &state, Moves moves,
                               bool permute, Visitor visit) const {
  if (onlySlicesLeft(state))
    return visitSlicesToGoal(state, visit);
  if (moves == Moves::All)
    visitSlices(state, visit);
  visitGoalSlices(state, visit);
  visitReductions(state, visit);
  visitGathers(state, visit);
  if (!permute)
    return;
  PermutationVisitor permutations(*this, state, visit);
  if (moves == Moves::All)
    permutations.run();
  else
    permutations.runToGoal();
}

} // namespace cleave
