//===- Compiler.cpp - From a gpu.func to steps ----------------------------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Compiler.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/UB/IR/UBOps.h"

using namespace mlir;
using namespace cleave::simt;

unsigned cleave::simt::bitsOf(Type element) {
  return isa<IndexType>(element) ? 64 : element.getIntOrFloatBitWidth();
}

int64_t cleave::simt::lanesOf(Type type) {
  if (auto structure = dyn_cast<LLVM::LLVMStructType>(type))
    return structure.getBody().size();
  auto vector = dyn_cast<VectorType>(type);
  return vector ? vector.getNumElements() : 1;
}

static uint64_t bitsOfNumber(Attribute attribute) {
  if (auto number = dyn_cast<FloatAttr>(attribute))
    return number.getValue().bitcastToAPInt().getZExtValue();
  return cast<IntegerAttr>(attribute).getValue().getZExtValue();
}

std::string cleave::simt::describe(Location loc) {
  std::string text;
  llvm::raw_string_ostream(text) << loc;
  return text;
}

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
        values.push_back(bitsOfNumber(element));
    else
      values.push_back(bitsOfNumber(constant.getValue()));
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
