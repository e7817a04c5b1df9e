// RUN: cleave-opt %s -cleave-decompose-composites | FileCheck %s

// CHECK-LABEL: func.func @linear(
// CHECK-SAME:    %[[X:.*]]: tensor<2x5x8xf32>, %[[W:.*]]: tensor<8x6xf32>)
func.func @linear(%x: tensor<2x5x8xf32>, %w: tensor<8x6xf32>) -> tensor<2x5x6xf32> {
  // CHECK-NEXT: %[[V0:.*]] = cleave.dot_general %[[X]], %[[W]], contracting_dims = [2] x [0] : (tensor<2x5x8xf32>, tensor<8x6xf32>) -> tensor<2x5x6xf32>
  // CHECK-NEXT: return %[[V0]] : tensor<2x5x6xf32>
  %0 = cleave.linear %x, %w : (tensor<2x5x8xf32>, tensor<8x6xf32>) -> tensor<2x5x6xf32>
  return %0 : tensor<2x5x6xf32>
}

// CHECK-LABEL: func.func @linear_bias(
// CHECK-SAME:    %[[X:.*]]: tensor<4x5x8xbf16>, %[[W:.*]]: tensor<5x8x3x2xbf16>, %[[B:.*]]: tensor<3x2xbf16>)
func.func @linear_bias(%x: tensor<4x5x8xbf16>, %w: tensor<5x8x3x2xbf16>, %b: tensor<3x2xbf16>) -> tensor<4x3x2xbf16> {
  // CHECK-NEXT: %[[V0:.*]] = cleave.dot_general %[[X]], %[[W]], contracting_dims = [1, 2] x [0, 1] : (tensor<4x5x8xbf16>, tensor<5x8x3x2xbf16>) -> tensor<4x3x2xf32>
  // CHECK-NEXT: %[[V1:.*]] = cleave.convert %[[B]] : (tensor<3x2xbf16>) -> tensor<3x2xf32>
  // CHECK-NEXT: %[[V2:.*]] = cleave.broadcast_in_dim %[[V1]], dims = [1, 2] : (tensor<3x2xf32>) -> tensor<4x3x2xf32>
  // CHECK-NEXT: %[[V3:.*]] = cleave.add %[[V0]], %[[V2]] : tensor<4x3x2xf32>
  // CHECK-NEXT: %[[V4:.*]] = cleave.convert %[[V3]] : (tensor<4x3x2xf32>) -> tensor<4x3x2xbf16>
  // CHECK-NEXT: return %[[V4]] : tensor<4x3x2xbf16>
  %0 = cleave.linear %x, %w bias %b contracting = 2 : (tensor<4x5x8xbf16>, tensor<5x8x3x2xbf16>, tensor<3x2xbf16>) -> tensor<4x3x2xbf16>
  return %0 : tensor<4x3x2xbf16>
}

// CHECK-LABEL: func.func @layer_norm(
// CHECK-SAME:    %[[X:.*]]: tensor<2x8xf16>, %[[G:.*]]: tensor<8xf16>, %[[B:.*]]: tensor<8xf16>)
func.func @layer_norm(%x: tensor<2x8xf16>, %g: tensor<8xf16>, %b: tensor<8xf16>) -> tensor<2x8xf16> {
  // CHECK-NEXT: %[[V0:.*]] = cleave.convert %[[X]] : (tensor<2x8xf16>) -> tensor<2x8xf32>
  // CHECK-NEXT: %[[CST:.*]] = cleave.constant dense<0.000000e+00> : tensor<f32>
  // CHECK-NEXT: %[[V1:.*]] = cleave.reduce(%[[V0]] init: %[[CST]]) applies cleave.add across dimensions = [1] : (tensor<2x8xf32>, tensor<f32>) -> tensor<2xf32>
  // CHECK-NEXT: %[[CST_0:.*]] = cleave.constant dense<8.000000e+00> : tensor<2xf32>
  // CHECK-NEXT: %[[V2:.*]] = cleave.divide %[[V1]], %[[CST_0]] : tensor<2xf32>
  // CHECK-NEXT: %[[V3:.*]] = cleave.broadcast_in_dim %[[V2]], dims = [0] : (tensor<2xf32>) -> tensor<2x8xf32>
  // CHECK-NEXT: %[[V4:.*]] = cleave.subtract %[[V0]], %[[V3]] : tensor<2x8xf32>
  // CHECK-NEXT: %[[V5:.*]] = cleave.multiply %[[V4]], %[[V4]] : tensor<2x8xf32>
  // CHECK-NEXT: %[[CST_1:.*]] = cleave.constant dense<0.000000e+00> : tensor<f32>
  // CHECK-NEXT: %[[V6:.*]] = cleave.reduce(%[[V5]] init: %[[CST_1]]) applies cleave.add across dimensions = [1] : (tensor<2x8xf32>, tensor<f32>) -> tensor<2xf32>
  // CHECK-NEXT: %[[CST_2:.*]] = cleave.constant dense<8.000000e+00> : tensor<2xf32>
  // CHECK-NEXT: %[[V7:.*]] = cleave.divide %[[V6]], %[[CST_2]] : tensor<2xf32>
  // CHECK-NEXT: %[[CST_3:.*]] = cleave.constant dense<9.99999974E-6> : tensor<2xf32>
  // CHECK-NEXT: %[[V8:.*]] = cleave.add %[[V7]], %[[CST_3]] : tensor<2xf32>
  // CHECK-NEXT: %[[V9:.*]] = cleave.rsqrt %[[V8]] : tensor<2xf32>
  // CHECK-NEXT: %[[V10:.*]] = cleave.broadcast_in_dim %[[V9]], dims = [0] : (tensor<2xf32>) -> tensor<2x8xf32>
  // CHECK-NEXT: %[[V11:.*]] = cleave.multiply %[[V4]], %[[V10]] : tensor<2x8xf32>
  // CHECK-NEXT: %[[V12:.*]] = cleave.convert %[[G]] : (tensor<8xf16>) -> tensor<8xf32>
  // CHECK-NEXT: %[[V13:.*]] = cleave.broadcast_in_dim %[[V12]], dims = [1] : (tensor<8xf32>) -> tensor<2x8xf32>
  // CHECK-NEXT: %[[V14:.*]] = cleave.multiply %[[V11]], %[[V13]] : tensor<2x8xf32>
  // CHECK-NEXT: %[[V15:.*]] = cleave.convert %[[B]] : (tensor<8xf16>) -> tensor<8xf32>
  // CHECK-NEXT: %[[V16:.*]] = cleave.broadcast_in_dim %[[V15]], dims = [1] : (tensor<8xf32>) -> tensor<2x8xf32>
  // CHECK-NEXT: %[[V17:.*]] = cleave.add %[[V14]], %[[V16]] : tensor<2x8xf32>
  // CHECK-NEXT: %[[V18:.*]] = cleave.convert %[[V17]] : (tensor<2x8xf32>) -> tensor<2x8xf16>
  // CHECK-NEXT: return %[[V18]] : tensor<2x8xf16>
  %0 = cleave.layer_norm %x, %g, %b, epsilon = 1.0e-05 : (tensor<2x8xf16>, tensor<8xf16>, tensor<8xf16>) -> tensor<2x8xf16>
  return %0 : tensor<2x8xf16>
}

