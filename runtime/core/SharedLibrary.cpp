//===- SharedLibrary.cpp - Parts of the runtime that are optional ---------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/core/SharedLibrary.h"
#include "runtime/core/Error.h"

#include <climits>
#include <dlfcn.h>
#include <unistd.h>

using namespace cleave::rt;

/// Where a library is.
static std::string findPath(const char *name) {
  char self[PATH_MAX];
  ssize_t length = ::readlink("/proc/self/exe", self, sizeof(self));
  std::string folder(self, length > 0 ? length : 0);
  folder.erase(folder.rfind('/') + 1);
  for (const std::string &candidate :
       {folder + name, folder + "../lib/" + name})
    if (::access(candidate.c_str(), R_OK) == 0)
      return candidate;
  return name;
}

SharedLibrary::SharedLibrary(const char *name, const char *use, bool isGlobal)
    : name(name), use(use) {
  int flags = RTLD_NOW | (isGlobal ? RTLD_GLOBAL : RTLD_LOCAL);
  handle = ::dlopen(name, flags | RTLD_NOLOAD);
  if (!handle)
    handle = ::dlopen(findPath(name).c_str(), flags);
  if (!handle)
    throwRunFailed(std::string("cannot use ") + use + ": " + ::dlerror());
}

void *SharedLibrary::find(const char *function) const {
  return ::dlsym(handle, function);
}

void SharedLibrary::throwOtherVersion() const {
  throwRunFailed(std::string("cannot use ") + use + ": " + name +
                 " is of another version of the runtime");
}
