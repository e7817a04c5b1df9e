//===- cleave-fuzz.cpp - Programs changed at random, through the readers --===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Changes the text of given programs at random and reads and imports the
// result. Whatever it is, that must end with a module or a diagnostic: no
// crash, no hang, and no failure that says nothing.
//
//===----------------------------------------------------------------------===//

#include "Mutator.h"
#include "cleave/Support/Isolation.h"
#include "cleave/Support/TextFaults.h"
#include "dialects/StableHLO/StableHLODialect.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "passes/Phases.h"
#include "passes/Register.h"
#include "test/exec/differential/CaseOptions.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include <chrono>
#include <sys/resource.h>

using namespace mlir;
using namespace cleave;
using namespace cleave::fuzz;
namespace cl = llvm::cl;

static cl::OptionCategory category("Fuzzing");
template <typename T> using Option = cl::opt<T>;

static cl::list<std::string> paths(cl::Positional, cl::OneOrMore,
                                   cl::desc("FILE_OR_FOLDER..."),
                                   cl::cat(category));
static CaseOptions cases(category, /*number=*/1000, /*seconds=*/10);
static Option<double> seconds("seconds", cl::init(0), cl::cat(category),
                              cl::desc("Run cases for so long instead"));
static Option<unsigned> maxBytes("max-bytes", cl::init(65536),
                                 cl::cat(category),
                                 cl::desc("Leave out larger files"));
static Option<std::string> last("last", cl::init("import"), cl::cat(category),
                                cl::desc("Last phase that is run"));

/// Bytes that a case may allocate: the size of a tensor is a number in its
/// type.
static constexpr rlim_t maxMemory = rlim_t(4) << 30;

static std::vector<std::unique_ptr<llvm::MemoryBuffer>> readFiles() {
  std::vector<std::string> files;
  for (const std::string &path : paths) {
    std::error_code error;
    if (!llvm::sys::fs::is_directory(path))
      files.push_back(path);
    else
      for (llvm::sys::fs::recursive_directory_iterator it(path, error), end;
           it != end && !error; it.increment(error))
        if (llvm::sys::path::extension(it->path()) == ".mlir")
          files.push_back(it->path());
  }
  llvm::sort(files);
  std::vector<std::unique_ptr<llvm::MemoryBuffer>> buffers;
  for (const std::string &file : files)
    if (auto buffer = llvm::MemoryBuffer::getFile(file);
        buffer && (*buffer)->getBufferSize() <= maxBytes)
      buffers.push_back(std::move(*buffer));
  return buffers;
}

static uint64_t seedOf(uint64_t number) {
  return (uint64_t(cases.seed) << 40) + number;
}

namespace {
/// What became of a case that neither crashed nor hung.
enum class Ending { Accepted = 'A', Refused = 'R', Silent = 'S' };
} // namespace

/// Reads and imports a text, as `cleave` does.
static Ending process(MLIRContext &context, StringRef text) {
  if (findTextFault(text))
    return Ending::Refused;
  bool hasError = false;
  ScopedDiagnosticHandler handler(&context, [&](Diagnostic &diagnostic) {
    hasError |= diagnostic.getSeverity() == DiagnosticSeverity::Error;
    return success();
  });
  auto module = parseSourceString<ModuleOp>(text, ParserConfig(&context));
  if (module) {
    PassManager manager(&context);
    buildPhases(manager, PhaseOptions(), last);
    if (succeeded(manager.run(*module)))
      return Ending::Accepted;
  }
  return hasError ? Ending::Refused : Ending::Silent;
}

namespace {
class Campaign {
public:
  Campaign(const Corpus &corpus, MLIRContext &context)
      : corpus(corpus), context(context) {}

  int run() {
    using Clock = std::chrono::steady_clock;
    Clock::time_point start = Clock::now();
    if (seconds <= 0) {
      runCases(cases.first, cases.cases);
    } else {
      // In rounds, so that the end can be seen between them.
      for (uint64_t next = cases.first;
           std::chrono::duration<double>(Clock::now() - start).count() <
           seconds;
           next += roundSize)
        runCases(next, roundSize);
    }
    llvm::outs() << numDone << " cases: " << numAccepted << " accepted, "
                 << numDone - numAccepted - numFailed << " refused, "
                 << numFailed << " failed\n";
    return numFailed ? 1 : 0;
  }

private:
  static constexpr unsigned roundSize = 20000;

  void runCases(uint64_t first, uint64_t count) {
    runIsolated(
        first, count, cases.getIsolation(/*batch=*/500),
        [&](uint64_t number) {
          rlimit limit = {maxMemory, maxMemory};
          ::setrlimit(RLIMIT_AS, &limit);
          Ending ending = process(context, mutate(corpus, seedOf(number)));
          return std::string(1, static_cast<char>(ending));
        },
        [&](uint64_t number, IsolatedResult result) { take(number, result); });
  }

  void take(uint64_t number, const IsolatedResult &result) {
    ++numDone;
    if (result.status == IsolatedResult::Done) {
      Ending ending = static_cast<Ending>(result.data.front());
      numAccepted += ending == Ending::Accepted;
      if (ending != Ending::Silent)
        return;
    }
    ++numFailed;
    llvm::outs() << "case " << number << " (--seed " << cases.seed
                 << " --first " << number << " --cases 1): "
                 << (result.status == IsolatedResult::TimedOut ? "hang"
                     : result.status == IsolatedResult::Crashed
                         ? "crash: " + result.data
                         : "fails without a diagnostic")
                 << "\n";
    llvm::outs().flush();
  }

  const Corpus &corpus;
  MLIRContext &context;
  uint64_t numDone = 0, numAccepted = 0, numFailed = 0;
};
} // namespace

int main(int argc, char **argv) {
  cl::HideUnrelatedOptions(category);
  cl::ParseCommandLineOptions(argc, argv, "changed programs, read\n");
  if (llvm::none_of(getPhases(),
                    [](const Phase &phase) { return last == phase.name; })) {
    llvm::errs() << "--last: no phase is called '" << last << "'\n";
    return 2;
  }
  std::vector<std::unique_ptr<llvm::MemoryBuffer>> files = readFiles();
  Corpus corpus;
  for (const auto &file : files)
    corpus.add(file->getBuffer());
  if (corpus.size() == 0) {
    llvm::errs() << "no programs to start from\n";
    return 2;
  }
  if (cases.print) {
    for (uint64_t number = cases.first; number < cases.first + cases.cases;
         ++number)
      llvm::outs() << mutate(corpus, seedOf(number)) << "\n";
    return 0;
  }
  // Children inherit it and must not need threads.
  MLIRContext context(MLIRContext::Threading::DISABLED);
  DialectRegistry registry;
  registerDialects(registry);
  registerStableHLODialects(registry);
  context.appendDialectRegistry(registry);
  context.loadAllAvailableDialects();
  context.allowUnregisteredDialects();
  return Campaign(corpus, context).run();
}
