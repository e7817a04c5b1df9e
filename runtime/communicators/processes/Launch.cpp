//===- Launch.cpp - Who started this process ------------------------------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/communicators/processes/Launch.h"
#include "runtime/core/Environment.h"
#include "runtime/core/Error.h"

#include <cstdlib>
#include <cstring>

using namespace cleave::rt;

/// Whether torchrun keeps a store of its own behind the port.
static bool isPortTaken() {
  const char *store = std::getenv("TORCHELASTIC_USE_AGENT_STORE");
  return store && std::strcmp(store, "True") == 0;
}

/// Whether mpirun, or another launcher of MPI, has started this process.
static bool readMpi(Launch &launch) {
  static constexpr const char *variables[][3] = {
      {"OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_RANK",
       "OMPI_COMM_WORLD_LOCAL_SIZE"},
      {"PMI_SIZE", "PMI_RANK", "MPI_LOCALNRANKS"}};
  for (auto [size, rank, local] : variables) {
    if (!getEnvironmentNumber(size, launch.numRanks) ||
        !getEnvironmentNumber(rank, launch.rank))
      continue;
    launch.launcher = Launcher::Mpi;
    getEnvironmentNumber(local, launch.numLocal);
    // The folder of the launcher's daemon, and its number of the run.
    const char *folder = std::getenv("PMIX_SERVER_TMPDIR");
    const char *run = std::getenv("PMIX_NAMESPACE");
    if (folder && run)
      launch.job = std::string(folder) + "/" + run;
    return true;
  }
  return false;
}

static bool readVariables(Launch &launch) {
  int32_t port = 0;
  const char *address = std::getenv("MASTER_ADDR");
  if (!getEnvironmentNumber("RANK", launch.rank) ||
      !getEnvironmentNumber("WORLD_SIZE", launch.numRanks) || !address ||
      !getEnvironmentNumber("MASTER_PORT", port))
    return false;
  launch.launcher = Launcher::Variables;
  launch.address = address;
  launch.port = std::to_string(port + isPortTaken());
  return true;
}

Launch cleave::rt::getLaunch() {
  for (bool (*read)(Launch &) : {readMpi, readVariables})
    if (Launch launch; read(launch))
      return launch;
  return Launch();
}

std::string cleave::rt::findMistakeInVariables() {
  if (getLaunch().launcher == Launcher::Mpi ||
      (!std::getenv("RANK") && !std::getenv("WORLD_SIZE")))
    return "";
  int32_t size = INT32_MAX, rank = 0, port = 0;
  auto findMistake = [](const char *name, int32_t least, int64_t most,
                        int32_t &number) -> std::string {
    const char *text = std::getenv(name);
    if (!text)
      return std::string(name) + " is not set";
    if (getEnvironmentNumber(name, number) && number >= least && number <= most)
      return "";
    return std::string(name) + " is " + quote(text) +
           ", expected a number from " + std::to_string(least) + " to " +
           std::to_string(most);
  };
  std::string mistake = findMistake("WORLD_SIZE", 1, INT32_MAX, size);
  if (mistake.empty())
    mistake = findMistake("RANK", 0, int64_t(size) - 1, rank);
  const char *address = std::getenv("MASTER_ADDR");
  if (mistake.empty() && (!address || !*address))
    mistake = "MASTER_ADDR is not set";
  if (mistake.empty())
    mistake = findMistake("MASTER_PORT", 1, 65535 - isPortTaken(), port);
  return mistake;
}

void cleave::rt::checkLaunched(int32_t numRanks, const std::string &whose) {
  Launch launch = getLaunch();
  if (launch.isLaunched() && launch.numRanks != numRanks)
    throwBadInput(
        whose + " " + std::to_string(numRanks) + " ranks, but " +
        (launch.launcher == Launcher::Mpi ? "mpirun" : "the launcher") +
        " started " + std::to_string(launch.numRanks));
}

void cleave::rt::requireLaunch(int32_t numRanks, const std::string &what) {
  if (!getLaunch().isLaunched())
    throwBadInput(what + ": each of the " + std::to_string(numRanks) +
                  " ranks is a process; start them by mpirun, or with RANK, "
                  "WORLD_SIZE, MASTER_ADDR and MASTER_PORT set");
}
