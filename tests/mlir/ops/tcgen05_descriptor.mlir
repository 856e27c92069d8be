// arch: sm_100a
module {
  llvm.func @tcgen05_descriptor(%n: i32, %c: i1, %b: i8) {
    %3 = nvvm.tcgen05.mma_smem_desc (%n, %n, %n, %b, %c, %b) : (i32, i32, i32, i8, i1, i8) -> i64
    llvm.return
  }
}
