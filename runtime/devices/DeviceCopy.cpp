//===- DeviceCopy.cpp - Prepared copies in a device's memory --------------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/devices/DeviceCopy.h"

using namespace cleave::rt;

void cleave::rt::copyBox(Device &device, int32_t stream, const CopyPlan &plan,
                         const void *from, void *to) {
  const char *source = static_cast<const char *>(from);
  char *target = static_cast<char *>(to);
  plan.forEachLoop([&](int64_t fromOffset, int64_t fromStride, int64_t toOffset,
                       int64_t toStride, int64_t bytes, int64_t count) {
    device.copyRuns(target + toOffset, toStride, source + fromOffset,
                    fromStride, bytes, count, stream);
  });
}

void cleave::rt::packBox(Device &device, int32_t stream, const CopyPlan &plan,
                         const void *from, void *dense) {
  const char *source = static_cast<const char *>(from);
  char *target = static_cast<char *>(dense);
  plan.forEachLoop([&](int64_t offset, int64_t stride, int64_t, int64_t,
                       int64_t bytes, int64_t count) {
    device.copyRuns(target, bytes, source + offset, stride, bytes, count,
                    stream);
    target += bytes * count;
  });
}

void cleave::rt::unpackBox(Device &device, int32_t stream, const CopyPlan &plan,
                           const void *dense, void *to) {
  const char *source = static_cast<const char *>(dense);
  char *target = static_cast<char *>(to);
  plan.forEachLoop([&](int64_t, int64_t, int64_t offset, int64_t stride,
                       int64_t bytes, int64_t count) {
    device.copyRuns(target + offset, stride, source, bytes, bytes, count,
                    stream);
    source += bytes * count;
  });
}
