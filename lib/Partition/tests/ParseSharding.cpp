//===- ParseSharding.cpp - Shardings as short texts -----------------------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ParseSharding.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace cleave::test {

static AxisRef parseAxis(const Mesh &mesh, StringRef text) {
  auto [name, part] = text.split('(');
  AxisRef axis = mesh.whole(*mesh.find(name));
  if (part.empty())
    return axis;
  auto [pre, size] = part.split(')');
  pre.getAsInteger(10, axis.pre);
  size.getAsInteger(10, axis.size);
  return axis;
}

static SmallVector<StringRef, 4> list(StringRef text, char separator) {
  SmallVector<StringRef, 4> items;
  text.split(items, separator);
  for (StringRef &item : items)
    item = item.trim();
  return items;
}

static DimSharding parseDim(const Mesh &mesh, StringRef text) {
  DimSharding dim;
  for (StringRef item : list(text, ',')) {
    auto [axis, priority] = item.split('p');
    int64_t value;
    if (!priority.getAsInteger(10, value))
      dim.priority = value;
    if (axis == "?")
      dim.open = true;
    else if (!axis.empty())
      dim.axes.push_back(parseAxis(mesh, axis));
  }
  return dim;
}

Sharding parse(const Mesh &mesh, StringRef text) {
  Sharding sharding;
  auto [dims, partial] = text.split('+');
  for (StringRef dim : list(dims, '|'))
    sharding.dims.push_back(parseDim(mesh, dim));
  for (StringRef axis : list(partial, ','))
    if (!axis.empty())
      sharding.partial.push_back({parseAxis(mesh, axis), ReductionKind::Sum});
  return sharding;
}

static void printAxis(const Mesh &mesh, const AxisRef &axis, raw_ostream &os) {
  os << mesh.axes[axis.axis].name;
  if (axis != mesh.whole(axis.axis))
    os << '(' << axis.pre << ')' << axis.size;
}

static std::string print(const Mesh &mesh, ArrayRef<AxisRef> axes) {
  std::string text;
  raw_string_ostream os(text);
  interleave(
      axes, os, [&](const AxisRef &axis) { printAxis(mesh, axis, os); }, ",");
  return text;
}

std::string print(const Mesh &mesh, const Sharding &sharding) {
  std::string text;
  raw_string_ostream os(text);
  interleave(
      sharding.dims, os,
      [&](const DimSharding &dim) { os << print(mesh, dim.axes); }, "|");
  AxisList partial;
  for (const PartialAxis &p : sharding.partial)
    partial.push_back(p.axis);
  if (!partial.empty())
    os << " + " << print(mesh, partial);
  return text;
}

std::string print(const Mesh &mesh, const ReshardPlan &plan) {
  std::string text;
  raw_string_ostream os(text);
  for (const ReshardStep &step : plan.steps) {
    os << stringifyCollective(step.kind);
    if (!step.axes.empty())
      os << ' ' << print(mesh, step.axes);
    os << " -> " << print(mesh, step.result) << '\n';
  }
  return text;
}

} // namespace cleave::test
