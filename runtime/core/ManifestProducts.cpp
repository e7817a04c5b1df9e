//===- ManifestProducts.cpp - Products and convolutions -------------------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/core/Error.h"
#include "runtime/core/ManifestReader.h"

using namespace cleave::rt;

static MatrixLayout readLayout(const JsonReader &reader, size_t batchDims) {
  MatrixLayout layout{reader.at("batch").getInts(0), reader.at("row").getInt(0),
                      reader.at("col").getInt(0)};
  if (layout.batch.size() != batchDims)
    reader.fail("expected " + std::to_string(batchDims) + " batch strides");
  return layout;
}

/// Elements from the first to the last that a matrix of `rows` x `columns` and
/// its batch have, or nothing when a size is 0; capped at the largest int64_t.
static int64_t getExtent(const GemmSpec &spec, const MatrixLayout &layout,
                         int64_t rows, int64_t columns) {
  Shape sizes = spec.batch, strides = layout.batch;
  sizes.insert(sizes.end(), {rows, columns});
  strides.insert(strides.end(), {layout.row, layout.col});
  int64_t extent = 1;
  for (size_t i = 0; i < sizes.size(); ++i) {
    int64_t step;
    if (sizes[i] == 0)
      return 0;
    if (__builtin_mul_overflow(sizes[i] - 1, strides[i], &step) ||
        __builtin_add_overflow(extent, step, &extent))
      return INT64_MAX;
  }
  return extent;
}

static Activation readActivation(const JsonReader &reader, DType dtype) {
  auto activation = static_cast<Activation>(
      reader.getEnum({"none", "relu", "gelu_erf", "gelu_tanh", "silu"}));
  if (!isFloat(dtype) && activation > Activation::Relu)
    reader.fail("needs a float dtype");
  return activation;
}

static DType readProductType(const JsonReader &reader, const char *what) {
  DType dtype = readDType(reader.at("dtype"));
  if (dtype == DType::I1 || isSmallFloat(dtype))
    reader.fail(std::string(what) + " of " + getName(dtype) +
                " is not defined");
  const char *accumulate =
      dtype == DType::F16 || dtype == DType::BF16 ? "f32" : getName(dtype);
  if (reader.at("accumulate").getString() != accumulate)
    reader.at("accumulate").fail(std::string("must be ") + accumulate);
  return dtype;
}

/// The type of an operand that may be a float of 8 bits.
static std::optional<DType> readOperandType(const JsonReader &reader,
                                            const char *key, DType dtype) {
  if (!reader.has(key))
    return std::nullopt;
  DType own = readDType(reader.at(key));
  bool isWider =
      dtype == DType::F32 || dtype == DType::F16 || dtype == DType::BF16;
  // The runtime masks nothing, but whoever does needs a zero.
  if (!isSmallFloat(own) || !isSigned(own) || !isWider)
    reader.at(key).fail(std::string("must be a float of 8 bits with a zero, in "
                                    "a product of f32, f16 or bf16"));
  return own;
}

GemmSpec cleave::rt::readGemm(const JsonReader &reader,
                              const std::vector<TensorSpec> &inputs) {
  GemmSpec spec;
  spec.dtype = readProductType(reader, "a matrix product");
  spec.batch = reader.at("batch").getInts(0);
  spec.m = reader.at("m").getInt(0);
  spec.n = reader.at("n").getInt(0);
  spec.k = reader.at("k").getInt(0);
  Shape sizes = spec.batch;
  sizes.insert(sizes.end(), {spec.m, spec.n, spec.k});
  if (sizes.size() > maxDims + 3)
    reader.fail("too many batch dimensions");
  spec.a = readLayout(reader.at("a"), spec.batch.size());
  spec.b = readLayout(reader.at("b"), spec.batch.size());
  spec.out = readLayout(reader.at("out"), spec.batch.size());
  spec.bias = static_cast<Bias>(reader.at("bias").getEnum({"none", "n", "m"}));
  spec.activation = readActivation(reader.at("activation"), spec.dtype);
  spec.residual = reader.at("residual").getBool();
  spec.aDType = readOperandType(reader, "a_dtype", spec.dtype);
  spec.bDType = readOperandType(reader, "b_dtype", spec.dtype);
  spec.location = reader.getOptionalString("location");
  spec.bConstant = reader.getOptionalBool("b_constant");
  if (reader.has("b_input")) {
    JsonReader input = reader.at("b_input");
    spec.bInput = input.getInt(0, int64_t(inputs.size()) - 1);
    const TensorSpec &tensor = inputs[spec.bInput];
    if (tensor.dtype != spec.getBDType())
      input.fail("the input has another dtype");
    if (getExtent(spec, spec.b, spec.k, spec.n) >
        getBytes(tensor.localShape, tensor.dtype) / getSize(tensor.dtype))
      input.fail("the input is smaller than operand b");
  }
  return spec;
}

static WindowSpec readWindow(const JsonReader &reader) {
  constexpr int64_t most = int64_t(1) << 40;
  WindowSpec window;
  window.size = reader.at("size").getInt(0, most);
  window.count = reader.at("count").getInt(0, most);
  window.taps = reader.at("taps").getInt(0, most);
  window.stride = reader.at("stride").getInt(1, most);
  window.low = reader.at("low").getInt(-most, most);
  window.baseDilation = reader.at("base_dilation").getInt(1, most);
  window.windowDilation = reader.at("window_dilation").getInt(1, most);
  window.reversed = reader.at("reversed").getBool();
  return window;
}

ConvolutionSpec cleave::rt::readConvolution(const JsonReader &reader) {
  ConvolutionSpec spec;
  spec.dtype = readProductType(reader, "a convolution");
  spec.batch = reader.at("batch").getInt(0);
  spec.groups = reader.at("groups").getInt(0);
  spec.features = reader.at("features").getInt(0);
  spec.outputs = reader.at("outputs").getInt(0);
  spec.windows = reader.at("windows").mapElements(readWindow);
  if (spec.windows.size() > maxDims)
    reader.at("windows").fail("too many dimensions");
  auto spatial = [&](const JsonReader &layout) {
    std::vector<int64_t> strides = layout.at("spatial").getInts(0);
    if (strides.size() != spec.windows.size())
      layout.fail("expected " + std::to_string(spec.windows.size()) +
                  " spatial strides");
    return strides;
  };
  JsonReader lhs = reader.at("lhs"), kernel = reader.at("kernel"),
             out = reader.at("out");
  spec.lhs = {lhs.at("batch").getInt(0), lhs.at("group").getInt(0),
              lhs.at("feature").getInt(0), spatial(lhs)};
  spec.kernel = {kernel.at("group").getInt(0), kernel.at("output").getInt(0),
                 kernel.at("feature").getInt(0), spatial(kernel)};
  spec.out = {out.at("batch").getInt(0), out.at("group").getInt(0),
              out.at("output").getInt(0), spatial(out)};
  spec.hasBias = reader.at("bias").getBool();
  spec.activation = readActivation(reader.at("activation"), spec.dtype);
  spec.residual = reader.at("residual").getBool();
  return spec;
}
