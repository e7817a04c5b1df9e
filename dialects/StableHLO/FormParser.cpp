//===- FormParser.cpp - Parses an operation by its form -------------------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialects/StableHLO/FormAttributes.h"
#include "dialects/StableHLO/Forms.h"
#include "mlir/IR/Builders.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace cleave;
using namespace cleave::stablehlo;

namespace {

class FormParser {
public:
  FormParser(OpAsmParser &parser, OperationState &result, const Form &form)
      : parser(parser), result(result), form(form) {}

  ParseResult parse();

private:
  ParseResult parseWord(StringRef word);
  ParseResult parseOperands(bool commaAfterEach);
  ParseResult parseAttribute(StringRef element, StringRef name);
  ParseResult parseOptionalAttributes(StringRef names);
  ParseResult parseToken(StringRef word);

  ParseResult parseTypes();
  ParseResult assign(TypeRange operandTypes, TypeRange resultTypes);
  ParseResult assignListed(ArrayRef<Type> types);

  OpAsmParser &parser;
  OperationState &result;
  const Form &form;
  SmallVector<OpAsmParser::UnresolvedOperand> operands;
  SMLoc operandsLoc, typesLoc;
};

} // namespace

ParseResult stablehlo::parseForm(OpAsmParser &parser, OperationState &result,
                                 const Form &form) {
  return FormParser(parser, result, form).parse();
}

ParseResult FormParser::parse() {
  operandsLoc = parser.getCurrentLocation();
  // Only optimization_barrier and constants write attributes here; elsewhere no
  // brace can follow the name.
  if (parser.parseOptionalAttrDict(result.attributes))
    return failure();
  SmallVector<StringRef> words;
  StringRef(form.syntax)
      .split(words, ' ', /*MaxSplit=*/-1,
             /*KeepEmpty=*/false);
  for (StringRef word : words)
    if (parseWord(word))
      return failure();
  if (parser.parseOptionalAttrDict(result.attributes))
    return failure();
  return parseTypes();
}

//===----------------------------------------------------------------------===//
// Operands and attributes
//===----------------------------------------------------------------------===//

ParseResult FormParser::parseWord(StringRef word) {
  if (word == "%")
    return parser.parseOperand(operands.emplace_back());
  if (word == "%...")
    return parseOperands(/*commaAfterEach=*/false);
  if (word == "%...,")
    return parseOperands(/*commaAfterEach=*/true);
  if (word.consume_front("?=")) {
    auto [kind, name] = word.split(':');
    if (failed(parser.parseOptionalComma()))
      return success();
    return parseAttribute(kind, name);
  }
  if (word.consume_front("?"))
    return parseOptionalAttributes(word);
  // A lone `=` is itself.
  if (word.size() > 1 && word.consume_front("=")) {
    auto [element, name] = word.split(':');
    return parseAttribute(element, name);
  }
  return parseToken(word);
}

ParseResult FormParser::parseOperands(bool commaAfterEach) {
  for (;;) {
    OpAsmParser::UnresolvedOperand operand;
    OptionalParseResult parsed = parser.parseOptionalOperand(operand);
    if (!parsed.has_value())
      return success();
    if (failed(*parsed))
      return failure();
    operands.push_back(operand);
    if (commaAfterEach) {
      if (parser.parseComma())
        return failure();
    } else if (failed(parser.parseOptionalComma())) {
      return success();
    }
  }
}

ParseResult FormParser::parseAttribute(StringRef element, StringRef name) {
  Builder &builder = parser.getBuilder();
  NamedAttrList &attributes = result.attributes;
  Attribute value;
  if (element == "ranges")
    return parseRanges(parser, attributes);
  if (element == "format")
    return parseFloatFormat(parser, attributes);
  if (element == "precision" && name.empty())
    return parsePrecision(parser, attributes);
  if (element == "window")
    return parseWindow(parser, attributes);
  if (element == "conv") {
    if (parseConvolutionDimensions(parser, value))
      return failure();
    name = "dimension_numbers";
  } else if (element == "dot") {
    if (stablehlo::parseDotDimensions(parser, value))
      return failure();
    name = "dot_dimension_numbers";
  } else if (element == "ints") {
    SmallVector<int64_t> values;
    if (parseIntegers(parser, values))
      return failure();
    value = builder.getDenseI64ArrayAttr(values);
  } else if (element == "int") {
    int64_t number;
    if (parser.parseInteger(number))
      return failure();
    value = builder.getI64IntegerAttr(number);
  } else if (element == "int32") {
    int32_t number;
    if (parser.parseInteger(number))
      return failure();
    value = builder.getI32IntegerAttr(number);
  } else if (element == "float") {
    double number;
    if (parser.parseFloat(number))
      return failure();
    value = builder.getF64FloatAttr(number);
  } else if (element == "bool") {
    bool isTrue = succeeded(parser.parseOptionalKeyword("true"));
    if (!isTrue && parser.parseKeyword("false", " or 'true'"))
      return failure();
    value = builder.getBoolAttr(isTrue);
  } else if (element == "string") {
    std::string text;
    if (parser.parseString(&text))
      return failure();
    value = builder.getStringAttr(text);
  } else if (element == "symbol") {
    StringAttr symbol;
    if (parser.parseSymbolName(symbol))
      return failure();
    value = symbol;
  } else if (element == "attr") {
    if (parseValue(parser, value))
      return failure();
  } else if (parseEnumerant(parser, element, value)) {
    return failure();
  }
  attributes.set(name, value);
  return success();
}

