//===- ProductTiles.h - Tiles of a matrix product ------------- -*- C++ -*-===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A block makes a tile of 64 rows and 64 columns of a product, step by step of
// its depth: all threads bring parts of both operands into shared memory, wait,
// multiply them, and wait again.
//
//===----------------------------------------------------------------------===//

#ifndef CLEAVE_PASSES_CODEGEN_BLOCKS_PRODUCTTILES_H
#define CLEAVE_PASSES_CODEGEN_BLOCKS_PRODUCTTILES_H

#include "passes/Codegen/Blocks/BlockKernel.h"

namespace cleave::codegen {

class ProductTiles {
public:
  /// Rows and columns of a tile.
  static constexpr int64_t size = 64;
  using Values = llvm::SmallVector<mlir::Value>;
  /// Neighbouring columns of the result that a thread has.
  struct Columns {
    mlir::Value first;
    int64_t count;
  };
  enum class Side { Left, Right };

  ProductTiles(BlockKernel &kernel, int64_t depth)
      : k(kernel), b(kernel.b), depth(depth) {}
  virtual ~ProductTiles() = default;

  /// Columns of the left operand that a step has.
  int64_t getDepth() const { return depth; }
  /// Puts stored elements of an operand into shared memory: those of a row (or
  /// column, of the right side) from a place in the depth on; or, with
  /// `alongDepth` false, those of neighbouring columns at one place.
  virtual void put(Side side, mlir::Value line, mlir::Value at,
                   mlir::Value elements, bool alongDepth) = 0;
  /// `sums` + the product of what is in shared memory; sums are those of the
  /// first row at all columns, and so on.
  virtual Values multiply(mlir::ValueRange sums) = 0;
  /// The rows and columns of a thread.
  virtual Values rows() = 0;
  virtual llvm::SmallVector<Columns> columns() = 0;

protected:
  BlockKernel &k;
  mlir::ImplicitLocOpBuilder &b;
  int64_t depth;
};

/// f32 by multiply-add of each thread.
constexpr int64_t fmaProductThreads = 256;
std::unique_ptr<ProductTiles> makeFmaProduct(BlockKernel &kernel);
/// f16 or bf16 by tensor cores.
constexpr int64_t matrixProductThreads = 128;
std::unique_ptr<ProductTiles> makeMatrixProduct(BlockKernel &kernel,
                                                mlir::Type element);

} // namespace cleave::codegen

#endif // CLEAVE_PASSES_CODEGEN_BLOCKS_PRODUCTTILES_H
