//===- Execute.cpp - Run a loaded program and check it --------------------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Execute.h"
#include "cleave-rt/session.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace cleave;
using namespace cleave::graph;
using namespace cleave::differential;

using Bytes = std::vector<char>;

namespace {

class Execution {
public:
  Execution(const LoadedProgram &loaded, const Case &test, Outcome &outcome)
      : loaded(loaded), test(test), outcome(outcome) {}

  ~Execution() {
    if (session)
      cleave_rt_session_destroy(session);
    if (program)
      cleave_rt_program_destroy(program);
  }

  /// False, with a verdict, on failure.
  bool run(bool isPoisoned) {
    cleave_rt_session_options options;
    cleave_rt_session_options_init(&options);
    options.threads_per_rank = 1;
    options.deadline_seconds = 600;
    options.poison_padding = isPoisoned;
    if (!check(cleave_rt_program_create(loaded.getManifest(), loaded.getStep(),
                                        &program)) ||
        !check(cleave_rt_session_create(program, &options, &session)))
      return false;
    for (auto [index, input] : llvm::enumerate(test.inputs)) {
      Bytes bytes = input.toBytes();
      if (!check(cleave_rt_session_set_input(session, index, bytes.data(),
                                             bytes.size())))
        return false;
    }
    if (!check(cleave_rt_session_run(session, 1, nullptr)))
      return false;
    func::FuncOp main = test.getMain();
    for (auto [index, type] : llvm::enumerate(main.getResultTypes())) {
      Bytes bytes(Literal::byteSize(cast<RankedTensorType>(type)));
      if (!check(cleave_rt_session_get_output(session, index, bytes.data(),
                                              bytes.size())))
        return false;
      outputs.push_back(std::move(bytes));
    }
    return true;
  }

  /// The bytes that the runtime counted are those that the IR says. Counts
  /// inside of loops and branches depend on the data.
  bool checkCounters(ArrayRef<CollectiveFigures> expected) {
    int32_t count = cleave_rt_session_num_collectives(session);
    if (count != int32_t(expected.size()))
      return fail(Verdict::Counters,
                  llvm::formatv("{0} collectives instead of {1}", count,
                                expected.size()));
    for (auto [id, figures] : llvm::enumerate(expected)) {
      cleave_rt_collective_counters counters;
      if (!check(cleave_rt_session_collective(session, id, &counters)))
        return false;
      if (counters.kind != figures.kind || counters.bytes != figures.bytes ||
          (figures.isUnconditional && counters.count != 1))
        return fail(Verdict::Counters,
                    llvm::formatv("collective {0} ({1}): {2} bytes, {3} times;"
                                  " the IR has {4} with {5} bytes",
                                  id, counters.kind, counters.bytes,
                                  counters.count, figures.kind, figures.bytes));
    }
    return true;
  }

  bool fail(Verdict verdict, std::string message) {
    outcome.verdict = verdict;
    outcome.message = std::move(message);
    return false;
  }

  std::vector<Bytes> outputs;

private:
  bool check(int32_t status) {
    return status == CLEAVE_RT_OK ||
           fail(Verdict::RunFailed, cleave_rt_last_error());
  }

  const LoadedProgram &loaded;
  const Case &test;
  Outcome &outcome;
  cleave_rt_program *program = nullptr;
  cleave_rt_session *session = nullptr;
};

} // namespace

void cleave::differential::execute(const LoadedProgram &program,
                                   const Case &test, const Reference &reference,
                                   ArrayRef<CollectiveFigures> collectives,
                                   Outcome &outcome) {
  Execution poisoned(program, test, outcome);
  if (!poisoned.run(true))
    return;
  func::FuncOp main = test.getMain();
  for (auto [index, type] : llvm::enumerate(main.getResultTypes())) {
    Literal actual = Literal::fromBytes(cast<RankedTensorType>(type),
                                        poisoned.outputs[index]);
    std::string error = checkOutput(reference, index, test.exact[index], actual,
                                    outcome.statistics);
    if (!error.empty()) {
      poisoned.fail(Verdict::Mismatch,
                    llvm::formatv("output {0}: {1}", index, error));
      return;
    }
  }
  if (!poisoned.checkCounters(collectives))
    return;
  Execution plain(program, test, outcome);
  if (!plain.run(false))
    return;
  for (auto [index, type] : llvm::enumerate(main.getResultTypes())) {
    // By value: a NaN that was computed may have either sign.
    auto tensor = cast<RankedTensorType>(type);
    Literal first = Literal::fromBytes(tensor, poisoned.outputs[index]);
    Literal second = Literal::fromBytes(tensor, plain.outputs[index]);
    std::string error = checkSame(second, first);
    if (!error.empty()) {
      plain.fail(Verdict::Padding,
                 llvm::formatv("output {0} without poison: {1}", index, error));
      return;
    }
  }
}
