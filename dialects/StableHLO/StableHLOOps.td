//===- StableHLOOps.td - Operations of StableHLO -*- tablegen -*-===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Operand and attribute names are those of the specification. Regions
// have one block, which ends in `stablehlo.return`.
//
//===----------------------------------------------------------------------===//

#ifndef CLEAVE_STABLEHLO_OPS_TD
#define CLEAVE_STABLEHLO_OPS_TD

include "mlir/Interfaces/SideEffectInterfaces.td"
include "dialects/StableHLO/StableHLODialect.td"

class StableHLO_Op<string mnemonic, dag operands, dag outputs, list<Trait> traits = [Pure]>
    : Op<StableHLO_Dialect, mnemonic, traits> {
  let arguments = operands;
  let results = outputs;
}
/// One result, no side effect.
class StableHLO_PureOp<string mnemonic, dag operands>
    : StableHLO_Op<mnemonic, operands, (outs AnyType:$result)>;
class StableHLO_UnaryOp<string mnemonic>
    : StableHLO_PureOp<mnemonic, (ins AnyType:$operand)>;
/// With the accuracy that the result should have.
class StableHLO_FunctionOp<string mnemonic>
    : StableHLO_PureOp<mnemonic, (ins AnyType:$operand, OptionalAttr<AnyAttr>:$result_accuracy)>;
class StableHLO_BinaryOp<string mnemonic, list<Trait> traits = []>
    : StableHLO_Op<mnemonic, (ins AnyType:$lhs, AnyType:$rhs), (outs AnyType:$result),
                   !listconcat([Pure], traits)>;
/// Several values in, several out.
class StableHLO_VariadicOp<string mnemonic, dag operands, list<Trait> traits = []>
    : StableHLO_Op<mnemonic, operands, (outs Variadic<AnyType>:$results), traits>;

//===----------------------------------------------------------------------===//
// Elementwise
//===----------------------------------------------------------------------===//

def StableHLO_AbsOp : StableHLO_UnaryOp<"abs">;
def StableHLO_CeilOp : StableHLO_UnaryOp<"ceil">;
def StableHLO_ConvertOp : StableHLO_UnaryOp<"convert">;
def StableHLO_CountLeadingZerosOp : StableHLO_UnaryOp<"count_leading_zeros">;
def StableHLO_FloorOp : StableHLO_UnaryOp<"floor">;
def StableHLO_ImagOp : StableHLO_UnaryOp<"imag">;
def StableHLO_IsFiniteOp : StableHLO_UnaryOp<"is_finite">;
def StableHLO_NegateOp : StableHLO_UnaryOp<"negate">;
def StableHLO_NotOp : StableHLO_UnaryOp<"not">;
def StableHLO_PopcntOp : StableHLO_UnaryOp<"popcnt">;
def StableHLO_RealOp : StableHLO_UnaryOp<"real">;
def StableHLO_RoundNearestAfzOp : StableHLO_UnaryOp<"round_nearest_afz">;
def StableHLO_RoundNearestEvenOp : StableHLO_UnaryOp<"round_nearest_even">;
def StableHLO_SignOp : StableHLO_UnaryOp<"sign">;
def StableHLO_UniformDequantizeOp : StableHLO_UnaryOp<"uniform_dequantize">;
def StableHLO_UniformQuantizeOp : StableHLO_UnaryOp<"uniform_quantize">;

def StableHLO_CbrtOp : StableHLO_FunctionOp<"cbrt">;
def StableHLO_CosineOp : StableHLO_FunctionOp<"cosine">;
def StableHLO_Exp2Op : StableHLO_FunctionOp<"exp2">;
def StableHLO_ExponentialOp : StableHLO_FunctionOp<"exponential">;
def StableHLO_ExponentialMinusOneOp : StableHLO_FunctionOp<"exponential_minus_one">;
def StableHLO_LogOp : StableHLO_FunctionOp<"log">;
def StableHLO_Log2Op : StableHLO_FunctionOp<"log2">;
def StableHLO_LogPlusOneOp : StableHLO_FunctionOp<"log_plus_one">;
def StableHLO_LogisticOp : StableHLO_FunctionOp<"logistic">;
def StableHLO_RsqrtOp : StableHLO_FunctionOp<"rsqrt">;
def StableHLO_SineOp : StableHLO_FunctionOp<"sine">;
def StableHLO_SqrtOp : StableHLO_FunctionOp<"sqrt">;
def StableHLO_TanOp : StableHLO_FunctionOp<"tan">;
def StableHLO_TanhOp : StableHLO_FunctionOp<"tanh">;

