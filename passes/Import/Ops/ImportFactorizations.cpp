//===- ImportFactorizations.cpp - Calls for factors and spectra -----------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// JAX calls LAPACK on processors, cuSOLVER and hipSOLVER on GPUs, with the same
// operands and results, and functions of XLA elsewhere. What a library says
// besides, such as `info`, is built from the results.
//
//===----------------------------------------------------------------------===//

#include "dialects/Graph/GraphBuilders.h"
#include "mlir/IR/Verifier.h"
#include "passes/Import/Ops/LapackCalls.h"

using namespace mlir;
using namespace cleave;
using namespace cleave::reader;

static SmallVector<Type> typesOf(ImportedOp &op, ArrayRef<unsigned> results) {
  SmallVector<Type> types;
  for (unsigned i : results)
    llvm::append_range(types, op.resultTypes[i]);
  return types;
}

/// Hands the results of an op out to these results of the call.
static LogicalResult take(ImportedOp &op, Operation *built,
                          ArrayRef<unsigned> results) {
  if (failed(verify(built)))
    return failure();
  unsigned next = 0;
  for (unsigned i : results)
    for (size_t part = 0; part < op.resultTypes[i].size(); ++part)
      op.results[i].push_back(built->getResult(next++));
  return success();
}

/// Results that the call leaves undefined, or whose content depends on the
/// library: nothing may use them.
static LogicalResult leaveUndefined(ImportedOp &op,
                                    ArrayRef<unsigned> results) {
  StringRef target;
  if (failed(op.read("call_target_name", target)))
    return failure();
  for (unsigned i : results) {
    if (!op.op->getResult(i).use_empty())
      return op.unsupported() << "the use of result " << i << " of '" << target
                              << "' is not supported: what it is depends on "
                                 "the library";
    for (Type type : op.resultTypes[i]) {
      auto tensor = cast<RankedTensorType>(type);
      op.results[i].push_back(
          isa<FloatType>(tensor.getElementType())
              ? graph::splat(op.builder, op.loc, tensor, 0.0)
              : graph::splatInt(op.builder, op.loc, tensor, 0));
    }
  }
  return success();
}

/// Whether a result can say of each problem whether it has failed; the last
/// `numDims` dimensions of the first operand are those of a problem.
static bool isInfo(ImportedOp &op, unsigned result, unsigned numDims = 2) {
  ArrayRef<int64_t> shape = op.operandType(0).getShape();
  RankedTensorType type = op.resultType(result);
  return type.getElementType().isSignlessInteger(32) &&
         shape.size() >= numDims && type.getShape() == shape.drop_back(numDims);
}

static void takeInfo(ImportedOp &op, unsigned result, Value of) {
  op.results[result] = {buildInfo(op, of, op.resultType(result))};
}

/// For what always has a result.
static void takeNoInfo(ImportedOp &op, unsigned result) {
  op.results[result] = {
      graph::splatInt(op.builder, op.loc, op.resultType(result), 0)};
}

/// Reads which triangle is meant; false if it is not said.
static bool readLower(ImportedOp &op, bool &isLower) {
  char uplo = letterOf(op, "uplo");
  isLower = uplo == 'L' || hasSetting(op, "lower");
  auto config = op.op->getAttrOfType<DictionaryAttr>("mhlo.backend_config");
  return uplo == 'L' || uplo == 'U' || (config && config.get("lower"));
}

//===----------------------------------------------------------------------===//
// LU
//===----------------------------------------------------------------------===//

static graph::LuOp buildLu(ImportedOp &op) {
  return graph::LuOp::create(op.builder, op.loc, typesOf(op, {0, 1}),
                             op.operands[0]);
}

/// The place, counted from 1, of the first zero on U's diagonal; 0 if none.
static Value firstZero(ImportedOp &op, const Parts &factors,
                       RankedTensorType info) {
  OpBuilder &b = op.builder;
  auto type = graph::typeOf(factors[0]);
  int64_t rank = type.getRank();
  auto places = graph::withElement(type, info.getElementType());
  using graph::ComparisonDirection;
  Value row = graph::iota(b, op.loc, places, rank - 2);
  Value isZero = graph::compare(b, op.loc, ComparisonDirection::EQ, row,
                                graph::iota(b, op.loc, places, rank - 1));
  for (Value part : factors) {
    Value zero = graph::splat(b, op.loc, graph::typeOf(part), 0.0);
    isZero = graph::AndOp::create(
        b, op.loc, isZero,
        graph::compare(b, op.loc, ComparisonDirection::EQ, part, zero));
  }
  Value none = graph::splatInt(b, op.loc, places, INT32_MAX);
  Value first = graph::reduce(
      b, op.loc, graph::SelectOp::create(b, op.loc, isZero, row, none),
      {rank - 2, rank - 1}, ReductionKind::Min);
  Value isNone = graph::compare(b, op.loc, ComparisonDirection::EQ, first,
                                graph::splatInt(b, op.loc, info, INT32_MAX));
  Value one = graph::splatInt(b, op.loc, info, 1);
  return graph::SelectOp::create(b, op.loc, isNone,
                                 graph::splatInt(b, op.loc, info, 0),
                                 graph::AddOp::create(b, op.loc, first, one));
}

