//===- NpyHeader.cpp - The header of the npy format -----------------------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// "\x93NUMPY", major and minor version, header length (2 bytes in version 1, 4
// later), then a Python dictionary with descr, fortran_order and shape.
//
//===----------------------------------------------------------------------===//

#include "runtime/core/io/NpyHeader.h"
#include "runtime/core/Error.h"

#include <cstring>

using namespace cleave::rt;

namespace {
/// Parses the dictionary; only the literals that numpy writes.
class Parser {
public:
  Parser(const std::string &text, const std::string &what)
      : text(text), what(what) {}

  void parse();

  std::string descr;
  bool isFortran = false;
  Shape shape;

private:
  [[noreturn]] void fail(const std::string &message) const {
    throwBadInput(what + ": " + message);
  }
  void skipSpace() {
    while (next < text.size() && (text[next] == ' ' || text[next] == '\n'))
      ++next;
  }
  bool consume(const char *token) {
    skipSpace();
    if (text.compare(next, std::strlen(token), token) != 0)
      return false;
    next += std::strlen(token);
    return true;
  }
  void expect(const char *token) {
    if (!consume(token))
      fail(std::string("damaged header, expected '") + token + "'");
  }
  std::string parseString();
  void parseShape();

  const std::string &text;
  const std::string &what;
  size_t next = 0;
};

struct TypeName {
  const char *name;
  DType dtype;
};
} // namespace

static const TypeName typeNames[] = {
    {"<f4", DType::F32},
    {"<f8", DType::F64},
    {"<f2", DType::F16},
    {"|b1", DType::I1},
    {"|i1", DType::I8},
    {"<i2", DType::I16},
    {"<i4", DType::I32},
    {"<i8", DType::I64},
    {"|u1", DType::UI8},
    {"<u2", DType::UI16},
    {"<u4", DType::UI32},
    {"<u8", DType::UI64},
    // numpy has no bfloat16: an extension's arrays are saved as two bytes.
    {"<V2", DType::BF16},
    {"|V2", DType::BF16},
    // So are those of floats of 8 bits, as one byte that does not say of which
    // type it is, but for one type.
    {"<V1", DType::UI8},
    {"|V1", DType::UI8},
    {"<f1", DType::F8E5M2},
};

std::string Parser::parseString() {
  expect("'");
  size_t end = text.find('\'', next);
  if (end == std::string::npos)
    fail("damaged header, a string does not end");
  std::string result = text.substr(next, end - next);
  next = end + 1;
  return result;
}

void Parser::parseShape() {
  expect("(");
  while (!consume(")")) {
    skipSpace();
    int64_t value = 0;
    size_t begin = next;
    for (; next < text.size() && text[next] >= '0' && text[next] <= '9'; ++next)
      if (__builtin_mul_overflow(value, 10, &value) ||
          __builtin_add_overflow(value, text[next] - '0', &value))
        fail("a dimension overflows");
    if (next == begin)
      fail("damaged header, expected a dimension");
    shape.push_back(value);
    if (!consume(",")) {
      expect(")");
      return;
    }
  }
}

void Parser::parse() {
  bool hasDescr = false, hasOrder = false, hasShape = false;
  expect("{");
  while (!consume("}")) {
    std::string key = parseString();
    expect(":");
    if (key == "descr" && !hasDescr) {
      hasDescr = true;
      skipSpace();
      if (next < text.size() && text[next] == '[')
        fail("structured dtypes are not supported");
      descr = parseString();
    } else if (key == "fortran_order" && !hasOrder) {
      hasOrder = true;
      isFortran = consume("True");
      if (!isFortran)
        expect("False");
    } else if (key == "shape" && !hasShape) {
      hasShape = true;
      parseShape();
    } else {
      fail("damaged header, unexpected key " + quote(key));
    }
    if (!consume(",")) {
      expect("}");
      break;
    }
  }
  skipSpace();
  if (next != text.size())
    fail("damaged header, text after the dictionary");
  if (!hasDescr || !hasOrder || !hasShape)
    fail("damaged header, descr, fortran_order or shape is missing");
}

NpyHeader cleave::rt::parseNpyHeader(const uint8_t *data, int64_t bytes,
                                     const std::string &what) {
  if (bytes < 10 || std::memcmp(data, "\x93NUMPY", 6) != 0)
    throwBadInput(what + ": not an npy file");
  int version = data[6];
  if (version < 1 || version > 3)
    throwBadInput(what + ": unknown npy version " + std::to_string(version));
  int64_t start = version == 1 ? 10 : 12;
  if (bytes < start)
    throwBadInput(what + ": truncated header");
  int64_t length = data[8] | data[9] << 8;
  if (version > 1)
    length |= int64_t(data[10]) << 16 | int64_t(data[11]) << 24;
  if (length > bytes - start)
    throwBadInput(what + ": truncated header");

  std::string text(reinterpret_cast<const char *>(data) + start, length);
  Parser parser(text, what);
  parser.parse();
  const TypeName *type = nullptr;
  for (const TypeName &candidate : typeNames)
    if (parser.descr == candidate.name)
      type = &candidate;
  if (!type && !parser.descr.empty() && parser.descr[0] == '>')
    throwBadInput(what + ": big-endian data are not supported; save with "
                         "array.astype(array.dtype.newbyteorder('<'))");
  if (!type)
    throwBadInput(what + ": unsupported dtype " + quote(parser.descr));
  // One dimension or fewer has only one order.
  if (parser.isFortran && parser.shape.size() > 1)
    throwBadInput(what + ": Fortran order is not supported; save "
                         "numpy.ascontiguousarray(array)");
  std::optional<int64_t> elements =
      countElements(parser.shape, getSize(type->dtype));
  if (!elements)
    throwBadInput(what + ": the size in bytes overflows");
  int64_t expected = *elements * getSize(type->dtype);
  int64_t found = bytes - start - length;
  if (found != expected)
    throwBadInput(what + (found < expected ? ": truncated: " : ": ") +
                  toString(parser.shape, type->dtype) + " takes " +
                  std::to_string(expected) + " bytes, found " +
                  std::to_string(found));
  return {type->dtype, parser.shape, start + length};
}

DType cleave::rt::getNumpyType(DType dtype) {
  if (isSmallFloat(dtype))
    return DType::UI8;
  return dtype == DType::BF16 ? DType::UI16 : dtype;
}

std::string cleave::rt::formatNpyHeader(const FileTensor &tensor) {
  DType dtype = getNumpyType(tensor.dtype);
  const char *descr = nullptr;
  for (const TypeName &candidate : typeNames)
    if (!descr && candidate.dtype == dtype)
      descr = candidate.name;
  std::string text = std::string("{'descr': '") + descr +
                     "', 'fortran_order': False, 'shape': (";
  for (size_t i = 0; i < tensor.shape.size(); ++i)
    text += (i ? " " : "") + std::to_string(tensor.shape[i]) + ",";
  if (tensor.shape.size() > 1)
    text.pop_back();
  text += "), }";
  // The data start at a multiple of 64; the last byte is a newline.
  size_t used = 10 + text.size() + 1;
  text.append((64 - used % 64) % 64, ' ');
  text += '\n';
  std::string header("\x93NUMPY\x01\x00", 8);
  header += static_cast<char>(text.size() & 0xff);
  header += static_cast<char>(text.size() >> 8);
  return header + text;
}
