//===- SharedLibrary.h - Parts of the runtime that are optional -*- C++ -*-===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CLEAVE_RUNTIME_CORE_SHAREDLIBRARY_H
#define CLEAVE_RUNTIME_CORE_SHAREDLIBRARY_H

#include <string>

namespace cleave::rt {

/// Opens a library of the runtime: the one that the program is linked with,
/// beside it, in `../lib` of it as things are installed, or where the loader
/// looks, which the program's run path adds to. Stays open. Null with the
/// loader's reason. `isGlobal`: what it loads may use its symbols.
void *openRuntimeLibrary(const char *name, bool isGlobal, std::string &error);

} // namespace cleave::rt

#endif // CLEAVE_RUNTIME_CORE_SHAREDLIBRARY_H
