//===- SpecialCoefficients.h - Polynomials of special functions -*- C++ -*-===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Written by scripts/fit-special-functions. Coefficients of 1, t, t^2, ...
//
//===----------------------------------------------------------------------===//

#ifndef CLEAVE_PASSES_CODEGEN_KERNELS_SPECIALCOEFFICIENTS_H
#define CLEAVE_PASSES_CODEGEN_KERNELS_SPECIALCOEFFICIENTS_H

namespace cleave::codegen {

/// The positive root of digamma is the sum of both.
inline constexpr double digammaRoot = 0x1.762d86356be3fp+0;
inline constexpr double digammaRootRest = 0x1.b86a722197829p-54;

/// digamma(y) / (y - root), t = 2 y - 3, for y in [1, 2]: relative error below
/// 4e-18.
inline constexpr double digammaOverRoot[] = {
    0x1.e6f0cbb873616p-1,   -0x1.b1cb63005ee98p-3,  0x1.eca189b8e6f6dp-5,
    -0x1.2feeeb98a78eap-6,  0x1.8512e5903903ep-8,   -0x1.fb44202a2306bp-10,
    0x1.4de9aa1779d23p-11,  -0x1.b9f8b11bfd3d0p-13, 0x1.2564717896ec6p-14,
    -0x1.863563f44f303p-16, 0x1.03c0adafa529cp-17,  -0x1.5a06a5d662cb4p-19,
    0x1.cd2011454fd05p-21,  -0x1.336dbe66757c8p-22, 0x1.99d3f5c0cad5ep-24,
    -0x1.0fb38d217b800p-25, 0x1.6a3e76070c135p-27,  -0x1.fd8e50abf2196p-29,
    0x1.53b23429da21bp-30,  -0x1.2fae5cb379bf2p-32, 0x1.94e73cc9821e1p-34,
    -0x1.75c084e78a4cdp-34, 0x1.f255c4568ac4dp-36};

/// lgamma(y) / ((y - 1) (y - 2)), t = y - 2, for y in [1, 3]: relative error
/// below 9e-19.
inline constexpr double lgammaOverRoots[] = {
    0x1.b0ee6072093cep-2,   -0x1.9ae6509ea109fp-4,  0x1.0e0c9df293525p-5,
    -0x1.95ce223a9cba8p-7,  0x1.47974853abda1p-8,   -0x1.145121f99f241p-9,
    0x1.dfebcf8ce84efp-11,  -0x1.a96a400f04428p-12, 0x1.7ed7340cdbd34p-13,
    -0x1.5c86b6c31d38bp-14, 0x1.402f02c6e2337p-15,  -0x1.2850452e8f9f0p-16,
    0x1.13e5624472395p-17,  -0x1.0231c567dfc46p-18, 0x1.e530e90d03975p-20,
    -0x1.c9c48925b7cd9p-21, 0x1.b36c465762259p-22,  -0x1.9d70903c5f5cep-23,
    0x1.77f6e532bc6adp-24,  -0x1.666b3835d636fp-25, 0x1.c155065d0c524p-26,
    -0x1.afe668ca49dd1p-27, -0x1.7781521a68fe3p-31, 0x1.8d4b5e576edfap-32,
    0x1.4fbf3b930d20cp-28,  -0x1.4615c270018fap-29, -0x1.7a59c84291a84p-30,
    0x1.70a6dbd17088fp-31,  0x1.d0a7cb6631101p-32,  -0x1.c3bb8ca5b5f4dp-33};

/// bessel_i1e(x) / x, t = x / 4 - 1, for x in [0, 8]: relative error below
/// 2e-17.
inline constexpr double besselI1eSmall[] = {
    0x1.6e14eb8e5d319p-5,   -0x1.f4bb071a7752ap-5,  0x1.16c390ddb08edp-4,
    -0x1.1881379ffb627p-4,  0x1.0530f817ff9fcp-4,   -0x1.c4daa5133fb98p-5,
    0x1.6df95e8be0c47p-5,   -0x1.13d5f358ccda3p-5,  0x1.84125b0d13a2ap-6,
    -0x1.fe3d9bfac793cp-7,  0x1.3a0c1a021d4e6p-7,   -0x1.6ab6a3e67aad6p-8,
    0x1.89f8a67329811p-9,   -0x1.93681fb46e1cap-10, 0x1.8656c3457cd2bp-11,
    -0x1.65bfbdc51c701p-12, 0x1.3742f9b2f5b02p-13,  -0x1.01a11a7a8dff7p-14,
    0x1.96942f24ec5d6p-16,  -0x1.32923121b37e5p-17, 0x1.ba0fc13069d74p-19,
    -0x1.300fe978e9508p-20, 0x1.93e9a08b4d036p-22,  -0x1.0acdeab55f889p-23,
    0x1.459211f49b902p-25,  -0x1.34c8bcd8ddda0p-27, 0x1.6b6f1c670609fp-29,
    -0x1.856439397efd0p-30, 0x1.937c2c973bbafp-32};

/// bessel_i1e(x) sqrt(x), t = 16 / x - 1, for x >= 8: relative error below
/// 7e-18.
inline constexpr double besselI1eLarge[] = {
    0x1.8ebe783a84030p-2,   -0x1.3f796198ee63fp-7,  -0x1.cbc54df1e894cp-13,
    -0x1.f89c230446f74p-17, -0x1.ec8e107bd7eaap-20, -0x1.7613865ea6e9ap-22,
    -0x1.ad8d43e5d60bep-24, -0x1.727702ec186d3p-25, -0x1.9191ff33370adp-26,
    -0x1.21f47a4eb566bp-27, 0x1.ceff3cea7c3a4p-28,  0x1.e413f0678e137p-27,
    0x1.99d190fe908dap-28,  -0x1.0c96c7afcb02cp-27, -0x1.0e2bb88351649p-27,
    0x1.05656ba38c1b6p-28,  0x1.aa440cf09ce30p-28,  -0x1.11c9f66d690fcp-29,
    -0x1.01ef463d9c576p-28, 0x1.268bd450a314cp-30,  0x1.c7aed1ee533f7p-30,
    -0x1.07d06c81c1d24p-31, -0x1.fff33f3b3e75ap-32, 0x1.37bea5c8dbcccp-33,
    0x1.0ddc7620a9205p-34,  -0x1.5a29b473f1663p-36};

/// erf_inv(x) / x, w = -log(1 - x^2), t = w / 3.125 - 1, for w in [0, 6.25]:
/// relative error below 2e-19.
inline constexpr double erfInvCenter[] = {
    0x1.a755e7c99ae86p+0,   0x1.8040caa12786bp-1,   -0x1.e2b19456a07d0p-5,
    -0x1.7259eca3a0c20p-6,  0x1.23c5aee6b6363p-6,   -0x1.0f249df1f9906p-8,
    -0x1.4d5dd2cf06e4ap-10, 0x1.4316b4e551c2ap-10,  -0x1.153ca2da49356p-12,
    -0x1.ea4476b66cad9p-14, 0x1.879c82fad908ap-14,  -0x1.f83df42917a99p-17,
    -0x1.79bd23b3a5b17p-17, 0x1.de7655158feedp-18,  -0x1.6ec3fa721aa21p-21,
    -0x1.1c1de3d91fbd1p-20, 0x1.20f2ba885692ap-21,  -0x1.8bd3fcbe731e0p-27,
    -0x1.a01819564b4ffp-24, 0x1.5ba507cfefd49p-25,  0x1.a03ddbd2c87bfp-29,
    -0x1.42bdf27e100cbp-27, 0x1.6bdfb94a65280p-29,  0x1.2699972c68c8bp-30,
    -0x1.71bdfbe6092e6p-31, -0x1.ab583ff0a99f8p-35, 0x1.1ac32da03e24ep-34};

/// the same, s = sqrt(w), t = (s - 3.25) / 0.75, for s in [2.5, 4]: relative
/// error below 1e-19.
inline constexpr double erfInvTail[] = {
    0x1.8abcc380d5a48p+1,   0x1.8204fa4162bfep-1,   0x1.8bfc9e26da6b4p-9,
    -0x1.9eda88e4ecb97p-10, 0x1.9d4ce3863e289p-11,  -0x1.a418d38f57f00p-12,
    0x1.63d0370e94b43p-13,  -0x1.8d8d2c059a01ap-15, 0x1.42e8e547530dap-19,
    0x1.581688c119fa8p-18,  -0x1.65a9ad0dc6236p-19, 0x1.1aa6f2b81cfeap-21,
    0x1.8eff50c61fb03p-24,  -0x1.96d9ab62cc9d6p-24, 0x1.c5571c9c17712p-26,
    -0x1.603cb03642858p-32, -0x1.502e102df8913p-29, 0x1.054b45c86b272p-30,
    -0x1.1cae8e8ca9d0cp-33, -0x1.a2ff0a18929c4p-35, 0x1.03808dde8c848p-35,
    -0x1.c8aa595791348p-39, -0x1.149743ae9722cp-40};

/// the same, t = (s - 5.125) / 1.125, for s in [4, 6.25]: relative error below
/// 5e-20.
inline constexpr double erfInvFarTail[] = {
    0x1.3e79eb73b06f4p+2,   0x1.22f42cba319dcp+0,   -0x1.1a24434a2361bp-12,
    -0x1.0ca5c8d783fd9p-12, 0x1.b29f5df252488p-14,  -0x1.f59052ac31cdap-16,
    0x1.fdda939bcdc6fp-18,  -0x1.e7793eb5e2a4dp-20, 0x1.d2927ff5d3330p-22,
    -0x1.0195bb4bf97f5p-23, 0x1.93dfa5d8e096dp-25,  -0x1.b5d39ea2981a8p-26,
    0x1.0178b7e5c60e4p-26,  -0x1.186b99d7aa194p-27, 0x1.0779f1b6133ebp-28,
    -0x1.9229d7bae2144p-30, 0x1.c0087c8ecff83p-32,  -0x1.c96756d56101dp-35,
    -0x1.10c46c4923e9cp-35, 0x1.1d8aec421ef04p-35,  -0x1.c4cab6b7a4089p-37,
    0x1.0efe4fc5a8e59p-41,  0x1.9fe4a2767f974p-41};

} // namespace cleave::codegen

#endif // CLEAVE_PASSES_CODEGEN_KERNELS_SPECIALCOEFFICIENTS_H
