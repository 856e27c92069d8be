// run: --grid 1 --block 32 --arg u32[32]=iota --arg u32[32]=0 --print 1
gpu.module @kernels {
  gpu.func @collatz(%in: memref<32xi32>, %out: memref<32xi32>) kernel {
    %tid = gpu.thread_id x
    %v = memref.load %in[%tid] : memref<32xi32>
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c2 = arith.constant 2 : i32
    %c3 = arith.constant 3 : i32
    %start = arith.maxui %v, %c1 : i32
    %r:2 = scf.while (%x = %start, %n = %c0) : (i32, i32) -> (i32, i32) {
      %go = arith.cmpi ne, %x, %c1 : i32
      scf.condition(%go) %x, %n : i32, i32
    } do {
    ^bb0(%x: i32, %n: i32):
      %odd = arith.andi %x, %c1 : i32
      %is = arith.cmpi eq, %odd, %c1 : i32
      %next = scf.if %is -> (i32) {
        %m = arith.muli %x, %c3 : i32
        %p = arith.addi %m, %c1 : i32
        scf.yield %p : i32
      } else {
        %h = arith.divui %x, %c2 : i32
        scf.yield %h : i32
      }
      %k = arith.addi %n, %c1 : i32
      scf.yield %next, %k : i32, i32
    }
    memref.store %r#1, %out[%tid] : memref<32xi32>
    gpu.return
  }
}
