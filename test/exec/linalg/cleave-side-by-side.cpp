//===- cleave-side-by-side.cpp - All ranks in one function ----------------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Turns a partitioned program into one that MLIR's own lowering and runner
// can run: each op once per rank, and what collectives do as slices of the
// ranks' values. Padding is NaN. A `main` calls the program on small numbers
// that depend on their indices only, and prints the results. A program that is
// not partitioned loses its annotations and gets the same `main`.
//
//===----------------------------------------------------------------------===//

#include "dialects/Graph/EntryFunction.h"
#include "dialects/Spmd/Collectives.h"
#include "dialects/Spmd/ShardingConversion.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Parser/Parser.h"
#include "passes/Register.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/SourceMgr.h"

using namespace mlir;
using namespace cleave;
using namespace cleave::spmd;

static RankedTensorType typeOf(Value value) {
  return cast<RankedTensorType>(value.getType());
}

namespace {

/// Slices with numbers that are known now.
class Slices {
public:
  using Sizes = SmallVector<int64_t>;

  explicit Slices(OpBuilder &builder, Location loc) : b(builder), loc(loc) {}

  Value splat(RankedTensorType type, double number) {
    Type element = type.getElementType();
    TypedAttr attr =
        isa<FloatType>(element)
            ? TypedAttr(b.getFloatAttr(element, number))
            : TypedAttr(b.getIntegerAttr(element, int64_t(number)));
    return arith::ConstantOp::create(b, loc,
                                     DenseElementsAttr::get(type, attr));
  }
  /// What no result may depend on.
  Value garbage(RankedTensorType type) {
    return splat(type, isa<FloatType>(type.getElementType())
                           ? std::numeric_limits<double>::quiet_NaN()
                           : 77);
  }

  Value extract(Value from, const Sizes &offsets, const Sizes &sizes) {
    return tensor::ExtractSliceOp::create(b, loc, from, fold(offsets),
                                          fold(sizes), ones(sizes));
  }
  Value insert(Value piece, Value into, const Sizes &offsets) {
    Sizes sizes(typeOf(piece).getShape());
    return tensor::InsertSliceOp::create(b, loc, piece, into, fold(offsets),
                                         fold(sizes), ones(sizes));
  }
  /// Elements of `from` from `offset` on along `dim`, at `at` of `into`.
  Value copy(Value from, Value into, unsigned dim, int64_t offset, int64_t at,
             int64_t count) {
    if (count <= 0)
      return into;
    Sizes sizes(typeOf(from).getShape()), offsets(sizes.size(), 0),
        places(sizes.size(), 0);
    sizes[dim] = count;
    offsets[dim] = offset;
    places[dim] = at;
    return insert(extract(from, offsets, sizes), into, places);
  }

private:
  SmallVector<OpFoldResult> fold(const Sizes &numbers) {
    return getAsIndexOpFoldResult(b.getContext(), numbers);
  }
  SmallVector<OpFoldResult> ones(const Sizes &like) {
    return SmallVector<OpFoldResult>(like.size(), b.getIndexAttr(1));
  }

  OpBuilder &b;
  Location loc;
};

/// Builds the function on global tensors that a partitioned one stands for.
class SideBySide {
public:
  SideBySide(func::FuncOp local, MeshOp meshOp)
      : local(local), mesh(toMesh(meshOp)), b(local), ranks(mesh.numRanks()) {}

  LogicalResult build();

private:
  RankedTensorType globalType(Attribute attr) {
    return cast<RankedTensorType>(cast<TypeAttr>(attr).getValue());
  }
  Value shard(Value global, const Sharding &sharding, int64_t rank,
              RankedTensorType type);
  Value assemble(ArrayRef<Value> shards, const Sharding &sharding,
                 RankedTensorType type);
  LogicalResult lower(Operation *op);
  LogicalResult lowerCollective(CollectiveOpInterface op);
  LogicalResult lowerGroup(CollectiveOpInterface op, const RankGroup &group);
  LogicalResult lowerPermute(CollectivePermuteOp op);
  void lowerMask(MaskPaddingOp op);
  Value combine(ReductionKind kind, Value lhs, Value rhs);
  Value piece(Slices &slices, Value whole, unsigned dim, int64_t position,
              RankedTensorType type);

  func::FuncOp local;
  Mesh mesh;
  OpBuilder b;
  /// What the values of the local function are on each rank.
  std::vector<IRMapping> ranks;
};

} // namespace

//===----------------------------------------------------------------------===//
// Shards
//===----------------------------------------------------------------------===//

