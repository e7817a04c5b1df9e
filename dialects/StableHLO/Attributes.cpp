//===- Attributes.cpp - Enumerants and records ----------------------------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialects/StableHLO/FormAttributes.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace cleave;
using namespace cleave::stablehlo;

#define GET_ATTRDEF_CLASSES
#include "dialects/StableHLO/StableHLOAttrs.cpp.inc"

void StableHLODialect::addAllAttributes() {
  addAttributes<EnumerantAttr, RecordAttr>();
}

using Names = std::vector<StringRef>;

/// The values of each enumeration.
static const llvm::StringMap<Names> &getEnumerations() {
  static const llvm::StringMap<Names> enumerations = {
      {"channel_type",
       {"CHANNEL_TYPE_INVALID", "DEVICE_TO_DEVICE", "DEVICE_TO_HOST",
        "HOST_TO_DEVICE"}},
      {"comparison_direction", {"EQ", "NE", "GE", "GT", "LE", "LT"}},
      {"comparison_type",
       {"NOTYPE", "FLOAT", "TOTALORDER", "SIGNED", "UNSIGNED"}},
      {"custom_call_api_version",
       {"API_VERSION_UNSPECIFIED", "API_VERSION_ORIGINAL",
        "API_VERSION_STATUS_RETURNING", "API_VERSION_STATUS_RETURNING_UNIFIED",
        "API_VERSION_TYPED_FFI"}},
      {"fft_type", {"FFT", "IFFT", "RFFT", "IRFFT"}},
      {"precision", {"DEFAULT", "HIGH", "HIGHEST", "PACKED_NIBBLE"}},
      {"result_accuracy_mode", {"DEFAULT", "HIGHEST", "TOLERANCE"}},
      {"rng_algorithm", {"DEFAULT", "THREE_FRY", "PHILOX"}},
      {"rng_distribution", {"UNIFORM", "NORMAL"}},
      {"transpose",
       {"TRANSPOSE_INVALID", "NO_TRANSPOSE", "TRANSPOSE", "ADJOINT"}},
  };
  return enumerations;
}

/// The fields of each record. A misspelt one would have no effect, so none
/// that is not listed is accepted.
static const llvm::StringMap<Names> &getRecords() {
  static const llvm::StringMap<Names> records = {
      {"axis_ref", {"name", "sub_axis_info"}},
      {"channel_handle", {"handle", "type"}},
      {"conv",
       {"input_batch_dimension", "input_feature_dimension",
        "input_spatial_dimensions", "kernel_input_feature_dimension",
        "kernel_output_feature_dimension", "kernel_spatial_dimensions",
        "output_batch_dimension", "output_feature_dimension",
        "output_spatial_dimensions"}},
      {"dot",
       {"lhs_batching_dimensions", "rhs_batching_dimensions",
        "lhs_contracting_dimensions", "rhs_contracting_dimensions"}},
      {"dot_algorithm",
       {"lhs_precision_type", "rhs_precision_type", "accumulation_type",
        "lhs_component_count", "rhs_component_count",
        "num_primitive_operations", "allow_imprecise_accumulation"}},
      {"gather",
       {"offset_dims", "collapsed_slice_dims", "operand_batching_dims",
        "start_indices_batching_dims", "start_index_map", "index_vector_dim"}},
      {"mesh", {"axes", "device_ids"}},
      {"mesh_axis", {"name", "size"}},
      {"output_operand_alias",
       {"output_tuple_indices", "operand_index", "operand_tuple_indices"}},
      {"ragged_dot",
       {"lhs_batching_dimensions", "rhs_batching_dimensions",
        "lhs_contracting_dimensions", "rhs_contracting_dimensions",
        "lhs_ragged_dimensions", "rhs_group_dimensions"}},
      {"replica_group_mesh_axes", {"mesh", "axes"}},
      {"result_accuracy", {"atol", "rtol", "ulps", "mode"}},
      {"scatter",
       {"update_window_dims", "inserted_window_dims", "input_batching_dims",
        "scatter_indices_batching_dims", "scatter_dims_to_operand_dims",
        "index_vector_dim"}},
      {"type_extensions", {"bounds"}},
  };
  return records;
}

//===----------------------------------------------------------------------===//
// Parsing
//===----------------------------------------------------------------------===//

