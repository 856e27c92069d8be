//! PTX to machine IR.
//!
//! ```text
//!   statements of a kernel ──► names, labels ──► each instruction: steps over its operands ──► instructions over registers
//!                              build/names       compute.rs, lower.rs, build/memory             build/place
//! ```
//!
//! A register of PTX is a virtual register, of one lane for every 32 bits. Blocks begin at labels and after branches, and
//! inside instructions that are more than a straight line.

mod call;
mod callee;
mod constant;
pub(crate) mod data;
mod gradient;
pub(crate) mod group;
pub(crate) mod handle;
mod jump;
pub(crate) mod linked;
mod member_mask;
mod memory;
mod names;
pub(crate) mod object_data;
mod operand;
mod parameter;
mod place;
pub(crate) mod register_count;
mod space;
pub(crate) mod special;
mod special_register;
mod stack;

use crate::abi::Places;
use crate::chip::Chip;
use crate::compute;
use crate::ir::{self, Block, BlockId, File, Function, Op, Operand, Reg};
use crate::learned::{Learned, Pool, Steps};
use crate::options::Options;
use crate::pattern;
use crate::source::Source;
use crate::{Context, Description, Unknown};
use data::Data;
use names::{Labels, Meaning, Names, Register};
use operand::Given;
pub(crate) use place::Asked;
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;
use std::sync::Arc;
use warpc_cubin::build::parameters_at;
use warpc_diag::{Diagnostic, Diagnostics, Span, codes};
use warpc_launch::functions::Functions;
use warpc_launch::shared::Shared;
use warpc_model::ocg;
use warpc_ptx::Module;
use warpc_ptx::inst::Inst;
use warpc_ptx::module::{
    self as ptx_module, Body, FunctionKind, Item, Linkage, Space, Statement, Variable,
};
use warpc_ptx::symbol::Symbol;
use warpc_ptx::types::ScalarType;
use warpc_sass::{Shape, Value};
use warpc_target::{Sm, features};

/// The uniform registers that hold the descriptor of global memory.
pub(crate) const DESCRIPTOR: u8 = 4;

/// What a frame is a multiple of, if nothing in it wants more.
pub(crate) const FRAME_ALIGN: u32 = 16;

/// The largest alignment of a local variable.
const MOST_ALIGN: u64 = 1 << 12;

/// The largest frame of a thread.
const MOST_FRAME: u64 = 512 * 1024;

/// A kernel being built.
pub(crate) struct Builder<'m> {
    module: &'m Module,
    function: &'m ptx_module::Function,
    body: &'m Body,
    data: &'m Data,
    shared: &'m Shared,
    handles: &'m handle::Handles,
    sm: Sm,
    names: Names<'m>,
    labels: Labels,
    scope: usize,
    ir: Function,
    /// The block being filled.
    current: Block,
    /// For each label the block that it stands before, once it is placed. Until the end operands have labels for blocks.
    places: Vec<Option<u32>>,
    /// The address of the block's shared memory, once it is wanted.
    shared_base: Option<Reg>,
    /// The carry between instructions, once there is one.
    carry: Option<Reg>,
    /// What was worked out for earlier instructions.
    learned: Learned,
    /// The statement being built.
    span: Span,
    /// Whether that is a weak access to memory.
    is_weak: bool,
    frame: u64,
    /// Bytes at the end of the stack in which calls pass things.
    outgoing: u32,
    uses_descriptor: bool,
    /// The last product of a warpgroup, until its group ends.
    open_product: Option<group::OpenProduct>,
    /// Predicates that are always the same, once it is asked.
    constant_predicates: Option<FxHashMap<Reg, bool>>,
    /// Registers of PTX that are numbers, once it is asked.
    constant_registers: Option<FxHashMap<Symbol, u64>>,
    /// Registers with the mask of all lanes, once it is asked.
    all_lanes: Option<FxHashSet<Symbol>>,
    functions: &'m Functions,
    /// Variables that are passed to and from functions.
    arguments: Vec<call::Argument>,
    /// Those of them that are written in parts of words, once it is asked.
    narrow: Option<FxHashSet<Symbol>>,
    /// The return address of a function, the words of its results, and where they go.
    back: Option<Reg>,
    /// Where a function goes to return: once, so that lanes that have parted meet before it.
    end: Option<u32>,
    results: Vec<Vec<Op>>,
    result_places: Places,
    options: &'m Options,
    /// The member masks of collectives that are in registers, if they are asked for.
    masks: Vec<member_mask::Mask>,
    /// The symbols of the variables in shared memory that a linker places.
    shared_names: Vec<String>,
}

