//===- ExecOps.cpp - Operations of the exec dialect -----------------------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "cleave/Partition/WindowExchange.h"
#include "dialects/Exec/ExecDialect.h"
#include "dialects/Exec/ExecVerification.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/Support/CheckedArithmetic.h"

using namespace mlir;
using namespace cleave::exec;

static MemRefType typeOf(Value buffer) {
  return cast<MemRefType>(buffer.getType());
}

/// The buffer without its views.
static Value storage(Value buffer) {
  while (auto view = buffer.getDefiningOp<ViewOp>())
    buffer = view.getSource();
  return buffer;
}

LogicalResult cleave::exec::verifyNoAlias(Operation *op, Value written,
                                          ValueRange others) {
  for (Value other : others)
    if (storage(other) == storage(written))
      return op->emitOpError("writes a buffer that it also reads or writes "
                             "through another operand");
  return success();
}

LogicalResult cleave::exec::verifyNotConstant(Operation *op, Value written) {
  if (storage(written).getDefiningOp<ConstantOp>())
    return op->emitOpError("writes a constant");
  return success();
}

/// Checks that axes are parts of the axes of the program's mesh.
static LogicalResult verifyAxes(Operation *op, MeshAttr mesh, AxesAttr axes) {
  for (const AxisPart &part : axes.getParts()) {
    std::optional<unsigned> axis = mesh.find(part.name);
    if (!axis)
      return op->emitOpError("uses axis ")
             << part.name << ", which mesh " << mesh.getName()
             << " does not have";
    int64_t size = mesh.getAxes()[*axis].size;
    std::optional<int64_t> end = llvm::checkedMul(part.pre, part.size);
    if (!end || size % *end != 0)
      return op->emitOpError("uses part (")
             << part.pre << ')' << part.size << " of axis " << part.name
             << ", whose size " << size << " it does not divide";
  }
  return success();
}

static FailureOr<MeshAttr> programMesh(Operation *op) {
  auto program = op->getParentOfType<ProgramOp>();
  if (!program)
    return op->emitOpError("must be inside an exec.program");
  return program.getMesh();
}

//===----------------------------------------------------------------------===//
// Buffers
//===----------------------------------------------------------------------===//

LogicalResult BufferOp::verify() {
  if (getOffset().value_or(0) % 64 != 0)
    return emitOpError("offset ") << *getOffset() << " is not a multiple of 64";
  if (!bufferBytes(getType()))
    return emitOpError("is too large to address");
  return success();
}

LogicalResult ViewOp::verify() {
  MemRefType from = typeOf(getSource()), to = getType();
  if (from.getElementType() != to.getElementType())
    return emitOpError("must keep the element type");
  std::optional<int64_t> fromBytes = bufferBytes(from),
                         toBytes = bufferBytes(to);
  if (!fromBytes || fromBytes != toBytes)
    return emitOpError("must keep the number of elements");
  return success();
}

LogicalResult ConstantOp::verify() {
  auto type = dyn_cast<RankedTensorType>(getValue().getShapedType());
  if (!type || type.getShape() != getType().getShape() ||
      type.getElementType() != getType().getElementType())
    return emitOpError("value of type ")
           << getValue().getType() << " does not fit buffer of type "
           << getType();
  if (!isa<DenseElementsAttr, DenseResourceElementsAttr>(getValue()))
    return emitOpError("value must be dense");
  return success();
}

LogicalResult CopyOp::verify() {
  if (getFrom().getType() != getTo().getType())
    return emitOpError("copies between different types");
  if (failed(verifyNotConstant(*this, getTo())))
    return failure();
  return verifyNoAlias(*this, getTo(), getFrom());
}

//===----------------------------------------------------------------------===//
// Work
//===----------------------------------------------------------------------===//

void LaunchOp::getEffects(
    SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>>
        &effects) {
  for (OpOperand &input : getInputsMutable())
    effects.emplace_back(MemoryEffects::Read::get(), &input);
  for (auto [index, output] : llvm::enumerate(getOutputsMutable())) {
    if (llvm::is_contained(getUpdated().value_or(ArrayRef<int64_t>()), index))
      effects.emplace_back(MemoryEffects::Read::get(), &output);
    effects.emplace_back(MemoryEffects::Write::get(), &output);
  }
}

LogicalResult LaunchOp::verify() {
  for (int64_t index : getUpdated().value_or(ArrayRef<int64_t>()))
    if (index < 0 || index >= static_cast<int64_t>(getOutputs().size()))
      return emitOpError("updates output ")
             << index << " of " << getOutputs().size();
  return success();
}

