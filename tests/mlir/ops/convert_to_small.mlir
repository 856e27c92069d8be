// arch: sm_100a
module {
  llvm.func @convert_to_small(%f: f32, %g: f32, %h: vector<2xf16>, %b: vector<2xbf16>) {
    %9 = nvvm.convert.f32x2.to.f8x2 %f, %g {rnd = #nvvm.fp_rnd_mode<rn>, sat = #nvvm.sat_mode<satfinite>} : i16 (f8E4M3FN)
    %10 = nvvm.convert.f32x2.to.f8x2 %f, %g {rnd = #nvvm.fp_rnd_mode<rn>, sat = #nvvm.sat_mode<satfinite>, relu = true} : vector<2xi8> (f8E5M2)
    %11 = nvvm.convert.f32x2.to.f8x2 %f, %g {rnd = #nvvm.fp_rnd_mode<rz>} : i16 (f8E8M0FNU)
    %12 = nvvm.convert.f32x2.to.f8x2 %f, %g {rnd = #nvvm.fp_rnd_mode<rp>, sat = #nvvm.sat_mode<satfinite>} : i16 (f8E8M0FNU)
    %13 = nvvm.convert.f16x2.to.f8x2 %h : vector<2xf16> -> i16 (f8E4M3FN)
    %14 = nvvm.convert.f16x2.to.f8x2 %h {relu = true} : vector<2xf16> -> vector<2xi8> (f8E5M2)
    %15 = nvvm.convert.bf16x2.to.f8x2 %b {rnd = #nvvm.fp_rnd_mode<rz>} : vector<2xbf16> -> i16 (f8E8M0FNU)
    %16 = nvvm.convert.bf16x2.to.f8x2 %b {rnd = #nvvm.fp_rnd_mode<rp>, sat = #nvvm.sat_mode<satfinite>} : vector<2xbf16> -> vector<2xi8> (f8E8M0FNU)
    %17 = nvvm.convert.f32x2.to.f6x2 %f, %g : i16 (f6E2M3FN)
    %18 = nvvm.convert.f32x2.to.f6x2 %f, %g {relu = true} : vector<2xi8> (f6E3M2FN)
    %19 = nvvm.convert.f32x2.to.f4x2 %f, %g {relu = true} : i8 (f4E2M1FN)
    llvm.return
  }
}
