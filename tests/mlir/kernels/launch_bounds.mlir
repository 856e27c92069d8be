// run: --grid 1 --block 32 --arg u32[32]=0 --print 0
module attributes {llvm.target_triple = "nvptx64-nvidia-cuda"} {
  llvm.func @launch_bounds(%out: !llvm.ptr<1> {llvm.noalias, llvm.align = 16 : i64, llvm.nocapture}) attributes {nvvm.kernel, nvvm.maxntid = array<i32: 64, 1, 1>, nvvm.minctasm = 2 : i32, nvvm.maxnreg = 64 : i32} {
    %tid = nvvm.read.ptx.sreg.tid.x : i32
    %tid64 = llvm.zext %tid : i32 to i64
    %n = nvvm.read.ptx.sreg.ntid.x range <i32, 1, 1025> : i32
    %s = llvm.add %tid, %n overflow<nsw, nuw> : i32
    %q46 = llvm.getelementptr inbounds %out[%tid64] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, i32
    llvm.store %s, %q46 : i32, !llvm.ptr<1>
    llvm.return
  }
}
