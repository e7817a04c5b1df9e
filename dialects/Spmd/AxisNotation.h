//===- AxisNotation.h - How axes and dimensions are written --- -*- C++ -*-===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The notation that spmd and Shardy have in common, for attributes of either:
// an axis is `"x"`, or a part of it `"x":(pre)size`; a dimension is
// `{"x", "y":(1)2, ?}p1`, where `?` leaves it open and `p1` is its priority.
// Each of them has its own dialect's attributes; both are read and printed
// here. Nothing but a header, so that the readers need not link spmd.
//
// `Axis` is an attribute (name, pre, size), with size 0 for a whole axis, and
// `Dim` one of (axes, open, optional priority). Parsers fail with a diagnostic.
//
//===----------------------------------------------------------------------===//

#ifndef CLEAVE_DIALECTS_SPMD_AXISNOTATION_H
#define CLEAVE_DIALECTS_SPMD_AXISNOTATION_H

#include "mlir/Dialect/Utils/IndexingUtils.h"
#include "mlir/IR/DialectImplementation.h"

namespace cleave::notation {

template <typename Axis>
mlir::FailureOr<Axis> parseAxis(mlir::AsmParser &parser) {
  std::string name;
  int64_t pre = 1, size = 0;
  llvm::SMLoc loc = parser.getCurrentLocation();
  if (parser.parseString(&name))
    return mlir::failure();
  if (mlir::succeeded(parser.parseOptionalColon())) {
    if (parser.parseLParen() || parser.parseInteger(pre) ||
        parser.parseRParen() || parser.parseInteger(size))
      return mlir::failure();
    if (pre < 1 || size < 2)
      return parser.emitError(loc, "a part of axis \"")
             << name
             << "\" has at least 2 positions and comes after at least 1";
  }
  return Axis::get(parser.getContext(),
                   mlir::StringAttr::get(parser.getContext(), name), pre, size);
}

template <typename Axis> void printAxis(mlir::AsmPrinter &printer, Axis axis) {
  printer.printString(axis.getName().getValue());
  if (axis.getSize() != 0)
    printer << ":(" << axis.getPre() << ")" << axis.getSize();
}

/// A list of what `parseOne(parser)` reads.
template <typename Attr, typename Parse>
mlir::ParseResult
parseListOf(mlir::AsmParser &parser, mlir::AsmParser::Delimiter delimiter,
            Parse parseOne, llvm::SmallVectorImpl<Attr> &list) {
  return parser.parseCommaSeparatedList(delimiter, [&]() -> mlir::ParseResult {
    mlir::FailureOr<Attr> attr = parseOne(parser);
    if (mlir::succeeded(attr))
      list.push_back(*attr);
    return mlir::failure(mlir::failed(attr));
  });
}

template <typename Axis>
mlir::ParseResult parseAxes(mlir::AsmParser &parser,
                            mlir::AsmParser::Delimiter delimiter,
                            llvm::SmallVectorImpl<Axis> &axes) {
  return parseListOf(parser, delimiter, parseAxis<Axis>, axes);
}

/// Without the brackets around them.
template <typename Axis>
void printAxes(mlir::AsmPrinter &printer, llvm::ArrayRef<Axis> axes) {
  llvm::interleaveComma(axes, printer.getStream(),
                        [&](Axis axis) { printAxis(printer, axis); });
}

/// `p1`, if it is there.
inline mlir::ParseResult parsePriority(mlir::AsmParser &parser,
                                       std::optional<int64_t> &priority) {
  llvm::SMLoc loc = parser.getCurrentLocation();
  llvm::StringRef keyword;
  if (mlir::failed(parser.parseOptionalKeyword(&keyword)))
    return mlir::success();
  int64_t value = 0;
  if (!keyword.consume_front("p") || keyword.getAsInteger(10, value) ||
      value < 0)
    return parser.emitError(loc, "expected a priority such as p0 or p1");
  priority = value;
  return mlir::success();
}

template <typename Dim, typename Axis>
mlir::FailureOr<Dim> parseDim(mlir::AsmParser &parser) {
  llvm::SmallVector<Axis> axes;
  bool open = false;
  auto parseElement = [&]() -> mlir::ParseResult {
    if (open)
      return parser.emitError(parser.getCurrentLocation(),
                              "'?' must be the last entry of a dimension");
    if (mlir::succeeded(parser.parseOptionalQuestion())) {
      open = true;
      return mlir::success();
    }
    mlir::FailureOr<Axis> axis = parseAxis<Axis>(parser);
    if (mlir::succeeded(axis))
      axes.push_back(*axis);
    return mlir::failure(mlir::failed(axis));
  };
  std::optional<int64_t> priority;
  if (parser.parseCommaSeparatedList(mlir::AsmParser::Delimiter::Braces,
                                     parseElement) ||
      parsePriority(parser, priority))
    return mlir::failure();
  return Dim::get(parser.getContext(), axes, open, priority);
}

template <typename Dim> void printDim(mlir::AsmPrinter &printer, Dim dim) {
  printer << "{";
  printAxes(printer, dim.getAxes());
  if (dim.getOpen())
    printer << (dim.getAxes().empty() ? "?" : ", ?");
  printer << "}";
  if (dim.getPriority())
    printer << "p" << *dim.getPriority();
}

/// In square brackets.
template <typename Dim>
void printDims(mlir::AsmPrinter &printer, llvm::ArrayRef<Dim> dims) {
  printer << "[";
  llvm::interleaveComma(dims, printer.getStream(),
                        [&](Dim dim) { printDim(printer, dim); });
  printer << "]";
}

/// An axis of a mesh, `"x"=2`.
inline mlir::ParseResult
parseMeshAxis(mlir::AsmParser &parser,
              llvm::SmallVectorImpl<mlir::StringAttr> &names,
              llvm::SmallVectorImpl<int64_t> &sizes) {
  std::string name;
  if (parser.parseString(&name) || parser.parseEqual() ||
      parser.parseInteger(sizes.emplace_back()))
    return mlir::failure();
  names.push_back(mlir::StringAttr::get(parser.getContext(), name));
  return mlir::success();
}

inline void printMeshAxes(mlir::AsmPrinter &printer,
                          llvm::ArrayRef<mlir::StringAttr> names,
                          llvm::ArrayRef<int64_t> sizes) {
  llvm::interleaveComma(llvm::zip(names, sizes), printer.getStream(),
                        [&](auto axis) {
                          printer.printString(std::get<0>(axis).getValue());
                          printer << "=" << std::get<1>(axis);
                        });
}

/// A list of numbers in square brackets.
inline mlir::ParseResult parseNumbers(mlir::AsmParser &parser,
                                      llvm::SmallVectorImpl<int64_t> &numbers) {
  return parser.parseCommaSeparatedList(
      mlir::AsmParser::Delimiter::Square,
      [&] { return parser.parseInteger(numbers.emplace_back()); });
}

inline void printNumbers(mlir::AsmPrinter &printer,
                         llvm::ArrayRef<int64_t> numbers) {
  printer << "[";
  llvm::interleaveComma(numbers, printer.getStream());
  printer << "]";
}

/// Checks the devices of a mesh, of which there are as many as ranks.
inline llvm::LogicalResult
verifyDeviceIds(llvm::function_ref<mlir::InFlightDiagnostic()> emitError,
                llvm::ArrayRef<int64_t> deviceIds) {
  if (mlir::isPermutationVector(deviceIds))
    return mlir::success();
  return emitError() << "device_ids must be a permutation of 0 to "
                     << deviceIds.size() - 1;
}

/// An attribute that is written in angle brackets; null after a diagnostic.
template <typename Attr>
Attr parseInAngles(
    mlir::AsmParser &parser,
    llvm::function_ref<mlir::FailureOr<Attr>(mlir::AsmParser &)> parse) {
  if (parser.parseLess())
    return {};
  mlir::FailureOr<Attr> attr = parse(parser);
  if (mlir::failed(attr) || parser.parseGreater())
    return {};
  return *attr;
}

template <typename Print>
void printInAngles(mlir::AsmPrinter &printer, Print print) {
  printer << "<";
  print();
  printer << ">";
}

} // namespace cleave::notation

#endif // CLEAVE_DIALECTS_SPMD_AXISNOTATION_H