// CHECK-LABEL: func.func @rms_norm(
// CHECK-SAME:    %[[X:.*]]: tensor<2x8xf64>, %[[G:.*]]: tensor<8xf64>)
func.func @rms_norm(%x: tensor<2x8xf64>, %g: tensor<8xf64>) -> tensor<2x8xf64> {
  // CHECK-NEXT: %[[V0:.*]] = cleave.multiply %[[X]], %[[X]] : tensor<2x8xf64>
  // CHECK-NEXT: %[[CST:.*]] = cleave.constant dense<0.000000e+00> : tensor<f64>
  // CHECK-NEXT: %[[V1:.*]] = cleave.reduce(%[[V0]] init: %[[CST]]) applies cleave.add across dimensions = [1] : (tensor<2x8xf64>, tensor<f64>) -> tensor<2xf64>
  // CHECK-NEXT: %[[CST_0:.*]] = cleave.constant dense<8.000000e+00> : tensor<2xf64>
  // CHECK-NEXT: %[[V2:.*]] = cleave.divide %[[V1]], %[[CST_0]] : tensor<2xf64>
  // CHECK-NEXT: %[[CST_1:.*]] = cleave.constant dense<9.9999999999999995E-7> : tensor<2xf64>
  // CHECK-NEXT: %[[V3:.*]] = cleave.add %[[V2]], %[[CST_1]] : tensor<2xf64>
  // CHECK-NEXT: %[[V4:.*]] = cleave.rsqrt %[[V3]] : tensor<2xf64>
  // CHECK-NEXT: %[[V5:.*]] = cleave.broadcast_in_dim %[[V4]], dims = [0] : (tensor<2xf64>) -> tensor<2x8xf64>
  // CHECK-NEXT: %[[V6:.*]] = cleave.multiply %[[X]], %[[V5]] : tensor<2x8xf64>
  // CHECK-NEXT: %[[V7:.*]] = cleave.broadcast_in_dim %[[G]], dims = [1] : (tensor<8xf64>) -> tensor<2x8xf64>
  // CHECK-NEXT: %[[V8:.*]] = cleave.multiply %[[V6]], %[[V7]] : tensor<2x8xf64>
  // CHECK-NEXT: return %[[V8]] : tensor<2x8xf64>
  %0 = cleave.rms_norm %x, %g, epsilon = 1.0e-06 : (tensor<2x8xf64>, tensor<8xf64>) -> tensor<2x8xf64>
  return %0 : tensor<2x8xf64>
}

