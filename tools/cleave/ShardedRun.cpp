//===- ShardedRun.cpp - One run of a compiled program ---------------------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tools/cleave/ShardedRun.h"

using namespace llvm;
using namespace cleave;
using namespace cleave::tool;

ShardedRun::~ShardedRun() {
  cleave_rt_session_destroy(session);
  cleave_rt_program_destroy(program);
}

int ShardedRun::create(const cleave_rt_session_options &options) {
  if (int status = cleave_rt_program_create(loaded->getManifest(),
                                            loaded->getStep(), &program))
    return status;
  cleave_rt_session_options sessionOptions = options;
  sessionOptions.poison_padding = 1;
  return cleave_rt_session_create(program, &sessionOptions, &session);
}

int ShardedRun::setInputs(const cleave_rt_run_options *options) {
  return cleave_rt_run_options_set_inputs(options, session);
}

int ShardedRun::setInputs(ArrayRef<std::vector<char>> data) {
  for (size_t i = 0; i < data.size(); ++i)
    if (int status = cleave_rt_session_set_input(session, i, data[i].data(),
                                                 data[i].size()))
      return status;
  return CLEAVE_RT_OK;
}

int ShardedRun::run() { return cleave_rt_session_run(session, 1, nullptr); }

std::string ShardedRun::getOutputName(unsigned index) const {
  cleave_rt_tensor_info info;
  if (cleave_rt_program_output(program, index, &info))
    return "out" + std::to_string(index);
  return info.name;
}

int ShardedRun::getInput(unsigned index, std::vector<char> &data) const {
  cleave_rt_tensor_info info;
  if (int status = cleave_rt_program_input(program, index, &info))
    return status;
  data.resize(info.bytes);
  return cleave_rt_session_get_input(session, index, data.data(), data.size());
}

int ShardedRun::getOutput(unsigned index, std::vector<char> &data) const {
  cleave_rt_tensor_info info;
  if (int status = cleave_rt_program_output(program, index, &info))
    return status;
  data.resize(info.bytes);
  return cleave_rt_session_get_output(session, index, data.data(), data.size());
}
