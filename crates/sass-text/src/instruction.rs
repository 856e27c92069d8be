//! One instruction of an assembly text: a control word in brackets, and the text as nvdisasm writes it.

use std::ops::Range;
use warpc_diag::{Code, codes};
use warpc_sass::encode::encode;
use warpc_sass::refusal::{self, Why};
use warpc_sass::{Control, Inst, Value, parse, print};
use warpc_target::Sm;

/// Why a text is not an instruction.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Refusal {
    /// The code of the diagnostic.
    pub code: Code,
    /// The bytes of the text that it is about.
    pub range: Range<usize>,
    /// What is wrong.
    pub message: String,
    /// What to do; may be empty.
    pub help: String,
}

/// The place that an instruction goes to, if it has one.
pub(crate) fn target(inst: &Inst, address: u64) -> Option<u64> {
    inst.values().find_map(|value| match value {
        Value::Place(distance) => Some(address.wrapping_add(16).wrapping_add_signed(distance)),
        _ => None,
    })
}

/// The instruction with a label in the place that it goes to.
pub(crate) fn with_label(mut inst: Inst, label: u32) -> Inst {
    for operand in &mut inst.operands {
        if let Value::Place(_) = operand.value {
            operand.value = Value::Label(label);
        }
    }
    inst
}

/// The text of an instruction with its control word that [`read`] takes back to the same word; nothing if there is
/// none. `label` is the name of the place that it goes to.
pub(crate) fn text(
    sm: Sm,
    word: u128,
    inst: Inst,
    address: u64,
    label: Option<&str>,
) -> Option<String> {
    let control = Control::of(word);
    let alone = print::full_text(sm, word, address)?;
    // Only a text that gives the word again may stand for it.
    if parse::word(sm, &alone, control, address) != Some(word) {
        return None;
    }
    let text = match label {
        None => alone,
        Some(label) => {
            let labels = [format!("`({label})")];
            let names = print::Names {
                address,
                labels: &labels,
                symbols: &[],
            };
            print::inst(&with_label(inst, 0), &names).ok()?
        }
    };
    Some(format!("[{control}] {text}"))
}

/// The word of a text at an address. `place` finds the places of labels.
pub(crate) fn read(
    sm: Sm,
    text: &str,
    address: u64,
    place: impl Fn(&str) -> Option<u64>,
) -> Result<u128, Refusal> {
    let (control, start) = control(text)?;
    let rest = &text[start..];
    // As people write it, and as the tools do.
    let (spaced, places) = spaced(rest);
    let read = parse::inst(sm, rest, control, address)
        .or_else(|| parse::inst(sm, &spaced, control, address));
    let Some((mut inst, label)) = read else {
        return Err(refused(sm, rest, start, &spaced, &places));
    };
    if let Some(name) = label {
        let Some(target) = place(name) else {
            return Err(no_label(rest, start, name));
        };
        let distance = target.wrapping_sub(address.wrapping_add(16)) as i64;
        for operand in &mut inst.operands {
            if let Value::Label(_) = operand.value {
                operand.value = Value::Place(distance);
            }
        }
    }
    encode(&inst).map_err(|misfit| Refusal {
        code: codes::SASS_INSTRUCTION,
        range: start..start + rest.len(),
        message: format!("the instruction has {misfit}"),
        help: "`warpc dis --reassemblable` shows how instructions are written".to_owned(),
    })
}

fn no_label(rest: &str, start: usize, name: &str) -> Refusal {
    let at = rest.find(name).unwrap_or(0) + start;
    Refusal {
        code: codes::SASS_NAME,
        range: at..at + name.len(),
        message: format!("there is no label `{name}` in this section"),
        help: "a label is a line `NAME:`; labels of other sections are not seen".to_owned(),
    }
}

fn refused(sm: Sm, rest: &str, start: usize, spaced: &str, places: &[usize]) -> Refusal {
    let refusal = refusal::refusal(sm, spaced);
    let end = start + rest.len();
    let at = places.get(refusal.at).map_or(end, |at| start + at);
    let help = match &refusal.why {
        Why::NotOnChip(..) => "use another instruction, or another `.target`",
        Why::Undescribed(_) => "use another `.target`; a word as a number is a line `.unknown 0x…`",
        Why::NoName(name, _) if name.is_empty() => {
            "an instruction follows its control word; `.unknown 0x…` has none before it"
        }
        Why::NoName(..) => "names are those that nvdisasm prints",
        _ => "`warpc dis --reassemblable` shows how instructions are written",
    };
    Refusal {
        code: codes::SASS_INSTRUCTION,
        range: at..end,
        message: refusal.to_string(),
        help: help.to_owned(),
    }
}

/// A text with one blank where there are blanks, one after each comma between operands and none before; and where
/// each byte was.
fn spaced(text: &str) -> (String, Vec<usize>) {
    let mut out = String::with_capacity(text.len() + 8);
    let mut places = Vec::with_capacity(text.len() + 8);
    let mut depth = 0usize;
    let mut blank = false;
    for (at, sign) in text.char_indices() {
        if sign.is_whitespace() {
            blank = true;
            continue;
        }
        if blank && sign != ',' && !out.is_empty() && !out.ends_with(' ') {
            out.push(' ');
            places.push(at);
        }
        blank = false;
        match sign {
            '{' | '[' => depth += 1,
            '}' | ']' => depth = depth.saturating_sub(1),
            _ => {}
        }
        out.push(sign);
        places.extend(std::iter::repeat_n(at, sign.len_utf8()));
        if sign == ',' && depth == 0 {
            out.push(' ');
            places.push(at);
        }
    }
    (out, places)
}

/// The control word in brackets at the start of a text, and where the instruction starts.
fn control(text: &str) -> Result<(Control, usize), Refusal> {
    let wrong = |range: Range<usize>, message: String| {
        Refusal {
        code: codes::SASS_CONTROL,
        range,
        message,
        help: "every instruction starts with its control word, like `[B------:R-:W-:Y:S05]`: scoreboards to wait for, read and write scoreboard, yield, cycles to stall".to_owned(),
    }
    };
    let Some(inner) = text.strip_prefix('[') else {
        let message = "the instruction has no control word".to_owned();
        return Err(wrong(0..text.len(), message));
    };
    let Some(end) = inner.find(']') else {
        let message = "the control word has no `]`".to_owned();
        return Err(wrong(0..text.len(), message));
    };
    let control = inner[..end]
        .trim()
        .parse()
        .map_err(|message| wrong(1..1 + end, message))?;
    let rest = &inner[end + 1..];
    let blanks = rest.len() - rest.trim_start().len();
    Ok((control, end + 2 + blanks))
}
