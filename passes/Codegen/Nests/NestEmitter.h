//===- NestEmitter.h - Loops of vector operations ---------------*- C++ -*-===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Emits one nest of a kernel for one row. One loop is vectorised: a parallel
// one, where each lane is an element of the result, or a reduction, where each
// lane has an accumulator and lanes are combined at the end. A transpose runs
// in square tiles of two loops.
//
//===----------------------------------------------------------------------===//

#ifndef CLEAVE_PASSES_CODEGEN_NESTS_NESTEMITTER_H
#define CLEAVE_PASSES_CODEGEN_NESTS_NESTEMITTER_H

#include "mlir/IR/IRMapping.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "passes/Codegen/Nests/LoopKernel.h"

namespace cleave::codegen {

/// Which loop of a nest becomes lanes; none (-1) is a scalar nest.
struct VectorChoice {
  int64_t loop = -1;
  int64_t lanes = 1;
  double cost = 0;
  /// The other loop of square tiles, along which an operand is contiguous; -1
  /// without tiles.
  int64_t tileLoop = -1;
  /// Sums of the same element that a strip may keep: each is shorter, so that
  /// it rounds smaller numbers, and additions overlap.
  int64_t sumChains = 1;
};

struct VectorOptions {
  int64_t bits = 512; ///< of a register
  /// Every sum is formed in the order of the index.
  bool isOrdered = false;
};

/// Bytes of the widest element that lanes hold.
int64_t widestElement(const LoopNest &nest);

/// The cheapest loop from `firstLoop` on.
VectorChoice chooseVectorLoop(const LoopNest &nest, int64_t firstLoop,
                              VectorOptions options);

/// Tiles for a nest that transposes an operand; nothing for others.
std::optional<VectorChoice> chooseTile(const LoopNest &nest,
                                       int64_t vectorBits);

/// The op that combines an accumulator with an element, if the nest's body is
/// one such op on one output that may be reordered; null otherwise.
mlir::Operation *combiningOp(const LoopNest &nest);
/// Its neutral element.
mlir::TypedAttr neutralElement(const LoopNest &nest, mlir::Type element);
/// Combines scalars or vectors with it.
mlir::Value combineWith(mlir::ImplicitLocOpBuilder &builder,
                        const LoopNest &nest, mlir::Value x, mlir::Value y);
/// A vector of equal elements.
mlir::Value vectorConstant(mlir::ImplicitLocOpBuilder &builder,
                           mlir::TypedAttr element, int64_t lanes);

/// The part of the row space that a nest runs on: one index per row loop; the
/// last row loop may be a block of several steps.
struct RowPosition {
  llvm::SmallVector<mlir::Value> indices;
  /// Steps of the last row loop, if it is a block: a number, or a value where
  /// the last block is shorter.
  bool isBlock = false;
  int64_t blockSize = 1;
  mlir::Value dynamicSize;
};

/// One loop of which this code runs every `count`-th step, from `first` on:
/// threads that run the same code share its steps. If the loop is vectorised,
/// steps are whole vectors.
struct LoopSplit {
  int64_t loop = -1;
  mlir::Value first;
  int64_t count = 1;
};

class NestEmitter {
public:
  NestEmitter(mlir::ImplicitLocOpBuilder &builder, const LoopKernel &kernel,
              const LoopNest &nest, VectorChoice choice,
              const RowPosition &position, mlir::IRMapping &scalars);
  void setSplit(LoopSplit newSplit) { split = newSplit; }
  /// Says that contiguous vectors lie at multiples of their size.
  void setAligned() { isAligned = true; }
  void emit();

protected:
  using Values = llvm::SmallVector<mlir::Value>;
  using LoopBody = llvm::function_ref<Values(mlir::Value, mlir::ValueRange)>;
  /// Positions of the lanes at which a strip starts, one per unrolled vector.
  struct Strip {
    int64_t unroll = 1;
    mlir::Value mask;
  };

  mlir::Value indexConstant(int64_t value);
  mlir::Value add(mlir::Value x, mlir::Value y);
  mlir::Value scale(mlir::Value x, int64_t factor);
  mlir::Value flatIndex(const NestAccess &access);
  bool isBlockLoop(int64_t loop) {
    return position.isBlock &&
           loop + 1 == static_cast<int64_t>(position.indices.size());
  }
  void setIndex(int64_t loop, mlir::Value value);
  mlir::Value extentOf(int64_t loop);
  /// First index of a loop and distance to the next.
  mlir::Value startOf(int64_t loop);
  int64_t stepOf(int64_t loop) { return loop == split.loop ? split.count : 1; }
  Values loop(mlir::Value low, mlir::Value high, int64_t step,
              mlir::ValueRange inits, LoopBody body);

  void emitParallel(int64_t loop);
  void emitAroundTiles(int64_t loop);
  void emitTiles(int64_t firstRow, int64_t rows, int64_t firstColumn,
                 int64_t columns);
  void emitTile(mlir::Value row, mlir::Value column);
  void emitVectorStrips();
  void emitStrip(const Strip &strip);
  /// What a scan accumulates from.
  mlir::Value scanStart();
  void emitLaneReduction();
  /// Sums of one element that run side by side.
  int64_t numChains();
  /// Runs the reduction loops from `loop` on, except the vectorised one. The
  /// body takes the accumulators of one chain, in turns.
  Values emitReductionLoops(int64_t loop, mlir::ValueRange accumulators,
                            int64_t chains,
                            llvm::function_ref<Values(mlir::ValueRange)> body);
  Values emitBody(mlir::ValueRange accumulators, mlir::Value mask);

  bool isVector(mlir::Value value) {
    return llvm::isa<mlir::VectorType>(value.getType());
  }
  mlir::VectorType vectorType(mlir::Type element);
  mlir::Value broadcast(mlir::Value value);
  mlir::Value lanesFrom(mlir::Value start, int64_t step);
  mlir::Value tailMask(int64_t count);
  mlir::Value tailMask(mlir::Value count);
  mlir::Value gather(NestBuffer *buffer, mlir::Value base, mlir::Value offsets,
                     mlir::Value mask);
  llvm::MaybeAlign alignmentOf(mlir::VectorType type);
  mlir::Value load(const NestAccess &access, mlir::Value mask);
  void store(const NestAccess &access, mlir::Value value, mlir::Value mask);
  mlir::Value loadElement(mlir::memref::LoadOp op, mlir::IRMapping &values,
                          mlir::Value mask);
  mlir::Value applyMap(mlir::AffineExpr expr, mlir::ValueRange dims);
  mlir::Value cloneOp(mlir::Operation &op, mlir::IRMapping &values);

  mlir::ImplicitLocOpBuilder &b;
  const LoopKernel &kernel;
  const LoopNest &nest;
  VectorChoice choice;
  const RowPosition &position;
  mlir::IRMapping &scalars;
  LoopSplit split;
  bool isAligned = false;
  /// Elements of inputs, by number, that need not be loaded.
  llvm::SmallDenseMap<unsigned, mlir::Value> elements;
  int64_t firstLoop;
  /// Index of each loop; for a block, within the row space and in the block.
  Values indices;
  mlir::Value blockIndex;
  /// In a tile: for each input that was transposed one vector per row.
  llvm::SmallVector<Values> rowsOfTile;
  int64_t tileRow = 0;
};

} // namespace cleave::codegen

#endif // CLEAVE_PASSES_CODEGEN_NESTS_NESTEMITTER_H
