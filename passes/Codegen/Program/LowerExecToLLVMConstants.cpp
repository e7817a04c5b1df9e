//===- LowerExecToLLVMConstants.cpp - Constants as globals ----------------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir/IR/DialectResourceBlobManager.h"
#include "passes/Codegen/Program/LowerExecToLLVM.h"

using namespace mlir;
using namespace cleave;

/// The elements as the runtime stores them: row-major, one byte per i1.
static std::optional<std::string> elementData(ElementsAttr value,
                                              int64_t bytes) {
  std::string data;
  if (auto resource = dyn_cast<DenseResourceElementsAttr>(value)) {
    AsmResourceBlob *blob = resource.getRawHandle().getBlob();
    if (!blob || int64_t(blob->getData().size()) != bytes)
      return std::nullopt;
    return std::string(blob->getData().begin(), blob->getData().end());
  }
  auto dense = dyn_cast<DenseElementsAttr>(value);
  if (!dense)
    return std::nullopt;
  data.reserve(bytes);
  if (dense.getElementType().isInteger(1)) {
    for (bool element : dense.getValues<bool>())
      data.push_back(element);
    return data;
  }
  ArrayRef<char> raw = dense.getRawData();
  if (!dense.isSplat())
    return std::string(raw.begin(), raw.end());
  while (int64_t(data.size()) < bytes)
    data.append(raw.begin(), raw.end());
  return data;
}

LLVM::GlobalOp ConstantGlobals::get(exec::ConstantOp constant) {
  LLVM::GlobalOp &global = globals[constant.getValue()];
  if (global)
    return global;
  std::optional<int64_t> bytes = exec::bufferBytes(constant.getType());
  std::optional<std::string> data;
  if (bytes)
    data = elementData(constant.getValue(), *bytes);
  if (!data) {
    constant.emitError("has no data, or data of another size than its type");
    return {};
  }
  // An address needs at least a byte.
  if (data->empty())
    data->push_back(0);
  OpBuilder builder(constant->getParentOfType<exec::ProgramOp>());
  auto type = LLVM::LLVMArrayType::get(builder.getI8Type(), data->size());
  global = LLVM::GlobalOp::create(
      builder, constant.getLoc(), type, /*isConstant=*/true,
      LLVM::Linkage::Internal,
      "cleave_constant_" + std::to_string(globals.size()),
      builder.getStringAttr(*data), /*alignment=*/64);
  symbols.insert(global);
  return global;
}
