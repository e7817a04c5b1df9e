//===- CollectiveTest.cpp - Every collective against the model ------------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/conformance/Harness.h"
#include "runtime/conformance/Model.h"
#include "runtime/conformance/Values.h"
#include "runtime/core/Random.h"

#include <cmath>
#include <gtest/gtest.h>
#include <set>

using namespace cleave::rt;

namespace {
/// Ranks along axes, or listed groups.
struct Groups {
  AxisList axes;
  std::vector<std::vector<int32_t>> listed = {};
};

struct Case {
  std::vector<int64_t> mesh;
  std::vector<Groups> groups;
};

class CollectiveTest : public testing::TestWithParam<Harness *> {
protected:
  void check(const Case &testCase, DType dtype);
  /// Runs and checks the collectives of a manifest whose mesh is set.
  void check(Manifest &manifest, DType dtype);
};
} // namespace

static const std::vector<Case> cases = {
    {{1}, {{{{0, 1, 1}}}, {{}}, {{}, {{0}}}}},
    // Of the listed groups some have ranks in another order, some leave ranks
    // out, and some are of different sizes.
    {{3}, {{{{0, 1, 3}}}, {{}, {{2, 0}}}}},
    {{6},
     {{{{0, 1, 6}}},
      {{{0, 1, 2}}},
      {{{0, 2, 3}}},
      {{{0, 1, 3}}},
      {{{0, 3, 2}}},
      {{}, {{4, 1, 3}, {0, 5, 2}}},
      {{}, {{5, 4}, {0, 2, 3}}}}},
    {{2, 3},
     {{{{0, 1, 2}}},
      {{{1, 1, 3}}},
      {{{0, 1, 2}, {1, 1, 3}}},
      {{{1, 1, 3}, {0, 1, 2}}},
      {{}, {{3, 1}, {2, 4}}}}},
    {{1, 4}, {{{{0, 1, 1}}}, {{{1, 2, 2}}}, {{{1, 2, 2}, {1, 1, 2}}}}},
    {{2, 1, 3},
     {{{{2, 1, 3}, {0, 1, 2}}}, {{{0, 1, 2}, {1, 1, 1}, {2, 1, 3}}}}},
    {{8}, {{{{0, 2, 2}}}, {{{0, 1, 2}, {0, 4, 2}}}, {{{0, 1, 8}}}}},
};

static const std::vector<Shape> shapes = {
    {7, 5}, {1, 4}, {0, 3}, {6, 12}, {2, 5, 3}, {13}, {},
};

/// Large enough for the algorithms that split a buffer, in every type.
static const Shape largeShape = {8500};

/// Halo exchanges of a dimension that is cut over axes: none, of neighbours, of
/// all, and of fewer elements than the block has.
static void addHalos(CollectiveSpec spec, const Shape &shape,
                     std::vector<CollectiveSpec> &specs) {
  spec.kind = CollectiveKind::HaloExchange;
  for (spec.dim = 0; spec.dim < static_cast<int32_t>(shape.size());
       ++spec.dim) {
    spec.size = shape[spec.dim];
    spec.operandShape = shape;
    int64_t &block = spec.operandShape[spec.dim];
    block = getBlockSize(spec.size, spec.axes);
    const std::pair<int64_t, int64_t> amounts[] = {{0, 0},
                                                   {1, 0},
                                                   {0, 2},
                                                   {block, block + 1},
                                                   {spec.size, spec.size + 2},
                                                   {-1, 1},
                                                   {2, -3},
                                                   {-block, 1}};
    for (auto [low, high] : amounts) {
      spec.low = low;
      spec.high = high;
      spec.resultShape = spec.operandShape;
      spec.resultShape[spec.dim] += low + high;
      if (spec.resultShape[spec.dim] >= 0)
        specs.push_back(spec);
    }
  }
}

/// Window exchanges of a dimension that is cut over axes into the same blocks,
/// reversed or shifted ones, ones that leave ranks out, and all of it.
static void addWindows(CollectiveSpec spec, const Shape &shape,
                       std::vector<CollectiveSpec> &specs) {
  spec.kind = CollectiveKind::WindowExchange;
  int64_t ranks = getGroupSize(spec.axes);
  for (spec.dim = 0; spec.dim < static_cast<int32_t>(shape.size());
       ++spec.dim) {
    int64_t size = shape[spec.dim], block = (size + ranks - 1) / ranks;
    spec.operandShape = shape;
    spec.operandShape[spec.dim] = block + 1;
    spec.blocks.clear();
    for (int64_t r = 0; r < ranks; ++r) {
      int64_t begin = std::min(size, r * block);
      spec.blocks.push_back({begin, std::min(block, size - begin), r % 2});
    }
    auto add = [&](int64_t extent, auto windowOf) {
      spec.resultShape = spec.operandShape;
      spec.resultShape[spec.dim] = extent;
      spec.windows.clear();
      for (int64_t r = 0; r < ranks; ++r)
        spec.windows.push_back(windowOf(r));
      specs.push_back(spec);
    };
    add(block, [&](int64_t r) { return LineSegment{r * block, block, 0}; });
    add(block, [&](int64_t r) {
      return LineSegment{(ranks - 1 - r) * block, block, 0};
    });
    add(block + 3, [&](int64_t r) {
      return LineSegment{r * block / 2 - 1, r % 2 ? block : 0, 2};
    });
    add(size + 2, [&](int64_t) { return LineSegment{-1, size + 2, 0}; });
  }
}

