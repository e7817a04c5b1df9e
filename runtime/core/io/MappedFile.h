//===- MappedFile.h - Read-only file mappings -------------------*- C++ -*-===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CLEAVE_RUNTIME_CORE_IO_MAPPEDFILE_H
#define CLEAVE_RUNTIME_CORE_IO_MAPPEDFILE_H

#include <cstdint>
#include <string>

namespace cleave::rt {

/// Pages are read when they are touched, and no others: the system is told not
/// to read ahead, which it does by up to some megabytes around every access, so
/// that of a shard whose runs lie apart it would read everything between them.
class MappedFile {
public:
  /// Throws Error(BAD_INPUT) if `path` is not a readable regular file.
  explicit MappedFile(const std::string &path);
  ~MappedFile();
  MappedFile(const MappedFile &) = delete;
  MappedFile &operator=(const MappedFile &) = delete;

  const uint8_t *getData() const { return data; }
  int64_t getSize() const { return size; }

  /// Lets the system read these bytes, which will be touched soon. Of bytes
  /// that are not in the mapping this and release() do nothing.
  void prefetch(const uint8_t *begin, int64_t bytes) const;
  /// Takes the pages of these bytes out of the process's memory; the next
  /// access brings them back.
  void release(const uint8_t *begin, int64_t bytes) const;
  /// All bytes will be touched, in order: the system may read ahead.
  void expectAll() const;

private:
  /// The whole pages around some bytes of the mapping.
  bool findPages(const uint8_t *begin, int64_t bytes, uint8_t *&first,
                 int64_t &length) const;

  const uint8_t *data = nullptr;
  int64_t size = 0;
};

} // namespace cleave::rt

#endif // CLEAVE_RUNTIME_CORE_IO_MAPPEDFILE_H
