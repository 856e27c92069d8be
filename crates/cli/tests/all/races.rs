//! `warpc run --races` on LLVM IR: both places are in the source, and the flag and the default do what they say.

use std::process::Command;
use warpc_testkit::scratch::Folder;

const KERNEL: &str = r#"; run: --grid 1 --block 64 --arg u32[64]=0
target triple = "nvptx64-nvidia-cuda"

@s = internal addrspace(3) global [64 x i32] undef, align 4

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare void @llvm.nvvm.barrier0()

define ptx_kernel void @k(ptr addrspace(1) %out) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %own = getelementptr [64 x i32], ptr addrspace(3) @s, i32 0, i32 %t
  store i32 %t, ptr addrspace(3) %own, align 4
  BARRIER
  %n = xor i32 %t, 32
  %other = getelementptr [64 x i32], ptr addrspace(3) @s, i32 0, i32 %n
  %v = load i32, ptr addrspace(3) %other, align 4
  %to = getelementptr i32, ptr addrspace(1) %out, i32 %t
  store i32 %v, ptr addrspace(1) %to, align 4
  ret void
}
"#;

#[test]
fn llvm_ir() {
    let folder = Folder::new("races");
    let file = folder.path().join("k.ll");
    let run = |barrier: &str, flags: &[&str]| {
        std::fs::write(&file, KERNEL.replace("BARRIER", barrier)).expect("it is written");
        let mut command = Command::new(env!("CARGO_BIN_EXE_warpc"));
        // What no thread has written yet is another finding.
        let flags = [&["--init", "off"], flags].concat();
        let output = command.arg("run").arg(&file).args(flags).output();
        let output = output.expect("warpc runs");
        let text = String::from_utf8_lossy(&output.stderr).into_owned();
        (output.status.code(), text)
    };
    let barrier = "call void @llvm.nvvm.barrier0()";
    for flags in [&[][..], &["--races", "shared"], &["--races", "all"]] {
        let (status, text) = run("", flags);
        assert_eq!(status, Some(1), "{text}");
        for part in [
            "error[W0740]",
            "store i32 %t",
            "%v = load i32",
            "`bar.sync`",
        ] {
            assert!(text.contains(part), "{part}: {text}");
        }
        let (status, text) = run(barrier, flags);
        assert_eq!(status, Some(0), "{text}");
    }
    assert_eq!(run("", &["--races", "off"]).0, Some(0));
}

/// Blocks write to the same words.
const BLOCKS: &str = ".version 8.0\n.target sm_90\n.address_size 64\n\
    .visible .entry k(.param .u64 out) {\n\
    .reg .b32 %r<4>; .reg .b64 %rd<4>;\n\
    ld.param.u64 %rd1, [out]; mov.u32 %r1, %tid.x; mov.u32 %r2, %ctaid.x;\n\
    mul.wide.u32 %rd2, %r1, 4; add.u64 %rd3, %rd1, %rd2;\n\
    st.global.u32 [%rd3], %r2;\n\
    ret; }\n";

fn run(file: &std::path::Path, flags: &[&str]) -> (Option<i32>, String, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_warpc"));
    let output = command.arg("run").arg(file).args(flags).output();
    let output = output.expect("warpc runs");
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (
        output.status.code(),
        text(&output.stdout),
        text(&output.stderr),
    )
}

