//===- AttentionTiles.h - Tiles of scores over threads -------- -*- C++ -*-===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// How the threads of a block compute the two products of attention. Each warp
// has 16 rows (queries); a tile has some keys. A thread has the scores of some
// rows at some keys, and the same rows of the result at some features; a row is
// spread over neighbouring lanes.
//
//===----------------------------------------------------------------------===//

#ifndef CLEAVE_PASSES_CODEGEN_BLOCKS_ATTENTIONTILES_H
#define CLEAVE_PASSES_CODEGEN_BLOCKS_ATTENTIONTILES_H

#include "passes/Codegen/Blocks/BlockKernel.h"

namespace cleave::codegen {

/// Sizes of an attention: query [batch, s, groups * r, d], key [batch, t,
/// groups, d], value [batch, t, groups, e]. The r query heads of a group see
/// the same keys, and are further rows: row n of a group is position n / r,
/// head n % r.
struct AttentionShape {
  int64_t batch, s, groups, r, d, t, e;
  int64_t rows() const { return s * r; }
};

/// What a block works on at a time: some rows of a group.
struct AttentionItem {
  mlir::Value batch, group, firstRow;
};

class AttentionTiles {
public:
  static constexpr int64_t rowsOfWarp = 16;
  /// Neighbouring columns of the result that a thread has, and where their sums
  /// are in the list of a row.
  struct Columns {
    mlir::Value first;
    int64_t count, position;
  };

  AttentionTiles(BlockKernel &kernel, const AttentionShape &shape, int64_t keys)
      : k(kernel), b(kernel.b), shape(shape), keys(keys) {}
  virtual ~AttentionTiles() = default;

  int64_t getNumKeys() const { return keys; }
  int64_t getNumWarps() const { return k.getNumThreads() / 32; }
  /// Lanes that have parts of the same row, a power of two.
  virtual int64_t lanesOfRow() const = 0;
  /// The rows of a thread, of the block's.
  virtual llvm::SmallVector<mlir::Value> rows() = 0;
  /// The keys of a thread, of the tile's.
  virtual llvm::SmallVector<mlir::Value> columns() = 0;
  virtual llvm::SmallVector<Columns> resultColumns() = 0;

  /// Keeps the queries of an item, for all tiles that follow.
  virtual void loadQuery(const AttentionItem &item) = 0;
  /// Brings keys and values, from key `first` on, into shared memory. All
  /// threads wait before and after `scores` and `accumulate` use them.
  virtual void loadTile(const AttentionItem &item, mlir::Value first) = 0;
  using Values = llvm::SmallVector<mlir::Value>;
  /// Products of queries and keys: of the first row all columns, and so on.
  virtual Values scores() = 0;
  /// `sums` + `weights` times values; sums are those of the first row at all of
  /// `resultColumns`, and so on.
  virtual Values accumulate(mlir::ValueRange weights,
                            mlir::ValueRange sums) = 0;

  /// Place of a row of the query or the result, whose heads have `features`,
  /// and whether there is such a row (null if there always is).
  mlir::Value placeOfRow(const AttentionItem &item, mlir::Value row,
                         int64_t features);
  mlir::Value isRow(const AttentionItem &item, mlir::Value row);
  /// Whether there is a column of the result; null if there always is.
  mlir::Value isResultColumn(mlir::Value column) {
    return isFeature(column, shape.e, paddedFeatures());
  }

protected:
  /// Columns that all threads together have.
  virtual int64_t paddedFeatures() const = 0;
  const KernelBuffer &query() const { return k.operand(0); }
  const KernelBuffer &key() const { return k.operand(1); }
  const KernelBuffer &value() const { return k.operand(2); }
  /// Place of the features of a key.
  mlir::Value placeOfKey(const AttentionItem &item, mlir::Value number,
                         int64_t features);
  /// Whether there is a key, or a feature; null if there always is.
  mlir::Value isKey(mlir::Value number);
  mlir::Value isFeature(mlir::Value feature, int64_t features, int64_t padded);

  BlockKernel &k;
  mlir::ImplicitLocOpBuilder &b;
  const AttentionShape &shape;
  int64_t keys;
};

/// Features that one access of `bytes` bytes at most holds.
int64_t featuresAtOnce(int64_t features, int64_t elementBytes,
                       int64_t bytes = 16);

/// Warps of a block and keys of a tile, such that tiles fit shared memory.
struct AttentionTileSize {
  int64_t warps, keys;
};

/// f32 by multiply-add of each thread.
AttentionTileSize chooseFmaTileSize(const AttentionShape &shape);
std::unique_ptr<AttentionTiles> makeFmaTiles(BlockKernel &kernel,
                                             const AttentionShape &shape,
                                             AttentionTileSize size);
/// Tensor cores: f16 and bf16; f32 rounded to TF32.
AttentionTileSize chooseMatrixTileSize(const AttentionShape &shape);
std::unique_ptr<AttentionTiles> makeMatrixTiles(BlockKernel &kernel,
                                                const AttentionShape &shape,
                                                AttentionTileSize size);

} // namespace cleave::codegen

#endif // CLEAVE_PASSES_CODEGEN_BLOCKS_ATTENTIONTILES_H
