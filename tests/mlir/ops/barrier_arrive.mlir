// arch: sm_90
module {
  llvm.func @barrier_arrive(%i: i32, %n: i32) {
    nvvm.barrier.arrive number_of_threads = %n
    nvvm.barrier.arrive id = %i number_of_threads = %n
    llvm.return
  }
}