// CHECK-LABEL: func.func @softmax(
// CHECK-SAME:    %[[X:.*]]: tensor<2x3x4xf32>)
func.func @softmax(%x: tensor<2x3x4xf32>) -> tensor<2x3x4xf32> {
  // CHECK-NEXT: %[[CST:.*]] = cleave.constant dense<0xFF800000> : tensor<f32>
  // CHECK-NEXT: %[[V0:.*]] = cleave.reduce(%[[X]] init: %[[CST]]) applies cleave.maximum across dimensions = [1] : (tensor<2x3x4xf32>, tensor<f32>) -> tensor<2x4xf32>
  // CHECK-NEXT: %[[V1:.*]] = cleave.broadcast_in_dim %[[V0]], dims = [0, 2] : (tensor<2x4xf32>) -> tensor<2x3x4xf32>
  // CHECK-NEXT: %[[V2:.*]] = cleave.subtract %[[X]], %[[V1]] : tensor<2x3x4xf32>
  // CHECK-NEXT: %[[V3:.*]] = cleave.exponential %[[V2]] : tensor<2x3x4xf32>
  // CHECK-NEXT: %[[CST_0:.*]] = cleave.constant dense<0.000000e+00> : tensor<f32>
  // CHECK-NEXT: %[[V4:.*]] = cleave.reduce(%[[V3]] init: %[[CST_0]]) applies cleave.add across dimensions = [1] : (tensor<2x3x4xf32>, tensor<f32>) -> tensor<2x4xf32>
  // CHECK-NEXT: %[[V5:.*]] = cleave.broadcast_in_dim %[[V4]], dims = [0, 2] : (tensor<2x4xf32>) -> tensor<2x3x4xf32>
  // CHECK-NEXT: %[[V6:.*]] = cleave.divide %[[V3]], %[[V5]] : tensor<2x3x4xf32>
  // CHECK-NEXT: return %[[V6]] : tensor<2x3x4xf32>
  %0 = cleave.softmax %x, dim = 1 : tensor<2x3x4xf32>
  return %0 : tensor<2x3x4xf32>
}

// CHECK-LABEL: func.func @gelu(
// CHECK-SAME:    %[[X:.*]]: tensor<8xf32>)
func.func @gelu(%x: tensor<8xf32>) -> tensor<8xf32> {
  // CHECK-NEXT: %[[CST:.*]] = cleave.constant dense<0.707106769> : tensor<8xf32>
  // CHECK-NEXT: %[[V0:.*]] = cleave.multiply %[[X]], %[[CST]] : tensor<8xf32>
  // CHECK-NEXT: %[[V1:.*]] = cleave.erf %[[V0]] : tensor<8xf32>
  // CHECK-NEXT: %[[CST_0:.*]] = cleave.constant dense<1.000000e+00> : tensor<8xf32>
  // CHECK-NEXT: %[[V2:.*]] = cleave.add %[[CST_0]], %[[V1]] : tensor<8xf32>
  // CHECK-NEXT: %[[CST_1:.*]] = cleave.constant dense<5.000000e-01> : tensor<8xf32>
  // CHECK-NEXT: %[[V3:.*]] = cleave.multiply %[[X]], %[[CST_1]] : tensor<8xf32>
  // CHECK-NEXT: %[[V4:.*]] = cleave.multiply %[[V3]], %[[V2]] : tensor<8xf32>
  // CHECK-NEXT: return %[[V4]] : tensor<8xf32>
  %0 = cleave.gelu %x : tensor<8xf32>
  return %0 : tensor<8xf32>
}

// CHECK-LABEL: func.func @gelu_tanh(
// CHECK-SAME:    %[[X:.*]]: tensor<8xbf16>)
func.func @gelu_tanh(%x: tensor<8xbf16>) -> tensor<8xbf16> {
  // CHECK-NEXT: %[[V0:.*]] = cleave.convert %[[X]] : (tensor<8xbf16>) -> tensor<8xf32>
  // CHECK-NEXT: %[[V1:.*]] = cleave.multiply %[[V0]], %[[V0]] : tensor<8xf32>
  // CHECK-NEXT: %[[CST:.*]] = cleave.constant dense<4.471500e-02> : tensor<8xf32>
  // CHECK-NEXT: %[[V2:.*]] = cleave.multiply %[[V0]], %[[CST]] : tensor<8xf32>
  // CHECK-NEXT: %[[V3:.*]] = cleave.multiply %[[V1]], %[[V2]] : tensor<8xf32>
  // CHECK-NEXT: %[[V4:.*]] = cleave.add %[[V0]], %[[V3]] : tensor<8xf32>
  // CHECK-NEXT: %[[CST_0:.*]] = cleave.constant dense<0.797884583> : tensor<8xf32>
  // CHECK-NEXT: %[[V5:.*]] = cleave.multiply %[[V4]], %[[CST_0]] : tensor<8xf32>
  // CHECK-NEXT: %[[V6:.*]] = cleave.tanh %[[V5]] : tensor<8xf32>
  // CHECK-NEXT: %[[CST_1:.*]] = cleave.constant dense<1.000000e+00> : tensor<8xf32>
  // CHECK-NEXT: %[[V7:.*]] = cleave.add %[[CST_1]], %[[V6]] : tensor<8xf32>
  // CHECK-NEXT: %[[CST_2:.*]] = cleave.constant dense<5.000000e-01> : tensor<8xf32>
  // CHECK-NEXT: %[[V8:.*]] = cleave.multiply %[[V0]], %[[CST_2]] : tensor<8xf32>
  // CHECK-NEXT: %[[V9:.*]] = cleave.multiply %[[V8]], %[[V7]] : tensor<8xf32>
  // CHECK-NEXT: %[[V10:.*]] = cleave.convert %[[V9]] : (tensor<8xf32>) -> tensor<8xbf16>
  // CHECK-NEXT: return %[[V10]] : tensor<8xbf16>
  %0 = cleave.gelu %x form = tanh : tensor<8xbf16>
  return %0 : tensor<8xbf16>
}

