//===- ImportFunctions.cpp - Functions, their calls and signatures --------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialects/Graph/EntryFunction.h"
#include "passes/Import/Importer.h"

using namespace mlir;
using namespace cleave;
using namespace cleave::reader;

//===----------------------------------------------------------------------===//
// Calls and checks
//===----------------------------------------------------------------------===//

/// Programs that check themselves keep their inputs in functions without
/// arguments; cleave-lift-constants makes arguments of them.
static void markInputs(StringRef function, ArrayRef<Parts> results) {
  for (const Parts &parts : results)
    for (Value part : parts)
      if (Operation *constant = part.getDefiningOp();
          constant && constant->hasTrait<OpTrait::ConstantLike>())
        constant->setDiscardableAttr(
            "cleave.input", StringAttr::get(constant->getContext(), function));
}

LogicalResult Importer::importCall(ImportedOp &call, StringRef callee) {
  auto function = symbols.lookup<func::FuncOp>(callee);
  if (!function || function.isExternal())
    return call.error() << "calls @" << callee << ", which has no body";
  if (llvm::is_contained(activeFunctions, callee))
    return call.error() << "recursive call of @" << callee
                        << "; a model graph must be finite";
  activeFunctions.push_back(callee);
  callers.push_back(call.op->getLoc());
  SmallVector<Parts> results;
  if (failed(importRegion(function.getBody(), *builder.getInsertionBlock(),
                          call.operands, /*isIsolated=*/true, results)))
    return failure();
  callers.pop_back();
  activeFunctions.pop_back();
  if (call.operands.empty())
    markInputs(callee, results);
  if (results.size() != call.results.size())
    return call.error() << "takes " << call.results.size() << " results of @"
                        << callee << ", which has " << results.size();
  call.results = std::move(results);
  return success();
}

LogicalResult Importer::check(ImportedOp &op, const Parts &actual,
                              const Parts &expected, DictionaryAttr how) {
  if (!isInEntryBody())
    return op.unsupported()
           << "'" << op.name()
           << "' is supported in the entry function and in functions that it "
              "calls, outside of regions";
  Operation *maker = op.op->getOperand(0).getDefiningOp();
  StringRef name = maker ? maker->getName().getStringRef() : StringRef();
  for (auto [left, right] : llvm::zip(actual, expected)) {
    if (left.getType() != right.getType())
      return op.error() << "compares " << left.getType() << " with "
                        << right.getType();
    checked.push_back({left, right, how, op.loc, name});
  }
  return success();
}

//===----------------------------------------------------------------------===//
// Signatures
//===----------------------------------------------------------------------===//

/// `x` of type complex: x.real, x.imag; a tuple: x.0, x.1, ...; else x.
static void namePartsOf(Type type, const Twine &name,
                        SmallVectorImpl<std::string> &names) {
  if (auto tuple = dyn_cast<TupleType>(type)) {
    for (auto [index, member] : llvm::enumerate(tuple.getTypes()))
      namePartsOf(member, name + "." + Twine(index), names);
    return;
  }
  if (isa<stablehlo::TokenType>(type))
    return;
  auto tensor = dyn_cast<RankedTensorType>(type);
  if (tensor && isComplex(tensor.getElementType())) {
    names.push_back((name + ".real").str());
    names.push_back((name + ".imag").str());
    return;
  }
  names.push_back(name.str());
}

/// The attributes of argument or result `index` for each of its parts, behind
/// `parts` of those before it. Names say which value of the source it was.
static void splitAttributes(DictionaryAttr attributes, Type type, size_t index,
                            StringRef name, MLIRContext *context,
                            SmallVectorImpl<DictionaryAttr> &parts) {
  SmallVector<std::string> names;
  namePartsOf(type, name, names);
  bool isRenumbered =
      names.size() > 1 || isa<TupleType>(type) || index != parts.size();
  for (const std::string &partName : names) {
    NamedAttrList list(attributes);
    if (isRenumbered)
      list.set("cleave.name", StringAttr::get(context, partName));
    parts.push_back(list.getDictionary(context));
  }
}

/// What exporters say of donated arguments, `tf.aliasing_output = N` and
/// `jax.buffer_donor`, as `cleave.donated`. The parts of an argument are
/// donated to those of the output; `resultParts` has the first part of each,
/// and the end.
static void importDonation(MutableArrayRef<DictionaryAttr> parts,
                           ArrayRef<unsigned> resultParts) {
  for (auto [index, attributes] : llvm::enumerate(parts)) {
    NamedAttrList list(attributes);
    Attribute output = list.erase("tf.aliasing_output");
    auto isDonor = dyn_cast_or_null<BoolAttr>(list.erase("jax.buffer_donor"));
    Builder builder(attributes.getContext());
    if (auto number = dyn_cast_or_null<IntegerAttr>(output)) {
      uint64_t result = number.getValue().getZExtValue();
      // A number that is none of an output is an error later.
      uint64_t first = result;
      if (result + 1 < resultParts.size()) {
        first = resultParts[result];
        if (resultParts[result + 1] - first == parts.size())
          first += index;
      } else {
        first = resultParts.back() + result;
      }
      list.set("cleave.donated", builder.getI64IntegerAttr(first));
    } else if (isDonor && isDonor.getValue()) {
      list.set("cleave.donated", builder.getUnitAttr());
    }
    attributes = list.getDictionary(attributes.getContext());
  }
}

