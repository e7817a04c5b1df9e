#!/usr/bin/python3
# ===- resources.py - What GPU kernels of a model need -------*- python -*-===#
#
# Part of the Cleave Project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===-----------------------------------------------------------------------===#
"""resources.py CLEAVE MODEL... [-- OPTIONS OF CLEAVE COMPILE]

Compiles each model for every GPU that there is a target for, and prints a table:
kernels, most registers of a thread, most shared memory of a block, and bytes of
spilled registers, which must be 0.
"""

import pathlib
import re
import subprocess
import sys
import tempfile

CHIPS = ("sm_80", "sm_90", "sm_100")
RESOURCES = re.compile(r"cleave\.gpu_resources = \{([^}]*)\}")


def measure(cleave, model, chip, options):
    """The resources of each kernel, by name."""
    with tempfile.TemporaryDirectory() as folder:
        command = [cleave, "compile", model, "-o", f"{folder}/kernels.ptx", "--emit", "ptx"]
        command += ["--target", f"cuda:{chip}", "--dump-phases", folder, *options]
        subprocess.run(command, check=True)
        (dump,) = pathlib.Path(folder).glob("*-codegen.mlir")
        found = RESOURCES.findall(dump.read_text())
    if not found:
        sys.exit(f"{model}: no kernels for {chip}")
    return [
        {key: int(value) for key, value in re.findall(r"(\w+) = (\d+)", text)} for text in found
    ]


def main():
    arguments = sys.argv[1:]
    options = []
    if "--" in arguments:
        at = arguments.index("--")
        arguments, options = arguments[:at], arguments[at + 1 :]
    cleave, *models = arguments
    print(f"{'model':32} {'chip':7} {'kernels':>7} {'registers':>9} {'shared':>7} {'spilled':>7}")
    spilled = 0
    for model in models:
        for chip in CHIPS:
            kernels = measure(cleave, model, chip, options)
            most = {key: max(kernel[key] for kernel in kernels) for key in kernels[0]}
            print(
                f"{pathlib.Path(model).stem:32} {chip:7} {len(kernels):7} {most['registers']:9}"
                f" {most['shared_bytes']:7} {most['spill_bytes']:7}"
            )
            spilled += most["spill_bytes"]
    if spilled:
        sys.exit("kernels spill registers")


if __name__ == "__main__":
    main()
