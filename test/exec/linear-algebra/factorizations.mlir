// Batches of matrices cut or not: what a rank computes is what one rank computes,
// to the bit. A matrix that is cut is gathered, with the cause.
//
// RUN: rm -rf %t && mkdir %t
// RUN: %cleave run %s --random-inputs 1 --output-dir %t/one
// RUN: %cleave run %s --random-inputs 1 --output-dir %t/two --mesh data=2 --shard 'a=data,-,-' --shard 's=data,-,-'
// RUN: %cleave run %s --random-inputs 1 --output-dir %t/three --mesh data=3 --shard 'a=data,-,-' --shard 's=data,-,-'
// RUN: %cleave run %s --random-inputs 1 --output-dir %t/rows --mesh rows=2 --shard 'a=-,rows,-' --shard 's=-,-,rows'
// RUN: diff -r %t/one %t/two
// RUN: diff -r %t/one %t/three
// RUN: diff -r %t/one %t/rows
// RUN: %cleave verify %s --random-inputs 2 --mesh data=2 --shard 'a=data,-,-' --shard 's=data,-,-' | FileCheck %s
// RUN: %cleave verify %s --random-inputs 3 --mesh rows=2,data=2 --shard 'a=data,rows,-' --shard random:4 | FileCheck %s
// RUN: %cleave verify %s --random-inputs 4 --math wide | FileCheck %s
// RUN: %cleave explain %s --mesh data=3 --shard 'a=data,-,-' --shard 's=data,-,-' | FileCheck %s --check-prefix=BATCH
// RUN: %cleave explain %s --mesh rows=2 --shard 'a=-,rows,-' | FileCheck %s --check-prefix=ROWS
// RUN: not %cleave compile %s --target cuda:sm_90 -o %t/gpu 2>&1 | FileCheck %s --check-prefix=GPU
// CHECK: verified 20 of 20 outputs
// BATCH: total: 0 collectives
// ROWS: all_gather {{ *}}rows
// GPU: is computed by a function of the host's library, which target cuda does not have

func.func @main(%a: tensor<5x7x4xf32> {cleave.name = "a"}, %s: tensor<5x6x6xf32> {cleave.name = "s"})
    -> (tensor<5x7x4xf32>, tensor<5x4xi32>, tensor<5x7xi32>, tensor<5x7x4xf32>, tensor<5x4xf32>, tensor<5x7x4xf32>,
        tensor<5x6x6xf32>, tensor<5x6xf32>, tensor<5x4xf32>, tensor<5x7x7xf32>, tensor<5x4x4xf32>,
        tensor<5x6x6xf32>, tensor<5x5xf32>, tensor<5x6x6xf32>, tensor<5x6xf32>, tensor<5x6xf32>, tensor<5x6x6xf32>,
        tensor<5x6x6xf32>, tensor<5x6x6xf32>, tensor<5x6x6xf32>) {
  %lu, %pivots = cleave.lu %a : (tensor<5x7x4xf32>) -> (tensor<5x7x4xf32>, tensor<5x4xi32>)
  %order = cleave.pivots_to_permutation %pivots : (tensor<5x4xi32>) -> tensor<5x7xi32>
  %qr, %tau = cleave.qr %a : (tensor<5x7x4xf32>) -> (tensor<5x7x4xf32>, tensor<5x4xf32>)
  %q = cleave.householder_product (%qr) (%tau) : (tensor<5x7x4xf32>, tensor<5x4xf32>) -> tensor<5x7x4xf32>
  %v, %w = cleave.eigh lower %s : (tensor<5x6x6xf32>) -> (tensor<5x6x6xf32>, tensor<5x6xf32>)
  %values, %u, %vh = cleave.svd full %a : (tensor<5x7x4xf32>) -> (tensor<5x4xf32>, tensor<5x7x7xf32>, tensor<5x4x4xf32>)
  %h, %htau = cleave.hessenberg %s : (tensor<5x6x6xf32>) -> (tensor<5x6x6xf32>, tensor<5x5xf32>)
  %t, %d, %e, %ttau = cleave.tridiagonal %s : (tensor<5x6x6xf32>) -> (tensor<5x6x6xf32>, tensor<5x6xf32>, tensor<5x5xf32>, tensor<5x5xf32>)
  %re, %im, %vre, %vim = cleave.eig right %s : (tensor<5x6x6xf32>) -> (tensor<5x6xf32>, tensor<5x6xf32>, tensor<5x6x6xf32>, tensor<5x6x6xf32>)
  %schur, %sq = cleave.schur %s : (tensor<5x6x6xf32>) -> (tensor<5x6x6xf32>, tensor<5x6x6xf32>)
  return %lu, %pivots, %order, %qr, %tau, %q, %v, %w, %values, %u, %vh, %h, %htau, %t, %d, %re, %vre, %vim, %schur, %sq
    : tensor<5x7x4xf32>, tensor<5x4xi32>, tensor<5x7xi32>, tensor<5x7x4xf32>, tensor<5x4xf32>, tensor<5x7x4xf32>,
      tensor<5x6x6xf32>, tensor<5x6xf32>, tensor<5x4xf32>, tensor<5x7x7xf32>, tensor<5x4x4xf32>,
      tensor<5x6x6xf32>, tensor<5x5xf32>, tensor<5x6x6xf32>, tensor<5x6xf32>, tensor<5x6xf32>, tensor<5x6x6xf32>,
      tensor<5x6x6xf32>, tensor<5x6x6xf32>, tensor<5x6x6xf32>
}
