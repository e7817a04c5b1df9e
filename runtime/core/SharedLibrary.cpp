//===- SharedLibrary.cpp - Parts of the runtime that are optional ---------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/core/SharedLibrary.h"

#include <climits>
#include <dlfcn.h>
#include <unistd.h>

using namespace cleave::rt;

void *cleave::rt::openRuntimeLibrary(const char *name, bool isGlobal,
                                     std::string &error) {
  int flags = RTLD_NOW | (isGlobal ? RTLD_GLOBAL : RTLD_LOCAL);
  if (void *library = ::dlopen(name, flags | RTLD_NOLOAD))
    return library;
  char self[PATH_MAX];
  ssize_t length = ::readlink("/proc/self/exe", self, sizeof(self));
  std::string folder(self, length > 0 ? length : 0);
  folder.erase(folder.rfind('/') + 1);
  std::string path = name;
  for (const std::string &candidate :
       {folder + name, folder + "../lib/" + name})
    if (::access(candidate.c_str(), R_OK) == 0) {
      path = candidate;
      break;
    }
  void *library = ::dlopen(path.c_str(), flags);
  if (!library)
    error = ::dlerror();
  return library;
}
