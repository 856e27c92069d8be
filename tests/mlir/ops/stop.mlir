// arch: sm_90
module {
  llvm.func @stop() {
    nvvm.breakpoint
    nvvm.exit
    llvm.return
  }
}
