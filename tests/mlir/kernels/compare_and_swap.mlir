// run: --grid 2 --block 32 --arg u32[1]=0 --print 0
module attributes {llvm.target_triple = "nvptx64-nvidia-cuda"} {
  llvm.func @compare_and_swap(%a: !llvm.ptr<1>) attributes {nvvm.kernel} {
    %tid = nvvm.read.ptx.sreg.tid.x : i32
    %tid64 = llvm.zext %tid : i32 to i64
    %start = llvm.load %a atomic monotonic {alignment = 4 : i64} : !llvm.ptr<1> -> i32
    %three = llvm.mlir.constant(3 : i32) : i32
    llvm.br ^loop(%start : i32)
  ^loop(%old: i32):
    %new = llvm.add %old, %three : i32
    %r = llvm.cmpxchg %a, %old, %new syncscope("device") acq_rel monotonic : !llvm.ptr<1>, i32
    %seen = llvm.extractvalue %r[0] : !llvm.struct<(i32, i1)>
    %ok = llvm.extractvalue %r[1] : !llvm.struct<(i32, i1)>
    llvm.cond_br %ok, ^done, ^loop(%seen : i32)
  ^done:
    llvm.fence syncscope("device") seq_cst
    llvm.return
  }
}
