//===- Shadow.h - Who has accessed the elements of an array -----*- C++ -*-===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CLEAVE_TEST_SIMT_SHADOW_H
#define CLEAVE_TEST_SIMT_SHADOW_H

#include <cstdint>
#include <string>
#include <vector>

namespace cleave::simt {

/// One access by a thread of a block, between two barriers.
struct Accessor {
  int64_t block;
  int64_t thread;
  uint32_t interval;
};

enum class AccessKind { Read, Write, Atomic };

/// The last accesses to each element of an array.
class Shadow {
public:
  Shadow(int64_t elements, bool isInitialized)
      : cells(elements), isInitialized(isInitialized) {}

  /// Empty if no earlier access to the element conflicts with this one, else
  /// what is wrong.
  std::string access(int64_t element, AccessKind kind, const Accessor &by);

private:
  static constexpr int32_t nobody = -1, several = -2;
  /// The last accesses of a kind: a block (or several), a thread of it (or
  /// several in one interval).
  struct Record {
    int32_t block = nobody, thread = nobody;
    uint32_t interval = 0;

    bool conflictsWith(const Accessor &by) const {
      if (block == nobody)
        return false;
      if (block != by.block)
        return true;
      return interval == by.interval && thread != by.thread;
    }
    void add(const Accessor &by);
  };
  struct Cell {
    Record reads, writes, atomics;
  };
  std::vector<Cell> cells;
  bool isInitialized;
};

} // namespace cleave::simt

#endif // CLEAVE_TEST_SIMT_SHADOW_H
