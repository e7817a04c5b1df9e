//===- Manifest.h - What the runtime knows of a program ---------*- C++ -*-===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The parsed and validated form of docs/manifest.md. After parseManifest every
// index, shape and size can be relied upon.
//
//===----------------------------------------------------------------------===//

#ifndef CLEAVE_RUNTIME_CORE_MANIFEST_H
#define CLEAVE_RUNTIME_CORE_MANIFEST_H

#include "runtime/core/DType.h"
#include "runtime/core/Mesh.h"

#include <optional>
#include <utility>

namespace cleave::rt {

struct TensorSpec {
  std::string name;
  DType dtype;
  Shape shape;      ///< global
  Shape localShape; ///< of each rank's shard, padding included
  std::vector<AxisList> sharding;
  std::string location;
  bool isDonated = false; ///< an input that the program may overwrite
  int32_t input = -1; ///< of an output: the donated input whose memory it has
};

enum class CollectiveKind : uint8_t {
  AllGather,
  AllSlice,
  AllReduce,
  ReduceScatter,
  AllToAll,
  CollectivePermute,
  Broadcast,
  HaloExchange,
  WindowExchange,
};

enum class Reduction : uint8_t { Sum, Max, Min, Prod, And, Or };

/// Elements begin to begin + count of a line, at index `at` of a dimension.
struct LineSegment {
  int64_t begin, count, at;
};

struct CollectiveSpec {
  CollectiveKind kind;
  DType dtype;
  AxisList axes;
  /// By position each; empty if groups are along `axes`.
  std::vector<std::vector<int32_t>> groups;
  Shape operandShape, resultShape; ///< local
  std::string location, cause, axisNames;
  /// all_gather, all_slice, reduce_scatter, halo_exchange, window_exchange
  int32_t dim = 0;
  int32_t splitDim = 0;  ///< all_to_all
  int32_t concatDim = 0; ///< all_to_all
  Reduction reduction = Reduction::Sum;
  std::vector<std::pair<int32_t, int32_t>> pairs; ///< collective_permute
  int32_t root = 0;                               ///< broadcast
  int64_t size = 0, low = 0, high = 0;            ///< halo_exchange
  std::vector<LineSegment> blocks, windows;       ///< window_exchange
};

/// Strides in elements.
struct MatrixLayout {
  std::vector<int64_t> batch;
  int64_t row, col;
};

enum class Bias : uint8_t { None, PerColumn, PerRow };
enum class Activation : uint8_t { None, Relu, GeluErf, GeluTanh, Silu };
/// The type of what products of f32 multiply.
enum class ProductType : uint8_t { F32, TF32, BF16, F16 };

struct GemmSpec {
  DType dtype;
  std::vector<int64_t> batch; ///< sizes
  int64_t m, n, k;
  MatrixLayout a, b, out;
  Bias bias;
  Activation activation;
  bool residual;
  int32_t bInput = -1;    ///< the input that is b, if the program never
                          ///< writes it
  bool bConstant = false; ///< b is the same in every step
  std::string location;
  /// Types of operands that are floats of 8 bits; `dtype` if nothing.
  std::optional<DType> aDType, bDType;

  DType getADType() const { return aDType.value_or(dtype); }
  DType getBDType() const { return bDType.value_or(dtype); }
  /// Whether a packed copy of b can serve several steps.
  bool isBKept() const { return bInput >= 0 || bConstant; }
};

/// How windows walk over one spatial dimension, as in exec.convolution.
struct WindowSpec {
  int64_t size, count, taps, stride, low, baseDilation, windowDilation;
  bool reversed;
};

struct ConvolutionSpec {
  DType dtype;
  int64_t batch, groups, features, outputs; ///< the latter two of a group
  std::vector<WindowSpec> windows;
  // Strides in elements.
  struct {
    int64_t batch, group, feature;
    std::vector<int64_t> spatial;
  } lhs;
  struct {
    int64_t group, output, feature;
    std::vector<int64_t> spatial;
  } kernel;
  struct {
    int64_t batch, group, output;
    std::vector<int64_t> spatial;
  } out;
  bool hasBias;
  Activation activation;
  bool residual;
};

/// A buffer of the arena that lies alone on its pages, and the positions of
/// the first and last operation that it is in use for.
struct GuardedBuffer {
  int64_t offset, bytes;
  int32_t first, last;
  std::string location; ///< of what it is for, may be ""
};

/// One operation, for messages.
struct GuardedOperation {
  std::string what, location;
};

/// Of a program whose buffers lie between inaccessible pages.
struct GuardSpec {
  int64_t pageBytes;
  std::vector<GuardedBuffer> buffers;
  std::vector<GuardedOperation> operations; ///< by position
};

struct Manifest {
  std::string name;
  Mesh mesh;
  std::vector<int32_t> deviceIds; ///< of each rank; the identity if absent
  std::string target = "host";    ///< or cuda:CHIP
  /// To what a GPU's libraries round operands of products of f32.
  ProductType products = ProductType::F32;
  int64_t arenaBytes;
  int32_t numEvents = 0;
  /// The program tells what its operations access.
  bool checksStreams = false;
  /// Library calls round each product before they add it, in order of the
  /// index.
  bool isStepwise = false;
  std::vector<TensorSpec> inputs, outputs;
  std::vector<CollectiveSpec> collectives;
  std::vector<GemmSpec> gemms;
  std::vector<ConvolutionSpec> convolutions;
  std::vector<AxisList> axisLists;
  std::optional<GuardSpec> guards;

  bool isForGpu() const { return target != "host"; }
};

/// Throws Error(BAD_INPUT) naming the offending entry.
Manifest parseManifest(const std::string &text);

/// The manifest's name of a kind.
const char *getName(CollectiveKind kind);

} // namespace cleave::rt

#endif // CLEAVE_RUNTIME_CORE_MANIFEST_H
