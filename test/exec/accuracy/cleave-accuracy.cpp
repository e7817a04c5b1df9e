//===- cleave-accuracy.cpp - How exact kernels of functions are -----------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// f32: every one, or each N-th, of all 2^32 numbers, against the reference in
// f64. f64: the points of values.txt, whose values have twice as many digits.
// Errors are in units in the last place (ulp) of the true value.
//
//===----------------------------------------------------------------------===//

#include "dialects/Graph/Evaluate/Evaluator.h"
#include "dialects/Graph/GraphDialect.h"
#include "mlir/Parser/Parser.h"
#include "passes/Codegen/Program/EmitObject.h"
#include "passes/Codegen/tests/CompiledKernels.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/bit.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/MemoryBuffer.h"
#include <cmath>
#include <cstdlib>
#include <map>

using namespace mlir;
using namespace cleave;
using namespace cleave::graph;
namespace cl = llvm::cl;

static cl::opt<std::string> onlyFunction("function",
                                         cl::desc("Only this function"));
static cl::opt<uint64_t>
    stride("stride", cl::init(65537),
           cl::desc("Each so many f32 numbers; 1 for all (hours)"));
static cl::opt<std::string> valuesFile("values", cl::desc("Points for f64"));
static cl::opt<double> limitF32("limit-f32", cl::init(1.5),
                                cl::desc("Most ulps in f32"));
static cl::opt<double> limitF64("limit-f64", cl::init(3.0),
                                cl::desc("Most ulps in f64"));

static constexpr StringLiteral unaryFunctions[] = {
    "acos",   "acosh",      "asin",         "asinh",
    "atan",   "atanh",      "cbrt",         "cosh",
    "cosine", "bessel_i1e", "digamma",      "erf",
    "erfc",   "erf_inv",    "exp2",         "exponential",
    "lgamma", "log",        "log2",         "logistic",
    "rsqrt",  "sine",       "sinh",         "sqrt",
    "tan",    "tanh",       "log_plus_one", "exponential_minus_one"};

namespace {

/// A function on tensors of `size` elements, as a kernel.
class Function {
public:
  Function(MLIRContext &context, StringRef name, unsigned arity,
           StringRef element, int64_t size);

  /// Results for operands of `size` elements each.
  void run(std::vector<void *> buffers) {
    kernel.run(buffers.data(), 0, kernel.extent);
  }
  /// The same by the reference.
  std::vector<double> reference(std::vector<double> x);

private:
  OwningOpRef<ModuleOp> module;
  RankedTensorType type;
  std::unique_ptr<test::CompiledKernels> kernels;
  test::CompiledKernels::Kernel kernel;
};

/// The largest error so far, and where.
struct Worst {
  double ulps = 0;
  std::vector<double> at;
  uint64_t count = 0;

  void add(double error, std::vector<double> operands) {
    if (error <= ulps)
      return;
    ulps = error;
    at = std::move(operands);
  }
};

} // namespace

[[noreturn]] static void fail(const Twine &text) {
  llvm::errs() << "cleave-accuracy: error: " << text << "\n";
  std::exit(2);
}

Function::Function(MLIRContext &context, StringRef name, unsigned arity,
                   StringRef element, int64_t size) {
  std::string tensor = ("tensor<" + Twine(size) + "x" + element + ">").str();
  std::string arguments = "%a0: " + tensor, operands = "%a0";
  if (arity == 2) {
    arguments += ", %a1: " + tensor;
    operands += ", %a1";
  }
  std::string text = "func.func @f(" + arguments + ") -> " + tensor +
                     " {\n  %r = cleave." + name.str() + " " + operands +
                     " : " + tensor + "\n  return %r : " + tensor + "\n}\n";
  module = parseSourceString<ModuleOp>(text, &context);
  if (!module)
    fail("no function " + name);
  auto function = module->lookupSymbol<func::FuncOp>("f");
  type = cast<RankedTensorType>(function.getResultTypes()[0]);
  auto compiled =
      test::CompiledKernels::compile(*module, getHostVectorWidths().front());
  if (!compiled)
    fail(llvm::toString(compiled.takeError()));
  kernels = std::move(*compiled);
  auto found = kernels->lookup("kernel_0");
  if (!found)
    fail(llvm::toString(found.takeError()));
  kernel = *found;
}

std::vector<double> Function::reference(std::vector<double> x) {
  auto results = Evaluator(Evaluator::Mode::Exact)
                     .evaluate(module->lookupSymbol<func::FuncOp>("f"),
                               Literal(type, std::move(x)));
  if (failed(results))
    fail("no reference");
  return std::vector<double>(results->front().floats());
}

namespace {
/// Bits with the leading one, and the range of exponents of normal numbers.
struct Format {
  int digits, minExponent, maxExponent;
};
constexpr Format formatF32 = {24, -126, 127}, formatF64 = {53, -1022, 1023};
} // namespace

/// |actual - (exact + rest)| in ulps of a type. Infinity counts as the first
/// number that the type lacks, and so do larger ones.
static double errorInUlps(double actual, double exact, double rest,
                          Format format) {
  if (std::isnan(exact) || std::isnan(actual))
    return std::isnan(exact) && std::isnan(actual) ? 0 : HUGE_VAL;
  int exponent = format.minExponent;
  if (exact != 0)
    exponent =
        std::clamp(std::ilogb(exact), format.minExponent, format.maxExponent);
  // long double has the range for all of this, and difference and ulp are exact
  // in it where they matter.
  long double end = std::ldexp(1.0L, format.maxExponent + 1);
  auto bounded = [=](long double x) { return std::clamp(x, -end, end); };
  long double error = bounded(actual) - bounded(exact);
  if (std::fabs(error) < end / 2)
    error -= rest;
  return static_cast<double>(
      std::fabs(error / std::ldexp(1.0L, exponent - format.digits + 1)));
}

