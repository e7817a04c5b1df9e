//===- AtomicFile.cpp - Files that appear whole or not at all -------------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/core/io/AtomicFile.h"
#include "runtime/core/Error.h"

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <sys/stat.h>
#include <unistd.h>

using namespace cleave::rt;

AtomicFile::AtomicFile(const std::string &path) : path(path) {
  // Renaming over a device or a pipe would destroy it.
  struct stat status;
  if (::stat(path.c_str(), &status) == 0 && !S_ISREG(status.st_mode))
    throwBadInput(
        "cannot create " + quote(path) + ": " +
        (S_ISDIR(status.st_mode) ? "Is a directory" : "not a regular file"));
  temporary = path + ".tmp.XXXXXX";
  file = ::mkstemp(temporary.data());
  if (file < 0)
    fail("cannot create", errno);
  // mkstemp makes files private; a result should be as readable as any file.
  mode_t mask = ::umask(0);
  ::umask(mask);
  ::fchmod(file, 0666 & ~mask);
}

AtomicFile::~AtomicFile() {
  if (file >= 0) {
    ::close(file);
    ::unlink(temporary.c_str());
  }
}

void AtomicFile::fail(const char *what, int error) {
  throwBadInput(std::string(what) + " " + quote(path) + ": " +
                std::strerror(error));
}

void AtomicFile::write(const void *data, int64_t bytes) {
  const char *next = static_cast<const char *>(data);
  while (bytes > 0) {
    ssize_t written = ::write(file, next, bytes);
    if (written < 0 && errno == EINTR)
      continue;
    if (written < 0)
      fail("cannot write", errno);
    next += written;
    bytes -= written;
  }
}

void AtomicFile::flush() {
  // Some file systems report a full disk only now.
  if (::fsync(file) != 0 && errno != EINVAL && errno != EROFS)
    fail("cannot write", errno);
  isFlushed = true;
}

void AtomicFile::commit() {
  if (!isFlushed)
    flush();
  if (::rename(temporary.c_str(), path.c_str()) != 0)
    fail("cannot create", errno);
  ::close(file);
  file = -1;
}