Value SideBySide::shard(Value global, const Sharding &sharding, int64_t rank,
                        RankedTensorType type) {
  Slices slices(b, local.getLoc());
  Slices::Sizes offsets, sizes;
  for (auto [size, dim] :
       llvm::zip_equal(typeOf(global).getShape(), sharding.dims)) {
    BlockExtent block = blockOf(mesh, rank, size, dim.axes);
    offsets.push_back(block.valid ? block.offset : 0);
    sizes.push_back(block.valid);
  }
  Value padded = slices.garbage(type);
  if (llvm::is_contained(sizes, 0))
    return padded;
  return slices.insert(slices.extract(global, offsets, sizes), padded,
                       Slices::Sizes(sizes.size(), 0));
}

Value SideBySide::assemble(ArrayRef<Value> shards, const Sharding &sharding,
                           RankedTensorType type) {
  Slices slices(b, local.getLoc());
  Value global = slices.garbage(type);
  for (auto [rank, own] : llvm::enumerate(shards)) {
    Slices::Sizes offsets, sizes;
    for (auto [size, dim] : llvm::zip_equal(type.getShape(), sharding.dims)) {
      BlockExtent block = blockOf(mesh, rank, size, dim.axes);
      offsets.push_back(block.offset);
      sizes.push_back(block.valid);
    }
    if (llvm::is_contained(sizes, 0))
      continue;
    Slices::Sizes start(sizes.size(), 0);
    global = slices.insert(slices.extract(own, start, sizes), global, offsets);
  }
  return global;
}

//===----------------------------------------------------------------------===//
// Collectives
//===----------------------------------------------------------------------===//

Value SideBySide::combine(ReductionKind kind, Value lhs, Value rhs) {
  Location loc = local.getLoc();
  bool isFloat = isa<FloatType>(typeOf(lhs).getElementType());
  switch (kind) {
  case ReductionKind::Sum:
    return isFloat ? Value(arith::AddFOp::create(b, loc, lhs, rhs))
                   : arith::AddIOp::create(b, loc, lhs, rhs);
  case ReductionKind::Prod:
    return isFloat ? Value(arith::MulFOp::create(b, loc, lhs, rhs))
                   : arith::MulIOp::create(b, loc, lhs, rhs);
  case ReductionKind::Max:
    return isFloat ? Value(arith::MaximumFOp::create(b, loc, lhs, rhs))
                   : arith::MaxSIOp::create(b, loc, lhs, rhs);
  case ReductionKind::Min:
    return isFloat ? Value(arith::MinimumFOp::create(b, loc, lhs, rhs))
                   : arith::MinSIOp::create(b, loc, lhs, rhs);
  case ReductionKind::And:
    return arith::AndIOp::create(b, loc, lhs, rhs);
  case ReductionKind::Or:
    return arith::OrIOp::create(b, loc, lhs, rhs);
  }
  llvm_unreachable("all kinds are listed");
}

/// Piece `position` of a value that is cut into pieces of the length of `type`.
Value SideBySide::piece(Slices &slices, Value whole, unsigned dim,
                        int64_t position, RankedTensorType type) {
  int64_t extent = type.getDimSize(dim);
  int64_t rest = typeOf(whole).getDimSize(dim) - position * extent;
  return slices.copy(whole, slices.garbage(type), dim, position * extent, 0,
                     std::min(extent, rest));
}

LogicalResult SideBySide::lowerGroup(CollectiveOpInterface op,
                                     const RankGroup &group) {
  Slices slices(b, op.getLoc());
  SmallVector<Value> operands;
  for (int64_t rank : group)
    operands.push_back(ranks[rank].lookup(op.getCollectiveOperand()));
  auto type = typeOf(op->getResult(0));
  auto gather = [&](unsigned dim, int64_t size) {
    Slices::Sizes shape(typeOf(operands[0]).getShape());
    int64_t extent = shape[dim];
    shape[dim] = size;
    Value whole = slices.garbage(type.clone(shape));
    for (auto [position, operand] : llvm::enumerate(operands)) {
      int64_t at = position * extent;
      whole =
          slices.copy(operand, whole, dim, 0, at, std::min(extent, size - at));
    }
    return whole;
  };
  auto reduce = [&] {
    Value sum = operands.front();
    for (Value operand : ArrayRef(operands).drop_front())
      sum = combine(*op.getCollectiveReduction(), sum, operand);
    return sum;
  };
  unsigned dim = op.getCollectiveDim().value_or(0);
  for (auto [position, rank] : llvm::enumerate(group)) {
    Value result;
    switch (op.getCollectiveKind()) {
    case CollectiveKind::AllGather:
      result = gather(dim, type.getDimSize(dim));
      break;
    case CollectiveKind::AllSlice:
      result = piece(slices, operands[position], dim, position, type);
      break;
    case CollectiveKind::AllReduce:
      result = reduce();
      break;
    case CollectiveKind::ReduceScatter:
      result = piece(slices, reduce(), dim, position, type);
      break;
    case CollectiveKind::AllToAll:
      result = piece(slices, gather(dim, type.getDimSize(dim)),
                     *op.getCollectiveSplitDim(), position, type);
      break;
    default:
      return op->emitError("is not expected in this test");
    }
    ranks[rank].map(op->getResult(0), result);
  }
  return success();
}

