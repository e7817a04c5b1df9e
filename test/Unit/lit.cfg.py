# ===- lit.cfg.py - Runs the unit tests one case at a time ---*- python -*-===#
#
# Part of the Cleave Project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===-----------------------------------------------------------------------===#

import glob
import os

import lit.formats

config.test_exec_root = config.test_source_root
config.test_format = lit.formats.GoogleTest(".", "")
# Results that an interrupted run left behind are no test programs.
for leftover in glob.glob(os.path.join(config.test_source_root, "*.json")):
    os.remove(leftover)
for name in ("HOME", "OPENBLAS_CORETYPE", "OPENBLAS_L2_SIZE"):
    if name in os.environ:
        config.environment[name] = os.environ[name]
