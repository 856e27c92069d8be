//! The judges of machine code: ptxas's code has no findings, and damaged code has.

use warpc_cubin::Cubin;
use warpc_ptx_to_sass::check::flow::Flow;
use warpc_ptx_to_sass::check::{self, Code, Finding, Indirect, Maker, What};
use warpc_sass::inst::Guard;
use warpc_sass::latency::{File, Hazard, Need};
use warpc_sass::operand::Marks;
use warpc_sass::{Control, Inst, Value, decode, parse};
use warpc_sass_text::sections::{Section, sections};
use warpc_target::Sm;
use warpc_testkit::{gzip, project};

/// The recorded sections of code that ptxas made, with their chips.
fn recorded() -> Vec<(Sm, Section)> {
    let folder = project::oracle("cubins");
    let mut files: Vec<_> = std::fs::read_dir(folder)
        .expect("recorded cubins")
        .map(|entry| entry.expect("a file").path())
        .filter(|file| file.to_string_lossy().ends_with(".cubin.gz"))
        .collect();
    files.sort();
    let mut all = Vec::new();
    for file in files {
        let cubin = Cubin::read(&gzip::read(&file)).expect("a cubin");
        let chip = cubin.chip().expect("a chip");
        let found = sections(&cubin).expect("instructions");
        all.extend(found.into_iter().map(|section| (chip, section)));
    }
    assert!(all.len() > 60, "{}", all.len());
    all
}

fn findings(chip: Sm, section: &Section) -> Vec<Finding> {
    let indirect: Vec<Indirect> = section
        .indirect
        .iter()
        .map(|(at, targets)| Indirect {
            at: *at,
            targets: targets.clone(),
        })
        .collect();
    check::check(&Code {
        chip,
        insts: &section.insts,
        entries: &section.entries,
        indirect: &indirect,
        spills: &[],
    })
}

#[test]
fn code_of_ptxas_has_no_findings() {
    for (chip, section) in recorded() {
        let found = findings(chip, &section);
        let first = found.first().map(Finding::to_string);
        assert_eq!(first, None, "{chip} {}", section.name);
    }
}

#[test]
fn recorded_schedules_have_no_findings() {
    // Sections of all chips as words: their kernels begin at the first one.
    let text = gzip::read_text(project::oracle("sass_schedules.gz"));
    let mut all: Vec<(Sm, Vec<Inst>)> = Vec::new();
    for line in text.lines() {
        if let Ok(chip) = line.parse::<Sm>() {
            all.push((chip, Vec::new()));
        } else if let Some((chip, insts)) = all.last_mut() {
            let word = u128::from_str_radix(line, 16).expect("a word");
            insts.push(decode::decode(*chip, word).expect("an instruction"));
        }
    }
    assert!(all.len() > 60, "{}", all.len());
    for (chip, insts) in all {
        let found = check::check(&Code {
            chip,
            insts: &insts,
            entries: &[0],
            indirect: &[],
            spills: &[],
        });
        // The targets of branches through registers are not recorded.
        let first = found.iter().find(|one| one.what != What::UnknownTarget);
        assert_eq!(first.map(Finding::to_string), None, "{chip}");
    }
}

/// How many of the damages that `damage` does to an instruction are noticed, of how many; every `step`th is done.
fn noticed(step: usize, damage: impl Fn(Sm, &Inst) -> Vec<Inst>) -> (usize, usize) {
    let (mut found, mut all, mut count) = (0, 0, 0);
    for (chip, mut section) in recorded() {
        for at in 0..section.insts.len() {
            let own = section.insts[at].clone();
            for inst in damage(chip, &own) {
                count += 1;
                if count % step != 0 {
                    continue;
                }
                section.insts[at] = inst;
                all += 1;
                found += usize::from(!findings(chip, &section).is_empty());
            }
            section.insts[at] = own;
        }
    }
    println!("{found} of {all}");
    (found, all)
}

fn with(inst: &Inst, change: impl Fn(&mut Control)) -> Inst {
    let mut inst = inst.clone();
    change(&mut inst.control);
    inst
}

