//===- GspmdAnnotations.cpp - The mhlo.sharding of a module ---------------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/Import/Shardings/GspmdAnnotations.h"
#include "dialects/Graph/EntryFunction.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Diagnostics.h"

using namespace mlir;

namespace cleave::reader {

using Kind = GspmdSharding::Kind;

//===----------------------------------------------------------------------===//
// Values and their shardings
//===----------------------------------------------------------------------===//

/// The tensors and tokens that values of `types` are made of.
static SmallVector<Type> leavesOf(TypeRange types) {
  SmallVector<Type> leaves;
  for (Type type : types)
    if (auto tuple = dyn_cast<TupleType>(type))
      llvm::append_range(leaves, leavesOf(tuple.getTypes()));
    else
      leaves.push_back(type);
  return leaves;
}

static void flatten(const GspmdSharding &sharding,
                    SmallVectorImpl<const GspmdSharding *> &leaves) {
  if (sharding.kind != Kind::Tuple)
    return leaves.push_back(&sharding);
  for (const GspmdSharding &element : sharding.elements)
    flatten(element, leaves);
}

static bool isTiled(const GspmdSharding *sharding) {
  return sharding->kind == Kind::Tiled;
}

/// Checks that tiles are for the dimensions of a tensor.
static LogicalResult checkRank(function_ref<InFlightDiagnostic()> emitMismatch,
                               const GspmdSharding &sharding, Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  if (!tensor || !isTiled(&sharding))
    return success();
  size_t rank = tensor.getRank();
  if (sharding.rank() == rank)
    return success();
  InFlightDiagnostic diag = emitMismatch();
  diag << "cuts " << sharding.rank()
       << (sharding.rank() == 1 ? " dimension" : " dimensions") << ", but "
       << tensor << " has " << rank << "; expected devices=[...] to list "
       << rank << (rank == 1 ? " size" : " sizes");
  if (sharding.subgroups.empty())
    diag << ", and one more only with last_tile_dim_replicate or "
            "last_tile_dims={...}";
  else
    diag << " before " << (sharding.subgroups.size() == 1 ? "that" : "those")
         << " of last_tile_dims";
  return diag;
}

/// Checks that `sharding` can be that of values of `types`: one for all of
/// them, or one for each.
static LogicalResult checkFits(function_ref<InFlightDiagnostic()> emitMismatch,
                               const GspmdSharding &sharding, TypeRange types) {
  SmallVector<Type> values = leavesOf(types);
  if (sharding.kind != Kind::Tuple) {
    for (Type type : values)
      if (failed(checkRank(emitMismatch, sharding, type)))
        return failure();
    return success();
  }
  // What only orders effects, such as an outfeed, has the sharding of what it
  // takes.
  if (llvm::none_of(values, llvm::IsaPred<ShapedType>))
    return success();
  SmallVector<const GspmdSharding *> elements;
  flatten(sharding, elements);
  if (elements.size() != values.size())
    return emitMismatch() << "has " << elements.size()
                          << (elements.size() == 1 ? " element" : " elements")
                          << "; expected one for each of " << values.size()
                          << " values";
  for (auto [element, type] : llvm::zip_equal(elements, values))
    if (failed(checkRank(emitMismatch, *element, type)))
      return failure();
  return success();
}

LogicalResult GspmdAnnotations::add(Location loc, Attribute attribute,
                                    const Twine &what, TypeRange types) {
  if (!attribute)
    return success();
  auto text = dyn_cast<StringAttr>(attribute);
  if (!text)
    return emitError(loc) << kMhloSharding << " is a string";
  auto found = texts.find(text);
  if (found == texts.end()) {
    std::string error;
    auto sharding = GspmdSharding::parse(text.getValue(), error);
    if (!sharding)
      return emitError(loc) << kMhloSharding << ": " << error;
    found = texts.insert({text, {std::move(*sharding), loc}}).first;
  }
  auto emitMismatch = [&] {
    InFlightDiagnostic diag = emitError(loc);
    diag << kMhloSharding << " " << text << what << " ";
    return diag;
  };
  return checkFits(emitMismatch, found->second.sharding, types);
}

FailureOr<GspmdAnnotations> GspmdAnnotations::read(ModuleOp module) {
  GspmdAnnotations result;
  auto walk = module.walk<WalkOrder::PreOrder>([&](Operation *op) {
    Location loc = op->getLoc();
    if (failed(result.add(loc, op->getAttr(kMhloSharding), "",
                          op->getResultTypes())))
      return WalkResult::interrupt();
    auto function = dyn_cast<func::FuncOp>(op);
    if (!function)
      return WalkResult::advance();
    for (auto [i, type] : llvm::enumerate(function.getArgumentTypes()))
      if (failed(result.add(loc, function.getArgAttr(i, kMhloSharding),
                            " of argument " + Twine(i), type)))
        return WalkResult::interrupt();
    for (auto [i, type] : llvm::enumerate(function.getResultTypes()))
      if (failed(result.add(loc, function.getResultAttr(i, kMhloSharding),
                            " of result " + Twine(i), type)))
        return WalkResult::interrupt();
    return WalkResult::advance();
  });
  if (walk.wasInterrupted())
    return failure();
  return result;
}

//===----------------------------------------------------------------------===//
// Shardings that the module has
//===----------------------------------------------------------------------===//

namespace {
/// An argument or result of the entry function.
struct SignatureValue {
  Type type;
  /// The `mhlo.sharding` that it has, if any.
  Attribute own;
  std::string name;
};
} // namespace

/// Checks that `own` is the same sharding as what the module has in `source`
/// for the value, if it is any.
static LogicalResult checkModuleSharding(ModuleOp module, StringRef source,
                                         StringAttr text,
                                         const SignatureValue &value) {
  std::string error;
  auto sharding = GspmdSharding::parse(text.getValue(), error);
  if (!sharding)
    return module.emitError(source) << ": " << error;
  auto emitMismatch = [&] {
    return module.emitError(source)
           << " " << text << " of " << value.name << " ";
  };
  if (failed(checkFits(emitMismatch, *sharding, value.type)))
    return failure();
  // Text that is no sharding is an error of its own.
  auto ownText = dyn_cast_or_null<StringAttr>(value.own);
  auto own =
      ownText ? GspmdSharding::parse(ownText.getValue(), error) : std::nullopt;
  if (own && !(*own == *sharding))
    return emitMismatch() << "contradicts its " << kMhloSharding << " "
                          << ownText;
  return success();
}

static LogicalResult spreadParameters(ModuleOp module, func::FuncOp entry) {
  constexpr StringLiteral source = "mhlo.spmd_parameters_shardings";
  Attribute attribute = module->removeAttr(source);
  if (!attribute)
    return success();
  auto texts = dyn_cast<ArrayAttr>(attribute);
  if (!texts || !llvm::all_of(texts, llvm::IsaPred<StringAttr>))
    return module.emitError(source) << " is a list of strings";
  if (texts.size() != entry.getNumArguments())
    return module.emitError(source)
           << " has " << texts.size() << " shardings for "
           << entry.getNumArguments() << " arguments";
  for (auto [i, text] : llvm::enumerate(texts.getAsRange<StringAttr>())) {
    SignatureValue value{entry.getArgumentTypes()[i],
                         entry.getArgAttr(i, kMhloSharding),
                         ("argument " + Twine(i)).str()};
    if (failed(checkModuleSharding(module, source, text, value)))
      return failure();
    if (!value.own)
      entry.setArgAttr(i, kMhloSharding, text);
  }
  return success();
}

/// One sharding of all results, or a tuple with that of each.
static LogicalResult spreadOutput(ModuleOp module, func::FuncOp entry) {
  constexpr StringLiteral source = "mhlo.spmd_output_sharding";
  Attribute attribute = module->removeAttr(source);
  if (!attribute)
    return success();
  auto text = dyn_cast<StringAttr>(attribute);
  if (!text)
    return module.emitError(source) << " is a string";
  std::string error;
  auto sharding = GspmdSharding::parse(text.getValue(), error);
  if (!sharding)
    return module.emitError(source) << ": " << error;
  ArrayRef<Type> types = entry.getResultTypes();
  SmallVector<StringAttr> texts(types.size(), text);
  bool isOneTuple = types.size() == 1 && isa<TupleType>(types[0]);
  if (sharding->kind == Kind::Tuple && !isOneTuple) {
    SmallVector<StringRef> elements =
        GspmdSharding::splitTuple(text.getValue());
    if (elements.size() != types.size())
      return module.emitError(source)
             << " has " << elements.size() << " shardings for " << types.size()
             << " results";
    for (auto [own, element] : llvm::zip_equal(texts, elements))
      own = StringAttr::get(module.getContext(), element);
  }
  for (auto [i, own] : llvm::enumerate(texts)) {
    SignatureValue value{types[i], entry.getResultAttr(i, kMhloSharding),
                         ("result " + Twine(i)).str()};
    if (failed(checkModuleSharding(module, source, own, value)))
      return failure();
    if (!value.own)
      entry.setResultAttr(i, kMhloSharding, own);
  }
  return success();
}

LogicalResult spreadModuleShardings(ModuleOp module) {
  if (!module->hasAttr("mhlo.spmd_parameters_shardings") &&
      !module->hasAttr("mhlo.spmd_output_sharding"))
    return success();
  func::FuncOp entry = graph::getEntryFunction(module);
  if (!entry)
    return failure();
  return success(succeeded(spreadParameters(module, entry)) &&
                 succeeded(spreadOutput(module, entry)));
}

//===----------------------------------------------------------------------===//
// Devices
//===----------------------------------------------------------------------===//

FailureOr<int64_t> GspmdAnnotations::countDevices(ModuleOp module) const {
  std::optional<int64_t> count;
  if (auto partitions =
          module->getAttrOfType<IntegerAttr>("mhlo.num_partitions")) {
    count = partitions.getInt();
    constexpr int64_t kMaxDevices = 1 << 20;
    if (*count < 1 || *count > kMaxDevices)
      return module.emitError("mhlo.num_partitions is ")
             << *count << "; expected 1 to " << kMaxDevices;
  }
  std::optional<Location> first;
  for (const auto &[text, annotation] : texts) {
    SmallVector<const GspmdSharding *> leaves;
    flatten(annotation.sharding, leaves);
    for (const GspmdSharding *leaf : llvm::make_filter_range(leaves, isTiled)) {
      if (!count) {
        count = leaf->numDevices;
        first = annotation.loc;
      }
      if (leaf->numDevices == *count)
        continue;
      InFlightDiagnostic diag = emitError(annotation.loc)
                                << kMhloSharding << " is for "
                                << leaf->numDevices << " devices, ";
      if (!first)
        return diag << "the module for " << *count << " (mhlo.num_partitions)";
      diag << "another one for " << *count;
      diag.attachNote(*first) << "such as here";
      return diag;
    }
  }
  return count.value_or(1);
}

} // namespace cleave::reader
