//! `./x hw --bench`: a folder that says on a GPU what our code takes beside that of ptxas, and what each pass brings.
//!
//! ```text
//! tests/kernels/{ptx,compute/ptx,triton}, target/ll_atomics/nvcc ──► ptx/SUITE-NAME.ptx ── ptxas -O3 ──► ptxas/SUITE-NAME.cubin
//! target/ll_kernels/{ours,compute-ours} (after ./x ll kernels) ────► from-ir/SUITE-NAME.ptx
//! warpc-hw (has our assembler), run.sh ────────────────────────────► out/bench.tsv: file, kernel, case, build, us, ratio
//! ```

use super::{copy, pairs};
use crate::oracle;
use crate::process;
use crate::project::{self, Outcome};
use crate::{jobs, ll, release};
use std::path::{Path, PathBuf};
use std::process::Command;

/// The chip of the GPU.
const CHIP: &str = "sm_90";

/// Makes the folder.
pub fn make() -> Outcome {
    let binary = release::build_package("warpc-hw")?;
    let dir = project::root().join("target/hw-bench");
    std::fs::remove_dir_all(&dir).ok();
    let ptx = dir.join("ptx");
    for folder in ["ptx", "ptxas", "from-ir"] {
        project::make_dir(&dir.join(folder))?;
    }
    copy(&binary, &dir.join("warpc-hw"))?;
    let kernels = project::root().join("tests/kernels");
    for (suite, folder) in [("kernels", "ptx"), ("compute", "compute/ptx")] {
        for file in project::files(&kernels.join(folder), "gz") {
            let name = format!("{suite}-{}.ptx", pairs::name(&file));
            project::write(&ptx.join(name), pairs::unpack(&file)?)?;
        }
    }
    pairs::triton(&kernels, |name, text| {
        project::write(&ptx.join(format!("triton-{name}.ptx")), text)
    })?;
    take(&ll::atomics::folder().join("nvcc"), "atomics", &ptx)?;
    let from_ir = dir.join("from-ir");
    take(&ll::kernels::folder().join("ours"), "kernels", &from_ir)?;
    take(
        &ll::kernels::folder().join("compute-ours"),
        "compute",
        &from_ir,
    )?;
    take(&ll::atomics::folder().join("cuda"), "atomics", &from_ir)?;
    assemble(&ptx, &dir.join("ptxas"))?;
    project::write(&dir.join("run.sh"), script(&dir))?;
    println!(
        "\n{} is ready. Carry it to a machine with a GPU and its driver, and run there\n\n    sh run.sh\n\nIt takes about six \
         minutes and writes out/bench.tsv, a row for each launch and build. `sh run.sh --only compute-` is shorter.",
        dir.display()
    );
    Ok(())
}

/// Takes the PTX of a folder, if it was made.
fn take(from: &Path, suite: &str, to: &Path) -> Outcome {
    let files = project::files(from, "ptx");
    if files.is_empty() {
        println!(
            "{} is empty: make it with ./x ll kernels and ./x ll atomics",
            from.display()
        );
    }
    for file in files {
        copy(
            &file,
            &to.join(format!("{suite}-{}.ptx", project::stem(&file))),
        )?;
    }
    Ok(())
}

/// Has ptxas make a cubin of each module.
fn assemble(from: &Path, to: &Path) -> Outcome {
    let (tools, _) = oracle::ensure_all();
    let Some((_, ptxas)) = tools.ptxas(CHIP) else {
        return Err("there is no ptxas".into());
    };
    let files = project::files(from, "ptx");
    let made = jobs::map(&files, |file: &PathBuf| -> Outcome {
        let text = project::read(file)?;
        let arch = if text.contains(".target sm_90a") {
            "sm_90a"
        } else {
            CHIP
        };
        let mut command = Command::new(&ptxas);
        command.args(["-O3", "-arch", arch]).arg(file).arg("-o");
        command.arg(to.join(format!("{}.cubin", project::stem(file))));
        process::must("ptxas", &mut command)?;
        Ok(())
    });
    made.into_iter().collect()
}

/// What is run on the machine with the GPU. ptxas's code is what all others are compared with.
fn script(dir: &Path) -> String {
    let mut builds = String::from("ptx@cubins=ptxas ptx@warpc");
    if !project::files(&dir.join("from-ir"), "ptx").is_empty() {
        builds.push_str(" from-ir@warpc");
    }
    for pass in warpc_ptx_to_sass::passes::optional() {
        builds.push_str(&format!(" ptx@warpc,without={pass}"));
    }
    format!(
        "#!/bin/sh\n# Times kernels by all builds. BUILDS=\"ptx@cubins=ptxas ptx@warpc\" sh run.sh compares only these.\n\
         cd \"$(dirname \"$0\")\" && chmod +x warpc-hw\n: \"${{BUILDS:={builds}}}\"\n\
         exec ./warpc-hw bench $BUILDS --rounds \"${{ROUNDS:-7}}\" --minutes \"${{MINUTES:-8}}\" --out \"${{OUT:-out}}\" \"$@\"\n"
    )
}
