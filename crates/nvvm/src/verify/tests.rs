//! Broken modules, each with the code of what must be found, and whole ones in which nothing may be found.
//! All verdicts are those of LLVM 22's `opt -passes=verify`; rules that its reader applies are here too.

use super::{NvvmOptions, verify, verify_nvvm};
use crate::Module;
use warpc_diag::{Code, Diagnostics, Severity, SourceFile, codes};

fn read(text: &str) -> Module {
    let file = SourceFile::new("test.ll", text).expect("tests are small");
    let read = crate::read_text(&file);
    let found = read.diagnostics.as_slice();
    assert!(found.is_empty(), "{text}\n{found:?}");
    read.value.unwrap()
}

fn errors(found: &Diagnostics) -> Vec<Code> {
    let all = found.as_slice().iter();
    all.filter(|d| d.severity == Severity::Error)
        .map(|d| d.code)
        .collect()
}

/// A function with parameters to use and these instructions.
fn in_function(code: &str) -> String {
    format!(
        "declare void @g(i32)\n\
         declare i32 @h()\n\
         declare i32 @personality(...)\n\
         define void @f(ptr %p, i32 %i, <2 x i32> %v, float %x, i1 %c) personality ptr @personality {{\n\
         entry:\n{code}\n  ret void\n}}\n"
    )
}

/// Instructions that break a rule.
const BROKEN: &[(&str, Code)] = &[
    ("  br label %entry\nnext:", codes::IR_BLOCK),
    (
        "  br label %a\na:\n  %y = add i32 %i, 1\n  %z = phi i32 [ 0, %entry ]",
        codes::IR_BLOCK,
    ),
    (
        "  br label %a\na:\n  %z = phi i32 [ 0, %a ]",
        codes::IR_BLOCK,
    ),
    (
        "  br i1 %c, label %a, label %b\nb:\n  br label %a\na:\n  %z = phi i32 [ 0, %entry ]",
        codes::IR_BLOCK,
    ),
    (
        "  br i1 %c, label %a, label %a\na:\n  %z = phi i32 [ 0, %entry ], [ 1, %entry ]",
        codes::IR_BLOCK,
    ),
    (
        "  br i1 %c, label %a, label %b\na:\n  %y = add i32 %i, 1\n  br label %b\nb:\n  %z = add i32 %y, 1",
        codes::IR_DOMINANCE,
    ),
    ("  %y = add i32 %y, 1", codes::IR_DOMINANCE),
    (
        "  %y = cmpxchg ptr %p, float 1.0, float 2.0 acquire acquire",
        codes::IR_MEMORY,
    ),
    (
        "  %y = atomicrmw add ptr %p, i1 1 monotonic",
        codes::IR_MEMORY,
    ),
    (
        "  %y = load atomic x86_fp80, ptr %p monotonic, align 16",
        codes::IR_MEMORY,
    ),
    (
        "  %s = alloca swifterror ptr\n  %y = getelementptr i8, ptr %s, i32 1",
        codes::IR_FUNCTION,
    ),
    (
        "  call void @g(i32 %i) [\"deopt\"(), \"deopt\"()]",
        codes::IR_CALL,
    ),
    ("  call void @g(i32 nonnull %i)", codes::IR_ATTRIBUTE),
    (
        "  call void @g(i32 zeroext signext %i)",
        codes::IR_ATTRIBUTE,
    ),
    ("  call void @g(i32 immarg 1)", codes::IR_ATTRIBUTE),
    ("  %y = landingpad i32 cleanup", codes::IR_EXCEPTION),
    (
        "  invoke void @g(i32 1) to label %a unwind label %b\nb:\n  br label %a\na:",
        codes::IR_EXCEPTION,
    ),
    (
        "  invoke void @g(i32 1) to label %b unwind label %b\nb:\n  %y = landingpad i32 cleanup",
        codes::IR_EXCEPTION,
    ),
    (
        "  invoke void @g(i32 1) to label %a unwind label %b\na:\n  br label %b\nb:\n  %y = landingpad i32 cleanup",
        codes::IR_EXCEPTION,
    ),
    (
        "  invoke void @g(i32 1) to label %a unwind label %b\nb:\n  %y = landingpad i32 cleanup\n  resume i32 1\na:\n  %z = load i32, ptr %p\n  call void @g(i32 %y)",
        codes::IR_DOMINANCE,
    ),
    ("  %y = musttail call i32 @h()", codes::IR_CALL),
    ("  %y = load i32, ptr %p, !nonnull !0", codes::IR_METADATA),
    ("  %y = load i32, ptr %p, !range !1", codes::IR_METADATA),
    ("  %y = load i32, ptr %p, !range !2", codes::IR_METADATA),
    ("  %y = load i32, ptr %p, !range !3", codes::IR_METADATA),
    ("  %y = load i32, ptr %p, !tbaa !5", codes::IR_METADATA),
    ("  %y = fadd float %x, %x, !fpmath !1", codes::IR_METADATA),
    (
        "  br i1 %c, label %a, label %b, !prof !4\na:\n  br label %b\nb:",
        codes::IR_METADATA,
    ),
    (
        "  %y = load i32, ptr %p, !alias.scope !1",
        codes::IR_METADATA,
    ),
];

