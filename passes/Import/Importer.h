//===- Importer.h - Rebuilds a function in the cleave dialect ---*- C++ -*-===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A function is built anew, op by op: the importer knows which cleave values
// stand for each value of the source, and a table says by which function an op
// is imported. Why not the dialect conversion framework: see
// docs/decisions/import-by-rebuilding.md.
//
//===----------------------------------------------------------------------===//

#ifndef CLEAVE_PASSES_IMPORT_IMPORTER_H
#define CLEAVE_PASSES_IMPORT_IMPORTER_H

#include "dialects/Graph/GraphDialect.h"
#include "dialects/StableHLO/StableHLODialect.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/SymbolTable.h"
#include "llvm/ADT/StringMap.h"

namespace cleave::reader {

/// The values that stand for one value of the source: real and imaginary part
/// of complex numbers, the parts of the members of a tuple, nothing for a
/// token, otherwise one value.
using Parts = llvm::SmallVector<mlir::Value, 2>;

class Importer;

/// An op that is being imported.
struct ImportedOp {
  Importer &importer;
  mlir::Operation *op;
  mlir::OpBuilder &builder;
  mlir::Location loc;
  llvm::SmallVector<Parts> operands;
  /// Types of the parts of each result.
  llvm::SmallVector<llvm::SmallVector<mlir::Type, 2>> resultTypes;
  /// To be set: the parts of each result.
  llvm::SmallVector<Parts> results;

  /// The operand is not split.
  mlir::Value operand(unsigned index) { return operands[index][0]; }
  /// Element type in the source, e.g. complex<f32>, or f32 for a float of 8
  /// bits that is computed with; null when it is no tensor.
  mlir::Type operandElement(unsigned index);
  mlir::Type resultElement(unsigned index = 0);
  mlir::RankedTensorType operandType(unsigned index, unsigned part = 0);
  mlir::RankedTensorType resultType(unsigned index = 0, unsigned part = 0);
  llvm::StringRef name() { return op->getName().getStringRef(); }

  /// Creates an op by name.
  mlir::Operation *create(llvm::StringRef name, mlir::ValueRange operands,
                          mlir::TypeRange types,
                          llvm::ArrayRef<mlir::NamedAttribute> attributes = {},
                          unsigned regions = 0);

  /// Imports this op as the op `name` of a reader dialect, with the first
  /// operands, these attributes and the same results.
  llvm::LogicalResult importAs(llvm::StringRef name, unsigned operandCount,
                               mlir::NamedAttrList attributes);

  /// Parts of all operands from `first` on, of all results.
  llvm::SmallVector<mlir::Value> flatOperands(unsigned first = 0);
  llvm::SmallVector<mlir::Type> flatTypes();
  /// Hands the results of an op with flatTypes out to the results.
  void takeResults(mlir::Operation *built);

  /// An error that skips the program: it may be right, but Cleave lacks what
  /// the text must name.
  mlir::InFlightDiagnostic unsupported();
  /// An error of the program.
  mlir::InFlightDiagnostic error();

  //===------------------------------------------------------------------===//
  // Attributes. Each fails, with a diagnostic, when the attribute is missing or
  // of another kind; with a value for `absent` it may be missing.
  //===------------------------------------------------------------------===//
  using Integers = llvm::SmallVector<int64_t>;

  llvm::LogicalResult read(llvm::StringRef name, int64_t &value,
                           std::optional<int64_t> absent = std::nullopt);
  llvm::LogicalResult read(llvm::StringRef name, bool &value,
                           std::optional<bool> absent = std::nullopt);
  /// `array<i64: ...>` or `dense<...>` of integers or bools, flattened.
  llvm::LogicalResult read(llvm::StringRef name, Integers &values,
                           std::optional<Integers> absent = std::nullopt);
  /// The value of an enumeration.
  llvm::LogicalResult
  read(llvm::StringRef name, llvm::StringRef &value,
       std::optional<llvm::StringRef> absent = std::nullopt);
  llvm::LogicalResult read(llvm::StringRef name, stablehlo::RecordAttr &value);
  /// A field of a record.
  llvm::LogicalResult read(stablehlo::RecordAttr record, llvm::StringRef field,
                           Integers &values);
  llvm::LogicalResult read(stablehlo::RecordAttr record, llvm::StringRef field,
                           int64_t &value);
};

using ImportFunction = llvm::LogicalResult (*)(ImportedOp &);

/// Whether an op that has floats of 8 bits is imported as one on f32, between
/// conversions.
enum class InF32 { Never, Always, IfReducerIsSimple };

/// How ops of one name are imported.
struct ImportRule {
  ImportRule(ImportFunction function = nullptr, InF32 inF32 = InF32::Never)
      : function(function), inF32(inF32) {}

