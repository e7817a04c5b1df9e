#!/usr/bin/python3
# ===- linear_algebra.py - JAX's linear algebra as programs ---*- python -*-===#
#
# Part of the Cleave Project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===-----------------------------------------------------------------------===#
"""linear_algebra.py CLEAVE FOLDER [--only NAME] [--kind float32]... [-- OPTIONS OF CHECK]

Writes a self-checking program for each function below, as JAX exports it, with
JAX's own results (signs of vectors included, but of eig and schur) as what it expects within 1e-4 in
f32 and 1e-8 in f64, and runs `cleave check` on them. Needs jax.

The programs of other platforms are written too, with the results of this one,
where these do not depend on the library.
"""

import argparse
import re

import jax
import jax.numpy as jnp
import jax.scipy.linalg as jsl
import numpy as np
from jax import lax

from programs import check, parse_options, self_checking, used_arguments

jax.config.update("jax_enable_x64", True)
RANDOM = np.random.RandomState(5)


def normal(*shape, kind=np.float32):
    value = RANDOM.standard_normal(shape)
    if np.issubdtype(kind, np.complexfloating):
        value = value + 1j * RANDOM.standard_normal(shape)
    return value.astype(kind)


def loss(function):
    """A number that depends on all results, but not on signs of vectors."""

    def total(*arguments):
        leaves = jax.tree.leaves(function(*arguments))
        return sum(jnp.sum(abs(x) ** 3) for x in leaves if x.dtype.kind in "fc")

    return total


def functions(kind):
    square, tall, wide = normal(3, 4, 4, kind=kind), normal(3, 5, 3, kind=kind), normal(3, 3, 5, kind=kind)
    right, one, many = normal(3, 4, 2, kind=kind), normal(6, 6, kind=kind), normal(2, 3, 40, 40, kind=kind)
    lines = normal(3, 3, 5, kind=kind)
    is_complex = np.issubdtype(kind, np.complexfloating)
    singular = square.copy()
    singular[1] = 0
    low_rank = (tall[..., :1] @ wide[:, :1, :]).astype(kind)
    definite = (square @ square.swapaxes(-1, -2).conj() + 4 * np.eye(4)).astype(kind)

    linalg = jnp.linalg
    yield "solve", linalg.solve, (square, right), True
    yield "inv", linalg.inv, (square,), True
    yield "det", linalg.det, (square,), True
    yield "det_of_singular", linalg.det, (singular,), True
    yield "slogdet", linalg.slogdet, (square,), True
    yield "lu", jsl.lu, (one,), True
    yield "lu_of_batch", jax.vmap(jsl.lu_factor), (many[0],), True
    yield "lu_of_tall", lax.linalg.lu, (tall,), True
    yield "lu_of_wide", lax.linalg.lu, (wide,), True
    yield "lu_solve", lambda a, b: jsl.lu_solve(jsl.lu_factor(a), b, trans=2), (one, one[:, :2]), True
    yield "cholesky", linalg.cholesky, (definite,), True
    yield "cho_solve", lambda a, b: jsl.cho_solve(jsl.cho_factor(a), b), (definite[0], right[0]), True
    yield "matrix_power", lambda a: linalg.matrix_power(a, -2), (square,), True
    yield "expm", jsl.expm, (square,), True
    yield "qr", linalg.qr, (tall,), True
    yield "qr_of_wide", linalg.qr, (wide,), True
    yield "qr_complete", lambda a: linalg.qr(a, mode="complete"), (tall,), True
    yield "qr_of_many", linalg.qr, (many,), True
    yield "r", lambda a: linalg.qr(a, mode="r"), (tall,), True
    yield "householder_product", lax.linalg.householder_product, (tall, lines[:, :, 0]), True
    packed, taus = linalg.qr(tall, mode="raw")
    packed = packed.swapaxes(-1, -2)
    for left in (True, False):
        for transpose in (False, True):
            yield (
                f"ormqr{'_left' * left}{'_transposed' * transpose}",
                lambda a, taus, c, left=left, transpose=transpose: lax.linalg.ormqr(
                    a, taus, c, left=left, transpose=transpose
                ),
                (packed, taus, normal(3, *((5, 2) if left else (2, 5)), kind=kind)),
                True,
            )
    yield "ormqr_without_a_reflection", lax.linalg.ormqr, (tall[0], np.zeros(3, kind), tall[1]), True
    yield "qr_multiply", jsl.qr_multiply, (tall[0], normal(2, 5, kind=kind)), True
    yield "eigvalsh", linalg.eigvalsh, (square,), True
    yield "eigh", linalg.eigh, (square,), False
    yield "eigh_of_upper", lambda a: linalg.eigh(a, UPLO="U", symmetrize_input=False), (square,), False
    yield "eigh_of_many", linalg.eigh, (many,), False
    yield "svdvals", lambda a: linalg.svd(a, compute_uv=False), (tall,), True
    yield "svd", lambda a: linalg.svd(a, full_matrices=False), (tall,), False
    yield "svd_of_wide", lambda a: linalg.svd(a, full_matrices=False), (wide,), False
    yield "svd_full", linalg.svd, (tall[:, :4],), False
    yield "svd_of_many", lambda a: linalg.svd(a[0, :2]), (many,), False
    yield "pinv", linalg.pinv, (tall,), True
    yield "pinv_of_low_rank", linalg.pinv, (low_rank,), True
    yield "matrix_rank", linalg.matrix_rank, (low_rank,), True
    yield "lstsq", lambda a, b: linalg.lstsq(a, b)[0], (tall[0], tall[1]), True
    yield "cond", linalg.cond, (tall,), True
    yield "norms", lambda a: [linalg.norm(a, p, axis=(1, 2)) for p in (2, -2, "nuc")], (tall,), True
    yield "polar", lambda a: jsl.polar(a)[0], (tall[0],), True
    # Signs of Schur vectors and eigenvectors depend on the version of LAPACK.
    output = "complex" if is_complex else "real"
    yield "schur", lambda a: [abs(x) for x in jsl.schur(a, output=output)], (one,), False
    if not is_complex:
        yield "sqrtm", jsl.sqrtm, (definite[0],), False
    yield "eig", lambda a: (linalg.eigvals(a), abs(linalg.eig(a)[1])), (one,), False
    yield "eigvals", lambda a: linalg.eigvals(a), (square,), False
    yield "hessenberg", lambda a: jsl.hessenberg(a, calc_q=True), (one,), False
    yield "tridiagonal", lambda a: lax.linalg.tridiagonal(a)[:3], (square,), False
    yield "tridiagonal_solve", lax.linalg.tridiagonal_solve, (lines[0], lines[1] + 4, lines[2], tall), True
    yield "pivoted_qr", lambda a: jsl.qr(a, pivoting=True), (tall[0],), False
    for name, function, arguments in (
        ("solve", linalg.solve, (square, right)),
        ("inv", linalg.inv, (square,)),
        ("slogdet", lambda a: linalg.slogdet(a)[1], (square,)),
        ("qr", lambda a: linalg.qr(a)[1], (tall,)),
        ("eigvalsh", linalg.eigvalsh, (square,)),
        ("svdvals", lambda a: linalg.svd(a, compute_uv=False), (tall,)),
        ("pinv", linalg.pinv, (tall,)),
        ("cholesky", linalg.cholesky, (definite,)),
    ):
        if not is_complex:
            yield f"grad_{name}", jax.grad(loss(function)), arguments, name not in ("eigvalsh", "pinv")


