//===- MappedFile.cpp - Read-only file mappings ---------------------------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/core/io/MappedFile.h"
#include "runtime/core/Error.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace cleave::rt;

/// The most that Linux reads for one advice, unless it is set up otherwise.
constexpr int64_t adviceBytes = 128 << 10;

MappedFile::MappedFile(const std::string &path) {
  // Non-blocking, so that a FIFO is refused below instead of waited for.
  int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (file < 0)
    throwBadInput("cannot open " + quote(path) + ": " + std::strerror(errno));
  struct stat status;
  if (::fstat(file, &status) != 0 || !S_ISREG(status.st_mode)) {
    ::close(file);
    throwBadInput(quote(path) + " is not a regular file");
  }
  size = status.st_size;
  if (size > 0) {
    void *mapping = ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, file, 0);
    int error = errno;
    ::close(file);
    if (mapping == MAP_FAILED)
      throwBadInput("cannot map " + quote(path) + ": " + std::strerror(error));
    data = static_cast<const uint8_t *>(mapping);
    ::madvise(mapping, size, MADV_RANDOM);
  } else {
    ::close(file);
  }
}

MappedFile::~MappedFile() {
  if (data)
    ::munmap(const_cast<uint8_t *>(data), size);
}

bool MappedFile::findPages(const uint8_t *begin, int64_t bytes, uint8_t *&first,
                           int64_t &length) const {
  if (bytes <= 0 || begin < data || begin - data + bytes > size)
    return false;
  int64_t page = ::sysconf(_SC_PAGESIZE);
  int64_t offset = (begin - data) / page * page;
  first = const_cast<uint8_t *>(data) + offset;
  length = begin + bytes - first;
  return true;
}

// Advice may be ignored: what it would have done then happens later.

void MappedFile::prefetch(const uint8_t *begin, int64_t bytes) const {
  uint8_t *first;
  int64_t length;
  if (findPages(begin, bytes, first, length))
    for (int64_t done = 0; done < length; done += adviceBytes)
      ::madvise(first + done, std::min(adviceBytes, length - done),
                MADV_WILLNEED);
}

void MappedFile::release(const uint8_t *begin, int64_t bytes) const {
  uint8_t *first;
  int64_t length;
  if (findPages(begin, bytes, first, length))
    ::madvise(first, length, MADV_DONTNEED);
}

void MappedFile::expectAll() const {
  if (data)
    ::madvise(const_cast<uint8_t *>(data), size, MADV_NORMAL);
}
