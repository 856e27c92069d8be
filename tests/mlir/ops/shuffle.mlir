// arch: sm_90
module {
  llvm.func @shuffle(%m: i32, %v: i32, %f: f32, %o: i32, %c: i32) {
    %0 = nvvm.shfl.sync bfly %m, %v, %o, %c : i32 -> i32
    %1 = nvvm.shfl.sync up %m, %f, %o, %c : f32 -> f32
    %2 = nvvm.shfl.sync down %m, %f, %o, %c {return_value_and_is_valid} : f32 -> !llvm.struct<(f32, i1)>
    %3 = nvvm.shfl.sync idx %m, %v, %o, %c {return_value_and_is_valid} : i32 -> !llvm.struct<(i32, i1)>
    llvm.return
  }
}
