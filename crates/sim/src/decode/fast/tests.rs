//! Every operation that has a fast form computes what `eval` says, on all lanes and on few.
//!
//! The walk goes over all choices of modifiers that the tables have; nothing has to be added here for
//! a new fast form.

use super::{copy, find};
use crate::exec::frame::{Around, Frame, Identity};
use crate::exec::{Env, compute};
use crate::memory::Global;
use crate::program::{Code, Dst, Op, Program, Src};
use smallvec::SmallVec;
use std::collections::BTreeSet;
use warpc_ptx::form::{self, FormId, Kind, OperandSpec, Role, TypeRef};
use warpc_ptx::inst::{Choice, Operand};
use warpc_ptx::types::ScalarType;
use warpc_ptx_eval::{self as eval, Operation};
use warpc_testkit::Random;

/// Which lanes are active: all, most, few.
const ACTIVE: [u32; 3] = [u32::MAX, 0x7fff_fe01, 0x8000_0010];

/// What the result's registers hold before.
const BEFORE: u64 = 0x0123_4567_89ab_cdef;

/// How often each form is tried, so that two NaNs meet in one instruction.
const ROUNDS: usize = 8;

/// More choices than this has no form that computes with plain values.
const MOST: usize = 100_000;

/// All fillings of a form's slots, whether or not the form takes them together.
fn choices(id: FormId) -> Vec<Choice> {
    let slots = id.form().slots;
    let count = |slot: &form::Slot| slot.values.len() + usize::from(slot.optional);
    let all = slots
        .iter()
        .try_fold(1usize, |all, slot| all.checked_mul(count(slot)));
    if all.is_none_or(|all| all > MOST) {
        return Vec::new();
    }
    let mut lists: Vec<SmallVec<[u8; 16]>> = vec![SmallVec::new()];
    for slot in slots {
        let absent = slot.optional.then_some(Choice::ABSENT);
        let values: Vec<u8> = (0..slot.values.len() as u8).chain(absent).collect();
        let longer = |list: &SmallVec<[u8; 16]>| {
            let list = list.clone();
            values.clone().into_iter().map(move |value| {
                let mut list = list.clone();
                list.push(value);
                list
            })
        };
        lists = lists.iter().flat_map(longer).collect();
    }
    let choice = |values| Choice { form: id, values };
    lists.into_iter().map(choice).collect()
}

/// The type of an operand that is a plain value.
fn type_of(choice: &Choice, spec: &OperandSpec) -> Option<ScalarType> {
    match spec.kind {
        Kind::Value(TypeRef::Fixed(ty)) => Some(ty),
        Kind::Value(TypeRef::Slot(slot)) => {
            let slot = usize::from(slot);
            let value = usize::from(choice.values[slot]);
            choice.form.form().slots[slot].values.get(value)?.ty
        }
        _ => None,
    }
}

/// An instruction with a register of its own for each operand, as the decoder hands it on.
struct Instruction {
    given: Vec<Option<Operand>>,
    sources: Vec<Src>,
    /// For each source which operand it is, and its type.
    used: Vec<(usize, ScalarType)>,
    results: Vec<Dst>,
}

fn instruction(choice: &Choice) -> Option<Instruction> {
    let mut made = Instruction {
        given: Vec::new(),
        sources: Vec::new(),
        used: Vec::new(),
        results: Vec::new(),
    };
    for (number, spec) in (0..).zip(&choice.form.form().operands) {
        let linked = spec.linked.map(|slot| choice.values[usize::from(slot)]);
        if linked == Some(Choice::ABSENT) {
            made.given.push(None);
            continue;
        }
        made.given.push(Some(Operand::Sink));
        let ty = type_of(choice, spec)?;
        if spec.role == Role::Use {
            made.used.push((made.given.len() - 1, ty));
        }
        match (spec.role, ty.bits()) {
            (Role::Use, _) if ty == ScalarType::Pred => made.sources.push(Src::P(number, false)),
            (Role::Use, 64) => made.sources.push(Src::D(number)),
            (Role::Use, _) => made.sources.push(Src::W(number)),
            // What comes after the first result is not wanted.
            (Role::Def, _) if !made.results.is_empty() => made.results.push(Dst::Sink),
            (Role::Def, _) if ty == ScalarType::Pred => made.results.push(Dst::P(number)),
            (Role::Def, 64) => made.results.push(Dst::D(number)),
            (Role::Def, bits) => made
                .results
                .push(Dst::W(number, u32::MAX >> (32 - bits.min(32)))),
        }
    }
    Some(made)
}

