//! The modules of `tests/mlir`, with what MLIR's and LLVM's tools made of them (`./x mlir`), replayed.
//!
//! A row of `tests/oracle/mlir.tsv` holds the number of our LLVM IR that was judged to be the same as
//! mlir-translate's, and what llc's code for the kernel showed on the emulator.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn warpc(args: &[&str], file: &Path) -> Output {
    Command::new(env!("CARGO_BIN_EXE_warpc"))
        .args(args)
        .arg(file)
        .output()
        .expect("warpc runs")
}

/// FNV-1a over the lines that say what a module does, a zero byte behind each, as the task runner reckons it.
fn hash(text: &str) -> u64 {
    let other = ["declare", "attributes", "!", ";", "source_filename"];
    let lines = text
        .lines()
        .filter(|line| !line.is_empty() && !other.iter().any(|start| line.starts_with(start)));
    let bytes = lines.flat_map(|line| line.bytes().chain([0]));
    bytes.fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3)
    })
}

#[test]
fn modules_are_what_mlir_says() {
    let record = std::fs::read_to_string(root().join("tests/oracle/mlir.tsv")).expect("a record");
    let (mut same, mut run, mut wrong) = (0, 0, Vec::new());
    for row in record.lines() {
        let fields: Vec<&str> = row.split('\t').collect();
        let [name, chip, sameness, number, shown] = fields[..] else {
            panic!("a row has five fields: {row}");
        };
        assert!(matches!(sameness, "same" | "simplified"), "{name}");
        let file = root().join("tests/mlir").join(format!("{name}.mlir"));
        let llvm = warpc(&["compile", "--emit", "ll", "-o", "-"], &file);
        let text = String::from_utf8_lossy(&llvm.stdout);
        if format!("{:016x}", hash(&text)) != number {
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
        let file = root()
            .join("tests/mlir/nvidia")
            .join(format!("{name}.mlir"));
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
    let folder = std::env::temp_dir().join(format!("warpc-mlir-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
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
        let file = folder.join("fence.mlir");
        std::fs::write(&file, text).expect("it is written");
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
    std::fs::remove_dir_all(&folder).expect("it is removed");
}
