//===- LoopKernel.cpp - A bufferized kernel as loop nests -----------------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/Codegen/Nests/LoopKernel.h"
#include "dialects/Graph/KernelAttributes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/AffineExpr.h"

using namespace mlir;
using namespace cleave::codegen;
using namespace cleave::graph;

/// Coefficients of a linear expression in the loops, and its constant.
static LogicalResult addLinear(AffineExpr expr, int64_t factor,
                               MutableArrayRef<int64_t> coefficients,
                               int64_t &constant) {
  if (auto dim = dyn_cast<AffineDimExpr>(expr)) {
    coefficients[dim.getPosition()] += factor;
    return success();
  }
  if (auto number = dyn_cast<AffineConstantExpr>(expr)) {
    constant += factor * number.getValue();
    return success();
  }
  auto binary = dyn_cast<AffineBinaryOpExpr>(expr);
  if (binary && expr.getKind() == AffineExprKind::Add)
    return success(
        succeeded(addLinear(binary.getLHS(), factor, coefficients, constant)) &&
        succeeded(addLinear(binary.getRHS(), factor, coefficients, constant)));
  // Conversion to linalg writes remainders that are the index itself.
  if (binary && expr.getKind() == AffineExprKind::Mod)
    return addLinear(binary.getLHS(), factor, coefficients, constant);
  if (binary && expr.getKind() == AffineExprKind::Mul)
    if (auto number = dyn_cast<AffineConstantExpr>(binary.getRHS()))
      return addLinear(binary.getLHS(), factor * number.getValue(),
                       coefficients, constant);
  return failure();
}

static SmallVector<int64_t> rowMajorStrides(ArrayRef<int64_t> shape) {
  SmallVector<int64_t> strides(shape.size(), 1);
  for (int64_t i = static_cast<int64_t>(shape.size()) - 2; i >= 0; --i)
    strides[i] = strides[i + 1] * shape[i + 1];
  return strides;
}

//===----------------------------------------------------------------------===//
// Construction
//===----------------------------------------------------------------------===//

LogicalResult LoopKernel::addNest(linalg::LinalgOp op) {
  LoopNest nest;
  nest.op = op;
  nest.isScan = op->hasAttr(kScanAttr);
  nest.extents = llvm::to_vector(op.getStaticLoopRanges());
  auto iterators = op.getIteratorTypesArray();
  while (nest.numParallel < static_cast<int64_t>(iterators.size()) &&
         iterators[nest.numParallel] == utils::IteratorType::parallel)
    ++nest.numParallel;
  nest.inputCount = op.getNumDpsInputs();
  int64_t numLoops = nest.extents.size();
  for (int64_t i = 0; i < numLoops; ++i)
    nest.loopOf.push_back(i);

  for (OpOperand &operand : op->getOpOperands()) {
    NestAccess access;
    bool isOutput = operand.getOperandNumber() >= nest.inputCount;
    BlockArgument element = op.getMatchingBlockArgument(&operand);
    if (!isa<MemRefType>(operand.get().getType()) ||
        (!isOutput && element.use_empty())) {
      nest.accesses.push_back(access);
      continue;
    }
    access.coefficients.assign(numLoops, 0);
    auto view = operand.get().getDefiningOp<memref::SubViewOp>();
    access.buffer = bufferOf(view ? view.getSource() : operand.get());
    if (!access.buffer)
      return op->emitOpError("operand ")
             << operand.getOperandNumber() << " is no buffer of the kernel";
    access.buffer->isWritten |= isOutput;
    SmallVector<int64_t> strides =
        rowMajorStrides(access.buffer->type.getShape());
    bool isAligned = true;
    for (auto [i, expr] :
         llvm::enumerate(op.getMatchingIndexingMap(&operand).getResults())) {
      SmallVector<int64_t> dim(numLoops);
      int64_t constant = 0;
      if (failed(addLinear(expr, 1, dim, constant)))
        return op->emitOpError("indexing map is not linear");
      if (view) {
        int64_t step = view.getStaticStrides()[i];
        for (int64_t &coefficient : dim)
          coefficient *= step;
        constant *= step;
        OpFoldResult offset = view.getMixedOffsets()[i];
        if (auto number = getConstantIntValue(offset)) {
          constant += *number;
        } else {
          access.dynamic.push_back({cast<Value>(offset), strides[i]});
          isAligned = false;
        }
      }
      for (int64_t loop = 0; loop < numLoops; ++loop) {
        isAligned &= dim[loop] == (loop == static_cast<int64_t>(i));
        access.coefficients[loop] += dim[loop] * strides[i];
      }
      access.constant += constant * strides[i];
      isAligned &= constant == 0 && static_cast<int64_t>(i) < numLoops &&
                   nest.extents[i] == access.buffer->type.getDimSize(i);
      access.alignedDims += isAligned;
    }
    nest.accesses.push_back(access);
  }
  nests.push_back(std::move(nest));
  return success();
}

