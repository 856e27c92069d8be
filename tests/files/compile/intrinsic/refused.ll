; test: compile
; What GPUs cannot do is refused by name.
target triple = "nvptx64-nvidia-cuda"

declare ptr @llvm.returnaddress(i32)
declare ptr @llvm.frameaddress.p0(i32)

define ptx_kernel void @k(ptr addrspace(1) %out) {
  %a = call ptr @llvm.returnaddress(i32 0) ; error: the intrinsic `llvm.returnaddress` is not supported
  store ptr %a, ptr addrspace(1) %out
  %b = call ptr @llvm.frameaddress.p0(i32 0) ; error: the intrinsic `llvm.frameaddress.p0` is not supported
  store ptr %b, ptr addrspace(1) %out
  ret void
}
