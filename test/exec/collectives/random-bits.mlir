// Each rank makes the bits of its block of what one rank would make, whatever
// the blocks; nothing is sent.
//
// RUN: %python %S/check.py %cleave %s none --mesh x=4 --shard out:0=x,- --shard out:1=x,-
// RUN: %python %S/check.py %cleave %s none --mesh x=3,y=2 --shard out:0=y,x --shard out:1=x,y
// RUN: %python %S/check.py %cleave %s none --mesh x=2,y=3 --shard out:0=-,x+y --shard out:1=x+y,-

func.func @random(%key: tensor<2xui64> {cleave.name = "key"})
    -> (tensor<31x37xui32>, tensor<31x37xui64>, tensor<2xui64>) {
  %s, %a = cleave.rng_bit_generator three_fry, %key : (tensor<2xui64>) -> (tensor<2xui64>, tensor<31x37xui32>)
  %t, %b = cleave.rng_bit_generator philox, %s : (tensor<2xui64>) -> (tensor<2xui64>, tensor<31x37xui64>)
  return %a, %b, %t : tensor<31x37xui32>, tensor<31x37xui64>, tensor<2xui64>
}
