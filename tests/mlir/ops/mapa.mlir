// arch: sm_90
module {
  llvm.func @mapa(%s: !llvm.ptr<3>, %g: !llvm.ptr, %n: i32) {
    %18 = nvvm.mapa %s, %n : !llvm.ptr<3> -> !llvm.ptr<7>
    %19 = nvvm.mapa %g, %n : !llvm.ptr -> !llvm.ptr
    llvm.return
  }
}
