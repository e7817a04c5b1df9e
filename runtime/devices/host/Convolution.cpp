//===- Convolution.cpp - Convolutions -------------------------------------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/devices/host/Convolution.h"
#include "runtime/core/Blocks.h"

#include <algorithm>

using namespace cleave::rt;

/// Blocks of the operand of this size leave room for a panel in the
/// second-level cache.
static constexpr int64_t preferredBytes = 512 << 10;
/// A packed kernel of up to this size stays in that cache, and is packed once.
static constexpr int64_t maxSharedBytes = 512 << 10;

/// Bytes of a panel that one round goes through for each tile.
static constexpr int64_t maxRoundBytes = 128 << 10;

static int64_t roundUp(int64_t n, int64_t to) { return ceilDiv(n, to) * to; }

int64_t Convolution::Dim::getPositions(int64_t count) const {
  if (count == 0 || window.taps == 0)
    return 0;
  return (count - 1) * window.stride +
         (window.taps - 1) * window.windowDilation + 1;
}

int64_t Convolution::Dim::getElement(int64_t position) const {
  int64_t at = position - window.low;
  if (at < 0 || at % window.baseDilation != 0)
    return -1;
  int64_t element = at / window.baseDilation;
  return element < window.size ? element : -1;
}

bool Convolution::Dim::isPlain() const {
  return window.low <= 0 && window.baseDilation == 1 &&
         getPositions(window.count) - window.low <= window.size;
}

Convolution::Convolution(const ConvolutionSpec &spec, const Kernels &kernels)
    : spec(spec), kernels(kernels),
      convolutionKernels(getConvolutionKernels(kernels)),
      tile(convolutionKernels.getTile(spec.dtype)),
      elementSize(getSize(spec.dtype)),
      computeSize(getComputeSize(spec.dtype)) {
  for (size_t i = 0; i < spec.windows.size(); ++i)
    dims.push_back({spec.windows[i], spec.lhs.spatial[i],
                    spec.kernel.spatial[i], spec.out.spatial[i]});
  joinDims();
  // What has fewer dimensions gets some with one position.
  while (dims.size() < 2)
    dims.insert(dims.begin(), {{1, 1, 1, 1, 0, 1, 1, false}, 0, 0, 0});
  for (size_t i = 0; i + 2 < dims.size(); ++i) {
    outerCount *= dims[i].window.count;
    outerTaps *= dims[i].window.taps;
  }
  isDirect = elementSize == computeSize && spec.dtype != DType::F16 &&
             spec.dtype != DType::BF16 && spec.lhs.feature == 1 &&
             std::all_of(dims.begin(), dims.end(),
                         [](const Dim &dim) { return dim.isPlain(); });
  panels = ceilDiv(spec.outputs, tile.nr);
  chooseBlocks();
  makeRuns();
  int64_t stepBytes = tile.nr * computeSize;
  panelBytes = static_cast<int64_t>(runs.size()) * depth * stepBytes;
  if (panelBytes * panels * spec.groups <= maxSharedBytes)
    sharedBytes = panelBytes * panels * spec.groups;
  runsPerRound = std::max<int64_t>(
      1, maxRoundBytes / std::max<int64_t>(depth * stepBytes, 1));
  roundBytes = sharedBytes ? 0 : countRuns(0) * depth * stepBytes;
  tileBytes = roundUp(tile.mr * stepBytes, 64);
  if (countRuns(0) < static_cast<int64_t>(runs.size()))
    valueBytes = blockLines * ceilDiv(blockColumns, tile.mr) * tileBytes;
}

/// Dimensions that are walked over element by element are one.
void Convolution::joinDims() {
  auto isPointwise = [](const Dim &dim) {
    return dim.window.taps == 1 && dim.window.stride == 1 &&
           dim.window.low == 0 && dim.window.baseDilation == 1 &&
           dim.window.count == dim.window.size;
  };
  for (size_t i = 0; i + 1 < dims.size();) {
    Dim &outer = dims[i], &inner = dims[i + 1];
    int64_t size = inner.window.size;
    if (isPointwise(outer) && isPointwise(inner) &&
        outer.lhsStride == inner.lhsStride * size &&
        outer.outStride == inner.outStride * size) {
      inner.window.size = inner.window.count = size * outer.window.size;
      dims.erase(dims.begin() + i);
    } else {
      ++i;
    }
  }
}