/// What is not supported.
pub(crate) struct Refusal(pub Box<Diagnostic>);

type Outcome<T> = Result<T, Refusal>;

/// Says that something is not supported yet.
pub(crate) fn refuse(span: Span, what: impl std::fmt::Display) -> Refusal {
    let message = format!("the assembler does not support {what} yet");
    let help = "`--emit ptx` gives PTX, which the driver and `ptxas` assemble";
    Refusal(Box::new(
        Diagnostic::error(codes::UNSUPPORTED, span, message).help(help),
    ))
}

/// What a kernel or function is built with.
#[derive(Clone, Copy)]
pub(crate) struct Start {
    /// The number of registers that it begins with, if that is to change.
    pub(crate) first_registers: Option<u8>,
    /// Whether lanes may leave convergence barriers early in its kernel.
    pub(crate) barriers_are_left: bool,
}

/// Builds a kernel or a function; also what there is to say about it.
pub(crate) fn build<'m>(
    module: &'m Module,
    (function, start): (&'m ptx_module::Function, Start),
    body: &'m Body,
    data: &'m Data,
    (shared, handles): (&'m Shared, &'m handle::Handles),
    functions: &'m Functions,
    (options, pool): (&'m Options, &Pool),
) -> Result<(Function, Vec<Diagnostic>), Diagnostics> {
    let sm = module.sm;
    let labels = Labels::of(body);
    let mut builder = Builder {
        module,
        function,
        body,
        data,
        shared,
        handles,
        sm,
        names: Names::new(&module.symbols),
        scope: 0,
        ir: Function {
            name: module.name(function.name).to_owned(),
            sm,
            regs: Vec::new(),
            blocks: Vec::new(),
            frame: 0,
            frame_align: FRAME_ALIGN,
            frame_base: special::STACK,
            is_kernel: function.kind == FunctionKind::Entry,
            listens_in_shared: false,
            pointers: Vec::new(),
            callees: Vec::new(),
            changed: Vec::new(),
            spills: ir::Spills::default(),
            knobs: options.knobs,
            calls_system: false,
            calls_taken: false,
            quiet_calls: false,
            barriers_are_left: start.barriers_are_left,
            links: Vec::new(),
            first_registers: start.first_registers,
        },
        current: Block::default(),
        places: vec![None; labels.count() as usize],
        labels,
        shared_base: None,
        carry: None,
        learned: pool.take(),
        span: function.name_at.0,
        is_weak: false,
        frame: 0,
        outgoing: 0,
        uses_descriptor: false,
        open_product: None,
        constant_predicates: None,
        constant_registers: None,
        all_lanes: None,
        functions,
        arguments: Vec::new(),
        narrow: None,
        back: None,
        end: None,
        results: Vec::new(),
        result_places: Places::default(),
        options,
        masks: Vec::new(),
        shared_names: Vec::new(),
    };
    builder.outgoing = builder.outgoing(body);
    builder.frame = builder.outgoing.into();
    if builder.moves_stack(body) {
        builder.ir.frame_base = stack::BASE;
    }
    let mut diagnostics = Diagnostics::new();
    if let Err(Refusal(diagnostic)) = builder.declare_module() {
        diagnostics.push(*diagnostic);
        return Err(diagnostics);
    }
    let mut opened = 0;
    for (index, statement) in body.statements.iter().enumerate() {
        builder.span = statement.at().0;
        let outcome = match statement {
            Statement::Open(_) => {
                opened += 1;
                builder.scope = opened;
                builder.names.enter();
                Ok(())
            }
            Statement::Close(_) => {
                builder.scope = builder.labels.parent(builder.scope);
                builder.names.leave();
                Ok(())
            }
            Statement::Variable(variable) => builder.declare(variable, index),
            Statement::Label(symbol, _) => {
                if let Some(label) = builder.labels.find(builder.scope, *symbol) {
                    builder.put_label(label);
                }
                Ok(())
            }
            Statement::Inst(inst) => builder.instruction(inst),
            // It stands in the first block of a loop.
            Statement::Pragma(strings, _) if is_nounroll(strings) => {
                builder.current.keeps_rounds = true;
                Ok(())
            }
            _ => Ok(()),
        };
        builder.is_weak = false;
        if let Err(Refusal(diagnostic)) = outcome {
            diagnostics.push(*diagnostic);
            if diagnostics.is_full() {
                break;
            }
        }
    }
    if diagnostics.has_errors() {
        return Err(diagnostics);
    }
    let masks = std::mem::take(&mut builder.masks);
    let learned = std::mem::take(&mut builder.learned);
    let finished = builder.finish();
    pool.give(learned);
    match finished {
        Ok(function) => {
            let found = member_mask::found(&function, masks);
            Ok((function, found))
        }
        Err(Refusal(diagnostic)) => {
            diagnostics.push(*diagnostic);
            Err(diagnostics)
        }
    }
}

/// Whether an instruction loads or stores without an order that others could rely on. Elements of `wmma` are accessed so, too.
fn is_weak(source: &Source) -> bool {
    let told = [
        "volatile", "relaxed", "acquire", "release", "mmio", "cv", "wt",
    ];
    let is_access = match source.opcode() {
        "ld" | "ldu" | "st" => true,
        "wmma" => source.has_word("load") || source.has_word("store"),
        _ => false,
    };
    let is_passed = |word: &str| word.starts_with("param");
    is_access && !(source.words_seen()).any(|word| told.contains(&word) || is_passed(word))
}

/// Whether a pragma says that loops are not unrolled.
fn is_nounroll(strings: &[String]) -> bool {
    strings.iter().any(|one| one == "nounroll")
}

/// Whether a load is of shared memory and may wait for another thread.
fn is_strong_in_shared(source: &Source) -> bool {
    let strong = ["volatile", "relaxed", "acquire", "mmio"];
    let shared = ["shared", "shared::cta", "shared::cluster"];
    source.words_seen().any(|word| strong.contains(&word))
        && source.words_seen().any(|word| shared.contains(&word))
}

impl<'m> Builder<'m> {
    fn refuse(&self, what: impl std::fmt::Display) -> Refusal {
        refuse(self.span, what)
    }

    /// Declares what the module and the kernel's parameters are called.
    fn declare_module(&mut self) -> Outcome<()> {
        for item in &self.module.items {
            let Item::Variable(variable) = item else {
                continue;
            };
            let name = variable.name;
            let is_linked = self.options.relocatable;
            let meaning = match variable.space {
                _ if is_linked && let Some(kind) = handle::kind(variable.ty) => {
                    Some(Meaning::LinkedHandle(kind, name))
                }
                Space::Global if is_linked => Some(Meaning::Linked(name)),
                Space::Const if is_linked => Some(Meaning::LinkedConst(name)),
                Space::Shared if is_linked => {
                    Some(self.linked_shared_name(self.module.name(name).to_owned()))
                }
                _ if handle::kind(variable.ty).is_some() => {
                    let place = self.handles.place(name);
                    place.map(|(kind, at)| Meaning::Handle(kind, at))
                }
                Space::Global => Some(Meaning::Global(name)),
                Space::Const => self.data.constants.get(&name).map(|at| Meaning::Const(*at)),
                Space::Shared => self
                    .shared
                    .of_module
                    .get(&name)
                    .map(|at| Meaning::Shared(*at)),
                _ => None,
            };
            if let Some(meaning) = meaning {
                self.names.declare(name, meaning);
            }
        }
        // A variable does not have the name of a function.
        for (name, number) in self.functions.names() {
            let own = self.functions.definition(self.module, number);
            if self.options.relocatable {
                self.names.declare(name, Meaning::Linked(name));
            } else if let Some(at) = own.and_then(|own| self.data.function_address(own.name)) {
                self.names.declare(name, Meaning::Function(at));
            } else if let Some(own) = own.filter(|own| self.data.kernel_number(own.name).is_some())
            {
                self.names.declare(name, Meaning::Kernel(own.name));
            }
        }
        if !self.ir.is_kernel {
            self.names.enter();
            return self.take_parameters();
        }
        let is_opaque = |one: &Variable| handle::kind(one.ty).is_some();
        if self.function.params.iter().any(is_opaque) {
            return Err(self.refuse("textures, surfaces and samplers as parameters"));
        }
        let parameters = data::parameters(self.sm, self.function);
        let parameters = parameters.ok_or_else(|| self.refuse("parameters of unknown size"))?;
        for ((name, offset, _), variable) in parameters.into_iter().zip(&self.function.params) {
            self.names.declare(name, Meaning::Param(offset));
            self.note_pointer(variable, offset);
        }
        self.names.enter();
        Ok(())
    }

    /// Notes what a parameter points to.
    fn note_pointer(&mut self, variable: &Variable, offset: u32) {
        let pointer = variable.extra.as_ref().and_then(|extra| extra.pointer);
        let align = pointer.and_then(|pointer| pointer.align);
        let align = align.filter(|align| *align > 1 && align.is_power_of_two());
        if let (Some(align), Some(first)) = (align, parameters_at(self.sm)) {
            let at = u32::from(first) + offset;
            self.ir.pointers.push(ir::Pointer { at, align });
        }
    }

    fn linked_shared_name(&mut self, name: String) -> Meaning {
        self.shared_names.push(name);
        Meaning::LinkedShared(self.shared_names.len() as u32 - 1)
    }

    /// The registers of the machine that a type has.
    fn new_register(ir: &mut Function, ty: ScalarType, vector: u8) -> Register {
        let reg = match ty {
            ScalarType::Pred => ir.reg(File::Predicate, 1),
            ty => ir.reg(File::Register, ty.bits().div_ceil(32) as u8 * vector),
        };
        Register { reg, ty, vector }
    }

    fn declare(&mut self, variable: &Variable, index: usize) -> Outcome<()> {
        let name = variable.name;
        let meaning = match variable.space {
            Space::Reg => match variable.range {
                Some(count) => Meaning::Range(variable.ty, variable.vector, count),
                None => {
                    let register =
                        Builder::new_register(&mut self.ir, variable.ty, variable.vector);
                    Meaning::Register(register)
                }
            },
            Space::Shared if self.options.relocatable => {
                let own = self.module.name(self.function.name);
                let name = linked::own_shared(own, self.module.name(name), index);
                self.linked_shared_name(name)
            }
            Space::Shared => {
                let at = self.shared.of_function.get(&(self.function.name, index));
                Meaning::Shared(*at.ok_or_else(|| self.refuse("this shared variable"))?)
            }
            Space::Local => {
                let size = variable.bytes();
                let size = size.ok_or_else(|| self.refuse("local variables of unknown size"))?;
                self.frame = self.frame.next_multiple_of(variable.alignment().max(4));
                let at = self.frame;
                self.frame += size;
                let most = match self.ir.is_kernel {
                    true => MOST_ALIGN,
                    false => FRAME_ALIGN.into(),
                };
                if self.frame > MOST_FRAME || variable.alignment() > most {
                    return Err(self.refuse("local variables of this size or alignment"));
                }
                self.ir.frame_align = self.ir.frame_align.max(variable.alignment() as u32);
                Meaning::Local(at as u32)
            }
            Space::Param if variable.linkage == Linkage::Internal => {
                self.declare_argument(variable)?
            }
            _ => return Err(self.refuse("variables of this space in a function")),
        };
        self.names.declare(name, meaning);
        Ok(())
    }

    /// The meaning of a name.
    fn find(&mut self, symbol: warpc_ptx::symbol::Symbol) -> Option<Meaning> {
        let ir = &mut self.ir;
        let make = |ty, vector| Builder::new_register(ir, ty, vector);
        self.names.find(symbol, make)
    }

    /// A label that is placed later.
    fn new_label(&mut self) -> u32 {
        self.places.push(None);
        self.places.len() as u32 - 1
    }

    /// Ends the block and begins another one at a label.
    fn put_label(&mut self, label: u32) {
        if !self.current.insts.is_empty() {
            self.close_block();
        }
        self.places[label as usize] = Some(self.ir.blocks.len() as u32);
    }

    fn close_block(&mut self) {
        self.ir.blocks.push(std::mem::take(&mut self.current));
    }

    /// Appends an instruction.
    fn push(&mut self, mut inst: ir::Inst) {
        let is_access = || matches!(inst.shape.opcode(), "LDS" | "STS" | "LDL" | "STL");
        inst.weak = self.is_weak && is_access();
        let ends = inst.is_branch() || inst.ends();
        self.current.insts.push(inst);
        if ends {
            self.close_block();
        }
    }

    /// An instruction by the example of a text: registers, predicates, barriers and labels are filled in.
    fn step(&mut self, text: &str, guard: Option<ir::Guard>, ops: &[Op]) -> Outcome<()> {
        let pattern = pattern::find(self.sm, text).filter(|one| one.holes.len() == ops.len());
        let Some(pattern) = pattern else {
            return Err(self.refuse(format_args!("`{text}` on {}", self.sm)));
        };
        let inst = &pattern.inst;
        let mut operands: SmallVec<[Operand; 6]> = (inst.operands.iter())
            .map(|one| Operand {
                op: Op::Value(one.value),
                marks: one.marks,
            })
            .collect();
        for (&slot, &op) in pattern.holes.iter().zip(ops) {
            operands[slot].op = op;
        }
        let mut inst = ir::Inst {
            shape: inst.shape,
            guard,
            operands,
            span: self.span,
            origin: None,
            acquires: false,
            contracts: false,
            weak: false,
        };
        self.legalize_numbers(&mut inst)?;
        self.push(inst);
        Ok(())
    }

    /// A register with a number of 32 bits in it.
    fn number(&mut self, bits: u32) -> Outcome<Reg> {
        let reg = self.ir.reg(File::Register, 1);
        self.step(&format!("MOV R0, {bits:#x}"), None, &[Op::Reg(reg, 0)])?;
        Ok(reg)
    }

    /// Puts numbers that stand where the shape has registers into the instruction, or into registers.
    fn legalize_numbers(&mut self, inst: &mut ir::Inst) -> Outcome<()> {
        use warpc_sass::template::Kind;
        for slot in 0..inst.operands.len() {
            let Op::Value(Value::Number(number)) = inst.operands[slot].op else {
                continue;
            };
            if inst.shape.slots()[slot].kind() != Kind::Register {
                continue;
            }
            let bits = number as u32;
            if bits == 0 {
                inst.operands[slot].op = Op::Value(Value::ZERO);
                continue;
            }
            if let Some((shape, value)) = self.immediate(inst.shape, slot, bits)
                && shape.slots()[slot].marks().has(inst.operands[slot].marks)
            {
                inst.shape = shape;
                inst.operands[slot].op = Op::Value(value);
                continue;
            }
            let reg = self.number(bits)?;
            inst.operands[slot].op = Op::Reg(reg, 0);
        }
        Ok(())
    }

    /// The same operation with a number in a slot.
    fn immediate(
        &mut self,
        shape: &'static Shape,
        slot: usize,
        bits: u32,
    ) -> Option<(&'static Shape, Value)> {
        use warpc_sass::template::Kind;
        let key = (std::ptr::from_ref(shape).addr(), slot);
        let sm = self.sm;
        let other = *self.learned.immediates.entry(key).or_insert_with(|| {
            let kinds = [Kind::Unsigned, Kind::Signed];
            kinds
                .into_iter()
                .find_map(|kind| shape.with_kind(sm, slot, kind))
        });
        let other = other?;
        let value = [i64::from(bits), i64::from(bits as i32)]
            .map(Value::Number)
            .into_iter()
            .find(|value| other.slots()[slot].fits(*value))?;
        // Shapes with numbers of other meanings (parts of a word, floating point) are not looked for.
        Some((other, value))
    }

    fn instruction(&mut self, inst: &Inst) -> Outcome<()> {
        let Some(mut source) = Source::of_inst(self.module, self.body, inst) else {
            return Err(self.refuse("this form of an instruction"));
        };
        let guard = match inst.guard {
            Some(guard) => match self.find(guard.register) {
                Some(Meaning::Register(register)) => Some(ir::Guard {
                    reg: register.reg,
                    not: guard.negated,
                }),
                Some(_) => return Err(self.refuse("this guard")),
                None => {
                    let name = self.module.name(guard.register);
                    let read = self.special_operand(name, warpc_ptx::inst::Part::Whole);
                    match read.transpose()? {
                        Some(Given::Reg { reg, .. }) => Some(ir::Guard {
                            reg,
                            not: guard.negated,
                        }),
                        _ => return Err(self.refuse("this guard")),
                    }
                }
            },
            None => None,
        };
        self.is_weak = is_weak(&source);
        self.know_mask(&mut source);
        if source.opcode() == "ld" && is_strong_in_shared(&source) {
            self.ir.listens_in_shared = true;
        }
        match source.opcode() {
            "bra" => return self.branch(inst, guard),
            "ret" if !self.ir.is_kernel => return self.go_to_end(guard),
            "call" => return self.call(inst, guard),
            "ret" | "exit" => return self.step("EXIT", guard, &[]),
            "ld" | "ldu" | "st" if self.is_own_memory(&source) => {
                return self.own_memory(&source, guard);
            }
            "mov" => {
                if let Some(outcome) = self.special_move(&source, inst, guard) {
                    return outcome;
                }
            }
            "cvta" => return self.convert_address(&source, guard),
            "isspacep" => return self.is_in_space(&source, guard),
            "brx" => {
                let index = self.body.operands(inst.operands).first().copied();
                let index = index.ok_or_else(|| self.refuse("this branch"))?;
                let given = self.resolve(index, None)?;
                return self.jump(given, inst, guard);
            }
            "wgmma" => return self.group(&source, guard),
            "setmaxnreg" => return self.change_registers(&source, guard),
            "tex" if compute::is_gradient_of_system(&source) => {
                return self.gradient(&source, guard);
            }
            "alloca" | "stacksave" | "stackrestore" => {
                return self.move_stack(&source, guard);
            }
            _ => {}
        }
        let steps = self.steps(&mut source)?;
        self.place(&source, guard, &steps)
    }

    /// The steps of an instruction.
    fn steps(&mut self, source: &mut Source) -> Outcome<Arc<Steps>> {
        source.set_register_bits(|name| match self.find(name) {
            Some(Meaning::Register(register)) => Some(register.ty.bits()),
            _ => None,
        });
        self.know_divisor(source);
        let key = source.key();
        if let Some(known) = self.learned.steps(&key) {
            if known.meets {
                self.meet_all()?;
            }
            return Ok(known);
        }
        let source = &*source;
        let text = || warpc_ptx::mnemonic_text(source.choice());
        if let Some(steps) = compute::steps(source, self.sm) {
            // The first versions of PTX did not say it.
            let meets = source.has_word("aligned") || source.opcode() == "wmma";
            if meets {
                self.meet_all()?;
            }
            let wired = steps.map_err(|unwired| {
                self.refuse(format_args!("`{}` on {} ({unwired})", text(), self.sm))
            })?;
            let asked = Asked::of(source, &wired);
            let steps = Arc::new(Steps {
                wired,
                asked,
                meets,
            });
            self.learned.keep(key, steps.clone());
            return Ok(steps);
        }
        let refusal = self.refuse(format_args!("`{}`", text()));
        let mut description = match Description::of(source.clone()) {
            Ok(description) => description,
            Err(Unknown::Atomic(faults)) => return Err(self.refuse_atomic(&text(), &faults)),
            Err(_) => return Err(refusal),
        };
        if let Description::Access(access) = &mut description {
            let options = self.options;
            let caches = if access.stores {
                options.stores
            } else {
                options.loads
            };
            caches.apply(access);
        }
        // Whether there are clusters is a value that may live across a call, and nobody knows afterwards that it is the
        // same for all lanes. A gradient may be a call, too.
        let context = match description {
            Description::Cluster(_) if self.has_one_of(self.body, &["call", "tex"]) => {
                Context::Divergent
            }
            _ => Context::Straight,
        };
        let sequence = description.sequence(context, self.sm);
        let Ok(sequence) = sequence else {
            return Err(refusal);
        };
        if self.options.print_member_masks {
            self.note_mask(source, &description)?;
        }
        self.meet(source, &description)?;
        // Lanes are together, but accesses to memory must not pass it.
        let is_waiting = |inst: &ir::Inst| inst.shape.opcode() == "WARPSYNC";
        let orders = source.opcode() == "bar" && source.has_word("warp");
        if orders && !self.current.insts.last().is_some_and(is_waiting) {
            self.step("WARPSYNC.ALL", None, &[])?;
        }
        let wired = sequence.wired.map_err(|unwired| {
            self.refuse(format_args!("`{}` on {} ({unwired})", text(), self.sm))
        })?;
        let asked = Asked::of(source, &wired);
        let steps = Arc::new(Steps {
            wired,
            asked,
            meets: false,
        });
        // What is put before others depends on where they are.
        if matches!(description, Description::Access(_)) {
            self.learned.keep(key, steps.clone());
        }
        Ok(steps)
    }

    /// Says what the checks of an atomic found. A module that the verifier took has none of it.
    fn refuse_atomic(&self, name: &str, faults: &[ocg::Fault]) -> Refusal {
        let mut all = faults.iter();
        let last = all.next_back();
        let message = last.map_or_else(String::new, |fault| fault.text(name));
        let mut diagnostic = Diagnostic::error(codes::BAD_ATOMIC, self.span, message);
        for fault in all {
            diagnostic = diagnostic.related(self.span, fault.to_string());
        }
        Refusal(Box::new(diagnostic.help(format!(
            "{}; `warpc explain {0}` lists the checks",
            ocg::CODE
        ))))
    }

    /// Whether all lanes of a warp are here together: they begin a kernel so. Who calls a function may be a part of them.
    fn is_together(&self) -> bool {
        self.ir.is_kernel && self.ir.blocks.is_empty()
    }

    /// Brings all lanes of a warp together, once in a block.
    fn meet_all(&mut self) -> Outcome<()> {
        let is_meeting = |inst: &ir::Inst| {
            inst.shape.opcode() == "WARPSYNC" && inst.guard.is_none() && inst.shape.has("ALL")
        };
        if self.is_together() || self.current.insts.iter().any(is_meeting) {
            return Ok(());
        }
        self.step("WARPSYNC.ALL", None, &[])
    }

    /// Brings the lanes of a warp together before what they do together: all of them, or those of a member mask.
    fn meet(&mut self, source: &Source, description: &Description) -> Outcome<()> {
        if self.is_together() {
            return Ok(());
        }
        // The machine counts warps, whatever the instruction says of its threads. Source: ptxas brings them together before
        // `barrier.sync` too, and an H200 let threads through that others had not come to.
        if source.opcode() == "barrier" && source.has_word("cluster") {
            return self.meet_all();
        }
        match description {
            Description::Barrier(_) => self.meet_all(),
            Description::Warp(_) => {
                let given = self.given(source)?;
                let mask = given.into_iter().find(|one| one.0 == "membermask");
                match mask {
                    Some((_, Given::Number(bits))) if bits as u32 == u32::MAX => {
                        self.step("WARPSYNC.ALL", None, &[])
                    }
                    Some((_, mask @ (Given::Number(_) | Given::Reg { .. }))) => {
                        let mask = self.part(&mask, 0)?;
                        self.step("WARPSYNC R0", None, &[mask])
                    }
                    _ => Ok(()),
                }
            }
            _ => Ok(()),
        }
    }

    fn branch(&mut self, inst: &Inst, guard: Option<ir::Guard>) -> Outcome<()> {
        let operands = self.body.operands(inst.operands);
        let symbol = operands.iter().find_map(|operand| match operand {
            warpc_ptx::inst::Operand::Name { symbol, .. } => Some(*symbol),
            _ => None,
        });
        let label = symbol.and_then(|symbol| self.labels.find(self.scope, symbol));
        let label = label.ok_or_else(|| self.refuse("this branch"))?;
        self.go(label, guard)
    }

    /// A branch to a label.
    fn go(&mut self, label: u32, guard: Option<ir::Guard>) -> Outcome<()> {
        self.step("BRA `(x)", guard, &[Op::Block(BlockId(label))])
    }

    /// Ends the kernel, puts what it needs in front, and gives blocks for labels.
    fn finish(mut self) -> Outcome<Function> {
        let blocks = self.ir.blocks.len() as u32;
        let is_reached = !self.current.insts.is_empty()
            || self.ir.blocks.is_empty()
            || self.places.contains(&Some(blocks))
            || self
                .ir
                .blocks
                .last()
                .is_none_or(|last| !last.insts.last().is_some_and(ir::Inst::ends));
        if !self.ir.is_kernel {
            self.give_back(is_reached)?;
        } else if is_reached {
            self.step("EXIT", None, &[])?;
        }
        if !self.current.insts.is_empty() {
            self.close_block();
        }
        self.ir.quiet_calls = self.ir.is_kernel && self.ir.calls() && self.has_quiet_calls();
        let front = self.front()?;
        self.ir.frame = self.frame.next_multiple_of(16) as u32;
        let keeps_rounds = self.keeps_all_rounds();
        let mut ir = self.ir;
        if keeps_rounds {
            for block in &mut ir.blocks {
                block.keeps_rounds = true;
            }
        }
        if let Some(first) = ir.blocks.first_mut() {
            first.insts.splice(0..0, front);
        }
        let last = ir.blocks.len() as u32 - 1;
        for block in &mut ir.blocks {
            for inst in &mut block.insts {
                for operand in &mut inst.operands {
                    if let Op::Block(block) = &mut operand.op {
                        let place = self.places[block.index()];
                        *block = BlockId(place.unwrap_or(last).min(last));
                    }
                }
            }
        }
        Ok(ir)
    }

    /// Whether no loop of the function is unrolled, by a pragma of it or of the module.
    fn keeps_all_rounds(&self) -> bool {
        let mut own = self.function.directives.iter();
        let mut items = self.module.items.iter();
        own.any(|one| one.name == ".pragma" && is_nounroll(&one.strings))
            || items.any(|item| matches!(item, Item::Pragma(strings, _) if is_nounroll(strings)))
    }

    /// What stands in front of a kernel's code.
    fn front(&mut self) -> Outcome<Vec<ir::Inst>> {
        let code = std::mem::take(&mut self.ir.blocks);
        self.span = self.function.name_at.0;
        if self.uses_descriptor
            && let Some(text) = special::descriptor(self.sm)
        {
            self.fixed(&text)?;
        }
        if let Some(base) = self.shared_base {
            self.shared_window(base)?;
        }
        let front = std::mem::take(&mut self.current.insts);
        self.ir.blocks = code;
        Ok(front)
    }

    /// An instruction whose registers are those of the text.
    fn fixed(&mut self, text: &str) -> Outcome<()> {
        let Some(pattern) = pattern::find(self.sm, text) else {
            return Err(self.refuse(format_args!("`{text}` on {}", self.sm)));
        };
        let inst = &pattern.inst;
        let operands = inst.operands.iter().map(|one| Operand {
            op: Op::Value(one.value),
            marks: one.marks,
        });
        self.push(ir::Inst {
            shape: inst.shape,
            guard: None,
            operands: operands.collect(),
            span: self.span,
            origin: None,
            acquires: false,
            contracts: false,
            weak: false,
        });
        Ok(())
    }

    /// The address of the block's shared memory among that of its cluster.
    fn shared_window(&mut self, base: Reg) -> Outcome<()> {
        if self.sm.has(features::CUBINS_OF_HOPPER) {
            let rank = self.ir.reg(File::Register, 1);
            self.step("S2R R0, SR_CgaCtaId", None, &[Op::Reg(rank, 0)])?;
            let ops = [Op::Reg(base, 0), Op::Reg(rank, 0)];
            self.step("SHF.L.U32 R0, R0, 0x18, RZ", None, &ops)
        } else {
            self.step("MOV R0, RZ", None, &[Op::Reg(base, 0)])
        }
    }

    fn chip(&self) -> Chip {
        Chip(self.sm)
    }
}
