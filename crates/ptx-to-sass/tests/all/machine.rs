//! Programs to trace: of ptxas's words, and of a wired sequence.

use crate::kernel::{RESULTS, Value, cells_at};
use crate::trace::{Effect, From, Node, Slot};
use warpc_ptx_to_sass::Wired;
use warpc_ptx_to_sass::wired::{Operand, Part, Step};
use warpc_sass::shape::Width;
use warpc_sass::{Inst, Marks, Shape, decode, print};
use warpc_target::Sm;

fn signs(marks: Marks) -> &'static str {
    match marks {
        _ if marks.has(Marks::NOT) => "!",
        _ if marks.has(Marks::MINUS) => "-",
        _ if marks.has(Marks::TILDE) => "~",
        _ if marks.has(Marks::BARS) => "|",
        _ => "",
    }
}

fn width(shape: &Shape, slot: usize) -> usize {
    match shape.slots()[slot].width {
        Width::Registers(count) => usize::from(count.max(1)),
        Width::MaskLow | Width::MaskHigh => 1,
    }
}

/// The slot of a fixed value, or of cells.
fn slot_of(shape: &Shape, index: usize, value: warpc_sass::Value, marks: Marks) -> Slot {
    use warpc_sass::Value as V;
    let registers = |letters: &str, first: u8| {
        let all = 0..width(shape, index);
        let cells = all
            .map(|word| format!("{letters}{}", usize::from(first) + word))
            .collect();
        match shape.slots()[index].is_written() {
            true => Slot::Write(cells),
            false => Slot::Read(signs(marks), cells),
        }
    };
    let fixed = |text: String| Slot::Text(format!("{}{text}", signs(marks)));
    match value {
        V::Register(255) | V::Uniform(255) => fixed("RZ".to_owned()),
        V::Predicate(7) | V::UniformPredicate(7) => fixed("PT".to_owned()),
        V::Register(number) => registers("R", number),
        V::Uniform(number) => registers("UR", number),
        V::Predicate(number) => registers("P", number),
        V::UniformPredicate(number) => registers("UP", number),
        V::Barrier(_) => fixed("B".to_owned()),
        V::Place(_) | V::Label(_) => fixed("to".to_owned()),
        V::Number(number) => fixed(format!("{number:#x}")),
        other => fixed(format!("{other:?}")),
    }
}

/// Whether an instruction only moves a value.
fn moves(opcode: &str, slots: &[Slot]) -> Option<Effect> {
    let written: Vec<&String> = slots
        .iter()
        .filter_map(|slot| match slot {
            Slot::Write(cells) => Some(cells),
            _ => None,
        })
        .flatten()
        .collect();
    let read: Vec<&String> = slots
        .iter()
        .filter_map(|slot| match slot {
            Slot::Read("", cells) => Some(cells),
            _ => None,
        })
        .flatten()
        .collect();
    let number = slots.iter().find_map(|slot| match slot {
        Slot::Text(text) if text.starts_with("0x") => Some(text.clone()),
        _ => None,
    });
    if let ("MOV.64", [low, high], [from_low, from_high]) = (opcode, &written[..], &read[..]) {
        let both = [(low, from_low), (high, from_high)];
        let moves = both.map(|(to, from)| ((*to).clone(), From::Cell((*from).clone())));
        return Some(Effect::Moves(moves.to_vec()));
    }
    let [to] = written[..] else { return None };
    let from = match (opcode, &read[..], number) {
        ("MOV" | "UMOV" | "IMAD.MOV.U32" | "IMAD.U32" | "R2UR", [from], _) => {
            From::Cell((*from).clone())
        }
        ("MOV" | "UMOV" | "IMAD.MOV.U32", [], Some(number)) => From::Known(number),
        ("HFMA2.MMA" | "HFMA2", [], Some(_)) => From::Known(halves(slots)?),
        // The low half of a register, beside what the register had.
        ("PRMT", [from, same], Some(number)) if number == "0x7610" && *same == to => {
            From::Cell((*from).clone())
        }
        // The predicate of a result, as a number to store.
        ("SEL", [.., from], Some(number)) if number == "0x9" => From::Cell((*from).clone()),
        _ => return None,
    };
    Some(Effect::Moves(vec![(to.clone(), from)]))
}