#[test]
fn a_missing_wait_is_noticed() {
    let (found, all) = noticed(3, |_, inst| {
        let boards = (0..6).filter(|board| inst.control.wait >> board & 1 == 1);
        boards
            .map(|board| with(inst, |control| control.wait &= !(1 << board)))
            .collect()
    });
    assert!(all > 300 && found * 100 > all * 80, "{found} of {all}");
}

#[test]
fn a_shorter_stall_is_noticed() {
    let (found, all) = noticed(7, |_, inst| match inst.control.stall {
        0 | 1 => Vec::new(),
        _ => vec![with(inst, |control| control.stall -= 1)],
    });
    assert!(all > 300 && found * 100 > all * 55, "{found} of {all}");
}

#[test]
fn a_missing_scoreboard_is_noticed() {
    let (found, all) = noticed(3, |_, inst| match inst.control.write {
        7 => Vec::new(),
        _ => vec![with(inst, |control| control.write = 7)],
    });
    assert!(all > 300 && found * 100 > all * 90, "{found} of {all}");
    let (found, all) = noticed(1, |_, inst| match inst.control.read {
        7 => Vec::new(),
        _ => vec![with(inst, |control| control.read = 7)],
    });
    assert!(all > 100 && found * 100 > all * 25, "{found} of {all}");
}

fn replaced(chip: Sm, inst: &Inst, name: &str) -> Vec<Inst> {
    let nop = parse::shape(chip, "NOP").expect("every chip has it");
    match inst.shape.opcode() == name {
        true => vec![Inst::new(nop).scheduled(inst.control)],
        false => Vec::new(),
    }
}

#[test]
fn every_missing_instruction_of_convergence_is_noticed() {
    for name in ["BSSY", "BSYNC"] {
        let (found, all) = noticed(1, |chip, inst| replaced(chip, inst, name));
        assert!(all > 30 && found == all, "{name}: {found} of {all}");
    }
    let (found, all) = noticed(1, |_, inst| {
        let mut other = inst.clone();
        for operand in &mut other.operands {
            if let Value::Barrier(number) = &mut operand.value {
                *number ^= 1;
            }
        }
        match inst.shape.opcode() {
            "BSSY" | "BSYNC" => vec![other],
            _ => Vec::new(),
        }
    });
    assert!(
        all > 60 && found == all,
        "another barrier: {found} of {all}"
    );
}

/// Judges code of sm_90 that is written as text: the address is that of the line, and the control word is in front.
fn judged(lines: &[(&str, &str)], entries: &[usize]) -> Vec<Finding> {
    judged_with(lines, entries, Maker::Other)
}

fn judged_with(lines: &[(&str, &str)], entries: &[usize], maker: Maker) -> Vec<Finding> {
    let chip: Sm = "sm_90".parse().expect("a chip");
    let insts: Vec<Inst> = lines
        .iter()
        .enumerate()
        .map(|(at, (control, text))| {
            let control: Control = control.parse().expect(control);
            let inst = parse::inst(chip, text, control, at as u64 * 16);
            inst.unwrap_or_else(|| panic!("{text}")).0
        })
        .collect();
    let code = Code {
        chip,
        insts: &insts,
        entries,
        indirect: &[],
        spills: &[],
    };
    check::check_with(&code, maker)
}

const ONE: &str = "B------:R-:W-:-:S01";
const FIVE: &str = "B------:R-:W-:Y:S05";

#[test]
fn a_back_edge_is_followed() {
    // What the last trip loads is not there when the next one reads it, or loads again.
    let lines = [
        (ONE, "FADD R2, R2, R3"),
        (FIVE, "IADD3 R4, R4, 0x1, RZ"),
        ("B------:R-:W0:-:S02", "LDG.E R3, desc[UR4][R6.64]"),
        (FIVE, "@P0 BRA 0x0"),
        ("B------:R-:W-:Y:S05", "EXIT"),
    ];
    let found = judged(&lines, &[0]);
    let places: Vec<usize> = found.iter().map(|finding| finding.at).collect();
    assert_eq!(places, [0, 2], "{found:?}");
    assert!(
        matches!(
            found[0].what,
            What::TooEarly {
                hazard: Hazard::ReadAfterWrite,
                from: 2,
                register: 3,
                need: Need::Scoreboard,
                ..
            }
        ),
        "{found:?}"
    );
    let mut waiting = lines;
    waiting[0].0 = "B0-----:R-:W-:-:S01";
    assert_eq!(judged(&waiting, &[0]), []);
}

