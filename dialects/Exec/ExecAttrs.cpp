//===- ExecAttrs.cpp - Attributes of the exec dialect ---------------------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialects/Exec/ExecDialect.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/SmallSet.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/CheckedArithmetic.h"
#include <limits>

using namespace mlir;
using namespace cleave::exec;

#define GET_ATTRDEF_CLASSES
#include "dialects/Exec/ExecAttrs.cpp.inc"

void ExecDialect::registerAttributes() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "dialects/Exec/ExecAttrs.cpp.inc"
      >();
}

static constexpr int64_t maxRanks = std::numeric_limits<int32_t>::max();

/// Product of positive sizes, or nothing if it exceeds the number of ranks a
/// program can have.
template <typename Range>
static std::optional<int64_t> checkedRanks(const Range &axes) {
  int64_t product = 1;
  for (const auto &axis : axes) {
    std::optional<int64_t> next = llvm::checkedMul(product, axis.size);
    if (!next || *next > maxRanks)
      return std::nullopt;
    product = *next;
  }
  return product;
}

//===----------------------------------------------------------------------===//
// Axis parts: "model":(1)4
//===----------------------------------------------------------------------===//

static void printQuoted(AsmPrinter &printer, StringAttr name) {
  printer.printString(name.getValue());
}

static void printParts(AsmPrinter &printer, ArrayRef<AxisPart> parts) {
  printer << '[';
  llvm::interleaveComma(parts, printer.getStream(), [&](const AxisPart &part) {
    printQuoted(printer, part.name);
    printer << ":(" << part.pre << ')' << part.size;
  });
  printer << ']';
}

static ParseResult parseName(AsmParser &parser, StringAttr &name) {
  std::string text;
  if (parser.parseString(&text))
    return failure();
  name = StringAttr::get(parser.getContext(), text);
  return success();
}

static ParseResult parseParts(AsmParser &parser,
                              SmallVectorImpl<AxisPart> &parts) {
  return parser.parseCommaSeparatedList(
      AsmParser::Delimiter::Square, [&]() -> ParseResult {
        AxisPart part{};
        if (parseName(parser, part.name) || parser.parseColon() ||
            parser.parseLParen() || parser.parseInteger(part.pre) ||
            parser.parseRParen() || parser.parseInteger(part.size))
          return failure();
        parts.push_back(part);
        return success();
      });
}

void AxesAttr::print(AsmPrinter &printer) const {
  printer << '<';
  printParts(printer, getParts());
  printer << '>';
}

Attribute AxesAttr::parse(AsmParser &parser, Type) {
  SMLoc loc = parser.getCurrentLocation();
  SmallVector<AxisPart> parts;
  if (parser.parseLess() || parseParts(parser, parts) || parser.parseGreater())
    return {};
  return parser.getChecked<AxesAttr>(loc, parser.getContext(), parts);
}

LogicalResult AxesAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                               ArrayRef<AxisPart> parts) {
  for (const auto &[index, part] : llvm::enumerate(parts)) {
    if (part.pre < 1 || part.size < 1)
      return emitError() << "part (" << part.pre << ')' << part.size
                         << " of axis " << part.name
                         << " must have positive numbers";
    for (const AxisPart &other : parts.take_front(index))
      if (other.name == part.name && other.pre < part.pre * part.size &&
          part.pre < other.pre * other.size)
        return emitError() << "axis " << part.name
                           << " appears twice for the same positions";
  }
  if (!checkedRanks(parts))
    return emitError() << "more than " << maxRanks << " positions";
  return success();
}

int64_t AxesAttr::getNumPositions() const { return *checkedRanks(getParts()); }

//===----------------------------------------------------------------------===//
// Mesh
//===----------------------------------------------------------------------===//

void MeshAttr::print(AsmPrinter &printer) const {
  printer << '<';
  printQuoted(printer, getName());
  printer << " [";
  llvm::interleaveComma(getAxes(), printer.getStream(),
                        [&](const MeshAxis &axis) {
                          printQuoted(printer, axis.name);
                          printer << '=' << axis.size;
                        });
  printer << ']';
  if (!getDeviceIds().empty()) {
    printer << " device_ids = [";
    llvm::interleaveComma(getDeviceIds(), printer.getStream());
    printer << ']';
  }
  printer << '>';
}

