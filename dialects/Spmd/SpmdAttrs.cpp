//===- SpmdAttrs.cpp - Assembly of spmd attributes ------------------------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialects/Spmd/AxisNotation.h"
#include "dialects/Spmd/SpmdDialect.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace cleave::notation;
using namespace cleave::spmd;

//===----------------------------------------------------------------------===//
// Axis: "x" or "x":(pre)size
//===----------------------------------------------------------------------===//

LogicalResult AxisAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                               StringAttr name, int64_t pre, int64_t size) {
  if (size == 0 && pre == 1)
    return success();
  if (pre < 1 || size < 2)
    return emitError()
           << "a part of axis " << name
           << " has at least 2 positions and comes after at least 1";
  return success();
}

Attribute AxisAttr::parse(AsmParser &parser, Type) {
  return parseInAngles<AxisAttr>(parser, parseAxis<AxisAttr>);
}

void AxisAttr::print(AsmPrinter &printer) const {
  printInAngles(printer, [&] { printAxis(printer, *this); });
}

//===----------------------------------------------------------------------===//
// Axes: ["x", "y"]
//===----------------------------------------------------------------------===//

FailureOr<AxesAttr> AxesAttr::parseList(AsmParser &parser) {
  SmallVector<AxisAttr> axes;
  if (parseAxes(parser, AsmParser::Delimiter::Square, axes))
    return failure();
  return AxesAttr::get(parser.getContext(), axes);
}

void AxesAttr::printList(AsmPrinter &printer) const {
  printer << "[";
  printAxes(printer, getAxes());
  printer << "]";
}

Attribute AxesAttr::parse(AsmParser &parser, Type) {
  return parseInAngles<AxesAttr>(parser, parseList);
}

void AxesAttr::print(AsmPrinter &printer) const {
  printInAngles(printer, [&] { printList(printer); });
}

//===----------------------------------------------------------------------===//
// Groups: [[0, 2], [1, 3]]
//===----------------------------------------------------------------------===//

FailureOr<GroupsAttr> GroupsAttr::parseList(AsmParser &parser) {
  SmallVector<DenseI64ArrayAttr> groups;
  auto parseGroup = [&]() -> ParseResult {
    SmallVector<int64_t> ranks;
    if (parseNumbers(parser, ranks))
      return failure();
    groups.push_back(DenseI64ArrayAttr::get(parser.getContext(), ranks));
    return success();
  };
  if (parser.parseCommaSeparatedList(AsmParser::Delimiter::Square, parseGroup))
    return failure();
  return GroupsAttr::get(parser.getContext(), groups);
}

void GroupsAttr::printList(AsmPrinter &printer) const {
  printer << "[";
  llvm::interleaveComma(getGroups(), printer.getStream(),
                        [&](DenseI64ArrayAttr group) {
                          printNumbers(printer, group.asArrayRef());
                        });
  printer << "]";
}

Attribute GroupsAttr::parse(AsmParser &parser, Type) {
  return parseInAngles<GroupsAttr>(parser, parseList);
}

void GroupsAttr::print(AsmPrinter &printer) const {
  printInAngles(printer, [&] { printList(printer); });
}

//===----------------------------------------------------------------------===//
// Dimension: {"x", "y", ?}p1
//===----------------------------------------------------------------------===//

Attribute DimShardingAttr::parse(AsmParser &parser, Type) {
  return parseInAngles<DimShardingAttr>(parser,
                                        parseDim<DimShardingAttr, AxisAttr>);
}

void DimShardingAttr::print(AsmPrinter &printer) const {
  printInAngles(printer, [&] { printDim(printer, *this); });
}

//===----------------------------------------------------------------------===//
// Partial: sum "x"
//===----------------------------------------------------------------------===//

static FailureOr<PartialAttr> parsePartial(AsmParser &parser) {
  SMLoc loc = parser.getCurrentLocation();
  StringRef keyword;
  if (parser.parseKeyword(&keyword))
    return failure();
  std::optional<Reduction> reduction = symbolizeReduction(keyword);
  if (!reduction)
    return parser.emitError(loc, "unknown reduction '")
           << keyword << "'; expected sum, max, min, prod, and or or";
  FailureOr<AxisAttr> axis = parseAxis<AxisAttr>(parser);
  if (failed(axis))
    return failure();
  return PartialAttr::get(parser.getContext(), *reduction, *axis);
}

static void printPartial(AsmPrinter &printer, PartialAttr partial) {
  printer << stringifyReduction(partial.getReduction()) << " ";
  printAxis(printer, partial.getAxis());
}

Attribute PartialAttr::parse(AsmParser &parser, Type) {
  return parseInAngles<PartialAttr>(parser, parsePartial);
}

void PartialAttr::print(AsmPrinter &printer) const {
  printInAngles(printer, [&] { printPartial(printer, *this); });
}

//===----------------------------------------------------------------------===//
// Sharding: <@m, [{"x"}, {?}], partial = [sum "y"], replicated = ["z"]>
//===----------------------------------------------------------------------===//

