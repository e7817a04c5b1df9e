#!/usr/bin/python3
# ===- nested_messages.py - An editor that opens nested text -*- python -*-===#
#
# Part of the Cleave Project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===-----------------------------------------------------------------------===#
"""nested_messages.py [--delimited]: what an editor writes that opens, changes, asks about and closes nested programs."""

import json
import sys

URI = "test:///nested.mlir"


def write(method, params=None, **fields):
    message = {"jsonrpc": "2.0", "method": method, "params": params or {}, **fields}
    # Not in ASCII, so that bytes are not characters.
    text = json.dumps(message, ensure_ascii=False).encode()
    if "--delimited" in sys.argv:
        sys.stdout.buffer.write(text + b"\n// -----\n")
    else:
        sys.stdout.buffer.write(b"Content-Length: %d\r\n\r\n" % len(text) + text)


def nested(depth):
    return "func.func @f() attributes {\"äöü\" = %s} {\n  return\n}\n" % ("[" * depth + "]" * depth)


def document(version):
    return {"uri": URI, "version": version}


def change(version, text):
    write("textDocument/didChange", {"textDocument": document(version), "contentChanges": [{"text": text}]})


def ask(number):
    write("textDocument/hover", {"textDocument": {"uri": URI}, "position": {"line": 0, "character": 12}}, id=number)


write("initialize", {"processId": 1, "capabilities": {}}, id=0)
write(
    "textDocument/didOpen",
    {"textDocument": {**document(1), "languageId": "mlir", "text": "// One part.\n// -----\n" + nested(100000)}},
)
ask(1)
change(2, nested(999))
ask(2)
change(3, "// Further down.\n" + nested(1000))
ask(3)
change(4, nested(1000000))
write("textDocument/didClose", {"textDocument": {"uri": URI}})
write("shutdown", id=4)
write("exit")
