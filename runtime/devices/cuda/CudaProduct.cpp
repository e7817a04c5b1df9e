//===- CudaProduct.cpp - Matrix products as cuBLASLt's --------------------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/devices/cuda/CudaProduct.h"

#include <algorithm>
#include <cstdlib>
#include <numeric>

using namespace cleave::rt;

/// Bytes that addresses of buffers are multiples of.
constexpr int64_t bufferAlignment = 64;

namespace {
/// A batch dimension, or several that one stride walks. Strides in elements.
struct BatchDim {
  int64_t size, a, b, out;
};

/// A matrix as it is indexed.
struct Strided {
  int64_t rows, cols, rowStride, colStride;

  Strided transposed() const { return {cols, rows, colStride, rowStride}; }
  /// Whether columns are contiguous and do not overlap. The strides of a
  /// dimension of one element do not matter.
  bool isColumnMajor() const {
    return (rowStride == 1 || rows == 1) && (cols == 1 || colStride >= rows);
  }
  CleaveCudaMatrix asColumnMajor(int64_t batchStride) const {
    return {rows, cols, cols == 1 ? rows : colStride, batchStride};
  }
};
} // namespace

/// Of products of f32.
static CleaveCudaType getType(ProductType products) {
  switch (products) {
  case ProductType::TF32:
    return CleaveCudaTF32;
  case ProductType::BF16:
    return CleaveCudaF32ByBF16;
  case ProductType::F16:
    return CleaveCudaF32ByF16;
  case ProductType::F32:
    break;
  }
  return CleaveCudaF32;
}

static std::optional<CleaveCudaType> getType(DType type, ProductType products) {
  switch (type) {
  case DType::F16:
    return CleaveCudaF16;
  case DType::BF16:
    return CleaveCudaBF16;
  case DType::F32:
    return getType(products);
  case DType::F64:
    return CleaveCudaF64;
  default:
    return std::nullopt;
  }
}

static std::optional<CleaveCudaActivation> getActivation(const GemmSpec &spec) {
  switch (spec.activation) {
  case Activation::None:
    return CleaveCudaNoActivation;
  case Activation::Relu:
    return CleaveCudaRelu;
  case Activation::GeluTanh:
    return CleaveCudaGeluTanh;
  default:
    return std::nullopt;
  }
}

static std::vector<BatchDim> collapseBatch(const GemmSpec &spec) {
  std::vector<BatchDim> dims;
  for (size_t i = 0; i < spec.batch.size(); ++i) {
    BatchDim dim{spec.batch[i], spec.a.batch[i], spec.b.batch[i],
                 spec.out.batch[i]};
    if (dim.size == 1)
      continue;
    if (!dims.empty() && dims.back().a == dim.a * dim.size &&
        dims.back().b == dim.b * dim.size &&
        dims.back().out == dim.out * dim.size) {
      dim.size *= dims.back().size;
      dims.back() = dim;
    } else {
      dims.push_back(dim);
    }
  }
  return dims;
}

/// The offsets of all indices of `dims`.
static std::vector<CudaProduct::Offsets>
listOffsets(const std::vector<BatchDim> &dims) {
  std::vector<CudaProduct::Offsets> offsets = {{0, 0, 0}};
  for (const BatchDim &dim : dims) {
    std::vector<CudaProduct::Offsets> before = std::move(offsets);
    offsets.clear();
    for (const CudaProduct::Offsets &at : before)
      for (int64_t i = 0; i < dim.size; ++i)
        offsets.push_back(
            {at.a + i * dim.a, at.b + i * dim.b, at.out + i * dim.out});
  }
  return offsets;
}

/// An operand as cuBLASLt reads it; false if it is contiguous along no index.
static bool layOut(const Strided &matrix, int64_t batchStride,
                   CleaveCudaMatrix &result, int32_t &isTransposed) {
  isTransposed = !matrix.isColumnMajor();
  Strided stored = isTransposed ? matrix.transposed() : matrix;
  result = stored.asColumnMajor(batchStride);
  return stored.isColumnMajor();
}

std::optional<CudaProduct> cleave::rt::planCudaProduct(const GemmSpec &spec,
                                                       ProductType products) {
  auto type = getType(spec.dtype, products);
  auto activation = getActivation(spec);
  bool hasBias = spec.bias != Bias::None;
  if (!type || !activation || spec.k == 0 ||
      (spec.activation != Activation::None && spec.residual) ||
      (spec.dtype == DType::F64 &&
       (hasBias || spec.activation != Activation::None)))
    return std::nullopt;

  CudaProduct plan;
  plan.elementBytes = getSize(spec.dtype);
  std::vector<BatchDim> dims = collapseBatch(spec);
  BatchDim batch{1, 0, 0, 0};
  auto longest = std::max_element(
      dims.begin(), dims.end(),
      [](const BatchDim &x, const BatchDim &y) { return x.size < y.size; });
  if (longest != dims.end()) {
    batch = *longest;
    dims.erase(longest);
  }
  plan.calls = listOffsets(dims);

  Strided a{spec.m, spec.k, spec.a.row, spec.a.col};
  Strided b{spec.k, spec.n, spec.b.row, spec.b.col};
  Strided out{spec.m, spec.n, spec.out.row, spec.out.col};
  plan.isSwapped =
      out.transposed().isColumnMajor() && spec.bias != Bias::PerRow;
  if (plan.isSwapped) {
    std::swap(a, b);
    std::swap(batch.a, batch.b);
    a = a.transposed();
    b = b.transposed();
    out = out.transposed();
  } else if (spec.bias == Bias::PerColumn) {
    return std::nullopt;
  }
  CleaveCudaProduct &product = plan.product;
  product.type = *type;
  product.m = out.rows;
  product.n = out.cols;
  product.k = spec.k;
  product.count = batch.size;
  product.hasBias = hasBias;
  product.hasAddend = spec.residual;
  product.activation = *activation;
  if (!out.isColumnMajor() ||
      !layOut(a, batch.a, product.a, product.isATransposed) ||
      !layOut(b, batch.b, product.b, product.isBTransposed))
    return std::nullopt;
  product.d = out.asColumnMajor(batch.out);
  product.alignment = bufferAlignment;
  for (const CudaProduct::Offsets &at : plan.calls)
    for (int64_t offset : {at.a, at.b, at.out})
      product.alignment =
          std::gcd(product.alignment, std::abs(offset) * plan.elementBytes);
  return plan;
}

CleaveCudaOperands CudaProduct::at(size_t index, const void *a, const void *b,
                                   const void *bias, const void *residual,
                                   void *out) const {
  auto move = [&](const void *data, int64_t offset) {
    return data ? static_cast<const char *>(data) + offset * elementBytes
                : nullptr;
  };
  const Offsets &offsets = calls[index];
  const void *first = move(a, offsets.a), *second = move(b, offsets.b);
  if (isSwapped)
    std::swap(first, second);
  return {first, second, bias, move(residual, offsets.out),
          static_cast<char *>(out) + offsets.out * elementBytes};
}
