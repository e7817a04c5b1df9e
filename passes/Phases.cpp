//===- Phases.cpp - The order of the phases -------------------------------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/Phases.h"
#include "dialects/Exec/ExecDialect.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Transforms/Passes.h"
#include "passes/Codegen/GPU/CudaTarget.h"
#include "passes/Codegen/Passes.h"
#include "passes/Collectives/Passes.h"
#include "passes/Fusion/Passes.h"
#include "passes/Graph/Passes.h"
#include "passes/Import/Passes.h"
#include "passes/Partition/Passes.h"
#include "passes/Schedule/Passes.h"
#include "passes/Sharding/Passes.h"

using namespace mlir;
using namespace cleave;

static void buildImport(OpPassManager &manager, const PhaseOptions &) {
  manager.addPass(createDropUnusedFunctions());
  manager.addPass(createImportShardyShardings());
  manager.addPass(createImportGSPMDShardings());
  manager.addPass(createConvertStableHLOToCleave());
}

static void buildGraph(OpPassManager &manager, const PhaseOptions &options) {
  manager.addPass(createInlineCalls());
  if (options.math == MathMode::Wide || options.math == MathMode::Stepwise) {
    WidenArithmeticOptions widen;
    widen.toF32 = options.math == MathMode::Stepwise;
    manager.addNestedPass<func::FuncOp>(createWidenArithmetic(widen));
    if (options.math == MathMode::Stepwise) {
      manager.addNestedPass<func::FuncOp>(createExpandFunctions());
      manager.addNestedPass<func::FuncOp>(createOrderSums());
    }
  }
  manager.addNestedPass<func::FuncOp>(createExpandBias());
  manager.addNestedPass<func::FuncOp>(createSplitReductionInits());
}

/// No upstream canonicalisation or CSE runs in or after this phase before
/// partitioning: they drop and merge shardings.
static void buildSharding(OpPassManager &manager, const PhaseOptions &options) {
  AnnotateShardingsOptions annotate;
  annotate.mesh = options.mesh;
  annotate.shard = options.shard;
  manager.addPass(createAnnotateShardings(annotate));
  // Not before: a value that is annotated may be one that nothing uses.
  manager.addNestedPass<func::FuncOp>(createDropDeadOps());
  manager.addPass(createPropagateShardings());
  manager.addPass(createCarryPartialSums());
  manager.addPass(createInsertReshards());
  manager.addPass(createVerifyShardings());
}

static void buildPartition(OpPassManager &manager, const PhaseOptions &) {
  manager.addPass(createPartitionToLocal());
  manager.addPass(createVerifyUniformPredicates());
  manager.addPass(createMaskPadding());
}

static void buildCollectives(OpPassManager &manager,
                             const PhaseOptions &options) {
  // Equal ones first: a value that is cut twice alike is cut once.
  manager.addPass(createMergeCollectives());
  // Sums meet before each of them is cut.
  manager.addPass(createSinkCollectives());
  manager.addPass(createPullSlices());
  manager.addPass(createFormReduceScatters());
  // After the others, which see what a loop does only from inside of it.
  manager.addPass(createHoistCollectives());
  manager.addPass(createMergeCollectives());
  BucketCollectivesOptions bucket;
  bucket.threshold = options.bucketBytes;
  manager.addPass(createBucketCollectives(bucket));
  manager.addNestedPass<func::FuncOp>(createDropDeadOps());
}

static void buildFusion(OpPassManager &manager, const PhaseOptions &options) {
  bool isHost = options.target == "host";
  if (!isHost) {
    OutlineBlockKernelsOptions outline;
    outline.ordered = options.math == MathMode::Stepwise;
    if (!outline.ordered)
      manager.addPass(createRaiseAttention());
    manager.addPass(createOutlineBlockKernels(outline));
  }
  // Activations stay composites until library calls have taken theirs.
  DecomposeCompositesOptions keepActivations;
  keepActivations.keep = {"gelu", "silu", "relu"};
  manager.addPass(createDecomposeComposites(keepActivations));
  manager.addPass(createCanonicalizerPass());
  manager.addPass(createCSEPass());
  SelectLibraryCallsOptions select;
  if (isForCuda(options))
    select.epilogues = options.math == MathMode::Fast ? "fast" : "linear";
  manager.addPass(createSelectLibraryCalls(select));
  if (isHost)
    manager.addPass(createSelectConvolutions());
  manager.addPass(createDecomposeComposites());
  manager.addPass(createCSEPass());
  if (!isHost) {
    SpreadScattersOptions spread;
    spread.freeSums = options.math == MathMode::Fast;
    spread.minUpdates = options.sortedUpdates;
    manager.addPass(createSpreadScatters(spread));
  }
  manager.addPass(createPadWindows());
  manager.addNestedPass<func::FuncOp>(createDuplicateBroadcasts());
  manager.addPass(createFormKernels());
  manager.addPass(createDeduplicateKernels());
  manager.addPass(createMarkInPlace());
}

