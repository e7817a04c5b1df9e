//===- ReduceTest.cpp - Long copies and reductions ------------------------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/core/Reduce.h"
#include "runtime/core/Random.h"
#include "runtime/core/StreamCopy.h"

#include <cstring>
#include <gtest/gtest.h>

using namespace cleave::rt;

static std::vector<float> makeValues(int64_t count, uint64_t seed) {
  std::vector<float> values(count);
  fillRandom(seed, "x", DType::F32, {count}, {{0}, {count}}, {count},
             values.data());
  return values;
}

TEST(Copy, LongOnesArriveWhateverTheirAlignment) {
  constexpr int64_t count = (5 << 20) / 4;
  std::vector<float> source = makeValues(count, 1);
  const char *from = reinterpret_cast<const char *>(source.data());
  for (int64_t skip : {0, 1, 17, 63})
    for (int64_t shift : {0, 3, 16})
      for (int64_t bytes : {2 << 20, (2 << 20) + 77, (4 << 20) + 16383}) {
        std::vector<char> target(bytes + skip + 1, 'x');
        copyBytes(target.data() + skip, from + shift, bytes);
        ASSERT_EQ(std::memcmp(target.data() + skip, from + shift, bytes), 0);
        ASSERT_EQ(target.back(), 'x');
        ASSERT_TRUE(skip == 0 || target[skip - 1] == 'x');
      }
}

TEST(Copy, TargetThatTrailsItsSourceWithinAPage) {
  constexpr int64_t page = 4096, most = 3 * page;
  std::vector<float> source = makeValues(most / 4, 1);
  const char *from = reinterpret_cast<const char *>(source.data());
  for (int64_t distance : {0, 1, 4, 31, 63, 64, 4095})
    for (int64_t bytes : {100, 2047, 2048, 4096 + 127, 3 * 4096 - 1}) {
      std::vector<char> target(bytes + 2 * page, 'x');
      int64_t skip = (reinterpret_cast<intptr_t>(from) + distance -
                      reinterpret_cast<intptr_t>(target.data())) &
                     (page - 1);
      std::vector<char> expected = target;
      std::memcpy(expected.data() + skip, from, bytes);
      copyBytes(target.data() + skip, from, bytes);
      EXPECT_EQ(target, expected) << distance << " " << bytes;
    }
}

TEST(Copy, OneSourceGoesToPlacesOfAnyAlignment) {
  constexpr int64_t count = 40000;
  std::vector<float> source = makeValues(count, 1);
  const char *from = reinterpret_cast<const char *>(source.data());
  for (int64_t other : {0, 64, 5}) // as the first, in lines, and in bytes
    for (int64_t offset : {0, 3, 64})
      for (int64_t bytes : {0, 5, 64, 8192, 100001}) {
        for (auto *copy : {streamBytes, copyBytesToAll}) {
          std::vector<char> first(bytes + 200, 'x'), second = first;
          void *outs[] = {first.data(), second.data() + other};
          copy(outs, 2, offset, from + 1, bytes);
          finishStreaming();
          std::vector<char> expected(bytes + 200, 'x');
          std::memcpy(expected.data() + offset, from + 1, bytes);
          EXPECT_EQ(first, expected);
          expected.assign(bytes + 200, 'x');
          std::memcpy(expected.data() + offset + other, from + 1, bytes);
          EXPECT_EQ(second, expected);
        }
      }
}

TEST(Reduce, LongOnesGoToAllPlaces) {
  for (int64_t count : {(32 << 20) / 4 + 1003, 5000}) {
    constexpr int64_t begin = 16;
    std::vector<float> a = makeValues(begin + count, 1),
                       b = makeValues(begin + count, 2);
    const void *operands[] = {a.data(), b.data()};
    std::vector<float> expected(count), first(begin + count + 1, 7),
        second = first;
    reduce(DType::F32, Reduction::Sum, operands, 2, begin * 4, expected.data(),
           count);
    void *outs[] = {first.data(), second.data()};
    reduceTo(DType::F32, Reduction::Sum, operands, 2, begin * 4, outs, 2,
             /*first=*/1, begin * 4, count * 4);
    EXPECT_EQ(std::memcmp(&first[begin], expected.data(), count * 4), 0);
    EXPECT_EQ(first, second);
    EXPECT_EQ(first[begin - 1], 7);
    EXPECT_EQ(first.back(), 7);
    EXPECT_EQ(expected[count - 1], a.back() + b.back());
  }
}