/// Reductions that a type has: the first ones of the enumeration.
static int countReductions(DType dtype) {
  return isSmallFloat(dtype) ? 0 : isFloat(dtype) ? 4 : 6;
}

/// All collectives over `groups` for a tensor whose whole shape is `shape`.
static std::vector<CollectiveSpec> makeSpecs(const Shape &shape, DType dtype,
                                             const Groups &groups,
                                             int32_t numRanks) {
  std::vector<CollectiveSpec> specs;
  int64_t k = getGroupSize(groups.axes);
  bool areEqual = true;
  for (const std::vector<int32_t> &group : groups.listed) {
    k = group.size();
    areEqual &= group.size() == groups.listed.front().size();
  }
  auto cut = [&](Shape result, int32_t dim) {
    result[dim] = (result[dim] + k - 1) / k;
    return result;
  };
  CollectiveSpec base{};
  base.dtype = dtype;
  base.axes = groups.axes;
  base.groups = groups.listed;
  for (int32_t dim = 0; areEqual && dim < static_cast<int32_t>(shape.size());
       ++dim) {
    CollectiveSpec spec = base;
    spec.dim = dim;
    spec.kind = CollectiveKind::AllGather;
    spec.operandShape = cut(shape, dim);
    spec.resultShape = shape;
    specs.push_back(spec);
    spec.kind = CollectiveKind::AllSlice;
    std::swap(spec.operandShape, spec.resultShape);
    specs.push_back(spec);
    for (int i = 0; i < countReductions(dtype); ++i) {
      spec.kind = CollectiveKind::ReduceScatter;
      spec.reduction = static_cast<Reduction>(i);
      specs.push_back(spec);
    }
    for (int32_t other = 0; other < static_cast<int32_t>(shape.size());
         ++other) {
      if (other == dim)
        continue;
      CollectiveSpec move = base;
      move.kind = CollectiveKind::AllToAll;
      move.splitDim = dim;
      move.concatDim = other;
      move.operandShape = cut(shape, other);
      move.resultShape = cut(shape, dim);
      specs.push_back(move);
    }
  }
  CollectiveSpec spec = base;
  spec.operandShape = spec.resultShape = shape;
  spec.kind = CollectiveKind::AllReduce;
  for (int i = 0; i < countReductions(dtype); ++i) {
    spec.reduction = static_cast<Reduction>(i);
    specs.push_back(spec);
  }
  spec.kind = CollectiveKind::Broadcast;
  for (int32_t root : {0, static_cast<int32_t>(k) - 1}) {
    spec.root = areEqual ? root : 0;
    specs.push_back(spec);
  }
  if (!groups.listed.empty())
    return specs;
  addHalos(base, shape, specs);
  addWindows(base, shape, specs);
  // A shift without wrapping, a fixed point, and a broadcast from rank 0.
  spec.kind = CollectiveKind::CollectivePermute;
  for (int32_t rank = 0; rank + 1 < numRanks; ++rank)
    spec.pairs.push_back({rank, rank + 1});
  specs.push_back(spec);
  spec.pairs = {{numRanks - 1, numRanks - 1}, {0, 0}};
  if (numRanks == 1)
    spec.pairs.pop_back();
  specs.push_back(spec);
  spec.pairs.clear();
  for (int32_t rank = 1; rank < numRanks; ++rank)
    spec.pairs.push_back({0, rank});
  specs.push_back(spec);
  return specs;
}

static void fillBytes(model::Buffer &buffer, uint32_t state) {
  for (uint8_t &byte : buffer) {
    state = state * 1664525 + 1013904223;
    byte = state >> 24;
  }
}

