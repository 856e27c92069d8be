; The words before and behind functions and globals, attributes that hold words, and types.
target datalayout = "e-p:64:64"
target triple = "nvptx64-nvidia-cuda"

@number = internal unnamed_addr addrspace(1) global i32 7, align 4
@address = global i64 add (i64 ptrtoint (ptr @function to i64), i64 1)

define hidden void @function(ptr nonnull %p, i32 %n) nounwind section "code" align 16 gc "x" {
  %a = add nuw nsw i32 %n, 1
  %b = call i32 asm sideeffect alignstack "mov $0, $1;", "=r,r"(i32 %n)
  %s = load { i32, [2 x i64] }, ptr %p, align 8
  ret void
}

declare ptr @allocates(i64, i64) willreturn
declare float @half_of(float)
declare i32 @llvm.ctpop.i32(i32)

define i32 @calls(i32 %x) {
  %r = call i32 @llvm.ctpop.i32(i32 %x)
  ret i32 %r
}

attributes #0 = { nounwind }
;; parameter-words || ptr nonnull %p || ptr captures() %p
;; parameter-words || ptr nonnull %p || ptr captures(none) %p
;; parameter-words || ptr nonnull %p || ptr captures(none, address) %p
;; parameter-words || ptr nonnull %p || ptr captures(address, address) %p
;; parameter-words || ptr nonnull %p || ptr captures(ret: address, provenance) %p
;; parameter-words || ptr nonnull %p || ptr captures(address, ret: none) %p
;; parameter-words || ptr nonnull %p || ptr captures(ret: none) %p
;; parameter-words || ptr nonnull %p || ptr captures(ret: none, ret: address) %p
;; parameter-words || ptr nonnull %p || ptr captures(none, none) %p
;; parameter-words || ptr nonnull %p || ptr captures(address_is_null, read_provenance) %p
;; parameter-words || ptr nonnull %p || ptr captures(address none) %p
;; parameter-words || ptr nonnull %p || ptr captures(other) %p
;; parameter-words || ptr nonnull %p || ptr initializes((0,4)) %p
;; parameter-words || ptr nonnull %p || ptr initializes() %p
;; parameter-words || ptr nonnull %p || ptr initializes((0,4),(4,8)) %p
;; parameter-words || ptr nonnull %p || ptr initializes((0,4),(5,8)) %p
;; parameter-words || ptr nonnull %p || ptr initializes((-4,4)) %p
;; parameter-words || ptr nonnull %p || ptr initializes((4,4)) %p
;; parameter-words || ptr nonnull %p || ptr initializes((0,4)(8,9)) %p
;; parameter-words || ptr nonnull %p || ptr dereferenceable(0) %p
;; parameter-words || ptr nonnull %p || ptr dereferenceable 8 %p
;; parameter-words || ptr nonnull %p || ptr align(8) %p
;; parameter-words || ptr nonnull %p || ptr align 0 %p
;; parameter-words || ptr nonnull %p || ptr align 3 %p
;; parameter-words || ptr nonnull %p || ptr alignstack(4) %p
;; parameter-words || ptr nonnull %p || ptr alignstack 4 %p
;; parameter-words || ptr nonnull %p || ptr byval %p
;; parameter-words || ptr nonnull %p || ptr byval(i32) %p
;; parameter-words || ptr nonnull %p || ptr byval(void) %p
;; parameter-words || ptr nonnull %p || ptr sret(i32) %p
;; parameter-words || ptr nonnull %p || ptr elementtype(i32) %p
;; parameter-words || ptr nonnull %p || ptr argmemonly %p
;; parameter-words || ptr nonnull %p || ptr range(i32 0, 4) %p
;; parameter-words || ptr nonnull %p || ptr swifterror %p
;; function-words || (i64, i64) willreturn || (i64, i64) memory()
;; function-words || (i64, i64) willreturn || (i64, i64) memory(none)
;; function-words || (i64, i64) willreturn || (i64, i64) memory(none, none)
;; function-words || (i64, i64) willreturn || (i64, i64) memory(read, none)
;; function-words || (i64, i64) willreturn || (i64, i64) memory(argmem: read, none)
;; function-words || (i64, i64) willreturn || (i64, i64) memory(argmem: read, argmem: write)
;; function-words || (i64, i64) willreturn || (i64, i64) memory(none, argmem: read)
;; function-words || (i64, i64) willreturn || (i64, i64) memory(other: read)
;; function-words || (i64, i64) willreturn || (i64, i64) memory(none argmem: read)
;; function-words || (i64, i64) willreturn || (i64, i64) memory(argmem)
;; function-words || (i64, i64) willreturn || (i64, i64) memory(target_mem0: none)
;; function-words || (i64, i64) willreturn || (i64, i64) memory(target_mem: none)
;; function-words || (i64, i64) willreturn || (i64, i64) allocsize(0)
;; function-words || (i64, i64) willreturn || (i64, i64) allocsize(0,0)
;; function-words || (i64, i64) willreturn || (i64, i64) allocsize(0,1)
;; function-words || (i64, i64) willreturn || (i64, i64) allocsize(0,1,2)
;; function-words || (i64, i64) willreturn || (i64, i64) allocsize()
;; function-words || (i64, i64) willreturn || (i64, i64) allocsize(-1)
;; function-words || (i64, i64) willreturn || (i64, i64) vscale_range(1)
;; function-words || (i64, i64) willreturn || (i64, i64) vscale_range(1,0)
;; function-words || (i64, i64) willreturn || (i64, i64) vscale_range()
;; function-words || (i64, i64) willreturn || (i64, i64) vscale_range(0)
;; function-words || (i64, i64) willreturn || (i64, i64) vscale_range(0,1)
;; function-words || (i64, i64) willreturn || (i64, i64) vscale_range(2,1)
;; function-words || (i64, i64) willreturn || (i64, i64) vscale_range(3)
;; function-words || (i64, i64) willreturn || (i64, i64) vscale_range(1,2,4)
;; function-words || (i64, i64) willreturn || (i64, i64) uwtable()
;; function-words || (i64, i64) willreturn || (i64, i64) uwtable(sync)
;; function-words || (i64, i64) willreturn || (i64, i64) uwtable(none)
;; function-words || (i64, i64) willreturn || (i64, i64) allockind(alloc)
;; function-words || (i64, i64) willreturn || (i64, i64) allockind("alloc")
;; function-words || (i64, i64) willreturn || (i64, i64) allockind("foo")
;; function-words || (i64, i64) willreturn || (i64, i64) allockind("alloc", "x")
;; function-words || (i64, i64) willreturn || (i64, i64) allockind("")
;; function-words || (i64, i64) willreturn || (i64, i64) allockind("alloc,foo")
;; function-words || (i64, i64) willreturn || (i64, i64) alignstack(8)
;; function-words || (i64, i64) willreturn || (i64, i64) alignstack(3)
;; function-words || (i64, i64) willreturn || (i64, i64) alignstack=8
;; function-words || (i64, i64) willreturn || (i64, i64) align 8
;; function-words || (i64, i64) willreturn || (i64, i64) align 8 cold
;; function-words || (i64, i64) willreturn || (i64, i64) #7
;; function-words || (i64, i64) willreturn || (i64, i64) #0
;; function-words || (i64, i64) willreturn || (i64, i64) "a"="b"
;; function-words || (i64, i64) willreturn || (i64, i64) "modular-format"="printf,1,2,a,b"
;; function-words || (i64, i64) willreturn || (i64, i64) "modular-format"="printf,9,2,a,b"
;; float-classes || declare float @half_of || declare nofpclass(nan inf) float @half_of
;; float-classes || declare float @half_of || declare nofpclass() float @half_of
;; float-classes || declare float @half_of || declare nofpclass(foo) float @half_of
;; float-classes || declare float @half_of || declare nofpclass(3) float @half_of
;; float-classes || declare float @half_of || declare nofpclass(0) float @half_of
;; float-classes || declare float @half_of || declare nofpclass(1024) float @half_of
;; float-classes || declare float @half_of || declare nofpclass(nan nan) float @half_of
;; float-classes || declare float @half_of || declare nofpclass(nan,inf) float @half_of
;; float-classes || declare float @half_of || declare nofpclass(all) float @half_of
;; float-classes || declare float @half_of || declare nofpclass(nan 3) float @half_of
;; group-words || { nounwind } || { align=8 }
;; group-words || { nounwind } || { align 8 }
;; group-words || { nounwind } || { align(8) }
;; group-words || { nounwind } || { align=3 }
;; group-words || { nounwind } || { alignstack=16 }
;; group-words || { nounwind } || { alignstack(16) }
;; group-words || { nounwind } || { dereferenceable(8) }
;; group-words || { nounwind } || { #1 }
;; group-words || { nounwind } || { nounwind nounwind }
;; group-words || { nounwind } || { "a" }
;; variable-head || internal unnamed_addr addrspace(1) global || unnamed_addr internal addrspace(1) global
;; variable-head || internal unnamed_addr addrspace(1) global || internal internal unnamed_addr addrspace(1) global
;; variable-head || internal unnamed_addr addrspace(1) global || dso_local internal unnamed_addr addrspace(1) global
;; variable-head || internal unnamed_addr addrspace(1) global || internal dso_local unnamed_addr addrspace(1) global
;; variable-head || internal unnamed_addr addrspace(1) global || internal dso_local dso_preemptable addrspace(1) global
;; variable-head || internal unnamed_addr addrspace(1) global || internal default addrspace(1) global
;; variable-head || internal unnamed_addr addrspace(1) global || default internal addrspace(1) global
;; variable-head || internal unnamed_addr addrspace(1) global || internal addrspace(1) unnamed_addr global
;; variable-head || internal unnamed_addr addrspace(1) global || internal addrspace(1) externally_initialized global
;; variable-head || internal unnamed_addr addrspace(1) global || externally_initialized internal addrspace(1) global
;; variable-head || internal unnamed_addr addrspace(1) global || internal thread_local(localexec) addrspace(1) global
;; variable-head || internal unnamed_addr addrspace(1) global || internal unnamed_addr thread_local addrspace(1) global
;; variable-head || internal unnamed_addr addrspace(1) global || dllexport addrspace(1) global
;; variable-head || internal unnamed_addr addrspace(1) global || dso_local dllimport addrspace(1) global
;; variable-head || internal unnamed_addr addrspace(1) global || internal addrspace(16777216) global
;; variable-head || internal unnamed_addr addrspace(1) global || internal addrspace("A") global
;; function-head || define hidden void @function || define void hidden @function
;; function-head || define hidden void @function || define hidden hidden void @function
;; function-head || define hidden void @function || define dso_local hidden void @function
;; function-head || define hidden void @function || define hidden dso_local void @function
;; function-head || define hidden void @function || define hidden fastcc void @function
;; function-head || define hidden void @function || define fastcc hidden void @function
;; function-head || define hidden void @function || define hidden noundef fastcc void @function
;; function-head || define hidden void @function || define weak_odr hidden void @function
;; function-head || define hidden void @function || define hidden weak_odr void @function
;; function-head || define hidden void @function || define appending void @function
;; function-head || define hidden void @function || define extern_weak void @function
;; function-head || define hidden void @function || define internal hidden void @function
;; function-tail || nounwind section "code" align 16 gc "x" { || section "code" nounwind align 16 gc "x" {
;; function-tail || nounwind section "code" align 16 gc "x" { || nounwind align 16 section "code" gc "x" {
;; function-tail || nounwind section "code" align 16 gc "x" { || nounwind section "code" gc "x" align 16 {
;; function-tail || nounwind section "code" align 16 gc "x" { || nounwind section "code" align 16 gc "x" gc "y" {
;; function-tail || nounwind section "code" align 16 gc "x" { || align 16 nounwind section "code" {
;; function-tail || nounwind section "code" align 16 gc "x" { || nounwind section "code" align 16 prefix i32 1 prologue i32 2 {
;; function-tail || nounwind section "code" align 16 gc "x" { || nounwind section "code" align 16 prologue i32 2 prefix i32 1 {
;; function-tail || nounwind section "code" align 16 gc "x" { || nounwind addrspace(1) section "code" {
;; function-tail || nounwind section "code" align 16 gc "x" { || addrspace(1) nounwind section "code" {
;; function-tail || nounwind section "code" align 16 gc "x" { || unnamed_addr nounwind section "code" {
;; function-tail || nounwind section "code" align 16 gc "x" { || nounwind unnamed_addr section "code" {
;; function-tail || nounwind section "code" align 16 gc "x" { || nounwind partition "p" section "code" {
;; function-tail || nounwind section "code" align 16 gc "x" { || nounwind section "code" partition "p" {
;; declaration-head || declare ptr @allocates || declare internal ptr @allocates
;; declaration-head || declare ptr @allocates || declare weak ptr @allocates
;; declaration-head || declare ptr @allocates || declare extern_weak ptr @allocates
;; declaration-head || declare ptr @allocates || declare external ptr @allocates
;; declaration-head || declare ptr @allocates || declare private ptr @allocates
;; declaration-head || declare ptr @allocates || declare common ptr @allocates
;; declaration-head || declare ptr @allocates || declare available_externally ptr @allocates
;; flags || %a = add nuw nsw i32 || %a = add nsw nuw i32
;; flags || %a = add nuw nsw i32 || %a = add nuw nuw i32
;; flags || %a = add nuw nsw i32 || %a = add nuw nsw nuw i32
;; flags || %a = add nuw nsw i32 || %a = add exact i32
;; flags || %a = add nuw nsw i32 || %a = or disjoint disjoint i32
;; flags || %a = add nuw nsw i32 || %a = sub nsw i32
;; flags || %a = add nuw nsw i32 || %a = udiv exact i32
;; flags || %a = add nuw nsw i32 || %a = add fast i32
;; flags || %a = add nuw nsw i32 || %a = mul disjoint i32
;; assembly-flags || asm sideeffect alignstack || asm alignstack sideeffect
;; assembly-flags || asm sideeffect alignstack || asm sideeffect inteldialect
;; assembly-flags || asm sideeffect alignstack || asm inteldialect sideeffect
;; assembly-flags || asm sideeffect alignstack || asm unwind
;; assembly-flags || asm sideeffect alignstack || asm unwind inteldialect
;; assembly-flags || asm sideeffect alignstack || asm sideeffect sideeffect
;; parts-of-types || [2 x i64] || [2 x label]
;; parts-of-types || [2 x i64] || [2 x void]
;; parts-of-types || [2 x i64] || [2 x token]
;; parts-of-types || [2 x i64] || [2 x metadata]
;; parts-of-types || [2 x i64] || <2 x [1 x i8]>
;; parts-of-types || [2 x i64] || <0 x i8>
;; parts-of-types || [2 x i64] || void*
;; parts-of-types || [2 x i64] || label*
;; parts-of-types || [2 x i64] || ptr*
;; parts-of-types || [2 x i64] || metadata*
;; parts-of-types || [2 x i64] || token*
;; parts-of-types || [2 x i64] || i8*
;; parts-of-types || [2 x i64] || i8**
;; parts-of-types || [2 x i64] || i8 addrspace(3)*
;; parts-of-types || [2 x i64] || ptr addrspace(3)*
;; parts-of-types || [2 x i64] || void (i32)*
;; parts-of-types || [2 x i64] || void (label)*
;; parts-of-types || [2 x i64] || void (void)*
;; parts-of-types || [2 x i64] || void (metadata)*
;; parts-of-types || [2 x i64] || void (i32)
;; parts-of-types || [2 x i64] || i8388608
;; parts-of-types || [2 x i64] || i8388609
;; parts-of-types || [2 x i64] || i0
;; parts-of-types || [2 x i64] || target("x")
;; parts-of-types || [2 x i64] || x86_fp80
;; parts-of-types || [2 x i64] || bfloat
;; parts-of-types || [2 x i64] || %none
;; order-of-parts || declare float @half_of || source_filename = "x"\ndeclare float @half_of
;; order-of-parts || declare float @half_of || target triple = "x"\ndeclare float @half_of
;; order-of-parts || declare float @half_of || module asm "x"\ndeclare float @half_of
;; order-of-parts || declare float @half_of || deplibs = [ "x" ]\ndeclare float @half_of
;; dropped-expressions || add (i64 ptrtoint (ptr @function to i64), i64 1) || select (i1 true, i64 1, i64 2)
;; dropped-expressions || add (i64 ptrtoint (ptr @function to i64), i64 1) || udiv (i64 4, i64 2)
;; dropped-expressions || add (i64 ptrtoint (ptr @function to i64), i64 1) || mul (i64 4, i64 2)
;; dropped-expressions || add (i64 ptrtoint (ptr @function to i64), i64 1) || and (i64 4, i64 2)
;; dropped-expressions || add (i64 ptrtoint (ptr @function to i64), i64 1) || or (i64 4, i64 2)
;; dropped-expressions || add (i64 ptrtoint (ptr @function to i64), i64 1) || shl (i64 4, i64 2)
;; dropped-expressions || add (i64 ptrtoint (ptr @function to i64), i64 1) || xor (i64 4, i64 2)
;; dropped-expressions || add (i64 ptrtoint (ptr @function to i64), i64 1) || sub (i64 4, i64 2)
;; dropped-expressions || add (i64 ptrtoint (ptr @function to i64), i64 1) || zext (i32 4 to i64)
;; dropped-expressions || add (i64 ptrtoint (ptr @function to i64), i64 1) || trunc (i128 4 to i64)
;; dropped-expressions || add (i64 ptrtoint (ptr @function to i64), i64 1) || ptrtoint (ptr @number to i64)
;; dropped-expressions || add (i64 ptrtoint (ptr @function to i64), i64 1) || ptrtoint (ptr addrspace(1) @number to i64)
;; dropped-expressions || add (i64 ptrtoint (ptr @function to i64), i64 1) || fptoui (double 1.0 to i64)
;; dropped-expressions || add (i64 ptrtoint (ptr @function to i64), i64 1) || bitcast (double 1.0 to i64)
;; dropped-expressions || add (i64 ptrtoint (ptr @function to i64), i64 1) || extractvalue ({i64, i64} zeroinitializer, 0)
;; dropped-expressions || add (i64 ptrtoint (ptr @function to i64), i64 1) || extractelement (<2 x i64> zeroinitializer, i32 0)
;; dropped-expressions || add (i64 ptrtoint (ptr @function to i64), i64 1) || lshr (i64 4, i64 2)
;; dropped-expressions || add (i64 ptrtoint (ptr @function to i64), i64 1) || srem (i64 4, i64 2)
;; undeclared || declare i32 @llvm.ctpop.i32(i32)\n || 
;; undeclared || declare i32 @llvm.ctpop.i32(i32)\n || declare i64 @llvm.ctpop.i64(i64)\n
;; undeclared || declare i32 @llvm.ctpop.i32(i32)\n || declare float @llvm.ctpop.f32(float)\n
;; undeclared || declare i32 @llvm.ctpop.i32(i32)\n\ndefine i32 @calls(i32 %x) {\n  %r = call i32 @llvm.ctpop.i32(i32 %x)\n || define i32 @calls(i32 %x) {\n  %r = call i32 @llvm.ctpop(i32 %x)\n
;; undeclared || declare i32 @llvm.ctpop.i32(i32)\n\ndefine i32 @calls(i32 %x) {\n  %r = call i32 @llvm.ctpop.i32(i32 %x)\n || define i32 @calls(i32 %x) {\n  %r = call i32 @llvm.ctpop.i64(i32 %x)\n
;; undeclared || declare i32 @llvm.ctpop.i32(i32)\n\ndefine i32 @calls(i32 %x) {\n  %r = call i32 @llvm.ctpop.i32(i32 %x)\n || define i32 @calls(i32 %x) {\n  %r = call i32 @llvm.no.such(i32 %x)\n
;; undeclared || declare i32 @llvm.ctpop.i32(i32)\n\ndefine i32 @calls(i32 %x) {\n  %r = call i32 @llvm.ctpop.i32(i32 %x)\n || define i32 @calls(i32 %x) {\n  %r = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()\n
;; undeclared || declare i32 @llvm.ctpop.i32(i32)\n\ndefine i32 @calls(i32 %x) {\n  %r = call i32 @llvm.ctpop.i32(i32 %x)\n || define i32 @calls(i32 %x) {\n  %r = call i32 @llvm.nvvm.barrier0.popc(i32 %x)\n
;; undeclared || declare i32 @llvm.ctpop.i32(i32)\n\ndefine i32 @calls(i32 %x) {\n  %r = call i32 @llvm.ctpop.i32(i32 %x)\n || define i32 @calls(i32 %x) {\n  %r = call i32 @llvm.ctpop.i32(i32 %x, i32 %x)\n
;; undeclared || declare i32 @llvm.ctpop.i32(i32)\n\ndefine i32 @calls(i32 %x) {\n  %r = call i32 @llvm.ctpop.i32(i32 %x)\n || define i32 @calls(i32 %x) {\n  %r = call i32 @llvm.bswap(i32 %x)\n
;; undeclared || declare i32 @llvm.ctpop.i32(i32)\n\ndefine i32 @calls(i32 %x) {\n  %r = call i32 @llvm.ctpop.i32(i32 %x)\n || define i32 @calls(i32 %x) {\n  %r = call i32 @llvm.smax(i32 %x, i32 2)\n
;; undeclared || declare i32 @llvm.ctpop.i32(i32)\n\ndefine i32 @calls(i32 %x) {\n  %r = call i32 @llvm.ctpop.i32(i32 %x)\n || define i32 @calls(i32 %x) {\n  %r = call i32 @no.such(i32 %x)\n
;; undeclared || declare i32 @llvm.ctpop.i32(i32)\n\ndefine i32 @calls(i32 %x) {\n  %r = call i32 @llvm.ctpop.i32(i32 %x)\n || define i32 @calls(i32 %x) {\n  %r = add i32 ptrtoint (ptr @llvm.ctpop.i64 to i32), %x\n
