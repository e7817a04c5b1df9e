//===- Mutator.cpp - Text changed at random -------------------------------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Mutator.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;
using namespace cleave::fuzz;
using Random = std::mt19937_64;

//===----------------------------------------------------------------------===//
// Corpus
//===----------------------------------------------------------------------===//

static bool isWord(char c) { return isAlnum(c) || c == '_' || c == '.'; }

static StringRef takeToken(StringRef text) {
  char first = text.front();
  if (isWord(first))
    return text.take_while(isWord);
  if (isSpace(first))
    return text.take_while(isSpace);
  if (first == '"') {
    size_t end = text.find('"', 1);
    return text.take_front(end == StringRef::npos ? text.size() : end + 1);
  }
  return text.take_front(1);
}

void Corpus::add(StringRef text) {
  Tokens tokens;
  auto finish = [&] {
    if (!tokens.empty())
      programs.push_back(std::exchange(tokens, {}));
  };
  while (!text.empty()) {
    // Comments carry nothing, except where a module ends.
    if (text.starts_with("//")) {
      if (text.starts_with("// -----"))
        finish();
      text = text.drop_front(std::min(text.find('\n'), text.size()));
      continue;
    }
    tokens.push_back(takeToken(text));
    text = text.drop_front(tokens.back().size());
  }
  finish();
}

StringRef Corpus::pick(Random &random) const {
  const Tokens &program = programs[random() % programs.size()];
  return program[random() % program.size()];
}

//===----------------------------------------------------------------------===//
// Changes
//===----------------------------------------------------------------------===//

static const char *const numberTokens[] = {"0",          "1",
                                           "-1",         "2",
                                           "3",          "7",
                                           "64",         "255",
                                           "-128",       "2147483647",
                                           "4294967296", "9223372036854775807",
                                           "1e400",      "-9223372036854775808",
                                           "0.5",        "99999999999999999999",
                                           "0x7FC00000", "?"};
static const char *const wordTokens[] = {"f32",
                                         "f64",
                                         "bf16",
                                         "f16",
                                         "i1",
                                         "i4",
                                         "i64",
                                         "ui8",
                                         "index",
                                         "none",
                                         "tuple",
                                         "complex<f32>",
                                         "tensor<*xf32>",
                                         "true",
                                         "false",
                                         "dense<",
                                         "\"\"",
                                         "\"0x\"",
                                         "\"0x01\"",
                                         "array",
                                         "unit",
                                         "loc(",
                                         "#",
                                         "!",
                                         "%arg0",
                                         "^bb0:",
                                         "tensor",
                                         "vector",
                                         "()",
                                         "f8E4M3FN",
                                         "!stablehlo.token"};

template <typename T, size_t N>
static StringRef pickOf(T const (&choices)[N], Random &random) {
  return choices[random() % N];
}

namespace {

/// The program as it is changed.
class Mutation {
public:
  Mutation(const Corpus &corpus, Random &random)
      : corpus(corpus), random(random),
        tokens(corpus[random() % corpus.size()]) {}

  std::string run() {
    // What is changed to its like is often still read, and gets further.
    bool isAlike = random() % 2;
    for (unsigned count = 1 + random() % 4; count > 0; --count)
      isAlike ? changeToLike() : change();
    std::string text;
    for (StringRef token : tokens)
      text += token;
    // Now and then bytes, too.
    if (!isAlike && random() % 4 == 0 && !text.empty())
      for (unsigned count = 1 + random() % 3; count > 0; --count)
        text[random() % text.size()] = static_cast<char>(random());
    if (!isAlike && random() % 32 == 0)
      text.resize(random() % (text.size() + 1));
    return text;
  }

private:
  size_t place() { return random() % tokens.size(); }
  /// A token for which `wanted` holds, if one is found soon.
  template <typename Wanted> size_t place(Wanted wanted) {
    size_t at = place();
    for (unsigned tries = 0; tries < 200 && !wanted(tokens[at]); ++tries)
      at = place();
    return at;
  }
  size_t placeOfNumber() {
    return place([](StringRef token) { return isDigit(token.front()); });
  }
  size_t placeOfText() {
    return place([](StringRef token) { return !isSpace(token.front()); });
  }
  /// A few tokens from `at` on.
  size_t end(size_t at) {
    return std::min(tokens.size(), at + 1 + random() % 12);
  }

  /// Puts in a token that is behind the same one in some program.
  void changeToLike() {
    size_t at = placeOfText();
    for (unsigned tries = 0; at > 0 && tries < 1000; ++tries) {
      const Corpus::Tokens &other = corpus[random() % corpus.size()];
      size_t from = random() % other.size();
      if (from > 0 && other[from - 1] == tokens[at - 1] &&
          other[from] != tokens[at]) {
        tokens[at] = other[from];
        return;
      }
    }
  }

  void change() {
    if (tokens.empty())
      return;
    switch (random() % 10) {
    case 0:
    case 1:
      tokens[placeOfNumber()] = pickOf(numberTokens, random);
      return;
    case 2:
      tokens[placeOfText()] = pickOf(wordTokens, random);
      return;
    case 3:
      tokens[placeOfText()] = corpus.pick(random);
      return;
    case 4: {
      size_t at = place();
      tokens.erase(tokens.begin() + at, tokens.begin() + end(at));
      return;
    }
    case 5:
      tokens.erase(tokens.begin() + placeOfText());
      return;
    case 6: {
      size_t at = place();
      Corpus::Tokens copy(tokens.begin() + at, tokens.begin() + end(at));
      tokens.insert(tokens.begin() + place(), copy.begin(), copy.end());
      return;
    }
    case 7:
      std::swap(tokens[placeOfText()], tokens[placeOfText()]);
      return;
    case 8: {
      const Corpus::Tokens &other = corpus[random() % corpus.size()];
      size_t from = random() % other.size();
      size_t to = std::min(other.size(), from + 1 + random() % 40);
      tokens.insert(tokens.begin() + place(), other.begin() + from,
                    other.begin() + to);
      return;
    }
    default:
      changeLine();
    }
  }

  /// Removes or repeats the tokens of a line.
  void changeLine() {
    auto breaks = [](StringRef token) { return token.contains('\n'); };
    size_t from = place(breaks) + 1;
    size_t to = from;
    while (to < tokens.size() && !breaks(tokens[to]))
      ++to;
    if (from >= to)
      return;
    Corpus::Tokens line(tokens.begin() + from,
                        tokens.begin() + std::min(to + 1, tokens.size()));
    if (random() % 2)
      tokens.erase(tokens.begin() + from, tokens.begin() + to);
    else
      tokens.insert(tokens.begin() + from, line.begin(), line.end());
  }

  const Corpus &corpus;
  Random &random;
  Corpus::Tokens tokens;
};

} // namespace

std::string cleave::fuzz::mutate(const Corpus &corpus, uint64_t seed) {
  Random random(seed);
  return Mutation(corpus, random).run();
}
