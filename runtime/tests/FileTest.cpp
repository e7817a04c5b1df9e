//===- FileTest.cpp - Tensor files ----------------------------------------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/tests/TestProgram.h"

#include <cstring>
#include <filesystem>
#include <zlib.h>

using namespace cleave::rt;

namespace {
/// A file opened through the C interface.
struct File {
  explicit File(const std::string &path) {
    status = cleave_rt_file_open(path.c_str(), &file);
    if (status != CLEAVE_RT_OK)
      error = cleave_rt_last_error();
  }
  ~File() {
    if (file)
      cleave_rt_file_close(file);
  }
  cleave_rt_file_tensor getInfo(int32_t index) const {
    cleave_rt_file_tensor info{};
    EXPECT_EQ(cleave_rt_file_tensor_info(file, index, &info), CLEAVE_RT_OK);
    return info;
  }
  cleave_rt_file *file = nullptr;
  int32_t status;
  std::string error;
};
} // namespace

static std::string makeSafetensors(const std::string &header,
                                   const std::string &data) {
  uint64_t size = header.size();
  return std::string(reinterpret_cast<const char *>(&size), 8) + header + data;
}

static std::string makeNpy(const std::string &dictionary,
                           const std::string &data) {
  std::string text = "\x93NUMPY";
  text += std::string("\x01\x00", 2);
  text += static_cast<char>(dictionary.size() & 0xff);
  text += static_cast<char>(dictionary.size() >> 8);
  return text + dictionary + data;
}

/// Error of opening a file with this content; "" if there was none.
static std::string openError(const std::string &content) {
  std::string path = getTemporaryPath("damaged");
  writeFile(path, content);
  File file(path);
  EXPECT_EQ(file.status,
            file.error.empty() ? CLEAVE_RT_OK : CLEAVE_RT_BAD_INPUT);
  return file.error;
}

static void expectError(const std::string &content, const std::string &part) {
  std::string error = openError(content);
  EXPECT_NE(error.find(part), std::string::npos)
      << "expected '" << part << "', got '" << error << "'";
}

TEST(File, RoundTripsOfEveryType) {
  const char *dtypes[] = {
      "f32",  "f64",      "f16",        "i1",     "i8",         "i16",
      "i32",  "i64",      "ui8",        "ui16",   "ui32",       "ui64",
      "bf16", "f8E4M3FN", "f8E4M3FNUZ", "f8E5M2", "f8E5M2FNUZ", "f8E8M0FNU"};
  int64_t shapes[][2] = {{3, 4}, {0, 5}, {1, 1}};
  std::vector<std::vector<char>> data;
  std::vector<std::string> names;
  std::vector<cleave_rt_file_tensor> tensors;
  data.reserve(54), names.reserve(54);
  for (const char *dtype : dtypes)
    for (auto &shape : shapes) {
      int64_t count = shape[0] * shape[1];
      data.emplace_back(count * 8 + 8);
      cleave_rt_random_fill(1, dtype, dtype, count, data.back().data());
      names.push_back(std::string(dtype) + "." + std::to_string(count));
      int64_t size =
          std::string(dtype) == "i1"
              ? 1
              : std::atoi(dtype + std::strcspn(dtype, "0123456789")) / 8;
      tensors.push_back({names.back().c_str(), dtype, 2, shape,
                         data.back().data(), count * size});
    }
  auto check = [&](const std::string &path, bool isNumpy) {
    File file(path);
    ASSERT_EQ(file.status, CLEAVE_RT_OK) << file.error;
    ASSERT_EQ(cleave_rt_file_num_tensors(file.file), 54);
    for (int32_t i = 0; i < 54; ++i) {
      cleave_rt_file_tensor info = file.getInfo(i);
      auto original =
          std::find_if(tensors.begin(), tensors.end(), [&](const auto &tensor) {
            return std::string(tensor.name) == info.name;
          });
      ASSERT_NE(original, tensors.end());
      std::string dtype = original->dtype;
      if (isNumpy && dtype == "bf16")
        dtype = "ui16";
      if (isNumpy && dtype.substr(0, 2) == "f8")
        dtype = "ui8";
      EXPECT_EQ(info.dtype, dtype);
      EXPECT_EQ(info.shape[0], original->shape[0]);
      EXPECT_EQ(info.shape[1], original->shape[1]);
      std::vector<char> back(info.bytes + 1);
      ASSERT_EQ(cleave_rt_file_read(file.file, i, back.data(), info.bytes),
                CLEAVE_RT_OK);
      EXPECT_EQ(std::memcmp(back.data(), original->data, info.bytes), 0);
    }
  };
  std::string path = getTemporaryPath("all.safetensors");
  ASSERT_EQ(cleave_rt_save_safetensors(path.c_str(), tensors.data(), 54),
            CLEAVE_RT_OK);
  check(path, /*isNumpy=*/false);
  path = getTemporaryPath("all.npz");
  ASSERT_EQ(cleave_rt_save_npz(path.c_str(), tensors.data(), 54), CLEAVE_RT_OK);
  check(path, /*isNumpy=*/true);
  path = getTemporaryPath("one.npy");
  ASSERT_EQ(cleave_rt_save_npy(path.c_str(), &tensors[0]), CLEAVE_RT_OK);
  File file(path);
  ASSERT_EQ(file.status, CLEAVE_RT_OK) << file.error;
  EXPECT_STREQ(file.getInfo(0).name, "");
  EXPECT_EQ(file.getInfo(0).shape[1], 4);
  // numpy aligns the data to 64 bytes.
  EXPECT_EQ(readFile(path).size() % 64, 48u);
}

