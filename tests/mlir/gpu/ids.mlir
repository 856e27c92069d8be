// run: --grid 2,2,1 --block 4,2,2 --arg u32[64]=0 --print 0
gpu.module @kernels {
  gpu.func @ids(%out: memref<64xi32>) kernel {
    %tx = gpu.thread_id x
    %ty = gpu.thread_id y
    %tz = gpu.thread_id z
    %bx = gpu.block_id x
    %by = gpu.block_id y
    %nx = gpu.block_dim x
    %ny = gpu.block_dim y
    %nz = gpu.block_dim z
    %gx = gpu.grid_dim x
    %a0 = arith.muli %tz, %ny : index
    %a1 = arith.addi %a0, %ty : index
    %a2 = arith.muli %a1, %nx : index
    %t = arith.addi %a2, %tx : index
    %b0 = arith.muli %by, %gx : index
    %b1 = arith.addi %b0, %bx : index
    %n0 = arith.muli %nx, %ny : index
    %n1 = arith.muli %n0, %nz : index
    %o = arith.muli %b1, %n1 : index
    %i = arith.addi %o, %t : index
    %v = arith.index_cast %i : index to i32
    memref.store %v, %out[%i] : memref<64xi32>
    gpu.return
  }
}
