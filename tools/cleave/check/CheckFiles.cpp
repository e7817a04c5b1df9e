//===- CheckFiles.cpp - The modules that are checked ----------------------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tools/cleave/check/CheckFiles.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

using namespace llvm;
using namespace cleave::tool;

std::unique_ptr<MemoryBuffer> CheckInput::getBuffer() const {
  return MemoryBuffer::getMemBufferCopy(
      std::string(line - 1, '\n') + text.str(), path);
}

std::optional<StringRef> CheckInput::getDisabledReason() const {
  constexpr StringLiteral mark = "// RUN-DISABLED(";
  for (StringRef rest = text; !rest.empty();) {
    auto [line, next] = rest.split('\n');
    // Above the program only.
    if (!line.trim().empty() && !line.starts_with("//"))
      return std::nullopt;
    if (line.starts_with(mark))
      return line.drop_front(mark.size()).split(')').first;
    rest = next;
  }
  return std::nullopt;
}

/// Whether there is anything but comments.
static bool hasContent(StringRef text) {
  while (!text.empty()) {
    auto [line, rest] = text.split('\n');
    line = line.trim();
    if (!line.empty() && !line.starts_with("//"))
      return true;
    text = rest;
  }
  return false;
}

static void split(const std::string &path, std::shared_ptr<MemoryBuffer> file,
                  std::vector<CheckInput> &inputs) {
  StringRef text = file->getBuffer();
  size_t first = inputs.size();
  auto add = [&](StringRef part, unsigned line) {
    inputs.push_back({path, path, file, part, line});
  };
  // Bytecode is one module.
  if (text.contains('\0'))
    return add(text, 1);
  unsigned line = 1, begin = 1;
  const char *from = text.begin();
  auto end = [&](const char *to) {
    StringRef part(from, to - from);
    if (hasContent(part))
      add(part, begin);
  };
  for (StringRef rest = text; !rest.empty(); ++line) {
    StringRef here = rest.split('\n').first;
    if (here.starts_with("// -----")) {
      end(here.begin());
      from = here.end();
      begin = line;
    }
    rest = rest.drop_front(std::min(rest.size(), here.size() + 1));
  }
  end(text.end());
  // A file without anything fails like one that is wrong.
  if (inputs.size() == first)
    add(text, 1);
  if (inputs.size() > first + 1)
    for (size_t i = first; i < inputs.size(); ++i)
      inputs[i].name += "#" + std::to_string(i - first + 1);
}

static int listFolder(const std::string &folder,
                      std::vector<std::string> &paths) {
  std::vector<std::string> found;
  std::error_code error;
  for (sys::fs::recursive_directory_iterator it(folder, error), end;
       it != end && !error; it.increment(error))
    if (sys::path::extension(it->path()) == ".mlir")
      found.push_back(it->path());
  if (error)
    return reportError("cannot read '" + folder + "': " + error.message());
  if (found.empty())
    return reportError("no .mlir files in '" + folder + "'");
  sort(found);
  append_range(paths, found);
  return Ok;
}

int cleave::tool::readCheckInputs(const std::vector<std::string> &given,
                                  std::vector<CheckInput> &inputs) {
  std::vector<std::string> paths;
  for (const std::string &path : given) {
    if (!sys::fs::is_directory(path))
      paths.push_back(path);
    else if (int status = listFolder(path, paths))
      return status;
  }
  for (const std::string &path : paths) {
    auto file = MemoryBuffer::getFile(path);
    if (!file)
      return reportError("cannot open '" + path +
                         "': " + file.getError().message());
    split(path, std::move(*file), inputs);
  }
  return Ok;
}
