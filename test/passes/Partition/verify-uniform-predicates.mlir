// RUN: cleave-opt %s -cleave-verify-uniform-predicates -verify-diagnostics -split-input-file

// A loop as long as the rank's position.
spmd.mesh @m <"x"=2, "y"=4>
func.func @by_position(%v: tensor<4xf32> {spmd.sharding = #spmd.sharding<@m, [{}]>}) -> tensor<4xf32> {
  %zero = cleave.constant dense<0> : tensor<i32>
  %one = cleave.constant dense<1> : tensor<i32>
  // expected-note@+1 {{each of them has another position here}}
  %i = spmd.axis_index @m ["x"] : tensor<i32>
  // expected-error@+1 {{the condition may differ between ranks along "x", but a collective inside needs all of them; reduce or gather it over that axis first}}
  %n, %r = cleave.while(%k = %zero, %w = %v) : tensor<i32>, tensor<4xf32>
   cond {
    %more = cleave.compare LT, %k, %i : (tensor<i32>, tensor<i32>) -> tensor<i1>
    cleave.return %more : tensor<i1>
  } do {
    %next = cleave.add %k, %one : tensor<i32>
    // expected-note@+1 {{the collective is all_reduce}}
    %s = spmd.all_reduce sum %w over @m ["x", "y"] : tensor<4xf32>
    cleave.return %next, %s : tensor<i32>, tensor<4xf32>
  }
  return %r : tensor<4xf32>
}

// -----

// The same with a collective of ranks that all run it alike.
spmd.mesh @m <"x"=2, "y"=4>
func.func @of_other_ranks(%v: tensor<4xf32> {spmd.sharding = #spmd.sharding<@m, [{}]>}) -> tensor<4xf32> {
  %zero = cleave.constant dense<0> : tensor<i32>
  %one = cleave.constant dense<1> : tensor<i32>
  %i = spmd.axis_index @m ["x"] : tensor<i32>
  %n, %r = cleave.while(%k = %zero, %w = %v) : tensor<i32>, tensor<4xf32>
   cond {
    %more = cleave.compare LT, %k, %i : (tensor<i32>, tensor<i32>) -> tensor<i1>
    cleave.return %more : tensor<i1>
  } do {
    %next = cleave.add %k, %one : tensor<i32>
    %s = spmd.all_reduce sum %w over @m ["y"] : tensor<4xf32>
    cleave.return %next, %s : tensor<i32>, tensor<4xf32>
  }
  return %r : tensor<4xf32>
}

// -----

// A condition on a shard; the maximum over the axis makes it one for all.
spmd.mesh @m <"x"=4>
// expected-note@+1 {{each of them has its own shard of this argument}}
func.func @on_a_shard(%v: tensor<2xf32> {spmd.global_type = tensor<8xf32>, spmd.sharding = #spmd.sharding<@m, [{"x"}]>}) -> tensor<2xf32> {
  %least = cleave.constant dense<0xFF800000> : tensor<f32>
  %limit = cleave.constant dense<1.0> : tensor<f32>
  %own = cleave.reduce(%v init: %least) applies cleave.maximum across dimensions = [0] : (tensor<2xf32>, tensor<f32>) -> tensor<f32>
  %all = spmd.all_reduce max %own over @m ["x"] : tensor<f32>
  %good = cleave.compare LT, %all, %limit : (tensor<f32>, tensor<f32>) -> tensor<i1>
  %0 = cleave.if %good : (tensor<i1>) -> tensor<2xf32> then {
    %s = spmd.all_reduce sum %v over @m ["x"] : tensor<2xf32>
    cleave.return %s : tensor<2xf32>
  } else {
    cleave.return %v : tensor<2xf32>
  }
  %bad = cleave.compare LT, %own, %limit : (tensor<f32>, tensor<f32>) -> tensor<i1>
  // expected-error@+1 {{the condition may differ between ranks along "x"}}
  %1 = cleave.if %bad : (tensor<i1>) -> tensor<2xf32> then {
    // expected-note@+1 {{the collective is all_gather}}
    %g = spmd.all_gather %v dim 0 over @m ["x"] : tensor<2xf32> -> tensor<8xf32>
    %c = cleave.slice %g [0:2] : (tensor<8xf32>) -> tensor<2xf32>
    cleave.return %c : tensor<2xf32>
  } else {
    cleave.return %v : tensor<2xf32>
  }
  %2 = cleave.add %0, %1 : tensor<2xf32>
  return %2 : tensor<2xf32>
}

// -----

// all_slice does not communicate: any condition is good.
spmd.mesh @m <"x"=4>
func.func @no_communication(%v: tensor<8xf32> {spmd.sharding = #spmd.sharding<@m, [{}]>}, %z: tensor<2xf32> {spmd.sharding = #spmd.sharding<@m, [{}]>}) -> tensor<2xf32> {
  %one = cleave.constant dense<1> : tensor<i32>
  %i = spmd.axis_index @m ["x"] : tensor<i32>
  %p = cleave.compare LT, %i, %one : (tensor<i32>, tensor<i32>) -> tensor<i1>
  %0 = cleave.if %p : (tensor<i1>) -> tensor<2xf32> then {
    %s = spmd.all_slice %v dim 0 over @m ["x"] : tensor<8xf32> -> tensor<2xf32>
    cleave.return %s : tensor<2xf32>
  } else {
    cleave.return %z : tensor<2xf32>
  }
  return %0 : tensor<2xf32>
}

// -----

// A variable that differs from the second round on, inside of another loop; what differs is found
// in any round.
spmd.mesh @m <"x"=4>
func.func @carried(%v: tensor<i32> {spmd.sharding = #spmd.sharding<@m, []>}) -> tensor<i32> {
  %three = cleave.constant dense<3> : tensor<i32>
  %one = cleave.constant dense<1> : tensor<i32>
  // expected-note@+1 {{each of them has another position here}}
  %i = spmd.axis_index @m ["x"] : tensor<i32>
  // expected-error@+1 {{the condition may differ between ranks along "x"}}
  %r:3 = cleave.while(%a = %v, %b = %v, %c = %v) : tensor<i32>, tensor<i32>, tensor<i32>
   cond {
    %more = cleave.compare LT, %a, %three : (tensor<i32>, tensor<i32>) -> tensor<i1>
    cleave.return %more : tensor<i1>
  } do {
    %s = cleave.while(%k = %b) : tensor<i32>
     cond {
      %less = cleave.compare LT, %k, %three : (tensor<i32>, tensor<i32>) -> tensor<i1>
      cleave.return %less : tensor<i1>
    } do {
      %l = cleave.add %k, %one : tensor<i32>
      cleave.return %l : tensor<i32>
    }
    // expected-note@+1 {{the collective is all_reduce}}
    %t = spmd.all_reduce sum %s over @m ["x"] : tensor<i32>
    cleave.return %b, %c, %i : tensor<i32>, tensor<i32>, tensor<i32>
  }
  return %r#0 : tensor<i32>
}

// -----

// Results of a loop whose length differs differ; those of a branch, too.
spmd.mesh @m <"x"=4>
func.func @results(%v: tensor<i32> {spmd.sharding = #spmd.sharding<@m, []>}) -> tensor<i32> {
  %one = cleave.constant dense<1> : tensor<i32>
  %zero = cleave.constant dense<0> : tensor<i32>
  // expected-note@+1 {{each of them has another position here}}
  %i = spmd.axis_index @m ["x"] : tensor<i32>
  %p = cleave.compare LT, %i, %one : (tensor<i32>, tensor<i32>) -> tensor<i1>
  %chosen = cleave.if %p : (tensor<i1>) -> tensor<i32> then {
    cleave.return %one : tensor<i32>
  } else {
    cleave.return %zero : tensor<i32>
  }
  %counted = cleave.while(%k = %zero) : tensor<i32>
   cond {
    %less = cleave.compare LT, %k, %i : (tensor<i32>, tensor<i32>) -> tensor<i1>
    cleave.return %less : tensor<i1>
  } do {
    %l = cleave.add %k, %one : tensor<i32>
    cleave.return %l : tensor<i32>
  }
  %q = cleave.compare LT, %chosen, %one : (tensor<i32>, tensor<i32>) -> tensor<i1>
  // expected-error@+1 {{the condition may differ between ranks along "x"}}
  %0 = cleave.if %q : (tensor<i1>) -> tensor<i32> then {
    // expected-note@+1 {{the collective is collective_permute}}
    %s = spmd.collective_permute %v over @m pairs [0, 1] : tensor<i32>
    cleave.return %s : tensor<i32>
  } else {
    cleave.return %v : tensor<i32>
  }
  %t = cleave.compare LT, %counted, %one : (tensor<i32>, tensor<i32>) -> tensor<i1>
  // expected-error@+1 {{the condition may differ between ranks along "x"}}
  %1 = cleave.if %t : (tensor<i1>) -> tensor<i32> then {
    // expected-note@+1 {{the collective is all_reduce}}
    %s = spmd.all_reduce sum %v over @m ["x"] : tensor<i32>
    cleave.return %s : tensor<i32>
  } else {
    cleave.return %v : tensor<i32>
  }
  return %1 : tensor<i32>
}

// -----

// Over a part of an axis ranks agree within the part only.
spmd.mesh @m <"x"=4>
func.func @parts(%v: tensor<i32> {spmd.sharding = #spmd.sharding<@m, []>}) -> tensor<i32> {
  %one = cleave.constant dense<1> : tensor<i32>
  // expected-note@+1 {{each of them has another position here}}
  %i = spmd.axis_index @m ["x"] : tensor<i32>
  %part = spmd.all_reduce max %i over @m ["x":(2)2] : tensor<i32>
  %p = cleave.compare LT, %part, %one : (tensor<i32>, tensor<i32>) -> tensor<i1>
  %0 = cleave.if %p : (tensor<i1>) -> tensor<i32> then {
    %s = spmd.all_reduce sum %v over @m ["x":(2)2] : tensor<i32>
    cleave.return %s : tensor<i32>
  } else {
    cleave.return %v : tensor<i32>
  }
  // expected-error@+1 {{the condition may differ between ranks along "x":(1)2}}
  %1 = cleave.if %p : (tensor<i1>) -> tensor<i32> then {
    // expected-note@+1 {{the collective is all_reduce}}
    %s = spmd.all_reduce sum %0 over @m ["x"] : tensor<i32>
    cleave.return %s : tensor<i32>
  } else {
    cleave.return %v : tensor<i32>
  }
  return %1 : tensor<i32>
}

// -----

// Parts of 2 x 3 and 3 x 2 positions have no common boundaries: the axis counts as one.
spmd.mesh @m <"x"=6>
func.func @parts_without_common_boundaries(%v: tensor<i32> {spmd.sharding = #spmd.sharding<@m, []>}) -> tensor<i32> {
  %one = cleave.constant dense<1> : tensor<i32>
  // expected-note@+1 {{each of them has another position here}}
  %i = spmd.axis_index @m ["x":(3)2] : tensor<i32>
  %part = spmd.all_reduce max %i over @m ["x":(2)3] : tensor<i32>
  %p = cleave.compare LT, %part, %one : (tensor<i32>, tensor<i32>) -> tensor<i1>
  // expected-error@+1 {{the condition may differ between ranks along "x"}}
  %0 = cleave.if %p : (tensor<i1>) -> tensor<i32> then {
    // expected-note@+1 {{the collective is all_reduce}}
    %s = spmd.all_reduce sum %v over @m ["x":(2)3] : tensor<i32>
    cleave.return %s : tensor<i32>
  } else {
    cleave.return %v : tensor<i32>
  }
  return %0 : tensor<i32>
}

// -----

// Pieces and padding differ, also of what is the same everywhere.
spmd.mesh @m <"x"=4, "y"=2>
func.func @pieces(%v: tensor<7x4xi32> {spmd.sharding = #spmd.sharding<@m, [{}, {}]>}) -> tensor<2x4xi32> {
  %one = cleave.constant dense<1> : tensor<i32>
  %zero = cleave.constant dense<0> : tensor<i32>
  // expected-note@+1 {{each of them gets another piece here}}
  %s = spmd.reduce_scatter sum %v dim 0 over @m ["x"] : tensor<7x4xi32> -> tensor<2x4xi32>
  // expected-note@+1 {{each of them has other padding here}}
  %m = spmd.mask_padding sum %s dim 1 size 7 over @m ["y"] : tensor<2x4xi32>
  %t = cleave.reduce(%s init: %zero) applies cleave.add across dimensions = [0, 1] : (tensor<2x4xi32>, tensor<i32>) -> tensor<i32>
  %u = cleave.reduce(%m init: %zero) applies cleave.add across dimensions = [0, 1] : (tensor<2x4xi32>, tensor<i32>) -> tensor<i32>
  %p = cleave.compare LT, %t, %one : (tensor<i32>, tensor<i32>) -> tensor<i1>
  %q = cleave.compare LT, %u, %one : (tensor<i32>, tensor<i32>) -> tensor<i1>
  // expected-error@+1 {{the condition may differ between ranks along "x"}}
  %0 = cleave.if %p : (tensor<i1>) -> tensor<2x4xi32> then {
    // expected-note@+1 {{the collective is all_reduce}}
    %r = spmd.all_reduce sum %s over @m ["y", "x"] : tensor<2x4xi32>
    cleave.return %r : tensor<2x4xi32>
  } else {
    cleave.return %s : tensor<2x4xi32>
  }
  // expected-error@+1 {{the condition may differ between ranks along "y"}}
  %1 = cleave.if %q : (tensor<i1>) -> tensor<2x4xi32> then {
    // expected-note@+1 {{the collective is all_reduce}}
    %r = spmd.all_reduce sum %s over @m ["y"] : tensor<2x4xi32>
    cleave.return %r : tensor<2x4xi32>
  } else {
    cleave.return %s : tensor<2x4xi32>
  }
  %2 = cleave.add %0, %1 : tensor<2x4xi32>
  return %2 : tensor<2x4xi32>
}

// -----

// A shift along "x" alike for all "y" keeps what is the same along "y"; one that is not may not.
spmd.mesh @m <"x"=2, "y"=2>
func.func @permutes(%v: tensor<i32> {spmd.sharding = #spmd.sharding<@m, []>}) -> tensor<i32> {
  %one = cleave.constant dense<1> : tensor<i32>
  %i = spmd.axis_index @m ["x"] : tensor<i32>
  %alike = spmd.collective_permute %i over @m pairs [0, 2, 1, 3] : tensor<i32>
  // expected-note@+1 {{each of them gets the value of another rank here}}
  %other = spmd.collective_permute %i over @m pairs [0, 2] : tensor<i32>
  %p = cleave.compare LT, %alike, %one : (tensor<i32>, tensor<i32>) -> tensor<i1>
  %q = cleave.compare LT, %other, %one : (tensor<i32>, tensor<i32>) -> tensor<i1>
  %0 = cleave.if %p : (tensor<i1>) -> tensor<i32> then {
    %r = spmd.all_reduce sum %v over @m ["y"] : tensor<i32>
    cleave.return %r : tensor<i32>
  } else {
    cleave.return %v : tensor<i32>
  }
  // expected-error@+1 {{the condition may differ between ranks along "y"}}
  %1 = cleave.if %q : (tensor<i1>) -> tensor<i32> then {
    // expected-note@+1 {{the collective is all_reduce}}
    %r = spmd.all_reduce sum %v over @m ["y"] : tensor<i32>
    cleave.return %r : tensor<i32>
  } else {
    cleave.return %v : tensor<i32>
  }
  %2 = cleave.add %0, %1 : tensor<i32>
  return %2 : tensor<i32>
}

// -----

// What a call does is not known here, nor what an argument without sharding is.
spmd.mesh @m <"x"=2>
func.func private @callee(%v: tensor<i1>) -> tensor<i1> {
  return %v : tensor<i1>
}
// expected-note@+1 {{each of them has its own shard of this argument}}
func.func @unknown(%v: tensor<i32>, %c: tensor<i1> {spmd.sharding = #spmd.sharding<@m, []>}) -> tensor<i32> {
  %one = cleave.constant dense<1> : tensor<i32>
  %p = cleave.compare LT, %v, %one : (tensor<i32>, tensor<i32>) -> tensor<i1>
  // expected-note@+1 {{each of them may have another value here}}
  %q = func.call @callee(%c) : (tensor<i1>) -> tensor<i1>
  // expected-error@+1 {{the condition may differ between ranks along "x"}}
  %0 = cleave.if %p : (tensor<i1>) -> tensor<i32> then {
    // expected-note@+1 {{the collective is all_reduce}}
    %r = spmd.all_reduce sum %v over @m ["x"] : tensor<i32>
    cleave.return %r : tensor<i32>
  } else {
    cleave.return %v : tensor<i32>
  }
  // expected-error@+1 {{the condition may differ between ranks along "x"}}
  %1 = cleave.if %q : (tensor<i1>) -> tensor<i32> then {
    // expected-note@+1 {{the collective is all_reduce}}
    %r = spmd.all_reduce sum %v over @m ["x"] : tensor<i32>
    cleave.return %r : tensor<i32>
  } else {
    cleave.return %0 : tensor<i32>
  }
  return %1 : tensor<i32>
}

// -----

// Listed groups: along "y" they hold all ranks, so the sum is the same there; along "x" they do not,
// but are alike, so what is the same stays so.
spmd.mesh @m <"x"=2, "y"=2>
func.func @groups(%v: tensor<i32> {spmd.sharding = #spmd.sharding<@m, []>}) -> tensor<i32> {
  %one = cleave.constant dense<1> : tensor<i32>
  %i = spmd.axis_index @m ["y"] : tensor<i32>
  %sum = spmd.all_reduce sum %i over @m groups [[0, 1], [2, 3]] : tensor<i32>
  %p = cleave.compare LT, %sum, %one : (tensor<i32>, tensor<i32>) -> tensor<i1>
  %0 = cleave.if %p : (tensor<i1>) -> tensor<i32> then {
    %r = spmd.all_reduce sum %v over @m ["x", "y"] : tensor<i32>
    cleave.return %r : tensor<i32>
  } else {
    cleave.return %v : tensor<i32>
  }
  return %0 : tensor<i32>
}

// -----

// Groups that leave ranks out, or that are not alike, may give different values.
spmd.mesh @m <"x"=2, "y"=2>
func.func @uneven_groups(%v: tensor<i32> {spmd.sharding = #spmd.sharding<@m, []>}) -> tensor<i32> {
  %one = cleave.constant dense<1> : tensor<i32>
  // expected-note@+1 {{each of them gets another piece here}}
  %sum = spmd.all_reduce sum %v over @m groups [[0, 1], [2], [3]] : tensor<i32>
  %p = cleave.compare LT, %sum, %one : (tensor<i32>, tensor<i32>) -> tensor<i1>
  // expected-error@+1 {{the condition may differ between ranks along "x"}}
  %0 = cleave.if %p : (tensor<i1>) -> tensor<i32> then {
    // expected-note@+1 {{the collective is all_reduce}}
    %r = spmd.all_reduce sum %v over @m ["x"] : tensor<i32>
    cleave.return %r : tensor<i32>
  } else {
    cleave.return %v : tensor<i32>
  }
  return %0 : tensor<i32>
}

// -----

// A collective over listed groups needs what its groups span.
spmd.mesh @m <"x"=2, "y"=2>
func.func @guarded_groups(%v: tensor<i32> {spmd.sharding = #spmd.sharding<@m, []>}) -> tensor<i32> {
  %one = cleave.constant dense<1> : tensor<i32>
  // expected-note@+1 {{each of them has another position here}}
  %i = spmd.axis_index @m ["x"] : tensor<i32>
  %p = cleave.compare LT, %i, %one : (tensor<i32>, tensor<i32>) -> tensor<i1>
  %0 = cleave.if %p : (tensor<i1>) -> tensor<i32> then {
    %r = spmd.all_reduce sum %v over @m groups [[0, 1], [3, 2]] : tensor<i32>
    cleave.return %r : tensor<i32>
  } else {
    cleave.return %v : tensor<i32>
  }
  // expected-error@+1 {{the condition may differ between ranks along "x"}}
  %1 = cleave.if %p : (tensor<i1>) -> tensor<i32> then {
    // expected-note@+1 {{the collective is broadcast}}
    %r = spmd.broadcast %v from 0 over @m groups [[0, 3]] : tensor<i32>
    cleave.return %r : tensor<i32>
  } else {
    cleave.return %0 : tensor<i32>
  }
  return %1 : tensor<i32>
}

// -----

// A broadcast makes ranks agree, a halo exchange does not.
spmd.mesh @m <"x"=4>
func.func @broadcast_and_halo(%v: tensor<2xi32> {spmd.sharding = #spmd.sharding<@m, [{}]>}) -> tensor<2xi32> {
  %one = cleave.constant dense<1> : tensor<i32>
  %zero = cleave.constant dense<0> : tensor<i32>
  %i = spmd.axis_index @m ["x"] : tensor<i32>
  %b = spmd.broadcast %i from 3 over @m ["x"] : tensor<i32>
  // expected-note@+1 {{each of them gets another piece here}}
  %h = spmd.halo_exchange %v dim 0 size 8 low 1 high 0 over @m ["x"] fill 0 : i32 : tensor<2xi32> -> tensor<3xi32>
  %t = cleave.reduce(%h init: %zero) applies cleave.add across dimensions = [0] : (tensor<3xi32>, tensor<i32>) -> tensor<i32>
  %p = cleave.compare LT, %b, %one : (tensor<i32>, tensor<i32>) -> tensor<i1>
  %q = cleave.compare LT, %t, %one : (tensor<i32>, tensor<i32>) -> tensor<i1>
  %0 = cleave.if %p : (tensor<i1>) -> tensor<2xi32> then {
    %r = spmd.all_reduce sum %v over @m ["x"] : tensor<2xi32>
    cleave.return %r : tensor<2xi32>
  } else {
    cleave.return %v : tensor<2xi32>
  }
  // expected-error@+1 {{the condition may differ between ranks along "x"}}
  %1 = cleave.if %q : (tensor<i1>) -> tensor<2xi32> then {
    // expected-note@+1 {{the collective is all_reduce}}
    %r = spmd.all_reduce sum %0 over @m ["x"] : tensor<2xi32>
    cleave.return %r : tensor<2xi32>
  } else {
    cleave.return %0 : tensor<2xi32>
  }
  return %1 : tensor<2xi32>
}

// -----

// A window exchange makes ranks agree if all want the same window.
spmd.mesh @m <"x"=2>
// expected-note@+1 {{each of them has its own shard of this argument}}
func.func @windows(%v: tensor<2xi32> {spmd.sharding = #spmd.sharding<@m, [{"x"}]>}) -> tensor<2xi32> {
  %one = cleave.constant dense<1> : tensor<i32>
  %zero = cleave.constant dense<0> : tensor<i32>
  %w = spmd.window_exchange %v dim 0 blocks [0, 2, 0, 2, 1, 0] windows [1, 1, 0, 1, 1, 0] over @m ["x"] : tensor<2xi32> -> tensor<1xi32>
  %o = spmd.window_exchange %v dim 0 blocks [0, 2, 0, 2, 1, 0] windows [1, 1, 0, 0, 1, 0] over @m ["x"] : tensor<2xi32> -> tensor<1xi32>
  %s = cleave.reshape %w : (tensor<1xi32>) -> tensor<i32>
  %t = cleave.reshape %o : (tensor<1xi32>) -> tensor<i32>
  %p = cleave.compare LT, %s, %one : (tensor<i32>, tensor<i32>) -> tensor<i1>
  %q = cleave.compare LT, %t, %one : (tensor<i32>, tensor<i32>) -> tensor<i1>
  %0 = cleave.if %p : (tensor<i1>) -> tensor<2xi32> then {
    %r = spmd.all_reduce sum %v over @m ["x"] : tensor<2xi32>
    cleave.return %r : tensor<2xi32>
  } else {
    cleave.return %v : tensor<2xi32>
  }
  // expected-error@+1 {{the condition may differ between ranks along "x"}}
  %1 = cleave.if %q : (tensor<i1>) -> tensor<2xi32> then {
    // expected-note@+1 {{the collective is all_reduce}}
    %r = spmd.all_reduce sum %0 over @m ["x"] : tensor<2xi32>
    cleave.return %r : tensor<2xi32>
  } else {
    cleave.return %0 : tensor<2xi32>
  }
  return %1 : tensor<2xi32>
}

// -----

// A permutation by which ranks along x get what those along y had: x and y change places. Summed over x, all have the same.
spmd.mesh @m <"x"=2, "y"=2>
func.func @changed_places(%v: tensor<2xi32> {spmd.sharding = #spmd.sharding<@m, [{"y"}]>}) -> tensor<2xi32> {
  %one = cleave.constant dense<1> : tensor<i32>
  %zero = cleave.constant dense<0> : tensor<i32>
  %w = spmd.collective_permute %v over @m pairs [0, 0, 1, 2, 2, 1, 3, 3] : tensor<2xi32>
  %s = spmd.all_reduce sum %w over @m ["x"] : tensor<2xi32>
  %t = cleave.reduce(%s init: %zero) applies cleave.add across dimensions = [0] : (tensor<2xi32>, tensor<i32>) -> tensor<i32>
  %p = cleave.compare LT, %t, %one : (tensor<i32>, tensor<i32>) -> tensor<i1>
  %0 = cleave.if %p : (tensor<i1>) -> tensor<2xi32> then {
    %r = spmd.all_reduce sum %v over @m ["y"] : tensor<2xi32>
    cleave.return %r : tensor<2xi32>
  } else {
    cleave.return %v : tensor<2xi32>
  }
  return %0 : tensor<2xi32>
}

// -----

// One that leaves y in place does not.
spmd.mesh @m <"x"=2, "y"=2>
// expected-note@+1 {{each of them has its own shard of this argument}}
func.func @kept_places(%v: tensor<2xi32> {spmd.sharding = #spmd.sharding<@m, [{"y"}]>}) -> tensor<2xi32> {
  %one = cleave.constant dense<1> : tensor<i32>
  %zero = cleave.constant dense<0> : tensor<i32>
  %w = spmd.collective_permute %v over @m pairs [0, 2, 1, 3, 2, 0, 3, 1] : tensor<2xi32>
  %s = spmd.all_reduce sum %w over @m ["x"] : tensor<2xi32>
  %t = cleave.reduce(%s init: %zero) applies cleave.add across dimensions = [0] : (tensor<2xi32>, tensor<i32>) -> tensor<i32>
  %p = cleave.compare LT, %t, %one : (tensor<i32>, tensor<i32>) -> tensor<i1>
  // expected-error@+1 {{the condition may differ between ranks along "y"}}
  %0 = cleave.if %p : (tensor<i1>) -> tensor<2xi32> then {
    // expected-note@+1 {{the collective is all_reduce}}
    %r = spmd.all_reduce sum %v over @m ["y"] : tensor<2xi32>
    cleave.return %r : tensor<2xi32>
  } else {
    cleave.return %v : tensor<2xi32>
  }
  return %0 : tensor<2xi32>
}
