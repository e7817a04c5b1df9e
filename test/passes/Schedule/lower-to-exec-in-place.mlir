// RUN: cleave-opt %s --cleave-lower-to-exec --split-input-file | FileCheck %s

// Updates of a loop variable are made where it is, wherever it ends up; an
// input is copied before.

// CHECK-LABEL: exec.program @loop
// CHECK: inputs(%[[X:.*]]: memref<64xf32> = {{.*}}, %[[U:.*]]: memref<4xf32> =
// CHECK: outputs(%[[Y:.*]]: memref<64xf32> =
// CHECK: exec.copy %[[X]] into %[[Y]]
// CHECK-NEXT: %[[C:.*]] = exec.buffer : memref<i1>
// CHECK-NEXT: exec.while %[[C]] : memref<i1> cond {
// CHECK-NEXT: exec.launch @test ins(%[[Y]]
// CHECK-NEXT: } do {
// CHECK-NEXT: exec.launch @update_in_place_0 ins(%[[U]] : memref<4xf32>) outs(%[[Y]] : memref<64xf32>) updated [0]
// CHECK-NEXT: exec.launch @update_in_place_0 ins(%[[U]] : memref<4xf32>) outs(%[[Y]] : memref<64xf32>) updated [0]
// CHECK-NEXT: exec.launch @twice_in_place_0 ins() outs(%[[Y]] : memref<64xf32>) updated [0]
// CHECK-NEXT: }
// CHECK-NEXT: }
// CHECK-NOT: @update(
// CHECK: func.func private @update_in_place_0(tensor<64xf32>, tensor<4xf32>) -> tensor<64xf32> attributes {cleave.in_place = array<i64: 0>, cleave.kernel}
func.func @loop(%x: tensor<64xf32>, %u: tensor<4xf32>) -> tensor<64xf32> {
  %r = cleave.while(%a = %x) : tensor<64xf32> cond {
    %c = func.call @test(%a) : (tensor<64xf32>) -> tensor<i1>
    cleave.return %c : tensor<i1>
  } do {
    %0 = func.call @update(%a, %u) : (tensor<64xf32>, tensor<4xf32>) -> tensor<64xf32>
    %1 = func.call @update(%0, %u) : (tensor<64xf32>, tensor<4xf32>) -> tensor<64xf32>
    %2 = func.call @twice(%1) : (tensor<64xf32>) -> tensor<64xf32>
    cleave.return %2 : tensor<64xf32>
  }
  return %r : tensor<64xf32>
}
func.func private @test(tensor<64xf32>) -> tensor<i1> attributes {cleave.kernel}
func.func private @update(tensor<64xf32> {cleave.updated_by = 0 : i64}, tensor<4xf32>) -> tensor<64xf32> attributes {cleave.kernel}
func.func private @twice(tensor<64xf32> {cleave.overwritten_by = 0 : i64}) -> tensor<64xf32> attributes {cleave.kernel}

// -----

// A value that is returned goes to its output from the start, with the loop
// around its updates.

// CHECK-LABEL: exec.program @chain
// CHECK: outputs(%[[Y:.*]]: memref<2x4xf32> =
// CHECK: exec.view %[[Y]] : memref<2x4xf32> to memref<8xf32>
// CHECK: exec.view %[[Y]] : memref<2x4xf32> to memref<8xf32>
// CHECK: %[[V:.*]] = exec.view %[[Y]] : memref<2x4xf32> to memref<8xf32>
// CHECK-NEXT: exec.launch @make ins() outs(%[[V]] : memref<8xf32>)
// CHECK: exec.while
// CHECK: exec.launch @update_in_place_0 ins(%{{.*}}) outs(%[[V]] : memref<8xf32>) updated [0]
// CHECK: }
// CHECK: exec.launch @update_in_place_0 ins(%{{.*}}) outs(%{{.*}} : memref<8xf32>) updated [0]
// CHECK-NOT: exec.copy
// CHECK: func.func
func.func @chain(%u: tensor<4xf32>) -> tensor<2x4xf32> {
  %0 = func.call @make() : () -> tensor<8xf32>
  %r = cleave.while(%a = %0) : tensor<8xf32> cond {
    %c = func.call @test(%a) : (tensor<8xf32>) -> tensor<i1>
    cleave.return %c : tensor<i1>
  } do {
    %1 = func.call @update(%a, %u) : (tensor<8xf32>, tensor<4xf32>) -> tensor<8xf32>
    cleave.return %1 : tensor<8xf32>
  }
  %2 = func.call @update(%r, %u) : (tensor<8xf32>, tensor<4xf32>) -> tensor<8xf32>
  %3 = cleave.reshape %2 : (tensor<8xf32>) -> tensor<2x4xf32>
  return %3 : tensor<2x4xf32>
}
func.func private @make() -> tensor<8xf32> attributes {cleave.kernel}
func.func private @test(tensor<8xf32>) -> tensor<i1> attributes {cleave.kernel}
func.func private @update(tensor<8xf32> {cleave.updated_by = 0 : i64}, tensor<4xf32>) -> tensor<8xf32> attributes {cleave.kernel}

