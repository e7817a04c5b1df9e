//===- Model.h - What collectives must do, written naively ------*- C++ -*-===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Follows docs/manifest.md element by element and shares no arithmetic with the
// runtime: groups, positions and pieces are computed anew.
//
//===----------------------------------------------------------------------===//

#ifndef CLEAVE_RUNTIME_CONFORMANCE_MODEL_H
#define CLEAVE_RUNTIME_CONFORMANCE_MODEL_H

#include "runtime/core/Manifest.h"

namespace cleave::rt::model {

using Buffer = std::vector<uint8_t>;

/// What one rank must get.
struct Expected {
  Buffer bytes;
  /// Per element: whether its content is specified (padding is not).
  std::vector<bool> isSpecified;
  /// For reductions of floats: the exact result and an error bound.
  std::vector<double> exact, bound;
  /// Elements that come from other ranks.
  int64_t numReceived = 0;
};

/// The ranks of a group by position, computed from coordinates or as listed;
/// empty if the rank is in no group.
std::vector<int32_t> getGroup(const CollectiveSpec &spec, const Mesh &mesh,
                              int32_t rank);

/// Results of all ranks, given the operands of all ranks.
std::vector<Expected> run(const CollectiveSpec &spec, const Mesh &mesh,
                          const std::vector<Buffer> &operands);

/// Bytes received per docs/manifest.md, maximum over ranks.
int64_t getBytes(const CollectiveSpec &spec, const Mesh &mesh,
                 const std::vector<Expected> &expected);

} // namespace cleave::rt::model

#endif // CLEAVE_RUNTIME_CONFORMANCE_MODEL_H
