//===- CheckResult.cpp - What became of a module --------------------------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tools/cleave/check/CheckResult.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"

using namespace llvm;
using namespace cleave;
using namespace cleave::tool;

StringRef cleave::tool::stringify(CheckResult::Verdict verdict) {
  switch (verdict) {
  case CheckResult::Pass:
    return "PASS";
  case CheckResult::Fail:
    return "FAIL";
  case CheckResult::Skip:
    return "SKIP";
  }
  llvm_unreachable("all verdicts are listed");
}

int CheckResult::getNumGathered() const {
  int sum = 0;
  for (const auto &[name, count] : gathered)
    sum += count;
  return sum;
}

void CheckResult::addTime(StringRef step, double seconds) {
  for (auto &[name, sum] : times)
    if (step == name) {
      sum += seconds;
      return;
    }
  times.push_back({step.str(), seconds});
}

std::string CheckResult::encode() const {
  json::Object counts;
  json::Array seconds;
  for (const auto &[name, count] : gathered)
    counts[name] = count;
  for (const auto &[name, time] : times)
    seconds.push_back(json::Array{name, time});
  json::Array warned;
  for (const CheckWarning &warning : warnings)
    warned.push_back(json::Array{json::fixUTF8(warning.location),
                                 json::fixUTF8(warning.text)});
  return formatv("{0}", json::Value(json::Object{
                            {"verdict", int(verdict)},
                            {"reason", json::fixUTF8(reason)},
                            {"bad_usage", isBadUsage},
                            {"expectations", expectations},
                            {"ranks", ranks},
                            {"gathered", std::move(counts)},
                            {"warnings", std::move(warned)},
                            {"times", std::move(seconds)},
                        }))
      .str();
}

CheckResult CheckResult::decode(const IsolatedResult &isolated,
                                double timeout) {
  CheckResult result;
  if (isolated.status == IsolatedResult::TimedOut) {
    raw_string_ostream(result.reason)
        << format("no result within %g s", timeout);
    return result;
  }
  if (isolated.status == IsolatedResult::Crashed) {
    result.reason = "crashed: " + isolated.data;
    return result;
  }
  // What `encode` wrote.
  json::Value value = cantFail(json::parse(isolated.data));
  const json::Object &object = *value.getAsObject();
  result.verdict = Verdict(*object.getInteger("verdict"));
  result.reason = object.getString("reason")->str();
  result.isBadUsage = *object.getBoolean("bad_usage");
  result.expectations = *object.getInteger("expectations");
  result.ranks = *object.getInteger("ranks");
  for (const auto &[name, count] : *object.getObject("gathered"))
    result.gathered[name.str()] = *count.getAsInteger();
  for (const json::Value &warning : *object.getArray("warnings")) {
    const json::Array &pair = *warning.getAsArray();
    result.warnings.push_back(
        {pair[0].getAsString()->str(), pair[1].getAsString()->str()});
  }
  for (const json::Value &time : *object.getArray("times")) {
    const json::Array &pair = *time.getAsArray();
    result.addTime(*pair[0].getAsString(), *pair[1].getAsNumber());
  }
  return result;
}