TEST(File, UnknownFormats) {
  expectError("", "neither a safetensors nor an npy nor an npz file");
  expectError("hello", "neither");
  std::string error = File(getTemporaryPath("missing")).error;
  EXPECT_NE(error.find("cannot open"), std::string::npos) << error;
  error = File(std::filesystem::temp_directory_path()).error;
  EXPECT_NE(error.find("is not a regular file"), std::string::npos) << error;
}

TEST(File, SafetensorsIsValidated) {
  auto header = [](const std::string &entries, size_t bytes) {
    return makeSafetensors("{" + entries + "}", std::string(bytes, '\0'));
  };
  std::string a = R"("a":{"dtype":"F32","shape":[2],"data_offsets":[0,8]})";
  EXPECT_EQ(openError(header(a, 8)), "");
  EXPECT_EQ(openError(header("", 0)), "");
  EXPECT_EQ(openError(header(R"("__metadata__":{"k":"v"},)" + a, 8)), "");
  EXPECT_EQ(openError(makeSafetensors("{" + a + "}   ", "12345678")), "");

  expectError(header(a, 7), "the file has 7 bytes of data");
  expectError(header(a, 9), "bytes 8 to 9 of the data belong to no tensor");
  expectError(header(a + "," + a, 8), "key 'a' is given twice");
  expectError(
      header(a + R"(,"b":{"dtype":"F32","shape":[2],"data_offsets":[4,12]})",
             12),
      "tensor 'b' overlaps another one");
  expectError(
      header(a + R"(,"b":{"dtype":"F32","shape":[1],"data_offsets":[12,16]})",
             16),
      "bytes 8 to 12 of the data belong to no tensor");
  expectError(
      header(R"("a":{"dtype":"F32","shape":[2],"data_offsets":[8,0]})", 8),
      "data_offsets must be [begin, end]");
  expectError(
      header(R"("a":{"dtype":"F32","shape":[2],"data_offsets":[-8,0]})", 8),
      "at least 0");
  expectError(
      header(R"("a":{"dtype":"F32","shape":[3],"data_offsets":[0,8]})", 8),
      "span 8 bytes, but 3xf32 takes 12");
  expectError(header(R"("a":{"dtype":"F6_E2M3","shape":[8],)"
                     R"("data_offsets":[0,8]})",
                     8),
              "unsupported dtype 'F6_E2M3'");
  expectError(header(R"("a":{"dtype":"U8","shape":[4294967296,4294967296],)"
                     R"("data_offsets":[0,0]})",
                     0),
              "overflows");
  expectError(header(R"("a":{"dtype":"U8","shape":[0,4294967296,4294967296],)"
                     R"("data_offsets":[0,0]})",
                     0),
              "overflows");
  expectError(
      header(R"("a":{"dtype":"U8","shape":[-1],"data_offsets":[0,0]})", 0),
      "at least 0");
  expectError(
      header(R"("a":{"dtype":"U8","shape":[1.5],"data_offsets":[0,1]})", 1),
      "expected an integer");
  expectError(header(R"("a":{"dtype":"U8","shape":[8]})", 8),
              "'data_offsets' is missing");
  expectError(header(R"("a":[])", 0), "expected an object");
  expectError(makeSafetensors("{" + a, "12345678"), "not valid JSON");
  expectError(makeSafetensors("{}x", ""), "not valid JSON");
  expectError(std::string("\xff\xff\xff\xff\xff\xff\xff\xff{}", 10),
              "the header claims");
  expectError(std::string("\x40\0\0\0\0\0\0\0{}", 10), "truncated");
  std::string valid = header(a, 8);
  for (size_t length = 0; length < valid.size(); ++length)
    EXPECT_NE(openError(valid.substr(0, length)), "") << length;
  // A flipped byte is noticed or harmless; never a crash.
  for (size_t i = 0; i < valid.size(); ++i) {
    std::string damaged = valid;
    damaged[i] ^= 0x55;
    openError(damaged);
  }
  // A deeply nested header must not exhaust the stack.
  expectError(makeSafetensors("{\"a\":" + std::string(200000, '['), ""),
              "not valid JSON");
}

