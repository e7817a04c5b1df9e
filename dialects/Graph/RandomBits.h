//===- RandomBits.h - Counters and bits of random generators -- -*- C++ -*-===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

//
// What cleave.rng_bit_generator computes. ThreeFry-2x32 (20 rounds) and
// Philox-4x32 (10 rounds) are those of Salmon, Moraes, Dror and Shaw,
// "Parallel random numbers: as easy as 1, 2, 3" (SC 2011); which counter makes
// which element is as in XLA. Words are of 32 bits, the low one first.
//
//===----------------------------------------------------------------------===//

#ifndef CLEAVE_DIALECTS_GRAPH_RANDOMBITS_H
#define CLEAVE_DIALECTS_GRAPH_RANDOMBITS_H

#include "dialects/Graph/GraphDialect.h"
#include <array>

namespace cleave::graph {

/// Constants of both algorithms, for whoever computes them.
struct RandomConstants {
  static constexpr uint32_t threeFryParity = 0x1BD11BDA;
  static constexpr unsigned threeFryRotations[2][4] = {{13, 15, 26, 6},
                                                       {17, 29, 16, 24}};
  static constexpr unsigned philoxRounds = 10;
  static constexpr uint32_t philoxMultipliers[2] = {0xD2511F53, 0xCD9E8D57};
  static constexpr uint32_t philoxKeySteps[2] = {0x9E3779B9, 0xBB67AE85};
};

/// Which counter and which of its words an element gets. The element at an
/// index has a place, the sum of index * stride, in which the index along
/// `pairDim` counts half, rounded down.
struct RandomLayout {
  RandomLayout(RngAlgorithm algorithm, llvm::ArrayRef<int64_t> shape,
               unsigned width);

  /// Along this dimension, even elements get the first word and odd ones the
  /// second of one counter; -1 if there is none such.
  int64_t pairDim = -1;
  llvm::SmallVector<int64_t> strides;
  /// Elements that take their words from one counter in the order of their
  /// places: place p gets part p % n of counter p / n.
  int64_t elementsPerCounter = 1;
  /// Words of an element: 2 for 64 bits. Narrow elements take the low bits.
  int64_t wordsPerElement = 1;
  /// Counters that all elements take together.
  int64_t numCounters = 1;
};

/// The bits of one generator from one state.
class RandomBits {
public:
  /// `state`: the key and one or two words of the counter, of 64 bits.
  RandomBits(RngAlgorithm algorithm, llvm::ArrayRef<int64_t> state,
             llvm::ArrayRef<int64_t> shape, unsigned width);

  /// The bits of an element, in the low bits of the result.
  uint64_t at(llvm::ArrayRef<int64_t> index) const;
  llvm::SmallVector<int64_t> stateAfter() const;

private:
  RngAlgorithm algorithm;
  RandomLayout layout;
  unsigned width;
  bool hasWideCounter;
  uint64_t key, low, high;
};

std::array<uint32_t, 2> threeFry2x32(std::array<uint32_t, 2> key,
                                     std::array<uint32_t, 2> counter);
std::array<uint32_t, 4> philox4x32(std::array<uint32_t, 2> key,
                                   std::array<uint32_t, 4> counter);

} // namespace cleave::graph

#endif // CLEAVE_DIALECTS_GRAPH_RANDOMBITS_H
