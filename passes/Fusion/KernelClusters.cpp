//===- KernelClusters.cpp - Which ops share a kernel ----------------------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/Fusion/KernelClusters.h"
#include "dialects/Graph/GraphDialect.h"
#include "passes/Fusion/IndexAlignment.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace cleave::fusion;
using cleave::OwnKernelOpInterface;
using namespace cleave::graph;

/// Larger kernels take long to compile and gain nothing.
static constexpr size_t maxOps = 48;
/// Values of one row should fit the second-level cache (and the stack).
static constexpr int64_t maxRowBytes = 256 << 10;
/// Clusters of this size are fused without rows in common.
static constexpr int64_t smallElements = 2048;
/// Rows that keep all threads busy.
static constexpr int64_t enoughRows = 16;
/// Elements that are worth a thread.
static constexpr int64_t elementsPerTask = 2048;

bool cleave::fusion::isKernelOp(Operation *op) {
  return isa<CleaveDialect>(op->getDialect()) &&
         !isa<ConstantOp, ReshapeOp, DotGeneralOp, WhileOp, IfOp,
              cleave::graph::ReturnOp>(op);
}

bool cleave::fusion::isSplatConstant(Value value) {
  auto constant = value.getDefiningOp<ConstantOp>();
  if (!constant)
    return false;
  auto elements = dyn_cast<DenseElementsAttr>(constant.getValue());
  return elements && (elements.isSplat() || elements.getNumElements() == 0);
}

SmallVector<Operation *> cleave::fusion::producersOf(Operation *op,
                                                     Block &block) {
  llvm::SetVector<Operation *> producers;
  auto add = [&](Value value) {
    Operation *producer = value.getDefiningOp();
    if (producer && producer->getBlock() == &block)
      producers.insert(producer);
  };
  if (op->getNumRegions() == 0)
    llvm::for_each(op->getOperands(), add);
  else
    op->walk(
        [&](Operation *inner) { llvm::for_each(inner->getOperands(), add); });
  return producers.takeVector();
}

static int64_t product(ArrayRef<int64_t> sizes) {
  int64_t result = 1;
  for (int64_t size : sizes)
    result *= size;
  return result;
}

static int64_t elementsOf(Value value) {
  return cast<RankedTensorType>(value.getType()).getNumElements();
}

/// Between types of different width one element becomes several or the
/// reverse.
static bool changesWidth(Operation *op) {
  return isa<BitcastConvertOp>(op) &&
         elementsOf(op->getResult(0)) != elementsOf(op->getOperand(0));
}

/// Iterations of the op's loops.
static int64_t iterationsOf(Operation *op) {
  int64_t result = elementsOf(op->getResult(0));
  if (auto reduce = dyn_cast<ReduceOp>(op))
    result = std::max(result, elementsOf(reduce.getInputs()[0]));
  if (auto window = dyn_cast<ReduceWindowOp>(op); window && !window.getScan())
    result *= product(window.getWindowDimensions());
  if (auto convolution = dyn_cast<ConvolutionOp>(op)) {
    auto kernel = cast<RankedTensorType>(convolution.getRhs().getType());
    int64_t outputs =
        kernel.getDimSize(convolution.getKernelOutputFeatureDimension());
    result *= kernel.getNumElements() / std::max<int64_t>(outputs, 1);
  }
  return result;
}

static bool isExpressionOp(Operation *op) {
  return !isa<ReduceOp, ReduceWindowOp, ConvolutionOp, ConcatenateOp, PadOp,
              DynamicUpdateSliceOp>(op) &&
         !changesWidth(op);
}

/// The same for an op whose producer is in its kernel. What a dynamic slice may
/// read is stored, since its place is not known.
static bool composes(Operation *op) {
  return isExpressionOp(op) && !isa<DynamicSliceOp>(op);
}

static bool isDataMovement(Operation *op) {
  return isa<BroadcastInDimOp, TransposeOp, SliceOp, ReverseOp, IotaOp,
             DynamicSliceOp>(op);
}

/// Copied or converted values cost nothing to compute again.
static bool isFree(const Cluster &cluster) {
  return llvm::all_of(cluster.ops, [](Operation *op) {
    return isDataMovement(op) || isa<ConvertOp>(op);
  });
}

/// Ops that become code: a broadcast is an index.
static size_t countOps(const Cluster &cluster) {
  return llvm::count_if(cluster.ops, [](Operation *op) {
    return !isa<BroadcastInDimOp, IotaOp>(op);
  });
}

