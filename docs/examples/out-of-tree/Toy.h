#ifndef TOY_TOY_H
#define TOY_TOY_H

#include "dialects/Graph/GraphInterfaces.h"
#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include "Toy-dialect.h.inc"
#define GET_OP_CLASSES
#include "Toy-op.h.inc"

#endif // TOY_TOY_H
