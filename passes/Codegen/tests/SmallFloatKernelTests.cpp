//===- SmallFloatKernelTests.cpp - Floats of 8 bits, bit by bit -----------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Results must have the bits of the evaluator's, which are compared with LLVM's
// in SmallFloatsTest.cpp. Only the mantissa of a NaN is free.
//
//===----------------------------------------------------------------------===//

#include "dialects/Graph/Evaluate/Evaluator.h"
#include "dialects/Graph/GraphDialect.h"
#include "dialects/Graph/KernelAttributes.h"
#include "dialects/Graph/SmallFloats.h"
#include "mlir/AsmParser/AsmParser.h"
#include "mlir/Parser/Parser.h"
#include "passes/Codegen/Program/EmitObject.h"
#include "passes/Codegen/tests/CompiledKernels.h"
#include "passes/Codegen/tests/KernelHarness.h"
#include "gtest/gtest.h"
#include <cmath>

using namespace mlir;
using namespace cleave;
using namespace cleave::graph;

static const char *const smallTypes[] = {
    "f8E3M4",     "f8E4M3", "f8E4M3B11FNUZ", "f8E4M3FN",
    "f8E4M3FNUZ", "f8E5M2", "f8E5M2FNUZ",    "f8E8M0FNU"};

namespace {
class SmallFloatKernels : public testing::Test {
protected:
  SmallFloatKernels() {
    DialectRegistry registry;
    registry.insert<CleaveDialect, func::FuncDialect>();
    context.appendDialectRegistry(registry);
    context.loadAllAvailableDialects();
    context.disableMultithreading();
  }

  RankedTensorType type(ArrayRef<int64_t> shape, StringRef element) {
    return cast<RankedTensorType>(
        parseType(test::tensor(shape, element), &context));
  }
  /// All 256 values, in a tensor of this shape.
  Literal all(StringRef element, ArrayRef<int64_t> shape) {
    std::vector<char> bytes(256);
    for (size_t i = 0; i < bytes.size(); ++i)
      bytes[i] = static_cast<char>(i);
    return Literal::fromBytes(type(shape, element), bytes);
  }
  void addConversion(const Literal &from, StringRef to);
  void add(ArrayRef<Literal> arguments, ArrayRef<std::string> results,
           const std::string &body);
  void check();

private:
  using Elements = std::vector<std::string>;
  void checkFunction(test::CompiledKernels &kernels, func::FuncOp formed,
                     ArrayRef<Literal> arguments, ArrayRef<Elements> expected);

  MLIRContext context;
  std::string source;
  std::vector<std::vector<Literal>> arguments;
};
} // namespace

static std::string textOf(Type type) {
  std::string text;
  llvm::raw_string_ostream(text) << type;
  return text;
}

void SmallFloatKernels::add(ArrayRef<Literal> operands,
                            ArrayRef<std::string> results,
                            const std::string &body) {
  std::vector<std::string> types;
  for (const Literal &operand : operands)
    types.push_back(textOf(operand.type));
  source += test::function(types, results, body);
  arguments.emplace_back(operands.begin(), operands.end());
}

void SmallFloatKernels::addConversion(const Literal &from, StringRef to) {
  std::string result = test::tensor(from.shape(), to);
  add(from, result,
      "  %r0 = cleave.convert %a0 : (" + textOf(from.type) + ") -> " + result);
}

/// Bits of elements, of a NaN only that it is one.
static std::vector<std::string> elementsOf(const Literal &literal) {
  std::vector<char> bytes = literal.toBytes();
  size_t size = literal.size() ? bytes.size() / literal.size() : 0;
  std::vector<std::string> elements;
  for (int64_t i = 0; i < literal.size(); ++i)
    elements.push_back(literal.isFloat() && std::isnan(literal.floats()[i])
                           ? "NaN"
                           : std::string(bytes.data() + i * size, size));
  return elements;
}

