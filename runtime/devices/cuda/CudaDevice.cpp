//===- CudaDevice.cpp - A GPU as a device ---------------------------------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/devices/cuda/CudaDevice.h"
#include "runtime/core/Environment.h"
#include "runtime/core/Error.h"

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <thread>

using namespace cleave::rt;

/// What an algorithm of cuBLASLt may need besides its operands: enough for all
/// that pay on the chips that there are.
constexpr int64_t maxScratchBytes = 32 << 20;

CudaDevice::CudaDevice(const Manifest &manifest, int32_t wanted,
                       const DeviceOptions &options)
    : api(getCudaApi()), manifest(manifest), events(manifest.numEvents),
      mayRecord(options.mayRecord), gemms(manifest.gemms.size()) {
  int32_t count = 0;
  checkCuda(api.countDevices(&count), "cannot use a GPU");
  if (count == 0)
    throwRunFailed("cannot use a GPU: this machine has none");
  number = wanted % count;
  setDevice();
  for (void *&stream : streams)
    checkCuda(api.createStream(&stream));
  for (Event &event : events)
    checkCuda(api.createEvent(&event.event));
  checkCuda(api.createEvent(&forked));
  if (!manifest.collectives.empty() && !options.hasAsynchronousCollectives)
    communication = std::make_unique<StreamThread>();
  for (size_t id = 0; id < gemms.size(); ++id) {
    gemms[id].plan = planCudaProduct(manifest.gemms[id], manifest.products);
    if (!gemms[id].plan)
      throwBadInput("the manifest has a matrix product that cuBLASLt has not, "
                    "number " +
                    std::to_string(id));
  }
  if (!gemms.empty())
    checkCuda(api.createProducts(&products));
}

