// run: --grid 1 --block 32 --arg {u32=7,f32=2.5} --arg u32[32]=0 --arg f32[32]=0 --print 1 --print 2
module attributes {llvm.target_triple = "nvptx64-nvidia-cuda"} {
  llvm.func @by_value(%p: !llvm.ptr {llvm.byval = !llvm.struct<(i32, f32)>, llvm.align = 4 : i64, nvvm.grid_constant}, %out: !llvm.ptr<1>, %f: !llvm.ptr<1>) attributes {nvvm.kernel} {
    %tid = nvvm.read.ptx.sreg.tid.x : i32
    %tid64 = llvm.zext %tid : i32 to i64
    %a = llvm.load %p : !llvm.ptr -> i32
    %q = llvm.getelementptr inbounds %p[0, 1] : (!llvm.ptr) -> !llvm.ptr, !llvm.struct<(i32, f32)>
    %b = llvm.load %q : !llvm.ptr -> f32
    %s = llvm.mul %a, %tid : i32
    %q47 = llvm.getelementptr inbounds %out[%tid64] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, i32
    llvm.store %s, %q47 : i32, !llvm.ptr<1>
    %q48 = llvm.getelementptr inbounds %f[%tid64] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, f32
    llvm.store %b, %q48 : f32, !llvm.ptr<1>
    llvm.return
  }
}
