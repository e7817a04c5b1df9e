//===- Table.cpp - Columns of text ----------------------------------------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tools/cleave/Table.h"
#include "llvm/Support/Format.h"
#include <algorithm>
#include <cassert>

using namespace llvm;
using namespace cleave::tool;

void Table::addColumn(StringRef title, Alignment alignment) {
  alignments.push_back(alignment);
  rows.front().push_back(title.str());
}

void Table::addRow(std::vector<std::string> cells) {
  assert(cells.size() == alignments.size() && "a cell for each column");
  rows.push_back(std::move(cells));
}

void Table::print(raw_ostream &os) const {
  std::vector<size_t> widths(alignments.size());
  for (const auto &row : rows)
    for (size_t i = 0; i < row.size(); ++i)
      widths[i] = std::max(widths[i], row[i].size());
  for (const auto &row : rows) {
    std::string line;
    for (size_t i = 0; i < row.size(); ++i) {
      std::string space(widths[i] - row[i].size(), ' ');
      line += i ? "  " : "";
      line += alignments[i] == Left ? row[i] + space : space + row[i];
    }
    os << StringRef(line).rtrim() << "\n";
  }
}

std::string cleave::tool::formatError(double value) {
  std::string text;
  raw_string_ostream(text) << format("%.3e", value);
  return text;
}
