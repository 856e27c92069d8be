//! Parameters, constants and local memory, and addresses between spaces.

use super::names::Meaning;
use super::operand::{Base, Given};
use super::{Builder, Outcome, special};
use crate::ir::{File, Guard, Op, Reg};
use crate::source::Source;
use warpc_cubin::build::parameters_at;
use warpc_model::StateSpace;
use warpc_ptx::inst::{Inst, Operand};
use warpc_ptx::types::ScalarType;
use warpc_sass::Value;

/// The bank of constant variables.
const CONSTANTS: u8 = 3;

impl Builder<'_> {
    /// Whether a load or store is of a space that only the thread, or nobody, writes.
    pub(super) fn is_own_memory(&self, source: &Source) -> bool {
        let words = ["param", "const", "local"];
        let named = |word: &str| {
            words
                .iter()
                .any(|own| word == *own || word.starts_with("param::"))
        };
        source.words_seen().any(named) || source.choice().space() == Some(StateSpace::Local)
    }

    pub(super) fn own_memory(
        &mut self,
        source: &Source,
        inst: &Inst,
        guard: Option<Guard>,
    ) -> Outcome<()> {
        let given = self.given(source, inst)?;
        let find = |name: &str| {
            given
                .iter()
                .find(|one| one.0 == name)
                .map(|one| one.1.clone())
        };
        let ty = source
            .ty_of(&["type"])
            .ok_or_else(|| self.refuse("this access"))?;
        let Some(Given::Address(base, added)) = find("a") else {
            return Err(self.refuse("this address"));
        };
        let stores = source.opcode() == "st";
        let value = find(if stores { "b" } else { "d" });
        let value = value.ok_or_else(|| self.refuse("this access"))?;
        let items = match value {
            Given::Vector(items) => items,
            one => vec![one],
        };
        let is_local = source.words_seen().any(|word| word == "local");
        let size = i64::from(ty.bytes());
        // One access for each element: alignment is only that of the element.
        for (number, item) in items.iter().enumerate() {
            let at = added + number as i64 * size;
            if let Base::Argument(argument) = base {
                self.argument_access(stores, ty, argument, at, item, guard)?;
                continue;
            }
            match (is_local, stores) {
                (true, _) => self.local(stores, ty, base, at, item, guard)?,
                (false, false) => self.constant(ty, base, at, item, guard)?,
                (false, true) => return Err(self.refuse("stores to parameters")),
            }
        }
        Ok(())
    }

    fn local(
        &mut self,
        stores: bool,
        ty: ScalarType,
        base: Base,
        at: i64,
        item: &Given,
        guard: Option<Guard>,
    ) -> Outcome<()> {
        let (op, added) = self.address(base, at, true)?;
        let size = size_name(ty);
        let offset = special::offset(added);
        // The stack register is filled in as it is: patterns take every register for an operand.
        let (address, has_hole) = match op {
            Op::Value(Value::Register(255)) => (format!("[RZ{offset}]"), false),
            _ => (format!("[R0{offset}]"), true),
        };
        let mut ops: Vec<Op> = Vec::new();
        if stores {
            let value = match item {
                Given::Number(_) if ty.bits() > 32 => {
                    let pair = self.ir.reg(File::Register, 2);
                    for lane in [0, 1] {
                        let from = self.part(item, lane)?;
                        self.copy(Op::Reg(pair, lane), from, None)?;
                    }
                    Op::Reg(pair, 0)
                }
                item => self.part(item, 0)?,
            };
            if has_hole {
                ops.push(op);
            }
            ops.push(value);
            return self.step(&format!("STL{size} {address}, R0"), guard, &ops);
        }
        let to = self.target(item, ty)?;
        ops.push(Op::Reg(to.0, to.1));
        if has_hole {
            ops.push(op);
        }
        self.step(&format!("LDL{size} R0, {address}"), guard, &ops)?;
        self.loaded(item, ty, guard)
    }

    /// The register that a value is loaded into.
    pub(super) fn target(&mut self, item: &Given, ty: ScalarType) -> Outcome<(Reg, u8)> {
        let lanes = ty.bits().div_ceil(32) as u8;
        match item {
            Given::Reg {
                reg,
                lane,
                lanes: have,
                ..
            } if *have >= lanes => Ok((*reg, *lane)),
            Given::Sink => Ok((self.ir.reg(File::Register, lanes), 0)),
            _ => Err(self.refuse("this result")),
        }
    }

    /// Fills a register that is wider than what was loaded.
    pub(super) fn loaded(
        &mut self,
        item: &Given,
        ty: ScalarType,
        guard: Option<Guard>,
    ) -> Outcome<()> {
        match item {
            Given::Reg {
                reg,
                lane,
                lanes: 2,
                ..
            } if ty.bits() <= 32 => self.extend(*reg, *lane, crate::compute::is_signed(ty), guard),
            _ => Ok(()),
        }
    }

    /// A load from a constant bank: parameters and constant variables.
    fn constant(
        &mut self,
        ty: ScalarType,
        base: Base,
        at: i64,
        item: &Given,
        guard: Option<Guard>,
    ) -> Outcome<()> {
        if ty.bits() == 128 {
            let Given::Reg {
                reg,
                lane,
                lanes: 4,
                ..
            } = *item
            else {
                return Err(self.refuse("this result"));
            };
            // Two loads: no wider one is known.
            for half in [0, 1] {
                let part = Given::Reg {
                    reg,
                    lane: lane + 2 * half,
                    lanes: 2,
                    not: false,
                };
                let at = at + 8 * i64::from(half);
                self.constant(ScalarType::B64, base, at, &part, guard)?;
            }
            return Ok(());
        }
        let size = size_name(ty);
        let (reg, lane) = self.target(item, ty)?;
        let to = Op::Reg(reg, lane);
        let (bank, place, index) = match base {
            Base::Param => {
                let first = parameters_at(self.sm).ok_or_else(|| self.refuse("this chip"))?;
                (0, at + i64::from(first), None)
            }
            Base::Const => (CONSTANTS, at, None),
            Base::Zero => (CONSTANTS, at, None),
            Base::Reg(reg, lane, _) => (CONSTANTS, at, Some(Op::Reg(reg, lane))),
            _ => return Err(self.refuse("this address")),
        };
        /// Places in a bank have 16 bits.
        const LARGEST: i64 = 0x7fff;
        if !(-LARGEST..=LARGEST).contains(&place) {
            return Err(self.refuse("constants beyond 32 kilobytes"));
        }
        match index {
            None => {
                let text = format!("LDC{size} R0, {}", special::place(bank, place));
                self.step(&text, guard, &[to])?;
            }
            Some(index) => {
                let offset = special::offset(place);
                let text = format!("LDC{size} R0, c[{bank:#x}][R0{offset}]");
                self.step(&text, guard, &[to, index])?;
            }
        }
        self.loaded(item, ty, guard)
    }

    /// `mov` of a special register or of an address; nothing if it is neither.
    pub(super) fn special_move(
        &mut self,
        source: &Source,
        inst: &Inst,
        guard: Option<Guard>,
    ) -> Option<Outcome<()>> {
        if let Some(name) = source.special("a") {
            return Some(self.special_register(source, inst, &name, guard));
        }
        let operands = self.body.operands(inst.operands);
        let symbol = match operands.get(1) {
            Some(Operand::Name { symbol, .. }) => *symbol,
            Some(Operand::Offset(items)) => match self.body.operands(*items).first() {
                Some(Operand::Name { symbol, .. }) => *symbol,
                _ => return None,
            },
            _ => return None,
        };
        match self.find(symbol) {
            Some(Meaning::Register(_)) => None,
            Some(_) => Some(self.address_move(source, inst, guard)),
            None => Some(Err(self.refuse(format_args!(
                "the address of `{}`",
                self.module.name(symbol)
            )))),
        }
    }

    fn address_move(&mut self, source: &Source, inst: &Inst, guard: Option<Guard>) -> Outcome<()> {
        let given = self.given(source, inst)?;
        let find = |name: &str| {
            given
                .iter()
                .find(|one| one.0 == name)
                .map(|one| one.1.clone())
        };
        let (
            Some(Given::Reg {
                reg, lane, lanes, ..
            }),
            Some(Given::Address(base, added)),
        ) = (find("d"), find("a"))
        else {
            return Err(self.refuse("this move"));
        };
        let value = self.address_value(base, added, lanes)?;
        for number in 0..lanes.min(value.lanes()) {
            let from = self.part(&value, number)?;
            self.copy(Op::Reg(reg, lane + number), from, guard)?;
        }
        Ok(())
    }

    fn special_register(
        &mut self,
        source: &Source,
        inst: &Inst,
        name: &str,
        guard: Option<Guard>,
    ) -> Outcome<()> {
        let given = self.given_result(inst)?;
        let Given::Reg {
            reg, lane, lanes, ..
        } = given
        else {
            return Err(self.refuse("this result"));
        };
        let to = Op::Reg(reg, lane);
        if let Some(place) = special::constant(name, self.sm) {
            let load = special::load(self.sm);
            let from = special::place(0, place.into());
            self.step(&format!("{load} R0, {from}"), guard, &[to])?;
        } else if ["tid.w", "ntid.w", "ctaid.w", "nctaid.w"].contains(&name) {
            self.step("MOV R0, RZ", guard, &[to])?;
        } else if name == "warpid" {
            self.step("S2R R0, SR_VIRTID", guard, &[to])?;
            self.step("SHF.R.U32.HI R0, RZ, 0x8, R0", guard, &[to, to])?;
            self.step("SGXT.U32 R0, R0, 0x7", guard, &[to, to])?;
        } else {
            let wired = self.special_steps(source)?;
            let [step] = &wired.steps[..] else {
                return Err(self.refuse(format_args!("`%{name}`")));
            };
            let mut operands: smallvec::SmallVec<[crate::ir::Operand; 6]> =
                smallvec::SmallVec::new();
            for (slot, one) in step.shape.slots().iter().zip(&step.operands) {
                let op = match one.operand {
                    crate::wired::Operand::Value(value) => Op::Value(value),
                    _ if slot.is_written() => to,
                    _ => return Err(self.refuse(format_args!("`%{name}`"))),
                };
                operands.push(crate::ir::Operand::plain(op));
            }
            let width = step
                .shape
                .slots()
                .first()
                .map_or(1, |slot| slot.width.registers(0));
            if width > lanes {
                return Err(self.refuse(format_args!("`%{name}` here")));
            }
            self.push(crate::ir::Inst {
                shape: step.shape,
                guard,
                operands,
                span: self.span,
                origin: None,
            });
            if width == lanes {
                return Ok(());
            }
        }
        if lanes == 2 {
            self.extend(reg, lane, false, guard)?;
        }
        Ok(())
    }

    /// The first operand of an instruction.
    fn given_result(&mut self, inst: &Inst) -> Outcome<Given> {
        let operands = self.body.operands(inst.operands);
        match operands.first() {
            Some(Operand::Name { symbol, .. }) => match self.find(*symbol) {
                Some(Meaning::Register(register)) => Ok(Given::Reg {
                    reg: register.reg,
                    lane: 0,
                    lanes: self.ir.data(register.reg).lanes,
                    not: false,
                }),
                _ => Err(self.refuse("this result")),
            },
            _ => Err(self.refuse("this result")),
        }
    }

    fn special_steps(&mut self, source: &Source) -> Outcome<crate::wired::Wired> {
        let refusal = self.refuse(format_args!(
            "`%{}`",
            source.special("a").unwrap_or_default()
        ));
        let Ok(description) = crate::Description::of(source.clone()) else {
            return Err(refusal);
        };
        match description.sequence(crate::Context::Straight, self.sm) {
            Ok(sequence) => sequence.wired.map_err(|_| refusal),
            Err(_) => Err(refusal),
        }
    }

    /// `isspacep`: the machine knows which window an address lies in.
    pub(super) fn is_in_space(
        &mut self,
        source: &Source,
        inst: &Inst,
        guard: Option<Guard>,
    ) -> Outcome<()> {
        let given = self.given(source, inst)?;
        let find = |name: &str| {
            given
                .iter()
                .find(|one| one.0 == name)
                .map(|one| one.1.clone())
        };
        let letter = match source.choice().space() {
            Some(space) if crate::location::is_own(space) => "S",
            Some(StateSpace::Local) => "L",
            _ => return Err(self.refuse("`isspacep` of this space")),
        };
        let (
            Some(Given::Reg { reg: to, .. }),
            Some(Given::Reg {
                reg,
                lane,
                lanes: 2,
                ..
            }),
        ) = (find("p"), find("a"))
        else {
            return Err(self.refuse("`isspacep` of 32 bits"));
        };
        let ops = [Op::Reg(to, 0), Op::Reg(reg, lane)];
        self.step(&format!("QSPC.E.{letter} P0, RZ, [R0]"), guard, &ops)
    }

    /// `cvta`: addresses of a space as generic ones, and back.
    pub(super) fn convert_address(
        &mut self,
        source: &Source,
        inst: &Inst,
        guard: Option<Guard>,
    ) -> Outcome<()> {
        let given = self.given(source, inst)?;
        let find = |name: &str| {
            given
                .iter()
                .find(|one| one.0 == name)
                .map(|one| one.1.clone())
        };
        let Some(Given::Reg {
            reg,
            lane,
            lanes: 2,
            ..
        }) = find("p")
        else {
            return Err(self.refuse("`cvta` of 32 bits"));
        };
        let from = match find("a") {
            Some(Given::Address(base, added)) => self.address_value(base, added, 2)?,
            Some(other) => other,
            None => return Err(self.refuse("this operand")),
        };
        let to = |half: u8| Op::Reg(reg, lane + half);
        let (low, high) = (self.part(&from, 0)?, self.part(&from, 1)?);
        let back = source.has("to");
        let space = source.choice().space();
        match space {
            Some(StateSpace::Global) => {
                self.copy(to(0), low, guard)?;
                self.copy(to(1), high, guard)
            }
            Some(space) if crate::location::is_own(space) => {
                self.copy(to(0), low, guard)?;
                match back {
                    true => self.step("MOV R0, RZ", guard, &[to(1)]),
                    false if self.chip().since(90) => {
                        self.step("S2R R0, SR_SWINHI", guard, &[to(1)])
                    }
                    false => Err(self.refuse("`cvta.shared` on this chip")),
                }
            }
            Some(StateSpace::Local) => {
                let window = special::local_window(self.sm);
                let pair = self.ir.reg(File::Register, 2);
                let text = format!("LDC.64 R0, {}", special::place(0, window.into()));
                self.step(&text, None, &[Op::Reg(pair, 0)])?;
                let carry = self.ir.reg(File::Predicate, 1);
                let sum = self.ir.reg(File::Register, 2);
                let (first, second) = match back {
                    false => (
                        "IADD3 R0, P0, R0, R0, RZ",
                        "IADD3.X R0, R0, R0, RZ, P0, !PT",
                    ),
                    true => (
                        "IADD3 R0, P0, R0, -R0, RZ",
                        "IADD3.X R0, R0, ~R0, RZ, P0, !PT",
                    ),
                };
                let ops = [Op::Reg(sum, 0), Op::Reg(carry, 0), low, Op::Reg(pair, 0)];
                self.step(first, None, &ops)?;
                let ops = [Op::Reg(sum, 1), high, Op::Reg(pair, 1), Op::Reg(carry, 0)];
                self.step(second, None, &ops)?;
                self.copy(to(0), Op::Reg(sum, 0), guard)?;
                self.copy(to(1), Op::Reg(sum, 1), guard)
            }
            _ => Err(self.refuse("`cvta` of this space")),
        }
    }
}

/// How the name of an access to local memory or constants ends.
fn size_name(ty: ScalarType) -> &'static str {
    match (ty.bits(), crate::compute::is_signed(ty)) {
        (8, true) => ".S8",
        (8, false) => ".U8",
        (16, true) => ".S16",
        (16, false) => ".U16",
        (64, _) => ".64",
        (128, _) => ".128",
        _ => "",
    }
}
