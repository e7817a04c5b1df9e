//===- RandomKernel.cpp - Random bits as loops ----------------------------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

//
// Rows of the output (along the last dimension) are cut into pieces, the parts
// of the kernel. Where elements of a row share a counter, the loop runs over
// counters and stores all of their words; the ends of a piece, which may cut
// through the words of a counter, go element by element.
//
//===----------------------------------------------------------------------===//

#include "dialects/Graph/RandomBits.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "passes/Codegen/Kernels/IrregularKernel.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace cleave::codegen;
using namespace cleave::graph;

/// Elements of a row that are worth a thread.
static constexpr int64_t pieceSize = 2048;

namespace {

class RandomWriter {
public:
  RandomWriter(IrregularKernel &kernel, RngBitGeneratorOp op)
      : k(kernel), b(kernel.b), op(op), type(op.getOutput().getType()),
        width(type.getElementTypeBitWidth()),
        layout(op.getAlgorithm(), op.getWholeShape(), width) {}

  LogicalResult run();

private:
  using Words = SmallVector<Value, 4>;

  // Arithmetic on words of 32 and 64 bits.
  Value constant(uint64_t value, unsigned bits) {
    return arith::ConstantOp::create(
        b, b.getIntegerAttr(b.getIntegerType(bits), APInt(bits, value)));
  }
  Value sum(Value x, Value y) { return arith::AddIOp::create(b, x, y); }
  Value exclusiveOr(Value x, Value y) { return arith::XOrIOp::create(b, x, y); }
  Value lowWord(Value x) {
    return arith::TruncIOp::create(b, b.getI32Type(), x);
  }
  Value highWord(Value x) {
    return lowWord(arith::ShRUIOp::create(b, x, constant(32, 64)));
  }
  Value wide(Value x) { return arith::ExtUIOp::create(b, b.getI64Type(), x); }
  Value rotateLeft(Value x, unsigned by);
  std::pair<Value, Value> multiply(Value x, uint32_t factor);

  void loadState();
  void writeState();
  Words threeFry(Value counter);
  Words philox(Value step);
  /// The words of the counter `step` (i64) after the first.
  Words wordsOf(Value step);
  Value element(const Words &words, unsigned part);
  void writePiece(Value part);
  void writeElement(Value at, Value place, Value parity);

  IrregularKernel &k;
  ImplicitLocOpBuilder &b;
  RngBitGeneratorOp op;
  RankedTensorType type;
  unsigned width;
  RandomLayout layout;
  /// i64.
  Value key, low, high;
};

} // namespace

//===----------------------------------------------------------------------===//
// State
//===----------------------------------------------------------------------===//

void RandomWriter::loadState() {
  const KernelBuffer &state = k.operand(0);
  key = k.load(state, k.index(0));
  low = k.load(state, k.index(1));
  high = state.type.getDimSize(0) == 3 ? k.load(state, k.index(2)) : key;
}

void RandomWriter::writeState() {
  Value next = sum(low, constant(layout.numCounters, 64));
  k.store(k.result(0), k.index(0), key);
  k.store(k.result(0), k.index(1), next);
  if (k.operand(0).type.getDimSize(0) != 3)
    return;
  Value carry = arith::CmpIOp::create(b, arith::CmpIPredicate::ult, next, low);
  k.store(k.result(0), k.index(2), sum(high, wide(carry)));
}

//===----------------------------------------------------------------------===//
// Algorithms: as in RandomBits.cpp
//===----------------------------------------------------------------------===//

Value RandomWriter::rotateLeft(Value x, unsigned by) {
  return arith::OrIOp::create(
      b, arith::ShLIOp::create(b, x, constant(by, 32)),
      arith::ShRUIOp::create(b, x, constant(32 - by, 32)));
}

/// The high and the low word of a product.
std::pair<Value, Value> RandomWriter::multiply(Value x, uint32_t factor) {
  Value product = arith::MulIOp::create(b, wide(x), constant(factor, 64));
  return {highWord(product), lowWord(product)};
}