ParseResult stablehlo::parseEnumerant(AsmParser &parser, StringRef kind,
                                      Attribute &attribute) {
  StringRef value;
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseKeyword(&value))
    return failure();
  const Names &values = getEnumerations().find(kind)->second;
  if (!llvm::is_contained(values, value))
    return parser.emitError(loc) << "'" << value << "' is no " << kind
                                 << "; expected " << llvm::join(values, ", ");
  Builder &builder = parser.getBuilder();
  attribute =
      EnumerantAttr::get(parser.getContext(), builder.getStringAttr(kind),
                         builder.getStringAttr(value));
  return success();
}

ParseResult stablehlo::parseIntegers(AsmParser &parser,
                                     SmallVectorImpl<int64_t> &values,
                                     bool unknown) {
  return parser.parseCommaSeparatedList(
      AsmParser::Delimiter::Square, [&]() -> ParseResult {
        if (unknown && succeeded(parser.parseOptionalQuestion())) {
          values.push_back(ShapedType::kDynamic);
          return success();
        }
        return parser.parseInteger(values.emplace_back());
      });
}

/// `[<name = "x", size = 2>, ...]`, each also as a whole attribute.
static ParseResult parseMeshAxes(AsmParser &parser, Attribute &value) {
  SmallVector<Attribute> axes;
  if (parser.parseCommaSeparatedList(
          AsmParser::Delimiter::Square, [&]() -> ParseResult {
            OptionalParseResult whole =
                parser.parseOptionalAttribute(axes.emplace_back());
            return whole.has_value()
                       ? *whole
                       : parseRecord(parser, "mesh_axis", axes.back());
          }))
    return failure();
  value = parser.getBuilder().getArrayAttr(axes);
  return success();
}

/// `(1)2`: the size of what lies before in an axis, and that of the part.
static ParseResult parsePartOfAxis(AsmParser &parser, Attribute &value) {
  int64_t before, size;
  if (parser.parseLParen() || parser.parseInteger(before) ||
      parser.parseRParen() || parser.parseInteger(size))
    return failure();
  value = parser.getBuilder().getDenseI64ArrayAttr({before, size});
  return success();
}

/// `[1, 2]`, `<TOLERANCE>` or any attribute.
static ParseResult parseField(AsmParser &parser, StringRef name,
                              Attribute &value) {
  if (succeeded(parser.parseOptionalLess()))
    return failure(parseEnumerant(parser, "result_accuracy_mode", value) ||
                   parser.parseGreater());
  // All lists of integers have these endings; that of replica groups does not.
  if (name.ends_with("dims") || name.ends_with("dimensions") ||
      name.ends_with("indices") || name.ends_with("map") || name == "bounds") {
    SmallVector<int64_t> integers;
    if (parseIntegers(parser, integers, /*unknown=*/name == "bounds"))
      return failure();
    value = parser.getBuilder().getDenseI64ArrayAttr(integers);
    return success();
  }
  return parser.parseAttribute(value);
}

/// Fields, of which the last may be followed by a comma, and `>`.
static ParseResult parseFields(AsmParser &parser, StringRef kind,
                               NamedAttrList &fields) {
  const Names &names = getRecords().find(kind)->second;
  auto parseOne = [&]() -> ParseResult {
    StringRef name;
    SMLoc loc = parser.getCurrentLocation();
    if (parser.parseKeyword(&name))
      return failure();
    if (!llvm::is_contained(names, name))
      return parser.emitError(loc) << "'" << name << "' is no field of " << kind
                                   << "; expected " << llvm::join(names, ", ");
    Attribute value;
    if (parser.parseEqual() ||
        (kind == "mesh" && name == "axes" ? parseMeshAxes(parser, value)
         : name == "sub_axis_info"        ? parsePartOfAxis(parser, value)
                                          : parseField(parser, name, value)))
      return failure();
    if (fields.set(name, value))
      return parser.emitError(loc) << "'" << name << "' is given twice";
    return success();
  };
  do {
    if (succeeded(parser.parseOptionalGreater()))
      return success();
    if (parseOne())
      return failure();
  } while (succeeded(parser.parseOptionalComma()));
  return parser.parseGreater();
}

ParseResult stablehlo::parseRecord(AsmParser &parser, StringRef kind,
                                   Attribute &attribute) {
  NamedAttrList fields;
  if (parser.parseLess() || parseFields(parser, kind, fields))
    return failure();
  attribute = RecordAttr::get(parser.getContext(),
                              parser.getBuilder().getStringAttr(kind),
                              fields.getDictionary(parser.getContext()));
  return success();
}

