; test: compile --arch sm_75
; check: .entry quotient
; check: mul.hi.u32
; check: mul.hi.s32
; check: mul.hi.u64
; check-not: div.
; check-not: rem.
; run: --kernel quotient --grid 1 --block 1 --arg u32[1]=0xffffffff --arg u64[1]=0xffffffffffffffff --arg u32[4]=0 --arg u64[2]=0 --expect 2:=613566756,3,0,0xfffffffe --expect 3:=2635249153387078802,15
; ptxas divides by constants as by anything else, so reciprocals are multiplied here.
target triple = "nvptx64-nvidia-cuda"

define ptx_kernel void @quotient(ptr addrspace(1) %x, ptr addrspace(1) %y, ptr addrspace(1) %out, ptr addrspace(1) %long) {
  %a = load i32, ptr addrspace(1) %x
  %q = udiv i32 %a, 7
  store i32 %q, ptr addrspace(1) %out
  %r = urem i32 %a, 7
  %p1 = getelementptr i32, ptr addrspace(1) %out, i64 1
  store i32 %r, ptr addrspace(1) %p1
  %s = sdiv i32 %a, 7
  %p2 = getelementptr i32, ptr addrspace(1) %out, i64 2
  store i32 %s, ptr addrspace(1) %p2
  %b = shl i32 %a, 3
  %e = sdiv exact i32 %b, 4
  %p3 = getelementptr i32, ptr addrspace(1) %out, i64 3
  store i32 %e, ptr addrspace(1) %p3
  %c = load i64, ptr addrspace(1) %y
  %v = udiv i64 %c, 7
  store i64 %v, ptr addrspace(1) %long
  %w = urem i64 %c, 16
  %p4 = getelementptr i64, ptr addrspace(1) %long, i64 1
  store i64 %w, ptr addrspace(1) %p4
  ret void
}
