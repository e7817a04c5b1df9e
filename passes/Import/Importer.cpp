//===- Importer.cpp - Rebuilds a function in the cleave dialect -----------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/Import/Importer.h"
#include "dialects/Graph/EntryFunction.h"
#include "dialects/Graph/Unsupported.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace cleave;
using namespace cleave::reader;

const ImportTable &reader::getImportTable() {
  static const ImportTable table = [] {
    ImportTable table;
    addApproxTopKImports(table);
    addBatchNormImports(table);
    addCallImports(table);
    addCheckImports(table);
    addChloImports(table);
    addCollectiveImports(table);
    addControlFlowImports(table);
    addDeprecatedImports(table);
    addDynamicShapeImports(table);
    addElementwiseImports(table);
    addFactorizationImports(table);
    addIndexedImports(table);
    addLapackImports(table);
    addLinearAlgebraImports(table);
    addMovementImports(table);
    addRaggedDotImports(table);
    addReducingCollectiveImports(table);
    addReductionImports(table);
    addRunParallelImports(table);
    addScaledDotImports(table);
    addScanImports(table);
    return table;
  }();
  return table;
}

Importer::Importer(ModuleOp module)
    : builder(module.getContext()), module(module), symbols(module) {
  builder.setListener(&created);
}

Location Importer::locationOf(Location loc) {
  for (Location caller : llvm::reverse(callers))
    loc = CallSiteLoc::get(loc, caller);
  return loc;
}

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

/// `scopes[index]` knows the value, and the scopes above are inside it.
FailureOr<Parts> Importer::lookup(Value value, Operation *user) {
  bool isOutside = false;
  for (Scope &scope : llvm::reverse(scopes)) {
    auto found = scope.values.find(value);
    if (found == scope.values.end()) {
      isOutside |= scope.isIsolated;
      continue;
    }
    if (!isOutside)
      return found->second;
    Parts copies;
    for (Value part : found->second) {
      Operation *constant = part.getDefiningOp();
      if (!constant || !constant->hasTrait<OpTrait::ConstantLike>()) {
        graph::emitUnsupported(locationOf(user->getLoc()))
            << "'" << user->getName() << "' in a region of '"
            << user->getParentOp()->getName()
            << "' uses a value from outside that is no constant";
        return failure();
      }
      copies.push_back(builder.clone(*constant)->getResult(0));
    }
    return copies;
  }
  return emitError(locationOf(user->getLoc()))
         << "'" << user->getName() << "' uses a value that is not known here";
}

//===----------------------------------------------------------------------===//
// Operations
//===----------------------------------------------------------------------===//

static bool isReaderOp(Operation *op) {
  return isa_and_nonnull<stablehlo::StableHLODialect, chlo::ChloDialect,
                         check::CheckDialect, interpreter::InterpreterDialect>(
      op->getDialect());
}

LogicalResult Importer::importOp(Operation &source) {
  if (isOpTriviallyDead(&source))
    return success();
  ImportedOp op{*this, &source, builder, locationOf(source.getLoc()),
                {},    {},      {}};
  for (Value operand : source.getOperands()) {
    FailureOr<Parts> parts = lookup(operand, &source);
    if (failed(parts))
      return failure();
    op.operands.push_back(std::move(*parts));
  }
  for (Type type : source.getResultTypes())
    if (failed(convertType(type, op.loc, op.resultTypes.emplace_back())))
      return failure();
  op.results.resize(source.getNumResults());

  std::vector<Operation *> outer = std::exchange(created.ops, {});
  auto found = getImportTable().find(op.name());
  LogicalResult imported = failure();
  if (found != getImportTable().end())
    imported = importBy(found->second, op);
  else if (isReaderOp(&source))
    op.unsupported() << "'" << op.name() << "' is not supported";
  else
    imported = importForeignOp(op);
  std::vector<Operation *> own = std::exchange(created.ops, std::move(outer));
  return success(succeeded(imported) && succeeded(finish(op, own)));
}

/// Checks what an import function has built, and keeps attributes that it does
/// not know.
LogicalResult Importer::finish(ImportedOp &op, ArrayRef<Operation *> own) {
  for (Operation *created : own)
    if (failed(verify(created, /*verifyRecursively=*/false)))
      return failure();
  auto discardable = llvm::to_vector(op.op->getDiscardableAttrs());
  for (auto [index, parts] : llvm::enumerate(op.results)) {
    if (TypeRange(ValueRange(parts)) != TypeRange(op.resultTypes[index]))
      return op.error() << "result " << index << " of '" << op.name()
                        << "' has type " << op.op->getResult(index).getType()
                        << "; its operands give "
                        << TypeRange(ValueRange(parts));
    for (Value part : parts)
      if (Operation *created = part.getDefiningOp();
          created && llvm::is_contained(own, created))
        for (NamedAttribute attribute : discardable)
          created->setDiscardableAttr(attribute.getName(),
                                      attribute.getValue());
    scopes.back().values[op.op->getResult(index)] = std::move(parts);
  }
  return success();
}

/// An op of another dialect stays, on the parts of its operands.
LogicalResult Importer::importForeignOp(ImportedOp &op) {
  if (!op.op->isRegistered())
    return op.error() << "unknown operation '" << op.name() << "'";
  OperationState state(op.loc, op.op->getName());
  for (const Parts &parts : op.operands)
    state.addOperands(parts);
  for (ArrayRef<Type> types : op.resultTypes)
    state.addTypes(types);
  state.addAttributes(op.op->getAttrs());
  for (unsigned i = 0; i < op.op->getNumRegions(); ++i)
    state.addRegion();
  Operation *clone = builder.create(state);
  for (auto [source, target] :
       llvm::zip_equal(op.op->getRegions(), clone->getRegions()))
    if (!source.empty() && failed(importClosedRegion(
                               source, target, /*isIsolated=*/false, op.loc)))
      return failure();
  unsigned next = 0;
  for (auto [types, parts] : llvm::zip_equal(op.resultTypes, op.results))
    for (unsigned i = 0; i < types.size(); ++i)
      parts.push_back(clone->getResult(next++));
  return success();
}

