# ===- programs.py - Programs with their inputs as constants --*- python -*-===#
#
# Part of the Cleave Project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===-----------------------------------------------------------------------===#
"""What scripts share that write self-checking programs from JAX's text, and
check them."""

import pathlib
import re
import subprocess
import sys

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


def self_checking(text, inputs, expected, expectation):
    """JAX's `text` with a main that compares its results for `inputs` with the
    `expected` ones. `expectation(value)` is the name of a check, and attributes
    for it."""
    names = [f"%r#{i}" if len(expected) > 1 else "%r" for i in range(len(expected))]
    main = "  func.func public @main() {\n"
    main += "".join(constant(f"in{i}", value) for i, value in enumerate(inputs))
    main += "".join(constant(f"expected{i}", value) for i, value in enumerate(expected))
    main += f"    %r{f':{len(expected)}' if len(expected) > 1 else ''} = call @impl("
    main += ", ".join(f"%in{i}" for i in range(len(inputs)))
    main += f") : ({', '.join(map(type_of, inputs))}) -> ({', '.join(map(type_of, expected))})\n"
    for i, value in enumerate(expected):
        check, *attributes = expectation(value)
        attributes = ", ".join(["has_side_effect = true", *attributes])
        main += (
            f"    stablehlo.custom_call @check.expect_{check}({names[i]}, %expected{i})"
            f" {{{attributes}}} : ({type_of(value)}, {type_of(value)}) -> ()\n"
        )
    text = text.replace("func.func public @main", "func.func private @impl", 1)
    end = text.rindex("}")
    return text[:end] + main + "    return\n  }\n" + text[end:]


def parse_options(parser):
    """The options of a script, with those of `cleave check`, which follow `--`,
    as `for_check`. Makes the folder for programs."""
    arguments = sys.argv[1:]
    end = arguments.index("--") if "--" in arguments else len(arguments)
    parser.add_argument("cleave")
    parser.add_argument("folder", type=pathlib.Path)
    options = parser.parse_args(arguments[:end])
    options.for_check = arguments[end + 1 :]
    options.folder.mkdir(parents=True, exist_ok=True)
    return options


def check(options):
    """Ends with the status of `cleave check` on all programs."""
    command = [options.cleave, "check", options.folder, *options.for_check]
    sys.exit(subprocess.run(command).returncode)
