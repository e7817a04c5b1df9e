//===- ImportedOp.cpp - Types and attributes of an imported op ------------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialects/Graph/SmallFloats.h"
#include "dialects/Graph/Unsupported.h"
#include "mlir/IR/Verifier.h"
#include "passes/Import/Importer.h"

using namespace mlir;
using namespace cleave;
using namespace cleave::reader;

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

bool reader::isComplex(Type element) {
  return isa_and_nonnull<ComplexType>(element);
}

bool reader::isNarrowInteger(Type element) {
  auto integer = dyn_cast_or_null<IntegerType>(element);
  return integer && !integer.isSigned() &&
         (integer.getWidth() == 2 || integer.getWidth() == 4);
}

bool reader::isNarrowFloat(Type element) {
  auto number = dyn_cast_or_null<FloatType>(element);
  return number && number.getWidth() < 8;
}

/// The element types of the parts; none if it is not supported. Floats of 8
/// bits may be needed in f32.
static SmallVector<Type, 2> convertElement(Type element, bool computesInF32) {
  MLIRContext *context = element.getContext();
  if (auto complex = dyn_cast<ComplexType>(element)) {
    Type part = complex.getElementType();
    if (part.isF32() || part.isF64())
      return {part, part};
    return {};
  }
  if (isa<IndexType>(element))
    return {IntegerType::get(context, 64)};
  if (isNarrowInteger(element))
    return {IntegerType::get(context, 8,
                             cast<IntegerType>(element).getSignedness())};
  bool isSmall = graph::isSmallFloat(element);
  if (isNarrowFloat(element) || (isSmall && computesInF32))
    return {Float32Type::get(context)};
  if (isSmall || element.isF16() || element.isBF16() || element.isF32() ||
      element.isF64() || element.isSignlessInteger(1))
    return {element};
  auto integer = dyn_cast<IntegerType>(element);
  if (integer && !integer.isSigned() &&
      llvm::is_contained({8u, 16u, 32u, 64u}, integer.getWidth()))
    return {element};
  return {};
}

LogicalResult Importer::convertType(Type type, Location loc,
                                    SmallVectorImpl<Type> &converted) {
  if (isa<stablehlo::TokenType>(type))
    return success();
  if (auto tuple = dyn_cast<TupleType>(type)) {
    for (Type member : tuple.getTypes())
      if (failed(convertType(member, loc, converted)))
        return failure();
    return success();
  }
  if (!isa<TensorType>(type)) {
    converted.push_back(type);
    return success();
  }
  auto tensor = dyn_cast<RankedTensorType>(type);
  if (!tensor || !tensor.hasStaticShape())
    return graph::emitUnsupported(loc)
           << "type " << type << " is not supported; shapes must be static";
  // Bounds say nothing about a static shape.
  Attribute encoding = tensor.getEncoding();
  SmallVector<Type, 2> elements =
      convertElement(tensor.getElementType(), computesInF32);
  if (elements.empty() || (encoding && !isa<stablehlo::RecordAttr>(encoding)))
    return graph::emitUnsupported(loc)
           << "type " << type << " is not supported";
  ArrayRef<int64_t> shape = tensor.getShape();
  if (mapShape && shape.empty())
    shape = *mapShape;
  for (Type element : elements)
    converted.push_back(RankedTensorType::get(shape, element));
  return success();
}

/// Null for what is no tensor.
static Type elementOf(Type type, const Importer &importer) {
  auto tensor = dyn_cast<TensorType>(type);
  Type element = tensor ? tensor.getElementType() : Type();
  if (element && importer.isComputingInF32() &&
      (graph::isSmallFloat(element) || isNarrowFloat(element)))
    return Float32Type::get(type.getContext());
  return element;
}

Type ImportedOp::operandElement(unsigned index) {
  return elementOf(op->getOperand(index).getType(), importer);
}

Type ImportedOp::resultElement(unsigned index) {
  return elementOf(op->getResult(index).getType(), importer);
}

RankedTensorType ImportedOp::operandType(unsigned index, unsigned part) {
  return cast<RankedTensorType>(operands[index][part].getType());
}

RankedTensorType ImportedOp::resultType(unsigned index, unsigned part) {
  return cast<RankedTensorType>(resultTypes[index][part]);
}

//===----------------------------------------------------------------------===//
// Building
//===----------------------------------------------------------------------===//

Operation *ImportedOp::create(StringRef name, ValueRange operands,
                              TypeRange types,
                              ArrayRef<NamedAttribute> attributes,
                              unsigned regions) {
  OperationState state(loc, name, operands, types, attributes);
  for (unsigned i = 0; i < regions; ++i)
    state.addRegion();
  return builder.create(state);
}

LogicalResult ImportedOp::importAs(StringRef name, unsigned operandCount,
                                   NamedAttrList attributes) {
  OperationState state(loc, name);
  state.addOperands(op->getOperands().take_front(operandCount));
  state.addTypes(op->getResultTypes());
  state.attributes = std::move(attributes);
  Operation *other = Operation::create(state);
  ImportedOp imported{importer, other, builder, loc, {}, resultTypes, {}};
  imported.operands.assign(operands.begin(), operands.begin() + operandCount);
  imported.results.resize(results.size());
  // Import functions rely on what the verifier checks.
  LogicalResult result =
      success(succeeded(verify(other, /*verifyRecursively=*/false)) &&
              succeeded(importer.importBy(getImportTable().find(name)->second,
                                          imported)));
  results = std::move(imported.results);
  other->destroy();
  return result;
}

