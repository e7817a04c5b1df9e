//===- FormAttributes.cpp - Attributes with a syntax of their own ---------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialects/StableHLO/FormAttributes.h"
#include "mlir/IR/Builders.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"

using namespace mlir;
using namespace cleave;
using namespace cleave::stablehlo;

static RecordAttr makeRecord(AsmParser &parser, StringRef kind,
                             NamedAttrList &fields) {
  return RecordAttr::get(parser.getContext(),
                         parser.getBuilder().getStringAttr(kind),
                         fields.getDictionary(parser.getContext()));
}

//===----------------------------------------------------------------------===//
// Convolution
//===----------------------------------------------------------------------===//

/// `[b, 0, 1, f]`: the positions of two letters and, in order, of the spatial
/// dimensions.
static ParseResult parseLayout(AsmParser &parser,
                               ArrayRef<std::pair<StringRef, StringRef>> names,
                               StringRef spatialName, NamedAttrList &fields) {
  Builder &builder = parser.getBuilder();
  // Dimension number of each spatial dimension that was seen.
  SmallVector<std::pair<int64_t, int64_t>> spatial;
  SMLoc start = parser.getCurrentLocation();
  int64_t position = 0;
  auto parseOne = [&]() -> ParseResult {
    SMLoc loc = parser.getCurrentLocation();
    int64_t number;
    OptionalParseResult isNumber = parser.parseOptionalInteger(number);
    if (isNumber.has_value()) {
      if (failed(*isNumber))
        return failure();
      spatial.emplace_back(number, position++);
      return success();
    }
    StringRef letter;
    if (parser.parseKeyword(&letter))
      return failure();
    for (auto [name, field] : names) {
      if (letter != name)
        continue;
      if (fields.set(field, builder.getI64IntegerAttr(position++)))
        return parser.emitError(loc) << "'" << letter << "' is there twice";
      return success();
    }
    return parser.emitError(loc)
           << "expected '" << names[0].first << "', '" << names[1].first
           << "' or the number of a spatial dimension";
  };
  if (parser.parseCommaSeparatedList(AsmParser::Delimiter::Square, parseOne))
    return failure();
  for (auto [name, field] : names)
    if (!fields.get(field))
      return parser.emitError(start) << "'" << name << "' is missing";
  llvm::sort(spatial);
  SmallVector<int64_t> positions;
  for (auto [i, entry] : llvm::enumerate(spatial)) {
    if (entry.first != static_cast<int64_t>(i))
      return parser.emitError(start) << "spatial dimensions should be 0 to "
                                     << spatial.size() - 1 << ", each once";
    positions.push_back(entry.second);
  }
  fields.set(spatialName, builder.getDenseI64ArrayAttr(positions));
  return success();
}

ParseResult stablehlo::parseConvolutionDimensions(AsmParser &parser,
                                                  Attribute &attribute) {
  NamedAttrList fields;
  if (parseLayout(
          parser,
          {{"b", "input_batch_dimension"}, {"f", "input_feature_dimension"}},
          "input_spatial_dimensions", fields) ||
      parser.parseKeyword("x") ||
      parseLayout(parser,
                  {{"i", "kernel_input_feature_dimension"},
                   {"o", "kernel_output_feature_dimension"}},
                  "kernel_spatial_dimensions", fields) ||
      parser.parseArrow() ||
      parseLayout(
          parser,
          {{"b", "output_batch_dimension"}, {"f", "output_feature_dimension"}},
          "output_spatial_dimensions", fields))
    return failure();
  attribute = makeRecord(parser, "conv", fields);
  return success();
}

/// `[[0, 1], [2, 3]]`, low and high padding of each spatial dimension.
static ParseResult parsePadding(AsmParser &parser, Attribute &attribute) {
  SmallVector<int64_t> values;
  auto parsePair = [&]() -> ParseResult {
    SMLoc loc = parser.getCurrentLocation();
    size_t before = values.size();
    if (parseIntegers(parser, values))
      return failure();
    if (values.size() != before + 2)
      return parser.emitError(loc, "expected [low, high]");
    return success();
  };
  if (parser.parseCommaSeparatedList(AsmParser::Delimiter::Square, parsePair))
    return failure();
  Builder &builder = parser.getBuilder();
  auto type = RankedTensorType::get(
      {static_cast<int64_t>(values.size() / 2), 2}, builder.getI64Type());
  attribute = DenseIntElementsAttr::get(type, values);
  return success();
}