// CHECK-LABEL: func.func @silu(
// CHECK-SAME:    %[[X:.*]]: tensor<8xf32>)
func.func @silu(%x: tensor<8xf32>) -> tensor<8xf32> {
  // CHECK-NEXT: %[[V0:.*]] = cleave.logistic %[[X]] : tensor<8xf32>
  // CHECK-NEXT: %[[V1:.*]] = cleave.multiply %[[X]], %[[V0]] : tensor<8xf32>
  // CHECK-NEXT: return %[[V1]] : tensor<8xf32>
  %0 = cleave.silu %x : tensor<8xf32>
  return %0 : tensor<8xf32>
}

// CHECK-LABEL: func.func @relu(
// CHECK-SAME:    %[[X:.*]]: tensor<8xbf16>)
func.func @relu(%x: tensor<8xbf16>) -> tensor<8xbf16> {
  // CHECK-NEXT: %[[CST:.*]] = cleave.constant dense<0.000000e+00> : tensor<8xbf16>
  // CHECK-NEXT: %[[V0:.*]] = cleave.maximum %[[X]], %[[CST]] : tensor<8xbf16>
  // CHECK-NEXT: return %[[V0]] : tensor<8xbf16>
  %0 = cleave.relu %x : tensor<8xbf16>
  return %0 : tensor<8xbf16>
}

// CHECK-LABEL: func.func @attention(
// CHECK-SAME:    %[[Q:.*]]: tensor<2x5x4x8xbf16>, %[[K:.*]]: tensor<2x7x2x8xbf16>, %[[V:.*]]: tensor<2x7x2x3xbf16>, %[[M:.*]]: tensor<1x4x1x7xbf16>)
func.func @attention(%q: tensor<2x5x4x8xbf16>, %k: tensor<2x7x2x8xbf16>, %v: tensor<2x7x2x3xbf16>, %m: tensor<1x4x1x7xbf16>) -> tensor<2x5x4x3xbf16> {
  // CHECK-NEXT: %[[V0:.*]] = cleave.reshape %[[Q]] : (tensor<2x5x4x8xbf16>) -> tensor<2x5x2x2x8xbf16>
  // CHECK-NEXT: %[[V1:.*]] = cleave.dot_general %[[V0]], %[[K]], batching_dims = [0, 2] x [0, 2], contracting_dims = [4] x [3] : (tensor<2x5x2x2x8xbf16>, tensor<2x7x2x8xbf16>) -> tensor<2x2x5x2x7xf32>
  // CHECK-NEXT: %[[CST:.*]] = cleave.constant dense<0.353553385> : tensor<2x2x5x2x7xf32>
  // CHECK-NEXT: %[[V2:.*]] = cleave.multiply %[[V1]], %[[CST]] : tensor<2x2x5x2x7xf32>
  // CHECK-NEXT: %[[V3:.*]] = cleave.convert %[[M]] : (tensor<1x4x1x7xbf16>) -> tensor<1x4x1x7xf32>
  // CHECK-NEXT: %[[V4:.*]] = cleave.reshape %[[V3]] : (tensor<1x4x1x7xf32>) -> tensor<1x2x2x1x7xf32>
  // CHECK-NEXT: %[[V5:.*]] = cleave.transpose %[[V4]], dims = [0, 1, 3, 2, 4] : (tensor<1x2x2x1x7xf32>) -> tensor<1x2x1x2x7xf32>
  // CHECK-NEXT: %[[V6:.*]] = cleave.broadcast_in_dim %[[V5]], dims = [0, 1, 2, 3, 4] : (tensor<1x2x1x2x7xf32>) -> tensor<2x2x5x2x7xf32>
  // CHECK-NEXT: %[[V7:.*]] = cleave.add %[[V2]], %[[V6]] : tensor<2x2x5x2x7xf32>
  // CHECK-NEXT: %[[V8:.*]] = cleave.iota dim = 0 : tensor<5x7xi32>
  // CHECK-NEXT: %[[V9:.*]] = cleave.iota dim = 1 : tensor<5x7xi32>
  // CHECK-NEXT: %[[C:.*]] = cleave.constant dense<2> : tensor<5x7xi32>
  // CHECK-NEXT: %[[V10:.*]] = cleave.add %[[V8]], %[[C]] : tensor<5x7xi32>
  // CHECK-NEXT: %[[V11:.*]] = cleave.compare LE, %[[V9]], %[[V10]] : (tensor<5x7xi32>, tensor<5x7xi32>) -> tensor<5x7xi1>
  // CHECK-NEXT: %[[V12:.*]] = cleave.broadcast_in_dim %[[V11]], dims = [2, 4] : (tensor<5x7xi1>) -> tensor<2x2x5x2x7xi1>
  // CHECK-NEXT: %[[CST_0:.*]] = cleave.constant dense<0xFF800000> : tensor<2x2x5x2x7xf32>
  // CHECK-NEXT: %[[V13:.*]] = cleave.select %[[V12]], %[[V7]], %[[CST_0]] : tensor<2x2x5x2x7xi1>, tensor<2x2x5x2x7xf32>
  // CHECK-NEXT: %[[CST_1:.*]] = cleave.constant dense<0xFF800000> : tensor<f32>
  // CHECK-NEXT: %[[V14:.*]] = cleave.reduce(%[[V13]] init: %[[CST_1]]) applies cleave.maximum across dimensions = [4] : (tensor<2x2x5x2x7xf32>, tensor<f32>) -> tensor<2x2x5x2xf32>
  // CHECK-NEXT: %[[V15:.*]] = cleave.broadcast_in_dim %[[V14]], dims = [0, 1, 2, 3] : (tensor<2x2x5x2xf32>) -> tensor<2x2x5x2x7xf32>
  // CHECK-NEXT: %[[V16:.*]] = cleave.subtract %[[V13]], %[[V15]] : tensor<2x2x5x2x7xf32>
  // CHECK-NEXT: %[[V17:.*]] = cleave.exponential %[[V16]] : tensor<2x2x5x2x7xf32>
  // CHECK-NEXT: %[[CST_2:.*]] = cleave.constant dense<0.000000e+00> : tensor<f32>
  // CHECK-NEXT: %[[V18:.*]] = cleave.reduce(%[[V17]] init: %[[CST_2]]) applies cleave.add across dimensions = [4] : (tensor<2x2x5x2x7xf32>, tensor<f32>) -> tensor<2x2x5x2xf32>
  // CHECK-NEXT: %[[V19:.*]] = cleave.broadcast_in_dim %[[V18]], dims = [0, 1, 2, 3] : (tensor<2x2x5x2xf32>) -> tensor<2x2x5x2x7xf32>
  // CHECK-NEXT: %[[V20:.*]] = cleave.divide %[[V17]], %[[V19]] : tensor<2x2x5x2x7xf32>
  // CHECK-NEXT: %[[V21:.*]] = cleave.convert %[[V20]] : (tensor<2x2x5x2x7xf32>) -> tensor<2x2x5x2x7xbf16>
  // CHECK-NEXT: %[[V22:.*]] = cleave.dot_general %[[V21]], %[[V]], batching_dims = [0, 1] x [0, 2], contracting_dims = [4] x [1] : (tensor<2x2x5x2x7xbf16>, tensor<2x7x2x3xbf16>) -> tensor<2x2x5x2x3xbf16>
  // CHECK-NEXT: %[[V23:.*]] = cleave.transpose %[[V22]], dims = [0, 2, 1, 3, 4] : (tensor<2x2x5x2x3xbf16>) -> tensor<2x5x2x2x3xbf16>
  // CHECK-NEXT: %[[V24:.*]] = cleave.reshape %[[V23]] : (tensor<2x5x2x2x3xbf16>) -> tensor<2x5x4x3xbf16>
  // CHECK-NEXT: return %[[V24]] : tensor<2x5x4x3xbf16>
  %0 = cleave.attention %q, %k, %v mask %m causal : (tensor<2x5x4x8xbf16>, tensor<2x7x2x8xbf16>, tensor<2x7x2x3xbf16>, tensor<1x4x1x7xbf16>) -> tensor<2x5x4x3xbf16>
  return %0 : tensor<2x5x4x3xbf16>
}

