# ===- minilm_onnx.py - The sentence encoder for onnxruntime -*- python -*-===#
#
# Part of the Cleave Project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===-----------------------------------------------------------------------===#
"""The model that minilm.py of test/exec/minilm wrote as an ONNX graph, with the
same weights: node by node what PyTorch's exporter makes of the published model,
so that the graph optimisers of onnxruntime find the patterns they know. Pooling
and normalisation are part of it. Needs the packages onnx and onnxruntime;
fusing needs sympy, too.

REQUIRES: onnxruntime
RUN: rm -rf %t && %python %source/test/exec/minilm/minilm.py --tiny -o %t
RUN: %python %s --tiny %t
"""

import argparse
import math
import pathlib
import sys

import numpy as np
import onnx
import onnxruntime
from onnx import TensorProto, helper, numpy_helper

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "exec" / "minilm"))
import minilm


class Graph:
    """Nodes and constants of an ONNX graph under construction."""

    def __init__(self):
        self.nodes, self.constants = [], {}

    def constant(self, value, dtype=np.float32, name=None):
        name = name or f"constant{len(self.constants)}"
        self.constants[name] = np.ascontiguousarray(value, dtype)
        return name

    def __call__(self, kind, *operands, output=None, **attributes):
        output = output or f"{kind.lower()}{len(self.nodes)}"
        self.nodes.append(
            helper.make_node(kind, operands, [output], name=f"node{len(self.nodes)}", **attributes)
        )
        return output


def build(c, weights):
    """The graph; `c` is the Config of minilm.py, `weights` are by its names."""
    add = Graph()

    def weight(name):
        value = weights[name]
        if name.endswith("attention.output.weight"):
            value = value.reshape(c.hidden, c.hidden)
        elif ".attention." in name and value.ndim == 3:
            value = value.reshape(c.hidden, c.hidden)
        elif ".attention." in name and value.ndim == 2:
            value = value.reshape(c.hidden)
        return add.constant(value, name=name)

    def linear(x, name):
        product = add("MatMul", x, weight(name + ".weight"))
        return add("Add", weight(name + ".bias"), product)

    def norm(x, name):
        return add(
            "LayerNormalization", x, weight(name + ".weight"), weight(name + ".bias"),
            axis=-1, epsilon=c.epsilon,
        )

    one = add.constant(1.0)
    two = add.constant([2], np.int64)
    positions = add.constant(np.arange(c.sequence)[None, :], np.int64)
    words = add("Gather", weight("embeddings.word.weight"), "input_ids", axis=0)
    kinds = add("Gather", weight("embeddings.type.weight"), "token_type_ids", axis=0)
    places = add("Gather", weight("embeddings.position.weight"), positions, axis=0)
    x = norm(add("Add", add("Add", words, kinds), places), "embeddings.norm")

    # Padding gets -10000 added to its scores.
    mask = add("Unsqueeze", "attention_mask", add.constant([1], np.int64))
    mask = add("Cast", add("Unsqueeze", mask, two), to=TensorProto.FLOAT)
    penalty = add("Mul", add("Sub", one, mask), add.constant(-10000.0))

    split = add.constant([0, 0, c.heads, c.head_size], np.int64)
    joined = add.constant([0, 0, c.hidden], np.int64)
    for layer in (f"layer{i}." for i in range(c.layers)):
        heads = {}
        for part, order in ("query", (0, 2, 1, 3)), ("key", (0, 2, 3, 1)), ("value", (0, 2, 1, 3)):
            rows = add("Reshape", linear(x, f"{layer}attention.{part}"), split)
            heads[part] = add("Transpose", rows, perm=order)
        scores = add("MatMul", heads["query"], heads["key"])
        scores = add("Div", scores, add.constant(math.sqrt(c.head_size)))
        scores = add("Softmax", add("Add", scores, penalty), axis=-1)
        context = add("Transpose", add("MatMul", scores, heads["value"]), perm=(0, 2, 1, 3))
        context = linear(add("Reshape", context, joined), layer + "attention.output")
        x = norm(add("Add", context, x), layer + "attention.norm")
        up = linear(x, layer + "ffn.up")
        curve = add("Erf", add("Div", up, add.constant(math.sqrt(2))))
        gelu = add("Mul", add("Mul", up, add("Add", curve, one)), add.constant(0.5))
        x = norm(add("Add", linear(gelu, layer + "ffn.down"), x), layer + "ffn.norm")

    # Mean over the tokens that are no padding, scaled to length 1.
    last = add("Cast", add("Unsqueeze", "attention_mask", two), to=TensorProto.FLOAT)
    axis = add.constant([1], np.int64)
    total = add("ReduceSum", add("Mul", x, last), axis, keepdims=0)
    mean = add("Div", total, add("ReduceSum", last, axis, keepdims=0))
    length = add("ReduceL2", mean, axes=[1], keepdims=1)
    add("Div", mean, length, output="embedding")

    shape = (c.batch, c.sequence)
    names = ("input_ids", "attention_mask", "token_type_ids")
    graph = helper.make_graph(
        add.nodes,
        "minilm",
        [helper.make_tensor_value_info(name, TensorProto.INT64, shape) for name in names],
        [helper.make_tensor_value_info("embedding", TensorProto.FLOAT, (c.batch, c.hidden))],
        [numpy_helper.from_array(value, name) for name, value in add.constants.items()],
    )
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)


