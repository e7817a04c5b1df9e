//===- TensorFile.cpp - Files of named tensors ----------------------------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/core/io/TensorFile.h"
#include "runtime/core/CopyPlan.h"
#include "runtime/core/Error.h"

#include <cstring>

using namespace cleave::rt;

int32_t TensorFile::find(const std::string &name) const {
  for (size_t i = 0; i < tensors.size(); ++i)
    if (tensors[i].name == name)
      return static_cast<int32_t>(i);
  return -1;
}

int32_t TensorFile::lookup(const std::string &name) const {
  if (tensors.size() == 1 && tensors[0].name.empty())
    return 0;
  int32_t index = find(name);
  if (index < 0)
    fail("there is no tensor " + quote(name));
  return index;
}

void TensorFile::fail(const std::string &text) const {
  throwBadInput(quote(path) + ": " + text);
}

void cleave::rt::checkBooleans(const void *data, int64_t count,
                               const std::string &what) {
  const uint8_t *bytes = static_cast<const uint8_t *>(data);
  uint8_t all = 0;
  for (int64_t i = 0; i < count; ++i)
    all |= bytes[i];
  if (all > 1)
    throwBadInput(what + ": a boolean that is neither 0 nor 1");
}

void TensorFile::read(int32_t index, const Rect &rect, const Shape &toShape,
                      void *to) {
  if (rect.isEmpty())
    return;
  const FileTensor &tensor = tensors[index];
  const uint8_t *data = getData(index);
  CopyPlan plan(tensor.shape, rect.begin, toShape, Shape(toShape.size(), 0),
                rect.size, rt::getSize(tensor.dtype));
  if (tensor.dtype == DType::I1)
    plan.forEachRun([&](int64_t from, int64_t, int64_t bytes) {
      checkBooleans(data + from, bytes,
                    quote(path) + (tensor.name.empty()
                                       ? ""
                                       : ": tensor " + quote(tensor.name)));
    });
  plan.run(data, to);
}

std::unique_ptr<TensorFile>
cleave::rt::openTensorFile(const std::string &path) {
  bool isNpy, isZip, isJson;
  {
    MappedFile file(path);
    auto startsWith = [&](int64_t offset, const char *magic, size_t size) {
      return file.getSize() >= static_cast<int64_t>(offset + size) &&
             std::memcmp(file.getData() + offset, magic, size) == 0;
    };
    isNpy = startsWith(0, "\x93NUMPY", 6);
    // An archive with no members has only its end record.
    isZip = startsWith(0, "PK\x03\x04", 4) || startsWith(0, "PK\x05\x06", 4);
    isJson = startsWith(8, "{", 1);
  }
  if (isNpy)
    return openNpy(path);
  if (isZip)
    return openNpz(path);
  if (isJson)
    return openSafetensors(path);
  throwBadInput(quote(path) +
                ": neither a safetensors nor an npy nor an npz file");
}
