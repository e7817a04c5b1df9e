//===- PrimitiveFormats.cpp - Custom syntax of the primitives -------------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialects/Graph/Syntax/PrimitiveFormats.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinTypes.h"

using namespace mlir;

namespace cleave::graph {

//===----------------------------------------------------------------------===//
// Slice, concatenate, dynamic_slice, dot_general
//===----------------------------------------------------------------------===//

ParseResult parseSliceRanges(OpAsmParser &parser, DenseI64ArrayAttr &start,
                             DenseI64ArrayAttr &limit,
                             DenseI64ArrayAttr &strides) {
  SmallVector<int64_t> starts, limits, steps;
  auto parseRange = [&]() -> ParseResult {
    if (parser.parseInteger(starts.emplace_back()) || parser.parseColon() ||
        parser.parseInteger(limits.emplace_back()))
      return failure();
    int64_t &step = steps.emplace_back(1);
    if (failed(parser.parseOptionalColon()))
      return success();
    return parser.parseInteger(step);
  };
  if (parser.parseCommaSeparatedList(OpAsmParser::Delimiter::Square,
                                     parseRange))
    return failure();
  Builder &builder = parser.getBuilder();
  start = builder.getDenseI64ArrayAttr(starts);
  limit = builder.getDenseI64ArrayAttr(limits);
  strides = builder.getDenseI64ArrayAttr(steps);
  return success();
}

void printSliceRanges(OpAsmPrinter &printer, Operation *,
                      DenseI64ArrayAttr start, DenseI64ArrayAttr limit,
                      DenseI64ArrayAttr strides) {
  printer << "[";
  // zip stops at the shortest: an invalid op is printed too.
  llvm::interleaveComma(
      llvm::zip(start.asArrayRef(), limit.asArrayRef(), strides.asArrayRef()),
      printer, [&](auto range) {
        auto [first, last, step] = range;
        printer << first << ":" << last;
        if (step != 1)
          printer << ":" << step;
      });
  printer << "]";
}

ParseResult parseOperandsBeforeComma(
    OpAsmParser &parser,
    SmallVectorImpl<OpAsmParser::UnresolvedOperand> &operands) {
  OpAsmParser::UnresolvedOperand operand;
  for (;;) {
    OptionalParseResult parsed = parser.parseOptionalOperand(operand);
    if (!parsed.has_value())
      return success();
    if (failed(*parsed) || parser.parseComma())
      return failure();
    operands.push_back(operand);
  }
}

void printOperandsBeforeComma(OpAsmPrinter &printer, Operation *,
                              OperandRange operands) {
  llvm::interleave(
      operands, printer, [&](Value operand) { printer << operand << ","; },
      " ");
}

static ParseResult parseDimensions(OpAsmParser &parser,
                                   DenseI64ArrayAttr &dims) {
  SmallVector<int64_t> values;
  if (parser.parseCommaSeparatedList(OpAsmParser::Delimiter::Square, [&] {
        return parser.parseInteger(values.emplace_back());
      }))
    return failure();
  dims = parser.getBuilder().getDenseI64ArrayAttr(values);
  return success();
}

static ParseResult parsePairOfDimensions(OpAsmParser &parser,
                                         DenseI64ArrayAttr &lhs,
                                         DenseI64ArrayAttr &rhs) {
  return failure(parser.parseEqual() || parseDimensions(parser, lhs) ||
                 parser.parseKeyword("x") || parseDimensions(parser, rhs));
}

ParseResult parseDotDimensions(OpAsmParser &parser,
                               DenseI64ArrayAttr &lhsBatching,
                               DenseI64ArrayAttr &rhsBatching,
                               DenseI64ArrayAttr &lhsContracting,
                               DenseI64ArrayAttr &rhsContracting) {
  DenseI64ArrayAttr none = parser.getBuilder().getDenseI64ArrayAttr({});
  lhsBatching = rhsBatching = lhsContracting = rhsContracting = none;
  if (failed(parser.parseOptionalComma()))
    return success();
  if (succeeded(parser.parseOptionalKeyword("batching_dims"))) {
    if (parsePairOfDimensions(parser, lhsBatching, rhsBatching))
      return failure();
    if (failed(parser.parseOptionalComma()))
      return success();
  }
  return failure(parser.parseKeyword("contracting_dims") ||
                 parsePairOfDimensions(parser, lhsContracting, rhsContracting));
}

void printDotDimensions(OpAsmPrinter &printer, Operation *,
                        DenseI64ArrayAttr lhsBatching,
                        DenseI64ArrayAttr rhsBatching,
                        DenseI64ArrayAttr lhsContracting,
                        DenseI64ArrayAttr rhsContracting) {
  auto print = [&](StringRef name, DenseI64ArrayAttr lhs,
                   DenseI64ArrayAttr rhs) {
    if (lhs.empty() && rhs.empty())
      return;
    printer << ", " << name << " = ";
    lhs.print(printer);
    printer << " x ";
    rhs.print(printer);
  };
  print("batching_dims", lhsBatching, rhsBatching);
  print("contracting_dims", lhsContracting, rhsContracting);
}

//===----------------------------------------------------------------------===//
// Constant
//===----------------------------------------------------------------------===//

ParseResult parseConstant(OpAsmParser &parser, OperationState &result) {
  if (parser.parseOptionalAttrDict(result.attributes))
    return failure();
  ElementsAttr value;
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseAttribute(value, "value", result.attributes))
    return failure();
  if (!isa<RankedTensorType>(value.getType()))
    return parser.emitError(loc)
           << "constant of type " << value.getType()
           << ", should be of a statically shaped tensor type";
  result.addTypes(value.getType());
  return success();
}

