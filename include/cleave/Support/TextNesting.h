//===- TextNesting.h - How deeply IR text is nested -------------*- C++ -*-===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// MLIR's parser, and most of what walks types, attributes and regions, calls
// itself once for each level. Text that is nested without bound, whatever made
// it, would overflow the stack, which no diagnostic can follow.
//
//===----------------------------------------------------------------------===//

#ifndef CLEAVE_SUPPORT_TEXTNESTING_H
#define CLEAVE_SUPPORT_TEXTNESTING_H

#include "llvm/ADT/StringRef.h"
#include <optional>

namespace cleave {

/// Levels that text may have. All phases take programs of that depth on a stack
/// of 8 MiB; what people and exporters write has some tens.
inline constexpr unsigned maxTextNesting = 1000;

/// A place in a text; both count from 1, columns in bytes.
struct TextPlace {
  unsigned line, column;
};

/// Where the text of MLIR first has more than `limit` levels; none if it never
/// has. A level is an open bracket of any kind outside of strings and comments
/// (`->`, `<=` and `>=` are none), an operator of a chain such as `d0 + d1 + 1`
/// within brackets, or one that the definition of a used alias (`#a`, `!a`)
/// has. Takes time linear in the text, which need not be valid.
std::optional<TextPlace> findDeepNesting(llvm::StringRef text,
                                         unsigned limit = maxTextNesting);

} // namespace cleave

#endif // CLEAVE_SUPPORT_TEXTNESTING_H
