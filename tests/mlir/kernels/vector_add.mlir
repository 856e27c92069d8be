// run: --grid 2 --block 32 --arg f32[64]=iota --arg f32[64]=iota --arg f32[64]=0 --arg u32=60 --print 2
module attributes {llvm.target_triple = "nvptx64-nvidia-cuda"} {
  llvm.func @vector_add(%a: !llvm.ptr<1> {llvm.noalias, llvm.readonly}, %b: !llvm.ptr<1>, %c: !llvm.ptr<1>, %n: i32) attributes {nvvm.kernel} {
    %tid = nvvm.read.ptx.sreg.tid.x range <i32, 0, 1024> : i32
    %block = nvvm.read.ptx.sreg.ctaid.x : i32
    %size = nvvm.read.ptx.sreg.ntid.x : i32
    %base = llvm.mul %block, %size overflow<nsw> : i32
    %i = llvm.add %base, %tid overflow<nsw, nuw> : i32
    %inside = llvm.icmp "ult" %i, %n : i32
    llvm.cond_br %inside weights([3, 1]), ^body, ^done
  ^body:
    %wide = llvm.zext %i : i32 to i64
    %pa = llvm.getelementptr inbounds %a[%wide] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, f32
    %pb = llvm.getelementptr inbounds %b[%wide] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, f32
    %pc = llvm.getelementptr inbounds %c[%wide] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, f32
    %x = llvm.load %pa invariant {alignment = 4 : i64} : !llvm.ptr<1> -> f32
    %y = llvm.load %pb {alignment = 4 : i64} : !llvm.ptr<1> -> f32
    %half = llvm.mlir.constant(5.000000e-01 : f32) : f32
    %s = llvm.fadd %x, %y {fastmathFlags = #llvm.fastmath<contract>} : f32
    %t = llvm.fadd %s, %half : f32
    llvm.store %t, %pc {alignment = 4 : i64} : f32, !llvm.ptr<1>
    llvm.br ^done
  ^done:
    llvm.return
  }
}
