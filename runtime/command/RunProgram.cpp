//===- RunProgram.cpp - One run of a compiled program ---------------------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/command/RunOptions.h"
#include "runtime/command/RunOutputs.h"
#include "runtime/command/Summary.h"
#include "runtime/communicators/processes/Launch.h"
#include "runtime/communicators/processes/World.h"
#include "runtime/core/Error.h"
#include "runtime/core/io/AtomicFile.h"
#include "runtime/core/io/TensorFile.h"
#include "runtime/session/CreateCommunicator.h"
#include "runtime/session/SessionHandle.h"

#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <set>
#include <sys/stat.h>
#include <thread>
#include <unistd.h>

using namespace cleave::rt;

/// Prints `TOOL: error: LINE` for each line of the last error that is no note.
static void printLastError(const std::string &tool) {
  std::string text = cleave_rt_last_error();
  for (size_t begin = 0; begin < text.size();) {
    size_t end = std::min(text.find('\n', begin), text.size());
    std::string line = text.substr(begin, end - begin);
    const char *severity = line.rfind("note: ", 0) == 0 ? "" : "error: ";
    std::fprintf(stderr, "%s: %s%s\n", tool.c_str(), severity, line.c_str());
    begin = end + 1;
  }
}

/// Adds the exit status as a line to the file that CLEAVE_RT_STATUS_FILE names,
/// on the machine that has it: a launcher's own status may tell nothing. The
/// first process speaks for all, but any can tell that the run has failed, or
/// of an error of its `own`.
static int32_t reportStatus(int32_t status, bool isOwn = false) {
  const char *path = std::getenv("CLEAVE_RT_STATUS_FILE");
  bool speaks =
      getLaunch().isFirst() || isOwn || status == CLEAVE_RT_RUN_FAILED;
  if (!path || !speaks)
    return status;
  int file = ::open(path, O_WRONLY | O_APPEND | O_CLOEXEC);
  if (file < 0)
    return status;
  std::string line = std::to_string(status) + "\n";
  if (::write(file, line.data(), line.size()) < 0)
    std::perror(path);
  ::close(file);
  return status;
}

/// Waits until the first process, which may begin later, has told what is wrong
/// with all: launchers end every process as soon as one has failed. Who started
/// them by hand is not kept waiting for long. False if it has not told.
static bool waitForFirstProcess() {
  constexpr std::chrono::milliseconds lookInterval(50);
  std::chrono::milliseconds patience(
      getLaunch().launcher == Launcher::Mpi ? 10000 : 2000);
  const char *path = std::getenv("CLEAVE_RT_STATUS_FILE");
  auto isTold = [&] {
    struct stat file;
    return path && ::stat(path, &file) == 0 && file.st_size > 0;
  };
  for (std::chrono::milliseconds waited(0); waited < patience;
       waited += lookInterval) {
    if (isTold())
      return true;
    std::this_thread::sleep_for(lookInterval);
  }
  return isTold();
}

/// Reports the last error, a mistake that all processes of the run have unless
/// they were started with different options: once. Returns whether it is told
/// here, by the first process or since that one has nothing to tell.
static bool reportCommonError(const std::string &tool) {
  if (!getLaunch().isFirst() && waitForFirstProcess())
    return false;
  printLastError(tool);
  return true;
}

/// Whether other processes belong to the run of this one, as far as options
/// tell: variables may be there for another program.
static bool isOneOfMany(const cleave_rt_run_options &options) {
  const char *communicator = options.session.communicator;
  bool isAsked = communicator && std::strcmp(communicator, "local") != 0;
  return isAsked || getLaunch().launcher == Launcher::Mpi;
}

/// Throws if a status is not success, keeping its text.
static void check(int32_t status) {
  if (status != CLEAVE_RT_OK)
    throw Error(status, cleave_rt_last_error());
}

namespace {
/// What went wrong on this process, until all processes know.
class Outcome {
public:
  /// Does nothing after a failure.
  template <typename Body> void attempt(Body &&body) {
    if (status == CLEAVE_RT_OK && (status = guard(body)))
      text = cleave_rt_last_error();
  }

  /// Throws on all processes if there was a failure on any. The text, each
  /// different one once, is on rank 0.
  void agree(Processes *processes) {
    if (!processes) {
      if (status)
        throw Error(status, text);
      return;
    }
    std::set<std::string> texts;
    for (std::string &other : processes->gather(text))
      texts.insert(std::move(other));
    texts.erase("");
    status = processes->getMaximum(status);
    if (!status)
      return;
    isAgreed = true;
    text.clear();
    for (const std::string &other : texts)
      text += (text.empty() ? "" : "\n") + other;
    throw Error(status, text);
  }