SmallVector<Value> ImportedOp::flatOperands(unsigned first) {
  SmallVector<Value> values;
  for (const Parts &parts : ArrayRef(operands).drop_front(first))
    llvm::append_range(values, parts);
  return values;
}

SmallVector<Type> ImportedOp::flatTypes() {
  SmallVector<Type> types;
  for (ArrayRef<Type> parts : resultTypes)
    llvm::append_range(types, parts);
  return types;
}

void ImportedOp::takeResults(Operation *built) {
  unsigned next = 0;
  for (auto [types, parts] : llvm::zip_equal(resultTypes, results))
    for (unsigned i = 0; i < types.size(); ++i)
      parts.push_back(built->getResult(next++));
}

InFlightDiagnostic ImportedOp::unsupported() {
  return graph::emitUnsupported(loc);
}

InFlightDiagnostic ImportedOp::error() { return emitError(loc); }

//===----------------------------------------------------------------------===//
// Attributes
//===----------------------------------------------------------------------===//

/// What reading an attribute fails with.
static LogicalResult mismatch(ImportedOp &op, StringRef name, Attribute value,
                              StringRef expected) {
  InFlightDiagnostic diagnostic = op.error();
  diagnostic << "attribute '" << name << "' of '" << op.name() << "' ";
  if (value)
    diagnostic << "is " << value;
  else
    diagnostic << "is missing";
  return diagnostic << "; expected " << expected;
}

static bool readInteger(Attribute attribute, int64_t &value) {
  auto integer = dyn_cast_or_null<IntegerAttr>(attribute);
  if (!integer || !integer.getValue().isSignedIntN(64))
    return false;
  value = integer.getValue().getSExtValue();
  return true;
}

static bool readIntegers(Attribute attribute,
                         SmallVectorImpl<int64_t> &values) {
  values.clear();
  if (auto array = dyn_cast_or_null<DenseI64ArrayAttr>(attribute)) {
    values.append(array.asArrayRef().begin(), array.asArrayRef().end());
    return true;
  }
  if (auto array = dyn_cast_or_null<DenseBoolArrayAttr>(attribute)) {
    values.append(array.asArrayRef().begin(), array.asArrayRef().end());
    return true;
  }
  auto elements = dyn_cast_or_null<DenseIntElementsAttr>(attribute);
  if (!elements)
    return false;
  bool isBool = elements.getElementType().isInteger(1);
  for (const APInt &value : elements.getValues<APInt>()) {
    if (!value.isSignedIntN(64))
      return false;
    values.push_back(isBool ? value.getZExtValue() : value.getSExtValue());
  }
  return true;
}

LogicalResult ImportedOp::read(StringRef name, int64_t &value,
                               std::optional<int64_t> absent) {
  Attribute attribute = op->getAttr(name);
  if (!attribute && absent) {
    value = *absent;
    return success();
  }
  if (!readInteger(attribute, value))
    return mismatch(*this, name, attribute, "an integer");
  return success();
}

LogicalResult ImportedOp::read(StringRef name, bool &value,
                               std::optional<bool> absent) {
  Attribute attribute = op->getAttr(name);
  if (!attribute && absent) {
    value = *absent;
    return success();
  }
  if (isa_and_nonnull<UnitAttr>(attribute)) {
    value = true;
    return success();
  }
  auto boolean = dyn_cast_or_null<BoolAttr>(attribute);
  if (!boolean)
    return mismatch(*this, name, attribute, "true or false");
  value = boolean.getValue();
  return success();
}

LogicalResult ImportedOp::read(StringRef name, Integers &values,
                               std::optional<Integers> absent) {
  Attribute attribute = op->getAttr(name);
  if (!attribute && absent) {
    values = std::move(*absent);
    return success();
  }
  if (!readIntegers(attribute, values))
    return mismatch(*this, name, attribute, "a list of integers");
  return success();
}

LogicalResult ImportedOp::read(StringRef name, StringRef &value,
                               std::optional<StringRef> absent) {
  Attribute attribute = op->getAttr(name);
  if (!attribute && absent) {
    value = *absent;
    return success();
  }
  if (auto enumerant = dyn_cast_or_null<stablehlo::EnumerantAttr>(attribute))
    value = enumerant.getValue().getValue();
  else if (auto text = dyn_cast_or_null<StringAttr>(attribute))
    value = text.getValue();
  else
    return mismatch(*this, name, attribute, "a value of an enumeration");
  return success();
}

LogicalResult ImportedOp::read(StringRef name, stablehlo::RecordAttr &value) {
  Attribute attribute = op->getAttr(name);
  value = dyn_cast_or_null<stablehlo::RecordAttr>(attribute);
  if (!value)
    return mismatch(*this, name, attribute,
                    "a record such as #stablehlo.dot<>");
  return success();
}

LogicalResult ImportedOp::read(stablehlo::RecordAttr record, StringRef field,
                               Integers &values) {
  Attribute attribute = record.getFields().get(field);
  values.clear();
  if (attribute && !readIntegers(attribute, values))
    return mismatch(*this, field, attribute, "a list of integers");
  return success();
}

LogicalResult ImportedOp::read(stablehlo::RecordAttr record, StringRef field,
                               int64_t &value) {
  Attribute attribute = record.getFields().get(field);
  value = 0;
  if (attribute && !readInteger(attribute, value))
    return mismatch(*this, field, attribute, "an integer");
  return success();
}
