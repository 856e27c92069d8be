// run: --grid 1 --block 32 --arg f32[34]=iota --arg f32[32]=0 --print 1
gpu.module @kernels {
  memref.global "private" constant @weights : memref<3xf32> = dense<[0.25, 0.5, 0.25]>
  gpu.func @stencil(%in: memref<34xf32>, %out: memref<32xf32>) kernel {
    %tid = gpu.thread_id x
    %w = memref.get_global @weights : memref<3xf32>
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c3 = arith.constant 3 : index
    %zero = arith.constant 0.0 : f32
    %sum = scf.for %k = %c0 to %c3 step %c1 iter_args(%acc = %zero) -> (f32) {
      %i = arith.addi %tid, %k : index
      %x = memref.load %in[%i] : memref<34xf32>
      %y = memref.load %w[%k] : memref<3xf32>
      %p = arith.mulf %x, %y : f32
      %s = arith.addf %acc, %p : f32
      scf.yield %s : f32
    }
    memref.store %sum, %out[%tid] : memref<32xf32>
    gpu.return
  }
}
