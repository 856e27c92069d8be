//! Moves of phis out of the sections on the way.
//!
//! ```text
//!     @!%p bra EXIT;                     mov %i, %next;
//!     mov %i, %next;              ──►    @%p bra LOOP;
//!     bra LOOP;
//! ```
//!
//! The moves into the registers of phis stand in a section of their own where a block can go on in two ways.
//! If nobody needs the old values on the other way, they may as well stand before the branch. Then a loop ends
//! with one jump back, as assemblers like it.
//!
//! Registers of phis are written by such moves alone, so a move is a definition and everything else that names
//! the register is a use. A register is live at the start of a section if a path from there comes to a use
//! before a definition.

use crate::code::{Arg, Code, End, Label, Line, Reg, Section};
use crate::unit::{Refused, Unit};
use rustc_hash::{FxHashMap, FxHashSet};
use warpc_ptx::inst::MnemonicId;

/// Walking back from uses is given up after this many steps: the moves stay where they are.
const MAX_STEPS: usize = 20_000_000;

/// Takes the moves before their branches where nobody minds.
pub fn run(unit: &mut Unit, code: &mut Code) -> Result<(), Refused> {
    if !code.sections.iter().any(is_on_way) {
        return Ok(());
    }
    let mut moves = Vec::new();
    for mnemonic in ["mov.pred", "mov.b16", "mov.b32", "mov.b64"] {
        moves.push(unit.mnemonic(mnemonic, 0)?);
    }
    hoist(code, &moves);
    Ok(())
}

/// `moves` are the mnemonics of plain moves.
fn hoist(code: &mut Code, moves: &[MnemonicId]) {
    let mut names: FxHashMap<Label, usize> = FxHashMap::default();
    for (index, section) in code.sections.iter().enumerate() {
        names.insert(section.label, index);
    }
    let written: FxHashSet<Reg> = code
        .sections
        .iter()
        .filter(|section| is_edge(code, moves, section))
        .flat_map(|section| section.lines.iter())
        .filter_map(|line| moved(code, moves, line))
        .map(|(to, _)| to)
        .collect();
    if written.is_empty() {
        return;
    }
    let Some(live) = live_at_start(code, moves, &names, &written) else {
        return;
    };
    let mut gone = vec![false; code.sections.len()];
    for index in 0..code.sections.len() {
        let End::Branch {
            predicate,
            negated,
            mut yes,
            mut no,
        } = code.sections[index].end
        else {
            continue;
        };
        for (this, other) in [(true, no), (false, yes)] {
            let way = if this { yes } else { no };
            let (Some(&edge), Some(&other)) = (names.get(&way), names.get(&other)) else {
                continue;
            };
            let End::Jump(target) = code.sections[edge].end else {
                continue;
            };
            if edge == other || !is_edge(code, moves, &code.sections[edge]) {
                continue;
            }
            let free = code.sections[edge].lines.iter().all(|line| {
                moved(code, moves, line)
                    .is_some_and(|(to, _)| to != predicate && !live.contains(&(other as u32, to)))
            });
            // What the other way needs may have changed with the first.
            if !free || gone[other] {
                continue;
            }
            let mut lines = std::mem::take(&mut code.sections[edge].lines);
            code.sections[index].lines.append(&mut lines);
            gone[edge] = true;
            match this {
                true => yes = target,
                false => no = target,
            }
        }
        code.sections[index].end = match yes == no {
            true => End::Jump(yes),
            false => End::Branch {
                predicate,
                negated,
                yes,
                no,
            },
        };
    }
    let mut index = 0;
    code.sections.retain(|_| {
        index += 1;
        !gone[index - 1]
    });
}

/// Whether a section was made on the way to a block.
fn is_on_way(section: &Section) -> bool {
    matches!((section.label, section.end), (Label::Made(_), End::Jump(_)))
}

/// Whether a section was made for moves on the way to a block and holds nothing else.
fn is_edge(code: &Code, moves: &[MnemonicId], section: &Section) -> bool {
    is_on_way(section)
        && !section.lines.is_empty()
        && section
            .lines
            .iter()
            .all(|line| moved(code, moves, line).is_some())
}

