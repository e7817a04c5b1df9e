// RUN: cleave-opt %s --pass-pipeline='builtin.module(exec.program(cleave-plan-arena))' --verify-diagnostics

// expected-error @+1 {{has events, which must be placed after the arena: where buffers share bytes}}
exec.program @p mesh <"m" []> inputs() outputs() {
  exec.record 0 on communication
  exec.wait 0 on compute
}