/// Instructions in which nothing is wrong.
const WHOLE: &[&str] = &[
    "  br i1 %c, label %a, label %a\na:\n  %z = phi i32 [ 1, %entry ], [ 1, %entry ]",
    "  br label %a\na:\n  %z = phi i32 [ 0, %entry ], [ %z, %b ]\n  br i1 %c, label %b, label %d\nb:\n  br label %a\nd:",
    "  ret void\na:\n  %y = add i32 %y, 1\n  br label %b\nb:",
    "  %y = load atomic <2 x i32>, ptr %p monotonic, align 8",
    "  %y = cmpxchg weak volatile ptr %p, i32 1, i32 2 syncscope(\"block\") acquire monotonic, align 4",
    "  %y = atomicrmw fadd ptr %p, <2 x half> zeroinitializer monotonic",
    "  %y = bitcast <2 x i32> %v to i64",
    "  %y = bitcast ptr %p to <1 x ptr>",
    "  %y = getelementptr { i32, [4 x float] }, ptr %p, i64 0, i32 1, i32 %i",
    "  %y = shufflevector <2 x i32> %v, <2 x i32> poison, <4 x i32> <i32 0, i32 poison, i32 1, i32 0>",
    "  %y = invoke i32 @h() to label %a unwind label %b\nb:\n  %l = landingpad { ptr, i32 } catch ptr null\n  resume { ptr, i32 } %l\na:\n  call void @g(i32 %y)",
    "  %y = load i32, ptr %p, !range !6",
    "  br i1 %c, label %a, label %b, !prof !7\na:\n  br label %b\nb:",
    "  switch i32 %i, label %a [ i32 0, label %a\n i32 1, label %a ]\na:",
];

const METADATA: &str = "!0 = !{}\n\
    !1 = !{i32 0}\n\
    !2 = !{i32 4, i32 4}\n\
    !3 = !{i32 0, i32 4, i32 2, i32 8}\n\
    !4 = !{!\"branch_weights\", i32 1}\n\
    !5 = !{!8, !8, i64 0}\n\
    !6 = !{i32 0, i32 4, i32 6, i32 8}\n\
    !7 = !{!\"branch_weights\", !\"expected\", i32 1, i32 9}\n\
    !8 = !{!\"root\"}\n";

