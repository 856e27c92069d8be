//! Expands arithmetic that PTX has no instruction for.
//!
//! | what | becomes |
//! |---|---|
//! | division and remainder of more than 64 bits | shifts for powers of two, products for constants of 64 bits, else a routine |
//! | conversions between these and floating-point numbers | a routine |
//! | their `llvm.umul.with.overflow` and `llvm.smul.with.overflow` | a product of twice the width |
//! | `frem` | a routine that is exact; with `afn` a division |
//! | `llvm.powi` | products; a routine if the power is not constant |
//! | arithmetic on `x86_fp80`, `fp128`, `ppc_fp128` | refused |
//!
//! Vectors are taken apart first. Routines are internal functions, added to the module once for each type
//! that needs them.

mod digits;
mod float;
mod routine;
mod wide;

use crate::edit::{Action, Editor, edit_bodies};
use crate::pass::Context;
use routine::{Float, Routine};
use rustc_hash::FxHashSet;
use warpc_nvvm::Module;
use warpc_nvvm::function::Body;
use warpc_nvvm::inst::{BinaryOp, CastOp, Op};
use warpc_nvvm::types::{Type, TypeId};
use warpc_nvvm::value::{InstId, Value};

/// Integers of more bits are not computed with.
const WIDEST: u32 = 1024;

pub(super) fn run(module: &mut Module, context: &mut Context) {
    let mut routines = FxHashSet::default();
    let any_rare = module.types.iter().any(|(_, &ty)| rare(ty).is_some());
    edit_bodies(module, |editor| {
        if any_rare {
            refuse(editor, context);
        }
        if !editor.any(|module, body, inst| task(module, body, inst).is_some()) {
            return;
        }
        let mut last_division = None;
        editor.rewrite(|editor, inst| {
            let Some(task) = task(editor.module, editor.body, inst) else {
                return Action::Keep;
            };
            if widest(editor, inst) > WIDEST {
                context.not_compiled(
                    editor.pos(),
                    format!("integers of more than {WIDEST} bits are not divided or converted"),
                    "use narrower integers",
                );
                return Action::Keep;
            }
            let mut expander = Expander {
                editor,
                routines: &mut routines,
                last_division: &mut last_division,
            };
            Action::Replace(expander.each_element(task, inst))
        });
    });
    if !routines.is_empty() && !context.found.has_errors() {
        routine::define(module, &routines);
    }
}

/// What an instruction needs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Task {
    Divide(BinaryOp),
    Frem { approximate: bool, infinite: bool },
    FromInt { signed: bool },
    ToInt { signed: bool, saturates: bool },
    MulOverflow { signed: bool },
    Powi,
}

/// The name of the function that a call calls.
fn callee_name<'m>(module: &'m Module, body: &Body, inst: InstId) -> Option<&'m [u8]> {
    let Op::Call(_) = body.insts[inst].op else {
        return None;
    };
    let callee = module.global_of(body.operands(inst).last()?.constant()?)?;
    Some(module.names.bytes(module.globals[callee].name?))
}

fn task(module: &Module, body: &Body, inst: InstId) -> Option<Task> {
    use warpc_nvvm::inst::Flags;
    let data = &body.insts[inst];
    let is_wide = |ty: TypeId| {
        let scalar = module.types.get(module.types.scalar(ty));
        matches!(scalar, Type::Int(bits) if bits > 64)
    };
    let from = || module.type_of(body, body.operands(inst)[0]);
    match data.op {
        Op::Binary(op @ (BinaryOp::Udiv | BinaryOp::Sdiv | BinaryOp::Urem | BinaryOp::Srem)) => {
            is_wide(data.ty).then_some(Task::Divide(op))
        }
        Op::Binary(BinaryOp::Frem) => Some(Task::Frem {
            approximate: data.flags.contains(Flags::AFN),
            infinite: !data.flags.contains(Flags::NINF),
        }),
        Op::Cast(op @ (CastOp::Uitofp | CastOp::Sitofp)) => {
            let signed = op == CastOp::Sitofp;
            is_wide(from()).then_some(Task::FromInt { signed })
        }
        Op::Cast(op @ (CastOp::Fptoui | CastOp::Fptosi)) => {
            let (signed, saturates) = (op == CastOp::Fptosi, false);
            is_wide(data.ty).then_some(Task::ToInt { signed, saturates })
        }
        Op::Call(_) => {
            let name = callee_name(module, body, inst)?.strip_prefix(b"llvm.")?;
            let starts = |prefix: &[u8]| name.starts_with(prefix);
            if starts(b"powi.") {
                Some(Task::Powi)
            } else if starts(b"fptoui.sat.") || starts(b"fptosi.sat.") {
                let (signed, saturates) = (starts(b"fptosi."), true);
                is_wide(data.ty).then_some(Task::ToInt { signed, saturates })
            } else if starts(b"umul.with.overflow.") || starts(b"smul.with.overflow.") {
                let signed = starts(b"smul.");
                is_wide(from()).then_some(Task::MulOverflow { signed })
            } else {
                None
            }
        }
        _ => None,
    }
}

