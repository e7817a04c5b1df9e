//===- Divergence.cpp - Where a sharded program goes wrong ----------------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tools/cleave/Divergence.h"
#include "dialects/Graph/EntryFunction.h"
#include "dialects/Spmd/SpmdDialect.h"
#include "mlir/Pass/PassManager.h"
#include "passes/Graph/Passes.h"
#include "passes/Sharding/Passes.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace cleave;
using namespace cleave::tool;

/// Values to observe in one recompilation.
static constexpr size_t maxTaps = 64;

/// Calls are inlined so that values in them can be observed; annotations come
/// before taps, so that these do not change what patterns match.
static LogicalResult prepare(ModuleOp module, const Options &options) {
  PassManager manager(module.getContext());
  manager.addPass(createInlineCalls());
  AnnotateShardingsOptions annotate;
  annotate.mesh = options.mesh;
  annotate.shard = llvm::join(options.shards, ";");
  manager.addPass(createAnnotateShardings(annotate));
  return manager.run(module);
}

static SmallVector<Value> getValues(func::FuncOp entry) {
  SmallVector<Value> values;
  for (Operation &op : entry.front().without_terminator())
    if (!op.hasTrait<OpTrait::ConstantLike>())
      for (Value result : op.getResults())
        if (isa<RankedTensorType>(result.getType()))
          values.push_back(result);
  return values;
}

/// Replaces the results of the function by some of its values.
static void returnValues(func::FuncOp entry, ArrayRef<size_t> positions) {
  SmallVector<Value> all = getValues(entry), taps;
  for (size_t position : positions)
    taps.push_back(all[position]);
  Operation *terminator = entry.front().getTerminator();
  // The old results stay, so that what is computed stays the same.
  unsigned numResults = entry.getNumResults();
  SmallVector<unsigned> indices(taps.size(), numResults);
  SmallVector<Type> types;
  for (Value tap : taps)
    types.push_back(tap.getType());
  SmallVector<DictionaryAttr> attrs(taps.size(),
                                    DictionaryAttr::get(entry.getContext()));
  (void)entry.insertResults(indices, types, attrs);
  terminator->insertOperands(numResults, taps);
}

namespace {
class Search {
public:
  Search(Model &model, const Options &options,
         ArrayRef<std::vector<char>> inputs)
      : model(model), options(options), inputs(inputs), base(model.clone()) {}

  int run(Divergence &divergence) {
    if (failed(prepare(*base, options)))
      return BadInput;
    SmallVector<Value> values = getValues(graph::getEntryFunction(*base));
    // The first value that diverges is in [begin, end).
    size_t begin = 0, end = values.size();
    while (begin < end) {
      size_t step = llvm::divideCeil(end - begin, maxTaps);
      SmallVector<size_t> positions;
      for (size_t at = begin + step - 1; at < end; at += step)
        positions.push_back(at);
      if (positions.empty() || positions.back() != end - 1)
        positions.push_back(end - 1);
      std::vector<Verdict> verdicts;
      if (int status = observe(positions, verdicts))
        return status;
      auto wrong = llvm::find_if(
          verdicts, [](const Verdict &v) { return !v.error.pass; });
      if (wrong == verdicts.end())
        return Ok;
      size_t index = wrong - verdicts.begin();
      size_t found = positions[index];
      set(divergence, values[found], *wrong);
      begin = index ? positions[index - 1] + 1 : begin;
      end = step == 1 ? begin : found;
    }
    return Ok;
  }

private:
  int observe(ArrayRef<size_t> positions, std::vector<Verdict> &verdicts) {
    OwningOpRef<ModuleOp> serial = base->clone();
    func::FuncOp entry = graph::getEntryFunction(*serial);
    unsigned numResults = entry.getNumResults();
    returnValues(entry, positions);
    OwningOpRef<ModuleOp> sharded = serial->clone();
    std::unique_ptr<LoadedProgram> program =
        model.compileInMemory(*sharded, Model::Annotate::Already);
    if (!program)
      return BadInput;
    ShardedRun run(std::move(program));
    int status = run.create(options.run.get());
    if (!status)
      status = run.setInputs(inputs);
    if (!status)
      status = run.run();
    if (status)
      return reportRuntimeError(status);
    status = compareWithReference(entry, inputs, run, options, verdicts);
    if (!status)
      verdicts.erase(verdicts.begin(), verdicts.begin() + numResults);
    return status;
  }

  static void set(Divergence &divergence, Value value, const Verdict &verdict) {
    divergence.op = value.getDefiningOp()->getName().getStringRef().str();
    divergence.location = graph::describe(value.getLoc());
    divergence.type = verdict.type;
    divergence.error = verdict.error;
  }

  Model &model;
  const Options &options;
  ArrayRef<std::vector<char>> inputs;
  OwningOpRef<ModuleOp> base;
};
} // namespace

int cleave::tool::findDivergence(Model &model, const Options &options,
                                 ArrayRef<std::vector<char>> inputs,
                                 Divergence &divergence) {
  model.stopDumping();
  model.stopWarning();
  return Search(model, options, inputs).run(divergence);
}
