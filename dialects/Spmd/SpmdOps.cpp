//===- SpmdOps.cpp - Operations of the spmd dialect -----------------------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialects/Graph/Evaluate/Literal.h"
#include "dialects/Spmd/ShardingConversion.h"
#include "dialects/Spmd/SpmdDialect.h"
#include "dialects/Spmd/SpmdVerification.h"
#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace cleave;
using namespace cleave::spmd;

//===----------------------------------------------------------------------===//
// Assembly shared by ops
//===----------------------------------------------------------------------===//

static ParseResult parseAxes(OpAsmParser &parser, AxesAttr &axes) {
  FailureOr<AxesAttr> list = AxesAttr::parseList(parser);
  if (failed(list))
    return failure();
  axes = *list;
  return success();
}

static void printAxes(OpAsmPrinter &printer, Operation *, AxesAttr axes) {
  axes.printList(printer);
}

static ParseResult parseGroups(OpAsmParser &parser, Attribute &groups) {
  if (failed(parser.parseOptionalKeyword("groups"))) {
    AxesAttr axes;
    ParseResult result = parseAxes(parser, axes);
    groups = axes;
    return result;
  }
  FailureOr<GroupsAttr> list = GroupsAttr::parseList(parser);
  if (failed(list))
    return failure();
  groups = *list;
  return success();
}

static void printGroups(OpAsmPrinter &printer, Operation *op,
                        Attribute groups) {
  if (auto axes = dyn_cast<AxesAttr>(groups))
    return printAxes(printer, op, axes);
  printer << "groups ";
  cast<GroupsAttr>(groups).printList(printer);
}

static ParseResult parseMeshShape(OpAsmParser &parser, MeshAttr &shape) {
  shape = dyn_cast_if_present<MeshAttr>(MeshAttr::parse(parser, {}));
  return success(shape != nullptr);
}

static void printMeshShape(OpAsmPrinter &printer, Operation *, MeshAttr shape) {
  shape.print(printer);
}

//===----------------------------------------------------------------------===//
// On global shapes
//===----------------------------------------------------------------------===//

template <typename OpTy> static LogicalResult verifyOnGlobal(OpTy op) {
  auto manual = op->template getParentOfType<ManualComputationOp>();
  if (manual && !manual.hasFreeAxes())
    return op.emitOpError("acts on global tensors, but the values in an "
                          "spmd.manual_computation are local");
  if (manual)
    for (AxisAttr axis : allAxes(op.getSharding()))
      if (!manual.isFree(axis))
        return op.emitOpError()
               << "is over axis " << axis.getName()
               << ", which is manual in the computation around it";
  return verifySharding([&] { return op.emitOpError(); }, op.getSharding(),
                        op.getType(), op);
}

LogicalResult ShardingConstraintOp::verifySymbolUses(SymbolTableCollection &) {
  return verifyOnGlobal(*this);
}
LogicalResult ReshardOp::verifySymbolUses(SymbolTableCollection &) {
  return verifyOnGlobal(*this);
}

/// On global values both are the identity.
LogicalResult
ShardingConstraintOp::evaluate(graph::Evaluator &,
                               ArrayRef<graph::Literal> operands,
                               SmallVectorImpl<graph::Literal> &results) {
  results.push_back(operands[0]);
  return success();
}
LogicalResult ReshardOp::evaluate(graph::Evaluator &,
                                  ArrayRef<graph::Literal> operands,
                                  SmallVectorImpl<graph::Literal> &results) {
  results.push_back(operands[0]);
  return success();
}

//===----------------------------------------------------------------------===//
// Position of the rank
//===----------------------------------------------------------------------===//

LogicalResult AxisIndexOp::verifySymbolUses(SymbolTableCollection &tables) {
  return verifyMeshAndAxes(*this, getMeshAttr(), getAxes().getAxes(), tables);
}

LogicalResult MaskPaddingOp::verifySymbolUses(SymbolTableCollection &tables) {
  if (failed(verifyReduction(*this, getReduction())))
    return failure();
  if (failed(
          verifyMeshAndAxes(*this, getMeshAttr(), getAxes().getAxes(), tables)))
    return failure();
  MeshOp mesh = lookUpMesh(*this, getMeshAttr(), tables);
  return verifyBlock(*this, cast<RankedTensorType>(getType()), getDim(),
                     getSize(), toMesh(mesh), getAxes().getAxes());
}

#define GET_OP_CLASSES
#include "dialects/Spmd/SpmdOps.cpp.inc"
