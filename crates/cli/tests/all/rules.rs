//! Rules that several doors share: each is asked at every door, and must answer the same.

use std::io::Write;
use std::process::{Command, Stdio};
use warpc_testkit::scratch::Folder;

/// Status, standard output and standard error of a command.
fn warpc(arguments: &[&str], input: &str) -> (Option<i32>, String, String) {
    let mut child = Command::new(env!("CARGO_BIN_EXE_warpc"))
        .args(arguments)
        .env_remove("NVVM_IR_VER_CHK")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the command starts");
    if let Some(mut stdin) = child.stdin.take() {
        // A command that refuses its flags reads nothing.
        let _ = stdin.write_all(input.as_bytes());
    }
    let output = child.wait_with_output().expect("the command ends");
    let text = |bytes: Vec<u8>| String::from_utf8_lossy(&bytes).into_owned();
    (
        output.status.code(),
        text(output.stdout),
        text(output.stderr),
    )
}

fn compile(flags: &[&str], input: &str) -> (Option<i32>, String, String) {
    warpc(&[&["compile", "-", "-o", "-"], flags].concat(), input)
}

/// The same body with each way to say what it is for.
const TRIPLES: [&str; 3] = [
    "",
    "target triple = \"nvptx64-nvidia-cuda\"\n",
    "target triple = \"nvptx64-unknown-unknown\"\n",
];

#[test]
fn rules_of_gpus_hold_whatever_the_triple_says() {
    let constructors = "@llvm.global_ctors = appending global [1 x { i32, ptr, ptr }] [{ i32, ptr, ptr } \
        { i32 65535, ptr @f, ptr null }]\ndefine void @f() {\n  ret void\n}\n";
    let version = "!nvvmir.version = !{!0}\n!0 = !{i32 9, i32 9}\n";
    let thread_local = "@x = thread_local global i32 1\n";
    for triple in TRIPLES {
        for (body, code) in [
            (constructors, "W0832"),
            (version, "W0831"),
            (thread_local, "W0834"),
        ] {
            let (status, out, err) = compile(&[], &format!("{triple}{body}"));
            assert_eq!((status, out.as_str()), (Some(1), ""), "{err}");
            assert!(err.contains(code), "{triple}{body}{err}");
        }
    }
}

/// Variables for the compiler come through where the bodies of builtins are linked to the module, whatever they
/// hold; constructors are refused, those that are not formed as they must be by LLVM's rules.
#[test]
fn variables_for_the_compiler_are_kept_or_refused() {
    let entry = "{ i32, ptr, ptr }";
    let none = format!("global_ctors = appending global [0 x {entry}] undef");
    let used = "used = appending global [1 x ptr] [ptr @f], section \"llvm.metadata\"";
    let long =
        format!("global.annotations = appending global [9223372036854775807 x {entry}] undef");
    let mut cases = vec![(none, ""), (used.to_owned(), ""), (long, "")];
    for value in ["undef", "poison", "zeroinitializer"] {
        for count in ["2", "4294967296", "9223372036854775807"] {
            let text = format!("global_ctors = appending global [{count} x {entry}] {value}");
            cases.push((text, "W0832"));
        }
        let mixed = format!(
            "global_dtors = appending global [2 x {entry}] [{entry} {value}, {entry} {{ i32 1, ptr @f, ptr null }}]"
        );
        cases.push((mixed, "W0832"));
    }
    for wrong in [
        "[1 x i32] [i32 3]",
        "[1 x { i32, ptr }] zeroinitializer",
        "i32 0",
    ] {
        cases.push((format!("global_ctors = appending global {wrong}"), "W0817"));
    }
    let body = "declare i32 @__nvvm_vote_any_sync(i32, i32)\ndefine void @f() {\n  ret void\n}\n\
        define ptx_kernel void @k(ptr %p) {\n  %r = call i32 @__nvvm_vote_any_sync(i32 -1, i32 1)\n\
        store i32 %r, ptr %p\n  ret void\n}\n";
    for triple in TRIPLES {
        for (variable, code) in &cases {
            let (status, out, err) = compile(&[], &format!("{triple}@llvm.{variable}\n{body}"));
            match *code {
                "" => assert!(out.contains("vote.sync.any"), "{variable}: {err}"),
                code => assert!(status == Some(1) && err.contains(code), "{variable}: {err}"),
            }
        }
    }
}