RandomWriter::Words RandomWriter::threeFry(Value counter) {
  Value key0 = lowWord(key), key1 = highWord(key);
  Value parity = constant(RandomConstants::threeFryParity, 32);
  const Value keys[] = {key0, key1,
                        exclusiveOr(parity, exclusiveOr(key0, key1))};
  Value x = sum(lowWord(counter), key0), y = sum(highWord(counter), key1);
  for (unsigned group = 0; group < 5; ++group) {
    for (unsigned rotation : RandomConstants::threeFryRotations[group % 2]) {
      x = sum(x, y);
      y = exclusiveOr(rotateLeft(y, rotation), x);
    }
    x = sum(x, keys[(group + 1) % 3]);
    y = sum(y, sum(keys[(group + 2) % 3], constant(group + 1, 32)));
  }
  return {x, y};
}

RandomWriter::Words RandomWriter::philox(Value step) {
  Value counter = sum(low, step);
  Value carry =
      arith::CmpIOp::create(b, arith::CmpIPredicate::ult, counter, low);
  Value upper = sum(high, wide(carry));
  Words x = {lowWord(counter), highWord(counter), lowWord(upper),
             highWord(upper)};
  Value keys[] = {lowWord(key), highWord(key)};
  for (unsigned round = 0; round < RandomConstants::philoxRounds; ++round) {
    auto [pHigh, pLow] = multiply(x[0], RandomConstants::philoxMultipliers[0]);
    auto [qHigh, qLow] = multiply(x[2], RandomConstants::philoxMultipliers[1]);
    x = {exclusiveOr(exclusiveOr(qHigh, x[1]), keys[0]), qLow,
         exclusiveOr(exclusiveOr(pHigh, x[3]), keys[1]), pLow};
    for (unsigned i : {0, 1})
      keys[i] = sum(keys[i], constant(RandomConstants::philoxKeySteps[i], 32));
  }
  return x;
}

RandomWriter::Words RandomWriter::wordsOf(Value step) {
  return op.getAlgorithm() == RngAlgorithm::ThreeFry ? threeFry(sum(low, step))
                                                     : philox(step);
}

//===----------------------------------------------------------------------===//
// Elements
//===----------------------------------------------------------------------===//

/// Part `part` of a counter's words, as a value of the element type.
Value RandomWriter::element(const Words &words, unsigned part) {
  Type elementType = type.getElementType();
  Value bits = words[part * layout.wordsPerElement];
  if (layout.wordsPerElement == 2)
    bits = arith::OrIOp::create(
        b, wide(bits),
        arith::ShLIOp::create(b, wide(words[2 * part + 1]), constant(32, 64)));
  if (width < 32)
    bits = arith::TruncIOp::create(b, b.getIntegerType(width), bits);
  if (isa<FloatType>(elementType))
    return arith::BitcastOp::create(b, elementType, bits);
  return bits;
}

/// The element `at`, which has this place and, where pairs share a counter,
/// this parity along their dimension.
void RandomWriter::writeElement(Value at, Value place, Value parity) {
  Value part = parity;
  Value step = k.divide(place, layout.elementsPerCounter);
  unsigned numParts = parity ? 2 : layout.elementsPerCounter;
  if (!parity)
    part = k.remainder(place, layout.elementsPerCounter);
  Words words = wordsOf(arith::IndexCastOp::create(b, b.getI64Type(), step));
  Value chosen = element(words, 0);
  for (unsigned i = 1; i < numParts; ++i)
    chosen = arith::SelectOp::create(
        b, arith::CmpIOp::create(b, arith::CmpIPredicate::eq, part, k.index(i)),
        element(words, i), chosen);
  k.store(k.result(1), at, chosen);
}

