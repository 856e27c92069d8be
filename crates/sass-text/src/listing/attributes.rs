//! The attributes by name, with their values as text.

use super::Room;
use std::fmt::Write;
use warpc_cubin::Content;
use warpc_cubin::Value;
use warpc_cubin::attribute;
use warpc_cubin::{Cubin, kind};

/// A record as text: the names of attribute and format, and the value.
pub type Shown = (String, &'static str, String);

/// For each section of attributes its name and its records.
pub fn attributes(cubin: &Cubin) -> Vec<(String, Vec<Shown>)> {
    let mut all = Vec::new();
    let mut room = Room::of(cubin);
    for section in &cubin.sections {
        let Content::Info(records) = &section.content else {
            continue;
        };
        let table = match section.kind {
            kind::COMPAT => attribute::COMPAT,
            _ => attribute::INFO,
        };
        let shown = records.iter().map(|record| {
            let row = attribute::by_number(table, record.attribute);
            let value = row
                .and_then(|row| record.shaped(row.shape))
                .unwrap_or_else(|| Value::Raw(record.bytes.clone()));
            (
                attribute::name(table, record.attribute),
                record.format.name(),
                text(cubin, record.attribute, &value, &mut room),
            )
        });
        all.push((cubin.section_name(section).into_owned(), shown.collect()));
    }
    all
}

/// A value of an attribute as text.
fn text(cubin: &Cubin, number: u8, value: &Value, room: &mut Room) -> String {
    let mut symbol = |index: &u32| {
        let (_, symbols) = cubin.symbols();
        let name = symbols
            .get(*index as usize)
            .map(|symbol| cubin.symbol_name(symbol))
            .filter(|name| room.take(name.len()));
        format!("{}({index:#x})", name.unwrap_or_default())
    };
    let hex = |words: &[u32]| {
        words
            .iter()
            .map(|word| format!("{word:#x}"))
            .collect::<Vec<_>>()
            .join(" ")
    };
    match value {
        Value::Flag => String::new(),
        Value::Number(number) => format!("{number:#x}"),
        Value::Words(words) => {
            let one = |word: &u32| match attribute::value_name(number, *word) {
                Some(name) => name.to_owned(),
                None => format!("{word:#x}"),
            };
            words.iter().map(one).collect::<Vec<_>>().join(" ")
        }
        Value::Offsets(words) => hex(words),
        Value::Pairs(pairs) => {
            let pair = |(offset, register): &(u32, u32)| format!("({offset:#x}, {register})");
            pairs.iter().map(pair).collect::<Vec<_>>().join(" ")
        }
        Value::Function {
            symbol: index,
            number,
        } => format!("{} {number:#x}", symbol(index)),
        Value::Symbols(symbols) => symbols.iter().map(symbol).collect::<Vec<_>>().join(" "),
        Value::Bank {
            symbol: index,
            offset,
            size,
        } => format!("{} offset {offset:#x} size {size:#x}", symbol(index)),
        Value::Parameter(one) => format!(
            "ordinal {:#x} offset {:#x} size {:#x} alignment {:#x} space {:#x}",
            one.ordinal, one.offset, one.size, one.log_alignment, one.space
        ),
        Value::Branches(all) => {
            let one = |(place, targets): &(u32, Vec<u32>)| format!("{place:#x}: {}", hex(targets));
            all.iter().map(one).collect::<Vec<_>>().join("; ")
        }
        Value::Mbarriers(all) => {
            let mut out = String::new();
            for one in all {
                let kind = one
                    .name()
                    .map_or_else(|| format!("kind {}", one.kind), str::to_owned);
                // Writing to a string does not fail.
                let _ = write!(
                    out,
                    "{}{:#x}: {kind} R{} + UR{} + {}",
                    if out.is_empty() { "" } else { "; " },
                    one.offset,
                    one.register,
                    one.uniform,
                    one.displacement
                );
            }
            out
        }
        Value::Annotations(all) => {
            let one = |(_, place): &(u32, u32)| format!("{place:#x}: SpillRefill");
            all.iter().map(one).collect::<Vec<_>>().join("; ")
        }
        Value::Raw(bytes) => bytes
            .iter()
            .map(|byte| format!("{byte:02x}"))
            .collect::<Vec<_>>()
            .join(" "),
    }
}
