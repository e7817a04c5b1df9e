//===- SpmdInterfaces.td - Interfaces of spmd operations -*- tablegen -*-===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CLEAVE_SPMD_INTERFACES_TD
#define CLEAVE_SPMD_INTERFACES_TD

include "mlir/IR/OpBase.td"

def CollectiveOpInterface : OpInterface<"CollectiveOpInterface"> {
  let cppNamespace = "::cleave::spmd";
  let description = [{
    A collective on local shapes over groups of ranks of a mesh. The groups are
    the ranks that differ only along some axes, or are listed; see docs/manifest.md
    for what each kind does.
  }];
  let methods = [
    InterfaceMethod<"What the collective does.", "::cleave::CollectiveKind", "getCollectiveKind">,
    InterfaceMethod<"`#spmd.axes` or `#spmd.groups`; null for a permutation.",
      "::mlir::Attribute", "getGroups">,
    InterfaceMethod<"Axes of the groups, major to minor; none where groups are listed.",
      "::llvm::ArrayRef<::cleave::spmd::AxisAttr>", "getCollectiveAxes", (ins), [{}], [{
        auto axes = ::llvm::dyn_cast_or_null<::cleave::spmd::AxesAttr>($_op.getGroups());
        return axes ? axes.getAxes() : ::llvm::ArrayRef<::cleave::spmd::AxisAttr>();
      }]>,
    InterfaceMethod<"Symbol of the mesh.", "::mlir::FlatSymbolRefAttr", "getMeshAttr">,
    InterfaceMethod<"Gathered, sliced or scattered dimension, if any.",
      "std::optional<int64_t>", "getCollectiveDim", (ins), [{}], [{ return std::nullopt; }]>,
    InterfaceMethod<"Dimension that an all_to_all cuts.",
      "std::optional<int64_t>", "getCollectiveSplitDim", (ins), [{}], [{ return std::nullopt; }]>,
    InterfaceMethod<"Reduction, if any.",
      "std::optional<::cleave::ReductionKind>", "getCollectiveReduction", (ins), [{}],
      [{ return std::nullopt; }]>,
    InterfaceMethod<"Why the collective is there, or null.", "::mlir::StringAttr", "getCauseAttr">,
    InterfaceMethod<"The local operand.", "::mlir::Value", "getCollectiveOperand", (ins), [{}],
      [{ return $_op->getOperand(0); }]>,
  ];
}

#endif // CLEAVE_SPMD_INTERFACES_TD
