//===- FftKernel.cpp - Fourier transforms by blocks -----------------------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A block has a whole transform at a time, in f64 whatever the element type, as
// on the host. Lines are transformed factor by factor of their length n by the
// autosort form of G. Stockham (C. Van Loan, "Computational Frameworks for the
// Fast Fourier Transform", 1992): with l the product of the factors so far,
// number j of line k < n / l is the sum over u < l of x[k + u n / l] times
// exp(-2 pi i u j / l). A factor p takes p terms per number, so that a prime n
// is summed as it is defined.
//
//===----------------------------------------------------------------------===//

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "passes/Codegen/Blocks/BlockKernel.h"
#include "passes/Codegen/Blocks/ComplexNumbers.h"
#include "passes/Codegen/Kernels/ScalarSemantics.h"

using namespace mlir;
using namespace cleave::codegen;
using namespace cleave::graph;

static constexpr int64_t numThreads = 256;

static int64_t product(ArrayRef<int64_t> sizes) {
  int64_t result = 1;
  for (int64_t size : sizes)
    result *= size;
  return result;
}

namespace {

class FftWriter {
public:
  FftWriter(BlockKernel &kernel, FftOp op)
      : k(kernel), b(kernel.b), c(kernel.b), op(op), lengths(op.getLength()) {
    fromReal = op.getType() == FftType::RFFT;
    toReal = op.getType() == FftType::IRFFT;
    isInverse = toReal || op.getType() == FftType::IFFT;
    half = fromReal || toReal ? lengths.back() / 2 + 1 : lengths.back();
    lines = product(ArrayRef(lengths).drop_back());
    capacity = lines * lengths.back();
    slots = k.workspace(0).type.getDimSize(0);
  }

  void write();

private:
  /// Numbers in the workspace: two arrays, which take turns, and roots.
  enum Array { First, Second, Roots };
  Complex load(Array array, Value place);
  void store(Array array, Value place, const Complex &number);
  Value placeOf(Array array, Value place);
  Value convert(Value value, Type from, Type to) {
    return convertScalar(b, value, from, to);
  }

  Complex spoilIfNotFinite(const Complex &number);
  void writeItem(Value item);
  void readInput(Value item, int64_t width);
  void makeRoots(int64_t n);
  void transform(int64_t dim, int64_t width);
  void combine(int64_t n, int64_t stride, int64_t done, int64_t factor,
               int64_t count);
  void mirror();
  void writeResult(Value item);
  /// Before numbers are read that other threads have written, or written that
  /// they have read.
  void wait() {
    if (mustWait)
      k.barrier();
    mustWait = false;
  }
  void swap() { current = current == First ? Second : First; }
  Array other() const { return current == First ? Second : First; }

  BlockKernel &k;
  ImplicitLocOpBuilder &b;
  ComplexBuilder c;
  FftOp op;
  SmallVector<int64_t> lengths;
  bool fromReal, toReal, isInverse;
  /// Numbers of a line on the complex side, lines, and numbers of an array.
  int64_t half, lines, capacity, slots;
  Array current = First;
  bool mustWait = false, usesRoots = false;
  Value slot;
};

} // namespace

//===----------------------------------------------------------------------===//
// Numbers
//===----------------------------------------------------------------------===//

/// Workspace 0 has the real parts and 1 the imaginary ones, [slots, 3,
/// capacity].
Value FftWriter::placeOf(Array array, Value place) {
  return k.add(k.scale(slot, 3 * capacity),
               k.add(k.index(array * capacity), place));
}
Complex FftWriter::load(Array array, Value place) {
  Value at = placeOf(array, place);
  return {k.load(k.workspace(0), at), k.load(k.workspace(1), at)};
}
void FftWriter::store(Array array, Value place, const Complex &number) {
  Value at = placeOf(array, place);
  k.store(k.workspace(0), at, number.real);
  k.store(k.workspace(1), at, number.imaginary);
}

