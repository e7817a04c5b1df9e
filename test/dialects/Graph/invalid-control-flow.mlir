// RUN: cleave-opt %s -split-input-file -verify-diagnostics

func.func @f(%n: tensor<i32>, %x: tensor<2xf32>, %p: tensor<i1>) {
  // expected-error@+1 {{'cleave.while' op cond returns 'tensor<i32>': should return 'tensor<i1>'}}
  cleave.while(%i = %n) : tensor<i32>
  cond {
    cleave.return %i : tensor<i32>
  } do {
    cleave.return %i : tensor<i32>
  }
  return
}

// -----

func.func @f(%n: tensor<i32>, %x: tensor<2xf32>, %p: tensor<i1>) {
  // expected-error@+1 {{'cleave.while' op cond returns 'tensor<i1>', 'tensor<i1>': should return 'tensor<i1>'}}
  cleave.while(%i = %n) : tensor<i32>
  cond {
    cleave.return %p, %p : tensor<i1>, tensor<i1>
  } do {
    cleave.return %i : tensor<i32>
  }
  return
}

// -----

func.func @f(%n: tensor<i32>, %x: tensor<2xf32>, %p: tensor<i1>) {
  // expected-error@+1 {{'cleave.while' op cond returns nothing: should return 'tensor<i1>'}}
  cleave.while(%i = %n) : tensor<i32>
  cond {
    cleave.return
  } do {
    cleave.return %i : tensor<i32>
  }
  return
}

// -----

func.func @f(%n: tensor<i32>, %x: tensor<2xf32>, %p: tensor<i1>) {
  // expected-error@+1 {{'cleave.while' op body returns nothing: should return 'tensor<i32>'}}
  cleave.while(%i = %n) : tensor<i32>
  cond {
    cleave.return %p : tensor<i1>
  } do {
    cleave.return
  }
  return
}

// -----

func.func @f(%n: tensor<i32>, %x: tensor<2xf32>, %p: tensor<i1>) {
  // expected-error@+1 {{'cleave.while' op body returns 'tensor<2xf32>': should return 'tensor<i32>'}}
  cleave.while(%i = %n) : tensor<i32>
  cond {
    cleave.return %p : tensor<i1>
  } do {
    cleave.return %x : tensor<2xf32>
  }
  return
}

// -----

func.func @f(%n: tensor<i32>, %x: tensor<2xf32>, %p: tensor<i1>) {
  // expected-error@+1 {{'cleave.while' op cond ends with 'func.return': should end with 'cleave.return'}}
  cleave.while(%i = %n) : tensor<i32>
  cond {
    func.return
  } do {
    cleave.return %i : tensor<i32>
  }
  return
}

// -----

func.func @f(%n: tensor<i32>, %x: tensor<2xf32>, %p: tensor<i1>) {
  // expected-error@+1 {{'cleave.while' op body ends with 'func.return': should end with 'cleave.return'}}
  cleave.while(%i = %n) : tensor<i32>
  cond {
    cleave.return %p : tensor<i1>
  } do {
    func.return
  }
  return
}

// -----

func.func @f(%n: tensor<i32>, %x: tensor<2xf32>, %p: tensor<i1>) {
  // expected-error@+1 {{custom op 'cleave.while' number of operands and types do not match: got 1 operands and 2 types}}
  cleave.while(%i = %n) : tensor<i32>, tensor<i32>
  cond {
    cleave.return %p : tensor<i1>
  } do {
    cleave.return %i : tensor<i32>
  }
  return
}

// -----

func.func @f(%n: tensor<i32>, %p: tensor<i1>) {
  // expected-error@+1 {{'cleave.while' op has results of types 'tensor<i64>': should be 'tensor<i32>' like the operands}}
  "cleave.while"(%n) ({
  ^bb0(%i: tensor<i32>):
    cleave.return %p : tensor<i1>
  }, {
  ^bb0(%i: tensor<i32>):
    cleave.return %n : tensor<i32>
  }) : (tensor<i32>) -> tensor<i64>
  return
}

// -----

