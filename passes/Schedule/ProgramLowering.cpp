//===- ProgramLowering.cpp - From values to buffers -----------------------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/Schedule/ProgramLowering.h"
#include "cleave/Schedule/ParallelCopy.h"
#include "dialects/Graph/KernelAttributes.h"
#include "passes/Schedule/GemmShape.h"
#include "passes/Schedule/StorageOf.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace cleave;

MemRefType cleave::bufferType(Type tensor) {
  auto type = cast<RankedTensorType>(tensor);
  return MemRefType::get(type.getShape(), type.getElementType());
}

FailureOr<exec::AxesAttr> cleave::convertAxes(Location loc,
                                              ArrayRef<spmd::AxisAttr> axes,
                                              exec::MeshAttr mesh) {
  SmallVector<exec::AxisPart> parts;
  for (spmd::AxisAttr axis : axes) {
    std::optional<unsigned> index = mesh.find(axis.getName());
    if (!index)
      return emitError(loc)
             << "mesh " << mesh.getName() << " has no axis " << axis.getName();
    if (axis.isWhole())
      parts.push_back({axis.getName(), 1, mesh.getAxes()[*index].size});
    else
      parts.push_back({axis.getName(), axis.getPre(), axis.getSize()});
  }
  auto diagnose = [&] { return emitError(loc); };
  auto attr =
      exec::AxesAttr::getChecked(function_ref<InFlightDiagnostic()>(diagnose),
                                 mesh.getContext(), ArrayRef(parts));
  if (!attr)
    return failure();
  return attr;
}

//===----------------------------------------------------------------------===//
// Buffers and targets
//===----------------------------------------------------------------------===//

Value ProgramLowering::makeBuffer(Location loc, MemRefType type) {
  ++numBuffers;
  return exec::BufferOp::create(builder, loc, type);
}

Value ProgramLowering::viewAs(Location loc, Value buffer, MemRefType type) {
  if (buffer.getType() == type)
    return buffer;
  Value storage = storageOf(buffer);
  if (storage.getType() == type)
    return storage;
  return exec::ViewOp::create(builder, loc, type, storage);
}

void ProgramLowering::copy(Location loc, Value from, Value to) {
  ++numCopies;
  exec::CopyOp::create(builder, loc, from, to);
}

void ProgramLowering::settle(Location loc, Value value, Value target) {
  if (storageOf(lookup(value)) != storageOf(target))
    copy(loc, lookup(value), target);
}

void ProgramLowering::assign(Operation *terminator, ValueRange targets) {
  DenseMap<Value, unsigned> numbers;
  auto number = [&](Value buffer) {
    return numbers.try_emplace(storageOf(buffer), numbers.size()).first->second;
  };
  SmallVector<std::pair<unsigned, unsigned>> copies;
  for (auto [yielded, target] :
       llvm::zip_equal(terminator->getOperands(), targets))
    copies.push_back({number(lookup(yielded)), number(target)});

  Location loc = terminator->getLoc();
  DenseMap<unsigned, Value> temporaries;
  for (const CopyStep &step : orderCopies(copies)) {
    Value from = lookup(terminator->getOperand(step.copy));
    Value to = targets[step.copy];
    switch (step.kind) {
    case CopyStep::Direct:
      copy(loc, from, to);
      break;
    case CopyStep::Save:
      to = makeBuffer(loc, cast<MemRefType>(to.getType()));
      temporaries[step.copy] = to;
      copy(loc, from, to);
      break;
    case CopyStep::Restore:
      copy(loc, temporaries.lookup(step.copy), to);
      break;
    }
  }
}

SmallVector<Value> ProgramLowering::lookup(ValueRange values) {
  return llvm::map_to_vector(values,
                             [&](Value value) { return lookup(value); });
}

void ProgramLowering::requestTarget(Value yielded, Value target, Block *block,
                                    Value held) {
  auto source = dyn_cast<OpResult>(throughReshapes(yielded));
  if (!source)
    return;
  Operation *op = source.getOwner();
  if (op->getBlock() != block || isa<graph::ConstantOp>(op) ||
      targets.contains(source) || (held && !endsAt(held, source)))
    return;
  targets[source] =
      viewAs(source.getLoc(), target, bufferType(source.getType()));
  // What becomes the value in place is made there from the start.
  for (OpOperand &operand : op->getOpOperands()) {
    Value before = throughReshapes(operand.get());
    if (replacementOf(operand) != source || before == held ||
        !(held || isUpdate(operand)) || !endsAt(before, source))
      continue;
    return requestTarget(before, target, block, held);
  }
}

