//===- JsonReader.cpp - Checked access to JSON ----------------------------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/core/JsonReader.h"
#include "runtime/core/Error.h"

#include <set>

using namespace cleave::rt;
using nlohmann::json;

json cleave::rt::parseJson(const char *begin, const char *end,
                           const std::string &what) {
  // nlohmann keeps the last of two equal keys silently; for file headers that
  // would hide data, so keys are tracked per open object.
  std::vector<std::set<std::string>> open;
  auto callback = [&](int, json::parse_event_t event, json &parsed) {
    if (event == json::parse_event_t::object_start)
      open.emplace_back();
    else if (event == json::parse_event_t::object_end)
      open.pop_back();
    else if (event == json::parse_event_t::key &&
             !open.back().insert(parsed.get<std::string>()).second)
      throwBadInput(what + ": key " + quote(parsed.get<std::string>()) +
                    " is given twice");
    return true;
  };
  try {
    return json::parse(begin, end, callback);
  } catch (const json::exception &error) {
    throwBadInput(what + ": not valid JSON: " + error.what());
  }
}

void JsonReader::fail(const std::string &text) const {
  throwBadInput(path + ": " + text);
}

bool JsonReader::has(const char *key) const {
  return value.is_object() && value.contains(key);
}

JsonReader JsonReader::at(const char *key) const {
  if (!value.is_object())
    fail("expected an object");
  auto it = value.find(key);
  if (it == value.end())
    fail(std::string("key '") + key + "' is missing");
  return JsonReader(*it, path + "." + key);
}

std::vector<JsonReader> JsonReader::getElements() const {
  if (!value.is_array())
    fail("expected a list");
  std::vector<JsonReader> elements;
  for (size_t i = 0; i < value.size(); ++i)
    elements.emplace_back(value[i], path + "[" + std::to_string(i) + "]");
  return elements;
}

std::vector<JsonReader> JsonReader::getTuple(size_t count,
                                             const char *form) const {
  std::vector<JsonReader> elements = getElements();
  if (elements.size() != count)
    fail(std::string("expected ") + form);
  return elements;
}

std::string JsonReader::getString() const {
  if (!value.is_string())
    fail("expected a string");
  return value.get<std::string>();
}

bool JsonReader::getBool() const {
  if (!value.is_boolean())
    fail("expected true or false");
  return value.get<bool>();
}

int64_t JsonReader::getInt(int64_t min, int64_t max) const {
  if (!value.is_number_integer())
    fail("expected an integer");
  bool tooLarge = value.is_number_unsigned() &&
                  value.get<uint64_t>() > static_cast<uint64_t>(INT64_MAX);
  if (tooLarge || value.get<int64_t>() < min || value.get<int64_t>() > max)
    fail("expected an integer of at least " + std::to_string(min) +
         (max == INT64_MAX ? "" : " and at most " + std::to_string(max)) +
         ", got " + value.dump());
  return value.get<int64_t>();
}

std::vector<int64_t> JsonReader::getInts(int64_t min) const {
  std::vector<int64_t> ints;
  for (const JsonReader &element : getElements())
    ints.push_back(element.getInt(min));
  return ints;
}

std::string JsonReader::getOptionalString(const char *key) const {
  return has(key) ? at(key).getString() : std::string();
}

bool JsonReader::getOptionalBool(const char *key) const {
  return has(key) && at(key).getBool();
}

int JsonReader::findName(const char *const *names, size_t count) const {
  std::string text = getString();
  std::string all;
  for (size_t i = 0; i < count; ++i) {
    if (text == names[i])
      return static_cast<int>(i);
    all += (i ? ", " : "") + std::string(names[i]);
  }
  fail("expected one of " + all + ", got " + quote(text));
}
