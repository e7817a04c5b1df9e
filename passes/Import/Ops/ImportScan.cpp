//===- ImportScan.cpp - Import of scans -----------------------------------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A scan is a loop over the slices along its dimension. What it carries is a
// counter, the carried values, and the outputs as far as they are known.
//
//===----------------------------------------------------------------------===//

#include "dialects/Graph/GraphBuilders.h"
#include "passes/Import/Importer.h"

using namespace mlir;
using namespace cleave;
using namespace cleave::reader;

namespace {

class Scan {
public:
  explicit Scan(ImportedOp &op, chlo::ScanOp source) : op(op), source(source) {}

  LogicalResult build();

private:
  LogicalResult read();
  Value number(int64_t value) {
    return graph::splatInt(op.builder, op.loc, counter, value);
  }
  /// Start indices of the slice at `index`.
  SmallVector<Value> at(Value index, int64_t rank);
  /// Adds arguments for all variables to a block; the counter is the first.
  SmallVector<Value> addArguments(Block &block);
  LogicalResult buildBody(Block &block);

  ImportedOp &op;
  chlo::ScanOp source;
  int64_t dim = 0, length = 0;
  bool isReverse = false;
  RankedTensorType counter;
  /// Initial values: counter, carried values, outputs.
  SmallVector<Value> variables;
};

} // namespace

LogicalResult Scan::read() {
  if (failed(op.read("dimension", dim)) ||
      failed(op.read("is_reverse", isReverse, false)))
    return failure();
  if (source.getInputs().empty())
    return op.unsupported() << "'chlo.scan' without inputs is not supported";
  auto fits = [&](Type type) {
    auto tensor = cast<RankedTensorType>(type);
    return dim >= 0 && dim < tensor.getRank() &&
           (length < 0 || tensor.getDimSize(dim) == length);
  };
  length = -1;
  for (unsigned i = 0; i < source.getInputs().size(); ++i) {
    for (Value part : op.operands[i])
      if (!fits(part.getType()))
        return op.error() << "no dimension " << dim << " of one size in "
                          << source.getInputs().getTypes();
    length = op.operandType(i).getDimSize(dim);
  }
  for (unsigned i = 0; i < source.getOutputs().size(); ++i)
    for (Type type : op.resultTypes[i])
      if (!fits(type))
        return op.error() << "outputs of types "
                          << source.getOutputs().getTypes() << " should have "
                          << length << " elements along dimension " << dim;
  return success();
}

SmallVector<Value> Scan::at(Value index, int64_t rank) {
  SmallVector<Value> starts(rank, number(0));
  starts[dim] = index;
  return starts;
}

SmallVector<Value> Scan::addArguments(Block &block) {
  SmallVector<Value> arguments;
  for (Value variable : variables)
    arguments.push_back(block.addArgument(variable.getType(), op.loc));
  return arguments;
}

LogicalResult Scan::buildBody(Block &block) {
  SmallVector<Value> current = addArguments(block);
  op.builder.setInsertionPointToEnd(&block);
  Value index = current[0];
  if (isReverse)
    index = graph::SubtractOp::create(op.builder, op.loc, number(length - 1),
                                      index);
  SmallVector<Parts> arguments, results;
  for (const Parts &parts :
       ArrayRef(op.operands).take_front(source.getInputs().size())) {
    Parts &slices = arguments.emplace_back();
    for (Value part : parts) {
      SmallVector<int64_t> shape(graph::typeOf(part).getShape());
      shape[dim] = 1;
      Value slice = graph::DynamicSliceOp::create(
          op.builder, op.loc, graph::withShape(graph::typeOf(part), shape),
          part, at(index, shape.size()), shape);
      shape.erase(shape.begin() + dim);
      slices.push_back(graph::reshapeTo(op.builder, op.loc, slice, shape));
    }
  }
  unsigned next = 1;
  for (const Parts &parts :
       ArrayRef(op.operands).drop_front(source.getInputs().size())) {
    Parts &carried = arguments.emplace_back();
    for (unsigned i = 0; i < parts.size(); ++i)
      carried.push_back(current[next++]);
  }
  if (failed(op.importer.importRegion(op.op->getRegion(0), block, arguments,
                                      /*isIsolated=*/false, results)))
    return failure();
  if (results.size() != op.results.size())
    return op.error() << "the body of 'chlo.scan' has " << results.size()
                      << " results; expected " << op.results.size();
  op.builder.setInsertionPointToEnd(&block);
  SmallVector<Value> yielded = {
      graph::AddOp::create(op.builder, op.loc, current[0], number(1))};
  unsigned outputs = source.getOutputs().size();
  for (const Parts &parts : ArrayRef(results).drop_front(outputs))
    llvm::append_range(yielded, parts);
  for (const Parts &parts : ArrayRef(results).take_front(outputs))
    for (Value part : parts) {
      if (next >= current.size())
        return op.error() << "the body of 'chlo.scan' has results of other "
                             "types than the outputs";
      Value whole = current[next++];
      SmallVector<int64_t> shape(graph::typeOf(whole).getShape());
      shape[dim] = 1;
      Value slice = graph::reshapeTo(op.builder, op.loc, part, shape);
      yielded.push_back(graph::DynamicUpdateSliceOp::create(
          op.builder, op.loc, whole.getType(), whole, slice,
          at(index, shape.size())));
    }
  graph::ReturnOp::create(op.builder, op.loc, yielded);
  return success();
}

LogicalResult Scan::build() {
  if (failed(read()))
    return failure();
  counter = RankedTensorType::get({}, op.builder.getI64Type());
  unsigned outputs = source.getOutputs().size();
  variables.push_back(number(0));
  llvm::append_range(variables, op.flatOperands(source.getInputs().size()));
  for (ArrayRef<Type> types : ArrayRef(op.resultTypes).take_front(outputs))
    for (Type type : types)
      variables.push_back(
          graph::splat(op.builder, op.loc, cast<RankedTensorType>(type), 0));
  auto loop = graph::WhileOp::create(
      op.builder, op.loc, TypeRange(ValueRange(variables)), variables);
  OpBuilder::InsertionGuard guard(op.builder);
  Block &cond = loop.getCond().emplaceBlock();
  SmallVector<Value> arguments = addArguments(cond);
  op.builder.setInsertionPointToEnd(&cond);
  Value goesOn =
      graph::compare(op.builder, op.loc, graph::ComparisonDirection::LT,
                     arguments[0], number(length));
  graph::ReturnOp::create(op.builder, op.loc, goesOn);
  if (failed(buildBody(loop.getBody().emplaceBlock())))
    return failure();
  unsigned next = 1;
  auto take = [&](unsigned index) {
    for (unsigned i = 0; i < op.resultTypes[index].size(); ++i)
      op.results[index].push_back(loop->getResult(next++));
  };
  for (unsigned i = outputs; i < op.results.size(); ++i)
    take(i);
  for (unsigned i = 0; i < outputs; ++i)
    take(i);
  return success();
}

static LogicalResult importScan(ImportedOp &op) {
  return Scan(op, cast<chlo::ScanOp>(op.op)).build();
}

void reader::addScanImports(ImportTable &table) {
  table["chlo.scan"] = importScan;
}
