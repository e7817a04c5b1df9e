//===- GraphBuildersTest.cpp - Constants, reductions, tied values ---------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialects/Graph/GraphBuilders.h"
#include "mlir/AsmParser/AsmParser.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Parser/Parser.h"
#include "gtest/gtest.h"

using namespace cleave;
using namespace cleave::graph;
using namespace mlir;

namespace {

class GraphBuildersTest : public testing::Test {
protected:
  GraphBuildersTest() : builder(&context) {
    context.loadDialect<func::FuncDialect, CleaveDialect>();
  }
  std::string text(Attribute attr) {
    std::string result;
    llvm::raw_string_ostream(result) << attr;
    return result;
  }
  Type parse(StringRef type) { return parseType(type, &context); }
  std::string neutral(StringRef type, ReductionKind kind) {
    return text(neutralElement(parse(type), kind));
  }
  std::string number(StringRef type, double value) {
    return text(numberAttr(parse(type), value));
  }

  MLIRContext context;
  OpBuilder builder;
};

TEST_F(GraphBuildersTest, NeutralElements) {
  EXPECT_EQ(neutral("f32", ReductionKind::Sum), "0.000000e+00 : f32");
  EXPECT_EQ(neutral("bf16", ReductionKind::Max), "0xFF80 : bf16");
  EXPECT_EQ(neutral("f64", ReductionKind::Min), "0x7FF0000000000000 : f64");
  EXPECT_EQ(neutral("f32", ReductionKind::Prod), "1.000000e+00 : f32");
  EXPECT_EQ(neutral("i8", ReductionKind::Max), "-128 : i8");
  EXPECT_EQ(neutral("i8", ReductionKind::Min), "127 : i8");
  EXPECT_EQ(neutral("ui8", ReductionKind::Max), "0 : ui8");
  EXPECT_EQ(neutral("ui8", ReductionKind::Min), "255 : ui8");
  EXPECT_EQ(neutral("i32", ReductionKind::And), "-1 : i32");
  EXPECT_EQ(neutral("ui64", ReductionKind::And), "18446744073709551615 : ui64");
  EXPECT_EQ(neutral("i1", ReductionKind::Max), "false");
  EXPECT_EQ(neutral("i1", ReductionKind::Min), "true");
  EXPECT_EQ(neutral("i1", ReductionKind::And), "true");
  EXPECT_EQ(neutral("i1", ReductionKind::Or), "false");
}

TEST_F(GraphBuildersTest, Numbers) {
  EXPECT_EQ(number("bf16", 1.0 / 3), "3.339840e-01 : bf16");
  EXPECT_EQ(number("i32", -2.9), "-2 : i32");
  EXPECT_EQ(number("ui8", 300.0), "255 : ui8");
  EXPECT_EQ(number("i8", -1e30), "-128 : i8");
  EXPECT_EQ(number("i1", 0.5), "true");
}

TEST_F(GraphBuildersTest, NothingToDo) {
  auto module = ModuleOp::create(builder, builder.getUnknownLoc());
  builder.setInsertionPointToEnd(module.getBody());
  Location loc = builder.getUnknownLoc();
  auto type = cast<RankedTensorType>(parse("tensor<2x3xf32>"));
  Value value = splat(builder, loc, type, 1.0);
  EXPECT_EQ(reshapeTo(builder, loc, value, {2, 3}), value);
  EXPECT_EQ(transpose(builder, loc, value, {0, 1}), value);
  EXPECT_EQ(broadcastTo(builder, loc, value, {2, 3}, {0, 1}), value);
  EXPECT_EQ(convertElement(builder, loc, value, builder.getF32Type()), value);
  EXPECT_EQ(typeOf(transpose(builder, loc, value, {1, 0})),
            parse("tensor<3x2xf32>"));
  EXPECT_EQ(typeOf(sliceDim(builder, loc, value, 1, 1, 3)),
            parse("tensor<2x2xf32>"));
  module.erase();
}

TEST_F(GraphBuildersTest, SimpleKinds) {
  auto module = ModuleOp::create(builder, builder.getUnknownLoc());
  builder.setInsertionPointToEnd(module.getBody());
  Location loc = builder.getUnknownLoc();
  auto kindOf = [&](StringRef type, ReductionKind kind) {
    Value input = splat(builder, loc, cast<RankedTensorType>(parse(type)), 1.0);
    return reduce(builder, loc, input, {0}, kind)
        .getDefiningOp<ReduceOp>()
        .getSimpleKind();
  };
  for (ReductionKind kind : {ReductionKind::Sum, ReductionKind::Max,
                             ReductionKind::Min, ReductionKind::Prod}) {
    EXPECT_EQ(kindOf("tensor<2x3xf32>", kind), kind);
    EXPECT_EQ(kindOf("tensor<4xui8>", kind), kind);
  }
  EXPECT_EQ(kindOf("tensor<4xi8>", ReductionKind::And), ReductionKind::And);
  EXPECT_EQ(kindOf("tensor<4xi1>", ReductionKind::Or), ReductionKind::Or);
  // Arithmetic on i1 is logic.
  EXPECT_EQ(kindOf("tensor<4xi1>", ReductionKind::Sum), ReductionKind::Or);
  EXPECT_EQ(kindOf("tensor<4xi1>", ReductionKind::Prod), ReductionKind::And);
  EXPECT_EQ(kindOf("tensor<4xi1>", ReductionKind::Max), ReductionKind::Or);
  EXPECT_EQ(kindOf("tensor<4xi1>", ReductionKind::Min), ReductionKind::And);
  EXPECT_TRUE(succeeded(module.verify()));
  module.erase();
}

TEST_F(GraphBuildersTest, TiesOfControlFlow) {
  auto module = parseSourceString<ModuleOp>(R"(
    func.func @f(%a: tensor<i32>, %x: tensor<2xf32>, %p: tensor<i1>) {
      %w:2 = cleave.while(%i = %a, %y = %x) : tensor<i32>, tensor<2xf32> cond {
        cleave.return %p : tensor<i1>
      } do {
        %n = cleave.add %i, %a : tensor<i32>
        cleave.return %n, %x : tensor<i32>, tensor<2xf32>
      }
      %r = cleave.if %p : (tensor<i1>) -> tensor<2xf32> then {
        cleave.return %x : tensor<2xf32>
      } else {
        cleave.return %w#1 : tensor<2xf32>
      }
      return
    })",
                                            ParserConfig(&context));
  ASSERT_TRUE(module);
  module->walk([](WhileOp op) {
    SmallVector<ShardingTie> ties =
        cast<ShardingTieOpInterface>(*op).getShardingTies();
    ASSERT_EQ(ties.size(), 2u);
    EXPECT_EQ(ties[1].values[0], op.getResult(1));
    EXPECT_EQ(ties[1].values[1], op.getCond().getArgument(1));
    EXPECT_EQ(ties[1].values[2], op.getBody().getArgument(1));
    EXPECT_EQ(ties[1].sources[0], &op->getOpOperand(1));
    EXPECT_EQ(ties[1].sources[1]->getOwner(),
              op.getBody().front().getTerminator());
  });
  module->walk([](IfOp op) {
    SmallVector<ShardingTie> ties =
        cast<ShardingTieOpInterface>(*op).getShardingTies();
    ASSERT_EQ(ties.size(), 1u);
    ASSERT_EQ(ties[0].values.size(), 1u);
    EXPECT_EQ(ties[0].values[0], op.getResult(0));
    EXPECT_EQ(ties[0].sources[0]->getOwner(),
              op.getTrueBranch().front().getTerminator());
    EXPECT_EQ(ties[0].sources[1]->getOwner(),
              op.getFalseBranch().front().getTerminator());
  });
}

} // namespace
