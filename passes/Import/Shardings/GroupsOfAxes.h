//===- GroupsOfAxes.h - Groups of processes named by axes -------*- C++ -*-===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Collectives may name the axes of a mesh along which they act:
// `replica_groups = #stablehlo.replica_group_mesh_axes<mesh = @mesh, axes =
// [#stablehlo.axis_ref<name = "x">]>`.
//
//===----------------------------------------------------------------------===//

#ifndef CLEAVE_PASSES_IMPORT_SHARDINGS_GROUPSOFAXES_H
#define CLEAVE_PASSES_IMPORT_SHARDINGS_GROUPSOFAXES_H

#include "mlir/IR/BuiltinOps.h"

namespace cleave::reader {

/// Lists the processes of such groups, `dense<[[0, 2], [1, 3]]>`: along the
/// axes in their order, one group for each place along all others. Meshes are
/// written in place, `sdy.mesh`es, or functions with an attribute
/// `stablehlo.mesh`. Fails, with a diagnostic, where there is no such mesh or
/// axis.
mlir::LogicalResult listGroupsOfAxes(mlir::ModuleOp module);

} // namespace cleave::reader

#endif // CLEAVE_PASSES_IMPORT_SHARDINGS_GROUPSOFAXES_H
