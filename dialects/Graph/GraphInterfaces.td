//===- GraphInterfaces.td - Interfaces of graph operations -*- tablegen -*-===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What an operation must say about itself to take part in partitioning,
// reference evaluation and lowering. Ops of other dialects join by
// implementing ShardingRuleOpInterface, natively or as an external model.
//
//===----------------------------------------------------------------------===//

#ifndef CLEAVE_GRAPH_INTERFACES_TD
#define CLEAVE_GRAPH_INTERFACES_TD

include "mlir/IR/OpBase.td"

def ShardingRuleOpInterface : OpInterface<"ShardingRuleOpInterface"> {
  let cppNamespace = "::cleave";
  let description = [{
    How an op may be sharded, and what it becomes on one rank.

    `getShardingRule` maps dimensions to factors. `buildLocal` builds the op on
    local shards; by default it clones the op with local result types, which is
    right for every op whose attributes do not mention sizes or offsets of
    sharded dimensions. Before the call, operands padded along a Reduction
    factor have been masked with its neutral element, and NeedReplication
    factors are whole.
  }];
  let methods = [
    InterfaceMethod<"The rule of this op, for its static shapes.",
      "::cleave::ShardingRule", "getShardingRule">,
    InterfaceMethod<[{
        Builds the op on local shards and returns the local results, or fails
        with a diagnostic.
      }],
      "::llvm::FailureOr<::llvm::SmallVector<::mlir::Value>>", "buildLocal",
      (ins "::mlir::OpBuilder &":$builder, "::mlir::ValueRange":$operands,
           "::cleave::LocalShards &":$shards), [{}],
      [{ return ::cleave::cloneWithLocalTypes($_op.getOperation(), builder, operands, shards); }]>,
  ];
}

def ShardingTieOpInterface : OpInterface<"ShardingTieOpInterface"> {
  let cppNamespace = "::cleave";
  let description = [{
    An op with regions whose values are tied: a loop variable or the result of
    a branch has one sharding wherever it appears.
  }];
  let methods = [
    InterfaceMethod<"The tied values, one entry per variable.",
      "::llvm::SmallVector<::cleave::ShardingTie>", "getShardingTies">,
  ];
}

def EvaluableOpInterface : OpInterface<"EvaluableOpInterface"> {
  let cppNamespace = "::cleave";
  let description = [{
    The reference semantics of an op: naive, without code generation, in
    float64 or with the rounding of the element type, as the evaluator says.
  }];
  let methods = [
    InterfaceMethod<"Computes the results, or fails with a diagnostic.",
      "::llvm::LogicalResult", "evaluate",
      (ins "::cleave::graph::Evaluator &":$evaluator,
           "::llvm::ArrayRef<::cleave::graph::Literal>":$operands,
           "::llvm::SmallVectorImpl<::cleave::graph::Literal> &":$results)>,
  ];
}

def OwnKernelOpInterface : OpInterface<"OwnKernelOpInterface"> {
  let cppNamespace = "::cleave";
  let description = [{
    An op that is alone in its kernel: it does not run in rows, one after the
    other, that other ops could share.
  }];
  let methods = [
    InterfaceMethod<[{
        Types of the buffers that the kernel uses besides its operands and
        results; their content is unspecified before and after.
      }],
      "::llvm::SmallVector<::mlir::RankedTensorType>", "getWorkspaceTypes", (ins), [{}],
      [{ return {}; }]>,
  ];
}

def DecomposableOpInterface : OpInterface<"DecomposableOpInterface"> {
  let cppNamespace = "::cleave";
  let description = [{ A composite that can be written in primitives. }];
  let methods = [
    InterfaceMethod<"Builds the decomposition and returns its results.",
      "::llvm::FailureOr<::llvm::SmallVector<::mlir::Value>>", "decompose",
      (ins "::mlir::OpBuilder &":$builder)>,
  ];
}

def LibraryKernelOpInterface : OpInterface<"LibraryKernelOpInterface"> {
  let cppNamespace = "::cleave";
  let description = [{
    An op whose kernel is a call of a function of the runtime instead of loops:
    it shares its kernel with no other op, and gets all its results.
  }];
  let methods = [
    InterfaceMethod<"The function, for the op's shapes.",
      "::cleave::LibraryCall", "getLibraryCall">,
  ];
}

#endif // CLEAVE_GRAPH_INTERFACES_TD
