//===- Graphs.cpp - Graphs and rules for tests ----------------------------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Graphs.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include <map>

using namespace llvm;

namespace cleave::test {

using Letters = SmallVector<std::string, 4>;

/// `i(jk)1` is `i`, `jk` and nothing.
static Letters splitDims(StringRef text) {
  Letters dims;
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '1') {
      dims.push_back("");
    } else if (text[i] == '(') {
      size_t end = text.find(')', i);
      dims.push_back(text.slice(i + 1, end).str());
      i = end;
    } else {
      dims.push_back(std::string(1, text[i]));
    }
  }
  return dims;
}

ShardingRule makeRule(StringRef einsum, const StringMap<int64_t> &sizes,
                      ShardingRule::Priority priority, StringRef replicated) {
  ShardingRule rule;
  rule.priority = priority;
  StringRef inputs = einsum.split("->").first;
  StringRef output = einsum.split("->").second;
  std::map<char, unsigned> factors;
  auto tensor = [&](StringRef text) {
    TensorFactors result;
    for (const std::string &dim : splitDims(text)) {
      result.dims.emplace_back();
      for (char letter : dim) {
        FactorKind kind = FactorKind::PassThrough;
        if (!output.contains(letter))
          kind = FactorKind::Reduction;
        if (replicated.contains(letter))
          kind = FactorKind::NeedReplication;
        auto [it, isNew] = factors.try_emplace(letter, rule.factors.size());
        if (isNew)
          rule.addFactor(sizes.lookup(StringRef(&letter, 1)), kind);
        result.dims.back().push_back(it->second);
      }
    }
    return result;
  };
  for (StringRef input : split(inputs, ","))
    rule.operands.push_back(tensor(input));
  rule.results.push_back(tensor(output));
  return rule;
}

unsigned GraphBuilder::value(StringRef name, ArrayRef<int64_t> shape,
                             StringRef annotation) {
  PropagationValue value;
  value.shape.assign(shape.begin(), shape.end());
  if (annotation != "none")
    value.sharding = parse(mesh, annotation);
  value.annotation = 100 + graph.values.size();
  ids[name] = graph.values.size();
  graph.values.push_back(value);
  return ids[name];
}

unsigned GraphBuilder::op(StringRef einsum, ArrayRef<StringRef> operands,
                          StringRef result, ArrayRef<int64_t> shape,
                          ShardingRule::Priority priority,
                          StringRef replicated) {
  if (!ids.count(result))
    value(result, shape);
  StringMap<int64_t> sizes;
  PropagationOp op;
  auto add = [&](StringRef letters, unsigned id) {
    Letters dims = splitDims(letters);
    for (size_t d = 0; d < dims.size(); ++d)
      if (dims[d].size() == 1)
        sizes[dims[d]] = graph.values[id].shape[d];
  };
  auto [inputs, output] = einsum.split("->");
  SmallVector<StringRef, 4> texts;
  inputs.split(texts, ',');
  for (auto [letters, name] : zip_equal(texts, operands)) {
    op.operands.push_back(ids[name]);
    add(letters, ids[name]);
  }
  op.results.push_back(ids[result]);
  add(output, ids[result]);
  op.rule = makeRule(einsum, sizes, priority, replicated);
  graph.ops.push_back(op);
  return graph.ops.size() - 1;
}

unsigned GraphBuilder::linear(StringRef x, StringRef weight, StringRef result) {
  SmallVector<int64_t, 4> shape = get(x).shape;
  shape.back() = get(weight).shape[1];
  const char *einsum = shape.size() == 3 ? "bsk,kj->bsj" : "bk,kj->bj";
  return op(einsum, {x, weight}, result, shape,
            ShardingRule::Priority::Contraction);
}

unsigned GraphBuilder::elementwise(ArrayRef<StringRef> operands,
                                   StringRef result) {
  SmallVector<int64_t, 4> shape = get(operands[0]).shape;
  std::string letters = std::string("abcd").substr(0, shape.size());
  std::string einsum = letters;
  for (size_t i = 1; i < operands.size(); ++i)
    einsum += "," + letters;
  return op(einsum + "->" + letters, operands, result, shape,
            ShardingRule::Priority::Elementwise);
}

std::string GraphBuilder::sharding(StringRef name) const {
  const PropagationValue &value = graph.values[ids.lookup(name)];
  return print(mesh, *value.sharding);
}

} // namespace cleave::test
