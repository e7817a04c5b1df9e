//===- RankShards.h - What an op may ask while it is made local -*- C++ -*-===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CLEAVE_DIALECTS_SPMD_RANKSHARDS_H
#define CLEAVE_DIALECTS_SPMD_RANKSHARDS_H

#include "dialects/Spmd/SpmdDialect.h"

namespace cleave {

/// LocalShards of one op whose iteration space is sharded by `factors`.
class RankShards : public LocalShards {
public:
  RankShards(const Mesh &mesh, const ShardingRule &rule,
             FactorShardings factors,
             llvm::ArrayRef<mlir::RankedTensorType> localTypes)
      : mesh(mesh), rule(rule), factors(std::move(factors)),
        localTypes(localTypes) {}

  mlir::RankedTensorType localType(mlir::OpResult result) override {
    return localTypes[result.getResultNumber()];
  }
  llvm::ArrayRef<AxisRef> axes(unsigned factor) override {
    return factors[factor];
  }
  mlir::Value offset(mlir::OpBuilder &builder, mlir::Location loc,
                     unsigned factor) override;
  mlir::Value offset(mlir::OpBuilder &builder, mlir::Location loc,
                     unsigned factor, int64_t size) override;
  mlir::Value validCount(mlir::OpBuilder &builder, mlir::Location loc,
                         unsigned factor) override;
  mlir::Value maskPadding(mlir::OpBuilder &builder, mlir::Location loc,
                          mlir::Value value, unsigned dim, unsigned factor,
                          ReductionKind kind) override;
  mlir::Value allReduce(mlir::OpBuilder &builder, mlir::Location loc,
                        mlir::Value value, llvm::ArrayRef<unsigned> factors,
                        ReductionKind kind, llvm::StringRef cause) override;
  mlir::Value allGather(mlir::OpBuilder &builder, mlir::Location loc,
                        mlir::Value value, unsigned dim, unsigned factor,
                        llvm::StringRef cause) override;
  mlir::Value haloExchange(mlir::OpBuilder &builder, mlir::Location loc,
                           mlir::Value value, unsigned dim, unsigned factor,
                           int64_t size, int64_t low, int64_t high,
                           mlir::TypedAttr fill,
                           llvm::StringRef cause) override;

  mlir::Value windowExchange(mlir::OpBuilder &builder, mlir::Location loc,
                             mlir::Value value, unsigned dim, unsigned factor,
                             const WindowExchange &exchange, int64_t extent,
                             llvm::StringRef cause) override;
  mlir::Value wholeOf(mlir::Value value, unsigned dim,
                      unsigned factor) override;

  /// maskPadding of a dimension of `size` elements that is cut like a factor of
  /// another size.
  mlir::Value maskBlock(mlir::OpBuilder &builder, mlir::Location loc,
                        mlir::Value value, unsigned dim, int64_t size,
                        unsigned factor, ReductionKind kind);

private:
  mlir::FlatSymbolRefAttr meshName(mlir::OpBuilder &builder) const;
  spmd::AxesAttr axesAttr(mlir::OpBuilder &builder, unsigned factor) const;

  const Mesh &mesh;
  const ShardingRule &rule;
  FactorShardings factors;
  llvm::ArrayRef<mlir::RankedTensorType> localTypes;
};

} // namespace cleave

#endif // CLEAVE_DIALECTS_SPMD_RANKSHARDS_H
