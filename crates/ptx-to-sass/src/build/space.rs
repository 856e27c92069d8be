//! Addresses of spaces as generic ones, and back; which space a generic address is in.
//!
//! | space | generic address | which addresses it has |
//! |---|---|---|
//! | global | the same | those that `QSPC` finds, but not the module's constants |
//! | shared | with the upper half of the window | `QSPC` |
//! | local | farther by the window, which the driver puts into bank 0 | `QSPC` |
//! | constants | farther by the bank's place in memory, in bank 0, too | from that place on, as many as the bank has |
//! | parameters | farther by their place in memory | from that place to their end, both in bank 0 |

use super::operand::Given;
use super::{Builder, Outcome, special};
use crate::ir::{File, Guard, Op, Reg};
use crate::source::Source;
use smallvec::SmallVec;
use warpc_model::StateSpace;

/// A space that can be asked for.
#[derive(Clone, Copy, PartialEq)]
enum Space {
    Global,
    /// Shared memory; whether of the whole cluster.
    Shared(bool),
    Local,
    Const,
    Param,
}

impl Space {
    fn of(source: &Source) -> Option<Space> {
        match source.choice().space() {
            Some(StateSpace::Global) => return Some(Space::Global),
            Some(StateSpace::SharedCluster) => return Some(Space::Shared(true)),
            Some(space) if crate::location::is_own(space) => return Some(Space::Shared(false)),
            Some(StateSpace::Local) => return Some(Space::Local),
            _ => {}
        }
        let mut words = source.words_seen();
        words.find_map(|word| match word {
            "const" => Some(Space::Const),
            "param" | "param::entry" => Some(Space::Param),
            _ => None,
        })
    }
}

