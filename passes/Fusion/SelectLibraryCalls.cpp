//===- SelectLibraryCalls.cpp - Matrix products as library calls ----------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialects/Graph/GraphBuilders.h"
#include "dialects/Graph/GraphDialect.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/IRMapping.h"
#include "passes/Fusion/Passes.h"
#include "llvm/ADT/SetVector.h"

namespace cleave {
#define GEN_PASS_DEF_SELECTLIBRARYCALLS
#include "passes/Fusion/Passes.h.inc"
} // namespace cleave

using namespace mlir;
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

/// Transposes operands until the contracted dimensions are one stride in each,
/// and widens them to the element type of the result.
static DotGeneralOp normalize(DotGeneralOp dot) {
  OpBuilder b(dot);
  Location loc = dot.getLoc();
  Value lhs = dot.getLhs(), rhs = dot.getRhs();
  SmallVector<int64_t> lhsBatch(dot.getLhsBatchingDims());
  SmallVector<int64_t> rhsBatch(dot.getRhsBatchingDims());
  SmallVector<int64_t> lhsInner(dot.getLhsContractingDims());
  SmallVector<int64_t> rhsInner(dot.getRhsContractingDims());
  // Truth values are counted: their sum is "or", which asks for any.
  bool isBool = dot.getType().getElementType().isInteger(1);
  Type element = isBool ? b.getI32Type() : dot.getType().getElementType();
  lhs = convertElement(b, loc, lhs, element);
  rhs = convertElement(b, loc, rhs, element);

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

namespace {

/// A product and what follows it.
struct LibraryCall {
  SmallVector<Operation *> ops;
  SmallVector<Value> operands;
  StringRef bias = "none", activation = "none";
  bool hasResidual = false;

  explicit LibraryCall(DotGeneralOp dot)
      : ops({dot}), operands({dot.getLhs(), dot.getRhs()}) {}

  Value result() { return ops.back()->getResult(0); }
  /// The only user of the result, if it is in the same block.
  Operation *next() {
    if (!result().hasOneUse())
      return nullptr;
    Operation *user = *result().user_begin();
    return user->getBlock() == ops.back()->getBlock() ? user : nullptr;
  }
  /// What is added to the result, if that is all that happens next.
  Value nextAddend() {
    auto add = dyn_cast_or_null<AddOp>(next());
    if (!add)
      return Value();
    return add.getLhs() == result() ? add.getRhs() : add.getLhs();
  }
  void takeBias();
  void takeActivation();
  void takeResidual();
};

} // namespace

/// A vector along all columns or all rows, broadcast to the result.
void LibraryCall::takeBias() {
  auto dot = cast<DotGeneralOp>(ops.front());
  Value addend = nextAddend();
  auto broadcast =
      addend ? addend.getDefiningOp<BroadcastInDimOp>() : BroadcastInDimOp();
  if (!broadcast || broadcast.getOperand().getDefiningOp<ConstantOp>())
    return;
  RankedTensorType lhs = typeOf(dot.getLhs()), rhs = typeOf(dot.getRhs());
  SmallVector<int64_t> rows = freeDims(lhs.getRank(), dot.getLhsBatchingDims(),
                                       dot.getLhsContractingDims());
  SmallVector<int64_t> cols = freeDims(rhs.getRank(), dot.getRhsBatchingDims(),
                                       dot.getRhsContractingDims());
  int64_t numBatch = dot.getLhsBatchingDims().size();
  auto isAlong = [&](int64_t first, size_t count) {
    if (count == 0 || broadcast.getDims().size() != count)
      return false;
    for (size_t i = 0; i < count; ++i)
      if (broadcast.getDims()[i] != first + static_cast<int64_t>(i) ||
          typeOf(broadcast.getOperand()).getDimSize(i) !=
              typeOf(dot.getResult()).getDimSize(first + i))
        return false;
    return true;
  };
  if (isAlong(numBatch + rows.size(), cols.size()) && areAdjacent(rhs, cols))
    bias = "n";
  else if (isAlong(numBatch, rows.size()) && areAdjacent(lhs, rows))
    bias = "m";
  else
    return;
  operands.push_back(broadcast.getOperand());
  Operation *add = next();
  ops.push_back(broadcast);
  ops.push_back(add);
}

void LibraryCall::takeActivation() {
  Operation *user = next();
  if (!user)
    return;
  if (auto gelu = dyn_cast<GeluOp>(user))
    activation = gelu.getForm() == GeluForm::Erf ? "gelu_erf" : "gelu_tanh";
  else if (isa<SiluOp>(user))
    activation = "silu";
  else if (isa<ReluOp>(user))
    activation = "relu";
  else
    return;
  ops.push_back(user);
}

void LibraryCall::takeResidual() {
  Value addend = nextAddend();
  if (!addend || addend == result() || addend.getDefiningOp<ConstantOp>() ||
      addend.getDefiningOp<BroadcastInDimOp>())
    return;
  operands.push_back(addend);
  hasResidual = true;
  ops.push_back(next());
}

/// Moves the ops to a function that is called in the place of the last one.
static void outline(LibraryCall &call, SymbolTable &symbols, unsigned &number) {
  Operation *last = call.ops.back();
  Location loc = call.ops.front()->getLoc();
  OpBuilder b(last);
  SmallVector<Type> types =
      llvm::to_vector(ValueRange(call.operands).getTypes());
  auto function =
      func::FuncOp::create(loc, ("gemm_" + Twine(number++)).str(),
                           b.getFunctionType(types, call.result().getType()));
  function.setPrivate();
  function->setAttr(
      "cleave.gemm",
      b.getDictionaryAttr(
          {b.getNamedAttr("bias", b.getStringAttr(call.bias)),
           b.getNamedAttr("activation", b.getStringAttr(call.activation)),
           b.getNamedAttr("residual", b.getBoolAttr(call.hasResidual))}));
  Block *body = function.addEntryBlock();
  symbols.insert(function);

  // An operand that appears twice is two arguments, but one value inside
  // stands for it only where it belongs.
  auto callOp = func::CallOp::create(b, loc, function, call.operands);
  b.setInsertionPointToStart(body);
  IRMapping mapping;
  for (auto [i, op] : llvm::enumerate(call.ops)) {
    Operation *clone = b.clone(*op, mapping);
    if (i == 0) {
      clone->setOperand(0, body->getArgument(0));
      clone->setOperand(1, body->getArgument(1));
      continue;
    }
    for (OpOperand &operand : clone->getOpOperands()) {
      if (operand.get().getParentBlock() == body &&
          operand.get().getDefiningOp())
        continue;
      bool isBias = isa<BroadcastInDimOp>(clone);
      operand.set(body->getArgument(isBias ? 2 : body->getNumArguments() - 1));
    }
  }
  func::ReturnOp::create(b, loc, mapping.lookup(call.result()));
  call.result().replaceAllUsesWith(callOp.getResult(0));
  for (Operation *op : llvm::reverse(call.ops))
    if (op->use_empty())
      op->erase();
}

namespace {
struct SelectLibraryCalls
    : public cleave::impl::SelectLibraryCallsBase<SelectLibraryCalls> {
  void runOnOperation() override {
    ModuleOp module = getOperation();
    SymbolTable symbols(module);
    unsigned number = 0;
    SmallVector<DotGeneralOp> dots;
    for (auto function : module.getOps<func::FuncOp>())
      if (!function->hasAttr("cleave.gemm") &&
          !function->hasAttr("cleave.kernel"))
        function.walk([&](DotGeneralOp dot) { dots.push_back(dot); });
    for (DotGeneralOp dot : dots) {
      LibraryCall call(normalize(dot));
      if (isa<FloatType>(typeOf(call.result()).getElementType())) {
        call.takeBias();
        call.takeActivation();
        call.takeResidual();
      }
      outline(call, symbols, number);
    }
  }
};
} // namespace
