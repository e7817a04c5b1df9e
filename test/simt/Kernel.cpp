//===- Kernel.cpp - A gpu.func as steps -*- C++ -*-===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Kernel.h"
#include "Code.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "llvm/ADT/TypeSwitch.h"
#include <cstring>

using namespace mlir;
using namespace cleave::simt;

static unsigned bitsOf(Type element) {
  return isa<IndexType>(element) ? 64 : element.getIntOrFloatBitWidth();
}
static int64_t lanesOf(Type type) {
  if (auto structure = dyn_cast<LLVM::LLVMStructType>(type))
    return structure.getBody().size();
  auto vector = dyn_cast<VectorType>(type);
  return vector ? vector.getNumElements() : 1;
}
static uint64_t bitsOf(Attribute attribute) {
  if (auto number = dyn_cast<FloatAttr>(attribute))
    return number.getValue().bitcastToAPInt().getZExtValue();
  return cast<IntegerAttr>(attribute).getValue().getZExtValue();
}
static std::string describe(Location loc) {
  std::string text;
  llvm::raw_string_ostream(text) << loc;
  return text;
}

namespace {

/// Element accesses of one operation.
struct ElementAccess {
  size_t array;
  int64_t elements, bytes;
  std::string where;

  bool check(Thread &thread, int64_t place, AccessKind kind) const {
    if (place < 0 || place >= elements)
      return thread.fail("thread " + std::to_string(thread.number) +
                         " of block " + std::to_string(thread.block->number) +
                         " accesses element " + std::to_string(place) + " of " +
                         std::to_string(elements) + " at " + where);
    std::string conflict = thread.memory(array).shadow->access(
        place, kind,
        {thread.block->number, thread.number, thread.block->interval});
    return conflict.empty() || thread.fail(conflict + " at " + where);
  }
  bool load(Thread &thread, int64_t place, uint64_t &value) const {
    if (!check(thread, place, AccessKind::Read))
      return false;
    value = 0;
    std::memcpy(&value, thread.memory(array).data + place * bytes, bytes);
    return true;
  }
  bool store(Thread &thread, int64_t place, uint64_t value) const {
    if (!check(thread, place, AccessKind::Write))
      return false;
    std::memcpy(thread.memory(array).data + place * bytes, &value, bytes);
    return true;
  }
};

class Compiler {
public:
  Compiler(gpu::GPUFuncOp function, Code &code)
      : function(function), code(code) {}

  LogicalResult compile();

private:
  size_t place(Value value) {
    auto [known, isNew] = places.try_emplace(value, code.numRegisters);
    if (isNew)
      code.numRegisters += lanesOf(value.getType());
    return known->second;
  }
  void addArray(Value memref, Space space) {
    auto type = cast<MemRefType>(memref.getType());
    arrays[memref] = code.arrays.size();
    code.arrays.push_back({space, type.getNumElements(),
                           llvm::divideCeil(bitsOf(type.getElementType()), 8)});
  }
  ElementAccess accessOf(Value memref, Operation *op) {
    size_t array = arrays.lookup(memref);
    return {array, code.arrays[array].elements, code.arrays[array].elementBytes,
            describe(op->getLoc())};
  }
  void copy(Steps &steps, ValueRange from, ValueRange to);
  LogicalResult compileBlock(Block &block, Steps &steps);
  LogicalResult compileOp(Operation *op, Steps &steps);
  LogicalResult compileElementwise(Operation *op, Steps &steps);
  LogicalResult compileMemory(Operation *op, Steps &steps);
  LogicalResult compileVector(Operation *op, Steps &steps);
  LogicalResult compileGPU(Operation *op, Steps &steps);
  LogicalResult compileMatrix(Operation *op, Steps &steps);
  /// Threads stop until their whole warp has come here.
  void waitForWarp(Steps &steps, WarpStep step);
  LogicalResult compileFor(scf::ForOp op, Steps &steps);
  LogicalResult compileIf(scf::IfOp op, Steps &steps);
  LogicalResult compileWhile(scf::WhileOp op, Steps &steps);
  void constant(Value result, uint64_t value, Steps &steps) {
    steps.push_back([to = place(result), value](Thread &thread) {
      thread.registers[to] = value;
      return true;
    });
  }

