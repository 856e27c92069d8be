//! Every form of the floating-point sections computes something, whatever its modifiers.

use crate::eval::{approx_bound, operation};
use crate::form::{self, Count, Form, FormId, Role};
use crate::inst::Choice;
use crate::table::SECTIONS;
use smallvec::SmallVec;

const OWN: &[&str] = &["float", "half", "mixed", "convert"];

/// The forms of the floating-point sections, but for conversions between integers.
fn own_forms() -> impl Iterator<Item = FormId> {
    let rows = SECTIONS
        .iter()
        .filter(|section| OWN.contains(&section.name));
    let rows: Vec<_> = rows.flat_map(|section| section.rows).collect();
    form::all_forms().filter(move |id| {
        let row = id.form().row;
        let between_integers = row.operands.contains("a:$atype") || row.syntax.contains(".pack");
        rows.iter().any(|own| std::ptr::eq(*own, row)) && !between_integers
    })
}

/// Every combination of a form's modifiers.
fn choices(id: FormId) -> Vec<Choice> {
    let form = id.form();
    let mut all: Vec<SmallVec<[u8; 16]>> = vec![SmallVec::new()];
    for slot in &form.slots {
        let absent = slot.optional.then_some(Choice::ABSENT);
        let values = || absent.into_iter().chain(0..slot.values.len() as u8);
        all = all
            .iter()
            .flat_map(|prefix| {
                values().map(move |value| {
                    let mut longer = prefix.clone();
                    longer.push(value);
                    longer
                })
            })
            .collect();
    }
    all.retain(|values| groups_are_whole(form, values));
    let choices = all.into_iter().map(|values| Choice { form: id, values });
    choices
        .filter(|choice| {
            form.row
                .combination
                .is_none_or(|asked| asked(choice).is_ok())
        })
        .collect()
}

/// Slots of a group are all filled or all empty.
fn groups_are_whole(form: &Form, values: &[u8]) -> bool {
    let filled = |i: usize| values[i] != Choice::ABSENT;
    let slots = || form.slots.iter().enumerate();
    slots().all(|(i, a)| {
        slots().all(|(j, b)| a.group == 0 || a.group != b.group || filled(i) == filled(j))
    })
}

/// How many values a choice reads or writes.
fn values(choice: &Choice, role: Role) -> usize {
    let operands = choice.form.form().operands.iter();
    operands
        .filter(|spec| spec.role == role)
        .map(|spec| {
            let linked = spec.linked.map(usize::from);
            let there = linked.is_none_or(|slot| choice.values[slot] != Choice::ABSENT);
            match spec.count {
                Count::One => usize::from(there),
                Count::Fixed(n) => usize::from(n),
                other => panic!("{other:?}"),
            }
        })
        .sum()
}

/// Sources with many special values among them.
fn sources(count: usize, round: u64) -> Vec<u64> {
    const SPECIAL: &[u64] = &[
        0,
        u64::MAX,
        1 << 63,
        0x7ff0_0000_0000_0000,
        0xfff0_0000_0000_0001,
        0x8000_0001_8000_0001,
        0x7f80_0000_ff80_0000,
        0x7fc0_0001_3f80_0000,
        0x0080_0000_007f_ffff,
        0x7c00_fc00_7e01_0001,
        0x3c00_bc00_03ff_0400,
        0x7bff_7f80_7f7f_ff80,
    ];
    let mut state = round.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    (0..count)
        .map(|_| {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            match state >> 56 {
                n @ 0..=95 => SPECIAL[n as usize % SPECIAL.len()],
                _ => state.wrapping_mul(0x2545_f491_4f6c_dd1d),
            }
        })
        .collect()
}

#[test]
fn every_choice_computes() {
    let mut count = 0;
    for id in own_forms() {
        for choice in choices(id) {
            let name = || format!("{} {:?}", id.form().row.syntax, choice.values);
            let found = operation(&choice, &[]).unwrap_or_else(|| panic!("{}", name()));
            assert_eq!(found.sources, values(&choice, Role::Use), "{}", name());
            assert_eq!(found.results, values(&choice, Role::Def), "{}", name());
            for round in 0..64 {
                let mut results = vec![0; found.results];
                found.run(&sources(found.sources, round), &mut results);
            }
            count += 1;
        }
    }
    assert!(count > 1400, "{count} choices");
}

#[test]
fn approximations_keep_their_bounds() {
    let mut count = 0;
    for id in own_forms() {
        for choice in choices(id) {
            let Some(bound) = approx_bound(&choice) else {
                continue;
            };
            count += 1;
            let found = operation(&choice, &[]).expect("every choice computes");
            for round in 0..20_000 {
                let sources = sources(found.sources, round);
                let mut results = [0];
                found.run(&sources, &mut results);
                assert!(
                    bound.holds(&sources, results[0]),
                    "{} {sources:x?} -> {:x}",
                    id.form().row.syntax,
                    results[0]
                );
            }
        }
    }
    assert_eq!(count, 30, "approximate forms");
}
