//===- EvaluateComposites.cpp - Reference semantics of composites ---------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Written from the definitions in Composites.td, independently of the
// decompositions. In Rounded mode each step rounds in the accumulation type
// (f32 unless the tensor is f64), and the result to the element type.
//
//===----------------------------------------------------------------------===//

#include "dialects/Graph/Evaluate/Evaluator.h"
#include "dialects/Graph/Evaluate/MatrixProduct.h"
#include "dialects/Graph/Evaluate/ScalarSemantics.h"
#include "dialects/Graph/GraphDialect.h"
#include <cmath>

using namespace mlir;
using namespace cleave::graph;

namespace {
/// Rounds single steps of a composite on tensors of one element type.
class Steps {
public:
  Steps(const Evaluator &evaluator, const Literal &tensor)
      : inFloat32(evaluator.accumulationType(tensor.elementType()).isF32()) {}

  double operator()(double value) const {
    return inFloat32 ? static_cast<float>(value) : value;
  }

  const bool inFloat32;
};
} // namespace

/// Applies `fn(input, steps)` to each element.
template <typename Fn>
static Literal mapElements(Evaluator &evaluator, const Literal &input, Fn fn) {
  Steps r(evaluator, input);
  Literal result = input;
  for (double &value : result.mutableFloats())
    value = fn(value, r);
  evaluator.round(result);
  return result;
}

//===----------------------------------------------------------------------===//
// Activations
//===----------------------------------------------------------------------===//

LogicalResult GeluOp::evaluate(Evaluator &evaluator, ArrayRef<Literal> operands,
                               SmallVectorImpl<Literal> &results) {
  bool isTanh = getForm() == GeluForm::Tanh;
  results.push_back(
      mapElements(evaluator, operands[0], [&](double x, const Steps &r) {
        double inner;
        if (isTanh) {
          double cube = r(r(x * x) * x);
          double sum = r(x + r(r(0.044715) * cube));
          inner = r(std::tanh(r(r(std::sqrt(2 / M_PI)) * sum)));
        } else {
          inner = r(std::erf(r(x * r(std::sqrt(0.5)))));
        }
        return r(r(0.5 * x) * r(1 + inner));
      }));
  return success();
}

LogicalResult SiluOp::evaluate(Evaluator &evaluator, ArrayRef<Literal> operands,
                               SmallVectorImpl<Literal> &results) {
  results.push_back(
      mapElements(evaluator, operands[0], [](double x, const Steps &r) {
        return r(x * r(1 / (1 + std::exp(-x))));
      }));
  return success();
}

LogicalResult ReluOp::evaluate(Evaluator &evaluator, ArrayRef<Literal> operands,
                               SmallVectorImpl<Literal> &results) {
  results.push_back(
      mapElements(evaluator, operands[0],
                  [](double x, const Steps &) { return maximum(x, 0.0); }));
  return success();
}

//===----------------------------------------------------------------------===//
// Linear, embedding
//===----------------------------------------------------------------------===//

LogicalResult LinearOp::evaluate(Evaluator &evaluator,
                                 ArrayRef<Literal> operands,
                                 SmallVectorImpl<Literal> &results) {
  const Literal &input = operands[0], &weight = operands[1];
  auto type = cast<RankedTensorType>(getResult().getType());
  Steps r(evaluator, input);
  ProductShape shape;
  for (int64_t size : weight.shape().take_front(getContracting()))
    shape.k *= size;
  for (int64_t size : weight.shape().drop_front(getContracting()))
    shape.n *= size;
  for (int64_t size : input.shape().drop_back(getContracting()))
    shape.m *= size;
  Literal result(type,
                 multiplyMatrices(shape, input.floats(), weight.floats(),
                                  r.inFloat32, evaluator.getNumThreads()));
  if (getBias()) {
    ArrayRef<double> bias = operands[2].floats();
    for (auto [i, value] : llvm::enumerate(result.mutableFloats()))
      value = r(value + bias[i % bias.size()]);
  }
  evaluator.round(result);
  results.push_back(std::move(result));
  return success();
}

LogicalResult EmbeddingOp::evaluate(Evaluator &, ArrayRef<Literal> operands,
                                    SmallVectorImpl<Literal> &results) {
  ArrayRef<double> table = operands[0].floats();
  const Literal &ids = operands[1];
  int64_t rows = operands[0].shape()[0], width = operands[0].shape()[1];
  std::vector<double> values;
  values.reserve(ids.size() * width);
  for (int64_t id : ids.ints()) {
    int64_t row = clampIndex(id, ids.elementType(), rows - 1);
    auto from = table.slice(row * width, width);
    values.insert(values.end(), from.begin(), from.end());
  }
  results.emplace_back(cast<RankedTensorType>(getResult().getType()),
                       std::move(values));
  return success();
}

