; What tests/clients/nvvm.c links: one function that is needed, and one that is not.
target triple = "nvptx64-nvidia-cuda"
target datalayout = "e-p:64:64:64-i1:8:8-i8:8:8-i16:16:16-i32:32:32-i64:64:64-i128:128:128-f32:32:32-f64:64:64-v16:16:16-v32:32:32-v64:64:64-v128:128:128-n16:32:64"

define i32 @library_function(i32 %x) {
  %y = add i32 %x, 5
  ret i32 %y
}

define i32 @unused_function(i32 %x) {
  ret i32 7
}

!nvvmir.version = !{!0}
!0 = !{i32 2, i32 0}
