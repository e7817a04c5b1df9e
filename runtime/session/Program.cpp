//===- Program.cpp - The C interface to programs --------------------------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/session/Program.h"
#include "runtime/core/Error.h"

using namespace cleave::rt;

int32_t cleave::rt::findTensor(const std::vector<TensorSpec> &tensors,
                               const char *name) {
  for (size_t i = 0; i < tensors.size(); ++i)
    if (tensors[i].name == name)
      return static_cast<int32_t>(i);
  return -1;
}

static int32_t describeTensor(const std::vector<TensorSpec> &tensors,
                              const char *what, int32_t index,
                              cleave_rt_tensor_info *info) {
  return guard([&] {
    if (index < 0 || static_cast<size_t>(index) >= tensors.size())
      throwBadInput(std::string("there is no ") + what + " " +
                    std::to_string(index));
    const TensorSpec &tensor = tensors[index];
    info->name = tensor.name.c_str();
    info->dtype = getName(tensor.dtype);
    info->rank = static_cast<int32_t>(tensor.shape.size());
    info->shape = tensor.shape.data();
    info->local_shape = tensor.localShape.data();
    info->bytes = getBytes(tensor.shape, tensor.dtype);
    info->location = tensor.location.c_str();
  });
}

extern "C" {

int32_t cleave_rt_program_create(const char *manifest, cleave_rt_step step,
                                 cleave_rt_program **program) {
  return guard([&] {
    auto parsed = std::make_shared<const Manifest>(parseManifest(manifest));
    *program = new cleave_rt_program{std::move(parsed), step};
  });
}

void cleave_rt_program_destroy(cleave_rt_program *program) { delete program; }

const char *cleave_rt_program_name(const cleave_rt_program *program) {
  return program->manifest->name.c_str();
}

int32_t cleave_rt_program_num_ranks(const cleave_rt_program *program) {
  return program->manifest->mesh.getSize();
}

int32_t cleave_rt_program_num_inputs(const cleave_rt_program *program) {
  return static_cast<int32_t>(program->manifest->inputs.size());
}

int32_t cleave_rt_program_num_outputs(const cleave_rt_program *program) {
  return static_cast<int32_t>(program->manifest->outputs.size());
}

int64_t cleave_rt_program_arena_bytes(const cleave_rt_program *program) {
  return program->manifest->arenaBytes;
}

int32_t cleave_rt_program_input(const cleave_rt_program *program, int32_t index,
                                cleave_rt_tensor_info *info) {
  return describeTensor(program->manifest->inputs, "input", index, info);
}

int32_t cleave_rt_program_output(const cleave_rt_program *program,
                                 int32_t index, cleave_rt_tensor_info *info) {
  return describeTensor(program->manifest->outputs, "output", index, info);
}

int32_t cleave_rt_program_find_input(const cleave_rt_program *program,
                                     const char *name) {
  return findTensor(program->manifest->inputs, name);
}

int32_t cleave_rt_program_find_output(const cleave_rt_program *program,
                                      const char *name) {
  return findTensor(program->manifest->outputs, name);
}

} // extern "C"
