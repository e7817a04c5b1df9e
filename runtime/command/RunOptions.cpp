//===- RunOptions.cpp - Options of a run ----------------------------------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/command/RunOptions.h"
#include "runtime/communicators/processes/Launch.h"
#include "runtime/core/Error.h"

#include <cmath>
#include <cstdlib>
#include <cstring>

using namespace cleave::rt;

using Options = cleave_rt_run_options;

namespace {
/// A row of the option table. `set` gets the value, "" for a flag.
struct Option {
  const char *name;
  const char *value; ///< how the help shows the value; null for a flag
  const char *help;
  void (*set)(Options &options, const Option &option, const std::string &text);
  /// Whether it may be given more than once. Flags may, anyway.
  bool isRepeatable = false;
};
} // namespace

[[noreturn]] static void failValue(const Option &option,
                                   const std::string &text) {
  throwBadInput(std::string(option.name) + ": expected " + option.value +
                ", got " + quote(text));
}

static uint64_t parseInteger(const Option &option, const std::string &text,
                             uint64_t min, uint64_t max) {
  // strtoull would take spaces and signs.
  if (text.empty() || text.find_first_not_of("0123456789") != std::string::npos)
    failValue(option, text);
  errno = 0;
  uint64_t value = std::strtoull(text.c_str(), nullptr, 10);
  if (errno || value < min || value > max)
    throwBadInput(std::string(option.name) + ": must be from " +
                  std::to_string(min) + " to " + std::to_string(max) +
                  ", got " + quote(text));
  return value;
}

static void setRanks(Options &options, const Option &option,
                     const std::string &text) {
  options.session.ranks =
      static_cast<int32_t>(parseInteger(option, text, 1, 65536));
}

static void setThreads(Options &options, const Option &option,
                       const std::string &text) {
  options.session.threads_per_rank =
      static_cast<int32_t>(parseInteger(option, text, 1, 1024));
}

static void setDeadline(Options &options, const Option &option,
                        const std::string &text) {
  char *end;
  double seconds = std::strtod(text.c_str(), &end);
  if (text.empty() || *end || !(seconds > 0) || seconds > 1e8)
    failValue(option, text);
  options.session.deadline_seconds = seconds;
}

/// A positive number times `unit`.
static double parsePositive(const Option &option, const std::string &text,
                            double unit) {
  char *end;
  double value = std::strtod(text.c_str(), &end);
  if (text.empty() || *end || !(value > 0) || value > 1e9)
    failValue(option, text);
  return value * unit;
}

static void setCommunicator(Options &options, const Option &option,
                            const std::string &text) {
  for (const char *name : {"local", "mpi", "nccl"})
    if (text == name) {
      options.session.communicator = name;
      return;
    }
  failValue(option, text);
}

static void addInput(Options &options, const Option &option,
                     const std::string &text) {
  size_t equals = text.find('=');
  if (equals == 0 || equals == std::string::npos || equals + 1 == text.size())
    failValue(option, text);
  std::string name = text.substr(0, equals);
  for (const auto &[other, path] : options.inputs)
    if (other == name)
      throwBadInput("--input: " + quote(name) + " is given twice");
  options.inputs.push_back({name, text.substr(equals + 1)});
}

