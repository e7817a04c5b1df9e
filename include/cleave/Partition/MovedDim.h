//===- MovedDim.h - A cut dimension that is made of another -----*- C++ -*-===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Slices, pads, concatenations and reversals make a dimension of pieces of
// others. Where both are cut, the elements of a rank's block of the result lie
// in the blocks of other ranks: where follows from the sizes alone. A piece
// comes in three steps. Each rank selects those of its elements that the piece
// has; a window exchange brings every rank those for its block, no others; they
// are put in reverse order, or apart, if the piece has them so. A step that
// would change nothing is left out.
//
// Elements of a piece are numbered along the source, from 0 on: the line of
// the exchange. Amounts are in elements; positions are those of the ranks
// along `axes`, major to minor.
//
//===----------------------------------------------------------------------===//

#ifndef CLEAVE_PARTITION_MOVEDDIM_H
#define CLEAVE_PARTITION_MOVEDDIM_H

#include "cleave/Partition/Sharding.h"
#include "cleave/Partition/WindowExchange.h"

namespace cleave {

/// Element to + j * spacing of the result is element from + j * step of a
/// dimension of `size`, for each j in 0..count - 1.
struct DimPiece {
  int64_t size = 0;
  int64_t from = 0;
  /// Not 0; negative for the reverse order.
  int64_t step = 1;
  int64_t count = 0;
  int64_t to = 0;
  /// At least 1.
  int64_t spacing = 1;
};

/// What a slice takes of a dimension of `size`; `stride` is at least 1.
DimPiece pieceOfSlice(int64_t size, int64_t start, int64_t limit,
                      int64_t stride);
/// What a pad leaves of it: `low` and `high` may be negative.
DimPiece pieceOfPad(int64_t size, int64_t low, int64_t high, int64_t interior);

/// A dimension of `size` in reverse order; all of it at `at` of a longer one.
DimPiece pieceOfReversal(int64_t size);
DimPiece pieceOfPart(int64_t size, int64_t at);

/// A number for each position, or one for all.
using RankTable = llvm::SmallVector<int64_t, 4>;
bool isUniform(llvm::ArrayRef<int64_t> table);

/// How the ranks get one piece.
struct MovedPiece {
  DimPiece piece;

  /// If the piece leaves elements out: the first place of a rank's block that
  /// it has, and how many it has of any block at most. |step| apart, they
  /// become neighbours.
  bool isSelected = false;
  RankTable firstSelected;
  int64_t selected = 0;

  /// The lowest element of the source that the piece has.
  int64_t lowest() const {
    return piece.from + (piece.step < 0 ? (piece.count - 1) * piece.step : 0);
  }

  /// From blocks (of selected elements) to windows of `extent` elements.
  WindowExchange exchange;
  int64_t extent = 0;
  /// Most elements that a rank gets from others. If there are none, the window
  /// starts at a place of the rank's own block, which may lie outside.
  int64_t received = 0;
  RankTable ownStart;
  /// Then the order is reversed.
  bool isReversed() const { return piece.step < 0; }

  /// If the result has them apart: the place, among the elements put apart,
  /// with which the rank's block starts.
  bool isSpaced() const { return piece.spacing > 1; }
  RankTable phase;

  /// Places before spacing that are the piece's: from the first one on, so
  /// many.
  RankTable firstValid, validCount;
  /// Whether valid elements of some rank's result are none of the piece.
  bool isPartial = false;
};

/// For a result dimension of `size` elements. Both are cut over `axes`, or
/// (`isResultWhole`) the source alone.
MovedPiece movePiece(const DimPiece &piece, int64_t size,
                     llvm::ArrayRef<AxisRef> axes, bool isResultWhole = false);

/// Most elements that a rank receives if all get all of a dimension that is
/// cut, or add up `size` elements of theirs.
int64_t receivedByGather(int64_t size, llvm::ArrayRef<AxisRef> axes);
int64_t receivedByReduction(int64_t size, int64_t ranks);

} // namespace cleave

#endif // CLEAVE_PARTITION_MOVEDDIM_H
