#!/usr/bin/python3
# ===- strangers.py - Who connects and is no rank -------------*- python -*-===#
#
# Part of the Cleave Project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===-----------------------------------------------------------------------===#
"""strangers.py PROGRAM RANKS

Starts a program as processes that variables tell who they are. Once rank 0 listens, before
the others start, someone connects and stays silent, and someone else writes what no rank
does. That keeps no rank from joining. Then the last rank does not come: all others name it.
"""

import os
import socket
import subprocess
import sys
import time

program, ranks = sys.argv[1], int(sys.argv[2])


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def start(rank, port):
    variables = {
        "RANK": str(rank), "LOCAL_RANK": str(rank), "WORLD_SIZE": str(ranks),
        "MASTER_ADDR": "127.0.0.1", "MASTER_PORT": str(port),
    }
    return subprocess.Popen(
        [program, "--communicator", "mpi", "--random-inputs", "1", "--deadline", "1"],
        env={**os.environ, **variables}, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )


def connect(port):
    for _ in range(200):
        try:
            return socket.create_connection(("127.0.0.1", port))
        except OSError:
            time.sleep(0.05)
    sys.exit("rank 0 does not listen")


port = free_port()
processes = [start(0, port)]
silent, loud, short = connect(port), connect(port), connect(port)
loud.sendall(b"GET / HTTP/1.0\r\n\r\n" * 40)
short.close()
processes += [start(rank, port) for rank in range(1, ranks)]
for rank, process in enumerate(processes):
    _, errors = process.communicate()
    if process.returncode:
        sys.exit(f"rank {rank} ended with {process.returncode}: {errors}")
print("strangers keep nobody from joining")

port = free_port()
processes = [start(rank, port) for rank in range(ranks - 1)]
for rank, process in enumerate(processes):
    _, errors = process.communicate()
    expected = f"error: rank {rank}: cannot join {ranks} ranks at 127.0.0.1:{port}: the deadline of 20 s passed; missing rank {ranks - 1}\n"
    if process.returncode != 3 or not errors.endswith(expected):
        sys.exit(f"rank {rank} ended with {process.returncode}: {errors}")
print("who does not come is named")
