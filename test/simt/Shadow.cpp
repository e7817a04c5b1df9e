//===- Shadow.cpp - Who has accessed the elements of an array -------------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Shadow.h"

using namespace cleave::simt;

void Shadow::Record::add(const Accessor &by) {
  if (block != nobody && block != by.block) {
    block = several;
    return;
  }
  if (block == by.block && interval == by.interval && thread != by.thread) {
    thread = several;
    return;
  }
  if (block == several)
    return;
  block = by.block;
  thread = by.thread;
  interval = by.interval;
}

std::string Shadow::access(int64_t element, AccessKind kind,
                           const Accessor &by) {
  Cell &cell = cells[element];
  auto conflict = [&](const Record &other, const char *what) {
    std::string text = "thread " + std::to_string(by.thread) + " of block " +
                       std::to_string(by.block) + " ";
    text += kind == AccessKind::Read    ? "reads"
            : kind == AccessKind::Write ? "writes"
                                        : "updates";
    text += " element " + std::to_string(element) + ", which ";
    if (other.block == several)
      text += "threads of several blocks";
    else if (other.thread == several)
      text += "several threads of block " + std::to_string(other.block);
    else
      text += "thread " + std::to_string(other.thread) + " of block " +
              std::to_string(other.block);
    return text + " " + what + " without a barrier between";
  };
  if (kind != AccessKind::Write && !isInitialized &&
      cell.writes.block == nobody && cell.atomics.block == nobody)
    return "thread " + std::to_string(by.thread) + " of block " +
           std::to_string(by.block) + " reads element " +
           std::to_string(element) + ", which was never written";
  if (cell.writes.conflictsWith(by))
    return conflict(cell.writes, "wrote");
  if (kind != AccessKind::Atomic && cell.atomics.conflictsWith(by))
    return conflict(cell.atomics, "updated");
  if (kind != AccessKind::Read && cell.reads.conflictsWith(by))
    return conflict(cell.reads, "read");
  Record &record = kind == AccessKind::Read    ? cell.reads
                   : kind == AccessKind::Write ? cell.writes
                                               : cell.atomics;
  record.add(by);
  return "";
}
