// arch: sm_90
module {
  llvm.func @permute(%v: i32, %o: i32, %c: i32) {
    %22 = nvvm.prmt #nvvm.permute_mode<default> %v, %o, %c : i32
    %23 = nvvm.prmt #nvvm.permute_mode<f4e> %v, %o, %c : i32
    %24 = nvvm.prmt #nvvm.permute_mode<rc8> %v, %o : i32
    llvm.return
  }
}