LogicalResult LaunchOp::verifySymbolUses(SymbolTableCollection &symbols) {
  Operation *callee = symbols.lookupNearestSymbolFrom(*this, getKernelAttr());
  if (!callee)
    return emitOpError("launches ") << getKernel() << ", which does not exist";
  if (!isa<FunctionOpInterface>(callee))
    return emitOpError("launches ") << getKernel() << ", which is no function";
  SmallVector<Value> all(getInputs());
  for (Value output : getOutputs()) {
    if (failed(verifyNotConstant(*this, output)) ||
        failed(verifyNoAlias(*this, output, all)))
      return failure();
    all.push_back(output);
  }
  return success();
}

/// Whether every index a strided operand is read at lies in its buffer.
static LogicalResult verifyStrides(GemmOp op, StringRef name, Value buffer,
                                   ArrayRef<int64_t> strides, int64_t rows,
                                   int64_t cols) {
  ArrayRef<int64_t> batch = op.getBatch();
  if (strides.size() != batch.size() + 2)
    return op.emitOpError()
           << "operand " << name << " needs " << batch.size() + 2
           << " strides, got " << strides.size();
  SmallVector<int64_t> sizes(batch);
  sizes.append({rows, cols});
  if (llvm::is_contained(sizes, 0))
    return success();
  std::optional<int64_t> last = 0;
  for (auto [size, stride] : llvm::zip_equal(sizes, strides)) {
    if (stride < 0)
      return op.emitOpError() << "operand " << name << " has a negative stride";
    last = last ? llvm::checkedMulAdd(size - 1, stride, *last) : last;
  }
  std::optional<int64_t> bytes = bufferBytes(typeOf(buffer));
  int64_t width = elementBytes(typeOf(buffer).getElementType());
  if (!last || !bytes || *last >= *bytes / width)
    return op.emitOpError()
           << "operand " << name << " is read or written beyond its end";
  return success();
}

LogicalResult GemmOp::verify() {
  if (getM() < 0 || getN() < 0 || getK() < 0 ||
      llvm::any_of(getBatch(), [](int64_t size) { return size < 0; }))
    return emitOpError("has a negative size");
  Type element = typeOf(getOut()).getElementType();
  bool mayConvert = element.isF32() || element.isF16() || element.isBF16();
  for (Value operand : getOperands()) {
    Type own = typeOf(operand).getElementType();
    bool isConverted = mayConvert && isa<FloatType>(own) &&
                       own.getIntOrFloatBitWidth() == 8 &&
                       (operand == getA() || operand == getB());
    if (own != element && !isConverted)
      return emitOpError("operands must have one element type");
  }
  if (failed(
          verifyStrides(*this, "a", getA(), getAStrides(), getM(), getK())) ||
      failed(
          verifyStrides(*this, "b", getB(), getBStrides(), getK(), getN())) ||
      failed(verifyStrides(*this, "out", getOut(), getOutStrides(), getM(),
                           getN())))
    return failure();
  if (bool(getBias()) != (getBiasKind() != BiasKind::None))
    return emitOpError("needs a bias exactly if its bias kind is not none");
  if (getBias()) {
    int64_t expected = getBiasKind() == BiasKind::N ? getN() : getM();
    if (typeOf(getBias()).getNumElements() != expected)
      return emitOpError("bias must have ") << expected << " elements";
  }
  if (getResidual() && typeOf(getResidual()).getNumElements() !=
                           typeOf(getOut()).getNumElements())
    return emitOpError("residual must have as many elements as out");
  if (failed(verifyNotConstant(*this, getOut())))
    return failure();
  return verifyNoAlias(*this, getOut(), getOperands().drop_back());
}

LogicalResult AxisIndexOp::verify() {
  if (getResult().getType().getNumElements() != 1)
    return emitOpError("writes one element");
  FailureOr<MeshAttr> mesh = programMesh(*this);
  if (failed(mesh))
    return failure();
  return verifyAxes(*this, *mesh, getAxes());
}

//===----------------------------------------------------------------------===//
// Control flow
//===----------------------------------------------------------------------===//

static LogicalResult verifyCondition(Operation *op, MemRefType type) {
  if (type.getNumElements() != 1)
    return op->emitOpError("condition must have one element");
  return success();
}

LogicalResult WhileOp::verify() {
  return verifyCondition(*this, typeOf(getCondition()));
}

