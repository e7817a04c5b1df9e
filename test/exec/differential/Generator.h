//===- Generator.h - Random well-typed graphs -------------------*- C++ -*-===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Builds a graph op by op from what exists already, and keeps for each value
// what may be done with it: how large it can be, and whether it is exact, that
// is, the same for every order of evaluation. Where it is not, ops that jump
// (floor, compare, conversion to integers) must not be applied: two right
// results could differ by much.
//
//===----------------------------------------------------------------------===//

#ifndef CLEAVE_TEST_EXEC_DIFFERENTIAL_GENERATOR_H
#define CLEAVE_TEST_EXEC_DIFFERENTIAL_GENERATOR_H

#include "Case.h"
#include "Random.h"
#include "dialects/Graph/GraphBuilders.h"
#include "mlir/IR/Builders.h"
#include "llvm/ADT/DenseMap.h"

namespace cleave::differential {

using mlir::RankedTensorType;
using mlir::Type;
using mlir::Value;
using Shape = llvm::SmallVector<int64_t, 4>;

/// What is known about the elements of a value.
struct Info {
  /// No element is larger in magnitude.
  double bound = 0;
  bool exact = true;
  /// All elements are integers.
  bool integral = true;
};

class Generator {
public:
  /// With `isWide`, graphs consist of ops that blocks of a GPU have kernels
  /// for, of sizes that take several tiles.
  /// With `isForGpu`, they have no ops that only a host has functions for.
  /// With `hasSmallFloats`, they have floats of 8 bits.
  Generator(mlir::MLIRContext *context, uint64_t seed, bool isWide = false,
            bool isForGpu = false, bool hasSmallFloats = false);
  Case generate();

private:
  // Generator.cpp: values.
  using Filter = llvm::function_ref<bool(Value)>;
  /// A value that fits, rather a recent one; null if there is none.
  Value pick(Filter fits);
  /// A new argument, or a constant where there can be none.
  Value make(RankedTensorType type, double low, double high,
             bool integral = true);
  Value make(RankedTensorType type);
  Value constant(const graph::Literal &literal);
  /// A value of this type: an old one if there is one and chance agrees.
  Value ofType(RankedTensorType type);
  Value ofShape(llvm::ArrayRef<int64_t> shape, Type element) {
    return ofType(RankedTensorType::get(shape, element));
  }
  /// A scalar that serves as an index.
  Value index(Type element);
  Value anyNumber(int64_t minRank = 0, int64_t maxRank = 4);
  Value anyFloat(int64_t minRank = 0, int64_t maxRank = 4);
  Value anyExact(int64_t minRank = 0, int64_t maxRank = 4);
  Info infoOf(Value value) { return infos.lookup(value); }
  Value add(Value value, Info info);
  Value build(llvm::StringRef op, mlir::ValueRange operands, Type result,
              llvm::ArrayRef<mlir::NamedAttribute> attrs = {});
  mlir::NamedAttribute attr(llvm::StringRef name, llvm::ArrayRef<int64_t> v) {
    return builder.getNamedAttr(name, builder.getDenseI64ArrayAttr(v));
  }
  mlir::NamedAttribute scalar(llvm::StringRef name, int64_t v) {
    return builder.getNamedAttr(name, builder.getI64IntegerAttr(v));
  }
  /// The value with magnitude at most `limit`: itself, or clamped.
  Value within(Value value, double limit);
  /// At least 0.5 everywhere.
  Value positive(Value value);
  /// The larger of the value and a number that is within its bound.
  Value atLeast(Value value, double least);
  Info joined(mlir::ValueRange values);

  // Generator.cpp: types.
  int64_t randomDim();
  Shape randomShape(int64_t minRank, int64_t maxRank);
  Type randomElement();
  Type randomFloat();
  Type randomInteger();
  /// Up to this, all integers are exact in the type.
  static double exactLimit(Type element);
  /// What a value of a float type may grow to.
  double growthLimit(Type element);

  // One op, or a few that belong together; false if it does not fit. A file
  // for each family.
  bool unary();
  bool convert();
  bool bitcast();
  bool binary();
  bool compare();
  bool select();
  bool clamp();
  bool unaryInteger(Value x);
  bool unaryExact(Value x);
  bool reducePrecision(Value x);
  bool unaryInexact(Value x);
  bool binaryInteger(Value x, Value y);
  bool binaryInexact(Value x, Value y);
  Value partner(Value x);

  bool source();
  bool broadcast();
  bool reshape();
  bool transpose();
  bool slice();
  bool pad();
  bool concatenate();
  bool reverse();

