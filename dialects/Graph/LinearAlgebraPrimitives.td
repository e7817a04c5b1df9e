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

def Cleave_I32Tensor : Cleave_TensorOf<[I32], "i32">;

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

def Cleave_LuOp : LibraryPrimitive<"lu"> {
  let description = [{
    P A = L U of each m x n matrix in the last two dimensions, by elimination with partial pivoting: the
    pivot is the largest number of what is left of its column, the first of equal ones (complex numbers are measured by
    |re| + |im|). `a` is (matrix) or (real, imaginary). The results are U and, below its diagonal, L without its
    diagonal of 1; then, of i32, for each of the min(m, n) steps i the row, i or a later one, that was exchanged
    with row i. A column without a pivot is left as it is. A matrix that is not finite gives NaN throughout, and exchanges nothing.
  }];
  let arguments = (ins Variadic<Cleave_FloatTensor>:$a);
  let results = (outs Variadic<Cleave_FloatTensor>:$factors, Cleave_I32Tensor:$pivots);
  let assemblyFormat = "$a attr-dict `:` functional-type(operands, results)";
  let hasVerifier = 1;
}

def Cleave_PivotsToPermutationOp : LibraryPrimitive<"pivots_to_permutation"> {
  let description = [{
    The order of n rows after exchanging row i and row `pivots`[i] for each i in turn, along the last
    dimension. A pivot outside of the rows exchanges nothing.
  }];
  let arguments = (ins Cleave_I32Tensor:$pivots);
  let results = (outs Cleave_I32Tensor:$permutation);
  let assemblyFormat = "$pivots attr-dict `:` functional-type(operands, results)";
  let hasVerifier = 1;
}

def Cleave_QrOp : LibraryPrimitive<"qr", [SameVariadicResultSize]> {
  let description = [{
    A = Q R of each m x n matrix in the last two dimensions, by Householder's reflections: Q = H(1) ...
    H(k), k = min(m, n), H(i) = I - tau(i) v v^H. The results are R and, below its diagonal, column i of it, what
    of v follows i zeros and a 1; then the k numbers tau. Diagonal elements of R are real, with the sign opposite to that of the (real
    part of the) number they come from, unless that has only zeros below it and needs no reflection. `a` is (matrix) or (real, imaginary).
    A matrix that is not finite gives NaN throughout.
  }];
  let arguments = (ins Variadic<Cleave_FloatTensor>:$a);
  let results = (outs Variadic<Cleave_FloatTensor>:$packed, Variadic<Cleave_FloatTensor>:$taus);
  let assemblyFormat = "$a attr-dict `:` functional-type(operands, results)";
  let hasVerifier = 1;
}

def Cleave_HouseholderProductOp : LibraryPrimitive<"householder_product", [SameVariadicOperandSize]> {
  let description = [{
    The first n columns of H(1) ... H(k), for m x n matrices with reflections below the diagonal and their k
    numbers tau, as `qr` gives them; m >= n >= k. `a` and `taus` are (matrix) or (real, imaginary) each.
    Reflections that are not finite give NaN throughout.
  }];
  let arguments = (ins Variadic<Cleave_FloatTensor>:$a, Variadic<Cleave_FloatTensor>:$taus);
  let results = (outs Variadic<Cleave_FloatTensor>);
  let assemblyFormat = "`(` $a `)` `(` $taus `)` attr-dict `:` functional-type(operands, results)";
  let hasVerifier = 1;
}

def Cleave_EighOp : LibraryPrimitive<"eigh"> {
  let description = [{
    A V = V diag(w) of each Hermitian matrix in the last two dimensions, of which only the `lower` or upper
    triangle is read: the unitary V, then w, ascending. `a` is (matrix) or (real, imaginary).
    Of all such V it is the one that LAPACK's syevd returns. A matrix that is not finite gives NaN throughout.
  }];
  let arguments = (ins Variadic<Cleave_FloatTensor>:$a, UnitAttr:$lower);
  let results = (outs Variadic<Cleave_FloatTensor>:$vectors, Cleave_FloatTensor:$values);
  let assemblyFormat = "(`lower` $lower^)? $a attr-dict `:` functional-type(operands, results)";
  let hasVerifier = 1;
}

def Cleave_SvdOp : LibraryPrimitive<"svd", [SameVariadicResultSize]> {
  let description = [{
    A = U diag(s) V^H of each m x n matrix in the last two dimensions: s, descending, k = min(m, n) numbers;
    then U, m x k or, if `full`, m x m; then V^H, k x n or n x n. `values` leaves U and V^H out. `a` is
    (matrix) or (real, imaginary). Of all such U and V they are those that LAPACK's gesdd returns. A matrix that is not
    finite gives NaN throughout.
  }];
  let arguments = (ins Variadic<Cleave_FloatTensor>:$a, UnitAttr:$full, UnitAttr:$values);
  let results = (outs Cleave_FloatTensor:$s, Variadic<Cleave_FloatTensor>:$u, Variadic<Cleave_FloatTensor>:$vh);
  let assemblyFormat = "(`full` $full^)? (`values` $values^)? $a attr-dict `:` functional-type(operands, results)";
  let hasVerifier = 1;
}