static void buildSchedule(OpPassManager &manager, const PhaseOptions &options) {
  LowerToExecOptions lower;
  lower.stepwise = options.math == MathMode::Stepwise;
  manager.addPass(createLowerToExec(lower));
  // Guard pages watch one operation at a time.
  bool overlaps = options.overlap && !options.guardPages;
  if (overlaps) {
    OverlapCollectivesOptions overlap;
    if (StringRef(options.target).starts_with("cuda:")) {
      overlap.flops = 200e3;
      overlap.memoryBandwidth = 2000;
      overlap.linkBandwidth = 200;
    }
    manager.addNestedPass<exec::ProgramOp>(createOverlapCollectives(overlap));
  }
  PlanArenaOptions arena;
  arena.guardPages = options.guardPages;
  manager.addNestedPass<exec::ProgramOp>(createPlanArena(arena));
  if (overlaps)
    manager.addNestedPass<exec::ProgramOp>(createInsertEvents());
}

/// The functions of a GPU stand beside the scheduled program.
static void buildGPUFunctions(OpPassManager &manager,
                              const PhaseOptions &options) {
  MapKernelsToGPUOptions map;
  map.ordered = options.math == MathMode::Stepwise;
  manager.addPass(createMapKernelsToGPU(map));
  manager.addNestedPass<gpu::GPUModuleOp>(createCanonicalizerPass());
  manager.addNestedPass<gpu::GPUModuleOp>(createCSEPass());
}

static void buildGPUProgram(OpPassManager &manager,
                            const PhaseOptions &options) {
  buildGPUFunctions(manager, options);
  if (options.gpuFunctions)
    return;
  manager.addNestedPass<gpu::GPUModuleOp>(createLowerGPUKernelsToNVVM());
  SerializeGPUKernelsOptions serialize;
  serialize.chip = StringRef(options.target).split(':').second.str();
  manager.addPass(createSerializeGPUKernels(serialize));
  LowerExecToLLVMOptions lower;
  lower.target = options.target;
  lower.products = options.products;
  lower.checkStreams = options.checkStreams;
  manager.addPass(createLowerExecToLLVM(lower));
}

static void buildCodegen(OpPassManager &manager, const PhaseOptions &options) {
  StringRef target = options.target;
  if (isForCuda(options))
    manager.addPass(createLowerProductsToKernels());
  LowerIrregularKernelsOptions irregular;
  if (target != "host") {
    irregular.scatterBlock = 1;
    WriteBlockKernelsOptions write;
    // At least as precise as the others.
    write.tf32 = !options.products.empty();
    manager.addPass(createWriteBlockKernels(write));
  }
  manager.addPass(createLowerIrregularKernels(irregular));
  manager.addPass(createLowerLibraryKernels());
  ConvertKernelsToLinalgOptions convert;
  convert.fuseProducts =
      options.fusedMultiplyAdd &&
      (options.math == MathMode::Standard || options.math == MathMode::Fast);
  manager.addPass(createConvertKernelsToLinalg(convert));
  manager.addPass(createFuseKernelOps());
  manager.addPass(createBufferizeKernels());
  if (isForCuda(options))
    return buildGPUProgram(manager, options);
  if (target == "simt")
    return buildGPUFunctions(manager, options);
  VectorizeHostKernelsOptions vectorize;
  vectorize.vectorBits = options.vectorBits;
  vectorize.ordered = options.math == MathMode::Stepwise;
  manager.addPass(createVectorizeHostKernels(vectorize));
  LowerVectorMathOptions math;
  math.fast = options.math == MathMode::Fast;
  manager.addPass(createLowerVectorMath(math));
  manager.addPass(createLowerKernelsToLLVM());
  LowerExecToLLVMOptions lower;
  lower.checkStreams = options.checkStreams;
  manager.addPass(createLowerExecToLLVM(lower));
}

StringRef cleave::describeTargets() {
  // Options keep a reference to what describes them.
  static const std::string text =
      "host; cuda:CHIP with " + listCudaChips() +
      "; or simt, functions of a GPU to be emulated";
  return text;
}

ArrayRef<Phase> cleave::getPhases() {
  static const Phase phases[] = {
      {"import", buildImport},           {"graph", buildGraph},
      {"sharding", buildSharding},       {"partition", buildPartition},
      {"collectives", buildCollectives}, {"fusion", buildFusion},
      {"schedule", buildSchedule},       {"codegen", buildCodegen},
  };
  return phases;
}

void cleave::buildPhases(OpPassManager &manager, const PhaseOptions &options,
                         StringRef last) {
  for (const Phase &phase : getPhases()) {
    phase.build(manager, options);
    if (last == phase.name)
      return;
  }
}

void cleave::registerPhasePipelines() {
  for (const Phase &phase : getPhases())
    PassPipelineRegistration<PhaseOptions>(
        (Twine("cleave-phase-") + phase.name).str(),
        (Twine("The phase ") + phase.name).str(),
        [&phase](OpPassManager &manager, const PhaseOptions &options) {
          phase.build(manager, options);
        });
  PassPipelineRegistration<PhaseOptions>(
      "cleave-partition", "All phases up to collectives",
      [](OpPassManager &manager, const PhaseOptions &options) {
        buildPhases(manager, options, "collectives");
      });
  PassPipelineRegistration<PhaseOptions>(
      "cleave-compile", "All phases",
      [](OpPassManager &manager, const PhaseOptions &options) {
        buildPhases(manager, options, "codegen");
      });
}