void RandomWriter::writePiece(Value part) {
  int64_t rank = type.getRank();
  int64_t rowSize = rank ? type.getShape().back() : 1;
  int64_t numPieces = llvm::divideCeil(rowSize, pieceSize);
  Value row = k.divide(part, numPieces);
  Value begin = k.scale(k.remainder(part, numPieces), pieceSize);
  Value end = k.minimum(k.add(begin, k.index(pieceSize)), k.index(rowSize));
  Value rowStart = k.scale(row, rowSize);

  // Places of the row's elements are base + stride * index, or half of the
  // index where pairs lie along the row.
  SmallVector<Value> indices = k.delinearize(
      row, type.getShape().take_front(std::max<int64_t>(rank - 1, 0)));
  Value base = k.index(0), parity, last = k.index(0);
  for (int64_t d = 0; d < rank; ++d) {
    Value index = d + 1 < rank ? indices[d] : k.index(0);
    if (!op.getOffsets().empty())
      index = k.add(index, arith::IndexCastOp::create(
                               b, b.getIndexType(),
                               k.load(k.operand(1 + d), k.index(0))));
    if (d + 1 == rank) {
      last = index;
    } else if (d == layout.pairDim) {
      parity = k.remainder(index, 2);
      base = k.add(base, k.scale(k.divide(index, 2), layout.strides[d]));
    } else {
      base = k.add(base, k.scale(index, layout.strides[d]));
    }
  }
  // How many neighbours along the row take turns.
  bool isPairedRow = rank > 0 && layout.pairDim == rank - 1;
  int64_t group = isPairedRow ? 2 : layout.elementsPerCounter;
  auto writeOne = [&](Value i) {
    Value index = k.add(last, i);
    Value own = isPairedRow ? k.remainder(index, 2) : parity;
    Value place = k.add(base, isPairedRow ? k.divide(index, 2) : index);
    writeElement(k.add(rowStart, i), place, own);
  };
  if (group == 1)
    return k.loop(begin, end, writeOne);

  // Elements up to the first whole counter, whole ones, and the rest.
  Value first = k.add(isPairedRow ? last : k.add(base, last), begin);
  Value phase = k.remainder(first, group);
  Value missing = k.remainder(k.subtract(k.index(group), phase), group);
  Value bodyBegin = k.minimum(k.add(begin, missing), end);
  Value bodySize = k.subtract(end, bodyBegin);
  Value bodyEnd = k.add(bodyBegin, k.scale(k.divide(bodySize, group), group));
  // Both ends in one loop, so that their code is there once.
  k.loop(k.index(0), k.index(2), [&](Value isTail) {
    Value test =
        arith::CmpIOp::create(b, arith::CmpIPredicate::ne, isTail, k.index(0));
    k.loop(arith::SelectOp::create(b, test, bodyEnd, begin),
           arith::SelectOp::create(b, test, end, bodyBegin), writeOne);
  });
  k.loop(
      bodyBegin, bodyEnd,
      [&](Value i) {
        Value index = k.add(last, i);
        Value step = isPairedRow ? k.add(base, k.divide(index, 2))
                                 : k.divide(k.add(base, index), group);
        Words words =
            wordsOf(arith::IndexCastOp::create(b, b.getI64Type(), step));
        for (int64_t part = 0; part < group; ++part)
          k.store(k.result(1), k.add(k.add(rowStart, i), k.index(part)),
                  element(words, part));
      },
      group);
}

LogicalResult RandomWriter::run() {
  int64_t rowSize = type.getRank() ? type.getShape().back() : 1;
  int64_t numRows = rowSize ? type.getNumElements() / rowSize : 0;
  int64_t numParts = numRows * llvm::divideCeil(rowSize, pieceSize);
  loadState();
  k.loopOverParts([&](Value part) {
    Value isFirst =
        arith::CmpIOp::create(b, arith::CmpIPredicate::eq, part, k.index(0));
    k.ifTrue(isFirst, [&] { writeState(); });
    if (numParts)
      writePiece(part);
  });
  // Without elements there is still the state.
  k.finish(std::max<int64_t>(numParts, 1));
  return success();
}

LogicalResult cleave::codegen::writeRandomBits(IrregularKernel &kernel,
                                               RngBitGeneratorOp op) {
  return RandomWriter(kernel, op).run();
}
