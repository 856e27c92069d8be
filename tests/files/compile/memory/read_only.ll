; test: compile --arch sm_90
; check: .entry by_attribute
; check: ld.global.nc.b32
; check: st.global.b32
; check: .entry by_metadata
; check: ld.global.nc.v4.b32
; check: .entry written
; check: ld.global.b32
; check: .entry in_a_loop
; check: ld.global.nc.b32
; check: .entry once
; check: ld.global.cs.b32
; check: st.global.cs.b32
; run: --kernel by_attribute --grid 1 --block 1 --arg u32[1]=7 --arg u32[1]=0 --expect 1:=7
; run: --kernel in_a_loop --grid 1 --block 1 --arg u32[4]=1,2,3,4 --arg u32[1]=0 --expect 1:=10
; What nobody writes while the kernel runs may come through the read-only cache.
target triple = "nvptx64-nvidia-cuda"

define ptx_kernel void @by_attribute(ptr addrspace(1) noalias readonly %in, ptr addrspace(1) %out) {
  %v = load i32, ptr addrspace(1) %in
  store i32 %v, ptr addrspace(1) %out
  ret void
}

define ptx_kernel void @by_metadata(ptr addrspace(1) %in, ptr addrspace(1) %out) {
  %v = load <4 x i32>, ptr addrspace(1) %in, !invariant.load !0
  store <4 x i32> %v, ptr addrspace(1) %out
  ret void
}

; Somebody else may write it.
define ptx_kernel void @written(ptr addrspace(1) readonly %in, ptr addrspace(1) %out) {
  %v = load i32, ptr addrspace(1) %in
  store i32 %v, ptr addrspace(1) %out
  ret void
}

define ptx_kernel void @in_a_loop(ptr addrspace(1) noalias readonly %in, ptr addrspace(1) %out) {
entry:
  br label %loop

loop:
  %p = phi ptr addrspace(1) [ %in, %entry ], [ %next, %loop ]
  %sum = phi i32 [ 0, %entry ], [ %more, %loop ]
  %n = phi i32 [ 0, %entry ], [ %n1, %loop ]
  %v = load i32, ptr addrspace(1) %p
  %more = add i32 %sum, %v
  %next = getelementptr i32, ptr addrspace(1) %p, i64 1
  %n1 = add i32 %n, 1
  %again = icmp ult i32 %n1, 4
  br i1 %again, label %loop, label %done

done:
  store i32 %more, ptr addrspace(1) %out
  ret void
}

define ptx_kernel void @once(ptr addrspace(1) %in, ptr addrspace(1) %out) {
  %v = load i32, ptr addrspace(1) %in, !nontemporal !1
  store i32 %v, ptr addrspace(1) %out, !nontemporal !1
  ret void
}

!0 = !{}
!1 = !{i32 1}
