//===- GemmShape.cpp - dot_general as a strided matrix product ------------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/Schedule/GemmShape.h"

using namespace mlir;
using namespace cleave;

namespace {
/// One loop of the product: its size and how far each operand moves per step.
struct Loop {
  int64_t size = 1;
  int64_t a = 0, b = 0, out = 0;
};
} // namespace

static SmallVector<int64_t> denseStrides(ArrayRef<int64_t> shape) {
  SmallVector<int64_t> strides(shape.size(), 1);
  for (int64_t i = int64_t(shape.size()) - 2; i >= 0; --i)
    strides[i] = strides[i + 1] * std::max<int64_t>(shape[i + 1], 1);
  return strides;
}

/// Merges loops, outermost first, that together step through memory like one.
static SmallVector<Loop> collapse(ArrayRef<Loop> loops) {
  SmallVector<Loop> result;
  for (const Loop &loop : loops) {
    if (loop.size == 1)
      continue;
    if (!result.empty()) {
      Loop &outer = result.back();
      if (outer.a == loop.a * loop.size && outer.b == loop.b * loop.size &&
          outer.out == loop.out * loop.size) {
        outer = {outer.size * loop.size, loop.a, loop.b, loop.out};
        continue;
      }
    }
    result.push_back(loop);
  }
  return result;
}

/// Takes the innermost of `loops`; the others become batch loops.
static Loop takeInnermost(SmallVector<Loop> loops, SmallVector<Loop> &batch) {
  if (loops.empty())
    return {};
  Loop innermost = loops.pop_back_val();
  batch.append(loops);
  return innermost;
}

static SmallVector<int64_t> freeDims(int64_t rank, ArrayRef<int64_t> batching,
                                     ArrayRef<int64_t> contracting) {
  SmallVector<int64_t> dims;
  for (int64_t dim = 0; dim < rank; ++dim)
    if (!llvm::is_contained(batching, dim) &&
        !llvm::is_contained(contracting, dim))
      dims.push_back(dim);
  return dims;
}

FailureOr<GemmShape> cleave::readGemmShape(graph::DotGeneralOp dot) {
  auto lhs = cast<RankedTensorType>(dot.getLhs().getType());
  auto rhs = cast<RankedTensorType>(dot.getRhs().getType());
  auto result = cast<RankedTensorType>(dot.getResult().getType());
  SmallVector<int64_t> a = denseStrides(lhs.getShape());
  SmallVector<int64_t> b = denseStrides(rhs.getShape());
  SmallVector<int64_t> out = denseStrides(result.getShape());
  ArrayRef<int64_t> outStride = out;

  SmallVector<Loop> batch, rows, cols, inner;
  for (auto [l, r] :
       llvm::zip_equal(dot.getLhsBatchingDims(), dot.getRhsBatchingDims())) {
    batch.push_back({lhs.getDimSize(l), a[l], b[r], outStride.front()});
    outStride = outStride.drop_front();
  }
  for (int64_t dim : freeDims(lhs.getRank(), dot.getLhsBatchingDims(),
                              dot.getLhsContractingDims())) {
    rows.push_back({lhs.getDimSize(dim), a[dim], 0, outStride.front()});
    outStride = outStride.drop_front();
  }
  for (int64_t dim : freeDims(rhs.getRank(), dot.getRhsBatchingDims(),
                              dot.getRhsContractingDims())) {
    cols.push_back({rhs.getDimSize(dim), 0, b[dim], outStride.front()});
    outStride = outStride.drop_front();
  }
  for (auto [l, r] : llvm::zip_equal(dot.getLhsContractingDims(),
                                     dot.getRhsContractingDims()))
    inner.push_back({lhs.getDimSize(l), a[l], b[r], 0});
  // The order of a sum does not matter.
  llvm::sort(inner, [](const Loop &x, const Loop &y) { return x.a > y.a; });

  inner = collapse(inner);
  if (inner.size() > 1 && result.getNumElements() != 0 &&
      llvm::all_of(inner, [](const Loop &loop) { return loop.size != 0; }))
    return dot.emitOpError(
        "contracts dimensions that do not lie next to each "
        "other in the same order in both operands; transpose "
        "an operand first");
  Loop k = inner.empty() ? Loop() : inner.back();
  for (const Loop &loop : inner)
    if (loop.size == 0)
      k.size = 0;
  Loop m = takeInnermost(collapse(rows), batch);
  Loop n = takeInnermost(collapse(cols), batch);

  // An index with one value has no stride; give it that of a dense matrix.
  int64_t kSize = std::max<int64_t>(k.size, 1);
  int64_t nSize = std::max<int64_t>(n.size, 1);
  if (k.size == 1)
    k.a = 1, k.b = n.size == 1 ? 1 : n.b * nSize;
  if (m.size == 1)
    m.a = k.a * kSize;
  if (n.size == 1)
    n.b = 1, n.out = 1;
  if (m.size == 1)
    m.out = n.out * nSize;

  GemmShape shape;
  shape.m = m.size;
  shape.n = n.size;
  shape.k = k.size;
  for (const Loop &loop : collapse(batch)) {
    shape.batch.push_back(loop.size);
    shape.a.push_back(loop.a);
    shape.b.push_back(loop.b);
    shape.out.push_back(loop.out);
  }
  shape.a.append({m.a, k.a});
  shape.b.append({k.b, n.b});
  shape.out.append({m.out, n.out});
  return shape;
}
