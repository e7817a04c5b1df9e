//===- Verification.cpp - Checks that several verifiers share -------------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialects/Graph/Verify/Verification.h"
#include "dialects/Graph/GraphBuilders.h"
#include "dialects/Graph/ScalarBody.h"
#include "dialects/Graph/SmallFloats.h"
#include "llvm/ADT/SmallBitVector.h"
#include <algorithm>

using namespace mlir;

namespace cleave::graph {

LogicalResult checkDim(Operation *op, StringRef name, int64_t dim, int64_t rank,
                       const Twine &what) {
  if (dim >= 0 && dim < rank)
    return success();
  InFlightDiagnostic diag = op->emitOpError()
                            << "`" << name << "` has dimension " << dim
                            << ", but " << what << " has rank " << rank;
  if (rank > 0)
    diag << ": should be in 0.." << rank - 1;
  return diag;
}

LogicalResult checkDims(Operation *op, StringRef name, ArrayRef<int64_t> dims,
                        int64_t rank, const Twine &what) {
  llvm::SmallBitVector seen(rank);
  for (int64_t dim : dims) {
    if (failed(checkDim(op, name, dim, rank, what)))
      return failure();
    if (seen.test(dim))
      return op->emitOpError() << "`" << name << "` has dimension " << dim
                               << " twice: should be distinct";
    seen.set(dim);
  }
  return success();
}

LogicalResult checkSorted(Operation *op, StringRef name,
                          ArrayRef<int64_t> dims) {
  if (llvm::is_sorted(dims))
    return success();
  return op->emitOpError() << "`" << name << "` is [" << dims
                           << "]: should ascend";
}

LogicalResult checkCount(Operation *op, StringRef name, int64_t count,
                         int64_t expected, const Twine &what) {
  if (count == expected)
    return success();
  return op->emitOpError() << "`" << name << "` has " << count
                           << " entries: should have " << expected
                           << ", one for each " << what;
}

LogicalResult checkType(Operation *op, StringRef name, Type actual,
                        Type expected) {
  if (actual == expected)
    return success();
  return op->emitOpError() << name << " has type " << actual << ": should be "
                           << expected;
}

LogicalResult checkShape(Operation *op, StringRef name, RankedTensorType actual,
                         ArrayRef<int64_t> expected) {
  return checkType(op, name, actual,
                   RankedTensorType::get(expected, actual.getElementType(),
                                         actual.getEncoding()));
}

LogicalResult checkElement(Operation *op, StringRef name,
                           RankedTensorType actual, Type expected) {
  return checkType(
      op, name, actual,
      RankedTensorType::get(actual.getShape(), expected, actual.getEncoding()));
}

LogicalResult checkRank(Operation *op, StringRef name, RankedTensorType actual,
                        int64_t expected) {
  if (actual.getRank() == expected)
    return success();
  return op->emitOpError() << name << " has type " << actual
                           << ": should have rank " << expected;
}

LogicalResult checkSize(Operation *op, StringRef name, RankedTensorType type,
                        int64_t dim, int64_t expected, const Twine &why) {
  if (type.getDimSize(dim) == expected)
    return success();
  return op->emitOpError() << "dimension " << dim << " of " << name << " has "
                           << type.getDimSize(dim) << " elements: should have "
                           << expected << ", " << why;
}

static bool isWider(Type type, Type than) {
  if (isa<FloatType>(type) != isa<FloatType>(than))
    return false;
  if (!isa<FloatType>(type) &&
      type.isUnsignedInteger() != than.isUnsignedInteger())
    return false;
  return type.getIntOrFloatBitWidth() > than.getIntOrFloatBitWidth();
}

LogicalResult checkProductElements(Operation *op, RankedTensorType lhs,
                                   RankedTensorType rhs,
                                   RankedTensorType result) {
  Type element = lhs.getElementType(), sum = result.getElementType();
  if (failed(checkElement(op, "rhs", rhs, element)))
    return failure();
  std::optional<SmallFloat> small = getSmallFloat(element);
  if (small && !small->hasSign())
    return op->emitOpError()
           << "operands have elements of type " << element
           << ", which has no zero: should be converted to another float";
  if (small && sum == element)
    return op->emitOpError() << "result has elements of type " << sum
                             << ": should be wider, since sums are not made in "
                                "8 bits";
  if (sum != element && !isWider(sum, element))
    return op->emitOpError() << "result has elements of type " << sum
                             << ": should be " << element << " or wider";
  return success();
}

LogicalResult checkResultPerInput(Operation *op, ValueRange inputs) {
  if (inputs.empty())
    return op->emitOpError("has no inputs: should have at least 1");
  if (op->getNumResults() != inputs.size())
    return op->emitOpError()
           << "has " << op->getNumResults() << " results: should have "
           << inputs.size() << ", one for each input";
  return success();
}

LogicalResult checkReduction(Operation *op, ValueRange inputs, ValueRange inits,
                             Region &reducer) {
  if (failed(checkResultPerInput(op, inputs)))
    return failure();
  ArrayRef<int64_t> shape = typeOf(inputs.front()).getShape();
  for (auto [i, input, init] : llvm::enumerate(inputs, inits)) {
    std::string number = (" #" + Twine(i)).str();
    if (failed(checkShape(op, "input" + number, typeOf(input), shape)) ||
        failed(checkType(op, "init" + number, init.getType(),
                         withShape(typeOf(input), {}))))
      return failure();
  }
  SmallVector<Type> scalars = scalarTypes(inputs), arguments(scalars);
  llvm::append_range(arguments, scalars);
  return checkScalarBody(op, "reducer", reducer, arguments,
                         "accumulators, then elements", scalars);
}

LogicalResult checkYield(Operation *op, StringRef name, Region &region,
                         TypeRange types) {
  Operation &last = region.front().back();
  if (!isa<ReturnOp>(last))
    return op->emitOpError()
           << name << " ends with '" << last.getName() << "': should end with '"
           << ReturnOp::getOperationName() << "'";
  if (last.getOperandTypes() == types)
    return success();
  InFlightDiagnostic diag = op->emitOpError() << name << " returns ";
  if (last.getNumOperands())
    diag << last.getOperandTypes();
  else
    diag << "nothing";
  diag << ": should return ";
  if (types.empty())
    diag << "nothing";
  else
    diag << types;
  return diag;
}

} // namespace cleave::graph
