//===- Options.cpp - The command line of the tool -------------------------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tools/cleave/Options.h"
#include "passes/Codegen/GPU/CudaTarget.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;
using namespace cleave::tool;

namespace {
/// A row of the option table. `set` gets the value, "" for a flag, and returns
/// what is wrong with it.
struct Option {
  const char *name;
  const char *value; ///< how the help shows the value; null for a flag
  unsigned commands;
  const char *group;
  const char *help;
  std::string (*set)(Options &options, StringRef text);
  /// Whether it may be given more than once. Flags may, anyway.
  bool isRepeatable = false;
  /// What the help ends with, if that is made; else null.
  std::string (*helpEnd)() = nullptr;
};
/// What has been given; of two names of an option, both.
using Given = SmallVector<decltype(Option::set)>;
} // namespace

static constexpr unsigned compileOnly = unsigned(Command::Compile);
static constexpr unsigned checkOnly = unsigned(Command::Check);
static constexpr unsigned writing =
    unsigned(Command::Compile) | unsigned(Command::Import);
static constexpr unsigned all = 31;
static constexpr unsigned guarding = all & ~unsigned(Command::Explain);
static const char sharding[] = "Mesh and sharding options";
static const char compilation[] = "Compilation options";
static const char checking[] = "Checking options";

static std::string listCudaTargets() { return cleave::listCudaChips("cuda:"); }

static std::string setTarget(Options &options, StringRef text) {
  auto [device, processor] = text.split(':');
  if (device == "cuda") {
    if (!cleave::findCudaChip(processor))
      return ("expected " + listCudaTargets() + ", got '" + text + "'").str();
    options.cudaChip = processor.str();
    options.cpu.clear();
    return "";
  }
  if (device != "host" || text.ends_with(":"))
    return ("expected host, host:CPU or cuda:CHIP, got '" + text + "'").str();
  options.cpu = processor.str();
  options.cudaChip.clear();
  return "";
}

static std::string setEmit(Options &options, StringRef text) {
  auto emit = StringSwitch<std::optional<Emit>>(text)
                  .Case("exe", Emit::Executable)
                  .Case("obj", Emit::Object)
                  .Case("so", Emit::SharedLibrary)
                  .Case("llvm", Emit::LLVM)
                  .Case("ir", Emit::IR)
                  .Case("ptx", Emit::PTX)
                  .Default(std::nullopt);
  if (!emit)
    return ("expected exe, obj, so, llvm, ptx or ir, got '" + text + "'").str();
  options.emit = *emit;
  return "";
}

using cleave::MathMode;

static std::string setMath(Options &options, StringRef text) {
  auto math = StringSwitch<std::optional<MathMode>>(text)
                  .Case("standard", MathMode::Standard)
                  .Case("stepwise", MathMode::Stepwise)
                  .Case("wide", MathMode::Wide)
                  .Case("fast", MathMode::Fast)
                  .Default(std::nullopt);
  if (!math)
    return ("expected standard, stepwise, wide or fast, got '" + text + "'")
        .str();
  options.math = *math;
  return "";
}

static std::string setOutput(Options &options, StringRef text) {
  options.output = text.str();
  return "";
}

static std::string setJobs(Options &options, StringRef text) {
  if (text.getAsInteger(10, options.jobs) || options.jobs < 1 ||
      options.jobs > 1024)
    return ("expected a number from 1 to 1024, got '" + text + "'").str();
  return "";
}

static std::string setTimeout(Options &options, StringRef text) {
  if (text.getAsDouble(options.timeout) || !(options.timeout > 0) ||
      options.timeout > 1e6)
    return ("expected seconds, more than 0, got '" + text + "'").str();
  return "";
}

static std::string setMaxGathered(Options &options, StringRef text) {
  int number = 0;
  if (text.getAsInteger(10, number) || number < 0)
    return ("expected a number, at least 0, got '" + text + "'").str();
  options.maxGathered = number;
  return "";
}