/// Target and source of a plain move.
fn moved(code: &Code, moves: &[MnemonicId], line: &Line) -> Option<(Reg, Arg)> {
    let Line::Inst(inst) = line else {
        return None;
    };
    match code.args[inst.args.indices()] {
        [Arg::Reg(to), from @ (Arg::Reg(_) | Arg::Int(_))]
            if inst.guard.is_none() && moves.contains(&inst.mnemonic) =>
        {
            Some((to, from))
        }
        _ => None,
    }
}

/// The places where registers are live, as pairs of section and register; `None` if that takes too long.
fn live_at_start(
    code: &Code,
    moves: &[MnemonicId],
    names: &FxHashMap<Label, usize>,
    written: &FxHashSet<Reg>,
) -> Option<FxHashSet<(u32, Reg)>> {
    let count = code.sections.len();
    let mut before: Vec<Vec<u32>> = vec![Vec::new(); count];
    let mut kills: FxHashSet<(u32, Reg)> = FxHashSet::default();
    let mut live: FxHashSet<(u32, Reg)> = FxHashSet::default();
    let mut work: Vec<(u32, Reg)> = Vec::new();
    for (index, section) in code.sections.iter().enumerate() {
        let at = index as u32;
        let mut jump = |label: Label| {
            if let Some(&target) = names.get(&label) {
                before[target].push(at);
            }
        };
        let mut inner_jumps = false;
        let mut uses = Vec::new();
        for line in &section.lines {
            uses.clear();
            match line {
                Line::Inst(inst) => {
                    if let Some((reg, _)) = inst.guard {
                        uses.push(reg);
                    }
                    for &arg in &code.args[inst.args.indices()] {
                        each_register(code, arg, &mut |reg| uses.push(reg));
                        if let Arg::Label(label) = arg {
                            inner_jumps = true;
                            jump(label);
                        }
                    }
                }
                Line::Inline(text) => uses.extend_from_slice(&text.registers),
                Line::Targets(_, labels) => {
                    inner_jumps = true;
                    labels.iter().copied().for_each(&mut jump);
                }
                _ => {}
            }
            let definition = moved(code, moves, line).map(|(to, _)| to);
            let mut own = definition.is_some();
            for &reg in &uses {
                // The first operand of a move is its target.
                if own && Some(reg) == definition {
                    own = false;
                    continue;
                }
                if written.contains(&reg) && !kills.contains(&(at, reg)) && live.insert((at, reg)) {
                    work.push((at, reg));
                }
            }
            if let Some(reg) = definition
                && written.contains(&reg)
                && !inner_jumps
            {
                kills.insert((at, reg));
            }
        }
        if let End::Branch { predicate, .. } = section.end
            && written.contains(&predicate)
            && !kills.contains(&(at, predicate))
            && live.insert((at, predicate))
        {
            work.push((at, predicate));
        }
        match section.end {
            End::Stop => {}
            End::Jump(to) => jump(to),
            End::Branch { yes, no, .. } => {
                jump(yes);
                jump(no);
            }
        }
    }
    let mut steps = 0;
    while let Some((section, reg)) = work.pop() {
        for &from in &before[section as usize] {
            steps += 1;
            if !kills.contains(&(from, reg)) && live.insert((from, reg)) {
                work.push((from, reg));
            }
        }
        if steps > MAX_STEPS {
            return None;
        }
    }
    Some(live)
}

/// Every register in an operand.
fn each_register(code: &Code, arg: Arg, found: &mut impl FnMut(Reg)) {
    match arg {
        Arg::Reg(reg) => found(reg),
        Arg::Vector(range)
        | Arg::Pair(range)
        | Arg::Address(range)
        | Arg::Group(range)
        | Arg::List(range) => {
            for &arg in &code.args[range.indices()] {
                // Operands nest two deep at most: a vector in a group.
                match arg {
                    Arg::Reg(reg) => found(reg),
                    Arg::Vector(range) | Arg::Address(range) => {
                        for &arg in &code.args[range.indices()] {
                            if let Arg::Reg(reg) = arg {
                                found(reg);
                            }
                        }
                    }
                    _ => {}
                }
            }
        }
        _ => {}
    }
}
