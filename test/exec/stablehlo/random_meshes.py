#!/usr/bin/python3
# ===- random_meshes.py - Meshes over the same devices ------*- python -*-===#
#
# Part of the Cleave Project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===---------------------------------------------------------------------===#
"""random_meshes.py CLEAVE DIRECTORY FORM PROGRAMS

Writes programs over several meshes of the same devices, each with axes and an
order of devices of its own: constraints and manual computations over all or
some axes, whose collectives name devices. FORM is `shardy` or `gspmd`, the way
in which shardings are written. What each program computes is simulated here
device by device, as the text says; `cleave check` must find the same integers.

RUN: %python %s %cleave %t.shardy shardy 10
RUN: %python %s %cleave %t.gspmd gspmd 10
"""

import itertools
import os
import random
import subprocess
import sys

import numpy as np


class Mesh:
    """A grid of devices: the device at each place, rows first."""

    def __init__(self, rng, name, devices):
        self.name = name
        self.sizes = []
        rest = devices
        while rest > 1:
            size = rng.choice([s for s in range(2, rest + 1) if rest % s == 0])
            self.sizes.append(size)
            rest //= size
        self.axes = [f"{name}{i}" for i in range(len(self.sizes))]
        self.devices = list(range(devices))
        if rng.random() < 0.6:
            rng.shuffle(self.devices)

    def is_plain(self):
        return self.devices == sorted(self.devices)

    def place(self, device):
        return dict(zip(self.axes, np.unravel_index(self.devices.index(device), self.sizes)))

    def size(self, axes):
        return int(np.prod([self.sizes[self.axes.index(a)] for a in axes], dtype=int))

    def position(self, device, axes):
        place, position = self.place(device), 0
        for axis in axes:
            position = position * self.size([axis]) + int(place[axis])
        return position

    def groups(self, axis):
        """Devices that differ along one axis only, in its order."""
        others = [a for a in self.axes if a != axis]
        groups = {}
        for device in range(len(self.devices)):
            groups.setdefault(self.position(device, others), []).append(device)
        return [sorted(g, key=lambda d: self.position(d, [axis])) for g in groups.values()]

    def grid(self, axes_of_dims):
        """Devices in the order of tiles: dims, then the other axes in order."""
        order = list(itertools.chain(*axes_of_dims))
        return np.array(self.devices).reshape(self.sizes).transpose(
            [self.axes.index(a) for a in order]
        )


def block(array, mesh, cut, device):
    index = []
    for extent, axes in zip(array.shape, cut):
        size = extent // mesh.size(axes)
        start = mesh.position(device, axes) * size
        index.append(slice(start, start + size))
    return tuple(index)


class Shardy:
    def header(self, meshes, devices):
        lines = ["module {"]
        for m in meshes:
            axes = ", ".join(f'"{a}"={s}' for a, s in zip(m.axes, m.sizes))
            ids = "" if m.is_plain() else f", device_ids={m.devices}"
            lines.append(f"  sdy.mesh @{m.name} = <[{axes}]{ids}>")
        return lines

    def sharding(self, mesh, cut, is_open=False):
        dims = []
        for axes in cut:
            names = [f'"{a}"' for a in axes] + (["?"] if is_open else [])
            dims.append("{" + ", ".join(names) + "}")
        return f"<@{mesh.name}, [{', '.join(dims)}]>"

    def constrain(self, value, result, mesh, cut, type_):
        sharding = self.sharding(mesh, cut)
        return [f"    {result} = sdy.sharding_constraint {value} {sharding} : {type_}"]

    def manual(self, value, result, mesh, manual, cut_in, cut_out, types, body):
        type_, local = types
        is_open = len(manual) < len(mesh.axes)
        names = ", ".join(f'"{a}"' for a in manual)
        arg = result + "_l"
        return [
            f"    {result} = sdy.manual_computation({value}) "
            f"in_shardings=[{self.sharding(mesh, cut_in, is_open)}] "
            f"out_shardings=[{self.sharding(mesh, cut_out, is_open)}] "
            f"manual_axes={{{names}}} ({arg}: {local}) {{",
            *body(arg),
            f"      sdy.return {result}_r : {local}",
            f"    }} : ({type_}) -> {type_}",
        ]