LogicalResult SideBySide::lowerPermute(CollectivePermuteOp op) {
  for (IRMapping &rank : ranks)
    rank.map(op.getResult(),
             Slices(b, op.getLoc()).splat(typeOf(op.getResult()), 0));
  ArrayRef<int64_t> pairs = op.getPairs();
  for (size_t i = 0; i + 1 < pairs.size(); i += 2)
    ranks[pairs[i + 1]].map(op.getResult(),
                            ranks[pairs[i]].lookup(op.getOperand()));
  return success();
}

LogicalResult SideBySide::lowerCollective(CollectiveOpInterface op) {
  if (auto permute = dyn_cast<CollectivePermuteOp>(*op))
    return lowerPermute(permute);
  for (const RankGroup &group : rankGroups(op, mesh))
    if (failed(lowerGroup(op, group)))
      return failure();
  return success();
}

void SideBySide::lowerMask(MaskPaddingOp op) {
  Slices slices(b, op.getLoc());
  auto type = typeOf(op.getResult());
  bool isFloat = isa<FloatType>(type.getElementType());
  double lowest = isFloat ? -std::numeric_limits<double>::infinity()
                          : std::numeric_limits<int32_t>::min();
  ReductionKind kind = toKind(op.getReduction());
  double neutral = kind == ReductionKind::Sum    ? 0
                   : kind == ReductionKind::Prod ? 1
                   : kind == ReductionKind::Max  ? lowest
                                                 : -lowest;
  for (auto [rank, values] : llvm::enumerate(ranks)) {
    BlockExtent block = blockOf(mesh, rank, op.getSize(),
                                toAxisList(op.getAxes().getAxes(), mesh));
    values.map(op.getResult(), slices.copy(values.lookup(op.getOperand()),
                                           slices.splat(type, neutral),
                                           op.getDim(), 0, 0, block.valid));
  }
}

//===----------------------------------------------------------------------===//
// The function
//===----------------------------------------------------------------------===//

LogicalResult SideBySide::lower(Operation *op) {
  if (auto collective = dyn_cast<CollectiveOpInterface>(op))
    return lowerCollective(collective);
  if (auto mask = dyn_cast<MaskPaddingOp>(op)) {
    lowerMask(mask);
    return success();
  }
  for (IRMapping &rank : ranks)
    b.clone(*op, rank);
  return success();
}

LogicalResult SideBySide::build() {
  SmallVector<Type> inputs, results;
  std::vector<Sharding> inputShardings, resultShardings;
  auto read = [&](DictionaryAttr attrs, SmallVector<Type> &types,
                  std::vector<Sharding> &shardings) {
    auto type = globalType(attrs.get(SpmdDialect::kGlobalType));
    types.push_back(type);
    shardings.push_back(
        toSharding(attrs.getAs<ShardingAttr>(SpmdDialect::kSharding), mesh,
                   type.getShape()));
  };
  for (unsigned i = 0; i < local.getNumArguments(); ++i)
    read(local.getArgAttrDict(i), inputs, inputShardings);
  for (unsigned i = 0; i < local.getNumResults(); ++i)
    read(local.getResultAttrDict(i), results, resultShardings);

  auto global =
      func::FuncOp::create(b, local.getLoc(), local.getName(),
                           FunctionType::get(b.getContext(), inputs, results));
  global.setPrivate();
  b.setInsertionPointToStart(global.addEntryBlock());
  for (auto [rank, values] : llvm::enumerate(ranks))
    for (auto [own, whole, sharding] : llvm::zip_equal(
             local.getArguments(), global.getArguments(), inputShardings))
      values.map(own, shard(whole, sharding, rank, typeOf(own)));
  for (Operation &op : local.front().without_terminator())
    if (failed(lower(&op)))
      return failure();
  SmallVector<Value> returned;
  for (auto [operand, type, sharding] :
       llvm::zip_equal(local.front().getTerminator()->getOperands(), results,
                       resultShardings)) {
    SmallVector<Value> shards;
    for (IRMapping &rank : ranks)
      shards.push_back(rank.lookup(operand));
    returned.push_back(
        assemble(shards, sharding, cast<RankedTensorType>(type)));
  }
  func::ReturnOp::create(b, local.getLoc(), returned);
  local.erase();
  return success();
}

/// A program that nobody has partitioned, without what asks for it.
static void stripAnnotations(func::FuncOp func) {
  func.walk([](ShardingConstraintOp op) {
    op.replaceAllUsesWith(op.getInput());
    op.erase();
  });
  for (unsigned i = 0; i < func.getNumArguments(); ++i)
    func.setArgAttrs(i, ArrayRef<NamedAttribute>());
  for (unsigned i = 0; i < func.getNumResults(); ++i)
    func.setResultAttrs(i, ArrayRef<NamedAttribute>());
  func.setPrivate();
}

