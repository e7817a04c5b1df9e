//===- GPUKernel.cpp - A kernel as a function of a GPU --------------------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/Codegen/GPU/GPUKernel.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "passes/Codegen/GPU/GPUModule.h"
#include "passes/Codegen/GPU/TileNestEmitter.h"

using namespace mlir;

namespace cleave::codegen {

/// More than this in the local memory of a thread is refused.
static constexpr int64_t maxLocalBytes = 256 << 10;

GPUKernelWriter::GPUKernelWriter(gpu::GPUFuncOp function, LoopKernel &kernel,
                                 const GPUMapping &mapping)
    : function(function), kernel(kernel), mapping(mapping),
      b(function.getLoc(), function.getContext()) {
  Block &entry = function.getBody().front();
  b.setInsertionPointToStart(&entry);
  unsigned argument = 0;
  for (auto &buffer : kernel.buffers)
    if (!buffer->isTemporary)
      buffer->flat = entry.getArgument(argument++);
}

Value GPUKernelWriter::index(int64_t value) {
  return arith::ConstantIndexOp::create(b, value);
}

LogicalResult GPUKernelWriter::write() {
  team.threads = mapping.threads;
  team.thread = gpu::ThreadIdOp::create(b, gpu::Dimension::x);
  block = gpu::BlockIdOp::create(b, gpu::Dimension::x);
  numBlocks = gpu::GridDimOp::create(b, gpu::Dimension::x);
  auto makeScratch = [this](Type element) { return scratch(element); };
  team.scratch = makeScratch;
  if (failed(createTemporaries()))
    return failure();
  kernel.cloneScalarOps(b, scalars);
  writePreamble();
  if (mapping.transposedLoop >= 0)
    writeTiles();
  else if (mapping.isBlockPerRow)
    writeRowsOfBlocks();
  else
    writeRowsOfThreads();
  b.setLoc(function.getLoc());
  gpu::ReturnOp::create(b);
  return success();
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

Value GPUKernelWriter::scratch(Type element) {
  Value &array = scratches[element];
  if (!array)
    array = addSharedArray(function, warpSize, element);
  return array;
}

/// In shared memory, or in the local memory of each thread.
LogicalResult GPUKernelWriter::createTemporaries() {
  int64_t localBytes = 0;
  for (auto &buffer : kernel.buffers) {
    if (!buffer->isTemporary || !buffer->isWritten)
      continue;
    int64_t elements = elementsPerTeam(kernel, *buffer, mapping.lanes);
    Type element = buffer->type.getElementType();
    bool isOfBlock =
        buffer->isShared ? mapping.hasSharedPreamble : mapping.isBlockPerRow;
    if (isOfBlock) {
      buffer->flat = addSharedArray(function, elements, element);
      continue;
    }
    localBytes +=
        elements * llvm::divideCeil(element.getIntOrFloatBitWidth(), 8);
    buffer->flat = memref::AllocaOp::create(
        b, MemRefType::get({elements}, element), b.getI64IntegerAttr(16));
  }
  if (localBytes > maxLocalBytes)
    return function.emitError("kernel needs ")
           << localBytes << " bytes of temporaries per thread; at most "
           << maxLocalBytes << " are possible on a GPU";
  return success();
}

//===----------------------------------------------------------------------===//
// Rows
//===----------------------------------------------------------------------===//

void GPUKernelWriter::loopOverRows(Value first, Value step,
                                   llvm::function_ref<void(Value)> body) {
  auto rows = scf::ForOp::create(b, first, index(mapping.rows), step);
  b.setInsertionPointToStart(rows.getBody());
  body(rows.getInductionVar());
  b.setInsertionPointAfter(rows);
}

SmallVector<Value> GPUKernelWriter::delinearize(Value number,
                                                ArrayRef<int64_t> extents) {
  SmallVector<Value> indices(extents.size());
  for (size_t loop = extents.size(); loop-- > 0;) {
    if (extents[loop] <= 1) {
      indices[loop] = index(0);
    } else if (loop == 0) {
      indices[loop] = number;
    } else {
      Value extent = index(extents[loop]);
      indices[loop] = arith::RemUIOp::create(b, number, extent);
      number = arith::DivUIOp::create(b, number, extent);
    }
  }
  return indices;
}

RowPosition GPUKernelWriter::positionOf(Value row) {
  RowPosition position;
  SmallVector<int64_t> extents(kernel.rowExtents);
  if (mapping.lanes > 1) {
    position.isBlock = true;
    position.blockSize = mapping.lanes;
    extents.back() /= mapping.lanes;
  }
  position.indices = delinearize(row, extents);
  if (position.isBlock)
    position.indices.back() =
        arith::MulIOp::create(b, position.indices.back(), index(mapping.lanes));
  return position;
}

/// By all threads of a block into shared memory, or by each for itself.
void GPUKernelWriter::writePreamble() {
  bool isWritten = false;
  for (auto [i, nest] : llvm::enumerate(kernel.nests)) {
    if (!nest.isPreamble)
      continue;
    isWritten = true;
    b.setLoc(nest.op->getLoc());
    if (mapping.hasSharedPreamble)
      writeShared(i, RowPosition());
    else
      NestEmitter(b, kernel, nest, VectorChoice(), RowPosition(), scalars)
          .emit();
  }
  if (isWritten && mapping.hasSharedPreamble)
    barrier();
}

void GPUKernelWriter::writeRowsOfThreads() {
  Value threads = index(mapping.threads);
  Value first = arith::AddIOp::create(
      b, arith::MulIOp::create(b, block, threads), team.thread);
  Value step = arith::MulIOp::create(b, numBlocks, threads);
  loopOverRows(first, step, [&](Value row) {
    RowPosition position = positionOf(row);
    for (const LoopNest &nest : kernel.nests) {
      if (nest.isPreamble)
        continue;
      b.setLoc(nest.op->getLoc());
      VectorChoice choice;
      if (mapping.lanes > 1)
        choice = {kernel.numRowLoops - 1, mapping.lanes, 0};
      NestEmitter emitter(b, kernel, nest, choice, position, scalars);
      emitter.setAligned();
      emitter.emit();
    }
  });
}

void GPUKernelWriter::writeRowsOfBlocks() {
  atStart.clear();
  usesScratchAtStart = false;
  isAtStart = true;
  loopOverRows(block, numBlocks, [&](Value row) {
    RowPosition position = positionOf(row);
    for (auto [i, nest] : llvm::enumerate(kernel.nests))
      if (!nest.isPreamble) {
        b.setLoc(nest.op->getLoc());
        writeShared(i, position);
      }
    if (nextRowMustWait())
      barrier();
  });
}

/// Warps read along the transposed loop and write along the last one.
void GPUKernelWriter::writeTiles() {
  const LoopNest &nest = kernel.nests[0];
  int64_t last = kernel.numRowLoops - 1;
  SmallVector<int64_t> tiles(kernel.rowExtents);
  for (int64_t loop : {mapping.transposedLoop, last})
    tiles[loop] = llvm::divideCeil(tiles[loop], tileSize);
  TileNestEmitter::Arrays arrays;
  for (auto [i, input] : llvm::enumerate(nest.inputs()))
    if (isTransposed(nest, input, mapping.transposedLoop))
      arrays[i] = addSharedArray(function, tileSize * TileNestEmitter::stride,
                                 input.buffer->type.getElementType());
  b.setLoc(nest.op->getLoc());
  Value lane = arith::RemUIOp::create(b, team.thread, index(tileSize));
  Value warp = arith::DivUIOp::create(b, team.thread, index(tileSize));
  loopOverRows(block, numBlocks, [&](Value tile) {
    RowPosition start;
    start.indices = delinearize(tile, tiles);
    for (int64_t loop : {mapping.transposedLoop, last})
      start.indices[loop] =
          arith::MulIOp::create(b, start.indices[loop], index(tileSize));
    TileNestEmitter emitter(b, kernel, nest, mapping.transposedLoop, start,
                            scalars, arrays);
    emitter.emitLoads(lane, warp);
    gpu::BarrierOp::create(b);
    emitter.emitStores(lane, warp);
    // The next tile is read into the same arrays.
    gpu::BarrierOp::create(b);
  });
}

//===----------------------------------------------------------------------===//
// Nests of a block
//===----------------------------------------------------------------------===//

bool GPUKernelWriter::TeamAccess::conflictsWith(const TeamAccess &other) const {
  if (buffer != other.buffer || (!isWrite && !other.isWrite) ||
      (isOfFirstThread && other.isOfFirstThread))
    return false;
  return isOfFirstThread != other.isOfFirstThread || pattern.empty() ||
         pattern != other.pattern;
}

/// Position as a function of the loops within the row, and which of them the
/// threads share.
SmallVector<int64_t>
GPUKernelWriter::patternOf(size_t i, const NestAccess &access) const {
  const LoopNest &nest = kernel.nests[i];
  int64_t first = nest.isPreamble ? 0 : kernel.numRowLoops;
  if (!access.dynamic.empty())
    return {};
  SmallVector<int64_t> pattern = {
      access.constant, mapping.splits[i].loop - first, mapping.splits[i].lanes};
  for (int64_t loop = first, e = nest.extents.size(); loop < e; ++loop)
    pattern.append({access.coefficients[loop], nest.extents[loop]});
  return pattern;
}

SmallVector<GPUKernelWriter::TeamAccess>
GPUKernelWriter::accessesOf(size_t i) const {
  const LoopNest &nest = kernel.nests[i];
  NestSplit split = mapping.splits[i];
  bool isOfFirst = isOfFirstThread(nest, split);
  SmallVector<TeamAccess> accesses;
  for (const NestAccess &input : nest.inputs())
    if (input.buffer)
      accesses.push_back({input.buffer, false, isOfFirst, patternOf(i, input)});
  nest.op->walk([&](memref::LoadOp load) {
    accesses.push_back(
        {kernel.bufferOf(load.getMemRef()), false, isOfFirst, {}});
  });
  for (const NestAccess &output : nest.outputs())
    accesses.push_back({output.buffer, true, isOutputOfFirstThread(nest, split),
                        patternOf(i, output)});
  return accesses;
}

void GPUKernelWriter::barrier() {
  gpu::BarrierOp::create(b);
  pending.clear();
  scratchIsRead = false;
  isAtStart = false;
}

void GPUKernelWriter::writeShared(size_t i, const RowPosition &position) {
  const LoopNest &nest = kernel.nests[i];
  bool needsScratch = usesScratch(nest, mapping.splits[i], team.threads);
  SmallVector<TeamAccess> accesses = accessesOf(i);
  if (mustWait(accesses, needsScratch))
    barrier();
  if (isAtStart) {
    llvm::append_range(atStart, accesses);
    usesScratchAtStart |= needsScratch;
  }
  TeamNestEmitter(b, kernel, nest, mapping.splits[i], position, scalars, team)
      .emit();
  if (needsScratch) {
    // There is a barrier between what the nest reads and its result.
    pending.clear();
    isAtStart = false;
    scratchIsRead = true;
    llvm::erase_if(accesses, [](const TeamAccess &a) { return !a.isWrite; });
  }
  llvm::append_range(pending, accesses);
}

/// Whether a nest accesses what other threads have accessed since the last
/// barrier, and one of both writes.
bool GPUKernelWriter::mustWait(ArrayRef<TeamAccess> accesses,
                               bool needsScratch) const {
  if (scratchIsRead && needsScratch)
    return true;
  for (const TeamAccess &before : pending)
    for (const TeamAccess &now : accesses)
      if (now.conflictsWith(before))
        return true;
  return false;
}

/// Rows have their temporaries in the same memory.
bool GPUKernelWriter::nextRowMustWait() const {
  SmallVector<TeamAccess> reused;
  for (const TeamAccess &access : atStart)
    if (access.buffer->isOfRow())
      reused.push_back(access);
  return mustWait(reused, usesScratchAtStart);
}

} // namespace cleave::codegen