def StableHLO_AddOp : StableHLO_BinaryOp<"add", [Commutative]>;
def StableHLO_AndOp : StableHLO_BinaryOp<"and", [Commutative]>;
def StableHLO_MaximumOp : StableHLO_BinaryOp<"maximum", [Commutative]>;
def StableHLO_MinimumOp : StableHLO_BinaryOp<"minimum", [Commutative]>;
def StableHLO_MultiplyOp : StableHLO_BinaryOp<"multiply", [Commutative]>;
def StableHLO_OrOp : StableHLO_BinaryOp<"or", [Commutative]>;
def StableHLO_XorOp : StableHLO_BinaryOp<"xor", [Commutative]>;
def StableHLO_Atan2Op : StableHLO_BinaryOp<"atan2">;
def StableHLO_ComplexOp : StableHLO_BinaryOp<"complex">;
def StableHLO_DivideOp : StableHLO_BinaryOp<"divide">;
def StableHLO_PowerOp : StableHLO_BinaryOp<"power">;
def StableHLO_RemainderOp : StableHLO_BinaryOp<"remainder">;
def StableHLO_ShiftLeftOp : StableHLO_BinaryOp<"shift_left">;
def StableHLO_ShiftRightArithmeticOp : StableHLO_BinaryOp<"shift_right_arithmetic">;
def StableHLO_ShiftRightLogicalOp : StableHLO_BinaryOp<"shift_right_logical">;
def StableHLO_SubtractOp : StableHLO_BinaryOp<"subtract">;

def StableHLO_ClampOp : StableHLO_PureOp<"clamp",
    (ins AnyType:$min, AnyType:$operand, AnyType:$max)>;
def StableHLO_CompareOp : StableHLO_PureOp<"compare",
    (ins AnyType:$lhs, AnyType:$rhs, AnyAttr:$comparison_direction,
         OptionalAttr<AnyAttr>:$compare_type)>;
def StableHLO_ReducePrecisionOp : StableHLO_PureOp<"reduce_precision",
    (ins AnyType:$operand, AnyAttr:$exponent_bits, AnyAttr:$mantissa_bits)>;
def StableHLO_SelectOp : StableHLO_PureOp<"select",
    (ins AnyType:$pred, AnyType:$on_true, AnyType:$on_false)>;
def StableHLO_MapOp : StableHLO_Op<"map",
    (ins Variadic<AnyType>:$inputs, OptionalAttr<AnyAttr>:$dimensions), (outs AnyType:$result), []> {
  let regions = (region SizedRegion<1>:$computation);
}

//===----------------------------------------------------------------------===//
// Sources, shape and data movement
//===----------------------------------------------------------------------===//

def StableHLO_ConstantOp : StableHLO_Op<"constant", (ins ElementsAttr:$value),
    (outs AnyType:$output), [Pure]>;
def StableHLO_IotaOp : StableHLO_PureOp<"iota", (ins AnyAttr:$iota_dimension)>;
def StableHLO_BitcastConvertOp : StableHLO_PureOp<"bitcast_convert", (ins AnyType:$operand)>;
def StableHLO_BroadcastInDimOp : StableHLO_PureOp<"broadcast_in_dim",
    (ins AnyType:$operand, AnyAttr:$broadcast_dimensions)>;
def StableHLO_ConcatenateOp : StableHLO_PureOp<"concatenate",
    (ins Variadic<AnyType>:$inputs, AnyAttr:$dimension)>;
def StableHLO_DynamicSliceOp : StableHLO_PureOp<"dynamic_slice",
    (ins AnyType:$operand, Variadic<AnyType>:$start_indices, AnyAttr:$slice_sizes)>;
def StableHLO_DynamicUpdateSliceOp : StableHLO_PureOp<"dynamic_update_slice",
    (ins AnyType:$operand, AnyType:$update, Variadic<AnyType>:$start_indices)>;
