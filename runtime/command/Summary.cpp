//===- Summary.cpp - What a run prints ------------------------------------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/command/Summary.h"
#include "runtime/communicators/CollectivePlan.h"
#include "runtime/core/Half.h"
#include "runtime/core/SmallFloat.h"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

using namespace cleave::rt;
using nlohmann::json;

template <typename T>
static Statistics computeStatistics(const void *data, int64_t count) {
  const T *values = static_cast<const T *>(data);
  Statistics result;
  result.numElements = count;
  double sum = 0;
  for (int64_t i = 0; i < count; ++i) {
    double value;
    if constexpr (std::is_integral_v<T>)
      value = static_cast<double>(values[i]);
    else
      value = toFloat(values[i]);
    if (!std::isfinite(value))
      continue;
    result.min = result.numFinite ? std::min(result.min, value) : value;
    result.max = result.numFinite ? std::max(result.max, value) : value;
    sum += value;
    ++result.numFinite;
  }
  result.mean = result.numFinite ? sum / result.numFinite : 0;
  return result;
}

static Statistics computeSmallStatistics(DType dtype, const void *data,
                                         int64_t count) {
  double table[256];
  for (int bits = 0; bits < 256; ++bits)
    table[bits] = smallToDouble(dtype, static_cast<uint8_t>(bits));
  const auto *bits = static_cast<const uint8_t *>(data);
  std::vector<double> values(count);
  for (int64_t i = 0; i < count; ++i)
    values[i] = table[bits[i]];
  return computeStatistics<double>(values.data(), count);
}

Statistics cleave::rt::getStatistics(DType dtype, const void *data,
                                     int64_t count) {
  if (isSmallFloat(dtype))
    return computeSmallStatistics(dtype, data, count);
  switch (dtype) {
  case DType::F32:
    return computeStatistics<float>(data, count);
  case DType::F64:
    return computeStatistics<double>(data, count);
  case DType::F16:
    return computeStatistics<F16>(data, count);
  case DType::BF16:
    return computeStatistics<BF16>(data, count);
  case DType::I8:
    return computeStatistics<int8_t>(data, count);
  case DType::I16:
    return computeStatistics<int16_t>(data, count);
  case DType::I32:
    return computeStatistics<int32_t>(data, count);
  case DType::I64:
    return computeStatistics<int64_t>(data, count);
  case DType::UI16:
    return computeStatistics<uint16_t>(data, count);
  case DType::UI32:
    return computeStatistics<uint32_t>(data, count);
  case DType::UI64:
    return computeStatistics<uint64_t>(data, count);
  default:
    return computeStatistics<uint8_t>(data, count);
  }
}

static std::string formatNumber(double value) {
  char text[32];
  std::snprintf(text, sizeof(text), "%.6g", value);
  return text;
}

/// Least, median and largest time.
static std::vector<double> getQuantiles(std::vector<double> seconds) {
  std::sort(seconds.begin(), seconds.end());
  return {seconds.front(), seconds[seconds.size() / 2], seconds.back()};
}

std::string Summary::formatText() const {
  const Manifest &manifest = session.getManifest();
  std::string text;
  for (size_t i = 0; i < outputs.size(); ++i) {
    const TensorSpec &spec = manifest.outputs[i];
    const Statistics &output = outputs[i];
    text += spec.name + ": " + toString(spec.shape, spec.dtype);
    if (output.numFinite)
      text += "  min " + formatNumber(output.min) + "  max " +
              formatNumber(output.max) + "  mean " + formatNumber(output.mean);
    if (output.numFinite != output.numElements)
      text += "  not finite: " +
              std::to_string(output.numElements - output.numFinite) + " of " +
              std::to_string(output.numElements);
    text += "\n";
  }
  text += "arena: " + std::to_string(manifest.arenaBytes) + " bytes per rank\n";
  if (!seconds.empty()) {
    std::vector<double> quantiles = getQuantiles(seconds);
    text += "step: min " + formatNumber(quantiles[0]) + " s  median " +
            formatNumber(quantiles[1]) + " s  max " +
            formatNumber(quantiles[2]) + " s  of " +
            std::to_string(seconds.size()) + "\n";
  }
  if (showsCounters) {
    int64_t count = 0, bytes = 0;
    for (size_t id = 0; id < manifest.collectives.size(); ++id) {
      text += "collective " + std::to_string(id) + ": " +
              describe(manifest.collectives[id]) + "  count " +
              std::to_string(session.getCount(id)) + "  bytes " +
              std::to_string(session.getBytes(id)) + "\n";
      count += session.getCount(id);
      bytes += session.getCount(id) * session.getBytes(id);
    }
    text += "collectives: " + std::to_string(count) + " executed, " +
            std::to_string(bytes) + " bytes received\n";
  }
  return text;
}

std::string Summary::formatJson() const {
  const Manifest &manifest = session.getManifest();
  json root{{"name", manifest.name},
            {"ranks", manifest.mesh.getSize()},
            {"arena_bytes", manifest.arenaBytes},
            {"scratch_bytes", session.getScratchBytes()},
            {"outputs", json::array()},
            {"collectives", json::array()},
            {"seconds", seconds}};
  for (size_t i = 0; i < outputs.size(); ++i) {
    const TensorSpec &spec = manifest.outputs[i];
    root["outputs"].push_back({{"name", spec.name},
                               {"dtype", getName(spec.dtype)},
                               {"shape", spec.shape},
                               {"min", outputs[i].min},
                               {"max", outputs[i].max},
                               {"mean", outputs[i].mean},
                               {"finite", outputs[i].numFinite}});
  }
  for (size_t id = 0; id < manifest.collectives.size(); ++id) {
    const CollectiveSpec &spec = manifest.collectives[id];
    root["collectives"].push_back({{"id", id},
                                   {"kind", getName(spec.kind)},
                                   {"axis_names", spec.axisNames},
                                   {"location", spec.location},
                                   {"cause", spec.cause},
                                   {"count", session.getCount(id)},
                                   {"bytes", session.getBytes(id)}});
  }
  return root.dump(2, ' ', false, json::error_handler_t::replace) + "\n";
}
