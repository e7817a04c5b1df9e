//===- GPUMapping.cpp - How a kernel runs on a GPU ------------------------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A cost in memory transactions per thread that can run: accesses of
// neighbouring threads to neighbouring elements are one, to others one each.
//
//===----------------------------------------------------------------------===//

#include "passes/Codegen/GPU/GPUMapping.h"
#include "passes/Codegen/GPU/GPUModule.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace cleave::codegen {

/// Threads that keep a large GPU busy.
static constexpr int64_t busyThreads = 1 << 16;
static constexpr int64_t maxBlockThreads = 512;
/// Partial sums of the warps of a block.
static constexpr int64_t scratchBytes = warpSize * 8;

static int64_t bytesOf(Type element) {
  return llvm::divideCeil(element.getIntOrFloatBitWidth(), 8);
}

static bool readsComputedIndices(const LoopNest &nest) {
  return nest.op->walk([](memref::LoadOp) { return WalkResult::interrupt(); })
      .wasInterrupted();
}

/// Whether the steps of a loop may be run by several threads.
static bool canSplit(const LoopNest &nest, int64_t loop, bool ordered) {
  return nest.extents[loop] > 1 &&
         (loop < nest.numParallel ||
          (!ordered && !nest.isScan && combiningOp(nest)));
}

/// Elements that one access of 16 bytes holds, if all contiguous accesses lie
/// at multiples of it and the others are the same for all lanes; else 1.
static int64_t lanesOf(const LoopNest &nest, int64_t loop) {
  if (readsComputedIndices(nest))
    return 1;
  int64_t widest = 1;
  for (const NestAccess &access : nest.accesses)
    if (access.buffer)
      widest = std::max(widest, bytesOf(access.buffer->type.getElementType()));
  auto allows = [&](const NestAccess &access, bool isOutput, int64_t lanes) {
    if (!access.buffer)
      return true;
    int64_t step = access.coefficients[loop];
    if (step == 0)
      return !isOutput || loop >= nest.numParallel;
    if (step != 1 || access.constant % lanes != 0 || !access.dynamic.empty())
      return false;
    for (auto [other, coefficient] : llvm::enumerate(access.coefficients))
      if (int64_t(other) != loop && nest.extents[other] > 1 &&
          coefficient % lanes != 0)
        return false;
    return true;
  };
  int64_t lanes = 16 / widest;
  for (; lanes > 1; lanes /= 2)
    if (nest.extents[loop] % lanes == 0 &&
        llvm::all_of(nest.inputs(),
                     [&](const NestAccess &access) {
                       return allows(access, false, lanes);
                     }) &&
        llvm::all_of(nest.outputs(), [&](const NestAccess &access) {
          return allows(access, true, lanes);
        }))
      break;
  return std::max<int64_t>(lanes, 1);
}

static double numIterations(const LoopNest &nest) {
  double iterations = 1;
  for (int64_t extent : nest.extents)
    iterations *= extent;
  return iterations;
}

/// Transactions of a step of the nest, where neighbouring threads run
/// neighbouring steps of `loop`.
static double transactions(const LoopNest &nest, int64_t loop) {
  double count = 1;
  for (const NestAccess &access : nest.accesses)
    if (access.buffer) {
      int64_t step = loop < 0 ? 0 : access.coefficients[loop];
      count += step == 0 ? 0.3 : step == 1 ? 1 : 8;
    }
  return count;
}

/// The loop that a block shares best, from `first` on.
static NestSplit chooseSplit(const LoopNest &nest, int64_t first,
                             bool ordered) {
  NestSplit best;
  double bestCost = numIterations(nest) * transactions(nest, -1);
  for (int64_t loop = first, e = nest.extents.size(); loop < e; ++loop) {
    if (!canSplit(nest, loop, ordered))
      continue;
    int64_t extent = nest.extents[loop];
    double cost = numIterations(nest) /
                  std::min<int64_t>(extent, maxBlockThreads) *
                  transactions(nest, loop);
    // Threads combine their sums.
    if (loop >= nest.numParallel)
      cost += numIterations(nest) / extent * 8;
    if (cost < bestCost) {
      best = {loop, lanesOf(nest, loop)};
      bestCost = cost;
    }
  }
  return best;
}

int64_t elementsPerTeam(const LoopKernel &kernel, const NestBuffer &buffer,
                        int64_t steps) {
  if (!buffer.isOfRow())
    return buffer.totalElements();
  int64_t rows = 1;
  for (int64_t extent : kernel.rowExtents)
    rows *= extent;
  return rows ? buffer.totalElements() / rows * steps : 0;
}

