; test: pass lower_assembler_routines
declare void @__cuda_sm70_barrier_sync_3(i32)
declare float @__cuda_sm70_votesync_any(i32, i1)

define void @wrong(i1 %q) {
  call void @__cuda_sm70_barrier_sync_3(i32 1) ; error: not called with its types
  %r = call float @__cuda_sm70_votesync_any(i32 1, i1 %q) ; error: not called with its types
  ret void
}
