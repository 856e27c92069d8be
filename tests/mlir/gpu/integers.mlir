// run: --grid 1 --block 32 --arg u32[32]=random:5 --arg u32[32]=0 --arg u64[32]=0 --print 1 --print 2
gpu.module @kernels {
  gpu.func @integers(%in: memref<32xi32>, %out: memref<32xi32>, %wide: memref<32xi64>) kernel {
    %tid = gpu.thread_id x
    %v = memref.load %in[%tid] : memref<32xi32>
    %t = arith.index_cast %tid : index to i32
    %one = arith.constant 1 : i32
    %d = arith.addi %t, %one : i32
    %q = arith.divsi %v, %d : i32
    %r = arith.remui %v, %d : i32
    %c = math.ctpop %v : i32
    %l = math.ctlz %v : i32
    %z = math.cttz %v : i32
    %s = arith.shli %q, %one : i32
    %u = arith.shrui %v, %one : i32
    %a = arith.shrsi %v, %one : i32
    %x0 = arith.xori %s, %u : i32
    %x1 = arith.addi %x0, %a : i32
    %x2 = arith.maxsi %x1, %r : i32
    %x3 = arith.minui %x2, %v : i32
    %x4 = arith.addi %x3, %c : i32
    %x5 = arith.muli %x4, %l : i32
    %x6 = arith.subi %x5, %z : i32
    memref.store %x6, %out[%tid] : memref<32xi32>
    %w = arith.extsi %x6 : i32 to i64
    %y = arith.extui %v : i32 to i64
    %p = arith.muli %w, %y : i64
    %lo, %hi = arith.mulsi_extended %v, %x6 : i32
    %hw = arith.extui %hi : i32 to i64
    %pp = arith.addi %p, %hw : i64
    memref.store %pp, %wide[%tid] : memref<32xi64>
    gpu.return
  }
}