/// Bytes that a block needs, each array at a multiple of 16.
static int64_t sharedBytes(const LoopKernel &kernel, bool ofRows) {
  int64_t bytes = scratchBytes;
  for (const auto &buffer : kernel.buffers)
    if (buffer->isTemporary && buffer->isWritten &&
        (ofRows || buffer->isShared))
      bytes += llvm::alignTo(elementsPerTeam(kernel, *buffer, 1) *
                                 bytesOf(buffer->type.getElementType()),
                             16);
  return bytes;
}

bool isTransposed(const LoopNest &nest, const NestAccess &input, int64_t loop) {
  return input.buffer && input.coefficients.back() > 1 &&
         input.coefficients[loop] == 1;
}

/// The loop along which some inputs are contiguous instead of the last one, in
/// a kernel of one elementwise nest; -1 if there is none.
static int64_t findTransposedLoop(const LoopKernel &kernel) {
  if (kernel.nests.size() != 1 || kernel.numRowLoops < 2)
    return -1;
  const LoopNest &nest = kernel.nests[0];
  int64_t last = kernel.numRowLoops - 1;
  if (nest.isPreamble || nest.extents.size() != kernel.rowExtents.size() ||
      nest.numParallel != kernel.numRowLoops || nest.extents[last] < tileSize)
    return -1;
  for (const NestAccess &output : nest.outputs())
    if (output.coefficients[last] != 1)
      return -1;
  for (int64_t loop = 0; loop < last; ++loop)
    if (nest.extents[loop] >= tileSize &&
        llvm::any_of(nest.inputs(), [&](const NestAccess &input) {
          return isTransposed(nest, input, loop);
        }))
      return loop;
  return -1;
}

GPUMapping chooseGPUMapping(const LoopKernel &kernel, bool ordered) {
  GPUMapping mapping;
  mapping.transposedLoop = findTransposedLoop(kernel);
  if (mapping.transposedLoop >= 0) {
    int64_t last = kernel.numRowLoops - 1;
    for (auto [loop, extent] : llvm::enumerate(kernel.rowExtents))
      mapping.rows *=
          int64_t(loop) == last || int64_t(loop) == mapping.transposedLoop
              ? llvm::divideCeil(extent, tileSize)
              : extent;
    mapping.threads = tileSize * tileRows;
    mapping.blocks = usefulBlocks(mapping.rows);
    return mapping;
  }
  int64_t numRowLoops = kernel.numRowLoops, rows = 1, longest = 1;
  for (int64_t extent : kernel.rowExtents)
    rows *= extent;
  double threadCost = 0, blockCost = 0;
  bool hasPreamble = false, hasShares = false;
  mapping.lanes = numRowLoops > 0 ? 16 : 1;
  for (const LoopNest &nest : kernel.nests) {
    NestSplit split =
        chooseSplit(nest, nest.isPreamble ? 0 : numRowLoops, ordered);
    mapping.splits.push_back(split);
    int64_t extent = split.loop < 0 ? 1 : nest.extents[split.loop];
    longest = std::max(longest, extent / split.lanes);
    hasPreamble |= nest.isPreamble;
    if (nest.isPreamble)
      continue;
    hasShares |= split.loop >= 0;
    int64_t lastRow = numRowLoops - 1;
    if (numRowLoops > 0)
      mapping.lanes = std::min(mapping.lanes, lanesOf(nest, lastRow));
    int64_t byThreads = std::clamp<int64_t>(rows, 1, busyThreads);
    threadCost += numIterations(nest) * transactions(nest, lastRow) / byThreads;
    int64_t team = std::min(extent, maxBlockThreads);
    int64_t teams =
        std::clamp<int64_t>(rows, 1, busyThreads / std::max(team, warpSize));
    double cost =
        numIterations(nest) * transactions(nest, split.loop) / (team * teams);
    if (split.loop >= nest.numParallel)
      cost += numIterations(nest) / std::max<int64_t>(extent, 1) * 8 / teams;
    blockCost += cost;
  }
  mapping.hasSharedPreamble =
      hasPreamble && sharedBytes(kernel, false) <= maxSharedBytes;
  // Without a loop to share, the threads of a block would have nothing to do.
  mapping.isBlockPerRow = hasShares && blockCost < threadCost &&
                          sharedBytes(kernel, true) <= maxSharedBytes &&
                          (!hasPreamble || mapping.hasSharedPreamble);
  if (mapping.isBlockPerRow) {
    mapping.threads = std::clamp<int64_t>(llvm::PowerOf2Ceil(longest), warpSize,
                                          maxBlockThreads);
    mapping.lanes = 1;
    mapping.rows = rows;
    mapping.blocks = usefulBlocks(rows);
    return mapping;
  }
  mapping.rows = rows / mapping.lanes;
  mapping.threads = std::clamp<int64_t>(llvm::PowerOf2Ceil(mapping.rows),
                                        warpSize, mapping.threads);
  mapping.blocks =
      usefulBlocks(llvm::divideCeil(mapping.rows, mapping.threads));
  return mapping;
}

} // namespace cleave::codegen
