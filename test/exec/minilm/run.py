#!/usr/bin/python3
# ===- run.py - Runs MiniLM sharded and checks the result ----*- python -*-===#
#
# Part of the Cleave Project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===-----------------------------------------------------------------------===#
"""Runs `cleave run` on the folder that minilm.py wrote, with data parallelism
over the mesh axis `data` and tensor parallelism over `model`, and compares the
embeddings with the reference. With --verify `cleave verify` compares them, too.

RUN: %python %s --self-test
"""

import argparse
import pathlib
import re
import subprocess
import sys

from compare import compare
from megatron import sharding_options


def call(cleave, name, folder, mesh, extra):
    """Whether a command of `cleave` on the model ends with status 0."""
    command = [cleave, name, folder / "model.mlir", *sharding_options(mesh)]
    command += ["--weights", folder / "weights.safetensors"]
    command += ["--input", f"ids={folder / 'ids.npy'}"]
    command += ["--input", f"mask={folder / 'mask.npy'}", *extra]
    print("+", *command, flush=True)
    status = subprocess.run(command).returncode
    if status != 0:
        print(f"FAIL: cleave ended with status {status}")
    return status == 0


def run(cleave, folder, mesh, extra, bound):
    out = folder / ("out-" + re.sub(r"\W", "", mesh or "serial"))
    if not call(cleave, "run", folder, mesh, ["--output-dir", out, *extra]):
        return False
    return compare(out / "embedding.npy", folder / "reference.npy", bound)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("cleave", nargs="?", help="the cleave tool")
    parser.add_argument("folder", nargs="?", type=pathlib.Path)
    parser.add_argument("--mesh", default="", help="e.g. data=2,model=2")
    parser.add_argument("--bound", type=float, default=1e-5)
    parser.add_argument("--verify", action="store_true", help="also by `cleave verify`")
    parser.add_argument("--self-test", action="store_true")
    options, extra = parser.parse_known_args()
    if options.self_test:
        assert sharding_options("") == []
        assert "ids=data,-" in sharding_options("data=2")
        assert "*.ffn.up.bias=model" not in sharding_options("data=2")
        assert len(sharding_options("data=2,model=2")) == 2 + 2 * 13
        return 0
    if not options.folder:
        parser.error("the tool and a folder are needed")
    good = run(options.cleave, options.folder, options.mesh, extra, options.bound)
    if options.verify:
        good &= call(options.cleave, "verify", options.folder, options.mesh, extra)
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