/// A race does not end a run: what was asked for is there, in every form, and so are later launches.
#[test]
fn a_race_leaves_results() {
    let folder = Folder::new("races_results");
    let file = folder.file("k.ptx", BLOCKS);
    let saved = folder.path().join("out.bin");
    let save = format!("0:{}", saved.display());
    let flags = [
        "--grid",
        "2",
        "--block",
        "32",
        "--arg",
        "u32[32]=9",
        "--print",
        "0:3",
    ];
    let with = |more: &[&str]| run(&file, &[&flags[..], more].concat());
    let (status, out, errors) = with(&["--expect", "0:=1", "--save", &save]);
    assert_eq!(status, Some(1), "{errors}");
    assert!(errors.contains("error[W0740]"), "{errors}");
    assert!(out.contains("0 │ 1 1 1\n"), "{out}");
    assert!(out.contains("1 finding, results as expected"), "{out}");
    let bytes = std::fs::read(&saved).expect("it was saved");
    assert_eq!(bytes, 1u32.to_le_bytes().repeat(32));
    // What was expected is compared.
    let (status, out, errors) = with(&["--expect", "0:=2"]);
    assert_eq!(status, Some(1));
    assert!(out.contains("1 finding, results not as expected"), "{out}");
    assert!(
        errors.contains("W0740") && errors.contains("element 0"),
        "{errors}"
    );
    // Both launches of a sequence, as JSON.
    let then = [
        "--then",
        "--arg u32[32]=7 --print 0:2",
        "--message-format",
        "json",
    ];
    let (status, out, errors) = with(&then);
    assert_eq!(status, Some(1), "{errors}");
    let objects = out.lines().map(serde_json::from_str::<serde_json::Value>);
    let objects: Vec<_> = objects.map(|one| one.expect("an object")).collect();
    assert_eq!(objects.len(), 2, "{out}");
    assert_eq!(
        objects[0]["buffers"][0]["values"],
        serde_json::json!([1, 1, 1])
    );
    assert_eq!(
        objects[1]["buffers"][0]["values"],
        serde_json::json!([1, 1])
    );
    assert_eq!(objects[1]["findings"], 2);
    assert_eq!(errors.matches("\"W0740\"").count(), 2, "{errors}");
    // Several schedules are compared, though each has a race.
    let (status, _, errors) = with(&["--seeds", "8"]);
    assert_eq!(status, Some(1));
    assert!(errors.contains("error[W0770]"), "{errors}");
    // What ends a run leaves none.
    let trap = BLOCKS
        .replace("    ret;", "    trap;")
        .replace("ret; }", "trap; }");
    std::fs::write(&file, trap).expect("it is written");
    let (status, out, _) = with(&[]);
    assert_eq!((status, out.as_str()), (Some(1), ""));
}

/// What was not looked for is said where nothing was found.
#[test]
fn what_was_not_looked_for() {
    let folder = Folder::new("races_left_out");
    let file = folder.file("k.ptx", BLOCKS);
    let large = "races in global memory were not looked for: the launch is large (`--races all`)";
    let by_flag = "races in global memory were not looked for (`--races all`)";
    let init = "uses of uninitialised memory were not looked for (`--init on`)";
    for (grid, flags, told, names) in [
        ("70", &[][..], large.to_owned(), "global_races"),
        ("1", &[], String::new(), ""),
        (
            "1",
            &["--races", "shared"],
            by_flag.to_owned(),
            "global_races",
        ),
        (
            "70",
            &["--races", "off", "--init", "off"],
            format!("races were not looked for (`--races`); {init}"),
            "shared_races,global_races,uninitialised",
        ),
        ("1", &["--init", "off"], init.to_owned(), "uninitialised"),
    ] {
        let shape = ["--grid", grid, "--block", "256", "--arg", "u32[256]=0"];
        let flags = [&shape, flags].concat();
        let (status, out, errors) = run(&file, &flags);
        assert_eq!(status, Some(0), "{errors}");
        let mut lines = out.lines().skip_while(|line| *line != "no findings");
        assert_eq!(lines.next(), Some("no findings"), "{out}");
        assert_eq!(lines.collect::<Vec<_>>().join("\n"), told, "{flags:?}");
        let (_, out, _) = run(&file, &[&flags[..], &["--message-format", "json"]].concat());
        let object: serde_json::Value = serde_json::from_str(&out).expect("an object");
        let list = object["not_looked_for"].as_array().expect("a list");
        let list: Vec<&str> = list.iter().filter_map(|one| one.as_str()).collect();
        assert_eq!(list.join(","), names, "{flags:?}");
    }
}

/// Tensor memory is not watched, and that is said.
#[test]
fn races_in_tensor_memory_are_not_looked_for() {
    let folder = Folder::new("races_tensor");
    let kernel = ".version 8.6\n.target sm_100a\n.address_size 64\n.visible .entry k(.param .u64 p) {\n\
                  .shared .align 4 .b32 place; .reg .b32 %r;\n\
                  tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [place], 32;\nbar.warp.sync -1;\n\
                  ld.shared.b32 %r, [place];\n\
                  tcgen05.dealloc.cta_group::1.sync.aligned.b32 %r, 32;\nret;\n}\n";
    let file = folder.file("k.ptx", kernel);
    let shape = ["--grid", "1", "--block", "32", "--arg", "u32[1]=0"];
    for (flags, told, names) in [
        (
            &[][..],
            "races in tensor memory were not looked for: they are not followed",
            "tensor_races",
        ),
        (
            &["--races", "off"],
            "races were not looked for (`--races`)",
            "shared_races,global_races,tensor_races",
        ),
    ] {
        let flags = [&shape, flags].concat();
        let (status, out, errors) = run(&file, &flags);
        assert_eq!(status, Some(0), "{errors}");
        assert_eq!(out.lines().last(), Some(told), "{out}");
        let (_, out, _) = run(&file, &[&flags[..], &["--message-format", "json"]].concat());
        let object: serde_json::Value = serde_json::from_str(&out).expect("an object");
        let list = object["not_looked_for"].as_array().expect("a list");
        let list: Vec<&str> = list.iter().filter_map(|one| one.as_str()).collect();
        assert_eq!(list.join(","), names);
    }
}

