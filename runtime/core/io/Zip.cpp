//===- Zip.cpp - The zip container, as far as npz needs it ----------------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/core/io/Zip.h"
#include "runtime/core/Error.h"

#include <algorithm>
#include <cstring>
#include <zlib.h>

using namespace cleave::rt;

namespace {
/// Little-endian fields at a checked position.
class Reader {
public:
  Reader(const uint8_t *data, int64_t size, const std::string &what)
      : data(data), size(size), what(what) {}

  [[noreturn]] void fail(const std::string &text) const {
    throwBadInput(what + ": " + text);
  }
  /// Moves to an absolute position.
  void seek(uint64_t position) {
    if (position > static_cast<uint64_t>(size))
      fail("truncated zip archive");
    next = static_cast<int64_t>(position);
  }
  int64_t tell() const { return next; }
  const uint8_t *take(int64_t bytes) {
    if (bytes > size - next)
      fail("truncated zip archive");
    const uint8_t *result = data + next;
    next += bytes;
    return result;
  }
  template <typename T> T read() {
    T value;
    std::memcpy(&value, take(sizeof(T)), sizeof(T));
    return value;
  }
  void skip(int64_t bytes) { take(bytes); }

private:
  const uint8_t *data;
  int64_t size;
  const std::string &what;
  int64_t next = 0;
};
} // namespace

constexpr uint32_t localSignature = 0x04034b50;
constexpr uint32_t centralSignature = 0x02014b50;
constexpr uint32_t endSignature = 0x06054b50;
constexpr uint32_t end64Signature = 0x06064b50;
constexpr uint32_t locator64Signature = 0x07064b50;
constexpr int64_t endBytes = 22, locator64Bytes = 20;

/// Finds the central directory: its offset and number of members.
static void findDirectory(Reader &reader, const uint8_t *data, int64_t size,
                          uint64_t &offset, uint64_t &count) {
  // The end record is last, before a comment of at most 65535 bytes.
  int64_t position = size - endBytes;
  int64_t lowest = std::max<int64_t>(0, position - 65535);
  for (; position >= lowest; --position) {
    uint32_t signature;
    std::memcpy(&signature, data + position, sizeof(signature));
    if (signature == endSignature)
      break;
  }
  if (position < lowest)
    reader.fail("truncated zip archive: no end record");
  reader.seek(position + 10);
  count = reader.read<uint16_t>();
  reader.skip(4);
  offset = reader.read<uint32_t>();
  if (offset != UINT32_MAX && count != UINT16_MAX)
    return;
  if (position < locator64Bytes)
    reader.fail("damaged zip archive");
  reader.seek(position - locator64Bytes);
  if (reader.read<uint32_t>() != locator64Signature)
    reader.fail("damaged zip archive");
  reader.skip(4);
  reader.seek(reader.read<uint64_t>());
  if (reader.read<uint32_t>() != end64Signature)
    reader.fail("damaged zip archive");
  reader.skip(28);
  count = reader.read<uint64_t>();
  reader.skip(8);
  offset = reader.read<uint64_t>();
}

/// Sizes and offset that do not fit 32 bits are in the extra field.
static void readZip64Extra(Reader &reader, int64_t extraBytes,
                           uint64_t &content, uint64_t &stored,
                           uint64_t &offset) {
  int64_t end = reader.tell() + extraBytes;
  while (reader.tell() + 4 <= end) {
    uint16_t id = reader.read<uint16_t>();
    uint16_t bytes = reader.read<uint16_t>();
    int64_t fieldEnd = reader.tell() + bytes;
    if (fieldEnd > end)
      reader.fail("damaged zip archive");
    if (id == 1)
      for (uint64_t *value : {&content, &stored, &offset})
        if (*value == UINT32_MAX && reader.tell() + 8 <= fieldEnd)
          *value = reader.read<uint64_t>();
    reader.seek(fieldEnd);
  }
  reader.seek(end);
}

