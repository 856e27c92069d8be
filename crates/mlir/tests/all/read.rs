//! What the reader says about modules, right and wrong.

use warpc_diag::SourceFile;

/// The LLVM IR of a module.
fn llvm(text: &str) -> String {
    let file = SourceFile::new("m.mlir", text).expect("it is short");
    let read = warpc_mlir::read(&file);
    let said = warpc_diag::render_human(&file, &read.diagnostics, false);
    assert!(!read.diagnostics.has_errors(), "{said}");
    warpc_nvvm::print(read.value.as_ref().unwrap())
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
        "call i1 @llvm.nvvm.mbarrier.try.wait.scope.cta.space.cta(ptr addrspace(3) %1, i64 %4)",
        "@llvm.nvvm.mbarrier.init.shared",
    ] {
        assert!(text.contains(wanted), "{wanted}\n{text}");
    }
}

#[test]
fn atomics_of_nvidia_keep_their_order() {
    let op = |attrs: &str| {
        let op = format!(
            "%0 = \"nvvm.atomic.rmw\"(%p, %v) {{op = add, {attrs}}} : (!llvm.ptr<1>, i32) -> i32"
        );
        llvm(&body("%p: !llvm.ptr<1>, %v: i32", &op))
    };
    for (attrs, wanted) in [
        (
            "ordering = 5 : i32",
            "add ptr addrspace(1) %0, i32 %1 seq_cst",
        ),
        (
            "ordering = 1 : i32",
            "add ptr addrspace(1) %0, i32 %1 monotonic",
        ),
        ("mem_order = #nvvm.mem_order<acquire>", "i32 %1 acquire"),
        ("memOrder = #nvvm<mem_order release>", "i32 %1 release"),
        ("ordering = #nvvm.mem_order<sc>", "i32 %1 seq_cst"),
        (
            "ordering = seq_cst, scope = 2 : i32",
            "syncscope(\"device\") seq_cst",
        ),
        (
            "mem_order = 4 : i64, syncscope = #nvvm.mem_scope<cta>",
            "syncscope(\"block\") acq_rel",
        ),
    ] {
        let text = op(attrs);
        assert!(text.contains(wanted), "{attrs}\n{text}");
    }
    let text = llvm(&body(
        "%p: !llvm.ptr<1>, %h: i64, %v: i32, %w: i128, %s: i16",
        "%0 = \"nvvm.atomic.rmw\"(%p, %v, %v) {op = cas, ordering = release, scope = gpu} : (!llvm.ptr<1>, i32, i32) -> i32\n\
         %1 = \"nvvm.atomic.rmw\"(%p, %w, %w) {op = cas, ordering = acq_rel} : (!llvm.ptr<1>, i128, i128) -> i128\n\
         %2 = \"nvvm.atomic.rmw\"(%p, %w) {op = exch} : (!llvm.ptr<1>, i128) -> i128\n\
         %3 = \"nvvm.atomic.rmw\"(%p, %s, %s) {op = cas} : (!llvm.ptr<1>, i16, i16) -> i16\n\
         %4 = \"nvvm.atomic.rmw\"(%p, %v, %h) {op = umax, ordering = acq_rel, scope = gpu} : (!llvm.ptr<1>, i32, i64) -> i32\n\
         \"nvvm.red\"(%p, %v, %h) {op = add, memOrder = 3 : i32} : (!llvm.ptr<1>, i32, i64) -> ()",
    ));
    for wanted in [
        "cmpxchg ptr addrspace(1) %0, i32 %2, i32 %2 syncscope(\"device\") release monotonic",
        "cmpxchg ptr addrspace(1) %0, i128 %3, i128 %3 acq_rel acquire",
        "atomicrmw xchg ptr addrspace(1) %0, i128 %3 monotonic",
        "cmpxchg ptr addrspace(1) %0, i16 %4, i16 %4 monotonic monotonic",
        "fence syncscope(\"device\") release\n  %14 = call i32 @__nvvm_atom_max_gen_ui(ptr %13, i32 %2) [ \"L2::cache_hint\"(i64 %1) ]\n  fence syncscope(\"device\") acquire",
        "fence release\n  %16 = call i32 @__nvvm_atom_sys_add_gen_i(ptr %15, i32 %2) [ \"L2::cache_hint\"(i64 %1) ]",
    ] {
        assert!(text.contains(wanted), "{wanted}\n{text}");
    }
}