/// Quotients of functions have more roundings.
static double limitOf(StringRef name, double limit) {
  return name == "logistic" ? std::max(limit, 2.0) : limit;
}

static bool report(StringRef name, StringRef element, const Worst &worst,
                   double limit) {
  llvm::outs() << llvm::left_justify(name, 22) << llvm::left_justify(element, 5)
               << llvm::format("%12llu inputs %8.2f ulp",
                               static_cast<unsigned long long>(worst.count),
                               worst.ulps);
  if (!worst.at.empty()) {
    llvm::outs() << " at";
    for (double x : worst.at)
      llvm::outs() << llvm::format(" %a", x);
  }
  bool passes = worst.ulps <= limitOf(name, limit);
  llvm::outs() << (passes ? "\n" : "  TOO MUCH\n");
  llvm::outs().flush();
  return passes;
}

//===----------------------------------------------------------------------===//
// f32
//===----------------------------------------------------------------------===//

/// About the error in ulps of a normal f32: a quotient with the power of two
/// below `exact`. NaN where that does not tell.
static double quickError(float actual, double exact) {
  uint64_t exponent = llvm::bit_cast<uint64_t>(exact) & (uint64_t(0x7ff) << 52);
  uint64_t ulp = exponent - (uint64_t(23) << 52);
  bool isNormal = exponent > uint64_t(1023 - 126) << 52 &&
                  exponent < uint64_t(1023 + 127) << 52;
  return isNormal ? std::fabs(actual - exact) / llvm::bit_cast<double>(ulp)
                  : NAN;
}

static bool testF32(MLIRContext &context, StringRef name) {
  uint64_t next = 0, end = uint64_t(1) << 32;
  auto size = static_cast<int64_t>(std::min(end / stride + 1, uint64_t(65536)));
  Function function(context, name, 1, "f32", size);
  std::vector<float> x(size), y(size);
  std::vector<double> wide(size);
  Worst worst;
  while (next < end) {
    int64_t count = 0;
    for (; count < size && next < end; ++count, next += stride)
      x[count] = llvm::bit_cast<float>(static_cast<uint32_t>(next));
    std::copy(x.begin(), x.end(), wide.begin());
    function.run({x.data(), y.data()});
    std::vector<double> exact = function.reference(wide);
    for (int64_t i = 0; i < count; ++i)
      if (!(quickError(y[i], exact[i]) < worst.ulps))
        worst.add(errorInUlps(y[i], exact[i], 0, formatF32), {x[i]});
    worst.count += count;
  }
  return report(name, "f32", worst, limitF32);
}

//===----------------------------------------------------------------------===//
// f64
//===----------------------------------------------------------------------===//

namespace {
/// Operands, and the value as the sum of two numbers.
struct Point {
  std::vector<double> operands;
  double value, rest;
};
} // namespace

static std::map<std::string, std::vector<Point>> readValues() {
  auto file = llvm::MemoryBuffer::getFile(valuesFile);
  if (!file)
    fail("cannot read '" + valuesFile + "': " + file.getError().message());
  std::map<std::string, std::vector<Point>> result;
  SmallVector<StringRef> lines;
  (*file)->getBuffer().split(lines, '\n', -1, false);
  for (StringRef line : lines) {
    if (line.starts_with("#"))
      continue;
    SmallVector<StringRef> words;
    line.split(words, ' ', -1, false);
    std::vector<double> numbers;
    for (StringRef word : ArrayRef(words).drop_front())
      numbers.push_back(std::strtod(word.str().c_str(), nullptr));
    if (numbers.size() < 3)
      fail("'" + line + "' is no point");
    double rest = numbers.back(), value = numbers[numbers.size() - 2];
    numbers.resize(numbers.size() - 2);
    result[words[0].str()].push_back({numbers, value, rest});
  }
  return result;
}

static bool testF64(MLIRContext &context, StringRef name,
                    const std::vector<Point> &points) {
  unsigned arity = points.front().operands.size();
  Function function(context, name, arity, "f64", points.size());
  std::vector<std::vector<double>> columns(arity + 1);
  for (auto [i, column] : llvm::enumerate(columns))
    for (const Point &point : points)
      column.push_back(i < arity ? point.operands[i] : 0);
  std::vector<void *> buffers;
  for (std::vector<double> &column : columns)
    buffers.push_back(column.data());
  function.run(buffers);
  Worst worst;
  worst.count = points.size();
  for (auto [point, actual] : llvm::zip_equal(points, columns.back()))
    worst.add(errorInUlps(actual, point.value, point.rest, formatF64),
              point.operands);
  return report(name, "f64", worst, limitF64);
}

int main(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  cl::ParseCommandLineOptions(argc, argv, "Errors of elementwise functions\n");
  DialectRegistry registry;
  registry.insert<CleaveDialect, func::FuncDialect>();
  MLIRContext context(registry);
  bool passes = true;
  for (StringRef name : unaryFunctions)
    if (onlyFunction.empty() || onlyFunction == name)
      passes &= testF32(context, name);
  if (!valuesFile.empty())
    for (const auto &[name, points] : readValues())
      if (onlyFunction.empty() || onlyFunction == name)
        passes &= testF64(context, name, points);
  return passes ? 0 : 1;
}