LogicalResult IfOp::verify() {
  return verifyCondition(*this, typeOf(getCondition()));
}

//===----------------------------------------------------------------------===//
// Collectives
//===----------------------------------------------------------------------===//

/// Checks that `keys` are exactly the attributes the kind needs.
static LogicalResult verifyKeys(CollectiveOp op, ArrayRef<StringRef> keys) {
  const std::pair<StringRef, bool> present[] = {
      {"reduction", bool(op.getReduction())},
      {"dim", bool(op.getDim())},
      {"split_dim", bool(op.getSplitDim())},
      {"concat_dim", bool(op.getConcatDim())},
      {"pairs", bool(op.getPairs())},
      {"root", bool(op.getRoot())},
      {"size", bool(op.getSize())},
      {"low", bool(op.getLow())},
      {"high", bool(op.getHigh())},
      {"blocks", bool(op.getBlocks())},
      {"windows", bool(op.getWindows())}};
  for (auto [name, has] : present)
    if (has != llvm::is_contained(keys, name))
      return op.emitOpError() << stringifyCollectiveKind(op.getKind())
                              << (has ? " takes no " : " needs ") << name;
  return success();
}

/// Checks that dimension `dim` of `whole` is cut into `ranks` blocks in `part`.
static LogicalResult verifyCut(CollectiveOp op, SmallVectorImpl<int64_t> &whole,
                               int64_t dim, int64_t ranks) {
  if (dim >= int64_t(whole.size()))
    return op.emitOpError() << "dimension " << dim << " is out of range";
  whole[dim] = llvm::divideCeil(whole[dim], ranks);
  return success();
}

static LogicalResult verifyPairs(CollectiveOp op, int64_t ranks) {
  ArrayRef<int64_t> pairs = *op.getPairs();
  if (pairs.size() % 2 != 0)
    return op.emitOpError("pairs must list a source and a target each");
  SmallVector<int64_t> targets;
  for (size_t i = 0; i < pairs.size(); ++i) {
    if (pairs[i] < 0 || pairs[i] >= ranks)
      return op.emitOpError()
             << "pairs name rank " << pairs[i] << " of " << ranks;
    if (i % 2 == 1)
      targets.push_back(pairs[i]);
  }
  llvm::sort(targets);
  if (std::unique(targets.begin(), targets.end()) != targets.end())
    return op.emitOpError("a rank may be a target only once");
  return success();
}

/// Checks listed groups; those of kinds whose shapes depend on the number of
/// ranks have one size, which `ranks` becomes.
static LogicalResult verifyGroups(CollectiveOp op, int64_t numRanks,
                                  int64_t &ranks) {
  auto groups = op.getGroupsAttr();
  if (!groups)
    return success();
  if (op.getKind() == CollectiveKind::CollectivePermute ||
      op.getKind() == CollectiveKind::HaloExchange ||
      op.getKind() == CollectiveKind::WindowExchange)
    return op.emitOpError()
           << stringifyCollectiveKind(op.getKind()) << " takes no groups";
  if (!op.getAxes().getParts().empty())
    return op.emitOpError("has both axes and groups");
  bool mustBeEqual = op.getKind() != CollectiveKind::AllReduce &&
                     op.getKind() != CollectiveKind::Broadcast;
  SmallVector<bool> isUsed(numRanks, false);
  for (auto group : groups.getAsRange<DenseI64ArrayAttr>()) {
    if (group.empty())
      return op.emitOpError("lists an empty group");
    ranks = group.size();
    if (mustBeEqual &&
        group.size() != cast<DenseI64ArrayAttr>(groups[0]).size())
      return op.emitOpError("lists groups of different sizes");
    if (op.getRoot() && int64_t(*op.getRoot()) >= group.size())
      return op.emitOpError() << "root " << *op.getRoot()
                              << " is not in a group of " << group.size();
    for (int64_t rank : group.asArrayRef()) {
      if (rank < 0 || rank >= numRanks)
        return op.emitOpError()
               << "groups name rank " << rank << " of " << numRanks;
      if (isUsed[rank])
        return op.emitOpError() << "rank " << rank << " is in two groups";
      isUsed[rank] = true;
    }
  }
  return success();
}

