# ===- programs.py - Programs with their inputs as constants --*- python -*-===#
#
# Part of the Cleave Project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===-----------------------------------------------------------------------===#
"""What scripts share that write self-checking programs from JAX's text."""

import re

import numpy as np

ELEMENTS = {
    **{"bool": "i1", "float16": "f16", "bfloat16": "bf16", "float32": "f32"},
    **{"float64": "f64", "complex64": "complex<f32>", "complex128": "complex<f64>"},
    **{f"int{bits}": f"i{bits}" for bits in (8, 16, 32, 64)},
    **{f"uint{bits}": f"ui{bits}" for bits in (8, 16, 32, 64)},
    **{f"float8_{kind}": f"f8{kind.upper()}"
       for kind in ("e3m4", "e4m3", "e4m3b11fnuz", "e4m3fn", "e4m3fnuz", "e5m2", "e5m2fnuz", "e8m0fnu")},
}


def type_of(value):
    """None for what StableHLO has no type for, such as keys."""
    element = ELEMENTS.get(str(value.dtype))
    return element and f"tensor<{''.join(f'{size}x' for size in value.shape)}{element}>"


def constant(name, value):
    if value.size == 0:
        text = ""
    elif value.dtype == bool:
        text = str(value.tolist()).lower()
    else:
        text = f'"0x{np.ascontiguousarray(value).tobytes().hex().upper()}"'
    return f"    %{name} = stablehlo.constant dense<{text}> : {type_of(value)}\n"


def used_arguments(text, values):
    """JAX leaves arguments out that a function does not use."""
    signature = re.search(r"func\.func public @main\((.*?)\) -> \(", text, re.S).group(1)
    used, rest = [], iter(values)
    for kind in re.findall(r"%arg\d+: (tensor<\S*>)", signature):
        used.append(next(value for value in rest if type_of(value) == kind))
    return used
