//! Inline PTX.
//!
//! ```text
//!   "add.s32 $0, $1, $2;"  "=r,r,n"  (%x, 5)
//!        │ template: operands become names that nobody else uses, or numbers
//!        ▼
//!   add.s32 %asm0, %asm1, 5;  ─ PTX parser ─► statements ─ assemble ─► our registers for %asm0, %asm1
//! ```
//!
//! | constraint | operand |
//! |---|---|
//! | `b` | a predicate |
//! | `h` `c` | 16 bits |
//! | `r` `f` | 32 bits |
//! | `l` `d` `N` | 64 bits |
//! | `q` | 128 bits |
//! | `n` `i` `s` | a number or the address of a global, written into the text |
//! | `m` | memory: `[pointer]` |
//! | `0` … | the place of an output |
//!
//! Short integers are widened for their register, results cut. What is wrong in the text is reported with
//! its line.

mod template;

use super::Selector;
use crate::code::{Arg, Class, InlineText, Line, Reg};
use crate::unit::{Refused, refusal};
use smallvec::smallvec;
use template::{Constraint, Kind};
use warpc_diag::codes;
use warpc_nvvm::attribute::Attribute;
use warpc_nvvm::inst::Op;
use warpc_nvvm::module::AsmId;
use warpc_nvvm::types::{Type, TypeId};
use warpc_nvvm::value::{InstId, Value};

/// What an operand of the text becomes.
enum Place {
    /// A register.
    Register(Reg),
    /// The memory that a register points to.
    Memory(Reg),
    /// Text.
    Text(String),
}

/// An output that must still be handed on when the text has run.
struct Output {
    ty: TypeId,
    from: Reg,
    /// Where it is stored, if it is not a part of the result.
    pointer: Option<Value>,
}

impl Selector<'_, '_> {
    /// Selects a call of inline assembly.
    pub(super) fn inline_assembly(
        &mut self,
        inst: InstId,
        asm: AsmId,
        args: &[Value],
    ) -> Result<(), Refused> {
        let asm = *self.module.asms.get(asm);
        let constraints = self.module.names.text(asm.constraints).into_owned();
        let Some(constraints) = template::constraints(&constraints) else {
            let message = format!("the constraints `{constraints}` cannot be read");
            return Err(self.refuse(codes::UNSUPPORTED, message));
        };
        let mut types = self.output_types(inst, &constraints).into_iter();
        let mut arguments = args.iter().enumerate();
        let mut places: Vec<Place> = Vec::new();
        let mut outputs: Vec<Output> = Vec::new();
        for constraint in &constraints {
            if !constraint.output || constraint.indirect {
                let Some((index, &value)) = arguments.next() else {
                    return Err(self.refuse(codes::UNSUPPORTED, "an operand is missing"));
                };
                if !constraint.output {
                    let place = self.asm_input(constraint, value, &places)?;
                    places.push(place);
                    continue;
                }
                // A place in memory that the text writes, or that its result is stored to.
                if constraint.kind == Kind::Memory {
                    places.push(Place::Memory(self.reg_of(value)?));
                    continue;
                }
                let ty = self.element_type(inst, index);
                let Some(ty) = ty else {
                    let message = "an indirect output has no type";
                    return Err(self.refuse(codes::UNSUPPORTED, message));
                };
                let from = self.asm_output(constraint, ty)?;
                places.push(Place::Register(from));
                outputs.push(Output {
                    ty,
                    from,
                    pointer: Some(value),
                });
                continue;
            }
            let Some(ty) = types.next() else {
                return Err(self.refuse(codes::UNSUPPORTED, "an output is missing"));
            };
            let from = self.asm_output(constraint, ty)?;
            places.push(Place::Register(from));
            outputs.push(Output {
                ty,
                from,
                pointer: None,
            });
        }
        let text = self.module.names.text(asm.text).into_owned();
        self.inline_text(&text, &places)?;
        self.hand_on(inst, outputs)
    }

    /// The types of the outputs that are parts of the result.
    fn output_types(&self, inst: InstId, constraints: &[Constraint]) -> Vec<TypeId> {
        let ty = self.body.insts[inst].ty;
        let direct = |constraint: &&Constraint| constraint.output && !constraint.indirect;
        match constraints.iter().filter(direct).count() {
            0 => Vec::new(),
            1 => vec![ty],
            _ => self
                .module
                .types
                .fields(ty)
                .map(<[_]>::to_vec)
                .unwrap_or_default(),
        }
    }

    /// `elementtype` of an argument.
    fn element_type(&self, inst: InstId, index: usize) -> Option<TypeId> {
        let Op::Call(site) = self.body.insts[inst].op else {
            return None;
        };
        let site = self.module.call_sites.get(site);
        let attrs = self.module.attributes.of_param(site.attrs, index);
        let name = self.module.names.find(b"elementtype")?;
        match self.module.attributes.find(attrs, name)? {
            Attribute::Type(_, ty) => Some(ty),
            _ => None,
        }
    }

