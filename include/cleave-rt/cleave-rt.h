//===- cleave-rt.h - C ABI between generated programs and the runtime -----===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A compiled Cleave program is one object file that exports the symbols
// declared under "Exported by a program"; it calls only the functions declared
// under "Called by a program". Everything the runtime must know about the
// program (tensors, collectives, matrix products) is in its manifest, a JSON
// text described in docs/manifest.md, so that this interface stays narrow.
//
// A program issues its operations to two streams, each of which performs them
// in order: collectives to the one that they name, everything else to the
// compute stream. What a call starts may still run when it returns, unless it
// says otherwise; the step ends when both streams have. Between the streams
// only events order, see docs/reference/exec-dialect.md.
//
// Status values: 0 is success, anything else is an error that the runtime has
// already recorded for the rank (see cleave_rt_rank_error). A program stops at
// the first non-zero status and returns it.
//
//===----------------------------------------------------------------------===//

#ifndef CLEAVE_RT_CLEAVE_RT_H
#define CLEAVE_RT_CLEAVE_RT_H

#include <stdint.h>

#pragma GCC visibility push(default)
#ifdef __cplusplus
extern "C" {
#endif

/// Version of this interface and of the manifest; a program with another
/// version is refused when it is loaded.
#define CLEAVE_RT_VERSION 4

/// The streams of a rank.
enum {
  CLEAVE_RT_COMPUTE = 0,
  CLEAVE_RT_COMMUNICATION = 1,
  CLEAVE_RT_NUM_STREAMS = 2,
};

/// One rank of a running program: its coordinates in the mesh, its device, its
/// communicator, its counters. Opaque to generated code.
typedef struct cleave_rt_rank cleave_rt_rank;

/// A host kernel. `buffers` holds one pointer per kernel argument (inputs, then
/// outputs); [begin, end) is the part of the outermost parallel loop to run.
/// Calls with disjoint ranges may run concurrently.
typedef void (*cleave_rt_kernel)(void *const *buffers, int64_t begin,
                                 int64_t end);

/// The program of one rank for one step. `arena` has the manifest's
/// `arena_bytes` and 64-byte alignment; `inputs` and `outputs` hold one pointer
/// to a local shard per manifest input and output, in order. An input that the
/// manifest calls donated may be overwritten, although it is const here; an
/// output with the key `input` has the same pointer as that input. No other
/// pointer may alias another.
typedef int32_t (*cleave_rt_step)(cleave_rt_rank *rank, void *arena,
                                  const void *const *inputs,
                                  void *const *outputs);

//===----------------------------------------------------------------------===//
// Exported by a program
//===----------------------------------------------------------------------===//

/// The manifest, a zero-terminated JSON text.
extern const char cleave_program_manifest[];

/// The entry point of the program.
int32_t cleave_program_step(cleave_rt_rank *rank, void *arena,
                            const void *const *inputs, void *const *outputs);

//===----------------------------------------------------------------------===//
// Called by a program
//===----------------------------------------------------------------------===//

/// Runs `kernel` over [0, extent), split over the threads the rank owns.
int32_t cleave_rt_launch(cleave_rt_rank *rank, cleave_rt_kernel kernel,
                         void *const *buffers, int64_t extent);

/// Runs manifest collective `id` on `stream` from `operand` into `result` (both
/// local shards with the shapes given in the manifest). On the compute stream
/// the host waits until it is done, the deadline passes, or a peer has failed;
/// on the other one that is found by what waits for it.
int32_t cleave_rt_collective(cleave_rt_rank *rank, int32_t stream, int32_t id,
                             const void *operand, void *result);

/// Event `event`, below the manifest's `events`, is from now on the point at
/// which everything issued to `stream` so far is done.
int32_t cleave_rt_record(cleave_rt_rank *rank, int32_t event, int32_t stream);

/// What is issued to `stream` from now on starts after the point that `event`,
/// of another stream, is now; without delay if it was not recorded in this
/// step.
int32_t cleave_rt_wait(cleave_rt_rank *rank, int32_t event, int32_t stream);

/// Sets `value` to 1 if the i1 at `condition` is true, else to 0, when
/// everything issued to the compute stream so far is done.
int32_t cleave_rt_condition(cleave_rt_rank *rank, const void *condition,
                            int32_t *value);

/// Runs manifest matrix product `id`. `bias` and `residual` are null unless the
/// manifest entry declares them.
int32_t cleave_rt_gemm(cleave_rt_rank *rank, int32_t id, const void *a,
                       const void *b, const void *bias, const void *residual,
                       void *out);

/// Runs manifest convolution `id`. `bias` and `residual` are null unless the
/// manifest entry declares them.
int32_t cleave_rt_convolution(cleave_rt_rank *rank, int32_t id, const void *lhs,
                              const void *kernel, const void *bias,
                              const void *residual, void *out);

/// Copies `bytes` bytes between buffers that do not overlap.
int32_t cleave_rt_copy(cleave_rt_rank *rank, const void *from, void *to,
                       int64_t bytes);

/// Writes the position of the rank along the (sub-)axes of the manifest axis
/// list `id`, major to minor: sum over axes of coordinate * product of later
/// sizes.
int32_t cleave_rt_axis_index(cleave_rt_rank *rank, int32_t id, int32_t *result);

/// Says that the operation issued to `stream` next, called `what`, reads or
/// writes bytes. Only programs with the manifest key `checks_streams` call it,
/// for each operand of each operation, the conditions that the host reads, and
/// the outputs when the program ends. `what` lives as long as the program.
int32_t cleave_rt_access(cleave_rt_rank *rank, int32_t stream, const void *data,
                         int64_t bytes, int32_t writes, const char *what);

/// The operation at `position` in the manifest's `guards` is next. Called only
/// by programs that have guard pages.
int32_t cleave_rt_operation(cleave_rt_rank *rank, int32_t position);

#ifdef __cplusplus
}
#endif
#pragma GCC visibility pop

#endif // CLEAVE_RT_CLEAVE_RT_H
