// Fourier transforms: powers of two, a prime, mixed factors, several dimensions,
// and lines of one number.
func.func @main(%a: tensor<3x64xf32>, %b: tensor<3x64xf32>, %c: tensor<2x97xf64>, %d: tensor<5x4x6x15xf32>,
                %e: tensor<2x6x8xbf16>, %f: tensor<2x6x8xbf16>, %g: tensor<300x1xf32>, %h: tensor<300x1xf32>)
    -> (tensor<3x64xf32>, tensor<3x64xf32>, tensor<2x49xf64>, tensor<2x49xf64>, tensor<2x97xf64>, tensor<5x4x6x8xf32>,
        tensor<5x4x6x8xf32>, tensor<5x4x6x15xf32>, tensor<2x6x8xbf16>, tensor<2x6x8xbf16>, tensor<300x1xf32>, tensor<300x1xf32>) {
  %0:2 = cleave.fft FFT %a, %b, length = [64] : (tensor<3x64xf32>, tensor<3x64xf32>) -> (tensor<3x64xf32>, tensor<3x64xf32>)
  %1:2 = cleave.fft RFFT %c, length = [97] : (tensor<2x97xf64>) -> (tensor<2x49xf64>, tensor<2x49xf64>)
  %2 = cleave.fft IRFFT %1#0, %1#1, length = [97] : (tensor<2x49xf64>, tensor<2x49xf64>) -> tensor<2x97xf64>
  %3:2 = cleave.fft RFFT %d, length = [4, 6, 15] : (tensor<5x4x6x15xf32>) -> (tensor<5x4x6x8xf32>, tensor<5x4x6x8xf32>)
  %4 = cleave.fft IRFFT %3#0, %3#1, length = [4, 6, 15] : (tensor<5x4x6x8xf32>, tensor<5x4x6x8xf32>) -> tensor<5x4x6x15xf32>
  %5:2 = cleave.fft IFFT %e, %f, length = [6, 8] : (tensor<2x6x8xbf16>, tensor<2x6x8xbf16>) -> (tensor<2x6x8xbf16>, tensor<2x6x8xbf16>)
  %6:2 = cleave.fft FFT %g, %h, length = [1] : (tensor<300x1xf32>, tensor<300x1xf32>) -> (tensor<300x1xf32>, tensor<300x1xf32>)
  return %0#0, %0#1, %1#0, %1#1, %2, %3#0, %3#1, %4, %5#0, %5#1, %6#0, %6#1
      : tensor<3x64xf32>, tensor<3x64xf32>, tensor<2x49xf64>, tensor<2x49xf64>, tensor<2x97xf64>, tensor<5x4x6x8xf32>,
        tensor<5x4x6x8xf32>, tensor<5x4x6x15xf32>, tensor<2x6x8xbf16>, tensor<2x6x8xbf16>, tensor<300x1xf32>, tensor<300x1xf32>
}
