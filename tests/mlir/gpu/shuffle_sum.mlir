// run: --grid 1 --block 32 --arg f32[32]=iota --arg f32[32]=0 --print 1
gpu.module @kernels {
  gpu.func @shuffle_sum(%in: memref<32xf32>, %out: memref<32xf32>) kernel {
    %tid = gpu.thread_id x
    %w = arith.constant 32 : i32
    %o16 = arith.constant 16 : i32
    %o8 = arith.constant 8 : i32
    %o4 = arith.constant 4 : i32
    %o2 = arith.constant 2 : i32
    %o1 = arith.constant 1 : i32
    %v = memref.load %in[%tid] : memref<32xf32>
    %a, %p0 = gpu.shuffle xor %v, %o16, %w : f32
    %s0 = arith.addf %v, %a : f32
    %b, %p1 = gpu.shuffle xor %s0, %o8, %w : f32
    %s1 = arith.addf %s0, %b : f32
    %c, %p2 = gpu.shuffle down %s1, %o4, %w : f32
    %s2 = arith.addf %s1, %c : f32
    %d, %p3 = gpu.shuffle up %s2, %o2, %w : f32
    %s3 = arith.addf %s2, %d : f32
    %e, %p4 = gpu.shuffle idx %s3, %o1, %w : f32
    %r = arith.select %p3, %e, %s3 : f32
    memref.store %r, %out[%tid] : memref<32xf32>
    gpu.return
  }
}
