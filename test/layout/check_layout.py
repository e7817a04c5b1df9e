#!/usr/bin/python3
# ===- check_layout.py - The rules of the source tree --------*- python -*-===#
#
# Part of the Cleave Project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===-----------------------------------------------------------------------===#
"""Checks the rules that CONTRIBUTING.md states about folders, files and names:
who may include whom, how long a pass may be, one name in four spellings,
header guards, licence headers, titles, words that do not belong in sources.

RUN: %python %s --self-test
RUN: %python %s %source
"""

import argparse
import pathlib
import re
import statistics
import sys
import tempfile

LICENCE = "SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception"
TOP_LEVEL = {
    *("CMakeLists.txt", "CONTRIBUTING.md", "LICENSE", "README.md"),
    *("cmake", "dialects", "docs", "include", "lib", "passes", "runtime"),
    *("scripts", "test", "tools"),
}
SOURCE_FOLDERS = ("dialects", "include", "lib", "passes", "runtime", "test", "tools")
CPP = {".h", ".cpp", ".c", ".cu"}
CODE = CPP | {".td"}

# What a file may include, by the layer it is in. `own` is the file's own
# folder; `dialects/A` in a list means that folder of the layer only.
COMPILER = {"lib", "dialects", "llvm", "mlir"}
DIALECTS = {
    "Graph": set(),
    "Spmd": {"Graph"},
    "Pipe": {"Graph", "Spmd"},
    "Exec": set(),
    "StableHLO": {"Graph", "Spmd"},
    "Upstream": {"Graph", "Spmd"},
}
# Other parts of the runtime see all of it.
RUNTIME = ["core", "devices", "communicators", "session", "command"]
# What the kinds of communicators, and of transports, see of each other.
COMMUNICATORS = {
    "local": set(),
    "processes": set(),
    "mpi": {"processes"},
    "tcp": {"processes"},
    "nccl": {"processes"},
}
RUNTIME_LIBRARIES = re.compile(
    r"^(nlohmann/|cblas\.h|openblas|zlib\.h|omp\.h|mpi\.h"
    r"|nccl\.h|cuda|cublas|sleef)"
)
PASS_LINES = {"median": 200, "most": 600, "all": 900}
TOOL_MAIN_LINES = 50
SMALL_TOOLS = ("cleave-opt", "cleave-lsp-server", "cleave-plugin", "cleave-stablehlo-plugin")
FORBIDDEN = re.compile(
    r"\b(TODO|FIXME|XXX|HACK)\b|\b(for now|not implemented|stubbed)\b"
    r"|(?<![\w.])/(home|root|work|Users)/"
)

INCLUDE = re.compile(r'^\s*#?\s*include\s+(?:"([^"]+)"|<([^>]+)>)', re.MULTILINE)
PASS = re.compile(r'^def\s+(\w+)\s*:\s*\w*Pass\w*<\s*"([^"]+)"', re.MULTILINE)


class Tree:
    def __init__(self, root):
        self.root = pathlib.Path(root)
        self.violations = []
        self.files = sorted(
            path.relative_to(self.root)
            for folder in (*SOURCE_FOLDERS, "scripts")
            for path in (self.root / folder).rglob("*")
            if path.is_file() and "__pycache__" not in path.parts
        )

    def read(self, path):
        return (self.root / path).read_text(encoding="utf-8", errors="replace")

    def report(self, rule, path, text):
        self.violations.append((rule, f"{path}: {text}"))


def layer_of(path):
    """(layer, part) of a path relative to the root, e.g. (passes, Graph)."""
    parts = path.parts
    if parts[0] == "include":
        return ("rt" if parts[1] == "cleave-rt" else "lib", None)
    if parts[0] == "passes" and len(parts) == 2:
        return ("passes", None)
    return (parts[0], parts[1] if len(parts) > 2 else None)