/// (a) -> (factors, pivots counted from 1, info)
static LogicalResult importGetrf(ImportedOp &op) {
  if (!hasForm(op, 1, 3) || !isInfo(op, 2))
    return refuse(op);
  if (failed(take(op, buildLu(op), {0, 1})))
    return failure();
  Value one = graph::splatInt(op.builder, op.loc, op.resultType(1), 1);
  op.results[1] = {
      graph::AddOp::create(op.builder, op.loc, op.results[1][0], one)};
  op.results[2] = {firstZero(op, op.results[0], op.resultType(2))};
  return success();
}

/// (pivots counted from 0) -> (order of rows)
static LogicalResult importPivotsToPermutation(ImportedOp &op) {
  if (!hasForm(op, 1, 1))
    return refuse(op);
  return take(op,
              graph::PivotsToPermutationOp::create(
                  op.builder, op.loc, op.resultType(0), op.operand(0)),
              {0});
}

/// (a) -> (factors, pivots counted from 0, order of rows)
static LogicalResult importLuDecomposition(ImportedOp &op) {
  if (!hasForm(op, 1, 3))
    return refuse(op);
  if (failed(take(op, buildLu(op), {0, 1})))
    return failure();
  return take(op,
              graph::PivotsToPermutationOp::create(
                  op.builder, op.loc, op.resultType(2), op.results[1][0]),
              {2});
}

//===----------------------------------------------------------------------===//
// Reflections
//===----------------------------------------------------------------------===//

/// (a) -> (packed, taus)
static LogicalResult importGeqrf(ImportedOp &op) {
  if (!hasForm(op, 1, 2))
    return refuse(op);
  return take(
      op,
      graph::QrOp::create(op.builder, op.loc, op.flatTypes(), op.operands[0]),
      {0, 1});
}

/// (a, front) -> (packed, order counted from 1, taus)
static LogicalResult importGeqp3(ImportedOp &op) {
  if (!hasForm(op, 2, 3))
    return refuse(op);
  auto built = graph::PivotedQrOp::create(op.builder, op.loc, op.flatTypes(),
                                          op.operands[0], op.operand(1));
  if (failed(take(op, built, {0, 1, 2})))
    return failure();
  Value one = graph::splatInt(op.builder, op.loc, op.resultType(1), 1);
  op.results[1] = {
      graph::AddOp::create(op.builder, op.loc, op.results[1][0], one)};
  return success();
}

/// (packed, taus) -> (q)
static LogicalResult importOrgqr(ImportedOp &op) {
  if (!hasForm(op, 2, 1))
    return refuse(op);
  return take(
      op,
      graph::HouseholderProductOp::create(op.builder, op.loc, op.flatTypes(),
                                          op.operands[0], op.operands[1]),
      {0});
}

/// (a) -> (packed, taus, info), for all rows and columns.
static LogicalResult importGehrd(ImportedOp &op) {
  if (!hasForm(op, 1, 3) || !isInfo(op, 2) || settingOf(op, "low") != 1 ||
      settingOf(op, "high") != op.operandType(0).getShape().back())
    return refuse(op);
  takeNoInfo(op, 2);
  return take(op,
              graph::HessenbergOp::create(op.builder, op.loc,
                                          typesOf(op, {0, 1}), op.operands[0]),
              {0, 1});
}

/// (a) -> (packed, diagonal, others, taus, info)
static LogicalResult importSytrd(ImportedOp &op) {
  bool isLower;
  if (!hasForm(op, 1, 5) || !isInfo(op, 4) || !readLower(op, isLower))
    return refuse(op);
  takeNoInfo(op, 4);
  return take(op,
              graph::TridiagonalOp::create(op.builder, op.loc,
                                           typesOf(op, {0, 1, 2, 3}),
                                           op.operands[0], isLower),
              {0, 1, 2, 3});
}

//===----------------------------------------------------------------------===//
// Eigenvalues and singular values
//===----------------------------------------------------------------------===//

static LogicalResult takeEigh(ImportedOp &op, bool isLower) {
  auto built = graph::EighOp::create(op.builder, op.loc, typesOf(op, {0, 1}),
                                     op.operands[0], isLower);
  return take(op, built, {0, 1});
}