ParseResult FormParser::parseOptionalAttributes(StringRef names) {
  // Of element by name.
  SmallVector<std::pair<StringRef, StringRef>> allowed;
  for (StringRef item : llvm::split(names, ','))
    allowed.push_back(item.split(':'));
  while (succeeded(parser.parseOptionalComma())) {
    StringRef name;
    SMLoc loc = parser.getCurrentLocation();
    if (parser.parseKeyword(&name))
      return failure();
    auto item = llvm::find_if(
        allowed, [&](auto candidate) { return candidate.second == name; });
    if (item == allowed.end())
      return parser.emitError(loc)
             << "'" << name << "' is not expected here; "
             << llvm::join(llvm::make_second_range(allowed), ", ") << " may be";
    if (parser.parseEqual() || parseAttribute(item->first, name))
      return failure();
  }
  return success();
}

ParseResult FormParser::parseToken(StringRef word) {
  if (word == ",")
    return parser.parseComma();
  if (word == "=")
    return parser.parseEqual();
  if (word == "(")
    return parser.parseLParen();
  if (word == ")")
    return parser.parseRParen();
  if (word == "[")
    return parser.parseLSquare();
  if (word == "]")
    return parser.parseRSquare();
  if (word == "{")
    return parser.parseLBrace();
  if (word == "}")
    return parser.parseRBrace();
  return parser.parseKeyword(word);
}

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

ParseResult FormParser::parseTypes() {
  typesLoc = parser.getCurrentLocation();
  if (form.types == FormTypes::Value) {
    auto value = dyn_cast_or_null<TypedAttr>(result.attributes.get("value"));
    if (!value)
      return parser.emitError(operandsLoc, "expected a value with a type");
    if (operands.empty())
      return assign({}, value.getType());
    return assign(value.getType(), {});
  }
  SmallVector<Type> types;
  if (operands.empty() && (form.types == FormTypes::Operands ||
                           form.types == FormTypes::Pairwise)) {
    if (succeeded(parser.parseOptionalLParen()) && parser.parseRParen())
      return failure();
    if (failed(parser.parseOptionalColon()))
      return success();
  } else if (parser.parseColon()) {
    return failure();
  }
  typesLoc = parser.getCurrentLocation();
  if (parser.parseTypeList(types))
    return failure();
  if (types.size() == 1)
    if (auto function = dyn_cast<FunctionType>(types[0]))
      return assign(function.getInputs(), function.getResults());
  SmallVector<Type> results;
  if (succeeded(parser.parseOptionalArrow())) {
    if (succeeded(parser.parseOptionalLParen())) {
      if (failed(parser.parseOptionalRParen()) &&
          (parser.parseTypeList(results) || parser.parseRParen()))
        return failure();
    } else if (parser.parseType(results.emplace_back())) {
      return failure();
    }
    return assign(types, results);
  }
  return assignListed(types);
}

ParseResult FormParser::assign(TypeRange operandTypes, TypeRange resultTypes) {
  result.addTypes(resultTypes);
  if (operandTypes.size() != operands.size())
    return parser.emitError(typesLoc)
           << operandTypes.size() << " operand types for " << operands.size()
           << " operands";
  return parser.resolveOperands(operands, operandTypes, operandsLoc,
                                result.operands);
}

ParseResult FormParser::assignListed(ArrayRef<Type> types) {
  auto expect = [&](size_t count) -> ParseResult {
    if (types.size() == count)
      return success();
    return parser.emitError(typesLoc)
           << types.size() << " types where " << count << " should be";
  };
  SmallVector<Type> operandTypes(operands.size(), types[0]);
  switch (form.types) {
  case FormTypes::Same:
  case FormTypes::Results:
    return failure(expect(1) || assign(operandTypes, types));
  case FormTypes::Pairwise:
    return assign(types, types);
  case FormTypes::Operands:
    return assign(
        types.size() == 1 ? TypeRange(operandTypes) : TypeRange(types), {});
  case FormTypes::Select:
    if (expect(2))
      return failure();
    operandTypes.assign(operands.size(), types[1]);
    operandTypes.front() = types[0];
    return assign(operandTypes, types[1]);
  case FormTypes::Complex: {
    if (expect(1))
      return failure();
    auto tensor = dyn_cast<ShapedType>(types[0]);
    auto complex =
        tensor ? dyn_cast<ComplexType>(tensor.getElementType()) : ComplexType();
    if (!complex)
      return parser.emitError(typesLoc)
             << types[0] << " is no tensor of complex numbers";
    operandTypes.assign(operands.size(),
                        tensor.clone(complex.getElementType()));
    return assign(operandTypes, types);
  }
  case FormTypes::Tuple: {
    auto tuple = dyn_cast<TupleType>(types[0]);
    if (expect(1))
      return failure();
    if (!tuple)
      return parser.emitError(typesLoc) << types[0] << " is no tuple";
    return assign(tuple.getTypes(), types);
  }
  case FormTypes::Value:
    break;
  }
  llvm_unreachable("values have no types after a colon");
}
