//===- Passes.td - Passes from graphs to programs -*- tablegen -*-===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CLEAVE_PASSES_SCHEDULE_TD
#define CLEAVE_PASSES_SCHEDULE_TD

include "mlir/Pass/PassBase.td"

def LowerToExec : Pass<"cleave-lower-to-exec", "::mlir::ModuleOp"> {
  let summary = "Turn the entry function into the program of one rank";
  let description = [{
    The entry function is the only public function with a body. On local
    shapes, it consists of calls of kernels (functions with `cleave.kernel`) and
    matrix products (functions with `cleave.gemm`), convolutions (with `cleave.convolution`), collectives, constants,
    reshapes and control flow. Each becomes an exec operation on buffers, in the
    same order; the function, the functions of matrix products and the mesh are
    removed.

    Every result gets a buffer of its own, without a place in the arena yet.
    Results that are returned, yielded from a branch, or yielded from a loop
    body when the old value of the variable is no longer read, are written
    where they belong; other returned or yielded values are copied there.

    A result that may be written over an argument of its kernel (`cleave.updated_by`, `cleave.overwritten_by`, see
    `cleave-mark-in-place`) takes over that argument's buffer where nothing reads it later: always if the kernel
    only updates it, otherwise where the result is wanted there, as a loop variable is. The kernel launched is then one with
    `cleave.in_place`: for each result the argument it replaces, or -1. Its parameters are the other
    arguments and the results. Constants and inputs are not written, nor are values from outside of a loop's body or a branch.
    A kernel with `cleave.updates_in_place` has no other form: what it would update is copied to the buffer of the result before.

    An argument of the entry function with `cleave.donated = N` may be written, and output N ends up in its memory if
    both have the same global type and sharding. With `cleave.donated` alone the first such output that is left does.
  }];
  let options = [
    Option<"stepwise", "stepwise", "bool", "false",
           "Library calls round each product and each sum, in order">];
  let dependentDialects = ["::cleave::exec::ExecDialect"];
  let statistics = [
    Statistic<"numBuffers", "buffers", "Buffers made">,
    Statistic<"numCopies", "copies", "Copies between buffers">,
    Statistic<"numInPlace", "in-place", "Results that took over the buffer of an argument">];
}

def OverlapCollectives : Pass<"cleave-overlap-collectives", "::cleave::exec::ProgramOp"> {
  let summary = "Run collectives beside computation";
  let description = [{
    Puts the collectives that communicate on the communication stream, and orders the operations of each block by list
    scheduling on one machine that computes and one that communicates, with estimates of their times: collectives come as
    soon as there is what they read, and what needs them comes after what can be done meanwhile. Program order is kept where
    nothing is 1 % faster.

    Where the bytes in use at one time would grow by more than a tenth and more than 1 MiB, another schedule with less is tried, then program
    order, and at last everything stays on the compute stream; as it does where no collective would run beside anything.

    `cleave-plan-arena` and `cleave-insert-events` follow, in this order.
  }];
  let options = [
    Option<"flops", "flops", "double", "50", "10^9 operations per second of a rank">,
    Option<"memoryBandwidth", "memory-bandwidth", "double", "10", "GB per second to and from memory">,
    Option<"linkBandwidth", "link-bandwidth", "double", "5", "GB per second from other ranks">];
  let statistics = [Statistic<"numBlocks", "blocks", "Blocks whose order has changed">];
}

def PlanArena : Pass<"cleave-plan-arena", "::cleave::exec::ProgramOp"> {
  let summary = "Give each buffer a place in the arena";
  let description = [{
    Buffers that are in use at the same time do not overlap. A buffer is in use
    from the first to the last operation on it, that of a collective beside the compute stream until that depends on it,
    and a buffer from outside of a loop stays in use during the whole
    loop. Offsets are multiples of 64 bytes.

    With `guard-pages` every buffer has pages of its own, at whose end it lies, between pages without any. The
    program gets `exec.guard_page_bytes`, each buffer `exec.live`, the positions of the first and last operation that it is
    in use for, and each operation `exec.position`, so that the runtime can make everything else inaccessible.
  }];
  let options = [
    Option<"guardPages", "guard-pages", "bool", "false",
           "Put each buffer between pages without any">];
  let statistics = [
    Statistic<"arenaBytes", "arena-bytes", "Size of the arena">,
    Statistic<"liveBytes", "peak-live-bytes", "Most bytes in use at one time">,
    Statistic<"bufferBytesTotal", "buffer-bytes", "Sum of the sizes of all buffers">];
}

def InsertEvents : Pass<"cleave-insert-events", "::cleave::exec::ProgramOp"> {
  let summary = "Order the two streams by events";
  let description = [{
    Wherever a byte is used by operations of both streams, one of them writing, an event orders them, if no other does:
    across loop iterations and branches too, and before the end of the program, which reads the outputs. Two buffers share
    the bytes that `cleave-plan-arena` gave to both. Events that are there before are replaced.
  }];
  let statistics = [Statistic<"numEvents", "events", "Events that order the streams">];
}

#endif // CLEAVE_PASSES_SCHEDULE_TD
