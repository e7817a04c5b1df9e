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
#include <cstring>

using namespace cleave::rt;

/// Rows of a that are packed at a time: a multiple of every mr, and of every
/// vector's length, by which a transposed a is packed.
constexpr int64_t blockM = 48;

/// Rows of the result up to which b is not packed, where a kernel can read it.
constexpr int64_t maxThinRows = 4;

/// One batch element: where its matrices start.
struct Gemm::Matrices {
  const char *a, *b, *bias, *residual;
  char *out;
  const char *packed; ///< b in packed form, or null
};

static int64_t roundUp(int64_t n, int64_t to) { return ceilDiv(n, to) * to; }

/// out^T = b^T a^T.
static GemmSpec transpose(GemmSpec spec) {
  std::swap(spec.m, spec.n);
  std::swap(spec.a, spec.b);
  std::swap(spec.aDType, spec.bDType);
  for (MatrixLayout *layout : {&spec.a, &spec.b, &spec.out})
    std::swap(layout->row, layout->col);
  if (spec.bias != Bias::None)
    spec.bias = spec.bias == Bias::PerRow ? Bias::PerColumn : Bias::PerRow;
  return spec;
}

Gemm::Gemm(const GemmSpec &newSpec, const Kernels &kernels)
    : spec(newSpec), kernels(kernels), tile(kernels.getTile(spec.dtype)),
      elementSize(getSize(spec.dtype)), computeSize(getComputeSize(spec.dtype)),
      // Tiles are wide; a narrow result is better computed lying down.
      isTransposed(spec.n < spec.m && spec.n <= 4) {
  if (isTransposed)
    spec = transpose(spec);
  aSize = getSize(spec.getADType());
  bSize = getSize(spec.getBDType());
  for (int64_t size : spec.batch)
    batchCount *= size;
  // Few rows use each element of b too few times to pay for packing it.
  if (spec.m <= maxThinRows && spec.k > 0 && bSize == computeSize)
    thinKernel = spec.b.col == 1   ? tile.thinSums
                 : spec.b.row == 1 ? tile.thinDots
                                   : nullptr;
  isPlainOut = spec.out.col == 1 && elementSize == computeSize &&
               spec.bias == Bias::None && !spec.residual &&
               spec.activation == Activation::None;
  int64_t m = std::max<int64_t>(spec.m, 1), n = std::max<int64_t>(spec.n, 1),
          k = std::max<int64_t>(spec.k, 1);
  // Steps of about the same depth.
  blockK = ceilDiv(k, ceilDiv(k, getMaxDepth(computeSize)));
  // So many columns of b, at most 0.8 MB, stay in the second-level cache.
  blockN = std::min(roundUp(n, tile.nr), roundUp(2048 / computeSize, tile.nr));
  // With several steps along k, unfinished tiles of this many rows are kept.
  bool isSingleStep = k <= blockK;
  outerM = isSingleStep ? m : std::min<int64_t>(m, 20 * blockM);
  aBytes = blockM * getPackedStride(computeSize) * computeSize;
  bBytes = roundUp(blockN * blockK * computeSize, 64);
  int64_t numTiles =
      ceilDiv(outerM, blockM) * (blockM / tile.mr) * (blockN / tile.nr);
  int64_t tileElements = (isSingleStep ? 1 : numTiles) * tile.mr * tile.nr;
  if (thinKernel)
    tileElements = std::max(tileElements, maxThinRows * blockN);
  tileBytes = roundUp(tileElements * computeSize, 64);
}

//===----------------------------------------------------------------------===//
// Packing
//===----------------------------------------------------------------------===//

int64_t Gemm::countMatricesOfB() const {
  bool isShared = std::all_of(spec.b.batch.begin(), spec.b.batch.end(),
                              [](int64_t stride) { return stride == 0; });
  return isShared ? 1 : batchCount;
}

int64_t Gemm::getPackedMatrixBytes() const {
  return roundUp(roundUp(spec.n, tile.nr) * spec.k * computeSize, 64);
}

int64_t Gemm::getPackedBytes() const {
  // The other operand of a transposed product is the small one.
  if (isTransposed || spec.m == 0 || batchCount == 0)
    return 0;
  return countMatricesOfB() * getPackedMatrixBytes();
}

void Gemm::packStrips(const char *b, Range columns, Range depth,
                      char *out) const {
  PackKernel pack = kernels.pack[static_cast<int>(spec.getBDType())];
  // A few rows of all strips at a time, to read each page of b once.
  constexpr int64_t rowsAtOnce = 32;
  for (int64_t l = depth.begin; l < depth.end; l += rowsAtOnce) {
    int64_t rows = std::min(rowsAtOnce, depth.end - l);
    char *to = out + (l - depth.begin) * tile.nr * computeSize;
    for (int64_t j = columns.begin; j < columns.end; j += tile.nr) {
      int64_t count = std::min(tile.nr, columns.end - j);
      // The kernel multiplies what lies beyond the last column, too.
      if (count < tile.nr)
        std::memset(to, 0, rows * tile.nr * computeSize);
      pack(b + (l * spec.b.row + j * spec.b.col) * bSize, spec.b.row,
           spec.b.col, rows, count, to, tile.nr);
      to += depth.size() * tile.nr * computeSize;
    }
  }
}

