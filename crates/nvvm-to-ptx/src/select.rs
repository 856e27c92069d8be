//! Instruction selection: the instructions of one function to PTX.
//!
//! ```text
//!   blocks in post order ─► each block backwards ─► lines ─► sections in the order of the text
//! ```
//!
//! A block is walked from its end to its start. An instruction is selected only if a register of its
//! result was asked for, or if it has an effect; so an instruction that its user took in (an address, a
//! comparison before a branch, a product before a sum) disappears by itself. Uses come before definitions
//! in this order, because post order turns dominance round, and phis read their operands at the ends of
//! the blocks before.
//!
//! A function that selects an instruction writes its lines forwards; [`Selector::block`] turns them round.
//! Taking an operand in is a look at its definition ([`Selector::definition`]); whoever does it must not ask
//! for the register ([`Selector::arg`]) as well.

mod address;
mod aggregate;
mod any_width;
mod asm;
mod atomic;
mod bits;
mod by_value;
mod cache;
mod call;
mod compare;
mod constant;
mod control;
mod convert;
mod debug;
mod divide;
mod extend;
mod extent;
mod float;
mod index;
mod integer;
mod intrinsic;
mod load_store;
mod packed;
mod stack;
mod switch;
mod variadic;
mod vector;
mod vector_address;
mod wide;

pub use debug::{Located, Where};
pub use float::Mode;
pub(crate) use intrinsic::Intrinsic;

use crate::code::{Arg, Args, Class, Code, Line, Reg};
use crate::debug::location::Mark;
use crate::shape::Part;
use crate::unit::{Refused, Unit, refusal};
use smallvec::SmallVec;
use std::rc::Rc;
use warpc_diag::codes;
use warpc_nvvm::analysis::{Cfg, Uses};
use warpc_nvvm::attribute::AttrList;
use warpc_nvvm::function::{Body, Def};
use warpc_nvvm::index::Id;
use warpc_nvvm::inst::{BinaryOp, Op, Ordering};
use warpc_nvvm::module::GlobalId;
use warpc_nvvm::types::{Type, TypeId};
use warpc_nvvm::value::{Block, InstId, Local, Operand, Value};
use warpc_nvvm::{Effect, Module};

/// The registers of a value.
pub type Regs = SmallVec<[Reg; 4]>;

/// No registers were asked for yet.
const NOT_ASKED: u32 = u32::MAX;

/// One function while its instructions are selected.
pub struct Selector<'u, 'm> {
    /// What the functions share.
    pub unit: &'u mut Unit<'m>,
    /// The module.
    pub module: &'m Module,
    /// The function's code.
    pub body: &'m Body,
    /// Who uses each value.
    pub uses: Uses,
    /// Edges between blocks.
    pub cfg: Cfg,
    /// The code made.
    pub code: Code,
    /// The lines of the instruction that is being selected, forwards.
    pub lines: Vec<Line>,
    /// Where the instruction that is being selected stands in the source.
    pub at: u32,
    /// For each value where its registers start in `regs`.
    starts: Vec<u32>,
    regs: Vec<Reg>,
    /// Where the operands of the instruction that is being selected start.
    first_arg: usize,
    /// The sections that lead from the block that is being selected to others.
    pub edges: Vec<crate::code::Section>,
    /// For each value whether an effect depends on it.
    pub live: Vec<bool>,
    /// What calls pass in and functions return.
    pub abi: Rc<crate::abi::Abi>,
    /// The attributes of the function.
    pub attrs: AttrList,
    /// Where the `byval` parameters lie.
    homes: Vec<(Local, by_value::Home)>,
    /// Registers with the addresses of variables in shared memory, set at the start of the function.
    shared_addresses: Vec<(GlobalId, Reg)>,
    /// Local memory.
    pub frame: crate::frame::Frame,
    /// How it computes with floating-point numbers.
    pub mode: Mode,
    /// The variables that debug information names, and the places that it needs.
    pub variables: crate::debug::location::Variables,
    /// The block of each instruction, worked out when it is asked for.
    blocks: Vec<u32>,
}

