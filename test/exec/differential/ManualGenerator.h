//===- ManualGenerator.h - Random manual computations --------- -*- C++ -*-===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A body does what it likes with shards and collectives, as long as it keeps
// two rules. No valid element comes from padding: what may hold padding is
// masked at once. Ranks that have the same block of a result agree on it: for
// each value the axes along which it may vary are known, and a result is cut
// along them, unless it is reduced over them before or left partial.
//
//===----------------------------------------------------------------------===//

#ifndef CLEAVE_TEST_EXEC_DIFFERENTIAL_MANUALGENERATOR_H
#define CLEAVE_TEST_EXEC_DIFFERENTIAL_MANUALGENERATOR_H

#include "Generator.h"
#include "dialects/Spmd/ShardingConversion.h"

namespace cleave::differential {

class ManualGenerator {
public:
  explicit ManualGenerator(Generator &generator)
      : g(generator), random(g.random), builder(g.builder), loc(g.loc),
        mesh(g.mesh) {}
  /// Adds a computation to the graph; false if it does not fit.
  bool run();

private:
  /// Axes of the mesh, by their bits.
  using Variation = uint32_t;

  // GenerateManual.cpp: values and axes.
  Value pick(llvm::function_ref<bool(Value)> fits) { return g.pick(fits); }
  Value note(Value value, Info info, Variation variation);
  Variation variationOf(Value value);
  Variation bits(llvm::ArrayRef<AxisRef> axes);
  bool hasNumbers(Value value);
  /// Whether terms of up to `bound` each may be added up in the value's type.
  bool sumFits(Value value, double bound);
  AxisList someAxes(size_t most);
  AxisList axesOf(Variation variation);
  Sharding randomSharding(int64_t rank);
  spmd::ShardingAttr withFreeAxes(Sharding sharding);
  int64_t uneven(int64_t block, int64_t count);

  // GenerateManual.cpp: the computation.
  void chooseAxes(Variation from);
  bool build(ManualGenerator *outer);
  bool inner();
  void addInput(mlir::Block *block, Value input, const Sharding &sharding,
                Variation variation);
  void addResult(Value value);

  // Steps of the body; each is false if it does not fit.
  bool step();
  bool combineTwo();
  bool constrain();
  bool loop();
  bool branch();

  // GenerateManualCollectives.cpp: what ranks do together.
  bool ownIndex();
  bool allReduce();
  bool allGather();
  bool slice();
  bool allToAll();
  bool permute();
  bool broadcast();
  bool listedGroups();
  bool haloExchange();
  bool windowExchange();

  Value reduceOver(Value value, spmd::Reduction reduction,
                   llvm::ArrayRef<AxisRef> axes);
  Value mask(Value value, int64_t dim, int64_t size,
             llvm::ArrayRef<AxisRef> axes);
  Value rankIndex(llvm::ArrayRef<AxisRef> axes);

  /// A dimension of a value with dimensions.
  struct ValueDim {
    Value value;
    int64_t dim;

    RankedTensorType type() const {
      return mlir::cast<RankedTensorType>(value.getType());
    }
    int64_t size() const { return type().getDimSize(dim); }
    /// The value's type with another size of the dimension.
    RankedTensorType resized(int64_t size) const;
  };
  std::optional<ValueDim> anyDim();

  llvm::SmallVector<int64_t> ranksAt(llvm::ArrayRef<int64_t> positions,
                                     int64_t like);
  spmd::GroupsAttr someGroups(int64_t &size);
  spmd::AxesAttr attr(llvm::ArrayRef<AxisRef> axes) {
    return spmd::toAttr(g.context, axes, mesh);
  }
  mlir::FlatSymbolRefAttr meshName() {
    return mlir::FlatSymbolRefAttr::get(g.context, mesh.name);
  }
  mlir::IntegerAttr number(int64_t value) {
    return builder.getI64IntegerAttr(value);
  }

  Generator &g;
  Random &random;
  mlir::OpBuilder &builder;
  mlir::Location loc;
  const Mesh &mesh;
  /// Axes along which the body is a program on whole values.
  Variation free = 0;
  /// The others, and how many positions there are along them.
  AxisList manualAxes;
  int64_t numPositions = 1;
  llvm::DenseMap<Value, Variation> variations;
  llvm::SmallVector<mlir::Attribute> inShardings, outShardings;
  llvm::SmallVector<Value> returned;
  llvm::SmallVector<Type> resultTypes;
  llvm::SmallVector<Info> resultInfos;
  /// What is left of the variation of each result: axes of the one around.
  llvm::SmallVector<Variation> resultVariations;
};

/// Whether a type has more elements than local tensors and results should.
inline bool isLarge(RankedTensorType type) {
  return type.getNumElements() > 1500;
}

} // namespace cleave::differential

#endif // CLEAVE_TEST_EXEC_DIFFERENTIAL_MANUALGENERATOR_H
