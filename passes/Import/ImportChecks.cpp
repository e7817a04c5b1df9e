//===- ImportChecks.cpp - Import of expectations --------------------------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialects/Graph/GraphBuilders.h"
#include "passes/Import/Importer.h"

using namespace mlir;
using namespace cleave;
using namespace cleave::reader;

/// The attribute `value`, as if it were a constant.
static FailureOr<Parts> buildConstant(ImportedOp &op) {
  auto value = op.op->getAttrOfType<ElementsAttr>("value");
  Type type = value.getType();
  if (type != op.op->getOperand(0).getType())
    return op.error() << "compares " << op.op->getOperand(0).getType()
                      << " with " << type;
  OperationState state(op.loc, stablehlo::ConstantOp::getOperationName());
  state.addAttribute("value", value);
  state.addTypes(type);
  Operation *constant = Operation::create(state);
  ImportedOp imported{op.importer, constant, op.builder, op.loc, {}, {}, {}};
  imported.results.resize(1);
  LogicalResult built = success(
      succeeded(op.importer.convertType(type, op.loc,
                                        imported.resultTypes.emplace_back())) &&
      succeeded(op.importer.importBy(
          getImportTable().find(state.name.getStringRef())->second, imported)));
  constant->destroy();
  if (failed(built))
    return failure();
  return std::move(imported.results[0]);
}

/// What the two values are: operands, or an operand and the attribute `value`.
static LogicalResult getValues(ImportedOp &op, Parts &actual, Parts &expected) {
  size_t count = op.op->hasAttr("value") ? 1 : 2;
  if (op.operands.size() != count)
    return op.error() << "'" << op.name() << "' has " << op.operands.size()
                      << " operands; expected " << count;
  actual = op.operands[0];
  if (count == 2) {
    expected = op.operands[1];
  } else {
    FailureOr<Parts> constant = buildConstant(op);
    if (failed(constant))
      return failure();
    expected = std::move(*constant);
  }
  if (actual.size() != expected.size())
    return op.error() << "compares " << op.op->getOperand(0).getType()
                      << " with " << op.op->getOperand(1).getType();
  return success();
}

static LogicalResult importEqual(ImportedOp &op) {
  Parts actual, expected;
  if (failed(getValues(op, actual, expected)))
    return failure();
  Builder &builder = op.builder;
  return op.importer.check(op, actual, expected,
                           builder.getDictionaryAttr(builder.getNamedAttr(
                               "kind", builder.getStringAttr("eq"))));
}

static LogicalResult importAlmostEqual(ImportedOp &op) {
  Parts actual, expected;
  if (failed(getValues(op, actual, expected)))
    return failure();
  Builder &builder = op.builder;
  // The defaults of the public interpreter.
  Attribute tolerance = op.op->getAttr("tolerance");
  if (!tolerance)
    tolerance = builder.getF64FloatAttr(op.op->hasAttr("value") ? 1e-4 : 1e-3);
  auto number = dyn_cast<FloatAttr>(tolerance);
  if (!number)
    return op.error() << "tolerance is " << tolerance << "; expected a float";
  NamedAttribute how[] = {
      builder.getNamedAttr("kind", builder.getStringAttr("almost_eq")),
      builder.getNamedAttr("tolerance",
                           builder.getF64FloatAttr(number.getValueAsDouble()))};
  return op.importer.check(op, actual, expected,
                           builder.getDictionaryAttr(how));
}

static LogicalResult importClose(ImportedOp &op) {
  Parts actual, expected;
  int64_t least, most;
  if (failed(getValues(op, actual, expected)) ||
      failed(op.read("min_ulp_difference", least, 0)) ||
      failed(op.read("max_ulp_difference", most, 3)))
    return failure();
  Builder &builder = op.builder;
  NamedAttribute how[] = {
      builder.getNamedAttr("kind", builder.getStringAttr("close")),
      builder.getNamedAttr("min_ulp", builder.getI64IntegerAttr(least)),
      builder.getNamedAttr("max_ulp", builder.getI64IntegerAttr(most))};
  return op.importer.check(op, actual, expected,
                           builder.getDictionaryAttr(how));
}

/// Passes the value on; what is checked against it later is kept.
static LogicalResult importProbe(ImportedOp &op) {
  StringRef name;
  if (failed(op.read("probe_id", name)))
    return failure();
  if (op.importer.isInEntryBody())
    op.importer.probes[name].push_back(op.operands[0]);
  op.results[0] = op.operands[0];
  return success();
}

static LogicalResult importPrint(ImportedOp &op) {
  op.results[0] = op.operands[0];
  return success();
}

/// Expects what a probe has seen the iter-th time.
static LogicalResult importSerializedEqual(ImportedOp &op) {
  StringRef name;
  int64_t iteration;
  if (failed(op.read("probe_id", name)) ||
      failed(op.read("iter", iteration, 0)))
    return failure();
  auto found = op.importer.probes.find(name);
  if (found == op.importer.probes.end() || iteration < 0 ||
      iteration >= static_cast<int64_t>(found->second.size()))
    return op.unsupported() << "'" << op.name() << "' of a probe '" << name
                            << "' in a region is not supported";
  const Parts &seen = found->second[iteration];
  if (seen.size() != op.operands[0].size())
    return op.error() << "'" << op.name()
                      << "' has another type than the probe";
  Builder &builder = op.builder;
  return op.importer.check(op, seen, op.operands[0],
                           builder.getDictionaryAttr(builder.getNamedAttr(
                               "kind", builder.getStringAttr("eq"))));
}

void reader::addCheckImports(ImportTable &table) {
  table["check.expect_almost_eq"] = importAlmostEqual;
  table["check.expect_almost_eq_const"] = importAlmostEqual;
  table["check.expect_close"] = importClose;
  table["check.expect_eq"] = importEqual;
  table["check.expect_eq_const"] = importEqual;
  table["check.expect_serialized_eq"] = importSerializedEqual;
  table["interpreter.print"] = importPrint;
  table["interpreter.probe"] = importProbe;
}
