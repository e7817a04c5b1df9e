// RUN: cleave-opt %s --pass-pipeline='builtin.module(exec.program(cleave-overlap-collectives))' --verify-diagnostics

// expected-error @+1 {{has events, which do not follow a new order}}
exec.program @p mesh <"m" []> inputs() outputs() {
  exec.record 0 on communication
  exec.wait 0 on compute
}
