//! The machine IR as text: what is printed after every pass reads back as the same function; what is wrong is said where.

use warpc_diag::SourceFile;
use warpc_ptx_to_sass::ir::{self, Function};
use warpc_ptx_to_sass::{Left, Level, Options, assemble_observed};
use warpc_testkit::{gzip, project};

/// A function without what its text does not have: where it comes from in PTX.
fn without_spans(function: &Function) -> Function {
    let mut function = function.clone();
    for inst in function.blocks.iter_mut().flat_map(|one| &mut one.insts) {
        inst.span = warpc_diag::Span { start: 0, end: 0 };
    }
    function
}

/// Why a function does not read back as it was.
fn fault(function: &Function) -> Option<String> {
    let text = function.to_string();
    let file = SourceFile::new("printed.mir", text.clone()).expect("a text of tolerable length");
    let read = ir::parse(&file);
    let Some(read) = read.value else {
        let first = read.diagnostics.first_error().expect("an error");
        let place = file.position(first.span.start);
        let line = text.lines().nth(place.line - 1).unwrap_or_default();
        let column = place.column;
        return Some(format!("{line} (column {column}): {}", first.message));
    };
    let [read] = &read[..] else {
        return Some(format!("{} functions", read.len()));
    };
    let (read, wanted) = (without_spans(read), without_spans(function));
    if read == wanted {
        return None;
    }
    let insts = |of: &Function| -> Vec<ir::Inst> {
        let all = of.blocks.iter().flat_map(|block| &block.insts);
        all.cloned().collect()
    };
    let pairs = insts(&read).into_iter().zip(insts(&wanted));
    let differ = pairs.into_iter().find(|(read, wanted)| read != wanted);
    Some(format!("{differ:?}\n"))
}

/// The IR after every pass, and what of it does not read back.
fn check(text: &str, options: &Options, faults: &mut Vec<String>) -> usize {
    let file = SourceFile::new("k.ptx", text).expect("a text of tolerable length");
    let checked = warpc_ptx::check(&file);
    let module = checked.value.expect("a module");
    let mut seen = 0;
    let mut after = |pass: &'static str, left: &dyn Left| {
        if let Some(function) = left.ir() {
            seen += 1;
            let found = fault(function);
            faults.extend(found.map(|fault| format!("{} after {pass}: {fault}", function.name)));
        }
    };
    assemble_observed(&module, options, &mut after);
    seen
}

#[test]
fn what_passes_leave_reads_back() {
    let kernels = project::tests().join("kernels");
    let files = project::files(&kernels, &[".ptx", ".ptx.gz"]);
    let (mut seen, mut faults) = (0, Vec::new());
    for file in &files {
        let text = match file.extension().is_some_and(|ending| ending == "gz") {
            true => gzip::read_text(file),
            false => std::fs::read_to_string(file).expect("it can be read"),
        };
        let mut options = Options::default();
        seen += check(&text, &options, &mut faults);
        options.level = Level::O0;
        options.spill = true;
        options.knobs.set("487=0").expect("a knob");
        seen += check(&text, &options, &mut faults);
    }
    println!("{seen} functions after passes, of {} files", files.len());
    faults.sort();
    faults.dedup();
    let shown: Vec<&String> = faults.iter().take(40).collect();
    assert!(faults.is_empty(), "{}: {shown:#?}", faults.len());
    assert!(seen > 1000, "{seen}");
}

/// The position and message of the first error of a text.
fn first_error(text: &str) -> (usize, usize, String) {
    let file = SourceFile::new("k.mir", text).expect("a short text");
    let read = ir::parse(&file);
    assert!(read.value.is_none(), "{text}");
    let first = read.diagnostics.first_error().expect("an error");
    let place = file.position(first.span.start);
    (place.line, place.column, first.message.clone())
}

#[test]
fn mistakes_have_a_place() {
    let kernel = ".kernel k on sm_90\n.frame 0, align 16, base R1\n.regs %r0-2, %p3, %r4:2\n.L0:\n";
    for (line, column, what) in [
        ("    MOV %r9, 0x5", 9, "`.regs` does not name `%r9`"),
        ("    MOV %p0, 0x5", 9, "`.regs` does not name `%p0`"),
        ("    MOV %r4, 0x5", 9, "lanes 0 to 1"),
        ("    MOV %r4.2, 0x5", 9, "lanes 0 to 1"),
        ("    MOV %p3, 0x5", 9, "cannot stand here"),
        ("    MOV %r0, 0x5, extra", 19, "cannot stand here"),
        ("    MOVE %r0, 0x5", 5, "no instruction is `MOVE`"),
        ("    @%p3.x MOV %r0, 0x5", 6, "a guard is"),
        ("    #x MOV %r0, 0x5", 6, "is not a number"),
        ("    BRA somewhere", 5, "neither a block"),
        ("    % MOV", 5, "is expected here"),
        (".L2:", 1, "`.L1:` is expected"),
        (".regs %r9", 7, "the next one has number 5"),
        (".regs %r5-9999999999", 7, "at most"),
        (".regs %r5:200", 7, "is expected here"),
        (".frame x, align 16, base R1", 8, "is not a number"),
        (".frame 0, align 16, base R1, 5", 30, "no more operands"),
        (".frame 0", 9, "`align` and a number"),
        (".knob 359=1", 7, "there is no knob"),
        (".nothing", 1, "there is no directive"),
        (".calls_system 5", 15, "nothing follows"),
        (".kernel k at sm_90", 11, "`NAME on CHIP`"),
        (".kernel k on sm_1", 14, "is not a chip"),
    ] {
        let (row, found, message) = first_error(&format!("{kernel}{line}\n    EXIT\n"));
        assert_eq!((row, found), (5, column), "{line}: {message}");
        assert!(message.contains(what), "{line}: {message}");
    }
    assert_eq!(
        first_error("").2,
        "there is no function; `.kernel NAME on CHIP` begins one"
    );
    assert_eq!(first_error("MOV R0, R1").0, 1);
    let early = ".kernel k on sm_90\n    EXIT\n";
    assert!(first_error(early).2.contains("`.L0:` is expected"));
}

#[test]
fn several_mistakes_are_reported() {
    let text = ".kernel k on sm_90\n.regs %r0\n.L0:\n    MOV %r1, 0x5\n    MOVE\n    EXIT\n";
    let file = SourceFile::new("k.mir", text).expect("a short text");
    assert_eq!(ir::parse(&file).diagnostics.error_count(), 2);
}

#[test]
fn comments_and_several_functions_are_read() {
    let text = "// two\n.kernel k on sm_90 // the first\n\n.L0: // a block\n    EXIT // ends\n.function f on sm_90\n\
                .calls 7, 9\n.listens_in_shared\n.spills stores 4, loads 8\n.knob 358=1\n.L0:\n    EXIT\n";
    let file = SourceFile::new("k.mir", text).expect("a short text");
    let read = ir::parse(&file).unwrap();
    let [k, f] = &read[..] else {
        panic!("{read:?}");
    };
    assert!(k.is_kernel && !f.is_kernel && f.listens_in_shared);
    assert_eq!((f.callees.len(), f.spills.loads), (2, 8));
    let printed = format!("{k}{f}");
    let file = SourceFile::new("k.mir", printed.clone()).expect("a short text");
    let again = ir::parse(&file).unwrap();
    assert_eq!(format!("{}{}", again[0], again[1]), printed);
}
