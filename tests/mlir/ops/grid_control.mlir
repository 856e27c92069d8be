// arch: sm_90a
module {
  llvm.func @grid_control() {
    %s = llvm.mlir.constant(128 : i32) : i32
    nvvm.griddepcontrol wait
    nvvm.griddepcontrol launch_dependents
    nvvm.setmaxregister increase 240
    nvvm.setmaxregister decrease 40
    nvvm.nanosleep %s
    nvvm.pmevent id = 10
    nvvm.pmevent mask = 5
    llvm.return
  }
}
