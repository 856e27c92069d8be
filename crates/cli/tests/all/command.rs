//! What users of the command meet: flags, files, pipes, colours, findings of compiled modules.

use serde_json::Value;
use std::ffi::OsStr;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use warpc_testkit::project;
use warpc_testkit::scratch::Folder;

fn warpc() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_warpc"));
    command.env_remove("NO_COLOR").env_remove("RUST_BACKTRACE");
    command
}

fn ran<A: AsRef<OsStr>>(arguments: &[A]) -> Output {
    warpc().args(arguments).output().expect("warpc runs")
}

/// Exit status, standard output and standard error.
fn said<A: AsRef<OsStr>>(arguments: &[A]) -> (i32, String, String) {
    let output = ran(arguments);
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let status = output.status.code().expect("it ended by itself");
    (status, text(&output.stdout), text(&output.stderr))
}

fn path(path: &Path) -> &str {
    path.to_str().expect("a plain name")
}

const KERNEL: &str = "target triple = \"nvptx64-nvidia-cuda\"\n\
    define ptx_kernel void @k(ptr addrspace(1) %p) {\n  store i32 1, ptr addrspace(1) %p\n  ret void\n}\n";

const PTX: &str = ".version 8.0\n.target sm_90\n.address_size 64\n.entry k() { ret; }\n";

/// A module with a seq_cst atomic as clang writes CUDA's: it gets a warning.
const WARNED: &str = "target triple = \"nvptx64-nvidia-cuda\"\n\
    define ptx_kernel void @k(ptr addrspace(1) %p) {\n  %old = atomicrmw add ptr addrspace(1) %p, i32 1 seq_cst\n  ret void\n}\n\
    !llvm.ident = !{!0}\n!0 = !{!\"clang version 22.0.0\"}\n";

#[test]
fn findings_of_llvm_ir_point_into_it() {
    let folder = Folder::new("command");
    let text = format!("; run: --grid 1 --block 1 --arg u8[2]=0\n{KERNEL}");
    let file = folder.file("k.ll", text);
    let (status, _, stderr) = said(&["run", path(&file)]);
    assert_eq!(status, 1);
    assert!(stderr.contains("k.ll:4:3"), "{stderr}");
    assert!(
        stderr.contains("store i32 1, ptr addrspace(1) %p\n"),
        "{stderr}"
    );
    assert!(!stderr.contains(".ptx"), "{stderr}");
}

#[test]
fn findings_of_mlir_point_into_it() {
    let folder = Folder::new("command");
    let text = "// run: --grid 1 --block 1 --arg u8[2]=0\n\
        llvm.func @k(%p: !llvm.ptr<1>) attributes {nvvm.kernel} {\n  %0 = llvm.mlir.constant(1 : i32) : i32\n  \
        llvm.store %0, %p : i32, !llvm.ptr<1>\n  llvm.return\n}\n";
    let file = folder.file("k.mlir", text);
    let (status, _, stderr) = said(&["run", path(&file)]);
    assert_eq!(status, 1);
    assert!(stderr.contains("k.mlir:4:3"), "{stderr}");
}

