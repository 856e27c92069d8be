//! What calls become, as LLVM IR: LLVM's own tools take it, and ptxas what LLVM and we make of it.

use super::row::{Call, rows};
use super::{KERNELS, module};
use std::path::{Path, PathBuf};
use std::process::Command;
use warpc::Options;

/// ptxas of the toolkit that `./x setup` fetched.
fn ptxas() -> Option<PathBuf> {
    let Some(oracle) = std::env::var_os("WARPC_ORACLE_DIR") else {
        println!(
            "skipped: WARPC_ORACLE_DIR is not set (./x setup fetches the toolkit, ./x test sets it)"
        );
        return None;
    };
    let folder = Path::new(&oracle).join("cuda13/lib");
    let versions = std::fs::read_dir(folder).expect("./x setup");
    let mut found = versions.map(|version| {
        let version = version.expect("a folder").path();
        version.join("site-packages/nvidia/cu13/bin/ptxas")
    });
    found.find(|path| path.is_file())
}

fn must(command: &mut Command) {
    let output = command.output().expect("the tool is installed");
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{command:?}: {errors}");
}

#[test]
fn llvm_takes_what_calls_become() {
    let Some(ptxas) = ptxas() else { return };
    let folder = std::env::temp_dir().join(format!("warpc_builtins_{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let file = |name: &str| folder.join(name);
    let rows = rows();
    let mut count = 0;
    for sm in ["60", "70", "75", "90", "100"] {
        let wanted = rows.iter().filter(|row| row.sm == sm && !row.is_rejected());
        let calls: Vec<_> = wanted.map(|row| (row, Call::of(row))).collect();
        let chip = format!("sm_{sm}");
        let options = Options::new(chip.parse().unwrap());
        for chunk in calls.chunks(KERNELS) {
            let (source, _) = module(chunk);
            let lowered = warpc::replace_builtins(&source, &options).value;
            let text = lowered.expect("the calls are right").to_string();
            let (ll, ptx, ours) = (file("calls.ll"), file("llvm.ptx"), file("ours.ptx"));
            std::fs::write(&ll, text).unwrap();
            let verify = ["-passes=verify", "-disable-output"];
            must(Command::new("opt-22").args(verify).arg(&ll));
            let mut llc = Command::new("llc-22");
            llc.args([&format!("-mcpu={chip}"), "-mattr=+ptx88", "-o"]);
            must(llc.arg(&ptx).arg(&ll));
            let made = warpc::compile(&source, &options).value;
            let made = made.expect("the calls are right").to_string();
            std::fs::write(&ours, made).unwrap();
            count += chunk.len();
            // ptxas 13.4 begins with sm_75.
            for text in [ptx, ours] {
                if sm != "60" && sm != "70" {
                    let mut command = Command::new(&ptxas);
                    command
                        .args(["-O0", "-c", "-arch", &chip, "-o"])
                        .arg(file("x.cubin"));
                    must(command.arg(text));
                }
            }
        }
    }
    println!("LLVM 22 takes what {count} calls become, and ptxas what it and we make of it");
    std::fs::remove_dir_all(folder).ok();
}
