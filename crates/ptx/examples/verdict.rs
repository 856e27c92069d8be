//! Says for each instruction on standard input whether it is accepted: a tool for comparing the
//! tables with another assembler.
//!
//! `verdict TARGET VERSION [-v] < instructions`: one instruction a line; prints `y` or `n` a line,
//! with the first message under `-v`. Registers: `%b` b8, `%h` b16, `%r` b32, `%rd` b64, `%q` b128, `%f`
//! f32, `%fd` f64, each 0 to 299; `%p` predicates; addresses `%ga` `%ge` `%pol` (b64), `%sa` `%sb`
//! (b32); variables `gvar` (.global), `svar` (.shared), `cvar` (.const), texture `tref`, surface
//! `sref`.

use std::io::Read;
use warpc_diag::SourceFile;

const DECLARATIONS: &str = ".reg .b8 %b<300>; .reg .b16 %h<300>; .reg .b32 %r<300>; .reg .b64 %rd<300>; .reg .f32 %f<300>; \
    .reg .f64 %fd<300>; .reg .pred %p<300>; .reg .b64 %ga,%ge,%pol; .reg .b32 %sa,%sb;";

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
    let new = version
        .split('.')
        .map(|part| part.parse::<u32>().unwrap_or(0))
        .collect::<Vec<_>>()
        >= vec![8, 3];
    let wide = if new && !target.starts_with("sm_6") {
        " .reg .b128 %q<300>;"
    } else {
        ""
    };
    for line in input.lines() {
        let text = format!(
            ".version {version}\n.target {target}\n.address_size 64\n.global .align 64 .b8 gvar[256]; \
             .shared .align 64 .b8 svar[256]; .const .align 64 .b8 cvar[256]; .global .texref tref; .global .surfref sref;\n\
             .visible .entry k(.param .u64 p0, .param .u32 p1)\n{{ {DECLARATIONS}{wide}\n{line}\nLABEL: ret;\n}}\n"
        );
        let Some(file) = SourceFile::new("line", text) else {
            println!("n");
            continue;
        };
        let mut parsed = warpc_ptx::parse(&file);
        if !parsed.diagnostics.has_errors() {
            parsed.diagnostics = warpc_ptx::verify(&parsed.module, Some(&file));
        }
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
