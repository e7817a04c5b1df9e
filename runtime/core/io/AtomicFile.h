//===- AtomicFile.h - Files that appear whole or not at all -----*- C++ -*-===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CLEAVE_RUNTIME_CORE_IO_ATOMICFILE_H
#define CLEAVE_RUNTIME_CORE_IO_ATOMICFILE_H

#include <cstdint>
#include <string>

namespace cleave::rt {

/// Writes to a temporary file beside `path`; commit() renames it, and without
/// commit() it is removed. Several files can be written first and committed
/// together. Failures throw Error(BAD_INPUT): where to write is for who calls
/// to choose.
class AtomicFile {
public:
  explicit AtomicFile(const std::string &path);
  ~AtomicFile();
  AtomicFile(const AtomicFile &) = delete;
  AtomicFile &operator=(const AtomicFile &) = delete;

  void write(const void *data, int64_t bytes);
  void write(const std::string &text) { write(text.data(), text.size()); }
  /// Waits until the data is on the disk, if it fits.
  void flush();
  /// Flushes unless that is done.
  void commit();

private:
  [[noreturn]] void fail(const char *what, int error);

  std::string path, temporary;
  int file;
  bool isFlushed = false;
};

} // namespace cleave::rt

#endif // CLEAVE_RUNTIME_CORE_IO_ATOMICFILE_H
