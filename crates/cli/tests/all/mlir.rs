//! The modules of `tests/mlir`, with what MLIR's and LLVM's tools made of them (`./x mlir`), replayed.
//!
//! A row of `tests/oracle/mlir.tsv` holds the number of our LLVM IR that was judged to be the same as
//! mlir-translate's, and what llc's code for the kernel showed on the emulator.

use std::path::Path;
use std::process::{Command, Output};
use warpc_testkit::scratch::Folder;
use warpc_testkit::{hash, project};

fn warpc(args: &[&str], file: &Path) -> Output {
    Command::new(env!("CARGO_BIN_EXE_warpc"))
        .args(args)
        .arg(file)
        .output()
        .expect("warpc runs")
}

/// The hash of the lines that say what a module does, as the task runner computes it.
fn number(text: &str) -> u64 {
    let other = ["declare", "attributes", "!", ";", "source_filename"];
    let lines = text
        .lines()
        .filter(|line| !line.is_empty() && !other.iter().any(|start| line.starts_with(start)));
    hash::of_parts(lines)
}

#[test]
fn modules_are_what_mlir_says() {
    let record = std::fs::read_to_string(project::oracle("mlir.tsv")).expect("a record");
    let (mut same, mut run, mut wrong) = (0, 0, Vec::new());
    for row in record.lines() {
        let fields: Vec<&str> = row.split('\t').collect();
        let [name, chip, sameness, recorded, shown] = fields[..] else {
            panic!("a row has five fields: {row}");
        };
        assert!(matches!(sameness, "same" | "simplified"), "{name}");
        let file = project::tests().join("mlir").join(format!("{name}.mlir"));
        let llvm = warpc(&["compile", "--emit", "ll", "-o", "-"], &file);
        let text = String::from_utf8_lossy(&llvm.stdout);
        if format!("{:016x}", number(&text)) != recorded {
            wrong.push(format!(
                "{name}: other LLVM IR than was judged; `./x mlir` judges it"
            ));
            continue;
        }
        same += 1;
        let ptx = warpc(&["compile", "--arch", chip, "-o", "-"], &file);
        if !ptx.status.success() {
            let said = String::from_utf8_lossy(&ptx.stderr).into_owned();
            wrong.push(format!("{name} is not compiled for {chip}: {said}"));
        }
        if shown.is_empty() {
            continue;
        }
        let ours = warpc(&["run", "--quiet", "--arch", chip], &file);
        let said = String::from_utf8_lossy(&ours.stdout).into_owned();
        let said = said.replace('\\', "\\\\").replace('\n', "\\n");
        if said != shown {
            wrong.push(format!("{name} shows {said}, llc's code {shown}"));
        }
        run += 1;
    }
    println!("{same} modules say what mlir-translate says, {run} compute what llc's code computes");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(same >= 60 && run >= 40, "{same} modules, {run} run");
}

#[test]
fn the_dialect_of_nvidia_runs() {
    // What MLIR's own tools do not know: waits on chips with and without the instruction that is suspended, and atomics.
    let wait = "3 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 ";
    let atomics = "64 31 192 3 1107296256 0 0 0";
    for (name, wanted) in [("mbarrier_wait", wait), ("atomics", atomics)] {
        let folder = project::tests().join("mlir/nvidia");
        let file = folder.join(format!("{name}.mlir"));
        for chip in ["sm_80", "sm_90", "sm_120"] {
            let run = warpc(&["run", "--quiet", "--arch", chip], &file);
            let said = String::from_utf8_lossy(&run.stdout).into_owned();
            let words: Vec<&str> = said.split_whitespace().collect();
            let text = format!("{} ", words.join(" "));
            assert!(
                run.status.success() && text.contains(wanted),
                "{name} {chip}: {said}"
            );
        }
    }
}

#[test]
fn fences_of_clusters_warn_where_there_are_none() {
    let folder = Folder::new("mlir");
    for op in [
        "nvvm.fence.sc.cluster",
        "nvvm.memory.barrier #nvvm.mem_scope<cluster>",
        "nvvm.fence.acq_rel.cluster",
        "\"nvvm.fence.release\"() {scope = 1 : i32} : () -> ()",
        "llvm.fence syncscope(\"cluster\") acquire",
    ] {
        let text = format!(
            "llvm.func @f() attributes {{nvvm.kernel}} {{\n  {op}\n  {op}\n  llvm.return\n}}\n"
        );
        let file = folder.file("fence.mlir", text);
        for (chip, wanted) in [("sm_80", 1), ("sm_90", 0)] {
            let done = warpc(&["compile", "--arch", chip, "-o", "-"], &file);
            let said = String::from_utf8_lossy(&done.stderr).into_owned();
            assert!(done.status.success(), "{op} {chip}: {said}");
            assert_eq!(
                said.matches("warning[W0907]").count(),
                wanted,
                "{op} {chip}: {said}"
            );
            assert!(wanted == 0 || said.contains(":2:3"), "{said}");
        }
    }
}
