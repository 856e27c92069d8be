//! Makes a program smaller while it still fails.

use crate::check::Case;
use crate::interpret;
use crate::program::{Arg, Id, Op, Program, Term};
use crate::text::edges;
use crate::ty::Ty;

/// The smallest program found; `fails` says whether one still does what it should not.
pub fn reduce(case: &Case, fails: &mut dyn FnMut(&Case) -> bool) -> Case {
    let mut best = case.clone();
    loop {
        let before = size(&best.program);
        for pass in [results, terms, instructions, operands, shortcuts] {
            let mut at = 0;
            while let Some(smaller) = pass(&best.program, at) {
                match accepted(smaller, fails) {
                    Some(better) if better.text() != best.text() => best = better,
                    _ => at += 1,
                }
            }
        }
        if size(&best.program) >= before {
            return best;
        }
    }
}

fn accepted(program: Program, fails: &mut dyn FnMut(&Case) -> bool) -> Option<Case> {
    let ran = interpret::run(&program).ok()?;
    let case = Case::new(program, ran);
    fails(&case).then_some(case)
}

fn size(program: &Program) -> usize {
    let blocks = program
        .functions
        .iter()
        .flat_map(|function| &function.blocks);
    let mut sum = 0;
    for block in blocks {
        sum += 1 + edges(&block.term).len();
        for inst in &block.insts {
            let constants = inst.args.iter().filter(|arg| matches!(arg, Arg::Const(..)));
            sum += 4 * (1 + inst.args.len()) - constants.count();
        }
        if let Term::Return(args) = &block.term {
            sum += args.len();
        }
    }
    sum
}

/// Without one of the kernel's results.
fn results(program: &Program, at: usize) -> Option<Program> {
    let mut program = program.clone();
    let kernel = program.functions.last_mut()?;
    if at >= kernel.results.len() || kernel.results.len() == 1 {
        return None;
    }
    kernel.results.remove(at);
    for block in &mut kernel.blocks {
        if let Term::Return(args) = &mut block.term {
            args.remove(at);
        }
    }
    Some(program)
}

/// With one way out of a block in the place of several.
fn terms(program: &Program, at: usize) -> Option<Program> {
    let mut program = program.clone();
    let mut left = at;
    for function in &mut program.functions {
        for block in &mut function.blocks {
            let ways = edges(&block.term).len();
            if ways < 2 {
                continue;
            }
            if left < ways {
                let way = edges(&block.term)[left].clone();
                block.term = Term::Jump(way);
                return Some(program);
            }
            left -= ways;
        }
    }
    None
}

fn replace(program: &mut Program, function: usize, id: Id, by: &Arg) {
    for block in &mut program.functions[function].blocks {
        let change = |arg: &mut Arg| {
            if *arg == Arg::Local(id) {
                *arg = by.clone();
            }
        };
        block
            .insts
            .iter_mut()
            .flat_map(|inst| &mut inst.args)
            .for_each(change);
        match &mut block.term {
            Term::Jump(edge) => edge.values.iter_mut().for_each(change),
            Term::Branch(condition, yes, no) => {
                change(condition);
                yes.values.iter_mut().chain(&mut no.values).for_each(change);
            }
            Term::Switch(value, cases, default) => {
                change(value);
                let edges = cases.iter_mut().map(|(_, edge)| edge).chain([default]);
                edges.flat_map(|edge| &mut edge.values).for_each(change);
            }
            Term::Return(args) => args.iter_mut().for_each(change),
        }
    }
}

fn zero(ty: &Ty) -> Arg {
    Arg::Const(ty.clone(), vec![0; ty.leaves().len()])
}

/// Without an instruction: zero, or an operand of its type, in its place.
fn instructions(program: &Program, at: usize) -> Option<Program> {
    let mut left = at;
    for (f, function) in program.functions.iter().enumerate() {
        for (b, block) in function.blocks.iter().enumerate() {
            for (i, inst) in block.insts.iter().enumerate() {
                let ty = &function.types[inst.id];
                let mut ways: Vec<Arg> = vec![zero(ty)];
                let same = inst.args.iter().filter(|arg| function.ty(arg) == *ty);
                ways.extend(same.cloned());
                if left < ways.len() {
                    let mut program = program.clone();
                    program.functions[f].blocks[b].insts.remove(i);
                    replace(&mut program, f, inst.id, &ways[left]);
                    return Some(program);
                }
                left -= ways.len();
            }
        }
    }
    None
}

/// With zero in the place of an operand that is a value.
fn operands(program: &Program, at: usize) -> Option<Program> {
    let mut left = at;
    for (f, function) in program.functions.iter().enumerate() {
        for (b, block) in function.blocks.iter().enumerate() {
            for (i, inst) in block.insts.iter().enumerate() {
                for (a, arg) in inst.args.iter().enumerate() {
                    if let Arg::Const(..) = arg {
                        continue;
                    }
                    if left == 0 {
                        let mut program = program.clone();
                        let arg = zero(&function.ty(arg));
                        program.functions[f].blocks[b].insts[i].args[a] = arg;
                        return Some(program);
                    }
                    left -= 1;
                }
            }
        }
    }
    None
}

/// With places that are constant.
fn shortcuts(program: &Program, at: usize) -> Option<Program> {
    let mut program = program.clone();
    let mut left = at;
    for function in &mut program.functions {
        for inst in function
            .blocks
            .iter_mut()
            .flat_map(|block| &mut block.insts)
        {
            let from = usize::from(matches!(inst.op, Op::Store(_) | Op::Set { .. }));
            let (Op::Load(place) | Op::Store(place) | Op::Set { to: place, .. }) = &mut inst.op
            else {
                continue;
            };
            if place.index.is_none() && place.other.is_none() {
                continue;
            }
            if left == 0 {
                place.index = None;
                place.other = None;
                inst.args.truncate(from);
                return Some(program);
            }
            left -= 1;
        }
    }
    None
}