// -----

// Not in place: an input, a constant, a value that is read later (also through
// a reshape), one that is the update as well. The last update of a value is in
// place.

// CHECK-LABEL: exec.program @live
// CHECK: inputs(%[[X:.*]]: memref<8xf32> =
// CHECK: outputs(%[[A:.*]]: memref<8xf32> = {{.*}}, %[[B:.*]]: memref<8xf32> = {{.*}}, %[[C:.*]]: memref<4x2xf32> = {{.*}}, %[[D:.*]]: memref<8xf32> =
// CHECK: %[[VC:.*]] = exec.view %[[C]]
// CHECK: exec.launch @update ins(%[[X]], %[[X]] {{.*}} outs(%[[A]] : memref<8xf32>)
// CHECK: exec.launch @update ins(%{{.*}}, %[[X]] {{.*}} outs(%[[B]] : memref<8xf32>)
// CHECK: exec.launch @make ins() outs(%[[VC]] : memref<8xf32>)
// CHECK: %[[N:.*]] = exec.buffer : memref<8xf32>
// CHECK: exec.launch @update ins(%[[VC]], %[[X]] {{.*}} outs(%[[N]] : memref<8xf32>)
// CHECK: exec.launch @update ins(%[[N]], %[[N]] {{.*}} outs(%[[D]] : memref<8xf32>)
// CHECK: exec.launch @update_in_place_0 ins(%[[X]] {{.*}} outs(%[[D]] : memref<8xf32>)
func.func @live(%x: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>, tensor<4x2xf32>, tensor<8xf32>) {
  %0 = func.call @update(%x, %x) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
  %c = cleave.constant dense<[1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0]> : tensor<8xf32>
  %1 = func.call @update(%c, %x) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
  %2 = func.call @make() : () -> tensor<8xf32>
  %3 = cleave.reshape %2 : (tensor<8xf32>) -> tensor<4x2xf32>
  %4 = func.call @update(%2, %x) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
  %5 = func.call @update(%4, %4) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
  %6 = func.call @update(%5, %x) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
  return %0, %1, %3, %6 : tensor<8xf32>, tensor<8xf32>, tensor<4x2xf32>, tensor<8xf32>
}
func.func private @make() -> tensor<8xf32> attributes {cleave.kernel}
func.func private @update(tensor<8xf32> {cleave.updated_by = 0 : i64}, tensor<8xf32>) -> tensor<8xf32> attributes {cleave.kernel}

// -----

// Not in place: a value from outside of the loop, which the next iteration
// reads again; one from outside of a branch; a variable in the condition.

// CHECK-LABEL: exec.program @regions
// CHECK: inputs(%[[U:.*]]: memref<8xf32> = {{.*}}, %[[P:.*]]: memref<i1> =
// CHECK: outputs(%[[I:.*]]: memref<8xf32> = {{.*}}, %[[B:.*]]: memref<8xf32> =
// CHECK: %[[H:.*]] = exec.buffer : memref<8xf32>
// CHECK: exec.launch @make ins() outs(%[[H]]
// CHECK: exec.launch @make ins() outs(%[[I]]
// CHECK: exec.while
// CHECK: exec.launch @update ins(%[[I]], %[[U]] {{.*}} outs(%[[T:.*]] : memref<8xf32>)
// CHECK: exec.launch @test ins(%[[T]]
// CHECK: do {
// CHECK: exec.launch @update ins(%[[H]], %[[I]] {{.*}} outs(%[[N:.*]] : memref<8xf32>)
// CHECK-NEXT: exec.copy %[[N]] into %[[I]]
// CHECK: exec.launch @make ins() outs(%[[G:.*]] : memref<8xf32>)
// CHECK: exec.if %[[P]]
// CHECK: exec.launch @update ins(%[[G]], %[[U]] {{.*}} outs(%[[B]]
func.func @regions(%u: tensor<8xf32>, %p: tensor<i1>) -> (tensor<8xf32>, tensor<8xf32>) {
  %h = func.call @make() : () -> tensor<8xf32>
  %i = func.call @make() : () -> tensor<8xf32>
  %r = cleave.while(%a = %i) : tensor<8xf32> cond {
    %0 = func.call @update(%a, %u) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %c = func.call @test(%0) : (tensor<8xf32>) -> tensor<i1>
    cleave.return %c : tensor<i1>
  } do {
    %0 = func.call @update(%h, %a) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    cleave.return %0 : tensor<8xf32>
  }
  %g = func.call @make() : () -> tensor<8xf32>
  %b = cleave.if %p : (tensor<i1>) -> tensor<8xf32> then {
    %0 = func.call @update(%g, %u) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    cleave.return %0 : tensor<8xf32>
  } else {
    cleave.return %g : tensor<8xf32>
  }
  %s = func.call @update(%r, %u) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
  return %s, %b : tensor<8xf32>, tensor<8xf32>
}
func.func private @make() -> tensor<8xf32> attributes {cleave.kernel}
func.func private @test(tensor<8xf32>) -> tensor<i1> attributes {cleave.kernel}
func.func private @update(tensor<8xf32> {cleave.updated_by = 0 : i64}, tensor<8xf32>) -> tensor<8xf32> attributes {cleave.kernel}