//===----------------------------------------------------------------------===//
// Regions
//===----------------------------------------------------------------------===//

LogicalResult Importer::importRegion(Region &source, Block &target,
                                     ArrayRef<Parts> arguments, bool isIsolated,
                                     SmallVectorImpl<Parts> &results) {
  Operation *parent = source.getParentOp();
  Location loc = locationOf(parent->getLoc());
  if (!source.hasOneBlock())
    return graph::emitUnsupported(loc)
           << "'" << parent->getName()
           << "' with several blocks in a region is not supported";
  Block &block = source.front();
  if (block.getNumArguments() != arguments.size())
    return emitError(loc) << "a region of '" << parent->getName() << "' has "
                          << block.getNumArguments() << " arguments; expected "
                          << arguments.size();
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToEnd(&target);
  Scope &scope = scopes.emplace_back();
  scope.isIsolated = isIsolated;
  for (auto [argument, parts] : llvm::zip(block.getArguments(), arguments)) {
    SmallVector<Type> types;
    if (failed(convertType(argument.getType(), loc, types)))
      return failure();
    if (TypeRange(ValueRange(parts)) != TypeRange(types))
      return emitError(loc)
             << "argument " << argument.getArgNumber() << " of a region of '"
             << parent->getName() << "' has type " << argument.getType()
             << "; expected " << TypeRange(ValueRange(parts));
    scope.values[argument] = parts;
  }
  for (Operation &op : block.without_terminator())
    if (failed(importOp(op)))
      return failure();
  Operation *terminator = block.getTerminator();
  for (Value operand : terminator->getOperands()) {
    FailureOr<Parts> parts = lookup(operand, terminator);
    if (failed(parts))
      return failure();
    results.push_back(std::move(*parts));
  }
  scopes.pop_back();
  return success();
}

LogicalResult Importer::importClosedRegion(Region &source, Region &target,
                                           bool isIsolated, Location loc) {
  Block &block = target.emplaceBlock();
  SmallVector<Parts> arguments;
  if (!source.empty())
    for (BlockArgument argument : source.front().getArguments()) {
      SmallVector<Type> types;
      if (failed(convertType(argument.getType(), loc, types)))
        return failure();
      Parts &parts = arguments.emplace_back();
      for (Type type : types)
        parts.push_back(block.addArgument(type, locationOf(argument.getLoc())));
    }
  SmallVector<Parts> results;
  if (failed(importRegion(source, block, arguments, isIsolated, results)))
    return failure();
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToEnd(&block);
  Operation *terminator = source.front().getTerminator();
  OperationState state(locationOf(terminator->getLoc()),
                       isReaderOp(terminator)
                           ? graph::ReturnOp::getOperationName()
                           : terminator->getName().getStringRef());
  if (!isReaderOp(terminator))
    state.addAttributes(terminator->getAttrs());
  for (const Parts &parts : results)
    state.addOperands(parts);
  builder.create(state);
  return success();
}

//===----------------------------------------------------------------------===//
// Functions
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
  MLIRContext *context = function.getContext();
  RebuiltFunction &target = rebuilt.emplace_back();
  target.function = function;
  target.body = std::make_unique<Region>();
  Block &body = target.body->emplaceBlock();
  entryBody = isEntry ? &body : nullptr;
  probes.clear();

  SmallVector<Parts> arguments, results;
  SmallVector<unsigned> argumentParts, resultParts;
  for (auto [index, type] : llvm::enumerate(function.getArgumentTypes())) {
    argumentParts.push_back(target.argumentTypes.size());
    SmallVector<Type> types;
    Location loc = function.isExternal() ? function.getLoc()
                                         : function.getArgument(index).getLoc();
    if (failed(convertType(type, loc, types)))
      return failure();
    Parts &parts = arguments.emplace_back();
    for (Type part : types)
      parts.push_back(body.addArgument(part, loc));
    llvm::append_range(target.argumentTypes, types);
    splitAttributes(function.getArgAttrDict(index), type, index,
                    graph::getArgumentName(function, index), context,
                    target.argumentAttrs);
  }
  for (auto [index, type] : llvm::enumerate(function.getResultTypes())) {
    resultParts.push_back(target.resultTypes.size());
    if (failed(convertType(type, function.getLoc(), target.resultTypes)))
      return failure();
    splitAttributes(function.getResultAttrDict(index), type, index,
                    graph::getResultName(function, index), context,
                    target.resultAttrs);
    for (size_t i = resultParts.back(); i < target.resultAttrs.size(); ++i) {
      if (i == index)
        continue;
      NamedAttrList list(target.resultAttrs[i]);
      list.set("cleave.number", builder.getI64IntegerAttr(index));
      target.resultAttrs[i] = list.getDictionary(context);
    }
  }
  argumentParts.push_back(target.argumentTypes.size());
  resultParts.push_back(target.resultTypes.size());
  MutableArrayRef<DictionaryAttr> argumentAttrs(target.argumentAttrs);
  for (size_t i = 0; i + 1 < argumentParts.size(); ++i)
    importDonation(argumentAttrs.slice(argumentParts[i],
                                       argumentParts[i + 1] - argumentParts[i]),
                   resultParts);
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