def target_of(tree, path, quoted, system):
    """The (layer, part) that an include names; layer "?" if it is unknown."""
    name = quoted or system
    prefixes = {
        **{"mlir/": "mlir", "mlir-c/": "mlir", "llvm/": "llvm", "llvm-c/": "llvm"},
        **{"cleave-rt/": "rt", "cleave/": "lib", "gtest/": "gtest", "gmock/": "gtest"},
    }
    for prefix, layer in prefixes.items():
        if name.startswith(prefix):
            return (layer, None)
    if RUNTIME_LIBRARIES.match(name):
        return ("library", None)
    if system:
        return ("system", None)
    for folder in ("", path.parent):
        candidate = pathlib.Path(folder, name)
        if (tree.root / candidate).is_file():
            return layer_of(candidate)
    # A generated file stands in the folder that its path names.
    if name.endswith(".inc") and "/" in name:
        return layer_of(pathlib.Path(name))
    return ("?", None)


def allowed(path, source, target):
    """Whether a file of layer `source` may include something of `target`."""
    (layer, part), (to, to_part) = source, target
    if to == "system" or layer == "test":
        return to not in ("tools",)
    if to == "gtest":
        return "tests" in path.parts or path.parts[:2] == ("runtime", "conformance")
    if layer == "rt":
        return to == "rt"
    if layer == "runtime":
        if to == "runtime" and part in RUNTIME:
            return to_part in RUNTIME[: RUNTIME.index(part) + 1]
        return to in ("rt", "runtime", "library")
    if layer == "lib":
        return to in ("rt", "lib", "llvm")
    if layer == "dialects":
        if to == "dialects" and part != to_part:
            return to_part in DIALECTS.get(part, set())
        return to in COMPILER
    if layer == "passes":
        if part is None:
            return to in COMPILER | {"passes"}
        if to == "passes":
            # A test of one phase may run the phases before it.
            return part == to_part or "tests" in path.parts
        if to == "rt":
            return part in ("Schedule", "Codegen")
        return to in COMPILER
    if layer == "tools":
        if to == "tools":
            return part == to_part
        return to in COMPILER | {"passes", "rt"}
    return False


def kind_of(path):
    """The kind of communicators that a path belongs to; None for what all have."""
    parts = pathlib.Path(path).parts
    is_kind = parts[:2] == ("runtime", "communicators") and len(parts) > 3
    return parts[2] if is_kind else None


def check_includes(tree):
    for path in tree.files:
        if path.suffix not in CODE or path.parts[0] == "scripts":
            continue
        source = layer_of(path)
        for match in INCLUDE.finditer(tree.read(path)):
            target = target_of(tree, path, *match.groups())
            name = match[1] or match[2]
            if target[0] == "?":
                tree.report("include", path, f"no project file is called {name}")
            elif not allowed(path, source, target):
                where = "/".join(filter(None, source))
                tree.report("include", path, f"{where} must not include {name}")
            if path.parts[:2] == ("runtime", "communicators"):
                own, other = kind_of(path), kind_of(name)
                if other not in {None, own} | COMMUNICATORS.get(own, set()):
                    tree.report("include", path, f"{own or 'all'} must not include {name}")


def check_pass_sizes(tree):
    sizes = {
        path: tree.read(path).count("\n")
        for path in tree.files
        if path.parts[0] == "passes" and path.suffix == ".cpp" and "tests" not in path.parts
    }
    if not sizes:
        return
    median = statistics.median(sizes.values())
    if median >= PASS_LINES["median"]:
        tree.report(
            "pass-size", "passes", f"the median file has {median:g} lines, not under 200"
        )
    long = [path for path, size in sizes.items() if size >= PASS_LINES["most"]]
    if len(long) > len(sizes) / 10:
        tree.report(
            "pass-size", "passes", f"{len(long)} of {len(sizes)} files have 600 lines"
        )
    for path, size in sizes.items():
        if size > PASS_LINES["all"]:
            tree.report("pass-size", path, f"{size} lines, not 900: move what grew to lib/")


