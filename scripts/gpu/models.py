# ===- models.py - Models on a GPU, right and fast ------------*- python -*-===#
#
# Part of the Cleave Project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===-----------------------------------------------------------------------===#
"""Blocks of GPT-2 and Llama, MiniLM and ResNet-50: small ones are verified, and those
of full size timed, on one rank by NCCL and on four of one process."""

import functools
import importlib.util
import json
import os
import sys

from programs import median, verify
from table import SOURCE, last_line, script

sys.path.append(str(SOURCE / "test/exec/minilm"))
from megatron import sharding_options  # pylint: disable=wrong-import-position

MESH = "data=2,model=2"
# Blocks of transformers, as they are timed and as they are checked.
SIZES = {
    "gpt2": {"batch": 8, "tokens": 1024, "hidden": 768, "heads": 12, "groups": 12, "inner": 3072},
    "llama": {"batch": 1, "tokens": 2048, "hidden": 4096, "heads": 32, "groups": 8, "inner": 14336},
}
SMALL = {"batch": 2, "tokens": 8, "hidden": 32, "heads": 4, "groups": 2, "inner": 64}
BLOCK_CUTS = {
    "x": "data,-,-", "query.in": "-,model,-", "key.in": "-,model,-", "value.in": "-,model,-",
    "attention.out": "model,-,-", "up.in": "-,model", "down.out": "model,-",
}
IMAGE_CUTS = {"x": "data,-,-,-", "*.a.kernel": "-,-,-,model", "*.b.kernel": "-,-,model,-"}
EXPORT = """
import pathlib, sys
import run, safetensors
from models import MODELS
model = MODELS["resnet"](sys.argv[1])
pathlib.Path(sys.argv[3], "model.mlir").write_text(run.export(model, run.parse_mesh(sys.argv[2])))
safetensors.write(pathlib.Path(sys.argv[3], "weights.safetensors"), run.named_arguments(model.arguments))
"""


def options_of(cuts):
    options = ["--mesh", MESH]
    for name, dims in cuts.items():
        options += ["--shard", f"{name}={dims}"]
    return options


def label_of(model, full):
    return model.label if full else f"small {model.label}"


class Block:
    cuts = options_of(BLOCK_CUTS)
    inputs = ("--random-inputs", "1")

    def __init__(self, check, name, fake_ranks):
        self.check, self.name, self.label = check, name, f"{name} block"
        self.fake_ranks = fake_ranks

    def make(self, full, _):
        """The program and its options of inputs; None if it cannot be made."""
        path = self.check.folder / f"{self.name}{'-full' if full else ''}.mlir"
        size = SIZES[self.name] if full else SMALL
        sizes = [part for key, value in size.items() for part in (f"--{key}", value)]
        command = [*script("test/exec/cuda/Inputs/blocks.py"), self.name, *sizes, "-o", path]
        return (path, self.inputs) if self.check.make(label_of(self, full), command, 20) else None


class MiniLM:
    label, cuts, fake_ranks = "MiniLM", sharding_options(MESH), 1

    def __init__(self, check):
        self.check, self.made = check, {}

    def make(self, full, _):
        if full not in self.made:
            self.made[full] = self.write(full)
        return self.made[full]

    def write(self, full):
        folder = self.check.folder / ("minilm-full" if full else "minilm")
        size = ["--models", SOURCE / "build/models"] if full else ["--tiny"]
        size += ["--layers", "1"] if self.check.fake else []
        command = [*script("test/exec/minilm/minilm.py"), *size, "-o", folder]
        label = f"make {label_of(self, full)}"
        # Other programs do without numpy.
        has_numpy = importlib.util.find_spec("numpy") is not None
        if self.check.step(label, command, 60, figures=self.kind, needed=has_numpy) is None:
            return None
        files = ["--weights", folder / "weights.safetensors", "--input", f"ids={folder / 'ids.npy'}"]
        return folder / "model.mlir", [*files, "--input", f"mask={folder / 'mask.npy'}"]

    @staticmethod
    def kind(text):
        return "published weights" if "published" in text else "random weights"


