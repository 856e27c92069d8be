//! The kernel suite from clang's LLVM IR: compiled by us and run on the emulator, it must leave what
//! nvcc's build of the same sources left on an H200.

use flate2::read::GzDecoder;
use std::io::Read;
use std::path::PathBuf;
use warpc_diag::{Severity, SourceFile};
use warpc_hw::kernels::record::Record;
use warpc_hw::kernels::{File, Suite, report, run};
use warpc_nvvm::NvvmOptions;
use warpc_pipeline::{CompileOptions, compile_llvm};
use warpc_sim::Options;

/// Launches of kernels that clang leaves without a function they call: it has no `dp4a`, and no `new`
/// for the GPU.
const UNDEFINED: usize = 9;

fn tests() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../tests")
}

/// Our PTX of a module, with the launches of nvcc's.
fn compiled(ll: &str, nvcc: &File) -> Result<File, String> {
    let name = &nvcc.name;
    let file = SourceFile::new(format!("{name}.ll"), ll).ok_or("the text is too long")?;
    let sm = "sm_90".parse().map_err(|_| "no such chip")?;
    let options = CompileOptions::new(sm);
    let made = compile_llvm(&file, NvvmOptions::default(), options, &mut |_, _| {});
    let errors = made.diagnostics.as_slice().iter();
    let mut errors = errors.filter(|d| d.severity == Severity::Error);
    let Some(module) = made.module else {
        return Err(errors
            .next()
            .map_or_else(String::new, |d| d.message.clone()));
    };
    let launches: String = nvcc
        .cases
        .iter()
        .map(|case| format!("// run: {}\n", case.text))
        .collect();
    File::new(name, &format!("{launches}{}", warpc_ptx::print(&module)))
}

#[test]
fn kernels_from_ir_leave_what_nvccs_build_left_on_hardware() {
    let suite = Suite::read(&tests().join("kernels/ptx")).expect("the suite can be read");
    let bytes = std::fs::read(tests().join("hardware/kernels.tsv.gz")).expect("answers are there");
    let record = Record::read(&bytes).expect("a file of answers");
    let (mut problems, mut refused) = (Vec::new(), Vec::new());
    let (mut files, mut launches, mut undefined) = (0, 0, 0);
    for nvcc in &suite.files {
        let path = tests().join(format!("kernels/ll/{}.ll.gz", nvcc.name));
        // clang cannot compile some of the sources.
        let Ok(bytes) = std::fs::read(&path) else {
            continue;
        };
        let mut ll = String::new();
        GzDecoder::new(bytes.as_slice())
            .read_to_string(&mut ll)
            .expect("text");
        files += 1;
        let file = match compiled(&ll, nvcc) {
            Ok(file) => file,
            Err(message) => {
                refused.push(format!("{}: {message}", nvcc.name));
                continue;
            }
        };
        let module = match file.module() {
            Ok(module) => module,
            Err(message) => {
                problems.push(message);
                continue;
            }
        };
        for (case, of_nvcc) in file.cases.iter().zip(&nvcc.cases) {
            launches += 1;
            let options = Options {
                jobs: 1,
                ..Options::default()
            };
            let sim = run::on_sim(&file, &module, case, options);
            let difference = match record.answer(nvcc, of_nvcc) {
                Ok(gpu) => report::difference(gpu, &sim),
                Err(reason) => Some(reason),
            };
            if let Err(found) = &sim.outcome
                && found.contains("but nothing defines it")
            {
                undefined += 1;
                continue;
            }
            problems.extend(difference.map(|text| format!("{} {}: {text}", file.name, case.text)));
        }
    }
    println!(
        "{files} files, {launches} launches, {} files refused",
        refused.len()
    );
    println!("{}", refused.join("\n"));
    assert!(files >= 37, "{files} files");
    assert_eq!(undefined, UNDEFINED, "launches without a function");
    let count = problems.len();
    problems.truncate(60);
    assert!(
        problems.is_empty(),
        "{count} problems:\n{}",
        problems.join("\n")
    );
    assert!(refused.is_empty(), "refused:\n{}", refused.join("\n"));
}
