# ===- snippets.py - Code in a manual that is an example's ------*- python -*-===#
#
# Part of the Cleave Project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===-----------------------------------------------------------------------===#
"""snippets.py MANUAL FOLDER: each code block of the manual that names its
language must stand, word for word, in a file of the folder."""

import pathlib
import re
import sys


def main(manual, folder):
    text = pathlib.Path(manual).read_text(encoding="utf-8")
    sources = [
        path.read_text(encoding="utf-8")
        for path in pathlib.Path(folder).iterdir()
        if path.is_file()
    ]
    blocks = re.findall(r"^```(\S+)\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)
    if not blocks:
        sys.exit(f"{manual} has no code blocks")
    for language, block in blocks:
        if not any(block in source for source in sources):
            sys.exit(f"{manual}: this {language} block is in no file of {folder}:\n{block}")


if __name__ == "__main__":
    main(*sys.argv[1:])
