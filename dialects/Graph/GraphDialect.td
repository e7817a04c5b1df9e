//===- GraphDialect.td - The cleave dialect, its types and enums -*- tablegen -*-===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CLEAVE_GRAPH_DIALECT_TD
#define CLEAVE_GRAPH_DIALECT_TD

include "mlir/IR/EnumAttr.td"
include "mlir/IR/OpBase.td"

def Cleave_Dialect : Dialect {
  let name = "cleave";
  let cppNamespace = "::cleave::graph";
  let summary = "Model graphs: value-semantic operations on static tensors";
  let description = [{
    Primitives follow the semantics and names of the StableHLO specification.
    Composites are what people write by hand; each decomposes into primitives.
  }];
  let hasConstantMaterializer = 1;
}

def Cleave_Float : AnyTypeOf<[F16, BF16, F32, F64], "f16, bf16, f32 or f64">;
def Cleave_Int : AnyTypeOf<[I8, I16, I32, I64, UI8, UI16, UI32, UI64],
                           "integer of 8 to 64 bits">;
/// Stored and moved. Arithmetic is on wider floats, see docs/decisions/small-floats.md.
def Cleave_SmallFloat : AnyTypeOf<[F8E3M4, F8E4M3, F8E4M3B11FNUZ, F8E4M3FN, F8E4M3FNUZ, F8E5M2,
                                   F8E5M2FNUZ, F8E8M0FNU], "float of 8 bits">;
def Cleave_ComputedElement : AnyTypeOf<[I1, Cleave_Int, Cleave_Float],
                                       "i1, an integer of 8 to 64 bits or a float of 16 to 64 bits">;
def Cleave_Element : AnyTypeOf<[I1, Cleave_Int, Cleave_SmallFloat, Cleave_Float],
                               "i1, an integer or a float of 8 to 64 bits">;

class Cleave_TensorOf<list<Type> elements, string what>
    : ConfinedType<StaticShapeTensorOf<elements>, [HasStaticShapePred], 
                   "statically shaped tensor of " # what,
                   "::mlir::RankedTensorType">;
def Cleave_Tensor : Cleave_TensorOf<[Cleave_Element], Cleave_Element.summary>;
def Cleave_ComputedTensor : Cleave_TensorOf<[Cleave_ComputedElement], Cleave_ComputedElement.summary>;
def Cleave_FloatTensor : Cleave_TensorOf<[Cleave_Float], Cleave_Float.summary>;
def Cleave_NumberTensor : Cleave_TensorOf<[Cleave_Int, Cleave_Float], "integers or floats of 16 to 64 bits">;
def Cleave_BitsTensor : Cleave_TensorOf<[Cleave_Int, Cleave_SmallFloat, Cleave_Float], "integers or floats">;
def Cleave_IntTensor : Cleave_TensorOf<[Cleave_Int], "integers">;
def Cleave_IntOrBoolTensor : Cleave_TensorOf<[I1, Cleave_Int], "integers or i1">;
def Cleave_PredTensor : Cleave_TensorOf<[I1], "i1">;

def Cleave_ComparisonDirection : I32EnumAttr<"ComparisonDirection", "", [
    I32EnumAttrCase<"EQ", 0>, I32EnumAttrCase<"NE", 1>, I32EnumAttrCase<"GE", 2>,
    I32EnumAttrCase<"GT", 3>, I32EnumAttrCase<"LE", 4>, I32EnumAttrCase<"LT", 5>]> {
  let cppNamespace = "::cleave::graph";
}
def Cleave_GeluForm : I32EnumAttr<"GeluForm", "", [
    I32EnumAttrCase<"Erf", 0, "erf">, I32EnumAttrCase<"Tanh", 1, "tanh">]> {
  let cppNamespace = "::cleave::graph";
}

#endif // CLEAVE_GRAPH_DIALECT_TD
