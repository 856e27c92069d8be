//! Shapes of the recorded instructions: slots that do not overlap, words that shapes and texts agree about, queries.

use warpc_sass::decode::decode;
use warpc_sass::encode::{Misfit, encode};
use warpc_sass::shape::Width;
use warpc_sass::template::Kind;
use warpc_sass::{Inst, Shapes, Value, parse, print};
use warpc_target::Sm;
use warpc_testkit::{Random, gzip, project};

/// The recorded words of all chips.
fn words() -> Vec<(Sm, u128)> {
    let mut all = Vec::new();
    for path in project::entries(&project::tests().join("encodings")) {
        let name = project::stem(&path);
        let sm: Sm = name
            .parse()
            .unwrap_or_else(|_| panic!("{name} is not a chip"));
        let text = gzip::read_text(&path);
        for line in text.lines() {
            let (word, _) = line.split_once("  ").expect("two columns");
            all.push((sm, u128::from_str_radix(word, 16).expect("a word")));
        }
    }
    assert!(all.len() > 25_000);
    all
}

#[test]
fn slots_do_not_overlap_each_other_or_the_base() {
    for (sm, word) in words() {
        let shape = Shapes::of_word(sm, word).unwrap_or_else(|| panic!("{sm} {word:032x}"));
        let mut seen = shape.base();
        for (index, slot) in shape.slots().iter().enumerate() {
            let mask = shape.slot_mask(index);
            let again = seen & mask;
            assert_eq!(again, 0, "{sm} {shape} slot {index} at {}", slot.bit());
            seen |= mask;
        }
    }
}

/// Words near recorded ones: what is an instruction to shapes is one to texts, and comes back.
#[test]
fn shapes_and_texts_agree_about_every_word() {
    let mut random = Random::new(1);
    let (mut instructions, mut others) = (0, 0);
    for (sm, word) in words() {
        for _ in 0..12 {
            let mut near = word;
            for _ in 0..=random.below(3) {
                near ^= 1 << random.below(128);
            }
            if random.one_in(4) {
                // A register that is always zero, or a predicate that is always true.
                let at = [16, 24, 32, 64, 81, 84, 87][random.below(7)];
                near |= if at > 80 { 7 } else { 0xff } << at;
            }
            let text = print::text(sm, near, 0);
            let inst = decode(sm, near);
            assert_eq!(
                text.is_some(),
                inst.is_some(),
                "{sm} {near:032x} {text:?} {inst:?}"
            );
            match inst {
                Some(inst) => {
                    assert_eq!(encode(&inst), Ok(near), "{sm} {near:032x} {text:?}");
                    instructions += 1;
                }
                None => others += 1,
            }
        }
    }
    println!("{instructions} instructions, {others} other words");
    assert!(instructions > 50_000 && others > 50_000);
}

/// What an instruction prints is what its word prints.
#[test]
fn instructions_print_as_their_words() {
    for (sm, word) in words() {
        let inst = decode(sm, word).expect("an instruction");
        let text = print::full_text(sm, word, 0);
        assert_eq!(print::inst(&inst, &print::Names::at(0)).ok(), text);
    }
}

/// Registers that ptxas chose are aligned as their slots say.
#[test]
fn recorded_registers_are_aligned() {
    let mut wrong = Vec::new();
    for (sm, word) in words() {
        let inst = decode(sm, word).expect("an instruction");
        for (slot, operand) in inst.shape.slots().iter().zip(&inst.operands) {
            let (Value::Register(number) | Value::Uniform(number)) = operand.value else {
                continue;
            };
            if number != 255 && !number.is_multiple_of(slot.alignment()) {
                let bit = slot.bit();
                wrong.push(format!(
                    "{sm} {inst}: {number} at bit {bit}, {:?}",
                    slot.width
                ));
            }
        }
    }
    assert!(
        wrong.is_empty(),
        "{} wrong:\n{}",
        wrong.len(),
        wrong.join("\n")
    );
}

fn sm_90() -> Sm {
    "sm_90".parse().expect("a chip")
}

#[test]
fn the_same_operation_with_another_operand() {
    let shape = parse::shape(sm_90(), "FFMA.FTZ R1, R2, R3, R4").expect("a shape");
    for kind in [Kind::Constant, Kind::Uniform] {
        let other = shape.with_kind(sm_90(), 2, kind).expect("there is one");
        assert_eq!(other.name(), "FFMA.FTZ");
        assert_eq!(other.slots()[2].kind(), kind);
        assert_eq!(other.slots()[3].kind(), Kind::Register);
    }
    let third = shape
        .with_kind(sm_90(), 3, Kind::Constant)
        .expect("there is one");
    assert_eq!(third.slots()[3].kind(), Kind::Constant);
    assert_eq!(third.slots()[2].kind(), Kind::Register);
    assert!(shape.with_kind(sm_90(), 1, Kind::Constant).is_none());
    assert!(shape.with_kind(sm_90(), 0, Kind::Uniform).is_none());
}

#[test]
fn the_same_operation_with_and_without_a_modifier() {
    let shape = parse::shape(sm_90(), "FFMA R1, R2, R3, R4").expect("a shape");
    let ftz = shape.with(".FTZ").expect("there is one");
    assert_eq!(ftz.name(), "FFMA.FTZ");
    assert_eq!(ftz.without(".FTZ"), Some(shape));
    assert_eq!(shape.without(".FTZ"), Some(shape));
    assert_eq!(shape.with(".NONSENSE"), None);
    let load = parse::shape(sm_90(), "LDG.E.64 R2, desc[UR4][R4.64]").expect("a shape");
    let wide = load.with(".128").expect("there is one");
    assert_eq!(wide.name(), "LDG.E.128");
    let result = wide.slot_at(16).expect("a result");
    assert_eq!(wide.slots()[result].width, Width::Registers(4));
}

#[test]
fn whether_a_number_fits() {
    let shape = parse::shape(sm_90(), "LDG.E R2, desc[UR4][R4.64+0x8]").expect("a shape");
    let offset = shape.slot_at(40).expect("an offset");
    let slot = &shape.slots()[offset];
    assert!(slot.fits(Value::Number(0x7f_ffff)) && slot.fits(Value::Number(-0x80_0000)));
    assert!(!slot.fits(Value::Number(0x80_0000)) && !slot.fits(Value::Register(1)));
    let mut inst = Inst::new(shape);
    inst.operands[offset].value = Value::Number(0x80_0000);
    assert_eq!(encode(&inst), Err(Misfit::Operand(offset)));
    inst.operands[offset].value = Value::Symbol(0);
    assert_eq!(encode(&inst), Err(Misfit::Unplaced(offset)));
}
