//! Random programs.

use super::program::{Binary, Cond, Expr, Function, Meeting, Program, Relation, Stmt, VARIABLES};
use warpc_testkit::Random;

/// Where statements stand.
#[derive(Clone, Copy)]
struct Place {
    /// How deep statements may still nest.
    nesting: u32,
    in_loop: bool,
    /// The function; `None` in the kernel.
    function: Option<usize>,
    may_leave: bool,
}

impl Program {
    pub fn random(random: &mut Random) -> Program {
        let function = |random: &mut Random, number: usize| {
            let place = Place {
                nesting: 2,
                in_loop: false,
                function: Some(number),
                may_leave: true,
            };
            Function {
                body: block(random, place),
                result: expr(random, 2),
            }
        };
        let functions = (0..3).map(|number| function(random, number)).collect();
        let meetings = [
            Meeting::Not,
            Meeting::First(0),
            Meeting::Sum(1),
            Meeting::Next(2),
        ];
        let count = 2 + random.number_below(2);
        let sections = (0..count).map(|number| {
            let last = number + 1 == count;
            let place = Place {
                nesting: 3,
                in_loop: false,
                function: None,
                // Those who have left cannot be met.
                may_leave: last,
            };
            let meeting = if last {
                Meeting::Not
            } else {
                random.pick(&meetings)
            };
            (block(random, place), meeting)
        });
        let sections = sections.collect();
        Program {
            functions,
            sections,
        }
    }
}

fn block(random: &mut Random, place: Place) -> Vec<Stmt> {
    let count = 1 + random.number_below(if place.nesting > 1 { 4 } else { 2 });
    (0..count).map(|_| statement(random, place)).collect()
}

fn statement(random: &mut Random, place: Place) -> Stmt {
    let to = random.number_below(VARIABLES as u64) as usize;
    if place.nesting == 0 {
        return simple(random, place, to);
    }
    let inner = Place {
        nesting: place.nesting - 1,
        ..place
    };
    match random.number_below(16) {
        0..4 => {
            let cond = cond(random);
            let otherwise = match random.number_below(2) {
                0 => Vec::new(),
                _ => block(random, inner),
            };
            Stmt::If(cond, block(random, inner), otherwise)
        }
        4..7 => {
            let body = Place {
                in_loop: true,
                ..inner
            };
            Stmt::Loop {
                rounds: expr(random, 1),
                tested_last: random.number_below(2) == 0,
                body: block(random, body),
            }
        }
        7..9 => Stmt::Switch {
            on: expr(random, 1),
            cases: (0..2 + random.number_below(3))
                .map(|_| block(random, inner))
                .collect(),
            falls: random.number_below(3) == 0,
        },
        9..12 => call(random, place, to),
        _ => simple(random, place, to),
    }
}

fn call(random: &mut Random, place: Place, to: usize) -> Stmt {
    let arguments = [expr(random, 1), expr(random, 1)];
    match place.function {
        None if random.number_below(3) == 0 => Stmt::CallThrough {
            to,
            which: expr(random, 1),
            arguments,
        },
        None => Stmt::Call {
            to,
            function: random.number_below(3) as usize,
            arguments,
        },
        // In a loop, calls of oneself become too many.
        Some(0) if place.in_loop => Stmt::Tally(expr(random, 1)),
        Some(number) if number > 0 && (place.in_loop || random.number_below(2) == 0) => {
            Stmt::Call {
                to,
                function: random.number_below(number as u64) as usize,
                arguments,
            }
        }
        Some(_) => Stmt::Recurse { to, arguments },
    }
}

fn simple(random: &mut Random, place: Place, to: usize) -> Stmt {
    match random.number_below(12) {
        0 | 1 => Stmt::Tally(expr(random, 1)),
        2 | 3 => Stmt::Keep(expr(random, 1), expr(random, 1)),
        4 => Stmt::Guarded(cond(random), to, expr(random, 1)),
        5 | 6 if place.in_loop => Stmt::BreakIf(cond(random)),
        7 if place.in_loop => Stmt::ContinueIf(cond(random)),
        8 if place.may_leave => Stmt::LeaveIf(rare(random)),
        _ => Stmt::Set(to, expr(random, 2)),
    }
}

fn expr(random: &mut Random, nesting: u32) -> Expr {
    let operations = [
        Binary::Add,
        Binary::Sub,
        Binary::Mul,
        Binary::And,
        Binary::Or,
        Binary::Xor,
        Binary::Max,
    ];
    match random.number_below(if nesting == 0 { 5 } else { 10 }) {
        0 => Expr::Const(random.number_below(8) as u32),
        1 | 2 => Expr::Thread,
        3 | 4 => Expr::Variable(random.number_below(VARIABLES as u64) as usize),
        5 => Expr::Kept(Box::new(expr(random, nesting - 1))),
        6 => Expr::Shift(
            Box::new(expr(random, nesting - 1)),
            random.number_below(8) as u32,
        ),
        _ => {
            let (a, b) = (expr(random, nesting - 1), expr(random, nesting - 1));
            Expr::Binary(random.pick(&operations), Box::new(a), Box::new(b))
        }
    }
}

/// Low bits of two words: each way is taken by some.
fn cond(random: &mut Random) -> Cond {
    let relations = [
        Relation::Less,
        Relation::Equal,
        Relation::NotEqual,
        Relation::Above,
    ];
    let mut low = |mask: u32| {
        let word = Box::new(expr(random, 1));
        Expr::Binary(Binary::And, word, Box::new(Expr::Const(mask)))
    };
    let (a, b) = (low(7), low(3));
    Cond(random.pick(&relations), a, b)
}

/// Holds for few threads.
fn rare(random: &mut Random) -> Cond {
    let word = Box::new(expr(random, 1));
    let low = Expr::Binary(Binary::And, word, Box::new(Expr::Const(15)));
    Cond(
        Relation::Equal,
        low,
        Expr::Const(random.number_below(16) as u32),
    )
}
