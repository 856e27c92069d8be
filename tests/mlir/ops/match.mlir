// arch: sm_90
module {
  llvm.func @match(%m: i32, %v: i32, %w: i64) {
    %8 = nvvm.match.sync any %m, %v : i32 -> i32
    %9 = nvvm.match.sync all %m, %v : i32 -> !llvm.struct<(i32, i1)>
    %10 = nvvm.match.sync any %m, %w : i64 -> i32
    %11 = nvvm.match.sync all %m, %w : i64 -> !llvm.struct<(i32, i1)>
    llvm.return
  }
}