void Gemm::pack(ThreadPool &pool, const void *b, void *packed) const {
  // Without elements b may be null.
  if (getPackedBytes() == 0)
    return;
  for (int64_t index = 0, count = countMatricesOfB(); index < count; ++index) {
    int64_t offset = 0, rest = index;
    for (size_t i = spec.batch.size(); i-- > 0 && count > 1;) {
      offset += rest % spec.batch[i] * spec.b.batch[i];
      rest /= spec.batch[i];
    }
    const char *from = static_cast<const char *>(b) + offset * bSize;
    char *to = static_cast<char *>(packed) + index * getPackedMatrixBytes();
    pool.split(
        ceilDiv(spec.n, tile.nr), [&](int32_t, int64_t begin, int64_t end) {
          Range columns{begin * tile.nr, std::min(spec.n, end * tile.nr)};
          for (int64_t k0 = 0; k0 < spec.k; k0 += blockK) {
            Range depth{k0, std::min(k0 + blockK, spec.k)};
            packStrips(from, columns, depth,
                       to + (k0 * roundUp(spec.n, tile.nr) +
                             columns.begin * depth.size()) *
                                computeSize);
          }
        });
  }
}

void Gemm::packRows(const char *a, Range rows, Range depth, char *out) const {
  kernels.pack[static_cast<int>(spec.getADType())](
      a + (rows.begin * spec.a.row + depth.begin * spec.a.col) * aSize,
      spec.a.row, spec.a.col, rows.size(), depth.size(), out,
      getPackedStride(computeSize));
}

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

void Gemm::run(ThreadPool &pool, char *const *scratch, GemmOperands operands,
               const void *packedB) const {
  if (batchCount == 0 || spec.m == 0 || spec.n == 0)
    return;
  if (isTransposed)
    std::swap(operands.a, operands.b);
  const char *packed = static_cast<const char *>(packedB);
  Range batch{0, batchCount}, rows{0, spec.m}, columns{0, spec.n};
  // Three ways to split; time of the busiest thread in multiply-adds of a
  // vector per step along k. Packing an element takes about as long as four.
  int64_t threads = pool.getSize();
  int64_t tileRows = ceilDiv(spec.m, tile.mr),
          tileColumns = ceilDiv(spec.n, tile.nr);
  int64_t packing = packed || thinKernel ? 0 : spec.n / 4;
  int64_t byBatch = ceilDiv(batchCount, threads) *
                    (tileRows * tile.mr * tileColumns + packing);
  int64_t byColumns =
      batchCount *
      (tileRows * tile.mr * ceilDiv(tileColumns, threads) + packing / threads);
  int64_t byRows =
      batchCount *
      (ceilDiv(tileRows, threads) * tile.mr * tileColumns + packing);
  if (byBatch <= byColumns && byBatch <= byRows)
    pool.split(batchCount, [&](int32_t thread, int64_t begin, int64_t end) {
      runPart(scratch[thread], operands, packed, {begin, end}, rows, columns);
    });
  else if (byColumns < byRows)
    pool.split(tileColumns, [&](int32_t thread, int64_t begin, int64_t end) {
      runPart(scratch[thread], operands, packed, batch, rows,
              {begin * tile.nr, std::min(spec.n, end * tile.nr)});
    });
  else
    pool.split(tileRows, [&](int32_t thread, int64_t begin, int64_t end) {
      runPart(scratch[thread], operands, packed, batch,
              {begin * tile.mr, std::min(spec.m, end * tile.mr)}, columns);
    });
}

void Gemm::runPart(char *scratch, const GemmOperands &operands,
                   const char *packed, Range batch, Range rows,
                   Range columns) const {
  bool isShared = countMatricesOfB() == 1;
  for (int64_t index = batch.begin; index < batch.end; ++index) {
    int64_t a = 0, b = 0, out = 0, rest = index;
    for (size_t i = spec.batch.size(); i-- > 0;) {
      int64_t coordinate = rest % spec.batch[i];
      rest /= spec.batch[i];
      a += coordinate * spec.a.batch[i];
      b += coordinate * spec.b.batch[i];
      out += coordinate * spec.out.batch[i];
    }
    // Without elements (k = 0) an operand may be null.
    auto at = [&](const void *pointer, int64_t offset, int64_t size) {
      return pointer ? static_cast<const char *>(pointer) + offset * size
                     : nullptr;
    };
    Matrices matrices;
    matrices.a = at(operands.a, a, aSize);
    matrices.b = at(operands.b, b, bSize);
    matrices.bias =
        spec.bias == Bias::None ? nullptr : at(operands.bias, 0, elementSize);
    matrices.residual =
        spec.residual ? at(operands.residual, out, elementSize) : nullptr;
    matrices.out = static_cast<char *>(operands.out) + out * elementSize;
    matrices.packed =
        packed ? packed + (isShared ? 0 : index) * getPackedMatrixBytes()
               : nullptr;
    if (thinKernel && !packed)
      runThin(scratch, matrices, columns);
    else
      runTiles(scratch, matrices, rows, columns);
  }
}