void Convolution::chooseBlocks() {
  const Dim &line = getLine(), &column = getColumn();
  blockLines = line.window.count;
  blockColumns = column.window.count;
  if (isDirect) {
    lineStep = line.lhsStride;
    columnStep = column.lhsStride;
    // Rows that are worth a panel, few enough to share between threads.
    blockColumns = std::min(blockColumns, 16 * tile.mr);
    blockLines = std::min(
        blockLines, ceilDiv(16 * tile.mr, std::max<int64_t>(blockColumns, 1)));
    int64_t bytes = blockLines * blockColumns * spec.features * computeSize;
    maxBlocks =
        std::max<int64_t>(1, preferredBytes / std::max<int64_t>(bytes, 64));
    return;
  }
  auto bytes = [&](int64_t lines, int64_t columns) {
    return outerTaps * line.getPositions(lines) * column.getPositions(columns) *
           spec.features * computeSize;
  };
  blockLines = std::min<int64_t>(blockLines, 1);
  while (blockColumns > tile.mr &&
         bytes(blockLines, blockColumns) > preferredBytes)
    blockColumns = std::max(tile.mr, ceilDiv(blockColumns, 2));
  while (blockLines < line.window.count &&
         bytes(blockLines + 1, blockColumns) <= preferredBytes)
    ++blockLines;
  columnStep = spec.features;
  lineStep = columnStep * column.getPositions(blockColumns);
  copyBytes = roundUp(bytes(blockLines, blockColumns), 64);
  maxBlocks = std::max<int64_t>(
      1, std::min(preferredBytes / std::max<int64_t>(copyBytes, 64),
                  spec.batch * outerCount));
}

void Convolution::makeRuns() {
  const Dim &line = getLine(), &column = getColumn();
  int64_t maxSteps = maxRoundBytes / (tile.nr * computeSize);
  // Neighbouring taps along columns are one run, if nothing lies between them.
  if (column.window.windowDilation == 1 && columnStep == spec.features &&
      column.window.taps * spec.features <= maxSteps)
    tapsPerRun = column.window.taps;
  // Many features are several, of the same length.
  for (int64_t parts = ceilDiv(spec.features, maxSteps);
       parts > 1 && parts <= 8 && runsPerTap == 1; ++parts)
    if (spec.features % parts == 0)
      runsPerTap = parts;
  depth = tapsPerRun * spec.features / runsPerTap;
  if (depth == 0)
    return;
  for (int64_t tap = 0; tap < outerTaps; ++tap) {
    int64_t start = tap * line.getPositions(blockLines) * lineStep;
    if (isDirect) {
      start = 0;
      int64_t rest = tap;
      for (size_t i = dims.size() - 2; i-- > 0;) {
        start += rest % dims[i].window.taps * dims[i].window.windowDilation *
                 dims[i].lhsStride;
        rest /= dims[i].window.taps;
      }
    }
    for (int64_t i = 0; i < line.window.taps; ++i)
      for (int64_t j = 0; j < column.window.taps; j += tapsPerRun)
        for (int64_t part = 0; part < runsPerTap; ++part)
          runs.push_back(start + i * line.window.windowDilation * lineStep +
                         j * column.window.windowDilation * columnStep +
                         part * depth);
  }
}

int64_t Convolution::countRuns(int64_t first) const {
  return std::min<int64_t>(runsPerRound, runs.size() - first);
}

/// Blocks enough for all threads.
Convolution::Blocks Convolution::cut(int64_t threads) const {
  int64_t units = spec.batch * spec.groups * outerCount;
  int64_t lines = getLine().window.count;
  Blocks blocks;
  blocks.columnBlocks = ceilDiv(getColumn().window.count, blockColumns);
  blocks.lineBlocks = ceilDiv(lines, blockLines);
  if (units * blocks.columnBlocks * blocks.lineBlocks < threads)
    blocks.lineBlocks =
        std::min(lines, ceilDiv(threads, units * blocks.columnBlocks));
  blocks.lines = ceilDiv(lines, blocks.lineBlocks);
  blocks.lineBlocks = ceilDiv(lines, blocks.lines);
  blocks.count = units * blocks.lineBlocks * blocks.columnBlocks;
  return blocks;
}

