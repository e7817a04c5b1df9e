//===- GroupTerms.cpp - Bring terms of sums together ----------------------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/Collectives/GroupTerms.h"
#include "dialects/Graph/GraphDialect.h"
#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace cleave;

namespace {

struct Term {
  Value value;
  bool isSubtracted = false;
};

/// A tree of additions and subtractions whose inner nodes have one use.
class SumTree {
public:
  explicit SumTree(Operation *root) : root(root) { collect(root, false); }

  static bool isNode(Operation *op) {
    return isa_and_present<graph::AddOp, graph::SubtractOp>(op);
  }
  static bool isRoot(Operation *op) {
    return isNode(op) && !isInner(op->getResult(0), op->getBlock());
  }

  /// Whether adding the wanted terms first changes anything: there are several,
  /// and some node that adds something else is below one that adds them.
  bool isScattered(llvm::function_ref<bool(Value)> isWanted) const {
    return countWanted(root, isWanted) >= 2 && !isGrouped(root, isWanted);
  }

  void group(llvm::function_ref<bool(Value)> isWanted) {
    // What is added comes before what is subtracted.
    SmallVector<Term> ordered;
    for (bool wanted : {true, false})
      for (bool isSubtracted : {false, true})
        for (const Term &term : terms)
          if (term.isSubtracted == isSubtracted &&
              isWanted(term.value) == wanted)
            ordered.push_back(term);
    OpBuilder builder(root);
    Location loc = root->getLoc();
    Value sum = ordered[0].value;
    if (ordered[0].isSubtracted)
      sum = graph::NegOp::create(builder, loc, sum.getType(), sum);
    for (const Term &term : ArrayRef(ordered).drop_front())
      sum = term.isSubtracted
                ? Value(graph::SubtractOp::create(builder, loc, sum.getType(),
                                                  sum, term.value))
                : Value(graph::AddOp::create(builder, loc, sum.getType(), sum,
                                             term.value));
    sum.getDefiningOp()->setDiscardableAttrs(
        root->getDiscardableAttrDictionary());
    root->getResult(0).replaceAllUsesWith(sum);
    for (Operation *node : nodes)
      node->erase();
  }

private:
  /// Whether `value` is the result of a node below another node.
  static bool isInner(Value value, mlir::Block *block) {
    Operation *op = value.getDefiningOp();
    return isNode(op) && op->getBlock() == block && value.hasOneUse() &&
           isNode(*value.user_begin()) &&
           (*value.user_begin())->getBlock() == block;
  }

  void collect(Operation *node, bool isSubtracted) {
    nodes.push_back(node);
    for (auto [i, operand] : llvm::enumerate(node->getOperands())) {
      bool flips = i == 1 && isa<graph::SubtractOp>(node);
      if (isInner(operand, node->getBlock()))
        collect(operand.getDefiningOp(), isSubtracted != flips);
      else
        terms.push_back({operand, isSubtracted != flips});
    }
  }

  unsigned countWanted(Operation *node,
                       llvm::function_ref<bool(Value)> isWanted) const {
    unsigned number = 0;
    for (Value operand : node->getOperands())
      number += isInner(operand, node->getBlock())
                    ? countWanted(operand.getDefiningOp(), isWanted)
                    : isWanted(operand);
    return number;
  }

  /// Whether the node has no wanted terms, nothing but wanted terms, or adds
  /// terms that are not wanted to an operand that is grouped.
  bool isGrouped(Operation *node,
                 llvm::function_ref<bool(Value)> isWanted) const {
    return kindOf(node, isWanted) != Mixed;
  }
  enum Kind { Others, Wanted, Grouped, Mixed };
  Kind kindOf(Operation *node, llvm::function_ref<bool(Value)> isWanted) const {
    auto kindOfOperand = [&](Value operand) {
      if (isInner(operand, node->getBlock()))
        return kindOf(operand.getDefiningOp(), isWanted);
      return isWanted(operand) ? Wanted : Others;
    };
    Kind a = kindOfOperand(node->getOperand(0));
    Kind b = kindOfOperand(node->getOperand(1));
    if (a == Mixed || b == Mixed)
      return Mixed;
    if (a == b)
      return a == Grouped ? Mixed : a;
    return a == Others || b == Others ? Grouped : Mixed;
  }

  Operation *root;
  SmallVector<Term> terms;
  /// Users before what they use.
  SmallVector<Operation *> nodes;
};

} // namespace

bool cleave::groupTerms(mlir::Block &block,
                        llvm::function_ref<bool(Value)> isWanted) {
  SmallVector<Operation *> roots;
  for (Operation &op : block)
    if (SumTree::isRoot(&op))
      roots.push_back(&op);
  bool changed = false;
  for (Operation *root : roots) {
    SumTree tree(root);
    if (!tree.isScattered(isWanted))
      continue;
    tree.group(isWanted);
    changed = true;
  }
  return changed;
}
