//! For tests: an operation by its text, and a walk over everything the tables have.

use super::{Operation, operation};
use smallvec::{SmallVec, smallvec};
use warpc_ptx::form::{self, Form, FormId, Kind, Role, TypeRef};
use warpc_ptx::inst::{Choice, Operand, Part, Sign};
use warpc_ptx::row::Effects;
use warpc_ptx::symbol::SymbolTable;
use warpc_ptx::table;
use warpc_ptx::types::Meaning;
use warpc_testkit::Random;

/// What an instruction like `vadd.u32.u32.u32 d.h1, a.b0, -b, c` computes from some values. Without
/// operands it has all that its form wants.
pub(super) fn compute(text: &str, sources: &[u64]) -> Vec<u64> {
    let (mnemonic, operands) = text.split_once(' ').unwrap_or((text, ""));
    let choice = choice(mnemonic);
    let given: Vec<Option<Operand>> = if operands.is_empty() {
        all_operands(&choice)
    } else {
        let mut given: Vec<_> = operands
            .split(", ")
            .map(|text| Some(operand(text)))
            .collect();
        given.resize(choice.form.form().operands.len(), None);
        given
    };
    let operation = operation(&choice, &given).unwrap_or_else(|| panic!("`{text}`: no operation"));
    assert_eq!(operation.sources, sources.len(), "`{text}`: its sources");
    let mut results = vec![0; operation.results];
    operation.run(sources, &mut results);
    results
}

/// The first form with these modifiers.
pub(super) fn choice(mnemonic: &str) -> Choice {
    let mut words = mnemonic
        .split_inclusive('.')
        .map(|word| word.trim_end_matches('.'));
    let opcode = words.next().expect("an opcode");
    let tokens: Vec<String> = words.map(|word| format!(".{word}")).collect();
    let tokens: Vec<&str> = tokens.iter().map(String::as_str).collect();
    let choices = form::resolve(opcode, &tokens);
    choices.unwrap_or_else(|problem| panic!("`{mnemonic}`: {problem:?}"))[0].clone()
}

/// `a`, `-a`, `a.h10`
fn operand(text: &str) -> Operand {
    let (sign, text) = match text.strip_prefix('-') {
        Some(rest) => (Sign::Minus, rest),
        None => (Sign::Plain, text),
    };
    let part = text.split_once('.').map_or(Part::Whole, |(_, part)| {
        Part::find(part.as_bytes()).expect("a piece of a register")
    });
    register(part, sign)
}

fn register(part: Part, sign: Sign) -> Operand {
    Operand::Name {
        symbol: SymbolTable::default().intern("r"),
        part,
        sign,
    }
}

/// A register for each operand there can be with these modifiers.
pub(super) fn all_operands(choice: &Choice) -> Vec<Option<Operand>> {
    let specs = &choice.form.form().operands;
    let given = specs.iter().map(|spec| {
        let there = spec
            .linked
            .is_none_or(|slot| choice.values[usize::from(slot)] != Choice::ABSENT);
        there.then(|| register(Part::Whole, Sign::Plain))
    });
    given.collect()
}

/// The forms of a section, by its name.
pub(super) fn forms_of_section(name: &str) -> Vec<FormId> {
    let mut first = 0;
    for section in table::SECTIONS {
        if section.name == name {
            return form::all_forms()
                .skip(first)
                .take(section.rows.len())
                .collect();
        }
        first += section.rows.len();
    }
    panic!("no section `{name}`");
}

/// Every combination of modifiers a form has.
pub(super) fn choices_of(id: FormId) -> Vec<Choice> {
    let form = id.form();
    let mut lists: Vec<SmallVec<[u8; 16]>> = vec![smallvec![]];
    for slot in form.slots {
        let absent = slot.optional.then_some(Choice::ABSENT);
        let values: Vec<u8> = (0..slot.values.len() as u8).chain(absent).collect();
        lists = lists
            .iter()
            .flat_map(|list| {
                values.iter().map(|&value| {
                    let mut list = list.clone();
                    list.push(value);
                    list
                })
            })
            .collect();
    }
    lists
        .into_iter()
        .filter(|values| whole_groups(form, values))
        .map(|values| Choice { form: id, values })
        .filter(|choice| {
            form.row
                .combination
                .is_none_or(|asked| asked(choice).is_ok())
        })
        .collect()
}

