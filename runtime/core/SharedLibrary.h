//===- SharedLibrary.h - Parts of the runtime that are optional -*- C++ -*-===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CLEAVE_RUNTIME_CORE_SHAREDLIBRARY_H
#define CLEAVE_RUNTIME_CORE_SHAREDLIBRARY_H

#include <cstdint>

namespace cleave::rt {

/// A library of the runtime that a run needs to use something: the one that the
/// program is linked with, beside it, in `../lib` of it as things are
/// installed, or where the loader looks, which the program's run path adds to.
/// Stays open.
class SharedLibrary {
public:
  /// Throws Error(RUN_FAILED) with "cannot use USE: " and the loader's reason.
  /// `isGlobal`: what the library loads may use its symbols.
  SharedLibrary(const char *name, const char *use, bool isGlobal);

  /// The table that a function of the library returns; its field `version`
  /// comes first. Throws Error(RUN_FAILED) if there is no such function, or if
  /// the table is of another version.
  template <typename Table>
  const Table &getTable(const char *function, int32_t version) const {
    auto get = reinterpret_cast<const Table *(*)()>(find(function));
    const Table *table = get ? get() : nullptr;
    if (!table || table->version != version)
      throwOtherVersion();
    return *table;
  }

private:
  void *find(const char *function) const;
  [[noreturn]] void throwOtherVersion() const;

  const char *name, *use;
  void *handle;
};

} // namespace cleave::rt

#endif // CLEAVE_RUNTIME_CORE_SHAREDLIBRARY_H