/// Independent pieces of work in a cluster.
static int64_t parallelism(const Cluster &cluster) {
  if (cluster.isExpression)
    return std::max<int64_t>(cluster.elements / elementsPerTask, 1);
  return product(cluster.rows);
}

static void append(Cluster &joined, Operation *op) {
  joined.elements = std::max(joined.elements, iterationsOf(op));
  joined.isExpression &= composes(op);
}

bool KernelClusters::joinInRows(const Cluster &cluster, Operation *op,
                                Cluster &joined) const {
  SmallVector<int64_t> loops = parallelLoops(op);
  size_t common = std::min(cluster.rows.size(), loops.size());
  for (size_t i = 0; i < common; ++i)
    if (cluster.rows[i] != loops[i])
      common = i;
  for (OpOperand &operand : op->getOpOperands()) {
    Operation *producer = operand.get().getDefiningOp();
    if (!producer || clusterOf(producer) != &cluster)
      continue;
    common = std::min<size_t>(common, alignedLoops(operand));
  }
  SmallVector<int64_t> rows(loops.begin(), loops.begin() + common);
  if (common == 0) {
    // Small ones may as well run one after the other in one call.
    if (cluster.elements > smallElements || iterationsOf(op) > smallElements)
      return false;
  } else {
    int64_t needed = std::min(enoughRows, parallelism(cluster));
    bool staysExpression = cluster.isExpression && composes(op) &&
                           common == loops.size() &&
                           common == cluster.rows.size();
    if (!staysExpression && product(rows) < needed)
      return false;
  }
  joined.rows = rows;
  append(joined, op);
  int64_t bytes = 0;
  for (Operation *inner : joined.ops)
    for (Value result : inner->getResults())
      bytes += elementsOf(result) * 4;
  joined.rowBytes = bytes / std::max<int64_t>(product(rows), 1);
  // An expression keeps nothing; it has blocks of any size.
  bool isOneLoop = joined.isExpression && rows.size() == loops.size();
  return isOneLoop || joined.rowBytes <= maxRowBytes;
}

bool KernelClusters::hasOtherUsers(const Cluster &cluster,
                                   Operation *op) const {
  for (Operation *inner : cluster.ops)
    for (Operation *user : inner->getUsers()) {
      Operation *ancestor = block.findAncestorOpInBlock(*user);
      if (ancestor != op && clusterOf(ancestor) != &cluster)
        return true;
    }
  return false;
}

bool KernelClusters::joinInlined(const Cluster &cluster, Operation *op,
                                 Cluster &joined) const {
  if (!cluster.isExpression || isa<ConcatenateOp, PadOp, DynamicSliceOp>(op) ||
      hasOtherUsers(cluster, op))
    return false;
  if (iterationsOf(op) > cluster.elements && !isFree(cluster))
    return false;
  // Inside the cluster nothing may be expanded that is not free: that would
  // need room for all of it at once.
  for (Operation *inner : cluster.ops)
    if (elementsOf(inner->getResult(0)) != cluster.elements &&
        !isDataMovement(inner) && !isa<ConvertOp>(inner))
      return false;
  joined.rows = parallelLoops(op);
  append(joined, op);
  return true;
}

/// The position before which no op depends on one from `first` on, although all
/// of a cluster runs before any of its values can be used: no cluster has ops
/// on both sides of it.
int64_t KernelClusters::independentBefore(int64_t first) const {
  for (bool isStable = false; !isStable;) {
    isStable = true;
    for (const Cluster *cluster : llvm::reverse(live)) {
      if (cluster->first >= first || cluster->last < first)
        continue;
      first = cluster->first;
      isStable = false;
    }
  }
  return first;
}

