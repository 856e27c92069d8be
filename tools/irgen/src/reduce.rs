//! Cuts a program smaller while it still shows what is looked for.
//!
//! Statements are taken away, in halves first and then one by one; branches and loops are replaced
//! by what is in them; operands become zero. Whatever used a value that is gone uses zero instead.
//! Units are defined for all operands, so the program stays one without undefined behaviour.

use crate::program::{Function, Id, Operand, Program, Stmt, Unit, each_unit};
use crate::ty::Ty;
use std::collections::{HashMap, HashSet};

/// The smallest program found for which `shows` holds, as it does for the given one.
pub fn reduce(program: &Program, shows: &mut dyn FnMut(&Program) -> bool) -> Program {
    let mut best = program.clone();
    loop {
        let before = best.text().len();
        drop_statements(&mut best, shows);
        open_statements(&mut best, shows);
        zero_operands(&mut best, shows);
        if best.text().len() >= before {
            return best;
        }
    }
}

/// Takes a smaller program if it shows the same.
fn take(best: &mut Program, mut smaller: Program, shows: &mut dyn FnMut(&Program) -> bool) -> bool {
    tidy(&mut smaller);
    let smaller_text = smaller.text();
    if smaller_text.len() >= best.text().len() || !shows(&smaller) {
        return false;
    }
    *best = smaller;
    true
}

fn drop_statements(best: &mut Program, shows: &mut dyn FnMut(&Program) -> bool) {
    let mut chunk = best.units().next_power_of_two().max(1);
    while chunk > 0 {
        let mut at = 0;
        loop {
            let ids = statement_ids(best);
            if at >= ids.len() {
                break;
            }
            let some = ids[at..ids.len().min(at + chunk)].iter().copied().collect();
            if !take(best, without(best, &some), shows) {
                at += chunk;
            }
        }
        chunk /= 2;
    }
}

/// Numbers of all statements, the last first: what is used comes after what uses it.
fn statement_ids(program: &Program) -> Vec<Id> {
    fn walk(stmts: &[Stmt], ids: &mut Vec<Id>) {
        for stmt in stmts {
            ids.push(stmt_id(stmt));
            match stmt {
                Stmt::Unit(_) => {}
                Stmt::Choice(choice) => choice.arms.iter().for_each(|arm| walk(arm, ids)),
                Stmt::Loop(of) => walk(&of.body, ids),
            }
        }
    }
    let mut ids = Vec::new();
    for function in &program.functions {
        walk(&function.body, &mut ids);
    }
    ids.reverse();
    ids
}

fn stmt_id(stmt: &Stmt) -> Id {
    match stmt {
        Stmt::Unit(unit) => unit.id,
        Stmt::Choice(choice) => choice.id,
        Stmt::Loop(of) => of.id,
    }
}

/// The program without some statements. Addresses that others need stay: zero is not an address.
fn without(program: &Program, some: &HashSet<Id>) -> Program {
    let mut smaller = program.clone();
    let mut needed = HashSet::new();
    loop {
        let before = needed.len();
        for function in &program.functions {
            each_unit(&function.body, &mut |unit| {
                if some.contains(&unit.id) && !needed.contains(&unit.id) {
                    return;
                }
                for (operand, ty) in &unit.operands {
                    if let (Operand::Local(id), Ty::Ptr(_)) = (operand, ty) {
                        needed.insert(*id);
                    }
                }
            });
        }
        if needed.len() == before {
            break;
        }
    }
    for function in &mut smaller.functions {
        remove(&mut function.body, &|stmt| {
            let id = stmt_id(stmt);
            let holds = match stmt {
                Stmt::Unit(_) => needed.contains(&id),
                _ => false,
            };
            some.contains(&id) && !holds
        });
    }
    smaller
}

fn remove(stmts: &mut Vec<Stmt>, gone: &dyn Fn(&Stmt) -> bool) {
    stmts.retain(|stmt| !gone(stmt));
    for stmt in stmts {
        match stmt {
            Stmt::Unit(_) => {}
            Stmt::Choice(choice) => choice.arms.iter_mut().for_each(|arm| remove(arm, gone)),
            Stmt::Loop(of) => remove(&mut of.body, gone),
        }
    }
}

/// Replaces branches by one of their arms, and loops by one turn.
fn open_statements(best: &mut Program, shows: &mut dyn FnMut(&Program) -> bool) {
    for id in statement_ids(best) {
        for arm in 0.. {
            let mut smaller = best.clone();
            let mut opened = false;
            for function in &mut smaller.functions {
                let mut instead = HashMap::new();
                opened |= open(&mut function.body, id, arm, &mut instead);
                substitute(function, &instead);
            }
            if !opened || take(best, smaller, shows) {
                break;
            }
        }
    }
}

fn open(stmts: &mut Vec<Stmt>, id: Id, arm: usize, instead: &mut HashMap<Id, Operand>) -> bool {
    let found = stmts.iter().position(|stmt| stmt_id(stmt) == id);
    let Some(at) = found else {
        return stmts.iter_mut().any(|stmt| match stmt {
            Stmt::Unit(_) => false,
            Stmt::Choice(choice) => choice
                .arms
                .iter_mut()
                .any(|body| open(body, id, arm, instead)),
            Stmt::Loop(of) => open(&mut of.body, id, arm, instead),
        });
    };
    let body = match &stmts[at] {
        Stmt::Unit(_) => return false,
        Stmt::Choice(choice) => {
            let Some(body) = choice.arms.get(arm) else {
                return false;
            };
            instead.extend(
                choice
                    .phis
                    .iter()
                    .map(|phi| (phi.id, phi.from[arm].clone())),
            );
            body.clone()
        }
        Stmt::Loop(of) if arm == 0 => {
            instead.insert(of.id, Operand::zero(&Ty::I32));
            instead.extend(of.carried.iter().map(|one| (one.id, one.start.clone())));
            of.body.clone()
        }
        Stmt::Loop(_) => return false,
    };
    stmts.splice(at..=at, body);
    true
}

