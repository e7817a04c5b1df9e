// One linear layer with bias and residual.
//
// Cut by columns, with the result wanted whole: one all_gather, of 12x6 from
// three others.
// RUN: %python %S/check.py %cleave %s all_gather:864 --mesh model=4 \
// RUN:   --shard weight=-,model --shard bias=model --shard residual=-,model \
// RUN:   --shard out:0=-,-
// Cut by rows: one all_reduce; bias and residual enter once, after it.
// RUN: %python %S/check.py %cleave %s all_reduce:1728 --mesh model=4 \
// RUN:   --shard x=-,model --shard weight=model,-

func.func @linear(%x: tensor<12x32xf32> {cleave.name = "x"},
                  %w: tensor<32x24xf32> {cleave.name = "weight"},
                  %b: tensor<24xf32> {cleave.name = "bias"},
                  %r: tensor<12x24xf32> {cleave.name = "residual"}) -> tensor<12x24xf32> {
  %h = cleave.linear %x, %w bias %b : (tensor<12x32xf32>, tensor<32x24xf32>, tensor<24xf32>) -> tensor<12x24xf32>
  %y = cleave.add %h, %r : tensor<12x24xf32>
  return %y : tensor<12x24xf32>
}
