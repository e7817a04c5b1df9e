//===- ImportLapack.cpp - Calls of LAPACK as ops of cleave ----------------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Exports made on a processor call LAPACK by name, with its letters as
// arguments: `lapack_spotrf_ffi` factorises by Cholesky, `lapack_strsm_ffi`
// solves triangular systems. The letter of the element type is not needed.
// Other factorizations are in ImportFactorizations.cpp.
//
//===----------------------------------------------------------------------===//

#include "dialects/Graph/GraphBuilders.h"
#include "passes/Import/Ops/LapackCalls.h"
#include "llvm/ADT/StringSwitch.h"

using namespace mlir;
using namespace cleave;
using namespace cleave::reader;

int64_t reader::settingOf(ImportedOp &op, StringRef name) {
  auto config = op.op->getAttrOfType<DictionaryAttr>("mhlo.backend_config");
  auto number = config ? config.getAs<IntegerAttr>(name) : IntegerAttr();
  return number ? number.getValue().getSExtValue() : 0;
}

bool reader::hasSetting(ImportedOp &op, StringRef name) {
  auto config = op.op->getAttrOfType<DictionaryAttr>("mhlo.backend_config");
  auto choice = config ? config.getAs<BoolAttr>(name) : BoolAttr();
  return choice && choice.getValue();
}

bool reader::hasForm(ImportedOp &op, unsigned numOperands,
                     unsigned numResults) {
  auto isTensor = [](Type type) { return isa<RankedTensorType>(type); };
  return op.operands.size() == numOperands && op.results.size() == numResults &&
         llvm::all_of(op.op->getOperandTypes(), isTensor) &&
         llvm::all_of(op.op->getResultTypes(), isTensor);
}

LogicalResult reader::refuse(ImportedOp &op) {
  StringRef target;
  if (failed(op.read("call_target_name", target)))
    return failure();
  return op.unsupported() << "this call of '" << target
                          << "' is not supported: its operands, results or "
                             "settings are not those that JAX gives it";
}

Value reader::buildInfo(ImportedOp &op, Value result, RankedTensorType type) {
  Value first = result;
  for (int64_t d = type.getRank(); d < graph::typeOf(result).getRank(); ++d) {
    if (graph::typeOf(result).getDimSize(d) == 0)
      return graph::splatInt(op.builder, op.loc, type, 0);
    first = graph::sliceDim(op.builder, op.loc, first, d, 0, 1);
  }
  first = graph::reshapeTo(op.builder, op.loc, first, type.getShape());
  Value isNan = graph::compare(op.builder, op.loc,
                               graph::ComparisonDirection::NE, first, first);
  return graph::convertElement(op.builder, op.loc, isNan,
                               type.getElementType());
}

static LogicalResult importPotrf(ImportedOp &op) {
  char uplo = letterOf(op, "uplo");
  // Calls for GPUs say it in a word.
  if (uplo == 0)
    uplo = hasSetting(op, "lower") ? 'L' : 'U';
  if ((uplo != 'L' && uplo != 'U') || !hasForm(op, 1, 2) ||
      op.op->getOperand(0).getType() != op.op->getResult(0).getType() ||
      op.operandType(0).getRank() < 2 ||
      op.resultType(1).getShape() != op.operandType(0).getShape().drop_back(2))
    return refuse(op);
  auto factor = graph::CholeskyOp::create(op.builder, op.loc, op.resultTypes[0],
                                          op.operands[0], uplo == 'L');
  llvm::append_range(op.results[0], factor->getResults());
  op.results[1] = {buildInfo(op, op.results[0][0], op.resultType(1))};
  return success();
}

static LogicalResult importTrsm(ImportedOp &op) {
  char side = letterOf(op, "side"), uplo = letterOf(op, "uplo"),
       trans = letterOf(op, "trans_x"), diag = letterOf(op, "diag");
  auto transpose =
      llvm::StringSwitch<std::optional<graph::Transpose>>(StringRef(&trans, 1))
          .Case("N", graph::Transpose::NoTranspose)
          .Case("T", graph::Transpose::Transpose)
          .Case("C", graph::Transpose::Adjoint)
          .Default(std::nullopt);
  if ((side != 'L' && side != 'R') || (uplo != 'L' && uplo != 'U') ||
      (diag != 'N' && diag != 'U') || !transpose || !hasForm(op, 2, 1) ||
      op.op->getOperand(1).getType() != op.op->getResult(0).getType())
    return refuse(op);
  op.takeResults(graph::TriangularSolveOp::create(
      op.builder, op.loc, op.resultTypes[0], op.operands[0], op.operands[1],
      side == 'L', uplo == 'L', diag == 'U', *transpose));
  return success();
}

void reader::addLapackImports(ImportTable &table) {
  for (char type : StringRef("sdcz")) {
    auto name = [&](StringRef function) {
      return ("lapack_" + Twine(type) + function + "_ffi").str();
    };
    table[name("potrf")] = importPotrf;
    table[name("trsm")] = importTrsm;
  }
  table["cusolver_potrf_ffi"] = table["hipsolver_potrf_ffi"] = importPotrf;
}
