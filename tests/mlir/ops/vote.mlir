// arch: sm_90
module {
  llvm.func @vote(%m: i32, %p: i1) {
    %4 = nvvm.vote.sync ballot %m, %p -> i32
    %5 = nvvm.vote.sync any %m, %p -> i1
    %6 = nvvm.vote.sync all %m, %p -> i1
    %7 = nvvm.vote.sync uni %m, %p -> i1
    %20 = nvvm.elect.sync -> i1
    %21 = nvvm.elect.sync %m -> i1
    llvm.return
  }
}