  /// Dimensions of a window and of batches, and where the former are in it.
  struct WindowShape {
    Shape shape;
    llvm::SmallVector<int64_t> places;
  };
  /// The dimensions of a window at random places among those of batches.
  WindowShape placeWindow(llvm::ArrayRef<int64_t> window,
                          llvm::ArrayRef<int64_t> batch);
  bool gather();
  bool gatherRows();
  bool dynamicSlice();
  bool dynamicUpdateSlice();
  bool embedding();

  enum class Update;
  bool scatter();
  bool scatterRows();
  bool finishScatter(Value x, Value indices, Value updates, int64_t count,
                     llvm::ArrayRef<mlir::NamedAttribute> attrs);
  void buildUpdate(mlir::Region &region, Update update,
                   mlir::TypeRange scalars);
  std::optional<Info> chooseUpdate(Value &x, Value &updates, int64_t count,
                                   Update &update);
  bool sortAlone();
  bool sortTogether();
  bool finishSort(Value key, llvm::ArrayRef<Value> inputs, int64_t dimension);
  bool randomBits();

  /// Clamps the operands of a sum of `terms` products to what keeps it below
  /// `limit`, if they are not.
  void limitProducts(Value &lhs, Value &rhs, double terms, double limit);
  ReductionKind randomReduction(Type element);
  bool dotGeneral();
  bool linear();
  bool reduce();
  bool reducePair();

  WindowDim randomWindow(int64_t size, bool mayReverse);
  llvm::SmallVector<WindowDim> randomWindows(llvm::ArrayRef<int64_t> shape);
  bool reduceWindow();
  bool reduceWindowPair();
  Value convolutionOperand();
  bool convolution();
  bool fft();
  bool cholesky();
  bool triangularSolve();
  bool factorization();
  bool tridiagonalSolve();
  Value squareMatrices();
  /// Batches of matrices with numbers 1, 2, ... on their diagonal, one row
  /// further down if `shifted`, halves beside them and little elsewhere: far
  /// from any choice that rounding decides. The second part is that little.
  std::pair<Value, Value> separatedMatrices(bool isSquare, bool shifted);
  Value diagonal(RankedTensorType type, double number);
  /// Builds an op whose results are all inexact and bounded by `bound`.
  llvm::SmallVector<Value>
  buildAll(llvm::StringRef op, mlir::ValueRange operands, mlir::TypeRange types,
           llvm::ArrayRef<mlir::NamedAttribute> attrs, double bound);

  bool softmax();
  bool norm();
  bool activation();
  bool attention();
  bool rotary();
  bool crossEntropy();

  bool smallFloats();
  bool manual();

  void yieldFrom(mlir::Block *block, mlir::ValueRange values);
  Value updatePart(Value x, Value y);
  Value nextValue(llvm::SmallVectorImpl<Value> &values);
  llvm::SmallVector<Value> loopOver(llvm::SmallVectorImpl<Value> &values,
                                    int64_t depth);
  bool updatesInPlace();

  bool whileLoop();
  bool accumulate();
  bool ifElse();
  bool call();
  /// A value of `type`, made in the current region; bounded by `limit`.
  Value regionResult(Value like, size_t poolStart, double limit);
  Value foldInto(Value like, Value value);
  void someOps(int64_t count);
  bool oneOp();
  bool oneWideOp();
  /// A size up to `limit`, or up to `wideLimit` in wide graphs.
  int64_t sizeUpTo(int64_t low, int64_t limit, int64_t wideLimit) {
    return random.range(low, isWide ? wideLimit : limit);
  }

  // Generator.cpp: the whole.
  void addMesh();
  void annotate();
  void keepPartial();
  void donate();
  void finish();

  friend class ManualGenerator;

  mlir::MLIRContext *context;
  mlir::OpBuilder builder;
  mlir::Location loc;
  Random random;
  Case result;
  Mesh mesh;
  mlir::func::FuncOp main;
  std::vector<Value> pool;
  /// Values before this one are out of sight (in a called function).
  size_t firstVisible = 0;
  llvm::DenseMap<Value, Info> infos;
  /// Whether all of the graph must be exact.
  bool isExact;
  bool isWide;
  bool isForGpu;
  bool hasSmallFloats;
  Type mainFloat;
  int depth = 0;
  int numCallees = 0;
};

} // namespace cleave::differential

#endif // CLEAVE_TEST_EXEC_DIFFERENTIAL_GENERATOR_H
