//===- ParseSharding.h - Shardings as short texts ---------------*- C++ -*-===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CLEAVE_LIB_PARTITION_TESTS_PARSESHARDING_H
#define CLEAVE_LIB_PARTITION_TESTS_PARSESHARDING_H

#include "cleave/Partition/ReshardPlan.h"

namespace cleave::test {

/// `a,b(1)2|?|c,?p1 + d`: dimensions are separated by `|`, axes by `,`; `?`
/// opens a dimension, `pN` is its priority, axes after `+` are partial sums.
Sharding parse(const Mesh &mesh, llvm::StringRef text);

/// The inverse.
std::string print(const Mesh &mesh, const Sharding &sharding);

/// One line per step: `all_gather a -> b|`.
std::string print(const Mesh &mesh, const ReshardPlan &plan);

} // namespace cleave::test

#endif // CLEAVE_LIB_PARTITION_TESTS_PARSESHARDING_H
