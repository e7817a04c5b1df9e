//===- SdyDialect.cpp - The sdy dialect and its operations ----------------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialects/StableHLO/SdyDialect.h"
#include "mlir/IR/DialectImplementation.h"

using namespace mlir;
using namespace cleave::sdy;

#include "dialects/StableHLO/SdyDialect.cpp.inc"
#define GET_OP_CLASSES
#include "dialects/StableHLO/SdyOps.cpp.inc"

void SdyDialect::initialize() {
  registerAttributes();
  addOperations<
#define GET_OP_LIST
#include "dialects/StableHLO/SdyOps.cpp.inc"
      >();
}

//===----------------------------------------------------------------------===//
// Computations: (%a, %b) in_shardings=[..] ... (%x: type, ...) {...} : types
//===----------------------------------------------------------------------===//

static ParseResult
parseInputs(OpAsmParser &parser,
            SmallVectorImpl<OpAsmParser::UnresolvedOperand> &inputs) {
  return parser.parseOperandList(inputs, OpAsmParser::Delimiter::Paren);
}

/// `keyword=[<...>, ...]`, if it is there.
static ParseResult parseShardings(OpAsmParser &parser, StringRef keyword,
                                  StringAttr name, OperationState &state,
                                  bool isOptional) {
  if (isOptional ? failed(parser.parseOptionalKeyword(keyword))
                 : failed(parser.parseKeyword(keyword)))
    return failure(!isOptional);
  if (parser.parseEqual())
    return failure();
  auto shardings = ShardingPerValueAttr::parseList(parser);
  if (failed(shardings))
    return failure();
  state.addAttribute(name, *shardings);
  return success();
}

static ParseResult parseBody(OpAsmParser &parser,
                             ArrayRef<OpAsmParser::UnresolvedOperand> inputs,
                             OperationState &state) {
  SmallVector<OpAsmParser::Argument> arguments;
  Region *body = state.addRegion();
  SMLoc loc = parser.getCurrentLocation();
  FunctionType type;
  if (parser.parseArgumentList(arguments, AsmParser::Delimiter::Paren,
                               /*allowType=*/true) ||
      parser.parseRegion(*body, arguments) ||
      parser.parseOptionalAttrDict(state.attributes) ||
      parser.parseColonType(type) ||
      parser.resolveOperands(inputs, type.getInputs(), loc, state.operands))
    return failure();
  state.addTypes(type.getResults());
  return success();
}

static void printShardings(OpAsmPrinter &printer, StringRef keyword,
                           ShardingPerValueAttr shardings) {
  printer << " " << keyword << "=";
  shardings.printList(printer);
}

static void printBody(OpAsmPrinter &printer, Operation *op,
                      ArrayRef<StringRef> printedAttributes) {
  printer << " (";
  Region &body = op->getRegion(0);
  llvm::interleaveComma(
      body.getArguments(), printer.getStream(),
      [&](BlockArgument argument) { printer.printRegionArgument(argument); });
  printer << ") ";
  printer.printRegion(body, /*printEntryBlockArgs=*/false);
  printer.printOptionalAttrDict(op->getAttrs(), printedAttributes);
  printer << " : ";
  printer.printFunctionalType(op);
}

ParseResult ManualComputationOp::parse(OpAsmParser &parser,
                                       OperationState &state) {
  SmallVector<OpAsmParser::UnresolvedOperand> inputs;
  if (parseInputs(parser, inputs) ||
      parseShardings(parser, "in_shardings", getInShardingsAttrName(state.name),
                     state, /*isOptional=*/false) ||
      parseShardings(parser, "out_shardings",
                     getOutShardingsAttrName(state.name), state,
                     /*isOptional=*/false) ||
      parser.parseKeyword("manual_axes") || parser.parseEqual())
    return failure();
  Attribute axes = ManualAxesAttr::parse(parser, Type());
  if (!axes)
    return failure();
  state.addAttribute(getManualAxesAttrName(state.name), axes);
  return parseBody(parser, inputs, state);
}

void ManualComputationOp::print(OpAsmPrinter &printer) {
  printer << "(" << getInputs() << ")";
  printShardings(printer, "in_shardings", getInShardings());
  printShardings(printer, "out_shardings", getOutShardings());
  printer << " manual_axes=";
  getManualAxes().print(printer);
  printBody(printer, *this, {"in_shardings", "out_shardings", "manual_axes"});
}

ParseResult NamedComputationOp::parse(OpAsmParser &parser,
                                      OperationState &state) {
  SmallVector<OpAsmParser::UnresolvedOperand> inputs;
  StringAttr name;
  if (parser.parseLess() || parser.parseAttribute(name) ||
      parser.parseGreater() || parseInputs(parser, inputs) ||
      parseShardings(parser, "in_shardings", getInShardingsAttrName(state.name),
                     state, /*isOptional=*/true) ||
      parseShardings(parser, "out_shardings",
                     getOutShardingsAttrName(state.name), state,
                     /*isOptional=*/true))
    return failure();
  state.addAttribute(getNameAttrName(state.name), name);
  return parseBody(parser, inputs, state);
}

void NamedComputationOp::print(OpAsmPrinter &printer) {
  printer << "<" << getNameAttr() << ">(" << getInputs() << ")";
  if (std::optional<ShardingPerValueAttr> shardings = getInShardings())
    printShardings(printer, "in_shardings", *shardings);
  if (std::optional<ShardingPerValueAttr> shardings = getOutShardings())
    printShardings(printer, "out_shardings", *shardings);
  printBody(printer, *this, {"name", "in_shardings", "out_shardings"});
}

//===----------------------------------------------------------------------===//
// Barrier: %x allowed_direction=NONE : type
//===----------------------------------------------------------------------===//

ParseResult PropagationBarrierOp::parse(OpAsmParser &parser,
                                        OperationState &state) {
  OpAsmParser::UnresolvedOperand input;
  StringRef direction;
  Type type;
  if (parser.parseOperand(input) || parser.parseKeyword("allowed_direction") ||
      parser.parseEqual())
    return failure();
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseKeyword(&direction))
    return failure();
  if (!llvm::is_contained({"NONE", "FORWARD", "BACKWARD", "BOTH"}, direction))
    return parser.emitError(loc,
                            "expected NONE, FORWARD, BACKWARD or BOTH, got '")
           << direction << "'";
  state.addAttribute(getAllowedDirectionAttrName(state.name),
                     parser.getBuilder().getStringAttr(direction));
  if (parser.parseOptionalAttrDict(state.attributes) ||
      parser.parseColonType(type) ||
      parser.resolveOperand(input, type, state.operands))
    return failure();
  state.addTypes(type);
  return success();
}

void PropagationBarrierOp::print(OpAsmPrinter &printer) {
  printer << " " << getInput()
          << " allowed_direction=" << getAllowedDirection();
  printer.printOptionalAttrDict((*this)->getAttrs(), {"allowed_direction"});
  printer << " : " << getInput().getType();
}