def StableHLO_GatherOp : StableHLO_PureOp<"gather",
    (ins AnyType:$operand, AnyType:$start_indices, AnyAttr:$dimension_numbers,
         AnyAttr:$slice_sizes, OptionalAttr<AnyAttr>:$indices_are_sorted)>;
def StableHLO_PadOp : StableHLO_PureOp<"pad",
    (ins AnyType:$operand, AnyType:$padding_value, AnyAttr:$edge_padding_low,
         AnyAttr:$edge_padding_high, AnyAttr:$interior_padding)>;
def StableHLO_ReshapeOp : StableHLO_PureOp<"reshape", (ins AnyType:$operand)>;
def StableHLO_ReverseOp : StableHLO_PureOp<"reverse", (ins AnyType:$operand, AnyAttr:$dimensions)>;
def StableHLO_SliceOp : StableHLO_PureOp<"slice",
    (ins AnyType:$operand, AnyAttr:$start_indices, AnyAttr:$limit_indices, AnyAttr:$strides)>;
def StableHLO_TransposeOp : StableHLO_PureOp<"transpose",
    (ins AnyType:$operand, AnyAttr:$permutation)>;
def StableHLO_ScatterOp : StableHLO_VariadicOp<"scatter",
    (ins Variadic<AnyType>:$inputs, AnyType:$scatter_indices, Variadic<AnyType>:$updates,
         AnyAttr:$scatter_dimension_numbers, OptionalAttr<AnyAttr>:$indices_are_sorted,
         OptionalAttr<AnyAttr>:$unique_indices), [SameVariadicOperandSize]> {
  let regions = (region SizedRegion<1>:$update_computation);
}

//===----------------------------------------------------------------------===//
// Shapes that are values
//===----------------------------------------------------------------------===//

def StableHLO_DynamicBroadcastInDimOp : StableHLO_PureOp<"dynamic_broadcast_in_dim",
    (ins AnyType:$operand, AnyType:$output_dimensions, AnyAttr:$broadcast_dimensions,
         OptionalAttr<AnyAttr>:$known_expanding_dimensions,
         OptionalAttr<AnyAttr>:$known_nonexpanding_dimensions)>;
def StableHLO_DynamicConvOp : StableHLO_PureOp<"dynamic_conv",
    (ins AnyType:$lhs, AnyType:$rhs, AnyType:$padding_values,
         OptionalAttr<AnyAttr>:$window_strides, OptionalAttr<AnyAttr>:$padding,
         OptionalAttr<AnyAttr>:$lhs_dilation, OptionalAttr<AnyAttr>:$rhs_dilation,
         OptionalAttr<AnyAttr>:$window_reversal, AnyAttr:$dimension_numbers,
         OptionalAttr<AnyAttr>:$feature_group_count, OptionalAttr<AnyAttr>:$batch_group_count,
         OptionalAttr<AnyAttr>:$precision_config)>;
def StableHLO_DynamicGatherOp : StableHLO_PureOp<"dynamic_gather",
    (ins AnyType:$operand, AnyType:$start_indices, AnyType:$slice_sizes,
         AnyAttr:$dimension_numbers, OptionalAttr<AnyAttr>:$indices_are_sorted)>;
def StableHLO_DynamicIotaOp : StableHLO_PureOp<"dynamic_iota",
    (ins AnyType:$output_shape, AnyAttr:$iota_dimension)>;
def StableHLO_DynamicPadOp : StableHLO_PureOp<"dynamic_pad",
    (ins AnyType:$operand, AnyType:$padding_value, AnyType:$edge_padding_low,
         AnyType:$edge_padding_high, AnyType:$interior_padding)>;
def StableHLO_DynamicReshapeOp : StableHLO_PureOp<"dynamic_reshape",
    (ins AnyType:$operand, AnyType:$output_shape)>;
def StableHLO_GetDimensionSizeOp : StableHLO_PureOp<"get_dimension_size",
    (ins AnyType:$operand, AnyAttr:$dimension)>;
def StableHLO_RealDynamicSliceOp : StableHLO_PureOp<"real_dynamic_slice",
    (ins AnyType:$operand, AnyType:$start_indices, AnyType:$limit_indices, AnyType:$strides)>;
def StableHLO_SetDimensionSizeOp : StableHLO_PureOp<"set_dimension_size",
    (ins AnyType:$operand, AnyType:$size, AnyAttr:$dimension)>;

