// A NaN or an infinity makes all factors of its matrix NaN, and exchanges no rows: LU of a matrix with a NaN had it
// in other places than the reference, since where it gets to depends on the algorithm.
//
// RUN: %cleave verify %s --random-inputs 1 --mesh x=3 --shard a=x,-,- | FileCheck %s
// CHECK-COUNT-18: ok{{$}}
// CHECK: verified 18 of 18
// RUN: rm -rf %t && mkdir %t
// RUN: %cleave run %s --random-inputs 1 --output-dir %t
// RUN: %python -c "import numpy as np; \
// RUN:   load = lambda name: np.load(r'%t/' + name + '.npy'); \
// RUN:   [(np.testing.assert_array_equal(np.isnan(load(name)).all((-1, -2)[:load(name).ndim - 1]), [False, True, True, False]), \
// RUN:     np.testing.assert_array_equal(np.isfinite(load(name)).all((-1, -2)[:load(name).ndim - 1]), [True, False, False, True])) \
// RUN:     for name in 'lu clu clui qr tau q pqr ptau h htau t d e ttau'.split()]; \
// RUN:   np.testing.assert_array_equal(load('pivots')[1:3], [range(5)] * 2); \
// RUN:   np.testing.assert_array_equal(load('order')[1:3], [[2, 4, 0, 3, 1]] * 2); \
// RUN:   np.testing.assert_array_equal(np.isnan(load('x')).all(1), np.isnan(load('x')).any(1)); \
// RUN:   np.testing.assert_array_equal(np.isnan(load('x')).any(1)[:, 2], [False, True, True, False]); \
// RUN:   assert np.isnan(load('x')).sum() == 14"