#[test]
fn waits_and_transactions_of_nvidia() {
    let text = llvm(&body(
        "%s: !llvm.ptr<3>, %g: !llvm.ptr, %r: !llvm.ptr<7>, %n: i32, %c: i1, %o: !llvm.ptr<1>",
        "\"nvvm.mbarrier.txn\"(%s, %n) {relaxed = true, noComplete, kind = #nvvm.shared_space<cta>} : (!llvm.ptr<3>, i32) -> ()\n\
         \"nvvm.mbarrier.txn\"(%s, %n) {kind = 1 : i32, scope = cluster} : (!llvm.ptr<3>, i32) -> ()\n\
         \"nvvm.mbarrier.txn\"(%s, %n, %n) {scope = #nvvm.mem_scope<cluster>} : (!llvm.ptr<3>, i32, i32) -> ()\n\
         \"nvvm.mbarrier.txn\"(%g, %n) {peerRank = 2 : i32} : (!llvm.ptr, i32) -> ()\n\
         \"nvvm.mbarrier.txn\"(%r, %n) : (!llvm.ptr<7>, i32) -> ()\n\
         \"nvvm.tensormap.cp_fenceproxy\"(%g, %o) {scope = 2 : i32, sizeBytes = 128 : i32} : (!llvm.ptr, !llvm.ptr<1>) -> ()\n\
         %0 = \"nvvm.mbarrier.wait\"(%s) : (!llvm.ptr<3>) -> i1\n\
         llvm.cond_br %0, ^bb1(%n : i32), ^bb1(%n : i32)\n\
         ^bb1(%x: i32):\n\
         \"nvvm.mbarrier.wait\"(%g, %x) : (!llvm.ptr, i32) -> ()\n\
         llvm.cond_br %c, ^bb1(%x : i32), ^bb2\n\
         ^bb2:",
    ));
    for wanted in [
        "@llvm.nvvm.mbarrier.expect.tx.scope.cta.space.cta(ptr addrspace(3) %0, i32 %3)",
        "%7 = addrspacecast ptr addrspace(3) %0 to ptr addrspace(7)\n  call void @llvm.nvvm.mbarrier.expect.tx.scope.cluster.space.cluster(ptr addrspace(7) %7, i32 %3)",
        "%8 = call ptr addrspace(7) @llvm.nvvm.mapa.shared.cluster(ptr addrspace(3) %0, i32 %3)\n  call void @llvm.nvvm.mbarrier.expect.tx.scope.cluster.space.cluster(ptr addrspace(7) %8, i32 %3)",
        "@llvm.nvvm.mapa.shared.cluster(ptr addrspace(3) %9, i32 2)",
        "@llvm.nvvm.mbarrier.expect.tx.scope.cta.space.cluster(ptr addrspace(7) %2, i32 %3)",
        "release.gpu.sync.aligned [$0], [$1], 128;",
        "@llvm.nvvm.mbarrier.test.wait.parity.scope.cta.space.cta(ptr addrspace(3) %0, i32 0)",
        "@llvm.nvvm.mbarrier.try.wait.parity.scope.cta.space.cta",
    ] {
        assert!(text.contains(wanted), "{wanted}\n{text}");
    }
}

#[test]
fn integers_of_any_width() {
    let text = llvm(
        "llvm.func @f() -> i128 {\n %0 = llvm.mlir.constant(-170141183460469231731687303715884105728 : i128) : i128\n llvm.return %0 : i128\n}\n\
         llvm.func @g() -> i256 {\n %0 = llvm.mlir.constant(-57896044618658097711785492504343953926634992332820282019728792003956564819968 : i256) : i256\n llvm.return %0 : i256\n}\n\
         llvm.func @h() -> i160 {\n %0 = llvm.mlir.constant(0xFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFF0 : i160) : i160\n llvm.return %0 : i160\n}\n\
         llvm.func @i() -> vector<2xi136> {\n %0 = llvm.mlir.constant(dense<\"0x0100000000000000000000000000000080FFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFF\"> : vector<2xi136>) : vector<2xi136>\n llvm.return %0 : vector<2xi136>\n}\n\
         llvm.func @j() -> i32 {\n %0 = llvm.mlir.constant(200 : i8) : i32\n llvm.return %0 : i32\n}\n",
    );
    for wanted in [
        "ret i128 -170141183460469231731687303715884105728",
        "ret i256 -57896044618658097711785492504343953926634992332820282019728792003956564819968",
        "ret i160 -16",
        "ret <2 x i136> <i136 -43556142965880123323311949751266331066367, i136 -1>",
        "ret i32 -56",
    ] {
        assert!(text.contains(wanted), "{wanted}\n{text}");
    }
}

