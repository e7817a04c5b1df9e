//===- ManifestTest.cpp - What a manifest may not say ---------------------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/core/Manifest.h"
#include "runtime/tests/TestProgram.h"

using namespace cleave::rt;

namespace {
/// A valid manifest to spoil.
Json makeValid() {
  Json manifest = makeManifest({2, 4});
  manifest["inputs"] = {makeTensor(manifest, "x", "f32", {7, 8}, {{0, 1}, {}})};
  manifest["outputs"] = {makeTensor(manifest, "y", "f32", {7, 8}, {{0}, {1}})};
  manifest["collectives"] = {makeAllReduce(manifest, "f32", {7, 8}, {0})};
  manifest["gemms"] = {makeGemm(1, 8, 1), makeGemm(2, 3, 4)};
  manifest["gemms"][0]["b_input"] = 0;
  manifest["convolutions"] = {makeConvolution(7, 3, 4)};
  manifest["axis_lists"] = {makeAxes(manifest, {1})};
  return manifest;
}
} // namespace

static std::string create(const std::string &text) {
  cleave_rt_program *program = nullptr;
  int32_t status = cleave_rt_program_create(
      text.c_str(), [](auto...) { return 0; }, &program);
  if (status == CLEAVE_RT_OK) {
    cleave_rt_program_destroy(program);
    return "";
  }
  EXPECT_EQ(status, CLEAVE_RT_BAD_INPUT);
  return cleave_rt_last_error();
}

TEST(Manifest, ValidOneIsAccepted) {
  EXPECT_EQ(create(makeValid().dump()), "");
}

TEST(Manifest, DamagedTextIsRefused) {
  std::string text = makeValid().dump();
  for (size_t length = 0; length < text.size(); ++length)
    EXPECT_NE(create(text.substr(0, length)), "");
  EXPECT_NE(create("{\"version\":1,\"version\":1}").find("given twice"),
            std::string::npos);
}

TEST(Manifest, EveryMissingKeyIsNamed) {
  // Optional keys.
  std::set<std::string> optional = {"location", "cause", "axis_names",
                                    "b_input"};
  const Json flat = makeValid().flatten();
  for (const auto &[path, value] : flat.items()) {
    Json::json_pointer pointer(path);
    std::string key = pointer.back();
    if (key.find_first_not_of("0123456789") == std::string::npos)
      continue;
    Json manifest = makeValid();
    manifest[pointer.parent_pointer()].erase(key);
    bool isOptional = optional.count(key) || path == "/mesh/name";
    std::string error = create(manifest.dump());
    EXPECT_EQ(error.empty(), isOptional) << path;
    if (!isOptional)
      EXPECT_NE(error.find("key '" + key + "' is missing"), std::string::npos)
          << path << ": " << error;
  }
}

TEST(Manifest, EveryWrongTypeIsRefused) {
  const Json flat = makeValid().flatten();
  for (const auto &[path, value] : flat.items()) {
    Json manifest = makeValid();
    manifest[Json::json_pointer(path)] = Json{{"unexpected", 1.5}};
    EXPECT_NE(create(manifest.dump()), "") << path;
  }
}

