// Transforms along dimensions that are not cut need no communication; along one
// that is, each part is gathered.
//
// RUN: %python %S/../collectives/check.py %cleave %s none --mesh data=3 \
// RUN:   --shard x=data,-,- --shard y=data,-,- --random-inputs 1
// RUN: %python %S/../collectives/check.py %cleave %s none --mesh data=2,model=2 \
// RUN:   --shard x=data,-,- --shard y=data,-,- --random-inputs 2
// RUN: %python %S/../collectives/check.py %cleave %s any --mesh data=2,model=2 \
// RUN:   --shard x=-,data,model --shard y=model,-,- --random-inputs 3
// RUN: %python %S/../collectives/check.py %cleave %s any --mesh a=2,b=3 --shard random:1
// RUN: %cleave verify %s --random-inputs 4 --math wide

func.func @transforms(%x: tensor<7x5x12xf32> {cleave.name = "x"},
                      %y: tensor<7x5x12xf32> {cleave.name = "y"})
    -> (tensor<7x5x12xf32>, tensor<7x5x12xf32>, tensor<7x5x12xf32>, tensor<7x5x13xf32>) {
  %0:2 = cleave.fft FFT %x, %y, length = [5, 12]
    : (tensor<7x5x12xf32>, tensor<7x5x12xf32>) -> (tensor<7x5x12xf32>, tensor<7x5x12xf32>)
  %1:2 = cleave.fft RFFT %x, length = [5, 12] : (tensor<7x5x12xf32>) -> (tensor<7x5x7xf32>, tensor<7x5x7xf32>)
  %2 = cleave.fft IRFFT %1#0, %1#1, length = [5, 12] : (tensor<7x5x7xf32>, tensor<7x5x7xf32>) -> tensor<7x5x12xf32>
  %3 = cleave.fft IRFFT %1#0, %1#1, length = [13] : (tensor<7x5x7xf32>, tensor<7x5x7xf32>) -> tensor<7x5x13xf32>
  return %0#0, %0#1, %2, %3 : tensor<7x5x12xf32>, tensor<7x5x12xf32>, tensor<7x5x12xf32>, tensor<7x5x13xf32>
}
