// arch: sm_90
module {
  llvm.func @redux(%m: i32, %v: i32) {
    %12 = nvvm.redux.sync add %v, %m : i32 -> i32
    %13 = nvvm.redux.sync umax %v, %m : i32 -> i32
    %14 = nvvm.redux.sync min %v, %m : i32 -> i32
    %15 = nvvm.redux.sync xor %v, %m : i32 -> i32
    llvm.return
  }
}
