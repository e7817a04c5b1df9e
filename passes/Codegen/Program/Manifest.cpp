//===- Manifest.cpp - What the runtime must know about a program ----------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/Codegen/Program/Manifest.h"
#include "cleave-rt/cleave-rt.h"
#include "cleave/Partition/RankGroups.h"
#include "cleave/Partition/WindowExchange.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/Support/JSON.h"

using namespace mlir;
using namespace cleave;

//===----------------------------------------------------------------------===//
// Locations
//===----------------------------------------------------------------------===//

static std::optional<FileLineColLoc> findFile(Location loc) {
  if (auto file = dyn_cast<FileLineColLoc>(loc))
    return file;
  if (auto name = dyn_cast<NameLoc>(loc))
    return findFile(name.getChildLoc());
  if (auto call = dyn_cast<CallSiteLoc>(loc)) {
    if (auto file = findFile(call.getCallee()))
      return file;
    return findFile(call.getCaller());
  }
  if (auto opaque = dyn_cast<OpaqueLoc>(loc))
    return findFile(opaque.getFallbackLocation());
  if (auto fused = dyn_cast<FusedLoc>(loc))
    for (Location part : fused.getLocations())
      if (auto file = findFile(part))
        return file;
  return std::nullopt;
}

static std::optional<StringRef> findName(Location loc) {
  if (auto name = dyn_cast<NameLoc>(loc))
    return name.getName().getValue();
  if (auto call = dyn_cast<CallSiteLoc>(loc))
    return findName(call.getCallee());
  if (auto opaque = dyn_cast<OpaqueLoc>(loc))
    return findName(opaque.getFallbackLocation());
  if (auto fused = dyn_cast<FusedLoc>(loc))
    for (Location part : fused.getLocations())
      if (auto name = findName(part))
        return name;
  return std::nullopt;
}

std::string cleave::locationText(Location loc) {
  if (std::optional<FileLineColLoc> file = findFile(loc))
    return (file->getFilename().getValue() + ":" + Twine(file->getLine()) +
            ":" + Twine(file->getColumn()))
        .str();
  return findName(loc).value_or("").str();
}

//===----------------------------------------------------------------------===//
// Manifest
//===----------------------------------------------------------------------===//

static std::string dtypeName(Type type) {
  if (auto integer = dyn_cast<IntegerType>(type))
    return ((integer.isUnsigned() ? "ui" : "i") + Twine(integer.getWidth()))
        .str();
  std::string text;
  llvm::raw_string_ostream(text) << type;
  return text;
}

static Mesh toMesh(exec::MeshAttr attr) {
  Mesh mesh;
  mesh.name = attr.getName().str();
  for (const exec::MeshAxis &axis : attr.getAxes())
    mesh.axes.push_back({axis.name.str(), axis.size});
  return mesh;
}

static AxisList toAxisList(exec::AxesAttr attr, exec::MeshAttr mesh) {
  AxisList axes;
  for (const exec::AxisPart &part : attr.getParts()) {
    std::optional<unsigned> axis = mesh.find(part.name);
    assert(axis && "the verifier of the collective has looked for it");
    axes.push_back({AxisId(*axis), part.pre, part.size});
  }
  return axes;
}

static std::vector<RankGroup> toRankGroups(ArrayAttr groups) {
  std::vector<RankGroup> ranks;
  for (auto group : groups.getAsRange<DenseI64ArrayAttr>())
    ranks.emplace_back(group.asArrayRef());
  return ranks;
}

namespace {

class ManifestWriter {
public:
  ManifestWriter(exec::ProgramOp program, ManifestOptions options)
      : program(program), options(options), mesh(program.getMesh()),
        os(manifest.text), json(os) {}

  Manifest write() {
    json.object([&] {
      json.attribute("version", CLEAVE_RT_VERSION);
      text("name", program.getSymName());
      writeMesh();
      if (options.target != "host")
        text("target", options.target);
      if (!options.products.empty())
        text("products", options.products);
      json.attribute("arena_bytes",
                     int64_t(program.getArenaBytes().value_or(0)));
      if (int32_t events = program.getNumEvents())
        json.attribute("events", events);
      if (options.checksStreams)
        json.attribute("checks_streams", true);
      if (program->hasAttr("exec.stepwise"))
        json.attribute("stepwise", true);
      writeTensors("inputs", program.getInputs(), program.getInputBuffers(),
                   [&](int64_t index) {
                     if (program.isDonated(index))
                       json.attribute("donated", true);
                   });
      writeTensors("outputs", program.getOutputs(), program.getOutputBuffers(),
                   [&](int64_t index) {
                     int64_t input = program.getSharedInput(index);
                     if (input >= 0)
                       json.attribute("input", input);
                   });
      writeCollectives();
      writeGemms();
      writeConvolutions();
      writeAxisLists();
      writeGuards();
    });
    return std::move(manifest);
  }

private:
  void text(StringRef key, StringRef value) {
    json.attribute(key, llvm::json::fixUTF8(value));
  }