Attribute ShardingAttr::parse(AsmParser &parser, Type) {
  SymbolRefAttr mesh;
  SmallVector<DimShardingAttr> dims;
  SmallVector<PartialAttr> partial;
  SmallVector<AxisAttr> replicated;
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseLess() || parser.parseAttribute(mesh))
    return {};
  auto flat = dyn_cast<FlatSymbolRefAttr>(mesh);
  if (!flat) {
    parser.emitError(loc, "a mesh is named by a flat symbol such as @mesh");
    return {};
  }
  if (parser.parseComma() ||
      parseListOf(parser, AsmParser::Delimiter::Square,
                  parseDim<DimShardingAttr, AxisAttr>, dims))
    return {};
  while (succeeded(parser.parseOptionalComma())) {
    SMLoc keywordLoc = parser.getCurrentLocation();
    StringRef keyword;
    if (parser.parseKeyword(&keyword) || parser.parseEqual())
      return {};
    bool isList = false;
    if (keyword == "partial" && partial.empty())
      isList = succeeded(parseListOf(parser, AsmParser::Delimiter::Square,
                                     parsePartial, partial));
    else if (keyword == "replicated" && replicated.empty())
      isList = succeeded(
          parseAxes(parser, AsmParser::Delimiter::Square, replicated));
    else
      parser.emitError(keywordLoc, "expected 'partial' or 'replicated', each "
                                   "at most once");
    if (!isList)
      return {};
  }
  if (parser.parseGreater())
    return {};
  return ShardingAttr::get(parser.getContext(), flat, dims, partial,
                           replicated);
}

void ShardingAttr::print(AsmPrinter &printer) const {
  printer << "<" << getMesh() << ", ";
  printDims(printer, getDims());
  if (!getPartial().empty()) {
    printer << ", partial = [";
    llvm::interleaveComma(getPartial(), printer.getStream(),
                          [&](PartialAttr p) { printPartial(printer, p); });
    printer << "]";
  }
  if (!getReplicated().empty()) {
    printer << ", replicated = [";
    printAxes(printer, getReplicated());
    printer << "]";
  }
  printer << ">";
}

//===----------------------------------------------------------------------===//
// Mesh: <"x"=2, "y"=4, device_ids = [...]>
//===----------------------------------------------------------------------===//

Attribute MeshAttr::parse(AsmParser &parser, Type) {
  SmallVector<StringAttr> names;
  SmallVector<int64_t> sizes, deviceIds;
  SMLoc loc = parser.getCurrentLocation();
  auto parseElement = [&]() -> ParseResult {
    if (succeeded(parser.parseOptionalKeyword("device_ids")))
      return failure(parser.parseEqual() || parseNumbers(parser, deviceIds));
    return parseMeshAxis(parser, names, sizes);
  };
  if (parser.parseCommaSeparatedList(AsmParser::Delimiter::LessGreater,
                                     parseElement))
    return {};
  return MeshAttr::getChecked([&] { return parser.emitError(loc); },
                              parser.getContext(), names, sizes, deviceIds);
}

void MeshAttr::print(AsmPrinter &printer) const {
  printer << "<";
  printMeshAxes(printer, getNames(), getSizes());
  if (!getDeviceIds().empty()) {
    printer << ", device_ids = ";
    printNumbers(printer, getDeviceIds());
  }
  printer << ">";
}

LogicalResult MeshAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                               ArrayRef<StringAttr> names,
                               ArrayRef<int64_t> sizes,
                               ArrayRef<int64_t> deviceIds) {
  if (names.size() != sizes.size())
    return emitError() << "a mesh needs one size per axis name";
  llvm::StringSet<> seen;
  int64_t ranks = 1;
  for (auto [name, size] : llvm::zip(names, sizes)) {
    if (name.getValue().empty())
      return emitError() << "a mesh axis needs a name";
    if (!seen.insert(name.getValue()).second)
      return emitError() << "mesh axis \"" << name.getValue()
                         << "\" appears twice";
    if (size < 1)
      return emitError() << "mesh axis \"" << name.getValue() << "\" has size "
                         << size << "; a size is at least 1";
    constexpr int64_t kMaxRanks = 1 << 20;
    if (size > kMaxRanks || ranks * size > kMaxRanks)
      return emitError() << "a mesh has at most " << kMaxRanks << " ranks";
    ranks *= size;
  }
  if (deviceIds.empty())
    return success();
  if (static_cast<int64_t>(deviceIds.size()) != ranks)
    return emitError() << "device_ids lists " << deviceIds.size()
                       << " devices for " << ranks << " ranks";
  return verifyDeviceIds(emitError, deviceIds);
}

#define GET_ATTRDEF_CLASSES
#include "dialects/Spmd/SpmdAttrs.cpp.inc"

void SpmdDialect::registerAttributes() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "dialects/Spmd/SpmdAttrs.cpp.inc"
      >();
}
