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

/// Checks that the body takes what the op is given and yields what it returns:
/// their numbers and, where `types`, their types.
static LogicalResult verifyBody(Operation *op, ValueRange inputs, bool types) {
  Block &body = op->getRegion(0).front();
  auto yields = dyn_cast<ReturnOp>(body.getTerminator());
  if (!yields)
    return op->emitOpError("has a body that ends with '")
           << body.getTerminator()->getName() << "'; expected 'sdy.return'";
  auto agree = [&](TypeRange inside, TypeRange outside) {
    return types ? inside == outside : inside.size() == outside.size();
  };
  auto listTypes = [](InFlightDiagnostic &diag, TypeRange listed) {
    diag << "(";
    llvm::interleaveComma(listed, diag);
    diag << ")";
  };
  auto report = [&](StringRef verb, TypeRange inside, StringRef of,
                    TypeRange outside) -> LogicalResult {
    InFlightDiagnostic diag = op->emitOpError("has a body that ")
                              << verb << " ";
    listTypes(diag, inside);
    diag << " where " << of << " of the op are ";
    listTypes(diag, outside);
    return diag;
  };
  if (!agree(body.getArgumentTypes(), inputs.getTypes()))
    return report("takes", body.getArgumentTypes(), "the inputs",
                  inputs.getTypes());
  if (!agree(yields.getOperandTypes(), op->getResultTypes()))
    return report("yields", yields.getOperandTypes(), "the results",
                  op->getResultTypes());
  return success();
}

/// Shapes inside are those of the blocks.
LogicalResult ManualComputationOp::verifyRegions() {
  return verifyBody(*this, getInputs(), /*types=*/false);
}

LogicalResult NamedComputationOp::verifyRegions() {
  auto fits = [](std::optional<ShardingPerValueAttr> shardings, size_t count) {
    return !shardings || shardings->getShardings().size() == count;
  };
  if (!fits(getInShardings(), getInputs().size()) ||
      !fits(getOutShardings(), getNumResults()))
    return emitOpError("needs one sharding per input and result, or none");
  return verifyBody(*this, getInputs(), /*types=*/true);
}

/// The mesh of a sharding, as far as the text has it: meshes may also be in
/// frontend attributes.
static MeshAttr meshOf(Operation *op, ShardingAttr sharding,
                       SymbolTableCollection &tables) {
  if (auto inlined = dyn_cast<MeshAttr>(sharding.getMesh()))
    return inlined;
  auto mesh = tables.lookupNearestSymbolFrom<MeshOp>(
      op, cast<FlatSymbolRefAttr>(sharding.getMesh()));
  return mesh ? mesh.getMesh() : MeshAttr();
}

/// Checks how a sharding of one side names manual axes: as a whole, and in a
/// dimension before the others.
static LogicalResult verifyManualAxes(ManualComputationOp op,
                                      ShardingAttr sharding) {
  auto isManual = [&](AxisAttr axis) {
    return llvm::is_contained(op.getManualAxes().getNames(), axis.getName());
  };
  auto verifyWhole = [&](ArrayRef<AxisAttr> axes) -> LogicalResult {
    for (AxisAttr axis : axes)
      if (isManual(axis) && axis.getSize() != 0)
        return op.emitOpError() << "names a part of manual axis "
                                << axis.getName() << " in " << sharding;
    return success();
  };
  if (failed(verifyWhole(sharding.getReplicated())) ||
      failed(verifyWhole(sharding.getUnreduced())))
    return failure();
  for (auto [d, dim] : llvm::enumerate(sharding.getDims())) {
    if (failed(verifyWhole(dim.getAxes())))
      return failure();
    const AxisAttr *free = llvm::find_if_not(dim.getAxes(), isManual);
    const AxisAttr *late = std::find_if(free, dim.getAxes().end(), isManual);
    if (late != dim.getAxes().end())
      return op.emitOpError()
             << "names manual axis " << late->getName() << " after axis "
             << free->getName() << ", which is not manual, in dimension " << d
             << " of " << sharding << "; manual axes come first";
  }
  return success();
}

/// Checks that manual axes divide the dimensions that they cut.
static LogicalResult verifyDivides(ManualComputationOp op, Type type,
                                   ShardingAttr sharding, MeshAttr mesh) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  if (!tensor ||
      tensor.getRank() != static_cast<int64_t>(sharding.getDims().size()))
    return success();
  for (auto [d, dim] : llvm::enumerate(sharding.getDims())) {
    int64_t pieces = 1;
    for (AxisAttr axis : dim.getAxes())
      for (auto [name, size] :
           llvm::zip_equal(mesh.getNames(), mesh.getSizes()))
        if (name == axis.getName() &&
            llvm::is_contained(op.getManualAxes().getNames(), name))
          pieces *= size;
    if (!tensor.isDynamicDim(d) && tensor.getDimSize(d) % pieces != 0)
      return op.emitOpError()
             << "cuts dimension " << d << ", of size " << tensor.getDimSize(d)
             << ", into " << pieces << " blocks that are not equal";
  }
  return success();
}

LogicalResult
ManualComputationOp::verifySymbolUses(SymbolTableCollection &tables) {
  ArrayRef<ShardingAttr> in = getInShardings().getShardings();
  ArrayRef<ShardingAttr> out = getOutShardings().getShardings();
  if (in.size() != getInputs().size() || out.size() != getNumResults())
    return emitOpError("needs one sharding per input and result");
  SmallVector<ShardingAttr> all(in);
  llvm::append_range(all, out);
  SmallVector<Type> types(getInputs().getTypes());
  llvm::append_range(types, getResultTypes());
  if (all.empty() && !getManualAxes().getNames().empty())
    return emitOpError("has manual axes, but no sharding says of which mesh");
  MeshAttr first;
  for (auto [sharding, type] : llvm::zip_equal(all, types)) {
    if (failed(verifyManualAxes(*this, sharding)))
      return failure();
    MeshAttr mesh = meshOf(*this, sharding, tables);
    if (!mesh)
      continue;
    if (first && mesh != first)
      return emitOpError() << "is on mesh " << first << " and on mesh " << mesh;
    first = mesh;
    for (StringAttr axis : getManualAxes().getNames())
      if (!llvm::is_contained(mesh.getNames(), axis))
        return emitOpError() << "has manual axis " << axis << ", but mesh "
                             << mesh << " has no such axis";
    if (failed(verifyDivides(*this, type, sharding, mesh)))
      return failure();
  }
  return success();
}

//===----------------------------------------------------------------------===//
// Barrier: %x allowed_direction=NONE : type
//===----------------------------------------------------------------------===//

/// In the order of their numbers.
static constexpr StringRef kDirections[] = {"NONE", "FORWARD", "BACKWARD",
                                            "BOTH"};

StringRef PropagationBarrierOp::getDirection() {
  if (auto name = dyn_cast<StringAttr>(getAllowedDirection()))
    return llvm::is_contained(kDirections, name.getValue()) ? name.getValue()
                                                            : "";
  auto number = dyn_cast<IntegerAttr>(getAllowedDirection());
  return number && number.getValue().ult(std::size(kDirections))
             ? kDirections[number.getValue().getZExtValue()]
             : "";
}

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
  if (!llvm::is_contained(kDirections, direction))
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
  printer << " " << getInput() << " allowed_direction=" << getDirection();
  printer.printOptionalAttrDict((*this)->getAttrs(), {"allowed_direction"});
  printer << " : " << getInput().getType();
}
