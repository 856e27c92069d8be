; test: pass expand_atomics --arch sm_60
define void @f(ptr %p, ptr addrspace(4) %c, i128 %w, i32 %v, <8 x float> %l) {
  %a = load atomic i128, ptr %p monotonic, align 16 ; error: `load atomic` of 128 bits does not exist on sm_60
  store atomic i128 %w, ptr %p monotonic, align 16 ; error: `store atomic` of 128 bits does not exist on sm_60
  %b = atomicrmw xchg ptr %p, i128 %w monotonic ; error: `atomicrmw xchg` of 128 bits does not exist on sm_60
  %d = atomicrmw add ptr %p, i128 %w monotonic ; error: `atomicrmw add` of 128 bits does not exist on sm_60
  %e = cmpxchg ptr %p, i128 %w, i128 0 monotonic monotonic ; error: `cmpxchg` of 128 bits does not exist on sm_60
  store atomic i32 %v, ptr addrspace(4) %c monotonic, align 4 ; error: `store atomic` would write to constant memory
  %g = atomicrmw add ptr addrspace(4) %c, i32 %v monotonic ; error: `atomicrmw add` would write to constant memory
  %h = atomicrmw add ptr %p, i32 %v monotonic, align 2 ; error: `atomicrmw add` of 4 bytes is aligned to 2 only
  %i = cmpxchg ptr %p, i16 0, i16 1 monotonic monotonic, align 1 ; error: `cmpxchg` of 2 bytes is aligned to 1 only
  %j = load atomic i64, ptr %p monotonic, align 4 ; error: `load atomic` of 8 bytes is aligned to 4 only
  %k = load atomic i256, ptr %p monotonic, align 32 ; error: `load atomic` of type `i256` is too large
  %m = atomicrmw fadd ptr %p, <8 x float> %l monotonic ; error: `atomicrmw fadd` of type `<8 x float>` is too large
  ret void
}