  void copyRegisters(size_t from, size_t to, int64_t count, Steps &steps) {
    steps.push_back([=](Thread &thread) {
      std::copy_n(thread.registers.begin() + from, count,
                  thread.registers.begin() + to);
      return true;
    });
  }

  gpu::GPUFuncOp function;
  Code &code;
  llvm::DenseMap<Value, size_t> places, arrays;
  int64_t numSites = 0;
};

} // namespace

LogicalResult Compiler::compile() {
  code.name = function.getName().str();
  std::optional<ArrayRef<int32_t>> size = function.getKnownBlockSize();
  if (!size)
    return function.emitError("does not declare the size of its blocks");
  code.threads = int64_t((*size)[0]) * (*size)[1] * (*size)[2];
  if (code.threads != (*size)[0])
    return function.emitError("has blocks of more than one dimension");
  for (BlockArgument argument : function.getArguments()) {
    if (!isa<MemRefType>(argument.getType()))
      return function.emitError("has an argument that is no memref");
    addArray(argument, Space::Global);
  }
  code.numArguments = code.arrays.size();
  for (BlockArgument array : function.getWorkgroupAttributions())
    addArray(array, Space::Shared);
  for (BlockArgument array : function.getPrivateAttributions())
    addArray(array, Space::Local);
  if (!function.getBody().hasOneBlock())
    return function.emitError("has control flow other than of scf");
  return compileBlock(function.getBody().front(), code.steps);
}

LogicalResult Compiler::compileBlock(Block &block, Steps &steps) {
  for (Operation &op : block.without_terminator())
    if (failed(compileOp(&op, steps)))
      return failure();
  return success();
}

void Compiler::copy(Steps &steps, ValueRange from, ValueRange to) {
  SmallVector<std::array<size_t, 3>> moves;
  for (auto [source, target] : llvm::zip_equal(from, to))
    moves.push_back(
        {place(source), place(target), size_t(lanesOf(source.getType()))});
  if (moves.empty())
    return;
  // All are read before one is written: loops may exchange their variables.
  steps.push_back([moves](Thread &thread) {
    SmallVector<uint64_t> values;
    for (auto [source, target, lanes] : moves)
      values.append(thread.registers.begin() + source,
                    thread.registers.begin() + source + lanes);
    size_t next = 0;
    for (auto [source, target, lanes] : moves)
      for (size_t i = 0; i < lanes; ++i)
        thread.registers[target + i] = values[next++];
    return true;
  });
}

LogicalResult Compiler::compileOp(Operation *op, Steps &steps) {
  if (auto loop = dyn_cast<scf::ForOp>(op))
    return compileFor(loop, steps);
  if (auto branch = dyn_cast<scf::IfOp>(op))
    return compileIf(branch, steps);
  if (auto loop = dyn_cast<scf::WhileOp>(op))
    return compileWhile(loop, steps);
  // Only memory that the kernel names is known.
  for (Value operand : op->getOperands())
    if (isa<MemRefType>(operand.getType()) && !arrays.count(operand))
      return op->emitError("is not known to the emulator");
  StringRef dialect = op->getName().getDialectNamespace();
  if (dialect == "memref")
    return compileMemory(op, steps);
  if (dialect == "vector")
    return compileVector(op, steps);
  if (dialect == "gpu")
    return compileGPU(op, steps);
  if (dialect == "llvm" || isa<NVVM::MmaOp>(op))
    return compileMatrix(op, steps);
  return compileElementwise(op, steps);
}

//===----------------------------------------------------------------------===//
// Arithmetic
//===----------------------------------------------------------------------===//

