//===- GspmdSharding.cpp - Shardings written as GSPMD strings -------------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "cleave/Partition/GspmdSharding.h"
#include "cleave/Partition/DeviceDigits.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Sequence.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/Twine.h"

using namespace llvm;

namespace cleave {

namespace {

using Kind = GspmdSharding::Kind;
using Subgroup = GspmdSharding::Subgroup;

/// A recursive-descent parser; every function returns whether it succeeded and
/// leaves the first message in `error`.
class Parser {
public:
  Parser(StringRef text, std::string &error)
      : text(text), rest(text), error(error) {}

  bool parseSharding(GspmdSharding &result);
  bool atEnd() {
    skipSpace();
    return rest.empty() || fail("unexpected text");
  }

private:
  bool fail(const Twine &message) {
    if (error.empty())
      error = (message + " at column " + Twine(text.size() - rest.size() + 1) +
               " of '" + text + "'")
                  .str();
    return false;
  }
  /// In long tuples XLA notes an element's number: `/*index=5*/`.
  void skipSpace() {
    rest = rest.ltrim();
    while (rest.starts_with("/*") && rest.contains("*/"))
      rest = rest.split("*/").second.ltrim();
  }
  bool consume(StringRef token) {
    skipSpace();
    return rest.consume_front(token);
  }
  bool expect(StringRef token) {
    return consume(token) || fail("expected '" + token + "'");
  }
  bool parseInteger(int64_t &value) {
    skipSpace();
    return !rest.consumeInteger(10, value) || fail("expected a number");
  }
  bool parseIntegers(SmallVectorImpl<int64_t> &values);
  bool parseSizes(SmallVectorImpl<int64_t> &sizes);
  bool parseDevices(int64_t count, SmallVectorImpl<int64_t> &devices);
  bool parseIota(int64_t count, SmallVectorImpl<int64_t> &devices);
  bool parseSubgroups(SmallVectorImpl<Subgroup> &subgroups);
  bool parseTiles(GspmdSharding &result);

