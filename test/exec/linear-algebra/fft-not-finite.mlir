// A NaN or an infinity makes its whole transform NaN. Four numbers are transformed without products, and
// a NaN in the real part left imaginary parts as they were; the reference had NaN.
//
// RUN: %cleave verify %s --random-inputs 1 --mesh x=3 --shard x=x,- | FileCheck %s
// RUN: cleave-differential --emulate --inexact --file %s
// CHECK-COUNT-8: ok{{$}}
// CHECK-NEXT: verified 8 of 8

func.func @main(%x: tensor<4x64xf32> {cleave.name = "x"})
    -> (tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x62xf32>, tensor<4x62xf32>, tensor<4x3xf32>, tensor<4x3xf32>,
        tensor<4x4xf32>, tensor<4x1xf32>) {
  // NaN in row 1, an infinity in row 2, each in the real part of number 1.
  %row = cleave.iota dim = 0 : tensor<4x64xi32>
  %column = cleave.iota dim = 1 : tensor<4x64xi32>
  %one = cleave.constant dense<1> : tensor<4x64xi32>
  %two = cleave.constant dense<2> : tensor<4x64xi32>
  %nan = cleave.constant dense<0x7FC00000> : tensor<4x64xf32>
  %infinity = cleave.constant dense<0x7F800000> : tensor<4x64xf32>
  %isColumn = cleave.compare EQ, %column, %one : (tensor<4x64xi32>, tensor<4x64xi32>) -> tensor<4x64xi1>
  %isOne = cleave.compare EQ, %row, %one : (tensor<4x64xi32>, tensor<4x64xi32>) -> tensor<4x64xi1>
  %isTwo = cleave.compare EQ, %row, %two : (tensor<4x64xi32>, tensor<4x64xi32>) -> tensor<4x64xi1>
  %isNan = cleave.and %isColumn, %isOne : tensor<4x64xi1>
  %isInfinite = cleave.and %isColumn, %isTwo : tensor<4x64xi1>
  %0 = cleave.select %isNan, %nan, %x : tensor<4x64xi1>, tensor<4x64xf32>
  %real = cleave.select %isInfinite, %infinity, %0 : tensor<4x64xi1>, tensor<4x64xf32>

  %real4 = cleave.slice %real [0:4, 0:4] : (tensor<4x64xf32>) -> tensor<4x4xf32>
  %x4 = cleave.slice %x [0:4, 0:4] : (tensor<4x64xf32>) -> tensor<4x4xf32>
  %four:2 = cleave.fft IFFT %real4, %x4, length = [4] : (tensor<4x4xf32>, tensor<4x4xf32>) -> (tensor<4x4xf32>, tensor<4x4xf32>)
  %real62 = cleave.slice %real [0:4, 0:62] : (tensor<4x64xf32>) -> tensor<4x62xf32>
  %x62 = cleave.slice %x [0:4, 0:62] : (tensor<4x64xf32>) -> tensor<4x62xf32>
  %long:2 = cleave.fft FFT %real62, %x62, length = [62] : (tensor<4x62xf32>, tensor<4x62xf32>) -> (tensor<4x62xf32>, tensor<4x62xf32>)
  %half:2 = cleave.fft RFFT %real4, length = [4] : (tensor<4x4xf32>) -> (tensor<4x3xf32>, tensor<4x3xf32>)
  %real3 = cleave.slice %real [0:4, 0:3] : (tensor<4x64xf32>) -> tensor<4x3xf32>
  %x3 = cleave.slice %x [0:4, 0:3] : (tensor<4x64xf32>) -> tensor<4x3xf32>
  %back = cleave.fft IRFFT %real3, %x3, length = [4] : (tensor<4x3xf32>, tensor<4x3xf32>) -> tensor<4x4xf32>
  // Of one number, NaN in the real part alone.
  %real1 = cleave.slice %real [0:4, 1:2] : (tensor<4x64xf32>) -> tensor<4x1xf32>
  %x1 = cleave.slice %x [0:4, 1:2] : (tensor<4x64xf32>) -> tensor<4x1xf32>
  %single:2 = cleave.fft FFT %real1, %x1, length = [1] : (tensor<4x1xf32>, tensor<4x1xf32>) -> (tensor<4x1xf32>, tensor<4x1xf32>)
  return %four#0, %four#1, %long#0, %long#1, %half#0, %half#1, %back, %single#1
    : tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x62xf32>, tensor<4x62xf32>, tensor<4x3xf32>, tensor<4x3xf32>,
      tensor<4x4xf32>, tensor<4x1xf32>
}