  /// Whether what was thrown last is known to all.
  bool isKnown() const { return isAgreed; }

private:
  int32_t status = CLEAVE_RT_OK;
  std::string text;
  bool isAgreed = false;
};
} // namespace

namespace {
/// Owns the handles of one run.
struct Run {
  cleave_rt_program *program = nullptr;
  cleave_rt_session *session = nullptr;
  /// Whether what goes wrong now may do so on this process only: what follows
  /// from the command line and the program goes wrong on all.
  bool isOwn = false;
  ~Run() {
    cleave_rt_session_destroy(session);
    cleave_rt_program_destroy(program);
  }
};
} // namespace

/// What follows the first step, which also warmed up.
static void finish(const cleave_rt_run_options &options, Session &session,
                   bool prints, Outcome &outcome) {
  Summary summary{session, {}, {}, options.printsCounters};
  summary.seconds.resize(options.repeats);
  session.run(options.repeats, summary.seconds.data());
  session.gatherFigures();

  bool isRoot = session.isRoot();
  std::vector<std::unique_ptr<AtomicFile>> files;
  const std::vector<TensorSpec> &specs = session.getManifest().outputs;
  for (size_t i = 0; i < specs.size(); ++i) {
    const TensorSpec &spec = specs[i];
    int64_t bytes = getBytes(spec.shape, spec.dtype);
    std::vector<char> data(isRoot ? bytes : 0);
    session.copyOutput(i, data.data(), bytes);
    if (!isRoot)
      continue;
    summary.outputs.push_back(
        getStatistics(spec.dtype, data.data(), bytes / getSize(spec.dtype)));
    if (options.outputDir.empty())
      continue;
    outcome.attempt([&] {
      files.push_back(std::make_unique<AtomicFile>(options.outputDir + "/" +
                                                   getOutputName(spec.name)));
      writeNpy(*files.back(),
               {{spec.name, spec.dtype, spec.shape}, data.data()});
    });
  }
  if (isRoot)
    outcome.attempt([&] {
      if (!options.tracePath.empty()) {
        files.push_back(std::make_unique<AtomicFile>(options.tracePath));
        files.back()->write(session.formatTrace());
      }
      // A full disk shows in one of them before any appears.
      for (std::unique_ptr<AtomicFile> &file : files)
        file->flush();
      for (std::unique_ptr<AtomicFile> &file : files)
        file->commit();
      if (!prints)
        return;
      std::string text =
          options.printsJson ? summary.formatJson() : summary.formatText();
      if (std::fputs(text.c_str(), stdout) == EOF || std::fflush(stdout) == EOF)
        throwBadInput(std::string("cannot write to standard output: ") +
                      std::strerror(errno));
    });
  outcome.agree(session.getProcesses());
}

/// Throws that this process is told something wrong, with which it would run
/// all ranks for itself, or meet no others.
static void checkVariables(const cleave_rt_session_options &options,
                           const Manifest &manifest) {
  const char *communicator = options.communicator;
  bool needsThem = manifest.isForGpu()
                       ? !communicator || std::strcmp(communicator, "nccl") == 0
                       : communicator &&
                             std::strcmp(communicator, "mpi") == 0 &&
                             getLaunch().launcher == Launcher::Variables;
  if (!needsThem)
    return;
  std::string mistake = findMistakeInVariables();
  if (!mistake.empty())
    throwBadInput(mistake +
                  "; a launcher sets RANK, WORLD_SIZE, MASTER_ADDR and "
                  "MASTER_PORT, and --communicator local needs none");
}

/// The options of the session with the communicator that this process was
/// started for.
static cleave_rt_session_options
chooseCommunicator(cleave_rt_session_options options,
                   const Manifest &manifest) {
  Launcher launcher = getLaunch().launcher;
  bool isForGpu = manifest.isForGpu();
  if (!options.communicator) {
    // Variables may be there for another program.
    bool isMeant = launcher == Launcher::Mpi ||
                   (launcher == Launcher::Variables && isForGpu);
    options.communicator = !isMeant ? "local" : isForGpu ? "nccl" : "mpi";
  }
  if (std::strcmp(options.communicator, "local") == 0)
    return options;
  int32_t numRanks = manifest.mesh.getSize();
  checkLaunched(numRanks, "the program is compiled for a mesh of");
  // MPI may know of processes that getLaunch() does not.
  if (isForGpu && numRanks > 1)
    requireLaunch(numRanks, "--communicator nccl");
  return options;
}

