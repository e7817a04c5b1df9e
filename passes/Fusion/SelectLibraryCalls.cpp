//===- SelectLibraryCalls.cpp - Matrix products as library calls ----------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialects/Graph/GraphBuilders.h"
#include "dialects/Graph/GraphDialect.h"
#include "dialects/Graph/KernelAttributes.h"
#include "dialects/Graph/SmallFloats.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "passes/Fusion/LibraryCall.h"
#include "passes/Fusion/Passes.h"

namespace cleave {
#define GEN_PASS_DEF_SELECTLIBRARYCALLS
#include "passes/Fusion/Passes.h.inc"
} // namespace cleave

using namespace mlir;
using namespace cleave;
using namespace cleave::graph;

//===----------------------------------------------------------------------===//
// Operands
//===----------------------------------------------------------------------===//

static SmallVector<int64_t> freeDims(int64_t rank, ArrayRef<int64_t> batching,
                                     ArrayRef<int64_t> contracting) {
  SmallVector<int64_t> dims;
  for (int64_t dim : dimRange(rank))
    if (!llvm::is_contained(batching, dim) &&
        !llvm::is_contained(contracting, dim))
      dims.push_back(dim);
  return dims;
}

/// Whether `dims` lie next to each other in this order, so that one stride
/// walks all of them.
static bool areAdjacent(RankedTensorType type, ArrayRef<int64_t> dims) {
  int64_t previous = -1;
  for (int64_t dim : dims) {
    if (type.getDimSize(dim) == 1)
      continue;
    if (previous >= 0) {
      if (dim < previous)
        return false;
      for (int64_t between = previous + 1; between < dim; ++between)
        if (type.getDimSize(between) != 1)
          return false;
    }
    previous = dim;
  }
  return true;
}

/// Reads what a transpose reads, where the contracted dimensions have one
/// stride there, and the other ones too, and the result stays as it is.
static void readThroughTransposes(Value &operand, SmallVector<int64_t> &batch,
                                  SmallVector<int64_t> &inner) {
  while (auto op = operand.getDefiningOp<TransposeOp>()) {
    auto before = [&](ArrayRef<int64_t> dims) {
      return llvm::map_to_vector(
          dims, [&](int64_t dim) { return op.getDims()[dim]; });
    };
    RankedTensorType type = typeOf(op.getOperand());
    SmallVector<int64_t> free = before(freeDims(type.getRank(), batch, inner));
    SmallVector<int64_t> newInner = before(inner);
    if (!llvm::is_sorted(free) || !areAdjacent(type, free) ||
        !areAdjacent(type, newInner))
      return;
    operand = op.getOperand();
    batch = before(batch);
    inner = newInner;
  }
}

/// Transposes operands until the contracted dimensions are one stride in each,
/// and widens them to the element type of the result, if the library does not.
static DotGeneralOp normalize(DotGeneralOp dot, bool convertsSmall) {
  OpBuilder b(dot);
  Location loc = dot.getLoc();
  Value lhs = dot.getLhs(), rhs = dot.getRhs();
  SmallVector<int64_t> lhsBatch(dot.getLhsBatchingDims());
  SmallVector<int64_t> rhsBatch(dot.getRhsBatchingDims());
  SmallVector<int64_t> lhsInner(dot.getLhsContractingDims());
  SmallVector<int64_t> rhsInner(dot.getRhsContractingDims());
  readThroughTransposes(lhs, lhsBatch, lhsInner);
  readThroughTransposes(rhs, rhsBatch, rhsInner);
  // Truth values are counted: their sum is "or", which asks for any.
  bool isBool = dot.getType().getElementType().isInteger(1);
  Type element = isBool ? b.getI32Type() : dot.getType().getElementType();
  bool isConverted = convertsSmall &&
                     isSmallFloat(typeOf(lhs).getElementType()) &&
                     (element.isF32() || element.isF16() || element.isBF16());
  if (!isConverted) {
    lhs = convertElement(b, loc, lhs, element);
    rhs = convertElement(b, loc, rhs, element);
  }

  // The order of a sum is free: take that of the left operand.
  SmallVector<int64_t> order = dimRange(lhsInner.size());
  llvm::sort(order,
             [&](int64_t x, int64_t y) { return lhsInner[x] < lhsInner[y]; });
  auto reorder = [&](SmallVector<int64_t> &dims) {
    SmallVector<int64_t> sorted;
    for (int64_t i : order)
      sorted.push_back(dims[i]);
    dims = sorted;
  };
  reorder(lhsInner);
  reorder(rhsInner);

  auto gather = [&](Value &operand, SmallVector<int64_t> &batch,
                    SmallVector<int64_t> &inner, bool innerIsLast) {
    RankedTensorType type = typeOf(operand);
    if (type.getNumElements() == 0 || areAdjacent(type, inner))
      return;
    SmallVector<int64_t> free = freeDims(type.getRank(), batch, inner);
    SmallVector<int64_t> permutation(batch);
    permutation.append(innerIsLast ? free : inner);
    permutation.append(innerIsLast ? inner : free);
    operand = transpose(b, loc, operand, permutation);
    auto newPosition = [&](int64_t dim) -> int64_t {
      return llvm::find(permutation, dim) - permutation.begin();
    };
    for (int64_t &dim : batch)
      dim = newPosition(dim);
    for (int64_t &dim : inner)
      dim = newPosition(dim);
  };
  gather(lhs, lhsBatch, lhsInner, /*innerIsLast=*/true);
  gather(rhs, rhsBatch, rhsInner, /*innerIsLast=*/false);

  auto result =
      DotGeneralOp::create(b, loc, withElement(dot.getType(), element), lhs,
                           rhs, lhsBatch, rhsBatch, lhsInner, rhsInner);
  dot.getResult().replaceAllUsesWith(
      convertElement(b, loc, result, dot.getType().getElementType()));
  dot.erase();
  return result;
}