static ZipMember readMember(Reader &reader, int64_t size) {
  if (reader.read<uint32_t>() != centralSignature)
    reader.fail("damaged zip archive");
  reader.skip(4);
  uint16_t flags = reader.read<uint16_t>();
  uint16_t method = reader.read<uint16_t>();
  reader.skip(4);
  ZipMember member;
  member.crc = reader.read<uint32_t>();
  uint64_t stored = reader.read<uint32_t>();
  uint64_t content = reader.read<uint32_t>();
  uint16_t nameBytes = reader.read<uint16_t>();
  uint16_t extraBytes = reader.read<uint16_t>();
  uint16_t commentBytes = reader.read<uint16_t>();
  reader.skip(8);
  uint64_t offset = reader.read<uint32_t>();
  member.name.assign(reinterpret_cast<const char *>(reader.take(nameBytes)),
                     nameBytes);
  readZip64Extra(reader, extraBytes, content, stored, offset);
  reader.skip(commentBytes);
  int64_t next = reader.tell();

  if (flags & 1)
    reader.fail("member " + quote(member.name) + " is encrypted");
  if (method != 0 && method != 8)
    reader.fail("member " + quote(member.name) +
                " uses unknown compression method " + std::to_string(method));
  member.isDeflated = method == 8;
  // deflate never exceeds a ratio of 1032, so that a lying size cannot ask for
  // much more memory than the file has.
  if (stored > static_cast<uint64_t>(size) ||
      (member.isDeflated ? content > (stored + 1) * 1032 : content != stored))
    reader.fail("member " + quote(member.name) + " has an impossible size");
  member.storedBytes = static_cast<int64_t>(stored);
  member.contentBytes = static_cast<int64_t>(content);

  // The local header repeats name and extra field, whose length may differ.
  reader.seek(offset);
  if (reader.read<uint32_t>() != localSignature)
    reader.fail("damaged zip archive");
  reader.skip(22);
  uint16_t localNameBytes = reader.read<uint16_t>();
  uint16_t localExtraBytes = reader.read<uint16_t>();
  reader.skip(localNameBytes);
  reader.skip(localExtraBytes);
  member.offset = reader.tell();
  reader.skip(member.storedBytes);
  reader.seek(next);
  return member;
}

std::vector<ZipMember> cleave::rt::readZipDirectory(const uint8_t *data,
                                                    int64_t size,
                                                    const std::string &what) {
  Reader reader(data, size, what);
  uint64_t offset, count;
  findDirectory(reader, data, size, offset, count);
  reader.seek(offset);
  std::vector<ZipMember> members;
  for (uint64_t i = 0; i < count; ++i)
    members.push_back(readMember(reader, size));
  return members;
}

std::vector<uint8_t> cleave::rt::inflateMember(const uint8_t *data,
                                               const ZipMember &member,
                                               const std::string &what) {
  std::vector<uint8_t> content(member.contentBytes);
  z_stream stream = {};
  // Negative: raw deflate without a zlib header.
  if (inflateInit2(&stream, -MAX_WBITS) != Z_OK)
    throw std::bad_alloc();
  // zlib counts in 32 bits.
  constexpr int64_t chunk = 1 << 30;
  int64_t in = 0, out = 0;
  uint8_t beyond;
  int status = Z_OK;
  while (status == Z_OK) {
    if (stream.avail_in == 0) {
      int64_t bytes = std::min(chunk, member.storedBytes - in);
      stream.next_in = const_cast<uint8_t *>(data + member.offset + in);
      stream.avail_in = static_cast<uInt>(bytes);
      in += bytes;
    }
    // After the last expected byte one more is offered, to notice excess.
    bool isBeyond = out == member.contentBytes;
    int64_t room = isBeyond ? 1 : std::min(chunk, member.contentBytes - out);
    stream.next_out = isBeyond ? &beyond : content.data() + out;
    stream.avail_out = static_cast<uInt>(room);
    status = inflate(&stream, Z_NO_FLUSH);
    int64_t produced = room - stream.avail_out;
    if (isBeyond && produced)
      status = Z_DATA_ERROR;
    out += produced;
  }
  inflateEnd(&stream);
  if (status != Z_STREAM_END || out != member.contentBytes)
    throwBadInput(what + ": member " + quote(member.name) + " is damaged");
  return content;
}

void cleave::rt::checkCrc(const uint8_t *content, const ZipMember &member,
                          const std::string &what) {
  uLong crc = crc32_z(0, content, member.contentBytes);
  if (crc != member.crc)
    throwBadInput(what + ": member " + quote(member.name) +
                  " has a wrong checksum");
}
