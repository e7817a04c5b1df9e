//===- CudaProducts.cpp - Matrix products by cuBLASLt ---------------------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// cuBLASLt's matrices are column-major: a leading dimension is the distance of
// two columns. Its bias has one element per row of the result.
//
//===----------------------------------------------------------------------===//

#include "runtime/devices/cuda/plugin/CudaPlugin.h"

#include <cublasLt.h>
#include <memory>

using namespace cleave::rt;

static const char *explain(const char *call, cublasStatus_t status) {
  return status == CUBLAS_STATUS_SUCCESS
             ? nullptr
             : explain(call, cublasLtGetStatusString(status));
}

#define RETURN_IF_FAILED(CALL, ...)                                            \
  if (const char *text = explain(#CALL, CALL(__VA_ARGS__)))                    \
    return text;

namespace {
/// A product with the algorithm that was chosen for it.
struct Prepared {
  cublasLtMatmulDesc_t description = nullptr;
  cublasLtMatrixLayout_t a = nullptr, b = nullptr, d = nullptr;
  cublasLtMatmulAlgo_t algorithm;
  size_t scratch = 0;
  bool isDouble, hasAddend, hasBias;

  ~Prepared() {
    for (cublasLtMatrixLayout_t layout : {a, b, d})
      if (layout)
        cublasLtMatrixLayoutDestroy(layout);
    if (description)
      cublasLtMatmulDescDestroy(description);
  }
};

struct Types {
  cudaDataType_t element, scale;
  cublasComputeType_t compute;
};
} // namespace

static Types getTypes(CleaveCudaType type) {
  switch (type) {
  case CleaveCudaF16:
    return {CUDA_R_16F, CUDA_R_32F, CUBLAS_COMPUTE_32F};
  case CleaveCudaBF16:
    return {CUDA_R_16BF, CUDA_R_32F, CUBLAS_COMPUTE_32F};
  case CleaveCudaTF32:
    return {CUDA_R_32F, CUDA_R_32F, CUBLAS_COMPUTE_32F_FAST_TF32};
  case CleaveCudaF32ByBF16:
    return {CUDA_R_32F, CUDA_R_32F, CUBLAS_COMPUTE_32F_FAST_16BF};
  case CleaveCudaF32ByF16:
    return {CUDA_R_32F, CUDA_R_32F, CUBLAS_COMPUTE_32F_FAST_16F};
  case CleaveCudaF64:
    return {CUDA_R_64F, CUDA_R_64F, CUBLAS_COMPUTE_64F};
  case CleaveCudaF32:
    break;
  }
  return {CUDA_R_32F, CUDA_R_32F, CUBLAS_COMPUTE_32F};
}

static cublasLtEpilogue_t getEpilogue(const CleaveCudaProduct &product) {
  switch (product.activation) {
  case CleaveCudaRelu:
    return product.hasBias ? CUBLASLT_EPILOGUE_RELU_BIAS
                           : CUBLASLT_EPILOGUE_RELU;
  case CleaveCudaGeluTanh:
    return product.hasBias ? CUBLASLT_EPILOGUE_GELU_BIAS
                           : CUBLASLT_EPILOGUE_GELU;
  case CleaveCudaNoActivation:
    break;
  }
  return product.hasBias ? CUBLASLT_EPILOGUE_BIAS : CUBLASLT_EPILOGUE_DEFAULT;
}

static const char *createLayout(const CleaveCudaMatrix &matrix, int64_t count,
                                cudaDataType_t type,
                                cublasLtMatrixLayout_t &layout) {
  RETURN_IF_FAILED(cublasLtMatrixLayoutCreate, &layout, type, matrix.rows,
                   matrix.cols, matrix.stride);
  if (count == 1)
    return nullptr;
  int32_t batch = static_cast<int32_t>(count);
  RETURN_IF_FAILED(cublasLtMatrixLayoutSetAttribute, layout,
                   CUBLASLT_MATRIX_LAYOUT_BATCH_COUNT, &batch, sizeof(batch));
  RETURN_IF_FAILED(cublasLtMatrixLayoutSetAttribute, layout,
                   CUBLASLT_MATRIX_LAYOUT_STRIDED_BATCH_OFFSET,
                   &matrix.batchStride, sizeof(matrix.batchStride));
  return nullptr;
}

static const char *describeProduct(const CleaveCudaProduct &product,
                                   Prepared &prepared) {
  Types types = getTypes(product.type);
  RETURN_IF_FAILED(cublasLtMatmulDescCreate, &prepared.description,
                   types.compute, types.scale);
  cublasOperation_t operations[] = {CUBLAS_OP_N, CUBLAS_OP_T};
  cublasOperation_t a = operations[product.isATransposed != 0];
  cublasOperation_t b = operations[product.isBTransposed != 0];
  RETURN_IF_FAILED(cublasLtMatmulDescSetAttribute, prepared.description,
                   CUBLASLT_MATMUL_DESC_TRANSA, &a, sizeof(a));
  RETURN_IF_FAILED(cublasLtMatmulDescSetAttribute, prepared.description,
                   CUBLASLT_MATMUL_DESC_TRANSB, &b, sizeof(b));
  cublasLtEpilogue_t epilogue = getEpilogue(product);
  RETURN_IF_FAILED(cublasLtMatmulDescSetAttribute, prepared.description,
                   CUBLASLT_MATMUL_DESC_EPILOGUE, &epilogue, sizeof(epilogue));
  for (auto [matrix, layout] :
       {std::pair(&product.a, &prepared.a), std::pair(&product.b, &prepared.b),
        std::pair(&product.d, &prepared.d)})
    if (const char *text =
            createLayout(*matrix, product.count, types.element, *layout))
      return text;
  return nullptr;
}

/// Part of the description, which a rank uses alone.
static const char *setBias(Prepared &product, const void *bias) {
  if (product.hasBias)
    RETURN_IF_FAILED(cublasLtMatmulDescSetAttribute, product.description,
                     CUBLASLT_MATMUL_DESC_BIAS_POINTER, &bias, sizeof(bias));
  return nullptr;
}

static const char *chooseAlgorithm(cublasLtHandle_t handle,
                                   const CleaveCudaProduct &product,
                                   int64_t maxScratch, Prepared &prepared) {
  cublasLtMatmulPreference_t preference;
  RETURN_IF_FAILED(cublasLtMatmulPreferenceCreate, &preference);
  struct Destroy {
    void operator()(cublasLtMatmulPreference_t preference) const {
      cublasLtMatmulPreferenceDestroy(preference);
    }
  };
  std::unique_ptr<cublasLtMatmulPreferenceOpaque_t, Destroy> owner(preference);
  uint64_t bytes = maxScratch;
  RETURN_IF_FAILED(cublasLtMatmulPreferenceSetAttribute, preference,
                   CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES, &bytes,
                   sizeof(bytes));
  // Otherwise more is assumed than the arena gives.
  uint32_t alignment = static_cast<uint32_t>(product.alignment);
  for (auto attribute : {CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_A_BYTES,
                         CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_B_BYTES,
                         CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_C_BYTES,
                         CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_D_BYTES})
    RETURN_IF_FAILED(cublasLtMatmulPreferenceSetAttribute, preference,
                     attribute, &alignment, sizeof(alignment));
  cublasLtMatmulHeuristicResult_t result;
  int found = 0;
  RETURN_IF_FAILED(cublasLtMatmulAlgoGetHeuristic, handle, prepared.description,
                   prepared.a, prepared.b, prepared.d, prepared.d, preference,
                   1, &result, &found);
  if (found == 0)
    return explain("cublasLtMatmulAlgoGetHeuristic",
                   "no algorithm for this product");
  if (const char *text =
          explain("cublasLtMatmulAlgoGetHeuristic", result.state))
    return text;
  prepared.algorithm = result.algo;
  prepared.scratch = result.workspaceSize;
  return nullptr;
}

const char *cleave::rt::createProducts(void **products) {
  RETURN_IF_FAILED(cublasLtCreate,
                   reinterpret_cast<cublasLtHandle_t *>(products));
  return nullptr;
}

const char *cleave::rt::destroyProducts(void *products) {
  RETURN_IF_FAILED(cublasLtDestroy, static_cast<cublasLtHandle_t>(products));
  return nullptr;
}

const char *cleave::rt::prepareProduct(void *products,
                                       const CleaveCudaProduct *product,
                                       const void *bias, int64_t maxScratch,
                                       void **prepared, int64_t *scratch) {
  auto made = std::make_unique<Prepared>();
  made->isDouble = product->type == CleaveCudaF64;
  made->hasAddend = product->hasAddend;
  made->hasBias = product->hasBias;
  if (const char *text = describeProduct(*product, *made))
    return text;
  if (const char *text = setBias(*made, bias))
    return text;
  if (const char *text = chooseAlgorithm(
          static_cast<cublasLtHandle_t>(products), *product, maxScratch, *made))
    return text;
  *scratch = static_cast<int64_t>(made->scratch);
  *prepared = made.release();
  return nullptr;
}

const char *cleave::rt::runProduct(void *products, void *prepared,
                                   const CleaveCudaOperands *operands,
                                   void *scratch, void *stream) {
  Prepared &product = *static_cast<Prepared *>(prepared);
  if (const char *text = setBias(product, operands->bias))
    return text;
  double doubles[] = {1, product.hasAddend ? 1.0 : 0.0};
  float floats[] = {1, product.hasAddend ? 1.0f : 0.0f};
  const void *alpha = product.isDouble ? static_cast<void *>(&doubles[0])
                                       : static_cast<void *>(&floats[0]);
  const void *beta = product.isDouble ? static_cast<void *>(&doubles[1])
                                      : static_cast<void *>(&floats[1]);
  // C is not read where beta is 0, but may not be null.
  const void *addend = product.hasAddend ? operands->addend : operands->d;
  RETURN_IF_FAILED(cublasLtMatmul, static_cast<cublasLtHandle_t>(products),
                   product.description, alpha, operands->a, product.a,
                   operands->b, product.b, beta, addend, product.d, operands->d,
                   product.d, &product.algorithm, scratch, product.scratch,
                   asStream(stream));
  return nullptr;
}

const char *cleave::rt::releaseProduct(void *prepared) {
  delete static_cast<Prepared *>(prepared);
  return nullptr;
}
