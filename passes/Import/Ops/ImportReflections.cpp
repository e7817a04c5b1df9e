//===- ImportReflections.cpp - Calls that multiply by reflections ---------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// LAPACK's ormqr and unmqr: Q C, C Q, Q^H C or C Q^H for Q = H(1) ... H(k) as
// `cleave.qr` packs it, H(i) = I - tau(i) v v^H. Q is never made, since it has
// as many columns as rows: with the vectors v as columns of V it is
// I - V S^-1 V^H, where the upper triangular S has V^H V above its diagonal and
// 1 / tau(i) on it (the UT transform: Joffrain, Low, Quintana-Orti, van de
// Geijn and Van Zee, Accumulating Householder transformations, revisited,
// 2006).
//
//===----------------------------------------------------------------------===//

#include "dialects/Graph/GraphBuilders.h"
#include "passes/Import/Ops/LapackCalls.h"

using namespace mlir;
using namespace cleave;
using namespace cleave::reader;
using graph::ComparisonDirection;

namespace {
/// The last two dimensions.
enum Dim { Rows, Columns };

/// Builds ops on matrices in the last two dimensions, each given as (matrix) or
/// (real, imaginary).
struct MatrixBuilder {
  OpBuilder &b;
  Location loc;

  Parts conjugate(const Parts &x) const;
  /// x y, contracting `xDim` of x with `yDim` of y.
  Parts multiply(const Parts &x, Dim xDim, const Parts &y, Dim yDim) const;
  Parts subtract(const Parts &x, const Parts &y) const;
  /// Where row and column compare so.
  Value compareIndices(ComparisonDirection direction,
                       RankedTensorType type) const;
  Parts select(Value condition, const Parts &x, const Parts &y) const;
  Parts splat(const Parts &like, double number) const;
  /// 1 / x of numbers that are not zero.
  Parts invert(const Parts &x) const;
  /// Numbers, one per column, in every row of matrices of this shape.
  Parts repeatInRows(const Parts &x, ArrayRef<int64_t> shape) const;
};

/// H(1) ... H(k) as V and S.
struct Reflections {
  Parts vectors, triangle;
};
} // namespace

Parts MatrixBuilder::conjugate(const Parts &x) const {
  if (x.size() == 1)
    return x;
  return {x[0], graph::NegOp::create(b, loc, x[1])};
}

Parts MatrixBuilder::multiply(const Parts &x, Dim xDim, const Parts &y,
                              Dim yDim) const {
  RankedTensorType xType = graph::typeOf(x[0]), yType = graph::typeOf(y[0]);
  int64_t numBatch = xType.getRank() - 2;
  SmallVector<int64_t> shape(xType.getShape().drop_back(2));
  shape.push_back(xType.getDimSize(numBatch + 1 - xDim));
  shape.push_back(yType.getDimSize(numBatch + 1 - yDim));
  SmallVector<int64_t> batching = graph::dimRange(numBatch);
  auto product = [&](Value lhs, Value rhs) -> Value {
    return graph::DotGeneralOp::create(
        b, loc, graph::withShape(xType, shape), lhs, rhs, batching, batching,
        ArrayRef<int64_t>{numBatch + xDim}, ArrayRef<int64_t>{numBatch + yDim});
  };
  if (x.size() == 1)
    return {product(x[0], y[0])};
  return {
      graph::SubtractOp::create(b, loc, product(x[0], y[0]),
                                product(x[1], y[1])),
      graph::AddOp::create(b, loc, product(x[0], y[1]), product(x[1], y[0]))};
}

Parts MatrixBuilder::subtract(const Parts &x, const Parts &y) const {
  Parts parts;
  for (auto [left, right] : llvm::zip_equal(x, y))
    parts.push_back(graph::SubtractOp::create(b, loc, left, right));
  return parts;
}

Value MatrixBuilder::compareIndices(ComparisonDirection direction,
                                    RankedTensorType type) const {
  auto indices = graph::withElement(type, b.getI32Type());
  int64_t numBatch = type.getRank() - 2;
  return graph::compare(b, loc, direction,
                        graph::iota(b, loc, indices, numBatch + Rows),
                        graph::iota(b, loc, indices, numBatch + Columns));
}

Parts MatrixBuilder::select(Value condition, const Parts &x,
                            const Parts &y) const {
  Parts parts;
  for (auto [left, right] : llvm::zip_equal(x, y))
    parts.push_back(graph::SelectOp::create(b, loc, condition, left, right));
  return parts;
}

Parts MatrixBuilder::splat(const Parts &like, double number) const {
  Parts parts = {graph::splat(b, loc, graph::typeOf(like[0]), number)};
  if (like.size() == 2)
    parts.push_back(graph::splat(b, loc, graph::typeOf(like[1]), 0.0));
  return parts;
}