impl<'u, 'm> Selector<'u, 'm> {
    /// The start of a function.
    pub fn new(
        unit: &'u mut Unit<'m>,
        body: &'m Body,
        abi: Rc<crate::abi::Abi>,
        attrs: AttrList,
    ) -> Selector<'u, 'm> {
        Selector {
            module: unit.module,
            unit,
            body,
            uses: Uses::new(body),
            cfg: Cfg::new(body),
            code: Code::default(),
            lines: Vec::new(),
            at: 0,
            starts: vec![NOT_ASKED; body.locals.len()],
            regs: Vec::new(),
            first_arg: 0,
            edges: Vec::new(),
            live: Vec::new(),
            abi,
            attrs,
            homes: Vec::new(),
            shared_addresses: Vec::new(),
            frame: crate::frame::Frame::default(),
            mode: Mode::default(),
            variables: crate::debug::location::Variables::default(),
            blocks: Vec::new(),
        }
    }

    // What is there.

    /// The type of a value.
    pub fn type_of(&self, value: Value) -> TypeId {
        self.module.type_of(self.body, value)
    }

    /// What a type is.
    pub fn kind(&self, ty: TypeId) -> Type {
        self.module.types.get(ty)
    }

    /// The parts of values of a type.
    pub fn parts(&mut self, ty: TypeId) -> Result<SmallVec<[Part; 4]>, Refused> {
        self.unit.parts(ty, self.at)
    }

    /// The instruction that makes a value.
    pub fn definition(&self, value: Value) -> Option<(InstId, Op)> {
        let local = value.local()?;
        match self.body.locals[local].def {
            Def::Inst(inst) => Some((inst, self.body.insts[inst].op)),
            _ => None,
        }
    }

    /// The instruction that makes a value which nobody else uses: its user may take it in.
    pub fn own_definition(&self, value: Value) -> Option<(InstId, Op)> {
        let local = value.local()?;
        let mut users = self.uses.of(local).iter();
        let mut users = users.by_ref().filter(|user| self.is_live(user.inst));
        let alone = users.next().is_some() && users.next().is_none();
        alone.then(|| self.definition(value))?
    }

    /// Whether an instruction has an effect, or one that has depends on it.
    fn is_live(&self, inst: InstId) -> bool {
        let local = self.body.insts[inst].local();
        local.is_none_or(|local| self.live.get(local.index()).copied().unwrap_or(true))
            || self.body.insts[inst].op.effect().may_write()
    }

    /// The operands of a binary operation that only this user needs.
    pub fn own_binary(&self, value: Value, op: BinaryOp) -> Option<(InstId, Value, Value)> {
        match self.own_definition(value)? {
            (inst, Op::Binary(found)) if found == op => {
                let operands = self.body.operands(inst);
                Some((inst, operands[0], operands[1]))
            }
            _ => None,
        }
    }

    /// The value of an integer constant of up to 64 bits, zero-extended; a vector has none.
    pub fn integer(&self, value: Value) -> Option<u64> {
        self.module.constants.as_u64(value.constant()?)
    }

    /// The value of an integer constant of up to 64 bits, sign-extended.
    pub fn signed(&self, value: Value) -> Option<i64> {
        let bits = match self.kind(self.type_of(value)) {
            Type::Int(bits) => bits,
            _ => return None,
        };
        self.integer(value).map(|number| sign_extend(number, bits))
    }

    // Registers.

    /// The registers of a local value, made when they are asked for first.
    pub fn local(&mut self, local: Local) -> Result<Regs, Refused> {
        let parts = self.unit.parts(self.body.locals[local].ty, self.at)?;
        let start = self.starts[local.index()];
        if start != NOT_ASKED {
            let start = start as usize;
            return Ok(SmallVec::from_slice(&self.regs[start..start + parts.len()]));
        }
        self.starts[local.index()] = self.regs.len() as u32;
        let made: Regs = parts.iter().map(|part| self.code.reg(part.class)).collect();
        self.regs.extend_from_slice(&made);
        Ok(made)
    }