def check_tool_mains(tree):
    for path in tree.files:
        if path.suffix == ".cpp" and path.parts[0] == "tools":
            if path.parts[1] in SMALL_TOOLS:
                code = re.sub(r"^\s*(//.*)?\n", "", tree.read(path), flags=re.MULTILINE)
                if code.count("\n") >= TOOL_MAIN_LINES:
                    tree.report("tool-main", path, f"{code.count(chr(10))} lines, not under 50")


def check_spellings(tree):
    for path in tree.files:
        if not path.match("passes/*/Passes.td"):
            continue
        phase = path.parts[1]
        for name, flag in PASS.findall(tree.read(path)):
            kebab = flag.removeprefix("cleave-")
            if kebab == flag or kebab.replace("-", "") != name.lower():
                tree.report("spelling", path, f"{name} has the flag {flag}")
            homes = [
                file
                for file in tree.files
                if file.name == name + ".cpp" and file.parts[:2] == ("passes", phase)
            ]
            if len(homes) != 1:
                tree.report("spelling", path, f"{name} is not in one passes/{phase}/**/{name}.cpp")
            test = pathlib.Path("test/passes", phase, kebab + ".mlir")
            if test not in tree.files:
                tree.report("spelling", path, f"{name} has no test {test}")


def check_guards(tree):
    for path in tree.files:
        if path.suffix != ".h":
            continue
        place = str(path).removeprefix("include/").removeprefix("cleave/")
        guard = re.sub(r"\W", "_", place).upper()
        if not guard.startswith("CLEAVE_"):
            guard = "CLEAVE_" + guard
        pattern = rf"^#ifndef {guard}\n#define {guard}\n(.*\n)*#endif // {guard}\n"
        if not re.search(pattern, tree.read(path), re.MULTILINE):
            tree.report("guard", path, f"needs the include guard {guard}")


def check_licences(tree):
    for path in tree.files:
        is_script = path.parts[0] == "scripts" or path.suffix == ".py"
        if path.suffix in CODE or is_script:
            if LICENCE not in "\n".join(tree.read(path).split("\n")[:12]):
                tree.report("licence", path, f"lacks the line '{LICENCE}'")


def title_of(name, text):
    """The first line of a C++ file: 80 columns, of which headers use some to say that they
    are C++, where there is room. None if the text is too long."""
    head = f"//===- {name} - {text} "
    ends = ["-*- C++ -*-===//", "===//"] if name.endswith(".h") else ["===//"]
    for end in ends:
        if len(head + end) <= 80:
            return head + "-" * (80 - len(head + end)) + end
    return None


def check_titles(tree):
    """The formatter breaks a title that is too long into nonsense."""
    for path in tree.files:
        title = tree.read(path).split("\n")[0]
        if path.suffix in CPP:
            text = re.match(r"//===- \S+ - (\S.*?) *-*(-\*- C\+\+ -\*-)?===//$", title)
            if not text:
                tree.report("title", path, f"'{title}' is not '//===- {path.name} - ... ===//'")
            elif title != title_of(path.name, text[1]):
                wanted = title_of(path.name, text[1]) or "shorter"
                tree.report("title", path, f"'{title}' should be '{wanted}'")
        elif path.suffix in CODE and title.startswith("//==="):
            if not re.match(rf"//===- {re.escape(path.name)} - \S.*===//$", title):
                tree.report("title", path, f"'{title}' is not '//===- {path.name} - ... ===//'")


def check_words(tree):
    for path in tree.files:
        if path.name == pathlib.Path(__file__).name:
            continue
        for number, line in enumerate(tree.read(path).split("\n"), 1):
            match = FORBIDDEN.search(line)
            if match:
                tree.report("word", f"{path}:{number}", f"'{match[0]}'")


def check_folders(tree):
    for path in tree.root.iterdir():
        name = path.name
        if name not in TOP_LEVEL and not name.startswith((".", "build")):
            tree.report("folder", name, "does not belong at the top")
    for folder in {path.parent for path in tree.files}:
        if folder.name.lower() in ("util", "utils", "common", "misc"):
            tree.report("folder", folder, "says nothing about what is in it")


