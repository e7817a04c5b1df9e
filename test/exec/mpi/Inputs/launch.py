#!/usr/bin/python3
# ===- launch.py - Processes that variables tell who they are -*- python -*-===#
#
# Part of the Cleave Project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===-----------------------------------------------------------------------===#
"""launch.py N COMMAND...

Starts the command N times with RANK, WORLD_SIZE, MASTER_ADDR and MASTER_PORT; ends
with the largest status.
"""

import os
import socket
import subprocess
import sys

count, command = int(sys.argv[1]), sys.argv[2:]
with socket.socket() as probe:
    probe.bind(("127.0.0.1", 0))
    port = probe.getsockname()[1]
variables = {"WORLD_SIZE": str(count), "MASTER_ADDR": "127.0.0.1", "MASTER_PORT": str(port)}
processes = [
    subprocess.Popen(command, env={**os.environ, **variables, "RANK": str(rank), "LOCAL_RANK": str(rank)})
    for rank in range(count)
]
sys.exit(max(process.wait() for process in processes))
