//! The list of differences that are known: opcode or name, chips, fields, kind, and why, separated by tabs. `*` is any.

use super::judge::{Class, Kind};
use crate::project::{self, Outcome};
use std::path::Path;

/// A row of the list.
pub struct Known {
    opcode: String,
    chips: Vec<String>,
    fields: String,
    kind: Option<Kind>,
}

/// Reads the list.
pub fn read(file: &Path) -> Outcome<Vec<Known>> {
    let text = project::read(file)?;
    let lines = text
        .lines()
        .filter(|line| !line.starts_with('#') && !line.is_empty());
    let mut rows = Vec::new();
    for line in lines {
        let cells: Vec<&str> = line.split('\t').collect();
        let [opcode, chips, fields, kind, why] = cells[..] else {
            return Err(format!("`{line}` has not five columns"));
        };
        let named = Kind::ALL.into_iter().find(|one| one.name() == kind);
        if why.is_empty() || named.is_none() && kind != "*" {
            return Err(format!("`{line}` has no reason or no kind"));
        }
        rows.push(Known {
            opcode: opcode.to_owned(),
            chips: chips.split(',').map(str::to_owned).collect(),
            fields: fields.to_owned(),
            kind: named,
        });
    }
    Ok(rows)
}

impl Known {
    /// Whether it speaks of a class.
    pub fn covers(&self, chip: &str, class: &Class) -> bool {
        let opcode = format!("{:03x}", class.opcode);
        (self.opcode == "*" || self.opcode == opcode || self.opcode == class.name)
            && (self.chips.iter().any(|known| known == "*" || known == chip))
            && (self.fields == "*" || class.fields.split(" + ").any(|field| field == self.fields))
            && self.kind.is_none_or(|kind| kind == class.kind)
    }
}