def check_examples(tree):
    """What no page shows is found by nobody; STATUS.md lists what works, but explains nothing."""
    pages = [tree.root / "README.md", *(tree.root / "docs").rglob("*.md")]
    links = {
        (page.parent / link).resolve()
        for page in pages
        if page.is_file() and page.name != "STATUS.md"
        for link in re.findall(r"\]\(([^)#]+)", page.read_text(encoding="utf-8"))
    }
    folder = tree.root / "docs/examples"
    for path in sorted(folder.iterdir()) if folder.is_dir() else []:
        if path.resolve() not in links:
            tree.report("example", path.relative_to(tree.root), "is linked from no page of docs")


CHECKS = [
    *(check_includes, check_pass_sizes, check_tool_mains, check_spellings),
    *(check_guards, check_licences, check_titles, check_words, check_folders, check_examples),
]


def check(root):
    tree = Tree(root)
    for function in CHECKS:
        function(tree)
    return tree.violations


# ===-----------------------------------------------------------------------===#
# Self-test: every rule is seen to fail.
# ===-----------------------------------------------------------------------===#

HEADER = f"// {LICENCE}\n"


def guarded(guard, body=""):
    return f"{HEADER}#ifndef {guard}\n#define {guard}\n{body}#endif // {guard}\n"


GOOD_TREE = {
    "README.md": "",
    "docs/guide.md": "[examples/a.mlir](examples/a.mlir)",
    "docs/rationale/why.md": "([example](../examples/b.mlir#loops))",
    "docs/examples/a.mlir": "// a test\n",
    "docs/examples/b.mlir": "// a test\n",
    "build/anything.h": "",
    "include/cleave-rt/cleave-rt.h": guarded(
        "CLEAVE_RT_CLEAVE_RT_H", "#include <stdint.h>\n"
    ),
    "include/cleave/Cost/Cost.h": guarded(
        "CLEAVE_COST_COST_H", '#include "llvm/ADT/ArrayRef.h"\n'
    ),
    "lib/Cost/Cost.cpp": HEADER + '#include "cleave/Cost/Cost.h"\n#include "Table.h"\n',
    "lib/Cost/Table.h": guarded("CLEAVE_LIB_COST_TABLE_H"),
    "lib/Cost/tests/CostTest.cpp": HEADER
    + '#include "cleave/Cost/Cost.h"\n#include <gtest/gtest.h>\n',
    "dialects/Graph/GraphDialect.h": guarded(
        "CLEAVE_DIALECTS_GRAPH_GRAPHDIALECT_H",
        '#include "mlir/IR/Dialect.h"\n#include "dialects/Graph/GraphOps.h.inc"\n',
    ),
    "dialects/Spmd/SpmdDialect.cpp": HEADER
    + '#include "dialects/Graph/GraphDialect.h"\n',
    "passes/Graph/Passes.td": HEADER
    + 'include "mlir/Pass/PassBase.td"\n'
    + 'def DoThing : Pass<"cleave-do-thing", "func::FuncOp"> {}\n',
    "passes/Graph/Passes.h": guarded("CLEAVE_PASSES_GRAPH_PASSES_H"),
    "passes/Graph/DoThing.cpp": HEADER
    + '#include "passes/Graph/Passes.h"\n#include "dialects/Graph/GraphDialect.h"\n',
    "passes/Codegen/Names.cpp": HEADER + '#include "cleave-rt/cleave-rt.h"\n',
    "passes/Phases.cpp": HEADER + '#include "passes/Graph/Passes.h"\n',
    "test/passes/Graph/do-thing.mlir": "// a test\n",
    "runtime/core/Core.cpp": HEADER
    + '#include "cleave-rt/cleave-rt.h"\n#include <vector>\n#include <zlib.h>\n',
    "runtime/devices/Device.h": guarded("CLEAVE_RUNTIME_DEVICES_DEVICE_H"),
    "runtime/communicators/Plan.h": guarded("CLEAVE_RUNTIME_COMMUNICATORS_PLAN_H"),
    "runtime/communicators/mpi/Mpi.h": guarded("CLEAVE_RUNTIME_COMMUNICATORS_MPI_MPI_H"),
    "runtime/communicators/processes/World.h": guarded(
        "CLEAVE_RUNTIME_COMMUNICATORS_PROCESSES_WORLD_H",
        '#include "runtime/communicators/Plan.h"\n',
    ),
    "runtime/communicators/mpi/Mpi.cpp": HEADER
    + '#include "runtime/communicators/mpi/Mpi.h"\n'
    + '#include "runtime/communicators/processes/World.h"\n',
    "runtime/session/Session.cpp": HEADER + '#include "runtime/devices/Device.h"\n',
    "runtime/tests/DeviceTest.cpp": HEADER + '#include "runtime/devices/Device.h"\n',
    "tools/cleave-opt/cleave-opt.cpp": HEADER
    + '#include "passes/Graph/Passes.h"\nint main() {}\n',
    "scripts/build": f"#!/bin/sh\n# {LICENCE}\n",
}