Value ProgramLowering::makeResultBuffer(OpResult result, ValueRange read) {
  Value buffer = targets.lookup(result);
  bool isRead = buffer && llvm::any_of(read, [&](Value other) {
                  return storageOf(other) == storageOf(buffer);
                });
  if (!buffer || isRead)
    buffer = makeBuffer(result.getLoc(), bufferType(result.getType()));
  buffers[result] = buffer;
  return buffer;
}

SmallVector<Value> ProgramLowering::makeResultBuffers(Operation *op) {
  return llvm::map_to_vector(op->getResults(), [&](OpResult result) {
    return makeResultBuffer(result);
  });
}

//===----------------------------------------------------------------------===//
// Straight-line code
//===----------------------------------------------------------------------===//

LogicalResult ProgramLowering::lowerFunction(func::FuncOp function,
                                             exec::ProgramOp program) {
  Block &block = function.getBody().front();
  for (auto [index, argument, input] :
       llvm::enumerate(block.getArguments(), program.getInputBuffers())) {
    buffers[argument] = input;
    if (!program.isDonated(index))
      readOnly.insert(input);
  }
  Operation *terminator = block.getTerminator();
  SmallVector<Value> outputs;
  for (auto [index, value, output] :
       llvm::enumerate(terminator->getOperands(), program.getOutputBuffers())) {
    int64_t shared = program.getSharedInput(index);
    // What is there now is the input, until it has been read.
    Value held = shared < 0 ? Value() : block.getArgument(shared);
    outputs.push_back(held ? lookup(held) : output);
    requestTarget(value, outputs.back(), &block, held);
  }
  if (failed(lowerBlock(block)))
    return failure();
  assign(terminator, outputs);
  return success();
}

LogicalResult ProgramLowering::lowerBlock(Block &block) {
  for (Operation &op : block.without_terminator())
    if (failed(lowerOp(&op)))
      return failure();
  return success();
}

LogicalResult ProgramLowering::lowerOp(Operation *op) {
  for (Type type : op->getResultTypes()) {
    auto tensor = dyn_cast<RankedTensorType>(type);
    if (!tensor || !tensor.hasStaticShape() ||
        !tensor.getElementType().isIntOrFloat())
      return op->emitError("makes a value of type ")
             << type << "; programs have dense static tensors only";
    if (!exec::bufferBytes(bufferType(type)))
      return op->emitError("makes a tensor of type ")
             << type << ", which is too large to address";
  }
  return TypeSwitch<Operation *, LogicalResult>(op)
      .Case([&](func::CallOp call) { return lowerCall(call); })
      .Case([&](spmd::CollectiveOpInterface collective) {
        return lowerCollective(collective);
      })
      .Case([&](graph::WhileOp loop) { return lowerWhile(loop); })
      .Case([&](graph::IfOp branch) { return lowerIf(branch); })
      .Case([&](graph::ConstantOp constant) {
        buffers[constant.getOutput()] = exec::ConstantOp::create(
            builder, constant.getLoc(),
            bufferType(constant.getOutput().getType()), constant.getValue());
        return success();
      })
      .Case([&](graph::ReshapeOp reshape) {
        buffers[reshape.getResult()] =
            viewAs(reshape.getLoc(), lookup(reshape.getOperand()),
                   bufferType(reshape.getResult().getType()));
        return success();
      })
      .Case([&](spmd::AxisIndexOp index) -> LogicalResult {
        FailureOr<exec::AxesAttr> axes =
            convertAxes(index.getLoc(), index.getAxes().getAxes(), mesh);
        if (failed(axes))
          return failure();
        Value result = makeResultBuffer(index->getResult(0));
        exec::AxisIndexOp::create(builder, index.getLoc(), *axes, result);
        return success();
      })
      .Default([](Operation *other) {
        return other->emitError("cannot be scheduled: a program consists of "
                                "calls of kernels and matrix products, "
                                "collectives, constants, reshapes and control "
                                "flow; run cleave-form-kernels first");
      });
}

LogicalResult ProgramLowering::lowerCall(func::CallOp call) {
  auto callee = symbols.lookup<func::FuncOp>(call.getCallee());
  if (callee) {
    if (auto gemm = callee->getAttrOfType<DictionaryAttr>(graph::kGemmAttr))
      return lowerGemm(call, callee, gemm);
    if (auto epilogue =
            callee->getAttrOfType<DictionaryAttr>(graph::kConvolutionAttr))
      return lowerConvolution(call, callee, epilogue);
    if (callee->hasAttr(graph::kKernelAttr))
      return lowerLaunch(call, callee);
  }
  return call.emitError("calls ")
         << call.getCallee()
         << ", which is neither a kernel nor a matrix product or "
            "convolution";
}

