; test: compile --arch sm_80
; check: atom.acquire.gpu.add.u32
; check: fence.acq_rel.gpu;
; A chip without clusters gets the scope of the device, with one warning for the module.
target triple = "nvptx64-nvidia-cuda"

define i32 @f(ptr %p) {
  %a = atomicrmw add ptr %p, i32 1 syncscope("cluster") acquire ; warning: `syncscope("cluster")` becomes the scope of the device on sm_80
  fence syncscope("cluster") acq_rel
  ret i32 %a
}