Attribute MeshAttr::parse(AsmParser &parser, Type) {
  SMLoc loc = parser.getCurrentLocation();
  StringAttr name;
  SmallVector<MeshAxis> axes;
  SmallVector<int64_t> deviceIds;
  auto parseAxis = [&]() -> ParseResult {
    MeshAxis axis{};
    if (parseName(parser, axis.name) || parser.parseEqual() ||
        parser.parseInteger(axis.size))
      return failure();
    axes.push_back(axis);
    return success();
  };
  auto parseId = [&]() -> ParseResult {
    return parser.parseInteger(deviceIds.emplace_back());
  };
  if (parser.parseLess() || parseName(parser, name) ||
      parser.parseCommaSeparatedList(AsmParser::Delimiter::Square, parseAxis))
    return {};
  if (succeeded(parser.parseOptionalKeyword("device_ids")) &&
      (parser.parseEqual() ||
       parser.parseCommaSeparatedList(AsmParser::Delimiter::Square, parseId)))
    return {};
  if (parser.parseGreater())
    return {};
  return parser.getChecked<MeshAttr>(loc, parser.getContext(), name, axes,
                                     deviceIds);
}

LogicalResult MeshAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                               StringAttr name, ArrayRef<MeshAxis> axes,
                               ArrayRef<int64_t> deviceIds) {
  for (const auto &[index, axis] : llvm::enumerate(axes)) {
    if (axis.size < 1)
      return emitError() << "axis " << axis.name
                         << " must have a positive size";
    for (const MeshAxis &other : axes.take_front(index))
      if (other.name == axis.name)
        return emitError() << "two axes are called " << axis.name;
  }
  std::optional<int64_t> ranks = checkedRanks(axes);
  if (!ranks)
    return emitError() << "more than " << maxRanks << " ranks";
  if (deviceIds.empty())
    return success();
  if (int64_t(deviceIds.size()) != *ranks)
    return emitError() << "device_ids has " << deviceIds.size()
                       << " entries for " << *ranks << " ranks";
  llvm::SmallSet<int64_t, 16> seen;
  for (int64_t id : deviceIds)
    if (id < 0 || id >= *ranks || !seen.insert(id).second)
      return emitError() << "device_ids must be a permutation of 0.."
                         << *ranks - 1;
  return success();
}

int64_t MeshAttr::getNumRanks() const { return *checkedRanks(getAxes()); }

std::optional<unsigned> MeshAttr::find(StringAttr name) const {
  for (const auto &[index, axis] : llvm::enumerate(getAxes()))
    if (axis.name == name)
      return index;
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// Tensor
//===----------------------------------------------------------------------===//

void TensorAttr::print(AsmPrinter &printer) const {
  printer << '<';
  printQuoted(printer, getName());
  printer << ", " << getType() << ", [";
  llvm::interleaveComma(getSharding(), printer.getStream(), [&](AxesAttr axes) {
    printParts(printer, axes.getParts());
  });
  printer << "]>";
}

Attribute TensorAttr::parse(AsmParser &parser, Type) {
  SMLoc loc = parser.getCurrentLocation();
  StringAttr name;
  RankedTensorType type;
  SmallVector<AxesAttr> sharding;
  auto parseDim = [&]() -> ParseResult {
    SMLoc dimLoc = parser.getCurrentLocation();
    SmallVector<AxisPart> parts;
    if (parseParts(parser, parts))
      return failure();
    auto axes = parser.getChecked<AxesAttr>(dimLoc, parser.getContext(), parts);
    sharding.push_back(axes);
    return success(bool(axes));
  };
  if (parser.parseLess() || parseName(parser, name) || parser.parseComma() ||
      parser.parseType(type) || parser.parseComma() ||
      parser.parseCommaSeparatedList(AsmParser::Delimiter::Square, parseDim) ||
      parser.parseGreater())
    return {};
  return parser.getChecked<TensorAttr>(loc, parser.getContext(), name, type,
                                       sharding);
}

LogicalResult TensorAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                                 StringAttr name, RankedTensorType type,
                                 ArrayRef<AxesAttr> sharding) {
  if (!type.hasStaticShape())
    return emitError() << "tensor " << name << " must have a static shape";
  if (int64_t(sharding.size()) != type.getRank())
    return emitError() << "tensor " << name << " of rank " << type.getRank()
                       << " has a sharding of " << sharding.size()
                       << " dimensions";
  return success();
}
