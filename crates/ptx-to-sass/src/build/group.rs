//! Products of a warpgroup: `wgmma`.
//!
//! ```text
//!   wgmma.fence                     WARPGROUP.ARRIVE
//!   wgmma.mma_async {d}, a, b, p    MOV T.i, d.i …   R2UR U.0 … U.3   HGMMA T, gdesc[U], T, UP   MOV d.i, T.i …
//!   wgmma.commit_group              the last product of the block gets `gsb0`, or a product of nothing has it
//!   wgmma.wait_group n              WARPGROUP.DEPBAR.LE gsb0, n
//! ```
//!
//! The moves go when `coalesce` makes the elements of `d` lanes of the accumulator; what may touch it and when is the
//! business of `passes/group_waits.rs`. The descriptor of B is in the upper half of four uniform registers, that of A in the
//! lower, whether or not A is in registers.

use super::names::Meaning;
use super::operand::Given;
use super::{Builder, Outcome};
use crate::ir::{File, Guard, Inst as Machine, Op, Reg};
use crate::pattern;
use crate::source::Source;
use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use warpc_ptx::Module;
use warpc_ptx::inst::Operand;
use warpc_ptx::module::{Body, Statement};
use warpc_ptx::symbol::Symbol;
use warpc_ptx::types::ScalarType;
use warpc_sass::Value;

/// A product of nothing that ends a group. Source: ptxas has it where a group has no product of its own.
pub(crate) const EMPTY_PRODUCT: &str = "HGMMA.64x8x16.F16 RZ, gdesc[URZ], RZ, !UPT, gsb0";

/// The opcodes of products of a warpgroup.
pub(crate) fn is_product(inst: &Machine) -> bool {
    matches!(inst.shape.opcode(), "HGMMA" | "IGMMA" | "QGMMA" | "BGMMA")
}

/// A product whose group has not been ended.
pub(super) struct OpenProduct {
    /// The block that it is in, and its number there.
    block: usize,
    at: usize,
    /// The example that it was made by.
    text: String,
}

/// The most groups that a wait can leave, by the bits of its number.
const MOST_LEFT: u64 = 7;

