//! What the reader says about modules, right and wrong.

use warpc_diag::SourceFile;

/// The LLVM IR of a module.
fn llvm(text: &str) -> String {
    let file = SourceFile::new("m.mlir", text).expect("it is short");
    let read = warpc_mlir::read(&file);
    let said = warpc_diag::render_human(&file, &read.diagnostics, false);
    assert!(!read.diagnostics.has_errors(), "{said}");
    warpc_nvvm::print(&read.module)
}

/// The first message about a module: its code, line and text.
fn message(text: &str) -> String {
    let file = SourceFile::new("m.mlir", text).expect("it is short");
    let read = warpc_mlir::read(&file);
    let first = read.diagnostics.as_slice().first();
    let first = first.expect("the module is wrong");
    let place = file.position(first.span.start);
    format!(
        "{} {}:{} {}",
        first.code.0, place.line, place.column, first.message
    )
}

/// A function with some operations.
fn body(args: &str, ops: &str) -> String {
    format!("llvm.func @f({args}) {{\n{ops}\n  llvm.return\n}}\n")
}

#[test]
fn initialisers_may_hold_addresses() {
    let text = "llvm.mlir.global internal @a(dense<[1, 2]> : tensor<2xi32>) : !llvm.array<2 x i32>\n\
        llvm.mlir.global internal @p() : !llvm.ptr {\n\
        %0 = llvm.mlir.addressof @a : !llvm.ptr\n\
        %1 = llvm.getelementptr inbounds %0[0, 1] : (!llvm.ptr) -> !llvm.ptr, !llvm.array<2 x i32>\n\
        llvm.return %1 : !llvm.ptr\n}\n";
    let text = llvm(text);
    let wanted = "getelementptr inbounds ([2 x i32], ptr @a, i32 0, i32 1)";
    assert!(text.contains(wanted), "{text}");
}

#[test]
fn only_the_modules_for_a_gpu_count() {
    let text = "module attributes {gpu.container_module} {\n\
        llvm.func @main() { gpu.launch_func @k::@f blocks in (%0) threads in (%1) }\n\
        gpu.module @k [#nvvm.target<chip = \"sm_90\">] {\n\
        llvm.func @f() attributes {gpu.kernel, nvvm.kernel} {\n llvm.return\n}\n}\n}\n";
    let text = llvm(text);
    assert!(text.contains("define ptx_kernel void @f()"), "{text}");
    assert!(!text.contains("main") && text.contains("nvptx64"), "{text}");
}

#[test]
fn results_may_be_changed_arguments() {
    let text = llvm(&body(
        "%a: i32, %p: !llvm.ptr",
        "nvvm.inline_ptx \"add.u32 {$rw0}, {$rw0}, 1;\" rw (%a : i32)\n llvm.store %a, %p : i32, !llvm.ptr",
    ));
    assert!(
        text.contains("asm sideeffect \"add.u32 $0, $0, 1;\", \"=r,0\"(i32 %0)"),
        "{text}"
    );
    assert!(!text.contains("store i32 %0"), "{text}");
}

#[test]
fn the_dialect_of_nvidia() {
    let text = llvm(&body(
        "%p: !llvm.ptr<1>, %s: !llvm.ptr<3>, %v: i32, %f: f32, %t: i64",
        "\"nvvm.red\"(%p, %v) {op = #nvvm.op<umax>, scope = #nvvm.mem_scope<gpu>} : (!llvm.ptr<1>, i32) -> ()\n\
         %0 = \"nvvm.atomic.rmw\"(%p, %f) {op = add, ordering = acq_rel, scope = cta} : (!llvm.ptr<1>, f32) -> f32\n\
         \"nvvm.fence.acquire\"() {scope = #nvvm.mem_scope<cluster>} : () -> ()\n\
         nvvm.fence.acq_rel.gpu\n\
         \"nvvm.mbarrier.wait\"(%s, %t) : (!llvm.ptr<3>, i64) -> ()\n\
         nvvm.mbarrier.init.shared %s, %v : !llvm.ptr<3>, i32",
    ));
    for wanted in [
        "atomicrmw umax ptr addrspace(1) %0, i32 %2 syncscope(\"device\") monotonic",
        "atomicrmw fadd ptr addrspace(1) %0, float %3 syncscope(\"block\") acq_rel",
        "fence syncscope(\"cluster\") acquire",
        "fence syncscope(\"device\") acq_rel",
        "mbarrier.try_wait.shared.b64 P1",
        "@llvm.nvvm.mbarrier.init.shared",
    ] {
        assert!(text.contains(wanted), "{wanted}\n{text}");
    }
}

#[test]
fn wrong_modules_are_named_with_their_place() {
    for (text, wanted) in [
        (
            body("%a: i32", "%0 = arith.addi %a, %a : i32"),
            "W0852 2:6 there is no operation `arith.addi` here",
        ),
        (
            body("%a: i32", "%0 = \"nvvm.no_such\"(%a) : (i32) -> i32"),
            "W0854 2:6 `nvvm.no_such`: warpc does not know this operation",
        ),
        (
            body("%a: i32", "%0 = llvm.add %a, %b : i32"),
            "W0853 2:19 `llvm.add`: the value `%b` is not defined",
        ),
        (
            body("%a: i32", "%0 = llvm.sext %a : i16 to i64"),
            "W0853 2:16 `llvm.sext`: the value `%a` is i32, not i16",
        ),
        (
            body("", "llvm.br ^nowhere"),
            "W0853 2:9 `llvm.br`: there is no block `^nowhere`",
        ),
        (
            body(
                "%p: !llvm.ptr<1>, %v: i32",
                "\"nvvm.red\"(%p, %v) {op = add, ordering = acquire} : (!llvm.ptr<1>, i32) -> ()",
            ),
            "W0853 2:1 `nvvm.red`: Invalid memory model ordering for nvvm.red",
        ),
        (
            body("%p: !llvm.ptr<4>", "nvvm.mbarrier.inval %p : !llvm.ptr<4>"),
            "W0853 2:1 `nvvm.mbarrier.inval`: `addr` cannot be `p4` here",
        ),
        (
            "gpu.binary @k [#gpu.object<#nvvm.target, \"x\">]\n".to_owned(),
            "W0852 1:1 there is no operation `gpu.binary` here",
        ),
        (
            "llvm.func @f() {\n  llvm.return\n".to_owned(),
            "W0851 3:1 expected `}`",
        ),
    ] {
        assert_eq!(message(&text), wanted, "{text}");
    }
}
