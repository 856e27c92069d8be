; test: pass opt_split_aggregates
; Structs on the stack go by their members, with padding and nesting; others stay whole.
define { i8, { i64, [2 x float] } } @f({ i8, { i64, [2 x float] } } %s, ptr %p) {
  %a = alloca { i8, { i64, [2 x float] } }, align 8
  store { i8, { i64, [2 x float] } } %s, ptr %a, align 8
  %x = load { i8, { i64, [2 x float] } }, ptr %a, align 8
  store { i8, { i64, [2 x float] } } %x, ptr %p, align 8
  ret { i8, { i64, [2 x float] } } %x
}

; expect ll:
; define { i8, { i64, [2 x float] } } @f({ i8, { i64, [2 x float] } } %s, ptr %p) {
;   %a = alloca { i8, { i64, [2 x float] } }, align 8
;   %1 = extractvalue { i8, { i64, [2 x float] } } %s, 0
;   store i8 %1, ptr %a, align 8
;   %2 = extractvalue { i8, { i64, [2 x float] } } %s, 1
;   %3 = extractvalue { i64, [2 x float] } %2, 0
;   %4 = getelementptr i8, ptr %a, i64 8
;   store i64 %3, ptr %4, align 8
;   %5 = extractvalue { i64, [2 x float] } %2, 1
;   %6 = extractvalue [2 x float] %5, 0
;   %7 = getelementptr i8, ptr %a, i64 16
;   store float %6, ptr %7, align 8
;   %8 = extractvalue [2 x float] %5, 1
;   %9 = getelementptr i8, ptr %a, i64 20
;   store float %8, ptr %9, align 4
;   %10 = load i8, ptr %a, align 8
;   %11 = insertvalue { i8, { i64, [2 x float] } } poison, i8 %10, 0
;   %12 = getelementptr i8, ptr %a, i64 8
;   %13 = load i64, ptr %12, align 8
;   %14 = insertvalue { i64, [2 x float] } poison, i64 %13, 0
;   %15 = getelementptr i8, ptr %a, i64 16
;   %16 = load float, ptr %15, align 8
;   %17 = insertvalue [2 x float] poison, float %16, 0
;   %18 = getelementptr i8, ptr %a, i64 20
;   %19 = load float, ptr %18, align 4
;   %20 = insertvalue [2 x float] %17, float %19, 1
;   %21 = insertvalue { i64, [2 x float] } %14, [2 x float] %20, 1
;   %22 = insertvalue { i8, { i64, [2 x float] } } %11, { i64, [2 x float] } %21, 1
;   store { i8, { i64, [2 x float] } } %22, ptr %p, align 8
;   ret { i8, { i64, [2 x float] } } %22
; }