/// The number that a product of zero and a sum with two halves is.
fn halves(slots: &[Slot]) -> Option<String> {
    let mut numbers = slots.iter().filter_map(|slot| match slot {
        Slot::Text(text) => i64::from_str_radix(text.strip_prefix("0x")?, 16).ok(),
        _ => None,
    });
    let (high, low) = (numbers.next()?, numbers.next()?);
    Some(format!("{:#x}", high << 16 | low))
}

/// One name for what can be said in several ways, and no value where any will do.
fn plain(opcode: String, slots: Vec<Slot>) -> (String, Vec<Slot>) {
    let is = |slot: &Slot, text: &str| matches!(slot, Slot::Text(one) if one == text);
    match (opcode.as_str(), &slots[..]) {
        // A sum of two numbers.
        ("IMAD.IADD", [to, a, one, b]) if is(one, "0x1") => {
            ("ADD".to_owned(), vec![to.clone(), a.clone(), b.clone()])
        }
        ("IADD3", [to, carry, _, a, b, zero]) if is(carry, "PT") && is(zero, "RZ") => {
            ("ADD".to_owned(), vec![to.clone(), a.clone(), b.clone()])
        }
        // A sum with a carry.
        ("IMAD.X" | "IADD3.X", _) => {
            let values = slots.into_iter();
            let values = values.filter(|slot| !matches!(slot, Slot::Text(_)));
            ("ADD.X".to_owned(), values.collect())
        }
        // A sum of two halves each, as a product with one and a sum.
        ("HFMA2.MMA" | "HFMA2", [to, a, one, _, b]) if is(one, "0x3c00") => {
            ("HADD2".to_owned(), vec![to.clone(), a.clone(), b.clone()])
        }
        ("HFMA2.MMA.BF16_V2" | "HFMA2.BF16_V2", [to, a, one, _, b]) if is(one, "0x3f80") => (
            "HADD2.BF16_V2".to_owned(),
            vec![to.clone(), a.clone(), b.clone()],
        ),
        ("IADD", [to, a, b]) => ("ADD".to_owned(), vec![to.clone(), a.clone(), b.clone()]),
        // The upper half of a register; what is above it in the result counts for nothing.
        ("PRMT", [to, from, choice, _]) if is(choice, "0x7632") => {
            let any = Slot::Text("any".to_owned());
            (opcode, vec![to.clone(), from.clone(), choice.clone(), any])
        }
        _ => (opcode, slots),
    }
}

/// The program of a wired sequence.
pub fn of_wired(wired: &Wired, constants: &[(String, i64)]) -> Vec<Node> {
    let start = constants.iter().map(|(cell, number)| {
        let number = *number as u32;
        (cell.clone(), From::Known(format!("{number:#x}")))
    });
    let first = Node {
        opcode: String::new(),
        guard: None,
        slots: Vec::new(),
        effect: Effect::Moves(start.collect()),
        next: vec![1],
        is_base: false,
    };
    let steps = wired.steps.iter().enumerate();
    let steps = steps.map(|(at, step)| of_step(wired, at + 1, step));
    std::iter::once(first).chain(steps).collect()
}

