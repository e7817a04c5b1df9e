//===- Table.h - Columns of text --------------------------------*- C++ -*-===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CLEAVE_TOOLS_CLEAVE_TABLE_H
#define CLEAVE_TOOLS_CLEAVE_TABLE_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/raw_ostream.h"
#include <string>
#include <vector>

namespace cleave::tool {

/// Rows whose columns are aligned, with a header.
class Table {
public:
  enum Alignment { Left, Right };
  void addColumn(llvm::StringRef title, Alignment alignment = Left);
  void addRow(std::vector<std::string> cells);
  bool empty() const { return rows.size() < 2; }
  void print(llvm::raw_ostream &os) const;

private:
  std::vector<Alignment> alignments;
  /// The first row is the header.
  std::vector<std::vector<std::string>> rows{{}};
};

/// `1.234e-07`.
std::string formatError(double value);

} // namespace cleave::tool

#endif // CLEAVE_TOOLS_CLEAVE_TABLE_H
