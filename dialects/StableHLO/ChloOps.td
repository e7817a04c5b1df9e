//===- ChloOps.td - Functions above StableHLO -*- tablegen -*-===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CLEAVE_CHLO_OPS_TD
#define CLEAVE_CHLO_OPS_TD

include "mlir/Interfaces/SideEffectInterfaces.td"
include "dialects/StableHLO/StableHLODialect.td"

class Chlo_Op<string mnemonic, dag operands> : Op<Chlo_Dialect, mnemonic, [Pure]> {
  let arguments = operands;
  let results = (outs AnyType:$result);
}
class Chlo_UnaryOp<string mnemonic> : Chlo_Op<mnemonic, (ins AnyType:$operand)>;
class Chlo_BinaryOp<string mnemonic> : Chlo_Op<mnemonic, (ins AnyType:$lhs, AnyType:$rhs)>;
/// The operands are broadcast: rank by the attribute, sizes of 1 to any size.
class Chlo_BroadcastOp<string mnemonic>
    : Chlo_Op<mnemonic, (ins AnyType:$lhs, AnyType:$rhs,
                             OptionalAttr<AnyAttr>:$broadcast_dimensions)>;

def Chlo_AcosOp : Chlo_UnaryOp<"acos">;
def Chlo_AcoshOp : Chlo_UnaryOp<"acosh">;
def Chlo_AsinOp : Chlo_UnaryOp<"asin">;
def Chlo_AsinAcosKernelOp : Chlo_UnaryOp<"_asin_acos_kernel">;
def Chlo_AsinhOp : Chlo_UnaryOp<"asinh">;
def Chlo_AtanOp : Chlo_UnaryOp<"atan">;
def Chlo_AtanhOp : Chlo_UnaryOp<"atanh">;
def Chlo_BesselI1eOp : Chlo_UnaryOp<"bessel_i1e">;
def Chlo_ConjOp : Chlo_UnaryOp<"conj">;
def Chlo_CoshOp : Chlo_UnaryOp<"cosh">;
def Chlo_DigammaOp : Chlo_UnaryOp<"digamma">;
def Chlo_ErfOp : Chlo_UnaryOp<"erf">;
def Chlo_ErfInvOp : Chlo_UnaryOp<"erf_inv">;
def Chlo_ErfcOp : Chlo_UnaryOp<"erfc">;
def Chlo_IsInfOp : Chlo_UnaryOp<"is_inf">;
def Chlo_IsNegInfOp : Chlo_UnaryOp<"is_neg_inf">;
def Chlo_IsPosInfOp : Chlo_UnaryOp<"is_pos_inf">;
def Chlo_LgammaOp : Chlo_UnaryOp<"lgamma">;
def Chlo_SinhOp : Chlo_UnaryOp<"sinh">;
def Chlo_SquareOp : Chlo_UnaryOp<"square">;
def Chlo_TanOp : Chlo_UnaryOp<"tan">;

def Chlo_MulhiOp : Chlo_BinaryOp<"mulhi">;
def Chlo_NextAfterOp : Chlo_BinaryOp<"next_after">;
def Chlo_PolygammaOp : Chlo_BinaryOp<"polygamma">;
def Chlo_ZetaOp : Chlo_BinaryOp<"zeta">;

def Chlo_BroadcastAddOp : Chlo_BroadcastOp<"broadcast_add">;
def Chlo_BroadcastAndOp : Chlo_BroadcastOp<"broadcast_and">;
def Chlo_BroadcastAtan2Op : Chlo_BroadcastOp<"broadcast_atan2">;
def Chlo_BroadcastComplexOp : Chlo_BroadcastOp<"broadcast_complex">;
def Chlo_BroadcastDivideOp : Chlo_BroadcastOp<"broadcast_divide">;
def Chlo_BroadcastMaximumOp : Chlo_BroadcastOp<"broadcast_maximum">;
def Chlo_BroadcastMinimumOp : Chlo_BroadcastOp<"broadcast_minimum">;
def Chlo_BroadcastMultiplyOp : Chlo_BroadcastOp<"broadcast_multiply">;
def Chlo_BroadcastNextAfterOp : Chlo_BroadcastOp<"broadcast_next_after">;
def Chlo_BroadcastOrOp : Chlo_BroadcastOp<"broadcast_or">;
def Chlo_BroadcastPolygammaOp : Chlo_BroadcastOp<"broadcast_polygamma">;
def Chlo_BroadcastPowerOp : Chlo_BroadcastOp<"broadcast_power">;
def Chlo_BroadcastRemainderOp : Chlo_BroadcastOp<"broadcast_remainder">;
def Chlo_BroadcastShiftLeftOp : Chlo_BroadcastOp<"broadcast_shift_left">;
def Chlo_BroadcastShiftRightArithmeticOp : Chlo_BroadcastOp<"broadcast_shift_right_arithmetic">;
def Chlo_BroadcastShiftRightLogicalOp : Chlo_BroadcastOp<"broadcast_shift_right_logical">;
def Chlo_BroadcastSubtractOp : Chlo_BroadcastOp<"broadcast_subtract">;
def Chlo_BroadcastXorOp : Chlo_BroadcastOp<"broadcast_xor">;
def Chlo_BroadcastZetaOp : Chlo_BroadcastOp<"broadcast_zeta">;
def Chlo_BroadcastCompareOp : Chlo_Op<"broadcast_compare",
    (ins AnyType:$lhs, AnyType:$rhs, OptionalAttr<AnyAttr>:$broadcast_dimensions,
         AnyAttr:$comparison_direction, OptionalAttr<AnyAttr>:$compare_type)>;
def Chlo_BroadcastSelectOp : Chlo_Op<"broadcast_select",
    (ins AnyType:$pred, AnyType:$on_true, AnyType:$on_false)>;

def Chlo_ConstantOp : Chlo_Op<"constant", (ins ElementsAttr:$value)>;
def Chlo_ConstantLikeOp : Chlo_Op<"constant_like", (ins AnyAttr:$value, AnyType:$operand)>;
def Chlo_RaggedDotOp : Chlo_Op<"ragged_dot",
    (ins AnyType:$lhs, AnyType:$rhs, AnyType:$group_sizes,
         AnyAttr:$ragged_dot_dimension_numbers, OptionalAttr<AnyAttr>:$precision_config)>;
def Chlo_ScanOp : Op<Chlo_Dialect, "scan", [AttrSizedOperandSegments, AttrSizedResultSegments]> {
  let description = [{
    Goes along `dimension` of the inputs: the body takes a slice of each and the carried values,
    and gives a slice of each output and the new carried values.
  }];
  let arguments = (ins Variadic<AnyType>:$inputs, Variadic<AnyType>:$inits, AnyAttr:$dimension,
                       OptionalAttr<AnyAttr>:$is_reverse, OptionalAttr<AnyAttr>:$is_associative);
  let results = (outs Variadic<AnyType>:$outputs, Variadic<AnyType>:$carries);
  let regions = (region SizedRegion<1>:$body);
}
def Chlo_TopKOp : Op<Chlo_Dialect, "top_k", [Pure]> {
  let arguments = (ins AnyType:$operand, AnyAttr:$k, OptionalAttr<AnyAttr>:$largest);
  let results = (outs AnyType:$values, AnyType:$indices);
}

#endif // CLEAVE_CHLO_OPS_TD