FailureOr<LoopKernel> LoopKernel::analyze(func::FuncOp kernel) {
  LoopKernel result;
  auto addBuffer = [&](Value memref, bool isTemporary) {
    auto buffer = std::make_unique<NestBuffer>();
    buffer->type = cast<MemRefType>(memref.getType());
    buffer->isTemporary = isTemporary;
    result.bufferOfValue[memref] = buffer.get();
    result.buffers.push_back(std::move(buffer));
  };
  Block &block = kernel.getBody().front();
  for (BlockArgument argument : block.getArguments())
    addBuffer(argument, false);
  for (Operation &op : block.without_terminator()) {
    if (auto alloc = dyn_cast<memref::AllocOp>(op))
      addBuffer(alloc.getResult(), true);
    else if (auto nest = dyn_cast<linalg::LinalgOp>(op)) {
      if (failed(result.addNest(nest)))
        return failure();
    } else if (!isa<memref::SubViewOp>(op))
      result.scalarOps.push_back(&op);
  }
  result.numRowLoops = result.commonPrefix();
  if (result.numRowLoops == 0) {
    result.choosePreamble();
    result.numRowLoops = result.commonPrefix();
  }
  result.mergeLoops();
  return std::move(result);
}

//===----------------------------------------------------------------------===//
// Rows
//===----------------------------------------------------------------------===//

/// Whether nothing of what the nest writes is read by it. Where there is no
/// other nest, its iterations are then independent, wherever they write.
void LoopKernel::cloneScalarOps(OpBuilder &builder, IRMapping &scalars) const {
  for (Operation *op : scalarOps) {
    auto load = dyn_cast<memref::LoadOp>(op);
    if (!load) {
      builder.clone(*op, scalars);
      continue;
    }
    // Only elements of rank-0 tensors are read outside of nests.
    Value flat = bufferOf(load.getMemRef())->flat;
    Value zero = arith::ConstantIndexOp::create(builder, op->getLoc(), 0);
    scalars.map(
        load.getResult(),
        memref::LoadOp::create(builder, op->getLoc(), flat, zero).getResult());
  }
}

bool LoopKernel::onlyWrites(const LoopNest &nest) const {
  bool result = llvm::none_of(nest.inputs(), [](const NestAccess &access) {
    return access.buffer && access.buffer->isWritten;
  });
  nest.op->walk([&](memref::LoadOp load) {
    result &= !bufferOf(load.getMemRef())->isWritten;
  });
  return result;
}

int64_t LoopKernel::commonPrefix() const {
  if (nests.size() == 1 && onlyWrites(nests.front()))
    return nests.front().numParallel;
  const LoopNest *first = nullptr;
  int64_t prefix = 0;
  for (const LoopNest &nest : nests) {
    if (nest.isPreamble)
      continue;
    if (!first) {
      first = &nest;
      prefix = nest.numParallel;
    }
    prefix = std::min(prefix, nest.numParallel);
    for (int64_t i = 0; i < prefix; ++i)
      if (nest.extents[i] != first->extents[i])
        prefix = i;
    for (const NestAccess &access : nest.accesses)
      if (access.buffer && access.buffer->isWritten && !access.buffer->isShared)
        prefix = std::min(prefix, access.alignedDims);
    // What is read at computed indices may lie in any row.
    nest.op->walk([&](memref::LoadOp load) {
      NestBuffer *buffer = bufferOf(load.getMemRef());
      if (buffer->isWritten && !buffer->isShared)
        prefix = 0;
    });
  }
  return prefix;
}

