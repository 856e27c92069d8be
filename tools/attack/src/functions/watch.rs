//! Functions that notice when they make poison.
//!
//! After each instruction that may give poison stands a check of its operands; one that fails sets `@poisoned`. Only the
//! host runs such code, to find the inputs that say nothing. Accesses to memory are checked before they are made
//! ([`bounds`]).

use super::signature::{split, ty, words};
use super::{bounds, nan};
use crate::ty::{Scalar, Ty};
use std::collections::BTreeSet;
use std::fmt::Write;

/// What checks write to.
pub const VARIABLE: &str = "@poisoned = internal global i8 0\n";

/// A body with checks.
pub fn watched(body: &str) -> String {
    let mut out = String::new();
    let open = nan::open(body);
    for (number, line) in body.lines().enumerate() {
        if line.trim() == "unreachable" {
            // Whatever stands after it must not run.
            out.push_str("  call void @llvm.trap()\n");
        }
        let (before, after) = bounds::checks(line, number);
        out.push_str(&before);
        out.push_str(line);
        out.push('\n');
        out.push_str(&after);
        let mut watch = Watch {
            out: &mut out,
            open: &open,
            number,
            step: 0,
        };
        watch.line(line);
    }
    out
}

struct Watch<'o> {
    out: &'o mut String,
    /// Values whose NaNs may look like any.
    open: &'o BTreeSet<&'o str>,
    number: usize,
    step: usize,
}

