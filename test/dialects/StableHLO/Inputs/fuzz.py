# ===- fuzz.py - Mutated programs must not crash the readers --*- python -*-===#
#
# Part of the Cleave Project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===-----------------------------------------------------------------------===#
"""Takes the modules of all .mlir files below FOLDERs, changes some tokens of
each, and reads and converts them with cleave-opt. A crash or a hang is a failure
and is written to OUT; errors are what is wanted."""

import argparse
import pathlib
import random
import re
import subprocess
import sys
import time

PASSES = [
    "-cleave-import-shardy-shardings",
    "-cleave-import-gspmd-shardings",
    "-cleave-convert-stablehlo-to-cleave",
]
COMMAND = ["cleave-opt", "-split-input-file", "-allow-unregistered-dialect", *PASSES]
# Modules that one process reads.
BATCH = 40
# Seconds after which a batch is taken to hang.
PATIENCE = 120
TOKEN = re.compile(r"[A-Za-z_][\w.]*|-?\d+(?:\.\d+)?|%[\w#]+|\S")
NUMBERS = ["0", "1", "-1", "2", "7", "1000000000000", "9223372036854775807"]
NUMBERS += ["-9223372036854775808", "18446744073709551616"]
TYPES = ["f32", "i32", "i1", "complex<f32>", "bf16", "ui8", "i4", "f8E5M2", "?", "0", "-1"]
TYPES += ["index", "!stablehlo.token", "tuple<>", "i7", "si8", "4294967296"]
IS_NUMBER = re.compile(r"-?\d+")
IS_TYPE = re.compile(r"tensor<.*|x?(f|i|ui)\d+|bf16|complex")


def modules(folders):
    for folder in folders:
        for path in sorted(pathlib.Path(folder).rglob("*.mlir")):
            # Long constants would be all that is changed.
            for text in path.read_text(errors="replace").split("// -----"):
                lines = [line for line in text.split("\n") if not line.lstrip().startswith("//")]
                if "func" in text and len(text) < 20000:
                    yield "\n".join(lines)


def mutate(rng, text, words):
    for _ in range(rng.choice([1, 1, 1, 2, 3])):
        tokens = list(TOKEN.finditer(text))
        if not tokens:
            break
        token = rng.choice(tokens)
        kind = rng.random()
        if kind < 0.15:
            new = ""
        elif kind < 0.4:
            new = rng.choice(words)
        elif kind < 0.5:
            new = token[0] + " " + token[0]
        else:
            pattern, values = (IS_NUMBER, NUMBERS) if kind < 0.8 else (IS_TYPE, TYPES)
            fitting = [candidate for candidate in tokens if pattern.fullmatch(candidate[0])]
            if not fitting:
                continue
            token, new = rng.choice(fitting), rng.choice(values)
        text = text[: token.start()] + new + text[token.end() :]
    return text


def survives(texts):
    """Whether cleave-opt ends by itself, with or without errors."""
    try:
        result = subprocess.run(
            [*COMMAND, "-o", "/dev/null"],
            input="\n// -----\n".join(texts).encode(),
            capture_output=True,
            check=False,
            timeout=PATIENCE,
        )
    except subprocess.TimeoutExpired:
        return False
    return result.returncode in (0, 1) and b"Stack dump" not in result.stderr


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folders", nargs="+")
    parser.add_argument("--out", type=pathlib.Path, required=True)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--cases", type=int, default=400)
    parser.add_argument("--seconds", type=float, help="instead of --cases")
    options = parser.parse_args()
    rng = random.Random(options.seed)
    originals = list(modules(options.folders))
    words = [token for text in originals for token in TOKEN.findall(text)]
    assert originals, "no modules"
    end = time.monotonic() + options.seconds if options.seconds else None
    count, found = 0, 0
    while time.monotonic() < end if end else count < options.cases:
        batch = [mutate(rng, rng.choice(originals), words) for _ in range(BATCH)]
        count += len(batch)
        if survives(batch):
            continue
        # A batch that survives in single modules counts, too.
        guilty = [text for text in batch if not survives([text])] or ["\n// -----\n".join(batch)]
        for text in guilty:
            found += 1
            path = options.out / f"seed{options.seed}-{found}.mlir"
            path.write_text(text)
            print(f"crash or hang: {path}")
    print(f"{count} cases, {found} crashes or hangs")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
