//===- Model.cpp - A model and what is made of it -------------------------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tools/cleave/Model.h"
#include "cleave/Support/TextFaults.h"
#include "dialects/Graph/EntryFunction.h"
#include "dialects/Graph/SmallFloats.h"
#include "dialects/Graph/Unsupported.h"
#include "dialects/Spmd/SpmdDialect.h"
#include "dialects/StableHLO/StableHLODialect.h"
#include "mlir/Bytecode/BytecodeReader.h"
#include "mlir/IR/AsmState.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Support/FileUtilities.h"
#include "passes/Codegen/Program/LinkExecutable.h"
#include "passes/Phases.h"
#include "passes/Register.h"
#include "tools/cleave/Gathered.h"
#include "tools/cleave/Output.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"
#include "llvm/TargetParser/X86TargetParser.h"

using namespace mlir;
using namespace cleave;
using namespace cleave::tool;

Progress::Progress(const Twine &what)
    : shown(llvm::sys::Process::StandardErrIsDisplayed()) {
  if (shown)
    llvm::errs() << "\r\033[Kcleave: " << what << " ...";
}

Progress::~Progress() {
  if (shown)
    llvm::errs() << "\r\033[K";
}

void cleave::tool::prepareContext(MLIRContext &context) {
  DialectRegistry registry;
  registerDialects(registry);
  registerStableHLODialects(registry);
  context.appendDialectRegistry(registry);
  // Exporters attach attributes of their own; unknown operations are found
  // after parsing.
  context.allowUnregisteredDialects();
  // Users know their operations by location.
  context.printOpOnDiagnostic(false);
}

Model::Model(const Options &options)
    : options(options), dumps(!options.dumpPhases.empty()),
      ownContext(std::make_unique<MLIRContext>()), context(*ownContext),
      diagnostics(context) {
  prepareContext(context);
  timing.setEnabled(options.timing);
  timingRoot = timing.getRootScope();
}

Model::Model(const Options &options, MLIRContext &context, const Target &target)
    : options(options), dumps(!options.dumpPhases.empty()), context(context),
      diagnostics(context), target(target), warns(false) {}

/// Executables, objects and the like would be printed as source lines.
static bool isBinary(StringRef text) {
  return text.take_front(4096).contains('\0') && !text.starts_with("ML\xefR");
}

/// A StableHLO program in a binary form: what its serializer writes, or MLIR
/// bytecode that names its dialects.
static bool isSerializedStableHLO(StringRef text) {
  if (!text.consume_front("ML\xefR"))
    return false;
  // Version and name of the producer, then tables with the names of dialects.
  return text.take_front(64).contains("StableHLO") ||
         text.contains(StringRef("stablehlo\0", 10)) ||
         text.contains(StringRef("vhlo\0", 5));
}

LogicalResult Model::load() {
  if (dumps && checkDumpFolder(options.dumpPhases, options.model))
    return failure();
  Progress progress("reading " + options.model);
  TimingScope scope = timingRoot.nest("read");
  std::string reason;
  std::unique_ptr<llvm::MemoryBuffer> file =
      openInputFile(options.model, &reason);
  if (!file) {
    reportError(reason);
    return failure();
  }
  return load(std::move(file));
}

LogicalResult Model::load(std::unique_ptr<llvm::MemoryBuffer> text) {
  if (isBinary(text->getBuffer()))
    return emitError(UnknownLoc::get(&context))
           << "'" << text->getBufferIdentifier()
           << "' is no model: neither MLIR text nor bytecode";
  if (isSerializedStableHLO(text->getBuffer()))
    return graph::emitUnsupported(UnknownLoc::get(&context))
           << "'" << text->getBufferIdentifier()
           << "' is serialized StableHLO; export it as text: in JAX "
              "`jax.jit(f).lower(...).as_text()` or `exported.mlir_module()`, "
              "in PyTorch/XLA `exported.get_stablehlo_text()`, otherwise "
              "`stablehlo-translate --deserialize`";
  if (failed(parse(std::move(text))) || failed(checkOperations()) ||
      failed(import()) || failed(checkEntry()))
    return failure();
  // Of other public functions the program has no use.
  func::FuncOp entry = graph::getEntryFunction(*module);
  for (auto function : module->getOps<func::FuncOp>())
    if (function != entry)
      function.setPrivate();
  if (target)
    return success();
  FailureOr<Target> found =
      resolveTarget(options, [&] { return module->emitError(); });
  if (failed(found))
    return failure();
  target = *found;
  return success();
}

