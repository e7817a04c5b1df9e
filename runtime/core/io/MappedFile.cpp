//===- MappedFile.cpp - Read-only file mappings ---------------------------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/core/io/MappedFile.h"
#include "runtime/core/Error.h"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace cleave::rt;

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
  } else {
    ::close(file);
  }
}

MappedFile::~MappedFile() {
  if (data)
    ::munmap(const_cast<uint8_t *>(data), size);
}
