//! Bytes as text, and back.

use super::lex::{Line, Wrong, fault, quoted};
use std::fmt::Write;
use warpc_diag::codes;

/// Runs of so many zeros are counted, not listed.
const LONG_RUN: usize = 32;

/// Prints bytes as directives.
pub(super) fn print(bytes: &[u8], out: &mut String) {
    if is_text(bytes) {
        let lines = bytes[..bytes.len() - 1].split(|&byte| byte == 0);
        for one in lines {
            line(out, ".string", &quoted(one));
        }
        return;
    }
    let mut rest = bytes;
    while !rest.is_empty() {
        let zeros = rest.iter().take_while(|&&byte| byte == 0).count();
        let whole = match zeros == rest.len() {
            true => zeros,
            false => zeros / 4 * 4,
        };
        if whole >= LONG_RUN || whole == rest.len() && whole > 4 {
            line(out, ".zero", &format!("{whole:#x}"));
            rest = &rest[whole..];
            continue;
        }
        let row = &rest[..rest.len().min(32)];
        let (words, odd) = row.as_chunks::<4>();
        if words.is_empty() {
            let texts: Vec<String> = odd.iter().map(|byte| format!("{byte:#04x}")).collect();
            line(out, ".u8", &texts.join(", "));
            return;
        }
        let texts: Vec<String> = words
            .iter()
            .map(|word| format!("{:#010x}", u32::from_le_bytes(*word)))
            .collect();
        line(out, ".u32", &texts.join(", "));
        rest = &rest[words.len() * 4..];
    }
}

fn line(out: &mut String, directive: &str, value: &str) {
    // Writing to a string does not fail.
    let _ = writeln!(out, "    {directive} {value}");
}

/// Whether bytes are lines of text with a zero after each.
fn is_text(bytes: &[u8]) -> bool {
    let is_shown = |byte: &u8| matches!(byte, 0 | b'\t' | b'\n' | b' '..=b'~');
    let zeros = bytes.iter().filter(|&&byte| byte == 0).count();
    bytes.len() > 8
        && bytes.last() == Some(&0)
        && bytes.iter().all(is_shown)
        && zeros * 4 < bytes.len()
}

/// What a line of data says.
pub(super) enum Data {
    Bytes(Vec<u8>),
    Zeros(u64),
}

/// Reads a line of data after its directive; nothing if the directive is another.
pub(super) fn read(directive: &str, line: &mut Line<'_>) -> Result<Option<Data>, Wrong> {
    let size = match directive {
        ".zero" => {
            let count = line.unsigned()?;
            return Ok(Some(Data::Zeros(count)));
        }
        ".string" | ".ascii" => {
            let mut bytes = Vec::new();
            loop {
                bytes.extend(line.string()?.0);
                if directive == ".string" {
                    bytes.push(0);
                }
                if !line.accept(",") {
                    return Ok(Some(Data::Bytes(bytes)));
                }
            }
        }
        ".u8" => 1,
        ".u16" => 2,
        ".u32" => 4,
        ".u64" => 8,
        ".f32" => 4,
        ".f64" => 8,
        _ => return Ok(None),
    };
    let mut bytes = Vec::new();
    loop {
        if directive.starts_with(".f") {
            float(size, line, &mut bytes)?;
        } else {
            let (value, span) = line.number()?;
            let limit = 1i128 << (8 * size);
            if value >= limit || value < -limit / 2 {
                let message = format!("{value:#x} does not fit {} bits", 8 * size);
                return Err(fault(codes::SASS_VALUE, span, message));
            }
            bytes.extend(&value.to_le_bytes()[..size]);
        }
        if !line.accept(",") {
            return Ok(Some(Data::Bytes(bytes)));
        }
    }
}

/// Reads a floating-point number of four or eight bytes.
fn float(size: usize, line: &mut Line<'_>, bytes: &mut Vec<u8>) -> Result<(), Wrong> {
    let rest = line.rest();
    let end = rest.find([',', ' ', '\t']).unwrap_or(rest.len());
    let text = &rest[..end];
    let span = line.part(0..end);
    let wrong = || {
        fault(
            codes::SASS_VALUE,
            span,
            "this is not a floating-point number",
        )
    };
    match size {
        4 => bytes.extend(text.parse::<f32>().map_err(|_| wrong())?.to_le_bytes()),
        _ => bytes.extend(text.parse::<f64>().map_err(|_| wrong())?.to_le_bytes()),
    }
    line.skip(end);
    Ok(())
}
