//===- CheckReport.cpp - What `cleave check` prints -----------------------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tools/cleave/check/CheckReport.h"
#include "tools/cleave/Table.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"

using namespace llvm;
using namespace cleave::tool;

CheckReport::CheckReport(ArrayRef<CheckInput> inputs, const Options &options)
    : inputs(inputs), options(options), results(inputs.size()) {}

void CheckReport::add(size_t index, CheckResult result) {
  for (const auto &[name, number] : result.gathered)
    total.gathered[name] += number;
  for (const auto &[name, time] : result.times)
    total.addTime(name, time);
  results[index] = std::move(result);
  for (; numPrinted < results.size() && results[numPrinted]; ++numPrinted)
    if (!options.json)
      printLine(numPrinted);
}

void CheckReport::printLine(size_t index) const {
  const CheckResult &result = *results[index];
  for (const CheckWarning &warning : result.warnings)
    errs() << (warning.location.empty() ? inputs[index].name : warning.location)
           << ": warning: " << warning.text << "\n";
  outs() << stringify(result.verdict) << " " << inputs[index].name << ": "
         << result.reason << "\n";
  outs().flush();
}

int CheckReport::count(CheckResult::Verdict verdict) const {
  return llvm::count_if(results, [&](const std::optional<CheckResult> &result) {
    return result && result->verdict == verdict;
  });
}

static void writeCounts(json::OStream &json,
                        const std::map<std::string, int> &counts) {
  json.attributeObject("gathered", [&] {
    for (const auto &[name, number] : counts)
      json.attribute(name, number);
  });
}

static void writeWarnings(json::OStream &json,
                          ArrayRef<CheckWarning> warnings) {
  json.attributeArray("warnings", [&] {
    for (const CheckWarning &warning : warnings)
      json.object([&] {
        json.attribute("location", json::fixUTF8(warning.location));
        json.attribute("text", json::fixUTF8(warning.text));
      });
  });
}

void CheckReport::printJson() const {
  json::OStream json(outs(), 2);
  json.object([&] {
    json.attributeArray("modules", [&] {
      for (auto [input, result] : zip_equal(inputs, results))
        json.object([&, &input = input, &result = result] {
          json.attribute("name", json::fixUTF8(input.name));
          json.attribute("verdict", stringify(result->verdict));
          json.attribute("reason", json::fixUTF8(result->reason));
          json.attribute("expectations", result->expectations);
          json.attribute("ranks", result->ranks);
          writeCounts(json, result->gathered);
          if (!result->warnings.empty())
            writeWarnings(json, result->warnings);
        });
    });
    writeCounts(json, total.gathered);
    json.attribute("passed", count(CheckResult::Pass));
    json.attribute("failed", count(CheckResult::Fail));
    json.attribute("skipped", count(CheckResult::Skip));
  });
  outs() << "\n";
}

void CheckReport::printTimes() const {
  Table table;
  table.addColumn("step");
  table.addColumn("seconds", Table::Right);
  table.addColumn("ms per module", Table::Right);
  double sum = 0;
  auto addRow = [&](const std::string &name, double time) {
    table.addRow({name, formatv("{0:f3}", time),
                  formatv("{0:f2}", 1000 * time / inputs.size())});
  };
  for (const auto &[name, time] : total.times) {
    addRow(name, time);
    sum += time;
  }
  addRow("total", sum);
  table.print(errs());
}

int CheckReport::finish() {
  int numGathered = total.getNumGathered();
  bool tooMany = options.maxGathered && numGathered > *options.maxGathered;
  if (options.json) {
    printJson();
  } else {
    if (numGathered) {
      outs() << numGathered << " gathered: ";
      interleaveComma(total.gathered, outs(), [](const auto &entry) {
        outs() << entry.first << " " << entry.second;
      });
      outs() << "\n";
    }
    outs() << count(CheckResult::Pass) << " passed, "
           << count(CheckResult::Fail) << " failed, "
           << count(CheckResult::Skip) << " skipped\n";
  }
  outs().flush();
  if (options.timing)
    printTimes();
  if (tooMany)
    reportError(formatv("--max-gathered: {0} gathered, at most {1} are allowed",
                        numGathered, *options.maxGathered));
  if (any_of(results, [](const auto &result) { return result->isBadUsage; }))
    return BadInput;
  return count(CheckResult::Fail) || tooMany ? AnswerIsNo : Ok;
}
