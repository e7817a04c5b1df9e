#!/usr/bin/python3
# ===- factors.py - Products whose operands are rounded -------- -*- python -*-===#
#
# Part of the Cleave Project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===-----------------------------------------------------------------------===#
"""factors.py CLEAVE FAKE MODEL FOLDER

For each type of products: a program computes what numpy does from rounded operands,
and `cleave verify` accepts it with a bound that a shorter type does not keep.
"""

import json
import pathlib
import shutil
import subprocess
import sys

import fake
import numpy

cleave, library, model, folder = sys.argv[1:]
shutil.rmtree(folder, ignore_errors=True)


def keep_bits(array, bits):
    """Rounded to so many bits after the point, halves to even."""
    lost = 23 - bits
    words = array.astype(numpy.float32).view(numpy.uint32).astype(numpy.uint64)
    words += (1 << (lost - 1)) - 1 + ((words >> lost) & 1)
    return (words >> lost << lost).astype(numpy.uint32).view(numpy.float32).astype(float)


ROUND = {
    "none": lambda array: array.astype(float),
    "tf32": lambda array: keep_bits(array, 10),
    "bf16": lambda array: keep_bits(array, 7),
    "f16": lambda array: array.astype(numpy.float16).astype(float),
}
UNIT = {"none": 2.0**-24, "tf32": 2.0**-11, "bf16": 2.0**-8, "f16": 2.0**-11}
SHAPES = {"x": (24, 40), "w": (40, 16), "q": (1, 32, 2, 16), "k": (1, 64, 2, 16), "v": (1, 64, 2, 32)}


def write_inputs(name, scale=1.0):
    random = numpy.random.default_rng(1)
    arrays = {key: random.standard_normal(shape).astype(numpy.float32) for key, shape in SHAPES.items()}
    arrays["x"] *= numpy.float32(scale)
    arrays["d"], arrays["e"] = random.standard_normal((24, 40)), random.standard_normal((40, 16))
    arguments = []
    for key, array in arrays.items():
        path = pathlib.Path(folder, f"{name}-{key}.npy")
        numpy.save(path, array)
        arguments += ["--input", f"{key}={path}"]
    return arrays, arguments


def verify(program, arguments):
    """Exit status and, by output, what verify says."""
    command = [cleave, "verify", model, "--target", "cuda:sm_90", "--json", *program.options, *arguments]
    done = subprocess.run(command, env=program.environment(), stdout=subprocess.PIPE, text=True)
    report = json.loads(done.stdout)
    return done.returncode, {output["name"]: output for output in report["outputs"]}, report.get("products", "none")


def error_of(actual, expected):
    return numpy.abs(actual - expected).max() / numpy.abs(expected).max()


pathlib.Path(folder).mkdir(parents=True)
arrays, arguments = write_inputs("plain")
_, large = write_inputs("large", 2.0**17)
exact = arrays["x"].astype(float) @ arrays["w"].astype(float)
reports = {}
for products, rounded in ROUND.items():
    options = [] if products == "none" else ["--products", products]
    phase_options = "" if products == "none" else f"products={products}"
    own = pathlib.Path(folder, products)
    own.mkdir()
    program = fake.Program(cleave, library, model, own, options, phase_options)
    outputs = program.outputs(*arguments)
    expected = rounded(arrays["x"]) @ rounded(arrays["w"])
    if error_of(outputs["product"], expected) > 1e-6:
        sys.exit(f"{products}: not the product of rounded operands: {error_of(outputs['product'], expected)}")
    if error_of(outputs["double"], arrays["d"] @ arrays["e"]) > 1e-14:
        sys.exit(f"{products}: products of f64 are rounded")
    if (products != "none") != (error_of(expected, exact) > UNIT[products] / 4):
        sys.exit(f"{products}: the numbers tell nothing of rounding")
    status, reports[products], said = verify(program, arguments)
    if status or said != products:
        sys.exit(f"{products}: verify ended with {status} and said {said}: {reports[products]}")
    # Of 40 terms of either sign: no more than their roundings at their worst.
    for name in ("product", "attention"):
        if products != "none" and reports[products][name]["bound"] > 8 * UNIT[products]:
            sys.exit(f"{products}: bound of {name} is {reports[products][name]['bound']}")
    # What overflows in f16 alone is wrong.
    status, report, _ = verify(program, large)
    if status != (products == "f16") or report["product"]["ok"] == (products == "f16"):
        sys.exit(f"{products}: verify of large numbers ended with {status}")

for shorter, longer in (("bf16", "tf32"), ("bf16", "f16"), ("tf32", "none"), ("f16", "none")):
    error, bound = reports[shorter]["product"]["error"], reports[longer]["product"]["bound"]
    if error <= bound:
        sys.exit(f"the error of {shorter}, {error}, is within the bound of {longer}, {bound}")
# Attention takes operands of tf32 for all.
errors = {products: report["attention"]["error"] for products, report in reports.items()}
if not errors["none"] < 2.0**-14 < errors["tf32"] or len({errors[p] for p in ("tf32", "bf16", "f16")}) != 1:
    sys.exit(f"errors of attention: {errors}")
print("products of", ", ".join(reports))