/// (a) -> (vectors, values, info)
static LogicalResult importSyevd(ImportedOp &op) {
  bool isLower;
  char mode = letterOf(op, "mode");
  if (!hasForm(op, 1, 3) || !isInfo(op, 2) || !readLower(op, isLower) ||
      (mode != 0 && mode != 'V'))
    return refuse(op);
  if (failed(takeEigh(op, isLower)))
    return failure();
  takeInfo(op, 2, op.results[1][0]);
  return success();
}

/// (a) -> (vectors, values): whether lower, whether sorted, and what ends the
/// iteration.
static LogicalResult importXlaEigh(ImportedOp &op) {
  auto config = op.op->getAttrOfType<StringAttr>("backend_config");
  if (!hasForm(op, 1, 2) || !config ||
      !(config.getValue().starts_with("0,") ||
        config.getValue().starts_with("1,")))
    return refuse(op);
  // Where the order is free, ascending is right, too.
  return takeEigh(op, config.getValue().front() == '1');
}

/// Results 1 to 4 of the call: s, u, v^H, info.
static LogicalResult takeSvd(ImportedOp &op, bool isFull, bool hasVectors) {
  SmallVector<unsigned> results = {1};
  if (hasVectors)
    results.append({2, 3});
  auto built =
      graph::SvdOp::create(op.builder, op.loc, typesOf(op, results),
                           op.operands[0], isFull && hasVectors, !hasVectors);
  if (failed(take(op, built, results)))
    return failure();
  takeInfo(op, 4, op.results[1][0]);
  return leaveUndefined(op, hasVectors ? ArrayRef<unsigned>{0}
                                       : ArrayRef<unsigned>{0, 2, 3});
}

/// (a) -> (-, s, u, v^H, info)
static LogicalResult importGesdd(ImportedOp &op) {
  char mode = letterOf(op, "mode");
  if (!hasForm(op, 1, 5) || !isInfo(op, 4) ||
      (mode != 'A' && mode != 'S' && mode != 'N'))
    return refuse(op);
  return takeSvd(op, mode == 'A', mode != 'N');
}

/// The same with v instead of v^H.
static LogicalResult importGesvdj(ImportedOp &op) {
  if (!hasForm(op, 1, 5) || !isInfo(op, 4) || op.resultType(3).getRank() < 2)
    return refuse(op);
  bool hasVectors = hasSetting(op, "compute_uv");
  // v^H has the shape of v transposed.
  SmallVector<int64_t> order = graph::dimRange(op.resultType(3).getRank());
  std::swap(order[order.size() - 1], order[order.size() - 2]);
  SmallVector<Type, 2> wanted = op.resultTypes[3];
  if (hasVectors)
    for (Type &type : op.resultTypes[3]) {
      auto tensor = cast<RankedTensorType>(type);
      SmallVector<int64_t> shape;
      for (int64_t d : order)
        shape.push_back(tensor.getDimSize(d));
      type = graph::withShape(tensor, shape);
    }
  LogicalResult taken =
      takeSvd(op, hasSetting(op, "full_matrices"), hasVectors);
  op.resultTypes[3] = wanted;
  if (failed(taken) || !hasVectors)
    return taken;
  for (auto [part, value] : llvm::enumerate(op.results[3])) {
    value = graph::transpose(op.builder, op.loc, value, order);
    if (part == 1)
      value = graph::NegOp::create(op.builder, op.loc, value);
  }
  return success();
}

/// Eigenvalues are one result of a complex matrix, and of a real one two: their
/// real and imaginary parts.
static unsigned countValueResults(ImportedOp &op) {
  return !op.operands.empty() && op.operands[0].size() == 2 ? 1 : 2;
}

/// (a) -> (w, left, right, info), or w as real and imaginary parts.
static LogicalResult takeEig(ImportedOp &op, bool left, bool right) {
  unsigned numValues = countValueResults(op);
  if (!hasForm(op, 1, numValues + 3) || !isInfo(op, numValues + 2))
    return refuse(op);
  SmallVector<unsigned> results, undefined;
  for (unsigned i = 0; i < numValues; ++i)
    results.push_back(i);
  (left ? results : undefined).push_back(numValues);
  (right ? results : undefined).push_back(numValues + 1);
  auto built = graph::EigOp::create(op.builder, op.loc, typesOf(op, results),
                                    op.operands[0], left, right);
  if (failed(take(op, built, results)))
    return failure();
  takeInfo(op, numValues + 2, op.results[0][0]);
  return leaveUndefined(op, undefined);
}

static LogicalResult importGeev(ImportedOp &op) {
  char left = letterOf(op, "compute_left"),
       right = letterOf(op, "compute_right");
  if ((left != 'V' && left != 'N') || (right != 'V' && right != 'N'))
    return refuse(op);
  return takeEig(op, left == 'V', right == 'V');
}

