# ===- hlo_collectives.py - Collectives of a compiled HLO module -----------=== #
#
# Part of the Cleave Project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===-----------------------------------------------------------------------=== #
"""Counts the collectives of XLA's compiled HLO text and the bytes that each
device receives, with the formulas of `cleave explain`, k being the size of a
group: (k-1)/k of the whole buffer for all_gather and reduce_scatter, twice
that for all_reduce, (k-1)/k of a device's buffer for all_to_all, a device's
buffer for collective_permute.

RUN: %python %s
"""

import dataclasses
import math
import re

KINDS = ("all_reduce", "all_gather", "reduce_scatter", "all_to_all", "collective_permute")

BITS = {"pred": 8, "c64": 64, "c128": 128}


@dataclasses.dataclass
class Instruction:
    name: str
    shapes: str
    opcode: str
    operands: list
    attributes: str


@dataclasses.dataclass
class Computation:
    instructions: dict
    is_entry: bool


def bytes_of(shapes):
    """Bytes of a shape, or of a tuple of shapes."""
    total = 0
    for element, dims in re.findall(r"([a-z]+[0-9a-z]*)\[([0-9,<=]*)\]", shapes):
        bits = BITS.get(element) or int(re.search(r"\d+", element)[0])
        sizes = [int(d.strip("<=")) for d in dims.split(",") if d]
        total += math.prod(sizes) * bits // 8
    return total


def closing(text, start):
    """The position of the parenthesis that closes the one at `start`."""
    depth = 0
    for i in range(start, len(text)):
        depth += (text[i] == "(") - (text[i] == ")")
        if depth == 0:
            return i
    raise ValueError(f"unbalanced: {text}")


def parse_instruction(line):
    match = re.match(r"\s+(?:ROOT )?%?([\w.-]+) = ", line)
    if not match:
        return None
    rest = line[match.end():]
    end = closing(rest, 0) + 1 if rest[0] == "(" else rest.index(" ")
    shapes, rest = rest[:end], rest[end:].strip()
    start = rest.index("(")
    end = closing(rest, start)
    operands = re.findall(r"%([\w.-]+)", rest[start:end])
    if rest[:start] == "parameter":
        operands = [rest[start + 1:end]]
    return Instruction(match[1], shapes, rest[:start], operands, rest[end + 1:])


def parse(text):
    """Computations by name, each with its instructions by name."""
    computations, current = {}, None
    for line in re.sub(r"/\*.*?\*/", "", text).split("\n"):
        header = re.match(r"(ENTRY )?%?([\w.-]+) \(.*\{$", line)
        if header:
            current = computations[header[2]] = Computation({}, bool(header[1]))
        elif current and (instruction := parse_instruction(line)):
            current.instructions[instruction.name] = instruction
    return computations


def group_size(attributes, kind):
    """Devices of one group; for a permutation, whether anything moves."""
    if kind == "collective_permute":
        pairs = re.search(r"source_target_pairs=\{(.*?)\}\}?", attributes)[1]
        moves = re.findall(r"\{?(\d+),(\d+)", pairs)
        return 2 if any(source != target for source, target in moves) else 1
    if match := re.search(r"replica_groups=\{\{([\d,]*)\}", attributes):
        return len(match[1].split(","))
    if match := re.search(r"replica_groups=\[\d+,(\d+)\]<=", attributes):
        return int(match[1])
    if match := re.search(r"replica_groups=mesh\[(.*?)\].*?\{('.*?)\}", attributes):
        sizes = dict(re.findall(r"'(\w+)'=(\d+)", match[1]))
        axes = re.findall(r"'(\w+)'", match[2])
        return math.prod(int(sizes[axis]) for axis in axes)
    raise ValueError(f"unknown groups: {attributes}")


def is_cut(computations, computation, name, whole, size):
    """Whether all that is read of a value is the device's slice of it."""
    users = [i for i in computation.instructions.values() if name in i.operands]
    for user in users:
        if user.opcode in ("bitcast", "copy", "reshape"):
            if not is_cut(computations, computation, user.name, whole, size):
                return False
        elif user.opcode == "dynamic-slice":
            if bytes_of(user.shapes) * size != whole:
                return False
        elif user.opcode == "fusion":
            inner = computations[re.search(r"calls=%?([\w.-]+)", user.attributes)[1]]
            for position, operand in enumerate(user.operands):
                parameter = next(
                    i.name for i in inner.instructions.values()
                    if i.opcode == "parameter" and i.operands == [str(position)]
                )
                if operand == name and not is_cut(computations, inner, parameter, whole, size):
                    return False
        else:
            return False
    return bool(users)


