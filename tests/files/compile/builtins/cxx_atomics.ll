; A lock by compare-and-swap, a counter by exchange, sums that subtract, bytes, and fences in between.
; test: compile --arch sm_70
; test: compile --arch sm_90
; check-not: call
; run: --grid 4 --block 8 --arg u32[1]=0 --arg u32[4]=0 --arg f64[1]=100 --arg u8[4]=0 --expect 0:=0 --expect 1:=32,4294967264,31,0 --expect 2:=84 --expect 3:=0,7,0,0
target triple = "nvptx64-nvidia-cuda"

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
declare i1 @__nv_atomic_compare_exchange_4(ptr, ptr, i32, i1, i32, i32, i32)
declare void @__nv_atomic_store_4(ptr, i32, i32, i32)
declare i32 @__nv_atomic_fetch_sub_4_u(ptr, i32, i32, i32)
declare i32 @__nv_atomic_fetch_or_4(ptr, i32, i32, i32)
declare double @__nv_atomic_fetch_sub_8_f(ptr, double, i32, i32)
declare i8 @__nv_atomic_load_1(ptr, i32, i32)
declare void @__nv_atomic_store_1(ptr, i8, i32, i32)
declare void @__nv_atomic_thread_fence(i32, i32)

define ptx_kernel void @k(ptr %lock, ptr %sums, ptr %number, ptr %bytes) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %expected = alloca i32
  br label %try

try:
  store i32 0, ptr %expected
  %got = call i1 @__nv_atomic_compare_exchange_4(ptr %lock, ptr %expected, i32 1, i1 false, i32 2, i32 0, i32 3)
  br i1 %got, label %mine, label %try

mine:
  ; Only the holder of the lock is here: a plain sum is right.
  %old = load i32, ptr %sums
  %new = add i32 %old, 1
  store i32 %new, ptr %sums
  call void @__nv_atomic_store_4(ptr %lock, i32 0, i32 3, i32 3)
  %p1 = getelementptr i32, ptr %sums, i32 1
  %a = call i32 @__nv_atomic_fetch_sub_4_u(ptr %p1, i32 1, i32 0, i32 4)
  %p2 = getelementptr i32, ptr %sums, i32 2
  %bit = and i32 %t, 3
  %five = or i32 %t, 24
  %b = call i32 @__nv_atomic_fetch_or_4(ptr %p2, i32 %five, i32 5, i32 3)
  %c = call double @__nv_atomic_fetch_sub_8_f(ptr %number, double 5.000000e-01, i32 4, i32 3)
  %p3 = getelementptr i8, ptr %bytes, i32 1
  call void @__nv_atomic_store_1(ptr %p3, i8 7, i32 3, i32 3)
  call void @__nv_atomic_thread_fence(i32 4, i32 3)
  %seven = call i8 @__nv_atomic_load_1(ptr %p3, i32 2, i32 3)
  %wrong = icmp ne i8 %seven, 7
  br i1 %wrong, label %fail, label %done

fail:
  %p4 = getelementptr i32, ptr %sums, i32 3
  store i32 1, ptr %p4
  br label %done

done:
  ret void
}
