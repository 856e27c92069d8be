// run: --grid 1 --block 32 --arg u32[32]=iota --arg u32[32]=0 --print 1
gpu.module @kernels {
  func.func @twice(%x: i32) -> i32 {
    %y = arith.addi %x, %x : i32
    return %y : i32
  }
  func.func @mix(%x: i32, %y: i32) -> i32 {
    %t = func.call @twice(%x) : (i32) -> i32
    %s = arith.xori %t, %y : i32
    return %s : i32
  }
  gpu.func @call(%in: memref<32xi32>, %out: memref<32xi32>) kernel {
    %tid = gpu.thread_id x
    %v = memref.load %in[%tid] : memref<32xi32>
    %i = arith.index_cast %tid : index to i32
    %a = func.call @twice(%v) : (i32) -> i32
    %b = func.call @mix(%a, %i) : (i32, i32) -> i32
    memref.store %b, %out[%tid] : memref<32xi32>
    gpu.return
  }
}
