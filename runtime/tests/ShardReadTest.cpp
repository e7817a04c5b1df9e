//===- ShardReadTest.cpp - What of a file is read for a shard -------------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Files of 4 GB without content, of which a rank reads its shard. What the
// system has read of a file is what its page cache holds of it; what the
// program asked for by other calls, /proc/self/io counts.
//
//===----------------------------------------------------------------------===//

#include "runtime/core/io/TensorFile.h"
#include "runtime/tests/TestProgram.h"

#include <cstring>
#include <fcntl.h>
#include <set>
#include <sys/mman.h>
#include <unistd.h>

using namespace cleave::rt;

namespace {
/// A tensor alone in a sparse file.
class SparseFile {
public:
  SparseFile(const std::string &name, DType dtype, const Shape &shape);
  ~SparseFile() {
    if (pages)
      ::munmap(pages, size);
    ::close(file);
    ::unlink(path.c_str());
  }

  bool isUsable() const { return pages; }
  /// Bytes of the file that the system has in memory, by page.
  std::set<int64_t> getCached() const;
  /// As if nobody had read it.
  void forget() const { ::posix_fadvise(file, 0, 0, POSIX_FADV_DONTNEED); }
  /// Writes an element of a tensor of f32, and has it on the disk.
  void write(int64_t index, float value) const;

  std::string path;
  int64_t headerBytes, size;

private:
  int file;
  void *pages = nullptr;
};
} // namespace

static const int64_t pageBytes = ::sysconf(_SC_PAGESIZE);

static std::string makeHeader(const std::string &name, DType dtype,
                              const Shape &shape) {
  std::string sizes;
  for (int64_t dim : shape)
    sizes += (sizes.empty() ? "" : ", ") + std::to_string(dim);
  if (name.size() > 4 && name.substr(name.size() - 4) == ".npy") {
    std::string text =
        std::string("{'descr': '") + (dtype == DType::I1 ? "|b1" : "<f4") +
        "', 'fortran_order': False, 'shape': (" + sizes + ",), }\n";
    text.insert(text.size() - 1, 118 - text.size(), ' ');
    return std::string("\x93NUMPY\x01\x00\x76\x00", 10) + text;
  }
  Json header = {{"w",
                  {{"dtype", dtype == DType::I1 ? "BOOL" : "F32"},
                   {"shape", shape},
                   {"data_offsets", {0, getBytes(shape, dtype)}}}}};
  std::string text = header.dump();
  text.append(8 - text.size() % 8, ' ');
  uint64_t bytes = text.size();
  return std::string(reinterpret_cast<const char *>(&bytes), 8) + text;
}

SparseFile::SparseFile(const std::string &name, DType dtype, const Shape &shape)
    : path(getTemporaryPath(name)) {
  std::string header = makeHeader(name, dtype, shape);
  headerBytes = static_cast<int64_t>(header.size());
  size = headerBytes + getBytes(shape, dtype);
  writeFile(path, header);
  file = ::open(path.c_str(), O_RDWR);
  if (::ftruncate(file, size) != 0)
    return;
  ::fsync(file);
  void *mapping = ::mmap(nullptr, size, PROT_READ, MAP_SHARED, file, 0);
  if (mapping != MAP_FAILED)
    pages = mapping;
}

std::set<int64_t> SparseFile::getCached() const {
  std::vector<unsigned char> isCached((size + pageBytes - 1) / pageBytes);
  std::set<int64_t> cached;
  EXPECT_EQ(::mincore(pages, size, isCached.data()), 0);
  for (size_t i = 0; i < isCached.size(); ++i)
    if (isCached[i] & 1)
      cached.insert(static_cast<int64_t>(i));
  return cached;
}

void SparseFile::write(int64_t index, float value) const {
  ASSERT_EQ(::pwrite(file, &value, 4, headerBytes + 4 * index), 4);
  ::fsync(file);
  forget();
}

/// Bytes that this process has asked for by read and the like; -1 where the
/// system does not tell.
static int64_t countAskedFor() {
  std::string text = readFile("/proc/self/io");
  size_t start = text.find("rchar: ");
  return start == std::string::npos ? -1 : std::stoll(text.substr(start + 7));
}

/// Pages of the file that hold elements of a box, by going through its rows.
static std::set<int64_t> getPages(const SparseFile &file, const Shape &shape,
                                  DType dtype, const Rect &rect) {
  std::set<int64_t> pages;
  if (rect.isEmpty())
    return pages;
  Shape position(shape.size(), 0);
  while (true) {
    int64_t offset = 0;
    for (size_t i = 0; i < shape.size(); ++i)
      offset = offset * shape[i] + rect.begin[i] + position[i];
    int64_t begin = file.headerBytes + offset * getSize(dtype);
    int64_t end = begin + rect.size.back() * getSize(dtype);
    for (int64_t page = begin / pageBytes; page * pageBytes < end; ++page)
      pages.insert(page);
    size_t dim = shape.size() - 1;
    while (dim > 0 && ++position[dim - 1] == rect.size[dim - 1])
      position[--dim] = 0;
    if (dim == 0)
      return pages;
  }
}

