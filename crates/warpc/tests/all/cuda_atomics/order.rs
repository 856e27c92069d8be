//! What PTX does to memory and its order, and which of two texts does more.

use warpc_model::{AtomicOp, Fence, Ordering, Scope};

/// An access or fence.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Step {
    /// A fence; a `membar` is sequentially consistent.
    Fence { order: Ordering, scope: Scope },
    /// `ld`, `st` or `atom`.
    Access {
        /// The opcode, and what an `atom` does.
        what: String,
        /// `b32`, …
        ty: String,
        /// Relaxed if nothing is said.
        order: Ordering,
        /// The device if nothing is said; volatile accesses are the system's.
        scope: Scope,
        volatile: bool,
    },
    /// The operand is negated before.
    Negate { ty: String },
}

/// Which of two texts orders more.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Verdict {
    Same,
    /// The first, and in which way.
    Stronger(&'static str),
    Weaker,
}

/// The steps of a body of PTX, a line an instruction. Plain loads and stores are none.
pub fn steps(body: &str) -> Vec<Step> {
    body.lines().filter_map(|line| step(line.trim())).collect()
}

fn step(line: &str) -> Option<Step> {
    let mnemonic = line.split_whitespace().next()?.trim_end_matches(';');
    let mut tokens = mnemonic.split('.');
    let opcode = tokens.next()?;
    match opcode {
        "fence" | "membar" => match Fence::from_ptx(mnemonic) {
            Some(Fence::Memory { order, scope }) => Some(Step::Fence { order, scope }),
            Some(Fence::Membar(scope)) => Some(Step::Fence {
                order: Ordering::SeqCst,
                scope,
            }),
            _ => panic!("{line}"),
        },
        "neg" => Some(Step::Negate {
            ty: tokens.next_back()?.to_owned(),
        }),
        // 0 - x
        "sub" => Some(Step::Negate {
            ty: tokens.next_back()?.to_owned(),
        }),
        // A reduction has no result to acquire with: its order says so.
        "ld" | "st" | "atom" | "red" => access(opcode, tokens.collect()),
        _ => None,
    }
}

fn access(opcode: &str, tokens: Vec<&str>) -> Option<Step> {
    let (mut order, mut scope, mut op, mut volatile) = (None, None, None, false);
    for &token in &tokens {
        volatile |= token == "volatile";
        if token == "volatile" {
            scope = Some(Scope::Sys);
        } else if let Ok(word) = Ordering::from_ptx(token) {
            order = Some(word);
        } else if let Ok(word) = Scope::from_ptx(token) {
            scope = Some(word);
        } else if let Some(word) = AtomicOp::from_ptx(token) {
            op = word.ptx();
        }
    }
    let strong = volatile || order.is_some() || matches!(opcode, "atom" | "red");
    // A reduction is an `atom` whose result nobody wants.
    let what = match op {
        Some(op) => format!("atom.{op}"),
        None => opcode.to_owned(),
    };
    strong.then(|| Step::Access {
        ty: bits(&what, tokens.last().unwrap_or(&"")),
        what,
        order: order.unwrap_or(Ordering::Relaxed),
        scope: scope.unwrap_or(Scope::Gpu),
        volatile,
    })
}

/// The type, without a sign that means nothing: loads and stores of a register's own width, and sums.
fn bits(what: &str, ty: &str) -> String {
    let signless = matches!(what, "ld" | "st" | "atom.add");
    match ty.strip_prefix(['u', 's']) {
        Some(width) if signless => format!("b{width}"),
        _ => ty.to_owned(),
    }
}

/// Whether the first text does at least what the second does.
pub fn compare(ours: &[Step], theirs: &[Step]) -> Verdict {
    if ours == theirs {
        return Verdict::Same;
    }
    let is_access = |step: &&Step| matches!(step, Step::Access { .. });
    let split = |steps: &[Step]| {
        let at = steps.iter().position(|step| is_access(&step));
        let at = at.unwrap_or(steps.len());
        let after = steps.get(at + 1..).unwrap_or_default().to_vec();
        (steps[..at].to_vec(), steps.get(at).cloned(), after)
    };
    let (ours, theirs) = (split(ours), split(theirs));
    if !covers(&ours.0, &theirs.0) || !covers(&ours.2, &theirs.2) {
        return Verdict::Weaker;
    }
    match (&ours.1, &theirs.1) {
        (None, None) => Verdict::Stronger("a stronger fence"),
        (Some(mine), Some(other)) if mine == other => {
            // The negation stands on the other side of the fence, where it changes nothing.
            match ours.0.len() == theirs.0.len() && ours.2.len() == theirs.2.len() {
                true => Verdict::Same,
                false => Verdict::Stronger("stronger: a `membar` more, where failure needs it"),
            }
        }
        (Some(mine), Some(other)) => access_covers(mine, other),
        _ => Verdict::Weaker,
    }
}

fn access_covers(mine: &Step, other: &Step) -> Verdict {
    match (mine, other) {
        (
            Step::Access {
                what,
                ty,
                order,
                scope,
                volatile,
            },
            Step::Access {
                what: what2,
                ty: ty2,
                order: order2,
                scope: scope2,
                volatile: volatile2,
            },
        ) if (what, ty, volatile) == (what2, ty2, volatile2)
            && order >= order2
            && scope >= scope2 =>
        {
            match (order, order2) {
                (Ordering::AcqRel, Ordering::Release) => Verdict::Stronger(
                    "stronger: acq_rel, where failure acquires and nvcc's release does not",
                ),
                _ => Verdict::Stronger("stronger: another order or scope"),
            }
        }
        _ => Verdict::Weaker,
    }
}

/// Whether for each of their fences and negations there is one of ours that does the same or more.
fn covers(ours: &[Step], theirs: &[Step]) -> bool {
    theirs.iter().all(|other| {
        ours.iter().any(|mine| match (mine, other) {
            (
                Step::Fence { order, scope },
                Step::Fence {
                    order: order2,
                    scope: scope2,
                },
            ) => order >= order2 && scope >= scope2,
            _ => mine == other,
        })
    })
}
