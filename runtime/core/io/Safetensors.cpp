//===- Safetensors.cpp - The safetensors format ---------------------------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// 8 bytes header length (little-endian), a JSON header {name: {dtype, shape,
// data_offsets}}, then the data, which the tensors cover without gap or
// overlap.
//
//===----------------------------------------------------------------------===//

#include "runtime/core/Error.h"
#include "runtime/core/JsonReader.h"
#include "runtime/core/io/AtomicFile.h"
#include "runtime/core/io/TensorFile.h"

#include <algorithm>
#include <cstring>

using namespace cleave::rt;
using nlohmann::json;

/// The limit of the reference implementation.
constexpr uint64_t maxHeaderBytes = 100'000'000;

namespace {
struct TypeName {
  const char *name;
  DType dtype;
};

class Safetensors : public TensorFile {
public:
  explicit Safetensors(const std::string &path);
  const uint8_t *getData(int32_t index) override {
    return data + begins[index];
  }

private:
  void readTensor(const std::string &name, const JsonReader &reader);
  void checkCoverage() const;

  const uint8_t *data;
  int64_t dataBytes;
  std::vector<int64_t> begins;
};
} // namespace

static const TypeName typeNames[] = {
    {"F32", DType::F32},
    {"F64", DType::F64},
    {"F16", DType::F16},
    {"BF16", DType::BF16},
    {"BOOL", DType::I1},
    {"I8", DType::I8},
    {"I16", DType::I16},
    {"I32", DType::I32},
    {"I64", DType::I64},
    {"U8", DType::UI8},
    {"U16", DType::UI16},
    {"U32", DType::UI32},
    {"U64", DType::UI64},
    // F8_E4M3 is the type without infinities.
    {"F8_E4M3", DType::F8E4M3FN},
    {"F8_E5M2", DType::F8E5M2},
    {"F8_E8M0", DType::F8E8M0FNU},
    {"F8_E4M3FNUZ", DType::F8E4M3FNUZ},
    {"F8_E5M2FNUZ", DType::F8E5M2FNUZ},
};

Safetensors::Safetensors(const std::string &path) : TensorFile(path) {
  uint64_t headerBytes;
  uint64_t size = file.getSize();
  if (size < sizeof(headerBytes))
    fail("truncated: " + std::to_string(size) + " bytes");
  std::memcpy(&headerBytes, file.getData(), sizeof(headerBytes));
  if (headerBytes > maxHeaderBytes)
    fail("the header claims " + std::to_string(headerBytes) + " bytes, over " +
         std::to_string(maxHeaderBytes));
  if (headerBytes > size - sizeof(headerBytes))
    fail("truncated: the header needs " + std::to_string(headerBytes) +
         " bytes, the file has " + std::to_string(size - sizeof(headerBytes)));
  const char *header =
      reinterpret_cast<const char *>(file.getData()) + sizeof(headerBytes);
  file.prefetch(file.getData(), sizeof(headerBytes) + headerBytes);
  data = file.getData() + sizeof(headerBytes) + headerBytes;
  dataBytes = size - sizeof(headerBytes) - headerBytes;

  json root = parseJson(header, header + headerBytes, quote(path));
  if (!root.is_object())
    fail("the header is not an object");
  for (const auto &[name, value] : root.items())
    if (name != "__metadata__")
      readTensor(name,
                 JsonReader(value, quote(path) + ": tensor " + quote(name)));
  checkCoverage();
}

void Safetensors::readTensor(const std::string &name,
                             const JsonReader &reader) {
  std::string typeName = reader.at("dtype").getString();
  auto type = std::find_if(
      std::begin(typeNames), std::end(typeNames),
      [&](const TypeName &candidate) { return typeName == candidate.name; });
  if (type == std::end(typeNames))
    reader.fail("unsupported dtype " + quote(typeName));
  FileTensor tensor{name, type->dtype, reader.at("shape").getInts(0)};
  std::optional<int64_t> elements =
      countElements(tensor.shape, cleave::rt::getSize(tensor.dtype));
  if (!elements)
    reader.fail("the size in bytes overflows");
  std::vector<int64_t> offsets = reader.at("data_offsets").getInts(0);
  if (offsets.size() != 2 || offsets[0] > offsets[1])
    reader.fail("data_offsets must be [begin, end]");
  if (offsets[1] > dataBytes)
    reader.fail("data_offsets end at byte " + std::to_string(offsets[1]) +
                ", but the file has " + std::to_string(dataBytes) +
                " bytes of data");
  int64_t expected = *elements * cleave::rt::getSize(tensor.dtype);
  if (offsets[1] - offsets[0] != expected)
    reader.fail("data_offsets span " + std::to_string(offsets[1] - offsets[0]) +
                " bytes, but " + toString(tensor.shape, tensor.dtype) +
                " takes " + std::to_string(expected));
  tensors.push_back(std::move(tensor));
  begins.push_back(offsets[0]);
}

void Safetensors::checkCoverage() const {
  std::vector<size_t> order(tensors.size());
  for (size_t i = 0; i < order.size(); ++i)
    order[i] = i;
  auto getEnd = [&](size_t i) {
    return begins[i] + getBytes(tensors[i].shape, tensors[i].dtype);
  };
  std::sort(order.begin(), order.end(), [&](size_t i, size_t j) {
    return std::pair(begins[i], getEnd(i)) < std::pair(begins[j], getEnd(j));
  });
  int64_t end = 0;
  for (size_t i : order) {
    if (begins[i] < end)
      fail("tensor " + quote(tensors[i].name) + " overlaps another one");
    if (begins[i] > end)
      fail("bytes " + std::to_string(end) + " to " + std::to_string(begins[i]) +
           " of the data belong to no tensor");
    end = getEnd(i);
  }
  if (end != dataBytes)
    fail("bytes " + std::to_string(end) + " to " + std::to_string(dataBytes) +
         " of the data belong to no tensor");
}

std::unique_ptr<TensorFile>
cleave::rt::openSafetensors(const std::string &path) {
  return std::make_unique<Safetensors>(path);
}

void cleave::rt::writeSafetensors(AtomicFile &file,
                                  const std::vector<MemoryTensor> &tensors) {
  json header = json::object();
  int64_t offset = 0;
  for (const MemoryTensor &item : tensors) {
    const FileTensor &tensor = item.tensor;
    auto type = std::find_if(std::begin(typeNames), std::end(typeNames),
                             [&](const TypeName &candidate) {
                               return tensor.dtype == candidate.dtype;
                             });
    if (type == std::end(typeNames))
      throwBadInput("safetensors has no type for tensor " + quote(tensor.name) +
                    " of " + getName(tensor.dtype) +
                    "; save its bits, or save it as npy");
    int64_t end = offset + getBytes(tensor.shape, tensor.dtype);
    if (tensor.name == "__metadata__" || header.contains(tensor.name))
      throwBadInput("cannot save a tensor named " + quote(tensor.name) +
                    ": the name is taken");
    header[tensor.name] = {{"dtype", type->name},
                           {"shape", tensor.shape},
                           {"data_offsets", {offset, end}}};
    offset = end;
  }
  std::string text;
  try {
    text = header.dump();
  } catch (const json::exception &) {
    throwBadInput("cannot save a tensor whose name is not UTF-8");
  }
  // Data should be aligned for readers that map the file.
  text.append((8 - text.size() % 8) % 8, ' ');
  uint64_t headerBytes = text.size();
  file.write(&headerBytes, sizeof(headerBytes));
  file.write(text);
  for (const MemoryTensor &item : tensors)
    file.write(item.data, getBytes(item.tensor.shape, item.tensor.dtype));
}
