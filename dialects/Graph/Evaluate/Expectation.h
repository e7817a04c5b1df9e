//===- Expectation.h - What a self-checking program expects -----*- C++ -*-===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A self-checking program returns each value that it checks, and the value that
// it expects, as results of its entry function. Two results belong to
// expectation `index`:
//
//   {cleave.expect = {index = 0, kind = "close", role = "actual",
//                     min_ulp = 0, max_ulp = 3},
//    cleave.expect_loc = "file:line:column",
//    cleave.expect_op = "stablehlo.sine"}
//
// `kind` is eq, close or almost_eq, `role` is actual or expected. Bounds may be
// left out and are read from the actual value, as is the op that made it.
//
//===----------------------------------------------------------------------===//

#ifndef CLEAVE_DIALECTS_GRAPH_EVALUATE_EXPECTATION_H
#define CLEAVE_DIALECTS_GRAPH_EVALUATE_EXPECTATION_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include <optional>
#include <string>

namespace cleave::graph {

inline constexpr llvm::StringLiteral kExpectAttr = "cleave.expect";
inline constexpr llvm::StringLiteral kExpectLocAttr = "cleave.expect_loc";
inline constexpr llvm::StringLiteral kExpectOpAttr = "cleave.expect_op";

struct Expectation {
  enum class Kind {
    /// The same value: the same bits, except that NaN is NaN and -0 is +0.
    Equal,
    /// Floats: from minUlp to maxUlp representable values apart. NaN is NaN,
    /// -0 is +0, an infinity is the one of its sign. Others: Equal.
    Close,
    /// Floats: at most `tolerance` apart; NaN is NaN, an infinity the one of
    /// its sign. Others: Equal.
    AlmostEqual
  };
  int64_t index = 0;
  Kind kind = Kind::Equal;
  /// Positions of the two results, which have the same type.
  unsigned actual = 0, expected = 0;
  double tolerance = 1e-3;
  uint64_t minUlp = 0, maxUlp = 3;
  std::string location;
  /// The op whose result is checked; empty if unknown.
  std::string op;
};

/// `eq`, `close` or `almost_eq`.
llvm::StringRef stringify(Expectation::Kind kind);

/// The expectations of an entry function, by index; none if it checks nothing.
/// Fails, with a diagnostic, on attributes that do not pair up.
mlir::FailureOr<llvm::SmallVector<Expectation>>
getExpectations(mlir::func::FuncOp entry);

/// The first element, in row-major order, that is not as expected.
struct Mismatch {
  llvm::SmallVector<int64_t> index;
  /// Readable values, floats with all their digits.
  std::string actual, expected;
  /// Representable values between the two; none where it has no meaning.
  std::optional<uint64_t> ulps;
  /// Elements that are not as expected.
  int64_t count = 0;

  /// `element [1, 7] is 3, expected 4`, with distance and count.
  std::string str() const;
};

/// Compares two tensors, as bytes in memory (Literal::byteSize).
std::optional<Mismatch> findMismatch(const Expectation &expectation,
                                     mlir::RankedTensorType type,
                                     llvm::ArrayRef<char> actual,
                                     llvm::ArrayRef<char> expected);

} // namespace cleave::graph

#endif // CLEAVE_DIALECTS_GRAPH_EVALUATE_EXPECTATION_H
