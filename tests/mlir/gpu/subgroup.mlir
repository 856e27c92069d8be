// run: --grid 1 --block 32 --arg u32[32]=iota --arg u32[32]=0 --arg u32[32]=0 --print 1 --print 2
gpu.module @kernels {
  gpu.func @subgroup(%in: memref<32xi32>, %out: memref<32xi32>, %ids: memref<32xi32>) kernel {
    %tid = gpu.thread_id x
    %v = memref.load %in[%tid] : memref<32xi32>
    %s = gpu.subgroup_reduce add %v uniform : (i32) -> i32
    %m = gpu.subgroup_reduce maxsi %v uniform : (i32) -> i32
    %x = gpu.subgroup_reduce xor %v uniform : (i32) -> i32
    %t = arith.addi %s, %m : i32
    %u = arith.addi %t, %x : i32
    memref.store %u, %out[%tid] : memref<32xi32>
    %lane = gpu.lane_id
    %l = arith.addi %tid, %lane : index
    %l32 = arith.index_cast %l : index to i32
    memref.store %l32, %ids[%tid] : memref<32xi32>
    gpu.return
  }
}