/// The same for GPUs.
static LogicalResult importHybridEig(ImportedOp &op) {
  return takeEig(op, hasSetting(op, "left"), hasSetting(op, "right"));
}

/// (a) -> (t, q, w, number of sorted ones, info), or w as real and imaginary
/// parts.
static LogicalResult importGees(ImportedOp &op) {
  unsigned numValues = countValueResults(op);
  if (!hasForm(op, 1, numValues + 4) || !isInfo(op, numValues + 2) ||
      !isInfo(op, numValues + 3) || letterOf(op, "sort") != 'N' ||
      (letterOf(op, "mode") != 'V' && letterOf(op, "mode") != 'N'))
    return refuse(op);
  bool hasVectors = letterOf(op, "mode") == 'V';
  auto built = graph::SchurOp::create(op.builder, op.loc,
                                      typesOf(op, {0, hasVectors ? 1u : 0u}),
                                      op.operands[0]);
  if (failed(verify(built)))
    return failure();
  llvm::append_range(op.results[0], built.getT());
  if (hasVectors)
    llvm::append_range(op.results[1], built.getQ());
  takeNoInfo(op, numValues + 2);
  takeInfo(op, numValues + 3, op.results[0][0]);
  SmallVector<unsigned> undefined;
  if (!hasVectors)
    undefined.push_back(1);
  for (unsigned i = 0; i < numValues; ++i)
    undefined.push_back(2 + i);
  return leaveUndefined(op, undefined);
}

//===----------------------------------------------------------------------===//
// Tridiagonal systems
//===----------------------------------------------------------------------===//

static LogicalResult takeTridiagonalSolve(ImportedOp &op, unsigned result) {
  auto built = graph::TridiagonalSolveOp::create(
      op.builder, op.loc, op.resultTypes[result], op.operands[0],
      op.operands[1], op.operands[2], op.operands[3]);
  return take(op, built, {result});
}

/// (below, diagonal, above, b) -> (-, -, -, x, info)
static LogicalResult importGtsv(ImportedOp &op) {
  if (!hasForm(op, 4, 5) || !isInfo(op, 4, /*numDims=*/1))
    return refuse(op);
  if (failed(takeTridiagonalSolve(op, 3)))
    return failure();
  takeInfo(op, 4, op.results[3][0]);
  return leaveUndefined(op, {0, 1, 2});
}

/// (below, diagonal, above, b) -> (x)
static LogicalResult importGtsv2(ImportedOp &op) {
  return hasForm(op, 4, 1) ? takeTridiagonalSolve(op, 0) : refuse(op);
}

void reader::addFactorizationImports(ImportTable &table) {
  for (char type : StringRef("sdcz")) {
    bool isComplex = type == 'c' || type == 'z';
    auto name = [&](StringRef function) {
      return ("lapack_" + Twine(type) + function + "_ffi").str();
    };
    table[name("geev")] = importGeev;
    table[name("gees")] = importGees;
    table[name("gehrd")] = importGehrd;
    table[name("geqp3")] = importGeqp3;
    table[name("geqrf")] = importGeqrf;
    table[name("gesdd")] = table[name("gesvd")] = importGesdd;
    table[name("getrf")] = importGetrf;
    table[name("gtsv")] = importGtsv;
    table[name(isComplex ? "ungqr" : "orgqr")] = importOrgqr;
    table[name(isComplex ? "heevd" : "syevd")] = importSyevd;
    table[name(isComplex ? "hetrd" : "sytrd")] = importSytrd;
  }
  for (StringRef vendor : {"cu", "hip"}) {
    auto name = [&](StringRef function) { return (vendor + function).str(); };
    table[name("_lu_pivots_to_permutation")] = importPivotsToPermutation;
    table[name("hybrid_eig_comp")] = importHybridEig;
    table[name("hybrid_eig_real")] = importHybridEig;
    table[name("hybrid_geqp3")] = importGeqp3;
    table[name("solver_geqrf_ffi")] = importGeqrf;
    table[name("solver_gesvdj_ffi")] = importGesvdj;
    table[name("solver_getrf_ffi")] = importGetrf;
    table[name("solver_orgqr_ffi")] = importOrgqr;
    table[name("solver_syevd_ffi")] = importSyevd;
    table[name("solver_sytrd_ffi")] = importSytrd;
    table[name("sparse_gtsv2_ffi")] = importGtsv2;
  }
  table["Eigh"] = importXlaEigh;
  table["LuDecomposition"] = importLuDecomposition;
  table["ProductOfElementaryHouseholderReflectors"] = importOrgqr;
  table["Qr"] = importGeqrf;
}
