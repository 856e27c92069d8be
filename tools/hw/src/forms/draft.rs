//! One instruction under test, with registers for its operands, and the kernel around it.
//!
//! ```text
//!   thread i:  load source 0, 1, … of tuple i     (a cell of memory, and the carry bit, if it takes one)
//!              TEST: the instruction
//!              store result 0, 1, … of tuple i    (what the cell holds, and the carry bit, if it leaves one)
//! ```
//!
//! Every source and every result takes 64 bits of a row in memory, whatever its size.

use super::spelling::Spelling;
use std::fmt::Write;
use warpc_ptx::form::{Count, Form, Kind, OperandSpec, Role, Shape, TypeRef};
use warpc_ptx::inst::Choice;
use warpc_ptx::mnemonic_text;
use warpc_ptx::row::{Effects, Typing};
use warpc_ptx::types::{Meaning, ScalarType};

/// Threads of a block: shared memory has a cell for each.
pub const BLOCK: u32 = 128;
/// Bytes of a memory cell: the largest atomics take 16.
pub const CELL: u32 = 16;
/// The name of the carry bit as an operand.
pub const CARRY_IN: &str = "carry";
/// The name of the carry bit as a result.
pub const CARRY_OUT: &str = "after";
/// The label before the instruction.
pub const LABEL: &str = "TEST";

/// A value the instruction reads.
#[derive(Clone, Debug)]
pub struct Source {
    /// The operand's name, with a number after it for elements of vectors.
    pub name: String,
    /// What it means to the instruction.
    pub ty: ScalarType,
    /// Bits of its register.
    pub bits: u32,
    /// The constant that is written in its place.
    pub constant: Option<u64>,
}

/// A value the instruction leaves.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Place {
    /// The operand's name; `new` for what is in memory afterwards, `carry` for the carry bit.
    pub name: String,
    /// What it means to the instruction.
    pub ty: ScalarType,
    /// Bits of its register.
    pub bits: u32,
}

/// How the carry bit is set before and seen after the instruction.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Carry {
    /// With additions: what the kernel reads and writes is the bit itself.
    Add,
    /// With subtractions: what it reads and writes is a borrow, the opposite of the bit.
    Subtract,
}

/// An instruction under test.
#[derive(Clone, Debug)]
pub struct Draft {
    /// Opcode, modifiers and operands, as they stand in the kernel; it names the case.
    pub text: String,
    /// What it reads, in the order of `warpc_ptx_eval`; for atomics what is in memory comes first.
    pub sources: Vec<Source>,
    /// What it leaves, in that order; for atomics what is in memory comes last.
    pub results: Vec<Place>,
    /// How the carry bit is set and seen.
    pub carry: Carry,
    instruction: String,
    registers: Vec<(String, String)>,
    before: Vec<String>,
    after: Vec<String>,
    shared: bool,
}

/// Which register holds a value of a type: plain bits, which go with every type of their size.
/// Integers that may lie in wider registers do, so that the extension is seen.
fn register(ty: ScalarType, typing: Typing) -> u32 {
    let integer = matches!(ty.meaning(), Meaning::Signed | Meaning::Unsigned);
    match ty.bits() {
        _ if ty == ScalarType::Pred => 1,
        bits if typing == Typing::Wider && integer && bits < 32 => 32,
        bits => bits.next_multiple_of(8),
    }
}

fn register_type(bits: u32) -> String {
    match bits {
        1 => ".pred".into(),
        bits => format!(".b{bits}"),
    }
}

