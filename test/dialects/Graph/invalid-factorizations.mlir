// RUN: cleave-opt %s --split-input-file -verify-diagnostics

func.func @f(%x: tensor<5x3xf32>) {
  // expected-error@+1 {{'cleave.lu' op pivots has type 'tensor<5xi32>': should be 'tensor<3xi32>'}}
  cleave.lu %x : (tensor<5x3xf32>) -> (tensor<5x3xf32>, tensor<5xi32>)
  return
}

// -----

func.func @f(%x: tensor<5x3xf32>) {
  // expected-error@+1 {{'cleave.lu' op has 3 results: should have 2}}
  cleave.lu %x : (tensor<5x3xf32>) -> (tensor<5x3xf32>, tensor<5x3xf32>, tensor<3xi32>)
  return
}

// -----

func.func @f(%x: tensor<2x3xi32>) {
  // expected-error@+1 {{'cleave.pivots_to_permutation' op permutation has type 'tensor<2x2xi32>': should be 'tensor<2x3xi32>'}}
  cleave.pivots_to_permutation %x : (tensor<2x3xi32>) -> tensor<2x2xi32>
  return
}

// -----

func.func @f(%x: tensor<3xf32>) {
  // expected-error@+1 {{'cleave.qr' op matrix has type 'tensor<3xf32>': should have at least 2 dimensions}}
  cleave.qr %x : (tensor<3xf32>) -> (tensor<3xf32>, tensor<1xf32>)
  return
}

// -----

func.func @f(%x: tensor<5x3xf32>) {
  // expected-error@+1 {{'cleave.qr' op taus has type 'tensor<2xf32>': should be 'tensor<3xf32>'}}
  cleave.qr %x : (tensor<5x3xf32>) -> (tensor<5x3xf32>, tensor<2xf32>)
  return
}

// -----

func.func @f(%x: tensor<5x3xf32>, %front: tensor<5xi32>) {
  // expected-error@+1 {{'cleave.pivoted_qr' op front has type 'tensor<5xi32>': should be 'tensor<3xi32>'}}
  cleave.pivoted_qr (%x) front (%front) : (tensor<5x3xf32>, tensor<5xi32>) -> (tensor<5x3xf32>, tensor<3xi32>, tensor<3xf32>)
  return
}

// -----

func.func @f(%x: tensor<3x5xf32>, %t: tensor<3xf32>) {
  // expected-error@+1 {{'cleave.householder_product' op has 3 reflections for matrices of 3 x 5: should have at most as many as columns, and these at most as many as rows}}
  cleave.householder_product (%x) (%t) : (tensor<3x5xf32>, tensor<3xf32>) -> tensor<3x5xf32>
  return
}

// -----

func.func @f(%x: tensor<3x5xf32>) {
  // expected-error@+1 {{'cleave.hessenberg' op dimension 1 of matrix has 5 elements: should have 3, like dimension 0}}
  cleave.hessenberg %x : (tensor<3x5xf32>) -> (tensor<3x5xf32>, tensor<2xf32>)
  return
}

// -----

func.func @f(%x: tensor<3x3xf32>) {
  // expected-error@+1 {{'cleave.tridiagonal' op diagonal has type 'tensor<2xf32>': should be 'tensor<3xf32>'}}
  cleave.tridiagonal lower %x : (tensor<3x3xf32>) -> (tensor<3x3xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>)
  return
}

// -----

func.func @f(%x: tensor<3x3xf32>) {
  // expected-error@+1 {{'cleave.eigh' op values has type 'tensor<3x3xf32>': should be 'tensor<3xf32>'}}
  cleave.eigh %x : (tensor<3x3xf32>) -> (tensor<3x3xf32>, tensor<3x3xf32>)
  return
}

// -----

func.func @f(%x: tensor<5x3xf32>) {
  // expected-error@+1 {{'cleave.svd' op u has type 'tensor<5x3xf32>': should be 'tensor<5x5xf32>'}}
  cleave.svd full %x : (tensor<5x3xf32>) -> (tensor<3xf32>, tensor<5x3xf32>, tensor<3x3xf32>)
  return
}

// -----

func.func @f(%x: tensor<5x3xf32>) {
  // expected-error@+1 {{'cleave.svd' op is `full` and only `values`: should be one of them}}
  cleave.svd full values %x : (tensor<5x3xf32>) -> tensor<3xf32>
  return
}

// -----

func.func @f(%x: tensor<3x3xf32>) {
  // expected-error@+1 {{'cleave.eig' op has 4 results: should have 2}}
  cleave.eig %x : (tensor<3x3xf32>) -> (tensor<3xf32>, tensor<3xf32>, tensor<3x3xf32>, tensor<3x3xf32>)
  return
}

// -----

func.func @f(%x: tensor<3x3xf32>) {
  // expected-error@+1 {{'cleave.schur' op q has type 'tensor<3xf32>': should be 'tensor<3x3xf32>'}}
  cleave.schur %x : (tensor<3x3xf32>) -> (tensor<3x3xf32>, tensor<3xf32>)
  return
}

// -----

func.func @f(%d: tensor<5xf32>, %b: tensor<4x2xf32>) {
  // expected-error@+1 {{'cleave.tridiagonal_solve' op dl has type 'tensor<5xf32>': should be 'tensor<4xf32>'}}
  cleave.tridiagonal_solve (%d) (%d) (%d) (%b) : (tensor<5xf32>, tensor<5xf32>, tensor<5xf32>, tensor<4x2xf32>) -> tensor<4x2xf32>
  return
}