func.func @f(%n: tensor<i32>, %p: tensor<i1>) {
  // expected-error@+1 {{'cleave.while' op has results of types 'tensor<i32>', 'tensor<i32>': should be 'tensor<i32>' like the operands}}
  "cleave.while"(%n) ({
  ^bb0(%i: tensor<i32>):
    cleave.return %p : tensor<i1>
  }, {
  ^bb0(%i: tensor<i32>):
    cleave.return %n : tensor<i32>
  }) : (tensor<i32>) -> (tensor<i32>, tensor<i32>)
  return
}

// -----

func.func @f(%n: tensor<i32>, %p: tensor<i1>) {
  // expected-error@+1 {{'cleave.while' op cond has arguments of types 'tensor<i64>': should be 'tensor<i32>' like the operands}}
  "cleave.while"(%n) ({
  ^bb0(%i: tensor<i64>):
    cleave.return %p : tensor<i1>
  }, {
  ^bb0(%i: tensor<i32>):
    cleave.return %n : tensor<i32>
  }) : (tensor<i32>) -> tensor<i32>
  return
}

// -----

func.func @f(%n: tensor<i32>, %p: tensor<i1>) {
  // expected-error@+1 {{'cleave.while' op body has arguments of types 'tensor<1xi32>': should be 'tensor<i32>' like the operands}}
  "cleave.while"(%n) ({
  ^bb0(%i: tensor<i32>):
    cleave.return %p : tensor<i1>
  }, {
  ^bb0(%i: tensor<1xi32>):
    cleave.return %n : tensor<i32>
  }) : (tensor<i32>) -> tensor<i32>
  return
}

// -----

func.func @f(%p: tensor<i1>, %q: tensor<2xi1>, %x: tensor<2xf32>) {
  // expected-error@+1 {{'cleave.if' op pred has type 'tensor<2xi1>': should have rank 0}}
  cleave.if %q : (tensor<2xi1>) -> () then {
    cleave.return
  } else {
    cleave.return
  }
  return
}

// -----

func.func @f(%p: tensor<i1>, %q: tensor<2xi1>, %x: tensor<2xf32>) {
  // expected-error@+1 {{'cleave.if' op true_branch returns 'tensor<2xf32>': should return nothing}}
  cleave.if %p : (tensor<i1>) -> () then {
    cleave.return %x : tensor<2xf32>
  } else {
    cleave.return
  }
  return
}

// -----

func.func @f(%p: tensor<i1>, %q: tensor<2xi1>, %x: tensor<2xf32>) {
  // expected-error@+1 {{'cleave.if' op false_branch returns nothing: should return 'tensor<2xf32>'}}
  cleave.if %p : (tensor<i1>) -> tensor<2xf32> then {
    cleave.return %x : tensor<2xf32>
  } else {
    cleave.return
  }
  return
}

// -----

func.func @f(%p: tensor<i1>, %q: tensor<2xi1>, %x: tensor<2xf32>) {
  // expected-error@+1 {{'cleave.if' op true_branch returns 'tensor<i1>': should return 'tensor<2xf32>'}}
  cleave.if %p : (tensor<i1>) -> tensor<2xf32> then {
    cleave.return %p : tensor<i1>
  } else {
    cleave.return %x : tensor<2xf32>
  }
  return
}

// -----

func.func @f(%p: tensor<i1>, %q: tensor<2xi1>, %x: tensor<2xf32>) {
  // expected-error@+1 {{'cleave.if' op false_branch ends with 'func.return': should end with 'cleave.return'}}
  cleave.if %p : (tensor<i1>) -> () then {
    cleave.return
  } else {
    func.return
  }
  return
}

// -----

func.func @f(%p: tensor<i1>, %q: tensor<2xi1>, %x: tensor<2xf32>) {
  // expected-error@+1 {{'cleave.if' op operand #0 must be statically shaped tensor of i1, but got 'tensor<2xf32>'}}
  cleave.if %x : (tensor<2xf32>) -> () then {
    cleave.return
  } else {
    cleave.return
  }
  return
}

// -----

func.func @f(%p: tensor<i1>) {
  // expected-error@+1 {{'cleave.if' op true_branch has 1 arguments: should have none}}
  cleave.if %p : (tensor<i1>) -> () then {
  ^bb0(%a: tensor<i1>):
    cleave.return
  } else {
    cleave.return
  }
  return
}
