//===- PtxAssembler.cpp - PTX to machine code -----------------------------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/Codegen/GPU/PtxAssembler.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
namespace fs = llvm::sys::fs;

namespace cleave::codegen {

/// The number before `unit`, as in `Used 16 registers`; 0 if there is none.
static int64_t numberBefore(StringRef line, StringRef unit) {
  size_t at = line.find(unit);
  if (at == StringRef::npos)
    return 0;
  StringRef number = line.take_front(at).rtrim();
  number = number.substr(number.find_last_not_of("0123456789") + 1);
  int64_t value = 0;
  return number.getAsInteger(10, value) ? 0 : value;
}

llvm::StringMap<KernelResources> parseResources(StringRef report) {
  llvm::StringMap<KernelResources> resources;
  KernelResources *kernel = nullptr;
  SmallVector<StringRef> lines;
  report.split(lines, '\n');
  for (StringRef line : lines) {
    auto [before, after] = line.split("Compiling entry function '");
    if (!after.empty()) {
      kernel = &resources[after.split('\'').first];
      continue;
    }
    if (!kernel)
      continue;
    if (line.contains("bytes stack frame")) {
      kernel->stackBytes = numberBefore(line, "bytes stack frame");
      kernel->spillBytes = numberBefore(line, "bytes spill stores") +
                           numberBefore(line, "bytes spill loads");
    } else if (line.contains("Used ")) {
      kernel->registers = numberBefore(line, "registers");
      kernel->sharedBytes = numberBefore(line, "bytes smem");
    }
  }
  return resources;
}

static std::string findPtxas(StringRef toolkit) {
  if (!toolkit.empty()) {
    std::string path = (toolkit + "/bin/ptxas").str();
    if (fs::can_execute(path))
      return path;
  }
  auto path = llvm::sys::findProgramByName("ptxas");
  return path ? *path : "";
}

LogicalResult assemblePtx(StringRef ptx, StringRef chip, StringRef toolkit,
                          SmallVectorImpl<char> &cubin,
                          llvm::StringMap<KernelResources> &resources,
                          function_ref<InFlightDiagnostic()> emitError) {
  std::string ptxas = findPtxas(toolkit);
  if (ptxas.empty())
    return emitError() << "cannot find ptxas, the assembler of the CUDA "
                          "toolkit; set CUDA_HOME to its folder";
  SmallString<128> source, object, report;
  std::pair<SmallString<128> *, StringRef> files[] = {
      {&source, "ptx"}, {&object, "cubin"}, {&report, "txt"}};
  llvm::scope_exit removeFiles([&] {
    for (auto [file, suffix] : files)
      if (!file->empty())
        fs::remove(*file);
  });
  for (auto [file, suffix] : files)
    if (std::error_code error =
            fs::createTemporaryFile("cleave", suffix, *file))
      return emitError() << "cannot create a temporary file: "
                         << error.message();
  std::error_code error;
  llvm::raw_fd_ostream(source, error) << ptx;
  if (error)
    return emitError() << "cannot write '" << source
                       << "': " << error.message();

  std::string gpuName = ("--gpu-name=" + chip).str();
  std::string message;
  int status = llvm::sys::ExecuteAndWait(
      ptxas, {ptxas, "-v", gpuName, source, "-o", object}, std::nullopt,
      {"", report, report}, /*SecondsToWait=*/0, /*MemoryLimit=*/0, &message);
  auto text = llvm::MemoryBuffer::getFile(report);
  StringRef printed = text ? (*text)->getBuffer() : StringRef();
  if (status != 0)
    return emitError() << "ptxas failed: "
                       << (message.empty() ? printed.trim() : message);
  auto code = llvm::MemoryBuffer::getFile(object);
  if (!code)
    return emitError() << "cannot read '" << object
                       << "': " << code.getError().message();
  StringRef bytes = (*code)->getBuffer();
  cubin.assign(bytes.begin(), bytes.end());
  resources = parseResources(printed);
  return success();
}

} // namespace cleave::codegen