fn of_step(wired: &Wired, at: usize, step: &Step) -> Node {
    let text = step.to_string();
    let opcode = opcode(&text);
    let mut target = None;
    let slots: Vec<Slot> = (0..)
        .zip(&step.operands)
        .map(|(index, operand)| {
            if let Operand::Label(label) = operand.operand {
                target = Some(wired.labels[usize::from(label.0)] + 1);
            }
            let words = width(step.shape, index);
            match cells(operand.operand, words) {
                None => match operand.operand {
                    Operand::Value(value) => slot_of(step.shape, index, value, operand.marks),
                    Operand::Offset(_) => Slot::Text("0x0".to_owned()),
                    Operand::Label(_) => Slot::Text("to".to_owned()),
                    _ => Slot::Text("B".to_owned()),
                },
                Some(cells) if step.shape.slots()[index].is_written() => Slot::Write(cells),
                Some(cells) => Slot::Read(signs(operand.marks), cells),
            }
        })
        .collect();
    let guard = step.guard.map(|(operand, not)| {
        let cell = cells(operand, 1).and_then(|cells| cells.first().cloned());
        (cell.expect("a predicate"), not)
    });
    let next = successors(&opcode, at, target, guard.is_some());
    let effect = moves(&opcode, &slots).unwrap_or(Effect::Computes);
    let (opcode, slots) = plain(opcode, slots);
    Node {
        effect,
        opcode,
        guard,
        slots,
        next,
        is_base: false,
    }
}

/// The cells of an operand that is a value.
fn cells(operand: Operand, words: usize) -> Option<Vec<String>> {
    let (name, part) = match operand {
        Operand::Ptx(name, part) => (format!("%{name}"), part),
        Operand::Base(name) => (format!("%{name}"), Part::Whole),
        Operand::Temporary(temporary, part) => (format!("$r{}", temporary.number), part),
        Operand::Descriptor => ("$global".to_owned(), Part::Whole),
        _ => return None,
    };
    if matches!(operand, Operand::Temporary(temporary, _) if temporary.file == warpc_ptx_to_sass::wired::File::Barrier)
    {
        return None;
    }
    Some(match part {
        Part::Whole => (0..words).map(|word| format!("{name}.{word}")).collect(),
        Part::Register(word) => vec![format!("{name}.{word}")],
        Part::Quad(quad) => (0..4)
            .map(|word| format!("{name}.{}", 4 * quad + word))
            .collect(),
        Part::Element(lane) => vec![format!("{name}[{lane}].0")],
        Part::Word(lane, word) => vec![format!("{name}[{lane}].{word}")],
    })
}

/// Where an instruction goes on.
fn successors(opcode: &str, at: usize, target: Option<usize>, guarded: bool) -> Vec<usize> {
    match (opcode.split('.').next(), target) {
        (Some("EXIT"), _) if guarded => vec![at + 1],
        (Some("EXIT"), _) => vec![],
        (Some("BRA"), Some(to)) if guarded || opcode != "BRA" => vec![at + 1, to],
        (Some("BRA"), Some(to)) => vec![to],
        _ => vec![at + 1],
    }
}

/// The name with its modifiers in a text.
fn opcode(text: &str) -> String {
    let text = match text.strip_prefix('@') {
        Some(rest) => rest.split_once(' ').map_or("", |parts| parts.1),
        None => text,
    };
    text.split(' ').next().unwrap_or_default().to_owned()
}

/// The program of a kernel's words.
pub fn of_words(sm: Sm, words: &[u128], values: &[Value]) -> Option<Vec<Node>> {
    let each = words.iter().enumerate();
    each.map(|(at, &word)| of_inst(sm, at, &decode::decode(sm, word)?, values))
        .collect()
}

