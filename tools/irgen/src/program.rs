//! A program as a tree that can be cut smaller, and its text.
//!
//! The smallest part is a [`Unit`]: a few instructions that are defined for whatever values their
//! operands have (a division carries the instruction that keeps its divisor from being zero). So
//! any unit can be taken away, its result replaced by zero, and the rest still means something:
//! that is what makes the reducer simple.

use crate::ty::Ty;
use std::collections::BTreeSet;
use std::fmt::Write;

/// The number of a value: `%v7`.
pub type Id = u32;

/// What a unit works on.
#[derive(Clone, PartialEq, Debug)]
pub enum Operand {
    /// A value computed before.
    Local(Id),
    /// A constant's text.
    Constant(String),
}

/// Instructions that belong together.
#[derive(Clone, Debug)]
pub struct Unit {
    /// Its number, and its result's.
    pub id: Id,
    /// The result's type, if there is a result.
    pub ty: Option<Ty>,
    /// Lines; `$r` is the result (and the start of the names of values between), `$0` an operand.
    pub text: String,
    /// Operands with their types.
    pub operands: Vec<(Operand, Ty)>,
    /// Intrinsics it calls.
    pub declares: Vec<String>,
}

/// A value that depends on the way control came.
#[derive(Clone, Debug)]
pub struct Phi {
    /// Its number.
    pub id: Id,
    /// Its type.
    pub ty: Ty,
    /// One value for each arm.
    pub from: Vec<Operand>,
}

/// One of several ways.
#[derive(Clone, Debug)]
pub struct Choice {
    /// The number its labels are named after.
    pub id: Id,
    /// What is looked at; an `i1` makes a branch, other integers a switch.
    pub selector: Operand,
    /// Its type.
    pub ty: Ty,
    /// The constants of the switch, each with the arm it leads to.
    pub keys: Vec<(String, usize)>,
    /// The ways; for a switch the last is the default, for a branch the first is that of `true`.
    pub arms: Vec<Vec<Stmt>>,
    /// Values where the ways meet.
    pub phis: Vec<Phi>,
}

/// A value that a loop carries around.
#[derive(Clone, Debug)]
pub struct Carried {
    /// Its number.
    pub id: Id,
    /// Its type.
    pub ty: Ty,
    /// Its value before the first turn.
    pub start: Operand,
    /// Its value after a turn.
    pub next: Operand,
}

/// A loop that ends after a number of turns.
#[derive(Clone, Debug)]
pub struct Loop {
    /// The number its labels are named after; as a value, the turn (`i32`).
    pub id: Id,
    /// How many turns, an `i32`; seven at most.
    pub count: Operand,
    /// Whether the count is looked at before the first turn.
    pub test_first: bool,
    /// What it carries.
    pub carried: Vec<Carried>,
    /// A turn.
    pub body: Vec<Stmt>,
}

/// A step of a function.
#[derive(Clone, Debug)]
pub enum Stmt {
    /// Instructions.
    Unit(Unit),
    /// A branch or switch.
    Choice(Choice),
    /// A loop.
    Loop(Loop),
}

/// A function.
#[derive(Clone, Debug)]
pub struct Function {
    /// Its name.
    pub name: String,
    /// What stands before its result type: linkage, calling convention.
    pub head: &'static str,
    /// Parameters: number, type, attributes.
    pub params: Vec<(Id, Ty, String)>,
    /// What it gives.
    pub ret: Option<Ty>,
    /// Its steps.
    pub body: Vec<Stmt>,
    /// The result.
    pub result: Operand,
}

/// A variable of the module.
#[derive(Clone, Debug)]
pub struct Global {
    /// Its name, with the sigil.
    pub name: String,
    /// Its whole line.
    pub text: String,
}

/// A module with one kernel.
#[derive(Clone, Debug)]
pub struct Program {
    /// Variables.
    pub globals: Vec<Global>,
    /// Functions; the last is the kernel.
    pub functions: Vec<Function>,
}

/// The kernel's name.
pub const KERNEL: &str = "k";

const HEADER: &str = "\
target datalayout = \"e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64\"
target triple = \"nvptx64-nvidia-cuda\"
";

impl Operand {
    /// As it stands in text.
    pub fn text(&self) -> String {
        match self {
            Operand::Local(id) => format!("%v{id}"),
            Operand::Constant(text) => text.clone(),
        }
    }

    /// Zero of a type.
    pub fn zero(ty: &Ty) -> Operand {
        Operand::Constant(match ty {
            Ty::Int(1) => "false".into(),
            Ty::Int(_) => "0".into(),
            Ty::Float(float) => float.constant(0),
            Ty::Ptr(_) => "null".into(),
            _ => "zeroinitializer".into(),
        })
    }
}

impl Unit {
    fn write(&self, out: &mut String) {
        let mut rest = self.text.as_str();
        out.push_str("  ");
        while let Some(at) = rest.find(['$', '\n']) {
            out.push_str(&rest[..at]);
            let after = &rest[at + 1..];
            if rest.as_bytes()[at] == b'\n' {
                out.push_str("\n  ");
                rest = after;
                continue;
            }
            if let Some(after) = after.strip_prefix('r') {
                let _ = write!(out, "%v{}", self.id);
                rest = after;
                continue;
            }
            let digits = after.bytes().take_while(u8::is_ascii_digit).count();
            let number: usize = after[..digits]
                .parse()
                .expect("`$` is followed by a number");
            out.push_str(&self.operands[number].0.text());
            rest = &after[digits..];
        }
        out.push_str(rest);
        out.push('\n');
    }
}

/// Writes a body; knows the block it is in.
struct Writer {
    out: String,
    block: String,
}