  void ints(StringRef key, ArrayRef<int64_t> values) {
    json.attributeArray(key, [&] {
      for (int64_t value : values)
        json.value(value);
    });
  }

  /// Calls `write` for each op of one kind, in program order, inside a list.
  template <typename OpT, typename Fn> void list(StringRef key, Fn write) {
    json.attributeArray(key, [&] {
      int32_t id = 0;
      program.walk<WalkOrder::PreOrder>([&](OpT op) {
        manifest.ids[op] = id++;
        json.object([&] { write(op); });
      });
    });
  }

  void writeMesh() {
    json.attributeObject("mesh", [&] {
      text("name", mesh.getName());
      json.attributeArray("axes", [&] {
        for (const exec::MeshAxis &axis : mesh.getAxes())
          json.object([&] {
            text("name", axis.name);
            json.attribute("size", axis.size);
          });
      });
      if (!mesh.getDeviceIds().empty())
        ints("device_ids", mesh.getDeviceIds());
    });
  }

  void writeAxes(exec::AxesAttr axes) {
    json.array([&] {
      for (const AxisRef &axis : toAxisList(axes, mesh))
        json.object([&] {
          json.attribute("axis", int64_t(axis.axis));
          json.attribute("pre", axis.pre);
          json.attribute("size", axis.size);
        });
    });
  }

  /// What messages and counters call those that take part.
  std::string describeParticipants(exec::CollectiveOp op) {
    if (std::optional<ArrayAttr> groups = op.getGroups())
      return describeGroups(toRankGroups(*groups));
    if (std::optional<ArrayRef<int64_t>> pairs = op.getPairs())
      return describeAxesApart(toMesh(mesh), *pairs);
    return describeAxes(toMesh(mesh), toAxisList(op.getAxes(), mesh));
  }

  void writeGroups(ArrayAttr groups) {
    json.attributeArray("groups", [&] {
      for (auto group : groups.getAsRange<DenseI64ArrayAttr>())
        json.array([&] {
          for (int64_t rank : group.asArrayRef())
            json.value(rank);
        });
    });
  }

  void writeSegments(StringRef key, ArrayRef<int64_t> numbers) {
    json.attributeArray(key, [&] {
      for (const LineSegment &segment : toSegments(numbers))
        json.array([&] {
          for (int64_t number : {segment.begin, segment.count, segment.at})
            json.value(number);
        });
    });
  }

  void writeTensors(StringRef key, ArrayAttr tensors,
                    Block::BlockArgListType buffers,
                    llvm::function_ref<void(int64_t)> writeMore) {
    json.attributeArray(key, [&] {
      for (auto [index, attr] : llvm::enumerate(tensors)) {
        auto tensor = cast<exec::TensorAttr>(attr);
        json.object([&, index = index, buffer = Value(buffers[index])] {
          text("name", tensor.getName());
          json.attribute("dtype", dtypeName(tensor.getType().getElementType()));
          ints("shape", tensor.getType().getShape());
          ints("local_shape", cast<MemRefType>(buffer.getType()).getShape());
          json.attributeArray("sharding", [&] {
            for (exec::AxesAttr axes : tensor.getSharding())
              writeAxes(axes);
          });
          text("location", locationText(buffer.getLoc()));
          writeMore(index);
        });
      }
    });
  }

