// A dialect of one op that takes part in Cleave's partitioning.
include "dialects/Graph/GraphInterfaces.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def Toy_Dialect : Dialect {
  let name = "toy";
  let cppNamespace = "::toy";
}

def Toy_MatmulOp : Op<Toy_Dialect, "matmul",
    [Pure, DeclareOpInterfaceMethods<ShardingRuleOpInterface>]> {
  let summary = "[m, k] times [n, k], the second one transposed";
  let arguments = (ins 2DTensorOf<[F32]>:$lhs, 2DTensorOf<[F32]>:$rhs);
  let results = (outs 2DTensorOf<[F32]>:$result);
  let assemblyFormat = "$lhs `,` $rhs attr-dict `:` functional-type(operands, results)";
}
