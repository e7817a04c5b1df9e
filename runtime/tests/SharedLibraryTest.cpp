//===- SharedLibraryTest.cpp - Libraries that are missing or others -------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/core/SharedLibrary.h"
#include "runtime/core/Error.h"

#include <cstring>
#include <gtest/gtest.h>
#include <zlib.h>

using namespace cleave::rt;

namespace {
struct Table {
  int32_t version;
};
} // namespace

/// What `body` throws.
template <typename Body> static std::string errorOf(Body &&body) {
  try {
    body();
  } catch (const Error &error) {
    EXPECT_EQ(error.getStatus(), CLEAVE_RT_RUN_FAILED);
    return error.what();
  }
  return "nothing";
}

TEST(SharedLibrary, MissingLibrary) {
  std::string text = errorOf(
      [] { SharedLibrary("libno-such.so", "magic", /*isGlobal=*/false); });
  EXPECT_EQ(text.find("cannot use magic: libno-such.so: "), 0u) << text;
}

TEST(SharedLibrary, TableOfAnotherVersion) {
  // A function of a library that is there returns a text, whose first bytes are
  // taken for the version.
  SharedLibrary library("libz.so.1", "zlib", /*isGlobal=*/false);
  int32_t version;
  std::memcpy(&version, zlibVersion(), sizeof(version));
  EXPECT_EQ(library.getTable<Table>("zlibVersion", version).version, version);
  const char *text =
      "cannot use zlib: libz.so.1 is of another version of the runtime";
  EXPECT_EQ(
      errorOf([&] { library.getTable<Table>("zlibVersion", version + 1); }),
      text);
  EXPECT_EQ(errorOf([&] { library.getTable<Table>("no_such", version); }),
            text);
}