static const Option optionTable[] = {
    {"--mesh", "AXIS=SIZE,...", all, sharding,
     "axes and sizes, e.g. data=2,model=4; the first is the slowest",
     [](Options &options, StringRef text) -> std::string {
       options.mesh = text.str();
       return "";
     }},
    {"--shard", "GLOB=DIMS", all, sharding,
     "cut what the glob matches: arguments by name, results as out:N;\n"
     "per dimension `-`, an axis, or axis+axis; `random:SEED` cuts at\n"
     "random; repeatable",
     [](Options &options, StringRef text) -> std::string {
       if (text.contains(';'))
         return "one pattern each; repeat the option for another";
       options.shards.push_back(text.str());
       return "";
     },
     /*isRepeatable=*/true},
    {"-o", "OUT", writing, compilation, "output file", setOutput},
    {"--output", "OUT", writing, nullptr, "", setOutput},
    {"--emit", "KIND", compileOnly, compilation,
     "exe (default), obj, so, llvm, ptx (of cuda), or ir (the scheduled\n"
     "program)",
     setEmit},
    {"--target", "TARGET", all, compilation,
     "host[:CPU], a processor as llc -mcpu names it (default: this\n"
     "machine's), or ",
     setTarget, /*isRepeatable=*/false, listCudaTargets},
    {"--math", "MODE", all, compilation,
     "standard: in the element type, sums in f32 or wider; stepwise: each\n"
     "product and sum rounded, in order (default of check); wide: in f64,\n"
     "rounded once per op; fast: functions to 3.5 instead of 1 ulp",
     setMath},
    {"--guard-pages", nullptr, guarding, compilation,
     "put each buffer between pages that must not be accessed; an access\n"
     "outside of buffers that are in use is an error that names the operation",
     [](Options &options, StringRef) -> std::string {
       options.guardPages = true;
       return "";
     }},
    {"--no-overlap", nullptr, all, compilation,
     "communicate and compute in turns, not at the same time",
     [](Options &options, StringRef) -> std::string {
       options.overlap = false;
       return "";
     }},
    {"--check-streams", nullptr, all, compilation,
     "let the program check that nothing it does at the same time uses\n"
     "the same bytes (slow)",
     [](Options &options, StringRef) -> std::string {
       options.checkStreams = true;
       return "";
     }},
    {"--products", "TYPE", all, compilation,
     "of cuda: round operands of products of f32 to tf32, bf16 or f16, for\n"
     "the tensor cores of a GPU; sums stay in f32",
     [](Options &options, StringRef text) -> std::string {
       options.products = text.str();
       return is_contained({"tf32", "bf16", "f16"}, text)
                  ? ""
                  : "expected tf32, bf16 or f16, got '" + text.str() + "'";
     }},
    {"--dump-phases", "DIR", all & ~checkOnly, compilation,
     "write the IR after each phase to DIR/NN-PHASE.mlir",
     [](Options &options, StringRef text) -> std::string {
       options.dumpPhases = text.str();
       return "";
     }},
    {"--timing", nullptr, all, compilation, "print the time of each phase",
     [](Options &options, StringRef) -> std::string {
       options.timing = true;
       return "";
     }},
    {"--jobs", "N", checkOnly, checking,
     "modules at a time (default: one per core)", setJobs},
    {"--timeout", "SECONDS", checkOnly, checking,
     "longest time for one module (default: 60)", setTimeout},
    {"--max-gathered", "N", checkOnly, checking,
     "fail when more ops than this gather an operand since they have no\n"
     "parallel form",
     setMaxGathered},
    {"--json", nullptr, unsigned(Command::Explain) | checkOnly,
     "Output options", "print one JSON object instead of text",
     [](Options &options, StringRef) -> std::string {
       options.json = true;
       return "";
     }},
};

int cleave::tool::reportError(const Twine &text) {
  errs() << "cleave: error: " << text << "\n";
  return BadInput;
}

int cleave::tool::reportRuntimeError(int status) {
  SmallVector<StringRef> lines;
  StringRef(cleave_rt_last_error()).split(lines, '\n', -1, false);
  for (StringRef line : lines)
    if (line.starts_with("note: "))
      errs() << "cleave: " << line << "\n";
    else
      reportError(line);
  return status;
}

static bool takesRunOptions(Command command) {
  return command == Command::Run || command == Command::Verify;
}

static void printOption(StringRef left, StringRef help) {
  SmallVector<StringRef> lines;
  help.split(lines, '\n');
  constexpr unsigned column = 30;
  outs() << "  " << left;
  // What does not fit beside its explanation stands above it.
  unsigned used = 2 + left.size();
  if (used >= column) {
    outs() << "\n";
    used = 0;
  }
  for (StringRef line : lines) {
    outs().indent(column - used) << line << "\n";
    used = 0;
  }
}

static int printCommandHelp(const CommandInfo &command) {
  outs() << "usage: cleave " << command.name << " " << command.operands
         << " [options]\n\n"
         << command.summary << "\n";
  StringRef group;
  for (const Option &option : optionTable) {
    if (!option.group || !(option.commands & unsigned(command.command)))
      continue;
    if (group != option.group)
      outs() << "\n" << option.group << ":\n";
    group = option.group;
    printOption(option.name +
                    (option.value ? " " + std::string(option.value) : ""),
                option.help + (option.helpEnd ? option.helpEnd() : ""));
  }
  if (takesRunOptions(command.command))
    outs() << "\nRun options:\n" << cleave_rt_run_options_help();
  outs() << "\nOther options:\n";
  printOption("--help", "print this text");
  outs() << "\nExamples:\n" << command.examples;
  return Ok;
}