#[test]
fn calls_leave_open_what_they_left_open() {
    // A load in the caller that the function overtakes, and one in the function that the caller overtakes.
    let lines = [
        ("B------:R-:W0:-:S02", "LDG.E R3, desc[UR4][R6.64]"),
        (FIVE, "CALL.REL.NOINC 0x60"),
        (ONE, "FADD R9, R8, R8"),
        (FIVE, "EXIT"),
        (ONE, "NOP"),
        (ONE, "NOP"),
        (ONE, "FADD R9, R3, R3"),
        ("B------:R-:W1:-:S02", "LDG.E R8, desc[UR4][R6.64]"),
        (FIVE, "RET.REL.NODEC R20 0x0"),
    ];
    let at = |lines: &[(&str, &str)]| -> Vec<usize> {
        judged(lines, &[0])
            .iter()
            .map(|finding| finding.at)
            .collect()
    };
    assert_eq!(at(&lines), [2, 6]);
    let mut waiting = lines;
    waiting[2].0 = "B-1----:R-:W-:-:S01";
    assert_eq!(at(&waiting), [6]);
    waiting[6].0 = "B0-----:R-:W-:-:S01";
    assert_eq!(at(&waiting), [0; 0]);
}

#[test]
fn the_operand_cache_has_what_registers_have() {
    let lines = [
        (ONE, "FFMA R4, R8.reuse, R10.reuse, R4"),
        (FIVE, "FFMA R5, R8, R10, R5"),
        (ONE, "FFMA R6, R8, R11, R6"),
        (FIVE, "EXIT"),
    ];
    assert_eq!(wrongs(&lines), []);
    let stale = |at, register| {
        let from = 0;
        (at, What::Stale { register, from })
    };
    // It writes what it keeps; somebody else does; a pair is written whose upper half is kept.
    let mut own = lines;
    own[0].1 = "FFMA R8, R8.reuse, R10.reuse, R4";
    own[1].0 = FIVE;
    own[0].0 = FIVE;
    assert_eq!(wrongs(&with_yields(&own)), [stale(1, 8)]);
    let mut other = vec![lines[0], (FIVE, "IMAD.WIDE R10, R12, R13, RZ")];
    other.extend(&lines[1..]);
    assert_eq!(wrongs(&with_yields(&other)), [stale(2, 10)]);
    let mut upper = vec![
        (ONE, "FFMA R4, R8.reuse, R11.reuse, R4"),
        (FIVE, "IMAD.WIDE R10, R12, R14, RZ"),
    ];
    upper.extend(&lines[2..]);
    assert_eq!(wrongs(&with_yields(&upper)), [stale(2, 11)]);
    // After another register of the bank, unless it may not be read, and after one of the other bank.
    for (text, is_stale) in [
        ("FFMA R6, R12, R8, R6", false),
        ("FFMA R6, R12, R11, R6", false),
        ("@P0 FFMA R6, R12, R11, R6", true),
        ("FFMA R6, R13, R11, R6", true),
    ] {
        let lines = [
            (ONE, "FFMA R4, R8.reuse, R14, R4"),
            (FIVE, text),
            (FIVE, "MOV R8, 0x1"),
            (FIVE, "FFMA R7, R8, R15, R7"),
            (FIVE, "EXIT"),
        ];
        let expected = is_stale.then(|| stale(3, 8));
        let found = wrongs(&with_yields(&lines));
        assert_eq!(found, Vec::from_iter(expected), "{text}");
    }
}

