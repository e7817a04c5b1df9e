//===- ExecDialect.cpp - The exec dialect ---------------------------------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialects/Exec/ExecDialect.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/CheckedArithmetic.h"

using namespace mlir;
using namespace cleave::exec;

#include "dialects/Exec/ExecDialect.cpp.inc"
#include "dialects/Exec/ExecEnums.cpp.inc"

void ExecDialect::initialize() {
  registerAttributes();
  addOperations<
#define GET_OP_LIST
#include "dialects/Exec/ExecOps.cpp.inc"
      >();
}

int64_t cleave::exec::elementBytes(Type type) {
  return llvm::divideCeil(type.getIntOrFloatBitWidth(), 8);
}

std::optional<int64_t> cleave::exec::bufferBytes(MemRefType type) {
  // More than any machine addresses, and small enough that sums of offsets of
  // all buffers of a program cannot overflow.
  constexpr int64_t limit = int64_t(1) << 46;
  int64_t bytes = elementBytes(type.getElementType());
  if (llvm::is_contained(type.getShape(), 0))
    return 0;
  for (int64_t size : type.getShape()) {
    std::optional<int64_t> product = llvm::checkedMul(bytes, size);
    if (!product || *product > limit)
      return std::nullopt;
    bytes = *product;
  }
  return bytes;
}

Value cleave::exec::storageOf(Value buffer) {
  while (auto view = buffer.getDefiningOp<ViewOp>())
    buffer = view.getSource();
  return buffer;
}

bool cleave::exec::isWritten(Value buffer) {
  return llvm::any_of(buffer.getUsers(), [&](Operation *user) {
    if (auto view = dyn_cast<ViewOp>(user))
      return isWritten(view.getResult());
    auto effects = dyn_cast<MemoryEffectOpInterface>(user);
    return !effects || effects.getEffectOnValue<MemoryEffects::Write>(buffer);
  });
}

Stream cleave::exec::streamOf(Operation *op) {
  auto collective = dyn_cast<CollectiveOp>(op);
  return collective ? collective.getStream() : Stream::Compute;
}
