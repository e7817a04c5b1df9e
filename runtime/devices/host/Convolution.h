//===- Convolution.h - Convolutions -----------------------------*- C++ -*-===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CLEAVE_RUNTIME_DEVICES_HOST_CONVOLUTION_H
#define CLEAVE_RUNTIME_DEVICES_HOST_CONVOLUTION_H

#include "runtime/core/ThreadPool.h"
#include "runtime/devices/host/ConvolutionKernels.h"

namespace cleave::rt {

/// Operands as in cleave_rt_convolution.
struct ConvolutionOperands {
  const void *lhs, *kernel, *bias, *residual;
  void *out;
};

/// One convolution of the manifest, prepared.
///
/// Results are computed in tiles: neighbours along the innermost spatial
/// dimension by a panel of output features. A tile is one product, a run of
/// steps for each tap: its rows lie at a constant distance in the operand, and
/// the kernel is packed into panels in the order of the steps. Where the
/// operand has padding, dilation, another element type or order of dimensions,
/// a block of it is copied first: converted to the compute type, features
/// innermost, with zeros where there are no elements. Long sums are made in
/// several rounds, whose part of a panel stays in cache. Tiles are finished
/// (bias, activation, residual) while they are in cache.
///
/// Every sum is formed by one thread in an order that does not depend on the
/// number of threads.
class Convolution {
public:
  /// `spec` and `kernels` outlive the object.
  Convolution(const ConvolutionSpec &spec, const Kernels &kernels);

  /// Scratch that each thread needs, and that all share, aligned to 64 bytes.
  int64_t getScratchBytes() const {
    return copyBytes * maxBlocks + roundBytes + valueBytes * maxBlocks +
           2 * tileBytes;
  }
  int64_t getSharedBytes() const { return sharedBytes; }

  /// Allocates nothing. `scratch` has getScratchBytes() bytes per thread of
  /// `pool`, `shared` getSharedBytes().
  void run(ThreadPool &pool, char *const *scratch, char *shared,
           const ConvolutionOperands &operands) const;

private:
  /// A spatial dimension. Taps ascend by position: of a reversed dimension the
  /// last of the kernel comes first.
  struct Dim {
    WindowSpec window;
    int64_t lhsStride, kernelStride, outStride;

    /// Positions from the first tap to the last of `count` windows.
    int64_t getPositions(int64_t count) const;
    /// Element of the operand at a position, counted from that of the first
    /// tap of the first window; -1 in padding.
    int64_t getElement(int64_t position) const;
    /// Whether windows read elements only, one position apart.
    bool isPlain() const;
  };
  /// A block of results: one index of each outer dimension, then ranges.
  struct Block {
    int64_t batch, group, outer;
    int64_t line, lines, column, columns;
  };
  /// How the result is cut into blocks.
  struct Blocks {
    int64_t lines, lineBlocks, columnBlocks, count;
  };

  const Dim &getLine() const { return dims[dims.size() - 2]; }
  const Dim &getColumn() const { return dims.back(); }
  void joinDims();
  void chooseBlocks();
  void makeRuns();
  Blocks cut(int64_t threads) const;
  Block getBlock(const Blocks &blocks, int64_t index) const;

  /// The runs of a round, from `first` on.
  int64_t countRuns(int64_t first) const;
  void packPanel(const void *kernel, int64_t group, int64_t panel,
                 int64_t firstRun, int64_t lastRun, char *packed) const;
  void copyBlock(const void *lhs, const Block &block, char *copied) const;
  /// The elements of one line, which starts `offset` elements into the operand.
  void copyLine(const void *lhs, int64_t offset, const Block &block,
                char *to) const;
  const char *findBlock(const void *lhs, const Block &block) const;
  void computeBlock(const ConvolutionOperands &operands, const Block &block,
                    int64_t panel, int64_t firstRun, const char *packed,
                    const char *lhs, char *values, char *spare) const;
  void finish(const ConvolutionOperands &operands, int64_t feature,
              int64_t offset, int64_t rows, int64_t columns, const char *values,
              char *spare) const;

  const ConvolutionSpec &spec;
  const Kernels &kernels;
  const ConvolutionKernels &convolutionKernels;
  const ConvolutionKernels::Tile &tile;
  int64_t elementSize, computeSize;
  /// Outermost first, at least two: the last ones are lines and columns.
  std::vector<Dim> dims;
  int64_t outerCount = 1, outerTaps = 1;
  /// Whether the operand is read where it is.
  bool isDirect;
  int64_t blockLines = 1, blockColumns = 1;
  /// Elements from one position of a line, and of a column, to the next.
  int64_t lineStep, columnStep;
  int64_t panels;
  /// Where each run of steps starts, in elements; steps of a run. A run has
  /// the features of several taps, of one, or a part of them.
  std::vector<int64_t> runs;
  int64_t depth, tapsPerRun = 1, runsPerTap = 1;
  int64_t runsPerRound = 1;
  /// Bytes of a copy, if there are copies; blocks that are taken at a time.
  int64_t copyBytes = 0, maxBlocks = 1;
  /// Of a panel: all of it, and for one round; of a tile; of a block's tiles,
  /// if there are several rounds.
  int64_t panelBytes, roundBytes, tileBytes, valueBytes = 0;
  /// Of the packed kernel, if it is packed once for all threads.
  int64_t sharedBytes = 0;
};

} // namespace cleave::rt

#endif // CLEAVE_RUNTIME_DEVICES_HOST_CONVOLUTION_H