/// JSON has all diagnostics, however many there are; people get the first 20.
#[test]
fn json_has_no_cut() {
    let folder = Folder::new("races_many");
    let mistakes: String = (0..25)
        .map(|number| format!("    add.u32 %r1, %r1, %undeclared{number};\n"))
        .collect();
    let text = BLOCKS.replace("ret; }", &format!("{mistakes}ret; }}"));
    let file = folder.file("k.ptx", &text);
    let flags = ["--grid", "1", "--block", "1", "--arg", "u32[1]=0"];
    let (status, _, errors) = run(&file, &flags);
    assert_eq!(status, Some(1));
    assert_eq!(errors.matches("error[").count(), 20, "{errors}");
    assert!(errors.contains("5 more errors"), "{errors}");
    let (status, _, errors) = run(&file, &[&flags[..], &["--message-format", "json"]].concat());
    assert_eq!(status, Some(1));
    let all = errors
        .lines()
        .map(serde_json::from_str::<serde_json::Value>);
    assert_eq!(all.filter(Result::is_ok).count(), 25, "{errors}");
}

/// One missing barrier through every door: LLVM IR with inline assembly, its bitcode, its PTX, MLIR; and machine code, where
/// races are not looked for, which is said.
#[test]
fn every_door() {
    let folder = Folder::new("races_doors");
    let store = "store i32 %t, ptr addrspace(3) %own, align 4";
    let inline = "call void asm sideeffect \"st.shared.u32 [$0], $1;\", \"r,r,~{memory}\"(ptr addrspace(3) %own, i32 %t)";
    assert!(KERNEL.contains(store));
    let text = KERNEL.replace(store, inline);
    let mlir = warpc_testkit::project::root().join("tests/mlir/kernels/barrier_exchange.mlir");
    let mlir = std::fs::read_to_string(mlir).expect("a kernel");
    let shape = [
        "--grid", "1", "--block", "64", "--races", "all", "--init", "off",
    ];
    for barrier in [false, true] {
        let call = if barrier {
            "call void @llvm.nvvm.barrier0()"
        } else {
            ""
        };
        let ll = folder.file("k.ll", text.replace("BARRIER", call));
        let kept = mlir
            .lines()
            .filter(|line| barrier || !line.contains("nvvm.barrier"));
        let kept: Vec<&str> = kept.collect();
        let mlir = folder.file("k.mlir", kept.join("\n"));
        let compiled = ["bc", "ptx", "cubin"].map(|kind| {
            let out = folder.path().join(format!("made.{kind}"));
            let mut command = Command::new(env!("CARGO_BIN_EXE_warpc"));
            let command = command.args(["compile", "--arch", "sm_90", "--emit", kind, "-o"]);
            let made = command.arg(&out).arg(&ll).status().expect("warpc runs");
            assert!(made.success(), "{kind}");
            out
        });
        let [bitcode, ptx, cubin] = compiled;
        let one = ["--arg", "u32[64]=0"];
        let two = ["--arg", "u32[64]=iota", "--arg", "u32[64]=0"];
        let doors = [
            (&ll, &one[..], "k.ll:"),
            (&bitcode, &one, "made.bc:"),
            (&ptx, &one, "made.ptx:"),
            (&mlir, &two, "k.mlir:"),
        ];
        for (file, arguments, place) in doors {
            let (status, out, errors) = run(file, &[&shape, arguments].concat());
            let told = errors.contains("error[W0740]") && errors.contains("`bar.sync`");
            assert_eq!(status, Some(i32::from(!barrier)), "{place} {errors}");
            assert_eq!(told, !barrier, "{place} {errors}");
            assert!(barrier || errors.contains(place), "{place} {errors}");
            assert!(
                out.contains(if barrier { "no findings" } else { "1 finding" }),
                "{out}"
            );
        }
        let (status, out, errors) = run(&cubin, &[&shape, &one[..]].concat());
        assert_eq!(status, Some(0), "{errors}");
        let told =
            "races and uses of uninitialised memory were not looked for: this is machine code";
        assert!(out.contains(told), "{out}");
    }
}