TEST(File, NpyIsValidated) {
  std::string data(24, '\0');
  auto dictionary = [](const std::string &descr, const std::string &order,
                       const std::string &shape) {
    return "{'descr': " + descr + ", 'fortran_order': " + order +
           ", 'shape': " + shape + ", }\n";
  };
  EXPECT_EQ(openError(makeNpy(dictionary("'<f4'", "False", "(2, 3)"), data)),
            "");
  EXPECT_EQ(
      openError(makeNpy(dictionary("'<f8'", "False", "()"), data.substr(16))),
      "");
  EXPECT_EQ(openError(makeNpy(dictionary("'<f8'", "True", "(3,)"), data)), "");
  expectError(makeNpy(dictionary("'<f4'", "True", "(2, 3)"), data),
              "Fortran order is not supported");
  expectError(makeNpy(dictionary("'>f4'", "False", "(2, 3)"), data),
              "big-endian");
  // Two bytes are how numpy saves bfloat16.
  EXPECT_EQ(openError(makeNpy(dictionary("'|V2'", "False", "(3, 4)"), data)),
            "");
  EXPECT_EQ(openError(makeNpy(dictionary("'<V2'", "False", "(3, 4)"), data)),
            "");
  // One byte is how it saves floats of 8 bits.
  EXPECT_EQ(openError(makeNpy(dictionary("'|V1'", "False", "(4, 6)"), data)),
            "");
  EXPECT_EQ(openError(makeNpy(dictionary("'<V1'", "False", "(4, 6)"), data)),
            "");
  EXPECT_EQ(openError(makeNpy(dictionary("'<f1'", "False", "(4, 6)"), data)),
            "");
  expectError(makeNpy(dictionary("'<c8'", "False", "(3,)"), data),
              "unsupported dtype '<c8'");
  expectError(makeNpy(dictionary("'|O'", "False", "(3,)"), data),
              "unsupported dtype");
  expectError(makeNpy(dictionary("[('a', '<f4')]", "False", "(6,)"), data),
              "structured dtypes");
  expectError(makeNpy(dictionary("'<f4'", "False", "(2, 4)"), data),
              "truncated: 2x4xf32 takes 32 bytes, found 24");
  expectError(makeNpy(dictionary("'<f4'", "False", "(2,)"), data),
              "2xf32 takes 8 bytes, found 24");
  expectError(makeNpy(dictionary("'<f4'", "False", "(-2, -3)"), data),
              "expected a dimension");
  expectError(
      makeNpy(dictionary("'<f4'", "False", "(99999999999999999999,)"), data),
      "overflows");
  expectError(
      makeNpy(dictionary("'<f4'", "False", "(4294967296, 4294967296)"), data),
      "overflows");
  expectError(makeNpy("{'descr': '<f4', 'shape': (6,)}", data), "is missing");
  expectError(makeNpy("{'descr': '<f4', 'descr': '<f4'}", data),
              "unexpected key");
  std::string valid = makeNpy(dictionary("'<f4'", "False", "(2, 3)"), data);
  for (size_t length = 0; length < valid.size(); ++length)
    EXPECT_NE(openError(valid.substr(0, length)), "") << length;
  valid[6] = 9;
  expectError(valid, "unknown npy version 9");
}

