//! Places in the source: what `.file`, `.loc` and the names of inlined functions say.
//!
//! A `.loc` of code that was inlined names the place of the call. If that call was inlined, too, an earlier `.loc` of
//! the function stands for it and names the next one: so the chain is followed from the instruction outwards.

use crate::program::Code;
use warpc_ptx::Module;
use warpc_ptx::module::{Item, SectionLine};
use warpc_ptx::symbol::Symbol;

/// File, line and column.
pub type Position = (u32, u32, u32);

/// What a `.loc` says.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct SourcePlace {
    /// The place.
    pub at: Position,
    /// The function that was inlined here: the label of its name, an offset from that, and the place of the call.
    pub inlined: Option<(Symbol, i64, Position)>,
}

/// Calls that are followed outwards at most.
const MAX_CALLS: usize = 64;

/// The place a `.loc` names as text, with the calls it was inlined through: `k.cu:2:7 in `sq`, inlined at k.cu:9:3`.
pub(crate) fn text(module: &Module, code: &Code, loc: usize) -> String {
    let mut text = String::new();
    let mut index = loc;
    for _ in 0..MAX_CALLS {
        let place = &code.locs[index];
        text.push_str(&position(module, place.at));
        let Some((name, offset, call)) = place.inlined else {
            return text;
        };
        if let Some(name) = function_name(module, name, offset) {
            text.push_str(&format!(" in `{name}`"));
        }
        text.push_str(", inlined at ");
        // The place of the call was said before what was inlined there.
        match code.locs[..index]
            .iter()
            .rposition(|earlier| earlier.at == call)
        {
            Some(earlier) => index = earlier,
            None => {
                text.push_str(&position(module, call));
                return text;
            }
        }
    }
    text.push('…');
    text
}

/// `k.cu:12:3`
fn position(module: &Module, (file, line, column): Position) -> String {
    let name = module.items.iter().find_map(|item| match item {
        Item::File(found) if found.index == u64::from(file) => Some(found.name.clone()),
        _ => None,
    });
    let name = name.unwrap_or_else(|| format!("file {file}"));
    format!("{name}:{line}:{column}")
}

/// The text between a label of a section, or so far after it, and the next zero.
fn function_name(module: &Module, label: Symbol, offset: i64) -> Option<String> {
    let sections = module.items.iter().filter_map(|item| match item {
        Item::Section(section) => Some(section),
        _ => None,
    });
    for section in sections {
        let is_label =
            |line: &SectionLine| matches!(line, SectionLine::Label(found, _) if *found == label);
        let Some(start) = section.lines.iter().position(is_label) else {
            continue;
        };
        let mut bytes = section.lines[start..].iter().flat_map(|line| match line {
            SectionLine::Numbers(ty, values, _) if ty.bytes() == 1 => values.as_slice(),
            _ => &[],
        });
        let skipped = usize::try_from(offset).ok()?;
        let name: Vec<u8> = bytes
            .by_ref()
            .skip(skipped)
            .map(|value| value.bits as u8)
            .take_while(|&byte| byte != 0)
            .take(MAX_NAME)
            .collect();
        return (!name.is_empty()).then(|| String::from_utf8_lossy(&name).into_owned());
    }
    None
}

/// Bytes of a name that are shown.
const MAX_NAME: usize = 200;