//===----------------------------------------------------------------------===//
// Contractions, reductions, sorting, linear algebra
//===----------------------------------------------------------------------===//

def StableHLO_CholeskyOp : StableHLO_PureOp<"cholesky",
    (ins AnyType:$a, OptionalAttr<AnyAttr>:$lower)>;
def StableHLO_ConvolutionOp : StableHLO_PureOp<"convolution",
    (ins AnyType:$lhs, AnyType:$rhs, OptionalAttr<AnyAttr>:$window_strides,
         OptionalAttr<AnyAttr>:$padding, OptionalAttr<AnyAttr>:$lhs_dilation,
         OptionalAttr<AnyAttr>:$rhs_dilation, OptionalAttr<AnyAttr>:$window_reversal,
         AnyAttr:$dimension_numbers, OptionalAttr<AnyAttr>:$feature_group_count,
         OptionalAttr<AnyAttr>:$batch_group_count, OptionalAttr<AnyAttr>:$precision_config)>;
def StableHLO_DotGeneralOp : StableHLO_PureOp<"dot_general",
    (ins AnyType:$lhs, AnyType:$rhs, AnyAttr:$dot_dimension_numbers,
         OptionalAttr<AnyAttr>:$precision_config, OptionalAttr<AnyAttr>:$algorithm)>;
def StableHLO_FftOp : StableHLO_PureOp<"fft",
    (ins AnyType:$operand, AnyAttr:$fft_type, AnyAttr:$fft_length)>;
def StableHLO_TriangularSolveOp : StableHLO_PureOp<"triangular_solve",
    (ins AnyType:$a, AnyType:$b, AnyAttr:$left_side, AnyAttr:$lower, AnyAttr:$unit_diagonal,
         AnyAttr:$transpose_a)>;
def StableHLO_ReduceOp : StableHLO_VariadicOp<"reduce",
    (ins Variadic<AnyType>:$inputs, Variadic<AnyType>:$init_values, AnyAttr:$dimensions), [SameVariadicOperandSize]> {
  let regions = (region SizedRegion<1>:$body);
}
def StableHLO_ReduceWindowOp : StableHLO_VariadicOp<"reduce_window",
    (ins Variadic<AnyType>:$inputs, Variadic<AnyType>:$init_values, AnyAttr:$window_dimensions,
         OptionalAttr<AnyAttr>:$window_strides, OptionalAttr<AnyAttr>:$base_dilations,
         OptionalAttr<AnyAttr>:$window_dilations, OptionalAttr<AnyAttr>:$padding), [SameVariadicOperandSize]> {
  let regions = (region SizedRegion<1>:$body);
}
def StableHLO_SelectAndScatterOp : StableHLO_Op<"select_and_scatter",
    (ins AnyType:$operand, AnyType:$source, AnyType:$init_value,
         OptionalAttr<AnyAttr>:$window_dimensions, OptionalAttr<AnyAttr>:$window_strides,
         OptionalAttr<AnyAttr>:$padding), (outs AnyType:$result), []> {
  let regions = (region SizedRegion<1>:$select, SizedRegion<1>:$scatter);
}
def StableHLO_SortOp : StableHLO_VariadicOp<"sort",
    (ins Variadic<AnyType>:$inputs, OptionalAttr<AnyAttr>:$dimension,
         OptionalAttr<AnyAttr>:$is_stable)> {
  let regions = (region SizedRegion<1>:$comparator);
}
def StableHLO_BatchNormInferenceOp : StableHLO_PureOp<"batch_norm_inference",
    (ins AnyType:$operand, AnyType:$scale, AnyType:$offset, AnyType:$mean, AnyType:$variance,
         AnyAttr:$epsilon, AnyAttr:$feature_index)>;
def StableHLO_BatchNormTrainingOp : StableHLO_Op<"batch_norm_training",
    (ins AnyType:$operand, AnyType:$scale, AnyType:$offset, AnyAttr:$epsilon,
         AnyAttr:$feature_index),
    (outs AnyType:$output, AnyType:$batch_mean, AnyType:$batch_var)>;
