; test: compile
; What GPUs cannot do is named, with its line.
target triple = "nvptx64-nvidia-cuda"

declare i64 @llvm.bogus.thing(i64)

define ptx_kernel void @k(ptr addrspace(1) %out, i64 %a) {
  %x = call i64 @llvm.bogus.thing(i64 %a) ; error: the intrinsic `llvm.bogus.thing` is not supported
  store i64 %x, ptr addrspace(1) %out
  ret void
}
