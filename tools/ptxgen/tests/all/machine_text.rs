//! The machine IR of random programs: what is printed after every pass reads back as the same function.

use warpc_diag::{SourceFile, Span};
use warpc_ptx_to_sass::ir::{self, Function};
use warpc_ptx_to_sass::{Left, Options, assemble_observed};
use warpc_ptxgen::draft::{self, Choices};

/// Programs of the sample.
const PROGRAMS: u64 = 40;

/// A function without what its text does not have: where it comes from in PTX.
fn without_spans(function: &Function) -> Function {
    let mut function = function.clone();
    for inst in function.blocks.iter_mut().flat_map(|one| &mut one.insts) {
        inst.span = Span { start: 0, end: 0 };
    }
    function
}

#[test]
fn what_passes_leave_reads_back() {
    let mut seen = 0;
    for seed in 0..PROGRAMS {
        let text = draft::program(seed, Choices::default()).text();
        let file = SourceFile::new("program.ptx", text).expect("a text of tolerable length");
        let module = warpc_ptx::check(&file).unwrap();
        let mut options = Options::default();
        options.spill = seed % 2 == 1;
        assemble_observed(&module, &options, &mut |pass, left: &dyn Left| {
            let Some(function) = left.ir() else { return };
            let text = function.to_string();
            let file = SourceFile::new("printed.mir", text).expect("a text of tolerable length");
            let read = ir::parse(&file).unwrap();
            let is_same = read.len() == 1 && without_spans(&read[0]) == without_spans(function);
            assert!(is_same, "program {seed} after {pass}: {function}");
            seen += 1;
        });
    }
    println!("{seen} functions after passes, of {PROGRAMS} programs");
    assert!(seen > 500, "{seen}");
}
