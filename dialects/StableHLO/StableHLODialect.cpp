//===- StableHLODialect.cpp - Dialects that are only read -----------------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialects/StableHLO/StableHLODialect.h"
#include "dialects/StableHLO/Forms.h"
#include "dialects/StableHLO/SdyDialect.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "mlir/IR/ExtensibleDialect.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace cleave;

#include "dialects/StableHLO/StableHLODialect.cpp.inc"

#define GET_TYPEDEF_CLASSES
#include "dialects/StableHLO/StableHLOTypes.cpp.inc"

#include "dialects/StableHLO/CheckDialect.cpp.inc"
#include "dialects/StableHLO/ChloDialect.cpp.inc"
#include "dialects/StableHLO/InterpreterDialect.cpp.inc"

#define GET_OP_CLASSES
#include "dialects/StableHLO/CheckOps.cpp.inc"
#define GET_OP_CLASSES
#include "dialects/StableHLO/InterpreterOps.cpp.inc"

void stablehlo::StableHLODialect::initialize() {
  addAllAttributes();
  addTypes<TokenType>();
  addAllOperations();
}

void chlo::ChloDialect::initialize() { addAllOperations(); }

void check::CheckDialect::initialize() {
  addOperations<
#define GET_OP_LIST
#include "dialects/StableHLO/CheckOps.cpp.inc"
      >();
}

void interpreter::InterpreterDialect::initialize() {
  addOperations<
#define GET_OP_LIST
#include "dialects/StableHLO/InterpreterOps.cpp.inc"
      >();
}

//===----------------------------------------------------------------------===//
// Syntax
//===----------------------------------------------------------------------===//

#define PARSE_BY_FORM(Dialect)                                                 \
  std::optional<Dialect::ParseOpHook> Dialect::getParseOperationHook(          \
      StringRef opName) const {                                                \
    return stablehlo::getFormParser(getContext(), opName);                     \
  }
PARSE_BY_FORM(stablehlo::StableHLODialect)
PARSE_BY_FORM(chlo::ChloDialect)
PARSE_BY_FORM(check::CheckDialect)
PARSE_BY_FORM(interpreter::InterpreterDialect)
#undef PARSE_BY_FORM

void cleave::registerStableHLODialects(DialectRegistry &registry) {
  registry.insert<stablehlo::StableHLODialect, chlo::ChloDialect,
                  check::CheckDialect, interpreter::InterpreterDialect,
                  sdy::SdyDialect>();
  // Functions of chlo come as calls and composites of StableHLO, too.
  registry.addExtension(
      +[](MLIRContext *context, stablehlo::StableHLODialect *) {
        context->loadDialect<chlo::ChloDialect>();
      });
  // Constants of Shardy become constants of StableHLO.
  registry.addExtension(+[](MLIRContext *context, sdy::SdyDialect *) {
    context->loadDialect<stablehlo::StableHLODialect>();
  });
  for (StringRef name : {"mhlo", "jax", "tf", "xla"})
    if (!registry.getDialectAllocator(name))
      registry.insertDynamic(name, [](MLIRContext *, DynamicDialect *) {});
}