def include(name):
    return HEADER + f'#include "{name}"\n'


def lines(count):
    return HEADER + "int a;\n" * count


# (rule that must complain, files added to the good tree)
BAD_FILES = [
    ("include", {"runtime/core/A.cpp": include("llvm/ADT/ArrayRef.h")}),
    ("include", {"runtime/core/A.cpp": include("cleave/Cost/Cost.h")}),
    ("include", {"include/cleave-rt/a.h": guarded("CLEAVE_RT_A_H", '#include "cleave/Cost/Cost.h"\n')}),
    ("include", {"runtime/core/A.cpp": include("runtime/devices/Device.h")}),
    *(
        ("include", {f"runtime/communicators/{place}A.cpp": include("runtime/communicators/mpi/Mpi.h")})
        for place in ("tcp/", "nccl/", "nccl/plugin/", "local/", "processes/", "new/", "")
    ),
    ("include", {"runtime/communicators/local/A.cpp": include("runtime/communicators/processes/World.h")}),
    ("include", {"lib/Cost/A.cpp": include("mlir/IR/Value.h")}),
    ("include", {"lib/Cost/A.cpp": include("dialects/Graph/GraphDialect.h")}),
    ("include", {"lib/Cost/A.cpp": HEADER + "#include <gtest/gtest.h>\n"}),
    ("include", {"lib/Cost/A.cpp": HEADER + "#include <nlohmann/json.hpp>\n"}),
    ("include", {"dialects/Graph/A.cpp": include("passes/Graph/Passes.h")}),
    ("include", {"dialects/Graph/A.cpp": include("cleave-rt/cleave-rt.h")}),
    ("include", {"dialects/Graph/A.cpp": include("dialects/Spmd/SpmdOps.h.inc")}),
    ("include", {"dialects/Exec/A.td": HEADER + 'include "dialects/Graph/GraphOps.td.inc"\n'}),
    ("include", {"passes/Fusion/A.cpp": include("passes/Graph/Passes.h")}),
    ("include", {"passes/Fusion/A.cpp": include("cleave-rt/cleave-rt.h")}),
    ("include", {"passes/Fusion/A.cpp": include("Missing.h")}),
    ("include", {"tools/cleave/A.cpp": include("runtime/core/Core.cpp")}),
    ("include", {"tools/cleave/A.cpp": include("tools/cleave-opt/cleave-opt.cpp")}),
    ("include", {"runtime/core/A.cpp": include("test/passes/Graph/do-thing.mlir")}),
    ("pass-size", {"passes/Graph/A.cpp": lines(901)}),
    ("pass-size", {"passes/Graph/A.cpp": lines(600)}),
    ("pass-size", {f"passes/Graph/{name}.cpp": lines(200) for name in "ABCD"}),
    ("tool-main", {"tools/cleave-opt/A.cpp": lines(50)}),
    ("spelling", {"passes/Graph/Passes.td": HEADER + 'def DoThing : Pass<"cleave-do-it"> {}\n'}),
    ("spelling", {"passes/Graph/Passes.td": HEADER + 'def DoThing : Pass<"do-thing"> {}\n'}),
    ("spelling", {"passes/Graph/DoThing.cpp": None}),
    ("spelling", {"test/passes/Graph/do-thing.mlir": None}),
    ("guard", {"lib/Cost/Table.h": guarded("CLEAVE_TABLE_H")}),
    ("guard", {"lib/Cost/Table.h": HEADER + "#pragma once\n"}),
    ("licence", {"lib/Cost/A.cpp": title_of("A.cpp", "A number") + "\nint a;\n"}),
    ("licence", {"scripts/run": "#!/bin/sh\n"}),
    ("title", {"lib/Cost/A.cpp": title_of("B.cpp", "What it is") + "\n" + HEADER}),
    ("title", {"lib/Cost/A.cpp": "//===- A.cpp - Broken in -*- C++\n//-*-===//\n" + HEADER}),
    ("title", {"lib/Cost/A.cpp": "//===- A.cpp - Too short -===//\n" + HEADER}),
    ("title", {"lib/Cost/A.cpp": title_of("A.h", "What it is").replace("A.h", "A.cpp") + "\n" + HEADER}),
    ("title", {"lib/Cost/Table.h": title_of("Table.h", "T").replace("-*- C++ -*-", "-" * 11) + "\n" + guarded("CLEAVE_LIB_COST_TABLE_H")}),
    ("title", {"lib/Cost/A.cpp": f"//===- A.cpp - {'long ' * 14}===//\n" + HEADER}),
    ("title", {"lib/Cost/A.cpp": "// No title\n" + HEADER}),
    ("title", {"dialects/Graph/A.td": "//===- B.td - What it is -===//\n" + HEADER}),
    ("word", {"lib/Cost/A.cpp": HEADER + "// TODO: later\n"}),
    ("word", {"test/a.mlir": "// see /home/me/a.mlir\n"}),
    ("folder", {"notes/a.md": ""}),
    ("folder", {"lib/Utils/a.txt": ""}),
    ("example", {"docs/examples/c.mlir": "// a test\n"}),
    ("example", {"docs/guide.md": None, "docs/STATUS.md": "[a](examples/a.mlir)"}),
]