/// Makes operands zero, one at a time.
fn zero_operands(best: &mut Program, shows: &mut dyn FnMut(&Program) -> bool) {
    let mut number = 0;
    loop {
        let mut smaller = best.clone();
        let mut seen = 0;
        let mut changed = false;
        for function in &mut smaller.functions {
            operands(function, &mut |operand, ty| {
                if seen == number && !matches!(ty, Ty::Ptr(_)) && *operand != Operand::zero(ty) {
                    *operand = Operand::zero(ty);
                    changed = true;
                }
                seen += 1;
            });
        }
        if number >= seen {
            return;
        }
        if !(changed && take(best, smaller, shows)) {
            number += 1;
        }
    }
}

/// Calls `see` for every operand of a function.
fn operands(function: &mut Function, see: &mut dyn FnMut(&mut Operand, &Ty)) {
    fn walk(stmts: &mut [Stmt], see: &mut dyn FnMut(&mut Operand, &Ty)) {
        for stmt in stmts {
            match stmt {
                Stmt::Unit(Unit { operands, .. }) => {
                    operands
                        .iter_mut()
                        .for_each(|(operand, ty)| see(operand, ty));
                }
                Stmt::Choice(choice) => {
                    see(&mut choice.selector, &choice.ty);
                    choice.arms.iter_mut().for_each(|arm| walk(arm, see));
                    for phi in &mut choice.phis {
                        phi.from.iter_mut().for_each(|value| see(value, &phi.ty));
                    }
                }
                Stmt::Loop(of) => {
                    see(&mut of.count, &Ty::I32);
                    of.carried
                        .iter_mut()
                        .for_each(|one| see(&mut one.start, &one.ty));
                    walk(&mut of.body, see);
                    of.carried
                        .iter_mut()
                        .for_each(|one| see(&mut one.next, &one.ty));
                }
            }
        }
    }
    walk(&mut function.body, see);
    if let Some(ty) = &function.ret {
        see(&mut function.result, ty);
    }
}

/// Puts other operands in the place of values.
fn substitute(function: &mut Function, instead: &HashMap<Id, Operand>) {
    operands(function, &mut |operand, _| {
        // A value may stand for another that is replaced, too; a circle ends at a loop's start.
        for _ in 0..=instead.len() {
            match operand {
                Operand::Local(id) if instead.contains_key(id) => *operand = instead[id].clone(),
                _ => break,
            }
        }
    });
}

/// Takes away what nothing uses, and puts zero where a value is gone.
fn tidy(program: &mut Program) {
    for function in &mut program.functions {
        let mut defined: HashSet<Id> = function.params.iter().map(|(id, ..)| *id).collect();
        define(&function.body, &mut defined);
        let mut used = HashSet::new();
        operands(function, &mut |operand, ty| match operand {
            Operand::Local(id) if !defined.contains(id) => *operand = Operand::zero(ty),
            Operand::Local(id) => {
                used.insert(*id);
            }
            Operand::Constant(_) => {}
        });
        drop_unused(&mut function.body, &used);
    }
    loop {
        let last = program.functions.len() - 1;
        let mut texts: Vec<String> = program
            .globals
            .iter()
            .map(|global| global.text.clone())
            .collect();
        for function in &program.functions {
            each_unit(&function.body, &mut |unit| {
                texts.push(unit.text.clone());
                texts.extend(unit.operands.iter().map(|(operand, _)| operand.text()));
            });
        }
        let text = texts.join("\n");
        let mentions = |name: &str| {
            let ends =
                |rest: &str| !rest.starts_with(|c: char| c.is_ascii_alphanumeric() || c == '.');
            text.match_indices(name)
                .filter(|(at, _)| ends(&text[at + name.len()..]))
                .count()
        };
        let before = (program.functions.len(), program.globals.len());
        // A function that calls itself is kept; the statement that calls it goes first.
        let mut number = 0;
        program.functions.retain(|function| {
            number += 1;
            number > last || mentions(&format!("@{}", function.name)) > 0
        });
        program.globals.retain(|global| mentions(&global.name) > 1);
        if (program.functions.len(), program.globals.len()) == before {
            return;
        }
    }
}

fn define(stmts: &[Stmt], defined: &mut HashSet<Id>) {
    for stmt in stmts {
        match stmt {
            Stmt::Unit(unit) => {
                defined.insert(unit.id);
            }
            Stmt::Choice(choice) => {
                choice.arms.iter().for_each(|arm| define(arm, defined));
                defined.extend(choice.phis.iter().map(|phi| phi.id));
            }
            Stmt::Loop(of) => {
                defined.insert(of.id);
                defined.extend(of.carried.iter().map(|one| one.id));
                define(&of.body, defined);
            }
        }
    }
}

/// Phis that nothing uses.
fn drop_unused(stmts: &mut [Stmt], used: &HashSet<Id>) {
    for stmt in stmts {
        match stmt {
            Stmt::Unit(_) => {}
            Stmt::Choice(choice) => {
                choice.phis.retain(|phi| used.contains(&phi.id));
                choice
                    .arms
                    .iter_mut()
                    .for_each(|arm| drop_unused(arm, used));
            }
            Stmt::Loop(of) => {
                of.carried.retain(|one| used.contains(&one.id));
                drop_unused(&mut of.body, used);
            }
        }
    }
}