    fn asm_input(
        &mut self,
        constraint: &Constraint,
        value: Value,
        places: &[Place],
    ) -> Result<Place, Refused> {
        match constraint.kind {
            Kind::Register(class) => {
                let reg = self.asm_register(value, class)?;
                Ok(Place::Register(reg))
            }
            Kind::Tied(output) => {
                let Some(&Place::Register(to)) = places.get(output) else {
                    let message = "an operand is tied to something that is not an output register";
                    return Err(self.refuse(codes::UNSUPPORTED, message));
                };
                let class = self.code.class(to);
                let from = self.asm_register(value, class)?;
                self.copy(to, from.into())?;
                Ok(Place::Register(to))
            }
            Kind::Memory => Ok(Place::Memory(self.reg_of(value)?)),
            Kind::Immediate => Ok(Place::Text(self.immediate_text(value)?)),
        }
    }

    /// A value in a register of the class that a constraint asks for.
    fn asm_register(&mut self, value: Value, class: Class) -> Result<Reg, Refused> {
        let parts = self.parts(self.type_of(value))?;
        let args = self.args(value)?;
        if class == Class::B128
            && let &[low, high] = &args[..]
        {
            let low = self.in_register(low.as_bits(), Class::B64)?;
            let high = self.in_register(high.as_bits(), Class::B64)?;
            let pair = self.code.vector(&[low.into(), high.into()]);
            return self.op(Class::B128, "mov.b128", &[pair]);
        }
        let (&[part], &[arg]) = (&parts[..], &args[..]) else {
            return Err(self.does_not_fit(self.type_of(value), class));
        };
        match (part.class, class) {
            (have, want) if have == want => self.in_register(arg, class),
            (Class::Pred, Class::B16) => {
                let wide = self.extended(arg, 1, 32, false)?;
                let wide = self.in_register(wide, Class::B32)?;
                self.op(Class::B16, "cvt.u16.u32", &[wide.into()])
            }
            (Class::Pred, _) => {
                let wide = self.extended(arg, 1, class.bits(), false)?;
                self.in_register(wide, class)
            }
            (Class::B32, Class::B16) if part.bits <= 16 => {
                let arg = self.in_register(arg, Class::B32)?;
                self.op(Class::B16, "cvt.u16.u32", &[arg.into()])
            }
            (Class::B32, Class::B64) if part.bits <= 32 => {
                let wide = self.extended(arg.as_bits(), part.bits, 64, false)?;
                self.in_register(wide, Class::B64)
            }
            (Class::B16, Class::B32) => {
                let arg = self.in_register(arg, Class::B16)?;
                self.op(Class::B32, "cvt.u32.u16", &[arg.into()])
            }
            // MLIR and others give 32 bits to addresses of small memories, whatever the data layout says.
            (Class::B64, Class::B32) if self.points_into_window(value) => {
                let arg = self.in_register(arg, Class::B64)?;
                self.op(Class::B32, "cvt.u32.u64", &[arg.into()])
            }
            _ => Err(self.does_not_fit(self.type_of(value), class)),
        }
    }

    /// Whether a value is an address in shared, local or tensor memory, of which the low 32 bits say it all.
    fn points_into_window(&self, value: Value) -> bool {
        let ty = self.type_of(value);
        matches!(self.kind(ty), Type::Ptr(3 | 5 | 6))
    }

    fn does_not_fit(&self, ty: TypeId, class: Class) -> Refused {
        let message = format!(
            "a value of type `{}` does not fit an operand of inline assembly with {} bits",
            warpc_nvvm::type_text(self.module, ty),
            class.bits()
        );
        let help = "h takes 16 bits, r and f 32, l and d 64, q 128, b one";
        refusal(codes::UNSUPPORTED, self.at, message)
            .help(help)
            .into()
    }

    /// A number or the name of a global as text.
    fn immediate_text(&mut self, value: Value) -> Result<String, Refused> {
        if let Some(number) = self.signed(value) {
            return Ok(number.to_string());
        }
        if let Some(constant) = value.constant() {
            if let Some(global) = self.module.global_of(constant) {
                let symbol = self.unit.symbol(global);
                return Ok(self.unit.ptx.name(symbol).to_owned());
            }
            match self.constant(constant)?[..] {
                [Arg::Int(number)] => return Ok(number.to_string()),
                [Arg::F32(bits)] => return Ok(format!("0f{bits:08X}")),
                [Arg::F64(bits)] => return Ok(format!("0d{bits:016X}")),
                _ => {}
            }
        }
        let message = "an operand of inline assembly must be a constant here";
        Err(refusal(codes::UNSUPPORTED, self.at, message)
            .help("its constraint is `n`, `i` or `s`")
            .into())
    }

