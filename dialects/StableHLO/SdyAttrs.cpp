//===- SdyAttrs.cpp - Assembly of sdy attributes --------------------------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialects/Spmd/AxisNotation.h"
#include "dialects/StableHLO/SdyDialect.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace cleave::notation;
using namespace cleave::sdy;

//===----------------------------------------------------------------------===//
// Axis: "x" or "x":(pre)size
//===----------------------------------------------------------------------===//

Attribute AxisAttr::parse(AsmParser &parser, Type) {
  return parseInAngles<AxisAttr>(parser, parseAxis<AxisAttr>);
}

void AxisAttr::print(AsmPrinter &printer) const {
  printInAngles(printer, [&] { printAxis(printer, *this); });
}

/// `{"x", "y":(1)2}`
static void printAxisSet(AsmPrinter &printer, ArrayRef<AxisAttr> axes) {
  printer << "{";
  printAxes(printer, axes);
  printer << "}";
}

//===----------------------------------------------------------------------===//
// Mesh: <["x"=2, "y"=4], device_ids=[...]>
//===----------------------------------------------------------------------===//

Attribute MeshAttr::parse(AsmParser &parser, Type) {
  SmallVector<StringAttr> names;
  SmallVector<int64_t> sizes, deviceIds;
  auto parseOneAxis = [&]() -> ParseResult {
    SMLoc loc = parser.getCurrentLocation();
    if (parseMeshAxis(parser, names, sizes))
      return failure();
    if (sizes.back() < 1)
      return parser.emitError(loc, "mesh axis ")
             << names.back() << " has size " << sizes.back()
             << "; a size is at least 1";
    return success();
  };
  SMLoc begin = parser.getCurrentLocation();
  if (parser.parseLess() || parser.parseCommaSeparatedList(
                                AsmParser::Delimiter::Square, parseOneAxis))
    return {};
  if (succeeded(parser.parseOptionalComma()) &&
      (parser.parseKeyword("device_ids") || parser.parseEqual() ||
       parseNumbers(parser, deviceIds)))
    return {};
  if (parser.parseGreater())
    return {};
  return parser.getChecked<MeshAttr>(begin, parser.getContext(), names, sizes,
                                     deviceIds);
}

LogicalResult MeshAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                               ArrayRef<StringAttr> names,
                               ArrayRef<int64_t> sizes,
                               ArrayRef<int64_t> deviceIds) {
  constexpr int64_t kMaxDevices = 1 << 20;
  int64_t devices = 1;
  llvm::SmallDenseSet<StringAttr> seen;
  for (auto [name, size] : llvm::zip_equal(names, sizes)) {
    if (!seen.insert(name).second)
      return emitError() << "the mesh has two axes " << name;
    if (size > kMaxDevices / devices)
      return emitError() << "a mesh has at most " << kMaxDevices << " devices";
    devices *= size;
  }
  // One device may be any.
  if (deviceIds.empty() || (names.empty() && deviceIds.size() == 1))
    return success();
  if (static_cast<int64_t>(deviceIds.size()) != devices)
    return emitError() << "device_ids lists " << deviceIds.size()
                       << " devices for a mesh of " << devices;
  return verifyDeviceIds(emitError, deviceIds);
}

void MeshAttr::print(AsmPrinter &printer) const {
  printer << "<[";
  printMeshAxes(printer, getNames(), getSizes());
  printer << "]";
  if (!getDeviceIds().empty()) {
    printer << ", device_ids=";
    printNumbers(printer, getDeviceIds());
  }
  printer << ">";
}

//===----------------------------------------------------------------------===//
// Dimension: {"x", "y", ?}p1
//===----------------------------------------------------------------------===//

static FailureOr<DimShardingAttr> parseOneDim(AsmParser &parser) {
  SMLoc loc = parser.getCurrentLocation();
  auto dim = parseDim<DimShardingAttr, AxisAttr>(parser);
  if (failed(dim))
    return failure();
  if (dim->getPriority() && dim->getAxes().empty() && !dim->getOpen())
    return parser.emitError(loc, "a closed dimension without axes has nothing "
                                 "that a priority could order");
  return dim;
}

Attribute DimShardingAttr::parse(AsmParser &parser, Type) {
  return parseInAngles<DimShardingAttr>(parser, parseOneDim);
}

void DimShardingAttr::print(AsmPrinter &printer) const {
  printInAngles(printer, [&] { printDim(printer, *this); });
}

//===----------------------------------------------------------------------===//
// Sharding: <@m, [{"x"}, {?}], replicated={"y"}, unreduced={"z"}>
//===----------------------------------------------------------------------===//

