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

/// The banks of parameters and of constant variables.
const PARAMETERS: u8 = 0;
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

    pub(super) fn own_memory(&mut self, source: &Source, guard: Option<Guard>) -> Outcome<()> {
        let given = self.given(source)?;
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
        // A function's own parameters whose addresses are taken are in its frame.
        let words = ["param", "param::func"];
        let is_passed = source.words_seen().any(|word| words.contains(&word))
            && !self.ir.is_kernel
            && matches!(base, Base::Stack | Base::Reg(..));
        let is_local = source.words_seen().any(|word| word == "local") || is_passed;
        let is_constant = source.words_seen().any(|word| word == "const");
        let bank = if is_constant { CONSTANTS } else { PARAMETERS };
        let size = i64::from(ty.bytes());
        let base = match stores {
            true => base,
            false => self.kept_base(base, &items)?,
        };
        // One access for each element: alignment is only that of the element.
        for (number, item) in items.iter().enumerate() {
            let at = added + number as i64 * size;
            if let Base::Argument(argument) = base {
                self.argument_access(stores, ty, argument, at, item, guard)?;
                continue;
            }
            match (is_local, stores) {
                (true, _) => self.local(stores, ty, base, at, item, guard)?,
                (false, false) => self.constant(ty, bank, base, at, item, guard)?,
                (false, true) => return Err(self.refuse("stores to parameters")),
            }
        }
        Ok(())
    }

    /// The base of an address that is needed until the last element is loaded: in another register if one of the elements
    /// before is loaded into it.
    fn kept_base(&mut self, base: Base, items: &[Given]) -> Outcome<Base> {
        let Base::Reg(address, lane, lanes) = base else {
            return Ok(base);
        };
        let before = items.split_last().map_or(&[][..], |(_, before)| before);
        let writes = |item: &Given| matches!(item, Given::Reg { reg, .. } if *reg == address);
        if !before.iter().any(writes) {
            return Ok(base);
        }
        let kept = self.ir.reg(File::Register, lanes);
        for number in 0..lanes {
            let from = Op::Reg(address, lane + number);
            self.copy(Op::Reg(kept, number), from, None)?;
        }
        Ok(Base::Reg(kept, 0, lanes))
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
        let address = format!("[R0{offset}]");
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
            ops.push(op);
            ops.push(value);
            return self.step(&format!("STL{size} {address}, R0"), guard, &ops);
        }
        let to = self.target(item, ty)?;
        ops.push(Op::Reg(to.0, to.1));
        ops.push(op);
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
        bank: u8,
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
                self.constant(ScalarType::B64, bank, base, at, &part, guard)?;
            }
            return Ok(());
        }
        let size = size_name(ty);
        let (reg, lane) = self.target(item, ty)?;
        let to = Op::Reg(reg, lane);
        let first = match bank {
            CONSTANTS => 0,
            _ => parameters_at(self.sm).ok_or_else(|| self.refuse("this chip"))?,
        };
        let place = at + i64::from(first);
        let index = match base {
            Base::Param if bank == PARAMETERS => None,
            Base::Const if bank == CONSTANTS => None,
            Base::Zero => None,
            Base::LinkedConst(reg) if bank == CONSTANTS => Some(Op::Reg(reg, 0)),
            Base::Reg(reg, lane, _) => Some(Op::Reg(reg, lane)),
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
            return Some(self.special_register(inst, &name, guard));
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
            Some(_) => Some(self.address_move(source, guard)),
            None => Some(Err(self.refuse(format_args!(
                "the address of `{}`",
                self.module.name(symbol)
            )))),
        }
    }

    fn address_move(&mut self, source: &Source, guard: Option<Guard>) -> Outcome<()> {
        let given = self.given(source)?;
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
