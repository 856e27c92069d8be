//! Who uses each local value: one flat array of uses, sorted by value.

use crate::function::Body;
use crate::index::Id;
use crate::value::{InstId, Local, Operand};

/// A place where a value is used.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Use {
    /// The instruction.
    pub inst: InstId,
    /// Which of its operands.
    pub operand: u32,
}

/// The uses of the local values of a body by the instructions in its blocks. Values in metadata
/// (`metadata i32 %x`, debug records) are not used by that.
#[derive(Clone, Debug, Default)]
pub struct Uses {
    starts: Vec<u32>,
    uses: Vec<Use>,
}

impl Uses {
    /// Collects the uses.
    pub fn new(body: &Body) -> Uses {
        let mut starts = vec![0u32; body.locals.len() + 1];
        each_use(body, |local, _| starts[local.index() + 1] += 1);
        for index in 1..starts.len() {
            starts[index] += starts[index - 1];
        }
        let mut next = starts.clone();
        let none = Use {
            inst: InstId::new(0),
            operand: 0,
        };
        let mut uses = vec![none; starts.last().map_or(0, |&end| end as usize)];
        each_use(body, |local, site| {
            uses[next[local.index()] as usize] = site;
            next[local.index()] += 1;
        });
        Uses { starts, uses }
    }

    /// The uses of a value, in the order of the text.
    pub fn of(&self, local: Local) -> &[Use] {
        let index = local.index();
        match (self.starts.get(index), self.starts.get(index + 1)) {
            (Some(&from), Some(&to)) => &self.uses[from as usize..to as usize],
            _ => &[],
        }
    }
}

fn each_use(body: &Body, mut found: impl FnMut(Local, Use)) {
    for &block in &body.order {
        for &inst in &body.blocks[block].insts {
            for (operand, value) in body.operands(inst).iter().enumerate() {
                if let Operand::Local(local) = value.get() {
                    let operand = operand as u32;
                    found(local, Use { inst, operand });
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::random;
    use super::*;

    #[test]
    fn each_operand_is_one_use() {
        for seed in 0..100 {
            let body = random::body(seed);
            let uses = Uses::new(&body);
            let mut count = 0;
            for local in body.locals.ids() {
                for site in uses.of(local) {
                    let operand = body.operands(site.inst)[site.operand as usize];
                    assert_eq!(operand.local(), Some(local));
                    count += 1;
                }
            }
            let mut expected = 0;
            each_use(&body, |_, _| expected += 1);
            assert_eq!(count, expected);
        }
    }
}
