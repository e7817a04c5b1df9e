//===- LowerProductsToKernels.cpp - Products that no library has ----------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A part of such a kernel is one element of the result: neighbouring threads
// have neighbouring columns, and read one element of a and neighbours of b.
//
//===----------------------------------------------------------------------===//

#include "dialects/Exec/ExecDialect.h"
#include "dialects/Graph/KernelAttributes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "passes/Codegen/Kernels/Real.h"
#include "passes/Codegen/Kernels/ScalarSemantics.h"
#include "passes/Codegen/Passes.h"

namespace cleave {
#define GEN_PASS_DEF_LOWERPRODUCTSTOKERNELS
#include "passes/Codegen/Passes.h.inc"
} // namespace cleave

using namespace mlir;
using namespace cleave;
using namespace cleave::codegen;

//===----------------------------------------------------------------------===//
// What cuBLASLt has
//===----------------------------------------------------------------------===//

/// Whether a matrix is contiguous along its rows or its columns, which do not
/// overlap. The stride of a dimension of one element does not matter.
static bool isContiguous(int64_t rows, int64_t cols, int64_t rowStride,
                         int64_t colStride) {
  return (colStride == 1 || cols == 1) && (rows == 1 || rowStride >= cols);
}

static bool isContiguousAlongOne(int64_t rows, int64_t cols,
                                 ArrayRef<int64_t> strides) {
  int64_t row = strides[strides.size() - 2], col = strides.back();
  return isContiguous(rows, cols, row, col) ||
         isContiguous(cols, rows, col, row);
}

/// The runtime's CudaProduct.cpp has the same conditions.
static bool isForCublasLt(exec::GemmOp op) {
  Type type = cast<MemRefType>(op.getOut().getType()).getElementType();
  auto activation = op.getActivation();
  auto bias = op.getBiasKind();
  bool isPlain = activation == exec::Activation::None;
  if (!isa<FloatType>(type) || op.getK() == 0 ||
      (!isPlain && activation != exec::Activation::Relu &&
       activation != exec::Activation::GeluTanh) ||
      (!isPlain && op.getResidual()) ||
      (type.isF64() && (!isPlain || bias != exec::BiasKind::None)))
    return false;
  int64_t m = op.getM(), n = op.getN(), k = op.getK();
  ArrayRef<int64_t> out = op.getOutStrides();
  int64_t row = out[out.size() - 2], col = out.back();
  bool isRowMajor = isContiguous(m, n, row, col) && bias != exec::BiasKind::M;
  bool isColumnMajor =
      isContiguous(n, m, col, row) && bias != exec::BiasKind::N;
  return (isRowMajor || isColumnMajor) &&
         isContiguousAlongOne(m, k, op.getAStrides()) &&
         isContiguousAlongOne(k, n, op.getBStrides());
}

//===----------------------------------------------------------------------===//
// Kernels of products
//===----------------------------------------------------------------------===//

namespace {
class ProductWriter {
public:
  ProductWriter(exec::GemmOp op, bool isStepwise)
      : op(op), isStepwise(isStepwise),
        element(cast<MemRefType>(op.getOut().getType()).getElementType()),
        b(op.getLoc(), op->getContext()) {}

  func::FuncOp write(SymbolTable &symbols);

private:
  Value index(int64_t value) {
    return arith::ConstantIndexOp::create(b, value);
  }
  /// The sum of terms index * stride.
  Value place(ValueRange indices, ArrayRef<int64_t> strides);
  Value load(Value buffer, Value place);
  Value multiplyAdd(Value x, Value y, Value sum);
  Value add(Value x, Value y);
  Value activate(Value x);
  SmallVector<Value> delinearize(Value part);
  Value sumOfProducts(Value a, Value b, Value aStart, Value bStart);
  void writeElement(Block &arguments, Value part);

  exec::GemmOp op;
  bool isStepwise;
  Type element;
  ImplicitLocOpBuilder b;
};
} // namespace

Value ProductWriter::place(ValueRange indices, ArrayRef<int64_t> strides) {
  Value sum = index(0);
  for (auto [i, stride] : llvm::zip_equal(indices, strides))
    if (stride != 0)
      sum = arith::AddIOp::create(b, sum,
                                  arith::MulIOp::create(b, i, index(stride)));
  return sum;
}

Value ProductWriter::load(Value buffer, Value place) {
  return fromStorage(b, memref::LoadOp::create(b, buffer, place), element);
}

Value ProductWriter::add(Value x, Value y) {
  if (isa<FloatType>(x.getType()))
    return arith::AddFOp::create(b, x, y);
  return arith::AddIOp::create(b, x, y);
}

Value ProductWriter::multiplyAdd(Value x, Value y, Value sum) {
  if (!isa<FloatType>(x.getType()))
    return add(sum, arith::MulIOp::create(b, x, y));
  if (isStepwise)
    return add(sum, arith::MulFOp::create(b, x, y));
  return math::FmaOp::create(b, x, y, sum);
}

/// The formulas of cleave.relu and cleave.gelu.
Value ProductWriter::activate(Value x) {
  if (op.getActivation() == exec::Activation::None)
    return x;
  Real r(b, x);
  switch (op.getActivation()) {
  case exec::Activation::Relu:
    return arith::MaximumFOp::create(b, x, r.number(0).value());
  case exec::Activation::GeluErf:
    return (0.5 * r * (1 + (r * 0.70710678118654752).apply<math::ErfOp>()))
        .value();
  case exec::Activation::GeluTanh:
    return (0.5 * r *
            (1 + (0.79788456080286536 * (r + 0.044715 * r * r * r))
                     .apply<math::TanhOp>()))
        .value();
  default:
    return (r / (1 + exp(-r))).value();
  }
}

