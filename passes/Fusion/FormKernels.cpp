//===- FormKernels.cpp - Cluster ops into kernels -------------------------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialects/Graph/GraphBuilders.h"
#include "dialects/Graph/GraphDialect.h"
#include "dialects/Graph/KernelAttributes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/IRMapping.h"
#include "passes/Fusion/KernelClusters.h"
#include "passes/Fusion/Passes.h"
#include "llvm/ADT/SetVector.h"

namespace cleave {
#define GEN_PASS_DEF_FORMKERNELS
#include "passes/Fusion/Passes.h.inc"
} // namespace cleave

using namespace mlir;
using namespace cleave::fusion;
using cleave::OwnKernelOpInterface;
using namespace cleave::graph;

namespace {

class KernelOutliner {
public:
  KernelOutliner(ModuleOp module) : symbols(module) {}

  void outline(Block &block);

private:
  void materializeConstants(Block &block);
  void order(Operation *op);
  void emit(Cluster &cluster, Operation *before);

  SymbolTable symbols;
  unsigned number = 0;
  /// Of the current block.
  Block *block = nullptr;
  KernelClusters *clusters = nullptr;
  /// Ops in a valid order, each cluster in one piece.
  llvm::SetVector<Operation *> ordered;
};

} // namespace

/// Splats that leave kernels (returned, sent, carried by a loop) are broadcast
/// from a scalar, which makes them a kernel's result.
void KernelOutliner::materializeConstants(Block &block) {
  for (auto constant : llvm::make_early_inc_range(block.getOps<ConstantOp>())) {
    if (!isSplatConstant(constant.getOutput()))
      continue;
    auto isOutside = [&](OpOperand &use) {
      Operation *user = use.getOwner();
      // Inside a reduction, it is cloned with the body.
      return (!isKernelOp(user) &&
              !isa<ReduceOp, ReduceWindowOp>(user->getParentOp())) ||
             isa<cleave::LibraryKernelOpInterface>(user);
    };
    if (llvm::none_of(constant->getUses(), isOutside))
      continue;
    OpBuilder b(constant->getContext());
    b.setInsertionPointAfter(constant);
    auto type = cast<RankedTensorType>(constant.getOutput().getType());
    auto elements = cast<DenseElementsAttr>(constant.getValue());
    Value scalar = constant.getOutput();
    auto scalarType = type.clone(ArrayRef<int64_t>());
    Attribute element = elements.isSplat()
                            ? elements.getSplatValue<Attribute>()
                            : Attribute(numberAttr(type.getElementType(), 0));
    scalar = ConstantOp::create(b, constant.getLoc(),
                                DenseElementsAttr::get(scalarType, element));
    Value filled = BroadcastInDimOp::create(b, constant.getLoc(), type, scalar,
                                            ArrayRef<int64_t>());
    constant.getOutput().replaceUsesWithIf(filled, isOutside);
  }
}

/// Appends `op`, with its cluster and all they depend on before it.
void KernelOutliner::order(Operation *op) {
  if (ordered.contains(op))
    return;
  SmallVector<Operation *> unit = {op};
  if (Cluster *cluster = clusters->clusterOf(op))
    unit = cluster->ops;
  for (Operation *member : unit)
    for (Operation *producer : producersOf(member, *block))
      if (!llvm::is_contained(unit, producer))
        order(producer);
  for (Operation *member : unit)
    ordered.insert(member);
}

