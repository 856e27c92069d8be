//! Checks PTX and shows what is wrong with it: `cargo run -p warpc --example check`.

use std::error::Error;
use warpc::{Options, Severity, Source};

const WRONG: &str = ".version 8.0
.target sm_80
.address_size 64
.entry k(.param .u64 out) {
    .reg .b32 %r<2>;
    .reg .b64 %rd<2>;
    ld.param.b64 %rd1, [out];
    mov.u32 %r1, %tid.x;
    barrier.cluster.arrive;
    st.global.b32 [%rd1], %r2;
}
";

/// Checks a kernel that uses a barrier which its target lacks, and a register that is not declared.
pub fn main() -> Result<(), Box<dyn Error>> {
    let source = Source::new("wrong.ptx", WRONG)?;
    let checked = warpc::check(&source, &Options::default());
    // As rustc prints them: with the line, a caret and what to do.
    print!("{}", checked.diagnostics);
    // And as data.
    for diagnostic in checked.diagnostics.as_slice() {
        assert_eq!(diagnostic.severity, Severity::Error);
        let line = source.file().position(diagnostic.span.start).line;
        println!(
            "{} in line {line}: {}",
            diagnostic.code.0, diagnostic.message
        );
    }
    assert!(checked.value.is_none());
    assert_eq!(checked.diagnostics.error_count(), 2);
    Ok(())
}
