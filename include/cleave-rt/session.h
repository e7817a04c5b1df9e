//===- session.h - Run a program from the host ------------------*- C++ -*-===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The host-side C interface: create a program from its manifest and its step
// function, give it inputs as global tensors or as files, run steps, read
// outputs as global tensors. The compiler uses it for `cleave run` and `cleave
// verify`; executables use it through main.h.
//
//   program  one manifest and one step function; immutable, may be shared
//   session  the ranks of one run: their threads, shards, arenas, counters
//
// Every function that can fail returns a status:
//
//   CLEAVE_RT_OK          0
//   CLEAVE_RT_BAD_INPUT   2  the caller's data is at fault
//   CLEAVE_RT_RUN_FAILED  3  a rank failed or a deadline passed
//
// which is also the exit status a command should use. The text of the last
// failure on the calling thread is cleave_rt_last_error(): one diagnostic per
// line, without a trailing newline. No exception leaves these functions.
//
// A session is used from one thread at a time. Shapes are in elements, sizes
// named `bytes` in bytes, times in seconds. Tensors in memory are dense and
// row-major; dtype names are those of docs/manifest.md, and an i1 takes one
// byte that is 0 or 1.
//
//===----------------------------------------------------------------------===//

#ifndef CLEAVE_RT_SESSION_H
#define CLEAVE_RT_SESSION_H

#include "cleave-rt/cleave-rt.h"

