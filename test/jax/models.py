# ===- models.py - Models and training steps written in JAX ----------------=== #
#
# Part of the Cleave Project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===-----------------------------------------------------------------------=== #
#
# Each model is a function of named arguments, with a size for tests and the
# size of the published model. Arguments are nested dictionaries of arrays.
#
# ===-----------------------------------------------------------------------=== #
"""Models as users of JAX write them: functions of dictionaries of arrays."""

import dataclasses
from typing import Callable

import jax
import jax.numpy as jnp
import numpy as np


@dataclasses.dataclass
class Model:
    """A function, its arguments, and how they are sharded.

    specs maps the last part of an argument's path to a tuple with one entry
    per dimension: None, 'data' or 'model'. What it does not name is whole.
    """

    name: str
    function: Callable
    arguments: dict
    specs: dict


class Weights:
    """Random weights of the usual scale, from a seed."""

    def __init__(self, seed):
        self.random = np.random.default_rng(seed)

    def normal(self, *shape, scale=0.02):
        return (self.random.standard_normal(shape) * scale).astype(np.float32)

    def tokens(self, vocabulary, *shape):
        return self.random.integers(0, vocabulary, shape).astype(np.int32)


def layer_norm(x, weights, eps=1e-5):
    mean = x.mean(-1, keepdims=True)
    variance = jnp.square(x - mean).mean(-1, keepdims=True)
    normal = (x - mean) * jax.lax.rsqrt(variance + eps)
    return normal * weights["gamma"] + weights["beta"]


def norm_weights(width):
    return {"gamma": np.ones(width, np.float32), "beta": np.zeros(width, np.float32)}


def linear(x, weights):
    return x @ weights["kernel"] + weights["bias"]


