//===- LowerToExec.cpp - The entry function as a program ------------------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialects/Graph/KernelAttributes.h"
#include "passes/Schedule/Passes.h"
#include "passes/Schedule/ProgramLowering.h"

namespace cleave {
#define GEN_PASS_DEF_LOWERTOEXEC
#include "passes/Schedule/Passes.h.inc"
} // namespace cleave

using namespace mlir;
using namespace cleave;

/// The only public function with a body; null with a diagnostic otherwise.
static func::FuncOp findEntry(ModuleOp module) {
  func::FuncOp entry;
  for (auto function : module.getOps<func::FuncOp>()) {
    if (function.isPrivate() || function.isExternal())
      continue;
    if (entry) {
      auto diagnostic = function.emitError(
          "a module must have one public function, the entry");
      diagnostic.attachNote(entry.getLoc()) << "another one is here";
      return {};
    }
    entry = function;
  }
  if (!entry)
    module.emitError("has no public function that could be the entry");
  else if (!entry.getBody().hasOneBlock())
    return entry.emitError("must have one block to be scheduled"),
           func::FuncOp();
  return entry;
}

/// The mesh of the module; a mesh of one rank if it has none.
static FailureOr<exec::MeshAttr> convertMesh(ModuleOp module) {
  auto meshes = llvm::to_vector(module.getOps<spmd::MeshOp>());
  MLIRContext *context = module.getContext();
  if (meshes.empty())
    return exec::MeshAttr::get(context, StringAttr::get(context, "mesh"), {},
                               {});
  if (meshes.size() > 1)
    return meshes[1].emitError("a program runs on one mesh");
  spmd::MeshOp op = meshes.front();
  SmallVector<exec::MeshAxis> axes;
  for (auto [name, size] :
       llvm::zip_equal(op.getShape().getNames(), op.getShape().getSizes()))
    axes.push_back({name, size});
  auto diagnose = [&] { return op.emitError(); };
  auto mesh = exec::MeshAttr::getChecked(
      function_ref<InFlightDiagnostic()>(diagnose), context,
      op.getSymNameAttr(), ArrayRef(axes), op.getShape().getDeviceIds());
  if (!mesh)
    return failure();
  return mesh;
}

/// What the user sees of an argument or result with the given attributes.
static FailureOr<exec::TensorAttr> convertTensor(Location loc, Type local,
                                                 DictionaryAttr attrs,
                                                 const Twine &defaultName,
                                                 exec::MeshAttr mesh) {
  auto localType = dyn_cast<RankedTensorType>(local);
  if (!localType || !localType.hasStaticShape() ||
      !localType.getElementType().isIntOrFloat())
    return emitError(loc) << "arguments and results of a program must be "
                             "static tensors of numbers, not "
                          << local;
  MLIRContext *context = mesh.getContext();
  auto get = [&](StringRef name) {
    return attrs ? attrs.get(name) : Attribute();
  };
  auto name = dyn_cast_or_null<StringAttr>(get("cleave.name"));
  if (!name)
    name = StringAttr::get(context, defaultName);
  RankedTensorType type = localType;
  if (auto global =
          dyn_cast_or_null<TypeAttr>(get(spmd::SpmdDialect::kGlobalType)))
    if (auto tensor = dyn_cast<RankedTensorType>(global.getValue()))
      type = tensor;

  SmallVector<exec::AxesAttr> dims(type.getRank(),
                                   exec::AxesAttr::get(context, {}));
  if (auto sharding = dyn_cast_or_null<spmd::ShardingAttr>(
          get(spmd::SpmdDialect::kSharding))) {
    if (!sharding.getPartial().empty())
      return emitError(loc)
             << "tensor " << name << " of a program must not be partial";
    dims.clear();
    for (spmd::DimShardingAttr dim : sharding.getDims()) {
      FailureOr<exec::AxesAttr> axes = convertAxes(loc, dim.getAxes(), mesh);
      if (failed(axes))
        return failure();
      dims.push_back(*axes);
    }
  }
  auto diagnose = [&] { return emitError(loc); };
  auto tensor =
      exec::TensorAttr::getChecked(function_ref<InFlightDiagnostic()>(diagnose),
                                   context, name, type, ArrayRef(dims));
  if (!tensor)
    return failure();
  return tensor;
}

/// Inputs that are donated, and for each output the one that it shares, or -1.
struct Donations {
  SmallVector<int64_t> donated, shared;
};

