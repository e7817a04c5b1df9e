//===- Products.cpp - cuBLASLt, as its descriptors say --------------------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Nothing is known of a product but what its descriptors say, so that a wrong
// layout gives wrong numbers or an error.
//
//===----------------------------------------------------------------------===//

#include "FakeCuda.h"
#include "runtime/core/Half.h"

#include <array>
#include <cmath>
#include <cstring>
#include <cublasLt.h>

using namespace cleave::fake;
using namespace cleave::rt;

namespace {
struct Layout {
  cudaDataType_t type;
  int64_t rows, cols, ld;
  int32_t batch = 1;
  int64_t batchStride = 0;

  bool isValid() const { return rows > 0 && cols > 0 && ld >= rows; }
  int64_t index(int64_t matrix, int64_t row, int64_t col) const {
    return matrix * batchStride + col * ld + row;
  }
  int64_t numElements() const {
    return (batch - 1) * batchStride + (cols - 1) * ld + rows;
  }
};

struct Description {
  cublasComputeType_t compute;
  cublasOperation_t a = CUBLAS_OP_N, b = CUBLAS_OP_N;
  cublasLtEpilogue_t epilogue = CUBLASLT_EPILOGUE_DEFAULT;
  const void *bias = nullptr;
};

struct Preference {
  uint64_t scratch = 0;
  uint32_t alignment = 256;
};
} // namespace

//===----------------------------------------------------------------------===//
// Handles: addresses of what they stand for
//===----------------------------------------------------------------------===//

template <typename T, typename Handle> static T &as(Handle handle) {
  return *reinterpret_cast<T *>(handle);
}

template <typename T, typename Handle>
static cublasStatus_t create(const char *function, Handle *handle, T value) {
  if (mustFail(function))
    return CUBLAS_STATUS_INTERNAL_ERROR;
  *handle = reinterpret_cast<Handle>(new T(value));
  return CUBLAS_STATUS_SUCCESS;
}

template <typename T, typename Handle>
static cublasStatus_t destroy(const char *function, Handle handle) {
  delete reinterpret_cast<T *>(handle);
  return mustFail(function) ? CUBLAS_STATUS_INTERNAL_ERROR
                            : CUBLAS_STATUS_SUCCESS;
}

//===----------------------------------------------------------------------===//
// Numbers
//===----------------------------------------------------------------------===//

static bool isHalf(cudaDataType_t type) {
  return type == CUDA_R_16F || type == CUDA_R_16BF;
}
static int64_t getBytes(cudaDataType_t type) {
  return isHalf(type) ? 2 : type == CUDA_R_64F ? 8 : 4;
}

template <typename T> static T loadAs(const char *data) {
  T value;
  std::memcpy(&value, data, sizeof(value));
  return value;
}

static double load(cudaDataType_t type, const char *data, int64_t index) {
  data += index * getBytes(type);
  switch (type) {
  case CUDA_R_16F:
    return toFloat(loadAs<F16>(data));
  case CUDA_R_16BF:
    return toFloat(loadAs<BF16>(data));
  case CUDA_R_64F:
    return loadAs<double>(data);
  default:
    return loadAs<float>(data);
  }
}

template <typename T> static void storeAs(char *data, T value) {
  std::memcpy(data, &value, sizeof(value));
}

static void store(cudaDataType_t type, char *data, int64_t index,
                  double value) {
  data += index * getBytes(type);
  float single = static_cast<float>(value);
  switch (type) {
  case CUDA_R_16F:
    return storeAs(data, toF16(single));
  case CUDA_R_16BF:
    return storeAs(data, toBF16(single));
  case CUDA_R_64F:
    return storeAs(data, value);
  default:
    return storeAs(data, single);
  }
}

/// Operands of tf32 have 10 bits after the point.
static double toTF32(double value) {
  uint32_t bits = toBits(static_cast<float>(value));
  return fromBits((bits + 0x1000) & 0xffffe000);
}

//===----------------------------------------------------------------------===//
// Descriptors
//===----------------------------------------------------------------------===//

