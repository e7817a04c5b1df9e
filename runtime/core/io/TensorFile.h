//===- TensorFile.h - Files of named tensors --------------------*- C++ -*-===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CLEAVE_RUNTIME_CORE_IO_TENSORFILE_H
#define CLEAVE_RUNTIME_CORE_IO_TENSORFILE_H

#include "runtime/core/Blocks.h"
#include "runtime/core/io/MappedFile.h"

#include <memory>

namespace cleave::rt {

class CopyPlan;

/// A tensor in a file: dense, row-major, little-endian.
struct FileTensor {
  std::string name;
  DType dtype;
  Shape shape;
};

/// An open, validated file. Reading is safe from several threads.
class TensorFile {
public:
  virtual ~TensorFile() = default;

  const std::string &getPath() const { return path; }
  const std::vector<FileTensor> &getTensors() const { return tensors; }
  /// Position of a tensor by name, or -1.
  int32_t find(const std::string &name) const;
  /// The same, or a BAD_INPUT error. In a file of one unnamed tensor any name
  /// finds it.
  int32_t lookup(const std::string &name) const;
  /// The type as which the format holds elements of `dtype`: numpy has neither
  /// bfloat16 nor floats of 8 bits, and holds their bits as u2 and u1.
  virtual DType getStoredType(DType dtype) const { return dtype; }

  /// The bytes of tensor `index`; no particular alignment.
  virtual const uint8_t *getData(int32_t index) = 0;

  /// All of the file will be read: the system may read ahead. Otherwise it
  /// reads the pages that hold a box and no others, and few of them are in the
  /// memory of the process at a time. An npz file is read whole when it is
  /// opened.
  void expectAll();

  /// Copies the box `rect` of tensor `index` to the origin of a dense buffer of
  /// shape `toShape`. Throws Error(BAD_INPUT) if an i1 holds anything but 0 and
  /// 1.
  void read(int32_t index, const Rect &rect, const Shape &toShape, void *to);

protected:
  explicit TensorFile(const std::string &path) : path(path), file(path) {}

  /// Throws Error(BAD_INPUT) with the path in front.
  [[noreturn]] void fail(const std::string &text) const;

  std::string path;
  MappedFile file;
  std::vector<FileTensor> tensors;

private:
  void copyOut(int32_t index, const CopyPlan &plan, void *to);

  bool isAllExpected = false;
};

/// Opens a file of any known format, told from its content.
std::unique_ptr<TensorFile> openTensorFile(const std::string &path);

std::unique_ptr<TensorFile> openSafetensors(const std::string &path);
std::unique_ptr<TensorFile> openNpy(const std::string &path);
std::unique_ptr<TensorFile> openNpz(const std::string &path);

class AtomicFile;

/// A tensor in memory, to be saved.
struct MemoryTensor {
  FileTensor tensor;
  const void *data;
};

void writeSafetensors(AtomicFile &file,
                      const std::vector<MemoryTensor> &tensors);
void writeNpy(AtomicFile &file, const MemoryTensor &tensor);
void writeNpz(AtomicFile &file, const std::vector<MemoryTensor> &tensors);

/// Throws Error(BAD_INPUT) if `count` bytes are not all 0 or 1.
void checkBooleans(const void *data, int64_t count, const std::string &name);

} // namespace cleave::rt

#endif // CLEAVE_RUNTIME_CORE_IO_TENSORFILE_H