static const Option optionTable[] = {
    {"--ranks", "N", "number of ranks; must be the size of the mesh", setRanks},
    {"--threads-per-rank", "N", "threads of each rank (default: cores / ranks)",
     setThreads},
    {"--communicator", "local|mpi|nccl",
     "ranks are threads, or processes: of the host, or with a GPU each",
     setCommunicator},
    {"--weights", "F.safetensors",
     "inputs by name from a file (.npz too); repeatable",
     [](Options &options, const Option &, const std::string &text) {
       options.weights.push_back(text);
     },
     /*isRepeatable=*/true},
    {"--input", "NAME=F.npy",
     "one input from a file; repeatable, wins over --weights", addInput,
     /*isRepeatable=*/true},
    {"--random-inputs", "SEED", "fill all other inputs with random values",
     [](Options &options, const Option &option, const std::string &text) {
       options.randomSeed = parseInteger(option, text, 0, UINT64_MAX);
     }},
    {"--ignore-extra-weights", nullptr,
     "allow weights that are no inputs of the program",
     [](Options &options, const Option &, const std::string &) {
       options.ignoreExtraWeights = true;
     }},
    {"--output-dir", "DIR", "write each output to DIR/NAME.npy",
     [](Options &options, const Option &, const std::string &text) {
       options.outputDir = text;
     }},
    {"--time", "REPEATS", "time so many steps after a first one",
     [](Options &options, const Option &option, const std::string &text) {
       options.repeats =
           static_cast<int32_t>(parseInteger(option, text, 1, 1000000));
     }},
    {"--trace", "F.json", "write a Chrome trace with rows for each rank",
     [](Options &options, const Option &, const std::string &text) {
       options.tracePath = text;
       options.session.trace = 1;
     }},
    {"--deadline", "SECONDS", "longest wait in a collective (default: 60)",
     setDeadline},
    {"--link-bandwidth", "GB/S",
     "let ranks that are threads communicate no faster",
     [](Options &options, const Option &option, const std::string &text) {
       options.session.link_bandwidth = parsePositive(option, text, 1e9);
     }},
    {"--link-latency", "MICROSECONDS", "add to the time of each collective",
     [](Options &options, const Option &option, const std::string &text) {
       options.session.link_latency = parsePositive(option, text, 1e-6);
     }},
    {"--poison-padding", nullptr,
     "fill padding and the arena with NaN and compare replicas",
     [](Options &options, const Option &, const std::string &) {
       options.session.poison_padding = 1;
     }},
    {"--counters", nullptr, "print executions and bytes of each collective",
     [](Options &options, const Option &, const std::string &) {
       options.printsCounters = true;
     }},
    {"--json", nullptr, "print the results as one JSON object",
     [](Options &options, const Option &, const std::string &) {
       options.printsJson = true;
     }},
};

/// What does not fit beside its explanation stands above it.
static std::string formatHelp() {
  constexpr size_t column = 30;
  std::string text;
  for (const Option &option : optionTable) {
    std::string left = std::string("  ") + option.name;
    if (option.value)
      left += std::string(" ") + option.value;
    if (left.size() >= column) {
      text += left + "\n";
      left.clear();
    }
    left.resize(column, ' ');
    text += left + option.help + "\n";
  }
  return text;
}

extern "C" {

cleave_rt_run_options *cleave_rt_run_options_create(void) {
  auto *options = new (std::nothrow) Options();
  if (options)
    cleave_rt_session_options_init(&options->session);
  return options;
}

void cleave_rt_run_options_destroy(cleave_rt_run_options *options) {
  delete options;
}

void cleave_rt_run_options_set_model(cleave_rt_run_options *options,
                                     const char *path) {
  options->model = path;
}

int32_t cleave_rt_parse_run_option(cleave_rt_run_options *options, int argc,
                                   char *const *argv, int *index) {
  const char *argument = argv[*index];
  for (const Option &option : optionTable) {
    size_t length = std::strlen(option.name);
    if (std::strncmp(argument, option.name, length) != 0)
      continue;
    bool hasInline = argument[length] == '=';
    if (argument[length] && !hasInline)
      continue;
    int32_t status = guard([&] {
      int used = 1;
      std::string value;
      if (!option.value && hasInline)
        throwBadInput(std::string(option.name) + ": takes no value");
      if (hasInline) {
        value = argument + length + 1;
      } else if (option.value) {
        if (*index + 1 >= argc)
          throwBadInput(std::string(option.name) + ": expected " +
                        option.value);
        value = argv[*index + 1];
        used = 2;
      }
      if (option.value && value.empty())
        throwBadInput(std::string(option.name) + ": expected " + option.value);
      if (option.value && !option.isRepeatable &&
          !options->given.insert(option.name).second)
        throwBadInput(std::string(option.name) +
                      ": is given twice; expected it at most once");
      option.set(*options, option, value);
      *index += used;
    });
    return status == CLEAVE_RT_OK ? 1 : -1;
  }
  return 0;
}

const char *cleave_rt_run_options_help(void) {
  static const std::string text = formatHelp();
  return text.c_str();
}

const cleave_rt_session_options *
cleave_rt_run_options_session(const cleave_rt_run_options *options) {
  return &options->session;
}

int32_t
cleave_rt_run_options_needs_launch(const cleave_rt_run_options *options) {
  const char *communicator = options->session.communicator;
  return communicator && std::string(communicator) == "mpi" &&
         !getLaunch().isLaunched();
}

int32_t cleave_rt_run_options_json(const cleave_rt_run_options *options) {
  return options->printsJson;
}

} // extern "C"