/// Modules that break a rule.
const BROKEN_MODULES: &[(&str, Code)] = &[
    ("declare void @f(float byval(i32))", codes::IR_ATTRIBUTE),
    (
        "declare void @f(ptr byval(i32) sret(i32))",
        codes::IR_ATTRIBUTE,
    ),
    ("declare void @f(ptr nest, ptr nest)", codes::IR_ATTRIBUTE),
    ("declare void @f() optnone", codes::IR_ATTRIBUTE),
    (
        "declare void @f() noinline alwaysinline",
        codes::IR_ATTRIBUTE,
    ),
    (
        "declare void @f() \"frame-pointer\"=\"some\"",
        codes::IR_ATTRIBUTE,
    ),
    ("declare i32 @f(ptr sret(i32))", codes::IR_FUNCTION),
    ("declare ptx_kernel void @f(...)", codes::IR_FUNCTION),
    (
        "define void @f() prologue i32 1 {\n  ret void\n}\n@a = alias void (), ptr @d\ndeclare void @d()",
        codes::IR_GLOBAL,
    ),
    (
        "@a = alias i32, ptr @b\n@b = alias i32, ptr @a",
        codes::IR_GLOBAL,
    ),
    ("@a = common global i32 1", codes::IR_GLOBAL),
    (
        "@llvm.used = global [1 x ptr] [ptr @a]\n@a = global i32 0",
        codes::IR_GLOBAL,
    ),
    (
        "@llvm.used = appending global [1 x ptr] [ptr @a], section \"llvm.metadata\"\n@a = global ptr @llvm.used",
        codes::IR_GLOBAL,
    ),
    (
        "@llvm.used = appending global [1 x ptr] [ptr @a], section \"llvm.metadata\"\n@a = global { ptr } { ptr @llvm.used }",
        codes::IR_GLOBAL,
    ),
    (
        "@llvm.used = appending global [1 x ptr] [ptr @f], section \"llvm.metadata\"\ndefine ptr @f() {\n  ret ptr @llvm.used\n}",
        codes::IR_GLOBAL,
    ),
    (
        "@llvm.global_ctors = appending global [1 x i32] zeroinitializer",
        codes::IR_GLOBAL,
    ),
    (
        "@i = ifunc void (), ptr @v\n@v = global i32 0",
        codes::IR_GLOBAL,
    ),
    (
        "define void @llvm.mine() {\n  ret void\n}",
        codes::IR_FUNCTION,
    ),
    (
        "declare i32 @llvm.ctpop.i32(i32)\n@g = global { ptr } { ptr @llvm.ctpop.i32 }",
        codes::IR_INTRINSIC,
    ),
    (
        "!llvm.module.flags = !{!0}\n!0 = !{i32 1, !\"a\"}",
        codes::IR_METADATA,
    ),
    (
        "!llvm.module.flags = !{!0}\n!0 = !{i32 9, !\"a\", i32 1}",
        codes::IR_METADATA,
    ),
    (
        "!llvm.module.flags = !{!0, !1}\n!0 = !{i32 1, !\"a\", i32 1}\n!1 = !{i32 1, !\"a\", i32 2}",
        codes::IR_METADATA,
    ),
    ("!llvm.ident = !{!0}\n!0 = !{i32 9}", codes::IR_METADATA),
];

