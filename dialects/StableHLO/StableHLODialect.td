//===- StableHLODialect.td - Dialects that are only read -*- tablegen -*-===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The dialects of the public StableHLO project, written from its specification
// (https://openxla.org/stablehlo/spec). They exist to be parsed and converted
// to `cleave`. Constraints on types and attributes are loose, so that older
// and newer spellings parse; what conversion cannot use it refuses with the
// location of the op.
//
//===----------------------------------------------------------------------===//

#ifndef CLEAVE_STABLEHLO_DIALECT_TD
#define CLEAVE_STABLEHLO_DIALECT_TD

include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/OpBase.td"

/// A dialect whose custom syntax is a table (Forms.cpp).
class ReaderDialect<string dialectName, string declarations = ""> : Dialect {
  let name = dialectName;
  let extraClassDeclaration = [{
    std::optional<ParseOpHook> getParseOperationHook(::llvm::StringRef opName) const override;
  }] # declarations;
}

def StableHLO_Dialect : ReaderDialect<"stablehlo", [{
    ::mlir::Attribute parseAttribute(::mlir::DialectAsmParser &parser,
                                     ::mlir::Type type) const override;
    void printAttribute(::mlir::Attribute attribute,
                        ::mlir::DialectAsmPrinter &printer) const override;
    void addAllOperations();
    void addAllAttributes();
  }]> {
  let cppNamespace = "::cleave::stablehlo";
  let summary = "Operations of the StableHLO specification, as exporters print them";
  let useDefaultTypePrinterParser = 1;
  let dependentDialects = ["::mlir::quant::QuantDialect"];
}

def Chlo_Dialect : ReaderDialect<"chlo", [{
    ::mlir::Attribute parseAttribute(::mlir::DialectAsmParser &parser,
                                     ::mlir::Type type) const override;
    void addAllOperations();
  }]> {
  let cppNamespace = "::cleave::chlo";
  let summary = "Functions that exporters use above StableHLO";
  let dependentDialects = ["::cleave::stablehlo::StableHLODialect"];
}

def Check_Dialect : ReaderDialect<"check"> {
  let cppNamespace = "::cleave::check";
  let summary = "Expectations of self-checking StableHLO programs";
}

def Interpreter_Dialect : ReaderDialect<"interpreter"> {
  let cppNamespace = "::cleave::interpreter";
  let summary = "Grids of StableHLO processes";
}

//===----------------------------------------------------------------------===//
// Attributes and types
//===----------------------------------------------------------------------===//

def StableHLO_EnumerantAttr : AttrDef<StableHLO_Dialect, "Enumerant"> {
  let summary = "A value of an enumeration: `#stablehlo<comparison_direction EQ>`";
  let description = [{
    `#stablehlo.comparison_direction<EQ>` is read, too, and both with the prefix `chlo`.
  }];
  let attrName = "stablehlo.enumerant";
  let parameters = (ins "::mlir::StringAttr":$kind, "::mlir::StringAttr":$value);
}

def StableHLO_RecordAttr : AttrDef<StableHLO_Dialect, "Record"> {
  let summary = "Named fields: `#stablehlo.gather<offset_dims = [0], index_vector_dim = 1>`";
  let description = [{
    Lists of integers are DenseI64ArrayAttr, a `?` in them is ShapedType::kDynamic; other values
    are attributes. Fields that were not given are not there: conversion knows their defaults.
  }];
  let attrName = "stablehlo.record";
  let parameters = (ins "::mlir::StringAttr":$kind, "::mlir::DictionaryAttr":$fields);
}

def StableHLO_TokenType : TypeDef<StableHLO_Dialect, "Token"> {
  let summary = "Orders operations with side effects";
  let mnemonic = "token";
}

#endif // CLEAVE_STABLEHLO_DIALECT_TD