class ResNet:
    """By the generator that needs nothing; from JAX, too, if that is installed."""

    cuts, fake_ranks = options_of(IMAGE_CUTS), 1

    def __init__(self, check, jax=None):
        self.check, self.jax = check, jax
        self.label = "ResNet-50 from JAX" if jax else "ResNet-50"
        if jax:
            # Its program says how it is cut.
            self.cuts = []

    def make(self, full, ranks):
        size = "full" if full else "small"
        if not self.jax:
            path = self.check.folder / f"resnet-{size}.mlir"
            command = [*script("test/exec/convolution/resnet.py"), "-o", path, *([] if full else ["--small"])]
            made = self.check.make(label_of(self, full), command, 20)
            return (path, ("--random-inputs", "1")) if made else None
        folder = self.check.folder / f"jax-{size}-{ranks}"
        folder.mkdir(exist_ok=True)
        places = os.pathsep.join((str(self.jax), str(SOURCE / "test/jax")))
        command = [sys.executable, "-c", EXPORT, size, MESH if ranks == 4 else "data=1", folder]
        label = f"export {self.label}, {size}"
        if self.check.step(label, command, 60, {"PYTHONPATH": places}, needed=False) is None:
            return None
        return folder / "model.mlir", ["--weights", folder / "weights.safetensors"]


@functools.lru_cache
def blocks(check):
    return [Block(check, "gpt2", 1), Block(check, "llama", 4)]


@functools.lru_cache
def demos(check):
    found = [MiniLM(check), ResNet(check)]
    jax = SOURCE / "build/jax"
    if (jax / "jax").is_dir() and not check.fake:
        found.append(ResNet(check, jax))
    return found


def on_ranks(check, models):
    """Pairs of a model and 1 or 4 ranks; with the library of test/fake-cuda, which is
    slow, either."""
    return [(model, ranks) for model in models for ranks in (1, 4) if not check.fake or ranks == model.fake_ranks]


def name_of(model, ranks):
    return f"{model.label}, {ranks} rank{'s' if ranks > 1 else ''}"


def verify_models(check):
    for model, ranks in on_ranks(check, blocks(check) + demos(check)):
        made = model.make(False, ranks)
        if made is None:
            check.add(f"verify {name_of(model, ranks)}", "left out", "there is no program")
            continue
        options = ["--communicator", "nccl"] if ranks == 1 else model.cuts
        verify(check, name_of(model, ranks), made[0], options, made[1])


def time_models(check, models):
    for model, ranks in on_ranks(check, models):
        name = name_of(model, ranks)
        made = model.make(not check.fake, ranks)
        if made is None:
            check.add(f"time {name}", "left out", "there is no program")
            continue
        path, inputs = made
        out = check.folder / "outputs"
        communicator, cuts = ("nccl", []) if ranks == 1 else ("local", model.cuts)
        has_reference = isinstance(model, MiniLM)
        more = ["--output-dir", out] if has_reference else []
        if median(check, name, path, communicator, cuts, inputs, more) and has_reference:
            compare(check, name, out / "embedding.npy", path.parent / "reference.npy")


def compare(check, name, result, reference):
    """The embeddings beside those of numpy in float64, of values up to 1."""
    command = [*script("test/exec/minilm/compare.py"), result, reference]
    check.step(f"numbers of {name}", command, figures=str.strip)


def time_blocks(check):
    for block in blocks(check):
        time_models(check, [block])
        if not check.fake:
            command = [*script("scripts/gpu/torch_blocks.py"), block.name, json.dumps(SIZES[block.name])]
            check.step(f"PyTorch, {block.label}", command, 90, figures=last_line, needed=False)


def time_demos(check):
    time_models(check, demos(check))
