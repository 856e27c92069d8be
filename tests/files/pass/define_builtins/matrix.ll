; test: pass define_builtins --arch sm_80
; A body for each layout.
declare void @__imma_m32n8k16_ld_a_s8(ptr, ptr, i32, i32)
declare void @__dmma_m8n8k4_mma_f64(ptr, ptr, ptr, ptr, i32, i32)

define void @load(ptr %to, ptr %from, i32 %stride) {
  call void @__imma_m32n8k16_ld_a_s8(ptr %to, ptr %from, i32 %stride, i32 0)
  call void @__imma_m32n8k16_ld_a_s8(ptr %to, ptr %from, i32 %stride, i32 1)
  ret void
}

define void @product(ptr %d, ptr %a, ptr %b, ptr %c) {
  call void @__dmma_m8n8k4_mma_f64(ptr %d, ptr %a, ptr %b, ptr %c, i32 1, i32 0)
  ret void
}

; expect ll:
; define void @load(ptr %to, ptr %from, i32 %stride) {
;   %1 = call { i32, i32, i32, i32 } @llvm.nvvm.wmma.m32n8k16.load.a.row.stride.s8.p0(ptr %from, i32 %stride)
;   %2 = extractvalue { i32, i32, i32, i32 } %1, 0
;   %3 = getelementptr i8, ptr %to, i64 0
;   store i32 %2, ptr %3, align 4
;   %4 = extractvalue { i32, i32, i32, i32 } %1, 1
;   %5 = getelementptr i8, ptr %to, i64 4
;   store i32 %4, ptr %5, align 4
;   %6 = extractvalue { i32, i32, i32, i32 } %1, 2
;   %7 = getelementptr i8, ptr %to, i64 8
;   store i32 %6, ptr %7, align 4
;   %8 = extractvalue { i32, i32, i32, i32 } %1, 3
;   %9 = getelementptr i8, ptr %to, i64 12
;   store i32 %8, ptr %9, align 4
;   %10 = call { i32, i32, i32, i32 } @llvm.nvvm.wmma.m32n8k16.load.a.col.stride.s8.p0(ptr %from, i32 %stride)
;   %11 = extractvalue { i32, i32, i32, i32 } %10, 0
;   %12 = getelementptr i8, ptr %to, i64 0
;   store i32 %11, ptr %12, align 4
;   %13 = extractvalue { i32, i32, i32, i32 } %10, 1
;   %14 = getelementptr i8, ptr %to, i64 4
;   store i32 %13, ptr %14, align 4
;   %15 = extractvalue { i32, i32, i32, i32 } %10, 2
;   %16 = getelementptr i8, ptr %to, i64 8
;   store i32 %15, ptr %16, align 4
;   %17 = extractvalue { i32, i32, i32, i32 } %10, 3
;   %18 = getelementptr i8, ptr %to, i64 12
;   store i32 %17, ptr %18, align 4
;   ret void
; }
;
; define void @product(ptr %d, ptr %a, ptr %b, ptr %c) {
;   %1 = getelementptr i8, ptr %a, i64 0
;   %2 = load double, ptr %1, align 8
;   %3 = getelementptr i8, ptr %b, i64 0
;   %4 = load double, ptr %3, align 8
;   %5 = getelementptr i8, ptr %c, i64 0
;   %6 = load double, ptr %5, align 8
;   %7 = getelementptr i8, ptr %c, i64 8
;   %8 = load double, ptr %7, align 8
;   %9 = call { double, double } @llvm.nvvm.wmma.m8n8k4.mma.row.col.f64(double %2, double %4, double %6, double %8)
;   %10 = extractvalue { double, double } %9, 0
;   %11 = getelementptr i8, ptr %d, i64 0
;   store double %10, ptr %11, align 8
;   %12 = extractvalue { double, double } %9, 1
;   %13 = getelementptr i8, ptr %d, i64 8
;   store double %12, ptr %13, align 8
;   ret void
; }
;
; define internal void @__dmma_m8n8k4_mma_f64.row.col(ptr %d, ptr %a, ptr %b, ptr %c, i32 %layout, i32 %limit) {
;   %fap0 = getelementptr i8, ptr %a, i64 0
;   %fa0 = load double, ptr %fap0, align 8
;   %fbp0 = getelementptr i8, ptr %b, i64 0
;   %fb0 = load double, ptr %fbp0, align 8
;   %fcp0 = getelementptr i8, ptr %c, i64 0
;   %fc0 = load double, ptr %fcp0, align 8
;   %fcp1 = getelementptr i8, ptr %c, i64 8
;   %fc1 = load double, ptr %fcp1, align 8
;   %r = call { double, double } @llvm.nvvm.wmma.m8n8k4.mma.row.col.f64(double %fa0, double %fb0, double %fc0, double %fc1)
;   %m0 = extractvalue { double, double } %r, 0
;   %q0 = getelementptr i8, ptr %d, i64 0
;   store double %m0, ptr %q0, align 8
;   %m1 = extractvalue { double, double } %r, 1
;   %q1 = getelementptr i8, ptr %d, i64 8
;   store double %m1, ptr %q1, align 8
;   ret void
; }
;
; declare { double, double } @llvm.nvvm.wmma.m8n8k4.mma.row.col.f64(double, double, double, double)
;
; define internal void @__imma_m32n8k16_ld_a_s8.col(ptr %to, ptr %from, i32 %stride, i32 %layout) {
;   %r = call { i32, i32, i32, i32 } @llvm.nvvm.wmma.m32n8k16.load.a.col.stride.s8.p0(ptr %from, i32 %stride)
;   %m0 = extractvalue { i32, i32, i32, i32 } %r, 0
;   %q0 = getelementptr i8, ptr %to, i64 0
;   store i32 %m0, ptr %q0, align 4
;   %m1 = extractvalue { i32, i32, i32, i32 } %r, 1
;   %q1 = getelementptr i8, ptr %to, i64 4
;   store i32 %m1, ptr %q1, align 4
;   %m2 = extractvalue { i32, i32, i32, i32 } %r, 2
;   %q2 = getelementptr i8, ptr %to, i64 8
;   store i32 %m2, ptr %q2, align 4
;   %m3 = extractvalue { i32, i32, i32, i32 } %r, 3
;   %q3 = getelementptr i8, ptr %to, i64 12
;   store i32 %m3, ptr %q3, align 4
;   ret void
; }
;
; declare { i32, i32, i32, i32 } @llvm.nvvm.wmma.m32n8k16.load.a.col.stride.s8.p0(ptr, i32)
;
; define internal void @__imma_m32n8k16_ld_a_s8.row(ptr %to, ptr %from, i32 %stride, i32 %layout) {
;   %r = call { i32, i32, i32, i32 } @llvm.nvvm.wmma.m32n8k16.load.a.row.stride.s8.p0(ptr %from, i32 %stride)
;   %m0 = extractvalue { i32, i32, i32, i32 } %r, 0
;   %q0 = getelementptr i8, ptr %to, i64 0
;   store i32 %m0, ptr %q0, align 4
;   %m1 = extractvalue { i32, i32, i32, i32 } %r, 1
;   %q1 = getelementptr i8, ptr %to, i64 4
;   store i32 %m1, ptr %q1, align 4
;   %m2 = extractvalue { i32, i32, i32, i32 } %r, 2
;   %q2 = getelementptr i8, ptr %to, i64 8
;   store i32 %m2, ptr %q2, align 4
;   %m3 = extractvalue { i32, i32, i32, i32 } %r, 3
;   %q3 = getelementptr i8, ptr %to, i64 12
;   store i32 %m3, ptr %q3, align 4
;   ret void
; }
;
; declare { i32, i32, i32, i32 } @llvm.nvvm.wmma.m32n8k16.load.a.row.stride.s8.p0(ptr, i32)