def fuse(path, c):
    """The path of the graph after the optimiser for transformers that comes with
    onnxruntime, which fuses whole attention blocks; None if it cannot run."""
    try:
        import sympy  # the optimiser fuses less without it
        from onnxruntime.transformers import optimizer
    except ImportError:
        return None
    # Level 0 leaves the general optimisations to the session that loads it.
    fused = optimizer.optimize_model(
        str(path), "bert", num_heads=c.heads, hidden_size=c.hidden, opt_level=0, use_gpu=False
    )
    counts = fused.get_fused_operator_statistics()
    assert counts["Attention"] == c.layers, f"attention was not fused: {counts}"
    result = path.with_name("fused.onnx")
    fused.save_model_to_file(str(result))
    return result


def write(folder, c):
    """Writes the graphs for the weights in `folder` there; returns their paths
    by what they are."""
    model = build(c, minilm.read_safetensors(folder / "weights.safetensors"))
    onnx.checker.check_model(model)
    path = folder / "model.onnx"
    onnx.save_model(model, str(path))
    paths = {"plain": path, "fused": fuse(path, c)}
    return {name: path for name, path in paths.items() if path}


class Runner:
    """An onnxruntime session of one graph with the inputs in `folder`."""

    def __init__(self, path, folder, threads):
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = threads
        options.inter_op_num_threads = 1
        options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_ENABLE_ALL
        options.log_severity_level = 3
        self.session = onnxruntime.InferenceSession(
            str(path), options, providers=["CPUExecutionProvider"]
        )
        ids = np.load(folder / "ids.npy").astype(np.int64)
        mask = np.load(folder / "mask.npy").astype(np.int64)
        feeds = {"input_ids": ids, "attention_mask": mask, "token_type_ids": np.zeros_like(ids)}
        self.feeds = {name.name: feeds[name.name] for name in self.session.get_inputs()}

    def run(self):
        return self.session.run(["embedding"], self.feeds)[0]


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("folder", type=pathlib.Path, help="what minilm.py --output wrote")
    parser.add_argument("--tiny", action="store_true", help="the folder has the small model")
    args = parser.parse_args()
    expected = np.load(args.folder / "reference.npy")
    for name, path in write(args.folder, minilm.TINY if args.tiny else minilm.Config()).items():
        embedding = Runner(path, args.folder, 1).run()
        difference = np.abs(embedding - expected).max()
        print(f"{path}: {difference:.1e} from numpy")
        assert embedding.shape == expected.shape and difference < 1e-5, name


if __name__ == "__main__":
    main()