  ImportFunction function;
  InF32 inF32;
};

/// For ops that are the same function on wider floats, rounded.
ImportRule arithmetic(ImportFunction function);
/// For reductions, which are arithmetic where their functions are simple: only
/// add, multiply, compare or take an extremum of what they are given.
ImportRule reduction(ImportFunction function);

using ImportTable = llvm::StringMap<ImportRule>;

/// How ops of the reader dialects are imported, and calls by their targets.
const ImportTable &getImportTable();

/// What a program checks.
struct CheckedValue {
  mlir::Value actual, expected;
  /// `kind` and bounds.
  mlir::DictionaryAttr how;
  mlir::Location loc;
  /// Name of the op whose result is checked; empty for an argument.
  llvm::StringRef op;
};

/// A function that was built anew.
struct RebuiltFunction {
  mlir::func::FuncOp function;
  std::unique_ptr<mlir::Region> body;
  llvm::SmallVector<mlir::Type> argumentTypes, resultTypes;
  llvm::SmallVector<mlir::DictionaryAttr> argumentAttrs, resultAttrs;
};

class Importer {
public:
  explicit Importer(mlir::ModuleOp module);

  /// Builds a function anew. Only the entry function can check values.
  llvm::LogicalResult importFunction(mlir::func::FuncOp function, bool isEntry);
  /// Puts what was built in place of the functions. Until then they are as they
  /// were, since one may call another.
  void replaceFunctions();

  mlir::OpBuilder builder;

  /// The types of the parts of a value of type `type`. Fails with a diagnostic
  /// at `loc` that names the type.
  llvm::LogicalResult convertType(mlir::Type type, mlir::Location loc,
                                  llvm::SmallVectorImpl<mlir::Type> &converted);

  /// Imports an op by `rule`. One that computes with floats of 8 bits gets them
  /// in f32, and its results are rounded.
  llvm::LogicalResult importBy(const ImportRule &rule, ImportedOp &op);
  /// Whether ops are imported that have floats of 8 bits in f32.
  bool isComputingInF32() const { return computesInF32; }

  /// Appends the ops of the block of `source` to `target`, without the
  /// terminator, whose operands are `results`. Values from outside are known,
  /// or, if the region must be isolated, constants that are repeated in it.
  llvm::LogicalResult importRegion(mlir::Region &source, mlir::Block &target,
                                   llvm::ArrayRef<Parts> arguments,
                                   bool isIsolated,
                                   llvm::SmallVectorImpl<Parts> &results);

  /// Like importRegion, with a `cleave.return` of all parts of the results and
  /// block arguments, in order, for all parts of the arguments.
  llvm::LogicalResult importClosedRegion(mlir::Region &source,
                                         mlir::Region &target, bool isIsolated,
                                         mlir::Location loc);

  /// Imports the body of a function in place of a call of it.
  llvm::LogicalResult importCall(ImportedOp &call, llvm::StringRef callee);

  /// In a map, what is a scalar in the source is a tensor of this shape.
  std::optional<llvm::SmallVector<int64_t>> mapShape;

  /// In a program of a grid, the functions that its infeeds take from.
  llvm::SmallVector<llvm::StringRef> infeed;

  /// Notes an expectation; fails where it cannot become a result.
  llvm::LogicalResult check(ImportedOp &op, const Parts &actual,
                            const Parts &expected, mlir::DictionaryAttr how);

