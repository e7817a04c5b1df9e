//===- VectorizeHostKernels.cpp - Kernels as loops of vector operations ---===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One loop over the rows runs all nests of a kernel. The last row loop may be
// cut into blocks instead, of which each nest walks one: that is how lanes lie
// along rows, for purely elementwise kernels and for reductions of outer
// dimensions.
//
//===----------------------------------------------------------------------===//

#include "dialects/Graph/KernelAttributes.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "passes/Codegen/Kernels/IrregularKernel.h"
#include "passes/Codegen/Nests/NestEmitter.h"
#include "passes/Codegen/Passes.h"

namespace cleave {
#define GEN_PASS_DEF_VECTORIZEHOSTKERNELS
#include "passes/Codegen/Passes.h.inc"
} // namespace cleave

using namespace mlir;
using namespace cleave::codegen;
using namespace cleave::graph;

/// Elements that a block of an elementwise kernel should have: enough work for
/// a call, little enough for temporaries to stay in the first-level cache.
static constexpr int64_t elementwiseBlock = 1024;
static constexpr int64_t maxTemporaryBytes = 32 << 10;
/// Rows of tiles that are walked together, so that the lines of memory that
/// they share are still in the cache, and parts that keep all threads busy.
static constexpr int64_t tileBlock = 64;
static constexpr int64_t enoughParts = 16;
/// More than this on the stack is refused.
static constexpr int64_t maxStackBytes = 1 << 20;

/// Sums of one element that run side by side.
static constexpr int64_t sumChains = 4;

namespace {

class KernelVectorizer {
public:
  KernelVectorizer(func::FuncOp function, LoopKernel &kernel,
                   VectorOptions options)
      : function(function), kernel(kernel), options(options),
        b(function.getLoc(), function.getContext()) {}

  LogicalResult run();

private:
  void chooseRows();
  bool chooseTiles();
  int64_t chooseBlock(int64_t extent, int64_t lanes, bool hasInnerLoops);
  LogicalResult createTemporaries();
  void emitRow(Value row);

  func::FuncOp function;
  LoopKernel &kernel;
  VectorOptions options;
  ImplicitLocOpBuilder b;
  IRMapping scalars;
  SmallVector<VectorChoice> choices;
  /// Steps of the last row loop that one row covers; 0 without blocks.
  int64_t blockSize = 0;
  int64_t numBlocks = 1;
  int64_t extent = 1;
};

} // namespace

/// A divisor of the extent if there is one of about the right size, so that
/// all blocks are whole.
int64_t KernelVectorizer::chooseBlock(int64_t extent, int64_t lanes,
                                      bool hasInnerLoops) {
  int64_t wanted = hasInnerLoops ? 4 * lanes : elementwiseBlock;
  int64_t bytesPerStep = 0, steps = 1;
  for (int64_t rows : kernel.rowExtents)
    steps *= rows;
  for (auto &buffer : kernel.buffers)
    if (buffer->isOfRow() && steps)
      bytesPerStep +=
          buffer->totalElements() / steps *
          llvm::divideCeil(buffer->type.getElementTypeBitWidth(), 8);
  if (bytesPerStep)
    wanted = std::clamp(maxTemporaryBytes / bytesPerStep / lanes * lanes, lanes,
                        wanted);
  if (extent <= wanted + wanted / 2)
    return std::max<int64_t>(extent, 1);
  for (int64_t size = wanted; size >= wanted / 2; size -= lanes)
    if (extent % size == 0)
      return size;
  return wanted;
}

/// A kernel that only transposes has blocks of the loop along which operands
/// are contiguous.
bool KernelVectorizer::chooseTiles() {
  if (kernel.nests.size() != 1 || kernel.nests.front().isPreamble)
    return false;
  std::optional<VectorChoice> tile =
      chooseTile(kernel.nests.front(), options.bits);
  if (!tile || tile->tileLoop >= kernel.numRowLoops)
    return false;
  choices = {*tile};
  kernel.numRowLoops = tile->tileLoop + 1;
  kernel.rowExtents.resize(kernel.numRowLoops);
  int64_t rows = kernel.rowExtents.back(), outer = 1;
  for (int64_t size : ArrayRef(kernel.rowExtents).drop_back())
    outer *= size;
  blockSize = rows;
  for (int64_t size = tileBlock; blockSize > tileBlock && size >= tile->lanes;
       size -= tile->lanes)
    if (rows % size == 0)
      blockSize = size;
  blockSize = std::min(blockSize, tileBlock);
  auto countParts = [&] { return outer * llvm::divideCeil(rows, blockSize); };
  while (blockSize >= 2 * tile->lanes && countParts() < enoughParts)
    blockSize = llvm::alignTo(blockSize / 2, tile->lanes);
  numBlocks = llvm::divideCeil(rows, blockSize);
  extent = outer * numBlocks;
  return true;
}