/// Whether a value leaves the clusters and comes back to one of them or to
/// `op`: then they cannot run as one.
bool KernelClusters::dependsOnItself(ArrayRef<Cluster *> clusters,
                                     Operation *op) const {
  constexpr size_t maxVisited = 4096;
  int64_t first = position.lookup(op);
  llvm::SmallPtrSet<Operation *, 32> inside, visited;
  SmallVector<Operation *> worklist;
  for (Cluster *cluster : clusters)
    for (Operation *inner : cluster->ops) {
      inside.insert(inner);
      first = std::min(first, position.lookup(inner));
    }
  auto enter = [&](Operation *from) {
    for (Operation *producer : producersOf(from, block))
      if (!inside.contains(producer) && visited.insert(producer).second)
        worklist.push_back(producer);
  };
  first = independentBefore(first);
  for (Operation *inner : inside)
    enter(inner);
  enter(op);
  while (!worklist.empty()) {
    if (visited.size() > maxVisited)
      return true;
    Operation *current = worklist.pop_back_val();
    // All of a cluster runs before any of its values can be used.
    SmallVector<Operation *> unit = {current};
    if (Cluster *other = clusterOf(current))
      unit = other->ops;
    for (Operation *member : unit) {
      visited.insert(member);
      for (Operation *producer : producersOf(member, block)) {
        if (inside.contains(producer))
          return true;
        if (position.lookup(producer) >= first &&
            visited.insert(producer).second)
          worklist.push_back(producer);
      }
    }
  }
  return false;
}

/// Extends `joined`, which stands for `op` and what it joined so far.
bool KernelClusters::tryJoin(Cluster &cluster, Operation *op, Cluster &joined) {
  if (cluster.isClosed || countOps(cluster) + countOps(joined) > maxOps)
    return false;
  // Start from what the cluster and the ops joined so far have in common.
  Cluster next = joined;
  next.ops.insert(next.ops.begin(), cluster.ops.begin(), cluster.ops.end());
  // Not only what `op` uses: one of two clusters may need a value of the other.
  for (Operation *inner : next.ops)
    for (OpOperand &operand : inner->getOpOperands())
      if (needsWhole(operand) &&
          llvm::is_contained(next.ops, operand.get().getDefiningOp()))
        return false;
  next.elements = std::max(joined.elements, cluster.elements);
  next.isExpression = joined.isExpression && cluster.isExpression;
  Cluster inRows = next, inlined = next;
  if (joinInRows(cluster, op, inRows)) {
    size_t common = std::min(inRows.rows.size(), joined.rows.size());
    bool agrees = true;
    for (size_t i = 0; i < common; ++i)
      agrees &= inRows.rows[i] == joined.rows[i];
    bool isFirst = joined.ops.size() == 1;
    if (isFirst || (agrees && (common > 0 || next.elements <= smallElements))) {
      if (!isFirst &&
          product(ArrayRef(inRows.rows).take_front(common)) <
              std::min(enoughRows, parallelism(joined)) &&
          common < joined.rows.size())
        return false;
      joined = inRows;
      joined.rows.resize(isFirst ? inRows.rows.size() : common);
      return true;
    }
  }
  if (joined.ops.size() == 1 || joined.isExpression) {
    if (joinInlined(cluster, op, inlined)) {
      inlined.rows = joined.rows;
      joined = inlined;
      return true;
    }
  }
  return false;
}

void KernelClusters::visit(Operation *op) {
  Cluster joined;
  joined.ops = {op};
  joined.rows = parallelLoops(op);
  joined.isExpression = isExpressionOp(op);
  joined.isClosed = isa<DynamicUpdateSliceOp, OwnKernelOpInterface,
                        cleave::LibraryKernelOpInterface>(op);
  joined.elements = iterationsOf(op);
  SmallVector<Cluster *> members;
  if (!joined.isClosed) {
    for (Operation *producer : producersOf(op, block)) {
      Cluster *cluster = clusterOf(producer);
      if (!cluster || llvm::is_contained(members, cluster))
        continue;
      Cluster next = joined;
      if (!tryJoin(*cluster, op, next))
        continue;
      members.push_back(cluster);
      if (dependsOnItself(members, op)) {
        members.pop_back();
        continue;
      }
      joined = std::move(next);
    }
  }
  storage.push_back(std::move(joined));
  Cluster &formed = storage.back();
  formed.first = formed.last = position.lookup(op);
  for (Operation *member : formed.ops) {
    formed.first = std::min(formed.first, position.lookup(member));
    clusterOfOp[member] = &formed;
  }
  llvm::erase_if(live, [&](Cluster *cluster) {
    return llvm::is_contained(members, cluster);
  });
  live.push_back(&formed);
}

KernelClusters::KernelClusters(Block &block) : block(block) {
  int64_t number = 0;
  for (Operation &op : block)
    position[&op] = number++;
  for (Operation &op : block)
    if (isKernelOp(&op))
      visit(&op);
}
