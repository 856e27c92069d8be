; Functions of the driver: printf, the heap, failed assertions.
; test: compile --arch sm_75
; check: .extern .func (.param .b32 func_retval0) vprintf(*
; check: .extern .func __assertfail(*
; check: .noreturn;
; run: --grid 1 --block 2 --arg u32=7 --arg u32[1]=0 --expect 1:=7
target triple = "nvptx64-nvidia-cuda"
@fmt = private constant [10 x i8] c"hi %d %f\0A\00"
define ptx_kernel void @k(i32 %x, ptr addrspace(1) %out) {
  %buf = alloca { i32, double }
  store i32 %x, ptr %buf
  %p = getelementptr i8, ptr %buf, i64 8
  store double 1.5, ptr %p
  %r = call i32 @vprintf(ptr @fmt, ptr %buf)
  %m = call ptr @malloc(i64 16)
  store i32 %x, ptr %m
  %v = load i32, ptr %m
  store i32 %v, ptr addrspace(1) %out
  call void @free(ptr %m)
  %c = icmp eq i32 %v, 12345
  br i1 %c, label %bad, label %ok
bad:
  call void @__assertfail(ptr @fmt, ptr @fmt, i32 5, ptr @fmt, i64 1)
  unreachable
ok:
  ret void
}
declare i32 @vprintf(ptr, ptr)
declare ptr @malloc(i64)
declare void @free(ptr)
declare void @__assertfail(ptr, ptr, i32, ptr, i64) noreturn