def Cleave_HessenbergOp : LibraryPrimitive<"hessenberg", [SameVariadicResultSize]> {
  let description = [{
    Q^H A Q = H with zeros below the first subdiagonal, for each n x n matrix in the last two dimensions, by
    reflections as in `qr`: H and, below its subdiagonal, the reflections; then their n - 1 numbers tau.
    `a` is (matrix) or (real, imaginary). A matrix that is not finite gives NaN throughout.
  }];
  let arguments = (ins Variadic<Cleave_FloatTensor>:$a);
  let results = (outs Variadic<Cleave_FloatTensor>:$packed, Variadic<Cleave_FloatTensor>:$taus);
  let assemblyFormat = "$a attr-dict `:` functional-type(operands, results)";
  let hasVerifier = 1;
}

def Cleave_TridiagonalOp : LibraryPrimitive<"tridiagonal"> {
  let description = [{
    Q^H A Q = T, real and tridiagonal, for each Hermitian n x n matrix in the last two dimensions, of which only the
    `lower` or upper triangle is read. The results are T and the reflections in that triangle, with the other one of `a`; T's n
    diagonal and n - 1 other elements; the n - 1 numbers tau. If `lower`, column i of the reflections is below
    the subdiagonal and Q = H(1) ... H(n - 1); else they are above the superdiagonal and Q = H(n - 1) ... H(1).
    `a` is (matrix) or (real, imaginary). If what is read is not finite, all is NaN.
  }];
  let arguments = (ins Variadic<Cleave_FloatTensor>:$a, UnitAttr:$lower);
  let results = (outs Variadic<Cleave_FloatTensor>);
  let assemblyFormat = "(`lower` $lower^)? $a attr-dict `:` functional-type(operands, results)";
  let hasVerifier = 1;
}

def Cleave_TridiagonalSolveOp : LibraryPrimitive<"tridiagonal_solve", [SameVariadicOperandSize]> {
  let description = [{
    Solves T x = b for x, matrix by matrix in the last two dimensions of b, by elimination with partial pivoting. T has
    the n elements `d` on its diagonal, those of `dl` but the first below and those of `du` but the last above
    it. A T that is singular or not finite gives NaN throughout, as does a column of b that is not finite in that column. `dl`, `d`, `du` and `b` are (numbers) or (real, imaginary) each.
  }];
  let arguments = (ins Variadic<Cleave_FloatTensor>:$dl, Variadic<Cleave_FloatTensor>:$d,
                       Variadic<Cleave_FloatTensor>:$du, Variadic<Cleave_FloatTensor>:$b);
  let results = (outs Variadic<Cleave_FloatTensor>);
  let assemblyFormat = [{
    `(` $dl `)` `(` $d `)` `(` $du `)` `(` $b `)` attr-dict `:` functional-type(operands, results)
  }];
  let hasVerifier = 1;
}

def Cleave_EigOp : LibraryPrimitive<"eig"> {
  let description = [{
    A v = v w of each n x n matrix in the last two dimensions: the n complex numbers w, real and
    imaginary parts; if `left`, the complex matrix of columns u with u^H A = w u^H, if `right`, that of columns v,
    all of length 1. `a` is (matrix) or (real, imaginary). Order and factors of modulus 1 are those of
    LAPACK's geev. A matrix that is not finite gives NaN throughout.
  }];
  let arguments = (ins Variadic<Cleave_FloatTensor>:$a, UnitAttr:$left, UnitAttr:$right);
  let results = (outs Variadic<Cleave_FloatTensor>);
  let assemblyFormat = "(`left` $left^)? (`right` $right^)? $a attr-dict `:` functional-type(operands, results)";
  let hasVerifier = 1;
}

def Cleave_PivotedQrOp : LibraryPrimitive<"pivoted_qr", [SameVariadicResultSize]> {
  let description = [{
    A P = Q R like `qr`, with the columns in an order that makes the diagonal of R descend in magnitude: first
    those whose number in `front` is not 0, in their order; then, at each step, the column that has most
    left to be factored, the first of equal ones. Second result: the numbers of the columns in that order, counted from 0.
    `a` is (matrix) or (real, imaginary). A matrix that is not finite gives NaN throughout, in the order of `front` alone.
  }];
  let arguments = (ins Variadic<Cleave_FloatTensor>:$a, Cleave_I32Tensor:$front);
  let results = (outs Variadic<Cleave_FloatTensor>:$packed, Cleave_I32Tensor:$order, Variadic<Cleave_FloatTensor>:$taus);
  let assemblyFormat = "`(` $a `)` `front` `(` $front `)` attr-dict `:` functional-type(operands, results)";
  let hasVerifier = 1;
}

def Cleave_SchurOp : LibraryPrimitive<"schur", [SameVariadicResultSize]> {
  let description = [{
    A = Q T Q^H of each n x n matrix in the last two dimensions: T, then the unitary Q. Of complex matrices T is triangular;
    of real ones it has 2 x 2 blocks on its diagonal, with equal diagonal elements and others of opposite signs, for pairs of conjugate eigenvalues.
    `a` is (matrix) or (real, imaginary). Of all such T and Q they are those that LAPACK's gees returns. A matrix
    that is not finite gives NaN throughout.
  }];
  let arguments = (ins Variadic<Cleave_FloatTensor>:$a);
  let results = (outs Variadic<Cleave_FloatTensor>:$t, Variadic<Cleave_FloatTensor>:$q);
  let assemblyFormat = "$a attr-dict `:` functional-type(operands, results)";
  let hasVerifier = 1;
}

#endif // CLEAVE_GRAPH_LINEARALGEBRAPRIMITIVES_TD