/// Calls of intrinsics that break a rule: declarations, then instructions.
const BROKEN_INTRINSICS: &[(&str, &str)] = &[
    (
        "declare i32 @llvm.ctpop.i32(float)",
        "  %y = call i32 @llvm.ctpop.i32(float %x)",
    ),
    (
        "declare i64 @llvm.nvvm.read.ptx.sreg.tid.x()",
        "  %y = call i64 @llvm.nvvm.read.ptx.sreg.tid.x()",
    ),
    (
        "declare void @llvm.memcpy.p0.p0.i32(ptr, ptr, i32, i1)",
        "  call void @llvm.memcpy.p0.p0.i32(ptr %p, ptr %p, i32 4, i1 %c)",
    ),
    (
        "declare void @llvm.va_start.p0(ptr)",
        "  call void @llvm.va_start.p0(ptr %p)",
    ),
    (
        "declare void @llvm.prefetch.p0(ptr, i32, i32, i32)",
        "  call void @llvm.prefetch.p0(ptr %p, i32 2, i32 0, i32 0)",
    ),
    (
        "declare i8 @llvm.bswap.i8(i8)",
        "  %y = call i8 @llvm.bswap.i8(i8 1)",
    ),
    (
        "declare void @llvm.nvvm.setmaxnreg.inc.sync.aligned.u32(i32)",
        "  call void @llvm.nvvm.setmaxnreg.inc.sync.aligned.u32(i32 25)",
    ),
    (
        "declare void @llvm.lifetime.start.p0(ptr)",
        "  call void @llvm.lifetime.start.p0(ptr %p)",
    ),
    (
        "declare void @llvm.assume(i1)",
        "  call void @llvm.assume(i1 true) [\"nothing\"(ptr %p)]",
    ),
    (
        "declare i32 @llvm.ctpop.i32(i32)",
        "  store ptr @llvm.ctpop.i32, ptr %p",
    ),
];

#[test]
fn broken_instructions_are_found() {
    for (code, expected) in BROKEN {
        let module = read(&(in_function(code) + METADATA));
        let found = errors(&verify(&module));
        assert!(found.contains(expected), "{code}: {found:?}");
    }
}

#[test]
fn whole_instructions_are_taken() {
    for code in WHOLE {
        let module = read(&(in_function(code) + METADATA));
        let found = verify(&module);
        assert!(
            found.as_slice().is_empty(),
            "{code}: {:?}",
            found.as_slice()
        );
    }
}

#[test]
fn broken_modules_are_found() {
    for (text, expected) in BROKEN_MODULES {
        let found = errors(&verify(&read(text)));
        assert!(found.contains(expected), "{text}: {found:?}");
    }
}

#[test]
fn misused_intrinsics_are_found() {
    for (declaration, code) in BROKEN_INTRINSICS {
        let module = read(&format!("{declaration}\n{}", in_function(code)));
        let found = errors(&verify(&module));
        assert!(found.contains(&codes::IR_INTRINSIC), "{code}: {found:?}");
    }
}

#[test]
fn several_errors_are_reported_in_the_order_of_the_text() {
    let module = read(&in_function(
        "  %a = load i32, ptr %p, !nonnull !0\n  %b = atomicrmw add ptr %p, i1 1 monotonic\n  call void @g(i32 nonnull 1)",
    )
    .replace("\n}\n", "\n}\n!0 = !{}\n"));
    let found = errors(&verify(&module));
    assert_eq!(
        found,
        [codes::IR_METADATA, codes::IR_MEMORY, codes::IR_ATTRIBUTE]
    );
}

