//===- ParallelCopy.cpp - Order copies that happen at once ----------------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "cleave/Schedule/ParallelCopy.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"

using namespace cleave;
using llvm::ArrayRef;
using llvm::SmallVector;

SmallVector<CopyStep>
cleave::orderCopies(ArrayRef<std::pair<unsigned, unsigned>> copies) {
  SmallVector<CopyStep> steps;
  llvm::DenseMap<unsigned, unsigned> readers;
  llvm::DenseMap<unsigned, unsigned> copyTo;
  SmallVector<unsigned> ready;
  for (auto [index, copy] : llvm::enumerate(copies)) {
    if (copy.first == copy.second)
      continue;
    ++readers[copy.first];
    copyTo[copy.second] = index;
  }
  for (auto [index, copy] : llvm::enumerate(copies))
    if (copy.first != copy.second && !readers.contains(copy.second))
      ready.push_back(index);

  // Once its last reader is done, a storage may be overwritten.
  auto release = [&](unsigned storage) {
    if (--readers[storage] > 0)
      return;
    readers.erase(storage);
    auto next = copyTo.find(storage);
    if (next != copyTo.end())
      ready.push_back(next->second);
  };
  auto drain = [&]() {
    while (!ready.empty()) {
      unsigned index = ready.pop_back_val();
      auto [from, to] = copies[index];
      copyTo.erase(to);
      steps.push_back({from, to, index, CopyStep::Direct});
      release(from);
    }
  };
  drain();

  // What is left are cycles in which each storage has one reader.
  for (auto [index, copy] : llvm::enumerate(copies)) {
    if (!copyTo.contains(copy.second) || copy.first == copy.second)
      continue;
    copyTo.erase(copy.second);
    unsigned number = index;
    steps.push_back({copy.first, copy.second, number, CopyStep::Save});
    release(copy.first);
    drain();
    steps.push_back({copy.first, copy.second, number, CopyStep::Restore});
  }
  return steps;
}