/// `[true, false]` or `[1, 0]`.
static ParseResult parseReversal(AsmParser &parser, Attribute &attribute) {
  SmallVector<bool> values;
  auto parseOne = [&]() -> ParseResult {
    if (succeeded(parser.parseOptionalKeyword("true"))) {
      values.push_back(true);
      return success();
    }
    if (succeeded(parser.parseOptionalKeyword("false"))) {
      values.push_back(false);
      return success();
    }
    int64_t number;
    if (parser.parseInteger(number))
      return failure();
    values.push_back(number != 0);
    return success();
  };
  if (parser.parseCommaSeparatedList(AsmParser::Delimiter::Square, parseOne))
    return failure();
  attribute = parser.getBuilder().getDenseBoolArrayAttr(values);
  return success();
}

ParseResult stablehlo::parseWindow(AsmParser &parser,
                                   NamedAttrList &attributes) {
  StringRef word;
  SMLoc loc = parser.getCurrentLocation();
  if (failed(parser.parseOptionalKeyword(&word)))
    return success();
  for (;;) {
    StringRef name = llvm::StringSwitch<StringRef>(word)
                         .Case("stride", "window_strides")
                         .Case("pad", "padding")
                         .Case("lhs_dilate", "lhs_dilation")
                         .Case("rhs_dilate", "rhs_dilation")
                         .Case("reverse", "window_reversal")
                         .Default("");
    if (name.empty())
      return parser.emitError(loc)
             << "'" << word << "' is no property of a window; expected "
             << "stride, pad, lhs_dilate, rhs_dilate or reverse";
    Attribute value;
    if (parser.parseEqual())
      return failure();
    if (name == "padding") {
      if (parsePadding(parser, value))
        return failure();
    } else if (name == "window_reversal") {
      if (parseReversal(parser, value))
        return failure();
    } else {
      SmallVector<int64_t> values;
      if (parseIntegers(parser, values))
        return failure();
      value = parser.getBuilder().getDenseI64ArrayAttr(values);
    }
    if (attributes.set(name, value))
      return parser.emitError(loc) << "'" << word << "' is given twice";
    if (failed(parser.parseOptionalComma()))
      return success();
    loc = parser.getCurrentLocation();
    if (parser.parseKeyword(&word))
      return failure();
  }
}

//===----------------------------------------------------------------------===//
// Dot
//===----------------------------------------------------------------------===//

ParseResult stablehlo::parseDotDimensions(AsmParser &parser,
                                          Attribute &attribute) {
  NamedAttrList fields;
  auto parseSide = [&](const Twine &name) -> ParseResult {
    SmallVector<int64_t> dims;
    if (parseIntegers(parser, dims))
      return failure();
    fields.set(name.str(), parser.getBuilder().getDenseI64ArrayAttr(dims));
    return success();
  };
  auto parsePair = [&](StringRef what) -> ParseResult {
    return failure(
        parser.parseEqual() || parseSide("lhs_" + what + "_dimensions") ||
        parser.parseKeyword("x") || parseSide("rhs_" + what + "_dimensions"));
  };
  if (succeeded(parser.parseOptionalKeyword("batching_dims")) &&
      (parsePair("batching") || parser.parseComma()))
    return failure();
  if (parser.parseKeyword("contracting_dims") || parsePair("contracting"))
    return failure();
  attribute = makeRecord(parser, "dot", fields);
  return success();
}

ParseResult stablehlo::parsePrecision(AsmParser &parser,
                                      NamedAttrList &attributes) {
  while (succeeded(parser.parseOptionalComma())) {
    if (succeeded(parser.parseOptionalKeyword("precision"))) {
      SmallVector<Attribute> values;
      if (parser.parseEqual() ||
          parser.parseCommaSeparatedList(AsmParser::Delimiter::Square, [&] {
            return parseEnumerant(parser, "precision", values.emplace_back());
          }))
        return failure();
      attributes.set("precision_config",
                     parser.getBuilder().getArrayAttr(values));
      continue;
    }
    Attribute algorithm;
    if (parser.parseKeyword("algorithm", " or 'precision'") ||
        parser.parseEqual() || parseRecord(parser, "dot_algorithm", algorithm))
      return failure();
    attributes.set("algorithm", algorithm);
  }
  return success();
}

