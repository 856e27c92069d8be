// arch: sm_90a
module {
  llvm.func @wgmma(%a: i64, %b: i64, %c: !llvm.struct<(f32, f32, f32, f32)>, %i: !llvm.struct<(i32, i32, i32, i32)>, %h: !llvm.struct<(i32, i32)>) {
    nvvm.wgmma.fence.aligned
    %0 = nvvm.wgmma.mma_async %a, %b, %c, <m = 64, n = 8, k = 16>, D [<f32>, <zero>], A [<f16>, <neg>, <col>], B [<f16>, <one>, <col>] : !llvm.struct<(f32, f32, f32, f32)> -> !llvm.struct<(f32, f32, f32, f32)>
    %1 = nvvm.wgmma.mma_async %a, %b, %i, <m = 64, n = 8, k = 32>, D [<s32>, <one>, <satfinite>], A [<s8>, <one>, <row>], B [<u8>, <one>, <col>] : !llvm.struct<(i32, i32, i32, i32)> -> !llvm.struct<(i32, i32, i32, i32)>
    %2 = nvvm.wgmma.mma_async %a, %b, %c, <m = 64, n = 8, k = 8>, D [<f32>, <one>], A [<tf32>, <one>, <row>], B [<tf32>, <neg>, <col>] : !llvm.struct<(f32, f32, f32, f32)> -> !llvm.struct<(f32, f32, f32, f32)>
    %3 = nvvm.wgmma.mma_async %a, %b, %c, <m = 64, n = 8, k = 16>, D [<f32>, <one>], A [<bf16>, <one>, <row>], B [<bf16>, <one>, <row>] : !llvm.struct<(f32, f32, f32, f32)> -> !llvm.struct<(f32, f32, f32, f32)>
    %4 = nvvm.wgmma.mma_async %a, %b, %h, <m = 64, n = 8, k = 16>, D [<f16>, <one>], A [<f16>, <one>, <row>], B [<f16>, <one>, <row>] : !llvm.struct<(i32, i32)> -> !llvm.struct<(i32, i32)>
    %5 = nvvm.wgmma.mma_async %a, %b, %c, <m = 64, n = 8, k = 32>, D [<f32>, <one>], A [<e4m3>, <one>, <row>], B [<e5m2>, <one>, <col>] : !llvm.struct<(f32, f32, f32, f32)> -> !llvm.struct<(f32, f32, f32, f32)>
    nvvm.wgmma.commit.group.sync.aligned
    nvvm.wgmma.wait.group.sync.aligned 1
    llvm.return
  }
}