/// Opens `file` and reads what `rank` has of a tensor that is cut along `dim`
/// over `numRanks`. Of the file the system may read the pages of the shard, and
/// those of the header and the file's ends.
static void expectOnlyShardIsRead(const SparseFile &file, DType dtype,
                                  const Shape &shape, size_t dim,
                                  int64_t numRanks, int32_t rank,
                                  std::vector<char> *shard = nullptr) {
  SCOPED_TRACE("rank " + std::to_string(rank) + " of " +
               std::to_string(numRanks) + ", dimension " + std::to_string(dim));
  Mesh mesh;
  mesh.axes = {{"x", numRanks}};
  std::vector<AxisList> sharding(shape.size());
  sharding[dim] = {{0, 1, numRanks}};
  Rect owned = getOwned(mesh, rank, shape, sharding);
  std::vector<char> data(getBytes(owned.size, dtype) + 1, 0x5a);
  file.forget();
  std::set<int64_t> before = file.getCached();
  int64_t askedFor = countAskedFor();

  openTensorFile(file.path)->read(0, owned, owned.size, data.data());

  int64_t asked = countAskedFor() - askedFor;
  std::set<int64_t> wanted = getPages(file, shape, dtype, owned), other;
  for (int64_t page : file.getCached())
    if (!before.count(page) && !wanted.count(page))
      other.insert(page);
  EXPECT_LE(other.size(), 16u)
      << "the shard has " << wanted.size() << " pages, the first other is "
      << *other.begin();
  if (askedFor >= 0)
    EXPECT_LE(asked, getBytes(owned.size, dtype) + 65536);
  EXPECT_EQ(data.back(), 0x5a);
  data.pop_back();
  if (shard)
    *shard = std::move(data);
}

static int64_t getLastRank(int64_t dim, int64_t numRanks) {
  int64_t block = (dim + numRanks - 1) / numRanks;
  return (dim - 1) / block;
}

class ShardReads : public testing::TestWithParam<const char *> {
protected:
  /// Reads shards of ranks at the start, in the middle, at the end, where they
  /// may be shorter, and behind it, where they are empty.
  void expectOnlyShardsAreRead(DType dtype, const Shape &shape, size_t dim,
                               int64_t numRanks) {
    SparseFile file(GetParam(), dtype, shape);
    if (!file.isUsable())
      GTEST_SKIP() << "no file of " << file.size << " bytes can be made";
    int64_t last = getLastRank(shape[dim], numRanks);
    for (int64_t rank : {int64_t(0), last / 2, last, numRanks - 1})
      expectOnlyShardIsRead(file, dtype, shape, dim, numRanks,
                            static_cast<int32_t>(rank));
  }
};

TEST_P(ShardReads, OfRows) {
  expectOnlyShardsAreRead(DType::F32, {1 << 20, 1024}, 0, 512);
}

TEST_P(ShardReads, OfUnevenRows) {
  // Blocks of 101, one of 10, and nine empty ones.
  expectOnlyShardsAreRead(DType::F32, {100101, 10240}, 0, 1001);
}

TEST_P(ShardReads, OfColumns) {
  expectOnlyShardsAreRead(DType::F32, {1024, 1 << 20}, 1, 512);
}

TEST_P(ShardReads, OfUnevenColumns) {
  // Rows that begin anywhere in a page, runs of 212 bytes; ranks without any.
  expectOnlyShardsAreRead(DType::F32, {4099, 262147}, 1, 5000);
}

TEST_P(ShardReads, OfAMiddleDimension) {
  expectOnlyShardsAreRead(DType::F32, {16, 1027, 65521}, 1, 500);
}

TEST_P(ShardReads, OfBooleans) {
  expectOnlyShardsAreRead(DType::I1, {2048, 2 << 20}, 1, 1000);
}

INSTANTIATE_TEST_SUITE_P(Formats, ShardReads,
                         testing::Values("sparse.safetensors", "sparse.npy"),
                         [](const auto &test) {
                           return std::string(test.param).substr(7);
                         });

// More than is copied at a time, with runs that are whole and split.
TEST(ShardRead, IsTheShard) {
  const int64_t rows = 1500, columns = 16000;
  SparseFile file("marked.safetensors", DType::F32, {rows, columns});
  ASSERT_TRUE(file.isUsable());
  auto mark = [&](int64_t row, int64_t column) {
    file.write(row * columns + column,
               static_cast<float>(row * columns + column + 1));
  };
  const int64_t marks[][2] = {{0, 0},       {0, 15999},  {1, 8000},
                              {749, 7999},  {750, 8000}, {1111, 7998},
                              {1111, 8001}, {1499, 0},   {1499, 15999}};
  for (auto [row, column] : marks)
    mark(row, column);
  for (size_t dim : {0, 1})
    for (int32_t rank : {0, 1}) {
      std::vector<char> shard;
      expectOnlyShardIsRead(file, DType::F32, {rows, columns}, dim, 2, rank,
                            &shard);
      Shape begin(2, 0), size = {rows, columns};
      size[dim] /= 2;
      begin[dim] = rank * size[dim];
      std::vector<float> expected(size[0] * size[1], 0.0f);
      for (auto [row, column] : marks)
        if (row >= begin[0] && row < begin[0] + size[0] && column >= begin[1] &&
            column < begin[1] + size[1])
          expected[(row - begin[0]) * size[1] + column - begin[1]] =
              static_cast<float>(row * columns + column + 1);
      ASSERT_EQ(shard.size(), expected.size() * 4);
      EXPECT_EQ(std::memcmp(shard.data(), expected.data(), shard.size()), 0);
    }
}
