//===- Simulator.h - Collectives on ranks that are arrays -------*- C++ -*-===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Executes the steps of a reshard by the definitions of docs/manifest.md on
// every rank of a mesh, to see that each element ends up where it must.
//
//===----------------------------------------------------------------------===//

#ifndef CLEAVE_LIB_PARTITION_TESTS_SIMULATOR_H
#define CLEAVE_LIB_PARTITION_TESTS_SIMULATOR_H

#include "cleave/Partition/ReshardPlan.h"
#include <string>

namespace cleave::test {

using Shape = llvm::SmallVector<int64_t, 4>;

/// What a rank holds.
struct LocalArray {
  Shape shape;
  std::vector<int64_t> data;
};

using Locals = std::vector<LocalArray>;

class Simulator {
public:
  Simulator(const Mesh &mesh, llvm::ArrayRef<int64_t> shape,
            int64_t elementBytes)
      : mesh(mesh), shape(shape), elementBytes(elementBytes) {}

  /// Distributes a tensor of distinct elements by `from`, runs the plan, and
  /// compares all valid elements with those that `to` asks for. Returns what
  /// is wrong, or an empty text.
  std::string check(const ReshardPlan &plan, const Sharding &from,
                    const Sharding &to);

  /// Runs the plan on what the ranks hold. Returns what is wrong, or nothing.
  std::string execute(const ReshardPlan &plan, Locals &data);

private:
  int64_t rankAt(int64_t rank, llvm::ArrayRef<AxisRef> axes,
                 int64_t position) const;
  int64_t contribution(int64_t element, int64_t position) const;
  Locals distribute(const Sharding &from) const;
  int64_t reduceElement(int64_t rank, int64_t element, const Sharding &from,
                        llvm::ArrayRef<PartialAxis> reduced) const;
  std::string compare(const Locals &locals, const Sharding &from,
                      const Sharding &to) const;

  std::string run(const ReshardStep &step);
  Locals gather(const Locals &in, llvm::ArrayRef<AxisRef> axes, unsigned dim,
                int64_t extent) const;
  Locals slice(const Locals &in, llvm::ArrayRef<AxisRef> axes,
               unsigned dim) const;
  Locals reduce(const Locals &in, llvm::ArrayRef<AxisRef> axes,
                ReductionKind kind) const;
  std::string permute(const ReshardStep &step);
  int64_t receivedBytes(const ReshardStep &step) const;

  const Mesh &mesh;
  Shape shape;
  int64_t elementBytes;
  Locals locals;
};

/// Bytes of its target block that some device does not own, at most.
int64_t bytesNotOwned(const Mesh &mesh, llvm::ArrayRef<int64_t> shape,
                      int64_t elementBytes, const Sharding &from,
                      const Sharding &to);

} // namespace cleave::test

#endif // CLEAVE_LIB_PARTITION_TESTS_SIMULATOR_H
