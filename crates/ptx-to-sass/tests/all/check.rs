//! The judges of machine code: ptxas's code has no findings, and damaged code has.

use warpc_cubin::Cubin;
use warpc_ptx_to_sass::check::{self, Code, Finding, Indirect, What};
use warpc_sass::latency::{Hazard, Need};
use warpc_sass::{Control, Inst, parse};
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
}

/// Judges code of sm_90 that is written as text: the address is that of the line, and the control word is in front.
fn judged(lines: &[(&str, &str)], entries: &[usize]) -> Vec<Finding> {
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
    check::check(&Code {
        chip,
        insts: &insts,
        entries,
        indirect: &[],
    })
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
