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

/// The elements as the runtime stores them: row-major, one byte per i1. Fails
/// with a diagnostic where they are not all there.
static FailureOr<std::string> elementData(exec::ConstantOp constant,
                                          int64_t bytes) {
  ElementsAttr value = constant.getValue();
  std::string data;
  if (auto resource = dyn_cast<DenseResourceElementsAttr>(value)) {
    StringRef key = resource.getRawHandle().getKey();
    AsmResourceBlob *blob = resource.getRawHandle().getBlob();
    if (!blob)
      return constant.emitError("has no data: the text of the program leaves "
                                "out that of '")
             << key
             << "'; export it without eliding large constants and resources";
    if (int64_t(blob->getData().size()) != bytes)
      return constant.emitError("has ")
             << blob->getData().size() << " bytes of data in '" << key
             << "', but " << constant.getType() << " needs " << bytes;
    return std::string(blob->getData().begin(), blob->getData().end());
  }
  auto dense = dyn_cast<DenseElementsAttr>(value);
  if (!dense)
    return constant.emitError("has no data; expected dense or dense_resource");
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
  if (!bytes) {
    constant.emitError("is too large to address");
    return {};
  }
  FailureOr<std::string> data = elementData(constant, *bytes);
  if (failed(data))
    return {};
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