/// Code in which instructions with a stall and a mark keep the warp, as they must.
fn with_yields<'a>(lines: &[(&'a str, &'a str)]) -> Vec<(&'a str, &'a str)> {
    let kept = |(control, text): &(&'a str, &'a str)| match text.contains(".reuse") {
        true => ("B------:R-:W-:-:S05", *text),
        false => (*control, *text),
    };
    lines.iter().map(kept).collect()
}

#[test]
fn a_register_that_is_kept_and_written_is_noticed() {
    // What ptxas keeps is read again: an instruction that writes what it keeps, with a stall that is long enough.
    let (found, all) = noticed(5, |_, inst| {
        let slots = inst.shape.slots().iter().zip(&inst.operands);
        let kept = slots.filter(|(_, operand)| operand.marks.has(Marks::REUSE));
        let result = inst.shape.slots().iter();
        let result = result.clone().position(|slot| {
            slot.is_written() && slot.file == Some(File::Register) && slot.alignment() == 1
        });
        let damaged = kept.filter_map(|(_, operand)| {
            let mut damaged = with(inst, |control| control.stall = 11);
            damaged.operands[result?].value = operand.value;
            Some(damaged)
        });
        damaged.collect()
    });
    assert!(all > 50 && found * 100 > all * 90, "{found} of {all}");
}

/// What is wrong, with the instruction.
fn wrongs(lines: &[(&str, &str)]) -> Vec<(usize, What)> {
    let found = judged(lines, &[0]);
    found.into_iter().map(|one| (one.at, one.what)).collect()
}

/// The same for code of our own assembler.
fn own_wrongs(lines: &[(&str, &str)]) -> Vec<(usize, What)> {
    let found = judged_with(lines, &[0], Maker::Own);
    found.into_iter().map(|one| (one.at, one.what)).collect()
}

const LOADS: &str = "B------:R-:W0:-:S02";
const WAITS: &str = "B0-----:R-:W-:Y:S13";

/// A region in which lanes leave an outer one: B0 around B1.
const NESTED: [(&str, &str); 13] = [
    (LOADS, "S2R R0, SR_TID.X"),
    (ONE, "BSSY B0, 0xb0"),
    (WAITS, "ISETP.NE.AND P0, PT, R0, 0x5, PT"),
    (ONE, "BSSY B1, 0x80"),
    (FIVE, "@P0 BRA 0x70"),
    (FIVE, "BREAK B1"),
    (FIVE, "BRA 0xa0"),
    (FIVE, "BSYNC B1"),
    (FIVE, "IADD3 R2, R2, 0x1, RZ"),
    (ONE, "NOP"),
    (FIVE, "BSYNC B0"),
    (ONE, "HMMA.16816.F32 R4, R4, R8, R4"),
    (FIVE, "EXIT"),
];

#[test]
fn lanes_that_leave_a_region_take_a_break() {
    assert_eq!(wrongs(&NESTED), []);
    let mut without = NESTED;
    without[5].1 = "NOP";
    let still = What::StillSet { barrier: 1, by: 3 };
    assert_eq!(wrongs(&without), [(10, still)]);
}

#[test]
fn lanes_that_meet_go_on_after_their_meeting() {
    let mut other = NESTED;
    other[3].1 = "BSSY B1, 0x90";
    let place = What::NoMeeting {
        barrier: 1,
        place: 9,
    };
    let meeting = What::OtherPlace {
        barrier: 1,
        by: 3,
        place: 9,
    };
    assert_eq!(wrongs(&other), [(3, place), (7, meeting)]);
}

#[test]
fn matrices_want_the_whole_warp() {
    // Lanes that left the inner region are not there when the others have met.
    let mut early = NESTED;
    early[9].1 = "HMMA.16816.F32 R12, R12, R8, R12";
    assert_eq!(wrongs(&early), [(9, What::Diverged { by: 4 })]);
    early[8] = (FIVE, "WARPSYNC.ALL");
    assert_eq!(wrongs(&early), []);
    // A uniform branch parts nobody.
    let mut uniform = NESTED;
    uniform[0] = (LOADS, "S2R R0, SR_CTAID.X");
    uniform[9].1 = "HMMA.16816.F32 R12, R12, R8, R12";
    assert_eq!(wrongs(&uniform), []);
}