impl Builder<'_> {
    /// An instruction of a warpgroup. A guard must be the same in all its threads, so it is a branch.
    pub(super) fn group(&mut self, source: &Source, guard: Option<Guard>) -> Outcome<()> {
        let around = match guard {
            Some(guard) => {
                let label = self.new_label();
                let opposite = Guard {
                    not: !guard.not,
                    ..guard
                };
                self.go(label, Some(opposite))?;
                Some(label)
            }
            None => None,
        };
        self.meet_all()?;
        if source.has_word("fence") {
            self.step("WARPGROUP.ARRIVE", None, &[])?;
        } else if source.has_word("commit_group") {
            self.commit()?;
        } else if source.has_word("wait_group") {
            // To leave more groups than can be counted is to wait for none of those that may still run; waiting for more
            // is allowed.
            let given = self.given(source)?;
            let left = match given.first() {
                Some((_, Given::Number(left))) => (*left).min(MOST_LEFT),
                _ => return Err(self.refuse("this number of groups")),
            };
            let text = format!("WARPGROUP.DEPBAR.LE gsb0, {left:#x}");
            self.step(&text, None, &[])?;
        } else {
            self.group_product(source)?;
        }
        if let Some(label) = around {
            self.put_label(label);
        }
        Ok(())
    }

    /// Ends a group: its last product says so, if it is in this block.
    fn commit(&mut self) -> Outcome<()> {
        let block = self.ir.blocks.len();
        if let Some(open) = self.open_product.take().filter(|open| open.block == block)
            && let Some(product) = self.current.insts.get_mut(open.at)
            && let Some(pattern) = pattern::find(self.sm, &format!("{}, gsb0", open.text))
        {
            product.shape = pattern.inst.shape;
            return Ok(());
        }
        self.fixed(EMPTY_PRODUCT)
    }

    fn group_product(&mut self, source: &Source) -> Outcome<()> {
        let given = self.given(source)?;
        let find = |name: &str| given.iter().find(|one| one.0 == name).map(|one| &one.1);
        let number = |name: &str| match find(name) {
            Some(Given::Number(bits)) => Some(*bits as i64),
            _ => None,
        };
        let is_negated = |name: &str| number(name).is_some_and(|scale| (scale as i32) < 0);
        let is_turned = |name: &str| number(name) == Some(1);
        let unknown = || {
            self.refuse(format_args!(
                "`{}`",
                warpc_ptx::mnemonic_text(source.choice())
            ))
        };
        let name = product_name(source).ok_or_else(unknown)?;
        let Some(Given::Vector(elements)) = find("d").cloned() else {
            return Err(self.refuse("this accumulator"));
        };
        let accumulator = self.ir.reg(File::Register, elements.len() as u8);
        // A, the descriptors.
        let first = match find("a").cloned() {
            Some(first) => Some(self.group_factor(&first)?),
            None => None,
        };
        let descriptors = self.ir.reg(File::Uniform, 4);
        if let Some(a) = find("a_desc").cloned() {
            self.make_uniform(descriptors, 0, &a)?;
        }
        let Some(b) = find("b_desc").cloned() else {
            return Err(self.refuse("this descriptor"));
        };
        self.make_uniform(descriptors, 2, &b)?;
        if first.is_some() {
            // Nobody looks at the lower half, but it is read with the upper one.
            self.make_uniform(descriptors, 0, &Given::Number(0))?;
        }
        let adds = match find("scale_d").cloned() {
            Some(Given::Number(0)) => Adds::Never,
            Some(Given::Number(_)) => Adds::Always,
            Some(Given::Reg { reg, not, .. }) if self.is_constant_predicate(reg).is_some() => {
                match self.is_constant_predicate(reg) == Some(!not) {
                    true => Adds::Always,
                    false => Adds::Never,
                }
            }
            Some(Given::Reg { reg, not, .. }) => {
                let uniform = self.ir.reg(File::UniformPredicate, 1);
                let text = match not {
                    true => "VOTEU.ANY UP0, !P0",
                    false => "VOTEU.ANY UP0, P0",
                };
                self.step(text, None, &[Op::Reg(uniform, 0), Op::Reg(reg, 0)])?;
                Adds::If(uniform)
            }
            _ => return Err(self.refuse("this scale")),
        };
        let mut operands: SmallVec<[Op; 6]> = SmallVec::new();
        operands.push(Op::Reg(accumulator, 0));
        let mut text = format!("{name} R0, ");
        if let Some(first) = first {
            let sign = if is_negated("imm_scale_a") { "-" } else { "" };
            text += &format!("{sign}R0, ");
            operands.push(Op::Reg(first, 0));
        }
        text += "gdesc[UR0]";
        operands.push(Op::Reg(descriptors, 0));
        for (holds, mark) in [
            (first.is_none() && is_negated("imm_scale_a"), ".negA"),
            (is_negated("imm_scale_b"), ".negB"),
            (is_turned("imm_trans_a"), ".tnspA"),
            (is_turned("imm_trans_b"), ".tnspB"),
        ] {
            if holds {
                text += mark;
            }
        }
        match adds {
            Adds::Never => text += ", RZ, !UPT",
            Adds::Always => {
                text += ", R0";
                operands.push(Op::Reg(accumulator, 0));
            }
            Adds::If(uniform) => {
                text += ", R0, UP0";
                operands.extend([Op::Reg(accumulator, 0), Op::Reg(uniform, 0)]);
            }
        }
        if let Some(meta) = find("sp_meta") {
            let meta = self.part(meta, 0)?;
            let own = self.ir.reg(File::Register, 1);
            self.copy(Op::Reg(own, 0), meta, None)?;
            text += ", R0";
            operands.push(Op::Reg(own, 0));
            let selector = number("sp_sel").unwrap_or(0);
            // Products of bytes have only the selector 0, which is not written.
            if name.starts_with('H') {
                text += &format!(", {selector:#x}");
            } else if selector != 0 {
                return Err(self.refuse("this selector"));
            }
        }
        if !matches!(adds, Adds::Never) {
            for (lane, element) in (0u8..).zip(&elements) {
                let from = self.part(element, 0)?;
                self.copy(Op::Reg(accumulator, lane), from, None)?;
            }
        }
        self.step(&text, None, &operands)?;
        self.open_product = Some(OpenProduct {
            block: self.ir.blocks.len(),
            at: self.current.insts.len() - 1,
            text,
        });
        for (lane, element) in (0u8..).zip(&elements) {
            if let Given::Reg { reg, lane: to, .. } = element {
                self.copy(Op::Reg(*reg, *to), Op::Reg(accumulator, lane), None)?;
            }
        }
        Ok(())
    }

    /// What a predicate always is: it is written once in the whole function, with a constant.
    fn is_constant_predicate(&mut self, reg: Reg) -> Option<bool> {
        if self.constant_predicates.is_none() {
            let constants = constant_predicates(self.module, self.body);
            let mut known = FxHashMap::default();
            for (symbol, value) in constants {
                if let Some(Meaning::Register(register)) = self.find(symbol) {
                    known.insert(register.reg, value);
                }
            }
            self.constant_predicates = Some(known);
        }
        let known = self.constant_predicates.as_ref()?;
        known.get(&reg).copied()
    }

    /// The first factor in registers.
    fn group_factor(&mut self, given: &Given) -> Outcome<Reg> {
        let Given::Vector(elements) = given else {
            return Err(self.refuse("this factor"));
        };
        let whole = self.ir.reg(File::Register, elements.len() as u8);
        for (lane, element) in (0u8..).zip(elements) {
            let from = self.part(element, 0)?;
            self.copy(Op::Reg(whole, lane), from, None)?;
        }
        Ok(whole)
    }

    /// Puts the 64 bits of a descriptor into two of four uniform registers.
    fn make_uniform(&mut self, to: Reg, first: u8, given: &Given) -> Outcome<()> {
        for half in [0, 1] {
            let to = Op::Reg(to, first + half);
            match self.part(given, half)? {
                Op::Value(Value::Number(0)) => self.step("UMOV UR0, URZ", None, &[to])?,
                Op::Value(Value::Number(number)) => {
                    self.step(&format!("UMOV UR0, {:#x}", number as u32), None, &[to])?;
                }
                from => self.step("R2UR UR0, R0", None, &[to, from])?,
            }
        }
        Ok(())
    }
}

