//===- GuardedInput.h - Messages with text that can be parsed ---*- C++ -*-===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// MLIR's language server parses what an editor opens, and takes no hook that
// could look at it first; but it reads messages from a FILE, one after the
// other, and answers one before it asks for the next.
//
//===----------------------------------------------------------------------===//

#ifndef CLEAVE_SUPPORT_GUARDEDINPUT_H
#define CLEAVE_SUPPORT_GUARDEDINPUT_H

#include "cleave/Support/TextFaults.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/JSON.h"
#include <cstdio>
#include <optional>
#include <string>

namespace cleave {

/// The messages of an editor, but for documents whose text the parser would not
/// survive (TextFaults.h): of these the server hears that they are closed, and
/// the editor what is wrong with them.
class GuardedInput {
public:
  /// `splitMarker` divides a document into parts that are parsed apart.
  GuardedInput(std::FILE *messages, llvm::StringRef splitMarker)
      : messages(messages), splitMarker(splitMarker) {}

  /// A stream of what may reach the server; null, with errno, if there is none
  /// to be had. To be closed before this dies.
  std::FILE *open();

private:
  std::optional<TextFault> findFault(llvm::StringRef text) const;
  static ssize_t read(void *self, char *to, size_t size);
  bool readMessage();
  std::string guard(std::string message);
  void publish(llvm::json::Object document, llvm::json::Array diagnostics);

  std::FILE *messages;
  llvm::StringRef splitMarker;
  /// Whether messages have a header, as editors write them, or are separated by
  /// lines, as tests have them; not known before the first one.
  std::optional<bool> hasHeaders;
  /// The message that the server reads now, and how much of it was read.
  std::string framed;
  size_t numRead = 0;
  /// What is wrong with the document that this message closes.
  std::optional<std::pair<llvm::json::Object, llvm::json::Array>> unpublished;
  /// URIs of documents that the server does not know.
  llvm::StringSet<> withheld;
};

} // namespace cleave

#endif // CLEAVE_SUPPORT_GUARDEDINPUT_H
