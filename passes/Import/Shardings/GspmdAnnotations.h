//===- GspmdAnnotations.h - The mhlo.sharding of a module -------*- C++ -*-===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// All `mhlo.sharding` of a module, read and compared with what they are of.
//
//===----------------------------------------------------------------------===//

#ifndef CLEAVE_PASSES_IMPORT_SHARDINGS_GSPMDANNOTATIONS_H
#define CLEAVE_PASSES_IMPORT_SHARDINGS_GSPMDANNOTATIONS_H

#include "cleave/Partition/GspmdSharding.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/MapVector.h"

namespace cleave::reader {

/// The attribute of values whose sharding GSPMD reads.
constexpr llvm::StringLiteral kMhloSharding = "mhlo.sharding";

/// Gives the arguments and results of the entry function what the module's
/// `mhlo.spmd_parameters_shardings` and `mhlo.spmd_output_sharding` say of
/// them, and takes these from the module. Fails, with a diagnostic, where they
/// are not for so many values, do not fit one, or contradict what it has.
mlir::LogicalResult spreadModuleShardings(mlir::ModuleOp module);

class GspmdAnnotations {
public:
  struct Annotation {
    GspmdSharding sharding;
    /// Where it was first.
    mlir::Location loc;
  };
  using Texts = llvm::MapVector<mlir::StringAttr, Annotation>;

  /// Reads those of all ops, arguments and results. Fails, with a diagnostic,
  /// on text that is no sharding, and on one that does not fit its value:
  /// tiles for other dimensions than a tensor has, or another number of
  /// elements than a tuple.
  static mlir::FailureOr<GspmdAnnotations> read(mlir::ModuleOp module);

  /// How many devices the module is for: `mhlo.num_partitions`, or, where it
  /// does not say, as many as its tiles need. Fails, with a diagnostic, where
  /// shardings contradict that or one another.
  mlir::FailureOr<int64_t> countDevices(mlir::ModuleOp module) const;

  /// By text, in program order.
  const Texts &getTexts() const { return texts; }

private:
  mlir::LogicalResult add(mlir::Location loc, mlir::Attribute attribute,
                          const llvm::Twine &what, mlir::TypeRange types);

  Texts texts;
};

} // namespace cleave::reader

#endif // CLEAVE_PASSES_IMPORT_SHARDINGS_GSPMDANNOTATIONS_H
