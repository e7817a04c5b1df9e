//===- JsonReader.h - Checked access to JSON --------------------*- C++ -*-===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Wraps nlohmann's values so that every wrong type, missing key and unknown key
// becomes a diagnostic with the path to the entry. Internal to the parsers.
//
//===----------------------------------------------------------------------===//

#ifndef CLEAVE_RUNTIME_CORE_JSONREADER_H
#define CLEAVE_RUNTIME_CORE_JSONREADER_H

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace cleave::rt {

/// Parses `text`; throws Error(BAD_INPUT) on a syntax error, a key given twice
/// or trailing text. `what` names the text in diagnostics.
nlohmann::json parseJson(const char *begin, const char *end,
                         const std::string &what);

/// A JSON value and where it stands.
class JsonReader {
public:
  JsonReader(const nlohmann::json &value, std::string path)
      : value(value), path(std::move(path)) {}

  [[noreturn]] void fail(const std::string &text) const;

  bool has(const char *key) const;
  JsonReader at(const char *key) const;

  /// Elements of an array.
  std::vector<JsonReader> getElements() const;
  /// What `read` makes of each of them.
  template <typename Read> auto mapElements(Read read) const {
    std::vector<decltype(read(*this))> results;
    for (const JsonReader &element : getElements())
      results.push_back(read(element));
    return results;
  }
  /// Elements of an array of `count` that has this form, as "[first, last]".
  std::vector<JsonReader> getTuple(size_t count, const char *form) const;
  std::string getString() const;
  bool getBool() const;
  /// An integer in [min, max].
  int64_t getInt(int64_t min, int64_t max = INT64_MAX) const;
  std::vector<int64_t> getInts(int64_t min) const;
  /// A string at `key`, or "" without it.
  std::string getOptionalString(const char *key) const;
  /// A boolean at `key`, or false without it.
  bool getOptionalBool(const char *key) const;
  /// Position of a string in `names`.
  template <size_t count> int getEnum(const char *const (&names)[count]) const {
    return findName(names, count);
  }

private:
  int findName(const char *const *names, size_t count) const;

  const nlohmann::json &value;
  std::string path;
};

} // namespace cleave::rt

#endif // CLEAVE_RUNTIME_CORE_JSONREADER_H