static void execute(const cleave_rt_run_options &options, const char *text,
                    cleave_rt_step step, Run &run, Outcome &outcome) {
  check(cleave_rt_program_create(text, step, &run.program));
  const Manifest &manifest = *run.program->manifest;
  run.isOwn = true;
  checkVariables(options.session, manifest);
  run.isOwn = false;
  cleave_rt_session_options sessionOptions =
      chooseCommunicator(options.session, manifest);
  Session::checkOptions(sessionOptions, manifest);
  findCommunicator(sessionOptions, manifest);
  run.isOwn = true;
  check(cleave_rt_session_create(run.program, &sessionOptions, &run.session));
  Session &session = *run.session->session;
  if (session.isRoot())
    outcome.attempt([&] { checkOutputs(options); });
  outcome.attempt(
      [&] { check(cleave_rt_run_options_set_inputs(&options, run.session)); });
  outcome.agree(session.getProcesses());
  session.run(1, nullptr);
  finish(options, session, /*prints=*/true, outcome);
}

extern "C" int32_t
cleave_rt_run_options_check_outputs(const cleave_rt_run_options *options) {
  return guard([&] { checkOutputs(*options); });
}

extern "C" int32_t
cleave_rt_run_options_finish(const cleave_rt_run_options *options,
                             cleave_rt_session *session, int32_t prints) {
  return guard([&] {
    checkOutputFiles(*options, session->session->getManifest());
    Outcome outcome;
    finish(*options, *session->session, prints, outcome);
  });
}

extern "C" int32_t cleave_rt_run_program(const char *tool,
                                         const cleave_rt_run_options *options,
                                         const char *manifest,
                                         cleave_rt_step step) {
  int32_t status;
  bool isOwn;
  {
    Run run;
    Outcome outcome;
    status = guard([&] { execute(*options, manifest, step, run, outcome); });
    bool isCommon = status == CLEAVE_RT_BAD_INPUT && !run.isOwn;
    if (isCommon)
      run.isOwn = reportCommonError(tool) && !getLaunch().isFirst();
    else if (status != CLEAVE_RT_OK)
      printLastError(tool);
    Processes *processes =
        run.session ? run.session->session->getProcesses() : nullptr;
    isOwn = run.isOwn && status != CLEAVE_RT_OK && !outcome.isKnown();
    if (isOwn && processes)
      processes->leave(reportStatus(status, isOwn));
  }
  int32_t stopped = guard([] { World::stopIfStarted(); });
  if (stopped != CLEAVE_RT_OK) {
    status = stopped;
    printLastError(tool);
  }
  reportStatus(status, isOwn);
  if (World::isStuck()) {
    // A thread is still in MPI.
    std::fflush(nullptr);
    std::_Exit(status);
  }
  return status;
}

extern "C" int cleave_rt_main(int argc, char **argv, const char *manifest,
                              cleave_rt_step step) {
  std::string tool = argc > 0 ? argv[0] : "program";
  tool = tool.substr(tool.rfind('/') + 1);
  struct Destroy {
    void operator()(cleave_rt_run_options *options) const {
      cleave_rt_run_options_destroy(options);
    }
  };
  std::unique_ptr<cleave_rt_run_options, Destroy> options(
      cleave_rt_run_options_create());
  for (int i = 1; i < argc;) {
    if (std::strcmp(argv[i], "--help") == 0) {
      if (isOneOfMany(*options) && !getLaunch().isFirst())
        return CLEAVE_RT_OK;
      std::printf("usage: %s [options]\n%s  --help                      print "
                  "this text\n",
                  tool.c_str(), cleave_rt_run_options_help());
      if (std::fflush(stdout) != EOF)
        return CLEAVE_RT_OK;
      std::perror((tool + ": error: cannot write to standard output").c_str());
      return reportStatus(CLEAVE_RT_BAD_INPUT);
    }
    int32_t parsed = cleave_rt_parse_run_option(options.get(), argc, argv, &i);
    if (parsed == 0)
      setLastError("unknown option " + quote(argv[i]) + "; see --help");
    if (parsed != 1) {
      bool isTold = reportCommonError(tool);
      return reportStatus(CLEAVE_RT_BAD_INPUT, /*isOwn=*/isTold);
    }
  }
  return cleave_rt_run_program(tool.c_str(), options.get(), manifest, step);
}
