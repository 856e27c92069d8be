// arch: sm_90
module {
  llvm.func @mbarrier_arrive_drop(%s: !llvm.ptr<3>, %g: !llvm.ptr, %cl: !llvm.ptr<7>, %n: i32) {
    %4 = nvvm.mbarrier.arrive_drop %s : !llvm.ptr<3> -> i64
    %5 = nvvm.mbarrier.arrive_drop %g, %n {relaxed = true} : !llvm.ptr -> i64
    nvvm.mbarrier.arrive_drop %cl, %n : !llvm.ptr<7>
    %8 = nvvm.mbarrier.arrive_drop.nocomplete %s, %n : !llvm.ptr<3>, i32 -> i64
    %9 = nvvm.mbarrier.arrive_drop.nocomplete %g, %n : !llvm.ptr, i32 -> i64
    llvm.return
  }
}
