//===- MonotoneCases.cpp - Graphs that hide no fault ----------------------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialects/Graph/GraphBuilders.h"
#include "dialects/Spmd/ShardingConversion.h"
#include "passes/Sharding/RandomShardings.h"
#include "test/exec/differential/mutants/Mutants.h"

using namespace mlir;
using namespace cleave;
using namespace cleave::graph;
using namespace cleave::differential;

namespace {

class MonotoneGenerator {
public:
  MonotoneGenerator(MLIRContext *context, uint64_t seed)
      : builder(context), loc(builder.getUnknownLoc()), random(seed) {
    result.seed = seed;
  }

  Case generate() {
    result.module = ModuleOp::create(loc);
    chooseMesh();
    builder.setInsertionPointToEnd(result.module->getBody());
    main = func::FuncOp::create(builder, loc, "main",
                                builder.getFunctionType({}, {}));
    builder.setInsertionPointToEnd(main.addEntryBlock());
    Value x = argument({dim(), dim()});
    for (int64_t count = random.range(1, 3); count > 0; --count)
      x = grow(x);
    func::ReturnOp::create(builder, loc, x);
    main.setType(
        builder.getFunctionType(main.front().getArgumentTypes(), x.getType()));
    result.exact = {true};
    annotateRandomly(main, mesh, random.next());
    return std::move(result);
  }

private:
  /// Over 2 x 2 ranks 9 and 13 have nested blocks that differ from equal ones.
  /// No mesh gives 11 or 12 an empty block, nor 2 x 2 ranks any of these.
  int64_t dim() {
    return isNested ? random.pick<int64_t>({9, 13})
                    : random.pick<int64_t>({11, 12});
  }

  Value argument(ArrayRef<int64_t> shape) {
    auto type = RankedTensorType::get(shape, builder.getF64Type());
    Literal literal(type);
    for (double &value : literal.mutableFloats())
      value = random.range(1, 97);
    result.inputs.push_back(literal);
    return main.front().addArgument(type, loc);
  }

  Value grow(Value x) {
    RankedTensorType type = typeOf(x);
    switch (random.range(0, 5)) {
    case 0:
      return transpose(builder, loc, x, {1, 0});
    case 1:
      return AddOp::create(builder, loc, x, argument(type.getShape()));
    case 2: {
      int64_t dim = random.range(0, 1);
      Value sum = reduce(builder, loc, x, {dim}, ReductionKind::Sum);
      Value wide = broadcastTo(builder, loc, sum, type.getShape(), {1 - dim});
      return AddOp::create(builder, loc, x, wide);
    }
    case 3:
      return scatterAdd(x);
    default: {
      int64_t columns = dim();
      Value weight = argument({type.getDimSize(1), columns});
      Value bias = random.percent(70) ? argument({columns}) : Value();
      return LinearOp::create(builder, loc,
                              withShape(type, {type.getDimSize(0), columns}), x,
                              weight, bias, builder.getI64IntegerAttr(1));
    }
    }
  }

  /// Adds rows to x, of which some get several and others none. Their number
  /// divides: of padding, both indices and rows are masked, either of which
  /// would do.
  Value scatterAdd(Value x) {
    RankedTensorType type = typeOf(x);
    int64_t rows = isNested ? 8 : 12;
    Literal places(RankedTensorType::get({rows}, builder.getI32Type()));
    for (int64_t &place : places.mutableInts())
      place = random.range(0, type.getDimSize(0) - 1);
    result.inputs.push_back(places);
    Value indices = main.front().addArgument(places.type, loc);
    Value updates = argument({rows, type.getDimSize(1)});
    auto scatter = ScatterOp::create(
        builder, loc, type, x, indices, updates, /*update_window_dims=*/{1},
        /*inserted_window_dims=*/{0}, /*input_batching_dims=*/{},
        /*scatter_indices_batching_dims=*/{},
        /*scatter_dims_to_operand_dims=*/{0}, /*index_vector_dim=*/1,
        /*unique_indices=*/false);
    OpBuilder::InsertionGuard guard(builder);
    RankedTensorType scalar = withShape(type, {});
    mlir::Block *body = builder.createBlock(&scatter.getBody(), {},
                                            {scalar, scalar}, {loc, loc});
    Value sum =
        AddOp::create(builder, loc, body->getArgument(0), body->getArgument(1));
    graph::ReturnOp::create(builder, loc, sum);
    return scatter.getResult(0);
  }

  void chooseMesh() {
    isNested = random.percent(30);
    SmallVector<SmallVector<int64_t>> shapes = {{2},    {3},    {4},
                                                {2, 2}, {2, 3}, {2, 2}};
    SmallVector<int64_t> sizes =
        isNested ? SmallVector<int64_t>{2, 2}
                 : random.pick<SmallVector<int64_t>>(shapes);
    SmallVector<StringAttr> names;
    for (size_t i = 0; i < sizes.size(); ++i)
      names.push_back(builder.getStringAttr(StringRef("xy").substr(i, 1)));
    builder.setInsertionPointToStart(result.module->getBody());
    mesh = spmd::MeshOp::create(
        builder, loc, "mesh",
        spmd::MeshAttr::get(builder.getContext(), names, sizes, {}));
  }

  OpBuilder builder;
  Location loc;
  Random random;
  Case result;
  func::FuncOp main;
  spmd::MeshOp mesh;
  bool isNested = false;
};

} // namespace

Case cleave::differential::generateMonotone(MLIRContext *context,
                                            uint64_t seed) {
  return MonotoneGenerator(context, seed).generate();
}
