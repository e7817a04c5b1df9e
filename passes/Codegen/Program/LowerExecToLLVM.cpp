//===- LowerExecToLLVM.cpp - A program as a function ----------------------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/Codegen/Program/LowerExecToLLVM.h"
#include "dialects/Graph/KernelAttributes.h"
#include "passes/Codegen/Passes.h"
#include "passes/Codegen/Program/Manifest.h"
#include "llvm/ADT/TypeSwitch.h"

namespace cleave {
#define GEN_PASS_DEF_LOWEREXECTOLLVM
#include "passes/Codegen/Passes.h.inc"
} // namespace cleave

using namespace mlir;
using namespace cleave;

static constexpr StringLiteral kStep = "cleave_program_step";
static constexpr StringLiteral kManifest = "cleave_program_manifest";

//===----------------------------------------------------------------------===//
// StepLowering
//===----------------------------------------------------------------------===//

StepLowering::StepLowering(exec::ProgramOp program, SymbolTable &symbols,
                           const DenseMap<Operation *, int32_t> &ids,
                           bool checksStreams, GPUProgram *gpu)
    : program(program), symbols(symbols), ids(ids),
      checksStreams(checksStreams), gpu(gpu),
      b(program.getLoc(), program->getContext()), constants(symbols),
      ptr(LLVM::LLVMPointerType::get(b.getContext())), i32(b.getI32Type()),
      i64(b.getI64Type()) {}

LogicalResult StepLowering::lower() {
  b.setInsertionPoint(program);
  auto type = LLVM::LLVMFunctionType::get(i32, {ptr, ptr, ptr, ptr});
  auto step = LLVM::LLVMFuncOp::create(b, kStep, type);
  symbols.insert(step);
  Block *entry = step.addEntryBlock(b);
  rank = step.getArgument(0);
  arena = step.getArgument(1);
  inputs = step.getArgument(2);
  outputs = step.getArgument(3);

  failed = b.createBlock(&step.getBody(), step.getBody().end(), {i32},
                         {program.getLoc()});
  LLVM::ReturnOp::create(b, failed->getArgument(0));

  b.setInsertionPointToStart(entry);
  int64_t slots = 1;
  program.walk([&](exec::LaunchOp op) {
    slots = std::max<int64_t>(slots, op->getNumOperands());
  });
  // Launches are done with it when they return, so that all share one array of
  // pointers.
  pointers = LLVM::AllocaOp::create(b, ptr, ptr, constant(i64, slots));
  condition = LLVM::AllocaOp::create(b, ptr, i32, constant(i64, 1));
  if (gpu)
    address = LLVM::AllocaOp::create(b, ptr, ptr, constant(i64, 1));
  if (mlir::failed(lowerBlock(program.getBlock())) ||
      mlir::failed(tellOutputs()))
    return failure();
  b.setLoc(program.getLoc());
  LLVM::ReturnOp::create(b, constant(i32, 0));
  return success();
}

LogicalResult StepLowering::lowerBlock(Block &block) {
  for (Operation &op : block) {
    b.setLoc(op.getLoc());
    if (auto position = op.getAttrOfType<IntegerAttr>("exec.position"))
      checkedCall("cleave_rt_operation",
                  {rank, constant(i32, position.getInt())});
    LogicalResult result =
        TypeSwitch<Operation *, LogicalResult>(&op)
            // Pointers are computed where they are used, so that they do not
            // stay in registers or on the stack across calls.
            .Case<exec::BufferOp, exec::ViewOp, exec::ConstantOp>(
                [](auto) { return success(); })
            .Case<exec::LaunchOp, exec::GemmOp, exec::ConvolutionOp,
                  exec::CollectiveOp, exec::CopyOp, exec::AxisIndexOp>(
                [&](auto typed) -> LogicalResult {
                  if (mlir::failed(tellAccesses(typed)))
                    return failure();
                  return lowerOp(typed);
                })
            .Case<exec::WhileOp, exec::IfOp>(
                [&](auto typed) { return lowerOp(typed); })
            .Case([&](exec::RecordOp record) {
              callStream("cleave_rt_record", record.getEvent(),
                         record.getStream());
              return success();
            })
            .Case([&](exec::WaitOp wait) {
              callStream("cleave_rt_wait", wait.getEvent(), wait.getStream());
              return success();
            })
            .Default([](Operation *other) {
              return other->emitError("is no exec operation");
            });
    if (mlir::failed(result))
      return failure();
  }
  return success();
}

