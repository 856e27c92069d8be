; test: compile --arch sm_75
; run: --grid 1 --block 1 --arg u8[64]=0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31,32,33,34,35,36,37,38,39,40,41,42,43,44,45,46,47,48,49,50,51,52,53,54,55,56,57,58,59,60,61,62,63 \
;   --arg u64[8]=0 --expect 1:=0x0807060504030201,0x0c0b0a09,0x0d0c0b0a09080706,0x1514131211100f0e,0x11100f0e,0x2b2a292827262524,0x18171615,0x0706050403020100
; A `byval` pointer is as aligned as its `align` says, at the call or at the function, however its type is aligned;
; the parameter itself has at least the alignment of the type.
target triple = "nvptx64-nvidia-cuda"

%pair = type { i64, i32 }
%packed = type <{ i8, i64, i32 }>

define i64 @first(ptr byval(%pair) align 1 %p) noinline {
  %v = load i64, ptr %p
  ret i64 %v
}

define i64 @second(ptr byval(%pair) align 1 %p) noinline {
  %at = getelementptr %pair, ptr %p, i32 0, i32 1
  %v = load i32, ptr %at
  %w = zext i32 %v to i64
  ret i64 %w
}

define i64 @plain(ptr byval(%pair) %p) noinline {
  %v = load i64, ptr %p
  ret i64 %v
}

define i64 @halves(ptr byval(%pair) align 2 %p) noinline {
  %at = getelementptr %pair, ptr %p, i32 0, i32 1
  %v = load i32, ptr %at
  %w = zext i32 %v to i64
  ret i64 %w
}

define i64 @in_packed(ptr byval(%packed) %p) noinline {
  %at = getelementptr %packed, ptr %p, i32 0, i32 1
  %v = load i64, ptr %at, align 1
  ret i64 %v
}

define i64 @words(ptr byval([2 x i32]) align 1 %p) noinline {
  %v = load i32, ptr %p
  %w = zext i32 %v to i64
  ret i64 %w
}

define ptx_kernel void @k(ptr %in, ptr %out) {
  %one = getelementptr i8, ptr %in, i64 1
  %a = call i64 @first(ptr byval(%pair) align 1 %one)
  store i64 %a, ptr %out
  ; The call says nothing, the function does.
  %b = call i64 @second(ptr byval(%pair) %one)
  %p1 = getelementptr i64, ptr %out, i64 1
  store i64 %b, ptr %p1
  ; The function says nothing, the call does.
  %six = getelementptr i8, ptr %in, i64 6
  %c = call i64 @plain(ptr byval(%pair) align 2 %six)
  %p2 = getelementptr i64, ptr %out, i64 2
  store i64 %c, ptr %p2
  %thirteen = getelementptr i8, ptr %in, i64 13
  %d = call i64 @in_packed(ptr byval(%packed) %thirteen)
  %p3 = getelementptr i64, ptr %out, i64 3
  store i64 %d, ptr %p3
  %e = call i64 @halves(ptr byval(%pair) align 2 %six)
  %p4 = getelementptr i64, ptr %out, i64 4
  store i64 %e, ptr %p4
  ; Through a pointer to the function.
  %f.at = getelementptr i8, ptr %in, i64 36
  %number = load volatile i8, ptr %in
  %never = icmp eq i8 %number, 1
  %callee = select i1 %never, ptr @first, ptr @plain
  %f = call i64 %callee(ptr byval(%pair) align 4 %f.at)
  %p5 = getelementptr i64, ptr %out, i64 5
  store i64 %f, ptr %p5
  %g.at = getelementptr i8, ptr %in, i64 21
  %g = call i64 @words(ptr byval([2 x i32]) align 1 %g.at)
  %p6 = getelementptr i64, ptr %out, i64 6
  store i64 %g, ptr %p6
  %h = call i64 @plain(ptr byval(%pair) %in)
  %p7 = getelementptr i64, ptr %out, i64 7
  store i64 %h, ptr %p7
  ret void
}
