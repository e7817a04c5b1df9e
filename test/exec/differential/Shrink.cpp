//===- Shrink.cpp - Make a failing case small -----------------------------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Shrink.h"
#include "dialects/Graph/Evaluate/Evaluator.h"
#include "dialects/Spmd/SpmdDialect.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include <chrono>

using namespace mlir;
using namespace cleave;
using namespace cleave::graph;
using namespace cleave::differential;

//===----------------------------------------------------------------------===//
// Changes
//===----------------------------------------------------------------------===//

static void setFunctionType(func::FuncOp main) {
  main.setFunctionType(
      FunctionType::get(main.getContext(), main.front().getArgumentTypes(),
                        main.front().getTerminator()->getOperandTypes()));
}

/// Removes ops, arguments and functions that nothing uses.
static void removeUnused(Case &test) {
  func::FuncOp main = test.getMain();
  bool changed = true;
  while (changed) {
    changed = false;
    SmallVector<Operation *> dead;
    main.walk([&](Operation *op) {
      if (op->use_empty() && !op->hasTrait<OpTrait::IsTerminator>() &&
          op != main && isa<func::FuncOp>(op->getParentOp()))
        dead.push_back(op);
      else if (isOpTriviallyDead(op))
        dead.push_back(op);
    });
    for (Operation *op : dead) {
      op->erase();
      changed = true;
    }
  }
  llvm::BitVector unused(main.getNumArguments());
  std::vector<Literal> inputs;
  for (BlockArgument argument : main.getArguments())
    if (argument.use_empty())
      unused.set(argument.getArgNumber());
    else
      inputs.push_back(test.inputs[argument.getArgNumber()]);
  if (unused.any() && succeeded(main.eraseArguments(unused)))
    test.inputs = std::move(inputs);
  for (auto callee :
       llvm::make_early_inc_range(test.module->getOps<func::FuncOp>()))
    if (callee != main &&
        SymbolTable::symbolKnownUseEmpty(callee, test.module->getOperation()))
      callee.erase();
}

static bool dropOutput(Case &test, unsigned index) {
  func::FuncOp main = test.getMain();
  if (main.getNumResults() < 2 || index >= main.getNumResults())
    return false;
  llvm::BitVector erased(main.getNumResults());
  erased.set(index);
  main.front().getTerminator()->eraseOperand(index);
  if (failed(main.eraseResults(erased)))
    return false;
  test.exact.erase(test.exact.begin() + index);
  return true;
}

/// Puts new arguments, with the values that the op gives, in its place.
static bool replaceOp(Case &test, unsigned index) {
  func::FuncOp main = test.getMain();
  auto ops = main.front().without_terminator();
  if (index >= unsigned(std::distance(ops.begin(), ops.end())))
    return false;
  Operation *op = &*std::next(ops.begin(), index);
  if (op->getNumResults() == 0)
    return false;
  llvm::DenseMap<Value, Literal> values;
  Evaluator evaluator(Evaluator::Mode::Rounded);
  evaluator.setTap([&](Value value, Literal &literal) {
    if (value.getDefiningOp() == op)
      values[value] = literal;
  });
  if (failed(evaluator.evaluate(main, test.inputs)))
    return false;
  for (Value result : op->getResults()) {
    if (result.use_empty())
      continue;
    result.replaceAllUsesWith(
        main.front().addArgument(result.getType(), op->getLoc()));
    test.inputs.push_back(values[result]);
  }
  op->erase();
  // Attributes of the arguments, for the old number of them, must grow too.
  SmallVector<DictionaryAttr> attrs;
  main.getAllArgAttrs(attrs);
  setFunctionType(main);
  attrs.resize(main.getNumArguments(), DictionaryAttr::get(main.getContext()));
  main.setAllArgAttrs(attrs);
  return true;
}

/// Uses an operand of the same type instead of the result, wherever the op is.
static bool bypassOp(Case &test, unsigned index) {
  Operation *chosen = nullptr;
  test.module->walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (op->getNumResults() == 1 && op->getNumOperands() > 0 && index-- == 0)
      chosen = op;
  });
  if (!chosen)
    return false;
  for (Value operand : chosen->getOperands())
    if (operand.getType() == chosen->getResult(0).getType()) {
      chosen->getResult(0).replaceAllUsesWith(operand);
      chosen->erase();
      return true;
    }
  return false;
}

static bool dropAnnotation(Case &test, unsigned index) {
  func::FuncOp main = test.getMain();
  StringRef name = spmd::SpmdDialect::kSharding;
  if (index < main.getNumArguments())
    return bool(main.removeArgAttr(index, name));
  index -= main.getNumArguments();
  if (index < main.getNumResults())
    return bool(
        main.removeResultAttr(index, StringAttr::get(main.getContext(), name)));
  return false;
}

/// Makes an axis smaller; annotations that it invalidates make the candidate
/// invalid, which is no failure of the same kind.
static bool shrinkAxis(Case &test, unsigned axis, int64_t size) {
  auto mesh = *test.module->getOps<spmd::MeshOp>().begin();
  SmallVector<int64_t> sizes(mesh.getShape().getSizes());
  if (axis >= sizes.size() || sizes[axis] <= size)
    return false;
  sizes[axis] = size;
  mesh.setShapeAttr(spmd::MeshAttr::get(mesh.getContext(),
                                        mesh.getShape().getNames(), sizes, {}));
  return true;
}

//===----------------------------------------------------------------------===//
// Search
//===----------------------------------------------------------------------===//

namespace {

class Shrinker {
public:
  Shrinker(const Case &test, double seconds,
           const std::function<bool(const Case &)> &fails)
      : best(test.clone()), fails(fails),
        end(std::chrono::steady_clock::now() +
            std::chrono::duration_cast<std::chrono::steady_clock::duration>(
                std::chrono::duration<double>(seconds))) {}

  Case run() {
    bool progress = true;
    while (progress && !isLate()) {
      progress = tryAll(8, dropOutput);
      progress |= tryAll(40, replaceOp);
      progress |= tryAll(60, bypassOp);
      progress |= tryAll(40, dropAnnotation);
      for (int64_t size : {1, 2, 3})
        progress |= tryAll(3, [size](Case &test, unsigned axis) {
          return shrinkAxis(test, axis, size);
        });
    }
    return std::move(best);
  }

private:
  bool isLate() const { return std::chrono::steady_clock::now() > end; }

  /// Tries a change at each index, the last first: results before operands.
  template <typename Change> bool tryAll(unsigned count, Change change) {
    bool progress = false;
    for (unsigned index = count; index-- > 0 && !isLate();) {
      Case candidate = best.clone();
      if (!change(candidate, index))
        continue;
      removeUnused(candidate);
      if (!fails(candidate))
        continue;
      best = std::move(candidate);
      progress = true;
    }
    return progress;
  }

  Case best;
  const std::function<bool(const Case &)> &fails;
  std::chrono::steady_clock::time_point end;
};

} // namespace

Case cleave::differential::shrink(
    const Case &test, double seconds,
    const std::function<bool(const Case &)> &fails) {
  return Shrinker(test, seconds, fails).run();
}
