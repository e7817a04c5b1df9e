//===- ExecProgram.cpp - exec.program -------------------------------------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialects/Exec/ExecDialect.h"

using namespace mlir;
using namespace cleave::exec;

void ProgramOp::build(OpBuilder &builder, OperationState &state, StringRef name,
                      MeshAttr mesh, ArrayRef<TensorAttr> inputs,
                      TypeRange inputTypes, ArrayRef<TensorAttr> outputs,
                      TypeRange outputTypes, ArrayRef<Location> argumentLocs) {
  auto asArray = [&](ArrayRef<TensorAttr> tensors) {
    return builder.getArrayAttr(
        SmallVector<Attribute>(tensors.begin(), tensors.end()));
  };
  Properties &properties = state.getOrAddProperties<Properties>();
  properties.sym_name = builder.getStringAttr(name);
  properties.mesh = mesh;
  properties.inputs = asArray(inputs);
  properties.outputs = asArray(outputs);
  SmallVector<Type> types(inputTypes);
  llvm::append_range(types, outputTypes);
  Block &block = state.addRegion()->emplaceBlock();
  block.addArguments(types, argumentLocs);
}

/// `(%a: memref<4xf32> = <"a", tensor<8xf32>, [["x":(1)2]]>, ...)`
static ParseResult
parseTensors(OpAsmParser &parser, StringRef keyword,
             SmallVectorImpl<OpAsmParser::Argument> &arguments,
             ArrayAttr &tensors) {
  SmallVector<Attribute> attrs;
  auto parseOne = [&]() -> ParseResult {
    TensorAttr tensor;
    OpAsmParser::Argument &argument = arguments.emplace_back();
    if (parser.parseArgument(argument, /*allowType=*/true) ||
        parser.parseEqual() || parser.parseCustomAttributeWithFallback(tensor))
      return failure();
    std::optional<Location> loc;
    if (parser.parseOptionalLocationSpecifier(loc))
      return failure();
    argument.sourceLoc = loc;
    attrs.push_back(tensor);
    return success();
  };
  if (parser.parseKeyword(keyword) ||
      parser.parseCommaSeparatedList(AsmParser::Delimiter::Paren, parseOne))
    return failure();
  tensors = parser.getBuilder().getArrayAttr(attrs);
  return success();
}

/// `keyword [1, 2]`, if it is there.
static ParseResult parseNumbers(OpAsmParser &parser, StringRef keyword,
                                DenseI64ArrayAttr &numbers) {
  if (failed(parser.parseOptionalKeyword(keyword)))
    return success();
  numbers = dyn_cast_or_null<DenseI64ArrayAttr>(
      DenseI64ArrayAttr::parse(parser, Type()));
  return success(bool(numbers));
}

ParseResult ProgramOp::parse(OpAsmParser &parser, OperationState &state) {
  Properties &properties = state.getOrAddProperties<Properties>();
  SmallVector<OpAsmParser::Argument> arguments;
  if (parser.parseSymbolName(properties.sym_name) ||
      parser.parseKeyword("mesh") ||
      parser.parseCustomAttributeWithFallback(properties.mesh) ||
      parseTensors(parser, "inputs", arguments, properties.inputs) ||
      parseTensors(parser, "outputs", arguments, properties.outputs))
    return failure();
  if (parseNumbers(parser, "donated", properties.donated) ||
      parseNumbers(parser, "shared", properties.shared))
    return failure();
  if (succeeded(parser.parseOptionalKeyword("arena"))) {
    int64_t bytes;
    if (parser.parseInteger(bytes))
      return failure();
    properties.arena_bytes = parser.getBuilder().getI64IntegerAttr(bytes);
  }
  if (parser.parseOptionalAttrDictWithKeyword(state.attributes))
    return failure();
  Region *body = state.addRegion();
  if (parser.parseRegion(*body, arguments))
    return failure();
  if (body->empty()) {
    Block &block = body->emplaceBlock();
    for (const OpAsmParser::Argument &argument : arguments)
      block.addArgument(argument.type,
                        argument.sourceLoc.value_or(state.location));
  }
  return success();
}

