//! Steps that compute: instructions of the tables, divisions, chains of carries.

use super::Draft;
use crate::class::Class;
use crate::program::Step;

impl Draft {
    /// An instruction of a table, at times with a guard.
    pub(super) fn instruction(&mut self) -> Step {
        let group = self.random.pick(&self.groups);
        let template = self.random.pick(group.templates);
        let guard = match self.has.guards && self.random.chance(18) {
            true => Some(self.read(Class::P)),
            false => None,
        };
        let mut step = Step::default();
        match self.fill(template, guard.is_some(), &mut step) {
            Some(line) => {
                let not = if self.random.one_in(2) { "!" } else { "" };
                let guard = guard.map_or_else(String::new, |guard| format!("@{not}{guard} "));
                step.lines.push(format!("{guard}{line};"));
            }
            None => return self.instruction(),
        }
        self.publish(&step);
        step
    }

    /// A template with operands. What is written conditionally must have a value before.
    fn fill(&mut self, template: &str, is_guarded: bool, step: &mut Step) -> Option<String> {
        let chosen = self.choose(template);
        let letters: Vec<char> = chosen.chars().collect();
        let (mut out, mut taken, mut at) = (String::new(), Vec::new(), 0);
        while at < letters.len() {
            let kind = letters[at];
            let next = letters.get(at + 1).copied().unwrap_or(' ');
            let class = Class::of_letter(next);
            let operand = match (kind, class) {
                ('k', _) if next == 'B' => self.random.below(256).to_string(),
                ('d', Some(class)) if is_guarded => self.rewrite(class, &mut taken)?,
                ('d', Some(class)) => self.write(class, step, &mut taken),
                ('r', Some(class)) => self.read(class),
                ('i', Some(class)) => self.read_any(class),
                ('a', Some(class)) => match self.random.one_in(2) {
                    true => self.random.below(67).to_string(),
                    false => self.read(class),
                },
                ('n', Some(class)) => {
                    let not = if self.random.one_in(2) { "!" } else { "" };
                    format!("{not}{}", self.read(class))
                }
                _ => {
                    out.push(kind);
                    at += 1;
                    continue;
                }
            };
            out.push_str(&operand);
            at += 2;
        }
        Some(out)
    }

    /// A template with one of each `[a|b]`.
    pub(super) fn choose(&mut self, template: &str) -> String {
        let mut out = String::new();
        let mut rest = template;
        while let Some((before, after)) = rest.split_once('[') {
            let (inside, after) = after.split_once(']').unwrap_or((after, ""));
            let ways: Vec<&str> = inside.split('|').collect();
            out.push_str(before);
            out.push_str(self.random.pick(&ways));
            rest = after;
        }
        out + rest
    }

    /// A quotient or remainder: the divisor is not zero, and no quotient is too large for its type.
    pub(super) fn division(&mut self) -> Step {
        let mut step = Step::default();
        let (class, bits, odd) = match self.random.below(6) {
            0 => (Class::H, 16, "0x7fff"),
            1 | 2 => (Class::D, 64, "0x7fffffffffffffff"),
            _ => (Class::W, 32, "0x7fffffff"),
        };
        let operation = self.random.pick(&["div", "rem"]);
        let mut taken = Vec::new();
        let (top, bottom) = (self.read(class), self.read(class));
        let divisor = self.fresh(class);
        let lines = &mut step.lines;
        if self.random.one_in(3) {
            // By a constant.
            let constant = match self.random.below(4) {
                0 => 1u64 << self.random.below(bits as usize - 1),
                1 => 2 + self.random.number_below(30),
                2 => 1 + self.random.number_below(250),
                _ => (self.random.bits() & (u64::MAX >> (65 - bits))) | 1,
            };
            let sign = self.random.pick(&['u', 's']);
            let result = self.write(class, &mut step, &mut taken);
            let line = format!("{operation}.{sign}{bits} {result}, {top}, {constant};");
            step.lines.push(line);
        } else if self.random.one_in(2) {
            lines.push(format!("or.b{bits} {divisor}, {bottom}, 1;"));
            let result = self.write(class, &mut step, &mut taken);
            let line = format!("{operation}.u{bits} {result}, {top}, {divisor};");
            step.lines.push(line);
        } else if self.random.one_in(2) {
            // Any odd divisor; the dividend is not the least number.
            let half = self.fresh(class);
            lines.push(format!("shr.s{bits} {half}, {top}, 1;"));
            lines.push(format!("or.b{bits} {divisor}, {bottom}, 1;"));
            let result = self.write(class, &mut step, &mut taken);
            let line = format!("{operation}.s{bits} {result}, {half}, {divisor};");
            step.lines.push(line);
        } else {
            lines.push(format!("and.b{bits} {divisor}, {bottom}, {odd};"));
            lines.push(format!("or.b{bits} {divisor}, {divisor}, 1;"));
            let result = self.write(class, &mut step, &mut taken);
            let line = format!("{operation}.s{bits} {result}, {top}, {divisor};");
            step.lines.push(line);
        }
        self.publish(&step);
        step
    }

    /// A sum, difference or product of several registers, joined by the carry.
    pub(super) fn carries(&mut self) -> Step {
        let mut step = Step::default();
        let guard = match self.has.guards && self.random.one_in(5) {
            true => format!("@{} ", self.read(Class::P)),
            false => String::new(),
        };
        let class = if self.random.one_in(4) {
            Class::D
        } else {
            Class::W
        };
        let bits = 8 * class.bytes();
        let mut taken = Vec::new();
        let kind = self.random.below(4);
        let limbs = 2 + self.random.below(3);
        for limb in 0..limbs {
            let result = match guard.is_empty() {
                true => self.write(class, &mut step, &mut taken),
                false => match self.rewrite(class, &mut taken) {
                    Some(result) => result,
                    None => break,
                },
            };
            let is_first = limb == 0;
            let cc = if limb + 1 < limbs { ".cc" } else { "" };
            let (one, other, third) = (self.read(class), self.read_any(class), self.read(class));
            let half = self.random.pick(&["lo", "hi"]);
            let sign = self.random.pick(&['u', 's']);
            let line = match (kind, is_first) {
                (0 | 1, true) => format!("add{cc}.{sign}{bits} {result}, {one}, {other};"),
                (0 | 1, false) => format!("addc{cc}.{sign}{bits} {result}, {one}, {other};"),
                (2, true) => format!("sub{cc}.{sign}{bits} {result}, {one}, {other};"),
                (2, false) => format!("subc{cc}.{sign}{bits} {result}, {one}, {other};"),
                (_, true) => {
                    format!("mad.{half}{cc}.{sign}{bits} {result}, {one}, {other}, {third};")
                }
                (_, false) => {
                    format!("madc.{half}{cc}.{sign}{bits} {result}, {one}, {other}, {third};")
                }
            };
            step.lines.push(format!("{guard}{line}"));
            if self.random.one_in(6) {
                // Something between that leaves the carry alone.
                let (to, from) = (self.fresh(Class::W), self.read(Class::W));
                step.lines.push(format!("xor.b32 {to}, {from}, {from};"));
            }
        }
        self.publish(&step);
        step
    }
}
