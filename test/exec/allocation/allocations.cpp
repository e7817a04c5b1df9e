//===- allocations.cpp - Counts what a compiled program allocates ---------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Linked with a program that `cleave compile --emit so` made: runs four steps
// of it on random inputs and prints how often anything in the process asked for
// memory during the last three, and during the first, which may. Exits with 1
// if the last three did.
//
//===----------------------------------------------------------------------===//

#include "cleave-rt/session.h"
#include "runtime/tests/OtherThreads.h"

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

static std::atomic<int64_t> numAllocations{0};

extern "C" {
void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *data, size_t size);
void *__libc_memalign(size_t alignment, size_t size);

void *malloc(size_t size) {
  ++numAllocations;
  return __libc_malloc(size);
}
void *calloc(size_t number, size_t size) {
  ++numAllocations;
  return __libc_calloc(number, size);
}
void *realloc(void *data, size_t size) {
  ++numAllocations;
  return __libc_realloc(data, size);
}
void *memalign(size_t alignment, size_t size) {
  ++numAllocations;
  return __libc_memalign(alignment, size);
}
void *aligned_alloc(size_t alignment, size_t size) {
  ++numAllocations;
  return __libc_memalign(alignment, size);
}
int posix_memalign(void **data, size_t alignment, size_t size) {
  ++numAllocations;
  *data = __libc_memalign(alignment, size);
  return *data ? 0 : 12;
}
void *mmap(void *address, size_t size, int protection, int flags, int file,
           off_t offset) {
  ++numAllocations;
  return reinterpret_cast<void *>(
      ::syscall(SYS_mmap, address, size, protection, flags, file, offset));
}
}

static void check(int32_t status) {
  if (status == CLEAVE_RT_OK)
    return;
  std::fprintf(stderr, "error: %s\n", cleave_rt_last_error());
  std::exit(status);
}

int main() {
  cleave_rt_program *program = nullptr;
  check(cleave_rt_program_create(cleave_program_manifest, cleave_program_step,
                                 &program));
  cleave_rt_session_options options;
  cleave_rt_session_options_init(&options);
  options.threads_per_rank = 2;
  cleave_rt_session *session = nullptr;
  check(cleave_rt_session_create(program, &options, &session));
  for (int32_t i = 0; i < cleave_rt_program_num_inputs(program); ++i)
    check(cleave_rt_session_random_input(session, i, 1));

  cleave::rt::waitForOtherThreads();
  int64_t before = numAllocations;
  check(cleave_rt_session_run(session, 1, nullptr));
  int64_t afterFirst = numAllocations;
  check(cleave_rt_session_run(session, 3, nullptr));
  int64_t afterLast = numAllocations;
  std::printf("allocations: first step %lld, later %lld\n",
              static_cast<long long>(afterFirst - before),
              static_cast<long long>(afterLast - afterFirst));
  cleave_rt_session_destroy(session);
  cleave_rt_program_destroy(program);
  return afterLast != afterFirst;
}