static void printTensors(OpAsmPrinter &printer, StringRef keyword,
                         Block::BlockArgListType buffers, ArrayAttr tensors) {
  printer << keyword << '(';
  llvm::interleaveComma(
      llvm::zip(buffers, tensors), printer.getStream(), [&](auto pair) {
        auto [buffer, tensor] = pair;
        printer.printRegionArgument(buffer, {}, /*omitType=*/false);
        printer << " = ";
        printer.printStrippedAttrOrType(cast<TensorAttr>(tensor));
      });
  printer << ')';
}

void ProgramOp::print(OpAsmPrinter &printer) {
  printer << ' ';
  printer.printSymbolName(getSymName());
  printer << " mesh ";
  printer.printStrippedAttrOrType(getMesh());
  printer.increaseIndent();
  printer.printNewline();
  printTensors(printer, "inputs", getInputBuffers(), getInputs());
  printer.printNewline();
  printTensors(printer, "outputs", getOutputBuffers(), getOutputs());
  printer.decreaseIndent();
  for (auto [keyword, numbers] : {std::pair("donated", getDonatedAttr()),
                                  std::pair("shared", getSharedAttr())})
    if (numbers) {
      printer << ' ' << keyword << ' ';
      numbers.print(printer.getStream());
    }
  if (getArenaBytes())
    printer << " arena " << *getArenaBytes();
  printer.printOptionalAttrDictWithKeyword(
      (*this)->getAttrs(), {"sym_name", "mesh", "inputs", "outputs",
                            "arena_bytes", "donated", "shared"});
  printer << ' ';
  printer.printRegion(getBody(), /*printEntryBlockArgs=*/false);
}

int64_t cleave::exec::blockSize(int64_t size, AxesAttr axes) {
  for (const AxisPart &part : axes.getParts())
    size = llvm::divideCeil(size, part.size);
  return size;
}

static LogicalResult verifyTensor(ProgramOp program, TensorAttr tensor,
                                  BlockArgument buffer) {
  auto type = dyn_cast<MemRefType>(buffer.getType());
  if (!type || !type.hasStaticShape() || !type.getLayout().isIdentity())
    return program.emitOpError("tensor ")
           << tensor.getName() << " needs a dense static buffer";
  SmallVector<int64_t> expected;
  for (auto [size, axes] :
       llvm::zip_equal(tensor.getType().getShape(), tensor.getSharding())) {
    expected.push_back(blockSize(size, axes));
    for (const AxisPart &part : axes.getParts())
      if (!program.getMesh().find(part.name))
        return program.emitOpError("tensor ")
               << tensor.getName() << " is cut over axis " << part.name
               << ", which mesh " << program.getMesh().getName()
               << " does not have";
  }
  if (type.getShape() != ArrayRef(expected) ||
      type.getElementType() != tensor.getType().getElementType())
    return program.emitOpError("a shard of tensor ")
           << tensor.getName() << " has type "
           << MemRefType::get(expected, tensor.getType().getElementType())
           << ", not " << type;
  if (!bufferBytes(type))
    return program.emitOpError("tensor ")
           << tensor.getName() << " is too large to address";
  return success();
}

