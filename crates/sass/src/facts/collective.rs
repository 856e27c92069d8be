//! What the lanes of a warp do together.
//!
//! | code | list |
//! |---|---|
//! | `VOTE` `MATCH` `REDUX` `CREDUX` | groups |
//! | `VOTE.ANY R, PT, PT` | none: it only asks which lanes are there (`activemask`) |
//! | `SHFL` after `WARPSYNC` | groups; without it, none |
//! | `WARPSYNC` that no other collective follows | groups |
//! | `UCGABAR_ARV` | groups; where ptxas's way around it follows, `BRA` and an instruction, at that instruction |
//! | `VOTEU` | warp-wide: it chooses the lane that acts for all |

use super::Line;
use crate::operand::{Operand, Value};

/// Places of instructions.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Together {
    /// What lanes of a group do together.
    pub groups: Vec<u32>,
    /// What stands for a whole warp.
    pub warp_wide: Vec<u32>,
}

pub(super) fn find(lines: &[Line]) -> Together {
    let mut found = Together::default();
    // A WARPSYNC whose collective has not come yet.
    let mut waiting: Option<u32> = None;
    let mut taken = None;
    for (index, line) in lines.iter().enumerate() {
        if taken == Some(index) {
            continue;
        }
        match line.opcode() {
            "WARPSYNC" => found.groups.extend(waiting.replace(line.place)),
            "VOTE" if asks_who_is_there(line) => {}
            "VOTE" | "MATCH" | "REDUX" | "CREDUX" => {
                waiting = None;
                found.groups.push(line.place);
            }
            "SHFL" if waiting.take().is_some() => found.groups.push(line.place),
            "VOTEU" => found.warp_wide.push(line.place),
            "UCGABAR_ARV" => {
                waiting = None;
                let around = match (lines.get(index + 1), lines.get(index + 2)) {
                    (Some(branch), Some(other)) if branch.opcode() == "BRA" => {
                        matches!(other.opcode(), "NOP" | "WARPSYNC").then_some(other.place)
                    }
                    _ => None,
                };
                taken = around.map(|_| index + 2);
                found.groups.push(around.unwrap_or(line.place));
            }
            "UCGABAR_WAIT" | "BAR" => waiting = None,
            "BRA" | "BRX" | "JMP" | "JMX" | "CALL" | "RET" | "EXIT" | "BSYNC" => {
                found.groups.extend(waiting.take());
            }
            _ => {}
        }
    }
    found.groups.extend(waiting);
    found
}

/// Whether a vote is on what is true for all: the answer is which lanes are there.
fn asks_who_is_there(line: &Line) -> bool {
    const TRUE: Operand = Operand {
        value: Value::TRUE,
        marks: crate::operand::Marks::NONE,
    };
    let shape = line.inst.shape;
    shape.modifiers().eq(["ANY"]) && line.inst.operands.ends_with(&[TRUE, TRUE])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(texts: &[&str]) -> Together {
        let sm = "sm_90".parse().expect("a chip");
        let insts = texts.iter().map(|text| {
            let control = crate::Control::UNSCHEDULED;
            let read = crate::parse::inst(sm, text, control, 0);
            read.unwrap_or_else(|| panic!("{text}")).0
        });
        let insts: Vec<_> = insts.collect();
        let places = (0..).step_by(16).zip(&insts);
        let lines = places.map(|(place, inst)| Line { place, inst });
        find(&lines.collect::<Vec<_>>())
    }

    #[test]
    fn each_in_one_list() {
        let found = found(&[
            "VOTE.ANY R4, PT, PT",
            "VOTE.ANY R4, PT, P0",
            "VOTEU.ANY UR4, UPT, PT",
            "SHFL.BFLY PT, R7, R2, 0x1, 0x1f",
            "WARPSYNC.ALL",
            "IADD3 R1, R2, R3, RZ",
            "SHFL.BFLY PT, R7, R2, 0x1, 0x1f",
            "WARPSYNC R3",
            "EXIT",
        ]);
        assert_eq!(found.groups, [0x10, 0x60, 0x70]);
        assert_eq!(found.warp_wide, [0x20]);
    }

    #[test]
    fn barriers_of_clusters() {
        let alone = found(&["WARPSYNC.ALL", "UCGABAR_ARV", "UCGABAR_WAIT", "EXIT"]);
        assert_eq!(alone.groups, [0x10]);
        let around = found(&["UCGABAR_ARV", "BRA `(.L_x_1)", "WARPSYNC.ALL", "EXIT"]);
        assert_eq!(around.groups, [0x20]);
    }
}