func.func @main(%a: tensor<4x7x5xf32> {cleave.name = "a"}, %i: tensor<4x7x5xf32> {cleave.name = "i"})
    -> (tensor<4x7x5xf32> {cleave.name = "lu"}, tensor<4x5xi32> {cleave.name = "pivots"},
        tensor<4x7x5xf32> {cleave.name = "clu"}, tensor<4x7x5xf32> {cleave.name = "clui"}, tensor<4x5xi32> {cleave.name = "cpivots"},
        tensor<4x7x5xf32> {cleave.name = "qr"}, tensor<4x5xf32> {cleave.name = "tau"}, tensor<4x7x5xf32> {cleave.name = "q"},
        tensor<4x7x5xf32> {cleave.name = "pqr"}, tensor<4x5xi32> {cleave.name = "order"}, tensor<4x5xf32> {cleave.name = "ptau"},
        tensor<4x5x5xf32> {cleave.name = "h"}, tensor<4x4xf32> {cleave.name = "htau"},
        tensor<4x5x5xf32> {cleave.name = "t"}, tensor<4x5xf32> {cleave.name = "d"}, tensor<4x4xf32> {cleave.name = "e"},
        tensor<4x4xf32> {cleave.name = "ttau"}, tensor<4x7x5xf32> {cleave.name = "x"}) {
  // Number (4, 2) of matrix 1 is NaN, that of matrix 2 an infinity: below the diagonal, and in the triangle that is read.
  %matrix = cleave.iota dim = 0 : tensor<4x7x5xi32>
  %row = cleave.iota dim = 1 : tensor<4x7x5xi32>
  %column = cleave.iota dim = 2 : tensor<4x7x5xi32>
  %one = cleave.constant dense<1> : tensor<4x7x5xi32>
  %two = cleave.constant dense<2> : tensor<4x7x5xi32>
  %four = cleave.constant dense<4> : tensor<4x7x5xi32>
  %nan = cleave.constant dense<0x7FC00000> : tensor<4x7x5xf32>
  %infinity = cleave.constant dense<0x7F800000> : tensor<4x7x5xf32>
  %isRow = cleave.compare EQ, %row, %four : (tensor<4x7x5xi32>, tensor<4x7x5xi32>) -> tensor<4x7x5xi1>
  %isColumn = cleave.compare EQ, %column, %two : (tensor<4x7x5xi32>, tensor<4x7x5xi32>) -> tensor<4x7x5xi1>
  %isOne = cleave.compare EQ, %matrix, %one : (tensor<4x7x5xi32>, tensor<4x7x5xi32>) -> tensor<4x7x5xi1>
  %isTwo = cleave.compare EQ, %matrix, %two : (tensor<4x7x5xi32>, tensor<4x7x5xi32>) -> tensor<4x7x5xi1>
  %isPlace = cleave.and %isRow, %isColumn : tensor<4x7x5xi1>
  %isNan = cleave.and %isPlace, %isOne : tensor<4x7x5xi1>
  %isInfinite = cleave.and %isPlace, %isTwo : tensor<4x7x5xi1>
  %0 = cleave.select %isNan, %nan, %a : tensor<4x7x5xi1>, tensor<4x7x5xf32>
  %b = cleave.select %isInfinite, %infinity, %0 : tensor<4x7x5xi1>, tensor<4x7x5xf32>
  %s = cleave.slice %b [0:4, 0:5, 0:5] : (tensor<4x7x5xf32>) -> tensor<4x5x5xf32>

  %lu, %pivots = cleave.lu %b : (tensor<4x7x5xf32>) -> (tensor<4x7x5xf32>, tensor<4x5xi32>)
  // NaN in one part of a complex matrix.
  %clu:2, %cpivots = cleave.lu %i, %b : (tensor<4x7x5xf32>, tensor<4x7x5xf32>) -> (tensor<4x7x5xf32>, tensor<4x7x5xf32>, tensor<4x5xi32>)
  %qr, %tau = cleave.qr %b : (tensor<4x7x5xf32>) -> (tensor<4x7x5xf32>, tensor<4x5xf32>)
  %whole = cleave.slice %i [0:4, 0:1, 0:5] : (tensor<4x7x5xf32>) -> tensor<4x1x5xf32>
  %taus = cleave.reshape %whole : (tensor<4x1x5xf32>) -> tensor<4x5xf32>
  %q = cleave.householder_product (%b) (%taus) : (tensor<4x7x5xf32>, tensor<4x5xf32>) -> tensor<4x7x5xf32>
  %front = cleave.constant dense<[0, 0, 1, 0, 1]> : tensor<5xi32>
  %fronts = cleave.broadcast_in_dim %front, dims = [1] : (tensor<5xi32>) -> tensor<4x5xi32>
  %pqr, %order, %ptau = cleave.pivoted_qr (%b) front (%fronts) : (tensor<4x7x5xf32>, tensor<4x5xi32>) -> (tensor<4x7x5xf32>, tensor<4x5xi32>, tensor<4x5xf32>)
  %h, %htau = cleave.hessenberg %s : (tensor<4x5x5xf32>) -> (tensor<4x5x5xf32>, tensor<4x4xf32>)
  %t, %d, %e, %ttau = cleave.tridiagonal lower %s : (tensor<4x5x5xf32>) -> (tensor<4x5x5xf32>, tensor<4x5xf32>, tensor<4x4xf32>, tensor<4x4xf32>)
  // Of equations with three diagonals it is one column of b.
  %ends = cleave.slice %i [0:4, 0:7, 0:3] : (tensor<4x7x5xf32>) -> tensor<4x7x3xf32>
  %d0 = cleave.slice %ends [0:4, 0:7, 0:1] : (tensor<4x7x3xf32>) -> tensor<4x7x1xf32>
  %d1 = cleave.slice %ends [0:4, 0:7, 1:2] : (tensor<4x7x3xf32>) -> tensor<4x7x1xf32>
  %d2 = cleave.slice %ends [0:4, 0:7, 2:3] : (tensor<4x7x3xf32>) -> tensor<4x7x1xf32>
  %dl = cleave.reshape %d0 : (tensor<4x7x1xf32>) -> tensor<4x7xf32>
  %dd = cleave.reshape %d1 : (tensor<4x7x1xf32>) -> tensor<4x7xf32>
  %du = cleave.reshape %d2 : (tensor<4x7x1xf32>) -> tensor<4x7xf32>
  %x = cleave.tridiagonal_solve (%dl) (%dd) (%du) (%b)
    : (tensor<4x7xf32>, tensor<4x7xf32>, tensor<4x7xf32>, tensor<4x7x5xf32>) -> tensor<4x7x5xf32>
  return %lu, %pivots, %clu#0, %clu#1, %cpivots, %qr, %tau, %q, %pqr, %order, %ptau, %h, %htau, %t, %d, %e, %ttau, %x
    : tensor<4x7x5xf32>, tensor<4x5xi32>, tensor<4x7x5xf32>, tensor<4x7x5xf32>, tensor<4x5xi32>, tensor<4x7x5xf32>, tensor<4x5xf32>, tensor<4x7x5xf32>,
      tensor<4x7x5xf32>, tensor<4x5xi32>, tensor<4x5xf32>, tensor<4x5x5xf32>, tensor<4x4xf32>,
      tensor<4x5x5xf32>, tensor<4x5xf32>, tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x7x5xf32>
}
