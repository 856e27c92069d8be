// run: --grid 2 --block 32 --arg f32[1]=0 --arg u32[4]=7 --print 0 --print 1
gpu.module @kernels {
  gpu.func @float_atomics(%sum: memref<1xf32>, %bits: memref<4xi32>) kernel {
    %i = gpu.global_id x
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c3 = arith.constant 3 : index
    %k = arith.index_cast %i : index to i32
    %f = arith.uitofp %k : i32 to f32
    %a = memref.atomic_rmw addf %f, %sum[%c0] : (f32, memref<1xf32>) -> f32
    %b = memref.atomic_rmw maxs %k, %bits[%c0] : (i32, memref<4xi32>) -> i32
    %c = memref.atomic_rmw minu %k, %bits[%c1] : (i32, memref<4xi32>) -> i32
    %d = memref.atomic_rmw ori %k, %bits[%c2] : (i32, memref<4xi32>) -> i32
    %e = memref.atomic_rmw andi %k, %bits[%c3] : (i32, memref<4xi32>) -> i32
    gpu.return
  }
}
