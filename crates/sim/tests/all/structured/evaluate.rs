//! What a program computes: each thread on its own, section by section.

use super::Shape;
use super::program::{
    Binary, Cond, DEPTH, Expr, KEPT, Meeting, OLD, Program, Relation, Stmt, VARIABLES,
};

/// What a grid leaves.
pub struct Results {
    pub words: Vec<u32>,
    pub tally: u32,
}

/// Where a thread goes after a statement.
#[derive(PartialEq)]
enum Flow {
    Next,
    Break,
    Continue,
    Leave,
}

/// A thread in the kernel or in a function.
struct Frame<'p> {
    program: &'p Program,
    thread: u32,
    variables: [u32; VARIABLES],
    kept: [u32; KEPT as usize],
    /// The function, and how often it may still call itself.
    function: Option<(usize, u32)>,
}

pub fn grid(program: &Program, (blocks, block): Shape) -> Results {
    let size: u32 = block.iter().product();
    let mut results = Results {
        words: Vec::new(),
        tally: 0,
    };
    for first in (0..blocks).map(|number| number * size) {
        let mut frames: Vec<Frame<'_>> = (first..first + size)
            .map(|thread| Frame::new(program, thread, [thread, 1], None))
            .collect();
        let mut left = vec![false; frames.len()];
        for (body, meeting) in &program.sections {
            for (frame, left) in frames.iter_mut().zip(&mut left) {
                *left |= frame.run(body, &mut results.tally) == Flow::Leave;
            }
            meet(&mut frames, *meeting);
        }
        for (frame, left) in frames.iter().zip(left) {
            let words = if left {
                [OLD; VARIABLES]
            } else {
                frame.variables
            };
            results.words.extend(words);
        }
    }
    results
}

/// Exchanges values among the threads of a block.
fn meet(frames: &mut [Frame<'_>], meeting: Meeting) {
    match meeting {
        Meeting::Not => {}
        Meeting::First(v) => frames.chunks_mut(32).for_each(|warp| {
            let first = warp[0].variables[v];
            warp.iter_mut().for_each(|frame| frame.variables[v] = first);
        }),
        Meeting::Sum(v) => frames.chunks_mut(32).for_each(|warp| {
            let add = |sum: u32, frame: &Frame<'_>| sum.wrapping_add(frame.variables[v]);
            let sum = warp.iter().fold(0, add);
            warp.iter_mut().for_each(|frame| frame.variables[v] = sum);
        }),
        Meeting::Next(v) => {
            let mut values: Vec<u32> = frames.iter().map(|frame| frame.variables[v]).collect();
            values.rotate_left(1);
            let pairs = frames.iter_mut().zip(values);
            pairs.for_each(|(frame, value)| frame.variables[v] = value);
        }
    }
}

impl<'p> Frame<'p> {
    fn new(
        program: &'p Program,
        thread: u32,
        [a, b]: [u32; 2],
        function: Option<(usize, u32)>,
    ) -> Frame<'p> {
        Frame {
            program,
            thread,
            variables: [a, b, 2, 3],
            kept: [0; KEPT as usize],
            function,
        }
    }

    fn run(&mut self, body: &[Stmt], tally: &mut u32) -> Flow {
        for statement in body {
            let flow = self.step(statement, tally);
            if flow != Flow::Next {
                return flow;
            }
        }
        Flow::Next
    }

    fn step(&mut self, statement: &Stmt, tally: &mut u32) -> Flow {
        match statement {
            Stmt::Set(to, value) => self.variables[*to] = self.value(value),
            Stmt::Keep(index, value) => {
                let index = self.value(index) % KEPT;
                self.kept[index as usize] = self.value(value);
            }
            Stmt::Tally(value) => *tally = tally.wrapping_add(self.value(value)),
            Stmt::If(cond, then, otherwise) => {
                let body = if self.holds(cond) { then } else { otherwise };
                return self.run(body, tally);
            }
            Stmt::Guarded(cond, to, value) => {
                if self.holds(cond) {
                    self.variables[*to] = self.value(value);
                }
            }
            Stmt::Loop {
                rounds,
                tested_last,
                body,
            } => {
                let rounds = self.value(rounds) % 4 + u32::from(*tested_last);
                for _ in 0..rounds {
                    match self.run(body, tally) {
                        Flow::Next | Flow::Continue => {}
                        Flow::Break => break,
                        Flow::Leave => return Flow::Leave,
                    }
                }
            }
            Stmt::BreakIf(cond) if self.holds(cond) => return Flow::Break,
            Stmt::ContinueIf(cond) if self.holds(cond) => return Flow::Continue,
            Stmt::LeaveIf(cond) if self.holds(cond) => return Flow::Leave,
            Stmt::BreakIf(_) | Stmt::ContinueIf(_) | Stmt::LeaveIf(_) => {}
            Stmt::Switch { on, cases, falls } => {
                let first = self.value(on) as usize % cases.len();
                let count = if *falls { cases.len() - first } else { 1 };
                for case in cases.iter().skip(first).take(count) {
                    let flow = self.run(case, tally);
                    if flow != Flow::Next {
                        return flow;
                    }
                }
            }
            Stmt::Call {
                to,
                function,
                arguments,
            } => self.call(*to, (*function, DEPTH), arguments, tally),
            Stmt::CallThrough {
                to,
                which,
                arguments,
            } => {
                let function = self.value(which) as usize % 2;
                self.call(*to, (function, DEPTH), arguments, tally);
            }
            Stmt::Recurse { to, arguments } => {
                if let Some((function, depth @ 1..)) = self.function {
                    self.call(*to, (function, depth - 1), arguments, tally);
                }
            }
        }
        Flow::Next
    }

    fn call(&mut self, to: usize, function: (usize, u32), arguments: &[Expr; 2], tally: &mut u32) {
        let arguments = [self.value(&arguments[0]), self.value(&arguments[1])];
        let mut callee = Frame::new(self.program, self.thread, arguments, Some(function));
        let code = &self.program.functions[function.0];
        callee.run(&code.body, tally);
        self.variables[to] = callee.value(&code.result);
    }

    fn holds(&self, Cond(relation, a, b): &Cond) -> bool {
        let (a, b) = (self.value(a), self.value(b));
        match relation {
            Relation::Less => a < b,
            Relation::Equal => a == b,
            Relation::NotEqual => a != b,
            Relation::Above => a > b,
        }
    }

    fn value(&self, expr: &Expr) -> u32 {
        match expr {
            Expr::Const(value) => *value,
            Expr::Thread => self.thread,
            Expr::Variable(v) => self.variables[*v],
            Expr::Kept(index) => self.kept[(self.value(index) % KEPT) as usize],
            Expr::Shift(a, count) => self.value(a) >> count,
            Expr::Binary(operation, a, b) => {
                let (a, b) = (self.value(a), self.value(b));
                match operation {
                    Binary::Add => a.wrapping_add(b),
                    Binary::Sub => a.wrapping_sub(b),
                    Binary::Mul => a.wrapping_mul(b),
                    Binary::And => a & b,
                    Binary::Or => a | b,
                    Binary::Xor => a ^ b,
                    Binary::Max => a.max(b),
                }
            }
        }
    }
}