void printConstant(OpAsmPrinter &printer, Operation *op, ElementsAttr value) {
  printer.printOptionalAttrDict(op->getAttrs(), {"value"});
  printer << " " << value;
}

//===----------------------------------------------------------------------===//
// While
//===----------------------------------------------------------------------===//

ParseResult parseWhile(OpAsmParser &parser, OperationState &result) {
  SmallVector<OpAsmParser::Argument> arguments;
  SmallVector<OpAsmParser::UnresolvedOperand> operands;
  SMLoc loc = parser.getCurrentLocation();
  auto parseAssignment = [&]() -> ParseResult {
    return failure(parser.parseArgument(arguments.emplace_back()) ||
                   parser.parseEqual() ||
                   parser.parseOperand(operands.emplace_back()));
  };
  if (parser.parseCommaSeparatedList(OpAsmParser::Delimiter::Paren,
                                     parseAssignment))
    return failure();
  SmallVector<Type> types;
  if (!operands.empty() && (parser.parseColon() || parser.parseTypeList(types)))
    return failure();
  if (parser.resolveOperands(operands, types, loc, result.operands) ||
      parser.parseOptionalAttrDictWithKeyword(result.attributes))
    return failure();
  result.addTypes(types);
  for (auto [argument, type] : llvm::zip_equal(arguments, types))
    argument.type = type;
  Region *cond = result.addRegion();
  Region *body = result.addRegion();
  return failure(
      parser.parseKeyword("cond") || parser.parseRegion(*cond, arguments) ||
      parser.parseKeyword("do") || parser.parseRegion(*body, arguments));
}

void printWhile(OpAsmPrinter &printer, Operation *op) {
  // Both regions name their arguments alike (getAsmBlockArgumentNames), so
  // one list serves both.
  printer << "(";
  llvm::interleaveComma(
      llvm::zip(op->getRegion(1).getArguments(), op->getOperands()), printer,
      [&](auto pair) {
        printer << std::get<0>(pair) << " = " << std::get<1>(pair);
      });
  printer << ")";
  if (op->getNumOperands()) {
    printer << " : ";
    llvm::interleaveComma(op->getOperandTypes(), printer);
  }
  printer.printOptionalAttrDictWithKeyword(op->getAttrs());
  printer.printNewline();
  printer << "cond ";
  printer.printRegion(op->getRegion(0), /*printEntryBlockArgs=*/false);
  printer << " do ";
  printer.printRegion(op->getRegion(1), /*printEntryBlockArgs=*/false);
}

} // namespace cleave::graph