TEST(File, NpzIsValidated) {
  std::vector<float> values(30, 1.5f);
  int64_t shape[] = {30};
  cleave_rt_file_tensor tensors[] = {
      {"a", "f32", 1, shape, values.data(), 120},
      {"b", "f32", 1, shape, values.data(), 120}};
  std::string path = getTemporaryPath("valid.npz");
  ASSERT_EQ(cleave_rt_save_npz(path.c_str(), tensors, 2), CLEAVE_RT_OK);
  std::string valid = readFile(path);
  EXPECT_EQ(openError(valid), "");
  for (size_t length = 0; length < valid.size(); length += 7)
    EXPECT_NE(openError(valid.substr(0, length)), "") << length;
  // Any flipped byte of headers or data is either noticed or harmless; never a
  // crash.
  for (size_t i = 0; i < valid.size(); ++i) {
    std::string damaged = valid;
    damaged[i] ^= 0x55;
    openError(damaged);
  }
  std::string damaged = valid;
  damaged[180] ^= 1;
  expectError(damaged, "wrong checksum");
  ASSERT_EQ(cleave_rt_save_npz(path.c_str(), tensors, 0), CLEAVE_RT_OK);
  EXPECT_EQ(openError(readFile(path)), "");
  tensors[1].name = "a";
  EXPECT_EQ(cleave_rt_save_npz(path.c_str(), tensors, 2), CLEAVE_RT_BAD_INPUT);
}

/// A zip archive of one deflated member, with sizes as given.
static std::string makeDeflated(const std::string &content, uint32_t claimed) {
  std::string packed(content.size() + 100, '\0');
  z_stream stream = {};
  deflateInit2(&stream, 9, Z_DEFLATED, -MAX_WBITS, 8, Z_DEFAULT_STRATEGY);
  stream.next_in =
      reinterpret_cast<Bytef *>(const_cast<char *>(content.data()));
  stream.avail_in = content.size();
  stream.next_out = reinterpret_cast<Bytef *>(packed.data());
  stream.avail_out = packed.size();
  deflate(&stream, Z_FINISH);
  packed.resize(stream.total_out);
  deflateEnd(&stream);
  uint32_t crc =
      crc32(0, reinterpret_cast<const Bytef *>(content.data()), content.size());
  auto number = [](uint64_t value, int bytes) {
    return std::string(reinterpret_cast<const char *>(&value), bytes);
  };
  std::string common = number(20, 2) + number(0, 2) + number(8, 2) +
                       number(0, 4) + number(crc, 4) +
                       number(packed.size(), 4) + number(claimed, 4) +
                       number(5, 2) + number(0, 2);
  std::string local = number(0x04034b50, 4) + common + "x.npy" + packed;
  std::string central = number(0x02014b50, 4) + number(20, 2) + common +
                        std::string(14, '\0') + "x.npy";
  return local + central + number(0x06054b50, 4) + number(0, 4) + number(1, 2) +
         number(1, 2) + number(central.size(), 4) + number(local.size(), 4) +
         number(0, 2);
}

TEST(File, DeflatedNpz) {
  std::string data(40000, '\7');
  std::string npy = makeNpy(
      "{'descr': '|u1', 'fortran_order': False, 'shape': (40000,), }\n", data);
  std::string path = getTemporaryPath("deflated.npz");
  writeFile(path, makeDeflated(npy, npy.size()));
  File file(path);
  ASSERT_EQ(file.status, CLEAVE_RT_OK) << file.error;
  EXPECT_STREQ(file.getInfo(0).name, "x");
  std::string back(40000, '\0');
  ASSERT_EQ(cleave_rt_file_read(file.file, 0, back.data(), 40000),
            CLEAVE_RT_OK);
  EXPECT_EQ(back, data);
  expectError(makeDeflated(npy, npy.size() - 1), "is damaged");
  expectError(makeDeflated(npy, npy.size() + 1), "is damaged");
  expectError(makeDeflated(npy, 0xfffffff0u), "impossible size");
}

TEST(File, WritesAreWholeOrAbsent) {
  float value = 1;
  int64_t shape[] = {1};
  cleave_rt_file_tensor tensor{"a", "f32", 1, shape, &value, 4};
  std::string path = getTemporaryPath("no-such-folder/x.npy");
  EXPECT_EQ(cleave_rt_save_npy(path.c_str(), &tensor), CLEAVE_RT_BAD_INPUT);
  EXPECT_NE(std::string(cleave_rt_last_error()).find("cannot create"),
            std::string::npos);
  // A failed write leaves the old file and nothing beside it.
  std::string folder = getTemporaryPath("whole");
  std::filesystem::create_directory(folder);
  writeFile(folder + "/x.safetensors", "old");
  tensor.bytes = 5;
  EXPECT_EQ(cleave_rt_save_safetensors((folder + "/x.safetensors").c_str(),
                                       &tensor, 1),
            CLEAVE_RT_BAD_INPUT);
  EXPECT_EQ(readFile(folder + "/x.safetensors"), "old");
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder),
                          std::filesystem::directory_iterator()),
            1);
}
