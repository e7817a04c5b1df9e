//===- Gemm.cpp - Matrix products -----------------------------------------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/devices/host/Gemm.h"
#include "runtime/core/Blocks.h"

#include <algorithm>

using namespace cleave::rt;

/// One batch element: where its matrices start.
struct Gemm::Matrices {
  const char *a, *b, *residual;
  const void *bias;
  char *out;
};

static int64_t roundUp(int64_t n, int64_t to) { return ceilDiv(n, to) * to; }

Gemm::Gemm(const GemmSpec &spec, const Kernels &kernels)
    : spec(spec), kernels(kernels), tile(kernels.getTile(spec.dtype)),
      elementSize(getSize(spec.dtype)),
      computeSize(getComputeSize(spec.dtype)) {
  for (int64_t size : spec.batch)
    batchCount *= size;
  // A strip of b (blockK x nr) stays in the first-level cache, the block of a
  // (blockM x blockK) in the second, the panel of b in the third.
  blockK = std::min<int64_t>(std::max<int64_t>(spec.k, 1), 1536 / computeSize);
  blockM = std::min(roundUp(std::max<int64_t>(spec.m, 1), tile.mr),
                    roundUp(768 / computeSize, tile.mr));
  blockN = std::min(roundUp(std::max<int64_t>(spec.n, 1), tile.nr),
                    roundUp(4096 / computeSize, tile.nr));
  // With several steps along k, unfinished tiles of this many rows are kept.
  outerM = std::min(roundUp(std::max<int64_t>(spec.m, 1), tile.mr),
                    roundUp(1024, blockM));
  aBytes = roundUp(blockM * blockK * computeSize, 64);
  bBytes = roundUp(blockN * blockK * computeSize, 64);
  int64_t numTiles = spec.k > blockK
                         ? ceilDiv(outerM, tile.mr) * ceilDiv(blockN, tile.nr)
                         : 1;
  tileBytes = roundUp(numTiles * tile.mr * tile.nr * computeSize, 64);
}

void Gemm::run(ThreadPool &pool, char *const *scratch,
               const GemmOperands &operands) const {
  if (batchCount == 0 || spec.m == 0 || spec.n == 0)
    return;
  Range batch{0, batchCount}, rows{0, spec.m}, columns{0, spec.n};
  // Split what needs no operand to be packed twice: whole batch elements, then
  // the longer side of the result.
  if (batchCount >= pool.getSize())
    pool.split(batchCount, [&](int32_t thread, int64_t begin, int64_t end) {
      runPart(scratch[thread], operands, {begin, end}, rows, columns);
    });
  else if (spec.n >= spec.m)
    pool.split(ceilDiv(spec.n, tile.nr),
               [&](int32_t thread, int64_t begin, int64_t end) {
                 runPart(scratch[thread], operands, batch, rows,
                         {begin * tile.nr, std::min(spec.n, end * tile.nr)});
               });
  else
    pool.split(ceilDiv(spec.m, tile.mr),
               [&](int32_t thread, int64_t begin, int64_t end) {
                 runPart(scratch[thread], operands, batch,
                         {begin * tile.mr, std::min(spec.m, end * tile.mr)},
                         columns);
               });
}

void Gemm::runPart(char *scratch, const GemmOperands &operands, Range batch,
                   Range rows, Range columns) const {
  for (int64_t index = batch.begin; index < batch.end; ++index) {
    int64_t a = 0, b = 0, out = 0, rest = index;
    for (size_t i = spec.batch.size(); i-- > 0;) {
      int64_t coordinate = rest % spec.batch[i];
      rest /= spec.batch[i];
      a += coordinate * spec.a.batch[i];
      b += coordinate * spec.b.batch[i];
      out += coordinate * spec.out.batch[i];
    }
    auto at = [&](const void *pointer, int64_t offset) {
      return static_cast<const char *>(pointer) + offset * elementSize;
    };
    Matrices matrices;
    matrices.a = at(operands.a, a);
    matrices.b = at(operands.b, b);
    matrices.bias = spec.bias == Bias::None ? nullptr : operands.bias;
    matrices.residual = spec.residual ? at(operands.residual, out) : nullptr;
    matrices.out = static_cast<char *>(operands.out) + out * elementSize;
    runMatrix(scratch, matrices, rows, columns);
  }
}

void Gemm::runMatrix(char *scratch, const Matrices &matrices, Range rows,
                     Range columns) const {
  PackKernel pack = kernels.pack[static_cast<int>(spec.dtype)];
  char *aScratch = scratch, *bScratch = aScratch + aBytes;
  char *tiles = bScratch + bBytes;
  int64_t tileSize = tile.mr * tile.nr * computeSize;
  // A product over nothing still writes zeros.
  int64_t k = std::max<int64_t>(spec.k, 1);
  bool isSingleStep = k <= blockK;

  for (int64_t m0 = rows.begin; m0 < rows.end; m0 += outerM)
    for (int64_t n0 = columns.begin; n0 < columns.end; n0 += blockN) {
      int64_t nSize = std::min(blockN, columns.end - n0);
      for (int64_t k0 = 0; k0 < k; k0 += blockK) {
        int64_t depth = std::min(blockK, spec.k - k0);
        bool isLast = k0 + blockK >= k;
        pack(matrices.b +
                 (n0 * spec.b.col + k0 * spec.b.row) * elementSize,
             spec.b.col, spec.b.row, nSize, depth, tile.nr, bScratch);
        int64_t outerEnd = std::min(m0 + outerM, rows.end);
        for (int64_t m1 = m0; m1 < outerEnd; m1 += blockM) {
          int64_t mSize = std::min(blockM, outerEnd - m1);
          pack(matrices.a +
                   (m1 * spec.a.row + k0 * spec.a.col) * elementSize,
               spec.a.row, spec.a.col, mSize, depth, tile.mr, aScratch);
          for (int64_t j = 0; j < nSize; j += tile.nr)
            for (int64_t i = 0; i < mSize; i += tile.mr) {
              // Unfinished tiles wait side by side; a single step needs one.
              int64_t index = isSingleStep
                                  ? 0
                                  : (m1 - m0 + i) / tile.mr *
                                            ceilDiv(blockN, tile.nr) +
                                        j / tile.nr;
              char *result = tiles + index * tileSize;
              tile.run(depth, aScratch + i * depth * computeSize,
                       bScratch + j * depth * computeSize, result, k0 > 0);
              if (isLast)
                finishTile(matrices, result, m1 + i,
                           std::min(tile.mr, mSize - i), n0 + j,
                           std::min(tile.nr, nSize - j));
            }
        }
      }
    }
}

void Gemm::finishTile(const Matrices &matrices, const char *result,
                      int64_t row, int64_t rows, int64_t column,
                      int64_t columns) const {
  FinishKernel finish = kernels.finish[static_cast<int>(spec.dtype)];
  FinishRow line;
  line.count = columns;
  line.biasStride = spec.bias == Bias::PerColumn;
  line.activation = spec.activation;
  line.outStride = spec.out.col;
  for (int64_t i = 0; i < rows; ++i) {
    int64_t offset =
        ((row + i) * spec.out.row + column * spec.out.col) * elementSize;
    line.values = result + i * tile.nr * computeSize;
    line.bias = matrices.bias
                    ? static_cast<const char *>(matrices.bias) +
                          (line.biasStride ? column : row + i) * elementSize
                    : nullptr;
    line.residual = matrices.residual ? matrices.residual + offset : nullptr;
    line.out = matrices.out + offset;
    finish(line);
  }
}