#[test]
fn invoke_and_indirectbr_compile_whatever_the_triple_says() {
    let invoke = "declare i32 @__gxx_personality_v0(...)\ndeclare void @g()\n\
        define ptx_kernel void @k() personality ptr @__gxx_personality_v0 {\n\
        invoke void @g() to label %a unwind label %b\na:\n  ret void\nb:\n\
        %l = landingpad { ptr, i32 } cleanup\n  resume { ptr, i32 } %l\n}\n";
    let jump = "define ptx_kernel void @k(i1 %c, ptr %p) {\n\
        %to = select i1 %c, ptr blockaddress(@k, %a), ptr blockaddress(@k, %b)\n\
        indirectbr ptr %to, [label %a, label %b]\na:\n  store i32 1, ptr %p\n  ret void\nb:\n  ret void\n}\n";
    for body in [invoke, jump] {
        let mut made = Vec::new();
        for triple in TRIPLES {
            let (status, out, err) = compile(&[], &format!("{triple}{body}"));
            assert_eq!(status, Some(0), "{triple}{body}{err}");
            made.push(out);
        }
        assert!(made[0].contains(".entry k"), "{}", made[0]);
        assert!(made.iter().all(|one| *one == made[0]));
    }
}

#[test]
fn modules_of_other_processors_are_refused_by_name_where_code_is_made() {
    let body = "define void @f() {\n  ret void\n}\n";
    let kernel = "llvm.func @k() attributes {nvvm.kernel} {\n  llvm.return\n}\n";
    for (triple, word) in [
        ("x86_64-unknown-linux-gnu", "`x86_64-unknown-linux-gnu`"),
        ("amdgcn-amd-amdhsa", "`amdgcn-amd-amdhsa`"),
        ("nvptx-nvidia-cuda", "nvvm-32"),
    ] {
        let text = format!("target triple = \"{triple}\"\n{body}");
        let mlir =
            format!("module attributes {{llvm.target_triple = \"{triple}\"}} {{\n{kernel}}}\n");
        for input in [&text, &mlir] {
            let (status, out, err) = compile(&[], input);
            assert_eq!((status, out.as_str()), (Some(1), ""), "{err}");
            assert!(err.contains("W0835") && err.contains(word), "{err}");
            let run = ["run", "-", "--grid", "1", "--block", "1"];
            let (status, _, err) = warpc(&run, input);
            assert_eq!(status, Some(1), "{err}");
            assert!(err.contains("W0835"), "{err}");
        }
    }
    // A layout does not name a processor: addresses have the size that they have on a GPU, as for llc.
    let narrow = format!("target datalayout = \"e-p:32:32-i64:64\"\n{body}");
    let (status, _, err) = compile(&[], &narrow);
    assert_eq!(status, Some(0), "{err}");
}

/// Reading, printing and linking are for modules of every processor.
#[test]
fn modules_of_other_processors_are_checked_and_printed() {
    let host = "target triple = \"x86_64-unknown-linux-gnu\"\ndefine x86_fp80 @f(x86_fp80 %x) {\n  ret x86_fp80 %x\n}\n";
    for arguments in [
        &["check", "-"][..],
        &["compile", "-", "--emit", "ll", "-o", "-"],
        &["link", "-"],
    ] {
        let (status, _, err) = warpc(arguments, host);
        assert_eq!(status, Some(0), "{arguments:?} {err}");
    }
}

#[test]
fn a_version_that_does_not_know_the_target_is_one_error() {
    let text = "define ptx_kernel void @k(ptr %p) {\n  %x = load i32, ptr %p\n  %y = add i32 %x, 1\n\
        store i32 %y, ptr %p\n  ret void\n}\n";
    for (flags, message) in [
        (
            ["--ptx-version", "7.0", "--arch", "sm_90"],
            "sm_90 needs PTX 7.8, not 7.0",
        ),
        (
            ["--ptx-version", "9.9", "--arch", "sm_90"],
            "PTX 9.9 is not known: 9.4 is the newest version",
        ),
        (
            ["--ptx-version", "7.9", "--arch", "sm_80"],
            "there is no PTX 7.9",
        ),
    ] {
        for emit in ["ptx", "ll"] {
            let (status, out, err) = compile(&[&flags[..], &["--emit", emit]].concat(), text);
            assert_eq!((status, out.as_str()), (Some(1), ""), "{err}");
            assert_eq!(err.matches("error").count(), 1, "{err}");
            assert!(err.contains(message), "{err}");
        }
    }
    let (status, out, _) = compile(&["--ptx-version", "8.5", "--arch", "sm_90"], text);
    assert_eq!(status, Some(0));
    assert!(out.starts_with(".version 8.5\n"), "{out}");
}

