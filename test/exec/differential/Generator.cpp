//===- Generator.cpp - Random well-typed graphs ---------------------------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Generator.h"
#include "dialects/Spmd/ShardingConversion.h"
#include "passes/Sharding/RandomShardings.h"

using namespace mlir;
using namespace cleave;
using namespace cleave::graph;
using namespace cleave::differential;

Generator::Generator(MLIRContext *context, uint64_t seed, bool isWide,
                     bool isForGpu, bool hasSmallFloats)
    : context(context), builder(context), loc(builder.getUnknownLoc()),
      random(seed), isWide(isWide), isForGpu(isForGpu),
      hasSmallFloats(hasSmallFloats) {
  result.seed = seed;
  isExact = random.percent(isWide ? 15 : 50);
  Type floats[] = {builder.getF32Type(), builder.getF32Type(),
                   builder.getF32Type(), builder.getF64Type(),
                   builder.getF16Type(), builder.getBF16Type()};
  mainFloat = random.pick<Type>(floats);
}

void Generator::someOps(int64_t count) {
  for (int64_t i = 0; i < count; ++i)
    for (int64_t tries = 0; tries < 20 && !oneOp(); ++tries)
      ;
}

bool Generator::oneWideOp() {
  switch (random.range(0, 9)) {
  case 0:
  case 1:
  case 2:
    return attention();
  case 3:
  case 4:
    return convolution();
  case 5:
    return random.percent(50) ? sortAlone() : sortTogether();
  case 6:
    return fft();
  case 7:
    return cholesky();
  case 8:
    return triangularSolve();
  default:
    return binary();
  }
}

bool Generator::oneOp() {
  if (isWide)
    return oneWideOp();
  // What is drawn without them does not change.
  if (hasSmallFloats && random.percent(15))
    return smallFloats();
  using Family = bool (Generator::*)();
  static const std::pair<int, Family> families[] = {
      {10, &Generator::unary},
      {5, &Generator::convert},
      {2, &Generator::bitcast},
      {14, &Generator::binary},
      {4, &Generator::compare},
      {4, &Generator::select},
      {3, &Generator::clamp},
      {4, &Generator::source},
      {6, &Generator::broadcast},
      {7, &Generator::reshape},
      {6, &Generator::transpose},
      {6, &Generator::slice},
      {5, &Generator::pad},
      {5, &Generator::concatenate},
      {3, &Generator::reverse},
      {4, &Generator::gather},
      {3, &Generator::gatherRows},
      {4, &Generator::dynamicSlice},
      {4, &Generator::dynamicUpdateSlice},
      {3, &Generator::embedding},
      {4, &Generator::scatter},
      {4, &Generator::scatterRows},
      {3, &Generator::sortAlone},
      {3, &Generator::sortTogether},
      {2, &Generator::randomBits},
      {12, &Generator::dotGeneral},
      {8, &Generator::linear},
      {12, &Generator::reduce},
      {3, &Generator::reducePair},
      {4, &Generator::softmax},
      {6, &Generator::norm},
      {5, &Generator::activation},
      {4, &Generator::attention},
      {3, &Generator::rotary},
      {3, &Generator::crossEntropy},
      {4, &Generator::whileLoop},
      {2, &Generator::fft},
      {2, &Generator::cholesky},
      {2, &Generator::triangularSolve},
      {3, &Generator::ifElse},
      {3, &Generator::call},
      {4, &Generator::manual},
      {4, &Generator::accumulate},
      {6, &Generator::updatesInPlace},
      {8, &Generator::reduceWindow},
      {2, &Generator::reduceWindowPair},
      {10, &Generator::convolution},
      // Only a host has functions for these.
      {2, &Generator::factorization},
      {1, &Generator::tridiagonalSolve},
  };
  ArrayRef<std::pair<int, Family>> available(families);
  if (isForGpu)
    available = available.drop_back(2);
  int64_t total = 0;
  for (auto [weight, family] : available)
    total += weight;
  int64_t choice = random.range(0, total - 1);
  for (auto [weight, family] : available) {
    if (choice < weight)
      return (this->*family)();
    choice -= weight;
  }
  return false;
}

void Generator::addMesh() {
  int64_t axisCount = random.pick<int64_t>({1, 1, 2, 2, 2, 3});
  SmallVector<StringAttr> names;
  SmallVector<int64_t> sizes;
  int64_t ranks = 1;
  for (int64_t i = 0; i < axisCount; ++i) {
    int64_t size = random.pick<int64_t>({1, 2, 2, 2, 2, 3, 3, 4, 4, 6});
    if (ranks * size > 8)
      size = 1;
    ranks *= size;
    names.push_back(builder.getStringAttr(StringRef("xyz").substr(i, 1)));
    sizes.push_back(size);
  }
  // With one rank there is nothing to partition; seldom is enough.
  if (ranks == 1 && !random.percent(10))
    sizes[0] = 2;
  mesh = spmd::toMesh(spmd::MeshOp::create(
      builder, loc, "mesh", spmd::MeshAttr::get(context, names, sizes, {})));
}

