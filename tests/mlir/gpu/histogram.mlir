// run: --grid 2 --block 64 --arg u32[128]=random:3 --arg u32[16]=0 --print 1
gpu.module @kernels {
  gpu.func @histogram(%in: memref<128xi32>, %bins: memref<16xi32>) kernel {
    %tid = gpu.global_id x
    %v = memref.load %in[%tid] : memref<128xi32>
    %c15 = arith.constant 15 : i32
    %one = arith.constant 1 : i32
    %b = arith.andi %v, %c15 : i32
    %bi = arith.index_cast %b : i32 to index
    %old = memref.atomic_rmw addi %one, %bins[%bi] : (i32, memref<16xi32>) -> i32
    gpu.return
  }
}
