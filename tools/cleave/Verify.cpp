//===- Verify.cpp - cleave verify -----------------------------------------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialects/Graph/EntryFunction.h"
#include "tools/cleave/Commands.h"
#include "tools/cleave/Divergence.h"
#include "tools/cleave/Model.h"
#include "tools/cleave/Reference.h"
#include "tools/cleave/Table.h"
#include "llvm/Support/JSON.h"
#include <cmath>

using namespace mlir;
using namespace cleave;
using namespace cleave::tool;

static std::string formatShape(RankedTensorType type) {
  std::string text;
  llvm::raw_string_ostream os(text);
  llvm::interleave(type.getShape(), os, "x");
  return type.getRank() ? text : "scalar";
}

static std::string formatElementType(RankedTensorType type) {
  std::string text;
  llvm::raw_string_ostream(text) << type.getElementType();
  return text;
}

static size_t countPassed(ArrayRef<Verdict> verdicts) {
  return llvm::count_if(verdicts,
                        [](const Verdict &v) { return v.error.pass; });
}

static StringRef describe(const graph::TensorError &error) {
  return !error.pass ? "WRONG" : error.isVacuous ? "ok, not finite" : "ok";
}

static bool anyWrong(ArrayRef<Verdict> verdicts) {
  return llvm::any_of(verdicts, [](const Verdict &v) { return !v.error.pass; });
}

/// Where the largest error is: `element [1, 7] is 3, expected 4`.
static std::string formatElement(RankedTensorType type,
                                 const graph::TensorError &error) {
  std::string text;
  llvm::raw_string_ostream os(text);
  SmallVector<int64_t> index(type.getRank());
  int64_t rest = std::max<int64_t>(error.index, 0);
  for (int64_t d = type.getRank(); d-- > 0; rest /= type.getDimSize(d))
    index[d] = rest % type.getDimSize(d);
  os << "element [";
  llvm::interleaveComma(index, os);
  os << "] is " << error.actual << ", expected " << error.expected;
  return text;
}

static void printTable(ArrayRef<Verdict> verdicts, const Divergence &divergence,
                       StringRef products, int numRanks) {
  raw_ostream &os = llvm::outs();
  Table table;
  table.addColumn("output");
  table.addColumn("shape");
  table.addColumn("dtype");
  table.addColumn("error", Table::Right);
  table.addColumn("bound", Table::Right);
  table.addColumn("f32 error", Table::Right);
  table.addColumn("verdict");
  for (const Verdict &v : verdicts)
    table.addRow({v.name, formatShape(v.type), formatElementType(v.type),
                  formatError(v.error.error), formatError(v.error.bound),
                  formatError(v.error.roundedError), describe(v.error).str()});
  table.print(os);
  for (const Verdict &v : verdicts) {
    if (!v.error.pass)
      os << v.name << ": " << formatElement(v.type, v.error) << "\n";
    else if (v.error.isVacuous)
      os << v.name
         << ": NaN and infinities are where the reference has them, but it has "
            "no finite value to compare; give inputs for which it has\n";
    // With rounded operands there are two to begin with.
    if (v.error.evaluations > (products.empty() ? 1 : 2))
      os << v.name << ": its f32 error is the largest of "
         << v.error.evaluations << " evaluations that round differently\n";
  }
  if (!products.empty())
    os << "f32 errors are at least those of evaluation with operands of "
          "products rounded to "
       << products << "\n";
  if (!divergence.op.empty())
    os << "first value that diverges: " << divergence.op << " at "
       << divergence.location << ": error "
       << formatError(divergence.error.error) << ", bound "
       << formatError(divergence.error.bound) << ", "
       << formatElement(divergence.type, divergence.error) << "\n";
  else if (anyWrong(verdicts))
    os << "no inner value diverges while it is observed\n";
  os << "verified " << countPassed(verdicts) << " of " << verdicts.size()
     << " outputs on " << numRanks << " ranks\n";
}

