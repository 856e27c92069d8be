// arch: sm_90
module {
  llvm.func @mbarrier_arrive(%s: !llvm.ptr<3>, %g: !llvm.ptr, %cl: !llvm.ptr<7>, %n: i32) {
    %0 = nvvm.mbarrier.arrive %s : !llvm.ptr<3> -> i64
    %1 = nvvm.mbarrier.arrive %g : !llvm.ptr -> i64
    %2 = nvvm.mbarrier.arrive %s, %n : !llvm.ptr<3> -> i64
    %3 = nvvm.mbarrier.arrive %s, %n {scope = #nvvm.mem_scope<cluster>, relaxed = true} : !llvm.ptr<3> -> i64
    nvvm.mbarrier.arrive %cl : !llvm.ptr<7>
    nvvm.mbarrier.arrive %cl, %n {scope = #nvvm.mem_scope<cluster>} : !llvm.ptr<7>
    nvvm.mbarrier.arrive %cl, %n {scope = #nvvm.mem_scope<cluster>, relaxed = true} : !llvm.ptr<7>
    %6 = nvvm.mbarrier.arrive.nocomplete %s, %n : !llvm.ptr<3>, i32 -> i64
    %7 = nvvm.mbarrier.arrive.nocomplete %g, %n : !llvm.ptr, i32 -> i64
    nvvm.cp.async.mbarrier.arrive %s : !llvm.ptr<3>
    nvvm.cp.async.mbarrier.arrive %g {noinc = true} : !llvm.ptr
    llvm.return
  }
}