#[test]
fn barriers_of_the_block_want_the_whole_warp_where_nobody_promises_it() {
    let mut early = NESTED;
    early[9] = ("B------:R-:W-:Y:S06", "BAR.SYNC.DEFER_BLOCKING 0x0");
    assert_eq!(wrongs(&early), []);
    assert_eq!(own_wrongs(&early), [(9, What::Diverged { by: 4 })]);
    early[8] = ("B------:R-:W-:Y:S00", "WARPSYNC.ALL");
    assert_eq!(own_wrongs(&early), []);
}

#[test]
fn what_was_spilled_is_as_it_was() {
    // A number that is the same for all lanes, a branch by it after it was in local memory, and a matrix.
    let lines = [
        (LOADS, "S2R R0, SR_CTAID.X"),
        ("B0-----:R-:W-:Y:S01", "STL [R1+0x8], R0"),
        (ONE, "STL [R1+0xc], RZ"),
        (LOADS, "LDL.64 R2, [R1+0x8]"),
        (WAITS, "ISETP.NE.AND P0, PT, R2, R3, PT"),
        (FIVE, "@P0 BRA 0x70"),
        (ONE, "NOP"),
        (ONE, "HMMA.16816.F32 R4, R4, R8, R4"),
        (FIVE, "EXIT"),
    ];
    assert_eq!(wrongs(&lines), []);
    // Not if lanes have different ones, or if it may have been overwritten.
    let mut other = lines;
    other[0].1 = "S2R R0, SR_LANEID";
    assert_eq!(wrongs(&other), [(7, What::Diverged { by: 5 })]);
    let mut overwritten = lines;
    overwritten[2].1 = "STL [R12], RZ";
    assert_eq!(wrongs(&overwritten), [(7, What::Diverged { by: 5 })]);
    let mut moved = lines;
    moved[1].0 = "B0-----:R1:W-:Y:S02";
    moved[2] = ("B-1----:R-:W-:Y:S05", "IADD3 R1, R1, -0x8, RZ");
    assert_eq!(wrongs(&moved), [(7, What::Diverged { by: 5 })]);
}

/// An acquire and a release as ptxas writes them.
const ORDERED: [(&str, &str); 8] = [
    (
        "B------:R-:W4:-:S04",
        "LDG.E.STRONG.GPU R9, desc[UR6][R4.64]",
    ),
    ("B----4-:R-:W-:-:S04", "CCTL.IVALL"),
    ("B------:R-:W4:-:S01", "LDG.E R11, desc[UR6][R2.64]"),
    ("B------:R-:W-:-:S06", "MEMBAR.ALL.GPU"),
    ("B------:R-:W-:Y:S00", "ERRBAR"),
    ("B------:R-:W-:-:S06", "CGAERRBAR"),
    (
        "B----4-:R1:W-:-:S04",
        "STG.E.STRONG.GPU desc[UR6][R4.64+0x4], R11",
    ),
    (FIVE, "EXIT"),
];

#[test]
fn acquires_wait_for_their_load() {
    assert_eq!(wrongs(&ORDERED), []);
    let mut early = ORDERED;
    early[1].0 = "B------:R-:W-:-:S04";
    assert_eq!(wrongs(&early), [(1, What::NotReturned { from: 0 })]);
    let mut untold = ORDERED;
    untold[0].0 = "B------:R-:W3:-:S04";
    assert_eq!(wrongs(&untold), [(1, What::NotReturned { from: 0 })]);
    // A weak load may still be on its way.
    early[0].1 = "LDG.E R9, desc[UR6][R4.64]";
    assert_eq!(wrongs(&early), []);
    let mut close = ORDERED;
    close[1].0 = "B----4-:R-:W-:-:S02";
    assert_eq!(wrongs(&close), [(2, What::ShortStall)]);
}