// CHECK-LABEL: func.func @attention_one_group(
// CHECK-SAME:    %[[Q:.*]]: tensor<2x5x4x8xf32>, %[[K:.*]]: tensor<2x7x1x8xf32>, %[[V:.*]]: tensor<2x7x1x3xf32>, %[[M:.*]]: tensor<2x1x5x7xf32>)
func.func @attention_one_group(%q: tensor<2x5x4x8xf32>, %k: tensor<2x7x1x8xf32>, %v: tensor<2x7x1x3xf32>, %m: tensor<2x1x5x7xf32>) -> tensor<2x5x4x3xf32> {
  // CHECK-NEXT: %[[V0:.*]] = cleave.reshape %[[Q]] : (tensor<2x5x4x8xf32>) -> tensor<2x5x1x4x8xf32>
  // CHECK-NEXT: %[[V1:.*]] = cleave.dot_general %[[V0]], %[[K]], batching_dims = [0, 2] x [0, 2], contracting_dims = [4] x [3] : (tensor<2x5x1x4x8xf32>, tensor<2x7x1x8xf32>) -> tensor<2x1x5x4x7xf32>
  // CHECK-NEXT: %[[CST:.*]] = cleave.constant dense<2.500000e-01> : tensor<2x1x5x4x7xf32>
  // CHECK-NEXT: %[[V2:.*]] = cleave.multiply %[[V1]], %[[CST]] : tensor<2x1x5x4x7xf32>
  // CHECK-NEXT: %[[V3:.*]] = cleave.reshape %[[M]] : (tensor<2x1x5x7xf32>) -> tensor<2x1x1x5x7xf32>
  // CHECK-NEXT: %[[V4:.*]] = cleave.transpose %[[V3]], dims = [0, 1, 3, 2, 4] : (tensor<2x1x1x5x7xf32>) -> tensor<2x1x5x1x7xf32>
  // CHECK-NEXT: %[[V5:.*]] = cleave.broadcast_in_dim %[[V4]], dims = [0, 1, 2, 3, 4] : (tensor<2x1x5x1x7xf32>) -> tensor<2x1x5x4x7xf32>
  // CHECK-NEXT: %[[V6:.*]] = cleave.add %[[V2]], %[[V5]] : tensor<2x1x5x4x7xf32>
  // CHECK-NEXT: %[[CST_0:.*]] = cleave.constant dense<0xFF800000> : tensor<f32>
  // CHECK-NEXT: %[[V7:.*]] = cleave.reduce(%[[V6]] init: %[[CST_0]]) applies cleave.maximum across dimensions = [4] : (tensor<2x1x5x4x7xf32>, tensor<f32>) -> tensor<2x1x5x4xf32>
  // CHECK-NEXT: %[[V8:.*]] = cleave.broadcast_in_dim %[[V7]], dims = [0, 1, 2, 3] : (tensor<2x1x5x4xf32>) -> tensor<2x1x5x4x7xf32>
  // CHECK-NEXT: %[[V9:.*]] = cleave.subtract %[[V6]], %[[V8]] : tensor<2x1x5x4x7xf32>
  // CHECK-NEXT: %[[V10:.*]] = cleave.exponential %[[V9]] : tensor<2x1x5x4x7xf32>
  // CHECK-NEXT: %[[CST_1:.*]] = cleave.constant dense<0.000000e+00> : tensor<f32>
  // CHECK-NEXT: %[[V11:.*]] = cleave.reduce(%[[V10]] init: %[[CST_1]]) applies cleave.add across dimensions = [4] : (tensor<2x1x5x4x7xf32>, tensor<f32>) -> tensor<2x1x5x4xf32>
  // CHECK-NEXT: %[[V12:.*]] = cleave.broadcast_in_dim %[[V11]], dims = [0, 1, 2, 3] : (tensor<2x1x5x4xf32>) -> tensor<2x1x5x4x7xf32>
  // CHECK-NEXT: %[[V13:.*]] = cleave.divide %[[V10]], %[[V12]] : tensor<2x1x5x4x7xf32>
  // CHECK-NEXT: %[[V14:.*]] = cleave.dot_general %[[V13]], %[[V]], batching_dims = [0, 1] x [0, 2], contracting_dims = [4] x [1] : (tensor<2x1x5x4x7xf32>, tensor<2x7x1x3xf32>) -> tensor<2x1x5x4x3xf32>
  // CHECK-NEXT: %[[V15:.*]] = cleave.transpose %[[V14]], dims = [0, 2, 1, 3, 4] : (tensor<2x1x5x4x3xf32>) -> tensor<2x5x1x4x3xf32>
  // CHECK-NEXT: %[[V16:.*]] = cleave.reshape %[[V15]] : (tensor<2x5x1x4x3xf32>) -> tensor<2x5x4x3xf32>
  // CHECK-NEXT: return %[[V16]] : tensor<2x5x4x3xf32>
  %0 = cleave.attention %q, %k, %v mask %m scale = 0.25 : (tensor<2x5x4x8xf32>, tensor<2x7x1x8xf32>, tensor<2x7x1x3xf32>, tensor<2x1x5x7xf32>) -> tensor<2x5x4x3xf32>
  return %0 : tensor<2x5x4x3xf32>
}

