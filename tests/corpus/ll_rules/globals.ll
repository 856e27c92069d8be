; Global variables, aliases, comdats, initialisers.
target triple = "nvptx64-nvidia-cuda"
%pair = type { i32, ptr }
%opaque = type opaque
$group = comdat any
$alone = comdat largest

@number = global i32 7, align 4
@table = internal addrspace(4) constant [3 x i16] [i16 1, i16 2, i16 3], align 2
@text = private unnamed_addr constant [6 x i8] c"hello\00", align 1
@shared = addrspace(3) global [16 x float] undef, align 4
@outside = external addrspace(1) global i64
@record = global %pair { i32 1, ptr @number }, section "data", comdat($group)
@middle = constant ptr getelementptr inbounds ([6 x i8], ptr @text, i64 0, i64 2)
@diff = global i64 sub (i64 ptrtoint (ptr @number to i64), i64 ptrtoint (ptr @record to i64))
@common = common global i32 0, align 4
@weak = weak_odr hidden global double 1.5
@once = linkonce_odr protected global i8 1, comdat($alone)
@optional = extern_weak global i32
@shadow = available_externally global i32 3
@thread = thread_local(initialexec) global i32 1
@llvm.used = appending global [1 x ptr] [ptr @number], section "llvm.metadata"
@llvm.global_ctors = appending global [1 x { i32, ptr, ptr }] [{ i32, ptr, ptr } { i32 65535, ptr @begin, ptr null }]
@name = alias i32, ptr @number
@second = weak alias i32, ptr @name
@function_name = alias void (), ptr @begin
@resolved = ifunc i32 (i32), ptr @resolver

define internal void @begin() comdat($group) {
  ret void
}