/// Without common rows, small temporaries (a scalar, or a vector that all rows
/// share) are computed first. Every call that runs a part of the rows repeats
/// this, so it must be small.
void LoopKernel::choosePreamble() {
  constexpr int64_t maxIterations = 1 << 14;
  for (LoopNest &nest : nests) {
    int64_t iterations = 1;
    for (int64_t extent : nest.extents)
      iterations *= extent;
    nest.isPreamble = iterations <= maxIterations;
    for (const NestAccess &access : nest.outputs())
      nest.isPreamble &= access.buffer->isTemporary;
  }
  // Each temporary is written, and all it is made from, before the rows.
  for (bool changed = true; changed;) {
    changed = false;
    DenseSet<const NestBuffer *> writtenByRows;
    for (const LoopNest &nest : nests)
      if (!nest.isPreamble)
        for (const NestAccess &access : nest.outputs())
          writtenByRows.insert(access.buffer);
    for (LoopNest &nest : nests) {
      bool dependsOnRows = false;
      for (const NestAccess &access : nest.accesses)
        dependsOnRows |= writtenByRows.contains(access.buffer);
      nest.op->walk([&](memref::LoadOp load) {
        dependsOnRows |= writtenByRows.contains(bufferOf(load.getMemRef()));
      });
      if (nest.isPreamble && dependsOnRows) {
        nest.isPreamble = false;
        changed = true;
      }
    }
  }
  for (LoopNest &nest : nests)
    if (nest.isPreamble)
      for (const NestAccess &access : nest.outputs())
        access.buffer->isShared = true;
}

//===----------------------------------------------------------------------===//
// Merging loops
//===----------------------------------------------------------------------===//

bool LoopKernel::indexIsUsed(const LoopNest &nest, int64_t loop) const {
  auto result = nest.op->walk([&](linalg::IndexOp index) {
    return nest.loopOf[index.getDim()] == loop ? WalkResult::interrupt()
                                               : WalkResult::advance();
  });
  return result.wasInterrupted();
}

/// Whether `loop` and the next one can be one loop.
bool LoopKernel::canMerge(const LoopNest &nest, int64_t loop) const {
  if ((loop < nest.numParallel) != (loop + 1 < nest.numParallel))
    return false;
  // Where a loop has one step, only the other one counts.
  if (nest.extents[loop] == 1 || nest.extents[loop + 1] == 1)
    return true;
  if (indexIsUsed(nest, loop) || indexIsUsed(nest, loop + 1))
    return false;
  for (const NestAccess &access : nest.accesses)
    if (access.buffer &&
        access.coefficients[loop] !=
            access.coefficients[loop + 1] * nest.extents[loop + 1])
      return false;
  return true;
}

void LoopKernel::merge(LoopNest &nest, int64_t loop) {
  bool outerIsUnit = nest.extents[loop] == 1;
  bool innerIsUnit = nest.extents[loop + 1] == 1;
  for (NestAccess &access : nest.accesses) {
    if (!access.buffer)
      continue;
    // The merged loop steps like the inner one, unless that has one step.
    access.coefficients.erase(access.coefficients.begin() + loop +
                              (innerIsUnit ? 1 : 0));
  }
  nest.extents[loop] *= nest.extents[loop + 1];
  nest.extents.erase(nest.extents.begin() + loop + 1);
  if (loop + 1 < nest.numParallel)
    --nest.numParallel;
  for (int64_t &number : nest.loopOf) {
    if (number == loop && outerIsUnit && !innerIsUnit)
      number = -1;
    else if (number == loop + 1 && innerIsUnit)
      number = -1;
    else if (number > loop)
      --number;
  }
}

void LoopKernel::mergeLoops() {
  auto rowNests = llvm::make_filter_range(
      nests, [](const LoopNest &nest) { return !nest.isPreamble; });
  for (int64_t loop = 0; loop + 1 < numRowLoops;) {
    if (llvm::all_of(rowNests, [&](const LoopNest &nest) {
          return canMerge(nest, loop);
        })) {
      for (LoopNest &nest : rowNests)
        merge(nest, loop);
      --numRowLoops;
    } else {
      ++loop;
    }
  }
  for (LoopNest &nest : nests)
    for (int64_t loop = nest.isPreamble ? 0 : numRowLoops;
         loop + 1 < static_cast<int64_t>(nest.extents.size());) {
      if (canMerge(nest, loop))
        merge(nest, loop);
      else
        ++loop;
    }
  for (LoopNest &nest : rowNests) {
    rowExtents.assign(nest.extents.begin(), nest.extents.begin() + numRowLoops);
    break;
  }
}
