//===- TextFaults.cpp - IR text that the parser does not survive ----------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "cleave/Support/TextFaults.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/Twine.h"

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

  std::optional<TextFault> run() {
    while (at < text.size() && message.empty()) {
      token = at;
      step();
    }
    if (message.empty())
      return std::nullopt;
    StringRef before = text.take_front(token);
    size_t lineStart = before.rfind('\n') + 1; // npos + 1 is 0
    return TextFault{unsigned(before.count('\n') + 1),
                     unsigned(token - lineStart + 1), message};
  }

private:
  struct Open {
    char bracket;
    /// Whether elements of `array<` are in it.
    bool isArray = false;
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
    bool isAfterArray = !isSpace(c) && std::exchange(hasArray, false);
    if (startsWith("->") || startsWith("<=") || startsWith(">=")) {
      at += 2;
      return;
    }
    if (isWord(c))
      return takeWord();
    ++at;
    if (StringRef("([{<").contains(c)) {
      open.push_back({c, isAfterArray && c == '<'});
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
    hasArray = word == "array";
    if (word == "mod" || word == "floordiv" || word == "ceildiv")
      takeOperator();
    else if (word == "index" && !open.empty() && open.back().isArray)
      message = "an array has no elements of type index; expected i1, i8, i16, "
                "i32, i64, f32 or f64";
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
    if (all_of(name.drop_front(), isDigit))
      return takeResultNumber(name.drop_front());
    if (open.empty() && definition.empty() &&
        text.substr(at).ltrim(' ').starts_with("=")) {
      definition = name;
      definitionDepth = 0;
      return;
    }
    reach(aliases.lookup(name));
  }

  void takeResultNumber(StringRef digits) {
    unsigned number;
    if (!digits.empty() &&
        (digits.getAsInteger(10, number) || number > maxResultNumber))
      message = ("there is no result " + digits + "; expected at most " +
                 Twine(maxResultNumber))
                    .str();
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
    definitionDepth = std::max(definitionDepth, depth);
    if (depth > limit)
      message = ("more than " + Twine(limit) +
                 " levels are nested here, by brackets, operators or aliases; "
                 "expected at most so many")
                    .str();
  }

  StringRef text;
  unsigned limit;
  size_t at = 0;
  /// Where the token begins that was taken last; what is wrong with it.
  size_t token = 0;
  std::string message;
  /// Whether the last token but spaces and comments is `array`.
  bool hasArray = false;
  SmallVector<Open> open;
  /// Of all open brackets.
  unsigned numOperators = 0;
  /// The alias that is being defined, with its prefix; its depth so far.
  StringRef definition;
  unsigned definitionDepth = 0;
  StringMap<unsigned> aliases;
};
} // namespace

std::optional<TextFault> cleave::findTextFault(StringRef text, unsigned limit) {
  return Scanner(text, limit).run();
}
