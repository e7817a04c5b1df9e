//===- OpPropagation.h - Spreading shardings through one op -----*- C++ -*-===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CLEAVE_LIB_PARTITION_OPPROPAGATION_H
#define CLEAVE_LIB_PARTITION_OPPROPAGATION_H

#include "cleave/Partition/Propagation.h"

namespace cleave {

/// What propagation knows about a dimension of a value.
struct DimState {
  /// May be given more axes.
  bool open = false;
  /// Takes part only from this user priority on.
  int64_t level = 0;
};

/// And of a value.
struct ValueState {
  llvm::SmallVector<DimState, 4> dims;
};

/// Merges the shardings of the tensors of one op and gives each tensor what it
/// lacks. Buffers are kept between ops.
class OpPropagation {
public:
  OpPropagation(PropagationGraph &graph, std::vector<ValueState> &states)
      : graph(graph), states(states) {}

  /// Appends values that changed to `changed`. Returns whether two tensors
  /// wanted different things.
  bool visit(unsigned op, int64_t level,
             llvm::SmallVectorImpl<unsigned> &changed);

private:
  struct Tensor {
    unsigned value = 0;
    const TensorFactors *factors = nullptr;
    /// Per dimension, or nothing: what cuts it before the factors do.
    llvm::ArrayRef<AxisList> outer;
    FactorShardings projected;
    int64_t localBytes = 0;
  };

  void collectTensors(int64_t level);
  void projectDim(Tensor &tensor, unsigned d, llvm::ArrayRef<AxisRef> axes);
  void projectTensor(Tensor &tensor, int64_t level);
  void mergeFactors();
  AxisList mergeFactor(unsigned factor);
  int64_t bytesToMove(unsigned factor, llvm::ArrayRef<AxisRef> axes) const;
  void resolveSharedAxes();
  void truncateAt(unsigned factor, const AxisRef &axis);
  bool update(const Tensor &tensor, int64_t level);
  bool extendDim(const Tensor &tensor, unsigned d);
  void recordOrigins(const Tensor &tensor, unsigned d);
  const AxisOrigin *findOrigin(const AxisRef &axis, unsigned factor) const;

  PropagationGraph &graph;
  std::vector<ValueState> &states;
  unsigned op = 0;
  const ShardingRule *rule = nullptr;
  llvm::SmallVector<Tensor, 4> tensors;
  unsigned numTensors = 0;
  FactorShardings merged;
  bool conflict = false;
};

/// Whether `longer` starts with the cuts of `shorter`, the last of which may be
/// the major part of one of its axes.
bool isAxisPrefix(llvm::ArrayRef<AxisRef> shorter,
                  llvm::ArrayRef<AxisRef> longer);

} // namespace cleave

#endif // CLEAVE_LIB_PARTITION_OPPROPAGATION_H
