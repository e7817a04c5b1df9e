//===- Executable.cpp - Programs as files, and ranks as processes ---------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tools/cleave/Executable.h"
#include "passes/Codegen/Program/LinkExecutable.h"
#include "llvm/BinaryFormat/Magic.h"
#include "llvm/Object/ObjectFile.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FileUtilities.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/Signals.h"
#include <chrono>
#include <csignal>
#include <thread>

using namespace mlir;
using namespace cleave;
using namespace cleave::tool;
namespace fs = llvm::sys::fs;

bool cleave::tool::isExecutable(StringRef path) {
  llvm::file_magic magic;
  if (llvm::identify_magic(path, magic))
    return false;
  return magic == llvm::file_magic::elf_executable ||
         magic == llvm::file_magic::elf_shared_object;
}

/// Where the runtime's libraries are, built or installed beside the tool.
static std::string getRuntimeDir() {
  static int anchor;
  llvm::SmallString<128> path(fs::getMainExecutable(nullptr, &anchor));
  llvm::sys::path::remove_filename(path);
  llvm::sys::path::append(path, "..", "lib");
  llvm::sys::path::remove_dots(path, /*remove_dot_dot=*/true);
  return path.str().str();
}

LogicalResult cleave::tool::emitCode(Model &model, Emit emit,
                                     StringRef output) {
  ModuleOp module = model.getModule();
  auto emitError = [&] { return module.emitError(); };
  llvm::SmallVector<char, 0> object;
  if (failed(model.compile(module, object)))
    return failure();
  if (emit == Emit::Object)
    return writeFileAtomically(output, object, emitError);
  Progress progress("linking");
  LinkOptions link;
  link.runtimeDir = getRuntimeDir();
  link.shared = emit == Emit::SharedLibrary;
  link.cuda = model.isForCuda();
  return linkExecutable(object, output, link, emitError);
}

/// The manifest inside a program; "" if there is none.
static std::string readManifest(StringRef program) {
  auto file = llvm::object::ObjectFile::createObjectFile(program);
  if (!file) {
    llvm::consumeError(file.takeError());
    return "";
  }
  for (const llvm::object::SymbolRef &symbol : file->getBinary()->symbols()) {
    auto name = symbol.getName();
    auto address = symbol.getAddress();
    auto section = symbol.getSection();
    if (!name || !address || !section) {
      llvm::consumeError(name.takeError());
      llvm::consumeError(address.takeError());
      llvm::consumeError(section.takeError());
      continue;
    }
    if (*name != "cleave_program_manifest" ||
        *section == file->getBinary()->section_end())
      continue;
    auto contents = (*section)->getContents();
    if (!contents) {
      llvm::consumeError(contents.takeError());
      continue;
    }
    StringRef text = contents->drop_front(std::min<size_t>(
        *address - (*section)->getAddress(), contents->size()));
    return text.split('\0').first.str();
  }
  return "";
}

bool cleave::tool::isCompiledProgram(StringRef path) {
  auto file = llvm::object::ObjectFile::createObjectFile(path);
  if (!file) {
    llvm::consumeError(file.takeError());
    return false;
  }
  // A shared library starts nowhere.
  auto start = file->getBinary()->getStartAddress();
  if (!start) {
    llvm::consumeError(start.takeError());
    return false;
  }
  return *start != 0 && !readManifest(path).empty();
}

/// The size of a program's mesh, or 0 after a diagnostic.
static int getNumRanks(const Options &options, StringRef program) {
  if (int ranks = cleave_rt_run_options_session(options.run.get())->ranks)
    return ranks;
  cleave_rt_program *parsed = nullptr;
  if (cleave_rt_program_create(readManifest(program).c_str(), nullptr,
                               &parsed)) {
    reportError("cannot tell the number of ranks of '" + program +
                "'; give it by --ranks N");
    return 0;
  }
  int ranks = cleave_rt_program_num_ranks(parsed);
  cleave_rt_program_destroy(parsed);
  return ranks;
}

/// What the ranks wrote into the status file, a line each: the worst of it, or
/// nothing. Who wrote nothing has died, or has nothing to say.
static std::optional<int> readStatus(StringRef path) {
  auto text = llvm::MemoryBuffer::getFile(path, /*IsText=*/false,
                                          /*RequiresNullTerminator=*/false,
                                          /*IsVolatile=*/true);
  std::optional<int> worst;
  if (!text)
    return worst;
  SmallVector<StringRef> lines;
  (*text)->getBuffer().split(lines, '\n', /*MaxSplit=*/-1,
                             /*KeepEmpty=*/false);
  for (StringRef line : lines)
    if (int status; !line.getAsInteger(10, status))
      worst = std::max(worst.value_or(status), status);
  return worst;
}

/// How long ranks get to report after one has, how long mpirun gets to end what
/// is left then, and how often to look.
constexpr std::chrono::seconds reportTime(12), endTime(5);
constexpr std::chrono::milliseconds lookInterval(50);

/// Waits for mpirun. Ends it if ranks are left that do not go on: started with
/// recovery enabled, it waits for them as long as they exist.
static void waitForRanks(llvm::sys::ProcessInfo mpirun, StringRef statusFile) {
  using Clock = std::chrono::steady_clock;
  std::optional<Clock::time_point> failed;
  bool isTold = false;
  while (llvm::sys::Wait(mpirun, /*SecondsToWait=*/0).Pid == 0) {
    std::this_thread::sleep_for(lookInterval);
    Clock::time_point now = Clock::now();
    if (!failed && readStatus(statusFile) == RunFailed)
      failed = now;
    if (!failed || now < *failed + reportTime)
      continue;
    if (!isTold)
      ::kill(mpirun.Pid, SIGTERM);
    isTold = true;
    if (now >= *failed + reportTime + endTime)
      ::kill(mpirun.Pid, SIGKILL);
  }
}

int cleave::tool::launchRanks(const Options &options, StringRef program) {
  int numRanks = getNumRanks(options, program);
  if (!numRanks)
    return BadInput;
  auto mpirun = llvm::sys::findProgramByName("mpirun");
  if (!mpirun) {
    reportError("--communicator mpi: there is no program 'mpirun'; install "
                "Open MPI");
    return RunFailed;
  }
  // With recovery enabled mpirun ends with 0 whatever becomes of the ranks.
  llvm::SmallString<128> statusFile, path(program);
  if (std::error_code error =
          fs::createTemporaryFile("cleave", "status", statusFile)) {
    reportError("cannot create a temporary file: " + error.message());
    return RunFailed;
  }
  llvm::FileRemover remover(statusFile);
  llvm::sys::RemoveFileOnSignal(statusFile);
  fs::make_absolute(path);
  std::string count = std::to_string(numRanks);
  std::string variable = ("CLEAVE_RT_STATUS_FILE=" + statusFile).str();
  SmallVector<StringRef> arguments = {*mpirun,   "--enable-recovery",
                                      "--quiet", "--oversubscribe",
                                      "-x",      variable,
                                      "-np",     count,
                                      path};
  arguments.append(options.runArguments.begin(), options.runArguments.end());
  std::string reason;
  bool isRefused = false;
  llvm::sys::ProcessInfo process =
      llvm::sys::ExecuteNoWait(*mpirun, arguments, std::nullopt, {},
                               /*MemoryLimit=*/0, &reason, &isRefused);
  if (isRefused) {
    reportError("cannot run mpirun: " + reason);
    return RunFailed;
  }
  waitForRanks(process, statusFile);
  // The first rank has told its status unless it has died.
  return readStatus(statusFile).value_or(RunFailed);
}
