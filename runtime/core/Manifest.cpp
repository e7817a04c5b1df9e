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
#include "runtime/core/JsonReader.h"

#include <set>

using namespace cleave::rt;

/// Beyond these a manifest is damaged rather than ambitious.
constexpr int64_t maxRanks = 1 << 16;
constexpr size_t maxDims = 32;

static const char *const kindNames[] = {
    "all_gather",     "all_slice",     "all_reduce",
    "reduce_scatter", "all_to_all",    "collective_permute",
    "broadcast",      "halo_exchange", "window_exchange"};

const char *cleave::rt::getName(CollectiveKind kind) {
  return kindNames[static_cast<int>(kind)];
}

static DType readDType(const JsonReader &reader) {
  std::optional<DType> dtype = parseDType(reader.getString());
  if (!dtype)
    reader.fail("unknown dtype " + quote(reader.getString()));
  return *dtype;
}

static Shape readShape(const JsonReader &reader, DType dtype) {
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
    manifest.inputs[i].isDonated =
        inputs[i].has("donated") && inputs[i].at("donated").getBool();
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

static int32_t readDim(const JsonReader &reader, const Shape &shape) {
  return static_cast<int32_t>(
      reader.getInt(0, static_cast<int64_t>(shape.size()) - 1));
}

static Reduction readReduction(const JsonReader &reader, DType dtype) {
  auto reduction = static_cast<Reduction>(
      reader.getEnum({"sum", "max", "min", "prod", "and", "or"}));
  if (isFloat(dtype) &&
      (reduction == Reduction::And || reduction == Reduction::Or))
    reader.fail("not defined for floats");
  return reduction;
}

/// `whole` cut by `count` along `dim` must be `piece`.
static void checkCut(const JsonReader &reader, Shape whole, const Shape &piece,
                     int32_t dim, int64_t count) {
  whole[dim] = ceilDiv(whole[dim], count);
  if (whole != piece)
    reader.fail("operand_shape and result_shape do not fit a group of " +
                std::to_string(count));
}

/// The axes or groups of a collective; returns the number of ranks that shapes
/// depend on.
static int64_t readGroups(const JsonReader &reader, const Mesh &mesh,
                          CollectiveSpec &spec) {
  if (!reader.has("groups")) {
    if (reader.has("axes") || spec.kind != CollectiveKind::CollectivePermute) {
      spec.axes = readAxes(reader.at("axes"), mesh);
      checkDisjoint(reader.at("axes"), spec.axes);
    }
    return getGroupSize(spec.axes);
  }
  JsonReader groups = reader.at("groups");
  if (spec.kind == CollectiveKind::CollectivePermute ||
      spec.kind == CollectiveKind::HaloExchange ||
      spec.kind == CollectiveKind::WindowExchange)
    groups.fail("not for this kind");
  bool mayDiffer = spec.kind == CollectiveKind::AllReduce ||
                   spec.kind == CollectiveKind::Broadcast;
  std::set<int64_t> seen;
  for (const JsonReader &item : groups.getElements()) {
    std::vector<int32_t> &group = spec.groups.emplace_back();
    for (const JsonReader &rank : item.getElements()) {
      group.push_back(static_cast<int32_t>(rank.getInt(0, mesh.getSize() - 1)));
      if (!seen.insert(group.back()).second)
        rank.fail("a rank is listed twice");
    }
    if (group.empty())
      item.fail("a group is empty");
    if (!mayDiffer && group.size() != spec.groups.front().size())
      item.fail("groups must be equally long");
  }
  if (spec.groups.empty())
    groups.fail("there is no group");
  return static_cast<int64_t>(spec.groups.front().size());
}

static void readHalo(const JsonReader &reader, CollectiveSpec &spec) {
  // Far from where sums could overflow.
  constexpr int64_t most = int64_t(1) << 48;
  spec.dim = readDim(reader.at("dim"), spec.resultShape);
  spec.size = reader.at("size").getInt(0, most);
  spec.low = reader.at("low").getInt(-most, most);
  spec.high = reader.at("high").getInt(-most, most);
  Shape expected = spec.operandShape;
  if (expected[spec.dim] != getBlockSize(spec.size, spec.axes))
    reader.fail("operand_shape is no block of " + std::to_string(spec.size));
  expected[spec.dim] += spec.low + spec.high;
  if (spec.resultShape != expected)
    reader.fail("result_shape does not fit the amounts");
}

/// One segment per rank of a group, within a dimension of `extent`.
static std::vector<LineSegment> readSegments(const JsonReader &reader,
                                             int64_t ranks, int64_t extent) {
  constexpr int64_t most = int64_t(1) << 48;
  std::vector<LineSegment> segments;
  for (const JsonReader &item : reader.getElements()) {
    std::vector<JsonReader> numbers = item.getElements();
    if (numbers.size() != 3)
      item.fail("expected [begin, count, at]");
    int64_t begin = numbers[0].getInt(-most, most);
    int64_t count = numbers[1].getInt(0, extent);
    segments.push_back({begin, count, numbers[2].getInt(0, extent - count)});
  }
  if (static_cast<int64_t>(segments.size()) != ranks)
    reader.fail("expected " + std::to_string(ranks) + " segments");
  return segments;
}

static void readWindows(const JsonReader &reader, int64_t ranks,
                        CollectiveSpec &spec) {
  spec.dim = readDim(reader.at("dim"), spec.resultShape);
  Shape expected = spec.operandShape;
  expected[spec.dim] = spec.resultShape[spec.dim];
  if (spec.resultShape != expected)
    reader.fail("operand_shape and result_shape differ beside dim");
  spec.blocks =
      readSegments(reader.at("blocks"), ranks, spec.operandShape[spec.dim]);
  spec.windows =
      readSegments(reader.at("windows"), ranks, spec.resultShape[spec.dim]);
  std::vector<LineSegment> sorted = spec.blocks;
  std::sort(sorted.begin(), sorted.end(),
            [](const LineSegment &a, const LineSegment &b) {
              return std::pair(a.begin, a.count) < std::pair(b.begin, b.count);
            });
  for (size_t i = 1; i < sorted.size(); ++i)
    if (sorted[i].count > 0 &&
        sorted[i].begin < sorted[i - 1].begin + sorted[i - 1].count)
      reader.at("blocks").fail("two blocks overlap");
}

static CollectiveSpec readCollective(const JsonReader &reader,
                                     const Mesh &mesh) {
  CollectiveSpec spec;
  spec.kind = static_cast<CollectiveKind>(reader.at("kind").getEnum(kindNames));
  spec.dtype = readDType(reader.at("dtype"));
  int64_t k = readGroups(reader, mesh, spec);
  spec.operandShape = readShape(reader.at("operand_shape"), spec.dtype);
  spec.resultShape = readShape(reader.at("result_shape"), spec.dtype);
  spec.location = reader.getOptionalString("location");
  spec.cause = reader.getOptionalString("cause");
  spec.axisNames = reader.getOptionalString("axis_names");

  const Shape &operand = spec.operandShape, &result = spec.resultShape;
  if (operand.size() != result.size())
    reader.fail("operand and result differ in rank");
  switch (spec.kind) {
  case CollectiveKind::AllGather:
    spec.dim = readDim(reader.at("dim"), result);
    checkCut(reader, result, operand, spec.dim, k);
    break;
  case CollectiveKind::ReduceScatter:
    spec.reduction = readReduction(reader.at("reduction"), spec.dtype);
    [[fallthrough]];
  case CollectiveKind::AllSlice:
    spec.dim = readDim(reader.at("dim"), result);
    checkCut(reader, operand, result, spec.dim, k);
    break;
  case CollectiveKind::AllReduce:
    spec.reduction = readReduction(reader.at("reduction"), spec.dtype);
    if (operand != result)
      reader.fail("operand_shape and result_shape must be equal");
    break;
  case CollectiveKind::AllToAll: {
    spec.splitDim = readDim(reader.at("split_dim"), result);
    spec.concatDim = readDim(reader.at("concat_dim"), result);
    if (spec.splitDim == spec.concatDim)
      reader.fail("split_dim and concat_dim must differ");
    Shape whole = operand;
    whole[spec.concatDim] = result[spec.concatDim];
    checkCut(reader, whole, operand, spec.concatDim, k);
    checkCut(reader, whole, result, spec.splitDim, k);
    break;
  }
  case CollectiveKind::CollectivePermute: {
    if (operand != result)
      reader.fail("operand_shape and result_shape must be equal");
    std::set<int64_t> targets;
    for (const JsonReader &item : reader.at("pairs").getElements()) {
      std::vector<JsonReader> pair = item.getElements();
      if (pair.size() != 2)
        item.fail("expected [source, target]");
      int64_t source = pair[0].getInt(0, mesh.getSize() - 1);
      int64_t target = pair[1].getInt(0, mesh.getSize() - 1);
      if (!targets.insert(target).second)
        item.fail("two pairs have the same target");
      spec.pairs.push_back({int32_t(source), int32_t(target)});
    }
    break;
  }
  case CollectiveKind::Broadcast:
    if (operand != result)
      reader.fail("operand_shape and result_shape must be equal");
    for (const std::vector<int32_t> &group : spec.groups)
      k = std::min<int64_t>(k, group.size());
    spec.root = static_cast<int32_t>(reader.at("root").getInt(0, k - 1));
    break;
  case CollectiveKind::HaloExchange:
    readHalo(reader, spec);
    break;
  case CollectiveKind::WindowExchange:
    readWindows(reader, k, spec);
    break;
  }
  return spec;
}

static MatrixLayout readLayout(const JsonReader &reader, size_t batchDims) {
  MatrixLayout layout{reader.at("batch").getInts(0), reader.at("row").getInt(0),
                      reader.at("col").getInt(0)};
  if (layout.batch.size() != batchDims)
    reader.fail("expected " + std::to_string(batchDims) + " batch strides");
  return layout;
}

/// Elements from the first to the last that a matrix of `rows` x `columns` and
/// its batch have, or nothing when a size is 0; capped at the largest int64_t.
static int64_t getExtent(const GemmSpec &spec, const MatrixLayout &layout,
                         int64_t rows, int64_t columns) {
  Shape sizes = spec.batch, strides = layout.batch;
  sizes.insert(sizes.end(), {rows, columns});
  strides.insert(strides.end(), {layout.row, layout.col});
  int64_t extent = 1;
  for (size_t i = 0; i < sizes.size(); ++i) {
    int64_t step;
    if (sizes[i] == 0)
      return 0;
    if (__builtin_mul_overflow(sizes[i] - 1, strides[i], &step) ||
        __builtin_add_overflow(extent, step, &extent))
      return INT64_MAX;
  }
  return extent;
}

static Activation readActivation(const JsonReader &reader, DType dtype) {
  auto activation = static_cast<Activation>(
      reader.getEnum({"none", "relu", "gelu_erf", "gelu_tanh", "silu"}));
  if (!isFloat(dtype) && activation > Activation::Relu)
    reader.fail("needs a float dtype");
  return activation;
}

static DType readProductType(const JsonReader &reader, const char *what) {
  DType dtype = readDType(reader.at("dtype"));
  if (dtype == DType::I1)
    reader.fail(std::string(what) + " of i1 is not defined");
  const char *accumulate =
      dtype == DType::F16 || dtype == DType::BF16 ? "f32" : getName(dtype);
  if (reader.at("accumulate").getString() != accumulate)
    reader.at("accumulate").fail(std::string("must be ") + accumulate);
  return dtype;
}

static GemmSpec readGemm(const JsonReader &reader,
                         const std::vector<TensorSpec> &inputs) {
  GemmSpec spec;
  spec.dtype = readProductType(reader, "a matrix product");
  spec.batch = reader.at("batch").getInts(0);
  spec.m = reader.at("m").getInt(0);
  spec.n = reader.at("n").getInt(0);
  spec.k = reader.at("k").getInt(0);
  Shape sizes = spec.batch;
  sizes.insert(sizes.end(), {spec.m, spec.n, spec.k});
  if (sizes.size() > maxDims + 3)
    reader.fail("too many batch dimensions");
  spec.a = readLayout(reader.at("a"), spec.batch.size());
  spec.b = readLayout(reader.at("b"), spec.batch.size());
  spec.out = readLayout(reader.at("out"), spec.batch.size());
  spec.bias = static_cast<Bias>(reader.at("bias").getEnum({"none", "n", "m"}));
  spec.activation = readActivation(reader.at("activation"), spec.dtype);
  spec.residual = reader.at("residual").getBool();
  if (reader.has("location"))
    spec.location = reader.at("location").getString();
  if (reader.has("b_constant"))
    spec.bConstant = reader.at("b_constant").getBool();
  if (reader.has("b_input")) {
    JsonReader input = reader.at("b_input");
    spec.bInput = input.getInt(0, int64_t(inputs.size()) - 1);
    const TensorSpec &tensor = inputs[spec.bInput];
    if (tensor.dtype != spec.dtype)
      input.fail("the input has another dtype");
    if (getExtent(spec, spec.b, spec.k, spec.n) >
        getBytes(tensor.localShape, tensor.dtype) / getSize(tensor.dtype))
      input.fail("the input is smaller than operand b");
  }
  return spec;
}

static WindowSpec readWindow(const JsonReader &reader) {
  constexpr int64_t most = int64_t(1) << 40;
  WindowSpec window;
  window.size = reader.at("size").getInt(0, most);
  window.count = reader.at("count").getInt(0, most);
  window.taps = reader.at("taps").getInt(0, most);
  window.stride = reader.at("stride").getInt(1, most);
  window.low = reader.at("low").getInt(-most, most);
  window.baseDilation = reader.at("base_dilation").getInt(1, most);
  window.windowDilation = reader.at("window_dilation").getInt(1, most);
  window.reversed = reader.at("reversed").getBool();
  return window;
}

static ConvolutionSpec readConvolution(const JsonReader &reader) {
  ConvolutionSpec spec;
  spec.dtype = readProductType(reader, "a convolution");
  spec.batch = reader.at("batch").getInt(0);
  spec.groups = reader.at("groups").getInt(0);
  spec.features = reader.at("features").getInt(0);
  spec.outputs = reader.at("outputs").getInt(0);
  for (const JsonReader &window : reader.at("windows").getElements())
    spec.windows.push_back(readWindow(window));
  if (spec.windows.size() > maxDims)
    reader.at("windows").fail("too many dimensions");
  auto spatial = [&](const JsonReader &layout) {
    std::vector<int64_t> strides = layout.at("spatial").getInts(0);
    if (strides.size() != spec.windows.size())
      layout.fail("expected " + std::to_string(spec.windows.size()) +
                  " spatial strides");
    return strides;
  };
  JsonReader lhs = reader.at("lhs"), kernel = reader.at("kernel"),
             out = reader.at("out");
  spec.lhs = {lhs.at("batch").getInt(0), lhs.at("group").getInt(0),
              lhs.at("feature").getInt(0), spatial(lhs)};
  spec.kernel = {kernel.at("group").getInt(0), kernel.at("output").getInt(0),
                 kernel.at("feature").getInt(0), spatial(kernel)};
  spec.out = {out.at("batch").getInt(0), out.at("group").getInt(0),
              out.at("output").getInt(0), spatial(out)};
  spec.hasBias = reader.at("bias").getBool();
  spec.activation = readActivation(reader.at("activation"), spec.dtype);
  spec.residual = reader.at("residual").getBool();
  return spec;
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
  if (root.has("tf32"))
    manifest.usesTF32 = root.at("tf32").getBool();
  manifest.arenaBytes = root.at("arena_bytes").getInt(0, int64_t(1) << 48);
  if (root.has("events"))
    manifest.numEvents =
        static_cast<int32_t>(root.at("events").getInt(0, 1 << 20));
  if (root.has("checks_streams"))
    manifest.checksStreams = root.at("checks_streams").getBool();
  if (root.has("stepwise"))
    manifest.isStepwise = root.at("stepwise").getBool();
  manifest.inputs = readTensors(root.at("inputs"), manifest.mesh);
  manifest.outputs = readTensors(root.at("outputs"), manifest.mesh);
  readDonations(root, manifest);
  for (const JsonReader &item : root.at("collectives").getElements())
    manifest.collectives.push_back(readCollective(item, manifest.mesh));
  for (const JsonReader &item : root.at("gemms").getElements())
    manifest.gemms.push_back(readGemm(item, manifest.inputs));
  if (root.has("convolutions"))
    for (const JsonReader &item : root.at("convolutions").getElements())
      manifest.convolutions.push_back(readConvolution(item));
  for (const JsonReader &item : root.at("axis_lists").getElements()) {
    manifest.axisLists.push_back(readAxes(item, manifest.mesh));
    checkDisjoint(item, manifest.axisLists.back());
  }
  if (root.has("guards"))
    manifest.guards = readGuards(root.at("guards"), manifest.arenaBytes);
  return manifest;
}