impl Watch<'_> {
    fn value(&mut self, text: &str) -> String {
        self.step += 1;
        let name = format!("%watch.{}.{}", self.number, self.step);
        let _ = writeln!(self.out, "  {name} = {text}");
        name
    }

    /// A condition that must not hold, in every lane.
    fn never(&mut self, of: &Ty, condition: &str) {
        let mut condition = condition.to_string();
        if let Ty::Vector(n, _) = of {
            condition = self.value(&format!(
                "call i1 @llvm.vector.reduce.or.v{n}i1(<{n} x i1> {condition})"
            ));
        }
        let wide = self.value(&format!("zext i1 {condition} to i8"));
        let before = self.value("load i8, ptr @poisoned");
        let after = self.value(&format!("or i8 {before}, {wide}"));
        let _ = writeln!(self.out, "  store i8 {after}, ptr @poisoned");
    }

    fn line(&mut self, line: &str) {
        if let Some((_, promise)) = line.split_once("@llvm.assume(i1 ") {
            let holds = promise.trim_end_matches(')');
            let is = self.value(&format!("xor i1 {holds}, true"));
            self.never(&Ty::int(1), &is);
        }
        let Some((_, text)) = line.trim().split_once(" = ") else {
            return;
        };
        let all = words(text);
        let Some(op) = all.first().copied() else {
            return;
        };
        let names = ["nuw", "nsw", "exact", "disjoint", "nneg", "samesign"];
        let flags: Vec<&str> = all[1..]
            .iter()
            .copied()
            .take_while(|word| names.contains(word))
            .collect();
        let mut rest = text[op.len()..].trim_start();
        for flag in &flags {
            rest = rest[flag.len()..].trim_start();
        }
        match op {
            "add" | "sub" | "mul" | "shl" | "lshr" | "ashr" | "udiv" | "sdiv" | "urem" | "srem"
            | "or" => {
                self.two(op, &flags, rest);
            }
            "trunc" | "zext" | "uitofp" | "fptosi" | "fptoui" => self.cast(op, &flags, rest),
            "extractelement" | "insertelement" => self.lane(rest),
            "icmp" if flags.contains(&"samesign") => {
                let rest = rest.split_once(' ').map_or("", |(_, rest)| rest);
                if let Some((of, a, b)) = operands(rest) {
                    let both = self.value(&format!("xor {of} {a}, {b}"));
                    let is = self.value(&format!("icmp slt {of} {both}, zeroinitializer"));
                    self.never(&of, &is);
                }
            }
            "bitcast" => {
                let from = rest.rsplit_once(" to ").map_or("", |(from, _)| from);
                self.bits_of(from);
            }
            "call" | "tail" => self.call(text),
            _ => {}
        }
    }

    fn two(&mut self, op: &str, flags: &[&str], rest: &str) {
        let Some((of, a, b)) = operands(rest) else {
            return;
        };
        let width = of.scalar().width();
        let splat = |bits: u128| {
            let bits = bits & crate::chance::mask(width);
            of.constant(&vec![bits; of.lanes() as usize])
        };
        let suffix = match of {
            Ty::Vector(n, scalar) => format!("v{n}{}", scalar.suffix()),
            _ => of.scalar().suffix(),
        };
        let bools = of.with(Scalar::BOOL);
        if matches!(op, "shl" | "lshr" | "ashr") {
            // A width that does not fit into the type: every amount is too small to matter but for i1.
            let limit = splat(u128::from(width) - 1);
            let is = self.value(&format!("icmp ugt {of} {b}, {limit}"));
            self.never(&of, &is);
        }
        if matches!(op, "udiv" | "sdiv" | "urem" | "srem") {
            let is = self.value(&format!("icmp eq {of} {b}, zeroinitializer"));
            self.never(&of, &is);
        }
        if matches!(op, "sdiv" | "srem") {
            let (low, minus) = (splat(1 << (width - 1)), splat(u128::MAX));
            let x = self.value(&format!("icmp eq {of} {a}, {low}"));
            let y = self.value(&format!("icmp eq {of} {b}, {minus}"));
            let both = self.value(&format!("and {bools} {x}, {y}"));
            self.never(&of, &both);
        }
        for flag in flags {
            let sign = if *flag == "nsw" { 's' } else { 'u' };
            let condition = match (*flag, op) {
                ("nuw" | "nsw", "shl") => {
                    let back = if sign == 's' { "ashr" } else { "lshr" };
                    let there = self.value(&format!("shl {of} {a}, {b}"));
                    let again = self.value(&format!("{back} {of} {there}, {b}"));
                    self.value(&format!("icmp ne {of} {again}, {a}"))
                }
                ("nuw" | "nsw", _) => {
                    let pair = format!("{{ {of}, {bools} }}");
                    let both = self.value(&format!(
                        "call {pair} @llvm.{sign}{op}.with.overflow.{suffix}({of} {a}, {of} {b})"
                    ));
                    self.value(&format!("extractvalue {pair} {both}, 1"))
                }
                ("exact", "lshr" | "ashr") => {
                    let there = self.value(&format!("lshr {of} {a}, {b}"));
                    let again = self.value(&format!("shl {of} {there}, {b}"));
                    self.value(&format!("icmp ne {of} {again}, {a}"))
                }
                ("exact", _) => {
                    let kind = if op == "sdiv" { "srem" } else { "urem" };
                    let left = self.value(&format!("{kind} {of} {a}, {b}"));
                    self.value(&format!("icmp ne {of} {left}, zeroinitializer"))
                }
                ("disjoint", _) => {
                    let both = self.value(&format!("and {of} {a}, {b}"));
                    self.value(&format!("icmp ne {of} {both}, zeroinitializer"))
                }
                _ => continue,
            };
            self.never(&of, &condition);
        }
    }

    fn cast(&mut self, op: &str, flags: &[&str], rest: &str) {
        let Some((from, to)) = rest.rsplit_once(" to ") else {
            return;
        };
        let from_words = words(from);
        let (Some(of), Some(to)) = (from_words.first().and_then(|text| ty(text)), ty(to)) else {
            return;
        };
        let a = from[from_words[0].len()..].trim();
        if op.starts_with("fpto") {
            // What comes back from the integer is the number without its fraction.
            let back = if op == "fptosi" { "sitofp" } else { "uitofp" };
            let name = |ty: &Ty| match ty {
                Ty::Vector(n, scalar) => format!("v{n}{}", scalar.suffix()),
                _ => ty.scalar().suffix(),
            };
            let whole = self.value(&format!("call {of} @llvm.trunc.{}({of} {a})", name(&of)));
            let int = self.value(&format!(
                "call {to} @llvm.{op}.sat.{}.{}({of} {a})",
                name(&to),
                name(&of)
            ));
            let again = self.value(&format!("{back} {to} {int} to {of}"));
            let is = self.value(&format!("fcmp une {of} {whole}, {again}"));
            self.never(&of, &is);
            return;
        }
        for flag in flags {
            let is = match *flag {
                "nneg" => self.value(&format!("icmp slt {of} {a}, zeroinitializer")),
                "nuw" | "nsw" => {
                    let back = if *flag == "nsw" { "sext" } else { "zext" };
                    let there = self.value(&format!("trunc {of} {a} to {to}"));
                    let again = self.value(&format!("{back} {to} {there} to {of}"));
                    self.value(&format!("icmp ne {of} {again}, {a}"))
                }
                _ => continue,
            };
            self.never(&of, &is);
        }
    }

    /// The bits of a value are looked at: it must not be a NaN that may be another.
    fn bits_of(&mut self, argument: &str) {
        let all = words(argument);
        let (Some(of), Some(value)) = (all.first().and_then(|text| ty(text)), all.last()) else {
            return;
        };
        if of.is_fp() && self.open.contains(value) {
            let is = self.value(&format!("fcmp uno {of} {value}, {value}"));
            self.never(&of, &is);
        }
    }

    fn lane(&mut self, rest: &str) {
        let parts = split(rest);
        let (Some(vector), Some(index)) = (parts.first(), parts.last()) else {
            return;
        };
        let Some(Ty::Vector(n, _)) = words(vector).first().and_then(|text| ty(text)) else {
            return;
        };
        let Some((kind, index)) = index.split_once(' ') else {
            return;
        };
        let fits = index.parse().is_ok_and(|index: u32| index < n);
        if !fits {
            let wide = self.value(&format!("zext {kind} {index} to i256"));
            let is = self.value(&format!("icmp uge i256 {wide}, {n}"));
            self.never(&Ty::int(1), &is);
        }
    }

    fn call(&mut self, text: &str) {
        let Some(at) = text.find("@llvm.") else {
            return;
        };
        let name = &text[at + 6..];
        let (Some(open), true) = (name.find('('), text.ends_with(')')) else {
            return;
        };
        let args = split(&name[open + 1..name.len() - 1]);
        match args.get(..2) {
            Some([_, sign]) if name.starts_with("copysign.") => self.bits_of(sign),
            Some([class, _]) if name.starts_with("is.fpclass.") => self.bits_of(class),
            _ => {}
        }
        let says = |word: &str| {
            name.starts_with(word)
                && args
                    .last()
                    .is_some_and(|arg| matches!(*arg, "i1 true" | "i1 -1"))
        };
        let Some((of, a)) = args.first().and_then(|arg| {
            let of = ty(words(arg).first()?)?;
            Some((of, words(arg).last()?.to_string()))
        }) else {
            return;
        };
        if says("ctlz") || says("cttz") {
            let is = self.value(&format!("icmp eq {of} {a}, zeroinitializer"));
            self.never(&of, &is);
        } else if says("abs") {
            let low = of.constant(&vec![1 << (of.scalar().width() - 1); of.lanes() as usize]);
            let is = self.value(&format!("icmp eq {of} {a}, {low}"));
            self.never(&of, &is);
        } else if name.starts_with("sshl.sat") || name.starts_with("ushl.sat") {
            let b = args
                .last()
                .and_then(|arg| words(arg).last().copied())
                .unwrap_or_default();
            let limit = of.constant(&vec![
                u128::from(of.scalar().width() - 1);
                of.lanes() as usize
            ]);
            let is = self.value(&format!("icmp ugt {of} {b}, {limit}"));
            self.never(&of, &is);
        }
    }
}