// CHECK-LABEL: func.func @rotary_embedding(
// CHECK-SAME:    %[[X:.*]]: tensor<2x5x4x8xf32>, %[[P:.*]]: tensor<5xi32>)
func.func @rotary_embedding(%x: tensor<2x5x4x8xf32>, %p: tensor<5xi32>) -> tensor<2x5x4x8xf32> {
  // CHECK-NEXT: %[[CST:.*]] = cleave.constant dense<[1.000000e+00, 5.000000e-01, 2.500000e-01, 1.250000e-01]> : tensor<4xf64>
  // CHECK-NEXT: %[[V0:.*]] = cleave.convert %[[P]] : (tensor<5xi32>) -> tensor<5xf64>
  // CHECK-NEXT: %[[V1:.*]] = cleave.broadcast_in_dim %[[V0]], dims = [0] : (tensor<5xf64>) -> tensor<5x4xf64>
  // CHECK-NEXT: %[[V2:.*]] = cleave.broadcast_in_dim %[[CST]], dims = [1] : (tensor<4xf64>) -> tensor<5x4xf64>
  // CHECK-NEXT: %[[V3:.*]] = cleave.multiply %[[V1]], %[[V2]] : tensor<5x4xf64>
  // CHECK-NEXT: %[[CST_0:.*]] = cleave.constant dense<0.15915494309189535> : tensor<5x4xf64>
  // CHECK-NEXT: %[[V4:.*]] = cleave.multiply %[[V3]], %[[CST_0]] : tensor<5x4xf64>
  // CHECK-NEXT: %[[V5:.*]] = cleave.round_nearest_even %[[V4]] : tensor<5x4xf64>
  // CHECK-NEXT: %[[CST_1:.*]] = cleave.constant dense<6.2831853071795862> : tensor<5x4xf64>
  // CHECK-NEXT: %[[V6:.*]] = cleave.multiply %[[V5]], %[[CST_1]] : tensor<5x4xf64>
  // CHECK-NEXT: %[[V7:.*]] = cleave.subtract %[[V3]], %[[V6]] : tensor<5x4xf64>
  // CHECK-NEXT: %[[V8:.*]] = cleave.convert %[[V7]] : (tensor<5x4xf64>) -> tensor<5x4xf32>
  // CHECK-NEXT: %[[V9:.*]] = cleave.cosine %[[V8]] : tensor<5x4xf32>
  // CHECK-NEXT: %[[V10:.*]] = cleave.broadcast_in_dim %[[V9]], dims = [1, 3] : (tensor<5x4xf32>) -> tensor<2x5x4x4xf32>
  // CHECK-NEXT: %[[V11:.*]] = cleave.sine %[[V8]] : tensor<5x4xf32>
  // CHECK-NEXT: %[[V12:.*]] = cleave.broadcast_in_dim %[[V11]], dims = [1, 3] : (tensor<5x4xf32>) -> tensor<2x5x4x4xf32>
  // CHECK-NEXT: %[[V13:.*]] = cleave.slice %[[X]] [0:2, 0:5, 0:4, 0:4] : (tensor<2x5x4x8xf32>) -> tensor<2x5x4x4xf32>
  // CHECK-NEXT: %[[V14:.*]] = cleave.slice %[[X]] [0:2, 0:5, 0:4, 4:8] : (tensor<2x5x4x8xf32>) -> tensor<2x5x4x4xf32>
  // CHECK-NEXT: %[[V15:.*]] = cleave.multiply %[[V13]], %[[V10]] : tensor<2x5x4x4xf32>
  // CHECK-NEXT: %[[V16:.*]] = cleave.multiply %[[V14]], %[[V12]] : tensor<2x5x4x4xf32>
  // CHECK-NEXT: %[[V17:.*]] = cleave.subtract %[[V15]], %[[V16]] : tensor<2x5x4x4xf32>
  // CHECK-NEXT: %[[V18:.*]] = cleave.multiply %[[V14]], %[[V10]] : tensor<2x5x4x4xf32>
  // CHECK-NEXT: %[[V19:.*]] = cleave.multiply %[[V13]], %[[V12]] : tensor<2x5x4x4xf32>
  // CHECK-NEXT: %[[V20:.*]] = cleave.add %[[V18]], %[[V19]] : tensor<2x5x4x4xf32>
  // CHECK-NEXT: %[[V21:.*]] = cleave.concatenate %[[V17]], %[[V20]], dim = 3 : (tensor<2x5x4x4xf32>, tensor<2x5x4x4xf32>) -> tensor<2x5x4x8xf32>
  // CHECK-NEXT: return %[[V21]] : tensor<2x5x4x8xf32>
  %0 = cleave.rotary_embedding %x, %p base = 16.0 : (tensor<2x5x4x8xf32>, tensor<5xi32>) -> tensor<2x5x4x8xf32>
  return %0 : tensor<2x5x4x8xf32>
}