// -----

// The next value of a variable is made while an update of the old one is still
// needed: that may not live in the variable.

// CHECK-LABEL: exec.program @claimed
// CHECK: outputs(%[[Y:.*]]: memref<8xf32> = {{.*}}, %[[Z:.*]]: memref<8xf32> =
// CHECK: do {
// CHECK: %[[N:.*]] = exec.buffer : memref<8xf32>
// CHECK: exec.launch @update ins(%[[Y]], %[[Z]] {{.*}} outs(%[[N]] : memref<8xf32>)
// CHECK: exec.launch @make ins() outs(%[[Y]] : memref<8xf32>)
// CHECK: exec.launch @update_in_place_0 ins(%[[N]] {{.*}} outs(%[[Z]] : memref<8xf32>) updated [0]
// CHECK-NOT: exec.copy
func.func @claimed(%x: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>) {
  %r:2 = cleave.while(%a = %x, %b = %x) : tensor<8xf32>, tensor<8xf32> cond {
    %c = func.call @test(%a) : (tensor<8xf32>) -> tensor<i1>
    cleave.return %c : tensor<i1>
  } do {
    %0 = func.call @update(%a, %b) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %1 = func.call @make() : () -> tensor<8xf32>
    %2 = func.call @update(%b, %0) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    cleave.return %1, %2 : tensor<8xf32>, tensor<8xf32>
  }
  return %r#0, %r#1 : tensor<8xf32>, tensor<8xf32>
}
func.func private @make() -> tensor<8xf32> attributes {cleave.kernel}
func.func private @test(tensor<8xf32>) -> tensor<i1> attributes {cleave.kernel}
func.func private @update(tensor<8xf32> {cleave.updated_by = 0 : i64}, tensor<8xf32>) -> tensor<8xf32> attributes {cleave.kernel}

// -----

// Variables that are swapped, one of them updated: in place, then through a
// temporary.

// CHECK-LABEL: exec.program @swap
// CHECK: outputs(%[[A:.*]]: memref<8xf32> = {{.*}}, %[[B:.*]]: memref<8xf32> =
// CHECK: do {
// CHECK-NEXT: exec.launch @update_in_place_0 ins(%[[U:.*]] : memref<8xf32>) outs(%[[B]] : memref<8xf32>) updated [0]
// CHECK-NEXT: %[[T:.*]] = exec.buffer : memref<8xf32>
// CHECK-NEXT: exec.copy %[[B]] into %[[T]]
// CHECK-NEXT: exec.copy %[[A]] into %[[B]]
// CHECK-NEXT: exec.copy %[[T]] into %[[A]]
// CHECK-NEXT: }
func.func @swap(%x: tensor<8xf32>, %y: tensor<8xf32>, %u: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>) {
  %r:2 = cleave.while(%a = %x, %b = %y) : tensor<8xf32>, tensor<8xf32> cond {
    %c = func.call @test(%a) : (tensor<8xf32>) -> tensor<i1>
    cleave.return %c : tensor<i1>
  } do {
    %0 = func.call @update(%b, %u) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    cleave.return %0, %a : tensor<8xf32>, tensor<8xf32>
  }
  return %r#0, %r#1 : tensor<8xf32>, tensor<8xf32>
}
func.func private @test(tensor<8xf32>) -> tensor<i1> attributes {cleave.kernel}
func.func private @update(tensor<8xf32> {cleave.updated_by = 0 : i64}, tensor<8xf32>) -> tensor<8xf32> attributes {cleave.kernel}

