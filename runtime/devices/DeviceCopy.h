//===- DeviceCopy.h - Prepared copies in a device's memory ------*- C++ -*-===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What CopyPlan does on the host, as work of a stream of a device.
//
//===----------------------------------------------------------------------===//

#ifndef CLEAVE_RUNTIME_DEVICES_DEVICECOPY_H
#define CLEAVE_RUNTIME_DEVICES_DEVICECOPY_H

#include "runtime/core/CopyPlan.h"
#include "runtime/devices/Device.h"

namespace cleave::rt {

void copyBox(Device &device, int32_t stream, const CopyPlan &plan,
             const void *from, void *to);
/// Gathers the box into dense bytes, and spreads such bytes.
void packBox(Device &device, int32_t stream, const CopyPlan &plan,
             const void *from, void *dense);
void unpackBox(Device &device, int32_t stream, const CopyPlan &plan,
               const void *dense, void *to);

} // namespace cleave::rt

#endif // CLEAVE_RUNTIME_DEVICES_DEVICECOPY_H
