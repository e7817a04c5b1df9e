//===- FrontendText.cpp - Attributes kept as text -------------------------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/Import/Shardings/FrontendText.h"
#include "mlir/AsmParser/AsmParser.h"

using namespace mlir;
using namespace cleave;

Attribute reader::frontendEntry(Attribute frontend, StringRef name) {
  auto entries = dyn_cast_if_present<DictionaryAttr>(frontend);
  return entries ? entries.get(name) : Attribute();
}

/// HLO puts a backslash before quotes and backslashes when it prints text, and
/// leaves it there when it reads that.
static std::string withoutBackslashes(StringRef text) {
  std::string plain;
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\\' && i + 1 < text.size())
      ++i;
    plain += text[i];
  }
  return plain;
}

Attribute reader::readText(Attribute value) {
  while (auto text = dyn_cast_if_present<StringAttr>(value)) {
    MLIRContext *context = text.getContext();
    // The parser would speak of a file that nobody has.
    ScopedDiagnosticHandler silent(context,
                                   [](Diagnostic &) { return success(); });
    value = parseAttribute(text.getValue(), context);
    if (!value)
      value = parseAttribute(withoutBackslashes(text.getValue()), context);
  }
  return value;
}
