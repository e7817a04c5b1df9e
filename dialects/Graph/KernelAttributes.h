//===- KernelAttributes.h - What phases say about kernels -------*- C++ -*-===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Names of the attributes by which passes tell later ones about functions that
// the program calls: from fusion, which makes them, to the launches that are
// left of them. docs/reference/passes.md says who sets which.
//
//===----------------------------------------------------------------------===//

#ifndef CLEAVE_DIALECTS_GRAPH_KERNELATTRIBUTES_H
#define CLEAVE_DIALECTS_GRAPH_KERNELATTRIBUTES_H

#include "llvm/ADT/StringRef.h"

namespace cleave::graph {

/// What a function is: a unit attribute for a kernel that is compiled,
/// dictionaries for calls of libraries.
inline constexpr llvm::StringLiteral kKernelAttr = "cleave.kernel";
inline constexpr llvm::StringLiteral kGemmAttr = "cleave.gemm";
inline constexpr llvm::StringLiteral kConvolutionAttr = "cleave.convolution";

/// Of an argument: the result that may take its place.
inline constexpr llvm::StringLiteral kUpdatedByAttr = "cleave.updated_by";
inline constexpr llvm::StringLiteral kOverwrittenByAttr =
    "cleave.overwritten_by";

/// How the body of a kernel is to be lowered.
inline constexpr llvm::StringLiteral kWorkspaceAttr = "cleave.workspace";
inline constexpr llvm::StringLiteral kInPlaceAttr = "cleave.in_place";
inline constexpr llvm::StringLiteral kUpdatesInPlaceAttr =
    "cleave.updates_in_place";
inline constexpr llvm::StringLiteral kScatterAttr = "cleave.scatter";
/// These say nothing about a body that has been lowered.
inline constexpr llvm::StringLiteral kBodyAttrs[] = {
    kWorkspaceAttr, kInPlaceAttr, kUpdatesInPlaceAttr, kScatterAttr};
/// Of an operation in a body: a scan.
inline constexpr llvm::StringLiteral kScanAttr = "cleave.scan";

/// Of a kernel that is a loop: its extent, and whether LLVM makes its vectors.
inline constexpr llvm::StringLiteral kExtentAttr = "cleave.extent";
inline constexpr llvm::StringLiteral kScalarLoopsAttr = "cleave.scalar_loops";
/// These say nothing about a kernel that is launched on a GPU.
inline constexpr llvm::StringLiteral kLoopAttrs[] = {kExtentAttr,
                                                     kScalarLoopsAttr};

/// Of the declaration that is left of a kernel for a GPU: its function, how
/// that is launched, and what a launch needs.
inline constexpr llvm::StringLiteral kGPUKernelAttr = "cleave.gpu_kernel";
inline constexpr llvm::StringLiteral kBlocksAttr = "cleave.blocks";
inline constexpr llvm::StringLiteral kThreadsAttr = "cleave.threads";
inline constexpr llvm::StringLiteral kGPUResourcesAttr = "cleave.gpu_resources";

} // namespace cleave::graph

#endif // CLEAVE_DIALECTS_GRAPH_KERNELATTRIBUTES_H
