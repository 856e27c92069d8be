//! The scheduling facts: every instruction has a place in them, ptxas's code keeps to them, and code that does not is
//! found out.

use std::collections::BTreeMap;
use warpc_sass::Control;
use warpc_sass::latency::check::{self, Line};
use warpc_sass::latency::{Access, Effects, Facts, File, Hazard, Port, Role, Use};
use warpc_target::Sm;
use warpc_testkit::{gzip, project};

const CHIPS: [&str; 10] = [
    "sm_75", "sm_80", "sm_86", "sm_87", "sm_89", "sm_90a", "sm_100a", "sm_103a", "sm_120", "sm_121",
];

/// The recorded code of ptxas: chip and words.
fn recorded() -> Vec<(Sm, Vec<u128>)> {
    let text = gzip::read_text(project::oracle("sass_schedules.gz"));
    let mut all: Vec<(Sm, Vec<u128>)> = Vec::new();
    for line in text.lines() {
        match line.parse::<Sm>() {
            Ok(sm) => all.push((sm, Vec::new())),
            Err(_) => {
                let code = &mut all.last_mut().unwrap().1;
                code.push(u128::from_str_radix(line, 16).unwrap());
            }
        }
    }
    assert!(all.len() > 20);
    all
}

#[test]
fn every_table_has_numbers() {
    for chip in CHIPS {
        let facts = Facts::of(chip.parse().unwrap()).unwrap();
        for (file, hazard, source, text) in facts.generation.tables {
            // The first line with numbers begins with the ports of the second instruction, the one before it has columns.
            let head = text.lines().find(|line| !line.trim().is_empty()).unwrap();
            let has_any = head.split([' ', ',']).filter_map(Port::named).any(|port| {
                matches!(port, Port::Pipe(pipe) if facts.cycles(file, hazard, pipe).is_some())
            });
            assert!(has_any, "{chip} {file:?} {hazard:?} {source:?}");
        }
        assert_eq!(facts.generation.tables.len(), 12);
    }
    assert!(Facts::of("sm_70".parse().unwrap()).is_none());
}

/// Everything that instructions of a chip read and write, by file and whether it is written.
fn ports(chip: &str) -> BTreeMap<(File, bool, Port), (Use, String)> {
    let sm: Sm = chip.parse().unwrap();
    let text = gzip::read_text(project::tests().join(format!("encodings/{chip}.txt")));
    let mut found = BTreeMap::new();
    for line in text.lines() {
        let word = line.split_whitespace().next().unwrap();
        let Ok(word) = u128::from_str_radix(word, 16) else {
            continue;
        };
        let Some(line) = Line::read(sm, word) else {
            continue;
        };
        for access in &line.effects.accesses {
            for index in 0..access.count.min(2) {
                let one = Use {
                    pipe: line.pipe,
                    access: *access,
                    index,
                };
                let key = (access.file, access.is_write(), one.port());
                found.insert(key, (one, line.shape().name().to_owned()));
            }
        }
    }
    found
}

#[test]
fn every_pair_of_operands_has_a_number() {
    for chip in ["sm_75", "sm_80", "sm_86", "sm_90a", "sm_100a", "sm_120"] {
        let facts = Facts::of(chip.parse().unwrap()).unwrap();
        let ports = ports(chip);
        assert!(ports.len() > 40);
        let mut missing = Vec::new();
        for ((file, first_writes, first), (one, one_name)) in &ports {
            for ((_, second_writes, second), (other, other_name)) in
                ports.iter().filter(|port| port.0.0 == *file)
            {
                let hazard = match (first_writes, second_writes) {
                    (true, false) => Hazard::ReadAfterWrite,
                    (true, true) => Hazard::WriteAfterWrite,
                    (false, true) => Hazard::WriteAfterRead,
                    (false, false) => continue,
                };
                if facts.need(hazard, *one, *other, false).is_none() {
                    missing.push(format!(
                        "{chip} {file:?} {hazard:?} {} ({one_name}) → {} ({other_name})",
                        first.name(),
                        second.name()
                    ));
                }
            }
        }
        assert!(missing.is_empty(), "{}", missing.join("\n"));
    }
}