/// Numbers that look random, special ones among them.
struct Values(Random);

impl Values {
    fn next(&mut self) -> u64 {
        const SPECIAL: [u64; 32] = [
            0,
            1,
            31,
            32,
            63,
            64,
            u64::MAX,
            0x8000_0000_8000_0000,
            0x7fff_ffff_7fff_ffff,
            0x7f80_0000,
            0xff80_0000,
            0x7f80_0001,
            0xffc0_0005,
            0x007f_ffff,
            0x3f80_0000,
            0xbf80_0001,
            // Singles whose products lie about the least normal one.
            0x0080_0000,
            0x8080_0001,
            0x3f7f_ffff,
            0xbf7f_fffe,
            0x2000_0001,
            0x1fff_fffe,
            0x1fff_ffff,
            0x9fff_fffd,
            // Doubles.
            0x7ff0_0000_0000_0000,
            0xfff0_0000_0000_0000,
            0x7ff0_0000_0000_0005,
            0xfff8_0000_0000_0007,
            0x3ff0_0000_0000_0000,
            0xbff0_0000_0000_0000,
            0x000f_ffff_ffff_ffff,
            0x8000_0000_0000_0000,
        ];
        let bits = self.0.bits();
        match self.0.below(64) {
            n @ 0..=31 => SPECIAL[n % SPECIAL.len()],
            // Singles that are near one another, so that sums cancel, and doubles.
            32..=43 => 0x3f80_0000 ^ (bits & 0x80ff_ffff),
            44..=51 => 0x3ff0_0000_0000_0000 ^ (bits & 0x801f_ffff_ffff_ffff),
            _ => bits,
        }
    }
}

fn run(op: &Op, frame: &mut Frame, around: Around<'_>, active: u32) {
    match *op {
        Op::Word(word, d, a, b, c) => compute::word(frame, around, active, word, (d, a, b, c)),
        Op::Double(double, d, a, b, c) => {
            compute::double(frame, around, active, double, (d, a, b, c));
        }
        Op::CompareWord(compare, d, a, b) => {
            compute::compare_word(frame, around, active, compare, (d, a, b));
        }
        Op::CompareDouble(compare, d, a, b) => {
            compute::compare_double(frame, around, active, compare, (d, a, b));
        }
        Op::Float(float, precision, d, a, b, c) => {
            compute::float(frame, around, active, float, precision, (d, a, b, c));
        }
        Op::CompareFloat(compare, d, a, b) => {
            compute::compare_float(frame, around, active, compare, (d, a, b));
        }
        ref other => panic!("{other:?} is not a fast form"),
    }
}

/// The name of what an operation does, without its places.
fn name(op: &Op) -> String {
    match op {
        Op::Word(word, ..) => format!("Word::{word:?}"),
        Op::Double(double, ..) => format!("Double::{double:?}"),
        Op::CompareWord(compare, ..) => format!("CompareWord::{compare:?}"),
        Op::CompareDouble(compare, ..) => format!("CompareDouble::{compare:?}"),
        Op::Float(float, precision, ..) => format!("Float::{float:?}, {precision:?}"),
        Op::CompareFloat(compare, ..) => format!("CompareFloat::{compare:?}"),
        other => format!("{other:?}"),
    }
}

/// The value of a lane's register.
fn held(frame: &Frame, to: Dst, lane: usize) -> u64 {
    match to {
        Dst::W(slot, _) => u64::from(frame.words[slot as usize][lane]),
        Dst::D(slot) => frame.doubles[slot as usize][lane],
        Dst::P(slot) => u64::from(frame.predicates[slot as usize] >> lane & 1),
        Dst::Sink => 0,
    }
}