void SmallFloatKernels::checkFunction(test::CompiledKernels &kernels,
                                      func::FuncOp formed,
                                      ArrayRef<Literal> operands,
                                      ArrayRef<Elements> expected) {
  DenseMap<Value, std::vector<char>> memory;
  for (auto [argument, literal] :
       llvm::zip_equal(formed.getArguments(), operands))
    memory[argument] = literal.toBytes();
  SmallVector<Literal> results;
  for (Operation &op : formed.getBody().front()) {
    if (auto constant = dyn_cast<ConstantOp>(op)) {
      memory[constant.getOutput()] =
          Literal::fromAttr(constant.getValue(), [&] {
            return op.emitError();
          })->toBytes();
    } else if (auto reshape = dyn_cast<ReshapeOp>(op)) {
      memory[reshape.getResult()] = memory[reshape.getOperand()];
    } else if (auto call = dyn_cast<func::CallOp>(op)) {
      std::vector<std::vector<char>> room;
      for (Value result : call.getResults())
        room.emplace_back(
            Literal::byteSize(cast<RankedTensorType>(result.getType())));
      auto callee =
          kernels.getModule().lookupSymbol<func::FuncOp>(call.getCallee());
      if (auto types = callee->getAttrOfType<ArrayAttr>(kWorkspaceAttr))
        for (Type type : types.getAsValueRange<TypeAttr>())
          room.emplace_back(Literal::byteSize(cast<RankedTensorType>(type)));
      std::vector<void *> buffers;
      for (Value operand : call.getOperands())
        buffers.push_back(memory[operand].data());
      for (std::vector<char> &bytes : room)
        buffers.push_back(bytes.data());
      auto kernel = kernels.lookup(call.getCallee());
      ASSERT_TRUE(bool(kernel)) << llvm::toString(kernel.takeError());
      kernel->run(buffers.data(), 0, kernel->extent);
      for (auto [result, bytes] : llvm::zip(call.getResults(), room))
        memory[result] = bytes;
    } else {
      ASSERT_TRUE(isa<func::ReturnOp>(op)) << "unexpected operation";
      for (Value value : op.getOperands())
        results.push_back(Literal::fromBytes(
            cast<RankedTensorType>(value.getType()), memory[value]));
    }
  }
  for (auto [result, wanted] : llvm::zip_equal(results, expected)) {
    Elements actual = elementsOf(result);
    ASSERT_EQ(actual.size(), wanted.size());
    for (size_t i = 0; i < actual.size(); ++i)
      ASSERT_TRUE(actual[i] == wanted[i])
          << "element " << i << " of " << textOf(result.type);
  }
}

void SmallFloatKernels::check() {
  OwningOpRef<ModuleOp> module = parseSourceString<ModuleOp>(source, &context);
  ASSERT_TRUE(module);
  auto originals = llvm::to_vector(module->getOps<func::FuncOp>());
  ASSERT_EQ(originals.size(), arguments.size());
  std::vector<std::vector<Elements>> expected;
  for (auto [original, operands] : llvm::zip_equal(originals, arguments)) {
    auto results =
        Evaluator(Evaluator::Mode::Rounded).evaluate(original, operands);
    ASSERT_TRUE(succeeded(results));
    llvm::append_range(expected.emplace_back(),
                       llvm::map_range(*results, elementsOf));
  }
  for (int64_t bits : getHostVectorWidths()) {
    SCOPED_TRACE(std::to_string(bits) + " bits");
    auto kernels = test::CompiledKernels::compile(*module, bits);
    ASSERT_TRUE(bool(kernels)) << llvm::toString(kernels.takeError());
    for (auto [original, operands, wanted] :
         llvm::zip_equal(originals, arguments, expected)) {
      SCOPED_TRACE(textOf(original.getFunctionType()));
      auto formed = (*kernels)->getModule().lookupSymbol<func::FuncOp>(
          original.getSymName());
      checkFunction(**kernels, formed, operands, wanted);
      if (HasFatalFailure())
        return;
    }
  }
}

// To other types a small float goes by way of f32, so that not all pairs are
// needed. Those with the two floats that follow in the list have all kinds of
// special values on both sides.
TEST_F(SmallFloatKernels, AllValuesToOtherTypes) {
  const char *const integers[] = {"i8",  "ui16", "i32",  "ui64",
                                  "ui8", "i16",  "ui32", "i64"};
  for (unsigned i = 0; i < std::size(smallTypes); ++i) {
    Literal values = all(smallTypes[i], {256});
    for (const char *to : {"f16", "bf16", "f32", "f64", "i1", integers[i],
                           smallTypes[(i + 1) % std::size(smallTypes)],
                           smallTypes[(i + 2) % std::size(smallTypes)]})
      addConversion(values, to);
  }
  check();
}

