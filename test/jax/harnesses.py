#!/usr/bin/python3
# ===- harnesses.py - JAX's own operator tests as programs ----*- python -*-===#
#
# Part of the Cleave Project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===-----------------------------------------------------------------------===#
"""harnesses.py CLEAVE FOLDER [--per-group N] [--seed S] [-- OPTIONS OF CHECK]

Writes self-checking programs for a sample of the cases that JAX tests its
operators with, with JAX's own results as what they expect, and runs `cleave
check` on them. Needs jax and absl-py.

Functions are compared within 1e-3, since JAX's results carry errors of their
own; everything else within 3 representable values, integers bit by bit.
"""

import argparse
import collections
import random
import re
import warnings

import jax
import numpy as np
from jax import tree_util
from jax._src.internal_test_util import test_harnesses

from programs import check, parse_options, self_checking, type_of, used_arguments

# Exported as calls of LAPACK, or iterative with a result that is not unique.
LEFT_OUT = {
    *("approx_top_k", "cholesky", "custom_linear_solve", "eig", "eigh", "lu", "qr"),
    *("random_gamma", "svd", "triangular_solve", "tridiagonal_solve"),
}
FUNCTIONS = {
    *("acos", "acosh", "asin", "asinh", "atan", "atan2", "atanh", "bessel_i0e"),
    *("bessel_i1e", "cbrt", "cos", "cosh", "cumlogsumexp", "digamma", "erf", "erf_inv"),
    *("erfc", "exp", "expm1", "fft", "igamma", "igammac", "lgamma", "log", "log1p"),
    *("logistic", "pow", "regularized_incomplete_beta", "rsqrt", "sin", "sinh", "sqrt"),
    *("tan", "tanh"),
}


def program(harness):
    arguments = harness.dyn_args_maker(np.random.RandomState(3))
    leaves, tree = tree_util.tree_flatten(arguments)

    def flat(*values):
        result = harness.dyn_fun(*tree_util.tree_unflatten(tree, values))
        return tree_util.tree_leaves(result)

    function = jax.jit(flat)
    expected = [np.asarray(value) for value in function(*leaves)]
    text = function.lower(*leaves).as_text()
    inputs = used_arguments(text, [np.asarray(leaf) for leaf in leaves])
    if not all(map(type_of, [*inputs, *expected])):
        raise NotImplementedError("types")

    def expectation(value):
        if value.dtype.name not in ("float16", "bfloat16") and value.dtype.kind not in "fc":
            return ["eq"]
        return ["almost_eq" if harness.group_name in FUNCTIONS else "close"]

    return self_checking(text, inputs, expected, expectation)


def sample(per_group, seed):
    groups = collections.defaultdict(list)
    for harness in test_harnesses.all_harnesses:
        if harness.group_name not in LEFT_OUT:
            groups[harness.group_name].append(harness)
    chooser = random.Random(seed)
    for _, group in sorted(groups.items()):
        chooser.shuffle(group)
        yield from group[:per_group]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--per-group", type=int, default=4)
    parser.add_argument("--seed", type=int, default=1)
    options = parse_options(parser)
    warnings.filterwarnings("ignore")
    jax.config.update("jax_enable_x64", True)
    for harness in sample(options.per_group, options.seed):
        name = re.sub(r"\W+", "_", harness.fullname)[:140]
        try:
            text = program(harness)
        except (NotImplementedError, StopIteration) as problem:
            print(f"left out {name}: {type(problem).__name__} {problem}")
            continue
        (options.folder / f"{name}.mlir").write_text(text)
    check(options)


if __name__ == "__main__":
    main()