  /// Values that `interpreter.probe` has seen in the entry function, by name.
  llvm::StringMap<llvm::SmallVector<Parts>> probes;
  /// Whether ops are imported into the entry function, outside of regions.
  bool isInEntryBody() const {
    return builder.getInsertionBlock() == entryBody;
  }

private:
  struct Scope {
    llvm::DenseMap<mlir::Value, Parts> values;
    bool isIsolated = false;
  };

  /// Keeps the ops that an import function creates.
  struct CreatedOps : mlir::OpBuilder::Listener {
    void notifyOperationInserted(mlir::Operation *op,
                                 mlir::OpBuilder::InsertPoint) override {
      ops.push_back(op);
    }
    std::vector<mlir::Operation *> ops;
  };

  llvm::LogicalResult importOp(mlir::Operation &op);
  llvm::LogicalResult importForeignOp(ImportedOp &op);
  llvm::LogicalResult finish(ImportedOp &op,
                             llvm::ArrayRef<mlir::Operation *> created);
  llvm::FailureOr<Parts> lookup(mlir::Value value, mlir::Operation *user);
  void returnChecked(RebuiltFunction &target,
                     llvm::SmallVectorImpl<mlir::Value> &operands);
  /// `loc` as seen from the calls that lead to it.
  mlir::Location locationOf(mlir::Location loc);

  mlir::ModuleOp module;
  mlir::SymbolTable symbols;
  bool computesInF32 = false;
  CreatedOps created;
  std::vector<Scope> scopes;
  llvm::SmallVector<mlir::Location> callers;
  llvm::SmallVector<llvm::StringRef> activeFunctions;
  /// Of the entry function, while it is imported.
  mlir::Block *entryBody = nullptr;
  std::vector<CheckedValue> checked;
  std::vector<RebuiltFunction> rebuilt;
};

/// Whether a value has two parts, real and imaginary.
bool isComplex(mlir::Type element);
/// i2, i4, ui2 or ui4, which are kept in 8 bits.
bool isNarrowInteger(mlir::Type element);
/// A float of less than 8 bits, which is kept in f32.
bool isNarrowFloat(mlir::Type element);
/// A number in f32 that is the nearest one of a narrow type, ties to even, or
/// the largest one where it is beyond.
mlir::Value roundToNarrowFloat(mlir::OpBuilder &builder, mlir::Location loc,
                               mlir::Value value, mlir::FloatType element);
/// The bits of such a number, in ui8.
mlir::Value encodeNarrowFloat(mlir::OpBuilder &builder, mlir::Location loc,
                              mlir::Value value, mlir::FloatType element);
/// The number, in f32, of such bits.
mlir::Value decodeNarrowFloat(mlir::OpBuilder &builder, mlir::Location loc,
                              mlir::Value bits, mlir::FloatType element);

//===----------------------------------------------------------------------===//
// The families of import functions
//===----------------------------------------------------------------------===//

void addApproxTopKImports(ImportTable &table);
void addBatchNormImports(ImportTable &table);
void addBitcastImports(ImportTable &table);
void addCallImports(ImportTable &table);
void addCheckImports(ImportTable &table);
void addChloImports(ImportTable &table);
void addCollectiveImports(ImportTable &table);
void addControlFlowImports(ImportTable &table);
void addDeprecatedImports(ImportTable &table);
void addDynamicShapeImports(ImportTable &table);
void addElementwiseImports(ImportTable &table);
void addFactorizationImports(ImportTable &table);
void addIndexedImports(ImportTable &table);
void addLapackImports(ImportTable &table);
void addLinearAlgebraImports(ImportTable &table);
void addMovementImports(ImportTable &table);
void addRaggedDotImports(ImportTable &table);
void addReducingCollectiveImports(ImportTable &table);
void addReductionImports(ImportTable &table);
void addReflectionImports(ImportTable &table);
void addRunParallelImports(ImportTable &table);
void addScaledDotImports(ImportTable &table);
void addScanImports(ImportTable &table);

} // namespace cleave::reader

#endif // CLEAVE_PASSES_IMPORT_IMPORTER_H
