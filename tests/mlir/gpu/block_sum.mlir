// run: --grid 2 --block 64 --arg u32[128]=iota --arg u32[2]=0 --print 1
gpu.module @kernels {
  gpu.func @block_sum(%in: memref<128xi32>, %out: memref<2xi32>) workgroup(%buf: memref<64xi32, #gpu.address_space<workgroup>>) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %tid = gpu.thread_id x
    %bid = gpu.block_id x
    %c64 = arith.constant 64 : index
    %c0 = arith.constant 0 : index
    %c2 = arith.constant 2 : index
    %c32 = arith.constant 32 : index
    %base = arith.muli %bid, %c64 : index
    %i = arith.addi %base, %tid : index
    %v = memref.load %in[%i] : memref<128xi32>
    memref.store %v, %buf[%tid] : memref<64xi32, #gpu.address_space<workgroup>>
    gpu.barrier
    %r = scf.while (%s = %c32) : (index) -> index {
      %more = arith.cmpi ugt, %s, %c0 : index
      scf.condition(%more) %s : index
    } do {
    ^bb0(%s: index):
      %act = arith.cmpi ult, %tid, %s : index
      scf.if %act {
        %j = arith.addi %tid, %s : index
        %a = memref.load %buf[%tid] : memref<64xi32, #gpu.address_space<workgroup>>
        %b = memref.load %buf[%j] : memref<64xi32, #gpu.address_space<workgroup>>
        %c = arith.addi %a, %b : i32
        memref.store %c, %buf[%tid] : memref<64xi32, #gpu.address_space<workgroup>>
      }
      gpu.barrier
      %h = arith.divui %s, %c2 : index
      scf.yield %h : index
    }
    %first = arith.cmpi eq, %tid, %c0 : index
    scf.if %first {
      %t = memref.load %buf[%c0] : memref<64xi32, #gpu.address_space<workgroup>>
      memref.store %t, %out[%bid] : memref<2xi32>
    }
    gpu.return
  }
}
