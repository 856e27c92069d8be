//! Places in the source: what `.file`, `.loc` and the names of inlined functions say.
//!
//! A `.loc` of code that was inlined names the place of the call. If that call was inlined, too, an earlier `.loc` of
//! the function stands for it and names the next one: so the chain is followed from the instruction outwards.

use crate::program::Code;
use warpc_diag::Origin;
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

/// The place a `.loc` names, and those of the calls it was inlined through, outwards.
pub(crate) fn chain(module: &Module, code: &Code, loc: usize) -> Vec<Origin> {
    let mut chain = Vec::new();
    let mut index = loc;
    while chain.len() < MAX_CALLS {
        let place = &code.locs[index];
        let mut origin = origin(module, place.at);
        let Some((name, offset, call)) = place.inlined else {
            chain.push(origin);
            break;
        };
        origin.function = function_name(module, name, offset);
        chain.push(origin);
        // The place of the call was said before what was inlined there.
        match code.locs[..index]
            .iter()
            .rposition(|earlier| earlier.at == call)
        {
            Some(earlier) => index = earlier,
            None => {
                chain.push(self::origin(module, call));
                break;
            }
        }
    }
    chain
}

/// The same as text: `k.cu:2:7 in `sq`, inlined at k.cu:9:3`.
pub(crate) fn text(chain: &[Origin]) -> String {
    let each = chain.iter().map(|place| {
        let Origin {
            file,
            line,
            column,
            function,
        } = place;
        match function {
            Some(name) => format!("{file}:{line}:{column} in `{name}`"),
            None => format!("{file}:{line}:{column}"),
        }
    });
    let each: Vec<String> = each.collect();
    let rest = if each.len() >= MAX_CALLS {
        ", inlined at …"
    } else {
        ""
    };
    format!("{}{rest}", each.join(", inlined at "))
}

fn origin(module: &Module, (file, line, column): Position) -> Origin {
    let name = module.items.iter().find_map(|item| match item {
        Item::File(found) if found.index == u64::from(file) => Some(found.name.clone()),
        _ => None,
    });
    Origin {
        file: name.unwrap_or_else(|| format!("file {file}")),
        line,
        column,
        function: None,
    }
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