    /// Whether somebody asked for the registers of a value.
    pub fn is_asked(&self, local: Local) -> bool {
        self.starts[local.index()] != NOT_ASKED
    }

    /// The registers of the result of an instruction; none if it has no result.
    pub fn results(&mut self, inst: InstId) -> Result<Regs, Refused> {
        match self.body.insts[inst].local() {
            Some(local) => self.local(local),
            None => Ok(Regs::new()),
        }
    }

    /// The one register of the result of an instruction.
    pub fn result(&mut self, inst: InstId) -> Result<Reg, Refused> {
        let regs = self.results(inst)?;
        match regs[..] {
            [reg] => Ok(reg),
            _ => Err(self.unsupported(inst)),
        }
    }

    /// The parts of a value as operands: registers or constants.
    pub fn args(&mut self, value: Value) -> Result<Args, Refused> {
        match value.get() {
            Operand::Local(local) => match self.seen_through(local)? {
                Some(args) => Ok(self.as_numbers_of(self.body.locals[local].ty, args)),
                None => Ok(self.local(local)?.iter().map(|&reg| reg.into()).collect()),
            },
            Operand::Const(constant) => {
                let args = self.constant(constant)?;
                let ty = self.module.constants.get(constant).ty;
                Ok(self.as_numbers_of(ty, args))
            }
            _ => Err(self.refuse(
                codes::UNSUPPORTED,
                "this operand is not a value that can be computed with",
            )),
        }
    }

    /// A value of one part as an operand: a register or a constant.
    pub fn arg(&mut self, value: Value) -> Result<Arg, Refused> {
        let args = self.args(value)?;
        match args[..] {
            [arg] => Ok(arg),
            _ => {
                let text = warpc_nvvm::type_text(self.module, self.type_of(value));
                let message = format!("a value of type `{text}` is not supported here");
                Err(self.refuse(codes::UNSUPPORTED, message))
            }
        }
    }

    /// A value of one part in a register.
    pub fn reg_of(&mut self, value: Value) -> Result<Reg, Refused> {
        let class = match self.parts(self.type_of(value))?[..] {
            [part] => part.class,
            _ => Class::B64,
        };
        let arg = self.arg(value)?;
        self.in_register(arg, class)
    }

    /// An operand in a register: constants are moved into one.
    pub fn in_register(&mut self, arg: Arg, class: Class) -> Result<Reg, Refused> {
        match arg {
            Arg::Reg(reg) => Ok(reg),
            _ => {
                let reg = self.code.reg(class);
                self.copy(reg, arg)?;
                Ok(reg)
            }
        }
    }

    /// Moves an operand into a register of its class.
    pub fn copy(&mut self, to: Reg, from: Arg) -> Result<(), Refused> {
        let mnemonic = match self.code.class(to) {
            Class::Pred => "mov.pred",
            Class::B8 => "mov.b8",
            Class::B16 => "mov.b16",
            Class::B32 => "mov.b32",
            Class::B64 => "mov.b64",
            Class::B128 => "mov.b128",
        };
        self.emit(mnemonic, &[to.into(), from])
    }

    // Lines.

    /// Writes an instruction.
    pub fn emit(&mut self, mnemonic: &str, args: &[Arg]) -> Result<(), Refused> {
        self.emit_guarded(None, mnemonic, args)
    }

    /// Writes an instruction that hangs on a predicate.
    pub fn emit_guarded(
        &mut self,
        guard: Option<(Reg, bool)>,
        mnemonic: &str,
        args: &[Arg],
    ) -> Result<(), Refused> {
        let mnemonic = self.unit.mnemonic(mnemonic, self.at)?;
        let args = self.code.range(args);
        self.lines.push(Line::Inst(crate::code::Inst {
            mnemonic,
            guard,
            args,
            at: self.at,
        }));
        Ok(())
    }

