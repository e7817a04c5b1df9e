//===- EmitObject.cpp - From the llvm dialect to machine code -------------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/Codegen/Program/EmitObject.h"
#include "mlir/Target/LLVMIR/Dialect/Builtin/BuiltinToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/LLVMIR/LLVMToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Export.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/Module.h"
#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/TargetParser/Host.h"
#include "llvm/Transforms/IPO/AlwaysInliner.h"
#include "llvm/Transforms/IPO/GlobalDCE.h"
#include "llvm/Transforms/InstCombine/InstCombine.h"
#include "llvm/Transforms/Scalar/DeadStoreElimination.h"
#include "llvm/Transforms/Scalar/EarlyCSE.h"
#include "llvm/Transforms/Scalar/LICM.h"
#include "llvm/Transforms/Scalar/LoopPassManager.h"
#include "llvm/Transforms/Scalar/LoopRotation.h"
#include "llvm/Transforms/Scalar/SROA.h"
#include "llvm/Transforms/Scalar/SimplifyCFG.h"
#include "llvm/Transforms/Utils/LCSSA.h"
#include "llvm/Transforms/Utils/LoopSimplify.h"
#include "llvm/Transforms/Vectorize/LoopVectorize.h"
#include <mutex>

using namespace mlir;
using namespace cleave;

using EmitError = function_ref<InFlightDiagnostic()>;

//===----------------------------------------------------------------------===//
// Target
//===----------------------------------------------------------------------===//

static const llvm::Target *findTarget(EmitError emitError) {
  static std::once_flag once;
  std::call_once(once, [] {
    llvm::InitializeNativeTarget();
    llvm::InitializeNativeTargetAsmPrinter();
  });
  std::string reason;
  llvm::Triple triple(llvm::sys::getDefaultTargetTriple());
  const llvm::Target *target =
      llvm::TargetRegistry::lookupTarget(triple, reason);
  if (!target)
    emitError() << "this machine is no code generation target: " << reason;
  return target;
}

LogicalResult cleave::resolveHostTarget(HostTargetOptions &options,
                                        EmitError emitError) {
  const llvm::Target *target = findTarget(emitError);
  if (!target)
    return failure();
  if (options.cpu.empty() || options.cpu == "native") {
    options.cpu = llvm::sys::getHostCPUName().str();
    SmallVector<std::string> features;
    for (const auto &[name, enabled] : llvm::sys::getHostCPUFeatures())
      features.push_back((enabled ? "+" : "-") + name.str());
    if (!options.features.empty())
      features.push_back(options.features);
    options.features = llvm::join(features, ",");
    return success();
  }
  std::unique_ptr<llvm::MCSubtargetInfo> info(target->createMCSubtargetInfo(
      llvm::Triple(llvm::sys::getDefaultTargetTriple()), "", ""));
  if (!info || !info->isCPUStringValid(options.cpu))
    return emitError() << "unknown processor '" << options.cpu
                       << "'; `llc -mcpu=help` lists the names";
  return success();
}

SmallVector<int64_t>
cleave::getVectorWidths(function_ref<bool(StringRef)> hasFeature) {
  SmallVector<int64_t> widths;
  if (hasFeature("avx512f"))
    widths.push_back(512);
  if (hasFeature("avx2"))
    widths.push_back(256);
  widths.push_back(128);
  return widths;
}

ArrayRef<int64_t> cleave::getHostVectorWidths() {
  static const SmallVector<int64_t> widths = [] {
    llvm::StringMap<bool> features = llvm::sys::getHostCPUFeatures();
    return getVectorWidths(
        [&](StringRef feature) { return features.lookup(feature); });
  }();
  return widths;
}

static std::unique_ptr<llvm::TargetMachine>
makeTargetMachine(const HostTargetOptions &options, EmitError emitError) {
  const llvm::Target *target = findTarget(emitError);
  if (!target)
    return nullptr;
  llvm::TargetOptions targetOptions;
  targetOptions.FunctionSections = true;
  targetOptions.DataSections = true;
  std::unique_ptr<llvm::TargetMachine> machine(target->createTargetMachine(
      llvm::Triple(llvm::sys::getDefaultTargetTriple()), options.cpu,
      options.features, targetOptions, llvm::Reloc::PIC_, std::nullopt,
      llvm::CodeGenOpt::getLevel(std::min(options.optLevel, 3u))
          .value_or(llvm::CodeGenOptLevel::Default)));
  if (!machine)
    emitError() << "cannot make code for processor '" << options.cpu << "'";
  return machine;
}

//===----------------------------------------------------------------------===//
// Optimisation
//===----------------------------------------------------------------------===//

