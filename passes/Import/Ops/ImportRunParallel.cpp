//===- ImportRunParallel.cpp - Grids of processes as one computation ------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The inputs of all processes are stacked along a new first dimension that is
// cut over the whole mesh, so that each rank gets those of its process.
//
//===----------------------------------------------------------------------===//

#include "dialects/Graph/GraphBuilders.h"
#include "dialects/Spmd/SpmdBuilders.h"
#include "passes/Import/Importer.h"
#include "passes/Import/Shardings/ProcessGroups.h"

using namespace mlir;
using namespace cleave;
using namespace cleave::reader;

namespace {
/// The function that all processes run, and the shape of their grid.
struct Programs {
  FlatSymbolRefAttr function;
  int64_t replicas = 0, partitions = 0;
};
} // namespace

/// The name of a function, which older programs write as a string.
static FlatSymbolRefAttr functionName(Attribute name) {
  if (auto text = dyn_cast<StringAttr>(name))
    return FlatSymbolRefAttr::get(text);
  return dyn_cast<FlatSymbolRefAttr>(name);
}

static FailureOr<Programs> readPrograms(ImportedOp &op) {
  Programs programs;
  auto rows = op.op->getAttrOfType<ArrayAttr>("programs");
  if (!rows || rows.empty())
    return op.error() << "'" << op.name()
                      << "' needs programs: a list of lists of functions";
  programs.replicas = rows.size();
  for (Attribute row : rows) {
    auto functions = dyn_cast<ArrayAttr>(row);
    if (!functions || functions.empty() ||
        (programs.function &&
         static_cast<int64_t>(functions.size()) != programs.partitions))
      return op.error() << "'" << op.name()
                        << "' needs as many programs for each replica";
    programs.partitions = functions.size();
    for (Attribute function : functions) {
      FlatSymbolRefAttr symbol = functionName(function);
      if (!symbol)
        return op.error() << "'" << op.name() << "' runs " << function
                          << ", which is no function";
      if (programs.function && programs.function != symbol)
        return op.unsupported() << "'" << op.name()
                                << "' of different programs is not supported: "
                                << programs.function << " and " << symbol;
      programs.function = symbol;
    }
  }
  return programs;
}

/// The mesh of replicas by partitions; one that is there must be the same.
static FailureOr<spmd::MeshOp> declareGrid(ImportedOp &op,
                                           const Programs &programs) {
  auto module = op.op->getParentOfType<ModuleOp>();
  Builder builder(module.getContext());
  auto shape = spmd::MeshAttr::get(
      builder.getContext(),
      {builder.getStringAttr("replica"), builder.getStringAttr("partition")},
      {programs.replicas, programs.partitions}, {});
  for (auto mesh : module.getOps<spmd::MeshOp>()) {
    if (mesh.getShape() == shape)
      return mesh;
    return op.error() << "'" << op.name() << "' runs on a grid of "
                      << programs.replicas << " by " << programs.partitions
                      << " processes, but the module has another mesh";
  }
  return spmd::declareMesh(module, op.loc, "grid", shape);
}

static SmallVector<int64_t> stacked(Type type, int64_t count) {
  SmallVector<int64_t> shape{count};
  llvm::append_range(shape, cast<RankedTensorType>(type).getShape());
  return shape;
}

/// Gives each rank one entry of the first dimension of a tensor.
static spmd::ShardingAttr cutFirst(spmd::MeshOp mesh, int64_t rank) {
  MLIRContext *context = mesh.getContext();
  SmallVector<spmd::AxisAttr> axes;
  for (StringAttr name : mesh.getShape().getNames())
    axes.push_back(spmd::AxisAttr::get(context, name, 1, 0));
  SmallVector<spmd::DimShardingAttr> dims;
  for (int64_t d = 0; d < rank; ++d)
    dims.push_back(spmd::DimShardingAttr::get(
        context, d == 0 ? axes : SmallVector<spmd::AxisAttr>(), false,
        std::nullopt));
  return spmd::ShardingAttr::get(
      context, FlatSymbolRefAttr::get(mesh.getSymNameAttr()), dims, {});
}

