//===- Jit.cpp - Run a program in this process ----------------------------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/Codegen/Program/Jit.h"
#include "llvm/ExecutionEngine/Orc/AbsoluteSymbols.h"
#include "llvm/ExecutionEngine/Orc/ExecutionUtils.h"
#include "llvm/ExecutionEngine/Orc/LLJIT.h"
#include "llvm/Support/TargetSelect.h"

using namespace mlir;
using namespace cleave;
namespace orc = llvm::orc;

LoadedProgram::LoadedProgram(std::unique_ptr<orc::LLJIT> jit)
    : jit(std::move(jit)) {}

LoadedProgram::~LoadedProgram() = default;

/// Whether the name belongs to the runtime's interface, and must not be taken
/// from elsewhere.
static bool isRuntimeName(StringRef name) {
  return name.starts_with("cleave_rt_");
}

static llvm::Error defineSymbols(orc::LLJIT &jit,
                                 ArrayRef<RuntimeSymbol> symbols) {
  orc::SymbolMap map;
  for (const RuntimeSymbol &symbol : symbols)
    map[jit.mangleAndIntern(symbol.name)] = {
        orc::ExecutorAddr::fromPtr(symbol.address),
        llvm::JITSymbolFlags::Exported | llvm::JITSymbolFlags::Callable};
  if (auto error =
          jit.getMainJITDylib().define(orc::absoluteSymbols(std::move(map))))
    return error;
  auto process = orc::DynamicLibrarySearchGenerator::GetForCurrentProcess(
      jit.getDataLayout().getGlobalPrefix(),
      [](const orc::SymbolStringPtr &name) { return !isRuntimeName(*name); });
  if (!process)
    return process.takeError();
  jit.getMainJITDylib().addGenerator(std::move(*process));
  return llvm::Error::success();
}

static llvm::Expected<std::unique_ptr<orc::LLJIT>>
makeJit(ArrayRef<char> object, ArrayRef<RuntimeSymbol> symbols) {
  llvm::InitializeNativeTarget();
  llvm::InitializeNativeTargetAsmPrinter();
  // Programs have no initializers and are never unwound.
  auto jit = orc::LLJITBuilder()
                 .setPlatformSetUp(orc::setUpInactivePlatform)
                 .setLinkProcessSymbolsByDefault(false)
                 .create();
  if (!jit)
    return jit.takeError();
  if (auto error = defineSymbols(**jit, symbols))
    return std::move(error);
  auto buffer = llvm::MemoryBuffer::getMemBufferCopy(
      StringRef(object.data(), object.size()), "program");
  if (auto error = (*jit)->addObjectFile(std::move(buffer)))
    return std::move(error);
  return jit;
}

std::unique_ptr<LoadedProgram>
LoadedProgram::load(ArrayRef<char> object,
                    function_ref<InFlightDiagnostic()> emitError,
                    ArrayRef<RuntimeSymbol> symbols) {
  auto fail = [&](llvm::Error error) {
    emitError() << "cannot load the program: "
                << llvm::toString(std::move(error));
    return nullptr;
  };
  auto jit = makeJit(object, symbols);
  if (!jit)
    return fail(jit.takeError());
  // What goes wrong is in the error of the look-up, too.
  (*jit)->getExecutionSession().setErrorReporter(
      [](llvm::Error error) { llvm::consumeError(std::move(error)); });
  auto step = (*jit)->lookup("cleave_program_step");
  if (!step)
    return fail(step.takeError());
  auto manifest = (*jit)->lookup("cleave_program_manifest");
  if (!manifest)
    return fail(manifest.takeError());
  std::unique_ptr<LoadedProgram> program(new LoadedProgram(std::move(*jit)));
  program->step = step->toPtr<cleave_rt_step>();
  program->manifest = manifest->toPtr<const char *>();
  return program;
}
