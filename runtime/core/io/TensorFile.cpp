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

#include <algorithm>
#include <cstring>
#include <functional>
#include <optional>

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

/// The most of a file that is in the memory of a process at a time, which is
/// also what the system reads ahead of the copy.
constexpr int64_t slabBytes = 8 << 20;
constexpr int64_t pageBytes = 4096;
/// What the system may put there around an access, if it has it.
constexpr int64_t aroundBytes = 64 << 10;

/// Bytes from the first element of a box to the last.
static int64_t getExtent(const FileTensor &tensor, const Rect &rect) {
  int64_t extent = 0;
  for (size_t i = 0; i < rect.size.size(); ++i)
    extent = extent * tensor.shape[i] + rect.size[i] - 1;
  return (extent + 1) * getSize(tensor.dtype);
}

/// Calls body(plan, extent) with plans that together copy `rect`, in order, and
/// bring about `slabBytes` of the file into memory each.
template <typename Body>
static void forEachSlab(const FileTensor &tensor, const Rect &rect,
                        const std::function<CopyPlan(const Rect &)> &makePlan,
                        const Body &body) {
  CopyPlan plan = makePlan(rect);
  int64_t numRuns = plan.getBytes() / plan.getRunBytes();
  int64_t extent = getExtent(tensor, rect);
  int64_t touched = std::min(extent, plan.getBytes() + numRuns * aroundBytes);
  size_t dim = 0;
  while (dim < rect.size.size() && rect.size[dim] == 1)
    ++dim;
  int64_t count = dim < rect.size.size() ? rect.size[dim] : 1;
  int64_t step =
      std::max<int64_t>(slabBytes / std::max<int64_t>(touched / count, 1), 1);
  if (step >= count)
    return body(plan, extent);
  for (int64_t begin = 0; begin < count; begin += step) {
    Rect part = rect;
    part.begin[dim] += begin;
    part.size[dim] = std::min(step, count - begin);
    forEachSlab(tensor, part, makePlan, body);
  }
}

/// Calls body(begin, bytes) for each run of pages that a copy touches.
template <typename Body>
static void forEachExtent(const CopyPlan &plan, const uint8_t *data,
                          Body &&body) {
  int64_t begin = plan.getFromStart(), end = begin;
  plan.forEachRun([&](int64_t from, int64_t, int64_t bytes) {
    if (from / pageBytes > end / pageBytes + 1) {
      body(data + begin, end - begin);
      begin = from;
    }
    end = from + bytes;
  });
  body(data + begin, end - begin);
}

void TensorFile::expectAll() {
  isAllExpected = true;
  file.expectAll();
}

void TensorFile::copyOut(int32_t index, const CopyPlan &plan, void *to) {
  const FileTensor &tensor = tensors[index];
  const uint8_t *data = getData(index);
  if (tensor.dtype == DType::I1)
    plan.forEachRun([&](int64_t from, int64_t, int64_t bytes) {
      checkBooleans(data + from, bytes,
                    quote(path) + (tensor.name.empty()
                                       ? ""
                                       : ": tensor " + quote(tensor.name)));
    });
  plan.run(data, to);
}

void TensorFile::read(int32_t index, const Rect &rect, const Shape &toShape,
                      void *to) {
  if (rect.isEmpty())
    return;
  const FileTensor &tensor = tensors[index];
  auto makePlan = [&](const Rect &part) {
    Shape toBegin(toShape.size());
    for (size_t i = 0; i < toBegin.size(); ++i)
      toBegin[i] = part.begin[i] - rect.begin[i];
    return CopyPlan(tensor.shape, part.begin, toShape, toBegin, part.size,
                    rt::getSize(tensor.dtype));
  };
  if (isAllExpected)
    return copyOut(index, makePlan(rect), to);
  // One slab is read by the system while the one before is copied.
  const uint8_t *data = getData(index);
  std::optional<CopyPlan> last;
  int64_t lastExtent = 0;
  auto copyLast = [&] {
    if (!last)
      return;
    copyOut(index, *last, to);
    file.release(data + last->getFromStart(), lastExtent);
  };
  forEachSlab(
      tensor, rect, makePlan, [&](const CopyPlan &slab, int64_t extent) {
        forEachExtent(slab, data, [&](const uint8_t *begin, int64_t bytes) {
          file.prefetch(begin, bytes);
        });
        copyLast();
        last = slab;
        lastExtent = extent;
      });
  copyLast();
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
