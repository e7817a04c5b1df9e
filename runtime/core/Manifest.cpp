//===- Manifest.cpp - Reading a manifest ----------------------------------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/core/Manifest.h"
#include "runtime/core/Blocks.h"
#include "runtime/core/Error.h"
#include "runtime/core/ManifestReader.h"

#include <set>

using namespace cleave::rt;

DType cleave::rt::readDType(const JsonReader &reader) {
  std::optional<DType> dtype = parseDType(reader.getString());
  if (!dtype)
    reader.fail("unknown dtype " + quote(reader.getString()));
  return *dtype;
}

Shape cleave::rt::readShape(const JsonReader &reader, DType dtype) {
  Shape shape = reader.getInts(0);
  if (shape.size() > maxDims)
    reader.fail("more than " + std::to_string(maxDims) + " dimensions");
  if (!countElements(shape, getSize(dtype)))
    reader.fail("the size in bytes overflows");
  return shape;
}

static Mesh readMesh(const JsonReader &reader) {
  Mesh mesh;
  mesh.name = reader.getOptionalString("name");
  int64_t size = 1;
  for (const JsonReader &axis : reader.at("axes").getElements()) {
    mesh.axes.push_back(
        {axis.at("name").getString(), axis.at("size").getInt(1, maxRanks)});
    size *= mesh.axes.back().size;
    if (size > maxRanks)
      axis.fail("the mesh has more than " + std::to_string(maxRanks) +
                " devices");
  }
  return mesh;
}

static std::vector<int32_t> readDeviceIds(const JsonReader &mesh,
                                          int32_t size) {
  std::vector<int32_t> ids;
  if (!mesh.has("device_ids")) {
    for (int32_t i = 0; i < size; ++i)
      ids.push_back(i);
    return ids;
  }
  JsonReader reader = mesh.at("device_ids");
  std::set<int64_t> seen;
  for (const JsonReader &id : reader.getElements()) {
    ids.push_back(static_cast<int32_t>(id.getInt(0, INT32_MAX)));
    if (!seen.insert(ids.back()).second)
      id.fail("a device is listed twice");
  }
  if (ids.size() != static_cast<size_t>(size))
    reader.fail("expected one device per rank, " + std::to_string(size));
  return ids;
}

static AxisList readAxes(const JsonReader &reader, const Mesh &mesh) {
  AxisList list;
  for (const JsonReader &item : reader.getElements()) {
    AxisRef ref;
    ref.axis = static_cast<int32_t>(
        item.at("axis").getInt(0, static_cast<int64_t>(mesh.axes.size()) - 1));
    int64_t size = mesh.axes[ref.axis].size;
    ref.pre = item.at("pre").getInt(1, size);
    ref.size = item.at("size").getInt(1, size);
    if (size % (ref.pre * ref.size) != 0)
      item.fail("pre * size must divide the axis size " + std::to_string(size));
    list.push_back(ref);
  }
  return list;
}

/// No two references of `list` may split the same part of an axis.
static void checkDisjoint(const JsonReader &reader, const AxisList &list) {
  for (size_t i = 0; i < list.size(); ++i)
    for (size_t j = 0; j < i; ++j) {
      const AxisRef &a = list[i], &b = list[j];
      if (a.axis == b.axis && a.size > 1 && b.size > 1 &&
          a.pre < b.pre * b.size && b.pre < a.pre * a.size)
        reader.fail("the same part of an axis is used twice");
    }
}

AxisList cleave::rt::readDisjointAxes(const JsonReader &reader,
                                      const Mesh &mesh) {
  AxisList list = readAxes(reader, mesh);
  checkDisjoint(reader, list);
  return list;
}

static TensorSpec readTensor(const JsonReader &reader, const Mesh &mesh) {
  TensorSpec tensor;
  tensor.name = reader.at("name").getString();
  tensor.dtype = readDType(reader.at("dtype"));
  tensor.shape = readShape(reader.at("shape"), tensor.dtype);
  tensor.localShape = readShape(reader.at("local_shape"), tensor.dtype);
  tensor.location = reader.getOptionalString("location");

  AxisList all;
  for (const JsonReader &dim : reader.at("sharding").getElements()) {
    tensor.sharding.push_back(readAxes(dim, mesh));
    all.insert(all.end(), tensor.sharding.back().begin(),
               tensor.sharding.back().end());
  }
  checkDisjoint(reader.at("sharding"), all);
  if (tensor.sharding.size() != tensor.shape.size())
    reader.fail("'sharding' needs one axis list per dimension");
  Shape expected;
  for (size_t i = 0; i < tensor.shape.size(); ++i)
    expected.push_back(getBlockSize(tensor.shape[i], tensor.sharding[i]));
  if (tensor.localShape != expected)
    reader.fail("'local_shape' is " +
                toString(tensor.localShape, tensor.dtype) +
                ", but the sharding gives " + toString(expected, tensor.dtype));
  return tensor;
}