/// The batch is innermost: blocks of one group follow each other.
Convolution::Block Convolution::getBlock(const Blocks &blocks,
                                         int64_t index) const {
  Block block;
  block.column = index % blocks.columnBlocks * blockColumns;
  block.columns =
      std::min(blockColumns, getColumn().window.count - block.column);
  index /= blocks.columnBlocks;
  block.line = index % blocks.lineBlocks * blocks.lines;
  block.lines = std::min(blocks.lines, getLine().window.count - block.line);
  index /= blocks.lineBlocks;
  block.outer = index % outerCount;
  index /= outerCount;
  block.batch = index % spec.batch;
  block.group = index / spec.batch;
  return block;
}

void Convolution::run(ThreadPool &pool, char *const *scratch, char *shared,
                      const ConvolutionOperands &operands) const {
  if (spec.batch * spec.groups * outerCount * getLine().window.count *
          getColumn().window.count * spec.outputs ==
      0)
    return;
  if (sharedBytes)
    pool.split(spec.groups * panels, [&](int32_t, int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; ++i)
        packPanel(operands.kernel, i / panels, i % panels, 0, runs.size(),
                  shared + i * panelBytes);
    });
  int64_t threads = pool.getSize();
  Blocks blocks = cut(threads);
  int64_t parts = blocks.count < threads
                      ? std::min(panels, ceilDiv(threads, blocks.count))
                      : 1;
  pool.split(blocks.count * parts,
             [&](int32_t thread, int64_t begin, int64_t end) {
               char *copies = scratch[thread];
               char *packed = copies + copyBytes * maxBlocks;
               char *values = packed + roundBytes;
               char *spare = values + valueBytes * maxBlocks;
               for (int64_t item = begin; item < end;) {
                 // Blocks of one group that share the packing of a panel.
                 int64_t part = item % parts, first = item / parts, count = 0;
                 int64_t group = getBlock(blocks, first).group;
                 int64_t limit = parts > 1 || sharedBytes ? 1 : maxBlocks;
                 while (count < limit && item + count < end &&
                        getBlock(blocks, first + count).group == group) {
                   if (!isDirect)
                     copyBlock(operands.lhs, getBlock(blocks, first + count),
                               copies + count * copyBytes);
                   ++count;
                 }
                 for (int64_t panel = part * panels / parts;
                      panel < (part + 1) * panels / parts; ++panel) {
                   int64_t run = 0;
                   do {
                     const char *b = packed;
                     if (sharedBytes)
                       b = shared + (group * panels + panel) * panelBytes +
                           run * depth * tile.nr * computeSize;
                     else
                       packPanel(operands.kernel, group, panel, run,
                                 run + countRuns(run), packed);
                     for (int64_t i = 0; i < count; ++i) {
                       Block block = getBlock(blocks, first + i);
                       computeBlock(operands, block, panel, run, b,
                                    isDirect ? findBlock(operands.lhs, block)
                                             : copies + i * copyBytes,
                                    values + i * valueBytes, spare);
                     }
                     run += countRuns(run);
                   } while (run < static_cast<int64_t>(runs.size()));
                 }
                 item += count;
               }
             });
}

//===----------------------------------------------------------------------===//
// Packing
//===----------------------------------------------------------------------===//

static void clear(char *to, int64_t bytes) { std::fill_n(to, bytes, 0); }

/// For each step of the runs the kernel's values for `nr` output features, zero
/// beyond the last.
void Convolution::packPanel(const void *kernel, int64_t group, int64_t panel,
                            int64_t firstRun, int64_t lastRun,
                            char *packed) const {
  if (panelBytes == 0)
    return;
  CopyKernel copy = convolutionKernels.copy[static_cast<int>(spec.dtype)];
  int64_t columns = std::min(tile.nr, spec.outputs - panel * tile.nr);
  const char *base =
      static_cast<const char *>(kernel) +
      (group * spec.kernel.group + panel * tile.nr * spec.kernel.output) *
          elementSize;
  int64_t rows = spec.features / runsPerTap;
  int64_t bytes = rows * tile.nr * computeSize;
  for (int64_t run = firstRun; run < lastRun; ++run)
    for (int64_t i = 0; i < tapsPerRun; ++i, packed += bytes) {
      int64_t rest = run / runsPerTap * tapsPerRun + i;
      int64_t offset = run % runsPerTap * rows * spec.kernel.feature;
      for (size_t d = dims.size(); d-- > 0;) {
        const WindowSpec &window = dims[d].window;
        int64_t at = rest % window.taps;
        rest /= window.taps;
        offset += (window.reversed ? window.taps - 1 - at : at) *
                  dims[d].kernelStride;
      }
      if (columns < tile.nr)
        clear(packed, bytes);
      copy(base + offset * elementSize, spec.kernel.feature, spec.kernel.output,
           rows, columns, packed, tile.nr);
    }
}

