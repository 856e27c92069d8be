; test: compile --arch sm_75
; run: --grid 1 --block 1 --arg u64[3]=0 --arg u64=0x1122334455667788 --arg u8=0x99 --expect 0:=0x1122334455667788,0x99,0x1122334455667788
; A packed struct on the stack is aligned as a byte: no member of it is more, whatever its type, and whether or not the
; access says so.
target triple = "nvptx64-nvidia-cuda"

%packed = type <{ i64, i8 }>

define ptx_kernel void @k(ptr %out, i64 %a, i8 %b) {
  %pad = alloca i8, align 1
  %v = alloca [2 x %packed], align 1
  store volatile i8 %b, ptr %pad
  %one = getelementptr i8, ptr %v, i64 9
  %s0 = insertvalue %packed poison, i64 %a, 0
  %s1 = insertvalue %packed %s0, i8 %b, 1
  store %packed %s1, ptr %one
  call void @see(ptr %v)
  %back = load %packed, ptr %one
  %x = extractvalue %packed %back, 0
  %y = extractvalue %packed %back, 1
  store i64 %x, ptr %out
  %w = zext i8 %y to i64
  %p1 = getelementptr i64, ptr %out, i64 1
  store i64 %w, ptr %p1
  %z = load i64, ptr %one, align 1
  %p2 = getelementptr i64, ptr %out, i64 2
  store i64 %z, ptr %p2
  ret void
}

define void @see(ptr %p) noinline {
  %v = load volatile i8, ptr %p
  ret void
}