// CHECK-LABEL: func.func @rotary_embedding_batched(
// CHECK-SAME:    %[[X:.*]]: tensor<2x5x4x2xf64>, %[[P:.*]]: tensor<2x5xi32>)
func.func @rotary_embedding_batched(%x: tensor<2x5x4x2xf64>, %p: tensor<2x5xi32>) -> tensor<2x5x4x2xf64> {
  // CHECK-NEXT: %[[CST:.*]] = cleave.constant dense<1.000000e+00> : tensor<1xf64>
  // CHECK-NEXT: %[[V0:.*]] = cleave.convert %[[P]] : (tensor<2x5xi32>) -> tensor<2x5xf64>
  // CHECK-NEXT: %[[V1:.*]] = cleave.broadcast_in_dim %[[V0]], dims = [0, 1] : (tensor<2x5xf64>) -> tensor<2x5x1xf64>
  // CHECK-NEXT: %[[V2:.*]] = cleave.broadcast_in_dim %[[CST]], dims = [2] : (tensor<1xf64>) -> tensor<2x5x1xf64>
  // CHECK-NEXT: %[[V3:.*]] = cleave.multiply %[[V1]], %[[V2]] : tensor<2x5x1xf64>
  // CHECK-NEXT: %[[V4:.*]] = cleave.cosine %[[V3]] : tensor<2x5x1xf64>
  // CHECK-NEXT: %[[V5:.*]] = cleave.broadcast_in_dim %[[V4]], dims = [0, 1, 3] : (tensor<2x5x1xf64>) -> tensor<2x5x4x1xf64>
  // CHECK-NEXT: %[[V6:.*]] = cleave.sine %[[V3]] : tensor<2x5x1xf64>
  // CHECK-NEXT: %[[V7:.*]] = cleave.broadcast_in_dim %[[V6]], dims = [0, 1, 3] : (tensor<2x5x1xf64>) -> tensor<2x5x4x1xf64>
  // CHECK-NEXT: %[[V8:.*]] = cleave.slice %[[X]] [0:2, 0:5, 0:4, 0:1] : (tensor<2x5x4x2xf64>) -> tensor<2x5x4x1xf64>
  // CHECK-NEXT: %[[V9:.*]] = cleave.slice %[[X]] [0:2, 0:5, 0:4, 1:2] : (tensor<2x5x4x2xf64>) -> tensor<2x5x4x1xf64>
  // CHECK-NEXT: %[[V10:.*]] = cleave.multiply %[[V8]], %[[V5]] : tensor<2x5x4x1xf64>
  // CHECK-NEXT: %[[V11:.*]] = cleave.multiply %[[V9]], %[[V7]] : tensor<2x5x4x1xf64>
  // CHECK-NEXT: %[[V12:.*]] = cleave.subtract %[[V10]], %[[V11]] : tensor<2x5x4x1xf64>
  // CHECK-NEXT: %[[V13:.*]] = cleave.multiply %[[V9]], %[[V5]] : tensor<2x5x4x1xf64>
  // CHECK-NEXT: %[[V14:.*]] = cleave.multiply %[[V8]], %[[V7]] : tensor<2x5x4x1xf64>
  // CHECK-NEXT: %[[V15:.*]] = cleave.add %[[V13]], %[[V14]] : tensor<2x5x4x1xf64>
  // CHECK-NEXT: %[[V16:.*]] = cleave.concatenate %[[V12]], %[[V15]], dim = 3 : (tensor<2x5x4x1xf64>, tensor<2x5x4x1xf64>) -> tensor<2x5x4x2xf64>
  // CHECK-NEXT: return %[[V16]] : tensor<2x5x4x2xf64>
  %0 = cleave.rotary_embedding %x, %p : (tensor<2x5x4x2xf64>, tensor<2x5xi32>) -> tensor<2x5x4x2xf64>
  return %0 : tensor<2x5x4x2xf64>
}

