//===- MpiWorld.cpp - The processes that mpirun started ------------------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/communicators/mpi/MpiWorld.h"
#include "runtime/core/Error.h"

#include <climits>
#include <cstdlib>
#include <dlfcn.h>
#include <unistd.h>

using namespace cleave::rt;

constexpr char libraryName[] = "libcleave-rt-mpi.so";

static std::unique_ptr<MpiWorld> &getInstance() {
  static std::unique_ptr<MpiWorld> world;
  return world;
}

MpiWorld &MpiWorld::get() {
  std::unique_ptr<MpiWorld> &instance = getInstance();
  if (!instance)
    instance.reset(new MpiWorld);
  return *instance;
}

MpiWorld *MpiWorld::getIfStarted() { return getInstance().get(); }

void MpiWorld::stopIfStarted() {
  std::unique_ptr<MpiWorld> &instance = getInstance();
  if (!instance)
    return;
  instance->transport->cancel(&instance->incomingRequest);
  instance->transport->stop();
  instance.reset();
}

/// The library beside the program, in `../lib` of it as things are installed,
/// or where the loader looks, which the program's run path adds to.
static void *openLibrary(std::string &error) {
  char self[PATH_MAX];
  ssize_t length = ::readlink("/proc/self/exe", self, sizeof(self));
  std::string folder(self, length > 0 ? length : 0);
  folder.erase(folder.rfind('/') + 1);
  for (const std::string &path :
       {folder + libraryName, folder + "../lib/" + libraryName}) {
    if (::access(path.c_str(), R_OK) != 0)
      continue;
    // MPI loads components that look for its symbols among the global ones.
    if (void *library = ::dlopen(path.c_str(), RTLD_NOW | RTLD_GLOBAL))
      return library;
    error = ::dlerror();
    return nullptr;
  }
  void *library = ::dlopen(libraryName, RTLD_NOW | RTLD_GLOBAL);
  if (!library)
    error = ::dlerror();
  return library;
}

MpiWorld::MpiWorld() {
  std::string error;
  void *library = openLibrary(error);
  if (!library)
    throwRunFailed("cannot use MPI: " + error);
  auto getTransport = reinterpret_cast<CleaveMpiGetTransport>(
      ::dlsym(library, "cleave_rt_mpi_transport"));
  transport = getTransport ? getTransport() : nullptr;
  if (!transport || transport->version != cleaveMpiVersion)
    throwRunFailed(std::string("cannot use MPI: ") + libraryName +
                   " is of another version of the runtime");
  if (const char *text = transport->start(&rank, &size, &sharers))
    throwRunFailed(std::string("cannot use MPI: ") + text);
  expectNotice();
}

void MpiWorld::expectNotice() {
  transport->receive(CleaveMpiControl, &incoming, sizeof(incoming), -1, 0,
                     &incomingRequest);
}

void MpiWorld::tell(const MpiNotice &notice, int32_t numRanks) {
  size_t next = 0;
  for (int32_t peer = 0; peer < numRanks; ++peer) {
    if (peer == rank)
      continue;
    for (; next < outgoing.size() && !outgoing[next]->isFree; ++next) {
      int32_t isDone = 0;
      transport->test(&outgoing[next]->request, &isDone, nullptr);
      if (isDone)
        break;
    }
    if (next == outgoing.size())
      outgoing.push_back(std::make_unique<Outgoing>());
    Outgoing &message = *outgoing[next++];
    message.notice = notice;
    message.isFree = false;
    // A peer that cannot be reached is found missing where it is needed.
    if (transport->send(CleaveMpiControl, &message.notice, sizeof(notice), peer,
                        0, &message.request))
      message.isFree = true;
  }
}

bool MpiWorld::listen(int32_t wanted, MpiNotice &notice, int32_t &sender) {
  for (size_t i = 0; i < early.size(); ++i)
    if (early[i].second.epoch == wanted) {
      std::tie(sender, notice) = early[i];
      early.erase(early.begin() + i);
      return true;
    }
  while (true) {
    int32_t isDone = 0;
    if (transport->test(&incomingRequest, &isDone, &sender) || !isDone)
      return false;
    notice = incoming;
    expectNotice();
    if (notice.epoch == wanted)
      return true;
    if (notice.epoch > wanted)
      early.push_back({sender, notice});
  }
}

/// A variable's value if it is a number in range.
static bool getNumber(const char *name, int32_t &number) {
  const char *text = std::getenv(name);
  char *end;
  long value = text ? std::strtol(text, &end, 10) : 0;
  if (!text || !*text || *end || value < 0 || value > INT32_MAX)
    return false;
  number = static_cast<int32_t>(value);
  return true;
}

MpiLaunch cleave::rt::getMpiLaunch() {
  // Open MPI; MPICH and its relatives.
  static constexpr const char *variables[][2] = {
      {"OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_RANK"},
      {"PMI_SIZE", "PMI_RANK"}};
  MpiLaunch launch;
  for (auto [size, rank] : variables)
    if (getNumber(size, launch.size) && getNumber(rank, launch.rank)) {
      launch.isLaunched = true;
      break;
    }
  return launch;
}
