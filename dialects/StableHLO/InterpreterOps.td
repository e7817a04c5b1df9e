//===- InterpreterOps.td - Grids of processes -*- tablegen -*-===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CLEAVE_INTERPRETER_OPS_TD
#define CLEAVE_INTERPRETER_OPS_TD

include "dialects/StableHLO/StableHLODialect.td"

def Interpreter_RunParallelOp : Op<Interpreter_Dialect, "run_parallel"> {
  let summary = "Runs a grid of replicas by partitions, one function each";
  let description = [{
    `inputs` and `results` are those of all processes one after the other, partitions of a
    replica first.
  }];
  let arguments = (ins Variadic<AnyType>:$inputs, OptionalAttr<AnyAttr>:$infeed, AnyAttr:$programs);
  let results = (outs Variadic<AnyType>:$results);
}
def Interpreter_PrintOp : Op<Interpreter_Dialect, "print"> {
  let arguments = (ins AnyType:$operand);
  let results = (outs AnyType:$result);
}
def Interpreter_ProbeOp : Op<Interpreter_Dialect, "probe"> {
  let arguments = (ins AnyType:$operand, AnyAttr:$probe_id);
  let results = (outs AnyType:$result);
}

#endif // CLEAVE_INTERPRETER_OPS_TD