// CHECK-LABEL: func.func @embedding(
// CHECK-SAME:    %[[TABLE:.*]]: tensor<9x4xf32>, %[[IDS:.*]]: tensor<2x3xi32>)
func.func @embedding(%table: tensor<9x4xf32>, %ids: tensor<2x3xi32>) -> tensor<2x3x4xf32> {
  // CHECK-NEXT: %[[V0:.*]] = cleave.gather %[[TABLE]], %[[IDS]], offset_dims = [2], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2, slice_sizes = [1, 4] : (tensor<9x4xf32>, tensor<2x3xi32>) -> tensor<2x3x4xf32>
  // CHECK-NEXT: return %[[V0]] : tensor<2x3x4xf32>
  %0 = cleave.embedding %table, %ids : (tensor<9x4xf32>, tensor<2x3xi32>) -> tensor<2x3x4xf32>
  return %0 : tensor<2x3x4xf32>
}

// CHECK-LABEL: func.func @embedding_of_nothing(
// CHECK-SAME:    %[[TABLE:.*]]: tensor<0x4xf32>, %[[IDS:.*]]: tensor<0xi32>)
func.func @embedding_of_nothing(%table: tensor<0x4xf32>, %ids: tensor<0xi32>) -> tensor<0x4xf32> {
  // CHECK-NEXT: %[[CST:.*]] = cleave.constant dense<> : tensor<0x4xf32>
  // CHECK-NEXT: return %[[CST]] : tensor<0x4xf32>
  %0 = cleave.embedding %table, %ids : (tensor<0x4xf32>, tensor<0xi32>) -> tensor<0x4xf32>
  return %0 : tensor<0x4xf32>
}

// CHECK-LABEL: func.func @cross_entropy(
// CHECK-SAME:    %[[LOGITS:.*]]: tensor<2x3x9xbf16>, %[[LABELS:.*]]: tensor<2x3xi32>)
func.func @cross_entropy(%logits: tensor<2x3x9xbf16>, %labels: tensor<2x3xi32>) -> tensor<2x3xbf16> {
  // CHECK-NEXT: %[[V0:.*]] = cleave.convert %[[LOGITS]] : (tensor<2x3x9xbf16>) -> tensor<2x3x9xf32>
  // CHECK-NEXT: %[[CST:.*]] = cleave.constant dense<0xFF800000> : tensor<f32>
  // CHECK-NEXT: %[[V1:.*]] = cleave.reduce(%[[V0]] init: %[[CST]]) applies cleave.maximum across dimensions = [2] : (tensor<2x3x9xf32>, tensor<f32>) -> tensor<2x3xf32>
  // CHECK-NEXT: %[[V2:.*]] = cleave.broadcast_in_dim %[[V1]], dims = [0, 1] : (tensor<2x3xf32>) -> tensor<2x3x9xf32>
  // CHECK-NEXT: %[[V3:.*]] = cleave.subtract %[[V0]], %[[V2]] : tensor<2x3x9xf32>
  // CHECK-NEXT: %[[V4:.*]] = cleave.exponential %[[V3]] : tensor<2x3x9xf32>
  // CHECK-NEXT: %[[CST_0:.*]] = cleave.constant dense<0.000000e+00> : tensor<f32>
  // CHECK-NEXT: %[[V5:.*]] = cleave.reduce(%[[V4]] init: %[[CST_0]]) applies cleave.add across dimensions = [2] : (tensor<2x3x9xf32>, tensor<f32>) -> tensor<2x3xf32>
  // CHECK-NEXT: %[[V6:.*]] = cleave.log %[[V5]] : tensor<2x3xf32>
  // CHECK-NEXT: %[[V7:.*]] = cleave.gather %[[LOGITS]], %[[LABELS]], offset_dims = [], collapsed_slice_dims = [2], operand_batching_dims = [0, 1], start_indices_batching_dims = [0, 1], start_index_map = [2], index_vector_dim = 2, slice_sizes = [1, 1, 1] : (tensor<2x3x9xbf16>, tensor<2x3xi32>) -> tensor<2x3xbf16>
  // CHECK-NEXT: %[[V8:.*]] = cleave.convert %[[V7]] : (tensor<2x3xbf16>) -> tensor<2x3xf32>
  // CHECK-NEXT: %[[V9:.*]] = cleave.subtract %[[V8]], %[[V1]] : tensor<2x3xf32>
  // CHECK-NEXT: %[[V10:.*]] = cleave.subtract %[[V6]], %[[V9]] : tensor<2x3xf32>
  // CHECK-NEXT: %[[V11:.*]] = cleave.convert %[[V10]] : (tensor<2x3xf32>) -> tensor<2x3xbf16>
  // CHECK-NEXT: return %[[V11]] : tensor<2x3xbf16>
  %0 = cleave.cross_entropy %logits, %labels : (tensor<2x3x9xbf16>, tensor<2x3xi32>) -> tensor<2x3xbf16>
  return %0 : tensor<2x3xbf16>
}
