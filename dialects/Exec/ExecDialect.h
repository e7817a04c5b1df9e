//===- ExecDialect.h - The exec dialect -------------------------*- C++ -*-===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CLEAVE_DIALECTS_EXEC_EXECDIALECT_H
#define CLEAVE_DIALECTS_EXEC_EXECDIALECT_H

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include <optional>

namespace cleave::exec {

/// A named axis of a mesh.
struct MeshAxis {
  mlir::StringAttr name;
  int64_t size;

  bool operator==(const MeshAxis &o) const {
    return name == o.name && size == o.size;
  }
};
inline llvm::hash_code hash_value(const MeshAxis &a) {
  return llvm::hash_combine(a.name, a.size);
}

/// The part of a mesh axis that has `size` positions after `pre` positions have
/// been split off in front; see docs/manifest.md.
struct AxisPart {
  mlir::StringAttr name;
  int64_t pre;
  int64_t size;

  bool operator==(const AxisPart &o) const {
    return name == o.name && pre == o.pre && size == o.size;
  }
};
inline llvm::hash_code hash_value(const AxisPart &a) {
  return llvm::hash_combine(a.name, a.pre, a.size);
}

/// Bytes of one element; an i1 takes one.
int64_t elementBytes(mlir::Type type);
/// Bytes of a buffer, or nothing if it is too large to address.
std::optional<int64_t> bufferBytes(mlir::MemRefType type);

/// The buffer that views are views of.
mlir::Value storageOf(mlir::Value buffer);
/// Whether an operation writes to `buffer` or a view of it.
bool isWritten(mlir::Value buffer);

} // namespace cleave::exec

#include "dialects/Exec/ExecDialect.h.inc"
#include "dialects/Exec/ExecEnums.h.inc"

#define GET_ATTRDEF_CLASSES
#include "dialects/Exec/ExecAttrs.h.inc"

namespace cleave::exec {
/// Extent of the innermost of the nested blocks of a dimension.
int64_t blockSize(int64_t size, AxesAttr axes);
/// The stream that an operation runs on.
Stream streamOf(mlir::Operation *op);
} // namespace cleave::exec

#define GET_OP_CLASSES
#include "dialects/Exec/ExecOps.h.inc"

#endif // CLEAVE_DIALECTS_EXEC_EXECDIALECT_H
