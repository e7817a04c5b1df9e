//===- NpyHeader.h - The header of the npy format ---------------*- C++ -*-===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CLEAVE_RUNTIME_CORE_IO_NPYHEADER_H
#define CLEAVE_RUNTIME_CORE_IO_NPYHEADER_H

#include "runtime/core/io/TensorFile.h"

namespace cleave::rt {

/// What the header of an npy file says.
struct NpyHeader {
  DType dtype;
  Shape shape;
  int64_t headerBytes; ///< the data follow
};

/// Parses the header of an npy file that consists of `bytes` bytes at `data`
/// and checks that exactly the data follow. `what` names the file in
/// diagnostics.
NpyHeader parseNpyHeader(const uint8_t *data, int64_t bytes,
                         const std::string &what);

/// The type as which numpy holds elements: bf16 as the u2 of its bits, floats
/// of 8 bits as u1.
DType getNumpyType(DType dtype);

/// The header numpy would write.
std::string formatNpyHeader(const FileTensor &tensor);

} // namespace cleave::rt

#endif // CLEAVE_RUNTIME_CORE_IO_NPYHEADER_H
