//===- Calls.cpp - Which calls were made, and which fail ------------------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FakeCuda.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>

using namespace cleave::fake;

std::recursive_mutex &cleave::fake::getMutex() {
  static std::recursive_mutex mutex;
  return mutex;
}

namespace {
class Calls {
public:
  Calls() {
    const char *text = std::getenv("CLEAVE_FAKE_CUDA_FAIL");
    const char *colon = text ? std::strchr(text, ':') : nullptr;
    if (colon) {
      failing.assign(text, colon);
      failingCall = std::atoll(colon + 1);
    }
  }

  ~Calls() {
    const char *path = std::getenv("CLEAVE_FAKE_CUDA_LOG");
    std::FILE *file = path ? std::fopen(path, "w") : nullptr;
    if (!file)
      return;
    for (const auto &[name, count] : counts)
      std::fprintf(file, "%s %lld\n", name.c_str(),
                   static_cast<long long>(count));
    std::fclose(file);
  }

  bool count(const char *function) {
    int64_t number = ++counts[function];
    return number == failingCall && failing == function;
  }

private:
  std::map<std::string, int64_t> counts;
  std::string failing;
  int64_t failingCall = 0;
};
} // namespace

bool cleave::fake::mustFail(const char *function) {
  static Calls calls;
  std::lock_guard<std::recursive_mutex> lock(getMutex());
  return calls.count(function);
}
