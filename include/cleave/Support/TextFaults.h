//===- TextFaults.h - IR text that the parser does not survive --*- C++ -*-===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// MLIR's parser, and most of what walks types, attributes and regions, calls
// itself once for each level: text that is nested without bound would overflow
// the stack, which no diagnostic can follow. It also makes room for as many
// results as `%0#N` says, and asks elements of `array<index: ...>` for a width
// that they don't have.
//
//===----------------------------------------------------------------------===//

#ifndef CLEAVE_SUPPORT_TEXTFAULTS_H
#define CLEAVE_SUPPORT_TEXTFAULTS_H

#include "llvm/ADT/StringRef.h"
#include <optional>
#include <string>

namespace cleave {

/// Levels that text may have. All phases take programs of that depth on a stack
/// of 8 MiB; what people and exporters write has some tens.
inline constexpr unsigned maxTextNesting = 1000;

/// The largest N of `%0#N`; ops have fewer results.
inline constexpr unsigned maxResultNumber = 65535;

/// What is wrong with a text, and where; lines and columns count from 1,
/// columns in bytes.
struct TextFault {
  unsigned line, column;
  /// What it is and what would be right, as a diagnostic says it.
  std::string message;
};

/// The first place where the text of MLIR must not reach the parser; none if it
/// may. One is where there are more than `limit` levels. A level is an open
/// bracket of any kind outside of strings and comments (`->`, `<=` and `>=` are
/// none), an operator of a chain such as `d0 + d1 + 1` within brackets, or one
/// that the definition of a used alias (`#a`, `!a`) has. Takes time linear in
/// the text, which need not be valid.
std::optional<TextFault> findTextFault(llvm::StringRef text,
                                       unsigned limit = maxTextNesting);

} // namespace cleave

#endif // CLEAVE_SUPPORT_TEXTFAULTS_H