//===----------------------------------------------------------------------===//
// main
//===----------------------------------------------------------------------===//

/// Multiples of 1/4 from -1.5 to 1.5: sums of a few products are exact.
static Value makeInput(OpBuilder &b, Location loc, RankedTensorType type,
                       unsigned number) {
  auto generate = tensor::GenerateOp::create(
      b, loc, type, ValueRange(),
      [&](OpBuilder &b, Location loc, ValueRange indices) {
        auto constant = [&](int64_t value) {
          return arith::ConstantIndexOp::create(b, loc, value).getResult();
        };
        Value place = constant(number * 5 + 3);
        for (auto [d, index] : llvm::enumerate(indices)) {
          Value scaled =
              arith::MulIOp::create(b, loc, index, constant(11 + 6 * d));
          place = arith::AddIOp::create(b, loc, place, scaled);
        }
        place = arith::RemUIOp::create(b, loc, place, constant(13));
        place = arith::SubIOp::create(b, loc, place, constant(6));
        Value integer =
            arith::IndexCastOp::create(b, loc, b.getI32Type(), place);
        Type element = type.getElementType();
        Value value = integer;
        if (isa<FloatType>(element)) {
          value = arith::SIToFPOp::create(b, loc, element, integer);
          Value quarter =
              arith::ConstantOp::create(b, loc, b.getFloatAttr(element, 0.25));
          value = arith::MulFOp::create(b, loc, value, quarter);
        }
        tensor::YieldOp::create(b, loc, value);
      });
  return generate.getResult();
}

static LogicalResult addMain(ModuleOp module, func::FuncOp program) {
  OpBuilder b = OpBuilder::atBlockEnd(module.getBody());
  Location loc = program.getLoc();
  auto main = func::FuncOp::create(b, loc, "main", b.getFunctionType({}, {}));
  b.setInsertionPointToStart(main.addEntryBlock());
  SmallVector<Value> inputs;
  for (auto [i, type] : llvm::enumerate(program.getArgumentTypes()))
    inputs.push_back(makeInput(b, loc, cast<RankedTensorType>(type), i));
  auto call = func::CallOp::create(b, loc, program, inputs);
  for (Value result : call.getResults()) {
    Type element = typeOf(result).getElementType();
    StringRef name = element.isF32()         ? "printMemrefF32"
                     : element.isInteger(32) ? "printMemrefI32"
                                             : "";
    if (name.empty())
      return program.emitError("has a result that is neither f32 nor i32");
    auto any = UnrankedTensorType::get(element);
    if (!module.lookupSymbol(name)) {
      OpBuilder::InsertionGuard guard(b);
      b.setInsertionPoint(main);
      func::FuncOp::create(b, loc, name, b.getFunctionType({any}, {}))
          .setPrivate();
    }
    Value cast = tensor::CastOp::create(b, loc, any, result);
    func::CallOp::create(b, loc, name, TypeRange(), cast);
  }
  func::ReturnOp::create(b, loc);
  return success();
}

int main(int argc, char **argv) {
  llvm::cl::ParseCommandLineOptions(
      argc, argv,
      "a program of standard input with all its ranks side by side\n");
  DialectRegistry registry;
  registerDialects(registry);
  registry.insert<arith::ArithDialect, linalg::LinalgDialect, math::MathDialect,
                  tensor::TensorDialect>();
  MLIRContext context(registry);
  auto buffer = llvm::MemoryBuffer::getSTDIN();
  if (!buffer)
    return 2;
  llvm::SourceMgr sources;
  sources.AddNewSourceBuffer(std::move(*buffer), llvm::SMLoc());
  SourceMgrDiagnosticHandler handler(sources, &context);
  OwningOpRef<ModuleOp> module = parseSourceFile<ModuleOp>(sources, &context);
  func::FuncOp func =
      module ? graph::getEntryFunction(*module) : func::FuncOp();
  MeshOp mesh = func ? getOnlyMesh(*module) : MeshOp();
  if (!mesh)
    return 2;
  context.loadDialect<arith::ArithDialect, tensor::TensorDialect>();
  std::string name = func.getName().str();
  if (!llvm::any_of(llvm::seq(func.getNumArguments()), [&](unsigned i) {
        return func.getArgAttr(i, SpmdDialect::kGlobalType);
      }))
    stripAnnotations(func);
  else if (failed(SideBySide(func, mesh).build()))
    return 2;
  mesh.erase();
  if (failed(addMain(*module, module->lookupSymbol<func::FuncOp>(name))) ||
      failed(verify(*module)))
    return 2;
  module->print(llvm::outs());
  return 0;
}