/// Random annotations, of which a part is dropped, so that propagation has
/// something to do.
void Generator::annotate() {
  auto mesh = *result.module->getOps<spmd::MeshOp>().begin();
  annotateRandomly(main, mesh, random.next());
  int64_t dropped = random.pick<int64_t>({0, 50, 80, 95});
  StringRef name = spmd::SpmdDialect::kSharding;
  for (unsigned i = 0; i < main.getNumArguments(); ++i)
    if (random.percent(dropped))
      main.removeArgAttr(i, name);
  for (unsigned i = 0; i < main.getNumResults(); ++i)
    if (random.percent(dropped))
      main.removeResultAttr(i, StringAttr::get(context, name));
  SmallVector<spmd::ShardingConstraintOp> constraints;
  main.walk([&](spmd::ShardingConstraintOp op) { constraints.push_back(op); });
  for (spmd::ShardingConstraintOp op : constraints)
    if (random.percent(dropped)) {
      op.replaceAllUsesWith(op.getInput());
      op.erase();
    }
}

/// Cuts the contracted dimension of a product, whose terms are to stay apart
/// through two negations.
void Generator::keepPartial() {
  SmallVector<DotGeneralOp> products;
  for (auto op : main.getOps<DotGeneralOp>())
    // Truth values have no negation.
    if (!op.getLhsContractingDims().empty() &&
        !op.getType().getElementType().isInteger(1))
      products.push_back(op);
  SmallVector<AxisRef> axes;
  for (AxisId id = 0; id < mesh.axes.size(); ++id)
    if (mesh.axes[id].size > 1)
      axes.push_back(mesh.whole(id));
  if (products.empty() || axes.empty())
    return;
  DotGeneralOp product = random.pick<DotGeneralOp>(products);
  AxisRef axis = random.pick<AxisRef>(axes);
  auto constrain = [&](Value value, const Sharding &sharding) -> Value {
    return spmd::ShardingConstraintOp::create(
        builder, loc, value.getType(), value,
        spmd::toAttr(context, sharding, mesh));
  };
  builder.setInsertionPoint(product);
  int64_t dims[] = {product.getLhsContractingDims()[0],
                    product.getRhsContractingDims()[0]};
  for (OpOperand &operand : product->getOpOperands()) {
    Sharding cut = Sharding::replicated(typeOf(operand.get()).getRank());
    cut.dims[dims[operand.getOperandNumber()]].axes.push_back(axis);
    operand.set(constrain(operand.get(), cut));
  }
  builder.setInsertionPointAfter(product);
  Value sum = product.getResult();
  Value once = build("cleave.negate", sum, sum.getType());
  Value twice = build("cleave.negate", once, sum.getType());
  Sharding partial = Sharding::replicated(typeOf(sum).getRank());
  partial.partial.push_back({axis, ReductionKind::Sum});
  sum.replaceAllUsesExcept(constrain(twice, partial), once.getDefiningOp());
}

/// Lets the program write some arguments, of outputs of their type or any.
void Generator::donate() {
  for (unsigned i = 0; i < main.getNumArguments(); ++i) {
    if (!random.percent(25))
      continue;
    SmallVector<int64_t> outputs;
    for (auto [output, type] : llvm::enumerate(main.getResultTypes()))
      if (type == main.getArgument(i).getType())
        outputs.push_back(output);
    bool toOne = !outputs.empty() && random.percent(60);
    main.setArgAttr(i, "cleave.donated",
                    toOne ? Attribute(builder.getI64IntegerAttr(
                                random.pick<int64_t>(outputs)))
                          : builder.getUnitAttr());
  }
}

/// Returns what nothing uses, and some of the rest. What then leads nowhere is
/// removed in most cases.
void Generator::finish() {
  SmallVector<Value> outputs;
  for (Value value : llvm::reverse(pool)) {
    bool isUnused = value.use_empty() && !isa<BlockArgument>(value);
    if (outputs.size() < 5 && random.percent(isUnused ? 90 : 6))
      outputs.push_back(value);
  }
  if (outputs.empty())
    outputs.push_back(pool.back());
  if (random.percent(3))
    outputs.push_back(outputs.front());
  for (Value output : outputs)
    result.exact.push_back(infoOf(output).exact);
  func::ReturnOp::create(builder, loc, outputs);
  main.setType(FunctionType::get(context, main.front().getArgumentTypes(),
                                 TypeRange(ValueRange(outputs))));
  if (random.percent(10))
    return;
  SmallVector<Operation *> ops;
  result.module->walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (op->getNumResults() > 0)
      ops.push_back(op);
  });
  // Users before what they use, bodies before their loops.
  for (Operation *op : llvm::reverse(ops))
    if (op->use_empty())
      op->erase();
}

Case Generator::generate() {
  result.module = ModuleOp::create(loc);
  builder.setInsertionPointToEnd(result.module->getBody());
  addMesh();
  main = func::FuncOp::create(builder, loc, "main",
                              FunctionType::get(context, {}, {}));
  builder.setInsertionPointToEnd(main.addEntryBlock());
  result.vectorBits =
      std::min(result.vectorBits, random.pick<int64_t>({512, 512, 256, 128}));
  someOps(sizeUpTo(3, 14, 6));
  finish();
  annotate();
  if (random.percent(20))
    keepPartial();
  if (random.percent(30))
    donate();
  return std::move(result);
}
