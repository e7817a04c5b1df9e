//===- SortKernel.cpp - Sort as loops -------------------------------------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

//
// Each row is a part. Its runs are sorted by insertion into the results; pairs
// of merges then go to the workspace and back. See SortAlgorithm.h.
//
//===----------------------------------------------------------------------===//

#include "dialects/Graph/Evaluate/Literal.h"
#include "dialects/Graph/SortAlgorithm.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "passes/Codegen/Blocks/SortSteps.h"
#include "passes/Codegen/Kernels/IrregularKernel.h"

using namespace mlir;
using namespace cleave::codegen;
using namespace cleave::graph;

LogicalResult cleave::codegen::writeSort(IrregularKernel &k, SortOp op) {
  SortSteps steps(k, op);
  ArrayRef<int64_t> shape = k.result(0).type.getShape();
  int64_t size = steps.getSize();
  int64_t stride = rowMajorStrides(shape)[op.getDimension()];
  int64_t elements = k.result(0).type.getNumElements();
  if (elements != 0)
    k.loopOverParts([&](Value part) {
      // What comes before the sorted dimension is major, what comes after it
      // minor in the number of a row.
      Value major = k.scale(k.divide(part, stride), stride * size);
      Value base = k.add(major, k.remainder(part, stride));
      SortRow inputs = {{}, base, stride}, results = inputs, workspace = inputs;
      for (unsigned i = 0; i < op.getInputs().size(); ++i) {
        inputs.buffers.push_back(k.operand(i));
        results.buffers.push_back(k.result(i));
        if (size > insertionRun)
          workspace.buffers.push_back(k.workspace(i));
      }
      k.loop(
          k.index(0), k.index(size),
          [&](Value run) { steps.sortRun(inputs, results, run); },
          insertionRun);
      steps.doubleWidths(insertionRun, [&](Value width, bool isBack) {
        auto pairs = scf::ForOp::create(k.b, k.index(0), k.index(size),
                                        k.add(width, width));
        OpBuilder::InsertionGuard guard(k.b);
        k.b.setInsertionPointToStart(pairs.getBody());
        steps.mergePair(isBack ? workspace : results,
                        isBack ? results : workspace, pairs.getInductionVar(),
                        width);
      });
    });
  k.finish(elements ? elements / size : 0);
  return steps.getStatus();
}
