//===- Passes.td - Fusion passes ---------------------------*- tablegen -*-===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CLEAVE_PASSES_FUSION_PASSES_TD
#define CLEAVE_PASSES_FUSION_PASSES_TD

include "mlir/Pass/PassBase.td"

def SelectLibraryCalls : Pass<"cleave-select-library-calls", "::mlir::ModuleOp"> {
  let summary = "Turn matrix products with their epilogues into library calls";
  let description = [{
    Each dot_general becomes a call of a private function with the attribute
    `cleave.gemm = {bias, activation, residual}`: the product, then a bias along a
    row or column, an activation and a residual, in this order, as far as each
    value has no other use. Arguments: a, b, bias, residual. Operands are
    transposed where their dimensions do not collapse to batch, m, n and k with one stride each,
    and a transpose of an operand is part of the call where they do so without it.

    Runs while gelu, silu and relu are still single ops.

    `epilogues` says what the library has: `all` of the above; with cuBLASLt `linear`, a bias of each column, not in f64, and a
    residual; or `fast`, the same and gelu by tanh and relu, of which it promises no accuracy and which makes 0 of NaN.
  }];
  let options = [Option<"epilogues", "epilogues", "std::string", /*default=*/"\"all\"", "all, linear or fast">];
  let dependentDialects = ["::mlir::func::FuncDialect", "::cleave::graph::CleaveDialect"];
}

def SelectConvolutions : Pass<"cleave-select-convolutions", "::mlir::ModuleOp"> {
  let summary = "Turn convolutions with their epilogues into library calls";
  let description = [{
    Each convolution with enough output features per group becomes a call of a private function with the
    attribute `cleave.convolution = {bias, activation, residual}`: the convolution, then a bias along the
    output features, an activation and a residual, in this order, as far as each value has no other use. Arguments: lhs,
    rhs, bias, residual. The others (depthwise ones, say) stay, and become kernels.
  }];
  let dependentDialects = ["::mlir::func::FuncDialect", "::cleave::graph::CleaveDialect"];
}

def RaiseAttention : Pass<"cleave-raise-attention", "::mlir::ModuleOp"> {
  let summary = "Turn products around a softmax into attention";
  let description = [{
    What frameworks write out, softmax(mask(scale * q * k)) * v, becomes `cleave.attention`, which has a kernel:

    - products with at most two batching dimensions (batch, groups of heads) and two dimensions of queries (rows, heads
      of a group), in any order; keys and values that are repeated for the heads of a group are read as they were;
    - a scale that multiplies or divides, as a constant, before the mask; or none;
    - a mask that is added, of the element type, or that selects between scores and a constant;
    - the composite softmax, or exp(x - max(x)) / sum(exp(x - max(x))).

    Only where attention computes the same: f32 throughout, or operands of f16 or bf16 with scores and weights in f32; and only
    where no other op uses what is computed on the way, since that is not stored any more. With fewer than `min-rows` queries
    that share keys most of each tile of the kernel would be empty. Runs after partitioning, on local shapes, for GPUs only:
    on a host attention is decomposed again.
  }];
  let options = [
    Option<"minRows", "min-rows", "int64_t", /*default=*/"8", "Fewest queries that share keys for which attention is one kernel">
  ];
  let dependentDialects = ["::cleave::graph::CleaveDialect"];
  let statistics = [Statistic<"numRaised", "raised", "Products that became attention">];
}

def OutlineBlockKernels : Pass<"cleave-outline-block-kernels", "::mlir::ModuleOp"> {
  let summary = "Make kernels of ops that blocks of a GPU run best as a whole";
  let description = [{
    Each of these ops becomes a call of a private function with the attribute `cleave.kernel`, whose only op it is;
    `cleave-write-block-kernels` has its code:

    - attention of f32, f16 or bf16 with at most 128 features per head (others stay, to be decomposed);
    - convolution of f32, f16 and bf16 with at least 4 output features per group (others become kernels of loops);
    - fft, cholesky and triangular_solve.

    `cleave.workspace` lists what a kernel needs besides. Runs before composites are decomposed, for GPUs only, which have no
    library for these. With `ordered`, attention and convolution stay, since their kernels sum by tiles.
  }];
  let options = [
    Option<"ordered", "ordered", "bool", /*default=*/"false", "Leave ops that sum floats in another order than that of the index">
  ];
  let dependentDialects = ["::mlir::func::FuncDialect", "::cleave::graph::CleaveDialect"];
}

