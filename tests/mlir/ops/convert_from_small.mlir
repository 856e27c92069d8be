// arch: sm_100a
module {
  llvm.func @convert_from_small(%e: vector<2xi8>, %c: i8) {
    %24 = nvvm.convert.f8x2.to.f16x2 %e : vector<2xi8> (f8E4M3FN) -> vector<2xf16>
    %25 = nvvm.convert.f8x2.to.f16x2 %e {relu = true} : vector<2xi8> (f8E5M2) -> vector<2xf16>
    %26 = nvvm.convert.f8x2.to.bf16x2 %e : vector<2xi8> (f8E8M0FNU) -> vector<2xbf16>
    %27 = nvvm.convert.f6x2.to.f16x2 %e : vector<2xi8> (f6E2M3FN) -> vector<2xf16>
    %28 = nvvm.convert.f6x2.to.f16x2 %e {relu = true} : vector<2xi8> (f6E3M2FN) -> vector<2xf16>
    %29 = nvvm.convert.f4x2.to.f16x2 %c : i8 (f4E2M1FN) -> vector<2xf16>
    llvm.return
  }
}