/// The three reasons why something is not there, each with what helps, at the doors of LLVM IR, inline PTX and PTX.
#[test]
fn why_an_instruction_is_not_there() {
    let asm = |text: &str| {
        format!(
            "define ptx_kernel void @k() {{\n  call void asm sideeffect \"{text}\", \"\"()\n  ret void\n}}\n"
        )
    };
    let fence =
        "define ptx_kernel void @k() {\n  fence syncscope(\"device\") acquire\n  ret void\n}\n";
    let old = ["--ptx-version", "8.0", "--arch", "sm_90"];
    // LLVM IR asks for the order only, so an older version gets an older fence.
    let (status, out, err) = compile(&old, fence);
    assert_eq!(status, Some(0), "{err}");
    assert!(out.contains("fence.acq_rel.gpu"), "{out}");
    let (status, _, err) = compile(&old, &asm("fence.acquire.gpu;"));
    assert_eq!(status, Some(1), "{err}");
    assert!(err.contains("needs PTX 8.6"), "{err}");
    let (status, _, err) = compile(&["--arch", "sm_80"], &asm("fence.sc.cluster;"));
    assert_eq!(status, Some(1), "{err}");
    assert!(err.contains("sm_90 or later"), "{err}");
    let vote = asm("{ .reg .pred p; vote.all.pred p, p; }");
    let (status, _, err) = compile(&["--arch", "sm_90"], &vote);
    assert_eq!(status, Some(1), "{err}");
    assert!(err.contains("gone from sm_70 on since PTX 6.4"), "{err}");
    assert!(err.contains("vote.sync"), "{err}");
    let ptx = ".version 8.0\n.target sm_90\n.address_size 64\n.entry k() {\n  .reg .pred p;\n  vote.all.pred p, p;\n  ret;\n}\n";
    let (status, _, err) = warpc(&["check", "-"], ptx);
    assert_eq!(status, Some(1), "{err}");
    assert!(err.contains("gone from sm_70 on since PTX 6.4"), "{err}");
}

/// A `--ptx-version` that is too low is named as such wherever the need comes from, with the version that is enough; a
/// chip that lacks the same thing is named as a chip.
#[test]
fn a_version_that_is_too_low_is_not_taken_for_a_chip() {
    let kernel = |declaration: &str, line: &str| {
        format!("{declaration}\ndefine ptx_kernel void @k(ptr %p) {{\n  {line}\n  ret void\n}}\n")
    };
    let swap = kernel("", "%r = cmpxchg ptr %p, i128 1, i128 2 seq_cst seq_cst");
    let register = kernel(
        "declare i32 @llvm.nvvm.read.ptx.sreg.aggr_smem_size()",
        "%r = call i32 @llvm.nvvm.read.ptx.sreg.aggr_smem_size()\n  store i32 %r, ptr %p",
    );
    let builtin = kernel(
        "declare i128 @__nvvm_atom_xchg_gen_128(ptr, i128)",
        "%r = call i128 @__nvvm_atom_xchg_gen_128(ptr %p, i128 3)\n  store i128 %r, ptr %p",
    );
    let intrinsic = kernel(
        "declare void @llvm.nvvm.fence.proxy.tensormap_generic.release.gpu()",
        "call void @llvm.nvvm.fence.proxy.tensormap_generic.release.gpu()",
    );
    let inline = kernel(
        "",
        "call void asm sideeffect \"fence.acquire.gpu;\", \"\"()",
    );
    let mlir = "llvm.func @k() attributes {nvvm.kernel} {\n  nvvm.fence.proxy.release #nvvm.mem_scope<gpu> \
        from_proxy = #nvvm.proxy_kind<generic> to_proxy = #nvvm.proxy_kind<tensormap>\n  llvm.return\n}\n";
    let head = "define ptx_kernel void @k() \"nvvm.reqntid\"=\"32\" \"nvvm.cluster_dim\"=\"2\" \
        \"nvvm.blocksareclusters\" {\n  ret void\n}\n";
    // What is compiled, and the version that has it.
    for (text, needed) in [
        (swap.as_str(), "8.4"),
        (&register, "8.1"),
        (&builtin, "8.3"),
        (&intrinsic, "8.3"),
        (&inline, "8.6"),
        (mlir, "8.3"),
        (head, "9.0"),
    ] {
        let (status, out, err) = compile(&["--arch", "sm_90", "--ptx-version", "7.8"], text);
        assert_eq!((status, out.as_str()), (Some(1), ""), "{err}");
        assert!(
            err.contains(&format!("needs PTX {needed} on sm_90")),
            "{err}"
        );
        assert!(err.contains(&format!("--ptx-version {needed}")), "{err}");
        assert!(!err.contains("does not exist"), "{err}");
        let (status, out, err) = compile(&["--arch", "sm_90", "--ptx-version", needed], text);
        assert_eq!(status, Some(0), "{err}");
        assert!(out.starts_with(&format!(".version {needed}\n")), "{out}");
        let (_, _, err) = compile(&["--arch", "sm_80"], text);
        let of_chip = [
            "does not exist on sm_80",
            "sm_80 has no",
            "sm_80 does not have",
        ];
        assert!(of_chip.iter().any(|words| err.contains(words)), "{err}");
        assert!(err.contains("sm_90 or later"), "{err}");
    }
    // PTX that says its own version.
    let ptx = ".version 7.8\n.target sm_90\n.address_size 64\n.entry k() {\n  fence.acquire.gpu;\n  ret;\n}\n";
    let (status, _, err) = warpc(&["check", "-"], ptx);
    assert_eq!(status, Some(1), "{err}");
    assert!(err.contains("needs PTX 8.6, the module says 7.8"), "{err}");
}

