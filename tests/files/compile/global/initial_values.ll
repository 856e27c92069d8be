; Variables of every kind: numbers, strings, addresses in words and in bytes, rings of one.
; test: compile --arch sm_75
; check: .visible .const .align 2 .b8 c[8] = {1, 0, 254, 255, 3};
; check: .global .align 8 .u64 s[3] = {1, generic(_$_str), 3};
; check: .visible .global .align 1 .u8 p[11] = {1, 0xFF(generic(s)+4), 0xFF00(generic(s)+4), *, 7, 0};
; check: .visible .global .align 8 .u64 fp[2] = {f};
; check: .visible .global .align 8 .b64 last = 7;
; check: .visible .global .align 8 .u64 later = generic(last);
; check: .visible .const .align 8 .u64 cs = b+2;
; check: .extern .shared .align 16 .b8 dyn[];
; check: .extern .global .align 4 .b32 ext;
; check: .weak .global .align 4 .b32 w;
; check: .common .global .align 4 .b32 com;
; check: .visible .global .align 1 .b8 i1v[1] = {141};
; check: .visible .global .align 8 .u64 self = generic(self);
; check: .alias ali, g;
; check-not: llvm.used
target triple = "nvptx64-nvidia-cuda"
%S = type { i32, ptr, i8 }
%P = type <{ i8, ptr, i16 }>
@a = global i32 5
@b = addrspace(1) global float 1.5, align 16
@c = addrspace(4) constant [4 x i16] [i16 1, i16 -2, i16 3, i16 0]
@.str = private unnamed_addr constant [6 x i8] c"hello\00", align 1
@s = internal constant %S { i32 1, ptr @.str, i8 3 }
@p = global %P <{ i8 1, ptr getelementptr (i8, ptr @s, i64 4), i16 7 }>
@fp = global [2 x ptr] [ptr @f, ptr null]
@later = global ptr @last
@last = global i64 7
@cs = addrspace(4) global ptr addrspace(1) getelementptr (i8, ptr addrspace(1) @b, i64 2)
@sh = internal addrspace(3) global [32 x float] undef, align 16
@dyn = external addrspace(3) global [0 x float], align 16
@ext = external addrspace(1) global i32
@w = weak global i32 0
@com = common global i32 0
@z = global [100 x i32] zeroinitializer
@h = global half 1.0
@v = global <4 x float> <float 1.0, float 2.0, float 0.0, float 0.0>
@i128 = global i128 5
@i1v = global <8 x i1> <i1 1, i1 0, i1 1, i1 1, i1 0, i1 0, i1 0, i1 1>
@empty = global {} zeroinitializer
@one = global { ptr } { ptr @a }
@0 = global i32 9
@bool = global i1 true
@self = global ptr @self
@llvm.used = appending global [1 x ptr] [ptr @a], section "llvm.metadata"
@ali = alias void (), ptr @g
@vali = internal alias i32, ptr @a
@cast = global ptr addrspacecast (ptr addrspace(1) @b to ptr)
@i24 = global i24 -2
define i32 @f(i32 %x) { ret i32 %x }
define void @g() { ret void }
define ptx_kernel void @k(ptr %o, ptr %q) {
  %x = load i32, ptr @a
  store i32 %x, ptr %o
  %y = load float, ptr addrspace(4) getelementptr (i8, ptr addrspace(4) @c, i64 4)
  store ptr @a, ptr %o
  store ptr @f, ptr %o
  store ptr @vali, ptr %o
  %e = load i32, ptr addrspace(1) @ext
  store i32 %e, ptr @vali
  %fp = load ptr, ptr @fp
  %r = call i32 %fp(i32 4)
  store i32 %r, ptr addrspace(3) @dyn
  store i32 %r, ptr addrspace(3) @sh
  call void @ali()
  ret void
}