fn of_inst(sm: Sm, at: usize, inst: &Inst, values: &[Value]) -> Option<Node> {
    use warpc_sass::Value as V;
    let text = print::styled(inst, &print::Names::at(0), print::Style::Nvdisasm).ok()?;
    let opcode = opcode(&text);
    let shape = inst.shape;
    let mut target = None;
    let operands = inst.operands.iter().enumerate();
    let slots: Vec<Slot> = operands
        .map(|(index, operand)| {
            if let V::Place(distance) = operand.value {
                target = usize::try_from((at as i64 + 1) + distance / 16).ok();
            }
            slot_of(shape, index, operand.value, operand.marks)
        })
        .collect();
    let always = inst.guard == warpc_sass::Guard::ALWAYS;
    let letters = if inst.guard.uniform { "UP" } else { "P" };
    let guard = (!always).then(|| (format!("{letters}{}", inst.guard.predicate), inst.guard.not));
    let next = successors(&opcode, at, target, guard.is_some());
    let number = inst.values().filter_map(V::number).next().unwrap_or(0);
    let constant = match opcode.starts_with("LDC") {
        true => inst.values().filter_map(V::number).last(),
        false => inst.values().find_map(|value| match value {
            V::Constant { bank: 0, offset } => Some(offset.into()),
            _ => None,
        }),
    };
    let is_base = opcode == "IMAD.WIDE.U32" && (number == 0x1000 || constant.is_some());
    let bank = bank(sm);
    let effect = effect(&opcode, &slots, number, constant, &bank, values);
    let never = inst.guard.predicate == 7 && inst.guard.not;
    let is_idle = never || target == Some(at) || matches!(opcode.as_str(), "NOP" | "EXIT");
    let is_thread = inst
        .values()
        .any(|value| text.contains("SR_TID") && matches!(value, V::Special(_)));
    let (opcode, slots) = plain(opcode, slots);
    Some(Node {
        effect: match is_base || is_idle || is_thread {
            true => Effect::Hidden,
            false => effect,
        },
        opcode,
        guard,
        slots,
        next,
        is_base,
    })
}

/// Where the driver puts things in the constant bank.
struct Bank {
    descriptor: i64,
    stack: i64,
    parameter: i64,
}

/// The constant bank of a chip.
fn bank(sm: Sm) -> Bank {
    let since = |number: u16| warpc_target::Chips::AtLeast(number).contains(sm);
    let (descriptor, stack, parameter) = match () {
        () if since(100) => (0x358, 0x37c, 0x380),
        () if since(90) => (0x208, 0x28, 0x210),
        () => (0x118, 0x28, 0x160),
    };
    Bank {
        descriptor,
        stack,
        parameter,
    }
}

fn effect(
    opcode: &str,
    slots: &[Slot],
    number: i64,
    constant: Option<i64>,
    bank: &Bank,
    values: &[Value],
) -> Effect {
    let written = slots.iter().find_map(|slot| match slot {
        Slot::Write(cells) => Some(cells.clone()),
        _ => None,
    });
    let reads: Vec<&Vec<String>> = slots
        .iter()
        .filter_map(|slot| match slot {
            Slot::Read(_, cells) => Some(cells),
            _ => None,
        })
        .collect();
    match (opcode.split('.').next(), constant, written) {
        (Some("LDC" | "ULDC" | "LDCU"), Some(at), Some(cells)) if at == bank.descriptor => {
            let names = (0..).zip(cells);
            let moves = names.map(|(word, cell)| (cell, From::Known(format!("$global.{word}"))));
            Effect::Moves(moves.collect())
        }
        (_, Some(at), _) if at == bank.stack || at == bank.parameter => Effect::Hidden,
        (Some("LDG"), _, Some(cells)) if number < RESULTS => {
            let names = cells_at(values, false, number, cells.len());
            let address = reads.last().map(|cells| (*cells).clone());
            Effect::Loads(
                address.unwrap_or_default(),
                cells.into_iter().zip(names).collect(),
            )
        }
        (Some("STG"), _, _) if reads.len() >= 2 => {
            let (address, stored) = (reads[reads.len() - 2], reads[reads.len() - 1]);
            let names = cells_at(values, true, number, stored.len());
            Effect::Stores(
                address.clone(),
                names.into_iter().zip(stored.iter().cloned()).collect(),
            )
        }
        (Some("ISETP"), _, Some(cells)) if opcode == "ISETP.NE.AND" && reads.len() == 1 => {
            Effect::Tests(cells[0].clone(), reads[0][0].clone())
        }
        _ => moves(opcode, slots).unwrap_or(Effect::Computes),
    }
}
