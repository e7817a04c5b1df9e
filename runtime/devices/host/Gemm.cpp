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
#include <dlfcn.h>
#include <dnnl.h>

using namespace cleave::rt;

/// One batch element: where its matrices start.
struct Gemm::Matrices {
  const char *a, *b, *bias, *residual;
  char *out;
};

/// How BLAS would address a row-major matrix: plain ('N') or transposed ('T')
/// with a leading dimension. False if it cannot.
static bool getLeading(const MatrixLayout &layout, int64_t rows,
                       int64_t columns, char &trans, int64_t &leading) {
  // A stride along one position does not matter.
  int64_t row = rows > 1 ? layout.row : std::max<int64_t>(columns, 1);
  int64_t column = columns > 1 ? layout.col : std::max<int64_t>(rows, 1);
  if ((column == 1 || columns <= 1) && row >= std::max<int64_t>(columns, 1)) {
    trans = 'N';
    leading = row;
    return true;
  }
  trans = 'T';
  leading = column;
  return (row == 1 || rows <= 1) && column >= std::max<int64_t>(rows, 1);
}

static int64_t roundUp(int64_t n, int64_t to) { return ceilDiv(n, to) * to; }

Gemm::Gemm(const GemmSpec &spec, const Kernels &kernels)
    : spec(spec), kernels(kernels), tile(kernels.getTile(spec.dtype)),
      elementSize(getSize(spec.dtype)),
      computeSize(getComputeSize(spec.dtype)) {
  for (int64_t size : spec.batch)
    batchCount *= size;
  Blas candidate;
  char transC;
  if (spec.dtype == DType::F32 && spec.k > 0 &&
      getLeading(spec.a, spec.m, spec.k, candidate.transA, candidate.lda) &&
      getLeading(spec.b, spec.k, spec.n, candidate.transB, candidate.ldb) &&
      getLeading(spec.out, spec.m, spec.n, transC, candidate.ldc) &&
      transC == 'N')
    blas = candidate;
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
  int64_t numTiles =
      spec.k > blockK ? ceilDiv(outerM, tile.mr) * ceilDiv(blockN, tile.nr) : 1;
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
    pool.split(ceilDiv(spec.m, tile.mr), [&](int32_t thread, int64_t begin,
                                             int64_t end) {
      runPart(scratch[thread], operands, batch,
              {begin * tile.mr, std::min(spec.m, end * tile.mr)}, columns);
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
    // Without elements (k = 0) an operand may be null.
    auto at = [&](const void *pointer, int64_t offset) {
      return pointer ? static_cast<const char *>(pointer) + offset * elementSize
                     : nullptr;
    };
    Matrices matrices;
    matrices.a = at(operands.a, a);
    matrices.b = at(operands.b, b);
    matrices.bias = spec.bias == Bias::None ? nullptr : at(operands.bias, 0);
    matrices.residual = spec.residual ? at(operands.residual, out) : nullptr;
    matrices.out = static_cast<char *>(operands.out) + out * elementSize;
    if (blas)
      runBlas(matrices, rows, columns);
    else
      runMatrix(scratch, matrices, rows, columns);
  }
}

void Gemm::runBlas(const Matrices &matrices, Range rows, Range columns) const {
  auto at = [&](const char *data, int64_t offset) {
    return reinterpret_cast<const float *>(data) + offset;
  };
  float *out = reinterpret_cast<float *>(matrices.out) +
               rows.begin * spec.out.row + columns.begin * spec.out.col;
  // With a beta of 0 the result is not read.
  dnnl_sgemm(blas->transA, blas->transB, rows.end - rows.begin,
             columns.end - columns.begin, spec.k, 1,
             at(matrices.a, rows.begin * spec.a.row), blas->lda,
             at(matrices.b, columns.begin * spec.b.col), blas->ldb, 0, out,
             blas->ldc);
  if (matrices.bias || matrices.residual || spec.activation != Activation::None)
    finish(matrices, out, blas->ldc, rows, columns);
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
        if (depth > 0)
          pack(matrices.b + (n0 * spec.b.col + k0 * spec.b.row) * elementSize,
               spec.b.col, spec.b.row, nSize, depth, tile.nr, bScratch);
        int64_t outerEnd = std::min(m0 + outerM, rows.end);
        for (int64_t m1 = m0; m1 < outerEnd; m1 += blockM) {
          int64_t mSize = std::min(blockM, outerEnd - m1);
          if (depth > 0)
            pack(matrices.a + (m1 * spec.a.row + k0 * spec.a.col) * elementSize,
                 spec.a.row, spec.a.col, mSize, depth, tile.mr, aScratch);
          for (int64_t j = 0; j < nSize; j += tile.nr)
            for (int64_t i = 0; i < mSize; i += tile.mr) {
              // Unfinished tiles wait side by side; a single step needs one.
              int64_t index = isSingleStep ? 0
                                           : (m1 - m0 + i) / tile.mr *
                                                     ceilDiv(blockN, tile.nr) +
                                                 j / tile.nr;
              char *result = tiles + index * tileSize;
              tile.run(depth, aScratch + i * depth * computeSize,
                       bScratch + j * depth * computeSize, result, k0 > 0);
              if (isLast)
                finish(matrices, result, tile.nr,
                       {m1 + i, m1 + std::min(i + tile.mr, mSize)},
                       {n0 + j, n0 + std::min(j + tile.nr, nSize)});
            }
        }
      }
    }
}

void Gemm::finish(const Matrices &matrices, const void *values,
                  int64_t valueStride, Range rows, Range columns) const {
  int64_t offset = rows.begin * spec.out.row + columns.begin * spec.out.col;
  auto at = [&](const char *data, int64_t offset) {
    return data ? data + offset * elementSize : nullptr;
  };
  FinishBlock block;
  block.values = values;
  block.valueStride = valueStride;
  block.rows = rows.end - rows.begin;
  block.columns = columns.end - columns.begin;
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

void cleave::rt::prepareThreads(ThreadPool &pool) {
  // oneDNN uses the OpenMP threads of its caller; the setting is per thread.
  // OpenMP comes with oneDNN, so its symbol is looked up rather than linked.
  using SetNumThreads = void (*)(int);
  if (void *symbol = ::dlsym(RTLD_DEFAULT, "omp_set_num_threads"))
    pool.run([](void *symbol,
                int32_t) { reinterpret_cast<SetNumThreads>(symbol)(1); },
             symbol);
}