/// The elements that the block's windows reach, by position.
void Convolution::copyBlock(const void *lhs, const Block &block,
                            char *copied) const {
  if (copyBytes == 0)
    return;
  const Dim &line = getLine();
  int64_t lineBytes = lineStep * computeSize;
  int64_t positions = line.getPositions(block.lines);
  int64_t base = block.batch * spec.lhs.batch + block.group * spec.lhs.group;
  for (int64_t tap = 0; tap < outerTaps; ++tap) {
    int64_t offset = base, restTap = tap, restOuter = block.outer;
    bool isPadding = false;
    for (size_t i = dims.size() - 2; i-- > 0;) {
      const WindowSpec &window = dims[i].window;
      int64_t element =
          dims[i].getElement(restOuter % window.count * window.stride +
                             restTap % window.taps * window.windowDilation);
      restOuter /= window.count;
      restTap /= window.taps;
      isPadding |= element < 0;
      offset += element * dims[i].lhsStride;
    }
    char *to = copied + tap * line.getPositions(blockLines) * lineBytes;
    for (int64_t p = 0; p < positions; ++p, to += lineBytes) {
      int64_t element = line.getElement(block.line * line.window.stride + p);
      if (isPadding || element < 0)
        clear(to, lineBytes);
      else
        copyLine(lhs, offset + element * line.lhsStride, block, to);
    }
  }
}

void Convolution::copyLine(const void *lhs, int64_t offset, const Block &block,
                           char *to) const {
  CopyKernel copy = convolutionKernels.copy[static_cast<int>(spec.dtype)];
  const Dim &column = getColumn();
  int64_t step = column.window.baseDilation;
  int64_t positions = column.getPositions(block.columns);
  // Position of element 0, and the elements that are in the line.
  int64_t origin = column.window.low - block.column * column.window.stride;
  int64_t first = origin >= 0 ? 0 : ceilDiv(-origin, step);
  int64_t end =
      positions <= origin
          ? 0
          : std::min(column.window.size, ceilDiv(positions - origin, step));
  int64_t bytes = spec.features * computeSize;
  if (first >= end || step > 1) {
    clear(to, positions * bytes);
  } else {
    clear(to, (origin + first) * bytes);
    clear(to + (origin + end) * bytes, (positions - origin - end) * bytes);
  }
  // All padding, perhaps because the operand has no elements and is null.
  if (first >= end)
    return;
  const char *from = static_cast<const char *>(lhs) +
                     (offset + first * column.lhsStride) * elementSize;
  char *start = to + (origin + first * step) * bytes;
  if (step == 1 && spec.lhs.feature == 1 && column.lhsStride == spec.features)
    copy(from, 0, 1, 1, (end - first) * spec.features, start, 0);
  else
    copy(from, column.lhsStride, spec.lhs.feature, end - first, spec.features,
         start, step * spec.features);
}

/// Where the block's windows begin in the operand itself.
const char *Convolution::findBlock(const void *lhs, const Block &block) const {
  // Then nothing is read, and the operand may be null.
  if (runs.empty())
    return nullptr;
  auto start = [](const Dim &dim, int64_t number) {
    return (number * dim.window.stride - dim.window.low) * dim.lhsStride;
  };
  int64_t offset = block.batch * spec.lhs.batch + block.group * spec.lhs.group +
                   start(getLine(), block.line) +
                   start(getColumn(), block.column);
  int64_t rest = block.outer;
  for (size_t i = dims.size() - 2; i-- > 0;) {
    offset += start(dims[i], rest % dims[i].window.count);
    rest /= dims[i].window.count;
  }
  return static_cast<const char *>(lhs) + offset * elementSize;
}

//===----------------------------------------------------------------------===//
// Computing
//===----------------------------------------------------------------------===//

