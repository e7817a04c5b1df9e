//===- KernelHarness.cpp - Kernels against the evaluator ------------------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/Codegen/tests/KernelHarness.h"
#include "dialects/Graph/Evaluate/Comparison.h"
#include "dialects/Graph/Evaluate/Evaluator.h"
#include "dialects/Graph/GraphDialect.h"
#include "dialects/Graph/KernelAttributes.h"
#include "mlir/Parser/Parser.h"
#include "passes/Codegen/Program/EmitObject.h"
#include "passes/Codegen/tests/CompiledKernels.h"
#include "gtest/gtest.h"
#include <random>
#include <sys/mman.h>

using namespace mlir;
using namespace cleave;
using namespace cleave::graph;

std::string test::tensor(ArrayRef<int64_t> shape, StringRef element) {
  std::string text = "tensor<";
  for (int64_t size : shape)
    text += std::to_string(size) + "x";
  return text + element.str() + ">";
}

std::string test::function(ArrayRef<std::string> arguments,
                           ArrayRef<std::string> results, std::string body) {
  static unsigned number = 0;
  std::string text = "func.func @f" + std::to_string(number++) + "(";
  for (auto [i, type] : llvm::enumerate(arguments))
    text += (i ? ", %a" : "%a") + std::to_string(i) + ": " + type;
  std::string types;
  for (auto [i, type] : llvm::enumerate(results))
    types += (i ? ", " : "") + type;
  text += ") -> (" + types + ") {\n" + body + "\n  return ";
  for (size_t i = 0; i < results.size(); ++i)
    text += (i ? ", %r" : "%r") + std::to_string(i);
  return text + " : " + types + "\n}\n";
}

