//===- ShardyAnnotations.cpp - Shardings that fit their values ------------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/Import/Shardings/ShardyAnnotations.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Diagnostics.h"

using namespace mlir;

namespace cleave::reader {

namespace {

struct Annotations {
  LogicalResult checkRank(Operation *op, sdy::ShardingAttr sharding, Type type,
                          const Twine &what);
  LogicalResult checkAttr(func::FuncOp function, Attribute attribute, Type type,
                          const Twine &what);
  LogicalResult checkSignature(func::FuncOp function);
  LogicalResult checkOp(Operation *op);

  const ShardyMeshes &meshes;
};

} // namespace

/// Checks that a sharding cuts the dimensions that a value has; one that puts a
/// tensor on one device need not name them.
LogicalResult Annotations::checkRank(Operation *op, sdy::ShardingAttr sharding,
                                     Type type, const Twine &what) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  size_t rank = sharding.getDims().size();
  if (!tensor || rank == static_cast<size_t>(tensor.getRank()) ||
      (rank == 0 && isOneDevice(meshes.meshOf(sharding))))
    return success();
  return op->emitError("sharding")
         << what << " has " << rank
         << (rank == 1 ? " dimension" : " dimensions") << ", but " << tensor
         << " has " << tensor.getRank();
}

/// Checks the `sdy.sharding` of an argument or result, which may be null.
LogicalResult Annotations::checkAttr(func::FuncOp function, Attribute attribute,
                                     Type type, const Twine &what) {
  if (!attribute)
    return success();
  auto sharding = dyn_cast<sdy::ShardingAttr>(attribute);
  if (!sharding)
    return function.emitError() << sdy::SdyDialect::kSharding << what << " is "
                                << attribute << "; expected #sdy.sharding<...>";
  return checkRank(function, sharding, type, what);
}

LogicalResult Annotations::checkSignature(func::FuncOp function) {
  StringRef name = sdy::SdyDialect::kSharding;
  for (auto [i, type] : llvm::enumerate(function.getArgumentTypes()))
    if (failed(checkAttr(function, function.getArgAttr(i, name), type,
                         " of argument " + Twine(i))))
      return failure();
  for (auto [i, type] : llvm::enumerate(function.getResultTypes()))
    if (failed(checkAttr(function, function.getResultAttr(i, name), type,
                         " of result " + Twine(i))))
      return failure();
  return success();
}

/// Checks the attribute of an op, and what it says itself.
LogicalResult Annotations::checkOp(Operation *op) {
  if (isa_and_nonnull<sdy::SdyDialect>(op->getDialect()) &&
      op->getNumResults() == 1)
    for (StringRef name : {"sharding", "out_sharding"})
      if (auto own = op->getAttrOfType<sdy::ShardingAttr>(name))
        return checkRank(op, own, op->getResult(0).getType(), "");
  Attribute attribute = op->getDiscardableAttr(sdy::SdyDialect::kSharding);
  if (!attribute)
    return success();
  auto shardings = dyn_cast<sdy::ShardingPerValueAttr>(attribute);
  if (!shardings)
    return op->emitError(sdy::SdyDialect::kSharding)
           << " is " << attribute
           << "; expected #sdy.sharding_per_value<[...]>";
  if (llvm::any_of(op->getResultTypes(), llvm::IsaPred<TupleType>))
    return success();
  size_t count = shardings.getShardings().size();
  if (count != op->getNumResults())
    return op->emitError(sdy::SdyDialect::kSharding)
           << " has " << count << (count == 1 ? " sharding" : " shardings")
           << " for " << op->getNumResults()
           << (op->getNumResults() == 1 ? " result" : " results");
  for (auto [sharding, type] :
       llvm::zip_equal(shardings.getShardings(), op->getResultTypes()))
    if (failed(checkRank(op, sharding, type, "")))
      return failure();
  return success();
}

LogicalResult checkShardyAnnotations(ModuleOp module,
                                     const ShardyMeshes &meshes) {
  Annotations annotations{meshes};
  auto walk = module.walk<WalkOrder::PreOrder>([&](Operation *op) {
    auto function = dyn_cast<func::FuncOp>(op);
    bool isRight = succeeded(function ? annotations.checkSignature(function)
                                      : annotations.checkOp(op));
    return isRight ? WalkResult::advance() : WalkResult::interrupt();
  });
  return failure(walk.wasInterrupted());
}

} // namespace cleave::reader