TEST(Manifest, WrongValuesAreRefused) {
  struct Change {
    const char *path;
    Json value;
    const char *error;
  };
  const Change changes[] = {
      {"/version", 99, "version 99"},
      {"/arena_bytes", -1, "at least 0"},
      {"/mesh/axes/0/size", 0, "at least 1"},
      {"/mesh/axes/0/size", 1 << 20, "at most"},
      {"/mesh/device_ids", {0, 1}, "one device per rank"},
      {"/mesh/device_ids", {0, 0, 1, 2, 3, 4, 5, 6}, "listed twice"},
      {"/inputs/0/dtype", "f8", "unknown dtype"},
      {"/inputs/0/shape/0", -1, "at least 0"},
      {"/inputs/0/shape", {int64_t(1) << 40, int64_t(1) << 40}, "overflows"},
      {"/inputs/0/local_shape/0", 2, "the sharding gives 1x8xf32"},
      {"/inputs/0/sharding/0/0/axis", 2, "at most 1"},
      {"/inputs/0/sharding/0/1/axis", 0, "at most 2"},
      {"/inputs/0/sharding/0/1/size", 3, "must divide"},
      {"/outputs/0/sharding/1/0",
       {{"axis", 0}, {"pre", 1}, {"size", 2}},
       "used twice"},
      {"/collectives/0/kind", "all_shuffle", "expected one of all_gather"},
      {"/collectives/0/reduction", "and", "not defined for floats"},
      {"/collectives/0/result_shape/0", 6, "must be equal"},
      {"/collectives/0/result_shape", {7}, "differ in rank"},
      {"/gemms/0/dtype", "i1", "not defined"},
      {"/gemms/0/accumulate", "f64", "must be f32"},
      {"/gemms/0/m", -1, "at least 0"},
      {"/gemms/0/a/batch", {1}, "expected 0 batch strides"},
      {"/gemms/0/b_input", 1, "at most 0"},
      {"/gemms/0/k", 2, "smaller than operand b"},
      {"/inputs/0/dtype", "i32", "another dtype"},
      {"/gemms/0/activation", "tanh", "expected one of none"},
      {"/convolutions/0/dtype", "i1", "not defined"},
      {"/convolutions/0/batch", -1, "at least 0"},
      {"/convolutions/0/windows/0/stride", 0, "at least 1"},
      {"/convolutions/0/windows/0/low", int64_t(1) << 50, "at most"},
      {"/convolutions/0/lhs/spatial", {1, 1}, "expected 1 spatial strides"},
  };
  for (const Change &change : changes) {
    Json manifest = makeValid();
    manifest[Json::json_pointer(change.path)] = change.value;
    std::string error = create(manifest.dump());
    EXPECT_NE(error.find(change.error), std::string::npos)
        << change.path << ": " << error;
  }
}

/// A manifest whose first collective has some keys replaced.
static std::string createWith(const Json &changes) {
  Json manifest = makeValid();
  Json &collective = manifest["collectives"][0];
  for (const auto &[key, value] : changes.items())
    if (value.is_null())
      collective.erase(key);
    else
      collective[key] = value;
  return create(manifest.dump());
}

TEST(Manifest, ProductsHaveATypeThatGPUsRoundTo) {
  Json manifest = makeValid();
  EXPECT_EQ(parseManifest(manifest.dump()).products, ProductType::F32);
  std::pair<const char *, ProductType> types[] = {{"tf32", ProductType::TF32},
                                                  {"bf16", ProductType::BF16},
                                                  {"f16", ProductType::F16}};
  for (auto [name, type] : types) {
    manifest["products"] = name;
    EXPECT_EQ(parseManifest(manifest.dump()).products, type);
  }
  for (const Json &wrong : {Json("f32"), Json(""), Json(true)}) {
    manifest["products"] = wrong;
    EXPECT_NE(create(manifest.dump()).find("products"), std::string::npos);
  }
}

TEST(Manifest, GroupsMayBeListed) {
  auto groups = [](const Json &value) {
    return createWith({{"axes", nullptr}, {"groups", value}});
  };
  EXPECT_EQ(groups({{0, 3}, {2, 1, 7}}), "");
  EXPECT_NE(groups(Json::array()).find("there is no group"), std::string::npos);
  EXPECT_NE(groups(Json::array({Json::array()})).find("is empty"),
            std::string::npos);
  EXPECT_NE(groups({{0, 8}}).find("at most 7"), std::string::npos);
  EXPECT_NE(groups({{0, 1}, {1}}).find("listed twice"), std::string::npos);
  EXPECT_NE(createWith(
                {{"kind", "all_gather"}, {"dim", 0}, {"groups", {{0, 1}, {2}}}})
                .find("equally long"),
            std::string::npos);
  EXPECT_NE(createWith({{"kind", "collective_permute"},
                        {"pairs", Json::array()},
                        {"groups", {{0, 1}}}})
                .find("not for this kind"),
            std::string::npos);
}

