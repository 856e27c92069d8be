//! Disassembles a cubin and counts its barriers: `cargo run -p warpc --features sass --example disassemble [FILE.cubin]`.

use std::error::Error;
use warpc::{Options, Source};

const TWO_BARRIERS: &str = ".target sm_90
.section .text.k
    [B------:R-:W-:-:S06] BAR.SYNC.DEFER_BLOCKING 0x0 ;
    [B------:R-:W-:-:S06] BAR.SYNC.DEFER_BLOCKING 0x1, 0x40 ;
    [B------:R-:W-:Y:S05] EXIT ;
.section .shstrtab
";

/// Lists the file that is named, or a cubin that is assembled first.
pub fn main() -> Result<(), Box<dyn Error>> {
    let options = Options::default();
    let file = std::env::args()
        .nth(1)
        .filter(|name| name.ends_with(".cubin"));
    let source = match &file {
        Some(file) => Source::read(file)?,
        None => {
            let text = Source::new("barriers.sass", TWO_BARRIERS)?;
            let cubin = warpc::assemble(&text, &options).into_result()?;
            Source::new("barriers.cubin", cubin.write())?
        }
    };
    let listing = warpc::disassemble(&source, &options).into_result()?;
    let instructions = listing.lines().filter(|line| line.contains(';'));
    let barriers = instructions
        .filter(|line| line.contains(" BAR.SYNC"))
        .count();
    println!("{listing}\n{barriers} barriers in {}", source.name());
    assert!(file.is_some() || barriers == 2);
    Ok(())
}
