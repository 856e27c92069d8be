//! `warpc builtins`: the table of NVVM builtins.

use crate::{MessageFormat, report};
use serde_json::json;
use std::fmt::Write;
use std::process::ExitCode;
use warpc_builtins::{Builtin, Source};
use warpc_target::Chips;

pub fn run(pattern: Option<&str>, as_json: bool, format: MessageFormat) -> ExitCode {
    let rows: Vec<&Builtin> = warpc_builtins::all()
        .iter()
        .chain(warpc_builtins::unnumbered())
        .filter(|row| pattern.is_none_or(|pattern| fits(pattern, row.name)))
        .collect();
    if rows.is_empty() {
        let pattern = pattern.unwrap_or_default();
        return report::failure(
            &format_args!("no builtin has a name like `{pattern}`"),
            format,
        );
    }
    let text = if as_json {
        json_table(&rows)
    } else {
        table(&rows)
    };
    report::output(&text, None, format)
}

/// Whether a name contains the text, or is as the pattern says if that has `*` or `?`.
fn fits(pattern: &str, name: &str) -> bool {
    if pattern.contains(['*', '?']) {
        glob(pattern.as_bytes(), name.as_bytes())
    } else {
        name.contains(pattern)
    }
}

/// `*` stands for any text, `?` for one character. Goes back to the last `*` only, so it takes at most
/// the product of the lengths.
fn glob(pattern: &[u8], text: &[u8]) -> bool {
    let (mut p, mut t) = (0, 0);
    let mut star = None;
    while t < text.len() {
        match pattern.get(p) {
            Some(b'*') => {
                star = Some((p, t));
                p += 1;
            }
            Some(&c) if c == b'?' || c == text[t] => {
                p += 1;
                t += 1;
            }
            _ => {
                let Some((at, from)) = star else {
                    return false;
                };
                star = Some((at, from + 1));
                p = at + 1;
                t = from + 1;
            }
        }
    }
    pattern[p..].iter().all(|&c| c == b'*')
}

/// The number of a builtin, if it has one.
pub fn number(builtin: &Builtin) -> Option<u16> {
    (builtin.id != 0).then_some(builtin.id)
}

/// The first chip that has a builtin, as a word.
pub fn gate(builtin: &Builtin) -> String {
    match builtin.chips {
        None => "all".to_owned(),
        Some(Chips::AtLeast(number)) => format!("sm_{number}"),
        Some(chips) => chips.to_string(),
    }
}

/// What there is to say about how sure a row is.
pub fn remark(builtin: &Builtin) -> &'static str {
    match builtin.source {
        Source::Unknown => "reserved: nothing is known but the number",
        Source::Inferred => "inferred",
        _ => "",
    }
}

fn table(rows: &[&Builtin]) -> String {
    let signature = |row: &Builtin| match row.signature {
        Some(signature) => signature.to_string(),
        None => "?".to_owned(),
    };
    let name_width = rows.iter().map(|row| row.name.len()).max().unwrap_or(0);
    let mut text = format!(
        "{:>3}  {:name_width$}  {:13}  {:6}  signature\n",
        "id", "name", "category", "chips"
    );
    for row in rows {
        let remark = match remark(row) {
            "" => String::new(),
            remark => format!("  ({remark})"),
        };
        let _ = writeln!(
            text,
            "{:>3}  {:name_width$}  {:13}  {:6}  {}{remark}",
            number(row).map_or_else(|| "-".to_owned(), |id| id.to_string()),
            row.name,
            row.category.slug(),
            gate(row),
            signature(row),
        );
    }
    if rows.len() > 1 {
        let _ = writeln!(text, "{} builtins", rows.len());
    }
    text
}

fn json_table(rows: &[&Builtin]) -> String {
    let object = |row: &&Builtin| {
        let first_chip = match row.chips {
            Some(Chips::AtLeast(number)) => Some(number),
            _ => None,
        };
        json!({
            "id": number(row),
            "name": row.name,
            "category": row.category.slug(),
            "chips": gate(row),
            "first_chip": first_chip,
            "signature": row.signature.map(|s| s.to_string()),
            "source": row.source.title(),
            "reserved": row.is_reserved(),
        })
        .to_string()
    };
    let objects: Vec<String> = rows.iter().map(object).collect();
    format!("[{}]\n", objects.join(",\n "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns() {
        assert!(fits("fetch", "__nv_atomic_fetch_add_4_u"));
        assert!(fits("*_4_?", "__nv_atomic_fetch_add_4_u"));
        assert!(fits("*add*u", "__nv_atomic_fetch_add_4_u"));
        assert!(!fits("fetch*", "__nv_atomic_fetch_add_4_u"));
        assert!(!fits("*_4_??", "__nv_atomic_fetch_add_4_u"));
        assert!(fits("**", ""));
        assert!(!fits("?", ""));
        let steep = "*a".repeat(30) + "b";
        assert!(!fits(&steep, &"a".repeat(300)));
    }

    #[test]
    fn json_is_an_array_of_all() {
        let rows: Vec<&Builtin> = warpc_builtins::all().iter().collect();
        let value: serde_json::Value = serde_json::from_str(&json_table(&rows)).unwrap();
        let rows = value.as_array().unwrap();
        assert_eq!(rows.len(), 770);
        assert_eq!(rows[428]["name"], "__nv_atomic_fetch_add_4_u");
        assert_eq!(rows[428]["first_chip"], 60);
        assert_eq!(rows[358]["reserved"], true);
        assert!(rows[358]["signature"].is_null());
        let reserved = rows.iter().filter(|row| row["reserved"] == true).count();
        assert_eq!(reserved, 6);
        assert_eq!(rows[764]["chips"], "sm_90a");
        assert_eq!(rows[0]["chips"], "all");
    }

    #[test]
    fn rows_of_the_table() {
        let row = |name| table(&[warpc_builtins::by_name(name).unwrap()]);
        let text = row("__nv_atomic_exchange_16");
        let line = text.lines().nth(1).unwrap();
        assert_eq!(
            line,
            "465  __nv_atomic_exchange_16  atomic_cxx11   sm_90   u128(u128*,u128,i32,i32)"
        );
        assert!(row("reserved_404").contains("?  (reserved: nothing is known but the number)"));
        assert!(row("__nvvm_mul24_i").contains("i32(i32,i32)  (inferred)"));
        let text = row("__nvvm_atom_cta_cas_gen_us");
        assert!(text.lines().nth(1).unwrap().starts_with("  -  __nvvm_atom"));
        assert!(row("__wgmma_mma_async_f16").contains("sm_90a  "));
    }
}