//===----------------------------------------------------------------------===//
// Slice and reduce_precision
//===----------------------------------------------------------------------===//

ParseResult stablehlo::parseRanges(AsmParser &parser,
                                   NamedAttrList &attributes) {
  SmallVector<int64_t> starts, limits, strides;
  auto parseRange = [&]() -> ParseResult {
    if (parser.parseInteger(starts.emplace_back()) || parser.parseColon() ||
        parser.parseInteger(limits.emplace_back()))
      return failure();
    int64_t &stride = strides.emplace_back(1);
    if (failed(parser.parseOptionalColon()))
      return success();
    return parser.parseInteger(stride);
  };
  if (parser.parseCommaSeparatedList(AsmParser::Delimiter::Square, parseRange))
    return failure();
  Builder &builder = parser.getBuilder();
  attributes.set("start_indices", builder.getDenseI64ArrayAttr(starts));
  attributes.set("limit_indices", builder.getDenseI64ArrayAttr(limits));
  attributes.set("strides", builder.getDenseI64ArrayAttr(strides));
  return success();
}

ParseResult stablehlo::parseFloatFormat(AsmParser &parser,
                                        NamedAttrList &attributes) {
  StringRef word;
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseKeyword(&word))
    return failure();
  auto [exponent, mantissa] = word.split('m');
  int32_t exponentBits, mantissaBits;
  if (!exponent.consume_front("e") || exponent.getAsInteger(10, exponentBits) ||
      mantissa.getAsInteger(10, mantissaBits))
    return parser.emitError(loc)
           << "'" << word << "' is no format; expected e.g. e5m10";
  Builder &builder = parser.getBuilder();
  attributes.set("exponent_bits", builder.getI32IntegerAttr(exponentBits));
  attributes.set("mantissa_bits", builder.getI32IntegerAttr(mantissaBits));
  return success();
}

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

/// The elements that hexadecimal digits stand for.
static Attribute decode(RankedTensorType type, StringRef bytes) {
  bool isSplat;
  if (type.getElementType().isInteger(1) &&
      static_cast<int64_t>(bytes.size()) == type.getNumElements()) {
    SmallVector<bool> values;
    for (char byte : bytes)
      values.push_back(byte != 0);
    return DenseElementsAttr::get(type, values);
  }
  ArrayRef<char> data(bytes.data(), bytes.size());
  if (!DenseElementsAttr::isValidRawBuffer(type, data, isSplat))
    return {};
  return DenseElementsAttr::getFromRawBuffer(type, data);
}

ParseResult stablehlo::parseValue(AsmParser &parser, Attribute &attribute) {
  // What comes next must be known before anything is consumed; tokens cannot be
  // given back.
  SMLoc loc = parser.getCurrentLocation();
  if (!StringRef(loc.getPointer()).starts_with("dense<\"0x"))
    return parser.parseAttribute(attribute);
  std::string digits, bytes;
  Type type;
  if (parser.parseKeyword("dense") || parser.parseLess() ||
      parser.parseString(&digits) || parser.parseGreater() ||
      parser.parseColonType(type))
    return failure();
  auto tensor = dyn_cast<RankedTensorType>(type);
  if (!tensor || !tensor.hasStaticShape() ||
      !(tensor.getElementType().isIntOrIndexOrFloat() ||
        isa<ComplexType>(tensor.getElementType())))
    return parser.emitError(loc) << "constant of type " << type
                                 << ", should be a statically shaped tensor of "
                                    "numbers";
  if (!llvm::tryGetFromHex(StringRef(digits).drop_front(2), bytes))
    return parser.emitError(loc, "expected hexadecimal digits");
  attribute = decode(tensor, bytes);
  if (!attribute)
    return parser.emitError(loc)
           << bytes.size() << " bytes do not fill " << tensor;
  return success();
}
