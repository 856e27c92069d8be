//! Lowers a file of LLVM IR and prints what comes out: `lower_ll FILE.ll [--arch sm_90] [--after PASS]`.

use std::process::ExitCode;
use warpc_diag::SourceFile;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let flag = |name: &str| {
        let at = arguments.iter().position(|argument| argument == name)?;
        arguments.get(at + 1).cloned()
    };
    let Some(path) = arguments.first() else {
        eprintln!("usage: lower_ll FILE.ll [--arch sm_90] [--after PASS]");
        return ExitCode::from(2);
    };
    let Ok(bytes) = std::fs::read(path) else {
        eprintln!("{path} cannot be read");
        return ExitCode::from(2);
    };
    let Some(file) = SourceFile::new(path, bytes) else {
        eprintln!("{path} is too large");
        return ExitCode::from(2);
    };
    let read = warpc_nvvm::read_text(&file);
    let mut module = read.value.unwrap();
    let mut found = read.diagnostics;
    found.append(warpc_nvvm::verify(&module));
    let mut options = warpc_lower::Options::default();
    if let Some(sm) = flag("--arch").and_then(|sm| sm.parse().ok()) {
        options.sm = sm;
    }
    let after = flag("--after");
    if !found.has_errors() {
        found.append(warpc_lower::run(
            &mut module,
            &options,
            &mut |name, module| {
                if after.as_deref() == Some(name) {
                    print!("{}", warpc_nvvm::print(module));
                }
            },
        ));
    }
    eprint!("{}", warpc_diag::render_human(&file, &found, false));
    if found.has_errors() {
        return ExitCode::FAILURE;
    }
    if after.is_none() {
        print!("{}", warpc_nvvm::print(&module));
    }
    ExitCode::SUCCESS
}
