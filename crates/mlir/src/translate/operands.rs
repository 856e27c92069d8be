//! The operands of an operation, by the names that its row gives them.

use super::{Outcome, Problem};
use crate::table::{Count, Row};
use crate::tree::{Attr, Op, Use};

/// The operands of an operation by name.
pub(super) struct Groups<'t> {
    groups: Vec<(&'static str, &'t [Use<'t>])>,
}

impl<'t> Groups<'t> {
    /// Splits the operands as the row says.
    pub fn of(op: &'t Op<'t>, row: &'static Row) -> Outcome<Groups<'t>> {
        let uses: &'t [Use<'t>] = &op.operands;
        let names: Vec<(&'static str, Count)> = row.groups().collect();
        let sizes = op.attrs.get("operandSegmentSizes").and_then(Attr::numbers);
        let fixed = names
            .iter()
            .filter(|(_, count)| *count == Count::One)
            .count();
        let wrong = || {
            let count = uses.len();
            Problem::wrong(format!("{count} operands do not fit it")).help(format!(
                "its operands are: {}",
                if row.operands.is_empty() {
                    "none"
                } else {
                    row.operands
                }
            ))
        };
        let sizes = match sizes {
            Some(sizes) if sizes.len() == names.len() => sizes,
            Some(_) => return Err(wrong()),
            None => {
                // Whatever is not fixed goes to the one name that may have several.
                let spare = uses.len().checked_sub(fixed).ok_or_else(wrong)?;
                let variable = names.len() - fixed;
                if variable > 1 && spare > 0 {
                    return Err(wrong());
                }
                let size = |&(_, count): &(&str, Count)| match count {
                    Count::One => 1,
                    _ => spare as i128,
                };
                names.iter().map(size).collect()
            }
        };
        let mut rest = uses;
        let mut groups = Vec::new();
        for (&(name, count), size) in names.iter().zip(sizes) {
            let size = usize::try_from(size).map_err(|_| wrong())?;
            let fits = match count {
                Count::One => size == 1,
                Count::Optional => size <= 1,
                Count::Any => true,
            };
            if !fits || size > rest.len() {
                return Err(wrong());
            }
            let (group, more) = rest.split_at(size);
            groups.push((name, group));
            rest = more;
        }
        match rest.is_empty() {
            true => Ok(Groups { groups }),
            false => Err(wrong()),
        }
    }

    /// The operands with a name; none if the row has no such name.
    pub fn get(&self, name: &str) -> Option<&'t [Use<'t>]> {
        let group = self.groups.iter().find(|(group, _)| *group == name);
        group.map(|(_, uses)| *uses)
    }

    /// The one operand with a name, if it is there.
    pub fn one(&self, name: &str) -> Option<&'t Use<'t>> {
        self.get(name)?.first()
    }
}