void Convolution::computeBlock(const ConvolutionOperands &operands,
                               const Block &block, int64_t panel,
                               int64_t firstRun, const char *packed,
                               const char *lhs, char *values,
                               char *spare) const {
  const Dim &line = getLine(), &column = getColumn();
  int64_t columns = std::min(tile.nr, spec.outputs - panel * tile.nr);
  int64_t feature = block.group * spec.outputs + panel * tile.nr;
  int64_t offset = block.batch * spec.out.batch + block.group * spec.out.group +
                   panel * tile.nr * spec.out.output;
  int64_t rest = block.outer;
  for (size_t i = dims.size() - 2; i-- > 0;) {
    offset += rest % dims[i].window.count * dims[i].outStride;
    rest /= dims[i].window.count;
  }
  int64_t numRuns = countRuns(firstRun);
  bool isLast = firstRun + numRuns == static_cast<int64_t>(runs.size());
  // Whole rows without an epilogue need no other place first.
  bool isPlain = spec.dtype != DType::F16 && spec.dtype != DType::BF16 &&
                 elementSize == computeSize && !spec.hasBias &&
                 !spec.residual && spec.activation == Activation::None &&
                 columns == tile.nr && spec.out.output == 1;
  int64_t rowStep = column.window.stride * columnStep;
  int64_t tiles = ceilDiv(block.columns, tile.mr);
  for (int64_t i = 0; i < block.lines; ++i)
    for (int64_t t = 0; t < tiles; ++t) {
      // Tiles of about the same number of rows.
      int64_t begin = t * block.columns / tiles;
      int64_t rows = (t + 1) * block.columns / tiles - begin;
      int64_t from = i * line.window.stride * lineStep + begin * rowStep;
      const char *a = numRuns > 0 ? lhs + from * computeSize : nullptr;
      int64_t to = offset + (block.line + i) * line.outStride +
                   (block.column + begin) * column.outStride;
      char *result = isPlain
                         ? static_cast<char *>(operands.out) + to * elementSize
                     : valueBytes ? values
                                  : spare;
      tile.run[rows - 1](numRuns, runs.data() + firstRun, depth, a, rowStep,
                         packed, result, isPlain ? column.outStride : tile.nr,
                         /*accumulate=*/firstRun > 0);
      if (isLast && !isPlain)
        finish(operands, feature, to, rows, columns, result, spare + tileBytes);
      values += valueBytes ? tileBytes : 0;
    }
}

/// to[j][i] = from[i][j] of elements with the size of T.
template <typename T>
static void transpose(const void *from, int64_t fromStride, int64_t rows,
                      int64_t columns, void *to, int64_t toStride) {
  for (int64_t i = 0; i < rows; ++i)
    for (int64_t j = 0; j < columns; ++j)
      static_cast<T *>(to)[j * toStride + i] =
          static_cast<const T *>(from)[i * fromStride + j];
}

void Convolution::finish(const ConvolutionOperands &operands, int64_t feature,
                         int64_t offset, int64_t rows, int64_t columns,
                         const char *values, char *spare) const {
  auto at = [&](const void *data, int64_t element) {
    return static_cast<const char *>(data) + element * elementSize;
  };
  FinishBlock result;
  result.values = values;
  result.valueStride = tile.nr;
  result.rows = rows;
  result.columns = columns;
  result.bias = spec.hasBias ? at(operands.bias, feature) : nullptr;
  result.biasRowStride = 0;
  result.biasColumnStride = 1;
  result.activation = spec.activation;
  result.residual = spec.residual ? at(operands.residual, offset) : nullptr;
  result.out = static_cast<char *>(operands.out) + offset * elementSize;
  result.rowStride = getColumn().outStride;
  result.columnStride = spec.out.output;
  if (result.columnStride != 1 && result.rowStride == 1) {
    // Neighbours of the result lie along the columns of the tile.
    auto turn = computeSize == 4 ? transpose<uint32_t> : transpose<uint64_t>;
    turn(values, tile.nr, rows, columns, spare, tile.mr);
    result.values = spare;
    result.valueStride = tile.mr;
    std::swap(result.rows, result.columns);
    std::swap(result.rowStride, result.columnStride);
    std::swap(result.biasRowStride, result.biasColumnStride);
  }
  kernels.finish[static_cast<int>(spec.dtype)](result);
}