static void compare(const CollectiveSpec &spec, const model::Expected &expected,
                    const model::Buffer &result) {
  int64_t size = getSize(spec.dtype);
  for (size_t i = 0; i < expected.isSpecified.size(); ++i) {
    if (!expected.isSpecified[i])
      continue;
    if (expected.exact.empty()) {
      ASSERT_EQ(std::memcmp(&expected.bytes[i * size], &result[i * size], size),
                0)
          << "element " << i;
      continue;
    }
    double value = model::loadFloat(spec.dtype, result.data(), i);
    if (std::isnan(expected.exact[i]))
      ASSERT_TRUE(std::isnan(value)) << "element " << i;
    else
      ASSERT_NEAR(value, expected.exact[i], expected.bound[i])
          << "element " << i;
  }
}

void CollectiveTest::check(const Case &testCase, DType dtype) {
  Manifest manifest{};
  for (int64_t size : testCase.mesh)
    manifest.mesh.axes.push_back(
        {"axis" + std::to_string(manifest.mesh.axes.size()), size});
  int32_t numRanks = manifest.mesh.getSize();
  for (const Groups &groups : testCase.groups)
    for (const Shape &shape : shapes)
      for (CollectiveSpec &spec : makeSpecs(shape, dtype, groups, numRanks))
        manifest.collectives.push_back(std::move(spec));
  for (CollectiveSpec &spec :
       makeSpecs(largeShape, dtype, testCase.groups.back(), numRanks))
    if (spec.kind == CollectiveKind::AllReduce)
      manifest.collectives.push_back(std::move(spec));
  check(manifest, dtype);
}

void CollectiveTest::check(Manifest &manifest, DType dtype) {
  int32_t numRanks = manifest.mesh.getSize();
  // operands[id][rank], results[id][rank].
  size_t count = manifest.collectives.size();
  std::vector<std::vector<model::Buffer>> operands(count), results(count);
  for (size_t id = 0; id < count; ++id) {
    const CollectiveSpec &spec = manifest.collectives[id];
    for (int32_t rank = 0; rank < numRanks; ++rank) {
      operands[id].emplace_back(getBytes(spec.operandShape, dtype));
      results[id].emplace_back(getBytes(spec.resultShape, dtype), 0xab);
      int64_t elements = getBytes(spec.operandShape, DType::I8);
      fillRandom(id, std::to_string(rank), dtype, {elements}, {{0}, {elements}},
                 {elements}, operands[id].back().data());
      // Full-range integers, so that sums wrap.
      if (!isFloat(dtype) && dtype != DType::I1)
        fillBytes(operands[id].back(), id * numRanks + rank);
      if (isFloat(dtype) && id % 5 == 4 && elements && rank == 0)
        std::memset(operands[id].back().data(), 0xff, getSize(dtype)); // NaN
    }
  }

  RunState state(manifest, 60);
  std::unique_ptr<Communicator> communicator = GetParam()->create(state);
  std::vector<std::string> errors(numRanks);
  GetParam()->runRanks(numRanks, [&](int32_t rank) {
    // Again, since the second execution meets leftovers of the first.
    for (int round = 0; round < GetParam()->getNumRounds(); ++round)
      for (size_t id = 0; id < count; ++id)
        if (!communicator->run(rank, id, operands[id][rank].data(),
                               results[id][rank].data(), errors[rank]))
          return;
  });
  GetParam()->collect(errors);
  GetParam()->collect(results);
  if (!GetParam()->isChecking())
    return;

  for (int32_t rank = 0; rank < numRanks; ++rank)
    ASSERT_EQ(errors[rank], "");
  for (size_t id = 0; id < count; ++id) {
    const CollectiveSpec &spec = manifest.collectives[id];
    SCOPED_TRACE(std::string(getName(spec.kind)) + " " +
                 toString(spec.operandShape, dtype) + " to " +
                 toString(spec.resultShape, dtype) + " group " +
                 std::to_string(getGroupSize(spec.axes)));
    std::vector<model::Expected> expected =
        model::run(spec, manifest.mesh, operands[id]);
    EXPECT_EQ(communicator->getBytes(id),
              model::getBytes(spec, manifest.mesh, expected));
    for (int32_t rank = 0; rank < numRanks; ++rank) {
      compare(spec, expected[rank], results[id][rank]);
      if (HasFatalFailure())
        return;
      if (spec.kind == CollectiveKind::AllReduce)
        for (int32_t peer : model::getGroup(spec, manifest.mesh, rank))
          ASSERT_EQ(results[id][rank], results[id][peer]);
    }
  }
}

// Longer than segments of messages, within the caches and past them.
TEST_P(CollectiveTest, LongBuffers) {
  for (const Shape &shape : {Shape{307, 202}, Shape{1504, 1202}})
    for (const Groups &groups : {Groups{{{0, 1, 3}}}, Groups{{}, {{2, 0}}}}) {
      Manifest manifest{};
      manifest.mesh.axes = {{"x", 3}};
      for (const CollectiveSpec &spec :
           makeSpecs(shape, DType::F64, groups, 3)) {
        bool isWanted = spec.kind == CollectiveKind::AllGather ||
                        spec.kind == CollectiveKind::AllToAll ||
                        (spec.reduction == Reduction::Sum &&
                         (spec.kind == CollectiveKind::AllReduce ||
                          spec.kind == CollectiveKind::ReduceScatter));
        if (isWanted)
          manifest.collectives.push_back(spec);
      }
      check(manifest, DType::F64);
    }
}