#[test]
fn code_of_ptxas_keeps_its_distances() {
    for (sm, code) in recorded() {
        let facts = Facts::of(sm).unwrap();
        let lines = check::lines(sm, &code);
        let faults = check::faults(facts, &lines);
        assert!(faults.is_empty(), "{sm}: {:#?}", faults[0]);
        assert_eq!(check::short_stalls(&lines), [0; 0], "{sm}");
    }
}

/// How many damages of control words are found, of how many.
fn found(damages: impl Fn(&Control) -> Vec<Control>) -> (usize, usize) {
    let (mut found, mut all) = (0, 0);
    for (sm, code) in recorded().into_iter().filter(|one| one.1.len() < 80) {
        let facts = Facts::of(sm).unwrap();
        let mut lines = check::lines(sm, &code);
        for at in 0..lines.len() {
            let Some(own) = lines[at].as_ref().map(|line| line.inst.control) else {
                continue;
            };
            for control in damages(&own) {
                set_control(&mut lines, at, control);
                let damaged = !check::faults(facts, &lines).is_empty()
                    || !check::short_stalls(&lines).is_empty();
                found += usize::from(damaged);
                all += 1;
            }
            set_control(&mut lines, at, own);
        }
    }
    assert!(all > 500);
    (found, all)
}

fn set_control(lines: &mut [Option<Line>], at: usize, control: Control) {
    if let Some(line) = &mut lines[at] {
        line.inst.control = control;
    }
}

#[test]
fn shorter_stalls_are_found() {
    // One cycle less is too little wherever ptxas counted exactly; a whole stall less, nearly everywhere.
    let (some, all) = found(|control| match control.stall {
        0 | 1 => Vec::new(),
        stall => vec![Control {
            stall: stall - 1,
            ..*control
        }],
    });
    println!("a cycle less: {some} of {all}");
    assert!(some * 100 > all * 40, "{some} of {all}");
    let (some, all) = found(|control| match control.stall {
        0..=3 => Vec::new(),
        _ => vec![Control {
            stall: 1,
            keep: true,
            ..*control
        }],
    });
    println!("no stall: {some} of {all}");
    assert!(some * 100 > all * 60, "{some} of {all}");
}

#[test]
fn missing_waits_are_found() {
    let (some, all) = found(|control| {
        let boards = (0..6).filter(|board| control.wait >> board & 1 == 1);
        let without = boards.map(|board| Control {
            wait: control.wait & !(1 << board),
            ..*control
        });
        without.collect()
    });
    println!("a wait less: {some} of {all}");
    assert!(some * 100 > all * 70, "{some} of {all}");
    let (some, all) = found(|control| match control.write {
        7 => Vec::new(),
        _ => vec![Control {
            write: 7,
            ..*control
        }],
    });
    println!("no write scoreboard: {some} of {all}");
    assert!(some * 100 > all * 70, "{some} of {all}");
}

#[test]
fn operands_have_their_widths() {
    let sm: Sm = "sm_90".parse().unwrap();
    let effects = |text: &str| {
        let control = Control::of(0x000f_e200_0000_0000_u128 << 64);
        let (inst, _) = warpc_sass::parse::inst(sm, text, control, 0).unwrap();
        Effects::of(&inst)
    };
    let access = |file, first, count, role| Access {
        file,
        first,
        count,
        role,
    };
    let load = effects("@!P2 LDG.E.128 R4, desc[UR6][R8.64+0x10]");
    assert!(load.guarded);
    assert_eq!(
        load.accesses[..],
        [
            access(File::Predicate, 2, 1, Role::Guard),
            access(File::Register, 4, 4, Role::Result),
            access(File::Uniform, 6, 2, Role::Source(32)),
            access(File::Register, 8, 2, Role::Source(24)),
        ]
    );
    let product = effects("IMAD.WIDE R2, R5, R6, R8");
    let counts: Vec<u8> = product.accesses.iter().map(|one| one.count).collect();
    assert_eq!(counts, [2, 1, 1, 2]);
    let sum = effects("IADD3 R2, P1, R3, R4, RZ");
    assert_eq!(sum.accesses.len(), 4);
    assert!(sum.accesses[1].is_write());
}