static void writeError(llvm::json::OStream &json, RankedTensorType type,
                       const graph::TensorError &error) {
  auto number = [&](StringRef key, double value) {
    // JSON has no infinity.
    json.attribute(key, std::isfinite(value) ? llvm::json::Value(value)
                                             : llvm::json::Value(nullptr));
  };
  json.attributeArray("shape", [&] {
    for (int64_t size : type.getShape())
      json.value(size);
  });
  json.attribute("dtype", formatElementType(type));
  number("error", error.error);
  number("bound", error.bound);
  number("f32_error", error.roundedError);
  json.attribute("f32_evaluations", int64_t(error.evaluations));
  json.attribute("accumulation", error.accumulation);
  json.attribute("ok", error.pass);
  if (error.isVacuous)
    json.attribute("no_finite_value", true);
  if (error.pass)
    return;
  json.attribute("index", error.index);
  json.attribute("actual", error.actual);
  json.attribute("expected", error.expected);
}

static void printJson(ArrayRef<Verdict> verdicts, const Divergence &divergence,
                      StringRef products, int numRanks) {
  llvm::json::OStream json(llvm::outs(), 2);
  json.object([&] {
    json.attributeArray("outputs", [&] {
      for (const Verdict &v : verdicts)
        json.object([&] {
          json.attribute("name", llvm::json::fixUTF8(v.name));
          writeError(json, v.type, v.error);
        });
    });
    json.attribute("verified", int64_t(countPassed(verdicts)));
    json.attribute("ranks", numRanks);
    if (!products.empty())
      json.attribute("products", products);
    if (!divergence.op.empty())
      json.attributeObject("divergence", [&] {
        json.attribute("op", divergence.op);
        json.attribute("location", llvm::json::fixUTF8(divergence.location));
        writeError(json, divergence.type, divergence.error);
      });
  });
  llvm::outs() << "\n";
}

/// Runs the sharded program; returns the inputs it had.
static int runSharded(ShardedRun &run, const Options &options,
                      unsigned numInputs,
                      std::vector<std::vector<char>> &inputs) {
  Progress progress("running");
  int status = run.create(options.run.get());
  if (!status)
    status = run.setInputs(options.run.get());
  inputs.resize(numInputs);
  for (unsigned i = 0; i < numInputs && !status; ++i)
    status = run.getInput(i, inputs[i]);
  return status ? status : run.run();
}

/// Whether the run's own figures are wanted, above the table.
static bool wantsSummary(const Options &options) {
  return !options.json &&
         llvm::any_of(options.runArguments, [](StringRef argument) {
           return argument == "--counters" ||
                  argument.split('=').first == "--time";
         });
}

int cleave::tool::verify(const Options &options) {
  if (int status = cleave_rt_run_options_check_outputs(options.run.get()))
    return reportRuntimeError(status);
  Model model(options);
  if (failed(model.load()))
    return BadInput;
  func::FuncOp reference = graph::getEntryFunction(model.getModule());
  if (reference.getNumResults() == 0) {
    reference.emitError("the entry function has no results, so that there is "
                        "nothing to verify; expected at least one");
    return BadInput;
  }
  OwningOpRef<ModuleOp> sharded = model.clone();
  std::unique_ptr<LoadedProgram> program = model.compileInMemory(*sharded);
  if (!program)
    return BadInput;
  ShardedRun run(std::move(program));
  std::vector<std::vector<char>> inputs;
  if (int status =
          runSharded(run, options, reference.getNumArguments(), inputs))
    return reportRuntimeError(status);
  std::vector<Verdict> verdicts;
  if (int status =
          compareWithReference(reference, inputs, run, options, verdicts))
    return status;
  if (int status = cleave_rt_run_options_finish(
          options.run.get(), run.getSession(), wantsSummary(options)))
    return reportRuntimeError(status);
  bool good = countPassed(verdicts) == verdicts.size();
  Divergence divergence;
  if (anyWrong(verdicts))
    if (int status = findDivergence(model, options, inputs, divergence))
      return status;
  if (options.json)
    printJson(verdicts, divergence, options.products, run.getNumRanks());
  else
    printTable(verdicts, divergence, options.products, run.getNumRanks());
  return good ? Ok : AnswerIsNo;
}