namespace {

/// Makes vectors of the innermost loops of functions that ask for it.
struct VectorizeScalarLoops : llvm::PassInfoMixin<VectorizeScalarLoops> {
  llvm::PreservedAnalyses run(llvm::Function &function,
                              llvm::FunctionAnalysisManager &analyses) {
    using namespace llvm;
    if (!function.hasFnAttribute("cleave-scalar-loops"))
      return PreservedAnalyses::all();
    FunctionPassManager passes;
    passes.addPass(LoopSimplifyPass());
    passes.addPass(LCSSAPass());
    passes.addPass(LoopVectorizePass());
    passes.addPass(InstCombinePass());
    passes.addPass(SimplifyCFGPass());
    return passes.run(function, analyses);
  }
};

} // namespace

/// Kernels come vectorised, in the order of loops that is wanted; what is left
/// is to inline their bodies, to promote and share address computations, and
/// to move them out of loops. LLVM's O2 takes about twice as long for code of
/// the same size and speed.
static llvm::ModulePassManager makeScalarPipeline() {
  using namespace llvm;
  FunctionPassManager functions;
  functions.addPass(SROAPass(SROAOptions::ModifyCFG));
  functions.addPass(EarlyCSEPass(/*UseMemorySSA=*/true));
  functions.addPass(SimplifyCFGPass());
  functions.addPass(InstCombinePass());
  LoopPassManager loops;
  loops.addPass(LoopRotatePass());
  loops.addPass(LICMPass(LICMOptions()));
  functions.addPass(createFunctionToLoopPassAdaptor(std::move(loops),
                                                    /*UseMemorySSA=*/true));
  functions.addPass(EarlyCSEPass(/*UseMemorySSA=*/true));
  functions.addPass(InstCombinePass());
  functions.addPass(SimplifyCFGPass());
  functions.addPass(VectorizeScalarLoops());

  ModulePassManager modules;
  modules.addPass(AlwaysInlinerPass());
  modules.addPass(GlobalDCEPass());
  modules.addPass(createModuleToFunctionPassAdaptor(std::move(functions)));
  return modules;
}

static void optimise(llvm::Module &module, llvm::TargetMachine &machine,
                     unsigned level) {
  llvm::PassBuilder builder(&machine);
  llvm::LoopAnalysisManager loops;
  llvm::FunctionAnalysisManager functions;
  llvm::CGSCCAnalysisManager components;
  llvm::ModuleAnalysisManager modules;
  builder.registerModuleAnalyses(modules);
  builder.registerCGSCCAnalyses(components);
  builder.registerFunctionAnalyses(functions);
  builder.registerLoopAnalyses(loops);
  builder.crossRegisterProxies(loops, functions, components, modules);
  llvm::ModulePassManager passes;
  if (level == 0)
    passes.addPass(llvm::AlwaysInlinerPass());
  else if (level < 3)
    passes = makeScalarPipeline();
  else
    passes = builder.buildPerModuleDefaultPipeline(llvm::OptimizationLevel::O3);
  passes.run(module, modules);
}

//===----------------------------------------------------------------------===//
// Emission
//===----------------------------------------------------------------------===//

LogicalResult cleave::emitHostCode(ModuleOp module,
                                   const HostTargetOptions &requested,
                                   HostOutput output,
                                   llvm::raw_pwrite_stream &os) {
  auto emitError = [&] { return module.emitError(); };
  HostTargetOptions options = requested;
  if (failed(resolveHostTarget(options, emitError)))
    return failure();
  std::unique_ptr<llvm::TargetMachine> machine =
      makeTargetMachine(options, emitError);
  if (!machine)
    return failure();

  DialectRegistry registry;
  registerBuiltinDialectTranslation(registry);
  registerLLVMDialectTranslation(registry);
  module.getContext()->appendDialectRegistry(registry);
  llvm::LLVMContext context;
  // A failed translation has told why.
  std::unique_ptr<llvm::Module> llvmModule =
      translateModuleToLLVMIR(module, context, "cleave");
  if (!llvmModule)
    return module.emitError("cannot be translated to LLVM IR");
  llvmModule->setTargetTriple(machine->getTargetTriple());
  llvmModule->setDataLayout(machine->createDataLayout());
  llvmModule->setPICLevel(llvm::PICLevel::BigPIC);
  for (llvm::Function &function : *llvmModule) {
    if (function.isDeclaration())
      continue;
    function.addFnAttr(llvm::Attribute::NoUnwind);
    function.addFnAttr("target-cpu", options.cpu);
    function.addFnAttr("target-features", options.features);
  }
  optimise(*llvmModule, *machine, options.optLevel);

  if (output == HostOutput::LLVMIR) {
    llvmModule->print(os, nullptr);
    return success();
  }
  llvm::legacy::PassManager codegen;
  if (machine->addPassesToEmitFile(codegen, os, nullptr,
                                   output == HostOutput::Object
                                       ? llvm::CodeGenFileType::ObjectFile
                                       : llvm::CodeGenFileType::AssemblyFile))
    return module.emitError("this machine's target cannot write this output");
  codegen.run(*llvmModule);
  return success();
}

LogicalResult cleave::emitObject(ModuleOp module,
                                 const HostTargetOptions &options,
                                 SmallVectorImpl<char> &object) {
  llvm::raw_svector_ostream os(object);
  return emitHostCode(module, options, HostOutput::Object, os);
}
