#include "Toy.h"
#include "dialects/Graph/Sharding/ShardingRuleBuilder.h"

void toy::ToyDialect::initialize() {
  addOperations<
#define GET_OP_LIST
#include "Toy-op.cpp.inc"
      >();
}

cleave::ShardingRule toy::MatmulOp::getShardingRule() {
  cleave::ShardingRuleBuilder rule(*this);
  unsigned m = rule.operandFactor(0, 0);
  unsigned k = rule.operandFactor(0, 1, cleave::FactorKind::Reduction);
  unsigned n = rule.operandFactor(1, 0);
  rule.operand(1, 1, k).result(0, 0, m).result(0, 1, n);
  rule.linear({0}).linear({1});
  return rule.take();
}

#include "Toy-dialect.cpp.inc"
#define GET_OP_CLASSES
#include "Toy-op.cpp.inc"
