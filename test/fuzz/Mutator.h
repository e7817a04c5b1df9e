//===- Mutator.h - Text changed at random -----------------------*- C++ -*-===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CLEAVE_TEST_FUZZ_MUTATOR_H
#define CLEAVE_TEST_FUZZ_MUTATOR_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <random>
#include <string>
#include <vector>

namespace cleave::fuzz {

/// Programs to start from, in tokens: a word, a number, a string, white space
/// or one other character.
class Corpus {
public:
  using Tokens = std::vector<llvm::StringRef>;

  /// Adds the modules of a file whose text lives as long as the corpus.
  void add(llvm::StringRef text);
  size_t size() const { return programs.size(); }
  const Tokens &operator[](size_t index) const { return programs[index]; }
  /// Some token of some program.
  llvm::StringRef pick(std::mt19937_64 &random) const;

private:
  std::vector<Tokens> programs;
};

/// A program of the corpus with a few changes; the same for the same seed.
std::string mutate(const Corpus &corpus, uint64_t seed);

} // namespace cleave::fuzz

#endif // CLEAVE_TEST_FUZZ_MUTATOR_H