#[test]
fn releases_wait_for_the_errors_of_their_fence() {
    for removed in [3, 4, 5] {
        let mut without = ORDERED;
        without[removed] = (ONE, "NOP");
        assert_ne!(wrongs(&without), [], "{}", ORDERED[removed].1);
    }
    let mut between = ORDERED;
    between.swap(5, 6);
    let found = wrongs(&between);
    assert!(
        found.contains(&(5, What::NoErrorBarrier { from: 3 })),
        "{found:?}"
    );
}

#[test]
fn fences_of_the_block_are_waited_for() {
    let mut lines = [
        ("B------:R0:W-:-:S06", "MEMBAR.ALL.CTA"),
        ("B0-----:R-:W4:-:S01", "LDG.E R11, desc[UR6][R2.64]"),
        (FIVE, "EXIT"),
    ];
    assert_eq!(wrongs(&lines), []);
    lines[1].0 = "B------:R-:W4:-:S01";
    assert_eq!(wrongs(&lines), [(1, What::NotReturned { from: 0 })]);
}

#[test]
fn what_spins_reads_its_operands_again() {
    let spin = |result: &str| {
        let text = format!("ATOMS.CAST.SPIN {result}, [R2], R4, R5");
        own_wrongs(&[(LOADS, &text), (FIVE, "EXIT")])
    };
    assert_eq!(spin("R6"), []);
    assert_eq!(spin("R5"), []);
    let again = What::ReadAgain { register: 4 };
    assert_eq!(spin("R4"), [(0, again)]);
}

/// A control word and an instruction.
type Line = (&'static str, &'static str);

/// Lanes part, and one side needs a uniform register that the other writes.
const SIDES: [(&str, &str); 9] = [
    (LOADS, "S2R R0, SR_TID.X"),
    ("B------:R-:W-:Y:S12", "UIADD3 UR8, UR9, 0x1, URZ"),
    (WAITS, "ISETP.NE.AND P0, PT, R0, 0x5, PT"),
    (ONE, "BSSY B0, 0x80"),
    (FIVE, "@P0 BRA 0x70"),
    ("B------:R-:W-:Y:S12", "UIADD3 UR10, UR9, 0x2, URZ"),
    (FIVE, "IADD3 R2, R2, UR10, RZ"),
    (FIVE, "BSYNC B0"),
    (FIVE, "IADD3 R3, R3, UR8, RZ"),
];

#[test]
fn lanes_that_part_leave_uniform_registers_alone() {
    let judge = |change: &dyn Fn(&mut Vec<Line>)| {
        let mut lines = SIDES.to_vec();
        lines.push((FIVE, "EXIT"));
        change(&mut lines);
        own_wrongs(&lines)
    };
    assert_eq!(judge(&|_| {}), []);
    let overwrites = What::Overwrites {
        file: File::Uniform,
        register: 8,
        by: 4,
    };
    // One thread's way would read what it wrote: along it, nothing is wrong.
    let other = judge(&|lines| {
        lines[5].1 = "UIADD3 UR8, UR9, 0x2, URZ";
        lines[6].1 = "IADD3 R2, R2, UR8, RZ";
    });
    assert_eq!(other, [(5, overwrites.clone())]);
    // The same constant on both sides does no harm.
    let constant = |number: &'static str| {
        judge(&move |lines| {
            lines[1].1 = "UMOV UR8, 0x5";
            lines[5].1 = number;
        })
    };
    assert_eq!(constant("UMOV UR8, 0x5"), []);
    assert_eq!(constant("UMOV UR8, 0x6"), [(5, overwrites)]);
    // Lanes that do not part are not in each other's way.
    let uniform = judge(&|lines| {
        lines[0].1 = "S2R R0, SR_CTAID.X";
        lines[5].1 = "UMOV UR8, 0x6";
    });
    assert_eq!(uniform, []);
}

#[test]
fn a_barrier_is_not_set_twice() {
    let mut twice = NESTED;
    twice[3].1 = "BSSY B0, 0x80";
    let found = wrongs(&twice);
    let again = What::SetAgain { barrier: 0, by: 1 };
    assert!(found.contains(&(3, again)), "{found:?}");
}

