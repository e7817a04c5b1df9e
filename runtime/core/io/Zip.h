//===- Zip.h - The zip container, as far as npz needs it --------*- C++ -*-===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CLEAVE_RUNTIME_CORE_IO_ZIP_H
#define CLEAVE_RUNTIME_CORE_IO_ZIP_H

#include <cstdint>
#include <string>
#include <vector>

namespace cleave::rt {

/// A member of an archive. Bounds are checked; the content is not.
struct ZipMember {
  std::string name;
  bool isDeflated;
  uint32_t crc;
  int64_t offset;       ///< of the stored bytes
  int64_t storedBytes;  ///< in the archive
  int64_t contentBytes; ///< after inflating
};

/// Reads the central directory of an archive of `size` bytes at `data`. Throws
/// Error(BAD_INPUT) on damage, encryption and unknown methods.
std::vector<ZipMember> readZipDirectory(const uint8_t *data, int64_t size,
                                        const std::string &what);

/// The content of a deflated member. Throws if it does not inflate to exactly
/// contentBytes.
std::vector<uint8_t> inflateMember(const uint8_t *data, const ZipMember &member,
                                   const std::string &what);

/// Throws if the checksum of `content` is not the member's.
void checkCrc(const uint8_t *content, const ZipMember &member,
              const std::string &what);

} // namespace cleave::rt

#endif // CLEAVE_RUNTIME_CORE_IO_ZIP_H