//===----------------------------------------------------------------------===//
// Norms
//===----------------------------------------------------------------------===//

/// Calls `fn(row)` for each row along the last dimension of `tensor`.
template <typename Fn> static void forEachRow(Literal &tensor, Fn fn) {
  int64_t width = tensor.shape().back();
  MutableArrayRef<double> values = tensor.mutableFloats();
  for (int64_t begin = 0; begin < tensor.size(); begin += width)
    fn(values.slice(begin, width));
}

LogicalResult LayerNormOp::evaluate(Evaluator &evaluator,
                                    ArrayRef<Literal> operands,
                                    SmallVectorImpl<Literal> &results) {
  Steps r(evaluator, operands[0]);
  ArrayRef<double> scale = operands[1].floats(), bias = operands[2].floats();
  double epsilon = r(getEpsilon().convertToDouble());
  Literal result = operands[0];
  forEachRow(result, [&](MutableArrayRef<double> row) {
    double sum = 0;
    for (double x : row)
      sum = r(sum + x);
    double mean = r(sum / row.size());
    double squares = 0;
    for (double x : row)
      squares = r(squares + r(r(x - mean) * r(x - mean)));
    double variance = r(squares / row.size());
    double deviation = r(std::sqrt(r(variance + epsilon)));
    for (auto [i, x] : llvm::enumerate(row))
      x = r(r(r(r(x - mean) / deviation) * scale[i]) + bias[i]);
  });
  evaluator.round(result);
  results.push_back(std::move(result));
  return success();
}

LogicalResult RmsNormOp::evaluate(Evaluator &evaluator,
                                  ArrayRef<Literal> operands,
                                  SmallVectorImpl<Literal> &results) {
  Steps r(evaluator, operands[0]);
  ArrayRef<double> scale = operands[1].floats();
  double epsilon = r(getEpsilon().convertToDouble());
  Literal result = operands[0];
  forEachRow(result, [&](MutableArrayRef<double> row) {
    double squares = 0;
    for (double x : row)
      squares = r(squares + r(x * x));
    double norm = r(std::sqrt(r(r(squares / row.size()) + epsilon)));
    for (auto [i, x] : llvm::enumerate(row))
      x = r(r(x / norm) * scale[i]);
  });
  evaluator.round(result);
  results.push_back(std::move(result));
  return success();
}

//===----------------------------------------------------------------------===//
// Softmax, cross entropy, attention
//===----------------------------------------------------------------------===//

/// Replaces `row` by exp(row - max) and returns the sum of that. A row of -inf
/// becomes NaN.
static double exponentials(MutableArrayRef<double> row, const Steps &r,
                           double &largest) {
  largest = -HUGE_VAL;
  for (double x : row)
    largest = maximum(largest, x);
  double sum = 0;
  for (double &x : row) {
    x = r(std::exp(r(x - largest)));
    sum = r(sum + x);
  }
  return sum;
}

static void softmax(MutableArrayRef<double> row, const Steps &r) {
  double largest;
  double sum = exponentials(row, r, largest);
  for (double &x : row)
    x = r(x / sum);
}

LogicalResult SoftmaxOp::evaluate(Evaluator &evaluator,
                                  ArrayRef<Literal> operands,
                                  SmallVectorImpl<Literal> &results) {
  Steps r(evaluator, operands[0]);
  // The dimension is brought last and back; the same exchange does both.
  SmallVector<int64_t> dims = llvm::to_vector(
      llvm::seq<int64_t>(0, static_cast<int64_t>(operands[0].shape().size())));
  std::swap(dims[getDim()], dims.back());
  Literal result = operands[0].transposed(dims);
  forEachRow(result, [&](MutableArrayRef<double> row) { softmax(row, r); });
  evaluator.round(result);
  results.push_back(result.transposed(dims));
  return success();
}

LogicalResult CrossEntropyOp::evaluate(Evaluator &evaluator,
                                       ArrayRef<Literal> operands,
                                       SmallVectorImpl<Literal> &results) {
  Steps r(evaluator, operands[0]);
  const Literal &labels = operands[1];
  Literal logits = operands[0];
  Literal loss(cast<RankedTensorType>(getResult().getType()));
  int64_t place = 0;
  forEachRow(logits, [&](MutableArrayRef<double> row) {
    int64_t label = clampIndex(labels.ints()[place], labels.elementType(),
                               static_cast<int64_t>(row.size()) - 1);
    double chosen = row[label], largest;
    double sum = exponentials(row, r, largest);
    loss.mutableFloats()[place++] = r(r(std::log(sum)) - r(chosen - largest));
  });
  evaluator.round(loss);
  results.push_back(std::move(loss));
  return success();
}