class Gspmd:
    def header(self, meshes, devices):
        return [f"module attributes {{mhlo.num_partitions = {devices} : i32}} {{"]

    def tiles(self, mesh, cut, manual=()):
        used = list(itertools.chain(*cut)) + list(manual)
        rest = [a for a in mesh.axes if a not in used]
        sizes = [mesh.size(axes) for axes in cut]
        kinds = []
        for kind, axes in (("manual", manual), ("replicated", rest)):
            if mesh.size(axes) > 1:
                sizes.append(mesh.size(axes))
                kinds.append(kind)
        devices = mesh.grid([*cut, manual, rest]).reshape(-1).tolist()
        text = f"devices={sizes}".replace(" ", "") + ",".join(map(str, devices))
        return "{" + text + (f" last_tile_dims={{{', '.join(kinds)}}}" if kinds else "") + "}"

    def call(self, result, target, value, sharding, from_, to, open_dims=""):
        return (
            f"    {result} = stablehlo.custom_call @{target}({value}) "
            f'{{backend_config = "{open_dims}", mhlo.sharding = "{sharding}"}} : ({from_}) -> {to}'
        )

    def constrain(self, value, result, mesh, cut, type_):
        return [self.call(result, "Sharding", value, self.tiles(mesh, cut), type_, type_)]

    def manual(self, value, result, mesh, manual, cut_in, cut_out, types, body):
        type_, local = types
        is_whole = len(manual) == len(mesh.axes)
        inside = "{manual}" if is_whole else self.tiles(mesh, [[], []], manual)
        open_dims = "" if is_whole else "unspecified_dims=[0,1]"

        def call(result, target, value, sharding, from_, to):
            return self.call(result, target, value, sharding, from_, to, open_dims)

        return [
            call(result + "_a", "Sharding", value, self.tiles(mesh, cut_in), type_, type_),
            call(result + "_l", "SPMDFullToShardShape", result + "_a", inside, type_, local),
            *body(result + "_l"),
            call(result + "_b", "Sharding", result + "_r", inside, local, local),
            call(result, "SPMDShardToFullShape", result + "_b", self.tiles(mesh, cut_out), local, type_),
        ]


def spread(rng, axes):
    """Axes on dimensions, a third of them on none."""
    cut = [[], []]
    for axis in rng.sample(axes, len(axes)):
        dim = rng.randrange(3)
        if dim < 2:
            cut[dim].append(axis)
    return cut


