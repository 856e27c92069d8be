// run: --grid 1 --block 32 --arg f32[32]=iota --arg f32[32]=0 --arg f64[32]=0 --print 1 --print 2
gpu.module @kernels {
  gpu.func @math(%in: memref<32xf32>, %out: memref<32xf32>, %wide: memref<32xf64>) kernel {
    %tid = gpu.thread_id x
    %v = memref.load %in[%tid] : memref<32xf32>
    %h = arith.constant 0.25 : f32
    %x = arith.mulf %v, %h : f32
    %m = arith.maximumf %x, %h : f32
    %n = arith.minimumf %x, %v : f32
    %q = arith.subf %m, %n : f32
    %r = arith.divf %q, %h : f32
    %neg = arith.negf %r : f32
    memref.store %neg, %out[%tid] : memref<32xf32>
    %d = arith.extf %neg : f32 to f64
    %e = arith.constant 1.0e-3 : f64
    %g = arith.addf %d, %e : f64
    %i = arith.fptosi %g : f64 to i64
    %j = arith.sitofp %i : i64 to f64
    %o = arith.subf %g, %j : f64
    memref.store %o, %wide[%tid] : memref<32xf64>
    gpu.return
  }
}
