// A program of the causal attention that JAX writes, and an argument that tests put in other places.
func.func @causal(%q: tensor<2x16x4x8xf32>, %k: tensor<2x16x4x8xf32>, %v: tensor<2x16x4x8xf32>, %any: tensor<2x4x16x16xf32>) -> tensor<2x16x4x8xf32> {
  %qh = cleave.transpose %q, dims = [0, 2, 1, 3] : (tensor<2x16x4x8xf32>) -> tensor<2x4x16x8xf32>
  %kh = cleave.transpose %k, dims = [0, 2, 3, 1] : (tensor<2x16x4x8xf32>) -> tensor<2x4x8x16xf32>
  %vh = cleave.transpose %v, dims = [0, 2, 1, 3] : (tensor<2x16x4x8xf32>) -> tensor<2x4x16x8xf32>
  %x = cleave.dot_general %qh, %kh, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [2] : (tensor<2x4x16x8xf32>, tensor<2x4x8x16xf32>) -> tensor<2x4x16x16xf32>
  %c = cleave.constant dense<2.82842708> : tensor<f32>
  %cs = cleave.broadcast_in_dim %c, dims = [] : (tensor<f32>) -> tensor<2x4x16x16xf32>
  %z = cleave.divide %x, %cs : tensor<2x4x16x16xf32>
  %f = cleave.constant dense<-1.0e9> : tensor<f32>
  %fs = cleave.broadcast_in_dim %f, dims = [] : (tensor<f32>) -> tensor<2x4x16x16xf32>
  %i = cleave.iota dim = 0 : tensor<16x16xi32>
  %j = cleave.iota dim = 1 : tensor<16x16xi32>
  %seen = cleave.compare GE, %i, %j : (tensor<16x16xi32>, tensor<16x16xi32>) -> tensor<16x16xi1>
  %p = cleave.broadcast_in_dim %seen, dims = [2, 3] : (tensor<16x16xi1>) -> tensor<2x4x16x16xi1>
  %y = cleave.select %p, %z, %fs : tensor<2x4x16x16xi1>, tensor<2x4x16x16xf32>
  %wlow = cleave.constant dense<0xFF800000> : tensor<f32>
  %wm = cleave.reduce(%y init: %wlow) applies cleave.maximum across dimensions = [3] : (tensor<2x4x16x16xf32>, tensor<f32>) -> tensor<2x4x16xf32>
  %wlows = cleave.broadcast_in_dim %wlow, dims = [] : (tensor<f32>) -> tensor<2x4x16xf32>
  %wmm = cleave.maximum %wlows, %wm : tensor<2x4x16xf32>
  %wmk = cleave.broadcast_in_dim %wmm, dims = [0, 1, 2] : (tensor<2x4x16xf32>) -> tensor<2x4x16x1xf32>
  %wms = cleave.broadcast_in_dim %wmk, dims = [0, 1, 2, 3] : (tensor<2x4x16x1xf32>) -> tensor<2x4x16x16xf32>
  %wd = cleave.subtract %y, %wms : tensor<2x4x16x16xf32>
  %we = cleave.exponential %wd : tensor<2x4x16x16xf32>
  %wzero = cleave.constant dense<0.0> : tensor<f32>
  %ws = cleave.reduce(%we init: %wzero) applies cleave.add across dimensions = [3] : (tensor<2x4x16x16xf32>, tensor<f32>) -> tensor<2x4x16xf32>
  %wsk = cleave.broadcast_in_dim %ws, dims = [0, 1, 2] : (tensor<2x4x16xf32>) -> tensor<2x4x16x1xf32>
  %wss = cleave.broadcast_in_dim %wsk, dims = [0, 1, 2, 3] : (tensor<2x4x16x1xf32>) -> tensor<2x4x16x16xf32>
  %w = cleave.divide %we, %wss : tensor<2x4x16x16xf32>
  %r = cleave.dot_general %w, %vh, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [2] : (tensor<2x4x16x16xf32>, tensor<2x4x16x8xf32>) -> tensor<2x4x16x8xf32>
  %o = cleave.transpose %r, dims = [0, 2, 1, 3] : (tensor<2x4x16x8xf32>) -> tensor<2x16x4x8xf32>
  return %o : tensor<2x16x4x8xf32>
}