void KernelVectorizer::chooseRows() {
  if (chooseTiles())
    return;
  int64_t numRowLoops = kernel.numRowLoops;
  double rowCost = 0, blockCost = 0;
  SmallVector<VectorChoice> inRows, inBlocks;
  bool hasInnerLoops = false;
  int64_t lanes = 2;
  for (const LoopNest &nest : kernel.nests) {
    int64_t first = nest.isPreamble ? 0 : numRowLoops;
    inRows.push_back(chooseVectorLoop(nest, first, options));
    rowCost += inRows.back().cost;
    hasInnerLoops |= !nest.isPreamble &&
                     static_cast<int64_t>(nest.extents.size()) > numRowLoops;
    if (numRowLoops == 0)
      continue;
    inBlocks.push_back(
        chooseVectorLoop(nest, nest.isPreamble ? 0 : numRowLoops - 1, options));
    blockCost += inBlocks.back().cost;
    if (!nest.isPreamble)
      lanes = std::max(lanes, inBlocks.back().lanes);
  }
  bool useBlocks =
      numRowLoops > 0 && (!hasInnerLoops || blockCost < 0.8 * rowCost);
  choices = useBlocks ? inBlocks : inRows;
  if (!options.isOrdered)
    for (VectorChoice &choice : choices)
      choice.sumChains = sumChains;
  extent = 1;
  for (int64_t rows : kernel.rowExtents)
    extent *= rows;
  if (useBlocks) {
    int64_t last = kernel.rowExtents.back();
    blockSize = chooseBlock(last, lanes, hasInnerLoops);
    numBlocks = llvm::divideCeil(last, blockSize);
    extent = last ? extent / last * numBlocks : 0;
  }
}

/// Temporaries hold one row (or block of rows), unless all rows share them.
LogicalResult KernelVectorizer::createTemporaries() {
  int64_t rows = 1, bytes = 0;
  for (int64_t size : kernel.rowExtents)
    rows *= size;
  for (auto &buffer : kernel.buffers) {
    if (!buffer->isTemporary || !buffer->isWritten)
      continue;
    int64_t elements = buffer->totalElements();
    if (!buffer->isShared)
      elements = rows ? elements / rows * std::max<int64_t>(blockSize, 1) : 0;
    Type type = buffer->type.getElementType();
    bytes += elements * llvm::divideCeil(type.getIntOrFloatBitWidth(), 8);
    buffer->flat = memref::AllocaOp::create(
        b, MemRefType::get({elements}, type), b.getI64IntegerAttr(64));
  }
  if (bytes > maxStackBytes)
    return function.emitError("kernel needs ")
           << bytes << " bytes of temporaries per row; at most "
           << maxStackBytes << " are possible";
  return success();
}

void KernelVectorizer::emitRow(Value row) {
  RowPosition position;
  auto index = [&](int64_t value) {
    return arith::ConstantIndexOp::create(b, value);
  };
  SmallVector<int64_t> basis(kernel.rowExtents);
  if (blockSize)
    basis.back() = numBlocks;
  position.indices.resize(basis.size());
  for (int64_t i = static_cast<int64_t>(basis.size()) - 1; i >= 0; --i) {
    if (i == 0) {
      position.indices[0] = row;
    } else if (basis[i] <= 1) {
      position.indices[i] = index(0);
    } else {
      position.indices[i] = arith::RemUIOp::create(b, row, index(basis[i]));
      row = arith::DivUIOp::create(b, row, index(basis[i]));
    }
  }
  if (blockSize) {
    position.isBlock = true;
    position.blockSize = blockSize;
    Value start =
        arith::MulIOp::create(b, position.indices.back(), index(blockSize));
    position.indices.back() = start;
    int64_t last = kernel.rowExtents.back();
    if (last % blockSize != 0) {
      Value rest = arith::SubIOp::create(b, index(last), start);
      position.dynamicSize = arith::MinSIOp::create(b, rest, index(blockSize));
    }
  }
  for (auto [nest, choice] : llvm::zip_equal(kernel.nests, choices))
    if (!nest.isPreamble) {
      b.setLoc(nest.op.getLoc());
      NestEmitter(b, kernel, nest, choice, position, scalars).emit();
    }
}

LogicalResult KernelVectorizer::run() {
  chooseRows();
  Block &old = function.getBody().front();
  auto *block = new Block();
  function.getBody().push_back(block);
  b.setInsertionPointToStart(block);
  SmallVector<Type> types;
  for (auto &buffer : kernel.buffers)
    if (!buffer->isTemporary) {
      types.push_back(MemRefType::get({buffer->totalElements()},
                                      buffer->type.getElementType()));
      buffer->flat = block->addArgument(types.back(), function.getLoc());
    }
  types.append(2, b.getIndexType());
  Value begin = block->addArgument(b.getIndexType(), function.getLoc());
  Value end = block->addArgument(b.getIndexType(), function.getLoc());

  LogicalResult status = createTemporaries();
  kernel.cloneScalarOps(b, scalars);
  for (auto [nest, choice] : llvm::zip_equal(kernel.nests, choices))
    if (nest.isPreamble)
      NestEmitter(b, kernel, nest, choice, RowPosition(), scalars).emit();
  Value one = arith::ConstantIndexOp::create(b, 1);
  scf::ForOp::create(b, begin, end, one, ValueRange(),
                     [&](OpBuilder &, Location, Value row, ValueRange) {
                       emitRow(row);
                       scf::YieldOp::create(b);
                     });
  b.setInsertionPointToEnd(block);
  func::ReturnOp::create(b);
  old.dropAllDefinedValueUses();
  old.erase();
  function.setType(b.getFunctionType(types, {}));
  function->setAttr(kExtentAttr, b.getI64IntegerAttr(extent));
  return status;
}

namespace {
struct VectorizeHostKernels
    : public cleave::impl::VectorizeHostKernelsBase<VectorizeHostKernels> {
  using VectorizeHostKernelsBase::VectorizeHostKernelsBase;

  void runOnOperation() override {
    for (auto function : getOperation().getOps<func::FuncOp>()) {
      if (!isTensorKernel(function))
        continue;
      FailureOr<LoopKernel> kernel = LoopKernel::analyze(function);
      if (failed(kernel) ||
          failed(
              KernelVectorizer(function, *kernel, {vectorBits, ordered}).run()))
        return signalPassFailure();
    }
  }
};
} // namespace
