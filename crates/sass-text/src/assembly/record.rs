//! Attributes of kernels as text, and back.

use super::lex::{Line, Wrong, fault};
use std::fmt::Write;
use warpc_cubin::attribute::info::REGCOUNT;
use warpc_cubin::attribute::{self, Row, Shape};
use warpc_cubin::{Format, Record};
use warpc_cubin::{Mbarrier, Parameter, Value};
use warpc_diag::codes;

/// How the numbers of symbols and places are written.
pub(super) trait Writing {
    fn symbol(&self, number: u32) -> String;
    fn place(&self, place: u32) -> String;
    /// The registers of a function, where its code says them.
    fn registers(&self, symbol: u32) -> Option<u32>;
}

/// How the texts of symbols and places are read.
pub(super) trait Reading {
    fn symbol(&self, line: &mut Line<'_>) -> Result<u32, Wrong>;
    fn place(&self, line: &mut Line<'_>) -> Result<u32, Wrong>;
    fn registers(&self, symbol: u32) -> Option<u32>;
}

/// The words for the formats.
const FORMATS: [(&str, Format); 4] = [
    ("none", Format::None),
    ("byte", Format::Byte),
    ("half", Format::Half),
    ("sized", Format::Sized),
];

/// A record as text.
pub(super) fn print(table: &'static [Row], record: &Record, names: &dyn Writing) -> String {
    let mut out = attribute::name(table, record.attribute);
    let row = attribute::by_number(table, record.attribute);
    let typed = row.and_then(|row| {
        let value = record.shaped(row.shape)?;
        // Only what comes back is written typed.
        let back = encode(record.attribute, row.shape, &value)?;
        (back == *record).then_some(value)
    });
    let text = match typed {
        Some(value) => value_text(record.attribute, &value, names),
        None => raw_text(record),
    };
    if !text.is_empty() {
        out.push(' ');
        out.push_str(&text);
    }
    out
}

fn raw_text(record: &Record) -> String {
    let format = FORMATS.iter().find(|(_, format)| *format == record.format);
    let mut out = format!("raw {}", format.map_or("sized", |(word, _)| word));
    for byte in &record.bytes {
        // Writing to a string does not fail.
        let _ = write!(out, " {byte:#04x}");
    }
    out
}

fn list<T>(all: &[T], one: impl Fn(&T) -> String) -> String {
    all.iter().map(one).collect::<Vec<_>>().join(", ")
}

fn value_text(attribute: u8, value: &Value, names: &dyn Writing) -> String {
    match value {
        Value::Flag => String::new(),
        Value::Number(number) => format!("{number:#x}"),
        Value::Words(words) => list(words, |word| format!("{word:#x}")),
        Value::Offsets(places) => list(places, |place| names.place(*place)),
        Value::Pairs(pairs) => list(pairs, |(place, register)| {
            format!("{} {register}", names.place(*place))
        }),
        Value::Function { symbol, number } => {
            let name = names.symbol(*symbol);
            match attribute == REGCOUNT && names.registers(*symbol) == Some(*number) {
                true => name,
                false => format!("{name}, {number:#x}"),
            }
        }
        Value::Symbols(symbols) => list(symbols, |symbol| names.symbol(*symbol)),
        Value::Bank {
            symbol,
            offset,
            size,
        } => format!("{}, {offset:#x}, {size:#x}", names.symbol(*symbol)),
        Value::Parameter(one) => {
            let mut out = format!("{}: {:#x} size {:#x}", one.ordinal, one.offset, one.size);
            if one.log_alignment != 0 {
                let _ = write!(out, " pointee_align {}", one.log_alignment);
            }
            if one.space != 0 {
                let _ = write!(out, " space {}", one.space);
            }
            out
        }
        Value::Branches(all) => list(all, |(place, targets)| {
            let targets: Vec<String> = targets.iter().map(|one| names.place(*one)).collect();
            format!("{}: {}", names.place(*place), targets.join(" "))
        }),
        Value::Mbarriers(all) => list(all, |one| {
            let kind = match one.name() {
                Some(name) => name.to_owned(),
                None => one.kind.to_string(),
            };
            format!(
                "{}: {kind} {} {} {:#x} {}",
                names.place(one.offset),
                one.register,
                one.uniform,
                one.displacement,
                one.stride
            )
        }),
        Value::Annotations(all) => list(all, |(kind, place)| {
            format!("{kind} {}", names.place(*place))
        }),
        Value::Raw(_) => String::new(),
    }
}

/// The record of a value of an attribute.
pub(super) fn encode(attribute: u8, shape: Shape, value: &Value) -> Option<Record> {
    Some(match (shape, value) {
        (Shape::Flag, Value::Flag) => Record::flag(attribute),
        (Shape::Byte, Value::Number(number)) => {
            Record::byte(attribute, u8::try_from(*number).ok()?)
        }
        (Shape::Half, Value::Number(number)) => Record::half(attribute, *number),
        (Shape::Words, Value::Words(words))
        | (Shape::Offsets, Value::Offsets(words))
        | (Shape::Symbols, Value::Symbols(words)) => Record::words(attribute, words),
        (Shape::Pairs, Value::Pairs(pairs)) => {
            let words: Vec<u32> = pairs.iter().flat_map(|&(a, b)| [a, b]).collect();
            Record::words(attribute, &words)
        }
        (Shape::Annotations, Value::Annotations(all)) => {
            let words: Vec<u32> = all.iter().flat_map(|&(a, b)| [a, b]).collect();
            Record::words(attribute, &words)
        }
        (Shape::Function, Value::Function { symbol, number }) => {
            Record::words(attribute, &[*symbol, *number])
        }
        (
            Shape::Bank,
            Value::Bank {
                symbol,
                offset,
                size,
            },
        ) => Record::words(
            attribute,
            &[*symbol, u32::from(*offset) | u32::from(*size) << 16],
        ),
        (Shape::Parameter | Shape::WideParameter, Value::Parameter(one)) => {
            let record = one.record();
            (record.attribute == attribute).then_some(record)?
        }
        (Shape::Branches, Value::Branches(all)) => {
            let mut words = Vec::new();
            for (place, targets) in all {
                words.extend([*place, 0, targets.len() as u32]);
                words.extend(targets);
            }
            Record::words(attribute, &words)
        }
        (Shape::Mbarriers, Value::Mbarriers(all)) => {
            let mut words = Vec::new();
            for one in all {
                let packed = u32::from(one.kind & 15)
                    | u32::from(one.stride & 15) << 4
                    | u32::from(one.uniform) << 16;
                words.extend([one.offset, one.register, one.displacement, packed]);
            }
            Record::words(attribute, &words)
        }
        _ => return None,
    })
}

/// The table that a name's attribute is in, and its number.
fn named(table: &'static [Row], name: &str) -> Option<u8> {
    if let Some(row) = table.iter().find(|row| row.name == name) {
        return Some(row.number);
    }
    let number = name
        .strip_prefix("EIATTR_0x")
        .or_else(|| name.strip_prefix("EICOMPAT_ATTR_0x"))?;
    u8::from_str_radix(number, 16).ok()
}

/// Reads a record.
pub(super) fn read(
    table: &'static [Row],
    line: &mut Line<'_>,
    names: &dyn Reading,
) -> Result<Record, Wrong> {
    let start = line.span();
    let Some((name, span)) = line.word() else {
        return Err(line.wrong("the name of an attribute is missing here".to_owned()));
    };
    let Some(attribute) = named(table, name) else {
        let mut wrong = fault(
            codes::SASS_VALUE,
            span,
            format!("there is no attribute `{name}`"),
        );
        wrong.help = Some(
            "names are those that cuobjdump prints; one without a name is `EIATTR_0x5f`".to_owned(),
        );
        return Err(wrong);
    };
    let record = if line.accept_word("raw") {
        read_raw(attribute, line)?
    } else {
        let shape = attribute::by_number(table, attribute).map_or(Shape::Raw, |row| row.shape);
        let value = read_value(attribute, shape, line, names)?;
        encode(attribute, shape, &value).ok_or_else(|| {
            fault(
                codes::SASS_VALUE,
                start,
                format!("`{name}` cannot hold this value"),
            )
        })?
    };
    if record.format == Format::Sized && record.bytes.len() > usize::from(u16::MAX) {
        return Err(fault(
            codes::SASS_VALUE,
            start,
            "the value of an attribute has at most 65535 bytes",
        ));
    }
    line.end()?;
    Ok(record)
}

fn read_raw(attribute: u8, line: &mut Line<'_>) -> Result<Record, Wrong> {
    let format = FORMATS
        .iter()
        .find(|(word, _)| line.accept_word(word))
        .map(|(_, format)| *format);
    let Some(format) = format else {
        return Err(line.wrong("`none`, `byte`, `half` or `sized` is missing here".to_owned()));
    };
    let mut bytes = Vec::new();
    while !line.is_at_end() {
        bytes.push(line.unsigned::<u8>()?);
    }
    if format != Format::Sized && bytes.len() != 2 {
        return Err(line.wrong("a record of this format has two bytes".to_owned()));
    }
    Ok(Record {
        format,
        attribute,
        bytes,
    })
}

/// Values with commas between them; there may be none.
fn read_list<T>(
    line: &mut Line<'_>,
    mut one: impl FnMut(&mut Line<'_>) -> Result<T, Wrong>,
) -> Result<Vec<T>, Wrong> {
    let mut all = Vec::new();
    if line.is_at_end() {
        return Ok(all);
    }
    loop {
        all.push(one(line)?);
        if !line.accept(",") {
            return Ok(all);
        }
    }
}

fn read_value(
    attribute: u8,
    shape: Shape,
    line: &mut Line<'_>,
    names: &dyn Reading,
) -> Result<Value, Wrong> {
    Ok(match shape {
        Shape::Raw => {
            let message =
                "the value of this attribute is not known; write `raw sized` and its bytes";
            return Err(line.wrong(message.to_owned()));
        }
        Shape::Flag => Value::Flag,
        Shape::Byte => Value::Number(u16::from(line.unsigned::<u8>()?)),
        Shape::Half => Value::Number(line.unsigned()?),
        Shape::Words => Value::Words(read_list(line, |line| line.unsigned())?),
        Shape::Offsets => Value::Offsets(read_list(line, |line| names.place(line))?),
        Shape::Symbols => Value::Symbols(read_list(line, |line| names.symbol(line))?),
        Shape::Pairs => Value::Pairs(read_list(line, |line| {
            Ok((names.place(line)?, line.unsigned()?))
        })?),
        Shape::Annotations => Value::Annotations(read_list(line, |line| {
            Ok((line.unsigned()?, names.place(line)?))
        })?),
        Shape::Function => {
            let symbol = names.symbol(line)?;
            let said = names.registers(symbol);
            let number = match (line.is_at_end(), said) {
                (true, Some(registers)) if attribute == REGCOUNT => registers,
                _ => {
                    line.expect(",")?;
                    line.unsigned()?
                }
            };
            Value::Function { symbol, number }
        }
        Shape::Bank => {
            let symbol = names.symbol(line)?;
            line.expect(",")?;
            let offset = line.unsigned()?;
            line.expect(",")?;
            let size = line.unsigned()?;
            Value::Bank {
                symbol,
                offset,
                size,
            }
        }
        Shape::Parameter | Shape::WideParameter => {
            let mut one = Parameter {
                ordinal: line.unsigned()?,
                ..Parameter::default()
            };
            line.expect(":")?;
            one.offset = line.unsigned()?;
            loop {
                if line.accept_word("size") {
                    one.size = line.unsigned()?;
                } else if line.accept_word("pointee_align") {
                    one.log_alignment = line.unsigned()?;
                } else if line.accept_word("space") {
                    one.space = line.unsigned()?;
                } else {
                    break;
                }
            }
            Value::Parameter(one)
        }
        Shape::Branches => Value::Branches(read_list(line, |line| {
            let place = names.place(line)?;
            line.expect(":")?;
            let mut targets = Vec::new();
            while !line.is_at_end() && !line.rest().starts_with(',') {
                targets.push(names.place(line)?);
            }
            Ok((place, targets))
        })?),
        Shape::Mbarriers => Value::Mbarriers(read_list(line, |line| {
            let offset = names.place(line)?;
            line.expect(":")?;
            let kind = match line.is_at_number() {
                true => line.unsigned()?,
                false => {
                    let span = line.span();
                    let kind = line.word().and_then(|(word, _)| Mbarrier::kind_of(word));
                    kind.ok_or_else(|| {
                        let message = "there is no such instruction on mbarriers";
                        fault(codes::SASS_VALUE, span, message)
                    })?
                }
            };
            Ok(Mbarrier {
                offset,
                kind,
                register: line.unsigned()?,
                uniform: line.unsigned()?,
                displacement: line.unsigned()?,
                stride: line.unsigned()?,
            })
        })?),
    })
}
