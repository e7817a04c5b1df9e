#!/usr/bin/python3
# ===- refusals.py - What may not be recorded ----------------- -*- python -*-===#
#
# Part of the Cleave Project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===-----------------------------------------------------------------------===#
"""refusals.py FAKE

The library that stands in for CUDA refuses to record what CUDA and NCCL do, so that
programs that run on it record nothing else.
"""

import ctypes
import os
import sys
import threading

fake = ctypes.CDLL(sys.argv[1])
# Of CUDA's header.
UNSUPPORTED, INVALIDATED, MERGE, UNMATCHED, UNJOINED, ISOLATION, WRONG_THREAD = 900, 901, 902, 903, 904, 905, 908
INVALID_VALUE, ILLEGAL_ADDRESS = 1, 700
EXTERNAL = 1
NCCL_INVALID_USAGE, INT32, SUM = 5, 2, 0


def make(function, *more):
    handle = ctypes.c_void_p()
    expect(0, function, ctypes.byref(handle), *more)
    return handle


def expect(status, function, *arguments):
    result = getattr(fake, function)(*arguments)
    if result != status:
        sys.exit(f"line {sys._getframe(1).f_lineno}: {function} gave {result}, expected {status}")


first, second, third = [make("cudaStreamCreateWithFlags", 1) for _ in range(3)]
before, fork, join, recorded = [make("cudaEventCreateWithFlags", 2) for _ in range(4)]
word = make("cudaMalloc", 4)
host = ctypes.create_string_buffer(b"....", 4)
SIZE = ctypes.c_size_t(4)


def fill(stream, byte):
    expect(0, "cudaMemsetAsync", word, byte, SIZE, stream)


def begin():
    expect(0, "cudaStreamBeginCapture", first, 1)


def branch():
    expect(0, "cudaEventRecord", fork, first)
    expect(0, "cudaStreamWaitEvent", second, fork, 0)


def merge():
    expect(0, "cudaEventRecord", join, second)
    expect(0, "cudaStreamWaitEvent", first, join, 0)


def end(status):
    graph = ctypes.c_void_p()
    expect(status, "cudaStreamEndCapture", first, ctypes.byref(graph))
    return graph


# Two streams make one graph, which does nothing before it is launched.
fill(first, ord("a"))
begin()
branch()
fill(second, ord("b"))
expect(0, "cudaEventRecordWithFlags", recorded, second, EXTERNAL)
merge()
expect(0, "cudaMemcpyAsync", host, word, SIZE, 4, first)
graph = end(0)
executable = make("cudaGraphInstantiate", graph, ctypes.c_ulonglong(0))
expect(0, "cudaStreamSynchronize", first)
assert host.raw == b"....", host.raw
expect(0, "cudaGraphLaunch", executable, first)
expect(0, "cudaEventQuery", recorded)
expect(0, "cudaStreamSynchronize", first)
assert host.raw == b"bbbb", host.raw
fill(first, ord("c"))
expect(0, "cudaGraphLaunch", executable, first)
expect(0, "cudaStreamSynchronize", first)
assert host.raw == b"bbbb", host.raw
expect(0, "cudaGraphExecDestroy", executable)
expect(0, "cudaGraphDestroy", graph)

# Streams that are not waited for, with work and without.
begin()
branch()
fill(second, 0)
end(UNJOINED)
begin()
branch()
end(UNJOINED)
begin()
branch()
merge()
fill(second, 0)
end(UNJOINED)
begin()
branch()
expect(UNMATCHED, "cudaStreamEndCapture", second, ctypes.byref(ctypes.c_void_p()))
end(UNJOINED)

# Events of what is not recorded, or by another recording.
expect(0, "cudaEventRecord", before, second)
for event in (before, make("cudaEventCreateWithFlags", 2)):
    begin()
    expect(ISOLATION, "cudaStreamWaitEvent", first, event, 0)
    end(INVALIDATED)
begin()
branch()
expect(0, "cudaStreamBeginCapture", third, 1)
expect(MERGE, "cudaStreamWaitEvent", third, fork, 0)
expect(0, "cudaStreamEndCapture", third, ctypes.byref(ctypes.c_void_p()))
merge()
end(0)
expect(INVALID_VALUE, "cudaEventRecordWithFlags", recorded, first, EXTERNAL)

# Whatever waits, queries, allocates, frees or makes communicators.
for function, *arguments in (
    ("cudaStreamSynchronize", first),
    ("cudaStreamSynchronize", third),
    ("cudaStreamQuery", first),
    ("cudaStreamQuery", third),
    ("cudaEventQuery", before),
    ("cudaEventSynchronize", before),
    ("cudaMalloc", ctypes.byref(ctypes.c_void_p()), SIZE),
    ("cudaFree", word),
    ("cudaMallocHost", ctypes.byref(ctypes.c_void_p()), SIZE),
    ("cudaFreeHost", host),
    ("cudaGraphLaunch", executable, first),
):
    begin()
    expect(UNSUPPORTED, function, *arguments)
    end(INVALIDATED)
# Another thread may do all that, but not with what is recorded, nor end it.
results = []


def other():
    results.append(fake.cudaStreamQuery(third))
    results.append(fake.cudaMalloc(ctypes.byref(ctypes.c_void_p()), SIZE))
    results.append(fake.cudaStreamEndCapture(first, ctypes.byref(ctypes.c_void_p())))


begin()
thread = threading.Thread(target=other)
thread.start()
thread.join()
end(0)
assert results == [0, 0, WRONG_THREAD], results


class Id(ctypes.Structure):
    _fields_ = [("bytes", ctypes.c_char * 128)]


def reduce(communicator, stream):
    expect(0, "ncclAllReduce", word, word, ctypes.c_size_t(1), INT32, SUM, communicator, stream)


# Communicators are not made during a recording; their members all run a graph, or none.
identity = Id()
expect(0, "ncclGetUniqueId", ctypes.byref(identity))
members = [make("ncclCommInitRankConfig", 2, identity, rank, None) for rank in range(2)]
begin()
expect(NCCL_INVALID_USAGE, "ncclCommInitRankConfig", ctypes.byref(ctypes.c_void_p()), 2, identity, 0, None)
end(INVALIDATED)
begin()
expect(NCCL_INVALID_USAGE, "ncclCommSplit", members[0], 0, 0, ctypes.byref(ctypes.c_void_p()), None)
end(INVALIDATED)
begin()
reduce(members[0], first)
graph = end(0)
executable = make("cudaGraphInstantiate", graph, ctypes.c_ulonglong(0))
sys.stdout.flush()


def expect_fault(misuse):
    """In a process of its own, since nothing works afterwards."""
    child = os.fork()
    if child == 0:
        misuse()
        os._exit(fake.cudaStreamSynchronize(third) != ILLEGAL_ADDRESS)
    if os.waitpid(child, 0)[1]:
        sys.exit(f"{misuse.__name__} is not noticed")


def destroy_before_graph():
    fake.ncclCommDestroy(members[0])


def mix():
    expect(0, "cudaGraphLaunch", executable, first)
    reduce(members[1], third)
    fake.cudaStreamQuery(first)
    fake.cudaStreamQuery(third)
    fake.cudaStreamQuery(first)


expect_fault(destroy_before_graph)
expect_fault(mix)
expect(0, "cudaGraphExecDestroy", executable)
expect(0, "cudaGraphDestroy", graph)
for member in members:
    expect(0, "ncclCommDestroy", member)
expect(0, "cudaStreamSynchronize", third)
print("all refused")
