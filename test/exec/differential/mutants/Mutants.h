//===- Mutants.h - Faults that tests must find ------------------*- C++ -*-===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each mutant is a fault that a partitioner could have, put into the IR between
// two phases. A test program that does not notice it is worth little.
//
// The graphs are made so that no fault is without consequence: all elements
// are positive, each op grows strictly with each of its operands' elements, and
// every element has its part in an output. A missing or doubled contribution
// then changes outputs, and a NaN from padding stays. Dimensions are such that
// no rank's shard is empty. Where a change is none (a maximum taken twice, one
// rank in a group) it is not applied.
//
//===----------------------------------------------------------------------===//

#ifndef CLEAVE_TEST_EXEC_DIFFERENTIAL_MUTANTS_MUTANTS_H
#define CLEAVE_TEST_EXEC_DIFFERENTIAL_MUTANTS_MUTANTS_H

#include "test/exec/differential/Case.h"
#include "test/exec/differential/Outcome.h"
#include "test/exec/differential/Random.h"

namespace cleave::differential {

struct Mutant {
  llvm::StringRef name;
  /// The phase after which it is applied.
  llvm::StringRef after;
  /// False if the module has no place for it.
  bool (*apply)(mlir::ModuleOp module, Random &random);
  /// Whether it makes accesses outside of buffers, which guard pages must
  /// notice.
  bool isForGuards = false;
};

llvm::ArrayRef<Mutant> getMutants();
/// Null, after an error on stderr that names all, if there is no such mutant.
const Mutant *findMutant(llvm::StringRef name);

/// Runs the case with the fault of that name, where there is a place for it,
/// or as it is if the name is empty.
Outcome runWithFault(const Case &test, llvm::StringRef name);

/// A graph of strictly monotone ops on positive integers.
Case generateMonotone(mlir::MLIRContext *context, uint64_t seed);

} // namespace cleave::differential

#endif // CLEAVE_TEST_EXEC_DIFFERENTIAL_MUTANTS_MUTANTS_H