impl Draft {
    /// The instruction with registers; `None` for what the suite has no kernel for.
    pub fn new(choice: &Choice, spelling: &Spelling) -> Option<Draft> {
        let form = choice.form.form();
        let mut draft = Draft {
            text: String::new(),
            sources: Vec::new(),
            results: Vec::new(),
            carry: Carry::Add,
            instruction: String::new(),
            registers: Vec::new(),
            before: Vec::new(),
            after: Vec::new(),
            shared: false,
        };
        let address = form
            .operands
            .iter()
            .any(|spec| matches!(spec.kind, Kind::Address(_)));
        let mut written = vec![None; form.operands.len()];
        for (i, spec) in form.operands.iter().enumerate() {
            let there = match spec.linked {
                Some(slot) => choice.values[usize::from(slot)] != Choice::ABSENT,
                None => !spec.optional || spelling.optional || spec.role == Role::Def,
            };
            if there {
                written[i] = Some(draft.operand(choice, spec, spelling)?);
            }
        }
        if address {
            draft.cell(choice)?;
        }
        draft.carry(choice);
        draft.instruction = format!("{} {}", mnemonic_text(choice), positions(form, &written));
        draft.text = draft.instruction.clone();
        Some(draft)
    }

    /// Gives an operand its registers and says how it is written.
    fn operand(
        &mut self,
        choice: &Choice,
        spec: &OperandSpec,
        spelling: &Spelling,
    ) -> Option<String> {
        let ty = match spec.kind {
            Kind::Value(TypeRef::Fixed(ty)) => ty,
            Kind::Value(TypeRef::Slot(slot)) => {
                let value = choice.values[usize::from(slot)];
                choice.form.form().slots[usize::from(slot)].values[usize::from(value)].ty?
            }
            Kind::Address(_) => return Some("%cell".into()),
            _ => return None,
        };
        if spec.name == "cache_policy" {
            self.registers.push((spec.name.into(), ".b64".into()));
            let make = "createpolicy.fractional.L2::evict_last.b64 cache_policy;";
            self.before.push(make.into());
            return Some(spec.name.into());
        }
        let count = match spec.count {
            Count::One => None,
            Count::Fixed(n) => Some(n),
            Count::Slot(slot) => match choice.values[usize::from(slot)] {
                Choice::ABSENT => None,
                value => {
                    let slot = &choice.form.form().slots[usize::from(slot)];
                    let text = slot.values[usize::from(value)].text;
                    Some(text.trim_start_matches(".v").parse().ok()?)
                }
            },
            Count::Any | Count::OneOrMore => return None,
        };
        let constant = spelling
            .constants
            .iter()
            .find(|(name, _)| *name == spec.name)
            .map(|(_, value)| *value);
        let names: Vec<String> = match count {
            None => vec![spec.name.into()],
            Some(n) => (0..n).map(|i| format!("{}{i}", spec.name)).collect(),
        };
        let typing = choice.form.form().row.typing;
        for name in &names {
            self.value(name, ty, typing, spec.role, constant);
        }
        Some(match (count, constant) {
            (_, Some(value)) if ty == ScalarType::F32 => format!("0f{value:08X}"),
            (_, Some(value)) if ty == ScalarType::F64 => format!("0d{value:016X}"),
            (_, Some(value)) => format!("{value:#x}"),
            (None, None) => spelling.write(spec.name),
            (Some(_), None) => format!("{{{}}}", names.join(", ")),
        })
    }

    fn value(
        &mut self,
        name: &str,
        ty: ScalarType,
        typing: Typing,
        role: Role,
        constant: Option<u64>,
    ) {
        let bits = register(ty, typing);
        if bits == 128 {
            self.wide(name, role);
            return;
        }
        if constant.is_none() {
            self.registers.push((name.into(), register_type(bits)));
        }
        match role {
            Role::Use => self.sources.push(Source {
                name: name.into(),
                ty,
                bits,
                constant,
            }),
            Role::Def => self.results.push(Place {
                name: name.into(),
                ty,
                bits,
            }),
        }
    }