def StableHLO_BatchNormGradOp : StableHLO_Op<"batch_norm_grad",
    (ins AnyType:$operand, AnyType:$scale, AnyType:$mean, AnyType:$variance,
         AnyType:$grad_output, AnyAttr:$epsilon, AnyAttr:$feature_index),
    (outs AnyType:$grad_operand, AnyType:$grad_scale, AnyType:$grad_offset)>;

//===----------------------------------------------------------------------===//
// Random numbers
//===----------------------------------------------------------------------===//

def StableHLO_RngBitGeneratorOp : StableHLO_Op<"rng_bit_generator",
    (ins AnyType:$initial_state, AnyAttr:$rng_algorithm),
    (outs AnyType:$output_state, AnyType:$output)>;
def StableHLO_RngOp : StableHLO_Op<"rng",
    (ins AnyType:$a, AnyType:$b, AnyType:$shape, AnyAttr:$rng_distribution),
    (outs AnyType:$result), []>;

//===----------------------------------------------------------------------===//
// Control flow, tuples and calls
//===----------------------------------------------------------------------===//

def StableHLO_ReturnOp : StableHLO_Op<"return", (ins Variadic<AnyType>:$operands), (outs),
    [Pure, Terminator]>;
def StableHLO_IfOp : StableHLO_VariadicOp<"if", (ins AnyType:$pred)> {
  let regions = (region SizedRegion<1>:$true_branch, SizedRegion<1>:$false_branch);
}
def StableHLO_CaseOp : StableHLO_VariadicOp<"case", (ins AnyType:$index)> {
  let regions = (region VariadicRegion<SizedRegion<1>>:$branches);
}
def StableHLO_WhileOp : StableHLO_VariadicOp<"while", (ins Variadic<AnyType>:$operands)> {
  let regions = (region SizedRegion<1>:$cond, SizedRegion<1>:$body);
}
def StableHLO_OptimizationBarrierOp : StableHLO_VariadicOp<"optimization_barrier",
    (ins Variadic<AnyType>:$operands), [Pure]>;
def StableHLO_TupleOp : StableHLO_PureOp<"tuple", (ins Variadic<AnyType>:$val)>;
def StableHLO_GetTupleElementOp : StableHLO_PureOp<"get_tuple_element",
    (ins AnyType:$operand, AnyAttr:$index)>;
def StableHLO_CompositeOp : StableHLO_VariadicOp<"composite",
    (ins Variadic<AnyType>:$inputs, AnyAttr:$name, OptionalAttr<AnyAttr>:$composite_attributes,
         AnyAttr:$decomposition, OptionalAttr<AnyAttr>:$version)>;
def StableHLO_CustomCallOp : StableHLO_VariadicOp<"custom_call",
    (ins Variadic<AnyType>:$inputs, AnyAttr:$call_target_name,
         OptionalAttr<AnyAttr>:$has_side_effect, OptionalAttr<AnyAttr>:$backend_config,
         OptionalAttr<AnyAttr>:$api_version, OptionalAttr<AnyAttr>:$called_computations,
         OptionalAttr<AnyAttr>:$operand_layouts, OptionalAttr<AnyAttr>:$result_layouts,
         OptionalAttr<AnyAttr>:$output_operand_aliases)>;

//===----------------------------------------------------------------------===//
// Collectives and communication
//===----------------------------------------------------------------------===//

def StableHLO_AllGatherOp : StableHLO_VariadicOp<"all_gather",
    (ins Variadic<AnyType>:$operands, AnyAttr:$all_gather_dim, AnyAttr:$replica_groups,
         OptionalAttr<AnyAttr>:$channel_handle, OptionalAttr<AnyAttr>:$use_global_device_ids)>;
def StableHLO_AllReduceOp : StableHLO_VariadicOp<"all_reduce",
    (ins Variadic<AnyType>:$operands, AnyAttr:$replica_groups,
         OptionalAttr<AnyAttr>:$channel_handle, OptionalAttr<AnyAttr>:$use_global_device_ids)> {
  let regions = (region SizedRegion<1>:$computation);
}
def StableHLO_ReduceScatterOp : StableHLO_VariadicOp<"reduce_scatter",
    (ins Variadic<AnyType>:$operands, AnyAttr:$scatter_dimension, AnyAttr:$replica_groups,
         OptionalAttr<AnyAttr>:$channel_handle, OptionalAttr<AnyAttr>:$use_global_device_ids)> {
  let regions = (region SizedRegion<1>:$computation);
}
def StableHLO_AllToAllOp : StableHLO_VariadicOp<"all_to_all",
    (ins Variadic<AnyType>:$operands, AnyAttr:$split_dimension, AnyAttr:$concat_dimension,
         AnyAttr:$split_count, AnyAttr:$replica_groups, OptionalAttr<AnyAttr>:$channel_handle)>;
