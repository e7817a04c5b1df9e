//===- CheckOps.td - Expectations of self-checking programs -*- tablegen -*-===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CLEAVE_CHECK_OPS_TD
#define CLEAVE_CHECK_OPS_TD

include "dialects/StableHLO/StableHLODialect.td"

class Check_Op<string mnemonic, dag operands> : Op<Check_Dialect, mnemonic> {
  let arguments = operands;
}

def Check_ExpectEqOp : Check_Op<"expect_eq", (ins AnyType:$lhs, AnyType:$rhs)>;
def Check_ExpectEqConstOp : Check_Op<"expect_eq_const", (ins AnyType:$lhs, ElementsAttr:$value)>;
def Check_ExpectAlmostEqOp : Check_Op<"expect_almost_eq",
    (ins AnyType:$lhs, AnyType:$rhs, OptionalAttr<AnyAttr>:$tolerance)>;
def Check_ExpectAlmostEqConstOp : Check_Op<"expect_almost_eq_const",
    (ins AnyType:$lhs, ElementsAttr:$value, OptionalAttr<AnyAttr>:$tolerance)>;
def Check_ExpectCloseOp : Check_Op<"expect_close",
    (ins AnyType:$actual, AnyType:$expected, OptionalAttr<AnyAttr>:$max_ulp_difference,
         OptionalAttr<AnyAttr>:$min_ulp_difference)>;
def Check_ExpectSerializedEqOp : Check_Op<"expect_serialized_eq",
    (ins AnyType:$expected, AnyAttr:$probe_id, OptionalAttr<AnyAttr>:$iter)>;

#endif // CLEAVE_CHECK_OPS_TD