/// Nobody is left to report to, so failures are ignored: they follow from one
/// that has been reported.
CudaDevice::~CudaDevice() {
  communication.reset();
  dropRecording();
  if (forked)
    api.destroyEvent(forked);
  for (const Event &event : events)
    if (event.event)
      api.destroyEvent(event.event);
  for (Product &product : gemms)
    if (product.prepared)
      api.releaseProduct(product.prepared);
  if (products)
    api.destroyProducts(products);
  for (auto [data, copy] : constants)
    api.release(copy);
  for (auto [code, loaded] : codes)
    api.unloadCode(loaded);
  if (scratch)
    api.release(scratch);
  for (void *stream : streams)
    if (stream)
      api.destroyStream(stream);
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

static void checkMemory(const char *text, int64_t bytes, bool isFull,
                        const char *kind) {
  if (text && isFull)
    throwRunFailed(std::string(kind) + " is full: " + std::to_string(bytes) +
                   " bytes more are needed");
  checkCuda(text);
}

void *CudaDevice::allocate(int64_t bytes) {
  setDevice();
  // An empty buffer still needs an address of its own.
  bytes = std::max<int64_t>(bytes, 1);
  void *data = nullptr;
  int32_t isFull = 0;
  const char *text = api.allocate(bytes, &data, &isFull);
  checkMemory(text, bytes, isFull, "the memory of the GPU");
  try {
    fill(data, 0, bytes, CLEAVE_RT_COMPUTE);
    finish(CLEAVE_RT_COMPUTE, "");
  } catch (...) {
    api.release(data);
    throw;
  }
  return data;
}

void CudaDevice::free(void *data, int64_t) {
  api.setDevice(number);
  api.release(data);
}

void *CudaDevice::allocateStaging(int64_t bytes) {
  bytes = std::max<int64_t>(bytes, 1);
  void *data = nullptr;
  int32_t isFull = 0;
  const char *text = api.allocateHost(bytes, &data, &isFull);
  checkMemory(text, bytes, isFull, "memory for transfers to the GPU");
  return data;
}

void CudaDevice::freeStaging(void *data, int64_t) { api.releaseHost(data); }

void CudaDevice::upload(const void *host, void *data, int64_t bytes) {
  copy(host, data, bytes);
  finish(CLEAVE_RT_COMPUTE, "");
}

void CudaDevice::download(const void *data, void *host, int64_t bytes) {
  copy(data, host, bytes);
  finish(CLEAVE_RT_COMPUTE, "");
}

void CudaDevice::fill(void *data, uint8_t byte, int64_t bytes, int32_t stream) {
  setDevice();
  if (bytes > 0)
    checkCuda(api.fill(data, byte, bytes, getStream(stream)));
}

void CudaDevice::copy(const void *from, void *to, int64_t bytes) {
  if (bytes > 0)
    checkCuda(api.copy(to, from, bytes, getComputeStream()));
}

void CudaDevice::copyRuns(void *to, int64_t toStride, const void *from,
                          int64_t fromStride, int64_t bytes, int64_t count,
                          int32_t stream) {
  bool isContiguous = count == 1 || (toStride == bytes && fromStride == bytes);
  setDevice();
  checkCuda(isContiguous ? api.copy(to, from, bytes * count, getStream(stream))
                         : api.copyRuns(to, toStride, from, fromStride, bytes,
                                        count, getStream(stream)));
}

void CudaDevice::storeIndex(int32_t index, int32_t *to) {
  // The rank has its numbers as long as it lives, but not where they are.
  copy(getConstant(&indices.try_emplace(index, index).first->second,
                   sizeof(index)),
       to, sizeof(index));
}

//===----------------------------------------------------------------------===//
// Streams
//===----------------------------------------------------------------------===//

void CudaDevice::finish(int32_t stream, const std::string &where) {
  setDevice();
  if (!watch)
    return checkCuda(api.finishStream(getStream(stream)), where);
  for (int64_t tries = 0;; ++tries) {
    CleaveCudaState state;
    checkCuda(api.queryStream(getStream(stream), &state), where);
    if (state == CleaveCudaDone)
      return;
    watch();
    // Short works are over soon; for long ones the core may be of use to
    // others.
    if (tries > 1000)
      std::this_thread::sleep_for(std::chrono::microseconds(20));
  }
}

bool CudaDevice::beginStep() {
  setDevice();
  if (graph) {
    startRecording();
    return true;
  }
  // The first step prepares what cannot be recorded.
  if (mayRecord && numSteps++ == 1)
    beginRecording();
  return false;
}

void CudaDevice::endStep() {
  if (!recording)
    return;
  if (!manifest.collectives.empty()) {
    checkCuda(api.recordEvent(forked, getStream(CLEAVE_RT_COMMUNICATION)));
    checkCuda(api.waitForEvent(getComputeStream(), forked));
  }
  recording = false;
  checkCuda(api.endCapture(getComputeStream(), &graph), "recording a step");
  startRecording();
}

void CudaDevice::beginRecording() {
  checkCuda(api.beginCapture(getComputeStream()));
  recording = true;
  // Not every collective follows something of the compute stream, but only what
  // does is recorded.
  if (!manifest.collectives.empty()) {
    checkCuda(api.recordEvent(forked, getComputeStream()));
    checkCuda(api.waitForEvent(getStream(CLEAVE_RT_COMMUNICATION), forked));
  }
}

void CudaDevice::startRecording() {
  checkCuda(api.launchGraph(graph, getComputeStream()), "a recorded step");
  if (recordingStarted)
    recordingStarted();
}

/// Failures follow from one that has been reported.
void CudaDevice::dropRecording() {
  api.setDevice(number);
  if (recording)
    api.endCapture(getComputeStream(), &graph);
  if (graph)
    api.destroyGraph(graph);
  graph = nullptr;
  mayRecord = recording = false;
}

bool CudaDevice::readCondition(const void *condition) {
  // What comes next depends on it.
  mayRecord = false;
  uint8_t value = 0;
  download(condition, &value, sizeof(value));
  return value != 0;
}

void CudaDevice::start(int32_t, const StreamWork &work) {
  if (communication)
    communication->start(work);
  else
    work.run(work);
}

void CudaDevice::record(int32_t event, int32_t stream) {
  if (communication && stream == CLEAVE_RT_COMMUNICATION)
    events[event].numWorks = communication->getNumStarted();
  else
    checkCuda(api.recordEvent(events[event].event, getStream(stream)));
}

/// On the communication stream that is a thread: what follows there on the
/// device starts after the event.
void CudaDevice::awaitEvent(const StreamWork &work) {
  auto *device = static_cast<CudaDevice *>(work.context);
  device->setDevice();
  checkCuda(device->api.waitForEvent(device->getStream(work.stream),
                                     device->events[work.id].event));
}

void CudaDevice::wait(int32_t event, int32_t stream) {
  if (!communication)
    checkCuda(api.waitForEvent(getStream(stream), events[event].event));
  else if (stream == CLEAVE_RT_COMPUTE)
    communication->waitFor(events[event].numWorks);
  else
    communication->start(
        {awaitEvent, this, event, 0, nullptr, nullptr, stream});
}

void CudaDevice::synchronize() {
  if (communication)
    communication->waitFor(communication->getNumStarted());
  for (int32_t stream = 0; stream < CLEAVE_RT_NUM_STREAMS; ++stream)
    finish(stream, "the end of the step");
}

void CudaDevice::cancel() {
  if (communication)
    communication->cancel();
  if (recording)
    dropRecording();
}

//===----------------------------------------------------------------------===//
// Kernels
//===----------------------------------------------------------------------===//

void CudaDevice::launch(cleave_rt_kernel, void *const *, int64_t) {
  throwRunFailed("a kernel of the host cannot run on a GPU");
}

void *CudaDevice::loadCode(const cleave_rt_gpu_code &code) {
  auto [entry, isNew] = codes.try_emplace(&code, nullptr);
  if (!isNew)
    return entry->second;
  void *loaded = nullptr;
  int32_t isOther = 0;
  const char *text = api.loadCode(code.machine_code, &loaded, &isOther);
  // The driver can make machine code for newer chips.
  if (text && isOther)
    text = api.loadCode(code.assembly, &loaded, &isOther);
  if (text) {
    std::string reason = text;
    char name[256] = "this GPU";
    api.nameDevice(number, name, sizeof(name));
    codes.erase(entry);
    throwRunFailed(std::string("cannot load code for ") + code.chip + " on " +
                   name + ": " + reason);
  }
  return entry->second = loaded;
}

void *CudaDevice::findKernel(const cleave_rt_gpu_kernel &kernel) {
  void *&found = kernels[&kernel];
  if (!found)
    checkCuda(api.findKernel(loadCode(*kernel.code), kernel.name, &found),
              kernel.name);
  return found;
}

void CudaDevice::launchKernel(const cleave_rt_gpu_kernel &kernel,
                              void *const *buffers, const char *location) {
  arguments.resize(std::max<size_t>(arguments.size(), kernel.num_buffers));
  for (int32_t i = 0; i < kernel.num_buffers; ++i)
    arguments[i] = const_cast<void **>(&buffers[i]);
  void *found = nullptr;
  try {
    found = findKernel(kernel);
  } catch (const Error &error) {
    throwRunFailed(std::string(location) + ": " + error.what());
  }
  checkCuda(api.launch(found, kernel.blocks, kernel.threads, arguments.data(),
                       getComputeStream()),
            std::string(location) + ": " + kernel.name);
}

const void *CudaDevice::getConstant(const void *data, int64_t bytes) {
  void *&copy = constants[data];
  if (!copy) {
    copy = allocate(bytes);
    upload(data, copy, bytes);
  }
  return copy;
}

//===----------------------------------------------------------------------===//
// Library calls
//===----------------------------------------------------------------------===//

void CudaDevice::reserveScratch(int64_t bytes) {
  if (bytes <= scratchBytes)
    return;
  // What runs now may use the old one.
  finish(CLEAVE_RT_COMPUTE, "");
  if (scratch)
    checkCuda(api.release(scratch));
  scratch = nullptr;
  scratchBytes = 0;
  scratch = allocate(bytes);
  scratchBytes = bytes;
}

void CudaDevice::prepare(Product &product, const void *bias) {
  int64_t bytes = 0;
  checkCuda(api.prepareProduct(products, &product.plan->product, bias,
                               maxScratchBytes, &product.prepared, &bytes));
  reserveScratch(bytes);
}

void CudaDevice::gemm(int32_t id, const void *a, const void *b,
                      const void *bias, const void *residual, void *out) {
  const GemmSpec &spec = manifest.gemms[id];
  Product &product = gemms[id];
  const CudaProduct &plan = *product.plan;
  if (plan.product.m == 0 || plan.product.n == 0)
    return;
  try {
    if (!product.prepared)
      prepare(product, bias);
    for (size_t call = 0; call < plan.calls.size(); ++call) {
      CleaveCudaOperands operands = plan.at(call, a, b, bias, residual, out);
      checkCuda(api.runProduct(products, product.prepared, &operands, scratch,
                               getComputeStream()));
    }
  } catch (const Error &error) {
    throwRunFailed("matrix product at " + spec.location + ": " + error.what());
  }
}

void CudaDevice::convolve(int32_t, const void *, const void *, const void *,
                          const void *, void *) {
  throwRunFailed("the program is for another kind of device: it calls a "
                 "convolution of the host's library");
}

/// Position of this process among those of its machine, by the variables of
/// launchers; -1 if none says it.
static int32_t getLocalRank() {
  for (const char *name : {"LOCAL_RANK", "OMPI_COMM_WORLD_LOCAL_RANK",
                           "MPI_LOCALRANKID", "SLURM_LOCALID"})
    if (const char *text = std::getenv(name)) {
      int32_t number;
      if (!getEnvironmentNumber(name, number))
        throwBadInput(std::string(name) + " is " + quote(text) +
                      ", expected the number of a GPU");
      return number;
    }
  return -1;
}

std::unique_ptr<Device>
cleave::rt::createCudaDevice(const Manifest &manifest,
                             const DeviceOptions &options) {
  int32_t number = options.rank;
  int32_t localRank = options.hasAsynchronousCollectives ? getLocalRank() : -1;
  if (!manifest.deviceIds.empty())
    number = manifest.deviceIds[options.rank];
  else if (localRank >= 0)
    number = localRank;
  return std::make_unique<CudaDevice>(manifest, number, options);
}
