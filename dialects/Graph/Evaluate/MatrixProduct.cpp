//===- MatrixProduct.cpp - Batched products for the evaluator -------------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialects/Graph/Evaluate/MatrixProduct.h"
#include <algorithm>
#include <cstdint>
#include <thread>

using namespace cleave::graph;

// A multiplication and an addition must round separately everywhere, or
// results would depend on the machine.
#ifdef __clang__
#pragma clang fp contract(off)
#endif

namespace {

/// Elements of the result computed at a time: as many accumulators as fit in
/// 16 registers of 16 bytes beside the operands.
constexpr int64_t tileRows = 4;
template <typename T> constexpr int64_t tileColumns = 32 / sizeof(T);

/// tile[r][c] = sum over i of rows[r][i] * panel[i][c].
template <typename T>
void multiplyTile(const T *const (&rows)[tileRows], const T *panel, int64_t k,
                  T (&tile)[tileRows][tileColumns<T>]) {
  constexpr int64_t width = tileColumns<T>;
  T sums[tileRows][width] = {};
  for (int64_t i = 0; i < k; ++i)
    for (int64_t r = 0; r < tileRows; ++r)
      for (int64_t c = 0; c < width; ++c)
        sums[r][c] += rows[r][i] * panel[i * width + c];
  std::copy(&sums[0][0], &sums[0][0] + tileRows * width, &tile[0][0]);
}

/// Computes tileColumns columns of one matrix of the batch, from `column`.
template <typename T>
void multiplyPanel(const ProductShape &shape, const T *lhs, const double *rhs,
                   int64_t column, std::vector<T> &panel, double *result) {
  constexpr int64_t width = tileColumns<T>;
  int64_t columns = std::min(width, shape.n - column);
  for (int64_t i = 0; i < shape.k; ++i)
    for (int64_t c = 0; c < columns; ++c)
      panel[i * width + c] = static_cast<T>(rhs[i * shape.n + column + c]);

  for (int64_t row = 0; row < shape.m; row += tileRows) {
    const T *rows[tileRows];
    // Missing rows repeat the last one and are not stored.
    for (int64_t r = 0; r < tileRows; ++r)
      rows[r] = lhs + std::min(row + r, shape.m - 1) * shape.k;
    T tile[tileRows][width];
    multiplyTile<T>(rows, panel.data(), shape.k, tile);
    for (int64_t r = 0; r < std::min(tileRows, shape.m - row); ++r)
      for (int64_t c = 0; c < columns; ++c)
        result[(row + r) * shape.n + column + c] = tile[r][c];
  }
}

template <typename T>
std::vector<double> multiply(const ProductShape &shape, const T *lhs,
                             const double *rhs, unsigned numThreads) {
  std::vector<double> result(shape.batch * shape.m * shape.n);
  int64_t panels = (shape.n + tileColumns<T> - 1) / tileColumns<T>;
  int64_t total = shape.batch * panels;
  auto work = [&](int64_t begin, int64_t end) {
    std::vector<T> panel(shape.k * tileColumns<T>);
    for (int64_t item = begin; item < end; ++item) {
      int64_t b = item / panels;
      multiplyPanel<T>(shape, lhs + b * shape.m * shape.k,
                       rhs + b * shape.k * shape.n,
                       item % panels * tileColumns<T>, panel,
                       result.data() + b * shape.m * shape.n);
    }
  };

  double operations = 2.0 * result.size() * shape.k;
  int64_t parts = operations < 1e7 ? 1 : std::max(numThreads, 1u);
  std::vector<std::thread> threads;
  for (int64_t part = 1; part < parts; ++part)
    threads.emplace_back(work, part * total / parts,
                         (part + 1) * total / parts);
  work(0, total / parts);
  for (std::thread &thread : threads)
    thread.join();
  return result;
}

} // namespace

std::vector<double> cleave::graph::multiplyMatrices(const ProductShape &shape,
                                                    llvm::ArrayRef<double> lhs,
                                                    llvm::ArrayRef<double> rhs,
                                                    bool inFloat32,
                                                    unsigned numThreads) {
  if (shape.batch * shape.m * shape.n == 0)
    return {};
  if (!inFloat32)
    return multiply<double>(shape, lhs.data(), rhs.data(), numThreads);
  std::vector<float> narrow(lhs.begin(), lhs.end());
  return multiply<float>(shape, narrow.data(), rhs.data(), numThreads);
}

std::vector<int64_t>
cleave::graph::multiplyIntegers(const ProductShape &shape,
                                llvm::ArrayRef<int64_t> lhs,
                                llvm::ArrayRef<int64_t> rhs) {
  std::vector<int64_t> result(shape.batch * shape.m * shape.n);
  for (int64_t b = 0; b < shape.batch; ++b)
    for (int64_t i = 0; i < shape.m; ++i) {
      int64_t *row = result.data() + (b * shape.m + i) * shape.n;
      for (int64_t l = 0; l < shape.k; ++l) {
        auto factor =
            static_cast<uint64_t>(lhs[(b * shape.m + i) * shape.k + l]);
        const int64_t *from = rhs.data() + (b * shape.k + l) * shape.n;
        for (int64_t j = 0; j < shape.n; ++j)
          row[j] = static_cast<int64_t>(row[j] + factor * from[j]);
      }
    }
  return result;
}