Value StepLowering::constant(Type type, int64_t value) {
  return LLVM::ConstantOp::create(b, type, b.getIntegerAttr(type, value));
}

FailureOr<Value> StepLowering::pointer(Value buffer) {
  while (auto view = buffer.getDefiningOp<exec::ViewOp>())
    buffer = view.getSource();
  if (auto argument = dyn_cast<BlockArgument>(buffer)) {
    int32_t index = argument.getArgNumber();
    int32_t numInputs = program.getInputs().size();
    bool isInput = index < numInputs;
    Value slot = LLVM::GEPOp::create(
        b, ptr, ptr, isInput ? inputs : outputs,
        ArrayRef<LLVM::GEPArg>{isInput ? index : index - numInputs});
    return LLVM::LoadOp::create(b, ptr, slot).getResult();
  }
  if (auto constant = buffer.getDefiningOp<exec::ConstantOp>()) {
    LLVM::GlobalOp global = constants.get(constant);
    if (!global)
      return failure();
    if (gpu)
      return constantOnGPU(global, *exec::bufferBytes(constant.getType()));
    return LLVM::AddressOfOp::create(b, global).getResult();
  }
  auto arenaBuffer = buffer.getDefiningOp<exec::BufferOp>();
  if (!arenaBuffer || !arenaBuffer.getOffset())
    return emitError(buffer.getLoc(), "buffer has no place in the arena; run "
                                      "cleave-plan-arena first");
  Value offset = constant(i64, *arenaBuffer.getOffset());
  return LLVM::GEPOp::create(b, ptr, b.getI8Type(), arena,
                             ArrayRef<LLVM::GEPArg>{offset})
      .getResult();
}

Value StepLowering::call(StringRef name, Type result, ValueRange arguments) {
  auto function = symbols.lookup<LLVM::LLVMFuncOp>(name);
  if (!function) {
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPoint(program);
    SmallVector<Type> types(arguments.getTypes());
    function = LLVM::LLVMFuncOp::create(
        b, name, LLVM::LLVMFunctionType::get(result, types));
    symbols.insert(function);
  }
  return LLVM::CallOp::create(b, function, arguments).getResult();
}

void StepLowering::checkedCall(StringRef name, ValueRange arguments) {
  Value status = call(name, i32, arguments);
  Value isFailure = LLVM::ICmpOp::create(b, LLVM::ICmpPredicate::ne, status,
                                         constant(i32, 0));
  Block *next = makeBlock();
  LLVM::CondBrOp::create(b, isFailure, failed, status, next, ValueRange());
  enter(next);
}

Block *StepLowering::makeBlock() {
  OpBuilder::InsertionGuard guard(b);
  return b.createBlock(failed);
}

void StepLowering::enter(Block *block) {
  // Blocks lie in the order in which they are filled.
  block->moveBefore(failed);
  b.setInsertionPointToStart(block);
}

//===----------------------------------------------------------------------===//
// Operations
//===----------------------------------------------------------------------===//

/// Puts the addresses of buffers into the array that launches take.
LogicalResult StepLowering::storePointers(ValueRange buffers) {
  for (auto [index, buffer] : llvm::enumerate(buffers)) {
    FailureOr<Value> value = pointer(buffer);
    if (mlir::failed(value))
      return failure();
    Value slot = LLVM::GEPOp::create(b, ptr, ptr, pointers,
                                     ArrayRef<LLVM::GEPArg>{int32_t(index)});
    LLVM::StoreOp::create(b, *value, slot);
  }
  return success();
}

