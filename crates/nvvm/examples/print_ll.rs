//! Reads modules and prints them: `print_ll IN [OUT]`; without OUT only the time is shown.

use std::time::Instant;

fn main() -> std::process::ExitCode {
    let mut arguments = std::env::args().skip(1);
    let Some(name) = arguments.next() else {
        eprintln!("print_ll IN [OUT]");
        return 2.into();
    };
    let bytes = match std::fs::read(&name) {
        Ok(bytes) => bytes,
        Err(error) => {
            eprintln!("{name}: {error}");
            return 2.into();
        }
    };
    let Some(file) = warpc_diag::SourceFile::new(name, bytes) else {
        eprintln!("the file is too large");
        return 2.into();
    };
    let start = Instant::now();
    let read = match warpc_nvvm::bitcode::is_bitcode(file.bytes()) {
        true => warpc_nvvm::read_bitcode(&file),
        false => warpc_nvvm::read_text(&file),
    };
    let seconds = start.elapsed().as_secs_f64();
    if read.diagnostics.has_errors() {
        eprint!(
            "{}",
            warpc_diag::render_human(&file, &read.diagnostics, false)
        );
        return 1.into();
    }
    match arguments.next() {
        None => println!(
            "{:.1} ms, {:.0} MB/s",
            seconds * 1e3,
            file.bytes().len() as f64 / 1e6 / seconds
        ),
        Some(out) => {
            if let Err(error) =
                std::fs::write(&out, warpc_nvvm::print(read.value.as_ref().unwrap()))
            {
                eprintln!("{out}: {error}");
                return 2.into();
            }
        }
    }
    0.into()
}