    /// Writes an instruction with a new register as its first operand.
    pub fn op(&mut self, class: Class, mnemonic: &str, args: &[Arg]) -> Result<Reg, Refused> {
        let reg = self.code.reg(class);
        let mut all: Args = SmallVec::with_capacity(args.len() + 1);
        all.push(reg.into());
        all.extend_from_slice(args);
        self.emit(mnemonic, &all)?;
        Ok(reg)
    }

    /// Whether the target has an instruction.
    pub fn has(&mut self, mnemonic: &str) -> bool {
        self.unit.has(mnemonic)
    }

    /// Lets the lines of the instruction that is being selected write `to` where they wrote `from`, which is
    /// a register that they made; whether they did.
    fn redirect(&mut self, from: Arg, to: Reg) -> bool {
        let Arg::Reg(from) = from else {
            return false;
        };
        let makes = |line: &Line| match line {
            Line::Inst(inst) if inst.args.len > 0 => {
                match self.code.args.get(inst.args.start as usize) {
                    Some(&Arg::Vector(range)) => {
                        self.code.args[range.indices()].contains(&Arg::Reg(from))
                    }
                    first => first == Some(&Arg::Reg(from)),
                }
            }
            _ => false,
        };
        if !self.lines.iter().any(makes) {
            return false;
        }
        self.replace_register(from, to);
        true
    }

    /// Lets the lines of the instruction that is being selected name another register.
    fn replace_register(&mut self, from: Reg, to: Reg) {
        for arg in &mut self.code.args[self.first_arg..] {
            match arg {
                Arg::Reg(reg) if *reg == from => *reg = to,
                _ => {}
            }
        }
        for line in &mut self.lines {
            if let Line::Inst(inst) = line
                && let Some((guard, _)) = &mut inst.guard
                && *guard == from
            {
                *guard = to;
            }
        }
    }

    /// Sets up the registers with addresses of shared variables; the lines stand at the start of the function.
    pub fn load_shared_addresses(&mut self) -> Result<(), Refused> {
        for (global, reg) in std::mem::take(&mut self.shared_addresses) {
            let symbol = self.unit.symbol(global);
            self.copy(reg, Arg::Name(symbol))?;
        }
        Ok(())
    }

    /// Sets up the registers with the address of local memory; the lines stand at the start of the function.
    pub fn open_frame(&mut self, number: usize) -> Result<(), Refused> {
        let (generic, local) = (self.frame.generic, self.frame.local);
        if generic.is_none() && local.is_none() {
            return Ok(());
        }
        let local = self.frame_register(true);
        let name = self.unit.local_name(&format!("__local_depot{number}"));
        self.copy(local, Arg::Name(name))?;
        if let Some(generic) = generic {
            let wide = match self.code.class(local) {
                Class::B32 => self.op(Class::B64, "cvt.u64.u32", &[local.into()])?,
                _ => local,
            };
            self.emit("cvta.local.u64", &[generic.into(), wide.into()])?;
        }
        Ok(())
    }

    // Refusals.

    /// A refusal at the instruction that is being selected.
    pub fn refuse(&self, code: warpc_diag::Code, message: impl Into<String>) -> Refused {
        refusal(code, self.at, message).into()
    }

    /// The refusal of an instruction by its name.
    pub fn unsupported(&self, inst: InstId) -> Refused {
        let data = &self.body.insts[inst];
        let ty = match data.local() {
            Some(_) => data.ty,
            None => match self.body.operands(inst).first() {
                Some(&first) => self.type_of(first),
                None => data.ty,
            },
        };
        let message = format!(
            "`{}` of type `{}` is not supported",
            data.op.mnemonic(),
            warpc_nvvm::type_text(self.module, ty)
        );
        refusal(codes::UNSUPPORTED, self.at, message)
            .help("rewrite it with types and operations that GPUs have")
            .into()
    }

    // The walk.

