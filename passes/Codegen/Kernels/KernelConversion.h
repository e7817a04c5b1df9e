//===- KernelConversion.h - From cleave ops to linalg -----------*- C++ -*-===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The state of converting one kernel. Each op is converted once, in order, so
// a map from old to new values replaces a pattern driver.
//
//===----------------------------------------------------------------------===//

#ifndef CLEAVE_PASSES_CODEGEN_KERNELS_KERNELCONVERSION_H
#define CLEAVE_PASSES_CODEGEN_KERNELS_KERNELCONVERSION_H

#include "dialects/Graph/GraphDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace cleave::codegen {

class KernelConversion {
public:
  struct Options {
    /// Products of floats that only a sum uses are not rounded.
    bool fuseProducts = false;
    /// Results replace arguments.
    bool isInPlace = false;
  };
  KernelConversion(mlir::ImplicitLocOpBuilder &builder, Options options)
      : b(builder), options(options) {}

  /// Converts one op of a kernel's body.
  mlir::LogicalResult convert(mlir::Operation *op);

  void map(mlir::Value from, mlir::Value to) { tensors[from] = to; }
  /// The tensor that stands for `value`; a splat is made on demand.
  mlir::Value lookup(mlir::Value value);

private:
  /// A tensor read by a generic op, through `map`.
  struct Input {
    mlir::Value tensor;
    mlir::AffineMap map;
  };
  /// Loops of a reduction: parallel ones, then those that are reduced.
  struct ReductionLoops {
    llvm::SmallVector<int64_t> extents;
    int64_t numParallel = 0;
    mlir::AffineMap input, output;
    llvm::SmallVector<mlir::utils::IteratorType> iterators() const;
  };
  /// Those of a convolution, with `input` of its left operand.
  struct ConvolutionLoops : ReductionLoops {
    mlir::AffineMap kernel;
  };
  using BodyFn = llvm::function_ref<mlir::Value(mlir::ValueRange)>;

  /// The type with elements as stored in memory.
  static mlir::RankedTensorType storageTensor(mlir::Type type);
  mlir::AffineMap identity(int64_t rank) {
    return b.getMultiDimIdentityMap(rank);
  }
  /// A map from `rank` loops.
  mlir::AffineMap mapOf(int64_t rank,
                        llvm::ArrayRef<mlir::AffineExpr> results) {
    return mlir::AffineMap::get(rank, 0, results, b.getContext());
  }
  mlir::Value emptyTensor(mlir::RankedTensorType type);
  mlir::Value fill(mlir::RankedTensorType type, mlir::Value scalar);
  /// A parallel generic op of the type's shape. The body sees stored elements.
  mlir::Value parallel(mlir::RankedTensorType type,
                       llvm::ArrayRef<Input> inputs, BodyFn body);
  /// Copies what `map` reads from `source`.
  mlir::Value copy(mlir::RankedTensorType type, mlir::Value source,
                   mlir::AffineMap map);
  /// An index that reads only the first `count` of `size` elements. Linalg
  /// takes a plain loop to read all of them; a remainder that changes nothing
  /// says that it does not.
  mlir::AffineExpr partOf(mlir::AffineExpr index, int64_t size, int64_t count);
  /// The element of a rank-0 tensor, as stored.
  mlir::Value scalarOf(mlir::Value value);
  /// Clamped start index of a dynamic slice, as an index.
  mlir::Value startIndex(mlir::Value index, mlir::Type element, int64_t limit);
  /// Offsets of a dynamic slice: static 0 where the slice is whole.
  llvm::SmallVector<mlir::OpFoldResult>
  sliceOffsets(mlir::ValueRange starts, llvm::ArrayRef<int64_t> shape,
               llvm::ArrayRef<int64_t> sizes);
  mlir::Value insert(mlir::Value source, mlir::Value into,
                     llvm::ArrayRef<mlir::OpFoldResult> offsets,
                     llvm::ArrayRef<int64_t> strides);

  /// Appends an operand that is never read and gives the loops their extents,
  /// so that any producer can be fused.
  void addExtents(const ReductionLoops &loops,
                  llvm::SmallVectorImpl<mlir::Value> &inputs,
                  llvm::SmallVectorImpl<mlir::AffineMap> &maps);
  /// Where sums, products and extrema of `element` accumulate: f32 for narrower
  /// floats, so that they are rounded once.
  mlir::Type accumulatorOf(mlir::Type element);
  /// Combines two stored accumulators by a known commutative op.
  mlir::Value combineStored(mlir::Operation &combine, mlir::Value x,
                            mlir::Value y, mlir::Type accumulator);
  /// Maps `value` to a tensor of accumulators, rounded to its element type.
  void mapRounded(mlir::Value value, mlir::Value accumulated,
                  mlir::Type accumulator);
  /// Combines all inputs at once by `body`, which is one known op on one input
  /// if `isSimple`, and maps the results of `op`.
  mlir::LogicalResult reduceElements(mlir::Operation *op,
                                     mlir::ValueRange inputs,
                                     mlir::ValueRange inits, mlir::Block &body,
                                     bool isSimple,
                                     const ReductionLoops &loops);

  /// The product that `op`, a sum or a difference, computes without rounding
  /// it.
  graph::MulOp fusedProduct(mlir::Operation *op);
  mlir::LogicalResult convertElementwise(mlir::Operation *op);
  mlir::Value buildMultiplyAdd(mlir::Operation *op, bool productIsLeft,
                               mlir::ValueRange scalars);
  mlir::LogicalResult convertReduce(graph::ReduceOp op);
  mlir::LogicalResult convertReduceOfNothing(graph::ReduceOp op);
  mlir::LogicalResult convertReduceWindow(graph::ReduceWindowOp op);
  void convertScan(graph::ReduceWindowOp op, ScanDim scan);
  ConvolutionLoops loopsOf(graph::ConvolutionOp op,
                           llvm::ArrayRef<WindowDim> windows);
  mlir::LogicalResult convertConvolution(graph::ConvolutionOp op);
  mlir::LogicalResult convertConstant(graph::ConstantOp op);
  void convertBroadcast(graph::BroadcastInDimOp op);

  /// The results of ops that do not compute with elements.
  mlir::Value tensorOf(graph::IotaOp op);
  mlir::Value tensorOf(graph::TransposeOp op);
  mlir::Value tensorOf(graph::SliceOp op);
  mlir::Value tensorOf(graph::ReverseOp op);
  mlir::Value tensorOf(graph::BitcastConvertOp op);
  mlir::Value tensorOf(graph::ConcatenateOp op);
  mlir::Value tensorOf(graph::PadOp op);
  mlir::Value tensorOf(graph::GatherOp op);
  mlir::Value tensorOf(graph::DynamicSliceOp op);
  mlir::Value tensorOf(graph::DynamicUpdateSliceOp op);

  mlir::ImplicitLocOpBuilder &b;
  Options options;
  llvm::DenseMap<mlir::Value, mlir::Value> tensors;
  /// Constants with all elements equal, which need no tensor.
  llvm::DenseMap<mlir::Value, mlir::TypedAttr> splats;
};

} // namespace cleave::codegen

#endif // CLEAVE_PASSES_CODEGEN_KERNELS_KERNELCONVERSION_H
