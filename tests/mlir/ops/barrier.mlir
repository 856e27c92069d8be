// arch: sm_90
module {
  llvm.func @barrier(%i: i32, %n: i32, %p: i32, %m: i32) {
    nvvm.barrier0
    nvvm.barrier
    nvvm.barrier id = %i
    nvvm.barrier id = %i number_of_threads = %n
    %a = nvvm.barrier #nvvm.reduction<and> %p -> i32
    %c = nvvm.barrier #nvvm.reduction<popc> %p -> i32
    nvvm.bar.warp.sync %m : i32
    llvm.return
  }
}
