//===- LibraryGuide.cpp - Which of many right results is meant ------------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialects/Graph/Evaluate/LibraryGuide.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace cleave::graph;

static LibraryLookup libraryLookup = nullptr;

void cleave::graph::setLibraryLookup(LibraryLookup lookup) {
  libraryLookup = lookup;
}

FailureOr<SmallVector<Literal>>
cleave::graph::runLibraryKernel(LibraryKernelOpInterface op,
                                ArrayRef<Literal> operands) {
  LibraryCall call = op.getLibraryCall();
  std::string name = ("cleave_rt_" + call.function + "_").str();
  llvm::raw_string_ostream(name) << getElementTypeOrSelf(op->getOperand(0));
  LibraryFunction function = libraryLookup ? libraryLookup(name) : nullptr;
  if (!function)
    return op->emitOpError("can be evaluated only together with the library "
                           "that says which of its results is meant");
  std::vector<std::vector<char>> bytes;
  for (const Literal &operand : operands)
    bytes.push_back(operand.toBytes());
  for (Type type : op->getResultTypes())
    bytes.emplace_back(Literal::byteSize(cast<RankedTensorType>(type)));
  SmallVector<void *> buffers;
  for (std::vector<char> &buffer : bytes)
    buffers.push_back(buffer.data());
  function(buffers.data(), call.numbers.data(), 0, call.extent);
  SmallVector<Literal> results;
  for (auto [i, type] : llvm::enumerate(op->getResultTypes()))
    results.push_back(Literal::fromBytes(cast<RankedTensorType>(type),
                                         bytes[operands.size() + i]));
  return results;
}
