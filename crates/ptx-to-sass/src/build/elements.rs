//! Loads into registers that are wider than what is loaded, and stores from such registers: vectors have as many
//! registers of the machine as memory has, and what is above is filled with the sign or zeros.

use super::names::{Meaning, Register};
use super::operand::Given;
use super::{Builder, Outcome};
use crate::compute::is_signed;
use crate::ir::{File, Guard, Op};
use crate::source::Source;
use smallvec::SmallVec;
use warpc_ptx::form::map_operands;
use warpc_ptx::inst::{Inst, Operand, Part};
use warpc_ptx::types::ScalarType;

/// The type of the elements of a load or store; nothing for other instructions.
fn element_type(source: &Source) -> Option<ScalarType> {
    let accesses = matches!(source.opcode(), "ld" | "ldu" | "st");
    source.ty_of(&["type"]).filter(|_| accesses)
}

impl Builder<'_> {
    /// Gives each element of a loaded or stored vector the registers that its type has: numbers and elements that are
    /// thrown away have some, and wider registers count by their low ones.
    pub(super) fn fit_elements(
        &mut self,
        source: &Source,
        given: &mut SmallVec<[(&'static str, Given); 8]>,
    ) -> Outcome<()> {
        let Some(ty) = element_type(source) else {
            return Ok(());
        };
        let needed = ty.bits().div_ceil(32) as u8;
        let name = if source.opcode() == "st" { "b" } else { "d" };
        let vectors = given.iter_mut().filter(|one| one.0 == name);
        for (_, one) in vectors {
            let Given::Vector(items) = one else { continue };
            for item in items {
                match item {
                    Given::Reg { lanes, .. } => *lanes = (*lanes).min(needed),
                    Given::Sink | Given::Number(_) if needed > 1 => {
                        let reg = self.ir.reg(File::Register, needed);
                        if matches!(item, Given::Number(_)) {
                            for lane in 0..needed.min(2) {
                                let from = self.part(item, lane)?;
                                self.copy(Op::Reg(reg, lane), from, None)?;
                            }
                        }
                        *item = Given::Reg {
                            reg,
                            lane: 0,
                            lanes: needed,
                            not: false,
                        };
                    }
                    _ => {}
                }
            }
        }
        Ok(())
    }

    /// A load into a register that is wider than what is loaded fills it with the sign or zeros.
    pub(super) fn extend_loads(
        &mut self,
        source: &Source,
        inst: &Inst,
        guard: Option<Guard>,
    ) -> Outcome<()> {
        let ty = match source.opcode() {
            "st" => None,
            _ => element_type(source).filter(|ty| ty.bits() <= 32),
        };
        let Some(ty) = ty else { return Ok(()) };
        let choice = source.choice();
        let Ok(mapping) = map_operands(choice, &self.body.operands, inst.operands) else {
            return Ok(());
        };
        let specs = choice.form.form().operands.iter().zip(&mapping);
        let place = specs.filter(|(spec, _)| spec.name == "d");
        let place = place.filter_map(|(_, index)| *index).next();
        let operand = place.and_then(|index| self.body.operands.get(index as usize).copied());
        match operand {
            Some(Operand::Vector(items)) => {
                for item in self.body.operands(items) {
                    self.extend_element(*item, ty, true, guard)?;
                }
                Ok(())
            }
            Some(operand) => self.extend_element(operand, ty, false, guard),
            None => Ok(()),
        }
    }

    fn extend_element(
        &mut self,
        operand: Operand,
        ty: ScalarType,
        packed: bool,
        guard: Option<Guard>,
    ) -> Outcome<()> {
        let Operand::Name { symbol, part, .. } = operand else {
            return Ok(());
        };
        let Some(Meaning::Register(register)) = self.find(symbol) else {
            return Ok(());
        };
        let signed = is_signed(ty);
        for number in elements(register, part) {
            let bits = register.ty.bits();
            let lane = number * bits.div_ceil(32) as u8;
            let low = Op::Reg(register.reg, lane);
            // Elements that share a register in memory come out of it with their neighbours above, bytes with zeros.
            let choice = match (ty.bits(), signed) {
                (8, true) => Some("0x8880"),
                (16, true) => Some("0x9910"),
                (16, false) => Some("0x7710"),
                _ => None,
            };
            if let Some(choice) = choice
                && packed
                && bits > ty.bits()
            {
                let text = format!("PRMT R0, R0, {choice}, RZ");
                self.step(&text, guard, &[low, low])?;
            }
            if bits == 64 {
                self.extend(register.reg, lane, signed, guard)?;
            }
        }
        Ok(())
    }
}

/// The elements of a register that an operand names.
fn elements(register: Register, part: Part) -> std::ops::Range<u8> {
    match part {
        Part::X => 0..1,
        Part::Y => 1..2,
        Part::Z => 2..3,
        Part::W => 3..4,
        _ => 0..register.vector,
    }
}
