#!/usr/bin/python3
# ===- megatron.py - How MiniLM is cut ---------------------- -*- python -*-===#
#
# Part of the Cleave Project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===-----------------------------------------------------------------------===#
"""Options that cut the encoder over mesh axes called data and model.

RUN: %python -m doctest %s
"""

import re

# Megatron's split (Shoeybi et al., 2019): attention by heads, the feed-forward
# layer by its inner dimension, the word table by rows.
SHARDS = {
    "data": ["ids=data,-", "mask=data,-"],
    "model": [
        "embeddings.word.weight=model,-",
        "*.query.weight=-,model,-",
        "*.query.bias=model,-",
        "*.key.weight=-,model,-",
        "*.key.bias=model,-",
        "*.value.weight=-,model,-",
        "*.value.bias=model,-",
        "*.attention.output.weight=model,-,-",
        "*.ffn.up.weight=-,model",
        "*.ffn.up.bias=model",
        "*.ffn.down.weight=model,-",
    ],
}


def sharding_options(mesh):
    """Of `cleave`, for a mesh such as data=2,model=2; none for none.

    >>> sharding_options("data=3")
    ['--mesh', 'data=3', '--shard', 'ids=data,-', '--shard', 'mask=data,-']
    >>> sharding_options("")
    []
    """
    if not mesh:
        return []
    options = ["--mesh", mesh]
    for axis in re.findall(r"(\w+)=", mesh):
        for shard in SHARDS[axis]:
            options += ["--shard", shard]
    return options
