//===- WindowText.h - Windowed ops as text -------------------- -*- C++ -*-===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A reduce_window or convolution has many attributes, of which a test says
// those that matter: what is not said is 1, no padding, not reversed.
//
//===----------------------------------------------------------------------===//

#ifndef CLEAVE_DIALECTS_GRAPH_TESTS_WINDOWTEXT_H
#define CLEAVE_DIALECTS_GRAPH_TESTS_WINDOWTEXT_H

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

namespace cleave::graph {

class WindowText {
public:
  using Ints = std::vector<int64_t>;

  WindowText &strides(Ints values) { return set(strideList, values); }
  /// Low and high of each dimension.
  WindowText &padding(Ints values) { return set(paddingList, values); }
  WindowText &baseDilations(Ints values) { return set(baseList, values); }
  WindowText &windowDilations(Ints values) { return set(windowList, values); }
  WindowText &reversal(Ints values) { return set(reversalList, values); }
  WindowText &featureGroups(int64_t count) {
    numFeatureGroups = count;
    return *this;
  }
  WindowText &batchGroups(int64_t count) {
    numBatchGroups = count;
    return *this;
  }

  /// `%r`: elements of `operand` in windows of these sizes, combined from
  /// `init` on by a binary op.
  std::string reduce(llvm::StringRef op, llvm::StringRef operand,
                     llvm::StringRef init, const Ints &sizes,
                     llvm::StringRef operandType,
                     llvm::StringRef resultType) const {
    std::string scalar =
        ("tensor<" + operandType.drop_front(operandType.rfind('x') + 1)).str();
    return ("%r = cleave.reduce_window(" + operand + ") init(" + init + ") {" +
            reduceAttributes(sizes) + "} : (" + operandType + ", " + scalar +
            ") -> " + resultType + " {\n  ^bb0(%acc: " + scalar + ", %elt: " +
            scalar + "):\n    %sum = cleave." + op + " %acc, %elt : " + scalar +
            "\n    cleave.return %sum : " + scalar + "\n  }")
        .str();
  }

  /// `%p:2`: the maximum of `values`, of f32, in windows of `size` elements,
  /// and the first of the `positions`, of i32, where it is.
  std::string reduceToMaximum(llvm::StringRef values, llvm::StringRef positions,
                              llvm::StringRef inits, int64_t size,
                              int64_t numElements, int64_t numWindows) const {
    auto both = [](int64_t count) {
      std::string shape = "tensor<" + llvm::itostr(count);
      return shape + "xf32>, " + shape + "xi32>";
    };
    return ("%p:2 = cleave.reduce_window(" + values + ", " + positions +
            ") init(" + inits + ") {" + reduceAttributes({size}) + "} : (" +
            both(numElements) + ", tensor<f32>, tensor<i32>) -> (" +
            both(numWindows) +
            ") {\n"
            "  ^bb0(%av: tensor<f32>, %ai: tensor<i32>, %ev: tensor<f32>, "
            "%ei: tensor<i32>):\n"
            "    %ge = cleave.compare GE, %av, %ev : (tensor<f32>, "
            "tensor<f32>) -> tensor<i1>\n"
            "    %rv = cleave.select %ge, %av, %ev : tensor<i1>, tensor<f32>\n"
            "    %ri = cleave.select %ge, %ai, %ei : tensor<i1>, tensor<i32>\n"
            "    cleave.return %rv, %ri : tensor<f32>, tensor<i32>\n"
            "  }")
        .str();
  }

