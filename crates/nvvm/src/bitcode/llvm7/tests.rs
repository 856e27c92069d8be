//! Modules in the IR of LLVM 7, printed: a typed pointer shows as `target("\00pointer", T, space)`.

use super::downgrade;

fn lowered(text: &str) -> String {
    let file = warpc_diag::SourceFile::new("m.ll", text).expect("a short text");
    let module = crate::read_text(&file).unwrap();
    match downgrade(&module) {
        Ok((module, _)) => {
            let text = crate::print(&module);
            let text = text.replace("target(\"\\00pointer\", ", "pointer(");
            text.replace(", 0)", ")")
        }
        Err(refused) => format!("refused: {}", refused.join(", ")),
    }
}

#[track_caller]
fn has(text: &str, lines: &[&str]) {
    for line in lines {
        assert!(text.contains(line), "{line}\n{text}");
    }
}

#[test]
fn pointers_point_to_what_their_uses_require() {
    let text = lowered(
        "@g = global [4 x i32] zeroinitializer
         define void @f(ptr %a, ptr %unused) {
           %p = getelementptr float, ptr %a, i64 1
           %x = load float, ptr %p
           %i = bitcast float %x to i32
           store i32 %i, ptr %p
           store i32 %i, ptr @g
           ret void
         }",
    );
    has(
        &text,
        &[
            "define void @f(pointer(float) %a, pointer(i8) %unused)",
            "%p = getelementptr float, pointer(float) %a, i64 1",
            "%x = load float, pointer(float) %p",
            "%1 = bitcast pointer(float) %p to pointer(i32)",
            "store i32 %i, pointer(i32) %1",
            "store i32 %i, pointer(i32) bitcast (pointer([4 x i32]) @g to pointer(i32))",
        ],
    );
}

#[test]
fn values_that_meet_have_one_type() {
    let text = lowered(
        "define ptr @f(i1 %c, ptr %a) {
         entry:
           %s = alloca i32
           br i1 %c, label %left, label %right
         left:
           br label %right
         right:
           %p = phi ptr [ %a, %entry ], [ %s, %left ]
           %q = select i1 %c, ptr %p, ptr null
           store double 0.0, ptr %q
           ret ptr %q
         }",
    );
    has(
        &text,
        &[
            "define pointer(i8) @f(i1 %c, pointer(i8) %a)",
            "%0 = bitcast pointer(i32) %s to pointer(i8)",
            "%p = phi pointer(i8) [ %a, %entry ], [ %0, %left ]",
            "%q = select i1 %c, pointer(double) %1, pointer(double) null",
            "ret pointer(i8) %",
        ],
    );
}

#[test]
fn newer_instructions_become_older_ones() {
    let text = lowered(
        "declare void @llvm.lifetime.start.p0(ptr)
         declare i32 @llvm.smax.i32(i32, i32)
         define float @f(float %x, i32 %i, ptr %a) {
           %s = alloca i32
           call void @llvm.lifetime.start.p0(ptr %s)
           %n = fneg nnan float %x
           %m = fneg float %n
           %z = freeze i32 %i
           %w = freeze i32 7
           %k = call i32 @llvm.smax.i32(i32 %z, i32 %w)
           store i32 %k, ptr %a
           %old = atomicrmw fadd ptr %a, float %m monotonic
           ret float %old
         }",
    );
    has(
        &text,
        &[
            "call void @llvm.lifetime.start.p0i8(i64 -1, pointer(i8)",
            "%n = fsub nnan float -0.000000e+00, %x",
            "xor i32 %",
            "asm \"mov.b32 $0, $1;\", \"=r,r\"(i32 %i)",
            "icmp sgt i32 %z, 7",
            "call float @llvm.nvvm.atomic.load.add.f32.p0f32(pointer(float)",
        ],
    );
}

#[test]
fn kernels_are_annotated() {
    let text = lowered(
        "define ptx_kernel void @k(ptr noundef nonnull byval(i64) captures(none) %a) #0 {
           ret void
         }
         attributes #0 = { nounwind willreturn memory(argmem: read) \"nvvm.maxntid\"=\"128,2\" }",
    );
    has(
        &text,
        &[
            "define void @k(pointer(i64) nonnull byval(i64) nocapture %a)",
            "attributes #0 = { nounwind argmemonly readonly }",
            "!\"kernel\", i32 1}",
            "!\"maxntidx\", i32 128}",
            "!\"maxntidy\", i32 2}",
        ],
    );
}

#[test]
fn debug_records_become_calls() {
    let text = lowered(
        "define void @f(i32 %x) !dbg !2 {
           #dbg_value(i32 %x, !5, !DIExpression(), !6)
           #dbg_value(!DIArgList(i32 %x), !5, !DIExpression(DW_OP_LLVM_arg, 0), !6)
           ret void, !dbg !6
         }
         !llvm.dbg.cu = !{!0}
         !llvm.module.flags = !{!7}
         !0 = distinct !DICompileUnit(language: DW_LANG_C, file: !1)
         !1 = !DIFile(filename: \"a\", directory: \"b\")
         !2 = distinct !DISubprogram(name: \"f\", scope: !1, file: !1, type: !3, spFlags: DISPFlagDefinition, unit: !0)
         !3 = !DISubroutineType(types: !4)
         !4 = !{null}
         !5 = !DILocalVariable(name: \"x\", scope: !2)
         !6 = !DILocation(line: 1, scope: !2)
         !7 = !{i32 2, !\"Debug Info Version\", i32 3}",
    );
    has(
        &text,
        &[
            "call void @llvm.dbg.value(metadata i32 %x, metadata !",
            "call void @llvm.dbg.value(metadata i32 undef, metadata !",
        ],
    );
}

#[test]
fn what_llvm_7_lacks_is_refused_by_name() {
    for (text, what) in [
        (
            "define bfloat @f(bfloat %x) {\n  ret bfloat %x\n}",
            "`bfloat`",
        ),
        (
            "define float @f(ptr %a, float %x) {\n  %o = atomicrmw fmax ptr %a, float %x monotonic\n  ret float %o\n}",
            "`atomicrmw fmax`",
        ),
        (
            "declare i32 @llvm.sadd.sat.i32(i32, i32)\ndefine i32 @f(i32 %x) {\n  %y = call i32 @llvm.sadd.sat.i32(i32 %x, i32 1)\n  ret i32 %y\n}",
            "the intrinsic `llvm.sadd.sat.i32`",
        ),
        (
            "define void @f(ptr byref(i32) %x) {\n  ret void\n}",
            "the attribute `byref`",
        ),
    ] {
        let found = lowered(text);
        assert!(
            found.starts_with("refused") && found.contains(what),
            "{found}"
        );
    }
}