/// `@mesh` or `mesh<[...]>`.
static Attribute parseMeshOrRef(AsmParser &parser) {
  if (succeeded(parser.parseOptionalKeyword("mesh")))
    return MeshAttr::parse(parser, Type());
  SMLoc loc = parser.getCurrentLocation();
  StringAttr name;
  if (failed(parser.parseOptionalSymbolName(name))) {
    parser.emitError(loc, "expected a mesh: a symbol such as @mesh, or "
                          "mesh<[...]>");
    return {};
  }
  return FlatSymbolRefAttr::get(name);
}

Attribute ShardingAttr::parse(AsmParser &parser, Type) {
  if (parser.parseLess())
    return {};
  Attribute mesh = parseMeshOrRef(parser);
  if (!mesh)
    return {};
  SmallVector<DimShardingAttr> dims;
  SmallVector<AxisAttr> replicated, unreduced;
  if (parser.parseComma() ||
      parseListOf(parser, AsmParser::Delimiter::Square, parseOneDim, dims))
    return {};
  while (succeeded(parser.parseOptionalComma())) {
    SMLoc loc = parser.getCurrentLocation();
    StringRef keyword;
    if (parser.parseKeyword(&keyword) || parser.parseEqual())
      return {};
    if (keyword != "replicated" && keyword != "unreduced") {
      parser.emitError(loc, "expected 'replicated' or 'unreduced', got '")
          << keyword << "'";
      return {};
    }
    if (parseAxes(parser, AsmParser::Delimiter::Braces,
                  keyword == "replicated" ? replicated : unreduced))
      return {};
  }
  if (parser.parseGreater())
    return {};
  return ShardingAttr::get(parser.getContext(), mesh, dims, replicated,
                           unreduced);
}

void ShardingAttr::print(AsmPrinter &printer) const {
  printer << "<";
  if (auto mesh = dyn_cast<MeshAttr>(getMesh())) {
    printer << "mesh";
    mesh.print(printer);
  } else {
    printer << getMesh();
  }
  printer << ", ";
  printDims(printer, getDims());
  if (!getReplicated().empty()) {
    printer << ", replicated=";
    printAxisSet(printer, getReplicated());
  }
  if (!getUnreduced().empty()) {
    printer << ", unreduced=";
    printAxisSet(printer, getUnreduced());
  }
  printer << ">";
}

FailureOr<ShardingPerValueAttr>
ShardingPerValueAttr::parseList(AsmParser &parser) {
  SmallVector<ShardingAttr> shardings;
  auto parseOne = [&]() -> ParseResult {
    auto sharding =
        dyn_cast_or_null<ShardingAttr>(ShardingAttr::parse(parser, Type()));
    if (!sharding)
      return failure();
    shardings.push_back(sharding);
    return success();
  };
  if (parser.parseCommaSeparatedList(AsmParser::Delimiter::Square, parseOne))
    return failure();
  return ShardingPerValueAttr::get(parser.getContext(), shardings);
}

void ShardingPerValueAttr::printList(AsmPrinter &printer) const {
  printer << "[";
  llvm::interleaveComma(
      getShardings(), printer.getStream(),
      [&](ShardingAttr sharding) { sharding.print(printer); });
  printer << "]";
}

Attribute ShardingPerValueAttr::parse(AsmParser &parser, Type) {
  return parseInAngles<ShardingPerValueAttr>(parser, parseList);
}

void ShardingPerValueAttr::print(AsmPrinter &printer) const {
  printInAngles(printer, [&] { printList(printer); });
}

//===----------------------------------------------------------------------===//
// Manual axes: {"x", "y"}
//===----------------------------------------------------------------------===//

Attribute ManualAxesAttr::parse(AsmParser &parser, Type) {
  SmallVector<StringAttr> names;
  auto parseName = [&]() -> ParseResult {
    std::string name;
    if (parser.parseString(&name))
      return failure();
    names.push_back(StringAttr::get(parser.getContext(), name));
    return success();
  };
  if (parser.parseCommaSeparatedList(AsmParser::Delimiter::Braces, parseName))
    return {};
  return ManualAxesAttr::get(parser.getContext(), names);
}

void ManualAxesAttr::print(AsmPrinter &printer) const {
  printer << "{";
  llvm::interleaveComma(getNames(), printer.getStream(), [&](StringAttr name) {
    printer.printString(name.getValue());
  });
  printer << "}";
}

//===----------------------------------------------------------------------===//
// Text
//===----------------------------------------------------------------------===//

static ParseResult skipBalanced(AsmParser &parser);