def StableHLO_CollectiveBroadcastOp : StableHLO_VariadicOp<"collective_broadcast",
    (ins Variadic<AnyType>:$operands, AnyAttr:$replica_groups,
         OptionalAttr<AnyAttr>:$channel_handle)>;
def StableHLO_CollectiveReduceOp : StableHLO_VariadicOp<"collective_reduce",
    (ins Variadic<AnyType>:$operands, AnyAttr:$replica_groups,
         OptionalAttr<AnyAttr>:$channel_handle, OptionalAttr<AnyAttr>:$use_global_device_ids)> {
  let regions = (region SizedRegion<1>:$computation);
}
def StableHLO_CollectivePermuteOp : StableHLO_VariadicOp<"collective_permute",
    (ins Variadic<AnyType>:$operands, AnyAttr:$source_target_pairs,
         OptionalAttr<AnyAttr>:$channel_handle)>;
def StableHLO_PartitionIdOp : StableHLO_PureOp<"partition_id", (ins)>;
def StableHLO_ReplicaIdOp : StableHLO_PureOp<"replica_id", (ins)>;
def StableHLO_AfterAllOp : StableHLO_PureOp<"after_all", (ins Variadic<AnyType>:$inputs)>;
def StableHLO_InfeedOp : StableHLO_VariadicOp<"infeed",
    (ins AnyType:$token, OptionalAttr<AnyAttr>:$infeed_config, OptionalAttr<AnyAttr>:$layout)>;
def StableHLO_OutfeedOp : StableHLO_VariadicOp<"outfeed",
    (ins Variadic<AnyType>:$inputs, AnyType:$token, OptionalAttr<AnyAttr>:$outfeed_config)>;
def StableHLO_RecvOp : StableHLO_VariadicOp<"recv",
    (ins AnyType:$token, AnyAttr:$channel_handle, OptionalAttr<AnyAttr>:$is_host_transfer,
         OptionalAttr<AnyAttr>:$source_target_pairs)>;
def StableHLO_SendOp : StableHLO_VariadicOp<"send",
    (ins Variadic<AnyType>:$inputs, AnyType:$token, AnyAttr:$channel_handle,
         OptionalAttr<AnyAttr>:$is_host_transfer, OptionalAttr<AnyAttr>:$source_target_pairs)>;

//===----------------------------------------------------------------------===//
// In older programs
//===----------------------------------------------------------------------===//

def StableHLO_BroadcastOp : StableHLO_PureOp<"broadcast",
    (ins AnyType:$operand, AnyAttr:$broadcast_sizes)>;
def StableHLO_CreateTokenOp : StableHLO_PureOp<"create_token", (ins)>;
def StableHLO_CrossReplicaSumOp : StableHLO_PureOp<"cross-replica-sum",
    (ins AnyType:$operand, AnyAttr:$replica_groups)>;
def StableHLO_DotOp : StableHLO_PureOp<"dot",
    (ins AnyType:$lhs, AnyType:$rhs, OptionalAttr<AnyAttr>:$precision_config)>;
def StableHLO_EinsumOp : StableHLO_PureOp<"einsum",
    (ins AnyType:$lhs, AnyType:$rhs, AnyAttr:$einsum_config)>;
def StableHLO_TorchIndexSelectOp : StableHLO_PureOp<"torch_index_select",
    (ins AnyType:$operand, AnyType:$index, AnyAttr:$dim, AnyAttr:$batch_dims)>;
def StableHLO_UnaryEinsumOp : StableHLO_PureOp<"unary_einsum",
    (ins AnyType:$operand, AnyAttr:$einsum_config)>;
def StableHLO_TraceOp : StableHLO_Op<"trace", (ins AnyType:$operand, AnyAttr:$tag), (outs), []>;

#endif // CLEAVE_STABLEHLO_OPS_TD
