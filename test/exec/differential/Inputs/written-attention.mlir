// Attention as frameworks write it, each in one of its forms, and what it is on a GPU: one kernel for each.
func.func @main(%causal_q: tensor<2x16x4x8xf32>,
                %causal_k: tensor<2x16x4x8xf32>,
                %causal_v: tensor<2x16x4x8xf32>,
                %padding_q: tensor<2x16x4x8xf32>,
                %padding_k: tensor<2x16x4x8xf32>,
                %padding_v: tensor<2x16x4x8xf32>,
                %padding_m: tensor<2x16xi1>,
                %bias_q: tensor<2x16x4x8xf32>,
                %bias_k: tensor<2x16x4x8xf32>,
                %bias_v: tensor<2x16x4x8xf32>,
                %bias_m: tensor<4x16x16xf32>,
                %plain_q: tensor<2x16x4x8xf32>,
                %plain_k: tensor<2x16x4x8xf32>,
                %plain_v: tensor<2x16x4x8xf32>,
                %grouped_q: tensor<2x16x4x8xf32>,
                %grouped_k: tensor<2x16x2x8xf32>,
                %grouped_v: tensor<2x16x2x8xf32>,
                %einsum_q: tensor<2x16x2x2x8xf32>,
                %einsum_k: tensor<2x16x2x8xf32>,
                %einsum_v: tensor<2x16x2x8xf32>,
                %einsum_m: tensor<2x16x16xi1>,
                %narrow_q: tensor<2x4x16x8xbf16>,
                %narrow_k: tensor<2x4x16x8xbf16>,
                %narrow_v: tensor<2x4x16x8xbf16>)
    -> (tensor<2x16x4x8xf32>, tensor<2x16x4x8xf32>, tensor<2x16x4x8xf32>, tensor<2x16x4x8xf32>, tensor<2x16x4x8xf32>, tensor<2x2x8x2x16xf32>, tensor<2x4x16x8xbf16>) {
  %causal = call @causal(%causal_q, %causal_k, %causal_v) : (tensor<2x16x4x8xf32>, tensor<2x16x4x8xf32>, tensor<2x16x4x8xf32>) -> tensor<2x16x4x8xf32>
  %padding = call @padding(%padding_q, %padding_k, %padding_v, %padding_m) : (tensor<2x16x4x8xf32>, tensor<2x16x4x8xf32>, tensor<2x16x4x8xf32>, tensor<2x16xi1>) -> tensor<2x16x4x8xf32>
  %bias = call @bias(%bias_q, %bias_k, %bias_v, %bias_m) : (tensor<2x16x4x8xf32>, tensor<2x16x4x8xf32>, tensor<2x16x4x8xf32>, tensor<4x16x16xf32>) -> tensor<2x16x4x8xf32>
  %plain = call @plain(%plain_q, %plain_k, %plain_v) : (tensor<2x16x4x8xf32>, tensor<2x16x4x8xf32>, tensor<2x16x4x8xf32>) -> tensor<2x16x4x8xf32>
  %grouped = call @grouped(%grouped_q, %grouped_k, %grouped_v) : (tensor<2x16x4x8xf32>, tensor<2x16x2x8xf32>, tensor<2x16x2x8xf32>) -> tensor<2x16x4x8xf32>
  %einsum = call @einsum(%einsum_q, %einsum_k, %einsum_v, %einsum_m) : (tensor<2x16x2x2x8xf32>, tensor<2x16x2x8xf32>, tensor<2x16x2x8xf32>, tensor<2x16x16xi1>) -> tensor<2x2x8x2x16xf32>
  %narrow = call @narrow(%narrow_q, %narrow_k, %narrow_v) : (tensor<2x4x16x8xbf16>, tensor<2x4x16x8xbf16>, tensor<2x4x16x8xbf16>) -> tensor<2x4x16x8xbf16>
  return %causal, %padding, %bias, %plain, %grouped, %einsum, %narrow : tensor<2x16x4x8xf32>, tensor<2x16x4x8xf32>, tensor<2x16x4x8xf32>, tensor<2x16x4x8xf32>, tensor<2x16x4x8xf32>, tensor<2x2x8x2x16xf32>, tensor<2x4x16x8xbf16>
}