/// What is wrong with bytecode is said without the file, and as if the format
/// were known to who reads it.
static LogicalResult emitBadBytecode(MLIRContext &context, StringRef file,
                                     StringRef why) {
  return emitError(UnknownLoc::get(&context))
         << "'" << file << "' cannot be read as MLIR bytecode: " << why
         << "; expected a whole file, as `cleave-opt --emit-bytecode` writes "
            "it";
}

LogicalResult Model::parse(std::unique_ptr<llvm::MemoryBuffer> text) {
  std::string file = text->getBufferIdentifier().str();
  StringRef content = text->getBuffer();
  bool isBytecode = mlir::isBytecode(text->getMemBufferRef());
  diagnostics.getSources().AddNewSourceBuffer(std::move(text), llvm::SMLoc());
  if (!isBytecode) {
    if (auto fault = findTextFault(content))
      return emitError(FileLineColLoc::get(&context, file, fault->line,
                                           fault->column))
             << fault->message;
    module = parseSourceFile<ModuleOp>(diagnostics.getSources(), &context);
    return failure(!module);
  }
  std::string why;
  {
    ScopedDiagnosticHandler handler(&context, [&](Diagnostic &diagnostic) {
      if (Diagnostics::hasLine(diagnostic.getLocation()))
        return failure();
      if (diagnostic.getSeverity() == DiagnosticSeverity::Error && why.empty())
        why = diagnostic.str();
      return success();
    });
    module = parseSourceFile<ModuleOp>(diagnostics.getSources(), &context);
  }
  if (!module && !why.empty())
    return emitBadBytecode(context, file, why);
  return failure(!module);
}

LogicalResult Model::checkOperations() {
  WalkResult walk = module->walk([](Operation *op) {
    if (op->isRegistered())
      return WalkResult::advance();
    graph::emitUnsupported(op->getLoc())
        << "unknown operation '" << op->getName() << "'; a model consists of "
        << modelDialects;
    return WalkResult::interrupt();
  });
  return failure(walk.wasInterrupted());
}

/// Turns what exporters wrote into Cleave's dialect; the rest of the phases is
/// run on copies.
LogicalResult Model::import() {
  PassManager manager(&context);
  const Phase &first = getPhases().front();
  first.build(manager, PhaseOptions());
  if (failed(manager.run(*module)))
    return failure();
  return dumps ? dumpPhase(*module, 0, first.name) : success();
}

/// Whether the runtime has elements of a type.
static bool isElement(Type type) {
  if (isa<Float16Type, BFloat16Type, Float32Type, Float64Type>(type) ||
      graph::isSmallFloat(type))
    return true;
  auto integer = dyn_cast<IntegerType>(type);
  if (!integer || integer.isSigned())
    return false;
  unsigned width = integer.getWidth();
  return llvm::is_contained({8u, 16u, 32u, 64u}, width) ||
         (width == 1 && integer.isSignless());
}

/// Programs take and return tensors whose size is known, not terms of a sum.
LogicalResult Model::checkEntry() {
  func::FuncOp entry = graph::getEntryFunction(*module);
  if (!entry)
    return failure();
  auto check = [&](ArrayRef<Type> types, StringRef what) -> LogicalResult {
    for (auto [index, type] : llvm::enumerate(types)) {
      auto tensor = dyn_cast<RankedTensorType>(type);
      if (!tensor || !tensor.hasStaticShape())
        return entry.emitError()
               << what << " " << index << " of the entry function is " << type
               << "; expected a tensor of static shape";
      if (!isElement(tensor.getElementType()))
        return entry.emitError()
               << what << " " << index << " of the entry function is " << type
               << "; expected elements of i1, i8 to i64, ui8 to ui64, f16, "
                  "bf16, f32, f64 or a float of 8 bits";
      auto sharding = dyn_cast_or_null<spmd::ShardingAttr>(
          what == "argument"
              ? entry.getArgAttr(index, spmd::SpmdDialect::kSharding)
              : entry.getResultAttr(index, spmd::SpmdDialect::kSharding));
      if (sharding && !sharding.getPartial().empty())
        return entry.emitError()
               << what << " " << index
               << " of the entry function is annotated as partial; a program "
                  "takes and returns whole values";
    }
    return success();
  };
  if (failed(check(entry.getArgumentTypes(), "argument")) ||
      failed(check(entry.getResultTypes(), "result")))
    return failure();
  return nameArguments(entry);
}