/// Whether a product adds to what its accumulator has.
enum Adds {
    Never,
    Always,
    If(Reg),
}

/// The predicates of a body that are written once, with a constant.
fn constant_predicates(module: &Module, body: &Body) -> FxHashMap<Symbol, bool> {
    let mut named: FxHashMap<Symbol, usize> = FxHashMap::default();
    let mut constants: FxHashMap<Symbol, bool> = FxHashMap::default();
    for statement in &body.statements {
        let Statement::Inst(inst) = statement else {
            continue;
        };
        let mnemonic = module.mnemonic(inst.mnemonic);
        let Some(choice) = mnemonic.choices.get(usize::from(inst.choice)) else {
            continue;
        };
        // Wherever a name may be written, it is counted; products only read it.
        let operands = body.operands(inst.operands);
        let mut names = SmallVec::<[Symbol; 4]>::new();
        for operand in operands {
            names_of(body, operand, &mut names);
        }
        let opcode = choice.form.form().opcode;
        let is_move = opcode == "mov" && choice.words().any(|word| word == "pred");
        if let (true, None, [Operand::Name { symbol, .. }, Operand::Int(int)]) =
            (is_move, inst.guard, operands)
        {
            *named.entry(*symbol).or_default() += 1;
            constants.insert(*symbol, int.bits != 0);
        } else if opcode != "wgmma" {
            for name in names {
                *named.entry(name).or_default() += 1;
            }
        }
    }
    constants.retain(|symbol, _| named.get(symbol) == Some(&1));
    constants
}

/// The names in an operand.
pub(super) fn names_of(body: &Body, operand: &Operand, names: &mut SmallVec<[Symbol; 4]>) {
    match operand {
        Operand::Name { symbol, .. } => names.push(*symbol),
        Operand::Vector(items)
        | Operand::Pair(items)
        | Operand::List(items)
        | Operand::Group(items)
        | Operand::Offset(items)
        | Operand::Element(items)
        | Operand::Address { items, .. } => {
            for item in body.operands(*items) {
                names_of(body, item, names);
            }
        }
        Operand::Int(_) | Operand::F32(_) | Operand::F64(_) | Operand::Sink => {}
    }
}

/// The name of a product with its types: `HGMMA.64x64x16.F32.BF16`.
fn product_name(source: &Source) -> Option<String> {
    let choice = source.choice();
    let shape = choice.token("shape")?;
    let shape = shape.trim_start_matches(".m").replace(['n', 'k'], "x");
    let sparse = if source.has_word("sp") { ".SP" } else { "" };
    let result = match choice.scalar("dtype")? {
        ScalarType::F16 => ".F16",
        ScalarType::F32 => ".F32",
        _ => "",
    };
    let Some(from) = choice.scalar("atype") else {
        let bits = source.has_word("b1") && source.has_word("and") && sparse.is_empty();
        return bits.then(|| format!("BGMMA.{shape}.AND.POPC"));
    };
    let byte = |ty: ScalarType| match ty {
        ScalarType::S8 => Some("S8"),
        ScalarType::U8 => Some("U8"),
        ScalarType::E4m3 => Some("E4M3"),
        ScalarType::E5m2 => Some("E5M2"),
        _ => None,
    };
    Some(match from {
        ScalarType::F16 => format!("HGMMA{sparse}.{shape}{result}"),
        ScalarType::Bf16 => format!("HGMMA{sparse}.{shape}{result}.BF16"),
        ScalarType::Tf32 => format!("HGMMA{sparse}.{shape}{result}.TF32"),
        _ => {
            let (a, b) = (byte(from)?, byte(choice.scalar("btype")?)?);
            match from {
                ScalarType::S8 | ScalarType::U8 => {
                    let saturates = if source.has_word("satfinite") {
                        ".SAT"
                    } else {
                        ""
                    };
                    format!("IGMMA{sparse}.{shape}.{a}.{b}{saturates}")
                }
                _ => format!("QGMMA{sparse}.{shape}{result}.{a}.{b}"),
            }
        }
    })
}
