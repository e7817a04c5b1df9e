//===- LocalCollectives.h - Bytes and blocks of local values ----*- C++ -*-===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the passes that move collectives need to know about one, and the means
// to cut a local op further: to it, local tensors are what global ones are to
// partitioning.
//
//===----------------------------------------------------------------------===//

#ifndef CLEAVE_PASSES_COLLECTIVES_LOCALCOLLECTIVES_H
#define CLEAVE_PASSES_COLLECTIVES_LOCALCOLLECTIVES_H

#include "dialects/Spmd/SpmdDialect.h"

namespace cleave {

/// Bytes that a collective receives, by the formulas of docs/manifest.md.
int64_t bytesOf(spmd::CollectiveOpInterface op, const Mesh &mesh);
/// The same for a collective of another kind, or on another type.
int64_t bytesOf(CollectiveKind kind, mlir::RankedTensorType operand,
                mlir::RankedTensorType result, llvm::ArrayRef<AxisRef> axes);

/// Whether `op` is a collective among the ranks that differ along axes, not
/// among those of listed groups or pairs.
bool isOverAxes(mlir::Operation *op);

/// The type of a rank's piece if dimension `dim` is cut over `axes`.
mlir::RankedTensorType pieceType(mlir::Type whole, unsigned dim,
                                 llvm::ArrayRef<AxisRef> axes);

/// The cut of an op's iteration space that cutting dimension `dim` of `factors`
/// (of one of its operands or results) over `axes` is; none if the op does not
/// do the same on every such block without communication.
std::optional<FactorShardings> cutAlong(const ShardingRule &rule,
                                        const TensorFactors &factors,
                                        unsigned dim,
                                        llvm::ArrayRef<AxisRef> axes);
/// The dimension of an operand or result that such a cut cuts over all of
/// `axes`; -1 if it cuts none, none if it cuts several or by parts of `axes`.
std::optional<int> cutDim(const ShardingRule &rule,
                          const TensorFactors &factors,
                          const FactorShardings &cut,
                          llvm::ArrayRef<AxisRef> axes);

/// Builds `op` on blocks of its iteration space.
mlir::FailureOr<llvm::SmallVector<mlir::Value>>
buildOnBlock(mlir::OpBuilder &builder, ShardingRuleOpInterface op,
             mlir::ValueRange operands, const ShardingRule &rule,
             const FactorShardings &cut, const Mesh &mesh);

/// Whether `op` is a collective over ranks among which those that differ along
/// `axes` are never two: what it does to a value, it does to each of their
/// values, pieces and terms alike.
bool actsAcross(mlir::Operation *op, llvm::ArrayRef<AxisRef> axes,
                const Mesh &mesh);

/// The causes of several collectives as one text, each once; null if none has
/// one.
mlir::StringAttr joinCauses(llvm::ArrayRef<mlir::StringAttr> causes);

} // namespace cleave

#endif // CLEAVE_PASSES_COLLECTIVES_LOCALCOLLECTIVES_H