/// Parts of consecutive operands or results, as one list per process.
template <typename T>
static FailureOr<SmallVector<SmallVector<T>>>
perProcess(ImportedOp &op, ArrayRef<SmallVector<T, 2>> parts, int64_t count) {
  if (parts.size() % count != 0)
    return op.error() << "'" << op.name() << "' has " << parts.size()
                      << " operands or results for " << count << " processes";
  SmallVector<SmallVector<T>> lists(count);
  size_t each = parts.size() / count;
  for (auto [i, list] : llvm::enumerate(parts))
    llvm::append_range(lists[i / each], list);
  return lists;
}

/// The functions whose results the program's infeeds take, one after another.
static LogicalResult readInfeed(ImportedOp &op, int64_t processes,
                                SmallVectorImpl<StringRef> &queue) {
  auto functions = op.op->getAttrOfType<ArrayAttr>("infeed");
  if (!functions || functions.empty())
    return success();
  if (processes != 1)
    return op.unsupported()
           << "'" << op.name()
           << "' with an infeed that several processes share is not supported";
  for (Attribute function : functions) {
    FlatSymbolRefAttr symbol = functionName(function);
    if (!symbol)
      return op.error() << "'" << op.name() << "' is fed by " << function
                        << ", which is no function";
    queue.push_back(symbol.getValue());
  }
  return success();
}

/// The results of the next function of the queue, and a token.
static LogicalResult importInfeed(ImportedOp &op) {
  SmallVector<StringRef> &queue = op.importer.infeed;
  if (!isa_and_present<spmd::ManualComputationOp>(
          op.builder.getInsertionBlock()->getParentOp()))
    return op.unsupported()
           << "'" << op.name()
           << "' is supported in programs of interpreter.run_parallel, outside "
              "of regions";
  if (queue.empty())
    return op.error() << "'" << op.name() << "' finds its queue empty";
  ImportedOp call{op.importer, op.op, op.builder, op.loc, {}, {}, {}};
  call.results.resize(op.results.size() - 1);
  StringRef function = queue.front();
  queue.erase(queue.begin());
  if (failed(op.importer.importCall(call, function)))
    return failure();
  llvm::copy(call.results, op.results.begin());
  return success();
}

//===----------------------------------------------------------------------===//
// run_parallel: a manual computation on the values of all processes, stacked
//===----------------------------------------------------------------------===//

/// A tensor of all processes' values: one entry of the first dimension each.
static Value stack(ImportedOp &op, ArrayRef<Value> ofProcesses) {
  OpBuilder &b = op.builder;
  Type type = ofProcesses.front().getType();
  SmallVector<Value> entries;
  for (Value value : ofProcesses)
    entries.push_back(
        graph::reshapeTo(b, op.loc, value, stacked(type, /*count=*/1)));
  auto whole =
      cast<RankedTensorType>(type).clone(stacked(type, ofProcesses.size()));
  return graph::ConcatenateOp::create(b, op.loc, whole, entries, /*dim=*/0);
}

/// The value, of type `type`, of one process.
static Value unstack(ImportedOp &op, Value all, int64_t process, Type type) {
  auto tensor = cast<RankedTensorType>(all.getType());
  SmallVector<int64_t> start(tensor.getRank(), 0), limit(tensor.getShape()),
      strides(tensor.getRank(), 1);
  start[0] = process;
  limit[0] = process + 1;
  Value entry =
      graph::SliceOp::create(op.builder, op.loc, tensor.clone(stacked(type, 1)),
                             all, start, limit, strides);
  return graph::reshapeTo(op.builder, op.loc, entry,
                          cast<RankedTensorType>(type).getShape());
}