LogicalResult ProgramLowering::lowerCollective(spmd::CollectiveOpInterface op) {
  FailureOr<exec::AxesAttr> axes =
      convertAxes(op.getLoc(), op.getCollectiveAxes(), mesh);
  if (failed(axes))
    return failure();
  if (op->getNumResults() != 1)
    return op->emitError("must have one result to be scheduled");

  auto asI64 = [&](std::optional<int64_t> value) {
    return value ? builder.getI64IntegerAttr(*value) : IntegerAttr();
  };
  // The enumerators of both dialects have the same names and order.
  auto kind = exec::CollectiveKind(op.getCollectiveKind());
  exec::ReductionAttr reduction;
  if (std::optional<ReductionKind> r = op.getCollectiveReduction())
    reduction =
        exec::ReductionAttr::get(builder.getContext(), exec::Reduction(*r));
  bool isAllToAll = kind == exec::CollectiveKind::AllToAll;
  IntegerAttr dim = asI64(op.getCollectiveDim());
  DenseI64ArrayAttr pairs;
  if (auto permute = dyn_cast<spmd::CollectivePermuteOp>(op.getOperation()))
    pairs = permute.getPairsAttr();
  IntegerAttr root, size, low, high;
  if (auto broadcast = dyn_cast<spmd::BroadcastOp>(op.getOperation()))
    root = broadcast.getRootAttr();
  if (auto halo = dyn_cast<spmd::HaloExchangeOp>(op.getOperation())) {
    if (halo.getFillAttr())
      return halo.emitError("cannot be scheduled with a fill; run "
                            "cleave-mask-padding first");
    size = halo.getSizeAttr();
    low = halo.getLowAttr();
    high = halo.getHighAttr();
  }
  DenseI64ArrayAttr blocks, windows;
  if (auto exchange = dyn_cast<spmd::WindowExchangeOp>(op.getOperation())) {
    blocks = exchange.getBlocksAttr();
    windows = exchange.getWindowsAttr();
  }
  ArrayAttr groups;
  if (auto listed = dyn_cast_or_null<spmd::GroupsAttr>(op.getGroups()))
    groups = builder.getArrayAttr(SmallVector<Attribute>(
        listed.getGroups().begin(), listed.getGroups().end()));
  Value operand = lookup(op.getCollectiveOperand());
  exec::CollectiveOp::create(builder, op.getLoc(), kind, reduction, operand,
                             makeResultBuffer(op->getResult(0)), *axes,
                             /*dim=*/isAllToAll ? IntegerAttr() : dim,
                             /*split_dim=*/asI64(op.getCollectiveSplitDim()),
                             /*concat_dim=*/isAllToAll ? dim : IntegerAttr(),
                             pairs, root, size, low, high, blocks, windows,
                             groups, op.getCauseAttr());
  return success();
}

LogicalResult ProgramLowering::lowerGemm(func::CallOp call, func::FuncOp callee,
                                         DictionaryAttr gemm) {
  auto text = [&](StringRef key) {
    auto attr = gemm.getAs<StringAttr>(key);
    return attr ? attr.getValue() : StringRef("none");
  };
  std::optional<exec::BiasKind> bias = exec::symbolizeBiasKind(text("bias"));
  std::optional<exec::Activation> activation =
      exec::symbolizeActivation(text("activation"));
  auto residual = gemm.getAs<BoolAttr>("residual");
  if (!bias || !activation)
    return callee.emitError("has an unknown bias or activation in cleave.gemm");
  bool hasBias = *bias != exec::BiasKind::None;
  bool hasResidual = residual && residual.getValue();

  SmallVector<graph::DotGeneralOp> dots;
  callee.walk([&](graph::DotGeneralOp dot) { dots.push_back(dot); });
  if (dots.size() != 1 || call.getNumResults() != 1 ||
      call.getNumOperands() != 2u + hasBias + hasResidual)
    return callee.emitError("with cleave.gemm must have one dot_general, one "
                            "result, and the operands a, b and those of its "
                            "epilogue");
  auto isArgument = [&](Value operand, unsigned index) {
    return throughReshapes(operand) == callee.getArgument(index);
  };
  if (!isArgument(dots[0].getLhs(), 0) || !isArgument(dots[0].getRhs(), 1))
    return callee.emitError("with cleave.gemm must multiply its first argument "
                            "by its second");
  FailureOr<GemmShape> shape = readGemmShape(dots.front());
  if (failed(shape))
    return failure();

  SmallVector<Value> operands = lookup(call.getOperands());
  Value biasBuffer = hasBias ? operands[2] : Value();
  Value residualBuffer = hasResidual ? operands.back() : Value();
  Value out = makeResultBuffer(call->getResult(0));
  exec::GemmOp::create(builder, call.getLoc(), operands[0], operands[1],
                       biasBuffer, residualBuffer, out, *bias, *activation,
                       shape->batch, shape->m, shape->n, shape->k, shape->a,
                       shape->b, shape->out);
  return success();
}
