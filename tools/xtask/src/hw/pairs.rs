//! The kernel suite as ptxas assembles it, and the same taken apart and put together again by us: what
//! `warpc-hw sass --pairs` runs on a GPU.
//!
//! ```text
//! tests/kernels/{ptx,triton} ─ ptxas ► NAME.original.cubin ─ warpc-hw sass-rebuild ► NAME.rebuilt.cubin
//!                            └────────────────────────────────────────────────────► NAME.ptx with its launches
//! ```

use crate::oracle;
use crate::process;
use crate::project::{self, Outcome};
use std::path::Path;
use std::process::Command;

/// The chip of the GPU.
const CHIP: &str = "sm_90";

/// Fills a folder. Without ptxas it stays empty.
pub fn make(runner: &Path, dir: &Path) -> Outcome {
    std::fs::remove_dir_all(dir).ok();
    project::make_dir(dir)?;
    let (tools, _) = oracle::ensure_all();
    let Some((_, ptxas)) = tools.ptxas(CHIP) else {
        println!("no ptxas: {} stays empty", dir.display());
        return Ok(());
    };
    let kernels = project::root().join("tests/kernels");
    for file in project::files(&kernels.join("ptx"), "gz") {
        assemble(&ptxas, dir, &name(&file), &unpack(&file)?)?;
    }
    triton(&kernels, |name, text| {
        assemble(&ptxas, dir, &format!("triton_{name}"), &text)
    })?;
    let said = process::must("rebuild", Command::new(runner).arg("sass-rebuild").arg(dir))?;
    println!("{}", said.trim());
    Ok(())
}

/// Gives Triton's kernels, which have their launches beside them, with these at their top.
pub(super) fn triton(kernels: &Path, mut take: impl FnMut(&str, String) -> Outcome) -> Outcome {
    let launches = project::read(&kernels.join("triton.tsv"))?;
    for file in project::files(&kernels.join("triton"), "gz") {
        let name = name(&file);
        let runs = launches.lines().filter_map(|line| {
            let (kernel, flags) = line.split_once('\t')?;
            (kernel == name).then(|| format!("// run: {flags}\n"))
        });
        let runs: String = runs.collect();
        if file.to_string_lossy().ends_with(".ptx.gz") && !runs.is_empty() {
            let text = runs + &unpack(&file)?;
            take(&name, text)?;
        }
    }
    Ok(())
}

/// The name of `NAME.ptx.gz`.
pub(super) fn name(file: &Path) -> String {
    let name = project::stem(file);
    name.strip_suffix(".ptx").unwrap_or(&name).to_string()
}

pub(super) fn unpack(file: &Path) -> Outcome<String> {
    String::from_utf8(project::unpack(file)?).map_err(|e| format!("{}: {e}", file.display()))
}

fn assemble(ptxas: &Path, dir: &Path, name: &str, text: &str) -> Outcome {
    let file = dir.join(format!("{name}.ptx"));
    project::write(&file, text)?;
    let mut command = Command::new(ptxas);
    command.args(["-arch", CHIP]).arg(&file);
    command
        .arg("-o")
        .arg(dir.join(format!("{name}.original.cubin")));
    process::must("ptxas", &mut command)?;
    Ok(())
}