    /// Selects the instructions of a block, the last first, and gives its lines.
    pub fn block(&mut self, block: Block) -> (Vec<Line>, crate::code::End) {
        let mut backwards = Vec::new();
        let mut end = crate::code::End::Stop;
        let body = self.body;
        for &inst in body.blocks[block].insts.iter().rev() {
            let data = &body.insts[inst];
            if matches!(data.op, Op::Phi) {
                break;
            }
            if !self.is_needed(inst) {
                self.mark(Mark::Before(inst), &mut backwards);
                continue;
            }
            self.at = data.pos;
            self.first_arg = self.code.args.len();
            let made = if data.op.is_terminator() {
                self.terminator(block, inst).map(|found| end = found)
            } else {
                self.instruction(inst)
            };
            if let Err(refused) = made {
                self.unit.report(refused);
                self.lines.clear();
            }
            if self.unit.options.lineinfo
                && let Some(node) = data.location()
                && !self.lines.is_empty()
            {
                backwards.append(&mut self.lines.drain(..).rev().collect());
                backwards.push(Line::Loc(node));
            }
            backwards.extend(self.lines.drain(..).rev());
            self.mark(Mark::Before(inst), &mut backwards);
        }
        self.mark(Mark::Block(block), &mut backwards);
        backwards.reverse();
        (backwards, end)
    }

    /// Writes a mark that debug information needs.
    fn mark(&self, mark: Mark, lines: &mut Vec<Line>) {
        if self.variables.marks.contains(&mark) {
            lines.push(Line::Mark(mark));
        }
    }

    /// Whether an instruction has an effect, or its result was asked for.
    fn is_needed(&self, inst: InstId) -> bool {
        let data = &self.body.insts[inst];
        let asked = data.local().is_some_and(|local| self.is_asked(local));
        asked
            || match data.op.effect() {
                Effect::None | Effect::Reads => false,
                Effect::Calls => self.call_has_effect(inst),
                Effect::Acts | Effect::Leaves => true,
            }
    }

    fn instruction(&mut self, inst: InstId) -> Result<(), Refused> {
        let data = &self.body.insts[inst];
        if self.is_transparent(inst) {
            return self.move_parts(inst);
        }
        match data.op {
            Op::Binary(
                op @ (BinaryOp::Fadd
                | BinaryOp::Fsub
                | BinaryOp::Fmul
                | BinaryOp::Fdiv
                | BinaryOp::Frem),
            ) => self.float_binary(inst, op),
            Op::Binary(op) => self.binary(inst, op),
            Op::Fneg => self.fneg(inst),
            Op::Fcmp(predicate) => self.fcmp(inst, predicate),
            Op::Cast(op) => self.cast(inst, op),
            Op::Icmp(predicate) => self.icmp(inst, predicate),
            Op::Select => self.select(inst),
            Op::Load(access) if access.ordering > Ordering::Weak => self.atomic_load(inst, access),
            Op::Load(access) => self.load(inst, access),
            Op::Store(access) if access.ordering > Ordering::Weak => {
                self.atomic_store(inst, access)
            }
            Op::Store(access) => self.store(inst, access),
            Op::Fence(ordering, scope) => self.fence(ordering, scope),
            Op::AtomicRmw(op, access) => self.atomic_rmw(inst, op, access),
            Op::CmpXchg {
                access, failure, ..
            } => self.compare_exchange(inst, access, failure),
            Op::Gep { .. } => self.gep(inst),
            Op::Alloca { .. } => self.alloca(inst),
            Op::ExtractElement => self.extract_element(inst),
            Op::InsertElement => self.insert_element(inst),
            Op::ShuffleVector => self.rebuild(inst),
            Op::Call(_) => self.call(inst),
            Op::VaArg => self.va_arg(inst),
            _ => Err(self.unsupported(inst)),
        }
    }

    /// Makes the result of an instruction equal to some operands, part by part.
    pub fn copy_all(&mut self, inst: InstId, from: &[Arg]) -> Result<(), Refused> {
        let to = self.results(inst)?;
        for (&to, &from) in to.iter().zip(from) {
            self.copy(to, from.as_bits())?;
        }
        Ok(())
    }
}

/// The low bits of a number as a signed number.
pub fn sign_extend(number: u64, bits: u32) -> i64 {
    let shift = 64 - bits.clamp(1, 64);
    ((number << shift) as i64) >> shift
}