/// Checks which inputs are written, and where outputs end up.
static LogicalResult verifyDonations(ProgramOp program) {
  auto inputs = program.getInputs(), outputs = program.getOutputs();
  int64_t numInputs = inputs.size();
  for (int64_t input : program.getDonated().value_or(ArrayRef<int64_t>()))
    if (input < 0 || input >= numInputs)
      return program.emitOpError("donates input ")
             << input << " of " << numInputs;
  for (auto [index, buffer] : llvm::enumerate(program.getInputBuffers()))
    if (!program.isDonated(index) && isWritten(buffer))
      return program.emitOpError("writes input ")
             << index << ", which is not donated";
  if (!program.getShared())
    return success();
  if (program.getShared()->size() != outputs.size())
    return program.emitOpError("needs one number per output in shared");
  llvm::DenseSet<int64_t> taken;
  for (auto [index, input] : llvm::enumerate(*program.getShared())) {
    if (input == -1)
      continue;
    if (!program.isDonated(input) || !taken.insert(input).second)
      return program.emitOpError("output ")
             << index << " shares input " << input
             << ", which is not donated or shared already";
    auto from = cast<TensorAttr>(inputs[input]);
    auto to = cast<TensorAttr>(outputs[index]);
    if (from.getType() != to.getType() ||
        from.getSharding() != to.getSharding())
      return program.emitOpError("output ")
             << index << " shares input " << input << " but differs from it";
    if (!program.getOutputBuffers()[index].use_empty())
      return program.emitOpError("uses the buffer of output ")
             << index << ", which shares that of input " << input;
  }
  return success();
}

int32_t ProgramOp::getNumEvents() {
  int32_t count = 0;
  walk([&](RecordOp record) {
    count = std::max<int32_t>(count, record.getEvent() + 1);
  });
  return count;
}

/// Checks that events are recorded once and waited for by another stream, and
/// that all ranks meet in one order.
static LogicalResult verifyStreams(ProgramOp program) {
  constexpr uint32_t limit = 1 << 20;
  llvm::DenseMap<uint32_t, RecordOp> records;
  CollectiveOp first;
  WalkResult result = program.walk([&](Operation *op) -> WalkResult {
    if (auto record = dyn_cast<RecordOp>(op)) {
      if (record.getEvent() >= limit)
        return record.emitOpError("must have a number below ") << limit;
      auto [other, isNew] = records.try_emplace(record.getEvent(), record);
      if (isNew)
        return WalkResult::advance();
      auto diagnostic = record.emitOpError("records event ")
                        << record.getEvent() << " again";
      diagnostic.attachNote(other->second.getLoc()) << "it is recorded here";
      return diagnostic;
    }
    auto collective = dyn_cast<CollectiveOp>(op);
    if (!collective || !collective.communicates())
      return WalkResult::advance();
    if (!first)
      first = collective;
    if (first.getStream() == collective.getStream())
      return WalkResult::advance();
    auto diagnostic = collective.emitOpError("communicates on stream ")
                      << stringifyStream(collective.getStream())
                      << ", so that ranks may meet in different orders";
    diagnostic.attachNote(first.getLoc())
        << "this one does on " << stringifyStream(first.getStream());
    return diagnostic;
  });
  if (result.wasInterrupted())
    return failure();
  result = program.walk([&](WaitOp wait) -> WalkResult {
    RecordOp record = records.lookup(wait.getEvent());
    if (!record)
      return wait.emitOpError("waits for event ")
             << wait.getEvent() << ", which is not recorded";
    if (record.getStream() == wait.getStream())
      return wait.emitOpError("waits for an event of its own stream");
    return WalkResult::advance();
  });
  return failure(result.wasInterrupted());
}

LogicalResult ProgramOp::verify() {
  Block &block = getBlock();
  if (block.getNumArguments() != getInputs().size() + getOutputs().size())
    return emitOpError("needs one block argument per input and output");
  if (getArenaBytes().value_or(0) < 0)
    return emitOpError("arena size is negative");
  for (auto [buffer, tensor] : llvm::zip(getInputBuffers(), getInputs()))
    if (failed(verifyTensor(*this, cast<TensorAttr>(tensor), buffer)))
      return failure();
  for (auto [buffer, tensor] : llvm::zip(getOutputBuffers(), getOutputs()))
    if (failed(verifyTensor(*this, cast<TensorAttr>(tensor), buffer)))
      return failure();
  return verifyDonations(*this);
}

LogicalResult ProgramOp::verifyRegions() { return verifyStreams(*this); }
