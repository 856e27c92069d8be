// run: --grid 1 --block 32 --arg u32[32]=iota --arg u32[32]=0 --print 1
gpu.module @kernels {
  gpu.func @select_case(%in: memref<32xi32>, %out: memref<32xi32>) kernel {
    %tid = gpu.thread_id x
    %v = memref.load %in[%tid] : memref<32xi32>
    %vi = arith.index_cast %v : i32 to index
    %c7 = arith.constant 7 : index
    %k = arith.remui %vi, %c7 : index
    %r = scf.index_switch %k -> i32
    case 0 {
      %c = arith.constant 100 : i32
      scf.yield %c : i32
    }
    case 3 {
      %c = arith.constant -5 : i32
      %s = arith.addi %c, %v : i32
      scf.yield %s : i32
    }
    case 5 {
      %s = arith.muli %v, %v : i32
      scf.yield %s : i32
    }
    default {
      scf.yield %v : i32
    }
    memref.store %r, %out[%tid] : memref<32xi32>
    gpu.return
  }
}