impl Builder<'_> {
    /// Two operands by name.
    fn two(&mut self, source: &Source) -> Outcome<(Given, Given)> {
        let given: SmallVec<[(&'static str, Given); 4]> = self.given(source)?;
        let find = |name: &str| {
            let mut all = given.iter();
            all.find(|one| one.0 == name).map(|one| one.1.clone())
        };
        match (find("p"), find("a")) {
            (Some(first), Some(second)) => Ok((first, second)),
            _ => Err(self.refuse("this operand")),
        }
    }

    /// Two words of bank 0.
    fn bank_pair(&mut self, place: Option<u32>) -> Outcome<Reg> {
        let place = place.ok_or_else(|| self.refuse("addresses of this space on this chip"))?;
        let pair = self.ir.reg(File::Register, 2);
        let text = format!("LDC.64 R0, {}", special::place(0, place.into()));
        self.step(&text, None, &[Op::Reg(pair, 0)])?;
        Ok(pair)
    }

    /// `isspacep`
    pub(super) fn is_in_space(&mut self, source: &Source, guard: Option<Guard>) -> Outcome<()> {
        let (to, of) = self.two(source)?;
        let of = match of {
            Given::Address(base, added) => self.address_value(base, added, 2)?,
            Given::Number(bits) => {
                let pair = self.ir.reg(File::Register, 2);
                for (half, word) in [(0, bits as u32), (1, (bits >> 32) as u32)] {
                    let text = format!("MOV R0, {word:#x}");
                    self.step(&text, None, &[Op::Reg(pair, half)])?;
                }
                Given::Reg {
                    reg: pair,
                    lane: 0,
                    lanes: 2,
                    not: false,
                }
            }
            other => other,
        };
        let (
            Given::Reg { reg: to, .. },
            Given::Reg {
                mut reg,
                mut lane,
                lanes,
                ..
            },
        ) = (to, of)
        else {
            return Err(self.refuse("`isspacep` of this operand"));
        };
        if lanes < 2 {
            let pair = self.ir.reg(File::Register, 2);
            self.copy(Op::Reg(pair, 0), Op::Reg(reg, lane), None)?;
            self.step("MOV R0, RZ", None, &[Op::Reg(pair, 1)])?;
            (reg, lane) = (pair, 0);
        }
        let space = Space::of(source).ok_or_else(|| self.refuse("`isspacep` of this space"))?;
        let to = Op::Reg(to, 0);
        let letter = match space {
            Space::Global => "G",
            Space::Shared(true) => "D",
            Space::Shared(false) => "S",
            Space::Local => "L",
            Space::Const => {
                let flag = self.is_constant_address((reg, lane))?;
                return self.copy_flag(to, flag, guard);
            }
            Space::Param => {
                let flag = self.is_parameter_address((reg, lane))?;
                return self.copy_flag(to, flag, guard);
            }
        };
        let text = format!("QSPC.E.{letter} P0, RZ, [R0]");
        if space != Space::Global || self.data.has_no_constants() {
            return self.step(&text, guard, &[to, Op::Reg(reg, lane)]);
        }
        // The bank of constants is in global memory, too.
        let found = Op::Reg(self.ir.reg(File::Predicate, 1), 0);
        self.step(&text, None, &[found, Op::Reg(reg, lane)])?;
        let constant = self.is_constant_address((reg, lane))?;
        let text = "PLOP3.LUT P0, PT, P0, !P0, PT, 0x80, 0x0";
        self.step(text, guard, &[to, found, constant])
    }

    fn copy_flag(&mut self, to: Op, from: Op, guard: Option<Guard>) -> Outcome<()> {
        let text = "PLOP3.LUT P0, PT, P0, PT, PT, 0x80, 0x0";
        self.step(text, guard, &[to, from])
    }

    /// Whether a pair is at least another one, and a flag holds.
    fn at_least(&mut self, (a, b): (Op2, Op2), and: Option<Op>) -> Outcome<Op> {
        let (low, flag) = (
            Op::Reg(self.ir.reg(File::Predicate, 1), 0),
            Op::Reg(self.ir.reg(File::Predicate, 1), 0),
        );
        let operands = [low, a.0, b.0];
        self.step("ISETP.GE.U32.AND P0, PT, R0, R0, PT", None, &operands)?;
        match and {
            None => {
                let operands = [flag, a.1, b.1, low];
                let text = "ISETP.GE.U32.AND.EX P0, PT, R0, R0, PT, P0";
                self.step(text, None, &operands)?;
            }
            Some(and) => {
                let operands = [flag, a.1, b.1, and, low];
                let text = "ISETP.GE.U32.AND.EX P0, PT, R0, R0, P0, P0";
                self.step(text, None, &operands)?;
            }
        }
        Ok(flag)
    }

    /// Whether an address is one of the module's constants: its distance from their place is below their size.
    fn is_constant_address(&mut self, (reg, lane): (Reg, u8)) -> Outcome<Op> {
        let window = self.bank_pair(special::constant_window(self.sm))?;
        let distance = self.difference((reg, lane), window)?;
        let size = self.constant_bytes()?;
        let (low, flag) = (
            Op::Reg(self.ir.reg(File::Predicate, 1), 0),
            Op::Reg(self.ir.reg(File::Predicate, 1), 0),
        );
        let operands = [low, Op::Reg(distance, 0), Op::Reg(size, 0)];
        self.step("ISETP.LT.U32.AND P0, PT, R0, R0, PT", None, &operands)?;
        let operands = [flag, Op::Reg(distance, 1), low];
        self.step("ISETP.EQ.U32.AND P0, PT, R0, RZ, P0", None, &operands)?;
        Ok(flag)
    }

    fn is_parameter_address(&mut self, (reg, lane): (Reg, u8)) -> Outcome<Op> {
        let first = self.bank_pair(special::parameter_window(self.sm))?;
        let last = self.bank_pair(special::parameter_window(self.sm).map(|place| place + 8))?;
        let pair = |reg, lane| (Op::Reg(reg, lane), Op::Reg(reg, lane + 1));
        let begins = self.at_least((pair(reg, lane), pair(first, 0)), None)?;
        self.at_least((pair(last, 0), pair(reg, lane)), Some(begins))
    }

    /// `a - b` in 64 bits.
    fn difference(&mut self, (reg, lane): (Reg, u8), less: Reg) -> Outcome<Reg> {
        self.shifted((Op::Reg(reg, lane), Op::Reg(reg, lane + 1)), less, true)
    }

    /// `a + b` or `a - b` in 64 bits.
    fn shifted(&mut self, (low, high): Op2, by: Reg, back: bool) -> Outcome<Reg> {
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
        let ops = [Op::Reg(sum, 0), Op::Reg(carry, 0), low, Op::Reg(by, 0)];
        self.step(first, None, &ops)?;
        let ops = [Op::Reg(sum, 1), high, Op::Reg(by, 1), Op::Reg(carry, 0)];
        self.step(second, None, &ops)?;
        Ok(sum)
    }

    /// `cvta`
    pub(super) fn convert_address(&mut self, source: &Source, guard: Option<Guard>) -> Outcome<()> {
        let (to, from) = self.two(source)?;
        let Given::Reg {
            reg,
            lane,
            lanes: 2,
            ..
        } = to
        else {
            return Err(self.refuse("`cvta` of 32 bits"));
        };
        let from = match from {
            Given::Address(base, added) => self.address_value(base, added, 2)?,
            other => other,
        };
        let to = |half: u8| Op::Reg(reg, lane + half);
        let (low, high) = (self.part(&from, 0)?, self.part(&from, 1)?);
        let back = source.has("to");
        let window = match Space::of(source) {
            Some(Space::Global) => {
                self.copy(to(0), low, guard)?;
                return self.copy(to(1), high, guard);
            }
            Some(Space::Shared(_)) => {
                self.copy(to(0), low, guard)?;
                return match back {
                    true => self.step("MOV R0, RZ", guard, &[to(1)]),
                    false if self.chip().since(90) => {
                        self.step("S2R R0, SR_SWINHI", guard, &[to(1)])
                    }
                    false => Err(self.refuse("`cvta.shared` on this chip")),
                };
            }
            Some(Space::Local) => Some(special::local_window(self.sm)),
            Some(Space::Const) => special::constant_window(self.sm),
            Some(Space::Param) => special::parameter_window(self.sm),
            None => return Err(self.refuse("`cvta` of this space")),
        };
        let window = self.bank_pair(window)?;
        let sum = self.shifted((low, high), window, back)?;
        self.copy(to(0), Op::Reg(sum, 0), guard)?;
        self.copy(to(1), Op::Reg(sum, 1), guard)
    }
}

/// The registers of a pair.
type Op2 = (Op, Op);
