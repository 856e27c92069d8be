source_filename = "globals \22x\22.ll"
target datalayout = "e-p:64:64-p3:32:32-i64:64-v16:16-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

module asm ".tab\09here"
module asm "second \22line\22"

%0 = type { i32, ptr }
%struct.S = type <{ i8, %0, [2 x ptr] }>
%"odd name" = type {}
%packed.empty = type <{}>
%union.opaque = type opaque

$any = comdat any

$"odd comdat" = comdat exactmatch

$big = comdat largest

$nodup = comdat nodeduplicate

$same = comdat samesize

@0 = global i32 1
@1 = private unnamed_addr constant [3 x i8] c"hi\00"
@plain = global i32 0, align 4
@ext = external global %struct.S
@extc = external constant %0
@extw = extern_weak global i32
@hid = hidden global i32 1
@prot = protected local_unnamed_addr global i32 1
@dso = dso_local global i32 1
@dll = dllexport global i32 1
@dlli = external dllimport global i32
@tls = thread_local global i32 0
@tls2 = thread_local(initialexec) global i32 0
@tls3 = internal thread_local(localexec) global i32 0
@tls4 = thread_local(localdynamic) global i32 0
@shared = internal addrspace(3) global [4 x float] undef, align 16
@init = externally_initialized global i32 7
@sec = global i32 1, section "sec \22q\22", partition "part", align 64
@any = linkonce_odr global i32 1, comdat
@cd = weak_odr global i32 1, comdat($"odd comdat"), align 1
@big = global i32 1, comdat
@nodup = global i32 1, comdat
@same = global i32 1, comdat
@cm = global i32 1, code_model "large"
@san = global i32 1, no_sanitize_address, no_sanitize_hwaddress, align 4
@san2 = global i32 1, sanitize_memtag, sanitize_address_dyninit
@common = common global i32 0
@lo = linkonce global i32 1
@wk = weak global i32 1
@avail = available_externally global i32 1
@attr = global i32 1 #0
@meta = global i32 1, align 4, !kind !0, !other !1
@"quoted name$" = global i32 1
@"\01_raw" = global i32 1
@"1digit" = global i32 1
@e0 = global %"odd name" zeroinitializer
@e1 = global %packed.empty zeroinitializer
@e2 = external global %union.opaque
@llvm.used = appending global [1 x ptr] [ptr @plain], section "llvm.metadata"

@al = alias i32, ptr @plain
@al2 = internal unnamed_addr alias i32, getelementptr (i8, ptr @plain, i64 2)
@al3 = weak hidden alias i32, addrspacecast (ptr addrspace(3) @shared to ptr), partition "p"
@2 = dso_local alias i32, ptr @0

@if = ifunc void (), ptr @resolver
@if2 = internal ifunc i32 (i32), ptr @resolver

define ptr @resolver() {
  ret ptr null
}

define private void @3() {
  ret void
}

declare extern_weak void @ew()

declare hidden i32 @many(i32, ptr, ...)

declare !kind !0 void @withmeta()

define linkonce_odr protected ptx_kernel void @k(ptr byval(%0) align 8 %0, i32 %n) local_unnamed_addr section "s" partition "pp" comdat($any) align 16 gc "statepoint-example" prefix i32 5 prologue i8 1 personality ptr @resolver !kind !1 {
  ret void
}

define cc99 i32 @ccn() unnamed_addr {
  ret i32 0
}

define fastcc void @ccf() {
  ret void
}

define void @use() addrspace(1) {
  call addrspace(1) void @use()
  ret void
}

attributes #0 = { "key"="value" "key2" }

!named = !{!1, !0}
!odd.$1 = !{}
!\31x\20 = !{!0}

!0 = !{!"a"}
!1 = distinct !{!1, !0, null, i32 7, ptr @plain, !""}