impl Writer {
    fn line(&mut self, text: &str) {
        let _ = writeln!(self.out, "  {text}");
    }

    fn label(&mut self, name: String) {
        let _ = writeln!(self.out, "{name}:");
        self.block = name;
    }

    fn stmts(&mut self, stmts: &[Stmt]) {
        for stmt in stmts {
            match stmt {
                Stmt::Unit(unit) => unit.write(&mut self.out),
                Stmt::Choice(choice) => self.choice(choice),
                Stmt::Loop(of) => self.turns(of),
            }
        }
    }

    fn choice(&mut self, choice: &Choice) {
        let id = choice.id;
        let selector = choice.selector.text();
        if choice.ty == Ty::BOOL {
            self.line(&format!("br i1 {selector}, label %a{id}.0, label %a{id}.1"));
        } else {
            let default = choice.arms.len() - 1;
            let ty = &choice.ty;
            self.line(&format!("switch {ty} {selector}, label %a{id}.{default} ["));
            for (key, arm) in &choice.keys {
                self.line(&format!("  {ty} {key}, label %a{id}.{arm}"));
            }
            self.line("]");
        }
        let mut ends = Vec::new();
        for (i, arm) in choice.arms.iter().enumerate() {
            self.label(format!("a{id}.{i}"));
            self.stmts(arm);
            self.line(&format!("br label %m{id}"));
            ends.push(self.block.clone());
        }
        self.label(format!("m{id}"));
        for phi in &choice.phis {
            let ways = phi.from.iter().zip(&ends);
            let ways = ways.map(|(value, end)| format!("[ {}, %{end} ]", value.text()));
            let ways: Vec<String> = ways.collect();
            self.line(&format!(
                "%v{} = phi {} {}",
                phi.id,
                phi.ty,
                ways.join(", ")
            ));
        }
    }

    fn turns(&mut self, of: &Loop) {
        let id = of.id;
        // The writer's own block is known only once the turn is written, the phis come before it.
        let before = self.block.clone();
        let count = of.count.text();
        self.line(&format!("%v{id}.count = and i32 {count}, 7"));
        self.line(&format!("br label %h{id}"));
        let mut turn = Writer {
            out: String::new(),
            block: format!("b{id}"),
        };
        turn.stmts(&of.body);
        let latch = turn.block.clone();
        self.label(format!("h{id}"));
        self.line(&format!(
            "%v{id} = phi i32 [ 0, %{before} ], [ %v{id}.next, %{latch} ]"
        ));
        for one in &of.carried {
            let (start, next) = (one.start.text(), one.next.text());
            self.line(&format!(
                "%v{} = phi {} [ {start}, %{before} ], [ {next}, %{latch} ]",
                one.id, one.ty
            ));
        }
        if of.test_first {
            self.line(&format!("%v{id}.go = icmp ult i32 %v{id}, %v{id}.count"));
            self.line(&format!("br i1 %v{id}.go, label %b{id}, label %e{id}"));
        } else {
            self.line(&format!("br label %b{id}"));
        }
        self.label(format!("b{id}"));
        self.out.push_str(&turn.out);
        self.line(&format!("%v{id}.next = add i32 %v{id}, 1"));
        if of.test_first {
            self.line(&format!("br label %h{id}"));
        } else {
            self.line(&format!(
                "%v{id}.go = icmp ult i32 %v{id}.next, %v{id}.count"
            ));
            self.line(&format!("br i1 %v{id}.go, label %h{id}, label %e{id}"));
        }
        self.label(format!("e{id}"));
    }
}

impl Function {
    fn write(&self, out: &mut String) {
        let ret = self.ret.as_ref().map_or("void".into(), Ty::to_string);
        let param = |(id, ty, attributes): &(Id, Ty, String)| match attributes.is_empty() {
            true => format!("{ty} %v{id}"),
            false => format!("{ty} {attributes} %v{id}"),
        };
        let params: Vec<String> = self.params.iter().map(param).collect();
        let _ = writeln!(
            out,
            "\ndefine {} {ret} @{}({}) {{",
            self.head,
            self.name,
            params.join(", ")
        );
        let mut writer = Writer {
            out: String::new(),
            block: String::new(),
        };
        writer.label("entry".into());
        writer.stmts(&self.body);
        out.push_str(&writer.out);
        match &self.ret {
            Some(ty) => {
                let _ = writeln!(out, "  ret {ty} {}\n}}", self.result.text());
            }
            None => out.push_str("  ret void\n}\n"),
        }
    }
}

/// Calls `see` for every unit, however deep.
pub fn each_unit(stmts: &[Stmt], see: &mut dyn FnMut(&Unit)) {
    for stmt in stmts {
        match stmt {
            Stmt::Unit(unit) => see(unit),
            Stmt::Choice(choice) => choice.arms.iter().for_each(|arm| each_unit(arm, see)),
            Stmt::Loop(of) => each_unit(&of.body, see),
        }
    }
}

impl Program {
    /// The module's text.
    pub fn text(&self) -> String {
        let mut out = String::from(HEADER);
        if !self.globals.is_empty() {
            out.push('\n');
        }
        for global in &self.globals {
            let _ = writeln!(out, "{}", global.text);
        }
        let mut declares = BTreeSet::new();
        for function in &self.functions {
            function.write(&mut out);
            each_unit(&function.body, &mut |unit| {
                declares.extend(unit.declares.iter().cloned());
            });
        }
        out.push('\n');
        for one in declares {
            let _ = writeln!(out, "declare {one}");
        }
        out
    }

    /// How many units there are.
    pub fn units(&self) -> usize {
        let mut count = 0;
        for function in &self.functions {
            each_unit(&function.body, &mut |_| count += 1);
        }
        count
    }
}
