//===- RandomBits.cpp - Counters and bits of random generators ------------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialects/Graph/RandomBits.h"
#include "dialects/Graph/Evaluate/Literal.h"
#include "llvm/ADT/bit.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace cleave::graph {

//===----------------------------------------------------------------------===//
// Layout
//===----------------------------------------------------------------------===//

/// The first dimension of even size, or else the first of the largest size; -1
/// of a scalar.
static int64_t choosePairDim(ArrayRef<int64_t> shape) {
  auto isEven = [](int64_t size) { return size % 2 == 0; };
  const int64_t *chosen = llvm::find_if(shape, isEven);
  if (chosen == shape.end())
    chosen = llvm::max_element(shape);
  return chosen == shape.end() ? -1 : chosen - shape.begin();
}

RandomLayout::RandomLayout(RngAlgorithm algorithm, ArrayRef<int64_t> shape,
                           unsigned width) {
  wordsPerElement = width == 64 ? 2 : 1;
  SmallVector<int64_t> places(shape);
  if (algorithm == RngAlgorithm::Philox) {
    elementsPerCounter = 4 / wordsPerElement;
  } else if (wordsPerElement == 1) {
    pairDim = choosePairDim(shape);
    if (pairDim >= 0)
      places[pairDim] = llvm::divideCeil(places[pairDim], 2);
  }
  strides = rowMajorStrides(places);
  numCounters = 1;
  for (int64_t size : places)
    numCounters *= size;
  numCounters = llvm::divideCeil(numCounters, elementsPerCounter);
}

//===----------------------------------------------------------------------===//
// Algorithms
//===----------------------------------------------------------------------===//

std::array<uint32_t, 2> threeFry2x32(std::array<uint32_t, 2> key,
                                     std::array<uint32_t, 2> counter) {
  const uint32_t keys[] = {key[0], key[1],
                           RandomConstants::threeFryParity ^ key[0] ^ key[1]};
  uint32_t x = counter[0] + keys[0], y = counter[1] + keys[1];
  for (unsigned group = 0; group < 5; ++group) {
    for (unsigned rotation : RandomConstants::threeFryRotations[group % 2]) {
      x += y;
      y = llvm::rotl(y, rotation) ^ x;
    }
    x += keys[(group + 1) % 3];
    y += keys[(group + 2) % 3] + group + 1;
  }
  return {x, y};
}

std::array<uint32_t, 4> philox4x32(std::array<uint32_t, 2> key,
                                   std::array<uint32_t, 4> x) {
  for (unsigned round = 0; round < RandomConstants::philoxRounds; ++round) {
    uint64_t p = uint64_t(RandomConstants::philoxMultipliers[0]) * x[0];
    uint64_t q = uint64_t(RandomConstants::philoxMultipliers[1]) * x[2];
    x = {llvm::Hi_32(q) ^ x[1] ^ key[0], llvm::Lo_32(q),
         llvm::Hi_32(p) ^ x[3] ^ key[1], llvm::Lo_32(p)};
    key[0] += RandomConstants::philoxKeySteps[0];
    key[1] += RandomConstants::philoxKeySteps[1];
  }
  return x;
}

//===----------------------------------------------------------------------===//
// Generator
//===----------------------------------------------------------------------===//

RandomBits::RandomBits(RngAlgorithm algorithm, ArrayRef<int64_t> state,
                       ArrayRef<int64_t> shape, unsigned width)
    : algorithm(algorithm), layout(algorithm, shape, width), width(width),
      hasWideCounter(state.size() == 3), key(state[0]), low(state[1]),
      high(hasWideCounter ? state[2] : state[0]) {}

uint64_t RandomBits::at(ArrayRef<int64_t> index) const {
  uint64_t place = 0, part = 0;
  for (auto [d, i] : llvm::enumerate(index)) {
    bool isPaired = static_cast<int64_t>(d) == layout.pairDim;
    place += (isPaired ? i / 2 : i) * layout.strides[d];
    if (isPaired)
      part = i % 2;
  }
  uint64_t step = place / layout.elementsPerCounter;
  if (layout.elementsPerCounter > 1)
    part = place % layout.elementsPerCounter;

  uint64_t counter = low + step;
  std::array<uint32_t, 2> keys = {llvm::Lo_32(key), llvm::Hi_32(key)};
  std::array<uint32_t, 4> words = {};
  if (algorithm == RngAlgorithm::ThreeFry) {
    std::array<uint32_t, 2> pair =
        threeFry2x32(keys, {llvm::Lo_32(counter), llvm::Hi_32(counter)});
    words = {pair[0], pair[1]};
  } else {
    uint64_t upper = high + (counter < low);
    words = philox4x32(keys, {llvm::Lo_32(counter), llvm::Hi_32(counter),
                              llvm::Lo_32(upper), llvm::Hi_32(upper)});
  }
  if (layout.wordsPerElement == 2)
    return llvm::Make_64(words[2 * part + 1], words[2 * part]);
  return words[part] & llvm::maskTrailingOnes<uint64_t>(width);
}

SmallVector<int64_t> RandomBits::stateAfter() const {
  uint64_t counter = low + layout.numCounters;
  SmallVector<int64_t> state = {static_cast<int64_t>(key),
                                static_cast<int64_t>(counter)};
  if (hasWideCounter)
    state.push_back(static_cast<int64_t>(high + (counter < low)));
  return state;
}

} // namespace cleave::graph
