// run: --grid 2 --block 32 --arg f32=2.5 --arg f32[64]=iota --arg f32[64]=1 --arg u64=60 --print 2
gpu.module @kernels {
  gpu.func @saxpy(%a: f32, %x: memref<64xf32>, %y: memref<64xf32>, %n: index) kernel {
    %bid = gpu.block_id x
    %bdim = gpu.block_dim x
    %tid = gpu.thread_id x
    %b = arith.muli %bid, %bdim : index
    %i = arith.addi %b, %tid : index
    %in = arith.cmpi ult, %i, %n : index
    scf.if %in {
      %xv = memref.load %x[%i] : memref<64xf32>
      %yv = memref.load %y[%i] : memref<64xf32>
      %ax = arith.mulf %a, %xv : f32
      %s = arith.addf %ax, %yv : f32
      memref.store %s, %y[%i] : memref<64xf32>
    }
    gpu.return
  }
}
