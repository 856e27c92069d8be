; test: compile --arch sm_90a
; check: tensormap.replace.tile.global_address.global.b1024.b64 [*], *;
; check: tensormap.replace.tile.global_address.shared::cta.b1024.b64 [*], *;
; check: tensormap.replace.tile.box_dim.shared::cta.b1024.b32 [*], 2, *;
; check: tensormap.replace.tile.global_stride.shared::cta.b1024.b64 [*], 1, *;
; check: tensormap.replace.tile.elemtype.shared::cta.b1024.b32 [*], 7;
; Fields of maps are replaced in global memory and in the shared memory of the own block, which is named whole.
target triple = "nvptx64-nvidia-cuda"

declare void @llvm.nvvm.tensormap.replace.global.address.p1(ptr addrspace(1), i64)
declare void @llvm.nvvm.tensormap.replace.global.address.p3(ptr addrspace(3), i64)
declare void @llvm.nvvm.tensormap.replace.box.dim.p3(ptr addrspace(3), i32 immarg, i32)
declare void @llvm.nvvm.tensormap.replace.global.stride.p3(ptr addrspace(3), i32 immarg, i64)
declare void @llvm.nvvm.tensormap.replace.elemtype.p3(ptr addrspace(3), i32 immarg)

define void @f(ptr addrspace(1) %far, ptr addrspace(3) %near, i64 %long, i32 %short) {
  call void @llvm.nvvm.tensormap.replace.global.address.p1(ptr addrspace(1) %far, i64 %long)
  call void @llvm.nvvm.tensormap.replace.global.address.p3(ptr addrspace(3) %near, i64 %long)
  call void @llvm.nvvm.tensormap.replace.box.dim.p3(ptr addrspace(3) %near, i32 2, i32 %short)
  call void @llvm.nvvm.tensormap.replace.global.stride.p3(ptr addrspace(3) %near, i32 1, i64 %long)
  call void @llvm.nvvm.tensormap.replace.elemtype.p3(ptr addrspace(3) %near, i32 7)
  ret void
}
