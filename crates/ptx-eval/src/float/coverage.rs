//! Every form of the floating-point sections computes something, whatever its modifiers.

use crate::walk::{all_operands, choices_of, forms_of_section, text_of};
use crate::{approx_bound, operation};
use warpc_ptx::form::{Count, Kind, OperandSpec, Role, TypeRef};
use warpc_ptx::inst::Choice;
use warpc_ptx::types::{Meaning, ScalarType};
use warpc_testkit::Random;

/// Every choice of the floating-point sections, but for conversions between integers.
fn own_choices() -> impl Iterator<Item = Choice> {
    let sections = ["float", "half", "mixed", "convert"];
    let forms = sections.into_iter().flat_map(forms_of_section);
    forms.flat_map(choices_of).filter(|choice| {
        let row = choice.form.form().row;
        !row.operands.contains("a:$atype") && !row.syntax.contains(".pack")
    })
}

fn type_of(choice: &Choice, spec: &OperandSpec) -> ScalarType {
    match spec.kind {
        Kind::Value(TypeRef::Fixed(ty)) => ty,
        Kind::Value(TypeRef::Slot(slot)) => {
            let slot = usize::from(slot);
            let value = usize::from(choice.values[slot]);
            choice.form.form().slots[slot].values[value]
                .ty
                .expect("a type")
        }
        other => panic!("{other:?}"),
    }
}

/// The types of the values a choice reads or writes.
fn types(choice: &Choice, role: Role) -> Vec<ScalarType> {
    let given = all_operands(choice);
    let operands = choice.form.form().operands.iter().zip(given);
    operands
        .filter(|(spec, given)| spec.role == role && given.is_some())
        .flat_map(|(spec, _)| {
            let count = match spec.count {
                Count::Fixed(n) => usize::from(n),
                _ => 1,
            };
            vec![type_of(choice, spec); count]
        })
        .collect()
}

fn low_bits(ty: ScalarType) -> u64 {
    u64::MAX >> (64 - ty.bits())
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
    let mut random = Random::new(round);
    (0..count)
        .map(|_| match random.below(256) {
            n @ 0..=95 => SPECIAL[n % SPECIAL.len()],
            _ => random.bits(),
        })
        .collect()
}

#[test]
fn every_choice_computes() {
    let mut count = 0;
    for choice in own_choices() {
        let text = text_of(&choice);
        let found = operation(&choice, &all_operands(&choice))
            .unwrap_or_else(|| panic!("`{text}`: no operation"));
        let (of, to) = (types(&choice, Role::Use), types(&choice, Role::Def));
        assert_eq!(found.sources, of.len(), "`{text}`: sources");
        assert_eq!(found.results, to.len(), "`{text}`: results");
        for round in 0..64 {
            let given = sources(found.sources, round);
            let cut: Vec<u64> = given
                .iter()
                .zip(&of)
                .map(|(bits, &ty)| bits & low_bits(ty))
                .collect();
            let (mut result, mut same) = ([0], [0]);
            found.run(&given, &mut result);
            found.run(&cut, &mut same);
            assert_eq!(
                result, same,
                "`{text}`: bits above the sources of {given:x?}"
            );
            let above = 64 - to[0].bits();
            let extended = match to[0].meaning() {
                Meaning::Signed => ((result[0] << above) as i64 >> above) as u64,
                _ => result[0] << above >> above,
            };
            assert_eq!(result[0], extended, "`{text}`: the result's upper bits");
        }
        count += 1;
    }
    assert!(count > 1400, "{count} choices");
}

#[test]
fn approximations_keep_their_bounds() {
    let mut count = 0;
    for choice in own_choices() {
        let Some(bound) = approx_bound(&choice) else {
            continue;
        };
        count += 1;
        let found = operation(&choice, &all_operands(&choice)).expect("every choice computes");
        for round in 0..20_000 {
            let sources = sources(found.sources, round);
            let mut results = [0];
            found.run(&sources, &mut results);
            assert!(
                bound.holds(&sources, results[0]),
                "{} {sources:x?} -> {:x}",
                text_of(&choice),
                results[0]
            );
        }
    }
    assert_eq!(count, 30, "approximate forms");
}
