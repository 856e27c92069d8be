// run: --grid 2,2 --block 8,8 --arg f32[256]=iota --arg f32[256]=0 --print 1
gpu.module @kernels {
  gpu.func @transpose(%in: memref<16x16xf32>, %out: memref<16x16xf32>) workgroup(%tile: memref<8x9xf32, #gpu.address_space<workgroup>>) kernel {
    %tx = gpu.thread_id x
    %ty = gpu.thread_id y
    %bx = gpu.block_id x
    %by = gpu.block_id y
    %c8 = arith.constant 8 : index
    %x0 = arith.muli %bx, %c8 : index
    %y0 = arith.muli %by, %c8 : index
    %x = arith.addi %x0, %tx : index
    %y = arith.addi %y0, %ty : index
    %v = memref.load %in[%y, %x] : memref<16x16xf32>
    memref.store %v, %tile[%ty, %tx] : memref<8x9xf32, #gpu.address_space<workgroup>>
    gpu.barrier
    %xo = arith.addi %y0, %tx : index
    %yo = arith.addi %x0, %ty : index
    %w = memref.load %tile[%tx, %ty] : memref<8x9xf32, #gpu.address_space<workgroup>>
    memref.store %w, %out[%yo, %xo] : memref<16x16xf32>
    gpu.return
  }
}
