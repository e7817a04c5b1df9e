//===- StatisticAbi.h - Debug code beside a release build of LLVM ---------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Included in front of every source. llvm::Statistic, the base of each pass
// statistic, has members only without NDEBUG. The libraries of LLVM are built
// with NDEBUG, so its layout must be theirs even where our assertions are on.
//
//===----------------------------------------------------------------------===//

#ifndef CLEAVE_CMAKE_STATISTICABI_H
#define CLEAVE_CMAKE_STATISTICABI_H

#if defined(__cplusplus) && !defined(NDEBUG)
#define NDEBUG
#include "llvm/ADT/Statistic.h"
#undef NDEBUG
#include <cassert>
#endif

#endif // CLEAVE_CMAKE_STATISTICABI_H