static std::vector<TensorSpec> readTensors(const JsonReader &reader,
                                           const Mesh &mesh) {
  std::vector<TensorSpec> tensors;
  std::set<std::string> names;
  for (const JsonReader &item : reader.getElements()) {
    tensors.push_back(readTensor(item, mesh));
    if (!names.insert(tensors.back().name).second)
      item.fail("the name " + quote(tensors.back().name) + " is used twice");
  }
  return tensors;
}

/// Which inputs a program may overwrite, and which outputs have their memory.
static void readDonations(const JsonReader &root, Manifest &manifest) {
  std::vector<JsonReader> inputs = root.at("inputs").getElements();
  for (size_t i = 0; i < inputs.size(); ++i)
    manifest.inputs[i].isDonated = inputs[i].getOptionalBool("donated");
  std::set<int32_t> taken;
  std::vector<JsonReader> outputs = root.at("outputs").getElements();
  for (size_t i = 0; i < outputs.size(); ++i) {
    if (!outputs[i].has("input"))
      continue;
    JsonReader reader = outputs[i].at("input");
    TensorSpec &output = manifest.outputs[i];
    output.input = static_cast<int32_t>(
        reader.getInt(0, static_cast<int64_t>(inputs.size()) - 1));
    const TensorSpec &input = manifest.inputs[output.input];
    if (!input.isDonated || !taken.insert(output.input).second)
      reader.fail("the input is not donated, or to another output");
    if (input.dtype != output.dtype || input.shape != output.shape ||
        input.localShape != output.localShape ||
        input.sharding != output.sharding)
      reader.fail("the input has another type or sharding");
  }
}

static GuardSpec readGuards(const JsonReader &reader, int64_t arenaBytes) {
  GuardSpec guards;
  guards.pageBytes = reader.at("page_bytes").getInt(1, int64_t(1) << 30);
  for (const JsonReader &item : reader.at("operations").getElements())
    guards.operations.push_back(
        {item.at("what").getString(), item.at("location").getString()});
  int64_t count = guards.operations.size();
  for (const JsonReader &item : reader.at("buffers").getElements()) {
    GuardedBuffer buffer;
    buffer.offset = item.at("offset").getInt(0, arenaBytes);
    buffer.bytes = item.at("bytes").getInt(0, arenaBytes - buffer.offset);
    buffer.first = item.at("first").getInt(0, count - 1);
    buffer.last = item.at("last").getInt(buffer.first, count - 1);
    buffer.location = item.at("location").getString();
    guards.buffers.push_back(std::move(buffer));
  }
  return guards;
}

static std::string readTarget(const JsonReader &reader) {
  std::string target = reader.getString();
  if (target != "host" && target.rfind("cuda:", 0) != 0)
    reader.fail("expected host or cuda:CHIP");
  return target;
}

static ProductType readProducts(const JsonReader &reader) {
  std::string type = reader.getString();
  if (type == "tf32")
    return ProductType::TF32;
  if (type == "bf16")
    return ProductType::BF16;
  if (type != "f16")
    reader.fail("expected tf32, bf16 or f16");
  return ProductType::F16;
}

Manifest cleave::rt::parseManifest(const std::string &text) {
  const nlohmann::json json =
      parseJson(text.data(), text.data() + text.size(), "manifest");
  JsonReader root(json, "manifest");
  int64_t version = root.at("version").getInt(0);
  if (version != CLEAVE_RT_VERSION)
    throwBadInput("the program has version " + std::to_string(version) +
                  ", but this runtime has version " +
                  std::to_string(CLEAVE_RT_VERSION));
  Manifest manifest;
  manifest.name = root.at("name").getString();
  manifest.mesh = readMesh(root.at("mesh"));
  manifest.deviceIds = readDeviceIds(root.at("mesh"), manifest.mesh.getSize());
  if (root.has("target"))
    manifest.target = readTarget(root.at("target"));
  if (root.has("products"))
    manifest.products = readProducts(root.at("products"));
  manifest.arenaBytes = root.at("arena_bytes").getInt(0, int64_t(1) << 48);
  if (root.has("events"))
    manifest.numEvents =
        static_cast<int32_t>(root.at("events").getInt(0, 1 << 20));
  manifest.checksStreams = root.getOptionalBool("checks_streams");
  manifest.isStepwise = root.getOptionalBool("stepwise");
  manifest.inputs = readTensors(root.at("inputs"), manifest.mesh);
  manifest.outputs = readTensors(root.at("outputs"), manifest.mesh);
  readDonations(root, manifest);
  manifest.collectives =
      root.at("collectives").mapElements([&](const JsonReader &item) {
        return readCollective(item, manifest.mesh);
      });
  manifest.gemms = root.at("gemms").mapElements(
      [&](const JsonReader &item) { return readGemm(item, manifest.inputs); });
  if (root.has("convolutions"))
    manifest.convolutions =
        root.at("convolutions").mapElements(readConvolution);
  manifest.axisLists =
      root.at("axis_lists").mapElements([&](const JsonReader &item) {
        return readDisjointAxes(item, manifest.mesh);
      });
  if (root.has("guards"))
    manifest.guards = readGuards(root.at("guards"), manifest.arenaBytes);
  return manifest;
}