/// Runs both and compares every lane; `text` is what is said if they differ.
fn check(op: &Op, sources: &[Src], to: Dst, expected: &Operation, values: &mut Values, text: &str) {
    let (program, global) = (Program::default(), Global::default());
    let env = Env {
        program: &program,
        global: &global,
        params: &[],
        grid: [1; 3],
        block: [32, 1, 1],
        cluster: [1; 3],
        explicit_cluster: false,
        dynamic_shared: 0,
        seed: 0,
        limit: u64::MAX,
        races: None,
        weak: None,
        #[cfg(feature = "jit")]
        native: false,
        init: false,
        variables: Vec::new(),
        workspace: Default::default(),
        record: false,
        explored: false,
        begun: Default::default(),
    };
    let identity = Identity {
        block: [0; 3],
        rank: 0,
        warp: 0,
    };
    let around = Around {
        env: &env,
        identity: &identity,
        clock: 0,
    };
    let registers = Code {
        words: 8,
        doubles: 8,
        predicates: 8,
        ..Code::default()
    };
    for active in ACTIVE {
        let mut frame = Frame::new(&registers, 0);
        for slot in 0..8 {
            for lane in 0..32 {
                frame.words[slot][lane] = values.next() as u32;
                frame.doubles[slot][lane] = values.next();
            }
            frame.predicates[slot] = values.next() as u32;
        }
        for lane in 0..32 {
            frame.set(to, lane, BEFORE);
        }
        let before = held(&frame, to, 0);
        let inputs: Vec<Vec<u64>> = (0..32)
            .map(|lane| {
                sources
                    .iter()
                    .map(|&s| frame.get(s, lane, around))
                    .collect()
            })
            .collect();
        run(op, &mut frame, around, active);
        for (lane, inputs) in inputs.iter().enumerate() {
            let found = held(&frame, to, lane);
            if active >> lane & 1 == 0 {
                assert_eq!(found, before, "{text}: lane {lane} is not active");
                continue;
            }
            let mut results = vec![0; expected.results];
            expected.run(inputs, &mut results);
            let wanted = match to {
                Dst::W(_, mask) => results[0] & u64::from(mask),
                Dst::P(_) => results[0] & 1,
                _ => results[0],
            };
            assert_eq!(found, wanted, "{text} as {op:?}: lane {lane}, {inputs:x?}");
        }
    }
}

#[test]
fn fast_forms_compute_what_eval_says() {
    let mut met = BTreeSet::new();
    let mut values = Values(Random::new(1));
    for choice in form::all_forms().flat_map(choices) {
        let Some(made) = instruction(&choice) else {
            continue;
        };
        let Some(op) = find(&choice, &made.sources, &made.results) else {
            continue;
        };
        // A choice that no instruction can have.
        let Some(expected) = eval::operation(&choice, &made.given) else {
            continue;
        };
        let text = format!("{} {:?}", choice.form.form().opcode, choice.values);
        assert_eq!(expected.sources, made.sources.len(), "{text}: sources");
        met.insert(name(&op));
        let to = made.results[0];
        for _ in 0..ROUNDS {
            check(&op, &made.sources, to, &expected, &mut values, &text);
        }
        // Constants go another way than registers.
        for constant in (0..ROUNDS).flat_map(|_| 0..made.sources.len()) {
            let mut sources = made.sources.clone();
            let value = match sources[constant] {
                Src::P(..) => values.next() & 1,
                Src::W(_) => values.next() & 0xffff_ffff,
                _ => values.next(),
            };
            sources[constant] = Src::Imm(value);
            // Which operand of a double-precision operation is a constant makes a difference.
            let mut given = made.given.clone();
            let used = &made.used[constant];
            if used.1 == ScalarType::F64 {
                given[used.0] = Some(Operand::F64(value));
            }
            let expected = eval::operation(&choice, &given).expect("as with registers");
            let op = find(&choice, &sources, &made.results).expect("as fast as with registers");
            check(&op, &sources, to, &expected, &mut values, &text);
        }
    }
    // All there are: a form that is not met any more was lost, not made slower.
    let count = |kind: &str| met.iter().filter(|name| name.starts_with(kind)).count();
    let integer = ["Word::", "Double::", "CompareWord::", "CompareDouble::"].map(count);
    assert_eq!(integer, [22, 17, 10, 10], "{met:#?}");
    // Four operations and fourteen comparisons, in three precisions.
    let float = ["Float::", "CompareFloat::"].map(count);
    assert_eq!(float, [12, 42], "{met:#?}");
}

#[test]
fn copies_copy() {
    let same = Operation::one(|bits| bits);
    let mut values = Values(Random::new(2));
    for (source, to) in [
        (Src::W(1), Dst::W(0, u32::MAX)),
        (Src::D(1), Dst::D(0)),
        (Src::Imm(0x1234_5678), Dst::W(0, u32::MAX)),
        (Src::Imm(u64::MAX), Dst::D(0)),
    ] {
        let op = copy(&[source], &[to]).expect("a fast copy");
        check(&op, &[source], to, &same, &mut values, "a copy");
    }
}
