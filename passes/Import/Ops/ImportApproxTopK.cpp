//===- ImportApproxTopK.cpp - The k first entries, or nearly so -----------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// `custom_call @ApproxTopK(inputs..., initial values...)`, which JAX's
// approx_max_k and approx_min_k are, may miss some of the first k entries in
// the order of a comparator. Cleave finds all of them: it sorts.
//
//===----------------------------------------------------------------------===//

#include "dialects/Graph/GraphBuilders.h"
#include "passes/Import/Importer.h"

using namespace mlir;
using namespace cleave;
using namespace cleave::reader;

namespace {
/// What the call says.
struct TopK {
  int64_t dim = 0, k = 0;
  func::FuncOp comparator;
};
} // namespace

static FailureOr<TopK> readTopK(ImportedOp &op) {
  TopK top;
  auto config = op.op->getAttrOfType<DictionaryAttr>("mhlo.backend_config");
  if (!config)
    config = op.op->getAttrOfType<DictionaryAttr>("backend_config");
  auto number = [&](StringRef name) {
    return config ? config.getAs<IntegerAttr>(name) : IntegerAttr();
  };
  if (!number("reduction_dim") || !number("top_k"))
    return op.error() << "custom_call 'ApproxTopK' needs reduction_dim and "
                         "top_k in mhlo.backend_config";
  top.dim = number("reduction_dim").getInt();
  top.k = number("top_k").getInt();
  auto aggregate = config.getAs<BoolAttr>("aggregate_to_topk");
  if (aggregate && !aggregate.getValue())
    return op.unsupported() << "custom_call 'ApproxTopK' that leaves more than "
                               "top_k entries is not supported";
  auto called = op.op->getAttrOfType<ArrayAttr>("called_computations");
  if (called && called.size() == 1)
    if (auto name = dyn_cast<FlatSymbolRefAttr>(called[0]))
      top.comparator =
          SymbolTable::lookupNearestSymbolFrom<func::FuncOp>(op.op, name);
  if (!top.comparator || top.comparator.isExternal())
    return op.error()
           << "custom_call 'ApproxTopK' calls no comparator with a body";
  return top;
}

static LogicalResult importApproxTopK(ImportedOp &op) {
  FailureOr<TopK> top = readTopK(op);
  if (failed(top))
    return failure();
  size_t count = op.results.size();
  if (count == 0 || op.operands.size() != 2 * count)
    return op.error() << "custom_call 'ApproxTopK' has " << op.operands.size()
                      << " operands for " << count
                      << " results; expected an input and an initial value of "
                         "each";
  SmallVector<Value> inputs;
  for (const Parts &parts : ArrayRef(op.operands).take_front(count)) {
    if (parts.size() != 1)
      return op.unsupported() << "custom_call 'ApproxTopK' of "
                              << op.op->getOperand(inputs.size()).getType()
                              << " is not supported";
    inputs.push_back(parts.front());
  }
  RankedTensorType type = op.operandType(0);
  if (top->dim < 0 || top->dim >= type.getRank() || top->k < 0 ||
      top->k > type.getDimSize(top->dim))
    return op.error() << "custom_call 'ApproxTopK' cannot take " << top->k
                      << " entries along dimension " << top->dim << " of "
                      << type;
  auto sort = graph::SortOp::create(
      op.builder, op.loc, TypeRange(ValueRange(inputs)), inputs, top->dim);
  mlir::Block &body = sort.getBody().emplaceBlock();
  SmallVector<Parts> arguments, results;
  for (Value input : inputs)
    for (unsigned side = 0; side < 2; ++side)
      arguments.push_back({body.addArgument(
          graph::withShape(graph::typeOf(input), {}), op.loc)});
  if (failed(op.importer.importRegion(top->comparator.getBody(), body,
                                      arguments, /*isIsolated=*/true, results)))
    return failure();
  if (results.size() != 1 || results[0].size() != 1)
    return op.error() << "the comparator of custom_call 'ApproxTopK' must "
                         "return one bool";
  {
    OpBuilder::InsertionGuard guard(op.builder);
    op.builder.setInsertionPointToEnd(&body);
    graph::ReturnOp::create(op.builder, op.loc, results[0]);
  }
  for (auto [sorted, result] : llvm::zip_equal(sort->getResults(), op.results))
    result = {graph::sliceDim(op.builder, op.loc, sorted, top->dim, 0, top->k)};
  return success();
}

void reader::addApproxTopKImports(ImportTable &table) {
  table["ApproxTopK"] = importApproxTopK;
}
