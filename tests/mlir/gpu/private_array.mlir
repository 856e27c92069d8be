// run: --grid 1 --block 32 --arg u32[32]=iota --arg u32[32]=0 --print 1
gpu.module @kernels {
  gpu.func @private_array(%in: memref<32xi32>, %out: memref<32xi32>) private(%tmp: memref<4xi32, #gpu.address_space<private>>) kernel {
    %tid = gpu.thread_id x
    %v = memref.load %in[%tid] : memref<32xi32>
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    scf.for %k = %c0 to %c4 step %c1 {
      %ki = arith.index_cast %k : index to i32
      %x = arith.muli %v, %ki : i32
      memref.store %x, %tmp[%k] : memref<4xi32, #gpu.address_space<private>>
    }
    %j = arith.remui %tid, %c4 : index
    %y = memref.load %tmp[%j] : memref<4xi32, #gpu.address_space<private>>
    memref.store %y, %out[%tid] : memref<32xi32>
    gpu.return
  }
}