Parts MatrixBuilder::invert(const Parts &x) const {
  if (x.size() == 1)
    return {graph::DivOp::create(b, loc, splat(x, 1.0)[0], x[0])};
  Value square =
      graph::AddOp::create(b, loc, graph::MulOp::create(b, loc, x[0], x[0]),
                           graph::MulOp::create(b, loc, x[1], x[1]));
  return {
      graph::DivOp::create(b, loc, x[0], square),
      graph::NegOp::create(b, loc, graph::DivOp::create(b, loc, x[1], square))};
}

Parts MatrixBuilder::repeatInRows(const Parts &x,
                                  ArrayRef<int64_t> shape) const {
  SmallVector<int64_t> dims = graph::dimRange(shape.size() - 2);
  dims.push_back(shape.size() - 1);
  Parts parts;
  for (Value part : x)
    parts.push_back(graph::broadcastTo(b, loc, part, shape, dims));
  return parts;
}

/// Reads the first k columns of `packed` below the diagonal. A tau of zero is
/// no reflection: its vector is taken as zero, whatever its tau.
static Reflections unpack(const MatrixBuilder &build, const Parts &packed,
                          const Parts &taus) {
  OpBuilder &b = build.b;
  auto type = graph::typeOf(packed[0]);
  int64_t last = type.getRank() - 1,
          k = graph::typeOf(taus[0]).getShape().back();
  Parts columns;
  for (Value part : packed)
    columns.push_back(graph::sliceDim(b, build.loc, part, last, 0, k));
  type = graph::typeOf(columns[0]);

  Value isNone = graph::compare(b, build.loc, ComparisonDirection::EQ, taus[0],
                                build.splat(taus, 0.0)[0]);
  if (taus.size() == 2)
    isNone = graph::AndOp::create(
        b, build.loc, isNone,
        graph::compare(b, build.loc, ComparisonDirection::EQ, taus[1],
                       build.splat(taus, 0.0)[0]));
  Parts zeros = build.splat(columns, 0.0), ones = build.splat(columns, 1.0);
  Parts vectors = build.select(
      build.compareIndices(ComparisonDirection::GT, type), columns,
      build.select(build.compareIndices(ComparisonDirection::EQ, type), ones,
                   zeros));
  vectors = build.select(build.repeatInRows({isNone}, type.getShape())[0],
                         zeros, vectors);

  Parts diagonal =
      build.invert(build.select(isNone, build.splat(taus, 1.0), taus));
  Parts triangle =
      build.multiply(build.conjugate(vectors), Rows, vectors, Rows);
  auto square = graph::typeOf(triangle[0]);
  return {vectors,
          build.select(build.compareIndices(ComparisonDirection::EQ, square),
                       build.repeatInRows(diagonal, square.getShape()),
                       triangle)};
}

/// (packed, taus, c) -> (Q c, or what the settings say)
static LogicalResult importOrmqr(ImportedOp &op) {
  if (!hasForm(op, 3, 1) ||
      op.op->getOperand(2).getType() != op.op->getResult(0).getType())
    return refuse(op);
  ArrayRef<int64_t> packed = op.operandType(0).getShape(),
                    taus = op.operandType(1).getShape(),
                    c = op.operandType(2).getShape();
  bool isLeft = hasSetting(op, "left");
  if (packed.size() < 2 || c.size() != packed.size() ||
      taus.size() + 1 != packed.size() ||
      op.operands[0].size() != op.operands[2].size() ||
      op.operands[0].size() != op.operands[1].size() ||
      packed.drop_back(2) != taus.drop_back() ||
      packed.drop_back(2) != c.drop_back(2) || taus.back() > packed.back() ||
      taus.back() > packed[packed.size() - 2] ||
      packed[packed.size() - 2] != c[c.size() - (isLeft ? 2 : 1)])
    return refuse(op);

  MatrixBuilder build{op.builder, op.loc};
  Reflections q = unpack(build, op.operands[0], op.operands[1]);
  const Parts &matrix = op.operands[2];
  Parts conjugate = build.conjugate(q.vectors);
  Parts inner = isLeft ? build.multiply(conjugate, Rows, matrix, Rows)
                       : build.multiply(matrix, Columns, q.vectors, Rows);
  SmallVector<Type> types(ValueRange(inner).getTypes());
  auto solved = graph::TriangularSolveOp::create(
      op.builder, op.loc, types, q.triangle, inner, isLeft, /*lower=*/false,
      /*unit_diagonal=*/false,
      hasSetting(op, "transpose") ? graph::Transpose::Adjoint
                                  : graph::Transpose::NoTranspose);
  Parts outer(solved->getResults());
  Parts update = isLeft ? build.multiply(q.vectors, Columns, outer, Rows)
                        : build.multiply(outer, Columns, conjugate, Columns);
  op.results[0] = build.subtract(matrix, update);
  return success();
}

void reader::addReflectionImports(ImportTable &table) {
  for (StringRef name : {"sormqr", "dormqr", "cunmqr", "zunmqr"})
    table[("lapack_" + name + "_ffi").str()] = importOrmqr;
  table["cusolver_ormqr_ffi"] = table["hipsolver_ormqr_ffi"] = importOrmqr;
}
