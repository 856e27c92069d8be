//! The instructions of `sass` in the files of `cubin`.

use crate::kernel_facts::{KernelFacts, kernel_facts};
use std::cell::RefCell;
use std::ops::Range;
use warpc_cubin::assembly::{Facts, Instructions, Refusal, Remark};
use warpc_cubin::listing::{Ask, Disassembler};
use warpc_diag::codes;
use warpc_sass::refusal::{self, Why};
use warpc_sass::{Control, parse, print};
use warpc_target::Sm;

/// The instructions of a chip; none for a chip that is not known.
#[derive(Clone, Copy, Debug)]
pub struct Sass(pub Option<Sm>);

impl Disassembler for Sass {
    fn text(&self, word: u128, address: u64, ask: &mut Ask<'_>) -> Option<String> {
        print::text(self.0?, word, &Asking::new(address, ask))
    }
}

impl Instructions for Sass {
    fn text(&self, sm: Sm, word: u128, address: u64, ask: &mut Ask<'_>) -> Option<String> {
        let here = print::At(address);
        let control = Control::of(word);
        let text = print::full_text(sm, word, &here)?;
        // Only a text that gives the word again may stand for it.
        if parse::word(sm, &text, control, &here) != Some(word) {
            return None;
        }
        let text = print::full_text(sm, word, &Asking::new(address, ask))?;
        Some(format!("[{control}] {text}"))
    }

    fn word(
        &self,
        sm: Sm,
        text: &str,
        address: u64,
        place: &dyn Fn(&str) -> Option<u64>,
    ) -> Result<u128, Refusal> {
        let (control, start) = control(text)?;
        let labels = Known {
            next: address.wrapping_add(16),
            place,
            unknown: RefCell::new(None),
        };
        let rest = &text[start..];
        if let Some(word) = parse::word(sm, rest, control, &labels) {
            return Ok(word);
        }
        // As people write it.
        let (spaced, places) = spaced(rest);
        if let Some(word) = parse::word(sm, &spaced, control, &labels) {
            return Ok(word);
        }
        let refusal = refusal::refusal(sm, &spaced, &labels);
        let end = start + rest.len();
        let at = places.get(refusal.at).map_or(end, |at| start + at);
        if let Some(name) = labels.unknown.into_inner() {
            let at = rest.find(&name).unwrap_or(0) + start;
            return Err(Refusal {
                code: codes::SASS_NAME,
                range: at..at + name.len(),
                message: format!("there is no label `{name}` in this section"),
                help: "a label is a line `NAME:`; labels of other sections are not seen".to_owned(),
            });
        }
        let help = match &refusal.why {
            Why::NotOnChip(..) => "use another instruction, or another `.target`",
            Why::NoName(..) => "names are those that nvdisasm prints",
            _ => "`warpc dis --reassemblable` shows how instructions are written",
        };
        Err(Refusal {
            code: codes::SASS_INSTRUCTION,
            range: at..end,
            message: refusal.to_string(),
            help: help.to_owned(),
        })
    }

    fn facts(&self, sm: Sm, code: &[u128]) -> Facts {
        let KernelFacts {
            exits,
            barriers,
            attributes,
        } = kernel_facts(sm, code);
        let texts = code
            .iter()
            .filter_map(|word| print::text(sm, *word, &print::At(0)));
        Facts {
            exits,
            barriers,
            attributes,
            registers: texts.map(|text| registers_named(&text)).max().unwrap_or(0),
        }
    }

    fn remarks(&self, sm: Sm, code: &[u128]) -> Vec<Remark> {
        crate::schedule::remarks(sm, code)
    }

    fn padding(&self, sm: Sm, code: &[u128]) -> Vec<u128> {
        let idle = Control::UNSCHEDULED;
        let mut address = code.len() as u64 * 16;
        let mut words = Vec::new();
        let last = code
            .last()
            .and_then(|word| print::text(sm, *word, &print::At(address - 16)));
        let is_filled = |text: String| text == FILLER || text.starts_with(TRAP_LOOP);
        if !last.is_some_and(is_filled) {
            let text = format!("{TRAP_LOOP} {address:#x}");
            words.extend(parse::word(sm, &text, idle, &print::At(address)));
        }
        address += words.len() as u64 * 16;
        while !address.is_multiple_of(128) {
            // Every chip has it; without it there is nothing to fill with.
            let Some(word) = parse::word(sm, FILLER, idle, &print::At(address)) else {
                break;
            };
            words.push(word);
            address += 16;
        }
        words
    }
}

/// The instructions behind the code of a kernel: one that goes to itself, then as many that do nothing as fill the
/// last 128 bytes, as ptxas writes them.
const TRAP_LOOP: &str = "BRA";
const FILLER: &str = "NOP";

/// The registers that an instruction names, counted from 0.
fn registers_named(text: &str) -> u32 {
    let mut most = 0;
    let mut before = ' ';
    for (at, sign) in text.char_indices() {
        if sign == 'R' && !before.is_ascii_alphanumeric() && !matches!(before, '_' | '.') {
            let digits = &text[at + 1..];
            let end = digits.find(|c: char| !c.is_ascii_digit());
            let number = digits[..end.unwrap_or(digits.len())].parse::<u32>();
            most = most.max(number.map_or(0, |number| number.saturating_add(1)));
        }
        before = sign;
    }
    most
}

/// A text with one blank where there are blanks, one behind each comma between operands and none before; and where
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

/// Names the places that an instruction goes to by asking.
struct Asking<'a, 'b> {
    next: u64,
    ask: RefCell<&'a mut Ask<'b>>,
}

impl<'a, 'b> Asking<'a, 'b> {
    fn new(address: u64, ask: &'a mut Ask<'b>) -> Asking<'a, 'b> {
        Asking {
            next: address.wrapping_add(16),
            ask: RefCell::new(ask),
        }
    }
}

impl print::Place for Asking<'_, '_> {
    fn label(&self, distance: i64) -> String {
        (self.ask.borrow_mut())(self.next.wrapping_add_signed(distance))
    }
}

/// Labels of a text: `` `(name) ``, a bare name, or a number.
struct Known<'a> {
    next: u64,
    place: &'a dyn Fn(&str) -> Option<u64>,
    /// A name that is not known.
    unknown: RefCell<Option<String>>,
}

impl parse::Labels for Known<'_> {
    fn read(&self, text: &str) -> Option<(i64, usize)> {
        let distance = |target: u64| target.wrapping_sub(self.next) as i64;
        let named = |name: &str| {
            let target = (self.place)(name);
            if target.is_none() {
                self.unknown.replace(Some(name.to_owned()));
            }
            target
        };
        if let Some(inner) = text.strip_prefix("`(") {
            let end = inner.find(')')?;
            return Some((distance(named(&inner[..end])?), end + 3));
        }
        let end = text
            .find(|c: char| !c.is_ascii_alphanumeric() && !matches!(c, '_' | '.' | '$' | '@'))
            .unwrap_or(text.len());
        let word = &text[..end];
        if let Some(digits) = word.strip_prefix("0x") {
            let target = u64::from_str_radix(digits, 16).ok()?;
            return Some((distance(target), end));
        }
        if let Some(digits) = text.strip_prefix("-0x") {
            let end = digits.find(|c: char| !c.is_ascii_hexdigit());
            let digits = &digits[..end.unwrap_or(digits.len())];
            let target = u64::from_str_radix(digits, 16).ok()?.wrapping_neg();
            return Some((distance(target), 3 + digits.len()));
        }
        let first = word.chars().next()?;
        if first.is_ascii_digit() {
            return None;
        }
        Some((distance(named(word)?), end))
    }
}
