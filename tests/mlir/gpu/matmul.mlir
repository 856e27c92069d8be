// run: --grid 1 --block 8,8 --arg f32[64]=iota --arg f32[64]=iota --arg f32[64]=0 --print 2
gpu.module @kernels {
  gpu.func @matmul(%a: memref<8x8xf32>, %b: memref<8x8xf32>, %c: memref<8x8xf32>) kernel {
    %i = gpu.thread_id y
    %j = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c8 = arith.constant 8 : index
    %zero = arith.constant 0.0 : f32
    %sum = scf.for %k = %c0 to %c8 step %c1 iter_args(%acc = %zero) -> (f32) {
      %x = memref.load %a[%i, %k] : memref<8x8xf32>
      %y = memref.load %b[%k, %j] : memref<8x8xf32>
      %p = arith.mulf %x, %y fastmath<contract> : f32
      %s = arith.addf %acc, %p fastmath<contract> : f32
      scf.yield %s : f32
    }
    memref.store %sum, %c[%i, %j] : memref<8x8xf32>
    gpu.return
  }
}
