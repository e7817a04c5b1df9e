//===- ReduceFormat.cpp - Short and long syntax of reduce -----------------===//
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

/// The op of the short form: the only op of the body, of the same dialect,
/// commutative, without attributes, applied to (accumulator, element).
static Operation *getShortFormOp(Operation *op) {
  Region &region = op->getRegion(0);
  if (op->getNumOperands() != 2 || !region.hasOneBlock())
    return nullptr;
  Block &body = region.front();
  if (body.getNumArguments() != 2 ||
      !llvm::hasNItems(body.getOperations(), 2) || op->getNumResults() != 1)
    return nullptr;
  Operation &inner = body.front();
  Operation &last = body.back();
  if (inner.getDialect() != op->getDialect() || !inner.getAttrs().empty() ||
      !inner.hasTrait<OpTrait::IsCommutative>() || inner.getNumRegions() != 0 ||
      inner.getNumResults() != 1 ||
      inner.getOperands() != ValueRange(body.getArguments()) ||
      last.getOperands() != inner.getResults() || !last.getAttrs().empty())
    return nullptr;
  Type type = inner.getResult(0).getType();
  auto input = dyn_cast<RankedTensorType>(op->getOperand(0).getType());
  if (!input || type != RankedTensorType::get({}, input.getElementType()) ||
      !llvm::all_equal(
          {type, inner.getOperand(0).getType(), inner.getOperand(1).getType()}))
    return nullptr;
  return &inner;
}

void printReduce(OpAsmPrinter &printer, Operation *op,
                 ArrayRef<int64_t> dimensions) {
  unsigned count = op->getNumOperands() / 2;
  printer << "(";
  for (unsigned i = 0; i < count; ++i) {
    if (i)
      printer << ", (";
    printer << op->getOperand(i) << " init: " << op->getOperand(count + i)
            << ")";
  }
  Operation *inner = getShortFormOp(op);
  if (inner)
    printer << " applies " << inner->getName();
  printer << " across dimensions = [";
  llvm::interleaveComma(dimensions, printer);
  printer << "]";
  printer.printOptionalAttrDict(op->getAttrs(), {"dimensions"});
  printer << " : ";
  printer.printFunctionalType(op);
  if (inner)
    return;
  // Accumulator and element of one input stand together.
  printer.printNewline();
  printer << " reducer";
  Block &body = op->getRegion(0).front();
  for (unsigned i = 0; 2 * i + 1 < body.getNumArguments(); ++i) {
    printer << "(";
    printer.printRegionArgument(body.getArgument(i));
    printer << ", ";
    printer.printRegionArgument(
        body.getArgument(body.getNumArguments() / 2 + i));
    printer << ") ";
  }
  printer.printRegion(op->getRegion(0), /*printEntryBlockArgs=*/false);
}

/// Builds the body of the short form.
static ParseResult buildShortForm(OpAsmParser &parser, SMLoc loc,
                                  OperationName inner, Type type,
                                  OperationState &result) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  if (!tensor)
    return parser.emitError(loc) << "input of type " << type
                                 << ", should be a statically shaped tensor";
  Type scalar = RankedTensorType::get({}, tensor.getElementType());
  Location location = parser.getEncodedSourceLoc(loc);
  Block &body = result.addRegion()->emplaceBlock();
  body.addArguments({scalar, scalar}, {location, location});
  OpBuilder builder(parser.getContext());
  builder.setInsertionPointToEnd(&body);
  OperationState state(location, inner);
  state.addOperands(body.getArguments());
  state.addTypes(scalar);
  Operation *op = builder.create(state);
  OperationState last(location,
                      (result.name.getDialectNamespace() + ".return").str());
  last.addOperands(op->getResults());
  builder.create(last);
  return success();
}

static ParseResult parseReducer(OpAsmParser &parser, unsigned count,
                                OperationState &result) {
  if (parser.parseKeyword("reducer"))
    return failure();
  SmallVector<OpAsmParser::Argument> arguments(2 * count);
  for (unsigned i = 0; i < count; ++i)
    if (parser.parseLParen() ||
        parser.parseArgument(arguments[i], /*allowType=*/true,
                             /*allowAttrs=*/true) ||
        parser.parseComma() ||
        parser.parseArgument(arguments[count + i], /*allowType=*/true,
                             /*allowAttrs=*/true) ||
        parser.parseRParen())
      return failure();
  return parser.parseRegion(*result.addRegion(), arguments);
}

ParseResult parseReduce(OpAsmParser &parser, OperationState &result) {
  SmallVector<OpAsmParser::UnresolvedOperand> inputs, inits;
  SMLoc loc = parser.getCurrentLocation();
  do {
    if (parser.parseLParen() || parser.parseOperand(inputs.emplace_back()) ||
        parser.parseKeyword("init") || parser.parseColon() ||
        parser.parseOperand(inits.emplace_back()) || parser.parseRParen())
      return failure();
  } while (succeeded(parser.parseOptionalComma()));

  std::optional<OperationName> inner;
  SMLoc innerLoc;
  if (succeeded(parser.parseOptionalKeyword("applies"))) {
    innerLoc = parser.getCurrentLocation();
    FailureOr<OperationName> name = parser.parseCustomOperationName();
    if (failed(name))
      return failure();
    StringRef dialect = result.name.getDialectNamespace();
    if (name->getDialectNamespace() != dialect ||
        !name->hasTrait<OpTrait::IsCommutative>())
      return parser.emitError(innerLoc)
             << "'" << name->getStringRef() << "' cannot be applied, should be "
             << "a commutative operation of '" << dialect << "'";
    if (inputs.size() != 1)
      return parser.emitError(innerLoc)
             << "'applies' takes one input, use a 'reducer' for "
             << inputs.size();
    inner = *name;
  }

  SmallVector<int64_t> dimensions;
  FunctionType type;
  if (parser.parseKeyword("across") || parser.parseKeyword("dimensions") ||
      parser.parseEqual() ||
      parser.parseCommaSeparatedList(
          OpAsmParser::Delimiter::Square,
          [&] { return parser.parseInteger(dimensions.emplace_back()); }) ||
      parser.parseOptionalAttrDict(result.attributes) || parser.parseColon() ||
      parser.parseType(type))
    return failure();
  result.addAttribute("dimensions",
                      parser.getBuilder().getDenseI64ArrayAttr(dimensions));
  result.addTypes(type.getResults());
  unsigned count = inputs.size();
  inputs.append(inits);
  if (parser.resolveOperands(inputs, type.getInputs(), loc, result.operands))
    return failure();
  if (inner)
    return buildShortForm(parser, innerLoc, *inner, type.getInput(0), result);
  return parseReducer(parser, count, result);
}

} // namespace cleave::graph