/// Whether the slots of each group are all filled or all empty.
fn whole_groups(form: &Form, values: &[u8]) -> bool {
    let filled = |i: usize| values[i] != Choice::ABSENT;
    (0..values.len()).all(|i| {
        let group = form.slots[i].group;
        group == 0
            || (0..values.len()).all(|k| form.slots[k].group != group || filled(k) == filled(i))
    })
}

/// The mnemonic as it is written.
pub(super) fn text_of(choice: &Choice) -> String {
    let form = choice.form.form();
    let tokens = form.slots.iter().zip(&choice.values);
    tokens
        .filter(|(_, value)| **value != Choice::ABSENT)
        .fold(form.opcode.to_string(), |text, (slot, &value)| {
            text + slot.values[usize::from(value)].text
        })
}

/// Checks what the contract promises of an operation: how many values it takes and gives, and that
/// results are extended as their types say, whatever lies above the sources' types.
pub(super) fn check_contract(choice: &Choice, operands: &[Option<Operand>]) {
    let text = text_of(choice);
    let operation = operation(choice, operands).unwrap_or_else(|| panic!("`{text}`: no operation"));
    let form = choice.form.form();
    let carry = form.row.effects.contains(Effects::CARRY);
    let reads_carry = carry && form.opcode.ends_with('c');
    let writes_carry = carry && choice.has("cc");
    let sources = (form.operands.iter().zip(operands))
        .filter(|(spec, given)| spec.role == Role::Use && given.is_some())
        .count();
    assert_eq!(
        operation.sources,
        sources + usize::from(reads_carry),
        "`{text}`: sources"
    );
    let defs: Vec<_> = form
        .operands
        .iter()
        .filter(|spec| spec.role == Role::Def)
        .collect();
    assert_eq!(
        operation.results,
        defs.len() + usize::from(writes_carry),
        "`{text}`: results"
    );
    check_extension(&text, &operation, |values| {
        for (spec, &value) in defs.iter().zip(values) {
            let ty = match spec.kind {
                Kind::Value(TypeRef::Fixed(ty)) => ty,
                Kind::Value(TypeRef::Slot(slot)) => {
                    let slot = usize::from(slot);
                    let value = usize::from(choice.values[slot]);
                    form.slots[slot].values[value].ty.expect("a type")
                }
                _ => panic!("`{text}`: a result without a type"),
            };
            let above = 64 - ty.bits();
            let extended = match ty.meaning() {
                Meaning::Signed => (value as i64) << above >> above,
                _ => (value << above >> above) as i64,
            };
            assert_eq!(value, extended as u64, "`{text}`: the result's upper bits");
        }
    });
}

/// Runs an operation on a few values, also with other bits above the sources' types: single bits,
/// extremes and a fixed walk through the rest.
fn check_extension(text: &str, operation: &Operation, check: impl Fn(&[u64])) {
    let special = [
        0,
        1,
        31,
        32,
        0x7f,
        0x80,
        0x7fff,
        0x8000,
        0x7fff_ffff,
        0x8000_0000,
        1 << 63,
        u64::MAX,
    ];
    let mut random = Random::new(1);
    let mut results = vec![0; operation.results];
    for round in 0..40 {
        let sources: Vec<u64> = (0..operation.sources)
            .map(|_| match round < 24 {
                true => random.pick(&special),
                false => random.bits(),
            })
            .collect();
        results.fill(u64::MAX);
        operation.run(&sources, &mut results);
        check(&results);
        assert_eq!(results.len(), operation.results, "`{text}`");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Everything that computes with integers, compares or moves bits is known, with every
    /// combination of modifiers.
    #[test]
    fn integer_sections_are_complete() {
        let mut checked = 0;
        for section in [
            "integer",
            "extended",
            "logic",
            "compare",
            "half_compare",
            "video",
        ] {
            for choice in forms_of_section(section).into_iter().flat_map(choices_of) {
                check_contract(&choice, &all_operands(&choice));
                checked += 1;
            }
        }
        assert!(checked > 5_000, "{checked}");
    }

    #[test]
    fn moves_and_integer_conversions_are_complete() {
        for choice in forms_of_section("shuffle").into_iter().flat_map(choices_of) {
            if choice.form.form().opcode == "prmt" {
                check_contract(&choice, &all_operands(&choice));
            }
        }
        for choice in forms_of_section("convert").into_iter().flat_map(choices_of) {
            let integers = ["dtype", "atype"]
                .iter()
                .all(|slot| choice.scalar(slot).is_some_and(|ty| ty.is_integer()));
            if integers || choice.has("pack") {
                check_contract(&choice, &all_operands(&choice));
            }
        }
    }
}