/// The type and operands of an instruction with two of them.
fn operands(rest: &str) -> Option<(Ty, String, String)> {
    let parts = split(rest);
    let [first, second] = parts[..] else {
        return None;
    };
    let kind = *words(first).first()?;
    let of = ty(kind).filter(Ty::is_int)?;
    Some((
        of,
        first[kind.len()..].trim().to_string(),
        second.to_string(),
    ))
}

#[cfg(test)]
mod tests {
    use super::watched;

    #[test]
    fn what_may_be_poison_is_watched() {
        let body = "  %a = shl nuw <2 x i8> %x, %y\n  %b = extractelement <2 x i8> %a, i32 %i\n  ret i8 %b\n";
        let text = watched(body);
        assert!(
            text.contains("icmp ugt <2 x i8> %y, <i8 7, i8 7>"),
            "{text}"
        );
        assert!(text.contains("lshr <2 x i8> %watch.0.6, %y"), "{text}");
        assert!(text.contains("icmp uge i256 %watch.1.1, 2"), "{text}");
        let lanes = "  %a = insertelement <4 x i8> %x, i8 0, i32 4\n  %b = extractelement <4 x i8> %x, i32 3\n";
        assert!(watched(lanes).contains("zext i32 4 to i256"));
        assert!(!watched(lanes).contains("zext i32 3 to i256"));
        let sums = "  %a = fadd half %x, %y\n  %b = bitcast half %a to i16\n  %c = bitcast half %x to i16\n";
        assert!(watched(sums).contains("fcmp uno half %a, %a"));
        assert!(!watched(sums).contains("fcmp uno half %x"));
        assert!(watched("  %a = add i8 %x, %y\n").lines().count() == 1);
        assert_eq!(
            watched("  unreachable\n"),
            "  call void @llvm.trap()\n  unreachable\n"
        );
    }
}