#[test]
fn a_gpu_has_rules_of_its_own() {
    let cases: &[(&str, Option<Code>)] = &[
        ("!nvvmir.version = !{!0}\n!0 = !{i32 2, i32 0}", None),
        (
            "!nvvmir.version = !{!0}\n!0 = !{i32 2, i32 0, i32 3, i32 2}",
            None,
        ),
        ("!nvvmir.version = !{!0}\n!0 = !{i32 3, i32 2}", None),
        (
            "!nvvmir.version = !{!0}\n!0 = !{i32 3, i32 3}",
            Some(codes::NVVM_VERSION),
        ),
        (
            "!nvvmir.version = !{!0}\n!0 = !{i32 1, i32 0}",
            Some(codes::NVVM_VERSION),
        ),
        (
            "@llvm.global_ctors = appending global [0 x { i32, ptr, ptr }] zeroinitializer",
            None,
        ),
        (
            "@llvm.global_dtors = appending global [1 x { i32, ptr, ptr }] zeroinitializer",
            Some(codes::NVVM_CONSTRUCTORS),
        ),
        ("@a = addrspace(3) global i32 undef", None),
        ("@a = addrspace(3) global i32 1", Some(codes::NVVM_SPACE)),
        ("@a = addrspace(9) global i32 1", Some(codes::NVVM_SPACE)),
        (
            "@a = thread_local global i32 1",
            Some(codes::NVVM_UNSUPPORTED),
        ),
        ("declare x86_fp80 @f()", Some(codes::NVVM_UNSUPPORTED)),
        ("target triple = \"nvptx64-nvidia-cuda\"", None),
        ("target triple = \"nvptx64-nvidia-gpulibs\"", None),
        (
            "target triple = \"nvptx-nvidia-cuda\"",
            Some(codes::NVVM_TRIPLE),
        ),
        (
            "target triple = \"x86_64-unknown-linux-gnu\"",
            Some(codes::NVVM_TRIPLE),
        ),
        // As for llc, addresses have the size that they have on the target.
        ("target datalayout = \"e-p:32:32\"", None),
        (
            "declare i32 @p(...)\ndefine void @f() personality ptr @p {\n  invoke void @f() to label %a unwind label %b\n\
             a:\n  ret void\nb:\n  %l = landingpad { ptr, i32 } cleanup\n  resume { ptr, i32 } %l\n}",
            None,
        ),
        (
            "define void @f(ptr %p) {\n  indirectbr ptr %p, [label %a]\na:\n  ret void\n}",
            None,
        ),
    ];
    for (text, expected) in cases {
        let module = read(text);
        assert!(!verify(&module).has_errors(), "{text}");
        let found = errors(&verify_nvvm(&module, NvvmOptions::default()));
        assert_eq!(found.first(), expected.as_ref(), "{text}: {found:?}");
    }
    let module = read("!nvvmir.version = !{!0}\n!0 = !{i32 9, i32 9}");
    let options = NvvmOptions::from_version_check(Some("0"));
    assert!(!verify_nvvm(&module, options).has_errors());
}

/// Types above an accessed one that are not scalars, or that lead to no root.
#[test]
fn parents_of_tbaa_types() {
    let verdict = |nodes: &str| {
        let text = format!(
            "define void @k(ptr %p) {{\n  store i32 1, ptr %p, !tbaa !0\n  ret void\n}}\n{nodes}\n"
        );
        errors(&verify(&read(&text)))
    };
    for wrong in [
        "!0 = !{!1, !1, i64 0}\n!1 = !{!\"a\", !1, i64 0}",
        "!0 = !{!1, !1, i64 0}\n!1 = !{!\"a\", !2, i64 0}\n!2 = !{!\"b\", !1, i64 0}",
        "!0 = !{!1, !1, i64 0}\n!1 = !{!\"a\", !2, i64 0}\n!2 = !{!\"s\", !3, i64 0, !3, i64 4}\n!3 = !{!\"r\"}",
        "!0 = !{!1, !1, i64 0}\n!1 = !{!\"a\", !\"b\", i64 0}",
        "!0 = !{!1, !1, i64 0}\n!1 = !{!\"a\", null, i64 0}",
        "!0 = !{!2, !1, i64 0}\n!1 = !{!\"a\", !3, i64 0}\n!2 = !{!\"s\", !2, i64 0}\n!3 = !{!\"r\"}",
        "!0 = !{!\"a\", !0}",
        "!0 = !{!\"a\", !1}\n!1 = !{!\"b\", !0}",
    ] {
        assert_eq!(verdict(wrong), [codes::IR_METADATA], "{wrong}");
    }
    for right in [
        "!0 = !{!1, !1, i64 0}\n!1 = !{!\"a\", !2, i64 0}\n!2 = !{}",
        "!0 = !{!1, !1, i64 0}\n!1 = !{!\"a\", !2, i64 0}\n!2 = !{i32 3}",
        "!0 = !{!1, !1, i64 0, i64 4}\n!1 = !{!1, i64 4, !\"a\"}",
    ] {
        assert_eq!(verdict(right), [], "{right}");
    }
}