/// NaN in both parts, which reaches every result, if `number` is not finite:
/// zero times it is NaN, and zero for any other.
Complex FftWriter::spoilIfNotFinite(const Complex &number) {
  Value zero = arith::ConstantOp::create(b, b.getF64FloatAttr(0));
  auto none = [&](Value part) -> Value {
    return arith::MulFOp::create(b, part, zero);
  };
  Value spoil =
      arith::AddFOp::create(b, none(number.real), none(number.imaginary));
  return {arith::AddFOp::create(b, number.real, spoil),
          arith::AddFOp::create(b, number.imaginary, spoil)};
}

void FftWriter::readInput(Value item, int64_t width) {
  Type element = k.operand(0).type.getElementType(), f64 = b.getF64Type();
  int64_t count = lines * width;
  k.share(count, [&](Value i) {
    Value place = k.add(k.scale(item, count), i);
    Complex number =
        c.fromReal(convert(k.load(k.operand(0), place), element, f64), true);
    if (!fromReal)
      number.imaginary = convert(k.load(k.operand(1), place), element, f64);
    store(current, i, spoilIfNotFinite(number));
  });
  mustWait = true;
}

/// exp(-2 pi i t / n), or its conjugate; quarters of a turn are exact.
void FftWriter::makeRoots(int64_t n) {
  Type f64 = b.getF64Type();
  k.share(n, [&](Value t) {
    Value fourfold = k.scale(t, 4);
    Value quarters = k.divide(fourfold, n);
    Value rest = k.subtract(fourfold, k.scale(quarters, n));
    Value number = arith::SIToFPOp::create(
        b, f64, arith::IndexCastOp::create(b, b.getI64Type(), rest));
    // pi / 2
    Value quarter =
        arith::ConstantOp::create(b, b.getF64FloatAttr(1.57079632679489661923));
    Value size =
        arith::ConstantOp::create(b, b.getF64FloatAttr(static_cast<double>(n)));
    Value angle = arith::DivFOp::create(
        b, arith::MulFOp::create(b, quarter, number), size);
    Complex root = {math::CosOp::create(b, angle),
                    math::SinOp::create(b, angle)};
    auto isQuarter = [&](int64_t which) -> Value {
      return arith::CmpIOp::create(b, arith::CmpIPredicate::eq, quarters,
                                   k.index(which));
    };
    Complex turned[4] = {root};
    for (int64_t i = 1; i < 4; ++i)
      turned[i] = {arith::NegFOp::create(b, turned[i - 1].imaginary),
                   turned[i - 1].real};
    for (int64_t i = 1; i < 4; ++i)
      root = c.select(isQuarter(i), turned[i], root);
    store(Roots, t, isInverse ? root : c.conjugate(root));
  });
  mustWait = true;
}

//===----------------------------------------------------------------------===//
// Transforms
//===----------------------------------------------------------------------===//

/// Number j of line k, of lines of length `done * factor`, from the numbers of
/// `factor` lines of length `done`.
void FftWriter::combine(int64_t n, int64_t stride, int64_t done, int64_t factor,
                        int64_t count) {
  int64_t length = done * factor, apart = n / length;
  wait();
  k.share(count, [&](Value i) {
    Value inner = k.remainder(i, stride);
    Value position = k.remainder(k.divide(i, stride), n);
    Value outer = k.divide(i, stride * n);
    Value j = k.remainder(position, length);
    Value line = k.divide(position, length);
    Value start = k.remainder(j, done);
    Complex zero = c.constant(b.getF64Type(), 0, true);
    KernelBuilder::Values sum = k.carry(
        k.index(0), k.index(factor), 1, {zero.real, zero.imaginary},
        [&](Value v, ValueRange carried) -> KernelBuilder::Values {
          Value from =
              k.add(k.scale(k.add(line, k.scale(v, apart)), done), start);
          Value place =
              k.add(k.scale(k.add(k.scale(outer, n), from), stride), inner);
          Value turn = k.remainder(arith::MulIOp::create(b, v, j), length);
          Complex term = c.multiply(load(current, place),
                                    load(Roots, k.scale(turn, apart)));
          Complex next = c.add({carried[0], carried[1]}, term);
          return {next.real, next.imaginary};
        });
    store(other(), i, {sum[0], sum[1]});
  });
  mustWait = true;
  swap();
}