LogicalResult StepLowering::lowerOp(exec::LaunchOp op) {
  if (gpu)
    return launchOnGPU(op);
  auto kernel = symbols.lookup<LLVM::LLVMFuncOp>(op.getKernel());
  auto type = LLVM::LLVMFunctionType::get(
      LLVM::LLVMVoidType::get(b.getContext()), {ptr, i64, i64});
  if (!kernel || kernel.getFunctionType() != type)
    return op.emitError("launches ")
           << op.getKernel()
           << ", which is not lowered; run cleave-lower-kernels-to-llvm first";
  auto extent = kernel->getAttrOfType<IntegerAttr>(graph::kExtentAttr);
  if (!extent)
    return op.emitError("launches ")
           << op.getKernel() << ", which has no cleave.extent";
  if (!kernel.isExternal())
    kernel.setLinkage(LLVM::Linkage::Internal);

  if (mlir::failed(storePointers(op.getOperands())))
    return failure();
  checkedCall("cleave_rt_launch", {rank, LLVM::AddressOfOp::create(b, kernel),
                                   pointers, constant(i64, extent.getInt())});
  return success();
}

LogicalResult StepLowering::lowerOp(exec::GemmOp op) {
  return callLibrary(
      op, "cleave_rt_gemm",
      {op.getA(), op.getB(), op.getBias(), op.getResidual(), op.getOut()});
}

LogicalResult StepLowering::lowerOp(exec::ConvolutionOp op) {
  return callLibrary(op, "cleave_rt_convolution",
                     {op.getLhs(), op.getKernel(), op.getBias(),
                      op.getResidual(), op.getOut()});
}

/// Buffers that are absent become null.
LogicalResult StepLowering::callLibrary(Operation *op, StringRef function,
                                        ArrayRef<Value> buffers) {
  SmallVector<Value> arguments = {rank, constant(i32, ids.lookup(op))};
  for (Value buffer : buffers) {
    if (!buffer) {
      arguments.push_back(LLVM::ZeroOp::create(b, ptr));
      continue;
    }
    FailureOr<Value> value = pointer(buffer);
    if (mlir::failed(value))
      return failure();
    arguments.push_back(*value);
  }
  checkedCall(function, arguments);
  return success();
}

LogicalResult StepLowering::lowerOp(exec::CollectiveOp op) {
  FailureOr<Value> operand = pointer(op.getOperand());
  FailureOr<Value> result = pointer(op.getResult());
  if (mlir::failed(operand) || mlir::failed(result))
    return failure();
  int32_t stream = static_cast<int32_t>(op.getStream());
  checkedCall("cleave_rt_collective",
              {rank, constant(i32, stream), constant(i32, ids.lookup(op)),
               *operand, *result});
  return success();
}

void StepLowering::callStream(StringRef function, uint32_t event,
                              exec::Stream stream) {
  checkedCall(function, {rank, constant(i32, event),
                         constant(i32, static_cast<int32_t>(stream))});
}

LogicalResult StepLowering::lowerOp(exec::CopyOp op) {
  FailureOr<Value> from = pointer(op.getFrom());
  FailureOr<Value> to = pointer(op.getTo());
  std::optional<int64_t> bytes =
      exec::bufferBytes(cast<MemRefType>(op.getFrom().getType()));
  if (mlir::failed(from) || mlir::failed(to))
    return failure();
  if (!bytes)
    return op.emitError("copies a buffer that is too large to address");
  if (*bytes != 0)
    checkedCall("cleave_rt_copy", {rank, *from, *to, constant(i64, *bytes)});
  return success();
}

LogicalResult StepLowering::lowerOp(exec::AxisIndexOp op) {
  FailureOr<Value> result = pointer(op.getResult());
  if (mlir::failed(result))
    return failure();
  checkedCall("cleave_rt_axis_index",
              {rank, constant(i32, ids.lookup(op)), *result});
  return success();
}

