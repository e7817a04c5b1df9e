//===- Literal.h - A dense tensor value -------------------------*- C++ -*-===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The values on which the evaluator works. Floats of every width are held as
// float64, so that a value may be more precise than its element type; integers
// and i1 as int64: signed ones (signless counts as signed) sign-extended,
// unsigned ones zero-extended (a ui64 is its bit pattern), i1 as 0 or 1.
//
//===----------------------------------------------------------------------===//

#ifndef CLEAVE_DIALECTS_GRAPH_EVALUATE_LITERAL_H
#define CLEAVE_DIALECTS_GRAPH_EVALUATE_LITERAL_H

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Diagnostics.h"
#include <memory>
#include <vector>

namespace cleave::graph {

/// A tensor in row-major order. Copies share their elements until one of them
/// is written to.
struct Literal {
  mlir::RankedTensorType type;

  Literal() = default;
  /// All zero.
  explicit Literal(mlir::RankedTensorType type);
  Literal(mlir::RankedTensorType type, std::vector<double> values);
  Literal(mlir::RankedTensorType type, std::vector<int64_t> values);

  bool isFloat() const {
    return llvm::isa<mlir::FloatType>(type.getElementType());
  }
  mlir::Type elementType() const { return type.getElementType(); }
  llvm::ArrayRef<int64_t> shape() const { return type.getShape(); }
  int64_t size() const { return type.getNumElements(); }

  llvm::ArrayRef<double> floats() const {
    assert(floatData && "not a tensor of floats");
    return *floatData;
  }
  llvm::ArrayRef<int64_t> ints() const {
    assert(intData && "not a tensor of integers");
    return *intData;
  }
  llvm::MutableArrayRef<double> mutableFloats();
  llvm::MutableArrayRef<int64_t> mutableInts();

  /// The elements under another type: of the same kind (float or not) and
  /// number; values are not converted.
  Literal withType(mlir::RankedTensorType newType) const;

  /// The block of `sizes` elements from `offsets`, every steps[d]-th one along
  /// each dimension (every one when empty). It must be in bounds.
  Literal slice(llvm::ArrayRef<int64_t> offsets, llvm::ArrayRef<int64_t> sizes,
                llvm::ArrayRef<int64_t> steps = {}) const;
  /// Overwrites the block at `offsets` with `block`, which must be in bounds.
  void insert(const Literal &block, llvm::ArrayRef<int64_t> offsets);
  /// Dimension i of the result is dimension dims[i] of this.
  Literal transposed(llvm::ArrayRef<int64_t> dims) const;
  /// A tensor of shape `sizes` whose element at an index is the one at place
  /// base + sum of index * stride here. Places must be in bounds.
  Literal strided(llvm::ArrayRef<int64_t> sizes, int64_t base,
                  llvm::ArrayRef<int64_t> strides) const;
  /// The inverse: puts the elements of `block` at such places.
  void insertStrided(const Literal &block, int64_t base,
                     llvm::ArrayRef<int64_t> strides);

  /// The element at a row-major place, as a tensor of rank 0, and its inverse.
  Literal element(int64_t place) const { return strided({}, place, {}); }
  void setElement(int64_t place, const Literal &scalar);

  /// Reads an attribute; fails on one without data (an elided resource).
  static mlir::FailureOr<Literal>
  fromAttr(mlir::ElementsAttr attr,
           llvm::function_ref<mlir::InFlightDiagnostic()> emitError);
  /// The elements in the element type, rounded to nearest even.
  mlir::DenseElementsAttr toAttr() const;

  /// Number of bytes of `type` in memory and in files; an i1 takes one byte.
  static int64_t byteSize(mlir::RankedTensorType type);
  /// Reads row-major elements of the element type, in host order. `bytes` has
  /// byteSize(type) bytes, aligned or not.
  static Literal fromBytes(mlir::RankedTensorType type,
                           llvm::ArrayRef<char> bytes);
  /// The inverse; floats are rounded to nearest even.
  std::vector<char> toBytes() const;

private:
  std::shared_ptr<std::vector<double>> floatData;
  std::shared_ptr<std::vector<int64_t>> intData;
};

/// `value` rounded to the nearest (even) value of a float type, as
/// cleave.convert does.
double roundToType(double value, mlir::Type type);

/// How far rounding to nearest may move `value`: half of a unit in the last
/// place of a float type.
double halfUnitOfType(double value, mlir::Type type);

/// `value` modulo 2^width, as the integer type represents it; for i1, whether
/// it is not zero.
int64_t wrapToType(int64_t value, mlir::Type type);

/// Distance from 1 to the next larger value of a float type.
double epsilonOfType(mlir::Type type);

/// Row-major strides, in elements.
llvm::SmallVector<int64_t> rowMajorStrides(llvm::ArrayRef<int64_t> shape);

/// Advances `index` to the next one of `shape` in row-major order; false after
/// the last, with `index` all zero again.
bool nextIndex(llvm::MutableArrayRef<int64_t> index,
               llvm::ArrayRef<int64_t> shape);

} // namespace cleave::graph

#endif // CLEAVE_DIALECTS_GRAPH_EVALUATE_LITERAL_H
