// arch: sm_100a
module {
  llvm.func @convert_random(%f: f32, %g: f32, %r: i32, %q: vector<4xf32>) {
    %6 = nvvm.convert.f32x2.to.bf16x2 %f, %g, %r {rnd = #nvvm.fp_rnd_mode<rs>, sat = #nvvm.sat_mode<satfinite>, relu = true} : vector<2xbf16>
    %8 = nvvm.convert.f32x2.to.f16x2 %f, %g, %r {rnd = #nvvm.fp_rnd_mode<rs>} : vector<2xf16>
    %20 = nvvm.convert.f32x4.to.f8x4 %q, %r : vector<4xf32> -> vector<4xi8> (f8E4M3FN)
    %21 = nvvm.convert.f32x4.to.f8x4 %q, %r {relu = true} : vector<4xf32> -> vector<4xi8> (f8E5M2)
    %22 = nvvm.convert.f32x4.to.f6x4 %q, %r : vector<4xf32> -> vector<4xi8> (f6E3M2FN)
    %23 = nvvm.convert.f32x4.to.f4x4 %q, %r {relu = true} : vector<4xf32> -> i16 (f4E2M1FN)
    llvm.return
  }
}