TEST(Manifest, BroadcastsAndHalosAreChecked) {
  Json broadcast = {{"kind", "broadcast"}, {"root", 1}};
  EXPECT_EQ(createWith(broadcast), "");
  broadcast["root"] = 2;
  EXPECT_NE(createWith(broadcast).find("at most 1"), std::string::npos);
  broadcast["root"] = 1;
  broadcast["groups"] = {{0, 1, 2}, {3}};
  EXPECT_NE(createWith(broadcast).find("at most 0"), std::string::npos);
  broadcast.erase("groups");
  broadcast["result_shape"] = {7, 9};
  EXPECT_NE(createWith(broadcast).find("must be equal"), std::string::npos);

  Json halo = {{"kind", "halo_exchange"},
               {"dim", 0},
               {"size", 13},
               {"low", 1},
               {"high", -3},
               {"result_shape", {5, 8}}};
  EXPECT_EQ(createWith(halo), "");
  auto changed = [&](const char *key, const Json &value) {
    Json other = halo;
    other[key] = value;
    return createWith(other);
  };
  EXPECT_NE(changed("size", 15).find("no block of 15"), std::string::npos);
  EXPECT_NE(changed("size", -1).find("at least 0"), std::string::npos);
  EXPECT_NE(changed("high", -2).find("does not fit"), std::string::npos);
  EXPECT_NE(changed("dim", 2).find("at most 1"), std::string::npos);
  EXPECT_NE(changed("groups", {{0, 1}}).find("not for this kind"),
            std::string::npos);
}

TEST(Manifest, DonationsAreChecked) {
  Json manifest = makeManifest({2});
  auto tensor = [&](const char *name, std::vector<int64_t> shape) {
    return makeTensor(manifest, name, "f32", shape, {{0}});
  };
  manifest["inputs"] = {tensor("x", {4}), tensor("w", {4})};
  manifest["outputs"] = {tensor("y", {4}), tensor("z", {6})};
  manifest["inputs"][0]["donated"] = true;
  manifest["outputs"][0]["input"] = 0;
  EXPECT_EQ(create(manifest.dump()), "");

  Json changed = manifest;
  changed["outputs"][0]["input"] = 2;
  EXPECT_NE(create(changed.dump()).find("at most 1"), std::string::npos);
  changed["outputs"][0]["input"] = 1;
  EXPECT_NE(create(changed.dump()).find("is not donated"), std::string::npos);
  changed = manifest;
  changed["outputs"][1]["input"] = 0;
  EXPECT_NE(create(changed.dump()).find("to another output"),
            std::string::npos);
  changed["outputs"][0].erase("input");
  EXPECT_NE(create(changed.dump()).find("another type or sharding"),
            std::string::npos);
}

TEST(Manifest, WindowsAreChecked) {
  Json valid = {{"kind", "window_exchange"},
                {"dim", 0},
                {"blocks", {{0, 7, 0}, {9, 3, 4}}},
                {"windows", {{-2, 5, 0}, {4, 2, 3}}},
                {"result_shape", {5, 8}}};
  EXPECT_EQ(createWith(valid), "");
  auto changed = [&](const char *key, const Json &value) {
    Json other = valid;
    other[key] = value;
    return createWith(other);
  };
  EXPECT_NE(changed("blocks", {{0, 7, 0}}).find("expected 2 segments"),
            std::string::npos);
  EXPECT_NE(changed("blocks", {{0, 7, 0}, {6, 1, 0}}).find("overlap"),
            std::string::npos);
  EXPECT_NE(changed("blocks", {{0, 8, 0}, {9, 1, 0}}).find("at most 7"),
            std::string::npos);
  EXPECT_NE(changed("windows", {{0, 3, 3}, {4, 2, 3}}).find("at most 2"),
            std::string::npos);
  EXPECT_NE(changed("windows", {{0, 3}, {4, 2, 3}}).find("[begin, count, at]"),
            std::string::npos);
  EXPECT_NE(changed("result_shape", {5, 9}).find("beside dim"),
            std::string::npos);
  EXPECT_NE(changed("groups", {{0, 1}}).find("not for this kind"),
            std::string::npos);
}

TEST(Manifest, TensorNamesAreUnique) {
  Json manifest = makeValid();
  manifest["inputs"].push_back(manifest["inputs"][0]);
  EXPECT_EQ(create(manifest.dump()),
            "manifest.inputs[1]: the name 'x' is used twice");
}
