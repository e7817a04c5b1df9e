//===- Npz.cpp - The npz format -------------------------------------------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A zip archive of npy files, stored or deflated.
//
//===----------------------------------------------------------------------===//

#include "runtime/core/Error.h"
#include "runtime/core/io/AtomicFile.h"
#include "runtime/core/io/NpyHeader.h"
#include "runtime/core/io/Zip.h"

#include <set>
#include <zlib.h>

using namespace cleave::rt;

namespace {
/// Checksums need the whole content, so a member is checked (and inflated) when
/// the archive is opened; shards are then copied out of it.
class Npz : public TensorFile {
public:
  explicit Npz(const std::string &path);
  const uint8_t *getData(int32_t index) override { return data[index]; }
  DType getStoredType(DType dtype) const override {
    return getNumpyType(dtype);
  }

private:
  std::vector<const uint8_t *> data;
  std::vector<std::vector<uint8_t>> inflated;
};
} // namespace

Npz::Npz(const std::string &path) : TensorFile(path) {
  const std::string suffix = ".npy";
  std::set<std::string> names;
  file.expectAll();
  for (const ZipMember &member :
       readZipDirectory(file.getData(), file.getSize(), quote(path))) {
    std::string name = member.name;
    if (name.size() < suffix.size() ||
        name.compare(name.size() - suffix.size(), suffix.size(), suffix) != 0)
      fail("member " + quote(name) + " is not an .npy file");
    name.resize(name.size() - suffix.size());
    if (!names.insert(name).second)
      fail("two members are named " + quote(member.name));
    const uint8_t *content = file.getData() + member.offset;
    if (member.isDeflated) {
      inflated.push_back(inflateMember(file.getData(), member, quote(path)));
      content = inflated.back().data();
    }
    checkCrc(content, member, quote(path));
    NpyHeader header = parseNpyHeader(content, member.contentBytes,
                                      quote(path) + ": member " + quote(name));
    tensors.push_back({name, header.dtype, header.shape});
    data.push_back(content + header.headerBytes);
  }
}

std::unique_ptr<TensorFile> cleave::rt::openNpz(const std::string &path) {
  return std::make_unique<Npz>(path);
}

namespace {
/// Little-endian fields of a zip record.
struct Record {
  std::string bytes;
  template <typename T> Record &add(T value) {
    bytes.append(reinterpret_cast<const char *>(&value), sizeof(value));
    return *this;
  }
};
} // namespace

void cleave::rt::writeNpz(AtomicFile &file,
                          const std::vector<MemoryTensor> &tensors) {
  // 1 January 1980, the earliest date of the format: equal data, equal files.
  constexpr uint32_t date = 0x00210000;
  Record directory;
  int64_t offset = 0;
  std::set<std::string> names;
  for (const MemoryTensor &item : tensors) {
    std::string name = item.tensor.name + ".npy";
    if (!names.insert(name).second)
      throwBadInput("cannot save two tensors named " + quote(item.tensor.name));
    std::string header = formatNpyHeader(item.tensor);
    int64_t dataBytes = getBytes(item.tensor.shape, item.tensor.dtype);
    int64_t bytes = static_cast<int64_t>(header.size()) + dataBytes;
    if (offset + bytes >= UINT32_MAX - 4096 || tensors.size() >= UINT16_MAX ||
        name.size() > UINT16_MAX)
      throwBadInput("an npz file takes at most 4 GiB; use safetensors");
    uLong crc = crc32_z(0, reinterpret_cast<const uint8_t *>(header.data()),
                        header.size());
    crc = crc32_z(crc, static_cast<const uint8_t *>(item.data), dataBytes);

    Record common; // the fields that both headers share
    common.add<uint16_t>(20).add<uint16_t>(0x800).add<uint16_t>(0);
    common.add<uint32_t>(date).add<uint32_t>(crc);
    common.add<uint32_t>(bytes).add<uint32_t>(bytes);
    common.add<uint16_t>(name.size()).add<uint16_t>(0);
    Record local;
    local.add<uint32_t>(0x04034b50);
    local.bytes += common.bytes + name;
    file.write(local.bytes);
    file.write(header);
    file.write(item.data, dataBytes);

    directory.add<uint32_t>(0x02014b50).add<uint16_t>(20);
    directory.bytes += common.bytes;
    directory.add<uint16_t>(0).add<uint16_t>(0).add<uint16_t>(0);
    directory.add<uint32_t>(0).add<uint32_t>(offset);
    directory.bytes += name;
    offset += static_cast<int64_t>(local.bytes.size()) + bytes;
  }
  Record end;
  end.add<uint32_t>(0x06054b50).add<uint16_t>(0).add<uint16_t>(0);
  end.add<uint16_t>(tensors.size()).add<uint16_t>(tensors.size());
  end.add<uint32_t>(directory.bytes.size()).add<uint32_t>(offset);
  end.add<uint16_t>(0);
  file.write(directory.bytes + end.bytes);
}