FAKE_API const char *cublasLtGetStatusString(cublasStatus_t status) {
  switch (status) {
  case CUBLAS_STATUS_NOT_SUPPORTED:
    return "CUBLAS_STATUS_NOT_SUPPORTED";
  case CUBLAS_STATUS_INVALID_VALUE:
    return "CUBLAS_STATUS_INVALID_VALUE";
  default:
    return "CUBLAS_STATUS_INTERNAL_ERROR";
  }
}

FAKE_API cublasStatus_t cublasLtCreate(cublasLtHandle_t *handle) {
  return create(__func__, handle, 0);
}

FAKE_API cublasStatus_t cublasLtDestroy(cublasLtHandle_t handle) {
  return destroy<int>(__func__, handle);
}

FAKE_API cublasStatus_t
cublasLtMatrixLayoutCreate(cublasLtMatrixLayout_t *layout, cudaDataType_t type,
                           uint64_t rows, uint64_t cols, int64_t ld) {
  return create(__func__, layout,
                Layout{type, int64_t(rows), int64_t(cols), ld});
}

FAKE_API cublasStatus_t
cublasLtMatrixLayoutDestroy(const cublasLtMatrixLayout_t layout) {
  return destroy<Layout>(__func__, layout);
}

FAKE_API cublasStatus_t cublasLtMatrixLayoutSetAttribute(
    cublasLtMatrixLayout_t layout, cublasLtMatrixLayoutAttribute_t attribute,
    const void *value, size_t) {
  if (mustFail("cublasLtMatrixLayoutSetAttribute"))
    return CUBLAS_STATUS_INTERNAL_ERROR;
  Layout &matrix = as<Layout>(layout);
  if (attribute == CUBLASLT_MATRIX_LAYOUT_BATCH_COUNT)
    matrix.batch = *static_cast<const int32_t *>(value);
  else if (attribute == CUBLASLT_MATRIX_LAYOUT_STRIDED_BATCH_OFFSET)
    matrix.batchStride = *static_cast<const int64_t *>(value);
  else
    return CUBLAS_STATUS_NOT_SUPPORTED;
  return CUBLAS_STATUS_SUCCESS;
}

FAKE_API cublasStatus_t cublasLtMatmulDescCreate(cublasLtMatmulDesc_t *product,
                                                 cublasComputeType_t compute,
                                                 cudaDataType_t) {
  return create(__func__, product, Description{compute});
}

FAKE_API cublasStatus_t
cublasLtMatmulDescDestroy(const cublasLtMatmulDesc_t product) {
  return destroy<Description>(__func__, product);
}

FAKE_API cublasStatus_t cublasLtMatmulDescSetAttribute(
    cublasLtMatmulDesc_t product, cublasLtMatmulDescAttributes_t attribute,
    const void *value, size_t) {
  if (mustFail("cublasLtMatmulDescSetAttribute"))
    return CUBLAS_STATUS_INTERNAL_ERROR;
  Description &description = as<Description>(product);
  switch (attribute) {
  case CUBLASLT_MATMUL_DESC_TRANSA:
    description.a = *static_cast<const cublasOperation_t *>(value);
    break;
  case CUBLASLT_MATMUL_DESC_TRANSB:
    description.b = *static_cast<const cublasOperation_t *>(value);
    break;
  case CUBLASLT_MATMUL_DESC_EPILOGUE:
    description.epilogue = *static_cast<const cublasLtEpilogue_t *>(value);
    break;
  case CUBLASLT_MATMUL_DESC_BIAS_POINTER:
    description.bias = *static_cast<const void *const *>(value);
    break;
  default:
    return CUBLAS_STATUS_NOT_SUPPORTED;
  }
  return CUBLAS_STATUS_SUCCESS;
}

FAKE_API cublasStatus_t
cublasLtMatmulPreferenceCreate(cublasLtMatmulPreference_t *preference) {
  return create(__func__, preference, Preference());
}

FAKE_API cublasStatus_t
cublasLtMatmulPreferenceDestroy(const cublasLtMatmulPreference_t preference) {
  return destroy<Preference>(__func__, preference);
}

FAKE_API cublasStatus_t cublasLtMatmulPreferenceSetAttribute(
    cublasLtMatmulPreference_t handle,
    cublasLtMatmulPreferenceAttributes_t attribute, const void *value, size_t) {
  if (mustFail("cublasLtMatmulPreferenceSetAttribute"))
    return CUBLAS_STATUS_INTERNAL_ERROR;
  Preference &preference = as<Preference>(handle);
  if (attribute == CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES)
    preference.scratch = *static_cast<const uint64_t *>(value);
  else
    preference.alignment = *static_cast<const uint32_t *>(value);
  return CUBLAS_STATUS_SUCCESS;
}