/// The arguments of a rebuilt function, in its block, with their attributes.
static LogicalResult addArguments(Importer &importer, RebuiltFunction &target,
                                  SmallVectorImpl<Parts> &arguments) {
  func::FuncOp function = target.function;
  for (auto [index, type] : llvm::enumerate(function.getArgumentTypes())) {
    SmallVector<Type> types;
    Location loc = function.isExternal() ? function.getLoc()
                                         : function.getArgument(index).getLoc();
    if (failed(importer.convertType(type, loc, types)))
      return failure();
    Parts &parts = arguments.emplace_back();
    for (Type part : types)
      parts.push_back(target.body->front().addArgument(part, loc));
    llvm::append_range(target.argumentTypes, types);
    splitAttributes(function.getArgAttrDict(index), type, index,
                    graph::getArgumentName(function, index),
                    function.getContext(), target.argumentAttrs);
  }
  return success();
}

/// The types of its results with their attributes; `resultParts` has the first
/// part of each, and the end.
static LogicalResult addResults(Importer &importer, RebuiltFunction &target,
                                SmallVectorImpl<unsigned> &resultParts) {
  func::FuncOp function = target.function;
  MLIRContext *context = function.getContext();
  for (auto [index, type] : llvm::enumerate(function.getResultTypes())) {
    resultParts.push_back(target.resultTypes.size());
    if (failed(
            importer.convertType(type, function.getLoc(), target.resultTypes)))
      return failure();
    splitAttributes(function.getResultAttrDict(index), type, index,
                    graph::getResultName(function, index), context,
                    target.resultAttrs);
    for (size_t i = resultParts.back(); i < target.resultAttrs.size(); ++i) {
      if (i == index)
        continue;
      NamedAttrList list(target.resultAttrs[i]);
      list.set("cleave.number", importer.builder.getI64IntegerAttr(index));
      target.resultAttrs[i] = list.getDictionary(context);
    }
  }
  resultParts.push_back(target.resultTypes.size());
  return success();
}

//===----------------------------------------------------------------------===//
// Functions
//===----------------------------------------------------------------------===//

/// What the program checks, as further results of its function.
void Importer::returnChecked(RebuiltFunction &target,
                             SmallVectorImpl<Value> &operands) {
  MLIRContext *context = builder.getContext();
  for (auto [index, value] : llvm::enumerate(std::exchange(checked, {}))) {
    for (auto [role, result] : {std::pair("actual", value.actual),
                                std::pair("expected", value.expected)}) {
      NamedAttrList how(value.how);
      how.set("index", builder.getI64IntegerAttr(index));
      how.set("role", builder.getStringAttr(role));
      NamedAttrList attributes;
      attributes.set("cleave.expect", how.getDictionary(context));
      attributes.set("cleave.expect_loc",
                     builder.getStringAttr(graph::describe(value.loc)));
      if (role == StringRef("actual") && !value.op.empty())
        attributes.set("cleave.expect_op", builder.getStringAttr(value.op));
      operands.push_back(result);
      target.resultTypes.push_back(result.getType());
      target.resultAttrs.push_back(attributes.getDictionary(context));
    }
  }
}

LogicalResult Importer::importFunction(func::FuncOp function, bool isEntry) {
  RebuiltFunction &target = rebuilt.emplace_back();
  target.function = function;
  target.body = std::make_unique<Region>();
  Block &body = target.body->emplaceBlock();
  entryBody = isEntry ? &body : nullptr;
  probes.clear();

  SmallVector<Parts> arguments, results;
  SmallVector<unsigned> resultParts;
  if (failed(addArguments(*this, target, arguments)) ||
      failed(addResults(*this, target, resultParts)))
    return failure();
  MutableArrayRef<DictionaryAttr> attrs(target.argumentAttrs);
  for (const Parts &parts : arguments) {
    importDonation(attrs.take_front(parts.size()), resultParts);
    attrs = attrs.drop_front(parts.size());
  }
  if (function.isExternal())
    return success();

  activeFunctions.assign({function.getSymName()});
  if (failed(importRegion(function.getBody(), body, arguments,
                          /*isIsolated=*/true, results)))
    return failure();
  SmallVector<Value> operands;
  for (const Parts &parts : results)
    llvm::append_range(operands, parts);
  returnChecked(target, operands);
  builder.setInsertionPointToEnd(&body);
  func::ReturnOp::create(
      builder, function.getBody().front().getTerminator()->getLoc(), operands);
  return success();
}

void Importer::replaceFunctions() {
  for (RebuiltFunction &target : rebuilt) {
    func::FuncOp function = target.function;
    function.setFunctionType(FunctionType::get(
        function.getContext(), target.argumentTypes, target.resultTypes));
    function.setAllArgAttrs(target.argumentAttrs);
    function.setAllResultAttrs(target.resultAttrs);
    if (!function.isExternal())
      function.getBody().takeBody(*target.body);
  }
}