/// Batch indices, row and column of an element of the result.
SmallVector<Value> ProductWriter::delinearize(Value part) {
  SmallVector<int64_t> sizes(op.getBatch());
  sizes.append({int64_t(op.getM()), int64_t(op.getN())});
  SmallVector<Value> indices(sizes.size());
  for (size_t d = sizes.size(); d-- > 0;) {
    Value size = index(sizes[d]);
    indices[d] = arith::RemUIOp::create(b, part, size);
    part = arith::DivUIOp::create(b, part, size);
  }
  return indices;
}

Value ProductWriter::sumOfProducts(Value lhs, Value rhs, Value aStart,
                                   Value bStart) {
  Value zero = arith::ConstantOp::create(
      b, cast<TypedAttr>(b.getZeroAttr(valueType(element))));
  int64_t aStep = op.getAStrides().back();
  int64_t bStep = op.getBStrides()[op.getBStrides().size() - 2];
  auto loop = scf::ForOp::create(b, index(0), index(op.getK()), index(1), zero);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(loop.getBody());
  Value i = loop.getInductionVar();
  Value x = load(lhs, arith::AddIOp::create(b, aStart, place(i, aStep)));
  Value y = load(rhs, arith::AddIOp::create(b, bStart, place(i, bStep)));
  scf::YieldOp::create(b, multiplyAdd(x, y, loop.getRegionIterArg(0)));
  return loop.getResult(0);
}

void ProductWriter::writeElement(Block &block, Value part) {
  SmallVector<Value> indices = delinearize(part);
  Value row = indices[indices.size() - 2], col = indices.back();
  // Start of the row of a and of the column of b.
  SmallVector<int64_t> aStrides(op.getAStrides()), bStrides(op.getBStrides());
  aStrides.back() = 0;
  bStrides[bStrides.size() - 2] = 0;
  aStrides[aStrides.size() - 2] = op.getAStrides()[aStrides.size() - 2];
  Value sum = sumOfProducts(block.getArgument(0), block.getArgument(1),
                            place(indices, aStrides), place(indices, bStrides));
  unsigned next = 2;
  if (op.getBias())
    sum = add(sum, load(block.getArgument(next++),
                        op.getBiasKind() == exec::BiasKind::N ? col : row));
  sum = activate(sum);
  Value at = place(indices, op.getOutStrides());
  if (op.getResidual())
    sum = add(sum, load(block.getArgument(next++), at));
  memref::StoreOp::create(b, toStorage(b, sum, element),
                          block.getArgument(next), at);
}

func::FuncOp ProductWriter::write(SymbolTable &symbols) {
  SmallVector<Type> types;
  for (Value buffer : op->getOperands())
    types.push_back(
        MemRefType::get({cast<MemRefType>(buffer.getType()).getNumElements()},
                        storageType(element)));
  types.append(2, b.getIndexType());
  b.setInsertionPoint(op->getParentOfType<exec::ProgramOp>());
  auto kernel =
      func::FuncOp::create(b, "product", b.getFunctionType(types, {}));
  kernel.setPrivate();
  symbols.insert(kernel);
  int64_t parts = int64_t(op.getM()) * int64_t(op.getN());
  for (int64_t size : op.getBatch())
    parts *= size;
  kernel->setAttr(graph::kKernelAttr, b.getUnitAttr());
  kernel->setAttr(graph::kExtentAttr, b.getI64IntegerAttr(parts));
  Block *block = kernel.addEntryBlock();
  b.setInsertionPointToStart(block);
  auto end = block->getArguments().take_back(2);
  auto loop = scf::ForOp::create(b, end[0], end[1], index(1));
  func::ReturnOp::create(b);
  b.setInsertionPointToStart(loop.getBody());
  writeElement(*block, loop.getInductionVar());
  return kernel;
}

namespace {
struct LowerProductsToKernels
    : public cleave::impl::LowerProductsToKernelsBase<LowerProductsToKernels> {
  using LowerProductsToKernelsBase::LowerProductsToKernelsBase;

  void runOnOperation() override {
    SymbolTable symbols(getOperation());
    SmallVector<exec::GemmOp> products;
    getOperation().walk([&](exec::GemmOp op) {
      auto program = op->getParentOfType<exec::ProgramOp>();
      if (program->hasAttr("exec.stepwise") || !isForCublasLt(op))
        products.push_back(op);
    });
    for (exec::GemmOp op : products)
      lower(op, symbols);
  }

private:
  void lower(exec::GemmOp op, SymbolTable &symbols) {
    bool isStepwise =
        op->getParentOfType<exec::ProgramOp>()->hasAttr("exec.stepwise");
    func::FuncOp kernel = ProductWriter(op, isStepwise).write(symbols);
    OpBuilder builder(op);
    SmallVector<Value> inputs(op->getOperands().drop_back());
    exec::LaunchOp::create(builder, op.getLoc(), kernel.getSymName(), inputs,
                           op.getOut(), DenseI64ArrayAttr());
    op.erase();
  }
};
} // namespace
