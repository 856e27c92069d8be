//! `warpc cicc`: every mode by its command line; programs of several files linked from LTO-IR do what they do as one module.
//!
//! With `WARPC_LTO_OUT=FOLDER` the programs are written there as PTX with their launches, to be run on a GPU:
//! `warpc-hw kernels --dir FOLDER`.

use std::path::Path;
use std::process::{Command, Output};
use warpc_testkit::random::Random;
use warpc_testkit::scratch::Folder;

fn run(words: &[&str], folder: &Path) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_warpc"));
    command.args(words).current_dir(folder);
    command.output().expect("warpc runs")
}

/// Runs a command that must do what it is told.
fn done(words: &[&str], folder: &Path) -> String {
    let output = run(words, folder);
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{words:?}: {said}");
    String::from_utf8_lossy(&output.stdout).into_owned()
}

fn read(folder: &Path, name: &str) -> Vec<u8> {
    std::fs::read(folder.join(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
}

/// A program, as one module and in files.
struct Program {
    whole: String,
    files: Vec<String>,
}

const HEAD: &str = "target triple = \"nvptx64-nvidia-cuda\"\n";

/// A program of a few files: functions that call each other, of several signatures, some internal and with the same name in
/// every file, one that several files define, tables in constant and global memory, pointers to functions.
fn program(seed: u64) -> Program {
    let mut random = Random::new(seed);
    let file_count = 2 + random.below(4);
    let count = 4 + random.below(8);
    let homes: Vec<usize> = (0..count).map(|_| random.below(file_count)).collect();
    let wide: Vec<bool> = (0..count).map(|_| random.below(3) == 0).collect();
    let signature = |index: usize| match wide[index] {
        true => format!("{{ i32, i64 }} @g{index}(i64 %x, i32 %y)"),
        false => format!("i32 @g{index}(i32 %x, i32 %y)"),
    };
    let mut bodies: Vec<(usize, String)> = Vec::new();
    for index in 0..count {
        let home = homes[index];
        let mut text = format!("define {} {{\n", signature(index));
        let mut number = 0;
        let mut value = "%y".to_owned();
        let next = |text: &mut String, number: &mut usize, line: String| {
            *number += 1;
            text.push_str(&format!("  %v{number} = {line}\n"));
            format!("%v{number}")
        };
        if wide[index] {
            let low = next(&mut text, &mut number, "trunc i64 %x to i32".to_owned());
            value = next(&mut text, &mut number, format!("xor i32 {low}, %y"));
        }
        for _ in 0..1 + random.below(4) {
            let constant = random.below(1 << 20);
            let line = match random.below(6) {
                0 => format!("mul i32 {value}, {}", constant | 1),
                1 => format!("add i32 {value}, {constant}"),
                2 => format!("call i32 @helper(i32 {value})"),
                3 => format!("call i32 @shared_helper(i32 {value})"),
                4 => {
                    let at = next(&mut text, &mut number, format!("and i32 {value}, 7"));
                    let space = if random.below(2) == 0 {
                        ("table", 4)
                    } else {
                        ("counts", 1)
                    };
                    let place = next(
                        &mut text,
                        &mut number,
                        format!(
                            "getelementptr i32, ptr addrspace({}) @{}, i32 {at}",
                            space.1, space.0
                        ),
                    );
                    let loaded = next(
                        &mut text,
                        &mut number,
                        format!("load i32, ptr addrspace({}) {place}", space.1),
                    );
                    format!("xor i32 {loaded}, {value}")
                }
                _ if index + 1 < count => {
                    let callee = index + 1 + random.below(count - index - 1);
                    if wide[callee] {
                        let long = next(&mut text, &mut number, format!("zext i32 {value} to i64"));
                        let both = next(
                            &mut text,
                            &mut number,
                            format!("call {{ i32, i64 }} @g{callee}(i64 {long}, i32 {constant})"),
                        );
                        format!("extractvalue {{ i32, i64 }} {both}, 0")
                    } else {
                        format!("call i32 @g{callee}(i32 {value}, i32 {constant})")
                    }
                }
                _ => format!("sub i32 {constant}, {value}"),
            };
            value = next(&mut text, &mut number, line);
        }
        match wide[index] {
            true => {
                let long = next(&mut text, &mut number, format!("sext i32 {value} to i64"));
                text.push_str(&format!(
                    "  %p = insertvalue {{ i32, i64 }} poison, i32 {value}, 0\n  \
                     %q = insertvalue {{ i32, i64 }} %p, i64 {long}, 1\n  ret {{ i32, i64 }} %q\n}}\n"
                ));
            }
            false => text.push_str(&format!("  ret i32 {value}\n}}\n")),
        }
        bodies.push((home, text));
    }
    let narrow: Vec<usize> = (0..count).filter(|&index| !wide[index]).collect();
    let pointed = narrow.get(random.below(narrow.len().max(1))).copied();
    let first = match wide[0] {
        true => "  %l = zext i32 %t to i64\n  %b = call { i32, i64 } @g0(i64 %l, i32 %n)\n  %r = extractvalue { i32, i64 } %b, 0\n".to_owned(),
        false => "  %r = call i32 @g0(i32 %t, i32 %n)\n".to_owned(),
    };
    let through = match pointed {
        Some(_) => {
            "  %f = load ptr, ptr addrspace(1) @functions\n  %s = call i32 %f(i32 %r, i32 %t)\n"
        }
        None => "  %s = add i32 %r, 1\n",
    };
    let kernel = format!(
        "define ptx_kernel void @k(ptr addrspace(1) %out, i32 %n) {{\n  \
         %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()\n{first}{through}  \
         %o = getelementptr i32, ptr addrspace(1) %out, i32 %t\n  store i32 %s, ptr addrspace(1) %o\n  ret void\n}}\n\
         declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()\n"
    );
    let numbers: Vec<String> = (0..8)
        .map(|_| format!("i32 {}", random.below(1000)))
        .collect();
    let numbers = numbers.join(", ");
    let tables = [
        ("table", 4, "constant", format!("[8 x i32] [{numbers}]")),
        ("counts", 1, "global", format!("[8 x i32] [{numbers}]")),
        (
            "functions",
            1,
            "global",
            match pointed {
                Some(index) => format!("[1 x ptr] [ptr @g{index}]"),
                None => "[1 x ptr] zeroinitializer".to_owned(),
            },
        ),
    ];
    let shared_helper = "define linkonce_odr i32 @shared_helper(i32 %x) {\n  %r = mul i32 %x, 31\n  ret i32 %r\n}\n";
    let helper = |file: usize| {
        format!(
            "define internal i32 @helper(i32 %x) {{\n  %r = add i32 %x, {}\n  ret i32 %r\n}}\n",
            file * 17 + 3
        )
    };
    let mut whole = HEAD.to_owned();
    let mut files = vec![HEAD.to_owned(); file_count];
    for (name, space, word, value) in &tables {
        let defined = format!("@{name} = addrspace({space}) {word} {value}\n");
        let ty = value.split(']').next().unwrap_or("");
        let declared = format!("@{name} = external addrspace({space}) {word} {ty}]\n");
        whole.push_str(&defined);
        for (file, text) in files.iter_mut().enumerate() {
            text.push_str(if file == 0 { &defined } else { &declared });
        }
    }
    whole.push_str(shared_helper);
    for (file, text) in files.iter_mut().enumerate() {
        text.push_str(shared_helper);
        text.push_str(&helper(file));
        whole.push_str(&helper(file).replace("@helper", &format!("@helper{file}")));
        for (index, (home, body)) in bodies.iter().enumerate() {
            if *home == file {
                text.push_str(body);
                whole.push_str(&body.replace("@helper", &format!("@helper{file}")));
            } else {
                let declared = signature(index).replace(" %x", "").replace(" %y", "");
                text.push_str(&format!("declare {declared}\n"));
            }
        }
    }
    whole.push_str(&kernel);
    let last = files.len() - 1;
    files[last].push_str(&kernel);
    Program { whole, files }
}

const LAUNCH: &str = "--kernel k --grid 1 --block 64 --arg u32[64]=0 --arg u32=5 --print 0:64";

/// What a program writes on the emulator.
fn result(folder: &Path, ptx: &str) -> String {
    let mut words = vec!["run", ptx, "--quiet"];
    words.extend(LAUNCH.split_whitespace());
    done(&words, folder)
}

#[test]
fn programs_linked_from_lto_ir_do_what_they_do_whole() {
    let out = std::env::var_os("WARPC_LTO_OUT");
    let mut several_results = 0;
    for seed in 0..36 {
        let folder = Folder::new("lto");
        let program = program(seed);
        let path = folder.path();
        folder.file("whole.ll", &program.whole);
        let mut parts = Vec::new();
        let mut sources = Vec::new();
        for (index, text) in program.files.iter().enumerate() {
            let (source, part) = (format!("f{index}.ll"), format!("f{index}.ltoir"));
            folder.file(&source, text);
            let mut words = vec![
                "cicc",
                "-arch",
                "compute_90",
                "-gen-lto",
                &source,
                "-o",
                &part,
            ];
            if seed % 3 == 0 {
                words.push("-gen-opt-lto");
            }
            done(&words, path);
            sources.push(source);
            parts.push(part);
        }
        done(
            &["cicc", "-arch", "compute_90", "whole.ll", "-o", "whole.ptx"],
            path,
        );
        let link = |mode: &str, inputs: &[String], ptx: &str| {
            let mut words = vec!["cicc", "-arch", "compute_90", mode, "-o", ptx];
            words.extend(inputs.iter().map(String::as_str));
            done(&words, path);
        };
        link("-link-lto", &parts, "linked.ptx");
        link("-lto", &sources, "at_once.ptx");
        let linked = read(path, "linked.ptx");
        if seed % 3 != 0 {
            assert!(linked == read(path, "at_once.ptx"), "seed {seed}");
        }
        let text = String::from_utf8_lossy(&linked).into_owned();
        assert!(!text.contains(".visible .func"), "seed {seed}: {text}");
        assert!(!text.contains(".extern"), "seed {seed}: {text}");
        let expected = result(path, "whole.ptx");
        assert_eq!(result(path, "linked.ptx"), expected, "seed {seed}");
        assert_eq!(result(path, "at_once.ptx"), expected, "seed {seed}");
        several_results += usize::from(
            expected
                .split_whitespace()
                .collect::<std::collections::HashSet<_>>()
                .len()
                > 20,
        );
        if let Some(out) = &out {
            let out = Path::new(out);
            std::fs::create_dir_all(out).expect("the folder can be made");
            for name in ["whole", "linked"] {
                let ptx = String::from_utf8_lossy(&read(path, &format!("{name}.ptx"))).into_owned();
                let text = format!("// run: {LAUNCH}\n{ptx}");
                std::fs::write(out.join(format!("lto{seed}_{name}.ptx")), text).expect("a file");
            }
        }
    }
    assert!(several_results >= 24, "{several_results}");
}

const KERNEL: &str = "target triple = \"nvptx64-nvidia-cuda\"\n\
    define ptx_kernel void @k(ptr addrspace(1) %p) {\n  store i32 1, ptr addrspace(1) %p\n  ret void\n}\n\
    define i32 @f(float %x) {\n  %y = fdiv float %x, 3.0\n  %z = fptosi float %y to i32\n  ret i32 %z\n}\n\
    define internal i32 @unused() {\n  ret i32 7\n}\n";

#[test]
fn each_mode_writes_its_files() {
    let folder = Folder::new("cicc");
    let path = folder.path();
    folder.file("k.ll", KERNEL);
    let is_bitcode = |name: &str| read(path, name).starts_with(b"BC\xC0\xDE");
    let is_ptx = |name: &str| read(path, name).starts_with(b".version ");
    let arch = ["cicc", "-arch", "compute_90"];
    let with = |words: &[&str]| {
        let all: Vec<&str> = arch.iter().chain(words).copied().collect();
        done(&all, path)
    };
    with(&["k.ll"]);
    assert!(is_ptx("k.ptx"));
    with(&["k.ll", "--emit-llvm-bc"]);
    assert!(is_bitcode("k.bc"));
    with(&["k.ll", "--emit-optix-ir"]);
    assert!(is_bitcode("k.optixir"));
    with(&["k.ll", "-gen-lto"]);
    assert!(is_bitcode("k.ltoir"));
    let alone = read(path, "k.ltoir");
    with(&["k.ll", "-gen-lto-and-llc", "-o", "a.ptx", "-olto", "a.lto"]);
    assert!(is_ptx("a.ptx") && read(path, "a.lto") == alone);
    with(&["k.ll", "-o", "b.ptx", "-olto", "b.lto"]);
    assert!(is_ptx("b.ptx") && read(path, "b.lto") == alone);
    with(&["k.ltoir", "-link-lto", "-o", "c.ptx"]);
    with(&["k.ll", "-lto", "-o", "d.ptx"]);
    assert_eq!(read(path, "c.ptx"), read(path, "d.ptx"));
    // Bitcode and OptiX IR are read back, by their bytes.
    with(&["k.bc", "-o", "e.ptx"]);
    with(&["k.optixir", "-o", "f.ptx"]);
    assert_eq!(read(path, "e.ptx"), read(path, "k.ptx"));
    assert_eq!(read(path, "f.ptx"), read(path, "k.ptx"));
    for parts in ["0", "1", "2", "7"] {
        with(&["k.ll", "-split-compile", parts, "-o", "s.ptx"]);
        assert_eq!(read(path, "s.ptx"), read(path, "k.ptx"));
        with(&["k.ll", "-split-compile-extended", parts, "-o", "s.ptx"]);
        assert_eq!(read(path, "s.ptx"), read(path, "k.ptx"));
    }
    with(&["k.ll", "-prec-div=0", "-ftz=1", "-o", "g.ptx"]);
    let text = String::from_utf8(read(path, "g.ptx")).expect("text");
    assert!(text.contains("div.full.ftz.f32"), "{text}");
}

#[test]
fn wrong_lines_are_named() {
    let folder = Folder::new("cicc");
    let path = folder.path();
    folder.file("k.ll", KERNEL);
    folder.file("k.cpp1.ii", "int x;\n");
    folder.file("bad.ll", "define void @f( {\n");
    for (words, status, expected) in [
        (
            &["-foo", "k.ll"][..],
            7,
            "libnvvm : error: -foo is an unsupported option\n",
        ),
        (
            &["-split-compile=2", "-split-compile=2", "k.ll"],
            7,
            "libnvvm : error: split compilation defined more than once\n",
        ),
        (
            &["-gen-lto", "-link-lto", "k.ll"],
            7,
            "libnvvm : error: -gen-lto and -link-lto exclude each other\n",
        ),
        (
            &["-m32", "k.ll"],
            7,
            "libnvvm : error: -m32: nvvm-32 is not supported: GPUs have 64-bit addresses\n",
        ),
        (
            &["k.cpp1.ii"],
            1,
            "error: k.cpp1.ii: C++ is not compiled here",
        ),
        (&["missing.ll"], 1, "error: missing.ll: "),
        (&["bad.ll"], 1, "bad.ll (2, 1): error: "),
        (
            &["k.ll", "k.ll", "-lto"],
            1,
            "k.ll (2, 24): error: `@k` is defined twice\n",
        ),
    ] {
        let all: Vec<&str> = ["cicc"].iter().chain(words).copied().collect();
        let output = run(&all, path);
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(status), "{words:?}: {said}");
        assert!(said.contains(expected), "{words:?}: {said}");
    }
}

#[test]
fn the_program_is_cicc_by_its_name() {
    let folder = Folder::new("cicc");
    let path = folder.path();
    folder.file("k.ll", KERNEL);
    let program = path.join("cicc");
    std::fs::copy(env!("CARGO_BIN_EXE_warpc"), &program).expect("a copy");
    let output = Command::new(&program)
        .args(["-arch", "compute_80", "k.ll", "-o", "-"])
        .current_dir(path)
        .output()
        .expect("it runs");
    assert!(String::from_utf8_lossy(&output.stdout).contains(".target sm_80"));
}

/// Several files at the same time: the same outputs, and diagnostics in the order of the files.
#[test]
fn jobs_change_nothing() {
    let folder = Folder::new("jobs");
    let path = folder.path();
    let names: Vec<String> = (0..24).map(|index| format!("k{index:02}.ll")).collect();
    for (index, name) in names.iter().enumerate() {
        let text = match index % 4 {
            3 => format!("define void @f{index}() {{\n  %x = add i32 1, i64 2\n  ret void\n}}\n"),
            _ => KERNEL.replace("@f(", &format!("@f{index}(")),
        };
        folder.file(name, text);
    }
    let compile = |jobs: &str| {
        let mut words = vec!["compile", "--arch", "sm_90", "-j", jobs];
        words.extend(names.iter().map(String::as_str));
        let output = run(&words, path);
        let outputs: Vec<Option<Vec<u8>>> = names
            .iter()
            .map(|name| {
                let ptx = path.join(name).with_extension("ptx");
                let bytes = std::fs::read(&ptx).ok();
                let _ = std::fs::remove_file(&ptx);
                bytes
            })
            .collect();
        (output.status.code(), output.stderr, outputs)
    };
    let one = compile("1");
    assert_eq!(one.0, Some(1));
    assert_eq!(one.2.iter().flatten().count(), 18);
    for jobs in ["2", "5", "0"] {
        assert!(compile(jobs) == one, "{jobs} jobs");
    }
}

#[test]
fn fingerprints_are_keys() {
    let folder = Folder::new("fingerprint");
    let path = folder.path();
    folder.file("k.ll", KERNEL);
    folder.file("same.ll", KERNEL);
    folder.file("other.ll", format!("{KERNEL}; more\n"));
    let build = done(&["fingerprint"], path);
    assert!(build.starts_with("warpc ") && build == done(&["fingerprint"], path));
    let key = |words: &[&str]| {
        let all: Vec<&str> = ["fingerprint", "cicc"]
            .iter()
            .chain(words)
            .copied()
            .collect();
        done(&all, path)
    };
    let first = key(&["-arch", "compute_90", "k.ll", "-o", "a.ptx"]);
    assert_eq!(first.trim().len(), 64);
    assert_eq!(
        first,
        key(&["-arch", "compute_90", "same.ll", "-o", "b.ptx"])
    );
    assert_ne!(
        first,
        key(&["-arch", "compute_90", "other.ll", "-o", "a.ptx"])
    );
    assert_ne!(first, key(&["-arch", "compute_80", "k.ll", "-o", "a.ptx"]));
    let words = ["fingerprint", "--message-format", "json", "cicc", "k.ll"];
    let json: serde_json::Value = serde_json::from_str(&done(&words, path)).expect("an object");
    assert_eq!(json["inputs"][0]["name"], "k.ll");
    assert_eq!(json["key"].as_str().map(str::len), Some(64));
}