LogicalResult Compiler::compileElementwise(Operation *op, Steps &steps) {
  if (isa<ub::PoisonOp>(op)) {
    // Bits that look like no result.
    for (int64_t lane = 0; lane < lanesOf(op->getResult(0).getType()); ++lane)
      steps.push_back([to = place(op->getResult(0)) + lane](Thread &thread) {
        thread.registers[to] = 0xa5;
        return true;
      });
    return success();
  }
  if (auto constant = dyn_cast<arith::ConstantOp>(op)) {
    SmallVector<uint64_t> values;
    if (auto elements = dyn_cast<DenseElementsAttr>(constant.getValue()))
      for (Attribute element : elements.getValues<Attribute>())
        values.push_back(bitsOf(element));
    else
      values.push_back(bitsOf(constant.getValue()));
    steps.push_back([to = place(constant), values](Thread &thread) {
      std::copy(values.begin(), values.end(), thread.registers.begin() + to);
      return true;
    });
    return success();
  }
  for (OpResult result : op->getResults()) {
    ScalarFunction function = scalarFunction(op, result.getResultNumber());
    if (!function)
      return op->emitError("is not known to the emulator");
    int64_t lanes = lanesOf(result.getType());
    // Where a select of vectors has one condition, all lanes read it.
    SmallVector<std::pair<size_t, bool>> operands;
    for (Value operand : op->getOperands())
      operands.push_back({place(operand), lanesOf(operand.getType()) > 1});
    steps.push_back(
        [function, lanes, operands, to = place(result)](Thread &thread) {
          uint64_t values[4];
          for (int64_t lane = 0; lane < lanes; ++lane) {
            for (size_t i = 0; i < operands.size(); ++i)
              values[i] = thread.registers[operands[i].first +
                                           (operands[i].second ? lane : 0)];
            thread.registers[to + lane] = function(values);
          }
          return true;
        });
  }
  return success();
}

//===----------------------------------------------------------------------===//
// Control flow
//===----------------------------------------------------------------------===//

LogicalResult Compiler::compileFor(scf::ForOp op, Steps &steps) {
  if (!op.getInductionVar().getType().isIndex())
    return op.emitError("counts with other than an index");
  copy(steps, op.getInitArgs(), op.getRegionIterArgs());
  Steps body;
  if (failed(compileBlock(*op.getBody(), body)))
    return failure();
  copy(body, op.getBody()->getTerminator()->getOperands(),
       op.getRegionIterArgs());
  steps.push_back([body = std::move(body), low = place(op.getLowerBound()),
                   high = place(op.getUpperBound()), step = place(op.getStep()),
                   at = place(op.getInductionVar())](Thread &thread) {
    int64_t end = thread.registers[high], by = thread.registers[step];
    for (int64_t i = thread.registers[low]; i < end; i += by) {
      thread.registers[at] = i;
      if (!runSteps(body, thread))
        return false;
    }
    return true;
  });
  copy(steps, op.getRegionIterArgs(), op.getResults());
  return success();
}

LogicalResult Compiler::compileIf(scf::IfOp op, Steps &steps) {
  Steps then, otherwise;
  auto compileBranch = [&](Block *block, Steps &branch) {
    if (!block)
      return success();
    if (failed(compileBlock(*block, branch)))
      return failure();
    copy(branch, block->getTerminator()->getOperands(), op.getResults());
    return success();
  };
  if (failed(compileBranch(op.thenBlock(), then)) ||
      failed(compileBranch(op.elseBlock(), otherwise)))
    return failure();
  steps.push_back([then = std::move(then), otherwise = std::move(otherwise),
                   condition = place(op.getCondition())](Thread &thread) {
    return runSteps(thread.registers[condition] ? then : otherwise, thread);
  });
  return success();
}