  void writeCollectives() {
    list<exec::CollectiveOp>("collectives", [&](exec::CollectiveOp op) {
      auto operand = cast<MemRefType>(op.getOperand().getType());
      auto result = cast<MemRefType>(op.getResult().getType());
      json.attribute("kind", exec::stringifyCollectiveKind(op.getKind()));
      json.attribute("dtype", dtypeName(operand.getElementType()));
      if (op.getGroups()) {
        writeGroups(*op.getGroups());
      } else {
        json.attributeBegin("axes");
        writeAxes(op.getAxes());
        json.attributeEnd();
      }
      ints("operand_shape", operand.getShape());
      ints("result_shape", result.getShape());
      if (op.getReduction())
        json.attribute("reduction",
                       exec::stringifyReduction(*op.getReduction()));
      if (op.getDim())
        json.attribute("dim", int64_t(*op.getDim()));
      if (op.getSplitDim())
        json.attribute("split_dim", int64_t(*op.getSplitDim()));
      if (op.getConcatDim())
        json.attribute("concat_dim", int64_t(*op.getConcatDim()));
      if (op.getRoot())
        json.attribute("root", int64_t(*op.getRoot()));
      if (op.getSize()) {
        json.attribute("size", int64_t(*op.getSize()));
        json.attribute("low", int64_t(*op.getLow()));
        json.attribute("high", int64_t(*op.getHigh()));
      }
      if (op.getBlocks()) {
        writeSegments("blocks", *op.getBlocks());
        writeSegments("windows", *op.getWindows());
      }
      if (std::optional<ArrayRef<int64_t>> pairs = op.getPairs())
        json.attributeArray("pairs", [&] {
          for (size_t i = 0; i + 1 < pairs->size(); i += 2)
            json.array([&] {
              json.value((*pairs)[i]);
              json.value((*pairs)[i + 1]);
            });
        });
      text("location", locationText(op.getLoc()));
      text("cause", op.getCause().value_or(""));
      text("axis_names", describeParticipants(op));
    });
  }

  void writeLayout(StringRef key, ArrayRef<int64_t> strides) {
    json.attributeObject(key, [&] {
      ints("batch", strides.drop_back(2));
      json.attribute("row", strides[strides.size() - 2]);
      json.attribute("col", strides.back());
    });
  }

  /// Says if operand b has the same content in every step, so that the runtime
  /// may keep what it makes of it.
  void writeKept(Value b) {
    b = exec::storageOf(b);
    if (b.getDefiningOp<exec::ConstantOp>())
      json.attribute("b_constant", true);
    auto argument = dyn_cast<BlockArgument>(b);
    if (argument &&
        argument.getArgNumber() < program.getInputBuffers().size() &&
        !exec::isWritten(argument))
      json.attribute("b_input", int64_t(argument.getArgNumber()));
  }

  void writeGemms() {
    list<exec::GemmOp>("gemms", [&](exec::GemmOp op) {
      Type type = cast<MemRefType>(op.getOut().getType()).getElementType();
      bool isHalf = isa<Float16Type, BFloat16Type>(type);
      json.attribute("dtype", dtypeName(type));
      json.attribute("accumulate", isHalf ? "f32" : dtypeName(type));
      for (auto [key, operand] :
           {std::pair("a_dtype", op.getA()), std::pair("b_dtype", op.getB())}) {
        Type own = cast<MemRefType>(operand.getType()).getElementType();
        if (own != type)
          json.attribute(key, dtypeName(own));
      }
      ints("batch", op.getBatch());
      json.attribute("m", int64_t(op.getM()));
      json.attribute("n", int64_t(op.getN()));
      json.attribute("k", int64_t(op.getK()));
      writeLayout("a", op.getAStrides());
      writeLayout("b", op.getBStrides());
      writeLayout("out", op.getOutStrides());
      json.attribute("bias", exec::stringifyBiasKind(op.getBiasKind()));
      json.attribute("activation",
                     exec::stringifyActivation(op.getActivation()));
      json.attribute("residual", bool(op.getResidual()));
      text("location", locationText(op.getLoc()));
      writeKept(op.getB());
    });
  }

  /// Strides of a tensor of a convolution: three with names, then spatial ones.
  void writeStrides(StringRef key, ArrayRef<StringRef> names,
                    ArrayRef<int64_t> strides) {
    json.attributeObject(key, [&] {
      for (auto [name, stride] : llvm::zip(names, strides))
        json.attribute(name, stride);
      ints("spatial", strides.drop_front(names.size()));
    });
  }

