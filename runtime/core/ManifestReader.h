//===- ManifestReader.h - The parts of a manifest ------------- -*- C++ -*-===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each function reads one part, and throws BAD_INPUT that names the place where
// it is damaged.
//
//===----------------------------------------------------------------------===//

#ifndef CLEAVE_RUNTIME_CORE_MANIFESTREADER_H
#define CLEAVE_RUNTIME_CORE_MANIFESTREADER_H

#include "runtime/core/JsonReader.h"
#include "runtime/core/Manifest.h"

namespace cleave::rt {

/// Beyond these a manifest is damaged rather than ambitious.
constexpr int64_t maxRanks = 1 << 16;
constexpr size_t maxDims = 32;

// Manifest.cpp
DType readDType(const JsonReader &reader);
/// A shape whose size in bytes is a number of 64 bits.
Shape readShape(const JsonReader &reader, DType dtype);
/// Axes of which no two split the same part of one.
AxisList readDisjointAxes(const JsonReader &reader, const Mesh &mesh);

// ManifestCollectives.cpp
CollectiveSpec readCollective(const JsonReader &reader, const Mesh &mesh);

// ManifestProducts.cpp
GemmSpec readGemm(const JsonReader &reader,
                  const std::vector<TensorSpec> &inputs);
ConvolutionSpec readConvolution(const JsonReader &reader);

} // namespace cleave::rt

#endif // CLEAVE_RUNTIME_CORE_MANIFESTREADER_H
