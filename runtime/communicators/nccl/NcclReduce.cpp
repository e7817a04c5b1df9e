//===- NcclReduce.cpp - Collectives that reduce ---------------------------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/communicators/nccl/NcclCommunicator.h"
#include "runtime/core/Reduce.h"
#include "runtime/devices/DeviceCopy.h"

#include <algorithm>
#include <optional>

using namespace cleave::rt;

static std::optional<CleaveNcclType> getType(DType type) {
  switch (type) {
  case DType::I8:
    return CleaveNcclI8;
  case DType::I1:
  case DType::UI8:
    return CleaveNcclU8;
  case DType::I32:
    return CleaveNcclI32;
  case DType::UI32:
    return CleaveNcclU32;
  case DType::I64:
    return CleaveNcclI64;
  case DType::UI64:
    return CleaveNcclU64;
  case DType::F16:
    return CleaveNcclF16;
  case DType::BF16:
    return CleaveNcclBF16;
  case DType::F32:
    return CleaveNcclF32;
  case DType::F64:
    return CleaveNcclF64;
  default:
    return std::nullopt;
  }
}

static std::optional<CleaveNcclReduction>
getReduction(const CollectiveSpec &spec) {
  bool isBool = spec.dtype == DType::I1;
  switch (spec.reduction) {
  case Reduction::Sum:
    return isBool ? CleaveNcclMax : CleaveNcclSum;
  case Reduction::Prod:
    return isBool ? CleaveNcclMin : CleaveNcclProd;
  case Reduction::Max:
    return CleaveNcclMax;
  case Reduction::Min:
    return CleaveNcclMin;
  case Reduction::Or:
    return isBool ? std::optional(CleaveNcclMax) : std::nullopt;
  case Reduction::And:
    return isBool ? std::optional(CleaveNcclMin) : std::nullopt;
  }
  return std::nullopt;
}

bool cleave::rt::isForNccl(const CollectiveSpec &spec) {
  bool losesNaN = isFloat(spec.dtype) && (spec.reduction == Reduction::Max ||
                                          spec.reduction == Reduction::Min);
  return getType(spec.dtype) && getReduction(spec) && !losesNaN;
}

bool cleave::rt::isReducedOnHost(const CollectiveSpec &spec) {
  bool reduces = spec.kind == CollectiveKind::AllReduce ||
                 spec.kind == CollectiveKind::ReduceScatter;
  return reduces && !isForNccl(spec);
}

/// Every member's part is given to all at the same distance, as NCCL wants it,
/// padded to the longest.
static void reduceScatter(const NcclExecution &execution) {
  const CollectiveSpec &spec = execution.spec;
  const CollectivePlan &plan = execution.plan;
  int64_t longest = 0;
  for (const CopyPlan *part : execution.sends)
    longest = std::max(longest, part->getBytes());
  if (longest == 0)
    return;
  char *packed = execution.scratch;
  char *reduced = packed + longest * execution.getCount();
  for (size_t i = 0; i < execution.getCount(); ++i)
    packBox(execution.device, execution.stream, *execution.sends[i],
            execution.operand, packed + i * longest);
  checkCuda(execution.api.reduceScatter(
      execution.communicator, packed, reduced, longest / getSize(spec.dtype),
      *getType(spec.dtype), *getReduction(spec), execution.getStream()));
  unpackBox(execution.device, execution.stream, plan.pieces[plan.position],
            reduced, execution.result);
}

void cleave::rt::reduceByNccl(const NcclExecution &execution) {
  const CollectiveSpec &spec = execution.spec;
  const CollectivePlan &plan = execution.plan;
  if (!execution.communicator)
    return copyBox(execution.device, execution.stream,
                   plan.pieces[plan.position], execution.operand,
                   execution.result);
  if (spec.kind == CollectiveKind::ReduceScatter)
    return reduceScatter(execution);
  int64_t bytes = getBytes(spec.operandShape, spec.dtype);
  if (bytes)
    checkCuda(execution.api.allReduce(
        execution.communicator, execution.operand, execution.result,
        bytes / getSize(spec.dtype), *getType(spec.dtype), *getReduction(spec),
        execution.getStream()));
}

void cleave::rt::reduceOnHost(const NcclExecution &execution) {
  const CollectiveSpec &spec = execution.spec;
  const CollectivePlan &plan = execution.plan;
  CudaDevice &device = execution.device;
  int64_t bytes = getBytes(spec.operandShape, spec.dtype);
  int64_t count = execution.getCount();
  if (!bytes)
    return;
  char *gathered = execution.scratch;
  if (execution.communicator)
    checkCuda(execution.api.allGather(execution.communicator, execution.operand,
                                      gathered, bytes, execution.getStream()));
  else
    device.copyRuns(gathered, bytes, execution.operand, bytes, bytes, 1,
                    execution.stream);
  device.copyRuns(execution.staging, count * bytes, gathered, count * bytes,
                  count * bytes, 1, execution.stream);
  device.finish(execution.stream, describe(spec));
  std::vector<const void *> operands;
  for (int64_t i = 0; i < count; ++i)
    operands.push_back(execution.staging + i * bytes);
  char *reduced = execution.staging + count * bytes;
  reduce(spec.dtype, spec.reduction, operands.data(), count, 0, reduced,
         bytes / getSize(spec.dtype));
  if (spec.kind == CollectiveKind::AllReduce)
    device.copyRuns(execution.result, bytes, reduced, bytes, bytes, 1,
                    execution.stream);
  else
    copyBox(device, execution.stream, plan.pieces[plan.position], reduced,
            execution.result);
  // The staging is used again.
  device.finish(execution.stream, describe(spec));
}