//===----------------------------------------------------------------------===//
// Products
//===----------------------------------------------------------------------===//

/// What every algorithm of this library needs.
static constexpr size_t scratchBytes = 4096;

static bool fits(const Layout &matrix, cublasOperation_t operation,
                 int64_t rows, int64_t cols, const Layout &d) {
  bool isTransposed = operation == CUBLAS_OP_T;
  return matrix.isValid() && matrix.type == d.type && matrix.batch == d.batch &&
         matrix.rows == (isTransposed ? cols : rows) &&
         matrix.cols == (isTransposed ? rows : cols);
}

/// What an operand is rounded to before it is multiplied.
static double roundOperand(cublasComputeType_t compute, double value) {
  switch (compute) {
  case CUBLAS_COMPUTE_32F_FAST_TF32:
    return toTF32(value);
  case CUBLAS_COMPUTE_32F_FAST_16BF:
    return toFloat(toBF16(static_cast<float>(value)));
  case CUBLAS_COMPUTE_32F_FAST_16F:
    return toFloat(toF16(static_cast<float>(value)));
  default:
    return value;
  }
}

static cublasStatus_t checkProduct(const Description &product, const Layout &a,
                                   const Layout &b, const Layout &c,
                                   const Layout &d) {
  int64_t k = product.a == CUBLAS_OP_T ? a.rows : a.cols;
  if (!d.isValid() || !fits(a, product.a, d.rows, k, d) ||
      !fits(b, product.b, k, d.cols, d) ||
      !fits(c, CUBLAS_OP_N, d.rows, d.cols, d))
    return CUBLAS_STATUS_INVALID_VALUE;
  bool isWide = d.type == CUDA_R_64F;
  bool rounds = product.compute != CUBLAS_COMPUTE_32F && !isWide;
  if (isWide != (product.compute == CUBLAS_COMPUTE_64F) ||
      (rounds && d.type != CUDA_R_32F) ||
      (isWide && product.epilogue != CUBLASLT_EPILOGUE_DEFAULT))
    return CUBLAS_STATUS_NOT_SUPPORTED;
  bool hasBias = product.epilogue & CUBLASLT_EPILOGUE_BIAS;
  return hasBias && !product.bias ? CUBLAS_STATUS_INVALID_VALUE
                                  : CUBLAS_STATUS_SUCCESS;
}

FAKE_API cublasStatus_t cublasLtMatmulAlgoGetHeuristic(
    cublasLtHandle_t, cublasLtMatmulDesc_t product, cublasLtMatrixLayout_t a,
    cublasLtMatrixLayout_t b, cublasLtMatrixLayout_t c,
    cublasLtMatrixLayout_t d, cublasLtMatmulPreference_t handle, int wanted,
    cublasLtMatmulHeuristicResult_t results[], int *found) {
  if (mustFail("cublasLtMatmulAlgoGetHeuristic"))
    return CUBLAS_STATUS_INTERNAL_ERROR;
  if (wanted < 1)
    return CUBLAS_STATUS_INVALID_VALUE;
  const Preference &preference = as<Preference>(handle);
  cublasStatus_t status =
      checkProduct(as<Description>(product), as<Layout>(a), as<Layout>(b),
                   as<Layout>(c), as<Layout>(d));
  *found = status == CUBLAS_STATUS_SUCCESS;
  results[0].state = status;
  results[0].algo.data[0] = preference.alignment;
  results[0].workspaceSize =
      std::min<uint64_t>(preference.scratch, scratchBytes);
  return status;
}

namespace {
struct Matrix {
  const Layout layout;
  char *data;

  double at(int64_t matrix, int64_t row, int64_t col,
            cublasOperation_t operation) const {
    if (operation == CUBLAS_OP_T)
      std::swap(row, col);
    return load(layout.type, data, layout.index(matrix, row, col));
  }
};
} // namespace

