# ===- torch_blocks.py - The same blocks in PyTorch -----------*- python -*-===#
#
# Part of the Cleave Project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===-----------------------------------------------------------------------===#
"""torch_blocks.py gpt2|llama SIZES

Prints the median times of a block in PyTorch, eager and compiled.
"""

import json
import statistics
import sys
import time

import torch
import torch.nn.functional as F

NAME, SIZE = sys.argv[1], json.loads(sys.argv[2])
B, S, H, N, G, INNER = (SIZE[key] for key in ("batch", "tokens", "hidden", "heads", "groups", "inner"))
D = H // N


def make(*shape):
    return torch.randn(*shape, device="cuda") / shape[0] ** 0.5


WQ, WK, WV, WO = make(H, H), make(H, G * D), make(H, G * D), make(H, H)
UP, GATE, DOWN, SCALE = make(H, INNER), make(H, INNER), make(INNER, H), make(H)


def attend(x):
    q, k, v = ((x @ w).view(B, S, n, D).transpose(1, 2) for w, n in ((WQ, N), (WK, G), (WV, G)))
    k, v = (y.repeat_interleave(N // G, dim=1) for y in (k, v))
    return F.scaled_dot_product_attention(q, k, v, is_causal=True).transpose(1, 2).reshape(B, S, H) @ WO


def gpt2(x):
    x = x + attend(F.layer_norm(x, (H,), SCALE, SCALE))
    return x + F.gelu(F.layer_norm(x, (H,), SCALE, SCALE) @ UP, approximate="tanh") @ DOWN


def llama(x):
    x = x + attend(F.rms_norm(x, (H,), SCALE))
    y = F.rms_norm(x, (H,), SCALE)
    return x + (F.silu(y @ GATE) * (y @ UP)) @ DOWN


def milliseconds_of(function, x):
    """The median time of a call after some that warm up."""
    times = []
    for _ in range(15):
        torch.cuda.synchronize()
        begin = time.perf_counter()
        function(x)
        torch.cuda.synchronize()
        times.append(time.perf_counter() - begin)
    return statistics.median(times[5:]) * 1e3


def main():
    block, x = {"gpt2": gpt2, "llama": llama}[NAME], make(B, S, H)
    figures = f"eager {milliseconds_of(block, x):.3f} ms"
    try:
        figures += f", compiled {milliseconds_of(torch.compile(block), x):.3f} ms"
    except Exception as error:  # pylint: disable=broad-except
        # It wants a compiler, and may have none.
        figures += f", not compiled: {type(error).__name__}"
    print(figures)


main()