/// The width of the widest integer that an instruction takes or gives.
fn widest(editor: &Editor, inst: InstId) -> u32 {
    let operands = editor.body.operands(inst).iter();
    let types = operands.map(|&value| editor.type_of(value));
    let bits = types.map(|ty| editor.int_bits(ty)).max().unwrap_or(0);
    bits.max(editor.int_bits(editor.body.insts[inst].ty))
}

/// The name of a format that GPUs do not have.
fn rare(ty: Type) -> Option<&'static str> {
    match ty {
        Type::X86Fp80 => Some("x86_fp80"),
        Type::Fp128 => Some("fp128"),
        Type::PpcFp128 => Some("ppc_fp128"),
        _ => None,
    }
}

/// Refuses arithmetic on formats that GPUs do not have. Values of these types may be moved.
fn refuse(editor: &Editor, context: &mut Context) {
    let types = &editor.module.types;
    for &block in &editor.body.order {
        for &inst in &editor.body.blocks[block].insts {
            let data = &editor.body.insts[inst];
            let intrinsic = || {
                let name = callee_name(editor.module, editor.body, inst);
                name.is_some_and(|name| name.starts_with(b"llvm."))
            };
            match data.op {
                Op::Binary(_) | Op::Fneg | Op::Fcmp(_) | Op::AtomicRmw(..) => {}
                Op::Cast(op) if op != CastOp::Bitcast => {}
                Op::Call(_) if intrinsic() => {}
                _ => continue,
            }
            let operands = editor.body.operands(inst).iter();
            let mut used = operands
                .map(|&value| editor.type_of(value))
                .chain([data.ty]);
            if let Some(name) = used.find_map(|ty| rare(types.get(types.scalar(ty)))) {
                context.refuse(
                    data.pos,
                    format!("a GPU does not compute with `{name}`"),
                    "use double",
                );
            }
        }
    }
}

/// Expands one instruction.
struct Expander<'e, 'm> {
    editor: &'e mut Editor<'m>,
    routines: &'e mut FxHashSet<Routine>,
    last_division: &'e mut Option<wide::Division>,
}

impl Expander<'_, '_> {
    /// Expands an instruction element by element.
    fn each_element(&mut self, task: Task, inst: InstId) -> Value {
        let operands = self.editor.body.operands(inst).to_vec();
        let args: &[Value] = match self.editor.body.insts[inst].op {
            // The last operand is the callee.
            Op::Call(_) => &operands[..operands.len() - 1],
            _ => &operands,
        };
        let ty = self.editor.body.insts[inst].ty;
        let Type::Vector { len, .. } = self.editor.module.types.get(self.editor.type_of(args[0]))
        else {
            return self.one(task, ty, args);
        };
        if let Task::MulOverflow { .. } = task {
            return self.overflow_vectors(task, ty, args, len);
        }
        let element = self.editor.module.types.scalar(ty);
        let parts: Vec<Value> = (0..u64::from(len))
            .map(|index| {
                let args: Vec<Value> = args.iter().map(|&arg| self.part(arg, index)).collect();
                self.one(task, element, &args)
            })
            .collect();
        self.editor.vector(ty, &parts)
    }

    /// The element of a vector, or the value itself if it is none.
    fn part(&mut self, value: Value, index: u64) -> Value {
        match self
            .editor
            .module
            .types
            .is_vector(self.editor.type_of(value))
        {
            true => self.editor.element(value, index),
            false => value,
        }
    }

    fn one(&mut self, task: Task, ty: TypeId, args: &[Value]) -> Value {
        match task {
            Task::Divide(op) => self.divide(op, args[0], args[1]),
            Task::Frem {
                approximate,
                infinite,
            } => self.frem(args[0], args[1], approximate, infinite),
            Task::FromInt { signed } => self.convert_from_int(args[0], ty, signed),
            Task::ToInt { signed, saturates } => {
                self.convert_to_int(args[0], ty, signed, saturates)
            }
            Task::MulOverflow { signed } => self.mul_overflow(args[0], args[1], ty, signed),
            Task::Powi => self.powi(args[0], args[1]),
        }
    }

    /// A call of a routine.
    fn call(&mut self, routine: Routine, ret: TypeId, args: &[Value]) -> Value {
        self.routines.insert(routine);
        let params: Vec<TypeId> = args.iter().map(|&arg| self.editor.type_of(arg)).collect();
        let callee = self.editor.declare(&routine.name(), ret, &params);
        self.editor.call(callee, args)
    }

    /// A floating-point number in a format that routines are made for, and which that is.
    fn as_routine_float(&mut self, value: Value) -> (Value, Float) {
        let float = match self.editor.module.types.get(self.editor.type_of(value)) {
            Type::Double => Float::Double,
            _ => Float::Single,
        };
        let ty = self.editor.module.types.intern(float.ty());
        (self.editor.cast(CastOp::Fpext, value, ty), float)
    }
}