/// `conv<[b, f, 0]x[o, i, 0]->[b, f, 0]>` or `conv<raw input_batch_..., ...>`.
static ParseResult parseConv(AsmParser &parser, Attribute &attribute) {
  if (parser.parseLess())
    return failure();
  if (failed(parser.parseOptionalKeyword("raw")))
    return failure(parseConvolutionDimensions(parser, attribute) ||
                   parser.parseGreater());
  NamedAttrList fields;
  if (parseFields(parser, "conv", fields))
    return failure();
  attribute = RecordAttr::get(parser.getContext(),
                              parser.getBuilder().getStringAttr("conv"),
                              fields.getDictionary(parser.getContext()));
  return success();
}

/// `bounds<4, ?>`: the encoding of a tensor of bounded size.
static ParseResult parseBounds(AsmParser &parser, Attribute &attribute) {
  SmallVector<int64_t> bounds;
  if (parser.parseCommaSeparatedList(
          AsmParser::Delimiter::LessGreater, [&]() -> ParseResult {
            if (succeeded(parser.parseOptionalQuestion())) {
              bounds.push_back(ShapedType::kDynamic);
              return success();
            }
            return parser.parseInteger(bounds.emplace_back());
          }))
    return failure();
  Builder &builder = parser.getBuilder();
  attribute = RecordAttr::get(
      parser.getContext(), builder.getStringAttr("type_extensions"),
      builder.getDictionaryAttr(builder.getNamedAttr(
          "bounds", builder.getDenseI64ArrayAttr(bounds))));
  return success();
}

static Attribute parseDialectAttribute(DialectAsmParser &parser) {
  StringRef kind;
  SMLoc loc = parser.getCurrentLocation();
  Attribute attribute;
  if (parser.parseKeyword(&kind))
    return {};
  if (kind == "conv")
    return succeeded(parseConv(parser, attribute)) ? attribute : Attribute();
  if (kind == "bounds")
    return succeeded(parseBounds(parser, attribute)) ? attribute : Attribute();
  if (getRecords().contains(kind))
    return succeeded(parseRecord(parser, kind, attribute)) ? attribute
                                                           : Attribute();
  if (getEnumerations().contains(kind)) {
    bool isBracketed = succeeded(parser.parseOptionalLess());
    if (parseEnumerant(parser, kind, attribute) ||
        (isBracketed && parser.parseGreater()))
      return {};
    return attribute;
  }
  parser.emitError(loc) << "unknown attribute '" << kind << "' of StableHLO";
  return {};
}

Attribute StableHLODialect::parseAttribute(DialectAsmParser &parser,
                                           Type) const {
  return parseDialectAttribute(parser);
}

Attribute chlo::ChloDialect::parseAttribute(DialectAsmParser &parser,
                                            Type) const {
  return parseDialectAttribute(parser);
}

//===----------------------------------------------------------------------===//
// Printing
//===----------------------------------------------------------------------===//

static void printField(DialectAsmPrinter &printer, NamedAttribute field) {
  printer << field.getName().getValue() << " = ";
  auto integers = dyn_cast<DenseI64ArrayAttr>(field.getValue());
  if (!integers) {
    printer.printAttribute(field.getValue());
    return;
  }
  if (field.getName() == "sub_axis_info") {
    printer << "(" << integers[0] << ")" << integers[1];
    return;
  }
  printer << "[";
  llvm::interleaveComma(integers.asArrayRef(), printer, [&](int64_t value) {
    if (ShapedType::isDynamic(value))
      printer << "?";
    else
      printer << value;
  });
  printer << "]";
}

void StableHLODialect::printAttribute(Attribute attribute,
                                      DialectAsmPrinter &printer) const {
  if (auto enumerant = dyn_cast<EnumerantAttr>(attribute)) {
    printer << enumerant.getKind().getValue() << " "
            << enumerant.getValue().getValue();
    return;
  }
  auto record = cast<RecordAttr>(attribute);
  printer << record.getKind().getValue() << "<";
  if (record.getKind().getValue() == "conv")
    printer << "raw ";
  llvm::interleaveComma(record.getFields(), printer, [&](NamedAttribute field) {
    printField(printer, field);
  });
  printer << ">";
}
