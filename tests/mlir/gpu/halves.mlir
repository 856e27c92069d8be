// run: --grid 1 --block 32 --arg f16[32]=iota --arg f16[32]=0 --arg f32[32]=0 --print 1 --print 2
gpu.module @kernels {
  gpu.func @halves(%in: memref<32xf16>, %out: memref<32xf16>, %wide: memref<32xf32>) kernel {
    %tid = gpu.thread_id x
    %v = memref.load %in[%tid] : memref<32xf16>
    %c = arith.constant 1.5 : f16
    %p = arith.mulf %v, %c : f16
    %s = arith.addf %p, %c : f16
    memref.store %s, %out[%tid] : memref<32xf16>
    %w = arith.extf %s : f16 to f32
    %b = arith.truncf %w : f32 to bf16
    %bc = arith.constant 2.0 : bf16
    %bs = arith.addf %b, %bc : bf16
    %x = arith.extf %bs : bf16 to f32
    memref.store %x, %wide[%tid] : memref<32xf32>
    gpu.return
  }
}
