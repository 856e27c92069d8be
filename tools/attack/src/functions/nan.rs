//! Values that may be NaNs of any sign and payload.
//!
//! LLVM leaves open what the NaN of an arithmetic operation looks like; arguments, what is loaded, and what only moves bits or
//! changes signs keep theirs. A difference shows where bits are looked at: [`super::watch`] leaves such rows out.

use super::signature::words;
use std::collections::BTreeSet;

/// Operations that make NaNs.
const MAKES: [&str; 7] = ["fadd", "fsub", "fmul", "fdiv", "frem", "fptrunc", "fpext"];

/// Operations whose result is one of their operands, or consists of them.
const MOVES: [&str; 10] = [
    "fneg",
    "phi",
    "select",
    "freeze",
    "bitcast",
    "insertelement",
    "extractelement",
    "shufflevector",
    "insertvalue",
    "extractvalue",
];

/// Intrinsics that move bits as well.
const MOVING: [&str; 5] = [
    "@llvm.fabs.",
    "@llvm.copysign.",
    "@llvm.vector.",
    "@llvm.masked.load.",
    "@llvm.masked.gather.",
];

/// The values of a body that an arithmetic operation may have made.
pub fn open(body: &str) -> BTreeSet<&str> {
    let mut all = BTreeSet::new();
    let mut in_memory = false;
    loop {
        let before = (all.len(), in_memory);
        for line in body.lines() {
            mark(line.trim(), &mut all, &mut in_memory);
        }
        if before == (all.len(), in_memory) {
            return all;
        }
    }
}

fn mark<'b>(line: &'b str, all: &mut BTreeSet<&'b str>, in_memory: &mut bool) {
    let Some((name, text)) = line.split_once(" = ") else {
        let stores = line.starts_with("store ") || line.contains("@llvm.masked.");
        *in_memory |= stores && mentions(line, all);
        return;
    };
    let op = words(text).first().copied().unwrap_or_default();
    let intrinsic = text.contains("@llvm.");
    let moving = MOVING.iter().any(|name| text.contains(name));
    let loads = op == "load" || text.contains("@llvm.masked.");
    let is_open = match op {
        _ if MAKES.contains(&op) || intrinsic && !moving => true,
        _ if loads && *in_memory => true,
        _ => (MOVES.contains(&op) || moving) && mentions(text, all),
    };
    if is_open {
        all.insert(name);
    }
}

fn mentions(text: &str, all: &BTreeSet<&str>) -> bool {
    let is_part = |c: char| c.is_alphanumeric() || "%._$-\"".contains(c);
    text.split(|c| !is_part(c)).any(|word| all.contains(word))
}

#[cfg(test)]
mod tests {
    use super::open;

    #[test]
    fn arithmetic_makes_nans_that_moves_hand_on() {
        let body = "l:\n  %p = phi float [ %x, %e ], [ %q, %l ]\n  %q = fneg float %p\n  %n = fneg float %x\n  \
                    %s = fadd float %x, %y\n  %v = insertelement <2 x float> %w, float %s, i32 0\n  \
                    store <2 x float> %v, ptr %b\n  %o = load float, ptr %b\n  %i = add i32 %j, 1\n";
        let found: Vec<&str> = open(body).into_iter().collect();
        assert_eq!(found, ["%o", "%s", "%v"]);
        let turned = body.replace("%q, %l", "%s, %l");
        assert!(open(&turned).contains("%q"));
        assert!(!open(&turned).contains("%n"));
    }
}
