// arch: sm_100
module {
  llvm.func @bulk_store(%s: !llvm.ptr<3>, %g: !llvm.ptr, %st: i64) {
    nvvm.st.bulk %s, size = %st : !llvm.ptr<3>
    nvvm.st.bulk %g, size = %st, init = 0 : !llvm.ptr
    llvm.return
  }
}