#pragma GCC visibility push(default)
#ifdef __cplusplus
extern "C" {
#endif

enum {
  CLEAVE_RT_OK = 0,
  CLEAVE_RT_BAD_INPUT = 2,
  CLEAVE_RT_RUN_FAILED = 3,
};

/// Text of the last failure on this thread, or "" if there was none. Valid
/// until the next call on the same thread.
const char *cleave_rt_last_error(void);

//===----------------------------------------------------------------------===//
// Programs
//===----------------------------------------------------------------------===//

typedef struct cleave_rt_program cleave_rt_program;

/// Parses and validates `manifest` (zero-terminated JSON; copied). `step` must
/// stay callable while the program exists. BAD_INPUT if the manifest is invalid
/// or of another version.
int32_t cleave_rt_program_create(const char *manifest, cleave_rt_step step,
                                 cleave_rt_program **program);
/// Must not be called before the sessions of the program are destroyed.
void cleave_rt_program_destroy(cleave_rt_program *program);

/// What the manifest says about an input or output. Pointers belong to the
/// program.
typedef struct cleave_rt_tensor_info {
  const char *name;
  const char *dtype;
  int32_t rank;               ///< number of dimensions
  const int64_t *shape;       ///< global
  const int64_t *local_shape; ///< of every rank's shard, padding included
  int64_t bytes;              ///< of the global tensor
  const char *location;       ///< source location, may be ""
} cleave_rt_tensor_info;

const char *cleave_rt_program_name(const cleave_rt_program *program);
int32_t cleave_rt_program_num_ranks(const cleave_rt_program *program);
int32_t cleave_rt_program_num_inputs(const cleave_rt_program *program);
int32_t cleave_rt_program_num_outputs(const cleave_rt_program *program);
int64_t cleave_rt_program_arena_bytes(const cleave_rt_program *program);

/// BAD_INPUT if there is no input (output) `index`.
int32_t cleave_rt_program_input(const cleave_rt_program *program, int32_t index,
                                cleave_rt_tensor_info *info);
int32_t cleave_rt_program_output(const cleave_rt_program *program,
                                 int32_t index, cleave_rt_tensor_info *info);
/// Position of the input (output) called `name`, or -1.
int32_t cleave_rt_program_find_input(const cleave_rt_program *program,
                                     const char *name);
int32_t cleave_rt_program_find_output(const cleave_rt_program *program,
                                      const char *name);

//===----------------------------------------------------------------------===//
// Sessions
//===----------------------------------------------------------------------===//

typedef struct cleave_rt_session cleave_rt_session;

/// Fill with cleave_rt_session_options_init, then change what differs.
typedef struct cleave_rt_session_options {
  int32_t ranks;            ///< 0: as many as the mesh has; another number that
                            ///< differs from the mesh size is BAD_INPUT
  int32_t threads_per_rank; ///< at least 1; 0: cores / ranks, at least 1
  double deadline_seconds;  ///< per collective; default 60
  int32_t poison_padding;   ///< non-zero: padding of input shards and the arena
                          ///< before each step get NaN (floats) or 0x5a bytes,
                          ///< and replicas of outputs must be bitwise equal
  int32_t trace;            ///< non-zero: record events for a Chrome trace
  double link_bandwidth;    ///< bytes per second; 0: as fast as it goes. Of
                            ///< "local" only: a collective takes at least the
                            ///< latency and the bytes that a rank receives by
                            ///< this, during which the rank sleeps
  double link_latency;      ///< seconds
  const char *communicator; ///< "local" (as null): ranks are threads of this
                            ///< process; "mpi": this process is one rank, and
                            ///< all call the same functions in the same order.
                            ///< Only rank 0 then gets whole tensors, counters
                            ///< and traces of all
} cleave_rt_session_options;

void cleave_rt_session_options_init(cleave_rt_session_options *options);

/// Starts the rank threads, allocates shards (zeroed) and arenas. `options` may
/// be null for the defaults.
int32_t cleave_rt_session_create(const cleave_rt_program *program,
                                 const cleave_rt_session_options *options,
                                 cleave_rt_session **session);
void cleave_rt_session_destroy(cleave_rt_session *session);

/// Cuts the global tensor at `data` into shards. `bytes` must be the input's
/// global size.
int32_t cleave_rt_session_set_input(cleave_rt_session *session, int32_t index,
                                    const void *data, int64_t bytes);
/// Reads input `index` from a .safetensors, .npz or .npy file; each rank reads
/// only its shard, but all of an .npz file, for its checksums. `tensor` names
/// the tensor in the file; null means the name of the input (ignored for .npy).
/// Shape and dtype must match exactly, with one exception: numpy has neither
/// bfloat16 nor floats of 8 bits, so a bf16 input takes u2 data as bits, and
/// one of 8 bits u1.
int32_t cleave_rt_session_load_input(cleave_rt_session *session, int32_t index,
                                     const char *path, const char *tensor);
/// Fills input `index` as cleave_rt_random_fill does, each rank its own shard.
int32_t cleave_rt_session_random_input(cleave_rt_session *session,
                                       int32_t index, uint64_t seed);
/// Assembles the global tensor of an input back from its shards.
int32_t cleave_rt_session_get_input(cleave_rt_session *session, int32_t index,
                                    void *data, int64_t bytes);

/// Runs `steps` steps with the same inputs: what a program does to donated ones
/// is undone before each step, outside of the time. `seconds`, if not null,
/// gets one wall time per step, from a common start of all ranks to the last
/// one's end. RUN_FAILED: the text has one line per rank that failed or waited
/// in vain. A session that failed cannot run again.
int32_t cleave_rt_session_run(cleave_rt_session *session, int32_t steps,
                              double *seconds);

/// Assembles the global tensor of output `index` from the shards of the last
/// step. With poison_padding, replicas that differ are RUN_FAILED.
int32_t cleave_rt_session_get_output(cleave_rt_session *session, int32_t index,
                                     void *data, int64_t bytes);
/// The shard of one rank: a pointer to local_shape elements, valid while the
/// session exists; null if there is no such output or rank.
const void *cleave_rt_session_output_shard(const cleave_rt_session *session,
                                           int32_t index, int32_t rank);

/// Counters of one manifest collective over all steps so far.
typedef struct cleave_rt_collective_counters {
  const char *kind;
  const char *axis_names; ///< may be ""
  const char *location;   ///< source location, may be ""
  int64_t count;          ///< executions on the rank that ran it most often
  int64_t bytes;          ///< received per execution, maximum over ranks; as in
                          ///< docs/manifest.md
} cleave_rt_collective_counters;

int32_t cleave_rt_session_num_collectives(const cleave_rt_session *session);
int32_t cleave_rt_session_collective(const cleave_rt_session *session,
                                     int32_t id,
                                     cleave_rt_collective_counters *counters);
/// Bytes of the arena of each rank; the compiler's plan, so this is the peak.
int64_t cleave_rt_session_arena_bytes(const cleave_rt_session *session);
/// Bytes of library scratch (matrix products) of a rank, outside the arena.
int64_t cleave_rt_session_scratch_bytes(const cleave_rt_session *session);

/// Writes the recorded events as Chrome trace JSON: a row per rank and stream.
int32_t cleave_rt_session_write_trace(const cleave_rt_session *session,
                                      const char *path);

//===----------------------------------------------------------------------===//
// Random data
//===----------------------------------------------------------------------===//

/// Fills a dense tensor of `count` elements. Element i (flat, row-major, of the
/// *global* tensor) depends only on seed, name, dtype and i, so the values are
/// the same for every mesh:
///
///   key  = mix(seed ^ fnv1a64(name))
///   bits = mix(key + (i + 1) * 0x9e3779b97f4a7c15), mix = that of splitmix64
///   floats      (bits >> (64 - p)) * 2^(1 - p) - 1, p = significand bits
///               (f64 53, f32 24, f16 11, bf16 8, f8E4M3* 4, f8E5M2* 3,
///               f8E3M4 5): exact, in [-1, 1)
///   f8E8M0FNU   2^((bits >> 61) - 4)
///   i8, i16     bits >> 61, minus 4: in [-4, 4)
///   other ints  bits >> 61: in [0, 8), so that they can serve as indices
///   i1          bits >> 63
int32_t cleave_rt_random_fill(uint64_t seed, const char *name,
                              const char *dtype, int64_t count, void *data);

//===----------------------------------------------------------------------===//
// Tensor files
//===----------------------------------------------------------------------===//

/// A named tensor in memory or in a file.
typedef struct cleave_rt_file_tensor {
  const char *name; ///< "" in a .npy file
  const char *dtype;
  int32_t rank;
  const int64_t *shape;
  const void *data; ///< null in answers of cleave_rt_file_tensor_info
  int64_t bytes;
} cleave_rt_file_tensor;

typedef struct cleave_rt_file cleave_rt_file;

/// Opens and validates a .safetensors, .npz or .npy file; the format is told
/// from its content. BAD_INPUT if it is none of them or damaged.
int32_t cleave_rt_file_open(const char *path, cleave_rt_file **file);
void cleave_rt_file_close(cleave_rt_file *file);
int32_t cleave_rt_file_num_tensors(const cleave_rt_file *file);
/// BAD_INPUT if there is no tensor `index`. Pointers belong to the file.
int32_t cleave_rt_file_tensor_info(const cleave_rt_file *file, int32_t index,
                                   cleave_rt_file_tensor *info);
/// Copies tensor `index` to `data`; `bytes` must be its size.
int32_t cleave_rt_file_read(cleave_rt_file *file, int32_t index, void *data,
                            int64_t bytes);

/// Write a file; it appears whole or not at all (temporary file, then rename).
int32_t cleave_rt_save_safetensors(const char *path,
                                   const cleave_rt_file_tensor *tensors,
                                   int32_t count);
/// numpy has neither bfloat16 nor floats of 8 bits: they are saved as the u2
/// and u1 of their bits.
int32_t cleave_rt_save_npy(const char *path,
                           const cleave_rt_file_tensor *tensor);
int32_t cleave_rt_save_npz(const char *path,
                           const cleave_rt_file_tensor *tensors, int32_t count);

#ifdef __cplusplus
}
#endif
#pragma GCC visibility pop

#endif // CLEAVE_RT_SESSION_H
