// Factors and solves, lower and upper, from both sides, real and complex.
func.func @main(%x0: tensor<3x24x24xf32>, %r00: tensor<3x24x1xf32>, %r01: tensor<3x24x5xf32>,
                %r02: tensor<3x7x24xf32>, %r03: tensor<3x1x24xf32>, %x1: tensor<3x24x24xf32>,
                %r10: tensor<3x24x5xf32>, %j10: tensor<3x24x5xf32>, %r11: tensor<3x7x24xf32>,
                %j11: tensor<3x7x24xf32>, %x2: tensor<3x24x24xbf16>, %r20: tensor<3x24x1xbf16>,
                %r21: tensor<3x24x5xbf16>, %r22: tensor<3x7x24xbf16>, %r23: tensor<3x1x24xbf16>)
    -> (tensor<3x24x24xf32>, tensor<3x24x24xf32>, tensor<3x24x1xf32>, tensor<3x24x5xf32>,
        tensor<3x7x24xf32>, tensor<3x1x24xf32>, tensor<3x24x24xf32>, tensor<3x24x24xf32>,
        tensor<3x24x24xf32>, tensor<3x24x24xf32>, tensor<3x24x5xf32>, tensor<3x24x5xf32>,
        tensor<3x7x24xf32>, tensor<3x7x24xf32>, tensor<3x24x24xbf16>, tensor<3x24x24xbf16>,
        tensor<3x24x1xbf16>, tensor<3x24x5xbf16>, tensor<3x7x24xbf16>, tensor<3x1x24xbf16>) {
  %e0 = cleave.iota dim = 1 : tensor<3x24x24xi32>
  %f0 = cleave.iota dim = 2 : tensor<3x24x24xi32>
  %same0 = cleave.compare EQ, %e0, %f0 : (tensor<3x24x24xi32>, tensor<3x24x24xi32>) -> tensor<3x24x24xi1>
  %one0 = cleave.convert %same0 : (tensor<3x24x24xi1>) -> tensor<3x24x24xf32>
  %c0 = cleave.constant dense<0.02> : tensor<3x24x24xf32>
  %s0 = cleave.multiply %x0, %c0 : tensor<3x24x24xf32>
  %m0 = cleave.add %s0, %one0 : tensor<3x24x24xf32>
  %q0 = cleave.dot_general %m0, %m0, batching_dims = [0] x [0], contracting_dims = [2] x [2] : (tensor<3x24x24xf32>, tensor<3x24x24xf32>) -> tensor<3x24x24xf32>
  %l0lower = cleave.cholesky lower %q0 : (tensor<3x24x24xf32>) -> tensor<3x24x24xf32>
  %l0upper = cleave.cholesky %q0 : (tensor<3x24x24xf32>) -> tensor<3x24x24xf32>
  %y00 = cleave.triangular_solve no_transpose left lower (%m0) (%r00) : (tensor<3x24x24xf32>, tensor<3x24x1xf32>) -> tensor<3x24x1xf32>
  %y01 = cleave.triangular_solve transpose left lower unit (%m0) (%r01) : (tensor<3x24x24xf32>, tensor<3x24x5xf32>) -> tensor<3x24x5xf32>
  %y02 = cleave.triangular_solve no_transpose lower (%m0) (%r02) : (tensor<3x24x24xf32>, tensor<3x7x24xf32>) -> tensor<3x7x24xf32>
  %y03 = cleave.triangular_solve transpose (%m0) (%r03) : (tensor<3x24x24xf32>, tensor<3x1x24xf32>) -> tensor<3x1x24xf32>
  %e1 = cleave.iota dim = 1 : tensor<3x24x24xi32>
  %f1 = cleave.iota dim = 2 : tensor<3x24x24xi32>
  %same1 = cleave.compare EQ, %e1, %f1 : (tensor<3x24x24xi32>, tensor<3x24x24xi32>) -> tensor<3x24x24xi1>
  %one1 = cleave.convert %same1 : (tensor<3x24x24xi1>) -> tensor<3x24x24xf32>
  %c1 = cleave.constant dense<0.02> : tensor<3x24x24xf32>
  %s1 = cleave.multiply %x1, %c1 : tensor<3x24x24xf32>
  %m1 = cleave.add %s1, %one1 : tensor<3x24x24xf32>
  %q1 = cleave.dot_general %m1, %m1, batching_dims = [0] x [0], contracting_dims = [2] x [2] : (tensor<3x24x24xf32>, tensor<3x24x24xf32>) -> tensor<3x24x24xf32>
  %t1 = cleave.transpose %s1, dims = [0, 2, 1] : (tensor<3x24x24xf32>) -> tensor<3x24x24xf32>
  %i1 = cleave.subtract %s1, %t1 : tensor<3x24x24xf32>
  %l1lower:2 = cleave.cholesky lower %q1, %i1 : (tensor<3x24x24xf32>, tensor<3x24x24xf32>) -> (tensor<3x24x24xf32>, tensor<3x24x24xf32>)
  %l1upper:2 = cleave.cholesky %q1, %i1 : (tensor<3x24x24xf32>, tensor<3x24x24xf32>) -> (tensor<3x24x24xf32>, tensor<3x24x24xf32>)
  %y10:2 = cleave.triangular_solve adjoint left lower (%m1, %i1) (%r10, %j10) : (tensor<3x24x24xf32>, tensor<3x24x24xf32>, tensor<3x24x5xf32>, tensor<3x24x5xf32>) -> (tensor<3x24x5xf32>, tensor<3x24x5xf32>)
  %y11:2 = cleave.triangular_solve no_transpose (%m1, %i1) (%r11, %j11) : (tensor<3x24x24xf32>, tensor<3x24x24xf32>, tensor<3x7x24xf32>, tensor<3x7x24xf32>) -> (tensor<3x7x24xf32>, tensor<3x7x24xf32>)
  %e2 = cleave.iota dim = 1 : tensor<3x24x24xi32>
  %f2 = cleave.iota dim = 2 : tensor<3x24x24xi32>
  %same2 = cleave.compare EQ, %e2, %f2 : (tensor<3x24x24xi32>, tensor<3x24x24xi32>) -> tensor<3x24x24xi1>
  %one2 = cleave.convert %same2 : (tensor<3x24x24xi1>) -> tensor<3x24x24xbf16>
  %c2 = cleave.constant dense<0.02> : tensor<3x24x24xbf16>
  %s2 = cleave.multiply %x2, %c2 : tensor<3x24x24xbf16>
  %m2 = cleave.add %s2, %one2 : tensor<3x24x24xbf16>
  %q2 = cleave.dot_general %m2, %m2, batching_dims = [0] x [0], contracting_dims = [2] x [2] : (tensor<3x24x24xbf16>, tensor<3x24x24xbf16>) -> tensor<3x24x24xbf16>
  %l2lower = cleave.cholesky lower %q2 : (tensor<3x24x24xbf16>) -> tensor<3x24x24xbf16>
  %l2upper = cleave.cholesky %q2 : (tensor<3x24x24xbf16>) -> tensor<3x24x24xbf16>
  %y20 = cleave.triangular_solve no_transpose left lower (%m2) (%r20) : (tensor<3x24x24xbf16>, tensor<3x24x1xbf16>) -> tensor<3x24x1xbf16>
  %y21 = cleave.triangular_solve transpose left lower unit (%m2) (%r21) : (tensor<3x24x24xbf16>, tensor<3x24x5xbf16>) -> tensor<3x24x5xbf16>
  %y22 = cleave.triangular_solve no_transpose lower (%m2) (%r22) : (tensor<3x24x24xbf16>, tensor<3x7x24xbf16>) -> tensor<3x7x24xbf16>
  %y23 = cleave.triangular_solve transpose (%m2) (%r23) : (tensor<3x24x24xbf16>, tensor<3x1x24xbf16>) -> tensor<3x1x24xbf16>
  return %l0lower, %l0upper, %y00, %y01, %y02, %y03, %l1lower#0, %l1lower#1, %l1upper#0, %l1upper#1, %y10#0, %y10#1, %y11#0, %y11#1, %l2lower, %l2upper, %y20, %y21, %y22, %y23
      : tensor<3x24x24xf32>, tensor<3x24x24xf32>, tensor<3x24x1xf32>, tensor<3x24x5xf32>,
        tensor<3x7x24xf32>, tensor<3x1x24xf32>, tensor<3x24x24xf32>, tensor<3x24x24xf32>,
        tensor<3x24x24xf32>, tensor<3x24x24xf32>, tensor<3x24x5xf32>, tensor<3x24x5xf32>,
        tensor<3x7x24xf32>, tensor<3x7x24xf32>, tensor<3x24x24xbf16>, tensor<3x24x24xbf16>,
        tensor<3x24x1xbf16>, tensor<3x24x5xbf16>, tensor<3x7x24xbf16>, tensor<3x1x24xbf16>
}