void Gemm::runThin(char *scratch, const Matrices &matrices,
                   Range columns) const {
  char *aScratch = scratch, *result = aScratch + aBytes + bBytes;
  bool isDots = thinKernel == tile.thinDots;
  for (int64_t n0 = columns.begin; n0 < columns.end; n0 += blockN) {
    Range n{n0, std::min(n0 + blockN, columns.end)};
    for (int64_t k0 = 0; k0 < spec.k; k0 += blockK) {
      Range depth{k0, std::min(k0 + blockK, spec.k)};
      packRows(matrices.a, {0, spec.m}, depth, aScratch);
      thinKernel(depth.size(), aScratch,
                 matrices.b + (k0 * spec.b.row + n0 * spec.b.col) * bSize,
                 isDots ? spec.b.col : spec.b.row, spec.m, n.size(), result,
                 blockN, k0 > 0);
    }
    finish(matrices, result, blockN, {0, spec.m}, n);
  }
}

void Gemm::runTiles(char *scratch, const Matrices &matrices, Range rows,
                    Range columns) const {
  char *aScratch = scratch, *bScratch = aScratch + aBytes;
  char *tiles = bScratch + bBytes;
  int64_t tileSize = tile.mr * tile.nr * computeSize;
  int64_t aRowSize = getPackedStride(computeSize) * computeSize;
  // A product over nothing still writes zeros.
  int64_t k = std::max<int64_t>(spec.k, 1);
  bool isSingleStep = k <= blockK;

  for (int64_t n0 = columns.begin; n0 < columns.end; n0 += blockN)
    for (int64_t m0 = rows.begin; m0 < rows.end; m0 += outerM)
      for (int64_t k0 = 0; k0 < k; k0 += blockK) {
        Range n{n0, std::min(n0 + blockN, columns.end)};
        Range m{m0, std::min(m0 + outerM, rows.end)};
        Range depth{k0, std::min(k0 + blockK, spec.k)};
        bool isLast = k0 + blockK >= k;
        const char *strips = bScratch;
        if (matrices.packed)
          strips =
              matrices.packed +
              (k0 * roundUp(spec.n, tile.nr) + n0 * depth.size()) * computeSize;
        else if (depth.size() > 0)
          packStrips(matrices.b, n, depth, bScratch);
        char *nextTile = tiles;
        for (int64_t m1 = m.begin; m1 < m.end; m1 += blockM) {
          int64_t size = std::min(blockM, m.end - m1);
          if (depth.size() > 0)
            packRows(matrices.a, {m1, m1 + size}, depth, aScratch);
          // Tiles of about the same height.
          int64_t height = ceilDiv(size, ceilDiv(size, tile.mr));
          for (int64_t i = 0; i < size; i += height) {
            Range tileRows{m1 + i, m1 + std::min(i + height, size)};
            for (int64_t j = n.begin; j < n.end; j += tile.nr) {
              Range tileColumns{j, std::min(j + tile.nr, n.end)};
              bool isNarrow = tileColumns.size() <= tile.nr / 2;
              TileKernel run =
                  (isNarrow ? tile.narrow : tile.wide)[tileRows.size() - 1];
              // Where nothing is to be finished, the result is the tile.
              bool isPlain = isPlainOut && tileColumns.size() == tile.nr;
              char *out = matrices.out +
                          (tileRows.begin * spec.out.row + j * spec.out.col) *
                              elementSize;
              char *result = isPlain ? out : nextTile;
              run(depth.size(), aScratch + i * aRowSize,
                  strips + (j - n0) * depth.size() * computeSize, result,
                  isPlain ? spec.out.row : tile.nr, k0 > 0,
                  isLast ? out : result,
                  (isPlain || isLast ? spec.out.row : tile.nr) * computeSize);
              if (isLast && !isPlain)
                finish(matrices, result, tile.nr, tileRows, tileColumns);
              // Unfinished tiles wait side by side.
              if (!isSingleStep)
                nextTile += tileSize;
            }
          }
        }
      }
}

void Gemm::finish(const Matrices &matrices, const void *values, int64_t stride,
                  Range rows, Range columns) const {
  int64_t offset = rows.begin * spec.out.row + columns.begin * spec.out.col;
  auto at = [&](const char *data, int64_t offset) {
    return data ? data + offset * elementSize : nullptr;
  };
  FinishBlock block;
  block.values = values;
  block.valueStride = stride;
  block.rows = rows.size();
  block.columns = columns.size();
  block.biasRowStride = spec.bias == Bias::PerRow;
  block.biasColumnStride = spec.bias == Bias::PerColumn;
  block.bias =
      at(matrices.bias, block.biasRowStride ? rows.begin : columns.begin);
  block.activation = spec.activation;
  block.residual = at(matrices.residual, offset);
  block.out = matrices.out + offset * elementSize;
  block.rowStride = spec.out.row;
  block.columnStride = spec.out.col;
  kernels.finish[static_cast<int>(spec.dtype)](block);
}