LogicalResult Compiler::compileWhile(scf::WhileOp op, Steps &steps) {
  copy(steps, op.getInits(), op.getBeforeArguments());
  Steps before, after;
  auto condition = op.getConditionOp();
  if (failed(compileBlock(*op.getBeforeBody(), before)) ||
      failed(compileBlock(*op.getAfterBody(), after)))
    return failure();
  copy(before, condition.getArgs(), op.getResults());
  Steps next;
  copy(next, op.getResults(), op.getAfterArguments());
  next.insert(next.end(), after.begin(), after.end());
  copy(next, op.getYieldOp().getOperands(), op.getBeforeArguments());
  steps.push_back([before = std::move(before), next = std::move(next),
                   again = place(condition.getCondition())](Thread &thread) {
    for (;;) {
      if (!runSteps(before, thread))
        return false;
      if (!thread.registers[again])
        return true;
      if (!runSteps(next, thread))
        return false;
    }
  });
  return success();
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

static bool isFlat(Value memref) {
  return cast<MemRefType>(memref.getType()).getRank() == 1;
}

LogicalResult Compiler::compileMemory(Operation *op, Steps &steps) {
  if (auto alloca = dyn_cast<memref::AllocaOp>(op)) {
    addArray(alloca, Space::Local);
    return success();
  }
  if (auto load = dyn_cast<memref::LoadOp>(op)) {
    if (isFlat(load.getMemRef())) {
      steps.push_back([access = accessOf(load.getMemRef(), op),
                       at = place(load.getIndices()[0]),
                       to = place(load)](Thread &thread) {
        return access.load(thread, thread.registers[at], thread.registers[to]);
      });
      return success();
    }
  }
  if (auto store = dyn_cast<memref::StoreOp>(op)) {
    if (isFlat(store.getMemRef())) {
      steps.push_back([access = accessOf(store.getMemRef(), op),
                       at = place(store.getIndices()[0]),
                       from = place(store.getValue())](Thread &thread) {
        return access.store(thread, thread.registers[at],
                            thread.registers[from]);
      });
      return success();
    }
  }
  if (auto atomic = dyn_cast<memref::AtomicRMWOp>(op)) {
    ScalarFunction function = scalarFunction(op, 0);
    if (function && isFlat(atomic.getMemref())) {
      steps.push_back([access = accessOf(atomic.getMemref(), op), function,
                       at = place(atomic.getIndices()[0]),
                       from = place(atomic.getValue()),
                       to = place(atomic)](Thread &thread) {
        int64_t place = thread.registers[at];
        if (!access.check(thread, place, AccessKind::Atomic))
          return false;
        char *address = thread.memory(access.array).data + place * access.bytes;
        uint64_t values[2] = {0, thread.registers[from]};
        std::memcpy(&values[0], address, access.bytes);
        thread.registers[to] = values[0];
        uint64_t updated = function(values);
        std::memcpy(address, &updated, access.bytes);
        return true;
      });
      return success();
    }
  }
  return op->emitError("is not known to the emulator");
}

LogicalResult Compiler::compileVector(Operation *op, Steps &steps) {
  if (auto load = dyn_cast<vector::LoadOp>(op)) {
    int64_t lanes = lanesOf(load.getType());
    int64_t align = load.getAlignment().value_or(1);
    steps.push_back([access = accessOf(load.getBase(), op), lanes, align,
                     at = place(load.getIndices()[0]),
                     to = place(load)](Thread &thread) {
      int64_t first = thread.registers[at];
      if (first * access.bytes % align != 0)
        return thread.fail("vector is not aligned at " + access.where);
      for (int64_t i = 0; i < lanes; ++i)
        if (!access.load(thread, first + i, thread.registers[to + i]))
          return false;
      return true;
    });
    return success();
  }
  if (auto store = dyn_cast<vector::StoreOp>(op)) {
    int64_t lanes = lanesOf(store.getValueToStore().getType());
    int64_t align = store.getAlignment().value_or(1);
    steps.push_back([access = accessOf(store.getBase(), op), lanes, align,
                     at = place(store.getIndices()[0]),
                     from = place(store.getValueToStore())](Thread &thread) {
      int64_t first = thread.registers[at];
      if (first * access.bytes % align != 0)
        return thread.fail("vector is not aligned at " + access.where);
      for (int64_t i = 0; i < lanes; ++i)
        if (!access.store(thread, first + i, thread.registers[from + i]))
          return false;
      return true;
    });
    return success();
  }
  if (auto broadcast = dyn_cast<vector::BroadcastOp>(op)) {
    if (lanesOf(broadcast.getSource().getType()) == 1) {
      int64_t lanes = lanesOf(broadcast.getType());
      steps.push_back([lanes, from = place(broadcast.getSource()),
                       to = place(broadcast)](Thread &thread) {
        for (int64_t i = 0; i < lanes; ++i)
          thread.registers[to + i] = thread.registers[from];
        return true;
      });
      return success();
    }
  }
  if (auto extract = dyn_cast<vector::ExtractOp>(op)) {
    if (extract.getStaticPosition().size() == 1 &&
        extract.getStaticPosition()[0] >= 0 &&
        lanesOf(extract.getType()) == 1) {
      copyRegisters(place(extract.getSource()) + extract.getStaticPosition()[0],
                    place(extract), 1, steps);
      return success();
    }
  }
  if (auto elements = dyn_cast<vector::FromElementsOp>(op)) {
    for (auto [i, element] : llvm::enumerate(elements.getElements()))
      copyRegisters(place(element), place(elements) + i, 1, steps);
    return success();
  }
  if (auto interleave = dyn_cast<vector::InterleaveOp>(op)) {
    for (int64_t i = 0, e = lanesOf(interleave.getType()); i < e; ++i)
      copyRegisters(place(op->getOperand(i % 2)) + i / 2, place(interleave) + i,
                    1, steps);
    return success();
  }
  if (auto bitcast = dyn_cast<vector::BitCastOp>(op)) {
    // The first element is in the low bits.
    unsigned from = bitsOf(bitcast.getSourceVectorType().getElementType());
    unsigned to = bitsOf(bitcast.getResultVectorType().getElementType());
    int64_t bytes = lanesOf(bitcast.getType()) * to / 8;
    if (from % 8 == 0 && to % 8 == 0) {
      steps.push_back([=, source = place(bitcast.getSource()),
                       target = place(bitcast)](Thread &thread) {
        std::vector<char> memory(bytes);
        for (int64_t at = 0, i = 0; at < bytes; at += from / 8, ++i)
          std::memcpy(&memory[at], &thread.registers[source + i], from / 8);
        for (int64_t at = 0, i = 0; at < bytes; at += to / 8, ++i) {
          thread.registers[target + i] = 0;
          std::memcpy(&thread.registers[target + i], &memory[at], to / 8);
        }
        return true;
      });
      return success();
    }
  }
  return op->emitError("is not known to the emulator");
}

//===----------------------------------------------------------------------===//
// Threads
//===----------------------------------------------------------------------===//

/// The lane that a shuffle reads; -1 outside of the segment of `width` lanes.
static int64_t sourceLane(gpu::ShuffleMode mode, int64_t lane, int64_t offset,
                          int64_t width) {
  int64_t segment = lane / width * width, source = 0;
  switch (mode) {
  case gpu::ShuffleMode::XOR:
    source = lane ^ offset;
    break;
  case gpu::ShuffleMode::UP:
    source = lane - offset;
    break;
  case gpu::ShuffleMode::DOWN:
    source = lane + offset;
    break;
  case gpu::ShuffleMode::IDX:
    source = segment + offset % width;
    break;
  }
  return source >= segment && source < segment + width ? source : -1;
}

void Compiler::waitForWarp(Steps &steps, WarpStep step) {
  code.synchronizes = true;
  steps.push_back([site = numSites++, step = std::move(step)](Thread &thread) {
    thread.wait = {Wait::Warp, site, &step};
    thread.suspend();
    return thread.block->fault.empty();
  });
}

/// Operations on matrices, and on what they return.
LogicalResult Compiler::compileMatrix(Operation *op, Steps &steps) {
  if (auto extract = dyn_cast<LLVM::ExtractValueOp>(op)) {
    if (extract.getPosition().size() == 1 &&
        isa<FloatType>(extract.getType())) {
      copyRegisters(place(extract.getContainer()) + extract.getPosition()[0],
                    place(extract), 1, steps);
      return success();
    }
  }
  WarpStep step = matrixStep(op, [this](Value value) { return place(value); });
  if (!step)
    return op->emitError("is not known to the emulator");
  if (code.threads % 32 != 0)
    return op->emitError("needs all lanes of a warp");
  waitForWarp(steps, std::move(step));
  return success();
}

LogicalResult Compiler::compileGPU(Operation *op, Steps &steps) {
  if (isa<gpu::BarrierOp>(op)) {
    int64_t site = numSites++;
    code.synchronizes = true;
    steps.push_back([site](Thread &thread) {
      thread.wait = {Wait::Barrier, site, nullptr};
      thread.suspend();
      return thread.block->fault.empty();
    });
    return success();
  }
  if (auto shuffle = dyn_cast<gpu::ShuffleOp>(op)) {
    waitForWarp(
        steps,
        [mode = shuffle.getMode(), value = place(shuffle.getValue()),
         offset = place(shuffle.getOffset()), width = place(shuffle.getWidth()),
         result = place(shuffle.getShuffleResult()),
         valid = place(shuffle.getValid())](ArrayRef<Thread *> lanes) {
          std::vector<uint64_t> values;
          for (Thread *lane : lanes)
            values.push_back(lane->registers[value]);
          for (size_t i = 0; i < lanes.size(); ++i) {
            std::vector<uint64_t> &registers = lanes[i]->registers;
            int64_t source = sourceLane(mode, i, int32_t(registers[offset]),
                                        int32_t(registers[width]));
            // A lane that reads outside of its segment keeps its own value.
            bool isValid = source >= 0 && source < int64_t(lanes.size());
            registers[result] = values[isValid ? source : i];
            registers[valid] = isValid;
          }
        });
    return success();
  }
  auto dimensionIsX = [](auto id) {
    return id.getDimension() == gpu::Dimension::x;
  };
  if (auto id = dyn_cast<gpu::ThreadIdOp>(op); id && dimensionIsX(id)) {
    steps.push_back([to = place(id)](Thread &thread) {
      thread.registers[to] = thread.number;
      return true;
    });
    return success();
  }
  if (auto id = dyn_cast<gpu::BlockIdOp>(op); id && dimensionIsX(id)) {
    steps.push_back([to = place(id)](Thread &thread) {
      thread.registers[to] = thread.block->number;
      return true;
    });
    return success();
  }
  if (auto count = dyn_cast<gpu::GridDimOp>(op); count && dimensionIsX(count)) {
    steps.push_back([to = place(count)](Thread &thread) {
      thread.registers[to] = thread.block->count;
      return true;
    });
    return success();
  }
  if (auto count = dyn_cast<gpu::BlockDimOp>(op);
      count && dimensionIsX(count)) {
    constant(count, code.threads, steps);
    return success();
  }
  return op->emitError("is not known to the emulator");
}

//===----------------------------------------------------------------------===//
// The interface
//===----------------------------------------------------------------------===//

Kernel::Kernel() : code(std::make_unique<Code>()) {}
Kernel::~Kernel() = default;

size_t Kernel::getNumArguments() const { return code->numArguments; }

FailureOr<std::unique_ptr<Kernel>> Kernel::compile(gpu::GPUFuncOp function) {
  std::unique_ptr<Kernel> kernel(new Kernel());
  if (failed(Compiler(function, *kernel->code).compile()))
    return failure();
  return std::move(kernel);
}

std::string Kernel::run(ArrayRef<void *> buffers, int64_t blocks) const {
  return launch(*code, buffers, blocks);
}