/// Numbers of a small type, ties between them, and their neighbours in a type
/// in which the next number after x is `next(x)`.
static std::vector<double>
makeNumbers(const SmallFloat &format,
            llvm::function_ref<double(double, double)> next) {
  std::vector<double> numbers = {0,      HUGE_VAL, NAN,        1e30f,
                                 1e-30f, 0x1p-149, 0x1.8p-127, 0x1p-128};
  double last = 0;
  for (unsigned bits = 0; bits <= format.largest() + 1; ++bits) {
    double number = bits <= format.largest()
                        ? format.decode(bits)
                        : last + (last - format.decode(bits - 2));
    for (double x : {number, last + (number - last) / 2})
      for (double y : {x, next(x, 0), next(x, HUGE_VAL)})
        numbers.push_back(y);
    last = number;
  }
  size_t count = numbers.size();
  for (size_t i = 0; i < count; ++i)
    numbers.push_back(-numbers[i]);
  return numbers;
}

TEST_F(SmallFloatKernels, TiesOfWiderFloats) {
  auto nextSingle = [](double x, double to) -> double {
    return std::nextafter(static_cast<float>(x), static_cast<float>(to));
  };
  auto nextDouble = [](double x, double to) { return std::nextafter(x, to); };
  for (const char *to : smallTypes) {
    SmallFloat format = *getSmallFloat(type({1}, to).getElementType());
    std::vector<double> singles = makeNumbers(format, nextSingle);
    std::vector<double> doubles = makeNumbers(format, nextDouble);
    for (double tiny : {0x1p-1074, 0x1p-1000, 0x1p1000, -0x1p-1074})
      doubles.push_back(tiny);
    addConversion(Literal(type({int64_t(singles.size())}, "f32"), singles), to);
    addConversion(Literal(type({int64_t(doubles.size())}, "f64"), doubles), to);
  }
  check();
}

// Integers become f32 or f64 first, so that each type is made from half of
// them.
TEST_F(SmallFloatKernels, AllHalvesAndSmallIntegers) {
  for (unsigned i = 0; i < std::size(smallTypes); ++i) {
    std::vector<const char *> types = {"f16", "bf16", "i8", "ui16"};
    if (i % 2)
      types = {"f16", "bf16", "ui8", "i16", "i1"};
    for (const char *from : types) {
      RankedTensorType element = type({1}, from);
      int64_t size = Literal::byteSize(element);
      int64_t count = from == StringRef("i1") ? 2 : int64_t(1) << (8 * size);
      std::vector<char> bytes(size * count);
      for (int64_t j = 0; j < count; ++j)
        for (int64_t byte = 0; byte < size; ++byte)
          bytes[j * size + byte] = static_cast<char>(j >> (8 * byte));
      addConversion(Literal::fromBytes(type({count}, from), bytes),
                    smallTypes[i]);
    }
  }
  check();
}

TEST_F(SmallFloatKernels, LargeIntegers) {
  const char *const integers[] = {"i32", "ui32", "ui64", "i64"};
  for (unsigned i = 0; i < std::size(integers); ++i) {
    const char *from = integers[i];
    bool isUnsigned = from[0] == 'u';
    int width = StringRef(from).ends_with("64") ? 64 : 32;
    std::vector<int64_t> numbers;
    // Around numbers and ties, the smallest steps off too.
    for (int shift = 0; shift < width - 1; ++shift)
      for (uint64_t head : {4, 5, 6, 7})
        for (int64_t step : {-1, 0, 1}) {
          uint64_t value = (head << shift >> 2) + step;
          numbers.push_back(static_cast<int64_t>(value));
          if (!isUnsigned)
            numbers.push_back(-static_cast<int64_t>(value));
        }
    RankedTensorType vector = type({int64_t(numbers.size())}, from);
    for (int64_t &number : numbers)
      number = wrapToType(number, vector.getElementType());
    for (unsigned to = i % 2; to < std::size(smallTypes); to += 2)
      addConversion(Literal(vector, numbers), smallTypes[to]);
    // These are rounded once, too.
    addConversion(Literal(vector, numbers), "bf16");
  }
  check();
}