// -----

// A loop inside carries the variables of the loop outside on. Where they change
// places on the way from one loop inside to the next, they are copied.

// CHECK-LABEL: exec.program @nested
// CHECK: outputs(%[[A:.*]]: memref<8xf32> = {{.*}}, %[[B:.*]]: memref<8xf32> =
// CHECK: exec.copy %{{.*}} into %[[A]]
// CHECK: exec.copy %{{.*}} into %[[B]]
// CHECK: exec.while
// CHECK: do {
// CHECK-NOT: exec.copy
// CHECK: exec.while
// CHECK: do {
// CHECK-NEXT: exec.launch @update_in_place_0 ins(%[[B]] {{.*}} outs(%[[A]] : memref<8xf32>) updated [0]
// CHECK-NEXT: exec.launch @twice_in_place_0 ins() outs(%[[B]] : memref<8xf32>) updated [0]
// CHECK-NEXT: }
// CHECK-NEXT: }
func.func @nested(%x: tensor<8xf32>, %y: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>) {
  %r:2 = cleave.while(%a = %x, %b = %y) : tensor<8xf32>, tensor<8xf32> cond {
    %c = func.call @test(%a) : (tensor<8xf32>) -> tensor<i1>
    cleave.return %c : tensor<i1>
  } do {
    %s:2 = cleave.while(%d = %a, %e = %b) : tensor<8xf32>, tensor<8xf32> cond {
      %c = func.call @test(%d) : (tensor<8xf32>) -> tensor<i1>
      cleave.return %c : tensor<i1>
    } do {
      %0 = func.call @update(%d, %e) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
      %1 = func.call @twice(%e) : (tensor<8xf32>) -> tensor<8xf32>
      cleave.return %0, %1 : tensor<8xf32>, tensor<8xf32>
    }
    cleave.return %s#0, %s#1 : tensor<8xf32>, tensor<8xf32>
  }
  return %r#0, %r#1 : tensor<8xf32>, tensor<8xf32>
}
func.func private @test(tensor<8xf32>) -> tensor<i1> attributes {cleave.kernel}
func.func private @update(tensor<8xf32> {cleave.updated_by = 0 : i64}, tensor<8xf32>) -> tensor<8xf32> attributes {cleave.kernel}
func.func private @twice(tensor<8xf32> {cleave.overwritten_by = 0 : i64}) -> tensor<8xf32> attributes {cleave.kernel}

// -----

// CHECK-LABEL: exec.program @places
// CHECK: outputs(%[[A:.*]]: memref<8xf32> = {{.*}}, %[[B:.*]]: memref<8xf32> =
// CHECK: exec.while
// CHECK: do {
// CHECK: exec.copy %[[A]] into %[[S:[0-9a-z]*]]
// CHECK: exec.copy %[[B]] into %[[T:[0-9a-z]*]]
// CHECK: exec.while
// CHECK: do {
// CHECK-NEXT: exec.launch @update_in_place_0 ins(%[[T]] {{.*}} outs(%[[S]]
// CHECK-NEXT: }
// CHECK-NEXT: exec.copy %[[T]] into %[[A]]
// CHECK-NEXT: exec.copy %[[S]] into %[[B]]
// CHECK: exec.while
// CHECK: do {
// CHECK-NEXT: exec.launch @update_in_place_0 ins(%[[B]] {{.*}} outs(%[[A]]
// CHECK-NEXT: }
// CHECK-NEXT: }
func.func @places(%x: tensor<8xf32>, %y: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>) {
  %r:2 = cleave.while(%a = %x, %b = %y) : tensor<8xf32>, tensor<8xf32> cond {
    %c = func.call @test(%a) : (tensor<8xf32>) -> tensor<i1>
    cleave.return %c : tensor<i1>
  } do {
    %s:2 = cleave.while(%d = %a, %e = %b) : tensor<8xf32>, tensor<8xf32> cond {
      %c = func.call @test(%d) : (tensor<8xf32>) -> tensor<i1>
      cleave.return %c : tensor<i1>
    } do {
      %0 = func.call @update(%d, %e) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
      cleave.return %0, %e : tensor<8xf32>, tensor<8xf32>
    }
    %t:2 = cleave.while(%d = %s#1, %e = %s#0) : tensor<8xf32>, tensor<8xf32> cond {
      %c = func.call @test(%d) : (tensor<8xf32>) -> tensor<i1>
      cleave.return %c : tensor<i1>
    } do {
      %0 = func.call @update(%d, %e) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
      cleave.return %0, %e : tensor<8xf32>, tensor<8xf32>
    }
    cleave.return %t#0, %t#1 : tensor<8xf32>, tensor<8xf32>
  }
  return %r#0, %r#1 : tensor<8xf32>, tensor<8xf32>
}
func.func private @test(tensor<8xf32>) -> tensor<i1> attributes {cleave.kernel}
func.func private @update(tensor<8xf32> {cleave.updated_by = 0 : i64}, tensor<8xf32>) -> tensor<8xf32> attributes {cleave.kernel}
func.func private @twice(tensor<8xf32> {cleave.overwritten_by = 0 : i64}) -> tensor<8xf32> attributes {cleave.kernel}

