; test: pass expand_arithmetic
; Formats that GPUs do not have can be moved, not computed with.
define fp128 @moved(ptr %p, i1 %c) {
  %a = load fp128, ptr %p
  %b = select i1 %c, fp128 %a, fp128 0xL0
  %i = bitcast fp128 %b to i128
  store i128 %i, ptr %p
  store fp128 %b, ptr %p
  ret fp128 %b
}

define double @computed(fp128 %a, x86_fp80 %b) {
  %c = fadd fp128 %a, %a ; error: a GPU does not compute with `fp128`
  %d = fptrunc x86_fp80 %b to double ; error: a GPU does not compute with `x86_fp80`
  %e = call fp128 @llvm.fabs.f128(fp128 %c) ; error: a GPU does not compute with `fp128`
  %f = fcmp olt fp128 %e, %a ; error: a GPU does not compute with `fp128`
  ret double %d
}

declare fp128 @llvm.fabs.f128(fp128)
