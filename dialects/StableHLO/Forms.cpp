//===- Forms.cpp - Table of custom syntax ---------------------------------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialects/StableHLO/Forms.h"
#include "dialects/Graph/Syntax/PrimitiveFormats.h"
#include "llvm/ADT/StringMap.h"

using namespace mlir;
using namespace cleave;
using namespace cleave::stablehlo;

/// Forms of ops that are not just operands and types.
static const llvm::StringMap<Form> &getForms() {
  using Types = FormTypes;
  static const llvm::StringMap<Form> forms = {
      {"check.expect_almost_eq", {"% , % ?float:tolerance", Types::Operands}},
      {"check.expect_almost_eq_const",
       {"% , =attr:value ?float:tolerance", Types::Value}},
      {"check.expect_close",
       {"% , % ?int:max_ulp_difference,int:min_ulp_difference",
        Types::Operands}},
      {"check.expect_eq", {"% , %", Types::Operands}},
      {"check.expect_eq_const", {"% , =attr:value", Types::Value}},
      {"check.expect_serialized_eq",
       {"% , probe_id = =string:probe_id ?int:iter", Types::Operands}},
      {"chlo.constant", {"=attr:value", Types::Value}},
      {"chlo.top_k", {"( % , k = =int:k )"}},
      {"interpreter.probe", {"% , probe_id = =string:probe_id"}},
      {"stablehlo.after_all", {"%..."}},
      {"stablehlo.broadcast", {"% , sizes = =ints:broadcast_sizes"}},
      {"stablehlo.broadcast_in_dim", {"% , dims = =ints:broadcast_dimensions"}},
      {"stablehlo.cholesky", {"% ?bool:lower"}},
      {"stablehlo.compare",
       {"=comparison_direction:comparison_direction , % , % "
        "?=comparison_type:compare_type"}},
      {"stablehlo.complex", {"% , %", Types::Complex}},
      {"stablehlo.composite", {"=string:name %..."}},
      {"stablehlo.concatenate", {"%..., dim = =int:dimension"}},
      {"stablehlo.constant", {"=attr:value", Types::Value}},
      {"stablehlo.convolution",
       {"( %... ) dim_numbers = =conv , window = { =window }"}},
      {"stablehlo.create_token", {"", Types::Results}},
      {"stablehlo.custom_call", {"=symbol:call_target_name ( %... )"}},
      {"stablehlo.dot", {"% , % =precision"}},
      {"stablehlo.dot_general", {"% , % , =dot =precision"}},
      {"stablehlo.dynamic_broadcast_in_dim",
       {"% , % , dims = =ints:broadcast_dimensions"}},
      {"stablehlo.dynamic_conv",
       {"( %... ) dim_numbers = =conv , window = { =window }"}},
      {"stablehlo.dynamic_iota", {"% , dim = =int:iota_dimension"}},
      {"stablehlo.dynamic_slice", {"% , %..., sizes = =ints:slice_sizes"}},
      {"stablehlo.einsum", {"% , % , config = =string:einsum_config"}},
      {"stablehlo.fft",
       {"% , type = =fft_type:fft_type , length = =ints:fft_length"}},
      {"stablehlo.get_dimension_size", {"% , dim = =int:dimension"}},
      {"stablehlo.get_tuple_element", {"% [ =int32:index ]"}},
      {"stablehlo.iota", {"dim = =int:iota_dimension", Types::Results}},
      {"stablehlo.optimization_barrier", {"%...", Types::Pairwise}},
      {"stablehlo.pad",
       {"% , % , low = =ints:edge_padding_low , high = "
        "=ints:edge_padding_high , interior = =ints:interior_padding"}},
      {"stablehlo.partition_id", {"", Types::Results}},
      {"stablehlo.reduce_precision", {"% , format = =format"}},
      {"stablehlo.replica_id", {"", Types::Results}},
      {"stablehlo.return", {"%...", Types::Operands}},
      {"stablehlo.reverse", {"% , dims = =ints:dimensions"}},
      {"stablehlo.rng",
       {"% , % , % , distribution = =rng_distribution:rng_distribution"}},
      {"stablehlo.rng_bit_generator",
       {"% , algorithm = =rng_algorithm:rng_algorithm"}},
      {"stablehlo.select", {"% , % , %", Types::Select}},
      {"stablehlo.set_dimension_size", {"% , % , dim = =int:dimension"}},
      {"stablehlo.slice", {"% =ranges"}},
      {"stablehlo.trace", {"% , =string:tag", Types::Operands}},
      {"stablehlo.transpose", {"% , dims = =ints:permutation"}},
      {"stablehlo.tuple", {"%...", Types::Tuple}},
      {"stablehlo.unary_einsum", {"% , config = =string:einsum_config"}},
  };
  return forms;
}

static ParseResult parseByTable(OpAsmParser &parser, OperationState &result) {
  static const Form operandsOnly = {"%..."};
  auto form = getForms().find(result.name.getStringRef());
  return parseForm(parser, result,
                   form == getForms().end() ? operandsOnly : form->second);
}

/// `(%x, %y) inits(%z) dimension=0 attributes {...} { body } : types`
static ParseResult parseScan(OpAsmParser &parser, OperationState &result) {
  SmallVector<OpAsmParser::UnresolvedOperand> operands, inits;
  int64_t dimension;
  FunctionType type;
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseOperandList(operands, OpAsmParser::Delimiter::Paren) ||
      parser.parseKeyword("inits") ||
      parser.parseOperandList(inits, OpAsmParser::Delimiter::Paren) ||
      parser.parseKeyword("dimension") || parser.parseEqual() ||
      parser.parseInteger(dimension) ||
      parser.parseOptionalAttrDictWithKeyword(result.attributes) ||
      parser.parseRegion(*result.addRegion()) ||
      parser.parseOptionalAttrDict(result.attributes) ||
      parser.parseColonType(type))
    return failure();
  auto inputCount = static_cast<int32_t>(operands.size());
  auto carryCount = static_cast<int32_t>(inits.size());
  auto outputCount = static_cast<int32_t>(type.getNumResults()) - carryCount;
  if (outputCount < 0)
    return parser.emitError(loc) << type.getNumResults() << " results for "
                                 << carryCount << " carried values";
  operands.append(inits);
  Builder &builder = parser.getBuilder();
  result.addAttribute("dimension", builder.getI64IntegerAttr(dimension));
  result.addAttribute("operandSegmentSizes",
                      builder.getDenseI32ArrayAttr({inputCount, carryCount}));
  result.addAttribute("resultSegmentSizes",
                      builder.getDenseI32ArrayAttr({outputCount, carryCount}));
  result.addTypes(type.getResults());
  return parser.resolveOperands(operands, type.getInputs(), loc,
                                result.operands);
}

std::optional<Dialect::ParseOpHook>
stablehlo::getFormParser(MLIRContext *context, StringRef opName) {
  if (!RegisteredOperationName::lookup(opName, context))
    return std::nullopt;
  // cleave writes these as they are written here.
  if (opName == "stablehlo.reduce")
    return graph::parseReduce;
  if (opName == "stablehlo.while")
    return graph::parseWhile;
  if (opName == "chlo.scan")
    return parseScan;
  return parseByTable;
}