/// An argument donated to output N shares its memory with that output; one that
/// is donated to any shares it with the first that is left. Type and placement
/// must agree; a placement that does not leaves the output memory of its own.
static FailureOr<Donations> findDonations(func::FuncOp entry,
                                          ArrayRef<exec::TensorAttr> inputs,
                                          ArrayRef<exec::TensorAttr> outputs) {
  Donations result;
  result.shared.assign(outputs.size(), -1);
  auto canShare = [&](int64_t input, int64_t output) {
    return result.shared[output] < 0 &&
           inputs[input].getType() == outputs[output].getType() &&
           inputs[input].getSharding() == outputs[output].getSharding();
  };
  SmallVector<int64_t> toAny;
  int64_t numOutputs = outputs.size();
  for (int64_t input = 0, e = inputs.size(); input < e; ++input) {
    Attribute attr = entry.getArgAttr(input, "cleave.donated");
    if (!attr)
      continue;
    result.donated.push_back(input);
    if (isa<UnitAttr>(attr)) {
      toAny.push_back(input);
      continue;
    }
    Location loc = entry.getArgument(input).getLoc();
    auto number = dyn_cast<IntegerAttr>(attr);
    if (!number)
      return emitError(loc) << "cleave.donated is " << attr
                            << "; it must be the number of an output, or unit";
    int64_t output = number.getInt();
    if (output < 0 || output >= numOutputs)
      return emitError(loc)
             << "input " << inputs[input].getName() << " is donated to output "
             << output << " of " << numOutputs;
    if (inputs[input].getType() != outputs[output].getType())
      return emitError(loc)
             << "input " << inputs[input].getName() << " is donated to output "
             << output << " of type " << outputs[output].getType();
    if (canShare(input, output))
      result.shared[output] = input;
  }
  for (int64_t input : toAny)
    for (int64_t output = 0; output < numOutputs; ++output)
      if (canShare(input, output)) {
        result.shared[output] = input;
        break;
      }
  return result;
}

/// Builds the program, without its body.
static exec::ProgramOp makeProgram(OpBuilder &builder, func::FuncOp entry,
                                   exec::MeshAttr mesh) {
  SmallVector<exec::TensorAttr> inputs, outputs;
  SmallVector<Type> inputTypes, outputTypes;
  SmallVector<Location> locs;
  for (auto [index, type] : llvm::enumerate(entry.getArgumentTypes())) {
    Location loc = entry.getArgument(index).getLoc();
    FailureOr<exec::TensorAttr> tensor = convertTensor(
        loc, type, entry.getArgAttrDict(index), "arg" + Twine(index), mesh);
    if (failed(tensor))
      return {};
    inputs.push_back(*tensor);
    inputTypes.push_back(bufferType(type));
    locs.push_back(loc);
  }
  Operation *terminator = entry.getBody().front().getTerminator();
  for (auto [index, type] : llvm::enumerate(entry.getResultTypes())) {
    Location loc = terminator->getOperand(index).getLoc();
    FailureOr<exec::TensorAttr> tensor = convertTensor(
        loc, type, entry.getResultAttrDict(index), "out" + Twine(index), mesh);
    if (failed(tensor))
      return {};
    outputs.push_back(*tensor);
    outputTypes.push_back(bufferType(type));
    locs.push_back(loc);
  }
  FailureOr<Donations> donations = findDonations(entry, inputs, outputs);
  if (failed(donations))
    return {};
  auto program =
      exec::ProgramOp::create(builder, entry.getLoc(), entry.getSymName(), mesh,
                              inputs, inputTypes, outputs, outputTypes, locs);
  if (!donations->donated.empty()) {
    program.setDonated(ArrayRef(donations->donated));
    program.setShared(ArrayRef(donations->shared));
  }
  return program;
}

/// Removes what the program does not launch any more: library calls, and
/// kernels of which only another form is used. The others lose what told where
/// their results may be written.
static void removeFunctions(ModuleOp module, exec::ProgramOp program) {
  llvm::DenseSet<StringAttr> launched;
  program.walk([&](exec::LaunchOp launch) {
    launched.insert(launch.getKernelAttr().getAttr());
  });
  for (Operation &op : llvm::make_early_inc_range(module.getOps())) {
    auto function = dyn_cast<func::FuncOp>(op);
    bool isKernel = op.hasAttr(graph::kKernelAttr);
    if (isa<spmd::MeshOp>(op) || op.hasAttr(graph::kGemmAttr) ||
        op.hasAttr(graph::kConvolutionAttr) ||
        (function && isKernel && !launched.contains(function.getSymNameAttr())))
      op.erase();
    else if (function && isKernel)
      function.removeArgAttrsAttr();
  }
}

namespace {

class LowerToExec : public cleave::impl::LowerToExecBase<LowerToExec> {
public:
  using LowerToExecBase::LowerToExecBase;

  void runOnOperation() override {
    if (failed(lower(getOperation())))
      signalPassFailure();
  }

private:
  LogicalResult lower(ModuleOp module) {
    func::FuncOp entry = findEntry(module);
    if (!entry)
      return failure();
    FailureOr<exec::MeshAttr> mesh = convertMesh(module);
    if (failed(mesh))
      return failure();

    OpBuilder builder(entry);
    exec::ProgramOp program = makeProgram(builder, entry, *mesh);
    // The body is checked when the pass is done, its frame before it is used.
    if (!program || failed(program.verify()))
      return failure();
    if (stepwise)
      program->setAttr("exec.stepwise", builder.getUnitAttr());
    SymbolTable symbols(module);
    builder.setInsertionPointToStart(&program.getBlock());
    ProgramLowering lowering(builder, *mesh, symbols);
    if (failed(lowering.lowerFunction(entry, program)))
      return failure();
    numBuffers += lowering.getNumBuffers();
    numCopies += lowering.getNumCopies();
    numInPlace += lowering.getNumInPlace();

    entry.erase();
    removeFunctions(module, program);
    return success();
  }
};

} // namespace