func.func private @causal(%q: tensor<2x16x4x8xf32>, %k: tensor<2x16x4x8xf32>, %v: tensor<2x16x4x8xf32>) -> tensor<2x16x4x8xf32> {
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

func.func private @padding(%q: tensor<2x16x4x8xf32>, %k: tensor<2x16x4x8xf32>, %v: tensor<2x16x4x8xf32>, %m: tensor<2x16xi1>) -> tensor<2x16x4x8xf32> {
  %qh = cleave.transpose %q, dims = [0, 2, 1, 3] : (tensor<2x16x4x8xf32>) -> tensor<2x4x16x8xf32>
  %kh = cleave.transpose %k, dims = [0, 2, 3, 1] : (tensor<2x16x4x8xf32>) -> tensor<2x4x8x16xf32>
  %vh = cleave.transpose %v, dims = [0, 2, 1, 3] : (tensor<2x16x4x8xf32>) -> tensor<2x4x16x8xf32>
  %x = cleave.dot_general %qh, %kh, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [2] : (tensor<2x4x16x8xf32>, tensor<2x4x8x16xf32>) -> tensor<2x4x16x16xf32>
  %c = cleave.constant dense<2.82842708> : tensor<f32>
  %cs = cleave.broadcast_in_dim %c, dims = [] : (tensor<f32>) -> tensor<2x4x16x16xf32>
  %z = cleave.divide %x, %cs : tensor<2x4x16x16xf32>
  %f = cleave.constant dense<-1.0e9> : tensor<f32>
  %fs = cleave.broadcast_in_dim %f, dims = [] : (tensor<f32>) -> tensor<2x4x16x16xf32>
  %p = cleave.broadcast_in_dim %m, dims = [0, 3] : (tensor<2x16xi1>) -> tensor<2x4x16x16xi1>
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

func.func private @bias(%q: tensor<2x16x4x8xf32>, %k: tensor<2x16x4x8xf32>, %v: tensor<2x16x4x8xf32>, %m: tensor<4x16x16xf32>) -> tensor<2x16x4x8xf32> {
  %qh = cleave.transpose %q, dims = [0, 2, 1, 3] : (tensor<2x16x4x8xf32>) -> tensor<2x4x16x8xf32>
  %kh = cleave.transpose %k, dims = [0, 2, 3, 1] : (tensor<2x16x4x8xf32>) -> tensor<2x4x8x16xf32>
  %vh = cleave.transpose %v, dims = [0, 2, 1, 3] : (tensor<2x16x4x8xf32>) -> tensor<2x4x16x8xf32>
  %x = cleave.dot_general %qh, %kh, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [2] : (tensor<2x4x16x8xf32>, tensor<2x4x8x16xf32>) -> tensor<2x4x16x16xf32>
  %c = cleave.constant dense<0.25> : tensor<2x4x16x16xf32>
  %z = cleave.multiply %c, %x : tensor<2x4x16x16xf32>
  %a = cleave.broadcast_in_dim %m, dims = [1, 2, 3] : (tensor<4x16x16xf32>) -> tensor<2x4x16x16xf32>
  %y = cleave.add %a, %z : tensor<2x4x16x16xf32>
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

func.func private @plain(%q: tensor<2x16x4x8xf32>, %k: tensor<2x16x4x8xf32>, %v: tensor<2x16x4x8xf32>) -> tensor<2x16x4x8xf32> {
  %qh = cleave.transpose %q, dims = [0, 2, 1, 3] : (tensor<2x16x4x8xf32>) -> tensor<2x4x16x8xf32>
  %kh = cleave.transpose %k, dims = [0, 2, 3, 1] : (tensor<2x16x4x8xf32>) -> tensor<2x4x8x16xf32>
  %vh = cleave.transpose %v, dims = [0, 2, 1, 3] : (tensor<2x16x4x8xf32>) -> tensor<2x4x16x8xf32>
  %x = cleave.dot_general %qh, %kh, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [2] : (tensor<2x4x16x8xf32>, tensor<2x4x8x16xf32>) -> tensor<2x4x16x16xf32>
  %wlow = cleave.constant dense<0xFF800000> : tensor<f32>
  %wm = cleave.reduce(%x init: %wlow) applies cleave.maximum across dimensions = [3] : (tensor<2x4x16x16xf32>, tensor<f32>) -> tensor<2x4x16xf32>
  %wlows = cleave.broadcast_in_dim %wlow, dims = [] : (tensor<f32>) -> tensor<2x4x16xf32>
  %wmm = cleave.maximum %wlows, %wm : tensor<2x4x16xf32>
  %wmk = cleave.broadcast_in_dim %wmm, dims = [0, 1, 2] : (tensor<2x4x16xf32>) -> tensor<2x4x16x1xf32>
  %wms = cleave.broadcast_in_dim %wmk, dims = [0, 1, 2, 3] : (tensor<2x4x16x1xf32>) -> tensor<2x4x16x16xf32>
  %wd = cleave.subtract %x, %wms : tensor<2x4x16x16xf32>
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

func.func private @grouped(%q: tensor<2x16x4x8xf32>, %k: tensor<2x16x2x8xf32>, %v: tensor<2x16x2x8xf32>) -> tensor<2x16x4x8xf32> {
  %qh = cleave.transpose %q, dims = [0, 2, 1, 3] : (tensor<2x16x4x8xf32>) -> tensor<2x4x16x8xf32>
  %kh = cleave.transpose %k, dims = [0, 2, 1, 3] : (tensor<2x16x2x8xf32>) -> tensor<2x2x16x8xf32>
  %kb = cleave.broadcast_in_dim %kh, dims = [0, 1, 3, 4] : (tensor<2x2x16x8xf32>) -> tensor<2x2x2x16x8xf32>
  %kr = cleave.reshape %kb : (tensor<2x2x2x16x8xf32>) -> tensor<2x4x16x8xf32>
  %vh = cleave.transpose %v, dims = [0, 2, 1, 3] : (tensor<2x16x2x8xf32>) -> tensor<2x2x16x8xf32>
  %vb = cleave.broadcast_in_dim %vh, dims = [0, 1, 3, 4] : (tensor<2x2x16x8xf32>) -> tensor<2x2x2x16x8xf32>
  %vr = cleave.reshape %vb : (tensor<2x2x2x16x8xf32>) -> tensor<2x4x16x8xf32>
  %x = cleave.dot_general %qh, %kr, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [3] : (tensor<2x4x16x8xf32>, tensor<2x4x16x8xf32>) -> tensor<2x4x16x16xf32>
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
  %r = cleave.dot_general %w, %vr, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [2] : (tensor<2x4x16x16xf32>, tensor<2x4x16x8xf32>) -> tensor<2x4x16x8xf32>
  %o = cleave.transpose %r, dims = [0, 2, 1, 3] : (tensor<2x4x16x8xf32>) -> tensor<2x16x4x8xf32>
  return %o : tensor<2x16x4x8xf32>
}

func.func private @einsum(%q: tensor<2x16x2x2x8xf32>, %k: tensor<2x16x2x8xf32>, %v: tensor<2x16x2x8xf32>, %m: tensor<2x16x16xi1>) -> tensor<2x2x8x2x16xf32> {
  %x0 = cleave.dot_general %k, %q, batching_dims = [0, 2] x [0, 2], contracting_dims = [3] x [4] : (tensor<2x16x2x8xf32>, tensor<2x16x2x2x8xf32>) -> tensor<2x2x16x16x2xf32>
  %x = cleave.transpose %x0, dims = [0, 1, 4, 3, 2] : (tensor<2x2x16x16x2xf32>) -> tensor<2x2x2x16x16xf32>
  %c = cleave.constant dense<0.5> : tensor<2x2x2x16x16xf32>
  %z = cleave.multiply %x, %c : tensor<2x2x2x16x16xf32>
  %f = cleave.constant dense<-3.0> : tensor<2x2x2x16x16xf32>
  %p = cleave.broadcast_in_dim %m, dims = [0, 3, 4] : (tensor<2x16x16xi1>) -> tensor<2x2x2x16x16xi1>
  %y = cleave.select %p, %z, %f : tensor<2x2x2x16x16xi1>, tensor<2x2x2x16x16xf32>
  %w = cleave.softmax %y, dim = 4 : tensor<2x2x2x16x16xf32>
  %r = cleave.dot_general %v, %w, batching_dims = [0, 2] x [0, 1], contracting_dims = [1] x [4] : (tensor<2x16x2x8xf32>, tensor<2x2x2x16x16xf32>) -> tensor<2x2x8x2x16xf32>
  return %r : tensor<2x2x8x2x16xf32>
}

func.func private @narrow(%q: tensor<2x4x16x8xbf16>, %k: tensor<2x4x16x8xbf16>, %v: tensor<2x4x16x8xbf16>) -> tensor<2x4x16x8xbf16> {
  %x = cleave.dot_general %q, %k, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [3] : (tensor<2x4x16x8xbf16>, tensor<2x4x16x8xbf16>) -> tensor<2x4x16x16xf32>
  %y = cleave.softmax %x, dim = 3 : tensor<2x4x16x16xf32>
  %w = cleave.convert %y : (tensor<2x4x16x16xf32>) -> tensor<2x4x16x16xbf16>
  %r = cleave.dot_general %w, %v, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [2] : (tensor<2x4x16x16xbf16>, tensor<2x4x16x8xbf16>) -> tensor<2x4x16x8xbf16>
  return %r : tensor<2x4x16x8xbf16>
}