/// Puts the heads of [batch, length, heads, width] in front, repeating each
/// `repeat` times, and gives [batch * heads * repeat, length, width] or, when
/// `transpose`, [batch * heads * repeat, width, length].
static Literal headsFirst(const Literal &tensor, int64_t repeat,
                          bool transpose) {
  ArrayRef<int64_t> shape = tensor.shape();
  SmallVector<int64_t> strides = rowMajorStrides(shape);
  SmallVector<int64_t> sizes = {shape[0], shape[2], repeat, shape[1], shape[3]};
  SmallVector<int64_t> steps = {strides[0], strides[2], 0, strides[1],
                                strides[3]};
  if (transpose) {
    std::swap(sizes[3], sizes[4]);
    std::swap(steps[3], steps[4]);
  }
  return tensor.strided(sizes, 0, steps);
}

LogicalResult AttentionOp::evaluate(Evaluator &evaluator,
                                    ArrayRef<Literal> operands,
                                    SmallVectorImpl<Literal> &results) {
  const Literal &query = operands[0], &key = operands[1], &value = operands[2];
  Steps r(evaluator, query);
  int64_t batch = query.shape()[0], s = query.shape()[1];
  int64_t heads = query.shape()[2], d = query.shape()[3];
  int64_t t = key.shape()[1], e = value.shape()[3];
  int64_t repeat = heads / key.shape()[2];
  double scale =
      r(getScale() ? getScale()->convertToDouble() : 1 / std::sqrt(d));

  std::vector<double> scores = multiplyMatrices(
      {batch * heads, s, d, t}, headsFirst(query, 1, false).floats(),
      headsFirst(key, repeat, true).floats(), r.inFloat32,
      evaluator.getNumThreads());

  Literal mask;
  if (getMask()) {
    SmallVector<int64_t> strides = rowMajorStrides(operands[3].shape());
    for (auto [stride, size] : llvm::zip_equal(strides, operands[3].shape()))
      stride = size == 1 ? 0 : stride;
    mask = operands[3].strided({batch, heads, s, t}, 0, strides);
  }
  for (int64_t row = 0; row < batch * heads * s; ++row) {
    MutableArrayRef<double> rowScores(scores.data() + row * t, t);
    for (auto [j, x] : llvm::enumerate(rowScores)) {
      x = r(x * scale);
      if (hasSelectingMask())
        x = mask.ints()[row * t + j] ? x : r(getHiddenScore());
      else if (getMask())
        x = r(x + mask.floats()[row * t + j]);
      if (getCausal() && static_cast<int64_t>(j) > row % s + t - s)
        x = -HUGE_VAL;
    }
    softmax(rowScores, r);
  }

  evaluator.roundFactors(scores, query.elementType());
  std::vector<double> mixed =
      multiplyMatrices({batch * heads, s, t, e}, scores,
                       headsFirst(value, repeat, false).floats(), r.inFloat32,
                       evaluator.getNumThreads());
  auto byHead =
      RankedTensorType::get({batch, heads, s, e}, query.elementType());
  Literal result = Literal(byHead, std::move(mixed)).transposed({0, 2, 1, 3});
  evaluator.round(result);
  results.push_back(std::move(result));
  return success();
}

LogicalResult RotaryEmbeddingOp::evaluate(Evaluator &evaluator,
                                          ArrayRef<Literal> operands,
                                          SmallVectorImpl<Literal> &results) {
  const Literal &positions = operands[1];
  Steps r(evaluator, operands[0]);
  int64_t length = operands[0].shape()[1], heads = operands[0].shape()[2];
  int64_t width = operands[0].shape()[3], half = width / 2;
  double base = r(getBase().convertToDouble());
  bool isUnsigned = IntegerSemantics(positions.elementType()).isUnsigned;

  Literal result = operands[0];
  int64_t rowNumber = 0;
  forEachRow(result, [&](MutableArrayRef<double> row) {
    int64_t token = rowNumber++ / heads;
    int64_t stored =
        positions
            .ints()[positions.shape().size() == 1 ? token % length : token];
    double position = isUnsigned ? static_cast<double>(uint64_t(stored))
                                 : static_cast<double>(stored);
    for (int64_t i = 0; i < half; ++i) {
      double frequency = r(std::pow(base, r(-2.0 * i / width)));
      double angle = r(r(position) * frequency);
      double cosine = r(std::cos(angle)), sine = r(std::sin(angle));
      double x = row[i], y = row[i + half];
      row[i] = r(r(x * cosine) - r(y * sine));
      row[i + half] = r(r(y * cosine) + r(x * sine));
    }
  });
  evaluator.round(result);
  results.push_back(std::move(result));
  return success();
}