namespace {

/// Memory that ends at a page that cannot be touched, up to alignment, and
/// is surrounded by bytes that should not change.
class GuardedMemory {
public:
  explicit GuardedMemory(size_t size) : size(size) {
    mapped = (size / page + 3) * page;
    base = static_cast<char *>(mmap(nullptr, mapped, PROT_READ | PROT_WRITE,
                                    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
    end = base + mapped - page;
    mprotect(end, page, PROT_NONE);
    data = end - (size + 63) / 64 * 64;
    std::fill(base, end, guard);
  }
  GuardedMemory(const GuardedMemory &) = delete;
  ~GuardedMemory() { munmap(base, mapped); }
  bool isIntact() const {
    auto isGuard = [](char byte) { return byte == guard; };
    return std::all_of(base, data, isGuard) &&
           std::all_of(data + size, end, isGuard);
  }
  char *data;

private:
  static constexpr size_t page = 4096;
  static constexpr char guard = 0x5a;
  size_t size, mapped;
  char *base, *end;
};

class Harness {
public:
  Harness(ModuleOp module, bool extremes)
      : module(module), extremes(extremes) {}

  void run(int64_t vectorBits);

private:
  void check(func::FuncOp formed, func::FuncOp original);
  void callKernel(func::CallOp call);
  void store(Value value, const Literal &literal);
  Literal randomLiteral(RankedTensorType type);

  ModuleOp module;
  bool extremes;
  std::mt19937 random{1};
  std::unique_ptr<test::CompiledKernels> kernels;
  DenseMap<Value, std::shared_ptr<GuardedMemory>> memory;
};

} // namespace

Literal Harness::randomLiteral(RankedTensorType type) {
  Literal literal(type);
  Type element = type.getElementType();
  if (literal.isFloat()) {
    static const double special[] = {NAN, INFINITY, -INFINITY, 0.0, -0.0, 3e38,
                                     1.0, -1.0,     1e-30,     3e4, -3e4};
    std::normal_distribution<double> normal(0, 2);
    for (double &value : literal.mutableFloats()) {
      unsigned pick = random() % 20;
      value =
          roundToType(extremes && pick < std::size(special) ? special[pick]
                                                            : normal(random),
                      element);
    }
    return literal;
  }
  unsigned width = element.getIntOrFloatBitWidth();
  for (int64_t &value : literal.mutableInts()) {
    const auto bits = static_cast<int64_t>(uint64_t(random()) << 32 ^ random());
    const int64_t numbers[] = {bits, 0, -1, int64_t(1) << (width - 1),
                               static_cast<int64_t>(random() % 21) - 10};
    value = wrapToType(numbers[random() % std::size(numbers)], element);
  }
  return literal;
}

void Harness::store(Value value, const Literal &literal) {
  std::vector<char> bytes = literal.toBytes();
  auto &buffer = memory[value];
  buffer = std::make_shared<GuardedMemory>(bytes.size());
  llvm::copy(bytes, buffer->data);
}

/// In pieces, in any order: that is what threads do.
void Harness::callKernel(func::CallOp call) {
  std::vector<void *> buffers;
  for (Value operand : call.getOperands())
    buffers.push_back(memory[operand]->data);
  for (Value result : call.getResults()) {
    memory[result] = std::make_shared<GuardedMemory>(
        Literal::byteSize(cast<RankedTensorType>(result.getType())));
    buffers.push_back(memory[result]->data);
  }
  std::vector<std::shared_ptr<GuardedMemory>> workspaces;
  auto callee =
      kernels->getModule().lookupSymbol<func::FuncOp>(call.getCallee());
  if (auto types = callee->getAttrOfType<ArrayAttr>(kWorkspaceAttr))
    for (Type type : types.getAsValueRange<TypeAttr>()) {
      workspaces.push_back(std::make_shared<GuardedMemory>(
          Literal::byteSize(cast<RankedTensorType>(type))));
      buffers.push_back(workspaces.back()->data);
    }
  auto kernel = kernels->lookup(call.getCallee());
  ASSERT_TRUE(bool(kernel)) << llvm::toString(kernel.takeError());
  int64_t extent = kernel->extent;
  std::vector<std::pair<int64_t, int64_t>> pieces;
  for (int64_t at = 0; at < extent;) {
    int64_t next =
        std::min<int64_t>(extent, at + 1 + random() % (extent / 3 + 1));
    pieces.push_back({at, next});
    at = next;
  }
  std::shuffle(pieces.begin(), pieces.end(), random);
  for (auto [begin, end] : pieces)
    kernel->run(buffers.data(), begin, end);
  for (Value result : call.getResults())
    EXPECT_TRUE(memory[result]->isIntact()) << "writes out of bounds";
  for (auto &workspace : workspaces)
    EXPECT_TRUE(workspace->isIntact()) << "writes out of bounds";
}

void Harness::check(func::FuncOp function, func::FuncOp original) {
  SmallVector<Literal> arguments, results;
  memory.clear();
  for (Value argument : function.getArguments()) {
    arguments.push_back(
        randomLiteral(cast<RankedTensorType>(argument.getType())));
    store(argument, arguments.back());
  }
  for (Operation &op : function.getBody().front()) {
    if (auto call = dyn_cast<func::CallOp>(op)) {
      callKernel(call);
    } else if (auto constant = dyn_cast<ConstantOp>(op)) {
      store(constant.getOutput(), *Literal::fromAttr(constant.getValue(), [&] {
              return op.emitError();
            }));
    } else if (auto reshape = dyn_cast<ReshapeOp>(op)) {
      memory[reshape.getResult()] = memory[reshape.getOperand()];
    } else {
      ASSERT_TRUE(isa<func::ReturnOp>(op)) << "unexpected operation";
      for (Value value : op.getOperands()) {
        auto type = cast<RankedTensorType>(value.getType());
        results.push_back(
            Literal::fromBytes(type, ArrayRef<char>(memory[value]->data,
                                                    Literal::byteSize(type))));
      }
    }
  }
  auto exact = Evaluator(Evaluator::Mode::Exact).evaluate(original, arguments);
  auto rounded =
      Evaluator(Evaluator::Mode::Rounded).evaluate(original, arguments);
  ASSERT_TRUE(succeeded(exact) && succeeded(rounded));
  for (auto [i, result] : llvm::enumerate(results)) {
    TensorError error = compare(result, (*exact)[i], (*rounded)[i],
                                longestAccumulation(original));
    // The reference is no more exact than f64 itself: its library and ours may
    // each be an ulp off.
    if (result.elementType().isF64() && error.error <= 8 * error.epsilon)
      continue;
    EXPECT_TRUE(error.pass)
        << "result " << i << " at " << error.index << " is " << error.actual
        << ", should be " << error.expected << "; error " << error.error
        << ", bound " << error.bound;
  }
}

void Harness::run(int64_t vectorBits) {
  auto compiled = test::CompiledKernels::compile(module, vectorBits);
  ASSERT_TRUE(bool(compiled)) << llvm::toString(compiled.takeError());
  kernels = std::move(*compiled);
  for (auto function : kernels->getModule().getOps<func::FuncOp>()) {
    if (function.isPrivate())
      continue;
    auto original = module.lookupSymbol<func::FuncOp>(function.getSymName());
    std::string text;
    llvm::raw_string_ostream(text) << original;
    SCOPED_TRACE(text);
    check(function, original);
    if (::testing::Test::HasFailure())
      return;
  }
}

void test::expectKernelsMatch(const std::string &source, bool extremes) {
  DialectRegistry registry;
  registry.insert<CleaveDialect, func::FuncDialect>();
  MLIRContext context(registry);
  context.disableMultithreading();
  OwningOpRef<ModuleOp> module = parseSourceString<ModuleOp>(source, &context);
  ASSERT_TRUE(module);
  for (int64_t bits : getHostVectorWidths()) {
    SCOPED_TRACE(std::to_string(bits) + " bits");
    Harness(*module, extremes).run(bits);
  }
}