#[test]
fn findings_name_the_source_and_the_calls_that_were_inlined() {
    let folder = Folder::new("command");
    let text = "; run: --grid 1 --block 1 --arg u8[2]=0
target triple = \"nvptx64-nvidia-cuda\"
define ptx_kernel void @k(ptr addrspace(1) %p) !dbg !4 {
  store i32 1, ptr addrspace(1) %p, !dbg !7
  ret void, !dbg !8
}
!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!2}
!0 = distinct !DICompileUnit(language: DW_LANG_C_plus_plus, file: !1, emissionKind: LineTablesOnly)
!1 = !DIFile(filename: \"k.cu\", directory: \"/src\")
!2 = !{i32 2, !\"Debug Info Version\", i32 3}
!3 = !DISubroutineType(types: !{null})
!4 = distinct !DISubprogram(name: \"k\", scope: !1, file: !1, line: 7, type: !3, scopeLine: 7, unit: !0, spFlags: DISPFlagDefinition)
!5 = distinct !DISubprogram(name: \"put\", linkageName: \"put\", scope: !1, file: !1, line: 2, type: !3, scopeLine: 2, unit: !0, spFlags: DISPFlagDefinition)
!6 = distinct !DILocation(line: 9, column: 4, scope: !4)
!7 = !DILocation(line: 3, column: 6, scope: !5, inlinedAt: !6)
!8 = !DILocation(line: 10, column: 1, scope: !4)
";
    let file = folder.file("k.ll", text);
    let (status, _, stderr) = said(&["run", path(&file)]);
    assert_eq!(status, 1);
    assert!(stderr.contains("k.ll:4:3"), "{stderr}");
    assert!(
        stderr.contains("k.cu:3:6 in `put`, inlined at "),
        "{stderr}"
    );
    assert!(stderr.contains("k.cu:9:4"), "{stderr}");
}

#[test]
fn a_stuck_lock_is_shown_at_its_atomic() {
    let folder = Folder::new("command");
    let text = "; run: --grid 1 --block 1 --arg u32[1]=1
target triple = \"nvptx64-nvidia-cuda\"
define ptx_kernel void @k(ptr addrspace(1) %lock) {
entry:
  br label %again
again:
  %pair = cmpxchg ptr addrspace(1) %lock, i32 0, i32 1 syncscope(\"device\") acquire monotonic
  %taken = extractvalue { i32, i1 } %pair, 1
  br i1 %taken, label %done, label %again
done:
  store atomic i32 0, ptr addrspace(1) %lock syncscope(\"device\") release, align 4
  ret void
}
";
    let file = folder.file("k.ll", text);
    let (status, _, stderr) = said(&["run", path(&file)]);
    assert_eq!(status, 1);
    assert!(stderr.contains("no progress"), "{stderr}");
    assert!(stderr.contains("k.ll:7:3"), "{stderr}");
}

#[test]
fn run_takes_the_flags_of_the_compiler() {
    let folder = Folder::new("command");
    let text = format!("; run: --grid 1 --block 1 --arg u32[1]=0 --expect 0:u32[1]=1\n{WARNED}");
    let file = folder.file("k.ll", text);
    let (status, _, stderr) = said(&["run", "--arch", "sm_90", path(&file)]);
    assert_eq!(status, 0, "{stderr}");
    assert!(stderr.contains("--atomics cuda"), "{stderr}");
    let flags = [
        "-O2",
        "--fmad",
        "off",
        "--ftz",
        "on",
        "--arch",
        "sm_90",
        "--atomics",
        "cuda",
    ];
    let (status, _, stderr) = said(&[&["run", path(&file)], &flags[..]].concat());
    assert_eq!((status, stderr.as_str()), (0, ""));
}

#[test]
fn one_default_target_and_the_target_of_the_module() {
    let folder = Folder::new("command");
    let launch = "; run: --grid 1 --block 1 --arg u32[1]=0\n";
    let plain = folder.file("plain.ll", format!("{launch}{KERNEL}"));
    let named = KERNEL.replace("%p) {", "%p) \"target-cpu\"=\"sm_90a\" {");
    let named = folder.file("named.ll", format!("{launch}{named}"));
    for (file, target) in [(&plain, "sm_75"), (&named, "sm_90a")] {
        let (_, ptx, _) = said(&["compile", "-o", "-", path(file)]);
        assert!(ptx.contains(&format!(".target {target}\n")), "{ptx}");
        let (_, report, _) = said(&["run", path(file)]);
        assert!(
            report.contains(&format!("{target}, on the emulator")),
            "{report}"
        );
    }
    let (_, ptx, _) = said(&["compile", "-o", "-", "--arch", "sm_80", path(&named)]);
    assert!(ptx.contains(".target sm_80\n"), "{ptx}");
}

#[test]
fn targets_as_other_compilers_write_them() {
    let folder = Folder::new("command");
    let file = folder.file("k.ll", KERNEL);
    for flags in [
        &["--arch", "compute_90"][..],
        &["-arch=compute_90"],
        &["--gpu-name", "sm_90"],
        &["-mcpu=sm_90"],
        &["-mcpu", "sm_90"],
    ] {
        let all = [&["compile", "-o", "-", path(&file)], flags].concat();
        let (status, ptx, stderr) = said(&all);
        assert_eq!(status, 0, "{flags:?}: {stderr}");
        assert!(ptx.contains(".target sm_90\n"), "{flags:?}: {ptx}");
    }
    let (status, _, stderr) = said(&["compile", "--arch", "compute_91", path(&file)]);
    assert_eq!(status, 2);
    assert!(stderr.contains("compute_91"), "{stderr}");
}

/// A loop with an atomic whose order ptxas would lose, next to a fence: every pass after selection has work here.
const LOOP: &str = "@s = internal addrspace(3) global float undef\n\
    define ptx_kernel void @k(ptr addrspace(1) %p, i32 %n) {\nentry:\n  br label %loop\nloop:\n\
      %i = phi i32 [0, %entry], [%next, %loop]\n  %next = add i32 %i, 1\n\
      %v = atomicrmw fadd ptr addrspace(3) @s, float 1.0 syncscope(\"device\") acq_rel\n\
      fence syncscope(\"device\") seq_cst\n  %c = icmp slt i32 %next, %n\n\
      br i1 %c, label %loop, label %out\nout:\n  store i32 %next, ptr addrspace(1) %p\n  ret void\n}\n\
    define void @f() {\n  ret void\n}\n";

/// The passes after selection, with what the code has after each and did not have before.
const LATE_PASSES: [(&str, &str, &str); 5] = [
    ("select", "=> %p", "bra"),
    ("hoist_moves", "? $B1 : $B2", "$M0"),
    ("assemble", "@%p1 bra $L__BB0_1;", "=>"),
    (
        "legalize_atomics",
        "fence.acq_rel.gpu;\n\tfence.sc.gpu;",
        "atom.acq_rel",
    ),
    (
        "merge_fences",
        "fence.sc.gpu;",
        "fence.acq_rel.gpu;\n\tfence.sc.gpu;",
    ),
];

#[test]
fn every_step_after_selection_can_be_printed_and_timed() {
    let folder = Folder::new("command");
    let file = folder.file("k.ll", LOOP);
    let compile = ["compile", "-o", "-", "--arch", "sm_90", path(&file)];
    for (pass, there, gone) in LATE_PASSES {
        let (status, ptx, stderr) = said(&[&compile[..], &["--print-after", pass]].concat());
        assert_eq!(status, 0, "{stderr}");
        assert!(ptx.starts_with(".version"), "{ptx}");
        let first = format!("// after {pass}\n");
        assert!(stderr.starts_with(&first), "{pass}: {stderr}");
        // One text a function.
        assert_eq!(stderr.matches("// after ").count(), 2, "{pass}: {stderr}");
        assert!(stderr.contains(there), "{pass}: {stderr}");
        assert!(!stderr.contains(gone), "{pass}: {stderr}");
    }
    // All the way to machine code.
    let cubin = folder.join("k.cubin");
    let compile = [
        "compile",
        "-o",
        path(&cubin),
        "--arch",
        "sm_90",
        path(&file),
    ];
    let (_, _, all) = said(&[&compile[..], &["--print-after", "all", "--time-passes"]].concat());
    let (_, help, _) = said(&["compile", "--help"]);
    let mut lines = help.lines();
    let listed = lines.find(|line| line.contains("The passes, in order: "));
    let (_, names) = listed
        .and_then(|line| line.split_once(": "))
        .expect("they are listed");
    let mut rest = all.as_str();
    for name in names.trim_end_matches('.').split(", ") {
        // In the order of the list, whatever the language of the code.
        let place = rest.find(&format!(" after {name}\n"));
        rest = &rest[place.unwrap_or_else(|| panic!("no code after {name}"))..];
        let time = format!(" ms  {name}\n");
        assert_eq!(all.matches(&time).count(), 1, "one time for {name}");
    }
    assert!(
        names.contains("read, ") && names.ends_with("assign_reuse."),
        "{names}"
    );
    let (status, _, stderr) = said(&[&compile[..], &["--print-after", "nothing"]].concat());
    assert_eq!(status, 2);
    assert!(
        stderr.contains("there is no pass `nothing`; there are read, "),
        "{stderr}"
    );
}

#[test]
fn passes_can_be_left_out() {
    let folder = Folder::new("command");
    let file = folder.file("k.ptx", PTX);
    let out = folder.path().join("k.cubin");
    let with = |words: &[&str]| {
        let mut line = vec!["compile", path(&file), "-o", path(&out)];
        line.extend(words);
        line.extend(["--print-after", "all"]);
        said(&line)
    };
    let ran = |stderr: &str, pass: &str| stderr.contains(&format!(" after {pass}\n"));
    let (status, _, stderr) = with(&["--without-pass", "opt_gvn", "--without-pass", "opt_fuse"]);
    assert_eq!(status, 0, "{stderr}");
    assert!(ran(&stderr, "opt_dce") && ran(&stderr, "schedule_latency"));
    assert!(!ran(&stderr, "opt_gvn") && !ran(&stderr, "opt_fuse"));
    let (status, _, stderr) = with(&["--only-pass", "opt_gvn", "--only-pass", "opt_dce"]);
    assert_eq!(status, 0, "{stderr}");
    assert!(ran(&stderr, "opt_dce") && ran(&stderr, "opt_gvn") && ran(&stderr, "converge"));
    assert!(!ran(&stderr, "opt_fuse") && !ran(&stderr, "schedule_latency"));
    let (status, _, stderr) = with(&["--without-pass", "opt_gnv"]);
    assert_eq!(status, 2);
    assert!(stderr.contains("did you mean `opt_gvn`?"), "{stderr}");
    let (status, _, stderr) = with(&["--only-pass", "assign_registers"]);
    assert_eq!(status, 2);
    assert!(stderr.contains("cannot be left out"), "{stderr}");
}

#[test]
fn versions_are_searched_on_demand() {
    let folder = Folder::new("command");
    // Loads that are waited for one after the other: more rounds at a time are faster.
    let text = ".version 8.4\n.target sm_90a\n.address_size 64\n\
        .visible .entry k(.param .u64 in, .param .u64 out, .param .u32 count) {\n\
        .reg .b64 %rd<3>; .reg .b32 %r<3>; .reg .f32 %f<3>; .reg .pred %p<2>;\n\
        ld.param.u64 %rd1, [in]; ld.param.u64 %rd2, [out]; ld.param.u32 %r1, [count];\n\
        mov.b32 %r2, 0; mov.f32 %f1, 0f00000000;\nLOOP:\n\
        ld.global.f32 %f2, [%rd1]; fma.rn.f32 %f1, %f2, %f2, %f1;\n\
        add.s64 %rd1, %rd1, 4; add.s32 %r2, %r2, 1; setp.lt.u32 %p1, %r2, %r1;\n@%p1 bra LOOP;\n\
        st.global.f32 [%rd2], %f1;\nret;\n}\n";
    let file = folder.file("k.ptx", text);
    let out = folder.path().join("k.cubin");
    let with = |words: &[&str]| {
        let mut line = vec!["compile", path(&file), "-o", path(&out)];
        line.extend(words);
        let (status, _, stderr) = said(&line);
        assert_eq!(status, 0, "{words:?}: {stderr}");
        std::fs::read(&out).expect("a cubin")
    };
    let usual = with(&[]);
    let tuned = with(&["--tune", "--verify"]);
    assert_ne!(usual, tuned);
    assert_eq!(tuned, with(&["-O4", "-j", "1"]));
    assert_eq!(tuned, with(&["-O", "4", "-j", "3"]));
    assert_eq!(usual, with(&["-O3"]));
    let (status, ..) = said(&["compile", path(&file), "-o", path(&out), "-O5"]);
    assert_eq!(status, 2);
}

#[test]
fn a_reader_that_stops_is_not_a_failure() {
    let folder = Folder::new("command");
    let mut text = KERNEL.to_owned();
    for i in 0..2000 {
        text.push_str(&format!("define void @f{i}() {{\n  ret void\n}}\n"));
    }
    let file = folder.file("k.ll", text);
    for flags in [&["--print-after", "all"][..], &["--time-passes"], &["-v"]] {
        let mut child = warpc()
            .args(["compile", "-o", "-", path(&file)])
            .args(flags)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("warpc runs");
        // Nobody reads either stream.
        drop(child.stdout.take());
        drop(child.stderr.take());
        let status = child.wait().expect("it ends");
        assert_eq!(status.code(), Some(0), "{flags:?}");
    }
    for command in [
        &["builtins"][..],
        &["explain", "mma"],
        &["completions", "zsh"],
        &["man"],
        &["--help"],
    ] {
        let mut child = warpc()
            .args(command)
            .stdout(Stdio::piped())
            .spawn()
            .expect("warpc runs");
        drop(child.stdout.take());
        assert_eq!(
            child.wait().expect("it ends").code(),
            Some(0),
            "{command:?}"
        );
    }
}

#[test]
fn colours_come_when_they_are_asked_for() {
    let folder = Folder::new("command");
    let file = folder.file("k.ptx", PTX.replace("ret;", "rat;"));
    let has_colours = |command: &mut Command| {
        let output = command
            .args(["check", path(&file)])
            .output()
            .expect("warpc runs");
        output.stderr.contains(&0x1b)
    };
    assert!(
        !has_colours(&mut warpc()),
        "standard error is not a terminal"
    );
    assert!(has_colours(warpc().args(["--color", "always"])));
    assert!(has_colours(
        warpc().args(["--color", "always"]).env("NO_COLOR", "1")
    ));
    assert!(!has_colours(warpc().args(["--color", "never"])));
}

#[test]
fn warnings_can_be_errors() {
    let folder = Folder::new("command");
    let file = folder.file("k.ll", WARNED);
    let (status, _, stderr) = said(&["compile", path(&file)]);
    assert_eq!(status, 0, "{stderr}");
    assert!(stderr.contains("warning["), "{stderr}");
    std::fs::remove_file(file.with_extension("ptx")).expect("it was written");
    let (status, _, stderr) = said(&["compile", "-Werror", path(&file)]);
    assert_eq!(status, 1, "{stderr}");
    assert!(
        stderr.contains("error[") && !stderr.contains("warning["),
        "{stderr}"
    );
    assert!(!file.with_extension("ptx").exists(), "nothing is written");
    assert_eq!(said(&["-W", "error", "run", path(&file)]).0, 1);
}

#[test]
fn verbose_says_what_is_done() {
    let folder = Folder::new("command");
    let file = folder.file("k.ll", KERNEL);
    let (_, _, stderr) = said(&["compile", "-v", path(&file)]);
    assert!(stderr.contains("for sm_75\n"), "{stderr}");
    assert!(stderr.contains("k.ptx\n"), "{stderr}");
    assert_eq!(said(&["compile", path(&file)]).2, "");
}

#[test]
fn several_inputs() {
    let folder = Folder::new("command");
    let first = folder.file("a.ll", KERNEL);
    let second = folder.file("b.ll", KERNEL);
    let (status, _, stderr) = said(&["compile", path(&first), path(&second)]);
    assert_eq!(status, 0, "{stderr}");
    assert!(first.with_extension("ptx").exists() && second.with_extension("ptx").exists());
    let (status, _, stderr) = said(&["compile", "-o", "x.ptx", path(&first), path(&second)]);
    assert_eq!(status, 2, "{stderr}");
    // One that is wrong does not keep the others from being made.
    let wrong = folder.file("wrong.ll", "define");
    std::fs::remove_file(second.with_extension("ptx")).expect("it was written");
    assert_eq!(said(&["compile", path(&wrong), path(&second)]).0, 1);
    assert!(second.with_extension("ptx").exists());
}

#[test]
fn fmt_in_place_and_check() {
    let folder = Folder::new("command");
    let text = format!("// run: --grid 1 --block 1\n{PTX}");
    let file = folder.file("k.ptx", &text);
    let other = folder.file("l.ptx", &text);
    let (status, _, stderr) = said(&["fmt", path(&file), path(&other)]);
    assert_eq!(status, 2, "{stderr}");
    let (status, _, stderr) = said(&["fmt", "--check", path(&file)]);
    assert_eq!(status, 1);
    assert!(stderr.contains("not in canonical form"), "{stderr}");
    assert_eq!(said(&["fmt", "--in-place", path(&file), path(&other)]).0, 0);
    assert_eq!(said(&["fmt", "--check", path(&file), path(&other)]).0, 0);
    let text = std::fs::read_to_string(&file).expect("it is there");
    assert!(
        text.starts_with("// run: --grid 1 --block 1\n.version 8.0\n"),
        "{text}"
    );
    assert_eq!(
        said(&["run", path(&file)]).0,
        0,
        "its launch is still there"
    );
}

#[cfg(unix)]
#[test]
fn names_need_not_be_utf8() {
    use std::os::unix::ffi::OsStrExt;
    let folder = Folder::new("command");
    let file = folder.file(OsStr::from_bytes(b"k\xff.ll"), KERNEL);
    let output = ran(&[OsStr::new("compile"), file.as_os_str()]);
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    let made = folder.join(OsStr::from_bytes(b"k\xff.ptx"));
    assert!(made.exists());
    for command in ["check", "fmt"] {
        let output = ran(&[OsStr::new(command), made.as_os_str()]);
        assert!(output.status.success(), "{command}");
    }
}

#[test]
fn wrong_kinds_are_told_with_the_right_ones() {
    let folder = Folder::new("command");
    let text = folder.file("k.ptx", PTX);
    let cubin = folder.file("k.cubin", "");
    for (command, file, taken) in [
        (
            "compile",
            &cubin,
            "this is a cubin (.cubin); the command takes LLVM IR (.ll, .bc), MLIR (.mlir), PTX (.ptx) and assembly texts (.sass)",
        ),
        (
            "link",
            &text,
            "this is PTX (.ptx); the command takes LLVM IR (.ll, .bc)",
        ),
        (
            "dis",
            &text,
            "this is PTX (.ptx); the command takes cubins (.cubin) and fatbins (.fatbin)",
        ),
    ] {
        let (status, _, stderr) = said(&[command, path(file)]);
        assert_eq!(status, 1);
        assert!(stderr.contains(taken), "{stderr}");
    }
}

/// Whether a value is as a schema says: the parts of JSON Schema that ours uses, and no others.
pub fn fits(schema: &Value, value: &Value) -> Result<(), String> {
    for (keyword, rule) in schema.as_object().ok_or("a schema is an object")? {
        let list = || rule.as_array().ok_or("a list is wanted");
        match keyword.as_str() {
            "$schema" | "title" | "description" => {}
            "oneOf" => {
                let fitting = list()?
                    .iter()
                    .filter(|one| fits(one, value).is_ok())
                    .count();
                if fitting != 1 {
                    return Err(format!("{fitting} alternatives fit {value}"));
                }
            }
            "const" if rule == value => {}
            "const" => return Err(format!("{value} is not {rule}")),
            "enum" if list()?.contains(value) => {}
            "enum" => return Err(format!("{value} is none of {rule}")),
            "type" => {
                let is = match rule.as_str() {
                    Some("object") => value.is_object(),
                    Some("array") => value.is_array(),
                    Some("string") => value.is_string(),
                    Some("integer") => value.is_u64() || value.is_i64(),
                    Some("boolean") => value.is_boolean(),
                    _ => return Err(format!("unknown type {rule}")),
                };
                if !is {
                    return Err(format!("{value} is not of type {rule}"));
                }
            }
            "minimum" => {
                if value.as_i64() < rule.as_i64() {
                    return Err(format!("{value} is below {rule}"));
                }
            }
            "required" => {
                for key in list()? {
                    let key = key.as_str().ok_or("keys are strings")?;
                    value.get(key).ok_or(format!("{value} lacks {key}"))?;
                }
            }
            "properties" => {
                for (key, value) in value.as_object().into_iter().flatten() {
                    if let Some(schema) = rule.get(key) {
                        fits(schema, value)?;
                    }
                }
            }
            "additionalProperties" => {
                let known = schema.get("properties").and_then(Value::as_object);
                for key in value.as_object().into_iter().flatten().map(|(key, _)| key) {
                    if !known.is_some_and(|known| known.contains_key(key)) {
                        return Err(format!("{key} is not described"));
                    }
                }
            }
            "items" => {
                for item in value.as_array().into_iter().flatten() {
                    fits(rule, item)?;
                }
            }
            other => return Err(format!("the test does not know `{other}`")),
        }
    }
    Ok(())
}

#[test]
fn json_is_as_the_schema_says_and_all_of_it_is_given() {
    let schema = project::root().join("docs/diagnostics.schema.json");
    let schema = std::fs::read_to_string(schema).expect("the schema is there");
    let schema: Value = serde_json::from_str(&schema).expect("the schema is JSON");
    let folder = Folder::new("command");
    let wrong = |count: usize| PTX.replace("ret;", &"foo;\n".repeat(count));
    let some = folder.file("some.ptx", wrong(300));
    let many = folder.file("many.ptx", wrong(3000));
    let warned = folder.file("warned.ll", WARNED);
    let stuck = project::tests().join("files/run/faults/spins_forever.ptx");
    let lines = |arguments: &[&str]| {
        let all = [&["--message-format", "json"], arguments].concat();
        let (_, _, stderr) = said(&all);
        let lines: Vec<Value> = stderr
            .lines()
            .map(|line| serde_json::from_str(line).unwrap_or_else(|_| panic!("{line}")))
            .collect();
        for line in &lines {
            if let Err(error) = fits(&schema, line) {
                panic!("{arguments:?}: {error}");
            }
        }
        assert!(!lines.is_empty(), "{arguments:?}");
        lines
    };
    assert_eq!(lines(&["check", path(&some)]).len(), 300);
    let all = lines(&["check", path(&many)]);
    let summary = &all.last().expect("a line")["summary"];
    assert_eq!(summary["errors"].as_u64(), Some(1000), "{summary}");
    assert_eq!(summary["shown"].as_u64(), Some(all.len() as u64 - 1));
    lines(&["compile", "-v", path(&warned)]);
    lines(&["run", path(&stuck)]);
    lines(&["run", path(&stuck), "--case", "99"]);
    lines(&["run", path(&stuck), "--case", "1", "--arg", "u32=x"]);
    lines(&["check", "no/such.ptx"]);
    lines(&["dis", path(&some)]);
    assert!(
        fits(
            &schema,
            &serde_json::json!({ "severity": "bad", "message": "" })
        )
        .is_err()
    );
    assert!(fits(&schema, &serde_json::json!({ "severity": "note" })).is_err());
}

#[test]
fn manual_and_completions_follow_the_flags() {
    let (status, page, _) = said(&["man", "compile"]);
    assert_eq!(status, 0);
    assert!(page.contains("warpc\\-compile"), "{page}");
    assert!(
        page.contains("gpu\\-name") && page.contains("message\\-format"),
        "{page}"
    );
    let (status, _, stderr) = said(&["man", "nothing"]);
    assert_eq!(status, 2);
    assert!(stderr.contains("compile"), "{stderr}");
    let folder = Folder::new("command");
    let pages = folder.join("man1");
    assert_eq!(said(&["man", "--out", path(&pages)]).0, 0);
    for name in ["warpc.1", "warpc-run.1", "warpc-dis.1"] {
        assert!(pages.join(name).exists(), "{name}");
    }
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let (status, script, _) = said(&["completions", shell]);
        assert_eq!(status, 0);
        assert!(script.contains("lowest-version"), "{shell}");
    }
}

#[test]
fn standard_input_is_not_formatted_in_place() {
    let mut child = warpc()
        .args(["fmt", "-i", "-"])
        .stdin(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("warpc runs");
    let _ = child
        .stdin
        .take()
        .expect("a pipe")
        .write_all(PTX.as_bytes());
    let output = child.wait_with_output().expect("it ends");
    assert_eq!(output.status.code(), Some(2));
}

/// The binary that users get has no symbols; what a bug report needs is in the message of W0999.
#[test]
fn the_release_binary_is_stripped() {
    let manifest = project::root().join("Cargo.toml");
    let manifest = std::fs::read_to_string(manifest).expect("the manifest is there");
    let release = manifest
        .split("[profile.release]")
        .nth(1)
        .expect("a profile");
    let release = release.split("\n[").next().unwrap_or(release);
    assert!(release.contains("strip = \"symbols\""), "{release}");
    assert!(!release.contains("debug ="), "{release}");
}
