//===- TextNesting.cpp - How deeply IR text is nested ---------------------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "cleave/Support/TextNesting.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"

using namespace llvm;
using namespace cleave;

static bool isWord(char c) {
  return isAlnum(c) || c == '_' || c == '$' || c == '.';
}

static char getOpener(char closer) {
  switch (closer) {
  case ')':
    return '(';
  case ']':
    return '[';
  case '}':
    return '{';
  default:
    return '<';
  }
}

namespace {
class Scanner {
public:
  Scanner(StringRef text, unsigned limit) : text(text), limit(limit) {}

  std::optional<TextPlace> run() {
    while (at < text.size()) {
      size_t token = at;
      step();
      if (deepest > limit)
        return placeOf(token);
    }
    return std::nullopt;
  }

private:
  struct Open {
    char bracket;
    unsigned operators = 0;
  };

  bool startsWith(StringRef token) const {
    return text.substr(at).starts_with(token);
  }

  /// Goes past one token.
  void step() {
    char c = text[at];
    if (c == '"')
      return skipString();
    if (startsWith("//")) {
      at = std::min(text.find('\n', at), text.size());
      return;
    }
    if (startsWith("->") || startsWith("<=") || startsWith(">=")) {
      at += 2;
      return;
    }
    if (isWord(c))
      return takeWord();
    ++at;
    if (StringRef("([{<").contains(c)) {
      open.push_back({c});
      reach(0);
    } else if (StringRef(")]}>").contains(c)) {
      close(getOpener(c));
    } else if (StringRef("#!%@^").contains(c)) {
      takeName(c);
    } else if (StringRef("+-*").contains(c)) {
      takeOperator();
    } else if (c == ',' && !open.empty()) {
      numOperators -= std::exchange(open.back().operators, 0);
    } else if (c == '\n' && open.empty()) {
      endDefinition();
    }
  }

  void skipString() {
    for (++at; at < text.size(); ++at) {
      at = std::min(text.find_first_of("\"\\\n", at), text.size());
      if (at == text.size() || text[at] == '\n')
        return;
      if (text[at] == '"') {
        ++at;
        return;
      }
      ++at; // what is escaped
    }
  }

  void takeWord() {
    StringRef word = text.substr(at).take_while(isWord);
    at += word.size();
    if (word == "mod" || word == "floordiv" || word == "ceildiv")
      takeOperator();
  }

  /// Between other brackets there are signs only.
  void takeOperator() {
    if (open.empty() || !StringRef("([").contains(open.back().bracket))
      return;
    ++open.back().operators;
    ++numOperators;
    reach(0);
  }

  void takeName(char prefix) {
    size_t begin = at;
    while (at < text.size() &&
           (isWord(text[at]) ||
            (text[at] == '-' && at + 1 < text.size() && isWord(text[at + 1]))))
      ++at;
    if (prefix != '#' && prefix != '!')
      return;
    StringRef name = text.slice(begin - 1, at);
    if (open.empty() && definition.empty() &&
        text.substr(at).ltrim(' ').starts_with("=")) {
      definition = name;
      definitionDepth = 0;
      return;
    }
    reach(aliases.lookup(name));
  }

  void endDefinition() {
    if (!definition.empty())
      aliases[definition] = definitionDepth;
    definition = "";
  }

  /// What is open since goes with it: the parser will not get there.
  void close(char bracket) {
    if (bracket == '<' && (open.empty() || open.back().bracket != '<'))
      return;
    if (none_of(reverse(open),
                [&](const Open &o) { return o.bracket == bracket; }))
      return;
    for (bool isFound = false; !isFound; open.pop_back()) {
      isFound = open.back().bracket == bracket;
      numOperators -= open.back().operators;
    }
  }

  /// Notes the depth of what is here and goes on for `further` levels.
  void reach(unsigned further) {
    unsigned depth = open.size() + numOperators + further;
    deepest = std::max(deepest, depth);
    definitionDepth = std::max(definitionDepth, depth);
  }

  TextPlace placeOf(size_t position) const {
    StringRef before = text.take_front(position);
    size_t lineStart = before.rfind('\n') + 1; // npos + 1 is 0
    return {unsigned(before.count('\n') + 1),
            unsigned(position - lineStart + 1)};
  }

  StringRef text;
  unsigned limit;
  size_t at = 0;
  SmallVector<Open> open;
  /// Of all open brackets.
  unsigned numOperators = 0;
  unsigned deepest = 0;
  /// The alias that is being defined, with its prefix; its depth so far.
  StringRef definition;
  unsigned definitionDepth = 0;
  StringMap<unsigned> aliases;
};
} // namespace

std::optional<TextPlace> cleave::findDeepNesting(StringRef text,
                                                 unsigned limit) {
  return Scanner(text, limit).run();
}