/// Checks that `operand` is a block of the exchanged dimension, and makes it
/// what the result should be.
static LogicalResult verifyHalo(CollectiveOp op,
                                SmallVectorImpl<int64_t> &operand) {
  int64_t dim = *op.getDim();
  if (dim >= int64_t(operand.size()))
    return op.emitOpError() << "dimension " << dim << " is out of range";
  int64_t block = blockSize(*op.getSize(), op.getAxes());
  if (operand[dim] != block)
    return op.emitOpError()
           << "dimension " << dim << " has extent " << operand[dim]
           << ", but a block of " << *op.getSize() << " has " << block;
  operand[dim] += int64_t(*op.getLow()) + int64_t(*op.getHigh());
  return success();
}

/// Checks what is listed, and makes the operand's extent the result's.
static LogicalResult verifyWindows(CollectiveOp op, int64_t ranks,
                                   SmallVectorImpl<int64_t> &operand,
                                   ArrayRef<int64_t> result) {
  int64_t dim = *op.getDim();
  if (dim >= int64_t(operand.size()) || operand.size() != result.size())
    return op.emitOpError() << "dimension " << dim << " is out of range";
  if (op.getBlocks()->size() % 3 || op.getWindows()->size() % 3)
    return op.emitOpError("lists begin, count and place of each segment");
  cleave::WindowExchange exchange{cleave::toSegments(*op.getBlocks()),
                                  cleave::toSegments(*op.getWindows())};
  std::string fault = exchange.findFault(ranks, operand[dim], result[dim]);
  if (!fault.empty())
    return op.emitOpError(fault);
  operand[dim] = result[dim];
  return success();
}

LogicalResult CollectiveOp::verify() {
  FailureOr<MeshAttr> mesh = programMesh(*this);
  if (failed(mesh) || failed(verifyAxes(*this, *mesh, getAxes())) ||
      failed(verifyNotConstant(*this, getResult())) ||
      failed(verifyNoAlias(*this, getResult(), getOperand())))
    return failure();
  MemRefType from = typeOf(getOperand()), to = typeOf(getResult());
  if (from.getElementType() != to.getElementType())
    return emitOpError("must keep the element type");

  int64_t ranks = getAxes().getNumPositions();
  if (failed(verifyGroups(*this, mesh->getNumRanks(), ranks)))
    return failure();
  SmallVector<int64_t> operand(from.getShape()), result(to.getShape());
  switch (getKind()) {
  case CollectiveKind::AllGather:
    if (failed(verifyKeys(*this, {"dim"})) ||
        failed(verifyCut(*this, result, *getDim(), ranks)))
      return failure();
    break;
  case CollectiveKind::AllSlice:
    if (failed(verifyKeys(*this, {"dim"})) ||
        failed(verifyCut(*this, operand, *getDim(), ranks)))
      return failure();
    break;
  case CollectiveKind::AllReduce:
    if (failed(verifyKeys(*this, {"reduction"})))
      return failure();
    break;
  case CollectiveKind::ReduceScatter:
    if (failed(verifyKeys(*this, {"reduction", "dim"})) ||
        failed(verifyCut(*this, operand, *getDim(), ranks)))
      return failure();
    break;
  case CollectiveKind::AllToAll:
    if (failed(verifyKeys(*this, {"split_dim", "concat_dim"})) ||
        failed(verifyCut(*this, operand, *getSplitDim(), ranks)) ||
        failed(verifyCut(*this, result, *getConcatDim(), ranks)))
      return failure();
    if (*getSplitDim() == *getConcatDim())
      return emitOpError("must split and concatenate different dimensions");
    break;
  case CollectiveKind::CollectivePermute:
    if (failed(verifyKeys(*this, {"pairs"})) ||
        failed(verifyPairs(*this, mesh->getNumRanks())))
      return failure();
    break;
  case CollectiveKind::Broadcast:
    if (failed(verifyKeys(*this, {"root"})))
      return failure();
    if (int64_t(*getRoot()) >= ranks)
      return emitOpError() << "root " << *getRoot() << " is not in a group of "
                           << ranks;
    break;
  case CollectiveKind::HaloExchange:
    if (failed(verifyKeys(*this, {"dim", "size", "low", "high"})) ||
        failed(verifyHalo(*this, operand)))
      return failure();
    break;
  case CollectiveKind::WindowExchange:
    if (failed(verifyKeys(*this, {"dim", "blocks", "windows"})) ||
        failed(verifyWindows(*this, ranks, operand, result)))
      return failure();
    break;
  }
  if (operand != result)
    return emitOpError() << "cannot make " << to << " from " << from << " over "
                         << ranks << " ranks";
  return success();
}

#define GET_OP_CLASSES
#include "dialects/Exec/ExecOps.cpp.inc"