/// One token other than a bracket.
static ParseResult skipAtom(AsmParser &parser) {
  StringRef keyword;
  std::string text;
  int64_t number;
  if (succeeded(parser.parseOptionalKeyword(&keyword)) ||
      succeeded(parser.parseOptionalString(&text)) ||
      succeeded(parser.parseOptionalComma()) ||
      succeeded(parser.parseOptionalArrow()) ||
      succeeded(parser.parseOptionalEqual()) ||
      succeeded(parser.parseOptionalColon()) ||
      succeeded(parser.parseOptionalQuestion()))
    return success();
  OptionalParseResult integer = parser.parseOptionalInteger(number);
  if (integer.has_value())
    return *integer;
  return parser.emitError(parser.getCurrentLocation(), "unexpected token");
}

/// A bracketed group, or nothing: true if there was one.
static FailureOr<bool> skipGroup(AsmParser &parser) {
  auto rest = [&](auto isClosed) -> FailureOr<bool> {
    while (failed(isClosed()))
      if (failed(skipBalanced(parser)))
        return failure();
    return true;
  };
  if (succeeded(parser.parseOptionalLSquare()))
    return rest([&] { return parser.parseOptionalRSquare(); });
  if (succeeded(parser.parseOptionalLParen()))
    return rest([&] { return parser.parseOptionalRParen(); });
  if (succeeded(parser.parseOptionalLBrace()))
    return rest([&] { return parser.parseOptionalRBrace(); });
  return false;
}

static ParseResult skipBalanced(AsmParser &parser) {
  FailureOr<bool> isGroup = skipGroup(parser);
  if (failed(isGroup))
    return failure();
  return *isGroup ? success() : skipAtom(parser);
}

static StringAttr textFrom(AsmParser &parser, SMLoc begin) {
  const char *start = begin.getPointer();
  StringRef text(start, parser.getCurrentLocation().getPointer() - start);
  return StringAttr::get(parser.getContext(), text.trim());
}

/// A list in square brackets, or axes in braces, and what `parseRest` reads.
template <typename AttrT>
static Attribute parseAxesAsText(
    AsmParser &parser,
    function_ref<ParseResult()> parseRest = [] { return success(); }) {
  SMLoc begin = parser.getCurrentLocation();
  FailureOr<bool> isGroup = skipGroup(parser);
  if (failed(isGroup))
    return {};
  if (!*isGroup) {
    parser.emitError(begin, "expected a list of axes");
    return {};
  }
  if (parseRest())
    return {};
  return AttrT::get(parser.getContext(), textFrom(parser, begin));
}

Attribute AxisListAttr::parse(AsmParser &parser, Type) {
  return parseAxesAsText<AxisListAttr>(parser);
}

Attribute AxisListsAttr::parse(AsmParser &parser, Type) {
  return parseAxesAsText<AxisListsAttr>(parser);
}

Attribute ExchangesAttr::parse(AsmParser &parser, Type) {
  return parseAxesAsText<ExchangesAttr>(parser, [&]() -> ParseResult {
    int64_t from, to;
    OptionalParseResult source = parser.parseOptionalInteger(from);
    if (!source.has_value())
      return success();
    return failure(failed(*source) || parser.parseArrow() ||
                   parser.parseInteger(to));
  });
}

void AxisListAttr::print(AsmPrinter &printer) const {
  printer << getText().getValue();
}

void AxisListsAttr::print(AsmPrinter &printer) const {
  printer << getText().getValue();
}

void ExchangesAttr::print(AsmPrinter &printer) const {
  printer << getText().getValue();
}

/// What is between `<` and `>`; null after a diagnostic.
static StringAttr parseTextInAngles(AsmParser &parser) {
  if (parser.parseLess())
    return {};
  SMLoc begin = parser.getCurrentLocation();
  StringAttr text = StringAttr::get(parser.getContext(), "");
  while (failed(parser.parseOptionalGreater())) {
    if (skipBalanced(parser))
      return {};
    text = textFrom(parser, begin);
  }
  return text;
}

Attribute OpShardingRuleAttr::parse(AsmParser &parser, Type) {
  StringAttr text = parseTextInAngles(parser);
  return text ? get(parser.getContext(), text) : OpShardingRuleAttr();
}

void OpShardingRuleAttr::print(AsmPrinter &printer) const {
  printer << "<" << getText().getValue() << ">";
}

Attribute PropagationEdgesAttr::parse(AsmParser &parser, Type) {
  StringAttr text = parseTextInAngles(parser);
  return text ? get(parser.getContext(), text) : PropagationEdgesAttr();
}

void PropagationEdgesAttr::print(AsmPrinter &printer) const {
  printer << "<" << getText().getValue() << ">";
}

#define GET_ATTRDEF_CLASSES
#include "dialects/StableHLO/SdyAttrs.cpp.inc"

void SdyDialect::registerAttributes() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "dialects/StableHLO/SdyAttrs.cpp.inc"
      >();
}
