//===- FileApi.cpp - The C interface to tensor files ----------------------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "cleave-rt/session.h"
#include "runtime/core/Error.h"
#include "runtime/core/io/AtomicFile.h"
#include "runtime/core/io/TensorFile.h"

using namespace cleave::rt;

struct cleave_rt_file {
  std::unique_ptr<TensorFile> file;
};

static const FileTensor &getTensor(const cleave_rt_file *file, int32_t index) {
  const std::vector<FileTensor> &tensors = file->file->getTensors();
  if (index < 0 || static_cast<size_t>(index) >= tensors.size())
    throwBadInput("there is no tensor " + std::to_string(index) + " in " +
                  quote(file->file->getPath()));
  return tensors[index];
}

static MemoryTensor toMemoryTensor(const cleave_rt_file_tensor &tensor) {
  std::string name = tensor.name ? tensor.name : "";
  std::optional<DType> dtype = parseDType(tensor.dtype ? tensor.dtype : "");
  if (!dtype)
    throwBadInput("tensor " + quote(name) + " has an unknown dtype");
  Shape shape(tensor.shape, tensor.shape + tensor.rank);
  std::optional<int64_t> elements = countElements(shape, getSize(*dtype));
  if (!elements || *elements * getSize(*dtype) != tensor.bytes)
    throwBadInput("tensor " + quote(name) + " of " + toString(shape, *dtype) +
                  " does not take " + std::to_string(tensor.bytes) + " bytes");
  return {{name, *dtype, shape}, tensor.data};
}

static std::vector<MemoryTensor>
toMemoryTensors(const cleave_rt_file_tensor *tensors, int32_t count) {
  std::vector<MemoryTensor> result;
  for (int32_t i = 0; i < count; ++i)
    result.push_back(toMemoryTensor(tensors[i]));
  return result;
}

extern "C" int32_t cleave_rt_file_open(const char *path,
                                       cleave_rt_file **file) {
  return guard([&] { *file = new cleave_rt_file{openTensorFile(path)}; });
}

extern "C" void cleave_rt_file_close(cleave_rt_file *file) { delete file; }

extern "C" int32_t cleave_rt_file_num_tensors(const cleave_rt_file *file) {
  return static_cast<int32_t>(file->file->getTensors().size());
}

extern "C" int32_t cleave_rt_file_tensor_info(const cleave_rt_file *file,
                                              int32_t index,
                                              cleave_rt_file_tensor *info) {
  return guard([&] {
    const FileTensor &tensor = getTensor(file, index);
    *info = {tensor.name.c_str(),
             getName(tensor.dtype),
             static_cast<int32_t>(tensor.shape.size()),
             tensor.shape.data(),
             nullptr,
             getBytes(tensor.shape, tensor.dtype)};
  });
}

extern "C" int32_t cleave_rt_file_read(cleave_rt_file *file, int32_t index,
                                       void *data, int64_t bytes) {
  return guard([&] {
    const FileTensor &tensor = getTensor(file, index);
    if (bytes != getBytes(tensor.shape, tensor.dtype))
      throwBadInput("tensor " + quote(tensor.name) + " takes " +
                    std::to_string(getBytes(tensor.shape, tensor.dtype)) +
                    " bytes, not " + std::to_string(bytes));
    Rect all{Shape(tensor.shape.size(), 0), tensor.shape};
    file->file->read(index, all, tensor.shape, data);
  });
}

extern "C" int32_t cleave_rt_save_safetensors(
    const char *path, const cleave_rt_file_tensor *tensors, int32_t count) {
  return guard([&] {
    AtomicFile file(path);
    writeSafetensors(file, toMemoryTensors(tensors, count));
    file.commit();
  });
}

extern "C" int32_t cleave_rt_save_npy(const char *path,
                                      const cleave_rt_file_tensor *tensor) {
  return guard([&] {
    AtomicFile file(path);
    writeNpy(file, toMemoryTensor(*tensor));
    file.commit();
  });
}

extern "C" int32_t cleave_rt_save_npz(const char *path,
                                      const cleave_rt_file_tensor *tensors,
                                      int32_t count) {
  return guard([&] {
    AtomicFile file(path);
    writeNpz(file, toMemoryTensors(tensors, count));
    file.commit();
  });
}