// -----

// Of two results one is in place: the other one's argument is an input.

// CHECK-LABEL: exec.program @one_of_two
// CHECK: inputs(%[[X:[a-z0-9]*]]: memref<8xf32> =
// CHECK: exec.launch @make ins() outs(%[[H:.*]] : memref<8xf32>)
// CHECK: exec.launch @pair_in_place_none_1 ins(%[[X]] : memref<8xf32>) outs(%{{.*}}, %[[H]] : memref<8xf32>, memref<8xf32>) updated [1]
// CHECK: func.func private @pair_in_place_none_1({{.*}} attributes {cleave.in_place = array<i64: -1, 1>, cleave.kernel}
func.func @one_of_two(%x: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>) {
  %0 = call @make() : () -> tensor<8xf32>
  %1:2 = call @pair(%x, %0) : (tensor<8xf32>, tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>)
  return %1#0, %1#1 : tensor<8xf32>, tensor<8xf32>
}
func.func private @make() -> tensor<8xf32> attributes {cleave.kernel}
func.func private @pair(tensor<8xf32> {cleave.updated_by = 0 : i64}, tensor<8xf32> {cleave.updated_by = 1 : i64}) -> (tensor<8xf32>, tensor<8xf32>) attributes {cleave.kernel}

// -----

// A kernel that only updates: what is read later is copied before, to where the
// result belongs; also where the launch reads it, too.
// CHECK-LABEL: exec.program @only_updates
// CHECK: inputs(%[[X:.*]]: memref<64xf32> = {{.*}}, %[[U:.*]]: memref<4xf32> =
// CHECK: outputs(%[[Y:.*]]: memref<64xf32> = {{.*}}, %[[Z:.*]]: memref<64xf32> =
// CHECK: exec.copy %[[X]] into %[[Y]]
// CHECK-NEXT: exec.launch @update_in_place_0 ins(%[[U]] : memref<4xf32>) outs(%[[Y]] : memref<64xf32>) updated [0]
// CHECK-NEXT: %[[B:.*]] = exec.buffer : memref<64xf32>
// CHECK-NEXT: exec.launch @fill ins() outs(%[[B]] : memref<64xf32>)
// CHECK-NEXT: exec.copy %[[B]] into %[[Z]]
// CHECK-NEXT: exec.launch @both_in_place_0 ins(%[[B]] : memref<64xf32>) outs(%[[Z]] : memref<64xf32>) updated [0]
// CHECK-NOT: exec.copy
// CHECK: func.func private @update_in_place_0({{.*}}) -> tensor<64xf32> attributes {cleave.in_place = array<i64: 0>, cleave.kernel, cleave.updates_in_place}
func.func @only_updates(%x: tensor<64xf32>, %u: tensor<4xf32>) -> (tensor<64xf32>, tensor<64xf32>) {
  %0 = func.call @update(%x, %u) : (tensor<64xf32>, tensor<4xf32>) -> tensor<64xf32>
  %1 = func.call @fill() : () -> tensor<64xf32>
  %2 = func.call @both(%1, %1) : (tensor<64xf32>, tensor<64xf32>) -> tensor<64xf32>
  return %0, %2 : tensor<64xf32>, tensor<64xf32>
}
func.func private @update(tensor<64xf32> {cleave.updated_by = 0 : i64}, tensor<4xf32>) -> tensor<64xf32> attributes {cleave.kernel, cleave.updates_in_place}
func.func private @both(tensor<64xf32> {cleave.updated_by = 0 : i64}, tensor<64xf32>) -> tensor<64xf32> attributes {cleave.kernel, cleave.updates_in_place}
func.func private @fill() -> tensor<64xf32> attributes {cleave.kernel}
