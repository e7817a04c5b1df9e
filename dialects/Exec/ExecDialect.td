//===- ExecDialect.td - The exec dialect, its attributes and types -*- tablegen -*-===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CLEAVE_EXEC_DIALECT_TD
#define CLEAVE_EXEC_DIALECT_TD

include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/EnumAttr.td"
include "mlir/IR/OpBase.td"

def Exec_Dialect : Dialect {
  let name = "exec";
  let cppNamespace = "::cleave::exec";
  let summary = "The scheduled program of one rank";
  let description = [{
    An `exec.program` is what each rank runs in one step: operations in the
    order in which they start, on buffers of one arena, on inputs, outputs and
    constants. Every operation takes the buffers it reads, then the buffers it
    writes; there are no values besides buffers.

    Operations run on one of two *streams*, each in program order: collectives
    on the one that they name, everything else on `compute`. Between streams
    only *events* order: `exec.record` marks a point of a stream, and what
    follows an `exec.wait` on another one starts when that point was passed.

    The dialect is independent of the target: host and device programs differ
    only in how its operations are lowered.
  }];
  let useDefaultAttributePrinterParser = 1;
  let extraClassDeclaration = [{
    void registerAttributes();
  }];
}

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

/// Dense, row-major, static: what the runtime's C interface can describe.
class Exec_BufferOf<list<Type> elements, string what>
    : ConfinedType<StaticShapeMemRefOf<elements>,
        [CPred<"::llvm::cast<::mlir::MemRefType>($_self).getLayout().isIdentity()">,
         CPred<"!::llvm::cast<::mlir::MemRefType>($_self).getMemorySpace()">],
        "dense static buffer of " # what, "::mlir::MemRefType">;
def Exec_Float : AnyTypeOf<[F16, BF16, F32, F64], "f16, bf16, f32 or f64">;
def Exec_Element : AnyTypeOf<[I1, I8, I16, I32, I64, UI8, UI16, UI32, UI64,
                              F8E3M4, F8E4M3, F8E4M3B11FNUZ, F8E4M3FN, F8E4M3FNUZ, F8E5M2, F8E5M2FNUZ,
                              F8E8M0FNU, F16, BF16, F32, F64],
                             "i1, an integer or a float of 8 to 64 bits">;
def Exec_Buffer : Exec_BufferOf<[Exec_Element], Exec_Element.summary>;
def Exec_PredBuffer : Exec_BufferOf<[I1], "i1">;
def Exec_IndexBuffer : Exec_BufferOf<[I32], "i32">;

//===----------------------------------------------------------------------===//
// Attributes
//===----------------------------------------------------------------------===//

class Exec_Attr<string name, string attrMnemonic> : AttrDef<Exec_Dialect, name> {
  let mnemonic = attrMnemonic;
  let hasCustomAssemblyFormat = 1;
}

def Exec_MeshAttr : Exec_Attr<"Mesh", "mesh"> {
  let summary = "The mesh of ranks a program runs on";
  let description = [{
    `#exec.mesh<"m" ["data"=2, "model"=4]>`: ranks are numbered row-major over the
    axes, the first axis slowest. `device_ids = [...]` gives the device of each
    rank; absent, rank i runs on device i.
  }];
  let parameters = (ins "::mlir::StringAttr":$name,
    ArrayRefParameter<"::cleave::exec::MeshAxis">:$axes,
    ArrayRefParameter<"int64_t">:$deviceIds);
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    /// Number of ranks; at most 2^31 - 1.
    int64_t getNumRanks() const;
    /// Position of the axis called `name`, or nothing.
    std::optional<unsigned> find(::mlir::StringAttr name) const;
  }];
}

def Exec_AxesAttr : Exec_Attr<"Axes", "axes"> {
  let summary = "A list of mesh axes or parts of axes, major to minor";
  let description = [{
    `#exec.axes<["data":(1)2, "model":(2)2]>`: the whole axis "data" of size 2,
    then the 2 positions of "model" that remain after 2 have been split off in front.
  }];
  let parameters = (ins ArrayRefParameter<"::cleave::exec::AxisPart">:$parts);
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    /// Number of ranks along the list: the product of its sizes.
    int64_t getNumPositions() const;
  }];
}

def Exec_TensorAttr : Exec_Attr<"Tensor", "tensor"> {
  let summary = "An input or output of a program as the user sees it";
  let description = [{
    `#exec.tensor<"up.weight", tensor<512x2048xf32>, [[], ["model":(1)4]]>`: name,
    global type, and per dimension the axes over which it is cut. The local shape
    is that of the buffer; see docs/manifest.md for uneven dimensions.
  }];
  let parameters = (ins "::mlir::StringAttr":$name, "::mlir::RankedTensorType":$type,
    ArrayRefParameter<"::cleave::exec::AxesAttr">:$sharding);
  let genVerifyDecl = 1;
}

class Exec_Enum<string name, list<I32EnumAttrCase> cases> : I32EnumAttr<name, "", cases> {
  let cppNamespace = "::cleave::exec";
}
def Exec_Stream : Exec_Enum<"Stream", [
    I32EnumAttrCase<"Compute", 0, "compute">,
    I32EnumAttrCase<"Communication", 1, "communication">]>;
def Exec_CollectiveKind : Exec_Enum<"CollectiveKind", [
    I32EnumAttrCase<"AllGather", 0, "all_gather">,
    I32EnumAttrCase<"AllSlice", 1, "all_slice">,
    I32EnumAttrCase<"AllReduce", 2, "all_reduce">,
    I32EnumAttrCase<"ReduceScatter", 3, "reduce_scatter">,
    I32EnumAttrCase<"AllToAll", 4, "all_to_all">,
    I32EnumAttrCase<"CollectivePermute", 5, "collective_permute">,
    I32EnumAttrCase<"Broadcast", 6, "broadcast">,
    I32EnumAttrCase<"HaloExchange", 7, "halo_exchange">,
    I32EnumAttrCase<"WindowExchange", 8, "window_exchange">]>;
def Exec_Reduction : Exec_Enum<"Reduction", [
    I32EnumAttrCase<"Sum", 0, "sum">, I32EnumAttrCase<"Max", 1, "max">,
    I32EnumAttrCase<"Min", 2, "min">, I32EnumAttrCase<"Prod", 3, "prod">,
    I32EnumAttrCase<"And", 4, "and">, I32EnumAttrCase<"Or", 5, "or">]>;
def Exec_BiasKind : Exec_Enum<"BiasKind", [
    I32EnumAttrCase<"None", 0, "none">, I32EnumAttrCase<"N", 1, "n">,
    I32EnumAttrCase<"M", 2, "m">]>;
def Exec_Activation : Exec_Enum<"Activation", [
    I32EnumAttrCase<"None", 0, "none">, I32EnumAttrCase<"Relu", 1, "relu">,
    I32EnumAttrCase<"GeluErf", 2, "gelu_erf">, I32EnumAttrCase<"GeluTanh", 3, "gelu_tanh">,
    I32EnumAttrCase<"Silu", 4, "silu">]>;

#endif // CLEAVE_EXEC_DIALECT_TD
