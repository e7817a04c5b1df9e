//===- cleave-differential.cpp - Random graphs against the evaluator ------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Generates random graphs with random meshes and shardings, partitions,
// compiles and runs each, and compares it with its evaluation as written.
//
//===----------------------------------------------------------------------===//

#include "Campaign.h"
#include "CaseOptions.h"
#include "Generator.h"
#include "dialects/StableHLO/StableHLODialect.h"
#include "mutants/Mutants.h"
#include "passes/Codegen/Program/Jit.h"
#include "passes/Register.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/raw_ostream.h"

using namespace cleave::differential;
namespace cl = llvm::cl;

static cl::OptionCategory category("Differential test");
template <typename T> using Option = cl::opt<T>;

static cleave::CaseOptions cases(category, /*number=*/100, /*seconds=*/30);
static Option<bool> verbose("verbose", cl::cat(category),
                            cl::desc("Print times and whole cases"));
static Option<double>
    maxReplicated("max-replicated", cl::init(100), cl::cat(category),
                  cl::desc("Percentage of ops with a cut operand that may run "
                           "whole on every rank"));
static Option<double>
    maxBytesRatio("max-bytes-ratio", cl::init(1e9), cl::cat(category),
                  cl::desc("Bytes of collectives to planned bytes, at most"));
static Option<double>
    maxGatherRatio("max-gather-ratio", cl::init(1e9), cl::cat(category),
                   cl::desc("Bytes of collectives to bytes of gathering every "
                            "operand, at most"));
static Option<double> shrinkSeconds("shrink-seconds", cl::init(60),
                                    cl::cat(category),
                                    cl::desc("Time to make a failure small"));
static Option<unsigned> maxReports("max-reports", cl::init(5),
                                   cl::cat(category),
                                   cl::desc("Failures of a kind to shrink"));
static Option<std::string>
    mutate("mutate", cl::cat(category),
           cl::desc("Put this fault (or all) in, into as many cases each, and "
                    "expect that it is found"));
static Option<std::string>
    fault("fault", cl::cat(category),
          cl::desc("Put this fault into every case, or the file's module, as "
                   "if the partitioner made it"));
static Option<bool> general(
    "general", cl::cat(category),
    cl::desc("With --mutate: in graphs of all ops, where some faults have no "
             "consequence"));
static Option<std::string> file("file", cl::cat(category),
                                cl::desc("Run the module of this file"));
static Option<bool>
    inexact("inexact", cl::cat(category),
            cl::desc("With --file: inputs are not only integers"));

static Option<bool>
    emulate("emulate", cl::cat(category),
            cl::desc("Lower kernels for a GPU and run them on its emulator"));
static Option<bool>
    tf32("tf32", cl::cat(category),
         cl::desc("With --file and --emulate: kernels round the operands of "
                  "products of f32 to 10 bits after the point"));
static Option<bool> guardPages(
    "guard-pages", cl::cat(category),
    cl::desc("Put each buffer between pages that must not be accessed"));
static Option<bool>
    wide("wide", cl::cat(category),
         cl::desc("Graphs of ops that blocks of a GPU have kernels for, of "
                  "sizes that take several tiles"));
static Option<bool> smallFloats("small-floats", cl::cat(category),
                                cl::desc("Graphs with floats of 8 bits, too"));
static Option<bool> mutateKernels(
    "mutate-kernels", cl::cat(category),
    cl::desc("With --file: put each fault into the GPU kernels and expect "
             "that it is found"));
static Option<std::string>
    kernelMutant("kernel-mutant", cl::cat(category),
                 cl::desc("With --mutate-kernels: only this fault"));

static Option<bool>
    check("check", cl::cat(category),
          cl::desc("Run the self-checking programs of the files"));
static cl::list<std::string> files(cl::Positional, cl::cat(category),
                                   cl::desc("files for --check"));

int main(int argc, char **argv) {
  cl::HideUnrelatedOptions(category);
  cl::ParseCommandLineOptions(argc, argv, "random graphs against evaluation\n");
  CampaignOptions options;
  options.seed = cases.seed;
  options.first = cases.first;
  options.cases = cases.cases;
  options.isolation = cases.getIsolation(/*batch=*/50);
  options.isVerbose = verbose;
  options.maxReplicated = maxReplicated;
  options.maxBytesRatio = maxBytesRatio;
  options.maxGatherRatio = maxGatherRatio;
  options.shrinkSeconds = shrinkSeconds;
  options.maxReports = maxReports;
  options.isGeneral = general;
  options.fault = fault;
  options.isEmulated = emulate;
  options.usesTf32 = tf32;
  options.isGuarded = guardPages;
  options.isWide = wide;
  options.hasSmallFloats = smallFloats;

  if (!fault.empty() && !findMutant(fault))
    return 2;

  cleave::guideEvaluatorByRuntime();
  mlir::DialectRegistry registry;
  cleave::registerDialects(registry);
  cleave::registerStableHLODialects(registry);
  // Children are forked from this process, so it must not have threads.
  mlir::MLIRContext context(registry, mlir::MLIRContext::Threading::DISABLED);
  context.loadAllAvailableDialects();
  if (cases.print) {
    for (uint64_t i = options.first; i < options.first + options.cases; ++i)
      llvm::outs() << "// case " << i << "\n"
                   << Generator(&context, seedOf(options, i), wide, emulate,
                                smallFloats)
                          .generate()
                          .text();
    return 0;
  }
  if (check)
    return runChecks(&context, options,
                     std::vector<std::string>(files.begin(), files.end()));
  if (mutateKernels)
    return runKernelMutants(&context, options, file, kernelMutant);
  if (!file.empty())
    return runFile(&context, options, file, !inexact);
  if (!mutate.empty())
    return runMutants(&context, options, mutate);
  return runCampaign(&context, options);
}