define ptr @resolver() gc "shadow-stack" prefix i32 5 {
  ret ptr @begin
}
;; linkage-visibility || @number = global || @number = internal hidden global
;; linkage-visibility || @number = global || @number = private protected global
;; linkage-visibility || @number = global || @number = internal global
;; linkage-visibility || @number = global || @number = hidden global
;; linkage-visibility || @number = global || @number = appending global
;; linkage-visibility || @number = global || @number = available_externally dllexport global
;; linkage-visibility || @number = global || @number = dllimport global
;; linkage-visibility || @number = global || @number = external dllimport global
;; linkage-visibility || @number = global || @number = dso_local hidden dllexport global
;; linkage-visibility || @number = global || @number = internal dllexport global
;; linkage-visibility || @number = global || @number = dso_preemptable internal global
;; linkage-visibility || @number = global || @number = dso_local local_unnamed_addr externally_initialized global
;; linkage-visibility || @number = global || @number = strange global
;; linkage-visibility || define internal void @begin || define internal hidden void @begin
;; linkage-visibility || define internal void @begin || define external void @begin
;; linkage-visibility || define internal void @begin || define extern_weak void @begin
;; linkage-visibility || define internal void @begin || define common void @begin
;; linkage-visibility || define internal void @begin || define appending void @begin
;; linkage-visibility || define internal void @begin || define available_externally void @begin
;; linkage-visibility || define internal void @begin || define dllimport void @begin
;; linkage-visibility || define internal void @begin || define linkonce void @begin
;; external-initialiser || @outside = external addrspace(1) global i64 || @outside = external addrspace(1) global i64 7
;; external-initialiser || @optional = extern_weak global i32 || @optional = extern_weak global i32 1
;; external-initialiser || @number = global i32 7, align 4 || @number = global i32, align 4
;; external-initialiser || @shadow = available_externally global i32 3 || @shadow = available_externally global i32
;; external-initialiser || @weak = weak_odr hidden global double 1.5 || @weak = weak_odr hidden global double
;; common-rules || @common = common global i32 0 || @common = common global i32 5
;; common-rules || @common = common global i32 0, align 4 || @common = common constant i32 0, align 4
;; common-rules || @common = common global i32 0, align 4 || @common = common global i32 0, comdat($group)
;; common-rules || @common = common global i32 0, align 4 || @common = common hidden global i32 0
;; common-rules || @common = common global i32 0 || @common = common global i32 undef
;; initialiser-type || @number = global i32 7 || @number = global i32 7.0
;; initialiser-type || @number = global i32 7 || @number = global i64 @record
;; initialiser-type || @number = global i32 7 || @number = global i32 null
;; initialiser-type || @number = global i32 7 || @number = global i32 void
;; initialiser-type || @number = global i32 7 || @number = global void undef
;; initialiser-type || @number = global i32 7 || @number = global label undef
;; initialiser-type || @number = global i32 7 || @number = global i32 () undef
;; initialiser-type || @number = global i32 7 || @number = global %opaque zeroinitializer
;; initialiser-type || @number = global i32 7 || @number = global token none
;; initialiser-type || @number = global i32 7 || @number = global i32 poison
;; initialiser-type || [i16 1, i16 2, i16 3] || [i16 1, i16 2]
;; initialiser-type || [i16 1, i16 2, i16 3] || [i16 1, i32 2, i16 3]
;; initialiser-type || [i16 1, i16 2, i16 3] || <i16 1, i16 2, i16 3>
;; initialiser-type || [i16 1, i16 2, i16 3] || { i16 1, i16 2, i16 3 }
;; initialiser-type || [i16 1, i16 2, i16 3] || zeroinitializer
;; initialiser-type || [i16 1, i16 2, i16 3] || c"abc"
;; initialiser-type || c"hello\00" || c"hello"
;; initialiser-type || c"hello\00" || c"hello\00\00"
;; initialiser-type || { i32 1, ptr @number } || { i32 1 }
;; initialiser-type || { i32 1, ptr @number } || { ptr @number, i32 1 }
;; initialiser-type || { i32 1, ptr @number } || <{ i32 1, ptr @number }>
;; initialiser-type || { i32 1, ptr @number } || { i32 1, ptr @outside }
;; initialiser-type || { i32 1, ptr @number } || { i32 1, ptr @missing }
;; initialiser-type || { i32 1, ptr @number } || { i32 1, ptr @record }
;; constant-expressions || getelementptr inbounds ([6 x i8], ptr @text, i64 0, i64 2) || getelementptr inbounds ([6 x i8], ptr @text, i64 0, i64 2, i64 0)
;; constant-expressions || getelementptr inbounds ([6 x i8], ptr @text, i64 0, i64 2) || getelementptr inbounds ([6 x i8], i64 0, i64 0, i64 2)
;; constant-expressions || getelementptr inbounds ([6 x i8], ptr @text, i64 0, i64 2) || getelementptr inbounds ([6 x i8], ptr @text, i64 0, i64 200)
;; constant-expressions || getelementptr inbounds ([6 x i8], ptr @text, i64 0, i64 2) || getelementptr inrange(-2, 4) ([6 x i8], ptr @text, i64 0, i64 2)
;; constant-expressions || getelementptr inbounds ([6 x i8], ptr @text, i64 0, i64 2) || select (i1 true, ptr @text, ptr null)
;; constant-expressions || getelementptr inbounds ([6 x i8], ptr @text, i64 0, i64 2) || addrspacecast (ptr addrspace(3) @shared to ptr)
;; constant-expressions || getelementptr inbounds ([6 x i8], ptr @text, i64 0, i64 2) || bitcast (ptr addrspace(3) @shared to ptr)
;; constant-expressions || global i64 sub (i64 || global i64 udiv (i64
;; constant-expressions || global i64 sub (i64 || global i64 mul (i64
;; constant-expressions || global i64 sub (i64 || global i64 xor (i64
;; constant-expressions || global i64 sub (i64 || global i64 sub nsw (i32
;; constant-expressions || global i64 sub (i64 || global i64 and (i64
;; constant-expressions || i64 ptrtoint (ptr @number to i64) || i64 ptrtoint (ptr @number to float)
;; constant-expressions || i64 ptrtoint (ptr @number to i64) || i64 zext (i32 5 to i64)
;; constant-expressions || i64 ptrtoint (ptr @number to i64) || i64 trunc (i128 5 to i64)
;; alignment || i32 7, align 4 || i32 7, align 3
;; alignment || i32 7, align 4 || i32 7, align 0
;; alignment || i32 7, align 4 || i32 7, align 4, align 8
;; alignment || i32 7, align 4 || i32 7, align 4294967296
;; alignment || i32 7, align 4 || i32 7, align 8589934592
;; comdat || comdat($alone) || comdat($missing)
;; comdat || $alone = comdat largest || $alone = comdat biggest
;; comdat || $alone = comdat largest || $group = comdat largest
;; comdat || @once = linkonce_odr protected global i8 1, comdat($alone) || @once = linkonce_odr protected global i8 1, comdat
;; comdat || @outside = external addrspace(1) global i64 || @outside = external addrspace(1) global i64, comdat($group)
;; comdat || @optional = extern_weak global i32 || @optional = extern_weak global i32, comdat($group)
;; comdat || @shadow = available_externally global i32 3 || @shadow = available_externally global i32 3, comdat($group)
;; thread-local || thread_local(initialexec) global || thread_local(sometimes) global
;; thread-local || thread_local(initialexec) global || thread_local constant
;; thread-local || @thread = thread_local(initialexec) || @thread = common thread_local
;; thread-local || thread_local(initialexec) global i32 1 || thread_local(localexec) addrspace(3) global i32 1
;; used || [1 x ptr] [ptr @number], section "llvm.metadata" || [1 x ptr] [ptr null], section "llvm.metadata"
;; used || [1 x ptr] [ptr @number], section "llvm.metadata" || [1 x i64] [i64 3], section "llvm.metadata"
;; used || [1 x ptr] [ptr @number], section "llvm.metadata" || [1 x ptr] [ptr inttoptr (i64 5 to ptr)], section "llvm.metadata"
;; used || [1 x ptr] [ptr @number], section "llvm.metadata" || [1 x ptr] [ptr @number]
;; used || @llvm.used = appending global || @llvm.used = global
;; used || @llvm.used = appending global [1 x ptr] [ptr @number] || @llvm.used = appending global ptr @number
;; used || @llvm.used = appending || @mine = appending
;; used || @llvm.used = appending global [1 x ptr] [ptr @number], section || @llvm.used = appending global [1 x ptr] [ptr @text], section
;; constructors || [1 x { i32, ptr, ptr }] [{ i32, ptr, ptr } { i32 65535, ptr @begin, ptr null }] || [1 x { i32, ptr }] [{ i32, ptr } { i32 65535, ptr @begin }]
;; constructors || [1 x { i32, ptr, ptr }] [{ i32, ptr, ptr } { i32 65535, ptr @begin, ptr null }] || [1 x { i64, ptr, ptr }] [{ i64, ptr, ptr } { i64 65535, ptr @begin, ptr null }]
;; constructors || [1 x { i32, ptr, ptr }] [{ i32, ptr, ptr } { i32 65535, ptr @begin, ptr null }] || [1 x { i32, ptr, i8 }] [{ i32, ptr, i8 } { i32 65535, ptr @begin, i8 0 }]
;; constructors || [1 x { i32, ptr, ptr }] [{ i32, ptr, ptr } { i32 65535, ptr @begin, ptr null }] || [0 x { i32, ptr, ptr }] zeroinitializer
;; constructors || @llvm.global_ctors = appending || @llvm.global_ctors = internal
;; constructors || [1 x { i32, ptr, ptr }] [{ i32, ptr, ptr } { i32 65535, ptr @begin, ptr null }] || { i32, ptr, ptr } { i32 65535, ptr @begin, ptr null }
;; alias || @second = weak alias i32, ptr @name || @second = weak alias i32, ptr @second
;; alias || @name = alias i32, ptr @number || @name = alias i32, ptr @second
;; alias || @name = alias i32, ptr @number || @name = alias i32, ptr @outside
;; alias || @name = alias i32, ptr @number || @name = alias i32, ptr @optional
;; alias || @name = alias i32, ptr @number || @name = alias i32, ptr @shadow
;; alias || @name = alias i32, ptr @number || @name = alias i32, ptr null
;; alias || @name = alias i32, ptr @number || @name = alias i64, ptr @number
;; alias || @name = alias i32, ptr @number || @name = alias i32, ptr @weak
;; alias || @name = alias i32, ptr @number || @name = common alias i32, ptr @number
;; alias || @name = alias i32, ptr @number || @name = external alias i32, ptr @number
;; alias || @name = alias i32, ptr @number || @name = available_externally alias i32, ptr @number
;; alias || @name = alias i32, ptr @number || @name = internal hidden alias i32, ptr @number
;; alias || @name = alias i32, ptr @number || @name = alias i32, i32 7
;; alias || @name = alias i32, ptr @number || @name = alias i32, getelementptr (i8, ptr @number, i64 4)
;; alias || @name = alias i32, ptr @number || @name = alias i32, ptr addrspace(3) @shared
;; alias || @name = alias i32, ptr @number || @name = weak alias i32, ptr @number\n@third = alias i32, ptr @name
;; alias || @name = alias i32, ptr @number || @name = alias i32, inttoptr (i64 5 to ptr)
;; alias || @name = alias i32, ptr @number || @name = alias i32, ptr @missing
;; ifunc || @resolved = ifunc i32 (i32), ptr @resolver || @resolved = ifunc i32 (i32), ptr @number
;; ifunc || @resolved = ifunc i32 (i32), ptr @resolver || @resolved = ifunc i32 (i32), ptr @begin
;; ifunc || @resolved = ifunc i32 (i32), ptr @resolver || @resolved = ifunc i32 (i32), ptr null
;; ifunc || define ptr @resolver() gc "shadow-stack" prefix i32 5 {\n  ret ptr @begin\n} || declare ptr @resolver()
;; ifunc || @resolved = ifunc || @resolved = available_externally ifunc
;; ifunc || define ptr @resolver() || define i32 @resolver2() {\n  ret i32 1\n}\ndefine ptr @resolver()
;; duplicate-names || @common = common || @number = common
;; duplicate-names || define internal void @begin || define internal void @number
;; duplicate-names || @second = weak || @name = weak
;; unnamed || @number = global i32 7, align 4\n || @number = global i32 7, align 4\n@0 = global i8 1\n@2 = global i8 2\n
;; unnamed || @number = global i32 7, align 4\n || @number = global i32 7, align 4\n@0 = global i8 1\n@1 = global i8 2\n
;; unnamed || @number = global i32 7, align 4\n || @number = global i32 7, align 4\nglobal i8 1\n
;; sections || section "data", comdat($group) || comdat($group), section "data"
;; sections || section "data", comdat($group) || section "", partition "part", comdat($group)
;; sections || section "data", comdat($group) || section "data", sanitize_memtag, no_sanitize_address, code_model "large"
;; sections || section "data", comdat($group) || section "data", code_model "huge"
;; module-header || target triple = "nvptx64-nvidia-cuda" || target triple = nvptx64
;; module-header || target triple = "nvptx64-nvidia-cuda" || target triple = "nvptx64-nvidia-cuda"\ntarget datalayout = "e-i64:7"
;; module-header || target triple = "nvptx64-nvidia-cuda" || target triple = "nvptx64-nvidia-cuda"\ntarget datalayout = "e-p:64:64-q"
;; module-header || target triple = "nvptx64-nvidia-cuda" || target triple = "nvptx64-nvidia-cuda"\nmodule asm "// text"
;; module-header || target triple = "nvptx64-nvidia-cuda" || target triple = "nvptx64-nvidia-cuda"\nmodule asm 7
;; module-header || target triple = "nvptx64-nvidia-cuda" || target triple = "nvptx64-nvidia-cuda"\nsource_filename = "a.cu"\ntarget strange = "x"
;; module-header || target triple = "nvptx64-nvidia-cuda" || target triple = "nvptx64-nvidia-cuda\n
