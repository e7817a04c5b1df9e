//===- Primitives.td - Primitive operations, for any dialect -*- tablegen -*-===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Semantics are those of the op of the same name in the StableHLO
// specification (https://openxla.org/stablehlo/spec), restricted to static
// shapes. Differences are stated in the op's description.
//
//===----------------------------------------------------------------------===//

#ifndef CLEAVE_GRAPH_PRIMITIVES_TD
#define CLEAVE_GRAPH_PRIMITIVES_TD

include "mlir/IR/OpAsmInterface.td"
include "mlir/Interfaces/ControlFlowInterfaces.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"
include "dialects/Graph/GraphDialect.td"
include "dialects/Graph/GraphInterfaces.td"

/// Every primitive is pure and evaluates itself.
class Primitive<Dialect dialect, string mnemonic, list<Trait> traits = []>
    : Op<dialect, mnemonic, !listconcat([Pure,
        DeclareOpInterfaceMethods<EvaluableOpInterface>], traits)>;

/// A primitive with a sharding rule whose local form is the op itself.
class ShardablePrimitive<Dialect dialect, string mnemonic, list<Trait> traits = []>
    : Primitive<dialect, mnemonic, !listconcat([
        DeclareOpInterfaceMethods<ShardingRuleOpInterface, ["getShardingRule"]>], traits)>;

/// A primitive whose local form differs from the op itself.
class LocalizedPrimitive<Dialect dialect, string mnemonic, list<Trait> traits = []>
    : Primitive<dialect, mnemonic, !listconcat([
        DeclareOpInterfaceMethods<ShardingRuleOpInterface, ["getShardingRule", "buildLocal"]>], traits)>;

class UnaryElementwise<Dialect dialect, string mnemonic, Type type>
    : ShardablePrimitive<dialect, mnemonic, [Elementwise, SameOperandsAndResultType]> {
  let arguments = (ins type:$operand);
  let results = (outs type:$result);
  let assemblyFormat = "$operand attr-dict `:` type($result)";
}

class BinaryElementwise<Dialect dialect, string mnemonic, Type type, list<Trait> traits = []>
    : ShardablePrimitive<dialect, mnemonic,
        !listconcat([Elementwise, SameOperandsAndResultType], traits)> {
  let arguments = (ins type:$lhs, type:$rhs);
  let results = (outs type:$result);
  let assemblyFormat = "$lhs `,` $rhs attr-dict `:` type($result)";
}

