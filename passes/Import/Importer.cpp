//===- Importer.cpp - Rebuilds a function in the cleave dialect -----------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/Import/Importer.h"
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
    addBitcastImports(table);
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
    addReflectionImports(table);
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