/// All lines along a dimension of an array whose last one has `width` numbers.
void FftWriter::transform(int64_t dim, int64_t width) {
  int64_t n = lengths[dim], stride = 1, rank = lengths.size();
  for (int64_t i = dim + 1; i < rank; ++i)
    stride *= i + 1 == rank ? width : lengths[i];
  int64_t count = lines * width, rest = n, done = 1;
  if (n == 1)
    return;
  // Those of the dimension before may still be read.
  if (usesRoots)
    wait();
  makeRoots(n);
  usesRoots = true;
  for (int64_t factor = 2; rest > 1; ++factor) {
    // What has no factor up to its root is prime.
    if (factor * factor > rest)
      factor = rest;
    for (; rest % factor == 0; rest /= factor) {
      combine(n, stride, done, factor, count);
      done *= factor;
    }
  }
}

/// The other half of each line is the conjugate of this one, mirrored; what a
/// real line cannot have is left out.
void FftWriter::mirror() {
  int64_t n = lengths.back();
  wait();
  usesRoots = false;
  k.share(lines * n, [&](Value i) {
    Value line = k.divide(i, n), at = k.remainder(i, n);
    Value isFirst = k.isBelow(at, k.index(half));
    Value from =
        arith::SelectOp::create(b, isFirst, at, k.subtract(k.index(n), at));
    Complex number = load(current, k.add(k.scale(line, half), from));
    number = c.select(isFirst, number, c.conjugate(number));
    Value twice = k.scale(at, 2);
    auto is = [&](Value x, int64_t y) -> Value {
      return arith::CmpIOp::create(b, arith::CmpIPredicate::eq, x, k.index(y));
    };
    Value isReal = arith::OrIOp::create(b, is(twice, 0), is(twice, n));
    store(other(), i, c.select(isReal, c.fromReal(number.real, true), number));
  });
  mustWait = true;
  swap();
}

void FftWriter::writeResult(Value item) {
  Type element = k.result(0).type.getElementType(), f64 = b.getF64Type();
  int64_t width = toReal ? lengths.back() : half;
  Value points = arith::ConstantOp::create(
      b, b.getF64FloatAttr(static_cast<double>(capacity)));
  // Of whole lines each thread stores what it has computed.
  if (fromReal)
    wait();
  k.share(lines * width, [&](Value i) {
    Value from = k.add(k.scale(k.divide(i, width), lengths.back()),
                       k.remainder(i, width));
    Complex number = load(current, from);
    if (isInverse)
      number = c.divide(number, points);
    Value place = k.add(k.scale(item, lines * width), i);
    k.store(k.result(0), place, convert(number.real, f64, element));
    if (!toReal)
      k.store(k.result(1), place, convert(number.imaginary, f64, element));
  });
}

void FftWriter::writeItem(Value item) {
  current = First;
  mustWait = usesRoots = false;
  int64_t rank = lengths.size(), width = toReal ? half : lengths.back();
  readInput(item, width);
  for (int64_t dim = 0; dim + 1 < rank; ++dim)
    transform(dim, width);
  if (toReal)
    mirror();
  transform(rank - 1, lengths.back());
  writeResult(item);
  // The next item is read into the same array, and has its own roots.
  if (mustWait || (fromReal && current == First))
    k.barrier();
}

void FftWriter::write() {
  int64_t items = k.result(0).type.getNumElements() /
                  (lines * (toReal ? lengths.back() : half));
  slot = gpu::BlockIdOp::create(b, gpu::Dimension::x);
  k.loopOverBlocks(items, [&](Value item) { writeItem(item); });
  // Each block has a slot of the workspace.
  k.finish(std::clamp<int64_t>(items, 1, slots));
}

LogicalResult cleave::codegen::writeFft(GPUModuleBuilder &functions,
                                        func::FuncOp kernel, FftOp op) {
  FailureOr<BlockKernel> k =
      BlockKernel::start(functions, kernel, op, numThreads);
  if (failed(k))
    return failure();
  if (k->getNumWorkspaces() != 2)
    return op.emitOpError("in a kernel of blocks needs two workspaces of f64");
  FftWriter(*k, op).write();
  return success();
}