#[test]
fn outputs_that_are_not_made_are_refused_by_name() {
    let text = "define void @f() {\n  ret void\n}\n";
    let folder = Folder::new("rules");
    for (name, flags, status, message) in [
        (
            "x.optixir",
            &[][..],
            1,
            "OptiX IR (.optixir) is not written yet",
        ),
        ("x.sass", &[], 1, "`warpc dis`"),
        ("x.obj", &[], 2, "the ending does not say what to make"),
        ("y.ptx", &["--emit", "optixir"], 1, "not written yet"),
    ] {
        let path = folder.join(name);
        let shown = path.to_str().expect("a name in UTF-8");
        let arguments = [&["compile", "-", "-o", shown], flags].concat();
        let (code, _, err) = warpc(&arguments, text);
        assert_eq!(code, Some(status), "{err}");
        assert!(err.contains(message), "{err}");
        assert!(!path.exists(), "{name}");
    }
    let other = folder.join("l.optixir");
    let shown = other.to_str().expect("a name in UTF-8");
    let (code, _, err) = warpc(&["link", "-", "-o", shown], text);
    assert_eq!(code, Some(2), "{err}");
    assert!(err.contains("not written yet") && !other.exists(), "{err}");
    let ptx = ".version 8.0\n.target sm_90\n.address_size 64\n";
    let (code, _, err) = warpc(&["fmt", "-", "-o", shown], ptx);
    assert_eq!(code, Some(2), "{err}");
}

#[test]
fn bitcode_is_written_by_compile_and_link() {
    let text = "define void @f() {\n  ret void\n}\n";
    let folder = Folder::new("rules");
    for (name, command) in [
        ("c.bc", &["compile", "-"][..]),
        ("l.bc", &["link", "-"]),
        ("e.out", &["compile", "-", "--emit", "bc"]),
    ] {
        let path = folder.join(name);
        let shown = path.to_str().expect("a name in UTF-8");
        let arguments = [command, &["-o", shown]].concat();
        let (code, _, err) = warpc(&arguments, text);
        assert_eq!(code, Some(0), "{err}");
        let bytes = std::fs::read(&path).expect("it was written");
        assert!(bytes.starts_with(b"BC\xC0\xDE"), "{name}");
    }
}

/// A reduction of all lanes that only some get to, at each door that has one.
#[test]
fn collectives_of_all_lanes_behind_a_branch_of_some() {
    let body = |call: &str, declaration: &str| {
        format!(
            "declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()\n{declaration}\n\
             define ptx_kernel void @k(ptr %p) {{\n  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()\n\
             %a = getelementptr i32, ptr %p, i32 %t\n  %x = load i32, ptr %a\n  %c = icmp eq i32 %x, 7\n\
             br i1 %c, label %yes, label %no\nyes:\n  {call}\n  br label %no\nno:\n  ret void\n}}\n"
        )
    };
    for (call, declaration) in [
        (
            "%r = call i32 @llvm.nvvm.redux.sync.add(i32 %x, i32 -1)",
            "declare i32 @llvm.nvvm.redux.sync.add(i32, i32)",
        ),
        (
            "%r = call i32 @llvm.nvvm.shfl.sync.bfly.i32(i32 -1, i32 %x, i32 1, i32 31)",
            "declare i32 @llvm.nvvm.shfl.sync.bfly.i32(i32, i32, i32, i32)",
        ),
        (
            "%r = call i32 @__nvvm_vote_all_sync(i32 -1, i32 %x)",
            "declare i32 @__nvvm_vote_all_sync(i32, i32)",
        ),
    ] {
        let (status, _, err) = compile(&["--arch", "sm_90"], &body(call, declaration));
        assert_eq!(status, Some(0), "{err}");
        assert!(
            err.contains("W0845") && err.contains("only some get here"),
            "{call}\n{err}"
        );
    }
    let mlir = "llvm.func @k(%p: !llvm.ptr) attributes {nvvm.kernel} {\n  %t = nvvm.read.ptx.sreg.tid.x : i32\n  \
        %a = llvm.getelementptr %p[%t] : (!llvm.ptr, i32) -> !llvm.ptr, i32\n  %x = llvm.load %a : !llvm.ptr -> i32\n  \
        %s = llvm.mlir.constant(7 : i32) : i32\n  %m = llvm.mlir.constant(-1 : i32) : i32\n  \
        %c = llvm.icmp \"eq\" %x, %s : i32\n  llvm.cond_br %c, ^yes, ^no\n^yes:\n  \
        %r = nvvm.redux.sync add %x, %m : i32 -> i32\n  llvm.br ^no\n^no:\n  llvm.return\n}\n";
    let (status, _, err) = compile(&["--arch", "sm_90"], mlir);
    assert_eq!(status, Some(0), "{err}");
    assert!(err.contains("only some get here"), "{err}");
}

