//===- Manifest.h - What the runtime must know about a program --*- C++ -*-===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Writes the JSON text described in docs/manifest.md.
//
//===----------------------------------------------------------------------===//

#ifndef CLEAVE_PASSES_CODEGEN_PROGRAM_MANIFEST_H
#define CLEAVE_PASSES_CODEGEN_PROGRAM_MANIFEST_H

#include "dialects/Exec/ExecDialect.h"
#include <string>

namespace cleave {

struct Manifest {
  std::string text;
  /// Position of each collective, matrix product and axis_index in its list of
  /// the manifest.
  llvm::DenseMap<mlir::Operation *, int32_t> ids;
};

/// What the runtime must know besides the program.
struct ManifestOptions {
  /// `host`, or `cuda:CHIP`.
  llvm::StringRef target = "host";
  /// To what operands of products of f32 are rounded: tf32, bf16 or f16; empty
  /// for not at all.
  llvm::StringRef products;
  /// The program tells what its operations access.
  bool checksStreams = false;
};

/// The manifest of a program; `arena_bytes` is 0 if no arena was planned.
Manifest buildManifest(exec::ProgramOp program, ManifestOptions options = {});

/// `file:line:column` if the location has one, else its name, else "".
std::string locationText(mlir::Location loc);

} // namespace cleave

#endif // CLEAVE_PASSES_CODEGEN_PROGRAM_MANIFEST_H
