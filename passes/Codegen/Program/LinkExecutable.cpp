//===- LinkExecutable.cpp - From an object to a file that runs ------------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/Codegen/Program/LinkExecutable.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/Signals.h"
#include "llvm/Support/raw_ostream.h"
#include <sys/mman.h>
#include <unistd.h>

using namespace mlir;
using namespace cleave;

using EmitError = function_ref<InFlightDiagnostic()>;

namespace {
/// A file beside the output that is removed unless it is kept, also when the
/// process is interrupted.
class TemporaryFile {
public:
  TemporaryFile(StringRef output, StringRef suffix) {
    // Renaming over a device or a pipe would destroy it.
    if (llvm::sys::fs::exists(output) &&
        !llvm::sys::fs::is_regular_file(output))
      error = std::make_error_code(std::errc::operation_not_supported);
    else
      error =
          llvm::sys::fs::createUniqueFile(output + ".%%%%%%%%" + suffix, path);
    if (!error)
      llvm::sys::RemoveFileOnSignal(path);
  }
  ~TemporaryFile() {
    if (error || path.empty())
      return;
    llvm::sys::fs::remove(path);
    llvm::sys::DontRemoveFileOnSignal(path);
  }

  std::error_code error;
  llvm::SmallString<128> path;
};

/// What a linker says, in memory: it may say that the disk is full.
class Messages {
public:
  Messages() : file(::memfd_create("messages", MFD_CLOEXEC)) {}
  ~Messages() {
    if (file >= 0)
      ::close(file);
  }

  /// For a child of this process, before it runs a program.
  std::string getPath() const {
    return file >= 0 ? "/proc/self/fd/" + std::to_string(file) : "/dev/null";
  }
  std::string read() const {
    std::string text;
    char buffer[4096];
    ssize_t size;
    while (file >= 0 &&
           (size = ::pread(file, buffer, sizeof(buffer), text.size())) > 0)
      text.append(buffer, size);
    return StringRef(text).trim().str();
  }

private:
  int file;
};
} // namespace

static LogicalResult writeData(StringRef path, ArrayRef<char> data,
                               EmitError emitError) {
  std::error_code error;
  llvm::raw_fd_ostream os(path, error);
  if (!error) {
    os.write(data.data(), data.size());
    os.close();
    error = os.error();
    os.clear_error();
  }
  if (error)
    return emitError() << "cannot write '" << path << "': " << error.message();
  return success();
}

/// Gives the finished temporary file its name.
static LogicalResult commit(TemporaryFile &file, StringRef output, bool runs,
                            EmitError emitError) {
  namespace fs = llvm::sys::fs;
  // The permissions a compiler's output has.
  auto mode = runs ? fs::all_read | fs::all_write | fs::all_exe
                   : fs::all_read | fs::all_write;
  std::error_code error = fs::setPermissions(
      file.path, static_cast<fs::perms>(mode & ~fs::getUmask()));
  if (!error)
    error = fs::rename(file.path, output);
  if (error)
    return emitError() << "cannot write '" << output
                       << "': " << error.message();
  llvm::sys::DontRemoveFileOnSignal(file.path);
  file.path.clear();
  return success();
}

LogicalResult cleave::writeFileAtomically(StringRef path, ArrayRef<char> data,
                                          EmitError emitError) {
  if (path == "-") {
    llvm::outs().write(data.data(), data.size());
    return success();
  }
  TemporaryFile file(path, ".tmp");
  if (file.error)
    return emitError() << "cannot write '" << path
                       << "': " << file.error.message();
  if (failed(writeData(file.path, data, emitError)))
    return failure();
  return commit(file, path, /*runs=*/false, emitError);
}

static FailureOr<std::string> findDriver(const LinkOptions &options,
                                         EmitError emitError) {
  if (!options.driver.empty()) {
    if (auto path = llvm::sys::findProgramByName(options.driver))
      return *path;
    return emitError() << "cannot link: there is no program '" << options.driver
                       << "'";
  }
  for (StringRef name : {"c++", "g++", "clang++", "cc", CLEAVE_CXX_COMPILER})
    if (auto path = llvm::sys::findProgramByName(name))
      return *path;
  return emitError() << "cannot link: found none of c++, g++, clang++, cc and "
                     << CLEAVE_CXX_COMPILER
                     << "; install a C++ compiler, or emit an object";
}

LogicalResult cleave::linkExecutable(ArrayRef<char> object, StringRef output,
                                     const LinkOptions &options,
                                     EmitError emitError) {
  FailureOr<std::string> driver = findDriver(options, emitError);
  if (failed(driver))
    return failure();
  llvm::SmallString<128> runtime(options.runtimeDir), main(options.runtimeDir);
  llvm::sys::path::append(runtime, "libcleave-rt.a");
  llvm::sys::path::append(main, "libcleave-rt-main.a");
  for (StringRef library : {StringRef(runtime), StringRef(main)})
    if (!llvm::sys::fs::exists(library))
      return emitError() << "cannot link: '" << library << "' is missing";

  llvm::SmallString<128> cuda(options.runtimeDir);
  llvm::sys::path::append(cuda, "libcleave-rt-cuda.so");
  if (options.cuda && !llvm::sys::fs::exists(cuda))
    return emitError() << "cannot link for target cuda: '" << cuda
                       << "' is missing; build Cleave where the CUDA toolkit "
                          "and NCCL are";

  TemporaryFile objectFile(output, ".o"), linked(output, ".tmp");
  for (const TemporaryFile *file : {&objectFile, &linked})
    if (file->error)
      return emitError() << "cannot write '" << output
                         << "': " << file->error.message();
  if (failed(writeData(objectFile.path, object, emitError)))
    return failure();

  SmallVector<StringRef> arguments = {*driver, "-o", linked.path,
                                      objectFile.path, "-Wl,--gc-sections"};
  if (options.shared)
    arguments.append(
        {"-shared", "-Wl,--whole-archive", runtime, "-Wl,--no-whole-archive"});
  else
    arguments.append({main, runtime});
  // Where a program finds what the runtime loads on demand.
  arguments.append({"-Xlinker", "-rpath", "-Xlinker", options.runtimeDir});
  // The loader finds it by the run path, and with it CUDA's libraries.
  if (options.cuda)
    arguments.append({"-Wl,--no-as-needed", cuda});
  arguments.push_back("-Wl,--as-needed");
  arguments.append(options.libraries.begin(), options.libraries.end());

  Messages messages;
  std::string reason, messagesPath = messages.getPath();
  std::optional<StringRef> redirects[] = {StringRef(), StringRef(messagesPath),
                                          StringRef(messagesPath)};
  int status = llvm::sys::ExecuteAndWait(*driver, arguments, std::nullopt,
                                         redirects, 0, 0, &reason);
  if (status != 0)
    return emitError() << "cannot link '" << output << "' with " << *driver
                       << ": " << reason << messages.read();
  return commit(linked, output, /*runs=*/true, emitError);
}
