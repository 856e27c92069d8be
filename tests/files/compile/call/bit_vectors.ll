; test: compile --arch sm_75
; check: .func (.param .align 1 .b8 func_retval0[1]) turned(
; check: .param .align 1 .b8 turned_param_0[1],
; check: .func (.param .align 4 .b8 func_retval0[4]) odd(
; check: .param .align 8 .b8 sums_param_0[8]
; check: .func (.param .align 1 .b8 func_retval0[3]) mixed(
; check: .func (.param .align 128 .b8 func_retval0[256]) large(
; run: --kernel bits --grid 1 --block 1 --arg u8[2]=0x0b,0x01 --arg u8[2]=0 --expect 1:=0x07,0x01
; run: --kernel odds --grid 1 --block 1 --arg u32[1]=0x5d3 --arg u32[1]=0 --expect 1:=0x1d3
; run: --kernel wide --grid 1 --block 1 --arg u64[1]=0xabc123fff --arg u64[2]=0 --expect 1:=0xbbc456332,0
; run: --kernel members --grid 1 --block 1 --arg u8[3]=1,2,5 --arg u8[3]=0 --expect 1:=0,1,7
; run: --kernel many --grid 1 --block 1 --arg u32[64]=iota --arg u32[1]=0 --expect 1:=126
; Vectors whose elements are not whole bytes are passed as they lie in memory: bit by bit, in as many bytes as llc
; declares. The alignment of a large type counts up to 128.
target triple = "nvptx64-nvidia-cuda"

define <4 x i1> @turned(<4 x i1> %v, i1 %first) noinline {
  %a = extractelement <4 x i1> %v, i32 0
  %r = shufflevector <4 x i1> %v, <4 x i1> poison, <4 x i32> <i32 3, i32 2, i32 1, i32 0>
  %s = insertelement <4 x i1> %r, i1 %first, i32 1
  %x = xor <4 x i1> %s, <i1 false, i1 false, i1 false, i1 true>
  %y = extractelement <4 x i1> %x, i32 3
  %z = xor i1 %y, %a
  %n = xor i1 %z, true
  %w = insertelement <4 x i1> %x, i1 %n, i32 3
  ret <4 x i1> %w
}

define ptx_kernel void @bits(ptr addrspace(1) %in, ptr addrspace(1) %out) {
  %v = load <4 x i1>, ptr addrspace(1) %in
  %p = getelementptr i8, ptr addrspace(1) %in, i64 1
  %f = load i1, ptr addrspace(1) %p
  %r = call <4 x i1> @turned(<4 x i1> %v, i1 %f)
  store <4 x i1> %r, ptr addrspace(1) %out
  %q = getelementptr i8, ptr addrspace(1) %out, i64 1
  store i1 %f, ptr addrspace(1) %q
  ret void
}

define <3 x i7> @odd(<3 x i7> %v, i3 %ignored) noinline {
  %m = and <3 x i7> %v, <i7 -1, i7 3, i7 0>
  ret <3 x i7> %m
}

define ptx_kernel void @odds(ptr addrspace(1) %in, ptr addrspace(1) %out) {
  %v = load <3 x i7>, ptr addrspace(1) %in
  %r = call <3 x i7> @odd(<3 x i7> %v, i3 5)
  store <3 x i7> %r, ptr addrspace(1) %out
  ret void
}

define <3 x i12> @sums(<3 x i12> %v) noinline {
  %s = add <3 x i12> %v, <i12 819, i12 819, i12 256>
  ret <3 x i12> %s
}

define ptx_kernel void @wide(ptr addrspace(1) %in, ptr addrspace(1) %out) {
  %v = load <3 x i12>, ptr addrspace(1) %in
  %r = call <3 x i12> @sums(<3 x i12> %v)
  store <3 x i12> %r, ptr addrspace(1) %out
  ret void
}

define { i1, <2 x i1>, i3 } @mixed({ i1, <2 x i1>, i3 } %s) noinline {
  %a = extractvalue { i1, <2 x i1>, i3 } %s, 0
  %b = extractvalue { i1, <2 x i1>, i3 } %s, 1
  %c = extractvalue { i1, <2 x i1>, i3 } %s, 2
  %na = xor i1 %a, true
  %nb = xor <2 x i1> %b, splat (i1 true)
  %nc = or i3 %c, 2
  %t = insertvalue { i1, <2 x i1>, i3 } poison, i1 %na, 0
  %u = insertvalue { i1, <2 x i1>, i3 } %t, <2 x i1> %nb, 1
  %w = insertvalue { i1, <2 x i1>, i3 } %u, i3 %nc, 2
  ret { i1, <2 x i1>, i3 } %w
}

define ptx_kernel void @members(ptr addrspace(1) %in, ptr addrspace(1) %out) {
  %v = load { i1, <2 x i1>, i3 }, ptr addrspace(1) %in
  %r = call { i1, <2 x i1>, i3 } @mixed({ i1, <2 x i1>, i3 } %v)
  store { i1, <2 x i1>, i3 } %r, ptr addrspace(1) %out
  ret void
}

define <64 x i32> @large(<64 x i32> %v) noinline {
  %d = shl <64 x i32> %v, splat (i32 1)
  ret <64 x i32> %d
}

define ptx_kernel void @many(ptr addrspace(1) %in, ptr addrspace(1) %out) {
  %v = load <64 x i32>, ptr addrspace(1) %in
  %r = call <64 x i32> @large(<64 x i32> %v)
  %e = extractelement <64 x i32> %r, i32 63
  store i32 %e, ptr addrspace(1) %out
  ret void
}
