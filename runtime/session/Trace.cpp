//===- Trace.cpp - Events for a Chrome trace ------------------------------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/session/Trace.h"
#include "cleave-rt/cleave-rt.h"
#include "runtime/communicators/CollectivePlan.h"

#include <nlohmann/json.hpp>

using namespace cleave::rt;
using nlohmann::json;

static double toMicroseconds(Clock::duration duration) {
  return std::chrono::duration<double, std::micro>(duration).count();
}

static json formatEvent(const Manifest &manifest, const Event &event) {
  static const char *const categories[] = {"step", "launch",      "collective",
                                           "gemm", "convolution", "copy"};
  const char *category = categories[static_cast<int>(event.kind)];
  json result{{"ph", "X"}, {"cat", category}};
  std::string id = std::to_string(event.id);
  switch (event.kind) {
  case EventKind::Collective: {
    const CollectiveSpec &spec = manifest.collectives[event.id];
    result["name"] = std::string(getName(spec.kind)) + " " + spec.axisNames;
    result["args"] = {{"id", event.id},
                      {"location", spec.location},
                      {"cause", spec.cause},
                      {"operand", toString(spec.operandShape, spec.dtype)}};
    break;
  }
  case EventKind::Gemm: {
    const GemmSpec &spec = manifest.gemms[event.id];
    result["name"] = "gemm " + toString({spec.m, spec.n, spec.k}, spec.dtype);
    result["args"] = {{"id", event.id}, {"batch", spec.batch}};
    break;
  }
  case EventKind::Convolution: {
    const ConvolutionSpec &spec = manifest.convolutions[event.id];
    Shape sizes = {spec.batch};
    for (const WindowSpec &window : spec.windows)
      sizes.push_back(window.count);
    sizes.push_back(spec.groups * spec.outputs);
    result["name"] = "convolution " + toString(sizes, spec.dtype);
    result["args"] = {{"id", event.id}, {"features", spec.features}};
    break;
  }
  default:
    result["name"] = std::string(category) + " " + id;
  }
  return result;
}

std::string cleave::rt::formatTrace(
    const Manifest &manifest, Clock::time_point origin,
    const std::vector<const std::vector<Event> *> &streams) {
  json events = json::array();
  for (size_t row = 0; row < streams.size(); ++row) {
    size_t rank = row / CLEAVE_RT_NUM_STREAMS;
    bool isCompute = row % CLEAVE_RT_NUM_STREAMS == CLEAVE_RT_COMPUTE;
    if (!isCompute && streams[row]->empty())
      continue;
    // Rows of the compute streams have the number of the rank.
    size_t tid =
        isCompute ? rank : streams.size() / CLEAVE_RT_NUM_STREAMS + rank;
    auto describeRow = [&](const char *what, const json &args) {
      events.push_back({{"ph", "M"},
                        {"name", what},
                        {"pid", 0},
                        {"tid", tid},
                        {"args", args}});
    };
    std::string name = "rank " + std::to_string(rank);
    describeRow("thread_name",
                {{"name", isCompute ? name : name + " communication"}});
    describeRow("thread_sort_index", {{"sort_index", row}});
    for (const Event &event : *streams[row]) {
      json item = formatEvent(manifest, event);
      item["pid"] = 0;
      item["tid"] = tid;
      item["ts"] = toMicroseconds(event.begin - origin);
      item["dur"] = toMicroseconds(event.end - event.begin);
      events.push_back(std::move(item));
    }
  }
  // Invalid UTF-8 in names must not lose the trace.
  return json{{"traceEvents", events}}.dump(1, ' ', false,
                                            json::error_handler_t::replace);
}