    /// A register of 128 bits, from and to two of 64.
    fn wide(&mut self, name: &str, role: Role) {
        self.registers.push((name.into(), ".b128".into()));
        let halves = [format!("{name}_low"), format!("{name}_high")];
        for half in &halves {
            self.value(half, ScalarType::B64, Typing::Exact, role, None);
        }
        let [low, high] = halves;
        match role {
            Role::Use => self
                .before
                .push(format!("mov.b128 {name}, {{{low}, {high}}};")),
            Role::Def => self
                .after
                .push(format!("mov.b128 {{{low}, {high}}}, {name};")),
        }
    }

    /// Puts the old value into the memory cell, and takes the new one out.
    fn cell(&mut self, choice: &Choice) -> Option<()> {
        let form = choice.form.form();
        self.shared = choice
            .token("space")
            .is_some_and(|space| space.starts_with(".shared"));
        let space = if self.shared { ".shared" } else { ".global" };
        let b = form.operands.iter().position(|spec| spec.name == "b")?;
        let elements: Vec<(ScalarType, u32)> = self
            .sources
            .iter()
            .filter(|source| source.name.starts_with(form.operands[b].name))
            .map(|source| (source.ty, source.bits))
            .collect();
        let mut old = Vec::new();
        for (i, &(ty, bits)) in elements.iter().enumerate() {
            let offset = i as u32 * bits / 8;
            let (before, after) = (format!("old{i}"), format!("new{i}"));
            for name in [&before, &after] {
                self.registers.push((name.clone(), register_type(bits)));
            }
            self.before
                .push(format!("st{space}.b{bits} [%cell+{offset}], {before};"));
            self.after.push(format!(
                "ld.volatile{space}.b{bits} {after}, [%cell+{offset}];"
            ));
            old.push(Source {
                name: before,
                ty,
                bits,
                constant: None,
            });
            self.results.push(Place {
                name: after,
                ty,
                bits,
            });
        }
        old.append(&mut self.sources);
        self.sources = old;
        Some(())
    }

    /// Sets the carry bit before an instruction that reads it, and takes it from one that writes it.
    fn carry(&mut self, choice: &Choice) {
        let form = choice.form.form();
        if !form.row.effects.contains(Effects::CARRY) {
            return;
        }
        let subtracts = form.opcode.starts_with("sub");
        let way = if subtracts {
            Carry::Subtract
        } else {
            Carry::Add
        };
        self.carry = way;
        if form.opcode.ends_with('c') {
            self.value(CARRY_IN, ScalarType::Pred, Typing::Exact, Role::Use, None);
            self.registers.push(("%c".into(), ".b32".into()));
            self.before.push("selp.b32 %c, 1, 0, carry;".into());
            self.before.push(match way {
                Carry::Add => "add.cc.u32 %c, %c, 0xffffffff;".into(),
                Carry::Subtract => "sub.cc.u32 %c, 0, %c;".into(),
            });
        }
        if choice.has("cc") {
            self.results.push(Place {
                name: CARRY_OUT.into(),
                ty: ScalarType::Pred,
                bits: 1,
            });
            self.registers.push((CARRY_OUT.into(), ".pred".into()));
            self.registers.push(("%d".into(), ".b32".into()));
            self.after.push(match way {
                Carry::Add => "addc.u32 %d, 0, 0;".into(),
                Carry::Subtract => "subc.u32 %d, 0, 0;".into(),
            });
            self.after.push("setp.ne.u32 after, %d, 0;".into());
        }
    }

    /// The same, with the carry bit set and seen by the other kind of instruction.
    pub fn crossed(&self) -> Option<Draft> {
        let swap = |line: &String| match line.as_str() {
            "add.cc.u32 %c, %c, 0xffffffff;" => "sub.cc.u32 %c, 0, %c;".into(),
            "sub.cc.u32 %c, 0, %c;" => "add.cc.u32 %c, %c, 0xffffffff;".into(),
            "addc.u32 %d, 0, 0;" => "subc.u32 %d, 0, 0;".into(),
            "subc.u32 %d, 0, 0;" => "addc.u32 %d, 0, 0;".into(),
            _ => line.clone(),
        };
        let mut other = self.clone();
        other.before = self.before.iter().map(swap).collect();
        other.after = self.after.iter().map(swap).collect();
        other.carry = match self.carry {
            Carry::Add => Carry::Subtract,
            Carry::Subtract => Carry::Add,
        };
        other.text.push_str(" [crossed carry]");
        (other.before != self.before || other.after != self.after).then_some(other)
    }