#[test]
fn blocks_that_are_clusters_are_never_forgotten() {
    let kernel =
        |attributes: &str| format!("define ptx_kernel void @k() {attributes} {{\n  ret void\n}}\n");
    let whole =
        kernel("\"nvvm.reqntid\"=\"32\" \"nvvm.cluster_dim\"=\"2\" \"nvvm.blocksareclusters\"");
    let lacking = kernel("\"nvvm.cluster_dim\"=\"2\" \"nvvm.blocksareclusters\"");
    for arch in ["sm_80", "sm_90", "sm_120"] {
        let (status, _, err) = compile(&["--arch", arch], &lacking);
        assert_eq!(status, Some(1), "{err}");
        assert!(
            err.contains("requires reqntid and cluster_dim"),
            "{arch} {err}"
        );
    }
    let (status, out, err) = compile(&["--arch", "sm_80"], &whole);
    assert_eq!(status, Some(0), "{err}");
    assert!(err.contains("which sm_80 does not have"), "{err}");
    assert!(!out.contains("cluster"), "{out}");
    let (status, out, err) = compile(&["--arch", "sm_90"], &whole);
    assert_eq!(status, Some(0), "{err}");
    assert!(out.contains(".blocksareclusters"), "{out}");
    let (status, _, err) = compile(&["--arch", "sm_90", "--ptx-version", "8.0"], &whole);
    assert_eq!(status, Some(1), "{err}");
    assert!(err.contains("needs PTX 9.0"), "{err}");
}

/// Types that hold nothing 2^40 times, and types that nest 20,000 levels deep, are taken or refused soon.
#[test]
fn nested_types_end() {
    let nested = |first: &str, levels: usize, next: &dyn Fn(usize) -> String| {
        let mut text = format!("%t0 = type {first}\n");
        for level in 1..=levels {
            text += &format!("%t{level} = type {}\n", next(level - 1));
        }
        text
    };
    let twice = |below: usize| format!("{{ %t{below}, %t{below} }}");
    let once = |below: usize| format!("{{ %t{below} }}");
    let move_it = |last: usize| {
        format!(
            "define ptx_kernel void @k(ptr %p, ptr %q) {{\n  %a = alloca %t{last}\n  %v = load %t{last}, ptr %p\n\
             store %t{last} %v, ptr %a\n  %w = load %t{last}, ptr %a\n  store %t{last} %w, ptr %q\n  ret void\n}}\n"
        )
    };
    let pass_it = |last: usize| {
        format!(
            "define %t{last} @f(%t{last} %x) {{\n  ret %t{last} %x\n}}\ndefine ptx_kernel void @k(ptr %p) {{\n\
             %v = load %t{last}, ptr %p\n  %r = call %t{last} @f(%t{last} %v)\n  store %t{last} %r, ptr %p\n\
             ret void\n}}\n"
        )
    };
    let empty = nested("{}", 40, &twice);
    let deep = nested("{ i32 }", 20_000, &once);
    for (text, code) in [
        (format!("{empty}{}", move_it(40)), ""),
        (format!("{empty}{}", pass_it(40)), ""),
        (format!("{deep}{}", move_it(20_000)), ""),
        (format!("{deep}{}", pass_it(20_000)), "W0901"),
    ] {
        let (status, out, err) = compile(&[], &text);
        match code {
            "" => assert!(status == Some(0) && out.contains(".entry k"), "{err}"),
            code => assert!(status == Some(1) && err.contains(code), "{err}"),
        }
    }
}