def expectation(value):
    if value.dtype.kind not in "fc":
        return ["eq"]
    largest = max(1.0, float(abs(value).max())) if value.size else 1.0
    single = value.dtype.itemsize == (8 if value.dtype.kind == "c" else 4)
    return ["almost_eq", f"tolerance = {largest * (1e-4 if single else 1e-8):.12f} : f64"]


def program(function, arguments, platform):
    leaves, tree = jax.tree.flatten(arguments)

    def flat(*values):
        return jax.tree.leaves(function(*jax.tree.unflatten(tree, values)))

    traced = jax.jit(flat).trace(*leaves)
    text = traced.lower(lowering_platforms=(platform,)).as_text()
    expected = [np.asarray(value) for value in jax.jit(flat)(*leaves)]
    inputs = used_arguments(text, [np.asarray(leaf) for leaf in leaves])
    return self_checking(text, inputs, expected, expectation)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--only", default="")
    parser.add_argument("--kind", action="append")
    options = parse_options(parser)
    for kind in (np.float32, np.float64, np.complex64, np.complex128):
        if options.kind and kind.__name__ not in options.kind:
            continue
        for name, function, values, is_unique in functions(kind):
            if not re.search(options.only, name):
                continue
            for platform in ("cpu", "cuda", "tpu") if is_unique else ("cpu",):
                try:
                    text = program(function, values, platform)
                except (NotImplementedError, StopIteration) as problem:
                    print(f"left out {name} {kind.__name__} {platform}: {problem}")
                    continue
                path = options.folder / f"{name}_{kind.__name__}_{platform}.mlir"
                path.write_text(text)
    check(options)


if __name__ == "__main__":
    main()
