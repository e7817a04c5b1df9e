//===- main.h - Command line of compiled programs ---------------*- C++ -*-===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The options of a compiled executable, in pieces that `cleave run` and `cleave
// verify` share. Statuses are those of session.h; diagnostics go to stderr as
// `TOOL: error: text`, one per line.
//
// For tests of what happens when a rank dies, the environment variable
// CLEAVE_RT_FAULT="rank=R,collective=K,mode=hang|fail" makes rank R stop at its
// K-th collective (from 0, all steps together) without entering it: silently,
// so that its peers meet their deadline, or with an error. With
// `collective=start` it stops before it starts MPI.
//
// In programs compiled with --check-streams CLEAVE_RT_IGNORED_EVENT=N makes
// event N order nothing for the check, which shows whether it is needed.
//
// CLEAVE_RT_STATUS_FILE names a file to which the first process, and each that
// fails or has an error of its own, adds its exit status as a line, for
// launchers whose own status tells nothing.
//
//===----------------------------------------------------------------------===//

#ifndef CLEAVE_RT_MAIN_H
#define CLEAVE_RT_MAIN_H

#include "cleave-rt/session.h"

#pragma GCC visibility push(default)
#ifdef __cplusplus
extern "C" {
#endif

/// The whole `main` of an executable: parses the options, runs the program,
/// writes its outputs. Returns the exit status: 0, 2 or 3. Output files are
/// written only after a run without errors; where they cannot be, that is 2.
int cleave_rt_main(int argc, char **argv, const char *manifest,
                   cleave_rt_step step);

/// The values of the run options.
typedef struct cleave_rt_run_options cleave_rt_run_options;

cleave_rt_run_options *cleave_rt_run_options_create(void);
void cleave_rt_run_options_destroy(cleave_rt_run_options *options);

/// Tries to parse argv[*index], both `--name value` and `--name=value`. Returns
///   1  it was a run option: *index is now past it and its value
///   0  not a run option: nothing changed
///  -1  a run option with a missing or bad value: see cleave_rt_last_error
int32_t cleave_rt_parse_run_option(cleave_rt_run_options *options, int argc,
                                   char *const *argv, int *index);

/// One line per run option, ready to print under a usage line.
const char *cleave_rt_run_options_help(void);

/// What a tool may want to know about the parsed options.
const cleave_rt_session_options *
cleave_rt_run_options_session(const cleave_rt_run_options *options);
/// 1 if --communicator mpi was given, but no launcher started this process.
int32_t
cleave_rt_run_options_needs_launch(const cleave_rt_run_options *options);
/// 1 if --json was given.
int32_t cleave_rt_run_options_json(const cleave_rt_run_options *options);

/// The file that the program is made from, which no output may replace.
void cleave_rt_run_options_set_model(cleave_rt_run_options *options,
                                     const char *path);

/// BAD_INPUT unless what --output-dir and --trace name can be written, and the
/// trace is none of the files that the run is made from; makes the folder if
/// need be. For before long work.
int32_t
cleave_rt_run_options_check_outputs(const cleave_rt_run_options *options);

/// Sets every input of `session` from --weights, --input and --random-inputs.
/// Precedence: --input, then --weights, then --random-inputs. An input without
/// a source, an unknown name, another shape or dtype, and a file with weights
/// that are no inputs are a diagnostic each, all collected before it returns
/// BAD_INPUT; a line `note: ...` of the text belongs to the error before it. It
/// is BAD_INPUT alone, before any is set, if a file of --output-dir would
/// replace one that the run is made from.
int32_t cleave_rt_run_options_set_inputs(const cleave_rt_run_options *options,
                                         cleave_rt_session *session);

/// What follows a first step: runs and times the steps of --time, writes the
/// files of --output-dir and --trace, and prints the summary to stdout if
/// `prints` is not 0.
int32_t cleave_rt_run_options_finish(const cleave_rt_run_options *options,
                                     cleave_rt_session *session,
                                     int32_t prints);

/// Everything after parsing: creates program and session, sets inputs, runs,
/// writes outputs, prints the summary to stdout and diagnostics to stderr with
/// the prefix `tool`. Returns the exit status.
int32_t cleave_rt_run_program(const char *tool,
                              const cleave_rt_run_options *options,
                              const char *manifest, cleave_rt_step step);

#ifdef __cplusplus
}
#endif
#pragma GCC visibility pop

#endif // CLEAVE_RT_MAIN_H
