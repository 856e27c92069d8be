//! What calls become, as LLVM IR: LLVM's own tools take it, and ptxas what LLVM and we make of it.

use super::row::{Call, rows};
use super::{KERNELS, module};
use std::process::Command;
use warpc::Options;
use warpc_testkit::project;
use warpc_testkit::scratch::Folder;

fn must(command: &mut Command) {
    let output = command.output().expect("the tool is installed");
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{command:?}: {errors}");
}

#[test]
fn llvm_takes_what_calls_become() {
    let Some(ptxas) = project::ptxas("sm_90") else {
        return;
    };
    let folder = Folder::new("builtins");
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
}
