; Calls by name, through pointers and of the function itself; structs, short integers, `byval` memory that
; the callee writes, and a variable number of arguments.
; test: compile --arch sm_75
; test: compile --arch sm_90 -O0
; run: --grid 1 --block 4 --arg u32[4]=iota --arg u32[16]=0 --expect 1:=0,1107,20,1,1,1109,21,1,4,1111,22,2,9,1113,23,6
target triple = "nvptx64-nvidia-cuda"
%S = type { i32, i64, i8 }
@table = internal constant [2 x ptr] [ptr @twice, ptr @square]
define internal i32 @twice(i32 %x) noinline { %r = shl i32 %x, 1
 ret i32 %r }
define internal i32 @square(i32 %x) noinline { %r = mul i32 %x, %x
 ret i32 %r }
define internal %S @make(i32 %x, i8 signext %y) noinline {
  %a = insertvalue %S poison, i32 %x, 0
  %b = insertvalue %S %a, i64 7, 1
  %c = insertvalue %S %b, i8 %y, 2
  ret %S %c
}
define internal i32 @sum(ptr byval(%S) %p, i32 %n) noinline {
  %q = getelementptr %S, ptr %p, i32 0, i32 1
  %x = load i32, ptr %p
  %y = load i64, ptr %q
  store i32 100, ptr %p
  %yy = trunc i64 %y to i32
  %z = load i32, ptr %p
  %s = add i32 %x, %yy
  %s2 = add i32 %s, %z
  %s3 = add i32 %s2, %n
  ret i32 %s3
}
define internal i32 @count(i32 %n, ...) noinline {
  %ap = alloca ptr
  call void @llvm.va_start.p0(ptr %ap)
  %a = va_arg ptr %ap, i32
  %b = va_arg ptr %ap, i64
  %c = va_arg ptr %ap, i8
  call void @llvm.va_end.p0(ptr %ap)
  %bt = trunc i64 %b to i32
  %ct = sext i8 %c to i32
  %s = add i32 %a, %bt
  %t = add i32 %s, %ct
  %u = add i32 %t, %n
  ret i32 %u
}
define internal i32 @fact(i32 %n) {
  %c = icmp ult i32 %n, 2
  br i1 %c, label %one, label %more
one:
  ret i32 1
more:
  %m = sub i32 %n, 1
  %f = call i32 @fact(i32 %m)
  %r = mul i32 %f, %n
  ret i32 %r
}
define ptx_kernel void @k(ptr addrspace(1) %in, ptr addrspace(1) %out) {
  %s = alloca %S
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %ip = getelementptr i32, ptr addrspace(1) %in, i32 %t
  %x = load i32, ptr addrspace(1) %ip
  %bit = and i32 %t, 1
  %fpp = getelementptr ptr, ptr @table, i32 %bit
  %fp = load ptr, ptr %fpp
  %a = call i32 %fp(i32 %x)
  %st = call %S @make(i32 %x, i8 -3)
  store %S %st, ptr %s
  %b = call i32 @sum(ptr byval(%S) %s, i32 1000)
  %y = load i32, ptr %s
  %c = call i32 (i32, ...) @count(i32 1, i32 %x, i64 20, i8 -1)
  %d = call i32 @fact(i32 %x)
  %e = add i32 %b, %y
  %f = add i32 %c, %d
  %o0 = mul i32 %t, 4
  %p0 = getelementptr i32, ptr addrspace(1) %out, i32 %o0
  store i32 %a, ptr addrspace(1) %p0
  %p1 = getelementptr i32, ptr addrspace(1) %p0, i32 1
  store i32 %e, ptr addrspace(1) %p1
  %p2 = getelementptr i32, ptr addrspace(1) %p0, i32 2
  store i32 %c, ptr addrspace(1) %p2
  %p3 = getelementptr i32, ptr addrspace(1) %p0, i32 3
  store i32 %d, ptr addrspace(1) %p3
  ret void
}
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare void @llvm.va_start.p0(ptr)
declare void @llvm.va_end.p0(ptr)