/// Names in locations, as exporters write them, are lost in the phases.
LogicalResult Model::nameArguments(func::FuncOp entry) {
  llvm::StringMap<unsigned> seen;
  for (unsigned i = 0; i < entry.getNumArguments(); ++i) {
    std::string name = graph::getArgumentName(entry, i);
    auto [other, isNew] = seen.try_emplace(name, i);
    if (!isNew)
      return emitError(entry.getArgument(i).getLoc())
             << "arguments " << other->second << " and " << i
             << " are both called '" << name << "'; names must differ";
    entry.setArgAttr(i, "cleave.name", StringAttr::get(&context, name));
  }
  return checkResultNames(entry);
}

LogicalResult Model::checkResultNames(func::FuncOp entry) {
  llvm::StringMap<unsigned> seen;
  for (unsigned i = 0; i < entry.getNumResults(); ++i) {
    std::string name = graph::getResultName(entry, i);
    auto [other, isNew] = seen.try_emplace(name, i);
    if (!isNew)
      return entry.emitError("results ")
             << other->second << " and " << i << " are both called '" << name
             << "'; names must differ";
  }
  return success();
}

/// The features of a named processor, or of this one.
static std::vector<StringRef> getFeatures(const HostTargetOptions &target) {
  SmallVector<StringRef> names;
  if (target.features.empty())
    llvm::X86::getFeaturesForCPU(target.cpu, names);
  else
    for (StringRef feature : llvm::split(target.features, ','))
      if (feature.consume_front("+"))
        names.push_back(feature);
  return {names.begin(), names.end()};
}

FailureOr<Target>
cleave::tool::resolveTarget(const Options &options,
                            function_ref<InFlightDiagnostic()> emitError) {
  Target target;
  target.options.cpu = options.cpu;
  if (failed(resolveHostTarget(target.options, emitError)))
    return failure();
  std::vector<StringRef> features = getFeatures(target.options);
  target.vectorBits = getVectorWidths([&](StringRef feature) {
                        return llvm::is_contained(features, feature);
                      }).front();
  target.fusedMultiplyAdd = llvm::is_contained(features, "fma");
  return target;
}

LogicalResult Model::dumpPhase(ModuleOp program, unsigned number,
                               StringRef name) {
  llvm::SmallString<128> path(options.dumpPhases);
  std::string text;
  llvm::raw_string_ostream os(text);
  os << llvm::format("%02u-", number) << name << ".mlir";
  llvm::sys::path::append(path, text);
  text.clear();
  program.print(os, OpPrintingFlags().enableDebugInfo(false));
  return writeFileAtomically(path, text, [&] { return module->emitError(); });
}

LogicalResult Model::runPhases(ModuleOp program, StringRef last,
                               Annotate annotate, PhaseObserver observe) {
  PhaseOptions phaseOptions;
  if (annotate == Annotate::FromOptions) {
    phaseOptions.mesh = options.mesh;
    phaseOptions.shard = llvm::join(options.shards, ";");
  }
  phaseOptions.vectorBits = target->vectorBits;
  // GPUs have it.
  phaseOptions.fusedMultiplyAdd = target->fusedMultiplyAdd || isForCuda();
  phaseOptions.math = *options.math;
  phaseOptions.guardPages = options.guardPages;
  phaseOptions.overlap = options.overlap;
  phaseOptions.checkStreams = options.checkStreams;
  if (!options.cudaChip.empty())
    phaseOptions.target = "cuda:" + options.cudaChip;
  phaseOptions.products = options.products;
  // Importing was number 0.
  unsigned number = 0;
  for (const Phase &phase : getPhases().drop_front()) {
    Progress progress(Twine("phase ") + phase.name);
    TimingScope scope = timingRoot.nest(phase.name);
    PassManager manager(&context);
    phase.build(manager, phaseOptions);
    manager.enableTiming(scope);
    if (failed(manager.run(program)))
      return failure();
    scope.stop();
    if (warns && StringRef("sharding") == phase.name)
      warnOfGathered(program);
    if (observe)
      observe(phase.name);
    if (dumps && failed(dumpPhase(program, ++number, phase.name)))
      return failure();
    if (last == phase.name)
      break;
  }
  return success();
}

LogicalResult Model::compile(ModuleOp program, SmallVectorImpl<char> &object,
                             Annotate annotate) {
  if (failed(runPhases(program, "codegen", annotate)))
    return failure();
  Progress progress("making machine code");
  TimingScope scope = timingRoot.nest("machine code");
  return emitObject(program, target->options, object);
}

std::unique_ptr<LoadedProgram> Model::compileInMemory(ModuleOp program,
                                                      Annotate annotate) {
  SmallVector<char, 0> object;
  if (failed(compile(program, object, annotate)))
    return nullptr;
  return LoadedProgram::load(object, [&] { return module->emitError(); });
}