def SpreadScatters : Pass<"cleave-spread-scatters", "::mlir::ModuleOp"> {
  let summary = "Let many threads of a GPU run each scatter";
  let description = [{
    Each scatter becomes a call of a private function with `cleave.kernel` and `cleave.updates_in_place`: the launch changes its
    inputs where they are, and `cleave-lower-to-exec` copies them before it if they are needed afterwards. No thread thus has to
    know that all others have copied theirs. `cleave.scatter` says who makes which updates:

    | | scatters | |
    |---|---|---|
    | `unique` | with `unique_indices`, or of one window per batch | a thread makes one update |
    | `atomic` | that add, take the maximum or minimum, and, or, of integers of 32 and 64 bits: in any order they have the same bits | a thread makes one update by an atomic operation |
    | `sorted` | of more than `min-updates` updates per batch and element of a window | a thread makes all updates of one element, which are sorted to be neighbours, in order |
    | none | others | a thread makes all updates of one column, in order |

    What is sorted are keys: the place of an element and the number of its update as one integer. So sums of floats have the same bits each
    time, which ranks with the same data rely on. With `free-sums` scatters that add f32 or f64 are `atomic`, too, where the program has one rank.
  }];
  let options = [
    Option<"freeSums", "free-sums", "bool", /*default=*/"false", "Add floats in any order">,
    Option<"minUpdates", "min-updates", "int64_t", /*default=*/"64", "Most updates that one thread makes rather than that they are sorted">
  ];
  let dependentDialects = ["::mlir::func::FuncDialect", "::cleave::graph::CleaveDialect"];
  let statistics = [
    Statistic<"numUnique", "unique", "Scatters without updates of one element">,
    Statistic<"numAtomic", "atomic", "Scatters by atomic operations">,
    Statistic<"numSorted", "sorted", "Scatters whose updates are sorted">
  ];
}

def PadWindows : Pass<"cleave-pad-windows", "::mlir::ModuleOp"> {
  let summary = "Make the padding and dilation of windows' operands explicit";
  let description = [{
    reduce_window and convolution read operands that `cleave.pad` has padded and dilated, with the
    initial value or zero. What a window reads is then linear in its index. Scans
    (`cleave.reduce_window` over all elements up to each) stay as they are: kernels have a form for them.
  }];
  let dependentDialects = ["::cleave::graph::CleaveDialect"];
}

def DuplicateBroadcasts : Pass<"cleave-duplicate-broadcasts", "::mlir::func::FuncOp"> {
  let summary = "Give each user of a broadcast or iota one of its own";
  let description = [{
    A broadcast_in_dim that repeats elements and an iota cost a kernel nothing to compute, but memory and time to read
    where other kernels share them: layers that add the same constants or masks do. Each user that can read elements
    where they are computed gets a copy; those that need a buffer (products, library calls, convolutions, control flow,
    results) share the first.
  }];
  let dependentDialects = ["::cleave::graph::CleaveDialect"];
  let statistics = [Statistic<"numCopies", "copies", "Broadcasts and iotas that were copied for a user">];
}

def FormKernels : Pass<"cleave-form-kernels", "::mlir::ModuleOp"> {
  let summary = "Cluster ops into kernels";
  let description = [{
    Every cleave op outside of library calls and control flow moves to a private function with
    the attribute `cleave.kernel`. Producers join consumers as long as all can run in
    one loop over their rows: elementwise chains, broadcasts, reductions of trailing
    dimensions and what follows on the same rows. Constants are copied into
    each kernel. Reshapes stay outside: they only change the view. An op with the interface
    OwnKernelOpInterface is alone in its kernel, which returns all its results; types of buffers that it needs
    besides are listed in the attribute `cleave.workspace`.
  }];
  let dependentDialects = ["::mlir::func::FuncDialect", "::cleave::graph::CleaveDialect"];
}

def DeduplicateKernels : Pass<"cleave-deduplicate-kernels", "::mlir::ModuleOp"> {
  let summary = "Keep one of several equal kernels";
  let description = [{
    Kernels and library calls that are equal up to names and locations become
    one, so that a model of many equal layers compiles each only once.
  }];
}

def MarkInPlace : Pass<"cleave-mark-in-place", "::mlir::ModuleOp"> {
  let summary = "Tell which arguments of kernels results may be written over";
  let description = [{
    An argument of a kernel gets `cleave.updated_by = N` if result N is the argument with some elements changed
    (dynamic_update_slice, scatter), and `cleave.overwritten_by = N` if result N is computed from it element by element. In both
    cases the result may be written to the memory of the argument; `cleave-lower-to-exec` decides where.
  }];
}

#endif // CLEAVE_PASSES_FUSION_PASSES_TD
