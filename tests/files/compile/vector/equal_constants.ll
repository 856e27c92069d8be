; test: compile --arch sm_75
; Parts of several classes that are the same constant on both sides of a selection.
; run: --grid 1 --block 1 --arg u32[2]=9 --arg u32[2]=5,6 --expect 0:=0,6
target triple = "nvptx64-nvidia-cuda"

define { <{ i1, i24 }>, i32, i64 } @choose({ <{ i1, i24 }>, i32, i64 } %a, i1 %c) {
  %i = insertvalue { <{ i1, i24 }>, i32, i64 } %a, <{ i1, i24 }> zeroinitializer, 0
  %j = insertvalue { <{ i1, i24 }>, i32, i64 } %i, i64 0, 2
  %s = select i1 %c, { <{ i1, i24 }>, i32, i64 } zeroinitializer, { <{ i1, i24 }>, i32, i64 } %j
  ret { <{ i1, i24 }>, i32, i64 } %s
}

define ptx_kernel void @k(ptr %out, ptr %in) {
  %x = load i32, ptr %in
  %y.p = getelementptr i32, ptr %in, i64 1
  %y = load i32, ptr %y.p
  %a = insertvalue { <{ i1, i24 }>, i32, i64 } poison, i32 %x, 1
  %b = insertvalue { <{ i1, i24 }>, i32, i64 } poison, i32 %y, 1
  %r = call { <{ i1, i24 }>, i32, i64 } @choose({ <{ i1, i24 }>, i32, i64 } %a, i1 true)
  %s = call { <{ i1, i24 }>, i32, i64 } @choose({ <{ i1, i24 }>, i32, i64 } %b, i1 false)
  %e = extractvalue { <{ i1, i24 }>, i32, i64 } %r, 1
  %f = extractvalue { <{ i1, i24 }>, i32, i64 } %s, 1
  store i32 %e, ptr %out
  %out1 = getelementptr i32, ptr %out, i64 1
  store i32 %f, ptr %out1
  ret void
}
