// arch: sm_100a
module {
  llvm.func @convert_tf32(%f: f32) {
    %0 = nvvm.convert.float.to.tf32 %f {rnd = #nvvm.fp_rnd_mode<rna>}
    %1 = nvvm.convert.float.to.tf32 %f {rnd = #nvvm.fp_rnd_mode<rn>, relu=true}
    %2 = nvvm.convert.float.to.tf32 %f {rnd = #nvvm.fp_rnd_mode<rz>, sat = #nvvm.sat_mode<satfinite>}
    %3 = nvvm.convert.float.to.tf32 %f {rnd = #nvvm.fp_rnd_mode<rna>, sat = #nvvm.sat_mode<satfinite>}
    %30 = nvvm.rcp.approx.ftz.f %f : f32
    llvm.return
  }
}
