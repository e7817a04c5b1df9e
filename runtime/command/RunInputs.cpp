//===- RunInputs.cpp - Inputs from the run options ------------------------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/command/RunOptions.h"
#include "runtime/command/RunOutputs.h"
#include "runtime/core/Error.h"
#include "runtime/core/io/TensorFile.h"
#include "runtime/session/SessionHandle.h"

#include <algorithm>

using namespace cleave::rt;

namespace {
/// Finds a source for every input and collects what is wrong, so that a user
/// sees all mistakes at once.
class InputSetter {
public:
  InputSetter(const cleave_rt_run_options &options, Session &session)
      : options(options), session(session), specs(session.getManifest().inputs),
        isSet(specs.size()) {}

  void run() {
    for (const auto &[name, path] : options.inputs)
      attempt([&, &name = name, &path = path] { setFromInput(name, path); });
    for (const std::string &path : options.weights)
      attempt([&] { setFromWeights(path); });
    for (size_t i = 0; i < specs.size(); ++i)
      if (!isSet[i] && (options.randomSeed || !isSourceLost))
        attempt([&] { setFromSeed(i); });
    addExtra();
    if (!errors.empty())
      throwBadInput(errors);
  }

private:
  template <typename Body> void attempt(Body &&body) {
    try {
      body();
    } catch (const Error &error) {
      // A failed rank is no mistake of the user's.
      if (error.getStatus() != CLEAVE_RT_BAD_INPUT)
        throw;
      addLine(errors, error.what());
    }
  }

  static void addLine(std::string &text, const std::string &line) {
    text += (text.empty() ? "" : "\n") + line;
  }

  /// The first few names, quoted.
  static std::string list(const std::vector<std::string> &names) {
    constexpr size_t limit = 8;
    std::string text;
    for (size_t i = 0; i < std::min(names.size(), limit); ++i)
      text += (i ? ", " : "") + quote(names[i]);
    if (names.size() > limit)
      text += " and " + std::to_string(names.size() - limit) + " more";
    return text.empty() ? "none" : text;
  }

  std::string listInputs() const {
    std::vector<std::string> names;
    for (const TensorSpec &spec : specs)
      names.push_back(spec.name);
    return list(names);
  }

  /// One diagnostic for each file, and for what is missing besides: it may be
  /// what a wrong name was meant for.
  void addExtra() {
    for (const auto &[path, names] : extra)
      addLine(errors, quote(path) + ": the program has no input" +
                          (names.size() > 1 ? "s " : " ") + list(names) +
                          " (--ignore-extra-weights allows that)");
    if (extra.empty() || options.randomSeed)
      return;
    std::vector<std::string> missing;
    for (size_t i = 0; i < specs.size(); ++i)
      if (!isSet[i])
        missing.push_back(specs[i].name);
    if (!missing.empty())
      addLine(errors, "note: missing are " + list(missing));
  }

  void setFromInput(const std::string &name, const std::string &path) {
    int32_t index = findTensor(specs, name.c_str());
    if (index < 0) {
      isSourceLost = true;
      throwBadInput("--input: the program has no input " + quote(name) +
                    "; its inputs are " + listInputs());
    }
    isSet[index] = true; // even if it fails: one diagnostic is enough
    std::unique_ptr<TensorFile> file = openTensorFile(path);
    session.loadInput(index, *file, file->lookup(name));
  }

  void setFromWeights(const std::string &path) {
    bool wasLost = isSourceLost;
    isSourceLost = true; // until it is known to be readable
    std::unique_ptr<TensorFile> file = openTensorFile(path);
    const std::vector<FileTensor> &tensors = file->getTensors();
    if (tensors.size() == 1 && tensors[0].name.empty())
      throwBadInput(quote(path) +
                    ": holds one tensor without a name; give it by --input "
                    "NAME=" +
                    path + ", where NAME is one of " + listInputs());
    isSourceLost = wasLost;
    std::vector<std::string> unknown;
    for (size_t i = 0; i < tensors.size(); ++i) {
      int32_t index = findTensor(specs, tensors[i].name.c_str());
      if (index < 0) {
        unknown.push_back(tensors[i].name);
        continue;
      }
      if (isFromInput(index))
        continue;
      attempt([&] {
        if (isSet[index])
          throwBadInput(quote(path) + ": input " + quote(tensors[i].name) +
                        " is in another weights file too");
        isSet[index] = true;
        session.loadInput(index, *file, i);
      });
    }
    if (unknown.empty() || options.ignoreExtraWeights)
      return;
    extra.push_back({path, unknown});
    isSourceLost = true;
  }

  void setFromSeed(int32_t index) {
    if (!options.randomSeed)
      throwBadInput("input " + quote(specs[index].name) + " of " +
                    toString(specs[index].shape, specs[index].dtype) +
                    " is missing: give it by --weights, --input or "
                    "--random-inputs");
    session.setRandomInput(index, *options.randomSeed);
  }

  bool isFromInput(int32_t index) const {
    for (const auto &[name, path] : options.inputs)
      if (name == specs[index].name)
        return true;
    return false;
  }

  const cleave_rt_run_options &options;
  Session &session;
  const std::vector<TensorSpec> &specs;
  std::vector<bool> isSet;
  /// Whether something was given for inputs that are not known: then it is not
  /// said of each that it is missing.
  bool isSourceLost = false;
  /// Of each weights file, tensors that are no inputs.
  std::vector<std::pair<std::string, std::vector<std::string>>> extra;
  std::string errors;
};
} // namespace

extern "C" int32_t
cleave_rt_run_options_set_inputs(const cleave_rt_run_options *options,
                                 cleave_rt_session *session) {
  return guard([&] {
    Session &inner = *session->session;
    // Rank 0 writes them.
    if (inner.isRoot())
      checkOutputFiles(*options, inner.getManifest());
    InputSetter(*options, inner).run();
  });
}
