//===- LinearAlgebraPrimitives.td - Transforms and solvers -*- tablegen -*-===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Complex tensors are pairs: the real and the imaginary parts are operands and
// results of their own.
//
//===----------------------------------------------------------------------===//

#ifndef CLEAVE_GRAPH_LINEARALGEBRAPRIMITIVES_TD
#define CLEAVE_GRAPH_LINEARALGEBRAPRIMITIVES_TD

include "dialects/Graph/Primitives.td"

/// A primitive that is a library call, matrix by matrix or line by line.
class LibraryPrimitive<string mnemonic, list<Trait> traits = []>
    : ShardablePrimitive<Cleave_Dialect, mnemonic, !listconcat([
        DeclareOpInterfaceMethods<LibraryKernelOpInterface>], traits)>;

def Cleave_FftType : I32EnumAttr<"FftType", "", [
    I32EnumAttrCase<"FFT", 0>, I32EnumAttrCase<"IFFT", 1>,
    I32EnumAttrCase<"RFFT", 2>, I32EnumAttrCase<"IRFFT", 3>]> {
  let cppNamespace = "::cleave::graph";
}

def Cleave_FftOp : LibraryPrimitive<"fft"> {
  let description = [{
    Discrete Fourier transform, with exp(-2 pi i jk / n) forwards.
    Transforms the last dimensions, of sizes `length` (of the real side for RFFT and IRFFT, whose
    complex side keeps length / 2 + 1 in the last one). FFT and IFFT take and give (real, imaginary);
    RFFT takes (real) and gives (real, imaginary), IRFFT the inverse. Inverse transforms divide by
    the number of points. IRFFT ignores the imaginary parts that a real side cannot have.
    A NaN or an infinity makes its whole transform NaN: which results it would reach by itself depends on the
    algorithm.
  }];
  let arguments = (ins Cleave_FftType:$type, Variadic<Cleave_FloatTensor>:$inputs,
                       DenseI64ArrayAttr:$length);
  let results = (outs Variadic<Cleave_FloatTensor>);
  let assemblyFormat = [{
    $type custom<OperandsBeforeComma>($inputs) `length` `=` $length attr-dict `:` functional-type(operands, results)
  }];
  let hasVerifier = 1;
}

def Cleave_CholeskyOp : LibraryPrimitive<"cholesky"> {
  let description = [{
    The factor L (or U = L^H unless `lower`) of each positive-definite matrix in the last two
    dimensions; `a` is (matrix) or (real, imaginary). The other triangle of the result is zero. A matrix that
    is not positive definite gives NaN throughout.
  }];
  let arguments = (ins Variadic<Cleave_FloatTensor>:$a, UnitAttr:$lower);
  let results = (outs Variadic<Cleave_FloatTensor>);
  let assemblyFormat = "(`lower` $lower^)? $a attr-dict `:` functional-type(operands, results)";
  let hasVerifier = 1;
}

def Cleave_Transpose : I32EnumAttr<"Transpose", "", [
    I32EnumAttrCase<"NoTranspose", 0, "no_transpose">, I32EnumAttrCase<"Transpose", 1, "transpose">,
    I32EnumAttrCase<"Adjoint", 2, "adjoint">]> {
  let cppNamespace = "::cleave::graph";
}

def Cleave_TriangularSolveOp : LibraryPrimitive<"triangular_solve", [SameVariadicOperandSize]> {
  let description = [{
    Solves op(a) x = b (`left_side`) or x op(a) = b for x, matrix by matrix in the last two dimensions; only
    the `lower` or upper triangle of `a` is read, and its diagonal is taken as 1 if `unit_diagonal`.
    `a` and `b` are (matrix) or (real, imaginary) each.
  }];
  let arguments = (ins Variadic<Cleave_FloatTensor>:$a, Variadic<Cleave_FloatTensor>:$b,
                       UnitAttr:$left_side, UnitAttr:$lower, UnitAttr:$unit_diagonal,
                       Cleave_Transpose:$transpose_a);
  let results = (outs Variadic<Cleave_FloatTensor>);
  let assemblyFormat = [{
    $transpose_a (`left` $left_side^)? (`lower` $lower^)? (`unit` $unit_diagonal^)?
    `(` $a `)` `(` $b `)` attr-dict `:` functional-type(operands, results)
  }];
  let hasVerifier = 1;
}

#endif // CLEAVE_GRAPH_LINEARALGEBRAPRIMITIVES_TD