//===----------------------------------------------------------------------===//
// Epilogues
//===----------------------------------------------------------------------===//

/// The kind of a bias that is broadcast along `dims` of the product: along all
/// columns or all rows.
static StringRef biasKind(DotGeneralOp dot, Value vector,
                          ArrayRef<int64_t> dims) {
  RankedTensorType lhs = typeOf(dot.getLhs()), rhs = typeOf(dot.getRhs());
  SmallVector<int64_t> rows = freeDims(lhs.getRank(), dot.getLhsBatchingDims(),
                                       dot.getLhsContractingDims());
  SmallVector<int64_t> cols = freeDims(rhs.getRank(), dot.getRhsBatchingDims(),
                                       dot.getRhsContractingDims());
  int64_t numBatch = dot.getLhsBatchingDims().size();
  auto isAlong = [&](int64_t first, size_t count) {
    if (count == 0 || dims.size() != count)
      return false;
    for (size_t i = 0; i < count; ++i)
      if (dims[i] != first + static_cast<int64_t>(i) ||
          typeOf(vector).getDimSize(i) !=
              typeOf(dot.getResult()).getDimSize(first + i))
        return false;
    return true;
  };
  if (isAlong(numBatch + rows.size(), cols.size()) && areAdjacent(rhs, cols))
    return "n";
  if (isAlong(numBatch, rows.size()) && areAdjacent(lhs, rows))
    return "m";
  return "";
}

namespace {
struct SelectLibraryCalls
    : public cleave::impl::SelectLibraryCallsBase<SelectLibraryCalls> {
  using SelectLibraryCallsBase::SelectLibraryCallsBase;

  void runOnOperation() override {
    ModuleOp module = getOperation();
    SymbolTable symbols(module);
    unsigned number = 0;
    SmallVector<DotGeneralOp> dots;
    for (auto function : module.getOps<func::FuncOp>())
      if (!function->hasAttr(kGemmAttr) &&
          !function->hasAttr(kConvolutionAttr) &&
          !function->hasAttr(kKernelAttr))
        function.walk([&](DotGeneralOp dot) { dots.push_back(dot); });
    for (DotGeneralOp dot : dots) {
      // A library for hosts converts floats of 8 bits while it packs them.
      DotGeneralOp normal = normalize(dot, epilogues == "all");
      fusion::LibraryCall call(normal);
      if (isa<FloatType>(typeOf(call.result()).getElementType()))
        takeEpilogue(call, normal);
      call.outline(symbols, "gemm", number++, kGemmAttr);
    }
  }

private:
  void takeEpilogue(fusion::LibraryCall &call, DotGeneralOp dot) {
    bool isOfHost = epilogues == "all";
    bool isF64 = typeOf(call.result()).getElementType().isF64();
    bool isTaken = false;
    if (isOfHost || !isF64)
      call.takeBias([&](Value vector, ArrayRef<int64_t> dims) -> StringRef {
        StringRef kind = biasKind(dot, vector, dims);
        return isOfHost || kind == "n" ? kind : "";
      });
    if (isOfHost)
      call.takeActivation();
    else if (epilogues == "fast" && !isF64)
      isTaken = call.takeActivation({"relu", "gelu_tanh"});
    if (!isTaken)
      call.takeResidual();
  }
};
} // namespace