/// The program, on one rank's entry of each operand; `count` processes have
/// operands and results of their own.
static LogicalResult importProgram(ImportedOp &op, StringRef program,
                                   mlir::Block *body, int64_t count,
                                   size_t numResults) {
  OpBuilder &b = op.builder;
  ImportedOp call{op.importer, op.op, b, op.loc, {}, {}, {}};
  for (const Parts &parts :
       ArrayRef(op.operands).take_front(op.operands.size() / count)) {
    Parts &local = call.operands.emplace_back();
    for (Value part : parts) {
      auto type = cast<RankedTensorType>(part.getType());
      Value entry =
          body->addArgument(type.clone(stacked(type, /*count=*/1)), op.loc);
      local.push_back(graph::reshapeTo(b, op.loc, entry, type.getShape()));
    }
  }
  call.results.resize(op.results.size() / count);
  if (failed(op.importer.importCall(call, program)))
    return failure();
  SmallVector<Value> returned;
  for (const Parts &parts : call.results)
    for (Value part : parts)
      returned.push_back(
          graph::reshapeTo(b, op.loc, part, stacked(part.getType(), 1)));
  spmd::ReturnOp::create(b, op.loc, returned);
  if (returned.size() != numResults)
    return op.error() << "'" << op.name() << "' takes " << numResults
                      << " results of a program that has " << returned.size();
  return success();
}

static LogicalResult importRunParallel(ImportedOp &op) {
  FailureOr<Programs> programs = readPrograms(op);
  if (failed(programs))
    return failure();
  int64_t count = programs->replicas * programs->partitions;
  op.importer.infeed.clear();
  if (failed(readInfeed(op, count, op.importer.infeed)))
    return failure();
  auto operands = perProcess<Value>(op, op.operands, count);
  auto types = perProcess<Type>(op, op.resultTypes, count);
  if (failed(operands) || failed(types))
    return failure();
  for (int64_t process = 1; process < count; ++process)
    if ((*types)[process] != types->front() ||
        TypeRange(ValueRange((*operands)[process])) !=
            TypeRange(ValueRange(operands->front())))
      return op.error() << "'" << op.name()
                        << "' gives one program values of different types";
  FailureOr<spmd::MeshOp> mesh = declareGrid(op, *programs);
  if (failed(mesh))
    return failure();

  OpBuilder &b = op.builder;
  SmallVector<Value> inputs;
  SmallVector<Type> results;
  SmallVector<Attribute> in, out;
  auto cut = [&](Type type) {
    return cutFirst(*mesh, cast<RankedTensorType>(type).getRank());
  };
  for (size_t i = 0; i < operands->front().size(); ++i) {
    inputs.push_back(stack(op, llvm::map_to_vector(*operands, [&](auto &list) {
                             return list[i];
                           })));
    in.push_back(cut(inputs.back().getType()));
  }
  for (Type type : types->front()) {
    results.push_back(cast<RankedTensorType>(type).clone(stacked(type, count)));
    out.push_back(cut(results.back()));
  }
  auto manual = spmd::ManualComputationOp::create(
      b, op.loc, results, inputs, b.getArrayAttr(in), b.getArrayAttr(out),
      /*free_axes=*/ArrayAttr());
  // How many of the ranks are replicas, for the collectives in it.
  manual->setAttr(kReplicas, b.getI64IntegerAttr(programs->replicas));
  {
    OpBuilder::InsertionGuard guard(b);
    if (failed(importProgram(op, programs->function.getValue(),
                             b.createBlock(&manual.getBody()), count,
                             results.size())))
      return failure();
  }
  manual->removeAttr(kReplicas);

  size_t each = op.results.size() / count;
  for (int64_t process = 0; process < count; ++process) {
    size_t next = 0;
    for (size_t i = 0; i < each; ++i)
      for (Type type : op.resultTypes[i])
        op.results[process * each + i].push_back(
            unstack(op, manual.getResult(next++), process, type));
  }
  return success();
}

void reader::addRunParallelImports(ImportTable &table) {
  table["interpreter.run_parallel"] = importRunParallel;
  table["stablehlo.infeed"] = importInfeed;
}
