//! Reads a module of LLVM IR as text and writes it as bitcode: `write_bc [--llvm7] IN OUT`; without OUT only the time is
//! shown.

use std::time::Instant;
use warpc_nvvm::{BitcodeDialect, BitcodeOptions};

fn main() -> std::process::ExitCode {
    let mut arguments: Vec<String> = std::env::args().skip(1).collect();
    let old = arguments.iter().position(|argument| argument == "--llvm7");
    let dialect = match old {
        Some(at) => {
            arguments.remove(at);
            BitcodeDialect::Llvm7
        }
        None => BitcodeDialect::Current,
    };
    let (Some(name), out) = (arguments.first(), arguments.get(1)) else {
        eprintln!("write_bc [--llvm7] IN [OUT]");
        return 2.into();
    };
    let bytes = match std::fs::read(name) {
        Ok(bytes) => bytes,
        Err(error) => {
            eprintln!("{name}: {error}");
            return 2.into();
        }
    };
    let Some(file) = warpc_diag::SourceFile::new(name.clone(), bytes) else {
        eprintln!("the file is too large");
        return 2.into();
    };
    let read = warpc_nvvm::read_text(&file);
    let start = Instant::now();
    let options = BitcodeOptions::new(dialect);
    let written = read.and_then(|module| warpc_nvvm::write_bitcode(&module, &options));
    let seconds = start.elapsed().as_secs_f64();
    let Some(bytes) = written.value else {
        let found = warpc_diag::render_human(&file, &written.diagnostics, false);
        eprint!("{found}");
        return 1.into();
    };
    match out {
        None => println!("{:.1} ms, {} bytes", seconds * 1e3, bytes.len()),
        Some(out) => {
            if let Err(error) = std::fs::write(out, bytes) {
                eprintln!("{out}: {error}");
                return 2.into();
            }
        }
    }
    0.into()
}
