//===- RankVariation.h - Along which axes values differ ---------*- C++ -*-===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A forward analysis of code on local shapes: for each value the mesh axes such
// that ranks which differ along them may have different values. What is cut or
// asks for the rank's position brings axes in, a reduction or a gathering over
// them takes them out. What is not known counts as different; padding is no
// part of a value.
//
//===----------------------------------------------------------------------===//

#ifndef CLEAVE_DIALECTS_SPMD_RANKVARIATION_H
#define CLEAVE_DIALECTS_SPMD_RANKVARIATION_H

#include "cleave/Partition/Sharding.h"
#include "dialects/Spmd/SpmdDialect.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/ADT/DenseMap.h"

namespace cleave::spmd {

/// The axes of a mesh cut at each boundary at which some axis list of a
/// function cuts them. An axis whose parts have no common boundaries is whole.
class AxisAtoms {
public:
  AxisAtoms(const Mesh &mesh, llvm::ArrayRef<AxisRef> used);

  llvm::ArrayRef<AxisRef> getAtoms() const { return atoms; }
  /// Indices of the atoms that share positions with `axis`.
  llvm::SmallVector<unsigned> touchedBy(const AxisRef &axis) const;
  /// Those that lie in `axis`.
  llvm::SmallVector<unsigned> coveredBy(const AxisRef &axis) const;

private:
  AxisList atoms;
};

/// For each atom the value that first differs along it; null where all ranks
/// have the same.
using Variation = llvm::SmallVector<mlir::Value, 4>;

class RankVariation {
public:
  RankVariation(mlir::FunctionOpInterface func, MeshOp mesh);

  const AxisAtoms &getAtoms() const { return atoms; }
  /// Whether all ranks that differ along `axes` only have the same value; false
  /// for one that is not of the function as it was analysed.
  bool isUniform(mlir::Value value, llvm::ArrayRef<AxisRef> axes) const;
  /// Takes in an op that was made since, behind all that it uses.
  void add(mlir::Operation *op) { visitOp(op); }
  /// Forgets an op that is about to be erased.
  void forget(mlir::Operation *op);
  /// What decides which regions of an op are run, and how often.
  Variation ofPredicate(mlir::Operation *op);
  /// Atoms along which the ranks that meet in a collective differ; none if it
  /// does not communicate.
  llvm::SmallVector<unsigned> meetingAlong(CollectiveOpInterface op);

private:
  void visitBlock(mlir::Block &block);
  void visitOp(mlir::Operation *op);
  void visitTies(ShardingTieOpInterface op);
  void visitPermute(CollectivePermuteOp op);
  void visitGroups(CollectiveOpInterface op);
  void visitCollective(CollectiveOpInterface op);
  void visitComputation(mlir::Operation *op);
  void visitUnknown(mlir::Operation *op);

  Variation none() const {
    return Variation(atoms.getAtoms().size(), mlir::Value());
  }
  void addAxes(Variation &variation, llvm::ArrayRef<AxisRef> axes,
               mlir::Value origin) const;
  /// Joins `from` into the variation of `value`.
  void join(mlir::Value value, const Variation &from);

  Mesh mesh;
  AxisAtoms atoms;
  llvm::DenseMap<mlir::Value, Variation> variations;
  bool hasChanged = false;
};

} // namespace cleave::spmd

#endif // CLEAVE_DIALECTS_SPMD_RANKVARIATION_H
