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

/// Pages are read when they are touched, so a rank that copies its shard out of
/// a mapping reads little else.
class MappedFile {
public:
  /// Throws Error(BAD_INPUT) if `path` is not a readable regular file.
  explicit MappedFile(const std::string &path);
  ~MappedFile();
  MappedFile(const MappedFile &) = delete;
  MappedFile &operator=(const MappedFile &) = delete;

  const uint8_t *getData() const { return data; }
  int64_t getSize() const { return size; }

private:
  const uint8_t *data = nullptr;
  int64_t size = 0;
};

} // namespace cleave::rt

#endif // CLEAVE_RUNTIME_CORE_IO_MAPPEDFILE_H
