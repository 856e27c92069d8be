//! Operands of PTX as operands of machine instructions.

use super::names::{Meaning, Register};
use super::{Builder, Outcome};
use crate::ir::{File, Op, Reg};
use crate::source::Source;
use smallvec::SmallVec;
use warpc_cubin::build::OpaqueKind;
use warpc_ptx::form::{Kind, OperandSpec, TypeRef};
use warpc_ptx::inst::{Operand, Part, Sign};
use warpc_ptx::module::{Item, Statement};
use warpc_ptx::symbol::Symbol;
use warpc_ptx::types::ScalarType;

/// An operand of PTX.
#[derive(Clone, Debug)]
pub(super) enum Given {
    /// A register from a lane on, with its lanes, and whether it is negated.
    Reg {
        reg: Reg,
        lane: u8,
        lanes: u8,
        not: bool,
    },
    /// A number, as bits.
    Number(u64),
    /// Several, one after the other.
    Vector(Vec<Given>),
    /// An address: what it is counted from, and what is added.
    Address(Base, i64),
    /// `_`
    Sink,
}

/// What an address is counted from.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) enum Base {
    /// A register, with its lanes.
    Reg(Reg, u8, u8),
    /// Nothing.
    Zero,
    /// The beginning of the block's shared memory.
    Shared,
    /// The stack.
    Stack,
    /// The parameters.
    Param,
    /// A variable that is passed to or from a function.
    Argument(u32),
    /// The constant variables.
    Const,
    /// A variable in global memory, by its number.
    Global(u32),
    /// The table of the functions whose addresses are taken.
    Function,
    /// What a linker places: a variable in global memory, a function or a kernel.
    Linked(Symbol),
    /// The same in shared memory, with its address in a register but for what the system keeps.
    LinkedShared(Reg),
    /// The same in constant memory, with its place in a register.
    LinkedConst(Reg),
    /// The handle of a texture, sampler or surface, with its place in bank 0.
    Handle(OpaqueKind, u32),
    /// The same where a linker gives it its place.
    LinkedHandle(OpaqueKind, Symbol),
}

/// Where a handle is in bank 0.
enum Handle {
    At(u32),
    /// Where a linker says.
    Linked(Symbol),
}

