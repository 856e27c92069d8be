//! Modifier words of code generators, as the reference texts describe them: what they are for an instruction, and what a word
//! means.

use std::fmt::Write;
use warpc_model::ocg::{self, DataType, Intrinsic, Qualifiers, Width};
use warpc_model::packed::{self, AtomicModifier, OperandWord};
use warpc_model::{Atomic, AtomicType, Fence, Ordering, Scope};
use warpc_ptx::inst::Mnemonic;

/// The words that stand for an atomic or a fence; nothing for other instructions.
pub fn of_instruction(name: &str) -> Option<String> {
    let mnemonic = Mnemonic::find(name)?;
    let words = match mnemonic.choices[0].atomic() {
        Some(atomic) => of_atomic(&atomic),
        None => {
            let number = packed::membar_number(Fence::from_ptx(name)?)?;
            vec![("operand of `membar`", u32::from(number))]
        }
    };
    if words.is_empty() {
        return None;
    }
    let mut out = "\nModifier words of code generators, as described:\n".to_owned();
    for (kind, word) in words {
        let _ = writeln!(out, "  {word:#x}  {kind}");
    }
    Some(out)
}

const MODIFIER: &str = "modifier: order and scope";
const OPERAND: &str = "operand word: operation and scope";
const INTRINSIC: &str = "modifier of an atomic intrinsic of the assembler";

fn of_atomic(atomic: &Atomic) -> Vec<(&'static str, u32)> {
    // What PTX assumes where nothing is said.
    let order = atomic.order.unwrap_or(Ordering::Relaxed);
    let scope = atomic.scope.unwrap_or(Scope::Gpu);
    let modifier = AtomicModifier {
        order,
        scope,
        cluster_tail: false,
    };
    let operand = OperandWord {
        op: atomic.op,
        class: atomic.ty.class(),
        scope,
    };
    let words = [
        (MODIFIER, modifier.pack().ok()),
        (OPERAND, operand.pack().ok()),
        (INTRINSIC, of_intrinsic(atomic)),
    ];
    let packed = words
        .into_iter()
        .filter_map(|(kind, word)| Some((kind, word?)));
    packed.collect()
}

/// The word of the assembler's intrinsic that does the same; few atomics have one.
fn of_intrinsic(atomic: &Atomic) -> Option<u32> {
    let (ty, width) = match atomic.ty {
        AtomicType::U32 => (DataType::U32, Width::Bits32),
        AtomicType::U64 => (DataType::U32, Width::Bits64),
        AtomicType::S32 => (DataType::S32, Width::Bits32),
        AtomicType::F32 => (DataType::F32, Width::Bits32),
        _ => return None,
    };
    let qualifiers = Qualifiers {
        order: atomic.order,
        scope: atomic.scope,
        no_return: !atomic.has_result,
        domain: match atomic.space.is_shared() {
            true => ocg::Domain::Shared,
            false => ocg::Domain::Global,
        },
        width,
        ty,
        op: Some(atomic.op),
        ..Qualifiers::DEFAULT
    };
    let intrinsic = Intrinsic {
        qualifiers,
        address: DataType::U32,
        data: &[ty],
    };
    let (modifier, _) = intrinsic.validate().ok()?;
    modifier.pack()
}

/// What a word in hexadecimal means; nothing if it is not one.
pub fn of_word(text: &str) -> Option<String> {
    let digits = text.strip_prefix("0x")?;
    let word = u32::from_str_radix(digits, 16).ok()?;
    let mut out = String::new();
    if let Ok(modifier) = AtomicModifier::unpack(word) {
        let (order, scope) = (modifier.order, modifier.scope.ptx());
        let tail = match modifier.cluster_tail {
            true => ", with the tail bit of clusters, which PTX does not have",
            false => "",
        };
        let _ = writeln!(out, "{text}: {MODIFIER}: {order}, .{scope}{tail}");
    }
    if let Ok(operand) = OperandWord::unpack(word) {
        let (op, scope) = (operand.op.ptx().unwrap_or("?"), operand.scope.ptx());
        let class = operand.class;
        let _ = writeln!(out, "{text}: {OPERAND}: {op} of {class:?}, .{scope}");
    }
    if let Some(modifier) = ocg::Modifier::unpack(word) {
        let name = if modifier.no_return { "red" } else { "atom" };
        let order = modifier.order.map_or("", Ordering::ptx);
        let scope = modifier.scope.map_or("", Scope::ptx);
        let words = [name, order, scope, modifier.op.ptx().unwrap_or("?")];
        let words: Vec<&str> = words.into_iter().filter(|word| !word.is_empty()).collect();
        let ty = modifier.ty;
        let _ = writeln!(out, "{text}: {INTRINSIC}: {} of {ty:?}", words.join("."));
    }
    (!out.is_empty()).then_some(out)
}
