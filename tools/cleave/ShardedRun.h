//===- ShardedRun.h - One run of a compiled program -------------*- C++ -*-===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CLEAVE_TOOLS_CLEAVE_SHARDEDRUN_H
#define CLEAVE_TOOLS_CLEAVE_SHARDEDRUN_H

#include "cleave-rt/main.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "passes/Codegen/Program/Jit.h"
#include "tools/cleave/Options.h"
#include <memory>
#include <vector>

namespace cleave::tool {

/// A program with its ranks, whose padding is poisoned. After a failure the
/// text is in cleave_rt_last_error, and the statuses are the runtime's.
class ShardedRun {
public:
  explicit ShardedRun(std::unique_ptr<LoadedProgram> program)
      : loaded(std::move(program)) {}
  ~ShardedRun();

  /// Starts the ranks.
  int create(const cleave_rt_session_options &options);
  int create(const cleave_rt_run_options *options) {
    return create(*cleave_rt_run_options_session(options));
  }
  int setInputs(const cleave_rt_run_options *options);
  int setInputs(llvm::ArrayRef<std::vector<char>> data);
  int run();

  int getNumRanks() const { return cleave_rt_program_num_ranks(program); }
  std::string getOutputName(unsigned index) const;
  /// Whole tensors, as bytes in the order of a file.
  int getInput(unsigned index, std::vector<char> &data) const;
  int getOutput(unsigned index, std::vector<char> &data) const;
  cleave_rt_session *getSession() const { return session; }

private:
  /// Programs outlive their sessions, and code outlives both.
  std::unique_ptr<LoadedProgram> loaded;
  cleave_rt_program *program = nullptr;
  cleave_rt_session *session = nullptr;
};

} // namespace cleave::tool

#endif // CLEAVE_TOOLS_CLEAVE_SHARDEDRUN_H