impl Builder<'_> {
    /// The operands of an instruction by the names of its form.
    pub(super) fn given(
        &mut self,
        source: &Source,
    ) -> Outcome<SmallVec<[(&'static str, Given); 4]>> {
        let is_video = crate::compute::is_video(source.opcode());
        self.given_to(source, is_video)
    }

    /// The same where it is known whether it is a video instruction.
    pub(super) fn given_to(
        &mut self,
        source: &Source,
        is_video: bool,
    ) -> Outcome<SmallVec<[(&'static str, Given); 4]>> {
        let choice = source.choice();
        let specs = &choice.form.form().operands;
        let mut all = SmallVec::new();
        for (spec, index) in specs.iter().zip(source.mapping()) {
            let Some(index) = index else { continue };
            let Some(operand) = self.body.operands.get(*index as usize).copied() else {
                continue;
            };
            // Video instructions look at signs and selectors themselves.
            let operand = match operand {
                Operand::Name { symbol, .. } if is_video => Operand::Name {
                    symbol,
                    part: Part::Whole,
                    sign: Sign::Plain,
                },
                operand => operand,
            };
            // What is in registers is taken as it is.
            let ty = match operand {
                Operand::F32(_) | Operand::F64(_) | Operand::Vector(_) => {
                    operand_type(source, spec)
                }
                _ => None,
            };
            all.push((spec.name, self.resolve(operand, ty)?));
        }
        Ok(all)
    }

    /// How many bits the registers of a vector have; nothing if the operand is not a vector.
    pub(super) fn element_bits(&mut self, source: &Source, name: &str) -> SmallVec<[u32; 4]> {
        let choice = source.choice();
        let mut all = SmallVec::new();
        for (spec, index) in choice.form.form().operands.iter().zip(source.mapping()) {
            let operand = index.and_then(|index| self.body.operands.get(index as usize).copied());
            if let (true, Some(Operand::Vector(items))) = (spec.name == name, operand) {
                for item in self.body.operands(items) {
                    all.push(match item {
                        Operand::Name { symbol, .. } => match self.find(*symbol) {
                            Some(Meaning::Register(register)) => register.ty.bits(),
                            _ => 0,
                        },
                        _ => 0,
                    });
                }
            }
        }
        all
    }

    pub(super) fn resolve(&mut self, operand: Operand, ty: Option<ScalarType>) -> Outcome<Given> {
        Ok(match operand {
            Operand::Int(int) => Given::Number(int.bits),
            Operand::F32(bits) if ty == Some(ScalarType::F64) => {
                Given::Number(f64::from(f32::from_bits(bits)).to_bits())
            }
            Operand::F32(bits) => Given::Number(bits.into()),
            Operand::F64(bits) if ty == Some(ScalarType::F32) => {
                Given::Number((f64::from_bits(bits) as f32).to_bits().into())
            }
            Operand::F64(bits) => Given::Number(bits),
            Operand::Sink => Given::Sink,
            Operand::Name { symbol, part, sign } => match self.find(symbol) {
                Some(Meaning::Register(register)) => {
                    if sign == Sign::Minus {
                        return Err(self.refuse("a sign before a register"));
                    }
                    self.register(register, part, sign)?
                }
                Some(meaning) => {
                    let (base, at) = self.base(meaning)?;
                    Given::Address(base, at)
                }
                None => {
                    let name = self.module.name(symbol);
                    match self.special_operand(name, part) {
                        Some(read) => read?,
                        None => return Err(self.refuse("an operand that is not a register")),
                    }
                }
            },
            Operand::Vector(items) => {
                let items = self.body.operands(items);
                let each = items.iter().map(|item| self.resolve(*item, ty));
                Given::Vector(each.collect::<Outcome<_>>()?)
            }
            Operand::Address { items, .. } | Operand::Offset(items) => {
                let items = self.body.operands(items);
                let added = match items.get(1) {
                    Some(Operand::Int(int)) => int.bits as i64,
                    None => 0,
                    _ => return Err(self.refuse("this address")),
                };
                match items.first() {
                    Some(Operand::Int(int)) => {
                        Given::Address(Base::Zero, (int.bits as i64).wrapping_add(added))
                    }
                    Some(Operand::Name { symbol, part, .. }) => match self.find(*symbol) {
                        Some(Meaning::Register(register)) => {
                            match self.register(register, *part, Sign::Plain)? {
                                Given::Reg {
                                    reg, lane, lanes, ..
                                } => Given::Address(Base::Reg(reg, lane, lanes), added),
                                _ => return Err(self.refuse("this address")),
                            }
                        }
                        Some(meaning) => {
                            let (base, at) = self.base(meaning)?;
                            Given::Address(base, at.wrapping_add(added))
                        }
                        None => return Err(self.refuse("the address of this name")),
                    },
                    _ => return Err(self.refuse("this address")),
                }
            }
            Operand::Element(items) => self.array_element(self.body.operands(items))?,
            _ => return Err(self.refuse("this kind of operand")),
        })
    }

    /// `a[3]`: an address that is counted in elements of a variable. Source: ptxas 13.4, which counts scalars, also where
    /// elements are vectors.
    fn array_element(&mut self, items: &[Operand]) -> Outcome<Given> {
        let [Operand::Name { symbol, .. }, Operand::Int(index)] = *items else {
            return Err(self.refuse("an index in a register"));
        };
        let bytes = self.scalar_bytes(symbol);
        match self.find(symbol) {
            Some(Meaning::Register(_)) | None => Err(self.refuse("an element of this name")),
            Some(meaning) => {
                let (base, at) = self.base(meaning)?;
                let added = (index.bits as i64).wrapping_mul(bytes);
                Ok(Given::Address(base, at.wrapping_add(added)))
            }
        }
    }

    /// The bytes of the scalars of a variable of the function or the module.
    fn scalar_bytes(&self, name: Symbol) -> i64 {
        let own = self.body.statements.iter().filter_map(|one| match one {
            Statement::Variable(variable) => Some(&**variable),
            _ => None,
        });
        let of_module = self.module.items.iter().filter_map(|one| match one {
            Item::Variable(variable) => Some(variable),
            _ => None,
        });
        let mut all = own.chain(&self.function.params).chain(of_module);
        let found = all.find(|variable| variable.name == name);
        found.map_or(1, |variable| i64::from(variable.ty.bytes().max(1)))
    }

    pub(super) fn register(&self, register: Register, part: Part, sign: Sign) -> Outcome<Given> {
        let words = match register.ty {
            ScalarType::Pred => 1,
            ty => ty.bits().div_ceil(32) as u8,
        };
        let (lane, lanes) = match part {
            Part::Whole => (0, words * register.vector),
            Part::X => (0, words),
            Part::Y => (words, words),
            Part::Z => (2 * words, words),
            Part::W => (3 * words, words),
            _ => return Err(self.refuse("selectors of bytes and halves")),
        };
        Ok(Given::Reg {
            reg: register.reg,
            lane,
            lanes,
            not: sign == Sign::Not,
        })
    }

    /// What the address of a variable is counted from, and how far it is.
    fn base(&mut self, meaning: Meaning) -> Outcome<(Base, i64)> {
        Ok(match meaning {
            Meaning::Linked(symbol) => (Base::Linked(symbol), 0),
            Meaning::LinkedShared(number) => self.linked_shared(number)?,
            Meaning::LinkedConst(symbol) => self.linked_constant(symbol)?,
            Meaning::Param(at) => (Base::Param, at.into()),
            Meaning::Argument(number) => (Base::Argument(number), 0),
            Meaning::Shared(at) => (Base::Shared, at.into()),
            Meaning::Const(at) => (Base::Const, at.into()),
            Meaning::Local(at) => (Base::Stack, at.into()),
            Meaning::Global(symbol) => match self.data.address_number(symbol) {
                Some(number) => (Base::Global(number), 0),
                None => return Err(self.refuse("the address of this variable")),
            },
            Meaning::Kernel(symbol) => match self.data.kernel_number(symbol) {
                Some(number) => (Base::Global(number), 0),
                None => return Err(self.refuse("the address of this kernel")),
            },
            Meaning::Function(at) => (Base::Function, at.into()),
            Meaning::Handle(kind, at) => (Base::Handle(kind, at), 0),
            Meaning::LinkedHandle(kind, symbol) => (Base::LinkedHandle(kind, symbol), 0),
            Meaning::Register(_) | Meaning::Range(..) => {
                return Err(self.refuse("the address of a register"));
            }
        })
    }

    /// The address of the block's shared memory.
    pub(super) fn shared_base(&mut self) -> Reg {
        match self.shared_base {
            Some(reg) => reg,
            None => {
                let reg = self.ir.reg(File::Register, 1);
                self.shared_base = Some(reg);
                reg
            }
        }
    }

    /// The registers of an address and what is added to them in the instruction. `own` says that addresses have 32 bits.
    pub(super) fn address(&mut self, base: Base, added: i64, own: bool) -> Outcome<(Op, i64)> {
        /// The largest number in an address: 24 bits with a sign.
        const LARGEST: i64 = (1 << 23) - 1;
        let (op, added) = match base {
            Base::Reg(reg, lane, lanes) => {
                if !own && lanes < 2 {
                    // A short address is the low half of one of 64 bits.
                    let pair = self.ir.reg(File::Register, 2);
                    self.copy(Op::Reg(pair, 0), Op::Reg(reg, lane), None)?;
                    self.step("MOV R0, RZ", None, &[Op::Reg(pair, 1)])?;
                    (Op::Reg(pair, 0), added)
                } else {
                    (Op::Reg(reg, lane), added)
                }
            }
            Base::Shared if own => (Op::Reg(self.shared_base(), 0), added),
            Base::LinkedShared(reg) if own => (Op::Reg(reg, 0), added),
            // A variable that is accessed by its name, without its space.
            Base::Shared | Base::LinkedShared(_) if self.chip().since(90) => {
                let pair = self.ir.reg(File::Register, 2);
                let low = match base {
                    Base::LinkedShared(reg) => Op::Reg(reg, 0),
                    _ => Op::Reg(self.shared_base(), 0),
                };
                self.copy(Op::Reg(pair, 0), low, None)?;
                self.step("S2R R0, SR_SWINHI", None, &[Op::Reg(pair, 1)])?;
                (Op::Reg(pair, 0), added)
            }
            Base::Stack if own => {
                let stack = warpc_sass::Value::Register(self.ir.frame_base);
                (Op::Value(stack), added)
            }
            Base::Zero if own => (Op::Value(warpc_sass::Value::ZERO), added),
            Base::Global(number) => (Op::Reg(self.global_address(number)?, 0), added),
            Base::Linked(symbol) => (Op::Reg(self.linked_address(symbol)?, 0), added),
            Base::Zero => {
                let pair = self.ir.reg(File::Register, 2);
                for (lane, bits) in [(0, added as u32), (1, (added >> 32) as u32)] {
                    let text = format!("MOV R0, {bits:#x}");
                    self.step(&text, None, &[Op::Reg(pair, lane)])?;
                }
                return Ok((Op::Reg(pair, 0), 0));
            }
            Base::Shared
            | Base::Stack
            | Base::Param
            | Base::Argument(_)
            | Base::Const
            | Base::LinkedShared(_)
            | Base::LinkedConst(_)
            | Base::Handle(..)
            | Base::LinkedHandle(..)
            | Base::Function => {
                return Err(self.refuse("addresses of this space here"));
            }
        };
        if (-LARGEST..=LARGEST).contains(&added) {
            return Ok((op, added));
        }
        // It is added before.
        let lanes = if own { 1 } else { 2 };
        let sum = self.ir.reg(File::Register, lanes);
        let low = self.number(added as u32)?;
        if own {
            self.step(
                "IADD3 R0, R0, R0, RZ",
                None,
                &[Op::Reg(sum, 0), op, Op::Reg(low, 0)],
            )?;
            return Ok((Op::Reg(sum, 0), 0));
        }
        let (carry, high) = (
            self.ir.reg(File::Predicate, 1),
            self.number((added >> 32) as u32)?,
        );
        let Op::Reg(reg, lane) = op else {
            return Err(self.refuse("this address"));
        };
        let ops = [Op::Reg(sum, 0), Op::Reg(carry, 0), op, Op::Reg(low, 0)];
        self.step("IADD3 R0, P0, R0, R0, RZ", None, &ops)?;
        let ops = [
            Op::Reg(sum, 1),
            Op::Reg(reg, lane + 1),
            Op::Reg(high, 0),
            Op::Reg(carry, 0),
        ];
        self.step("IADD3.X R0, R0, R0, RZ, P0, !PT", None, &ops)?;
        Ok((Op::Reg(sum, 0), 0))
    }

    /// The address of a variable in global memory, out of the bank that has them.
    fn global_address(&mut self, number: u32) -> Outcome<Reg> {
        let pair = self.ir.reg(File::Register, 2);
        let text = format!(
            "LDC.64 R0, {}",
            super::special::place(4, 8 * i64::from(number))
        );
        self.step(&text, None, &[Op::Reg(pair, 0)])?;
        Ok(pair)
    }

    /// The handle of a texture, sampler or surface in registers of so many lanes.
    fn handle(&mut self, kind: OpaqueKind, at: Handle, lanes: u8) -> Outcome<Reg> {
        let reg = self.ir.reg(File::Register, lanes);
        match at {
            Handle::At(at) => {
                let text = format!("LDC R0, {}", super::special::place(0, at.into()));
                self.step(&text, None, &[Op::Reg(reg, 0)])?;
            }
            Handle::Linked(symbol) => self.linked_handle(Op::Reg(reg, 0), symbol)?,
        }
        if lanes > 1 {
            let text = format!("MOV R0, {:#x}", super::handle::mark(kind));
            self.step(&text, None, &[Op::Reg(reg, 1)])?;
        }
        Ok(reg)
    }

    /// The address of a variable as a number in registers of so many lanes: a pair for 64 bits.
    pub(super) fn address_value(&mut self, base: Base, added: i64, lanes: u8) -> Outcome<Given> {
        let reg = match base {
            Base::Global(number) if added == 0 => self.global_address(number)?,
            Base::Linked(symbol) if added == 0 => self.linked_address(symbol)?,
            Base::Global(_) | Base::Linked(_) => {
                let (op, _) = self.address(base, 0, false)?;
                let Op::Reg(from, _) = op else {
                    return Err(self.refuse("this address"));
                };
                let (sum, carry) = (
                    self.ir.reg(File::Register, 2),
                    self.ir.reg(File::Predicate, 1),
                );
                let (low, high) = (
                    self.number(added as u32)?,
                    self.number((added >> 32) as u32)?,
                );
                let ops = [
                    Op::Reg(sum, 0),
                    Op::Reg(carry, 0),
                    Op::Reg(from, 0),
                    Op::Reg(low, 0),
                ];
                self.step("IADD3 R0, P0, R0, R0, RZ", None, &ops)?;
                let ops = [
                    Op::Reg(sum, 1),
                    Op::Reg(from, 1),
                    Op::Reg(high, 0),
                    Op::Reg(carry, 0),
                ];
                self.step("IADD3.X R0, R0, R0, RZ, P0, !PT", None, &ops)?;
                sum
            }
            Base::Shared | Base::Stack | Base::Const | Base::Param | Base::Function => {
                let reg = self.ir.reg(File::Register, lanes);
                let text = format!("IADD3 R0, R0, {:#x}, RZ", added as u32);
                match base {
                    Base::Shared => {
                        let from = Op::Reg(self.shared_base(), 0);
                        self.step(&text, None, &[Op::Reg(reg, 0), from])?;
                    }
                    Base::Stack => {
                        let stack = self.ir.frame_base;
                        let text = format!("MOV R0, {:#x}", added as u32);
                        let offset = self.ir.reg(File::Register, 1);
                        self.step(&text, None, &[Op::Reg(offset, 0)])?;
                        let from = Op::Value(warpc_sass::Value::Register(stack));
                        let ops = [Op::Reg(reg, 0), from, Op::Reg(offset, 0)];
                        self.step("IADD3 R0, R0, R0, RZ", None, &ops)?;
                    }
                    _ => {
                        let text = format!("MOV R0, {:#x}", added as u32);
                        self.step(&text, None, &[Op::Reg(reg, 0)])?;
                    }
                }
                if lanes > 1 {
                    self.step("MOV R0, RZ", None, &[Op::Reg(reg, 1)])?;
                }
                reg
            }
            Base::LinkedShared(from) | Base::LinkedConst(from) => {
                let reg = self.ir.reg(File::Register, lanes);
                let text = format!("IADD3 R0, R0, {:#x}, RZ", added as u32);
                self.step(&text, None, &[Op::Reg(reg, 0), Op::Reg(from, 0)])?;
                if lanes > 1 {
                    self.step("MOV R0, RZ", None, &[Op::Reg(reg, 1)])?;
                }
                reg
            }
            Base::Handle(kind, at) if added == 0 => self.handle(kind, Handle::At(at), lanes)?,
            Base::LinkedHandle(kind, symbol) if added == 0 => {
                self.handle(kind, Handle::Linked(symbol), lanes)?
            }
            Base::Handle(..) | Base::LinkedHandle(..) => {
                return Err(self.refuse("what is after a texture, sampler or surface"));
            }
            Base::Reg(..) | Base::Zero | Base::Argument(_) => {
                return Err(self.refuse("the address of an argument as a value"));
            }
        };
        Ok(Given::Reg {
            reg,
            lane: 0,
            lanes: self.ir.data(reg).lanes,
            not: false,
        })
    }
}

/// The type of an operand by its form.
fn operand_type(source: &Source, spec: &OperandSpec) -> Option<ScalarType> {
    let Kind::Value(ty) = spec.kind else {
        return None;
    };
    match ty {
        TypeRef::Fixed(ty) => Some(ty),
        TypeRef::Slot(slot) => {
            let choice = source.choice();
            let slot = choice.form.form().slots.get(usize::from(slot))?;
            choice.scalar(slot.name)
        }
        _ => None,
    }
}