def split_heads(x, heads):
    batch, length, width = x.shape
    return x.reshape(batch, length, heads, width // heads).transpose(0, 2, 1, 3)


def join_heads(x):
    batch, heads, length, width = x.shape
    return x.transpose(0, 2, 1, 3).reshape(batch, length, heads * width)


def attend(q, k, v, mask=None):
    scores = q @ k.swapaxes(-1, -2) / np.sqrt(q.shape[-1]).astype(np.float32)
    if mask is not None:
        scores = jnp.where(mask, scores, -1e9)
    return jax.nn.softmax(scores, axis=-1) @ v


# ===-----------------------------------------------------------------------=== #
# Transformers with learned positions: GPT-2, BERT, ViT
# ===-----------------------------------------------------------------------=== #

TRANSFORMER_SPECS = {
    "tokens": ("data", None),
    "images": ("data", None, None, None),
    "q.kernel": (None, "model"),
    "k.kernel": (None, "model"),
    "v.kernel": (None, "model"),
    "q.bias": ("model",),
    "k.bias": ("model",),
    "v.bias": ("model",),
    "o.kernel": ("model", None),
    "up.kernel": (None, "model"),
    "up.bias": ("model",),
    "down.kernel": ("model", None),
}


def block_weights(w, width, hidden):
    def dense(n, m):
        return {"kernel": w.normal(n, m), "bias": w.normal(m)}

    return {
        "norm1": norm_weights(width),
        "norm2": norm_weights(width),
        "q": dense(width, width),
        "k": dense(width, width),
        "v": dense(width, width),
        "o": dense(width, width),
        "up": dense(width, hidden),
        "down": dense(hidden, width),
    }


def self_attention(x, weights, heads, mask):
    q, k, v = (split_heads(linear(x, weights[n]), heads) for n in "qkv")
    return linear(join_heads(attend(q, k, v, mask)), weights["o"])


def feed_forward(x, weights, approximate):
    hidden = jax.nn.gelu(linear(x, weights["up"]), approximate=approximate)
    return linear(hidden, weights["down"])


def pre_norm_block(x, weights, heads, mask):
    x = x + self_attention(layer_norm(x, weights["norm1"]), weights, heads, mask)
    return x + feed_forward(layer_norm(x, weights["norm2"]), weights, True)


def post_norm_block(x, weights, heads, mask):
    x = layer_norm(x + self_attention(x, weights, heads, mask), weights["norm1"])
    return layer_norm(x + feed_forward(x, weights, False), weights["norm2"])


def gpt2_arguments(w, vocabulary, length, width, layers, batch):
    params = {
        "wte": w.normal(vocabulary, width),
        "wpe": w.normal(length, width),
        "norm": norm_weights(width),
    }
    for i in range(layers):
        params[f"h{i}"] = block_weights(w, width, 4 * width)
    return {"params": params, "tokens": w.tokens(vocabulary, batch, length)}


def gpt2_forward(params, tokens, layers, heads):
    length = tokens.shape[1]
    x = params["wte"][tokens] + params["wpe"][:length]
    mask = jnp.tril(jnp.ones((length, length), bool))
    for i in range(layers):
        x = pre_norm_block(x, params[f"h{i}"], heads, mask)
    return layer_norm(x, params["norm"]) @ params["wte"].T


GPT2_SIZES = {
    "small": dict(vocabulary=96, length=16, width=32, layers=2, heads=4, batch=4),
    "full": dict(vocabulary=50257, length=128, width=768, layers=12, heads=12, batch=4),
}


def gpt2(size):
    c = GPT2_SIZES[size]
    heads = c["heads"]
    arguments = gpt2_arguments(
        Weights(1), c["vocabulary"], c["length"], c["width"], c["layers"], c["batch"]
    )

    def function(params, tokens):
        return gpt2_forward(params, tokens, c["layers"], heads)

    return Model("gpt2", function, arguments, TRANSFORMER_SPECS)


def gpt2_decode(size):
    """One token with a key/value cache, which is returned with it added."""
    c = GPT2_SIZES[size]
    heads, layers, width = c["heads"], c["layers"], c["width"]
    w = Weights(2)
    arguments = gpt2_arguments(
        w, c["vocabulary"], c["length"], width, layers, c["batch"]
    )
    shape = (c["batch"], heads, c["length"], width // heads)
    arguments["tokens"] = w.tokens(c["vocabulary"], c["batch"], 1)
    arguments["cache"] = {
        f"h{i}": {"keys": w.normal(*shape), "values": w.normal(*shape)}
        for i in range(layers)
    }
    arguments["position"] = np.int32(c["length"] // 2)

    def function(params, tokens, cache, position):
        x = params["wte"][tokens] + params["wpe"][position]
        mask = jnp.arange(c["length"]) <= position
        updated = {}
        for i in range(layers):
            weights, old = params[f"h{i}"], cache[f"h{i}"]
            normal = layer_norm(x, weights["norm1"])
            q, k, v = (split_heads(linear(normal, weights[n]), heads) for n in "qkv")
            zero = jnp.zeros_like(position)
            at = (zero, zero, position, zero)
            keys = jax.lax.dynamic_update_slice(old["keys"], k, at)
            values = jax.lax.dynamic_update_slice(old["values"], v, at)
            updated[f"h{i}"] = {"keys": keys, "values": values}
            attended = join_heads(attend(q, keys, values, mask))
            x = x + linear(attended, weights["o"])
            x = x + feed_forward(layer_norm(x, weights["norm2"]), weights, True)
        return layer_norm(x, params["norm"]) @ params["wte"].T, updated

    specs = dict(
        TRANSFORMER_SPECS,
        keys=("data", "model", None, None),
        values=("data", "model", None, None),
    )
    return Model("gpt2_decode", function, arguments, specs)


def bert(size):
    c = {
        "small": dict(vocabulary=64, length=12, width=32, layers=2, heads=4, batch=4),
        "full": dict(vocabulary=30522, length=128, width=768, layers=12, heads=12, batch=4),
    }[size]
    w = Weights(3)
    params = {
        "words": w.normal(c["vocabulary"], c["width"]),
        "positions": w.normal(c["length"], c["width"]),
        "types": w.normal(2, c["width"]),
        "norm": norm_weights(c["width"]),
        "pooler": {"kernel": w.normal(c["width"], c["width"]), "bias": w.normal(c["width"])},
    }
    for i in range(c["layers"]):
        params[f"h{i}"] = block_weights(w, c["width"], 4 * c["width"])
    lengths = w.random.integers(4, c["length"] + 1, c["batch"])
    arguments = {
        "params": params,
        "tokens": w.tokens(c["vocabulary"], c["batch"], c["length"]),
        "lengths": lengths.astype(np.int32),
    }

    def function(params, tokens, lengths):
        x = params["words"][tokens] + params["positions"] + params["types"][0]
        x = layer_norm(x, params["norm"])
        mask = (jnp.arange(c["length"]) < lengths[:, None])[:, None, None, :]
        for i in range(c["layers"]):
            x = post_norm_block(x, params[f"h{i}"], c["heads"], mask)
        return x, jnp.tanh(linear(x[:, 0], params["pooler"]))

    return Model("bert", function, arguments, dict(TRANSFORMER_SPECS, lengths=("data",)))


def vit(size):
    c = {
        "small": dict(image=8, patch=4, width=32, layers=2, heads=4, batch=4, classes=10),
        "full": dict(image=224, patch=16, width=768, layers=12, heads=12, batch=4, classes=1000),
    }[size]
    w = Weights(4)
    patches = (c["image"] // c["patch"]) ** 2
    params = {
        "patches": {
            "kernel": w.normal(c["patch"], c["patch"], 3, c["width"]),
            "bias": w.normal(c["width"]),
        },
        "class": w.normal(1, 1, c["width"]),
        "positions": w.normal(patches + 1, c["width"]),
        "norm": norm_weights(c["width"]),
        "head": {"kernel": w.normal(c["width"], c["classes"]), "bias": w.normal(c["classes"])},
    }
    for i in range(c["layers"]):
        params[f"h{i}"] = block_weights(w, c["width"], 4 * c["width"])
    images = w.normal(c["batch"], c["image"], c["image"], 3, scale=1.0)

    def function(params, images):
        x = jax.lax.conv_general_dilated(
            images,
            params["patches"]["kernel"],
            (c["patch"], c["patch"]),
            "VALID",
            dimension_numbers=("NHWC", "HWIO", "NHWC"),
        )
        x = (x + params["patches"]["bias"]).reshape(c["batch"], patches, c["width"])
        first = jnp.broadcast_to(params["class"], (c["batch"], 1, c["width"]))
        x = jnp.concatenate([first, x], axis=1) + params["positions"]
        for i in range(c["layers"]):
            x = pre_norm_block(x, params[f"h{i}"], c["heads"], None)
        return linear(layer_norm(x, params["norm"])[:, 0], params["head"])

    return Model("vit", function, {"params": params, "images": images}, TRANSFORMER_SPECS)


# ===-----------------------------------------------------------------------=== #
# Llama-style block, mixture of experts
# ===-----------------------------------------------------------------------=== #


def rms_norm(x, gamma, eps=1e-6):
    return x * jax.lax.rsqrt(jnp.square(x).mean(-1, keepdims=True) + eps) * gamma


def rotate(x):
    """Rotary embedding (Su et al., 2021) of positions along dimension 2."""
    length, width = x.shape[2], x.shape[3]
    frequency = 10000.0 ** (-jnp.arange(0, width, 2, dtype=jnp.float32) / width)
    angle = jnp.arange(length, dtype=jnp.float32)[:, None] * frequency
    sine, cosine = jnp.sin(angle).astype(x.dtype), jnp.cos(angle).astype(x.dtype)
    low, high = jnp.split(x, 2, axis=-1)
    return jnp.concatenate(
        [low * cosine - high * sine, high * cosine + low * sine], axis=-1
    )


def llama(size):
    c = {
        "small": dict(width=32, heads=4, groups=2, hidden=64, length=16, batch=4),
        "full": dict(width=4096, heads=32, groups=8, hidden=14336, length=128, batch=2),
    }[size]
    w = Weights(5)
    head = c["width"] // c["heads"]
    params = {
        "norm1": np.ones(c["width"], np.float32),
        "norm2": np.ones(c["width"], np.float32),
        "q": w.normal(c["width"], c["width"]),
        "k": w.normal(c["width"], c["groups"] * head),
        "v": w.normal(c["width"], c["groups"] * head),
        "o": w.normal(c["width"], c["width"]),
        "gate": w.normal(c["width"], c["hidden"]),
        "up": w.normal(c["width"], c["hidden"]),
        "down": w.normal(c["hidden"], c["width"]),
    }
    x = w.normal(c["batch"], c["length"], c["width"], scale=1.0)

    def function(params, x):
        normal = rms_norm(x, params["norm1"])
        q = rotate(split_heads(normal @ params["q"], c["heads"]))
        k = rotate(split_heads(normal @ params["k"], c["groups"]))
        v = split_heads(normal @ params["v"], c["groups"])
        repeat = c["heads"] // c["groups"]
        k, v = jnp.repeat(k, repeat, axis=1), jnp.repeat(v, repeat, axis=1)
        mask = jnp.tril(jnp.ones((c["length"], c["length"]), bool))
        x = x + join_heads(attend(q, k, v, mask)) @ params["o"]
        normal = rms_norm(x, params["norm2"])
        hidden = jax.nn.silu(normal @ params["gate"]) * (normal @ params["up"])
        return x + hidden @ params["down"]

    cut, joined = (None, "model"), ("model", None)
    specs = dict(x=("data", None, None), q=cut, k=cut, v=cut, gate=cut, up=cut,
                 o=joined, down=joined)
    return Model("llama", function, {"params": params, "x": x}, specs)


def moe(size):
    """The two best experts of each token, weighted by a softmax of their scores."""
    c = {
        "small": dict(width=16, hidden=32, experts=4, batch=4, length=8),
        "full": dict(width=1024, hidden=4096, experts=8, batch=4, length=128),
    }[size]
    w = Weights(6)
    params = {
        "router": w.normal(c["width"], c["experts"], scale=1.0),
        "up": w.normal(c["experts"], c["width"], c["hidden"]),
        "down": w.normal(c["experts"], c["hidden"], c["width"]),
    }
    x = w.normal(c["batch"], c["length"], c["width"], scale=1.0)

    def function(params, x):
        values, chosen = jax.lax.top_k(x @ params["router"], 2)
        weights = jax.nn.softmax(values, axis=-1)
        choice = jax.nn.one_hot(chosen, c["experts"], dtype=x.dtype)
        gates = jnp.einsum("blk,blke->ble", weights, choice)
        hidden = jax.nn.silu(jnp.einsum("blw,ewh->bleh", x, params["up"]))
        outputs = jnp.einsum("bleh,ehw->blew", hidden, params["down"])
        return jnp.einsum("blew,ble->blw", outputs, gates)

    specs = dict(x=("data", None, None), up=("model", None, None), down=("model", None, None))
    return Model("moe", function, {"params": params, "x": x}, specs)


# ===-----------------------------------------------------------------------=== #
# Convolutions
# ===-----------------------------------------------------------------------=== #


def convolve(x, kernel, stride=1):
    return jax.lax.conv_general_dilated(
        x, kernel, (stride, stride), "SAME", dimension_numbers=("NHWC", "HWIO", "NHWC")
    )


def batch_norm(x, weights):
    scale = weights["gamma"] * jax.lax.rsqrt(weights["variance"] + 1e-5)
    return (x - weights["mean"]) * scale + weights["beta"]


def resnet(size):
    """ResNet with bottleneck blocks (He et al., 2015), for inference."""
    c = {
        "small": dict(image=16, width=8, stages=(1, 1), batch=4, classes=10),
        "full": dict(image=224, width=64, stages=(3, 4, 6, 3), batch=4, classes=1000),
    }[size]
    w = Weights(7)

    def conv(n, m, k):
        scale = np.sqrt(2.0 / (k * k * n)).astype(np.float32)
        return {
            "kernel": w.normal(k, k, n, m, scale=scale),
            "norm": {
                "gamma": np.ones(m, np.float32),
                "beta": w.normal(m),
                "mean": w.normal(m),
                "variance": 1 + abs(w.normal(m)),
            },
        }

    params = {"stem": conv(3, c["width"], 7)}
    channels = c["width"]
    blocks = []
    for stage, count in enumerate(c["stages"]):
        inner = c["width"] * 2**stage
        for i in range(count):
            name = f"s{stage}b{i}"
            stride = 2 if i == 0 and stage > 0 else 1
            params[name] = {
                "a": conv(channels, inner, 1),
                "b": conv(inner, inner, 3),
                "c": conv(inner, 4 * inner, 1),
            }
            if i == 0:
                params[name]["skip"] = conv(channels, 4 * inner, 1)
            channels = 4 * inner
            blocks.append((name, stride))
    params["head"] = {"kernel": w.normal(channels, c["classes"]), "bias": w.normal(c["classes"])}
    images = w.normal(c["batch"], c["image"], c["image"], 3, scale=1.0)

    def apply(x, weights, stride=1):
        return batch_norm(convolve(x, weights["kernel"], stride), weights["norm"])

    def function(params, images):
        x = jax.nn.relu(apply(images, params["stem"], 2))
        x = jax.lax.reduce_window(
            x, -jnp.inf, jax.lax.max, (1, 3, 3, 1), (1, 2, 2, 1), "SAME"
        )
        for name, stride in blocks:
            weights = params[name]
            y = jax.nn.relu(apply(x, weights["a"]))
            y = jax.nn.relu(apply(y, weights["b"], stride))
            y = apply(y, weights["c"])
            if "skip" in weights:
                x = apply(x, weights["skip"], stride)
            x = jax.nn.relu(x + y)
        return linear(x.mean((1, 2)), params["head"])

    specs = {
        "images": ("data", None, None, None),
        "a.kernel": (None, None, None, "model"),
        "b.kernel": (None, None, "model", None),
    }
    return Model("resnet", function, {"params": params, "images": images}, specs)


# ===-----------------------------------------------------------------------=== #
# Training steps
# ===-----------------------------------------------------------------------=== #


def cross_entropy(logits, labels):
    chosen = jnp.take_along_axis(jax.nn.log_softmax(logits), labels[..., None], -1)
    return -chosen.mean()


def sgd(loss, rate=0.1):
    def step(params, batch):
        value, gradients = jax.value_and_grad(loss)(params, batch)
        return value, jax.tree.map(lambda p, g: p - rate * g, params, gradients)

    return step


def adam(loss, rate=1e-3, b1=0.9, b2=0.999, eps=1e-8):
    """Adam (Kingma and Ba, 2014) at a given step."""

    def step(params, first, second, count, batch):
        value, gradients = jax.value_and_grad(loss)(params, batch)
        first = jax.tree.map(lambda m, g: b1 * m + (1 - b1) * g, first, gradients)
        second = jax.tree.map(lambda v, g: b2 * v + (1 - b2) * g * g, second, gradients)
        dtype = jax.tree.leaves(params)[0].dtype
        t = count.astype(dtype) + 1
        scale1, scale2 = 1 / (1 - b1**t), 1 / (1 - b2**t)
        params = jax.tree.map(
            lambda p, m, v: p - rate * (m * scale1) / (jnp.sqrt(v * scale2) + eps),
            params, first, second,
        )
        return value, params, first, second

    return step


def with_adam(name, loss, model):
    """The same training step as `model`, by Adam in the midst of a training."""
    w = Weights(9)
    params = model.arguments["params"]
    arguments = {
        "params": params,
        "first": jax.tree.map(lambda p: w.normal(*p.shape, scale=1e-3), params),
        "second": jax.tree.map(lambda p: abs(w.normal(*p.shape, scale=1e-5)) + 1e-6, params),
        "count": np.int32(7),
        "batch": model.arguments["batch"],
    }
    return Model(name, adam(loss), arguments, model.specs)


def gpt2_loss(size):
    model = gpt2(size)

    def loss(params, batch):
        logits = model.function(params, batch["tokens"])
        return cross_entropy(logits, batch["labels"])

    return loss


def gpt2_train_sgd(size):
    c = GPT2_SIZES[size]
    model = gpt2(size)
    tokens = model.arguments["tokens"]
    labels = Weights(8).tokens(c["vocabulary"], *tokens.shape)
    arguments = {
        "params": model.arguments["params"],
        "batch": {"tokens": tokens, "labels": labels},
    }
    specs = dict(TRANSFORMER_SPECS, labels=("data", None))
    return Model("gpt2_train_sgd", sgd(gpt2_loss(size)), arguments, specs)


def gpt2_train_adam(size):
    return with_adam("gpt2_train_adam", gpt2_loss(size), gpt2_train_sgd(size))


def cnn_loss(params, batch):
    """Of a small network with two convolutions, pooling and a dense layer."""

    def pool(x):
        return jax.lax.reduce_window(
            x, -jnp.inf, jax.lax.max, (1, 2, 2, 1), (1, 2, 2, 1), "VALID"
        )

    x = pool(jax.nn.relu(convolve(batch["images"], params["conv1"])))
    x = pool(jax.nn.relu(convolve(x, params["conv2"])))
    logits = linear(x.reshape(x.shape[0], -1), params["dense"])
    return cross_entropy(logits, batch["labels"])


def cnn_train_sgd(size):
    c = {
        "small": dict(image=12, width=8, batch=4, classes=10),
        "full": dict(image=28, width=32, batch=64, classes=10),
    }[size]
    w = Weights(10)
    inner = c["image"] // 4
    params = {
        "conv1": w.normal(3, 3, 1, c["width"], scale=0.3),
        "conv2": w.normal(3, 3, c["width"], 2 * c["width"], scale=0.1),
        "dense": {
            "kernel": w.normal(inner * inner * 2 * c["width"], c["classes"], scale=0.1),
            "bias": w.normal(c["classes"]),
        },
    }
    arguments = {
        "params": params,
        "batch": {
            "images": w.normal(c["batch"], c["image"], c["image"], 1, scale=1.0),
            "labels": w.tokens(c["classes"], c["batch"]),
        },
    }

    specs = {
        "images": ("data", None, None, None),
        "labels": ("data",),
        "conv1": (None, None, None, "model"),
        "conv2": (None, None, "model", None),
    }
    return Model("cnn_train_sgd", sgd(cnn_loss), arguments, specs)


def cnn_train_adam(size):
    return with_adam("cnn_train_adam", cnn_loss, cnn_train_sgd(size))


MODELS = {
    f.__name__: f
    for f in (
        gpt2, gpt2_decode, bert, resnet, vit, llama, moe,
        gpt2_train_sgd, gpt2_train_adam, cnn_train_sgd, cnn_train_adam,
    )
}