FailureOr<Value> StepLowering::readCondition(Operation *op, Value buffer) {
  FailureOr<Value> address = pointer(buffer);
  if (mlir::failed(address) ||
      mlir::failed(tellAccess(op, buffer, /*isWrite=*/false)))
    return failure();
  checkedCall("cleave_rt_condition", {rank, *address, condition});
  Value value = LLVM::LoadOp::create(b, i32, condition);
  return LLVM::ICmpOp::create(b, LLVM::ICmpPredicate::ne, value,
                              constant(i32, 0))
      .getResult();
}

LogicalResult StepLowering::lowerOp(exec::WhileOp op) {
  Block *cond = makeBlock(), *body = makeBlock(), *done = makeBlock();
  LLVM::BrOp::create(b, cond);
  enter(cond);
  if (mlir::failed(lowerBlock(op.getCond().front())))
    return failure();
  FailureOr<Value> again = readCondition(op, op.getCondition());
  if (mlir::failed(again))
    return failure();
  LLVM::CondBrOp::create(b, *again, body, done);
  enter(body);
  if (mlir::failed(lowerBlock(op.getBody().front())))
    return failure();
  LLVM::BrOp::create(b, cond);
  enter(done);
  return success();
}

LogicalResult StepLowering::lowerOp(exec::IfOp op) {
  Block *thenBlock = makeBlock(), *elseBlock = makeBlock(), *done = makeBlock();
  FailureOr<Value> condition = readCondition(op, op.getCondition());
  if (mlir::failed(condition))
    return failure();
  LLVM::CondBrOp::create(b, *condition, thenBlock, elseBlock);
  for (auto [region, block] : {std::pair(&op.getThenRegion(), thenBlock),
                               std::pair(&op.getElseRegion(), elseBlock)}) {
    enter(block);
    if (mlir::failed(lowerBlock(region->front())))
      return failure();
    LLVM::BrOp::create(b, done);
  }
  enter(done);
  return success();
}

//===----------------------------------------------------------------------===//
// The pass
//===----------------------------------------------------------------------===//

static void makeManifest(OpBuilder &builder, exec::ProgramOp program,
                         StringRef text, SymbolTable &symbols) {
  // The text is read as a C string.
  std::string bytes = (text + Twine('\0')).str();
  auto type = LLVM::LLVMArrayType::get(builder.getI8Type(), bytes.size());
  symbols.insert(LLVM::GlobalOp::create(
      builder, program.getLoc(), type, /*isConstant=*/true,
      LLVM::Linkage::External, kManifest, builder.getStringAttr(bytes)));
}

namespace {

class LowerExecToLLVM
    : public cleave::impl::LowerExecToLLVMBase<LowerExecToLLVM> {
public:
  using LowerExecToLLVMBase::LowerExecToLLVMBase;

  void runOnOperation() override {
    ModuleOp module = getOperation();
    if (!llvm::is_contained({"", "tf32", "bf16", "f16"}, StringRef(products))) {
      module.emitError("option products: expected tf32, bf16 or f16, got '")
          << products << "'";
      return signalPassFailure();
    }
    auto programs = llvm::to_vector(module.getOps<exec::ProgramOp>());
    if (programs.size() > 1) {
      programs[1].emitError("an object holds one program");
      return signalPassFailure();
    }
    for (exec::ProgramOp program : programs)
      if (failed(lower(program)))
        return signalPassFailure();
  }

private:
  LogicalResult lower(exec::ProgramOp program) {
    SymbolTable symbols(getOperation());
    for (StringRef name : {kStep, kManifest})
      if (Operation *other = symbols.lookup(name))
        return other->emitError("has the name of a part of every program, ")
               << name;
    Manifest manifest =
        buildManifest(program, {target, products, checkStreams});
    OpBuilder builder(program);
    makeManifest(builder, program, manifest.text, symbols);
    std::optional<GPUProgram> gpu;
    if (StringRef(target) != "host")
      gpu.emplace(getOperation(), symbols);
    StepLowering lowering(program, symbols, manifest.ids, checkStreams,
                          gpu ? &*gpu : nullptr);
    if (failed(lowering.lower()))
      return failure();
    symbols.erase(program);
    if (gpu)
      gpu->finish();
    return success();
  }
};

} // namespace
