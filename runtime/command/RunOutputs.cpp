//===- RunOutputs.cpp - Where outputs go ----------------------------------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/command/RunOutputs.h"
#include "runtime/core/Error.h"
#include "runtime/core/io/AtomicFile.h"

#include <cerrno>
#include <cstring>
#include <set>
#include <sys/stat.h>

using namespace cleave::rt;

std::string cleave::rt::getOutputName(const std::string &name) {
  std::string result = name.empty() ? "_" : name;
  for (char &c : result)
    if (c == '/' || c == '\0')
      c = '_';
  return result + ".npy";
}

/// Whether two paths lead to one file, which is there.
static bool isSameFile(const std::string &path, const std::string &other) {
  struct stat status, otherStatus;
  return ::stat(path.c_str(), &status) == 0 &&
         ::stat(other.c_str(), &otherStatus) == 0 &&
         status.st_dev == otherStatus.st_dev &&
         status.st_ino == otherStatus.st_ino;
}

/// Whether files written to two paths would be one file.
static bool isSameTarget(const std::string &path, const std::string &other) {
  auto split = [](const std::string &path) {
    size_t slash = path.rfind('/');
    return slash == std::string::npos
               ? std::pair(std::string("."), path)
               : std::pair(path.substr(0, slash + 1), path.substr(slash + 1));
  };
  auto [folder, name] = split(path);
  auto [otherFolder, otherName] = split(other);
  return name == otherName && isSameFile(folder, otherFolder);
}

/// Throws if `path` is a file that the run is made from.
static void checkKept(const cleave_rt_run_options &options, const char *option,
                      const std::string &path, const char *expected) {
  auto check = [&](const std::string &file, const std::string &what) {
    if (isSameFile(path, file))
      throwBadInput(std::string(option) + ": " + quote(path) + " is " + what +
                    "; expected " + expected);
  };
  check(options.model, "the model itself");
  check("/proc/self/exe", "the program itself");
  for (const std::string &file : options.weights)
    check(file, "a file of --weights");
  for (const auto &[name, file] : options.inputs)
    check(file, "the file of --input " + name);
}

/// Throws if no file can be made at `path`.
static void checkWritable(const char *option, const std::string &path) {
  try {
    AtomicFile probe(path);
  } catch (const Error &error) {
    throwBadInput(std::string(option) + ": " + error.what());
  }
}

void cleave::rt::checkOutputs(const cleave_rt_run_options &options) {
  const std::string &dir = options.outputDir;
  if (!options.tracePath.empty()) {
    checkKept(options, "--trace", options.tracePath, "another file");
    checkWritable("--trace", options.tracePath);
  }
  if (dir.empty())
    return;
  struct stat status;
  if (::stat(dir.c_str(), &status) != 0) {
    if (::mkdir(dir.c_str(), 0777) != 0)
      throwBadInput("--output-dir: cannot create " + quote(dir) + ": " +
                    std::strerror(errno));
  } else if (!S_ISDIR(status.st_mode)) {
    throwBadInput("--output-dir: " + quote(dir) + " is not a folder");
  }
  checkWritable("--output-dir", dir + "/output");
}

void cleave::rt::checkOutputFiles(const cleave_rt_run_options &options,
                                  const Manifest &manifest) {
  if (options.outputDir.empty())
    return;
  std::set<std::string> names;
  for (const TensorSpec &spec : manifest.outputs) {
    std::string name = getOutputName(spec.name);
    if (!names.insert(name).second)
      throwBadInput("--output-dir: two outputs would be written to " +
                    quote(name));
    std::string path = options.outputDir + "/" + name;
    checkKept(options, "--output-dir", path, "another folder");
    if (isSameTarget(path, options.tracePath))
      throwBadInput("--trace: " + quote(options.tracePath) +
                    " is where an output is written; expected another file");
  }
}