static bool isReduction(CollectiveKind kind) {
  return kind == CollectiveKind::AllReduce ||
         kind == CollectiveKind::ReduceScatter;
}

/// Whether the members of a group get blocks of different sizes.
static bool isUneven(const CollectiveSpec &spec) {
  int64_t k = spec.groups.empty() ? getGroupSize(spec.axes)
                                  : spec.groups.front().size();
  switch (spec.kind) {
  case CollectiveKind::AllGather:
    return spec.resultShape[spec.dim] % k;
  case CollectiveKind::AllSlice:
  case CollectiveKind::ReduceScatter:
    return spec.operandShape[spec.dim] % k;
  case CollectiveKind::AllToAll:
    return spec.operandShape[spec.splitDim] % k ||
           spec.resultShape[spec.concatDim] % k;
  case CollectiveKind::AllReduce:
    return getBytes(spec.operandShape, DType::I8) % k;
  case CollectiveKind::HaloExchange:
    return spec.size % k;
  case CollectiveKind::WindowExchange:
    return spec.blocks.front().count != spec.blocks.back().count;
  case CollectiveKind::CollectivePermute:
  case CollectiveKind::Broadcast:
    // Whole buffers.
    return true;
  }
  return false;
}

// What the tests of all types run: every kind with every reduction, over all
// ranks and over sub-groups, along axes and listed, evenly and unevenly cut.
TEST(Coverage, EveryKindIsCutUnevenlyInGroupsOfEverySort) {
  enum Sort { Whole, Part, Listed };
  std::set<std::tuple<CollectiveKind, Reduction, Sort>> seen;
  for (const Case &testCase : cases) {
    int64_t numRanks = 1;
    for (int64_t size : testCase.mesh)
      numRanks *= size;
    for (const Groups &groups : testCase.groups)
      for (const Shape &shape : shapes)
        for (const CollectiveSpec &spec :
             makeSpecs(shape, DType::I32, groups, numRanks)) {
          Sort sort = !groups.listed.empty()                  ? Listed
                      : getGroupSize(groups.axes) == numRanks ? Whole
                                                              : Part;
          if (numRanks > 1 && isUneven(spec))
            seen.insert({spec.kind,
                         isReduction(spec.kind) ? spec.reduction : Reduction(),
                         sort});
        }
  }
  for (CollectiveKind kind :
       {CollectiveKind::AllGather, CollectiveKind::AllSlice,
        CollectiveKind::ReduceScatter, CollectiveKind::AllToAll,
        CollectiveKind::AllReduce, CollectiveKind::Broadcast,
        CollectiveKind::HaloExchange, CollectiveKind::WindowExchange,
        CollectiveKind::CollectivePermute})
    for (Sort sort : {Whole, Part, Listed}) {
      // Exchanges of halos and windows go along axes; pairs are no groups.
      if (sort == Listed && (kind == CollectiveKind::HaloExchange ||
                             kind == CollectiveKind::WindowExchange ||
                             kind == CollectiveKind::CollectivePermute))
        continue;
      for (int i = 0; i < (isReduction(kind) ? 6 : 1); ++i)
        EXPECT_TRUE(seen.count({kind, static_cast<Reduction>(i), sort}))
            << getName(kind) << " " << i << " " << sort;
    }
}

#define TYPED_TEST_OF(NAME)                                                    \
  TEST_P(CollectiveTest, NAME) {                                               \
    for (const Case &testCase : cases)                                         \
      check(testCase, DType::NAME);                                            \
  }
TYPED_TEST_OF(F32)
TYPED_TEST_OF(F64)
TYPED_TEST_OF(F16)
TYPED_TEST_OF(BF16)
TYPED_TEST_OF(I1)
TYPED_TEST_OF(I8)
TYPED_TEST_OF(I16)
TYPED_TEST_OF(I32)
TYPED_TEST_OF(I64)
TYPED_TEST_OF(UI8)
TYPED_TEST_OF(UI16)
TYPED_TEST_OF(UI32)
TYPED_TEST_OF(UI64)
// Another float of 8 bits is moved no differently.
TYPED_TEST_OF(F8E4M3FN)

INSTANTIATE_TEST_SUITE_P(Communicators, CollectiveTest,
                         testing::Values(&Harness::get()),
                         [](const auto &info) {
                           return info.param->getName();
                         });
