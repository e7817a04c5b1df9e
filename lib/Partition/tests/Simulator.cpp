//===- Simulator.cpp - Collectives on ranks that are arrays ---------------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Simulator.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/raw_ostream.h"
#include <algorithm>
#include <set>

using namespace llvm;

namespace cleave::test {

/// Calls `body` with each index of an array and its row-major position.
template <typename Body>
static void forEachIndex(ArrayRef<int64_t> shape, Body body) {
  int64_t count = 1;
  for (int64_t n : shape)
    count *= n;
  Shape index(shape.size(), 0);
  for (int64_t i = 0; i < count; ++i) {
    int64_t rest = i;
    for (size_t d = shape.size(); d-- > 0; rest /= shape[d])
      index[d] = rest % shape[d];
    body(index, i);
  }
}

static int64_t offsetOf(ArrayRef<int64_t> shape, ArrayRef<int64_t> index) {
  int64_t offset = 0;
  for (auto [n, i] : zip_equal(shape, index))
    offset = offset * n + i;
  return offset;
}

static int64_t combine(ReductionKind kind, int64_t a, int64_t b) {
  return kind == ReductionKind::Sum ? a + b : std::max(a, b);
}

/// The rank at `position` of the group of `rank` along `axes`.
int64_t Simulator::rankAt(int64_t rank, ArrayRef<AxisRef> axes,
                          int64_t position) const {
  for (const AxisRef &axis : reverse(axes)) {
    int64_t stride = 1;
    for (const Mesh::Axis &minor :
         ArrayRef(mesh.axes).drop_front(axis.axis + 1))
      stride *= minor.size;
    stride *= mesh.axes[axis.axis].size / axis.end();
    rank += (position % axis.size - mesh.coordinate(rank, axis)) * stride;
    position /= axis.size;
  }
  return rank;
}

//===----------------------------------------------------------------------===//
// Data
//===----------------------------------------------------------------------===//

/// What the rank at `position` along the partial axes adds to an element.
int64_t Simulator::contribution(int64_t element, int64_t position) const {
  return (element + 1) * 1000 + (position * 7919 + element * 31) % 997;
}

static AxisList axesOf(ArrayRef<PartialAxis> partial) {
  AxisList axes;
  for (const PartialAxis &p : partial)
    axes.push_back(p.axis);
  return axes;
}

Locals Simulator::distribute(const Sharding &from) const {
  Locals locals(mesh.numRanks());
  AxisList partial = axesOf(from.partial);
  for (size_t rank = 0; rank < locals.size(); ++rank) {
    LocalArray &local = locals[rank];
    local.shape = from.localShape(shape);
    forEachIndex(local.shape, [&](ArrayRef<int64_t> index, int64_t i) {
      // Padding differs everywhere.
      int64_t value = -1000000 - static_cast<int64_t>(rank) * 1000 - i;
      Shape global;
      bool valid = true;
      for (unsigned d = 0; d < shape.size(); ++d) {
        BlockExtent block = blockOf(mesh, rank, shape[d], from.dims[d].axes);
        valid &= index[d] < block.valid;
        global.push_back(block.offset + index[d]);
      }
      if (valid)
        value =
            contribution(offsetOf(shape, global), mesh.position(rank, partial));
      local.data.push_back(value);
    });
  }
  return locals;
}

/// The element reduced over the group of `rank`, first listed kind first.
int64_t Simulator::reduceElement(int64_t rank, int64_t element,
                                 const Sharding &from,
                                 ArrayRef<PartialAxis> reduced) const {
  if (reduced.empty())
    return contribution(element, mesh.position(rank, axesOf(from.partial)));
  // The kind that is reduced last is the outermost.
  const PartialAxis &outer = reduced.back();
  std::optional<int64_t> value;
  for (int64_t j = 0; j < outer.axis.size; ++j) {
    int64_t part = reduceElement(rankAt(rank, outer.axis, j), element, from,
                                 reduced.drop_back());
    value = value ? combine(outer.kind, *value, part) : part;
  }
  return *value;
}

std::string Simulator::compare(const Locals &result, const Sharding &from,
                               const Sharding &to) const {
  SmallVector<PartialAxis, 2> reduced;
  // Here kept axes are always spelled as in `from`.
  for (const PartialAxis &p : from.partial)
    if (!is_contained(to.partial, p))
      reduced.push_back(p);
  std::string wrong;
  for (size_t rank = 0; rank < result.size(); ++rank) {
    const LocalArray &local = result[rank];
    if (ArrayRef(local.shape) != ArrayRef(to.localShape(shape)))
      return "the local shape is not the target's";
    Shape offset, valid;
    for (auto [n, dim] : zip_equal(shape, to.dims)) {
      BlockExtent block = blockOf(mesh, rank, n, dim.axes);
      offset.push_back(block.offset);
      valid.push_back(block.valid);
    }
    forEachIndex(valid, [&](ArrayRef<int64_t> index, int64_t) {
      Shape global(index);
      for (auto [g, o] : zip_equal(global, offset))
        g += o;
      int64_t element = offsetOf(shape, global);
      int64_t expected = reduceElement(rank, element, from, reduced);
      int64_t actual = local.data[offsetOf(local.shape, index)];
      if (actual != expected)
        raw_string_ostream(wrong)
            << "rank " << rank << ", element " << element << ": " << actual
            << " is not " << expected << '\n';
    });
  }
  return wrong;
}

//===----------------------------------------------------------------------===//
// Collectives
//===----------------------------------------------------------------------===//

Locals Simulator::gather(const Locals &in, ArrayRef<AxisRef> axes, unsigned dim,
                         int64_t extent) const {
  Locals out(in.size());
  int64_t piece = in[0].shape[dim];
  for (size_t rank = 0; rank < out.size(); ++rank) {
    LocalArray &local = out[rank];
    local.shape = in[rank].shape;
    local.shape[dim] = extent;
    forEachIndex(local.shape, [&](ArrayRef<int64_t> index, int64_t) {
      const LocalArray &source = in[rankAt(rank, axes, index[dim] / piece)];
      Shape inner(index);
      inner[dim] = index[dim] % piece;
      local.data.push_back(source.data[offsetOf(source.shape, inner)]);
    });
  }
  return out;
}

Locals Simulator::slice(const Locals &in, ArrayRef<AxisRef> axes,
                        unsigned dim) const {
  Locals out(in.size());
  for (size_t rank = 0; rank < out.size(); ++rank) {
    LocalArray &local = out[rank];
    const LocalArray &whole = in[rank];
    local.shape = whole.shape;
    int64_t piece = divideCeil(whole.shape[dim], numShards(axes));
    local.shape[dim] = piece;
    int64_t start = mesh.position(rank, axes) * piece;
    forEachIndex(local.shape, [&](ArrayRef<int64_t> index, int64_t) {
      Shape outer(index);
      outer[dim] += start;
      bool inside = outer[dim] < whole.shape[dim];
      local.data.push_back(inside ? whole.data[offsetOf(whole.shape, outer)]
                                  : -77777);
    });
  }
  return out;
}

Locals Simulator::reduce(const Locals &in, ArrayRef<AxisRef> axes,
                         ReductionKind kind) const {
  Locals out(in.size());
  for (size_t rank = 0; rank < out.size(); ++rank) {
    LocalArray &local = out[rank];
    local = in[rankAt(rank, axes, 0)];
    for (int64_t j = 1, k = numShards(axes); j < k; ++j)
      for (auto [a, b] : zip_equal(local.data, in[rankAt(rank, axes, j)].data))
        a = combine(kind, a, b);
  }
  return out;
}

std::string Simulator::permute(const ReshardStep &step) {
  Locals out = locals;
  for (LocalArray &local : out)
    std::fill(local.data.begin(), local.data.end(), 0);
  std::set<int64_t> sources, targets;
  for (auto [source, target] : step.pairs) {
    out[target].data = locals[source].data;
    if (!sources.insert(source).second || !targets.insert(target).second)
      return "a rank is twice a source or a target";
  }
  locals = std::move(out);
  return {};
}

/// Elements of a piece that are inside.
static int64_t kept(int64_t extent, int64_t piece, int64_t j) {
  return std::clamp<int64_t>(extent - j * piece, 0, piece);
}

int64_t Simulator::receivedBytes(const ReshardStep &step) const {
  int64_t most = 0, k = numShards(step.axes);
  int64_t others = elementBytes, buffer = elementBytes;
  const Shape &in = step.operandShape, &out = step.resultShape;
  for (int64_t n : in)
    buffer *= n;
  for (unsigned d = 0; d < shape.size(); ++d)
    if (d != step.dim &&
        (step.kind != CollectiveKind::AllToAll || d != step.splitDim))
      others *= out[d];
  for (int64_t rank = 0; rank < mesh.numRanks(); ++rank) {
    int64_t j = mesh.position(rank, step.axes), bytes = 0;
    switch (step.kind) {
    case CollectiveKind::AllSlice:
      break;
    case CollectiveKind::AllGather:
      bytes = others * (out[step.dim] - kept(out[step.dim], in[step.dim], j));
      break;
    case CollectiveKind::ReduceScatter:
      bytes = others * (k - 1) * kept(in[step.dim], out[step.dim], j);
      break;
    case CollectiveKind::AllReduce:
      bytes = divideCeil(2 * (k - 1) * buffer, k);
      break;
    case CollectiveKind::AllToAll:
      bytes = others * kept(in[step.splitDim], out[step.splitDim], j) *
              (out[step.dim] - kept(out[step.dim], in[step.dim], j));
      break;
    case CollectiveKind::CollectivePermute:
      for (auto [source, target] : step.pairs)
        if (target == rank && source != rank)
          bytes = buffer;
      break;
    case CollectiveKind::Broadcast:
    case CollectiveKind::HaloExchange:
    case CollectiveKind::WindowExchange:
      llvm_unreachable("not a step of a plan");
    }
    most = std::max(most, bytes);
  }
  return most;
}

std::string Simulator::run(const ReshardStep &step) {
  if (ArrayRef(locals[0].shape) != ArrayRef(step.operandShape))
    return "the operand shape is wrong";
  if (step.bytes != receivedBytes(step))
    return "the bytes are wrong";
  switch (step.kind) {
  case CollectiveKind::AllGather:
    locals = gather(locals, step.axes, step.dim, step.resultShape[step.dim]);
    break;
  case CollectiveKind::AllSlice:
    locals = slice(locals, step.axes, step.dim);
    break;
  case CollectiveKind::AllReduce:
    locals = reduce(locals, step.axes, step.reduction);
    break;
  case CollectiveKind::ReduceScatter:
    locals =
        slice(reduce(locals, step.axes, step.reduction), step.axes, step.dim);
    break;
  case CollectiveKind::AllToAll:
    if (step.dim == step.splitDim)
      return "all_to_all of a dimension with itself";
    locals =
        slice(gather(locals, step.axes, step.dim, step.resultShape[step.dim]),
              step.axes, step.splitDim);
    break;
  case CollectiveKind::CollectivePermute:
    return permute(step);
  case CollectiveKind::Broadcast:
  case CollectiveKind::HaloExchange:
  case CollectiveKind::WindowExchange:
    return "not a step of a plan";
  }
  if (ArrayRef(locals[0].shape) != ArrayRef(step.resultShape))
    return "the result shape is wrong";
  return {};
}

std::string Simulator::execute(const ReshardPlan &plan, Locals &data) {
  locals = std::move(data);
  int64_t bytes = 0;
  for (const ReshardStep &step : plan.steps) {
    std::string wrong = run(step);
    if (!wrong.empty())
      return stringifyCollective(step.kind).str() + ": " + wrong;
    bytes += step.bytes;
    if (ArrayRef(step.resultShape) != ArrayRef(step.result.localShape(shape)))
      return "the result sharding does not fit its shape";
  }
  data = std::move(locals);
  return bytes == plan.bytes ? "" : "the sum of bytes is wrong";
}

std::string Simulator::check(const ReshardPlan &plan, const Sharding &from,
                             const Sharding &to) {
  Locals data = distribute(from);
  std::string wrong = execute(plan, data);
  return wrong.empty() ? compare(data, from, to) : wrong;
}

int64_t bytesNotOwned(const Mesh &mesh, ArrayRef<int64_t> shape,
                      int64_t elementBytes, const Sharding &from,
                      const Sharding &to) {
  int64_t most = 0;
  for (int64_t rank = 0; rank < mesh.numRanks(); ++rank) {
    int64_t needed = elementBytes, owned = elementBytes;
    for (auto [n, a, b] : zip_equal(shape, from.dims, to.dims)) {
      BlockExtent has = blockOf(mesh, rank, n, a.axes);
      BlockExtent needs = blockOf(mesh, rank, n, b.axes);
      needed *= needs.valid;
      int64_t overlap =
          std::min(has.offset + has.valid, needs.offset + needs.valid) -
          std::max(has.offset, needs.offset);
      owned *= std::max<int64_t>(overlap, 0);
    }
    most = std::max(most, needed - owned);
  }
  return most;
}

} // namespace cleave::test