def self_test():
    def build(files):
        with tempfile.TemporaryDirectory() as root:
            for name, text in files.items():
                if text is not None:
                    path = pathlib.Path(root, name)
                    path.parent.mkdir(parents=True, exist_ok=True)
                    if path.suffix in CPP and text.startswith(HEADER):
                        text = title_of(path.name, "What it is") + "\n" + text
                    path.write_text(text)
            return check(root)

    clean = build(GOOD_TREE)
    assert not clean, clean
    for rule, files in BAD_FILES:
        found = build({**GOOD_TREE, **files})
        assert {name for name, _ in found} == {rule}, (rule, files, found)
    assert {rule for rule, _ in BAD_FILES} == {
        *("include", "pass-size", "tool-main", "spelling"),
        *("guard", "licence", "title", "word", "folder", "example"),
    }
    print(f"{len(BAD_FILES)} seeded violations were found")


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("root", nargs="?", help="the source tree")
    parser.add_argument("--self-test", action="store_true")
    options = parser.parse_args()
    if options.self_test:
        self_test()
        return 0
    if not options.root:
        parser.error("which tree?")
    violations = check(options.root)
    for rule, text in violations:
        print(f"{text} [{rule}]")
    print(f"check_layout: {len(violations)} violations")
    return 1 if violations else 0


if __name__ == "__main__":
    sys.exit(main())
