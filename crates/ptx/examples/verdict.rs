//! Says for each instruction on standard input whether it is accepted: a tool for comparing the
//! tables with another assembler.
//!
//! `verdict TARGET VERSION [-v] < instructions`: one instruction a line; prints `y` or `n` a line,
//! with the first message under `-v`. Registers: `%b` b8, `%h` b16, `%r` b32, `%rd` b64, `%q` b128,
//! `%f` f32, `%fd` f64, each 0 to 299; `%p` predicates; addresses `%ga` `%ge` `%pol` (b64), `%sa`
//! `%sb` (b32); variables `gvar` (.global), `svar` (.shared), `cvar` (.const), texture `tref`,
//! surface `sref`.

use std::io::Read;
use warpc_diag::SourceFile;
use warpc_testkit::wrap::wrap;

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let verbose = arguments.iter().any(|a| a == "-v");
    let [target, version, ..] = &arguments[..] else {
        eprintln!("usage: verdict TARGET VERSION [-v] < instructions");
        std::process::exit(2);
    };
    let mut input = String::new();
    if let Err(error) = std::io::stdin().read_to_string(&mut input) {
        eprintln!("verdict: standard input: {error}");
        std::process::exit(1);
    }
    for line in input.lines() {
        let Some(file) = SourceFile::new("line", wrap(target, version, line)) else {
            println!("n");
            continue;
        };
        let parsed = warpc_ptx::check(&file);
        let verdict = if parsed.diagnostics.has_errors() {
            "n"
        } else {
            "y"
        };
        match parsed.diagnostics.as_slice().first() {
            Some(first) if verbose => println!("{verdict}\t{}", first.message),
            _ => println!("{verdict}"),
        }
    }
}
