// arch: sm_100a
module {
  llvm.func @convert_pairs(%f: f32, %g: f32) {
    %4 = nvvm.convert.f32x2.to.bf16x2 %f, %g {rnd = #nvvm.fp_rnd_mode<rn>} : vector<2xbf16>
    %5 = nvvm.convert.f32x2.to.bf16x2 %f, %g {rnd = #nvvm.fp_rnd_mode<rz>, relu = true} : vector<2xbf16>
    llvm.return
  }
}
