; test: compile --arch sm_75
; check: shl.b32 *;
; check: add.rn.f32 *;
; check-not: bf16
; test: compile --arch sm_80
; check: fma.rn.bf16 *;
; check: fma.rn.bf16 *;
; check-not: add.rn.f32
; test: compile --arch sm_90
; check: add.rn.bf16 *;
; check: sub.rn.bf16 *;
; check: mul.rn.bf16 *;
; run: --grid 1 --block 1 --arg u16[6]=0 --arg u16=0x3f81 --arg u16=0x4040 --arg u16=0x8100 --arg u32=0x01010001 \
;   --expect 0:=0x4080,0xbfff,0x4042,0x3eac,0x4041,0x4b81
; bfloat is computed as float where a chip cannot do better, and comes out the same everywhere: rounded once.
; 0x3f81 * 0x4040 lies halfway between two numbers, and 2^-125 less decides. So does the last bit of 0x01010001.
target triple = "nvptx64-nvidia-cuda"

define ptx_kernel void @k(ptr addrspace(1) %out, bfloat %a, bfloat %b, bfloat %tiny, i32 %i) {
  %sum = fadd bfloat %a, %b
  store bfloat %sum, ptr addrspace(1) %out
  %difference = fsub bfloat %a, %b
  %p1 = getelementptr bfloat, ptr addrspace(1) %out, i64 1
  store bfloat %difference, ptr addrspace(1) %p1
  %product = fmul bfloat %a, %b
  %p2 = getelementptr bfloat, ptr addrspace(1) %out, i64 2
  store bfloat %product, ptr addrspace(1) %p2
  %quotient = fdiv bfloat %a, %b
  %p3 = getelementptr bfloat, ptr addrspace(1) %out, i64 3
  store bfloat %quotient, ptr addrspace(1) %p3
  %fused = call bfloat @llvm.fma.bf16(bfloat %a, bfloat %b, bfloat %tiny)
  %p4 = getelementptr bfloat, ptr addrspace(1) %out, i64 4
  store bfloat %fused, ptr addrspace(1) %p4
  %converted = sitofp i32 %i to bfloat
  %p5 = getelementptr bfloat, ptr addrspace(1) %out, i64 5
  store bfloat %converted, ptr addrspace(1) %p5
  ret void
}

declare bfloat @llvm.fma.bf16(bfloat, bfloat, bfloat)
