//===- GuardedInput.cpp - Messages with text that can be parsed -----------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "cleave/Support/GuardedInput.h"
#include "llvm/Support/LSP/Transport.h"
#include "llvm/Support/raw_ostream.h"
#include <cstring>

using namespace llvm;
using namespace cleave;

//===----------------------------------------------------------------------===//
// Texts
//===----------------------------------------------------------------------===//

/// The text of a document that a message has in full.
static std::optional<StringRef> findText(const json::Object &message) {
  std::optional<StringRef> method = message.getString("method");
  const json::Object *params = message.getObject("params");
  if (!method || !params)
    return std::nullopt;
  if (*method == "textDocument/didOpen")
    if (const json::Object *document = params->getObject("textDocument"))
      return document->getString("text");
  if (*method == "textDocument/didChange")
    if (const json::Array *changes = params->getArray("contentChanges"))
      if (!changes->empty() && changes->back().getAsObject())
        return changes->back().getAsObject()->getString("text");
  return std::nullopt;
}

/// The first one of a document.
std::optional<TextFault> GuardedInput::findFault(StringRef text) const {
  SmallVector<StringRef> parts;
  text.split(parts, splitMarker);
  unsigned linesBefore = 0;
  for (StringRef part : parts) {
    if (std::optional<TextFault> fault = findTextFault(part)) {
      fault->line += linesBefore;
      return fault;
    }
    linesBefore += part.count('\n');
  }
  return std::nullopt;
}

/// As editors count, from 0.
static json::Object makeDiagnostic(const TextFault &fault) {
  auto position = [&](unsigned column) {
    return json::Object{{"line", fault.line - 1}, {"character", column}};
  };
  return json::Object{
      {"message", fault.message},
      {"severity", 1},
      {"source", "mlir"},
      {"range", json::Object{{"start", position(fault.column - 1)},
                             {"end", position(fault.column)}}}};
}

//===----------------------------------------------------------------------===//
// Messages
//===----------------------------------------------------------------------===//

void GuardedInput::publish(json::Object document, json::Array diagnostics) {
  document.erase("languageId");
  document.erase("text");
  document["diagnostics"] = std::move(diagnostics);
  lsp::JSONTransport(messages, outs())
      .notify("textDocument/publishDiagnostics", std::move(document));
}

/// What the server is to read instead of `message`; nothing if it is not to
/// know of it.
std::string GuardedInput::guard(std::string message) {
  Expected<json::Value> parsed = json::parse(message);
  if (!parsed) {
    consumeError(parsed.takeError()); // the server's concern
    return message;
  }
  json::Object *object = parsed->getAsObject();
  const json::Object *params = object ? object->getObject("params") : nullptr;
  const json::Object *document =
      params ? params->getObject("textDocument") : nullptr;
  std::optional<StringRef> uri =
      document ? document->getString("uri") : std::nullopt;
  if (!uri)
    return message;
  if (object->getString("method") == "textDocument/didClose") {
    // The server would say nothing of what it does not know.
    if (withheld.erase(*uri))
      publish(*document, {});
    return message;
  }
  std::optional<StringRef> text = findText(*object);
  if (!text)
    return message;
  std::optional<TextFault> fault = findFault(*text);
  if (!fault) {
    withheld.erase(*uri);
    return message;
  }
  withheld.insert(*uri);
  unpublished.emplace(*document, json::Array{makeDiagnostic(*fault)});
  json::Object closing{
      {"jsonrpc", "2.0"},
      {"method", "textDocument/didClose"},
      {"params", json::Object{{"textDocument", json::Object{{"uri", *uri}}}}}};
  std::string result;
  raw_string_ostream(result) << json::Value(std::move(closing));
  return result;
}

/// Waits for a message; false at the end.
bool GuardedInput::readMessage() {
  // The server has read, and so done, what was before: it says no more of that
  // document.
  if (unpublished)
    publish(std::move(unpublished->first), std::move(unpublished->second));
  unpublished.reset();
  if (!hasHeaders) {
    int first = std::getc(messages);
    std::ungetc(first, messages);
    hasHeaders = first == 'C'; // Content-Length
  }
  lsp::JSONTransportInputOverFile input(messages, *hasHeaders ? lsp::Standard
                                                              : lsp::Delimited);
  std::string message;
  while (failed(input.readMessage(message)))
    if (input.isEndOfInput() || input.hasError())
      return false;
  message = guard(std::move(message));
  framed =
      *hasHeaders
          ? ("Content-Length: " + Twine(message.size()) + "\r\n\r\n" + message)
                .str()
          : message + "\n// -----\n";
  numRead = 0;
  return true;
}

ssize_t GuardedInput::read(void *self, char *to, size_t size) {
  auto &input = *static_cast<GuardedInput *>(self);
  if (input.numRead == input.framed.size() && !input.readMessage())
    return std::ferror(input.messages) ? -1 : 0;
  size = std::min(size, input.framed.size() - input.numRead);
  std::memcpy(to, input.framed.data() + input.numRead, size);
  input.numRead += size;
  return size;
}

std::FILE *GuardedInput::open() {
  cookie_io_functions_t functions = {};
  functions.read = read;
  return ::fopencookie(this, "r", functions);
}
