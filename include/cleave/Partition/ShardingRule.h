//===- ShardingRule.h - How an operation may be sharded ---------*- C++ -*-===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A sharding rule maps each operand and result dimension to factors, like the
// letters of an einsum: `([i, k], [k, j]) -> ([i, j])`. A dimension with
// several factors (a reshape) lists them major to minor; their sizes multiply
// to the size of the dimension. A dimension of size 1 that broadcasts may have
// no factor. See "Sharding rules" of OpenXLA's Shardy for the idea.
//
//===----------------------------------------------------------------------===//

#ifndef CLEAVE_PARTITION_SHARDINGRULE_H
#define CLEAVE_PARTITION_SHARDINGRULE_H

#include "cleave/Partition/Sharding.h"
#include <functional>

namespace cleave {

enum class FactorKind {
  /// The op does the same on every block, without communication.
  PassThrough,
  /// As PassThrough where axes divide the factor. Where they do not, a
  /// dimension that has other factors within it is cut into other blocks than
  /// the factor is, and the op's own local form moves what they do not share.
  Blocked,
  /// The op reduces over the factor: local operands padded with the neutral
  /// element of `reduction` give results that are partial over its axes.
  Reduction,
  /// The op needs the whole factor on each rank.
  NeedReplication,
  /// The op's own local form communicates along the factor (softmax,
  /// layer_norm, lookup in a sharded table); operands may be padded, results
  /// are complete.
  Collective,
};

struct Factor {
  int64_t size = 1;
  FactorKind kind = FactorKind::PassThrough;
  ReductionKind reduction = ReductionKind::Sum;

  /// Whether the op does the same on every block, without communication, if the
  /// factor is cut over these axes.
  bool passesThrough(llvm::ArrayRef<AxisRef> axes) const {
    return kind == FactorKind::PassThrough ||
           (kind == FactorKind::Blocked && !isPadded(size, axes));
  }
};

/// Factors of each dimension of one tensor, major to minor.
struct TensorFactors {
  llvm::SmallVector<llvm::SmallVector<unsigned, 1>, 4> dims;
};

/// What an op's own local form brings to a rank along dimension `dim` of an
/// operand when a factor is cut.
struct FactorTransfer {
  unsigned factor = 0;
  unsigned operand = 0, dim = 0;
  /// Whether the local form has left out by then what result 0 does not have
  /// along other dimensions.
  bool isOfResult = false;
  /// Most elements along the dimension that a rank receives, if the factor is
  /// cut over these axes.
  std::function<int64_t(llvm::ArrayRef<AxisRef>)> received;
};

struct ShardingRule {
  llvm::SmallVector<Factor, 8> factors;
  /// One entry per operand and result, in order; a non-tensor has no dims.
  llvm::SmallVector<TensorFactors, 4> operands;
  llvm::SmallVector<TensorFactors, 1> results;
  /// Sets of operands in which the op is linear jointly: if every operand of a
  /// set is a partial sum over some axes and the others are not, so is the
  /// result. add: {{0, 1}}; multiply: {{0}, {1}}; negate, transpose: {{0}}. An
  /// empty set says that the result is zero, and therefore a sum of zeros.
  llvm::SmallVector<llvm::SmallVector<unsigned, 2>, 2> linear;
  /// What the op communicates itself, as far as it says.
  llvm::SmallVector<FactorTransfer, 1> transfers;
  /// Order in propagation: rules that only move data go first.
  enum class Priority { Movement, Elementwise, Contraction };
  Priority priority = Priority::Elementwise;

  unsigned addFactor(int64_t size, FactorKind kind = FactorKind::PassThrough,
                     ReductionKind reduction = ReductionKind::Sum) {
    factors.push_back({size, kind, reduction});
    return factors.size() - 1;
  }
};

/// Axes of each factor of a rule: the sharding of an op's iteration space.
using FactorShardings = llvm::SmallVector<AxisList, 8>;

/// Reads the axes that `sharding` gives to each factor of one tensor into
/// `result` (sized to the rule's factors). A dimension with several factors
/// gives axes to its major factor until that is cut completely, and so on; an
/// axis that straddles two factors is split where sizes divide. Axes that
/// would not cut a dimension at factor boundaries (uneven parts of a dimension
/// with several factors) go to a factor that is Blocked; to no other: returns
/// false, with `result` holding what could be.
bool projectToFactors(const ShardingRule &rule, const TensorFactors &tensor,
                      const Sharding &sharding, FactorShardings &result);

/// The inverse: the sharding of one tensor that factor shardings imply
/// (closed, no partial axes).
Sharding projectFromFactors(const ShardingRule &rule,
                            const TensorFactors &tensor,
                            const FactorShardings &factors);

/// The same for the axes of one dimension, adding to `result`.
bool projectDimToFactors(const ShardingRule &rule, llvm::ArrayRef<unsigned> dim,
                         llvm::ArrayRef<AxisRef> axes, FactorShardings &result);
AxisList projectDimFromFactors(const ShardingRule &rule,
                               llvm::ArrayRef<unsigned> dim,
                               const FactorShardings &factors);

/// Whether two tensors cut a factor over the same axes. Dimensions of a factor
/// may differ in size, and parts of an axis be joined in one only; `agreed`
/// becomes the list with more parts, by which the blocks of both nest.
bool agreeOnFactor(AxisList &agreed, llvm::ArrayRef<AxisRef> own);

/// Whether some dimension of the tensor has the factor.
bool hasFactor(const TensorFactors &tensor, unsigned factor);

/// What an op produces when its iteration space is sharded by `factors`:
/// projectFromFactors, plus partial axes for each sharded Reduction factor
/// that the result lacks. An axis may appear in `factors` only once.
Sharding resultSharding(const ShardingRule &rule, unsigned result,
                        const FactorShardings &factors);

} // namespace cleave

#endif // CLEAVE_PARTITION_SHARDINGRULE_H