    /// The register that the text writes an output to.
    fn asm_output(&mut self, constraint: &Constraint, ty: TypeId) -> Result<Reg, Refused> {
        match constraint.kind {
            Kind::Register(class) => {
                let parts = self.parts(ty)?;
                let fits = match (&parts[..], class) {
                    ([_, _], Class::B128) => true,
                    (&[part], _) => part.class == class || part.bits <= class.bits(),
                    _ => false,
                };
                if !fits {
                    return Err(self.does_not_fit(ty, class));
                }
                Ok(self.code.reg(class))
            }
            _ => Err(self.refuse(
                codes::UNSUPPORTED,
                "an output of inline assembly is neither a register nor memory",
            )),
        }
    }

    /// Moves the outputs to where they belong.
    fn hand_on(&mut self, inst: InstId, outputs: Vec<Output>) -> Result<(), Refused> {
        let mut made = crate::code::Args::new();
        for output in outputs {
            let parts = self.asm_value(output.ty, output.from)?;
            match output.pointer {
                None => made.extend(parts),
                Some(pointer) => {
                    let address = self.address(pointer)?;
                    let prefix = format!("st{}", address.space.modifier());
                    let align = self.unit.layout.align(&self.module.types, output.ty);
                    self.store_parts(&prefix, address, output.ty, &parts, align)?;
                }
            }
        }
        let asked = self.body.insts[inst]
            .local()
            .is_some_and(|local| self.is_asked(local));
        if asked {
            let results = self.results(inst)?;
            for (to, from) in results.into_iter().zip(made) {
                self.write_output(to, from)?;
            }
        }
        Ok(())
    }

    /// The value is what the text wrote: if a register of ours was written directly, it is the result.
    fn write_output(&mut self, to: Reg, from: Arg) -> Result<(), Refused> {
        if let Arg::Reg(from) = from {
            for line in &mut self.lines {
                if let Line::Inline(text) = line {
                    let operands = text.registers.iter_mut().filter(|reg| **reg == from);
                    let mut found = false;
                    operands.for_each(|reg| (*reg, found) = (to, true));
                    if found {
                        // A tied input is moved into it before.
                        self.replace_register(from, to);
                        return Ok(());
                    }
                }
            }
        }
        self.copy(to, from)
    }

    /// The parts of a value that a register holds.
    fn asm_value(&mut self, ty: TypeId, from: Reg) -> Result<crate::code::Args, Refused> {
        let parts = self.parts(ty)?;
        let class = self.code.class(from);
        if class == Class::B128 {
            let low = self.code.reg(Class::B64);
            let high = self.code.reg(Class::B64);
            let pair = self.code.vector(&[low.into(), high.into()]);
            self.emit("mov.b128", &[pair, from.into()])?;
            return Ok(smallvec![low.into(), high.into()]);
        }
        let &[part] = &parts[..] else {
            return Err(self.does_not_fit(ty, class));
        };
        let made = match (class, part.class) {
            (have, want) if have == want => from,
            (Class::B16, Class::B32) => self.op(Class::B32, "cvt.u32.u16", &[from.into()])?,
            (Class::B32, Class::B16) => self.op(Class::B16, "cvt.u16.u32", &[from.into()])?,
            (Class::B64, Class::B32) => self.op(Class::B32, "cvt.u32.u64", &[from.into()])?,
            (Class::B16, Class::Pred) => {
                let wide = self.op(Class::B32, "cvt.u32.u16", &[from.into()])?;
                self.lowest_bit(wide)?
            }
            (Class::B32, Class::Pred) => self.lowest_bit(from)?,
            (Class::B64, Class::Pred) => {
                let low = self.op(Class::B32, "cvt.u32.u64", &[from.into()])?;
                self.lowest_bit(low)?
            }
            _ => return Err(self.does_not_fit(ty, class)),
        };
        Ok(smallvec![made.into()])
    }

    fn lowest_bit(&mut self, from: Reg) -> Result<Reg, Refused> {
        let bit = self.op(Class::B32, "and.b32", &[from.into(), Arg::Int(1)])?;
        self.op(Class::Pred, "setp.ne.b32", &[bit.into(), Arg::Int(0)])
    }

    /// Reads the text and adds its statements.
    fn inline_text(&mut self, text: &str, places: &[Place]) -> Result<(), Refused> {
        let mut registers = Vec::new();
        let spelled: Vec<String> = places
            .iter()
            .map(|place| {
                let mut name = |reg: Reg| {
                    registers.push(reg);
                    crate::inline::operand_name(registers.len() - 1)
                };
                match place {
                    Place::Register(reg) => name(*reg),
                    Place::Memory(reg) => format!("[{}]", name(*reg)),
                    Place::Text(text) => text.clone(),
                }
            })
            .collect();
        let number = self.unit.next_inline();
        self.unit.numbered_text |= text.contains("${:uid}");
        let expanded = template::expand(text, &spelled, number)
            .map_err(|message| self.refuse(codes::UNSUPPORTED, message))?;
        if expanded.trim().is_empty() {
            return Ok(());
        }
        let statements = crate::inline::statements(self.unit, &expanded, self.at)?;
        self.lines.push(Line::Inline(Box::new(InlineText {
            statements,
            registers,
            at: self.at,
        })));
        Ok(())
    }
}
