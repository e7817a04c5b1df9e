// exp2 and log2, exact for integers and powers of two, subnormal ones too.
// RUN: %cleave check %s | FileCheck %s
// RUN: %cleave check %s --mesh x=2 --shard random:1 | FileCheck %s
// RUN: %cleave check %s --math wide | FileCheck %s
// CHECK: 6 passed, 0 failed, 0 skipped

func.func @exact() {
  %x = stablehlo.constant dense<[0.0, -0.0, 1.0, -1.0, 127.0, 128.0, -126.0, -149.0, -151.0, 0x7F800000, 0xFF800000, 0x7FC00000]> : tensor<12xf32>
  %0 = stablehlo.exp2 %x : tensor<12xf32>
  check.expect_eq_const %0, dense<[1.0, 1.0, 2.0, 0.5, 1.70141183E+38, 0x7F800000, 1.17549435E-38, 1.40129846E-45, 0.0, 0x7F800000, 0.0, 0x7FC00000]> : tensor<12xf32>
  %y = stablehlo.constant dense<[1.0, 2.0, 0.5, 1.70141183E+38, 1.17549435E-38, 1.40129846E-45, 0.0, -0.0, 0x7F800000, -1.0, 0xFF800000, 0x7FC00000]> : tensor<12xf32>
  %1 = stablehlo.log2 %y : tensor<12xf32>
  check.expect_eq_const %1, dense<[0.0, 1.0, -1.0, 127.0, -126.0, -149.0, 0xFF800000, 0xFF800000, 0x7F800000, 0x7FC00000, 0x7FC00000, 0x7FC00000]> : tensor<12xf32>
  return
}

// -----

func.func @wide() {
  %x = stablehlo.constant dense<[3.0, -1074.0, 1023.0, 1024.0, -1076.0]> : tensor<5xf64>
  %0 = stablehlo.exp2 %x : tensor<5xf64>
  check.expect_eq_const %0, dense<[8.0, 4.9406564584124654E-324, 8.9884656743115795E+307, 0x7FF0000000000000, 0.0]> : tensor<5xf64>
  %1 = stablehlo.log2 %0 : tensor<5xf64>
  check.expect_eq_const %1, dense<[3.0, -1074.0, 1023.0, 0x7FF0000000000000, 0xFFF0000000000000]> : tensor<5xf64>
  return
}

// -----

func.func @between() {
  %x = stablehlo.constant dense<[0.3, -1.5, 1023.5, -1070.25]> : tensor<4xf64>
  %0 = stablehlo.exp2 %x {result_accuracy = #stablehlo.result_accuracy<mode = #stablehlo.result_accuracy_mode<HIGHEST>>} : tensor<4xf64>
  %e = stablehlo.constant dense<[1.2311444133449163, 0.3535533905932738, 1.2711610061536464E+308, 6.4E-323]> : tensor<4xf64>
  check.expect_close %0, %e : tensor<4xf64>, tensor<4xf64>
  %y = stablehlo.constant dense<[0.3, 1.0000000000000002, 1.0E+300, 3.0E-310]> : tensor<4xf64>
  %1 = stablehlo.log2 %y : tensor<4xf64>
  %f = stablehlo.constant dense<[-1.7369655941662063, 3.203426503814917E-16, 996.5784284662087, -1028.212746914361]> : tensor<4xf64>
  check.expect_close %1, %f : tensor<4xf64>, tensor<4xf64>
  return
}

// -----

// Narrow floats are computed wider and rounded once.
func.func @narrow() {
  %x = stablehlo.constant dense<[-24.0, 15.0, 0.5, 16.0]> : tensor<4xf16>
  %0 = stablehlo.exp2 %x : tensor<4xf16>
  check.expect_eq_const %0, dense<[5.9604645E-8, 32768.0, 1.4140625, 0x7C00]> : tensor<4xf16>
  %y = stablehlo.constant dense<[3.0, 0.25]> : tensor<2xbf16>
  %1 = stablehlo.log2 %y : tensor<2xbf16>
  check.expect_eq_const %1, dense<[1.5859375, -2.0]> : tensor<2xbf16>
  %z = stablehlo.constant dense<[3.0, 0.5]> : tensor<2xf8E5M2>
  %2 = stablehlo.exp2 %z : tensor<2xf8E5M2>
  check.expect_eq_const %2, dense<[8.0, 1.5]> : tensor<2xf8E5M2>
  return
}

// -----

// 2^z turns by y log 2, of which more digits are taken than a number has.
func.func @complex_exp2() {
  %z = stablehlo.constant dense<[(3.0, 0.0), (0.5, -2.0), (-1.25, 7.75), (1023.9, 1.0E-3), (1100.0, 1.0E-40), (-1000.0, 1.0E+5), (2.0, 1.0E+10), (0xFFF0000000000000, 2.0)]> : tensor<8xcomplex<f64>>
  %0 = stablehlo.exp2 %z : tensor<8xcomplex<f64>>
  %e = stablehlo.constant dense<[(8.0, 0.0), (0.2594473417939156, -1.3902111626785592), (0.25761832841251764, -0.3322792382358204), (1.6773066005521552E+308, 1.1626205273021643E+305), (0x7FF0000000000000, 9.415007957693027E+290), (1.7492012717105524E-302, -9.167245664495872E-302), (0.3328238159697435, -3.9861294895579267), (0.0, 0.0)]> : tensor<8xcomplex<f64>>
  check.expect_close %0, %e : tensor<8xcomplex<f64>>, tensor<8xcomplex<f64>>
  return
}

// -----

func.func @complex_log2() {
  %z = stablehlo.constant dense<[(8.0, 0.0), (0.0, -0.25), (0.6, 0.8), (-1.0E+300, 1.0E+300), (4.9406564584124654E-324, 4.9406564584124654E-324), (1.0, 1.0E-9), (-4.0, 0.0)]> : tensor<7xcomplex<f64>>
  %0 = stablehlo.log2 %z : tensor<7xcomplex<f64>>
  %e = stablehlo.constant dense<[(3.0, 0.0), (-2.0, -2.266180070913597), (3.203426503814918E-17, 1.3378042124509764), (997.0784284662087, 3.399270106370395), (-1073.5, 1.1330900354567985), (7.213475204444818E-19, 1.4426950408889636E-9), (2.0, 4.532360141827194)]> : tensor<7xcomplex<f64>>
  check.expect_close %0, %e : tensor<7xcomplex<f64>>, tensor<7xcomplex<f64>>
  return
}