#[test]
fn switches_of_one_case_and_of_many() {
    let of = |values: &str, cases: usize| {
        let blocks = vec!["^bb1"; cases + 1].join(", ");
        llvm(&format!(
            "llvm.func @f(%a: i16) {{\n \"llvm.switch\"(%a)[{blocks}] <{{case_values = {values}, \
             operandSegmentSizes = array<i32: 1, 0, 0>}}> : (i16) -> ()\n^bb1:\n llvm.return\n}}\n"
        ))
    };
    assert!(of("dense<5> : vector<1xi16>", 1).contains("i16 5, label"));
    assert!(of("dense<[1, -2]> : vector<2xi16>", 2).contains("i16 -2, label"));
    let bytes: String = (0..150u16)
        .map(|case| format!("{:02X}{:02X}", case, 0xff))
        .collect();
    let text = of(&format!("dense<\"0x{bytes}\"> : vector<150xi16>"), 150);
    assert!(
        text.contains("i16 -256, label") && text.contains("i16 -107, label"),
        "{text}"
    );
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
            body(
                "%p: !llvm.ptr<1>, %v: i32",
                "\"nvvm.red\"(%p, %v) {op = add, memOrderr = 3 : i32} : (!llvm.ptr<1>, i32) -> ()",
            ),
            "W0853 2:31 `nvvm.red`: there is no attribute `memOrderr`",
        ),
        (
            body(
                "%p: !llvm.ptr<1>, %v: i32",
                "\"nvvm.red\"(%p, %v) {op = add, ordering = 9 : i32} : (!llvm.ptr<1>, i32) -> ()",
            ),
            "W0853 2:31 `nvvm.red`: `ordering` has no enumerator 9",
        ),
        (
            body(
                "%p: !llvm.ptr<1>, %v: i32, %h: i64",
                "%0 = \"nvvm.atomic.rmw\"(%p, %v, %v, %h) {op = cas} : (!llvm.ptr<1>, i32, i32, i64) -> i32",
            ),
            "W0854 2:6 `nvvm.atomic.rmw`: PTX has no cas of i32 with a cache policy",
        ),
        (
            body(
                "%s: !llvm.ptr<3>",
                "%0 = nvvm.mbarrier.arrive %s {scope = #nvvm.mem_scope<gpu>} : !llvm.ptr<3> -> i64",
            ),
            "W0853 2:6 `nvvm.mbarrier.arrive`: `scope` cannot be `gpu` here",
        ),
        (
            body("", "nvvm.cluster.arrive {alignd}"),
            "W0853 2:22 `nvvm.cluster.arrive`: there is no attribute `alignd`",
        ),
        (
            body(
                "%a: i32",
                "%0 = \"llvm.add\"(%a, %a) <{overflowFlags = 4 : i32}> : (i32, i32) -> i32",
            ),
            "W0853 2:27 `llvm.add`: `overflowFlags` has no flags 4",
        ),
        (
            body(
                "%a: i32",
                "%0 = \"nvvm.shfl.sync\"(%a, %a, %a, %a) {kind = #nvvm<vote_sync_kind any>} : (i32, i32, i32, i32) -> i32",
            ),
            "W0853 2:40 `nvvm.shfl.sync`: `kind` is a `shfl_kind`, not a `vote_sync_kind`",
        ),
        (
            body(
                "%s: !llvm.ptr<3>, %g: !llvm.ptr",
                "\"nvvm.tensormap.cp_fenceproxy\"(%s, %g) {scope = gpu, sizeBytes = 64 : i32} : (!llvm.ptr<3>, !llvm.ptr) -> ()",
            ),
            "W0853 2:1 `nvvm.tensormap.cp_fenceproxy`: `sizeBytes` is 128: PTX copies whole tensor maps only",
        ),
        (
            "llvm.func @f(%a: i32 {llvm.no_such}) {\n  llvm.return\n}\n".to_owned(),
            "W0854 1:23 `llvm.func`: the attribute `llvm.no_such` of a parameter is not read",
        ),
        (
            "llvm.func @f() attributes {nvvm.maxntidx = 3 : i32} {\n  llvm.return\n}\n".to_owned(),
            "W0853 1:28 `llvm.func`: there is no attribute `nvvm.maxntidx`",
        ),
        (
            body("", "%0 = llvm.mlir.constant(300 : i8) : i8"),
            "W0851 2:25 this number does not fit i8",
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