  /// `%r`: the convolution of two values. The dimensions of operand, kernel and
  /// result are letters: b and f of batch and feature, i and o of input and
  /// output feature, and digits of the spatial ones, as in "b01f", "01io",
  /// "b01f".
  std::string convolve(llvm::StringRef lhsDims, llvm::StringRef kernelDims,
                       llvm::StringRef resultDims, llvm::StringRef lhs,
                       llvm::StringRef kernel, llvm::StringRef lhsType,
                       llvm::StringRef kernelType,
                       llvm::StringRef resultType) const {
    size_t rank = lhsDims.size() - 2;
    auto spatial = [&](llvm::StringRef dims) {
      Ints places;
      for (size_t i = 0; i < rank; ++i)
        places.push_back(dims.find(char('0' + i)));
      return list(places);
    };
    auto place = [](llvm::StringRef dims, char letter) {
      return llvm::utostr(dims.find(letter));
    };
    return ("%r = cleave.convolution " + lhs + ", " + kernel +
            " {window_strides = " + list(orElse(strideList, rank, 1)) +
            ", padding = " + list(orElse(paddingList, 2 * rank, 0)) +
            ", lhs_dilation = " + list(orElse(baseList, rank, 1)) +
            ", rhs_dilation = " + list(orElse(windowList, rank, 1)) +
            ", window_reversal = " + flags(orElse(reversalList, rank, 0)) +
            ", input_batch_dimension = " + place(lhsDims, 'b') +
            ", input_feature_dimension = " + place(lhsDims, 'f') +
            ", input_spatial_dimensions = " + spatial(lhsDims) +
            ", kernel_input_feature_dimension = " + place(kernelDims, 'i') +
            ", kernel_output_feature_dimension = " + place(kernelDims, 'o') +
            ", kernel_spatial_dimensions = " + spatial(kernelDims) +
            ", output_batch_dimension = " + place(resultDims, 'b') +
            ", output_feature_dimension = " + place(resultDims, 'f') +
            ", output_spatial_dimensions = " + spatial(resultDims) +
            ", feature_group_count = " + llvm::itostr(numFeatureGroups) +
            ", batch_group_count = " + llvm::itostr(numBatchGroups) + "} : (" +
            lhsType + ", " + kernelType + ") -> " + resultType)
        .str();
  }

  /// The same, with channels last.
  std::string convolve(llvm::StringRef lhs, llvm::StringRef kernel,
                       llvm::StringRef lhsType, llvm::StringRef kernelType,
                       llvm::StringRef resultType) const {
    std::string digits = std::string("0123").substr(0, lhsType.count('x') - 2);
    std::string ends = "b" + digits + "f";
    return convolve(ends, digits + "io", ends, lhs, kernel, lhsType, kernelType,
                    resultType);
  }

private:
  std::string reduceAttributes(const Ints &sizes) const {
    size_t rank = sizes.size();
    return "window_dimensions = " + list(sizes) +
           ", window_strides = " + list(orElse(strideList, rank, 1)) +
           ", base_dilations = " + list(orElse(baseList, rank, 1)) +
           ", window_dilations = " + list(orElse(windowList, rank, 1)) +
           ", padding = " + list(orElse(paddingList, 2 * rank, 0));
  }
  WindowText &set(Ints &list, const Ints &values) {
    list = values;
    return *this;
  }
  static Ints orElse(const Ints &values, size_t count, int64_t absent) {
    return values.empty() ? Ints(count, absent) : values;
  }
  static std::string list(const Ints &values) {
    return values.empty()
               ? "array<i64>"
               : "array<i64: " + llvm::join(texts(values), ", ") + ">";
  }
  static std::string flags(const Ints &values) {
    std::vector<std::string> words;
    for (int64_t value : values)
      words.push_back(value ? "true" : "false");
    return words.empty() ? "array<i1>"
                         : "array<i1: " + llvm::join(words, ", ") + ">";
  }
  static std::vector<std::string> texts(const Ints &values) {
    std::vector<std::string> words;
    for (int64_t value : values)
      words.push_back(llvm::itostr(value));
    return words;
  }

  Ints strideList, paddingList, baseList, windowList, reversalList;
  int64_t numFeatureGroups = 1, numBatchGroups = 1;
};

} // namespace cleave::graph

#endif // CLEAVE_DIALECTS_GRAPH_TESTS_WINDOWTEXT_H
