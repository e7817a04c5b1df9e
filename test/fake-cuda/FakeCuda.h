//===- FakeCuda.h - CUDA without a GPU --------------------------*- C++ -*-===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A library to load before CUDA's: it has the functions of the CUDA runtime, of
// cuBLASLt and of NCCL that programs of Cleave use, and does on the host what
// they say, so that a program for GPUs can be tested where there is none.
//
// It is stricter than a GPU. Memory of the device has addresses that the host
// cannot use, and every access is checked. Work on a stream is put off until
// something waits for it, and then no more is done than that needs: what is
// read too early, or ordered by nothing, is not there. Kernels are run by the
// emulator, which reports races. While a graph is recorded, all is refused that
// CUDA and NCCL document as not to be done then, and the works of a graph are
// done in the order that is least like that of the calls. All members of a
// collective must do it from a graph, or none.
//
// Variables of the environment:
// - CLEAVE_FAKE_CUDA_KERNELS=F.mlir: the module that has the gpu.func of every
//   kernel, as `cleave-map-kernels-to-gpu` leaves it;
// - CLEAVE_FAKE_CUDA_DEVICES=N: how many GPUs there are; 1 if it is absent;
// - CLEAVE_FAKE_CUDA_FAIL=NAME:N: call N (from 1) of a function fails;
// - CLEAVE_FAKE_CUDA_LOG=FILE: gets `NAME N` for each function at the end;
// - CLEAVE_FAKE_CUDA_EAGER=1: work on other streams than the first is done when
//   it is issued, if events permit;
// - CLEAVE_FAKE_CUDA_NEWER_CHIP=1: machine code is of an older chip; only
//   assembly can be loaded.
//
//===----------------------------------------------------------------------===//

#ifndef CLEAVE_TEST_FAKE_CUDA_FAKECUDA_H
#define CLEAVE_TEST_FAKE_CUDA_FAKECUDA_H

#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <string>

/// Before the functions of CUDA.
#define FAKE_API extern "C" __attribute__((visibility("default")))

namespace cleave::fake {

/// Held by every function.
std::recursive_mutex &getMutex();

/// Counts a call of a function; whether it is the one that must fail.
bool mustFail(const char *function);

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

/// An address as kernels and libraries use it, as one of the host: null if not
/// all of the `bytes` bytes belong to one allocation.
char *fromDevice(const void *address, size_t bytes);
/// The same, or an address of the host.
char *fromAny(const void *address, size_t bytes);

//===----------------------------------------------------------------------===//
// Streams
//===----------------------------------------------------------------------===//

/// Does some work; false if it cannot be done yet.
using Task = std::function<bool()>;
/// Makes a task that has not begun, for each launch of a graph.
using TaskMaker = std::function<Task()>;

/// What is wrong with the program, once and for all: every call fails from now
/// on. Also printed.
void setFault(const std::string &text);
bool hasFault();

/// Puts work on a stream, or into the graph that it is being recorded to. A
/// task that keeps how far it has come needs a maker.
void enqueue(void *stream, Task task);
void enqueueMade(void *stream, TaskMaker make);
/// Does all the work that can be done.
void runAll();
/// Whether this thread records a graph: then it may not wait, query, allocate
/// or free, and the graph is lost.
bool spoilsRecording();
/// The graph that a stream is being recorded to, until its last handle is
/// destroyed; empty if it is not.
std::weak_ptr<void> getRecordedGraph(void *stream);

} // namespace cleave::fake

#endif // CLEAVE_TEST_FAKE_CUDA_FAKECUDA_H