    /// The kernel. Its parameters: sources, results, and a memory cell for each thread.
    pub fn kernel(&self, name: &str) -> String {
        let mut out = format!(
            ".visible .entry {name}(.param .u64 %in, .param .u64 %out, .param .u64 %cells)\n{{\n"
        );
        let mut line = |text: &str| {
            let _ = writeln!(out, "\t{text}");
        };
        if self.shared {
            line(&format!(".shared .align 16 .b8 %shared[{}];", BLOCK * CELL));
        }
        line(".reg .b32 %i<5>;");
        line(".reg .b64 %from, %to, %cell;");
        for (register, ty) in &self.registers {
            line(&format!(".reg {ty} {register};"));
        }
        line("mov.u32 %i0, %tid.x;");
        line("mov.u32 %i1, %ctaid.x;");
        line(&format!("mad.lo.u32 %i2, %i1, {BLOCK}, %i0;"));
        line("ld.param.u64 %from, [%in];");
        line("ld.param.u64 %to, [%out];");
        line(&format!(
            "mad.wide.u32 %from, %i2, {}, %from;",
            8 * self.loaded().count()
        ));
        line(&format!(
            "mad.wide.u32 %to, %i2, {}, %to;",
            8 * self.results.len()
        ));
        if self.shared {
            line("mov.u64 %cell, %shared;");
            line(&format!("mad.wide.u32 %cell, %i0, {CELL}, %cell;"));
        } else {
            line("ld.param.u64 %cell, [%cells];");
            line(&format!("mad.wide.u32 %cell, %i2, {CELL}, %cell;"));
        }
        for (i, source) in self.loaded().enumerate() {
            let (name, bits) = (&source.name, source.bits);
            if bits == 1 {
                line(&format!("ld.global.b32 %i3, [%from+{}];", 8 * i));
                line("and.b32 %i3, %i3, 1;");
                line(&format!("setp.ne.u32 {name}, %i3, 0;"));
            } else {
                line(&format!("ld.global.b{bits} {name}, [%from+{}];", 8 * i));
            }
        }
        for text in &self.before {
            line(text);
        }
        line(&format!("{LABEL}: {};", self.instruction));
        for text in &self.after {
            line(text);
        }
        for (i, place) in self.results.iter().enumerate() {
            let (name, bits) = (&place.name, place.bits);
            if bits == 1 {
                line(&format!("selp.b32 %i4, 1, 0, {name};"));
                line(&format!("st.global.b32 [%to+{}], %i4;", 8 * i));
            } else {
                line(&format!("st.global.b{bits} [%to+{}], {name};", 8 * i));
            }
        }
        line("ret;");
        out.push_str("}\n");
        out
    }

    /// The sources that come from memory: all but constants.
    pub fn loaded(&self) -> impl Iterator<Item = &Source> {
        self.sources
            .iter()
            .filter(|source| source.constant.is_none())
    }
}

/// The operands in the places of the syntax.
fn positions(form: &Form, written: &[Option<String>]) -> String {
    let at = |i: &u8| written[usize::from(*i)].as_deref();
    let mut list = Vec::new();
    for shape in &form.shapes {
        let text = match shape {
            Shape::Plain(i) => at(i).map(str::to_string),
            Shape::Address(i) => at(i).map(|name| format!("[{name}]")),
            Shape::Pair(i, j) => at(i).map(|first| match at(j) {
                Some(second) => format!("{first}|{second}"),
                None => first.to_string(),
            }),
            Shape::Group(_) => None,
        };
        list.extend(text);
    }
    list.join(", ")
}