#[test]
fn functions_leave_barriers_as_they_were() {
    let lines = [
        (ONE, "BSSY B6, 0x30"),
        (FIVE, "CALL.REL.NOINC 0x40"),
        (FIVE, "BSYNC B6"),
        (FIVE, "EXIT"),
        ("B------:R-:W0:-:S05", "BMOV.32.CLEAR R2, B6"),
        (ONE, "BSSY B6, 0x70"),
        (FIVE, "BSYNC B6"),
        ("B0-----:R-:W-:Y:S05", "BMOV.32 B6, R2"),
        (FIVE, "RET.REL.NODEC R20 0x0"),
    ];
    assert_eq!(wrongs(&lines), []);
    let mut unsaved = lines;
    unsaved[4] = (FIVE, "NOP");
    let found = wrongs(&unsaved);
    assert!(
        found.contains(&(5, What::SetAgain { barrier: 6, by: 5 })),
        "{found:?}"
    );
    let mut unrestored = lines;
    unrestored[7] = (FIVE, "NOP");
    assert_eq!(wrongs(&unrestored), [(8, What::Lost { barrier: 6 })]);
}

#[test]
fn any_instructions_in_any_order_get_an_answer() {
    // Words of many kinds, shuffled: ways that go nowhere, loops that never meet, barriers out of nowhere.
    let all = recorded();
    let mut random = warpc_testkit::random::Random::new(7);
    for chip in ["sm_75", "sm_90a", "sm_100a"] {
        let chip: Sm = chip.parse().expect("a chip");
        let own = all.iter().filter(|one| one.0.number() == chip.number());
        let pool: Vec<&Inst> = own.flat_map(|one| &one.1.insts).collect();
        for length in [0, 1, 7, 300, 3_000] {
            let insts: Vec<Inst> = (0..length)
                .map(|_| pool[random.below(pool.len())].clone())
                .collect();
            let entries = [0, length / 2, length + 5];
            let indirect = [Indirect {
                at: length / 3,
                targets: vec![0, length / 4, usize::MAX],
            }];
            let code = Code {
                chip,
                insts: &insts,
                entries: &entries,
                indirect: &indirect,
                spills: &[],
            };
            for finding in check::check(&code) {
                assert!(!finding.to_string().is_empty());
            }
        }
    }
}

#[test]
fn large_kernels_take_seconds() {
    // A hundred thousand instructions of ptxas's, in one loop: one section after the other, with the conditional
    // branches and loops that they have.
    let chip: Sm = "sm_90a".parse().expect("a chip");
    let nop = Inst::new(parse::shape(chip, "NOP").expect("every chip has it"));
    let mut insts: Vec<Inst> = Vec::new();
    let all = recorded();
    let own: Vec<_> = all.iter().filter(|one| one.0.number() == 90).collect();
    while insts.len() < 100_000 {
        for (_, section) in &own {
            let exits = |inst: &Inst| match inst.shape.opcode() {
                "EXIT" | "RET" | "CALL" | "BRX" => true,
                name => name == "BRA" && inst.guard == Guard::ALWAYS,
            };
            let kept = section.insts.iter().map(|inst| match exits(inst) {
                true => nop.clone(),
                false => inst.clone(),
            });
            insts.extend(kept);
        }
    }
    let control = FIVE.parse().expect("a control word");
    let end = insts.len() as u64 * 16;
    let back = parse::inst(chip, "BRA 0x0", control, end).expect("a branch");
    insts.push(back.0);
    let start = std::time::Instant::now();
    let code = Code {
        chip,
        insts: &insts,
        entries: &[0],
        indirect: &[],
        spills: &[],
    };
    let found = check::check(&code);
    let time = start.elapsed();
    let blocks = Flow::of(&code).blocks;
    let reached = blocks.iter().filter(|block| block.reached);
    let reached: usize = reached.map(|block| block.end - block.start).sum();
    println!(
        "{} findings in {time:?}, {reached} instructions",
        found.len()
    );
    assert!(reached > 90_000, "{reached}");
    assert!(time.as_secs() < 60, "{time:?}");
}