class Program:
    def __init__(self, rng, form):
        self.rng, self.form = rng, form
        self.devices = rng.choice([4, 6, 8])
        self.meshes = [Mesh(rng, name, self.devices) for name in "abc"[: rng.randint(2, 3)]]
        self.shape = (self.devices, 2 * self.devices)
        self.x = np.array([rng.randrange(100) for _ in range(np.prod(self.shape))])
        self.x = self.x.reshape(self.shape).astype(np.int32)
        self.lines = form.header(self.meshes, self.devices)
        self.lines.append("  func.func public @main() {")
        self.constant("%v0", self.x)
        for step in range(1, 5):
            mesh = rng.choice(self.meshes)
            make = self.constrain if rng.random() < 0.3 else self.manual
            make(f"%v{step - 1}", f"%v{step}", mesh)
        self.constant("%expected", self.x)
        self.lines += [
            "    stablehlo.custom_call @check.expect_eq(%v4, %expected) {has_side_effect = true} "
            f": ({self.type()}, {self.type()}) -> ()",
            "    return",
            "  }",
            "}",
        ]

    def type(self, shape=None):
        return "tensor<" + "x".join(map(str, shape or self.shape)) + "xi32>"

    def constant(self, name, value):
        self.lines.append(f"    {name} = stablehlo.constant dense<{value.tolist()}> : {self.type()}")

    def constrain(self, value, result, mesh):
        cut = spread(self.rng, mesh.axes)
        self.lines += self.form.constrain(value, result, mesh, cut, self.type())

    def manual(self, value, result, mesh):
        """Simulates one computation on all devices, and writes it."""
        rng = self.rng
        manual = [a for a in mesh.axes if rng.random() < 0.7] or mesh.axes[:1]
        cut = spread(rng, manual)
        cut_out = [rng.sample(axes, len(axes)) for axes in cut]
        everyone = range(self.devices)
        local = [self.x[block(self.x, mesh, cut, d)] for d in everyone]
        type_ = self.type(local[0].shape)
        lines, names = [], iter(range(100))

        def emit(text):
            name = f"{result}_{next(names)}"
            lines.append(f"      {name} = {text}")
            return name

        channel = "channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>"
        # Who differs along which axes: only then a result may.
        used = set(itertools.chain(*cut))
        last = arg = result + "_l"
        for _ in range(rng.randint(1, 3)):
            axis = rng.choice(manual)
            groups = mesh.groups(axis)
            kind = rng.choice(["sum", "shift", "number"])
            if kind == "sum":
                reduced = [None] * self.devices
                for group in groups:
                    total = sum(local[d] for d in group)
                    for d in group:
                        reduced[d] = total
                rows = f"dense<{groups}> : tensor<{len(groups)}x{len(groups[0])}xi64>"
                name = emit(
                    f'"stablehlo.all_reduce"({last}) <{{{channel}, replica_groups = {rows}, '
                    "use_global_device_ids}> ({\n"
                    "      ^bb0(%p: tensor<i32>, %q: tensor<i32>):\n"
                    "        %s = stablehlo.add %p, %q : tensor<i32>\n"
                    "        stablehlo.return %s : tensor<i32>\n"
                    f"      }}) : ({type_}) -> {type_}"
                )
            elif kind == "shift":
                pairs = [[g[i], g[(i + 1) % len(g)]] for g in groups for i in range(len(g))]
                reduced = [None] * self.devices
                for source, target in pairs:
                    reduced[target] = local[source]
                rows = f"dense<{pairs}> : tensor<{len(pairs)}x2xi64>"
                name = emit(
                    f'"stablehlo.collective_permute"({last}) <{{{channel}, '
                    f"source_target_pairs = {rows}}}> : ({type_}) -> {type_}"
                )
            elif len(used) == len(mesh.axes):
                number = emit("stablehlo.partition_id : tensor<ui32>")
                number = emit(f"stablehlo.convert {number} : (tensor<ui32>) -> tensor<i32>")
                name = emit(f"stablehlo.broadcast_in_dim {number}, dims = [] : (tensor<i32>) -> {type_}")
                reduced = [np.full_like(local[d], d) for d in everyone]
            else:
                continue
            last = emit(f"stablehlo.add {last}, {name} : {type_}")
            local = [a + b for a, b in zip(local, reduced)]
        lines.append(f"      {result}_r = stablehlo.negate {last} : {type_}")
        local = [-a for a in local]
        self.lines += self.form.manual(
            value, result, mesh, manual, cut, cut_out, (self.type(), type_), lambda _: lines
        )
        whole = np.empty_like(self.x)
        seen = np.zeros(self.shape, bool)
        for d in everyone:
            at = block(self.x, mesh, cut_out, d)
            assert not seen[at].any() or (whole[at] == local[d]).all(), "devices disagree"
            whole[at] = local[d]
            seen[at] = True
        assert seen.all()
        self.x = whole


def main():
    cleave, directory, form, count = sys.argv[1:5]
    os.makedirs(directory, exist_ok=True)
    files = []
    for seed in range(int(count)):
        program = Program(random.Random(seed), {"shardy": Shardy, "gspmd": Gspmd}[form]())
        files.append(os.path.join(directory, f"{seed}.mlir"))
        with open(files[-1], "w") as out:
            out.write("\n".join(program.lines) + "\n")
    done = subprocess.run([cleave, "check", *files], stdout=subprocess.PIPE, text=True)
    print(done.stdout)
    if f"{count} passed, 0 failed, 0 skipped" not in done.stdout:
        sys.exit(f"FAIL: not all of {count} programs passed")


if __name__ == "__main__":
    main()