/// `, did you mean '--mesh'?`, or nothing.
static std::string suggestOption(const CommandInfo &command, StringRef given) {
  SmallVector<StringRef> names;
  for (const Option &option : optionTable)
    if (option.commands & unsigned(command.command))
      names.push_back(option.name);
  if (takesRunOptions(command.command)) {
    SmallVector<StringRef> lines;
    StringRef(cleave_rt_run_options_help()).split(lines, '\n');
    for (StringRef line : lines)
      if (line.ltrim().starts_with("-"))
        names.push_back(line.ltrim().split(' ').first);
  }
  given = given.split('=').first;
  for (StringRef name : names)
    if (name.size() > 2 && given.edit_distance(name, true, 2) <= 2)
      return (", did you mean '" + name + "'?").str();
  return "";
}

/// The option that argv[index] is, with its value in `value`; null if it is
/// none of the table. Advances past what it has used.
static const Option *matchOption(const CommandInfo &command, int argc,
                                 char **argv, int &index,
                                 std::optional<StringRef> &value) {
  auto [name, inlined] = StringRef(argv[index]).split('=');
  for (const Option &option : optionTable) {
    if (name != option.name || !(option.commands & unsigned(command.command)))
      continue;
    if (StringRef(argv[index]).contains('='))
      value = inlined;
    ++index;
    if (option.value && !value && index < argc)
      value = argv[index++];
    return &option;
  }
  return nullptr;
}

/// Returns the status if parsing ends here.
static std::optional<int> parseOption(const CommandInfo &command, int argc,
                                      char **argv, int &index, Options &options,
                                      Given &given) {
  StringRef argument = argv[index];
  if (argument == "--help" || argument == "-h")
    return printCommandHelp(command);
  if (takesRunOptions(command.command)) {
    int begin = index;
    int32_t parsed =
        cleave_rt_parse_run_option(options.run.get(), argc, argv, &index);
    if (parsed < 0)
      return reportRuntimeError(BadInput);
    options.runArguments.insert(options.runArguments.end(), argv + begin,
                                argv + index);
    if (parsed > 0)
      return std::nullopt;
  }
  std::optional<StringRef> value;
  const Option *option = matchOption(command, argc, argv, index, value);
  if (!option)
    return reportError("unknown option '" + argument + "'" +
                       suggestOption(command, argument) + "; see cleave " +
                       command.name + " --help");
  if (!option->value && value)
    return reportError(Twine(option->name) + ": takes no value");
  if (option->value && (!value || value->empty()))
    return reportError(Twine(option->name) + ": expected " + option->value);
  if (option->value && !option->isRepeatable) {
    if (is_contained(given, option->set))
      return reportError(Twine(option->name) +
                         ": is given twice; expected it at most once");
    given.push_back(option->set);
  }
  if (std::string wrong = option->set(options, value.value_or(""));
      !wrong.empty())
    return reportError(Twine(option->name) + ": " + wrong);
  if (options.compileOption.empty())
    options.compileOption = option->name;
  return std::nullopt;
}

/// What a target cannot be asked for; empty if there is nothing.
static std::string checkTarget(const CommandInfo &command,
                               const Options &options) {
  bool isCuda = !options.cudaChip.empty();
  if (command.command == Command::Compile && options.emit == Emit::PTX &&
      !isCuda)
    return "--emit: 'ptx' is not available for target 'host'; "
           "expected exe, obj, so, llvm or ir";
  if (options.guardPages && isCuda)
    return "--guard-pages: is for target host";
  return !options.products.empty() && !isCuda
             ? "--products: needs a target cuda:CHIP"
             : "";
}

std::optional<int> cleave::tool::parseOptions(const CommandInfo &command,
                                              int argc, char **argv,
                                              Options &options) {
  Given given;
  for (int index = 0; index < argc;) {
    StringRef argument = argv[index];
    if (argument.size() > 1 && argument.starts_with("-")) {
      if (auto status = parseOption(command, argc, argv, index, options, given))
        return status;
      continue;
    }
    options.models.push_back(argument.str());
    if (!options.model.empty() && command.command != Command::Check)
      return reportError("expected one model, got '" + options.model +
                         "' and '" + argument + "'");
    options.model = argument.str();
    ++index;
  }
  if (options.model.empty())
    return reportError(Twine("expected ") + command.operands + "; see cleave " +
                       command.name + " --help");
  if ((unsigned(command.command) & writing) && options.output.empty())
    return reportError("-o: expected an output file");
  if (!options.math)
    options.math = command.command == Command::Check ? MathMode::Stepwise
                                                     : MathMode::Standard;
  if (std::string wrong = checkTarget(command, options); !wrong.empty())
    return reportError(wrong);
  if (takesRunOptions(command.command)) {
    options.json = cleave_rt_run_options_json(options.run.get());
    cleave_rt_run_options_set_model(options.run.get(), options.model.c_str());
  }
  return std::nullopt;
}
