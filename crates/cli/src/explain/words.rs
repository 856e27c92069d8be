//! Modifier words of code generators, as the reference texts describe them: what they are for an instruction, and what a word
//! means.

use std::fmt::Write;
use warpc_model::ocg::{DataType, Modifier};
use warpc_model::packed::{self, AtomicModifier, OperandWord};
use warpc_model::{Atomic, AtomicOp, Fence, Ordering, Scope};
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
const INTRINSIC: &str = "modifier of the instruction in the assembler";

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
        (INTRINSIC, of_instruction_word(atomic)),
    ];
    let packed = words
        .into_iter()
        .filter_map(|(kind, word)| Some((kind, word?)));
    packed.collect()
}

/// The word that goes with the instruction through the assembler.
fn of_instruction_word(atomic: &Atomic) -> Option<u32> {
    let (ty, _) = DataType::of(atomic.ty)?;
    let count = match atomic.op {
        AtomicOp::Cas => 2,
        _ => usize::from(atomic.elements),
    };
    let data = [ty; 8];
    Modifier::of(atomic, data.get(..count)?).ok()?.pack()
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
    if let Some(atomic) = Modifier::unpack(word).and_then(Modifier::atomic) {
        let _ = writeln!(out, "{text}: {INTRINSIC}: {atomic}");
    }
    (!out.is_empty()).then_some(out)
}
