//===- Npy.cpp - The npy format -------------------------------------------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/core/Error.h"
#include "runtime/core/io/AtomicFile.h"
#include "runtime/core/io/NpyHeader.h"

using namespace cleave::rt;

namespace {
/// One tensor without a name.
class Npy : public TensorFile {
public:
  explicit Npy(const std::string &path) : TensorFile(path) {
    NpyHeader header =
        parseNpyHeader(file.getData(), file.getSize(), quote(path));
    headerBytes = header.headerBytes;
    tensors.push_back({"", header.dtype, header.shape});
  }
  const uint8_t *getData(int32_t) override {
    return file.getData() + headerBytes;
  }
  DType getStoredType(DType dtype) const override {
    return getNumpyType(dtype);
  }

private:
  int64_t headerBytes;
};
} // namespace

std::unique_ptr<TensorFile> cleave::rt::openNpy(const std::string &path) {
  return std::make_unique<Npy>(path);
}

void cleave::rt::writeNpy(AtomicFile &file, const MemoryTensor &tensor) {
  file.write(formatNpyHeader(tensor.tensor));
  file.write(tensor.data, getBytes(tensor.tensor.shape, tensor.tensor.dtype));
}
