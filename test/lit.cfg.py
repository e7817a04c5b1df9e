# ===- lit.cfg.py - How lit runs Cleave's tests --------------*- python -*-===#
#
# Part of the Cleave Project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===-----------------------------------------------------------------------===#

import importlib.util
import os
import shutil
import subprocess
import sys
import tempfile

import lit.formats

config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".mlir", ".test", ".py"]
config.excludes = ["Inputs", "lit.cfg.py"]
# What a test writes goes under %t, in the build folder.
config.test_exec_root = os.path.join(
    config.cleave_build_dir, os.path.basename(config.test_source_root)
)

tools_dir = os.path.join(config.cleave_build_dir, "bin")
config.environment["PATH"] = os.pathsep.join(
    [tools_dir, config.llvm_tools_dir, config.environment["PATH"]]
)
config.environment["PYTHONDONTWRITEBYTECODE"] = "1"
# Open MPI refuses root and more ranks than cores unless told otherwise.
config.environment["OMPI_ALLOW_RUN_AS_ROOT"] = "1"
config.environment["OMPI_ALLOW_RUN_AS_ROOT_CONFIRM"] = "1"
config.environment["OMPI_MCA_rmaps_base_oversubscribe"] = "1"
for name in (
    "CUDA_HOME",
    "CUDA_PATH",
    "HOME",
    "OPENBLAS_CORETYPE",
    "OPENBLAS_L2_SIZE",
    "PYTHONPATH",
):
    if name in os.environ:
        config.environment[name] = os.environ[name]

# JAX with a numpy of its own, if installed (scripts/install-deps --jax).
jax_dir = os.path.join(config.cleave_source_dir, "build", "jax")
if os.path.isdir(os.path.join(jax_dir, "jax")):
    config.available_features.add("jax")

config.substitutions += [
    ("%conformance", config.conformance_dir),
    ("%cleave-plugin", config.plugin),
    ("%cleave-stablehlo-plugin", config.stablehlo_plugin),
    # Published weights, if they have been fetched (scripts/install-deps --models).
    ("%models", os.path.join(config.cleave_source_dir, "build", "models")),
    ("%jax-python", f"env PYTHONPATH={jax_dir} {sys.executable}"),
    ("%python", sys.executable),
    ("%fake-cuda", config.fake_cuda),
    ("%source", config.cleave_source_dir),
    ("%build", config.cleave_build_dir),
    ("%cxx", config.cxx),
    # `%cleave` alone; `cleave-opt` and the rest are found through PATH.
    (r"%cleave\b(?!-)", os.path.join(tools_dir, "cleave")),
]

if os.path.isdir(config.conformance_dir or ""):
    config.available_features.add("conformance")
if os.path.isfile(config.plugin):
    config.available_features.add("plugin")
if os.path.isfile(config.stablehlo_plugin):
    config.available_features.add("stablehlo-plugin")
if config.sanitized:
    config.available_features.add("sanitizer")
    # LLVM's and the standard library's containers are instrumented in our code
    # only: what libMLIR allocates from them looks poisoned or overflowing.
    config.environment["ASAN_OPTIONS"] = (
        "allow_user_poisoning=0:detect_container_overflow=0:detect_leaks=0"
    )
    config.environment["UBSAN_OPTIONS"] = "print_stacktrace=1:halt_on_error=1"
for program, feature in (
    ("mpirun", "mpi"),
    ("mlir-opt-22", "mlir-opt"),
    ("clang-format-22", "clang-format"),
    ("nvidia-smi", "gpu"),
):
    if shutil.which(program, path=config.environment["PATH"]):
        config.available_features.add(feature)
# Hosts made of network namespaces, where the system lets us make them.
if "mpi" in config.available_features:
    probe = subprocess.run(
        [sys.executable, os.path.join(config.cleave_source_dir, "test/exec/mpi/hosts.py"), "--probe"],
        check=False, stderr=subprocess.PIPE, text=True, timeout=60,
    )
    if probe.returncode == 0:
        config.available_features.add("netns")
    else:
        lit_config.note(probe.stderr.strip())
# File systems of a size that tests choose, where the system lets us make them.
probe = subprocess.run(
    ["unshare", "-rm", "mount", "-t", "tmpfs", "-o", "size=1m", "none", tempfile.gettempdir()],
    check=False, stderr=subprocess.PIPE, text=True, timeout=60,
) if shutil.which("unshare") else None
if probe and probe.returncode == 0:
    config.available_features.add("tmpfs")
elif probe:
    lit_config.note(probe.stderr.strip())
# As passes/Codegen/GPU/CudaTarget.cpp looks for it.
for folder in (os.environ.get("CUDA_PATH"), os.environ.get("CUDA_HOME"), "/usr/local/cuda"):
    if folder and os.path.isfile(os.path.join(folder, "nvvm/libdevice/libdevice.10.bc")):
        if shutil.which("ptxas", path=os.path.join(folder, "bin")):
            config.available_features.add("cuda-toolkit")
        break
# Programs for GPUs: what they are linked with, and what runs them without one.
if os.path.isfile(config.fake_cuda):
    config.available_features.add("cuda-runtime")
if all(importlib.util.find_spec(name) for name in ("numpy", "onnx", "onnxruntime")):
    config.available_features.add("onnxruntime")

# A test that hangs is a failure, where lit can tell.
if lit_config.maxIndividualTestTime == 0:
    if lit_config.maxIndividualTestTimeIsSupported[0]:
        lit_config.maxIndividualTestTime = 900