  StringRef text, rest;
  std::string &error;
};

} // namespace

/// `1,2,3`
bool Parser::parseIntegers(SmallVectorImpl<int64_t> &values) {
  do {
    if (!parseInteger(values.emplace_back()))
      return false;
  } while (consume(","));
  return true;
}

/// `[2,1,4]`, each at least 1 and not too many devices together.
bool Parser::parseSizes(SmallVectorImpl<int64_t> &sizes) {
  if (!expect("[") || !parseIntegers(sizes) || !expect("]"))
    return false;
  constexpr int64_t kMaxDevices = 1 << 20;
  int64_t product = 1;
  for (int64_t size : sizes) {
    if (size < 1 || size > kMaxDevices || product * size > kMaxDevices)
      return fail("sizes must be at least 1 and make at most 2^20 devices");
    product *= size;
  }
  return true;
}

/// `[4,2]T(1,0)`: the numbers 0, 1, ... in a grid, transposed.
bool Parser::parseIota(int64_t count, SmallVectorImpl<int64_t> &devices) {
  SmallVector<int64_t> sizes, order;
  if (!parseSizes(sizes))
    return false;
  if (consume("T")) {
    if (!expect("(") || !parseIntegers(order) || !expect(")"))
      return false;
  } else {
    order = to_vector(seq<int64_t>(0, sizes.size()));
  }
  SmallVector<int64_t> sorted(order);
  llvm::sort(sorted);
  if (sorted != to_vector(seq<int64_t>(0, sizes.size())))
    return fail("expected a permutation of the grid's dimensions");
  int64_t product = 1;
  for (int64_t size : sizes)
    product *= size;
  if (product != count)
    return fail("the grid has " + Twine(product) + " devices, the tiles need " +
                Twine(count));
  SmallVector<DeviceDigit, 4> grid = gridDigits(sizes);
  devices.assign({0});
  for (int64_t dim : order) {
    SmallVector<int64_t> longer;
    for (int64_t first : devices)
      for (int64_t i = 0; i < grid[dim].size; ++i)
        longer.push_back(first + i * grid[dim].stride);
    devices.assign(longer.begin(), longer.end());
  }
  return true;
}

/// `<=[8]` or `0,2,1,3`.
bool Parser::parseDevices(int64_t count, SmallVectorImpl<int64_t> &devices) {
  if (consume("<=")) {
    if (!parseIota(count, devices))
      return false;
  } else {
    if (!parseIntegers(devices))
      return false;
    if (static_cast<int64_t>(devices.size()) != count)
      return fail("lists " + Twine(devices.size()) +
                  " devices, the tiles need " + Twine(count));
    SmallVector<int64_t> sorted = to_vector(devices);
    llvm::sort(sorted);
    if (sorted != to_vector(seq<int64_t>(0, count)))
      return fail("expected each device from 0 to " + Twine(count - 1) +
                  " once");
  }
  if (is_sorted(devices))
    devices.clear();
  return true;
}

/// `last_tile_dim_replicate` or `last_tile_dims={manual, replicated}`, or none.
bool Parser::parseSubgroups(SmallVectorImpl<Subgroup> &subgroups) {
  if (consume("last_tile_dim_replicate")) {
    subgroups.push_back(Subgroup::Replicated);
    return true;
  }
  if (!consume("last_tile_dims"))
    return true;
  if (!expect("=") || !expect("{"))
    return false;
  do {
    if (consume("replicated"))
      subgroups.push_back(Subgroup::Replicated);
    else if (consume("manual"))
      subgroups.push_back(Subgroup::Manual);
    else if (consume("unreduced"))
      subgroups.push_back(Subgroup::Unreduced);
    else
      return fail("expected 'replicated', 'manual' or 'unreduced'");
  } while (consume(","));
  return expect("}");
}

bool Parser::parseTiles(GspmdSharding &result) {
  SmallVector<int64_t> sizes;
  if (!expect("=") || !parseSizes(sizes))
    return false;
  for (int64_t size : sizes)
    result.numDevices *= size;
  result.kind = Kind::Tiled;
  result.tiles.assign(sizes.begin(), sizes.end());
  if (!parseDevices(result.numDevices, result.devices) ||
      !parseSubgroups(result.subgroups))
    return false;
  return result.subgroups.size() <= sizes.size() ||
         fail("more subgroups than tile dimensions");
}

bool Parser::parseSharding(GspmdSharding &result) {
  if (!expect("{"))
    return false;
  skipSpace();
  if (rest.starts_with("{") || rest.starts_with("}")) {
    result.kind = Kind::Tuple;
    while (!consume("}")) {
      if (!result.elements.empty() && !expect(","))
        return false;
      if (!parseSharding(result.elements.emplace_back()))
        return false;
    }
    return true;
  }
  if (consume("replicated")) {
    result.kind = Kind::Replicated;
  } else if (consume("manual")) {
    result.kind = Kind::Manual;
  } else if (consume("unreduced")) {
    result.kind = Kind::Unreduced;
  } else if (consume("unknown")) {
    result.kind = Kind::Unknown;
  } else if (consume("maximal")) {
    result.kind = Kind::Maximal;
    int64_t device;
    if (!expect("device=") || !parseInteger(device))
      return false;
  } else if (consume("devices")) {
    if (!parseTiles(result))
      return false;
  } else {
    StringRef reason =
        rest.starts_with("mesh") ? "a mesh of named axes is not read; " : "";
    return fail(reason + "expected 'replicated', 'manual', 'maximal', "
                         "'unreduced', 'unknown' or 'devices'");
  }
  if (consume("shard_as") || consume("shard_like")) {
    if (!parseInteger(result.group.emplace()))
      return false;
  }
  // What XLA notes for people.
  if (consume("metadata=")) {
    size_t end = rest.find_last_of('}');
    rest = end == StringRef::npos ? StringRef() : rest.substr(end);
  }
  return expect("}");
}

std::optional<GspmdSharding> GspmdSharding::parse(StringRef text,
                                                  std::string &error) {
  error.clear();
  // A protocol buffer has the default, replicated, in no bytes at all, and
  // begins with the tag of another kind.
  if (text.empty() || (!isPrint(text.front()) && !isSpace(text.front()))) {
    error = "a serialized OpSharding is not read; expected text such as "
            "'{devices=[2,1]<=[2]}': JAX writes that for meshes whose devices "
            "are in order, and Shardy's shardings for any "
            "(jax_use_shardy_partitioner=True)";
    return std::nullopt;
  }
  GspmdSharding result;
  Parser parser(text, error);
  if (!parser.parseSharding(result) || !parser.atEnd())
    return std::nullopt;
  return result;
}

SmallVector<StringRef> GspmdSharding::splitTuple(StringRef text) {
  SmallVector<StringRef> elements;
  size_t begin = 0;
  unsigned depth = 0;
  for (auto [at, c] : enumerate(text)) {
    if (c == '{' && ++depth == 2)
      begin = at;
    else if (c == '}' && depth-- == 2)
      elements.push_back(text.slice(begin, at + 1));
  }
  return elements;
}

} // namespace cleave
