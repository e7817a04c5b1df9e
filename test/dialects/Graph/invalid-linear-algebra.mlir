// RUN: cleave-opt %s -split-input-file -verify-diagnostics

func.func @f(%x: tensor<4xf32>) {
  // expected-error@+1 {{'cleave.fft' op has 1 inputs: should have 2, real and imaginary part}}
  cleave.fft FFT %x, length = [4] : (tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>)
  return
}

// -----

func.func @f(%x: tensor<4xf32>) {
  // expected-error@+1 {{'cleave.fft' op has 2 inputs: should have 1, the real part}}
  cleave.fft RFFT %x, %x, length = [4] : (tensor<4xf32>, tensor<4xf32>) -> (tensor<3xf32>, tensor<3xf32>)
  return
}

// -----

func.func @f(%x: tensor<4xf32>, %y: tensor<4xf64>) {
  // expected-error@+1 {{'cleave.fft' op inputs has type 'tensor<4xf64>': should be 'tensor<4xf32>'}}
  cleave.fft FFT %x, %y, length = [4] : (tensor<4xf32>, tensor<4xf64>) -> (tensor<4xf32>, tensor<4xf32>)
  return
}

// -----

func.func @f(%x: tensor<4xf32>) {
  // expected-error@+1 {{'cleave.fft' op `length` has 4 sizes: should have 1 to 3}}
  cleave.fft FFT %x, %x, length = [1, 1, 1, 4] : (tensor<4xf32>, tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>)
  return
}

// -----

func.func @f(%x: tensor<4xf32>) {
  // expected-error@+1 {{'cleave.fft' op `length` has 2 sizes: should have at most 1, the rank of the input}}
  cleave.fft FFT %x, %x, length = [4, 4] : (tensor<4xf32>, tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>)
  return
}

// -----

func.func @f(%x: tensor<2x4xf32>) {
  // expected-error@+1 {{'cleave.fft' op input has type 'tensor<2x4xf32>': should be 'tensor<2x5xf32>'}}
  cleave.fft FFT %x, %x, length = [5] : (tensor<2x4xf32>, tensor<2x4xf32>) -> (tensor<2x4xf32>, tensor<2x4xf32>)
  return
}

// -----

func.func @f(%x: tensor<2x4xf32>) {
  // expected-error@+1 {{'cleave.fft' op input has type 'tensor<2x4xf32>': should be 'tensor<2x5xf32>'}}
  cleave.fft IRFFT %x, %x, length = [8] : (tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<2x8xf32>
  return
}

// -----

func.func @f(%x: tensor<2x4xf32>) {
  // expected-error@+1 {{'cleave.fft' op results has type 'tensor<2x4xf32>': should be 'tensor<2x3xf32>'}}
  cleave.fft RFFT %x, length = [4] : (tensor<2x4xf32>) -> (tensor<2x4xf32>, tensor<2x4xf32>)
  return
}

// -----

func.func @f(%x: tensor<3x4xf32>) {
  // expected-error@+1 {{'cleave.cholesky' op dimension 1 of matrix has 4 elements: should have 3, like dimension 0}}
  cleave.cholesky %x : (tensor<3x4xf32>) -> tensor<3x4xf32>
  return
}

// -----

func.func @f(%x: tensor<3xf32>) {
  // expected-error@+1 {{'cleave.cholesky' op matrix has type 'tensor<3xf32>': should have at least 2 dimensions}}
  cleave.cholesky %x : (tensor<3xf32>) -> tensor<3xf32>
  return
}

// -----

func.func @f(%x: tensor<3x3xf32>) {
  // expected-error@+1 {{'cleave.cholesky' op has 2 results: should have 1, the real part}}
  cleave.cholesky %x : (tensor<3x3xf32>) -> (tensor<3x3xf32>, tensor<3x3xf32>)
  return
}

// -----

func.func @f(%a: tensor<3x3xf32>, %b: tensor<4x2xf32>) {
  // expected-error@+1 {{'cleave.triangular_solve' op dimension 0 of matrix b has 4 elements: should have 3, the size of a}}
  cleave.triangular_solve no_transpose left (%a) (%b) : (tensor<3x3xf32>, tensor<4x2xf32>) -> tensor<4x2xf32>
  return
}

// -----

func.func @f(%a: tensor<3x3xf32>, %b: tensor<3x2xf32>) {
  // expected-error@+1 {{'cleave.triangular_solve' op dimension 1 of matrix b has 2 elements: should have 3, the size of a}}
  cleave.triangular_solve no_transpose (%a) (%b) : (tensor<3x3xf32>, tensor<3x2xf32>) -> tensor<3x2xf32>
  return
}

// -----

func.func @f(%a: tensor<2x3x3xf32>, %b: tensor<4x3x2xf32>) {
  // expected-error@+1 {{'cleave.triangular_solve' op dimension 0 of matrix b has 4 elements: should have 2, like dimension 0 of a}}
  cleave.triangular_solve no_transpose left (%a) (%b) : (tensor<2x3x3xf32>, tensor<4x3x2xf32>) -> tensor<4x3x2xf32>
  return
}

// -----

func.func @f(%a: tensor<3x3xf32>, %b: tensor<3x2xf64>) {
  // expected-error@+1 {{'cleave.triangular_solve' op matrix b has type 'tensor<3x2xf64>': should be 'tensor<3x2xf32>'}}
  cleave.triangular_solve no_transpose left (%a) (%b) : (tensor<3x3xf32>, tensor<3x2xf64>) -> tensor<3x2xf64>
  return
}
