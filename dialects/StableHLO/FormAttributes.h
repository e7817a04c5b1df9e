//===- FormAttributes.h - Attributes with a syntax of their own -*- C++ -*-===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CLEAVE_DIALECTS_STABLEHLO_FORMATTRIBUTES_H
#define CLEAVE_DIALECTS_STABLEHLO_FORMATTRIBUTES_H

#include "dialects/StableHLO/StableHLODialect.h"

namespace cleave::stablehlo {

/// `EQ`, `DEFAULT`, ...: an enumerant of `kind`.
mlir::ParseResult parseEnumerant(mlir::AsmParser &parser, llvm::StringRef kind,
                                 mlir::Attribute &attribute);

/// `<field = value, ...>`, a record of `kind`.
mlir::ParseResult parseRecord(mlir::AsmParser &parser, llvm::StringRef kind,
                              mlir::Attribute &attribute);

/// `[1, 2]`; with `unknown`, `?` is ShapedType::kDynamic.
mlir::ParseResult parseIntegers(mlir::AsmParser &parser,
                                llvm::SmallVectorImpl<int64_t> &values,
                                bool unknown = false);

/// `[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]`, a record of kind `conv`: where
/// the batch, feature and spatial dimensions of lhs, rhs and result are.
mlir::ParseResult parseConvolutionDimensions(mlir::AsmParser &parser,
                                             mlir::Attribute &attribute);

/// `stride = [1, 2], pad = [[0, 1], [0, 1]], ...`: the window of a convolution.
mlir::ParseResult parseWindow(mlir::AsmParser &parser,
                              mlir::NamedAttrList &attributes);

/// `batching_dims = [0] x [0], contracting_dims = [2] x [1]`, a record of kind
/// `dot`.
mlir::ParseResult parseDotDimensions(mlir::AsmParser &parser,
                                     mlir::Attribute &attribute);

/// `, precision = [DEFAULT, DEFAULT], algorithm = <...>`, both optional.
mlir::ParseResult parsePrecision(mlir::AsmParser &parser,
                                 mlir::NamedAttrList &attributes);

/// `[0:4, 1:7:2]`: start, limit and stride of each dimension.
mlir::ParseResult parseRanges(mlir::AsmParser &parser,
                              mlir::NamedAttrList &attributes);

/// `e5m10`: bits of the exponent and of the mantissa.
mlir::ParseResult parseFloatFormat(mlir::AsmParser &parser,
                                   mlir::NamedAttrList &attributes);

/// Any attribute. `dense<"0x...">` of i1 may have a byte for each element, as
/// newer releases of MLIR print it.
mlir::ParseResult parseValue(mlir::AsmParser &parser,
                             mlir::Attribute &attribute);

} // namespace cleave::stablehlo

#endif // CLEAVE_DIALECTS_STABLEHLO_FORMATTRIBUTES_H
