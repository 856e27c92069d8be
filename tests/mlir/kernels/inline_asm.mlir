// run: --grid 1 --block 32 --arg u32[32]=iota --arg u32[32]=0 --print 1
module attributes {llvm.target_triple = "nvptx64-nvidia-cuda"} {
  llvm.func @inline_asm(%in: !llvm.ptr<1>, %out: !llvm.ptr<1>) attributes {nvvm.kernel} {
    %tid = nvvm.read.ptx.sreg.tid.x : i32
    %tid64 = llvm.zext %tid : i32 to i64
    %p_v = llvm.getelementptr inbounds %in[%tid64] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, i32
    %v = llvm.load %p_v : !llvm.ptr<1> -> i32
    %a = llvm.inline_asm "bfind.u32 $0, $1;", "=r,r" %v : (i32) -> i32
    %b = llvm.inline_asm has_side_effects "{ lop3.b32 $0, $1, $2, 5, 0x96; }", "=r,r,r" %a, %v : (i32, i32) -> i32
    %q31 = llvm.getelementptr inbounds %out[%tid64] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, i32
    llvm.store %b, %q31 : i32, !llvm.ptr<1>
    llvm.return
  }
}
