//===- Composites.td - Composite operations of the cleave dialect -*- tablegen -*-===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What people write by hand. Each composite has its own sharding rule (so that
// it can communicate less than its decomposition would) and decomposes into
// primitives after partitioning.
//
//===----------------------------------------------------------------------===//

#ifndef CLEAVE_GRAPH_COMPOSITES_TD
#define CLEAVE_GRAPH_COMPOSITES_TD

include "mlir/Interfaces/SideEffectInterfaces.td"
include "dialects/Graph/GraphDialect.td"
include "dialects/Graph/GraphInterfaces.td"

class Composite<string mnemonic, list<Trait> traits = []>
    : Op<Cleave_Dialect, mnemonic, !listconcat([Pure,
        DeclareOpInterfaceMethods<EvaluableOpInterface>,
        DeclareOpInterfaceMethods<DecomposableOpInterface>,
        DeclareOpInterfaceMethods<ShardingRuleOpInterface, ["getShardingRule", "buildLocal"]>],
        traits)>;

class UnaryComposite<string mnemonic> : Composite<mnemonic, [SameOperandsAndResultType]> {
  let arguments = (ins Cleave_FloatTensor:$input);
  let results = (outs Cleave_FloatTensor:$result);
  let assemblyFormat = "$input attr-dict `:` type($result)";
}

def Cleave_LinearOp : Composite<"linear"> {
  let summary = "Matrix product with optional bias";
  let description = [{
    Contracts the last `contracting` dimensions (1 unless given) of `input` with
    the first of `weight`: `[..., K] x [K, N...] -> [..., N...]`, then adds `bias`, of the shape
    of the trailing result dimensions that come from `weight`.
    Sums are in f32 for f16 and bf16.

    When a contracted dimension is sharded, the bias enters after the reduction.
  }];
  let arguments = (ins Cleave_FloatTensor:$input, Cleave_FloatTensor:$weight,
                       Optional<Cleave_FloatTensor>:$bias,
                       DefaultValuedAttr<I64Attr, "1">:$contracting);
  let results = (outs Cleave_FloatTensor:$result);
  let assemblyFormat = [{
    $input `,` $weight (`bias` $bias^)? (`contracting` `=` $contracting^)? attr-dict
    `:` functional-type(operands, results)
  }];
  let hasVerifier = 1;
}

def Cleave_LayerNormOp : Composite<"layer_norm", [AllTypesMatch<["input", "result"]>]> {
  let summary = "Layer normalisation over the last dimension";
  let description = [{
    (x - mean) / sqrt(variance + epsilon) * scale + bias, with the biased
    variance. Over a sharded dimension ranks gather (mean, M2), two numbers per
    row, and merge them in rank order by Chan's formula (Chan, Golub, LeVeque:
    Updating Formulae and a Pairwise Algorithm for Computing Sample Variances, 1979).
  }];
  let arguments = (ins Cleave_FloatTensor:$input, Cleave_FloatTensor:$scale,
                       Cleave_FloatTensor:$bias, F64Attr:$epsilon);
  let results = (outs Cleave_FloatTensor:$result);
  let assemblyFormat = [{
    $input `,` $scale `,` $bias `,` `epsilon` `=` $epsilon attr-dict
    `:` functional-type(operands, results)
  }];
  let hasVerifier = 1;
}

def Cleave_RmsNormOp : Composite<"rms_norm", [AllTypesMatch<["input", "result"]>]> {
  let summary = "Root-mean-square normalisation over the last dimension";
  let description = [{ x / sqrt(mean(x^2) + epsilon) * scale. }];
  let arguments = (ins Cleave_FloatTensor:$input, Cleave_FloatTensor:$scale, F64Attr:$epsilon);
  let results = (outs Cleave_FloatTensor:$result);
  let assemblyFormat = [{
    $input `,` $scale `,` `epsilon` `=` $epsilon attr-dict `:` functional-type(operands, results)
  }];
  let hasVerifier = 1;
}

def Cleave_SoftmaxOp : Composite<"softmax", [SameOperandsAndResultType]> {
  let summary = "Softmax along one dimension";
  let description = [{
    exp(x - max) / sum(exp(x - max)); a row of -inf gives NaN. Over a sharded
    dimension: one all_reduce of the maximum, one of the sum.
  }];
  let arguments = (ins Cleave_FloatTensor:$input, I64Attr:$dim);
  let results = (outs Cleave_FloatTensor:$result);
  let assemblyFormat = "$input `,` `dim` `=` $dim attr-dict `:` type($result)";
  let hasVerifier = 1;
}