TEST_F(SmallFloatKernels, Movement) {
  for (unsigned i = 0; i < std::size(smallTypes); ++i) {
    const char *element = smallTypes[i];
    Literal x = all(element, {16, 16});
    std::string whole = textOf(x.type), name = element;
    auto unary = [&](const std::string &op, ArrayRef<int64_t> shape,
                     const std::string &attributes) {
      std::string result = test::tensor(shape, element);
      add(x, result,
          "  %r0 = cleave." + op + " %a0" + attributes + " : (" + whole +
              ") -> " + result);
    };
    // Where elements go does not depend on their type, so that each type has
    // half of these.
    if (i % 2 == 0) {
      unary("transpose", {16, 16}, ", dims = [1, 0]");
      unary("slice", {5, 7}, " [1:15:3, 2:16:2]");
      unary("broadcast_in_dim", {3, 16, 16}, ", dims = [1, 2]");
    } else {
      add(x, whole, "  %r0 = cleave.reverse %a0, dims = [0, 1] : " + whole);
      std::string joined = test::tensor({32, 16}, element);
      add({x, x}, joined,
          "  %r0 = cleave.concatenate %a0, %a1, dim = 0 : (" + whole + ", " +
              whole + ") -> " + joined);
      Literal indices(type({5, 1}, "i32"),
                      std::vector<int64_t>{3, 0, 15, 99, -4});
      std::string rows = test::tensor({5, 16}, element);
      add({x, indices}, rows,
          "  %r0 = cleave.gather %a0, %a1, offset_dims = [1], "
          "collapsed_slice_dims = [0], start_index_map = [0], "
          "index_vector_dim = 1, slice_sizes = [1, 16] : (" +
              whole + ", tensor<5x1xi32>) -> " + rows);
    }
    std::string padded = test::tensor({19, 33}, element);
    add(x, padded,
        "  %c = cleave.constant dense<1.0> : tensor<" + name +
            ">\n  %r0 = cleave.pad %a0, %c, low = [1, -1], high = [2, 3], "
            "interior = [0, 1] : (" +
            whole + ", tensor<" + name + ">) -> " + padded);
    Literal pred(type({16, 16}, "i1"));
    for (auto [j, value] : llvm::enumerate(pred.mutableInts()))
      value = j % 3 == 0;
    add({pred, x, x}, whole,
        "  %n = cleave.reverse %a2, dims = [1] : " + whole +
            "\n  %r0 = cleave.select %a0, %a1, %n : tensor<16x16xi1>, " +
            whole);
    for (const char *other :
         {i % 2 ? "i8" : "ui8", smallTypes[(i + 3) % std::size(smallTypes)]}) {
      std::string result = test::tensor({16, 16}, other);
      add(x, result,
          "  %r0 = cleave.bitcast_convert %a0 : (" + whole + ") -> " + result);
    }
    std::string wide = test::tensor({16, 4}, "f32");
    add(x, wide,
        "  %v = cleave.reshape %a0 : (" + whole + ") -> " +
            test::tensor({16, 4, 4}, element) +
            "\n  %r0 = cleave.bitcast_convert %v : (" +
            test::tensor({16, 4, 4}, element) + ") -> " + wide);
    // One of each family: IEEE's, those of which -0 is NaN, powers of two.
    if (i % 3 != 1)
      continue;
    std::string scalar = "tensor<" + name + ">";
    add(x, whole,
        "  %r0 = \"cleave.sort\"(%a0) <{dimension = 1 : i64}> ({\n"
        "  ^bb0(%l: " +
            scalar + ", %r: " + scalar +
            "):\n"
            "    %x = cleave.convert %l : (" +
            scalar +
            ") -> tensor<f32>\n"
            "    %y = cleave.convert %r : (" +
            scalar +
            ") -> tensor<f32>\n"
            "    %b = cleave.compare LT, %x, %y : (tensor<f32>, tensor<f32>) "
            "-> "
            "tensor<i1>\n"
            "    cleave.return %b : tensor<i1>\n"
            "  }) : (" +
            whole + ") -> " + whole);
  }
  check();
}
