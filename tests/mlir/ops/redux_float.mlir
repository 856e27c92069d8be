// arch: sm_100a
module {
  llvm.func @redux_float(%m: i32, %f: f32) {
    %16 = nvvm.redux.sync fmin %f, %m : f32 -> f32
    %17 = nvvm.redux.sync fmax %f, %m {abs = true, nan = true} : f32 -> f32
    %18 = nvvm.redux.sync fmax %f, %m {nan = true} : f32 -> f32
    %19 = nvvm.redux.sync fmin %f, %m {abs = true} : f32 -> f32
    llvm.return
  }
}
