//===- ExecutableMain.cpp - Where an executable starts --------------------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "cleave-rt/main.h"

int main(int argc, char **argv) {
  return cleave_rt_main(argc, argv, cleave_program_manifest,
                        cleave_program_step);
}