/// Moves the ops of a cluster to a function.
void KernelOutliner::emit(Cluster &cluster, Operation *before) {
  llvm::SmallPtrSet<Operation *, 16> inside(cluster.ops.begin(),
                                            cluster.ops.end());
  auto isInside = [&](Operation *op) {
    Operation *ancestor = block->findAncestorOpInBlock(*op);
    return ancestor && inside.contains(ancestor);
  };
  // A library call takes its operands one by one, also equal or constant ones.
  auto libraryCall =
      dyn_cast<cleave::LibraryKernelOpInterface>(cluster.ops.front());
  llvm::SetVector<Value> inputs, constants;
  SmallVector<Value> outputs;
  for (Operation *op : cluster.ops) {
    op->walk([&](Operation *inner) {
      for (Value operand : inner->getOperands()) {
        Operation *producer = operand.getDefiningOp();
        if (producer ? isInside(producer)
                     : inside.contains(operand.getParentBlock()->getParentOp()))
          continue;
        if (!libraryCall && isSplatConstant(operand))
          constants.insert(operand);
        else
          inputs.insert(operand);
      }
    });
    // Loops of an op's own write all of its results.
    for (Value result : op->getResults())
      if (isa<OwnKernelOpInterface, cleave::LibraryKernelOpInterface>(op) ||
          llvm::any_of(result.getUsers(),
                       [&](Operation *user) { return !isInside(user); }))
        outputs.push_back(result);
  }

  Location loc = cluster.ops.back()->getLoc();
  OpBuilder b(block->getParentOp()->getContext());
  SmallVector<Value> arguments = inputs.takeVector();
  if (libraryCall)
    arguments = libraryCall->getOperands();
  auto kernel =
      func::FuncOp::create(loc, ("kernel_" + Twine(number++)).str(),
                           b.getFunctionType(TypeRange(ValueRange(arguments)),
                                             TypeRange(ValueRange(outputs))));
  kernel.setPrivate();
  kernel->setAttr(kKernelAttr, b.getUnitAttr());
  if (auto own = dyn_cast<OwnKernelOpInterface>(cluster.ops.front())) {
    SmallVector<Attribute> workspace;
    for (RankedTensorType type : own.getWorkspaceTypes())
      workspace.push_back(TypeAttr::get(type));
    if (!workspace.empty())
      kernel->setAttr(kWorkspaceAttr, b.getArrayAttr(workspace));
  }
  Block *body = kernel.addEntryBlock();
  symbols.insert(kernel);

  IRMapping mapping;
  for (auto [from, to] : llvm::zip_equal(arguments, body->getArguments()))
    mapping.map(from, to);
  b.setInsertionPointToStart(body);
  for (Value constant : constants)
    b.clone(*constant.getDefiningOp(), mapping);
  for (Operation *op : cluster.ops)
    b.clone(*op, mapping);
  if (libraryCall)
    body->back().setOperands(body->getArguments());
  SmallVector<Value> returned;
  for (Value output : outputs)
    returned.push_back(mapping.lookup(output));
  func::ReturnOp::create(b, loc, returned);

  b.setInsertionPoint(before);
  auto call = func::CallOp::create(b, loc, kernel, arguments);
  for (auto [from, to] : llvm::zip_equal(outputs, call.getResults()))
    from.replaceAllUsesWith(to);
  for (Operation *op : llvm::reverse(cluster.ops))
    op->erase();
}

void KernelOutliner::outline(Block &current) {
  for (Operation &op : current)
    if (isa<WhileOp, IfOp>(op))
      for (Region &region : op.getRegions())
        for (Block &inner : region)
          outline(inner);
  materializeConstants(current);
  for (Operation &op : llvm::make_early_inc_range(llvm::reverse(current)))
    if (isOpTriviallyDead(&op))
      op.erase();

  KernelClusters formed(current);
  block = &current;
  clusters = &formed;
  ordered.clear();
  for (Operation &op : current.without_terminator())
    order(&op);
  Operation *terminator = current.getTerminator();
  for (Operation *op : ordered)
    op->moveBefore(terminator);
  SmallVector<Operation *> order = ordered.takeVector();
  // `order` has each cluster in one piece; it ends where the next one starts.
  for (size_t i = 0; i < order.size();) {
    Cluster *cluster = formed.clusterOf(order[i]);
    if (!cluster) {
      ++i;
      continue;
    }
    size_t size = cluster->ops.size();
    emit(*cluster, order[i]);
    i += size;
  }
  for (auto constant : llvm::make_early_inc_range(current.getOps<ConstantOp>()))
    if (constant->use_empty())
      constant.erase();
}

namespace {
struct FormKernels : public cleave::impl::FormKernelsBase<FormKernels> {
  void runOnOperation() override {
    KernelOutliner outliner(getOperation());
    SmallVector<func::FuncOp> functions(getOperation().getOps<func::FuncOp>());
    for (func::FuncOp function : functions)
      if (!function.isExternal() && !function->hasAttr(kKernelAttr) &&
          !function->hasAttr(kGemmAttr) && !function->hasAttr(kConvolutionAttr))
        outliner.outline(function.getBody().front());
  }
};
} // namespace