static double applyActivation(cublasLtEpilogue_t epilogue, double x) {
  // As the real one, which makes 0 of NaN.
  if (epilogue & CUBLASLT_EPILOGUE_RELU)
    return std::fmax(x, 0);
  if (epilogue & CUBLASLT_EPILOGUE_GELU)
    return 0.5 * x *
           (1 + std::tanh(0.79788456080286536 * (x + 0.044715 * x * x * x)));
  return x;
}

static void multiply(const Description &product, double alpha, double beta,
                     const Matrix &a, const Matrix &b, const Matrix &c,
                     const Matrix &d, const char *bias) {
  int64_t k = product.a == CUBLAS_OP_T ? a.layout.rows : a.layout.cols;
  auto round = [&](double x) { return roundOperand(product.compute, x); };
  for (int64_t i = 0; i < d.layout.batch; ++i)
    for (int64_t col = 0; col < d.layout.cols; ++col)
      for (int64_t row = 0; row < d.layout.rows; ++row) {
        double sum = 0;
        for (int64_t l = 0; l < k; ++l)
          sum += round(a.at(i, row, l, product.a)) *
                 round(b.at(i, l, col, product.b));
        sum *= alpha;
        if (beta != 0)
          sum += beta * c.at(i, row, col, CUBLAS_OP_N);
        if (bias)
          sum += load(d.layout.type, bias, row);
        store(d.layout.type, d.data, d.layout.index(i, row, col),
              applyActivation(product.epilogue, sum));
      }
}

FAKE_API cublasStatus_t
cublasLtMatmul(cublasLtHandle_t, cublasLtMatmulDesc_t handle,
               const void *alphaAt, const void *aAt, cublasLtMatrixLayout_t a,
               const void *bAt, cublasLtMatrixLayout_t b, const void *betaAt,
               const void *cAt, cublasLtMatrixLayout_t c, void *dAt,
               cublasLtMatrixLayout_t d, const cublasLtMatmulAlgo_t *algorithm,
               void *scratch, size_t bytes, cudaStream_t stream) {
  std::lock_guard<std::recursive_mutex> lock(getMutex());
  if (mustFail("cublasLtMatmul"))
    return CUBLAS_STATUS_EXECUTION_FAILED;
  const Description &product = as<Description>(handle);
  std::array<Layout, 4> layouts = {as<Layout>(a), as<Layout>(b), as<Layout>(c),
                                   as<Layout>(d)};
  if (cublasStatus_t status =
          checkProduct(product, layouts[0], layouts[1], layouts[2], layouts[3]))
    return status;
  for (const void *address : {aAt, bAt, cAt, static_cast<const void *>(dAt)})
    if (reinterpret_cast<uint64_t>(address) % algorithm->data[0])
      return CUBLAS_STATUS_NOT_SUPPORTED;
  bool isWide = layouts[3].type == CUDA_R_64F;
  double alpha = isWide ? *static_cast<const double *>(alphaAt)
                        : *static_cast<const float *>(alphaAt);
  double beta = isWide ? *static_cast<const double *>(betaAt)
                       : *static_cast<const float *>(betaAt);
  enqueue(stream, [=, product = product] {
    int64_t element = getBytes(layouts[3].type);
    const void *addresses[] = {aAt, bAt, cAt, dAt};
    char *data[4];
    for (int i = 0; i < 4; ++i) {
      data[i] = fromDevice(addresses[i], layouts[i].numElements() * element);
      if (!data[i]) {
        setFault("product: operand " + std::to_string(i) +
                 " is no memory of the device");
        return true;
      }
    }
    bool hasBias = product.epilogue & CUBLASLT_EPILOGUE_BIAS;
    char *bias =
        hasBias ? fromDevice(product.bias, layouts[3].rows * element) : nullptr;
    char *used = bytes ? fromDevice(scratch, bytes) : nullptr;
    if ((hasBias && !bias) || (bytes && !used)) {
      setFault("product: bias or scratch is no memory of the device");
      return true;
    }
    if (used)
      std::memset(used, 0xee, bytes);
    multiply(product, alpha, beta, {layouts[0], data[0]}, {layouts[1], data[1]},
             {layouts[2], data[2]}, {layouts[3], data[3]}, bias);
    return true;
  });
  return hasFault() ? CUBLAS_STATUS_EXECUTION_FAILED : CUBLAS_STATUS_SUCCESS;
}