  void writeConvolutions() {
    list<exec::ConvolutionOp>("convolutions", [&](exec::ConvolutionOp op) {
      Type type = cast<MemRefType>(op.getOut().getType()).getElementType();
      bool isHalf = isa<Float16Type, BFloat16Type>(type);
      json.attribute("dtype", dtypeName(type));
      json.attribute("accumulate", isHalf ? "f32" : dtypeName(type));
      json.attribute("batch", int64_t(op.getBatch()));
      json.attribute("groups", int64_t(op.getGroups()));
      json.attribute("features", int64_t(op.getFeatures()));
      json.attribute("outputs", int64_t(op.getOutputs()));
      json.attributeArray("windows", [&] {
        for (size_t i = 0; i < op.getSizes().size(); ++i)
          json.object([&] {
            json.attribute("size", op.getSizes()[i]);
            json.attribute("count", op.getCounts()[i]);
            json.attribute("taps", op.getTaps()[i]);
            json.attribute("stride", op.getStrides()[i]);
            json.attribute("low", op.getLow()[i]);
            json.attribute("base_dilation", op.getBaseDilations()[i]);
            json.attribute("window_dilation", op.getWindowDilations()[i]);
            json.attribute("reversed", bool(op.getReversed()[i]));
          });
      });
      writeStrides("lhs", {"batch", "group", "feature"}, op.getLhsStrides());
      writeStrides("kernel", {"group", "output", "feature"},
                   op.getKernelStrides());
      writeStrides("out", {"batch", "group", "output"}, op.getOutStrides());
      json.attribute("bias", bool(op.getBias()));
      json.attribute("activation",
                     exec::stringifyActivation(op.getActivation()));
      json.attribute("residual", bool(op.getResidual()));
    });
  }

  void writeAxisLists() {
    llvm::SetVector<exec::AxesAttr> lists;
    program.walk([&](exec::AxisIndexOp op) {
      lists.insert(op.getAxes());
      manifest.ids[op] = llvm::find(lists, op.getAxes()) - lists.begin();
    });
    json.attributeArray("axis_lists", [&] {
      for (exec::AxesAttr axes : lists)
        writeAxes(axes);
    });
  }

  void writeGuards() {
    auto pageBytes =
        program->getAttrOfType<IntegerAttr>("exec.guard_page_bytes");
    if (!pageBytes)
      return;
    // By position; one without operation is the end of a loop, say.
    SmallVector<Operation *> operations;
    auto place = [&](int64_t position, Operation *op) {
      if (position >= int64_t(operations.size()))
        operations.resize(position + 1);
      if (op)
        operations[position] = op;
    };
    program.walk([&](Operation *op) {
      if (auto position = op->getAttrOfType<IntegerAttr>("exec.position"))
        place(position.getInt(), op);
      if (auto live = op->getAttrOfType<DenseI64ArrayAttr>("exec.live"))
        place(live[1], nullptr);
    });
    json.attributeObject("guards", [&] {
      json.attribute("page_bytes", pageBytes.getInt());
      json.attributeArray("operations", [&] {
        for (Operation *op : operations)
          json.object([&] {
            text("what", op ? describeOperation(op) : "");
            text("location", op ? locationText(op->getLoc()) : "");
          });
      });
      json.attributeArray("buffers", [&] {
        program.walk([&](exec::BufferOp buffer) {
          auto live = buffer->getAttrOfType<DenseI64ArrayAttr>("exec.live");
          if (live)
            json.object([&] { writeGuardedBuffer(buffer, live); });
        });
      });
    });
  }

  static std::string describeOperation(Operation *op) {
    std::string name = op->getName().stripDialect().str();
    if (auto launch = dyn_cast<exec::LaunchOp>(op))
      name += (" of " + launch.getKernel()).str();
    if (auto collective = dyn_cast<exec::CollectiveOp>(op))
      name = exec::stringifyCollectiveKind(collective.getKind()).str();
    return name;
  }

  void writeGuardedBuffer(exec::BufferOp buffer, DenseI64ArrayAttr live) {
    json.attribute("offset", int64_t(*buffer.getOffset()));
    json.attribute("bytes", *exec::bufferBytes(buffer.getType()));
    json.attribute("first", live[0]);
    json.attribute("last", live[1]);
    text("location", locationText(buffer.getLoc()));
  }

  exec::ProgramOp program;
  ManifestOptions options;
  exec::MeshAttr mesh;
  Manifest manifest;
  llvm::raw_string_ostream os;
  llvm::json::OStream json;
};

} // namespace

Manifest cleave::buildManifest(exec::ProgramOp program,
                               ManifestOptions options) {
  return ManifestWriter(program, options).write();
}