def pieces(computation, instruction):
    """(shapes, name) of each result of a collective."""
    if not instruction.shapes.startswith("("):
        return [(instruction.shapes, instruction.name)]
    parts = re.findall(r"[a-z]+[0-9a-z]*\[[0-9,<=]*\]", instruction.shapes)
    names = {}
    for user in computation.instructions.values():
        if user.opcode == "get-tuple-element" and instruction.name in user.operands:
            names[int(re.search(r"index=(\d+)", user.attributes)[1])] = user.name
    return [(part, names.get(i)) for i, part in enumerate(parts)]


def of_instruction(computations, computation, instruction):
    """(kind, bytes) of what a collective moves; several for a tuple."""
    kind = instruction.opcode.removesuffix("-start").replace("-", "_")
    if kind not in KINDS:
        return
    size = group_size(instruction.attributes, kind)
    if size == 1:
        return
    if kind == "all_to_all" and instruction.shapes.startswith("("):
        # One piece for each device.
        yield kind, bytes_of(instruction.shapes) * (size - 1) // size
        return
    for shapes, name in pieces(computation, instruction):
        whole = bytes_of(shapes)
        part = whole * (size - 1) // size
        if kind == "all_reduce":
            if name and is_cut(computations, computation, name, whole, size):
                yield "reduce_scatter", part
            else:
                yield kind, 2 * part
        elif kind == "reduce_scatter":
            yield kind, whole * (size - 1)
        else:
            yield kind, whole if kind == "collective_permute" else part


def count(text):
    """{kind: [number, bytes]}, bodies of loops as often as they run. Members
    of a combined collective count as one each, as in Cleave's buckets."""
    computations = parse(text)
    totals = {}

    def visit(name, times):
        computation = computations[name]
        for instruction in computation.instructions.values():
            for kind, moved in of_instruction(computations, computation, instruction):
                total = totals.setdefault(kind, [0, 0])
                total[0] += times
                total[1] += times * moved
            inner = times
            if instruction.opcode == "while":
                trips = re.search(r'"known_trip_count":\{"n":"(\d+)"', instruction.attributes)
                if not trips:
                    raise ValueError(f"no trip count: {instruction.name}")
                inner *= int(trips[1])
            if instruction.opcode in ("while", "call", "conditional", "fusion"):
                called = r"(?:body|calls|to_apply|\w+_computation)=%?([\w.-]+)"
                for callee in re.findall(called, instruction.attributes):
                    visit(callee, inner)

    for name, computation in computations.items():
        if computation.is_entry:
            visit(name, 1)
    return totals


SELF_TEST = """HloModule m, is_scheduled=true

%add (a: f32[], b: f32[]) -> f32[] {
  %a = f32[] parameter(0)
  %b = f32[] parameter(1)
  ROOT %s = f32[] add(%a, %b)
}

%cut (p0: f32[8,4], p1: u32[]) -> f32[2,4] {
  %p0 = f32[8,4]{1,0} parameter(0)
  %p1 = u32[] parameter(1)
  ROOT %d = f32[2,4]{1,0} dynamic-slice(%p0, %p1, %p1), dynamic_slice_sizes={2,4}
}

%body (t: (s32[], f32[2,4])) -> (s32[], f32[2,4]) {
  %t = (s32[], f32[2,4]{1,0}) parameter(0)
  %x = f32[2,4]{1,0} get-tuple-element(%t), index=1
  %p = f32[2,4]{1,0} collective-permute(%x), channel_id=5, source_target_pairs={{0,1},{1,0}}
  ROOT %r = (s32[], f32[2,4]{1,0}) tuple(%x, %p)
}

ENTRY %main (x: f32[8,4]) -> f32[2,4] {
  %x = f32[8,4]{1,0} parameter(0)
  %r0 = f32[8,4]{1,0} all-reduce(%x), replica_groups={{0,1,2,3}}, to_apply=%add
  %f = f32[2,4]{1,0} fusion(%r0, %x), kind=kLoop, calls=%cut
  %r1 = (f32[4]{0}, /*index=1*/f32[]) all-reduce(%x, %x), replica_groups=[2,2]<=[4], to_apply=%add
  %g = f32[4]{0} get-tuple-element(%r1), index=0
  %h = bf16[8,4]{1,0} all-gather(%f), replica_groups=mesh['a'=2,'b'=2], device_ids=([2,2]T(1,0)) {'b'}, dimensions={0}
  %w = (s32[], f32[2,4]{1,0}) while(%x), condition=%add, body=%body, backend_config={"known_trip_count":{"n":"3"}}
  ROOT %o = f32[2,4]{1,0} copy(%f)
}
"""


def self_test():
    assert count(SELF_TEST) == {
        "reduce_scatter": [1, 96],
        "all_reduce": [2, 2 * (8 + 2)],
        "all_gather": [1, 32],
        "collective_permute": [3, 3 * 32],
    }
    # What is read as a whole, too, stays an all_reduce.
    text = SELF_TEST.replace("copy(%f)", "slice(%r0)")
    assert count(text)["all_reduce"] == [3, 192 + 20]


if __name__ == "__main__":
    self_test()