multiclass Primitives<Dialect dialect> {
  //===--------------------------------------------------------------------===//
  // Elementwise, one operand
  //===--------------------------------------------------------------------===//
  def _AbsOp : UnaryElementwise<dialect, "abs", Cleave_NumberTensor>;
  def _AcosOp : UnaryElementwise<dialect, "acos", Cleave_FloatTensor>;
  def _AcoshOp : UnaryElementwise<dialect, "acosh", Cleave_FloatTensor>;
  def _AsinOp : UnaryElementwise<dialect, "asin", Cleave_FloatTensor>;
  def _AsinhOp : UnaryElementwise<dialect, "asinh", Cleave_FloatTensor>;
  def _AtanOp : UnaryElementwise<dialect, "atan", Cleave_FloatTensor>;
  def _AtanhOp : UnaryElementwise<dialect, "atanh", Cleave_FloatTensor>;
  def _BesselI1eOp : UnaryElementwise<dialect, "bessel_i1e", Cleave_FloatTensor>;
  def _CbrtOp : UnaryElementwise<dialect, "cbrt", Cleave_FloatTensor>;
  def _CeilOp : UnaryElementwise<dialect, "ceil", Cleave_FloatTensor>;
  def _CountLeadingZerosOp : UnaryElementwise<dialect, "count_leading_zeros", Cleave_IntTensor>;
  def _CosineOp : UnaryElementwise<dialect, "cosine", Cleave_FloatTensor>;
  def _CoshOp : UnaryElementwise<dialect, "cosh", Cleave_FloatTensor>;
  def _DigammaOp : UnaryElementwise<dialect, "digamma", Cleave_FloatTensor>;
  def _ErfOp : UnaryElementwise<dialect, "erf", Cleave_FloatTensor>;
  def _ErfcOp : UnaryElementwise<dialect, "erfc", Cleave_FloatTensor>;
  def _ErfInvOp : UnaryElementwise<dialect, "erf_inv", Cleave_FloatTensor>;
  def _Exp2Op : UnaryElementwise<dialect, "exp2", Cleave_FloatTensor>;
  def _ExpOp : UnaryElementwise<dialect, "exponential", Cleave_FloatTensor>;
  def _Expm1Op : UnaryElementwise<dialect, "exponential_minus_one", Cleave_FloatTensor>;
  def _FloorOp : UnaryElementwise<dialect, "floor", Cleave_FloatTensor>;
  def _LgammaOp : UnaryElementwise<dialect, "lgamma", Cleave_FloatTensor>;
  def _LogOp : UnaryElementwise<dialect, "log", Cleave_FloatTensor>;
  def _Log1pOp : UnaryElementwise<dialect, "log_plus_one", Cleave_FloatTensor>;
  def _Log2Op : UnaryElementwise<dialect, "log2", Cleave_FloatTensor>;
  def _LogisticOp : UnaryElementwise<dialect, "logistic", Cleave_FloatTensor>;
  def _NegOp : UnaryElementwise<dialect, "negate", Cleave_NumberTensor>;
  def _NotOp : UnaryElementwise<dialect, "not", Cleave_IntOrBoolTensor>;
  def _PopulationCountOp : UnaryElementwise<dialect, "popcnt", Cleave_IntTensor>;
  def _RoundNearestAfzOp : UnaryElementwise<dialect, "round_nearest_afz", Cleave_FloatTensor>;
  def _RoundNearestEvenOp : UnaryElementwise<dialect, "round_nearest_even", Cleave_FloatTensor>;
  def _RsqrtOp : UnaryElementwise<dialect, "rsqrt", Cleave_FloatTensor>;
  def _SignOp : UnaryElementwise<dialect, "sign", Cleave_NumberTensor>;
  def _SineOp : UnaryElementwise<dialect, "sine", Cleave_FloatTensor>;
  def _SinhOp : UnaryElementwise<dialect, "sinh", Cleave_FloatTensor>;
  def _SqrtOp : UnaryElementwise<dialect, "sqrt", Cleave_FloatTensor>;
  def _TanOp : UnaryElementwise<dialect, "tan", Cleave_FloatTensor>;
  def _TanhOp : UnaryElementwise<dialect, "tanh", Cleave_FloatTensor>;

  def _IsFiniteOp : ShardablePrimitive<dialect, "is_finite",
      [Elementwise, SameOperandsAndResultShape]> {
    let arguments = (ins Cleave_FloatTensor:$operand);
    let results = (outs Cleave_PredTensor:$result);
    let assemblyFormat = "$operand attr-dict `:` functional-type(operands, results)";
  }
  def _ConvertOp : ShardablePrimitive<dialect, "convert",
      [Elementwise, SameOperandsAndResultShape]> {
    let description = [{
      Floats to integers truncate; NaN gives 0 and values out of range the
      nearest bound (implementation-defined in the specification). Anything to i1 is `!= 0`.

      To a float of 8 bits, once, to nearest, ties to even: what is larger than its largest number after
      rounding is infinite or, without infinities, NaN. NaN stays NaN. f8E8M0FNU has powers of two only, and
      so no ties to even: they go up; what is too small becomes the smallest number, zero and negative numbers NaN.
    }];
    let arguments = (ins Cleave_Tensor:$operand);
    let results = (outs Cleave_Tensor:$result);
    let assemblyFormat = "$operand attr-dict `:` functional-type(operands, results)";
    let hasFolder = 1;
  }

  def _BitcastConvertOp : ShardablePrimitive<dialect, "bitcast_convert"> {
    let description = [{
      The bits of the operand under another element type. When the widths differ by a
      factor k, the narrower tensor has one more dimension, the last, of size k; element 0
      holds the lowest bits. i1 is not reinterpreted.
    }];
    let arguments = (ins Cleave_BitsTensor:$operand);
    let results = (outs Cleave_BitsTensor:$result);
    let assemblyFormat = "$operand attr-dict `:` functional-type(operands, results)";
    let hasVerifier = 1;
  }
  def _ReducePrecisionOp : ShardablePrimitive<dialect, "reduce_precision",
      [Elementwise, SameOperandsAndResultType]> {
    let description = [{
      Rounds to nearest even to a float format with so many bits, and back: values beyond its
      range become infinite. With fewer bits of exponent than the type has, values below its
      range become zero (there are no subnormal numbers in the smaller format). More bits
      than those of the type change nothing. NaN stays NaN.
    }];
    let arguments = (ins Cleave_FloatTensor:$operand,
                         ConfinedAttr<I32Attr, [IntMinValue<1>]>:$exponent_bits,
                         ConfinedAttr<I32Attr, [IntMinValue<0>]>:$mantissa_bits);
    let results = (outs Cleave_FloatTensor:$result);
    let assemblyFormat = [{
      $operand `,` `exponent_bits` `=` $exponent_bits `,` `mantissa_bits` `=` $mantissa_bits
      attr-dict `:` type($result)
    }];
  }

  //===--------------------------------------------------------------------===//
  // Elementwise, several operands
  //===--------------------------------------------------------------------===//
  def _AddOp : BinaryElementwise<dialect, "add", Cleave_ComputedTensor, [Commutative]>;
  def _AndOp : BinaryElementwise<dialect, "and", Cleave_IntOrBoolTensor, [Commutative]>;
  def _Atan2Op : BinaryElementwise<dialect, "atan2", Cleave_FloatTensor>;
  def _DivOp : BinaryElementwise<dialect, "divide", Cleave_NumberTensor>;
  def _MaxOp : BinaryElementwise<dialect, "maximum", Cleave_ComputedTensor, [Commutative]>;
  def _MinOp : BinaryElementwise<dialect, "minimum", Cleave_ComputedTensor, [Commutative]>;
  def _MulOp : BinaryElementwise<dialect, "multiply", Cleave_ComputedTensor, [Commutative]>;
  def _NextAfterOp : BinaryElementwise<dialect, "next_after", Cleave_FloatTensor>;
  def _OrOp : BinaryElementwise<dialect, "or", Cleave_IntOrBoolTensor, [Commutative]>;
  /// Derivative number `lhs`, an integer, of digamma at `rhs`.
  def _PolygammaOp : BinaryElementwise<dialect, "polygamma", Cleave_FloatTensor>;
  def _PowOp : BinaryElementwise<dialect, "power", Cleave_NumberTensor>;
  def _RemOp : BinaryElementwise<dialect, "remainder", Cleave_NumberTensor>;
  def _ShiftLeftOp : BinaryElementwise<dialect, "shift_left", Cleave_IntTensor>;
  def _ShiftRightArithmeticOp : BinaryElementwise<dialect, "shift_right_arithmetic", Cleave_IntTensor>;
  def _ShiftRightLogicalOp : BinaryElementwise<dialect, "shift_right_logical", Cleave_IntTensor>;
  def _SubtractOp : BinaryElementwise<dialect, "subtract", Cleave_NumberTensor>;
  def _XorOp : BinaryElementwise<dialect, "xor", Cleave_IntOrBoolTensor, [Commutative]>;
  /// Hurwitz zeta function: sum over k >= 0 of (rhs + k) ^ -lhs.
  def _ZetaOp : BinaryElementwise<dialect, "zeta", Cleave_FloatTensor>;

  def _CompareOp : ShardablePrimitive<dialect, "compare",
      [Elementwise, SameOperandsAndResultShape, SameTypeOperands]> {
    let description = [{
      Signedness comes from the element type; floats compare unordered-false,
      except NE, which is true for NaN.
    }];
    let arguments = (ins Cleave_ComparisonDirection:$direction,
                         Cleave_ComputedTensor:$lhs, Cleave_ComputedTensor:$rhs);
    let results = (outs Cleave_PredTensor:$result);
    let assemblyFormat = [{
      $direction `,` $lhs `,` $rhs attr-dict `:` functional-type(operands, results)
    }];
  }
  def _SelectOp : ShardablePrimitive<dialect, "select",
      [AllTypesMatch<["on_true", "on_false", "result"]>]> {
    let description = [{ `pred` has the shape of the result, or is a scalar. }];
    let arguments = (ins Cleave_PredTensor:$pred, Cleave_Tensor:$on_true, Cleave_Tensor:$on_false);
    let results = (outs Cleave_Tensor:$result);
    let assemblyFormat = [{
      $pred `,` $on_true `,` $on_false attr-dict `:` type($pred) `,` type($result)
    }];
    let hasVerifier = 1;
  }
  def _ClampOp : ShardablePrimitive<dialect, "clamp",
      [AllTypesMatch<["operand", "result"]>]> {
    let description = [{ `min` and `max` have the shape of `operand`, or are scalars. }];
    let arguments = (ins Cleave_NumberTensor:$min, Cleave_NumberTensor:$operand, Cleave_NumberTensor:$max);
    let results = (outs Cleave_NumberTensor:$result);
    let assemblyFormat = [{
      $min `,` $operand `,` $max attr-dict `:` functional-type(operands, results)
    }];
    let hasVerifier = 1;
  }

  //===--------------------------------------------------------------------===//
  // Sources
  //===--------------------------------------------------------------------===//
  def _ConstantOp : LocalizedPrimitive<dialect, "constant", [ConstantLike,
      DeclareOpInterfaceMethods<OpAsmOpInterface, ["getAsmResultNames"]>]> {
    let arguments = (ins ElementsAttr:$value);
    let results = (outs Cleave_Tensor:$output);
    let hasCustomAssemblyFormat = 1;
    let hasFolder = 1;
    let hasVerifier = 1;
    let builders = [OpBuilder<(ins "::mlir::ElementsAttr":$value), [{
      build($_builder, $_state, ::llvm::cast<::mlir::RankedTensorType>(value.getType()), value);
    }]>];
  }
  def _IotaOp : LocalizedPrimitive<dialect, "iota"> {
    let arguments = (ins I64Attr:$dim);
    let results = (outs Cleave_NumberTensor:$output);
    let assemblyFormat = "`dim` `=` $dim attr-dict `:` type($output)";
    let hasVerifier = 1;
  }

  //===--------------------------------------------------------------------===//
  // Shape and data movement
  //===--------------------------------------------------------------------===//
  def _BroadcastInDimOp : ShardablePrimitive<dialect, "broadcast_in_dim"> {
    let arguments = (ins Cleave_Tensor:$operand, DenseI64ArrayAttr:$dims);
    let results = (outs Cleave_Tensor:$result);
    let assemblyFormat = [{
      $operand `,` `dims` `=` $dims attr-dict `:` functional-type(operands, results)
    }];
    let hasVerifier = 1;
    let hasFolder = 1;
  }
  def _ReshapeOp : LocalizedPrimitive<dialect, "reshape"> {
    let arguments = (ins Cleave_Tensor:$operand);
    let results = (outs Cleave_Tensor:$result);
    let assemblyFormat = "$operand attr-dict `:` functional-type(operands, results)";
    let hasVerifier = 1;
    let hasFolder = 1;
  }
  def _TransposeOp : ShardablePrimitive<dialect, "transpose"> {
    let arguments = (ins Cleave_Tensor:$operand, DenseI64ArrayAttr:$dims);
    let results = (outs Cleave_Tensor:$result);
    let assemblyFormat = [{
      $operand `,` `dims` `=` $dims attr-dict `:` functional-type(operands, results)
    }];
    let hasVerifier = 1;
    let hasFolder = 1;
  }
  def _SliceOp : LocalizedPrimitive<dialect, "slice"> {
    let arguments = (ins Cleave_Tensor:$operand, DenseI64ArrayAttr:$start,
                         DenseI64ArrayAttr:$limit, DenseI64ArrayAttr:$strides);
    let results = (outs Cleave_Tensor:$result);
    let assemblyFormat = [{
      $operand custom<SliceRanges>($start, $limit, $strides) attr-dict
      `:` functional-type(operands, results)
    }];
    let hasVerifier = 1;
  }
  def _PadOp : LocalizedPrimitive<dialect, "pad"> {
    let arguments = (ins Cleave_Tensor:$operand, Cleave_Tensor:$padding_value,
                         DenseI64ArrayAttr:$low, DenseI64ArrayAttr:$high,
                         DenseI64ArrayAttr:$interior);
    let results = (outs Cleave_Tensor:$result);
    let assemblyFormat = [{
      $operand `,` $padding_value `,` `low` `=` $low `,` `high` `=` $high `,`
      `interior` `=` $interior attr-dict `:` functional-type(operands, results)
    }];
    let hasVerifier = 1;
  }
  def _ConcatenateOp : LocalizedPrimitive<dialect, "concatenate"> {
    let arguments = (ins Variadic<Cleave_Tensor>:$inputs, I64Attr:$dim);
    let results = (outs Cleave_Tensor:$result);
    let assemblyFormat = [{
      custom<OperandsBeforeComma>($inputs) `dim` `=` $dim attr-dict `:` functional-type(operands, results)
    }];
    let hasVerifier = 1;
  }
  def _ReverseOp : LocalizedPrimitive<dialect, "reverse", [SameOperandsAndResultType]> {
    let arguments = (ins Cleave_Tensor:$operand, DenseI64ArrayAttr:$dims);
    let results = (outs Cleave_Tensor:$result);
    let assemblyFormat = "$operand `,` `dims` `=` $dims attr-dict `:` type($result)";
    let hasVerifier = 1;
  }
  def _DynamicSliceOp : LocalizedPrimitive<dialect, "dynamic_slice"> {
    let description = [{ Start indices are scalars, clamped so that the slice is in bounds. }];
    let arguments = (ins Cleave_Tensor:$operand, Variadic<Cleave_IntTensor>:$start_indices,
                         DenseI64ArrayAttr:$sizes);
    let results = (outs Cleave_Tensor:$result);
    let assemblyFormat = [{
      $operand `,` custom<OperandsBeforeComma>($start_indices) `sizes` `=` $sizes attr-dict
      `:` functional-type(operands, results)
    }];
    let hasVerifier = 1;
  }
  def _DynamicUpdateSliceOp : LocalizedPrimitive<dialect, "dynamic_update_slice",
      [AllTypesMatch<["operand", "result"]>]> {
    let description = [{ Start indices are scalars, clamped so that the update is in bounds. }];
    let arguments = (ins Cleave_Tensor:$operand, Cleave_Tensor:$update,
                         Variadic<Cleave_IntTensor>:$start_indices);
    let results = (outs Cleave_Tensor:$result);
    let assemblyFormat = "operands attr-dict `:` functional-type(operands, results)";
    let hasVerifier = 1;
  }
  def _GatherOp : LocalizedPrimitive<dialect, "gather"> {
    let description = [{ Start indices are clamped so that each slice is in bounds. }];
    let arguments = (ins Cleave_Tensor:$operand, Cleave_IntTensor:$start_indices,
                         DenseI64ArrayAttr:$offset_dims,
                         DenseI64ArrayAttr:$collapsed_slice_dims,
                         DefaultValuedAttr<DenseI64ArrayAttr, "{}">:$operand_batching_dims,
                         DefaultValuedAttr<DenseI64ArrayAttr, "{}">:$start_indices_batching_dims,
                         DenseI64ArrayAttr:$start_index_map, I64Attr:$index_vector_dim,
                         DenseI64ArrayAttr:$slice_sizes);
    let results = (outs Cleave_Tensor:$result);
    let assemblyFormat = [{
      $operand `,` $start_indices `,` `offset_dims` `=` $offset_dims `,`
      `collapsed_slice_dims` `=` $collapsed_slice_dims `,`
      (`operand_batching_dims` `=` $operand_batching_dims^ `,`)?
      (`start_indices_batching_dims` `=` $start_indices_batching_dims^ `,`)?
      `start_index_map` `=` $start_index_map `,` `index_vector_dim` `=` $index_vector_dim `,`
      `slice_sizes` `=` $slice_sizes attr-dict `:` functional-type(operands, results)
    }];
    let hasVerifier = 1;
  }

  //===--------------------------------------------------------------------===//
  // Contractions and reductions
  //===--------------------------------------------------------------------===//
  def _DotGeneralOp : ShardablePrimitive<dialect, "dot_general"> {
    let description = [{
      Result dimensions: batching, then the free ones of `lhs`, then of `rhs`.
      The operands have one element type; the result has it too, or a wider one.
      Sums are in f32 for f16 and bf16. Of floats of 8 bits, which may
      not be f8E8M0FNU, the result is wider.
    }];
    let arguments = (ins Cleave_Tensor:$lhs, Cleave_Tensor:$rhs,
                         DefaultValuedAttr<DenseI64ArrayAttr, "{}">:$lhs_batching_dims,
                         DefaultValuedAttr<DenseI64ArrayAttr, "{}">:$rhs_batching_dims,
                         DefaultValuedAttr<DenseI64ArrayAttr, "{}">:$lhs_contracting_dims,
                         DefaultValuedAttr<DenseI64ArrayAttr, "{}">:$rhs_contracting_dims);
    let results = (outs Cleave_Tensor:$result);
    let assemblyFormat = [{
      $lhs `,` $rhs `` custom<DotDimensions>($lhs_batching_dims, $rhs_batching_dims,
                                          $lhs_contracting_dims, $rhs_contracting_dims)
      attr-dict `:` functional-type(operands, results)
    }];
    let hasVerifier = 1;
  }
  def _ReduceOp : LocalizedPrimitive<dialect, "reduce",
      [SameVariadicOperandSize, SingleBlock, RecursiveMemoryEffects]> {
    let description = [{
      Reduces `dimensions` of all inputs at once with the function in the body,
      which takes the accumulators, then the elements. When the body is one
      commutative and associative op the short form applies:
      `cleave.reduce(%x init: %zero) applies cleave.add across dimensions = [1]`.
      As in the specification, the function and the initial values should form a monoid.
    }];
    let arguments = (ins Variadic<Cleave_Tensor>:$inputs, Variadic<Cleave_Tensor>:$inits,
                         DenseI64ArrayAttr:$dimensions);
    let results = (outs Variadic<Cleave_Tensor>);
    let regions = (region SizedRegion<1>:$body);
    let hasCustomAssemblyFormat = 1;
    let hasVerifier = 1;
    let extraClassDeclaration = [{
      /// The kind of reduction when the body is a single known op on one input.
      std::optional<::cleave::ReductionKind> getSimpleKind();
    }];
    let builders = [OpBuilder<(ins "::mlir::Value":$input, "::mlir::Value":$init,
        "::llvm::ArrayRef<int64_t>":$dimensions, "::cleave::ReductionKind":$kind)>];
  }

  //===--------------------------------------------------------------------===//
  // Control flow
  //===--------------------------------------------------------------------===//
  def _ReturnOp : Op<dialect, "return", [Pure, Terminator, ReturnLike]> {
    let summary = "Yields values from a region";
    let arguments = (ins Variadic<AnyType>:$operands);
    let assemblyFormat = "($operands^ `:` type($operands))? attr-dict";
    let builders = [OpBuilder<(ins), [{}]>];
  }
  def _WhileOp : Op<dialect, "while", [RecursiveMemoryEffects, SingleBlock,
      DeclareOpInterfaceMethods<OpAsmOpInterface, ["getAsmBlockArgumentNames"]>,
      DeclareOpInterfaceMethods<EvaluableOpInterface>,
      DeclareOpInterfaceMethods<ShardingTieOpInterface>]> {
    let description = [{ `cleave.while(%i = %init, ...) : types cond { ... } do { ... }` }];
    let arguments = (ins Variadic<Cleave_Tensor>:$operands);
    let results = (outs Variadic<Cleave_Tensor>);
    let regions = (region SizedRegion<1>:$cond, SizedRegion<1>:$body);
    let hasCustomAssemblyFormat = 1;
    let hasVerifier = 1;
  }
  def _IfOp : Op<dialect, "if", [RecursiveMemoryEffects, SingleBlock,
      DeclareOpInterfaceMethods<EvaluableOpInterface>,
      DeclareOpInterfaceMethods<ShardingTieOpInterface>]> {
    let description = [{ `pred` is a scalar i1; branches take values from above. }];
    let arguments = (ins Cleave_PredTensor:$pred);
    let results = (outs Variadic<Cleave_Tensor>);
    let regions = (region SizedRegion<1>:$true_branch, SizedRegion<1>:$false_branch);
    let assemblyFormat = [{
      $pred attr-dict `:` functional-type(operands, results) `then` $true_branch `else` $false_branch
    }];
    let hasVerifier = 1;
  }
}

#endif // CLEAVE_GRAPH_PRIMITIVES_TD