def Cleave_GeluOp : Composite<"gelu", [SameOperandsAndResultType]> {
  let summary = "Gaussian error linear unit";
  let description = [{
    `erf`: 0.5 x (1 + erf(x / sqrt(2))); `tanh`: 0.5 x (1 + tanh(sqrt(2/pi) (x + 0.044715 x^3))).
  }];
  let arguments = (ins Cleave_FloatTensor:$input,
                       DefaultValuedAttr<Cleave_GeluForm, "::cleave::graph::GeluForm::Erf">:$form);
  let results = (outs Cleave_FloatTensor:$result);
  let assemblyFormat = "$input (`form` `=` $form^)? attr-dict `:` type($result)";
}
def Cleave_SiluOp : UnaryComposite<"silu"> { let summary = "x * logistic(x)"; }
def Cleave_ReluOp : UnaryComposite<"relu"> { let summary = "max(x, 0); NaN stays NaN"; }

def Cleave_AttentionOp : Composite<"attention"> {
  let summary = "Scaled dot-product attention";
  let description = [{
    `query` [batch, s, heads, d], `key` [batch, t, groups, d], `value` [batch, t, groups, e]
    -> [batch, s, heads, e]. heads = groups * r: query head h uses group h / r (grouped-query
    attention; Ainslie et al., 2023). `scale` is 1 / sqrt(d) unless given.
    `mask` [batch or 1, heads or 1, s or 1, t] is added to the scaled scores before
    softmax; one of i1 replaces those where it is false by `fill`, -inf unless
    given. With `causal`, position i sees positions j <= i + t - s; not together with `fill`.
  }];
  let arguments = (ins Cleave_FloatTensor:$query, Cleave_FloatTensor:$key,
                       Cleave_FloatTensor:$value,
                       Optional<Cleave_TensorOf<[I1, Cleave_Float], "floats or i1">>:$mask,
                       UnitAttr:$causal, OptionalAttr<F64Attr>:$scale,
                       OptionalAttr<F64Attr>:$fill);
  let results = (outs Cleave_FloatTensor:$result);
  let assemblyFormat = [{
    $query `,` $key `,` $value (`mask` $mask^)? (`causal` $causal^)? (`scale` `=` $scale^)?
    (`fill` `=` $fill^)? attr-dict `:` functional-type(operands, results)
  }];
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    /// Whether the mask is of i1, and so selects instead of being added.
    bool hasSelectingMask();
    /// What a selecting mask puts where it is false.
    double getHiddenScore();
  }];
}

def Cleave_RotaryEmbeddingOp : Composite<"rotary_embedding", [AllTypesMatch<["input", "result"]>]> {
  let summary = "Rotary position embedding";
  let description = [{
    `input` [batch, s, heads, d], d even, `positions` [s] or [batch, s]. With
    a = position * base^(-2i/d), pairs (x[i], x[i + d/2]) are rotated by the
    angle a (Su et al., RoFormer, 2021, in the half-split layout).
  }];
  let arguments = (ins Cleave_FloatTensor:$input, Cleave_IntTensor:$positions,
                       DefaultValuedAttr<F64Attr, "10000.0">:$base);
  let results = (outs Cleave_FloatTensor:$result);
  let assemblyFormat = [{
    $input `,` $positions (`base` `=` $base^)? attr-dict `:` functional-type(operands, results)
  }];
  let hasVerifier = 1;
}

def Cleave_EmbeddingOp : Composite<"embedding"> {
  let summary = "Rows of a table";
  let description = [{
    `table` [v, e], `ids` [...] -> [..., e]; ids are clamped to [0, v). A table
    sharded over rows is looked up locally and summed over ranks.
  }];
  let arguments = (ins Cleave_FloatTensor:$table, Cleave_IntTensor:$ids);
  let results = (outs Cleave_FloatTensor:$result);
  let assemblyFormat = "$table `,` $ids attr-dict `:` functional-type(operands, results)";
  let hasVerifier = 1;
}

def Cleave_CrossEntropyOp : Composite<"cross_entropy"> {
  let summary = "Negative log-likelihood of labels under softmax";
  let description = [{
    `logits` [..., v], `labels` [...] -> loss [...]: log(sum(exp(x))) - x[label],
    computed with the maximum subtracted. Labels are clamped to [0, v).
  }];
  let arguments = (ins Cleave_FloatTensor:$logits, Cleave_IntTensor:$labels);
  let results = (outs Cleave_FloatTensor:$result);
  let assemblyFormat = "$logits `,` $labels attr-dict `:` functional-type(operands, results)";
  let hasVerifier = 1;
}

#endif // CLEAVE_GRAPH_COMPOSITES_TD
