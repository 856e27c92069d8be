//! Instructions that LLVM 7 does not have.
//!
//! | instruction | becomes |
//! |---|---|
//! | `fneg` | `fsub -0.0, x` where the sign of a NaN does not matter (`nnan`), else the sign bit is flipped in an integer |
//! | `freeze` | nothing where the value is well defined; else the value passes through a `mov` that optimisers cannot see |
//! | `atomicrmw fadd`, `uinc_wrap`, `udec_wrap` | the intrinsic that it was (order and scope are those of the intrinsic: relaxed in LLVM 7, so only such are accepted) |
//! | `callbr`, other newer `atomicrmw` | refused |

use super::body::{add, call_site, each_body, place, replace};
use super::intrinsic::declare;
use crate::Module;
use crate::constant::ConstKind;
use crate::function::{Body, Def};
use crate::inst::{BinaryOp, CastOp, Flags, Op, Ordering, RmwOp};
use crate::module::{Asm, AsmFlags};
use crate::types::{Type, TypeId};
use crate::value::{InstId, Operand, Value};
use rustc_hash::FxHashMap;

pub(super) fn lower(module: &mut Module, refused: &mut Vec<String>) {
    each_body(module, |module, _, body| {
        let mut lowering = Lowering {
            module,
            body,
            refused,
            replaced: FxHashMap::default(),
        };
        lowering.run();
    });
}

struct Lowering<'a> {
    module: &'a mut Module,
    body: &'a mut Body,
    refused: &'a mut Vec<String>,
    replaced: FxHashMap<Value, Value>,
}

impl Lowering<'_> {
    fn run(&mut self) {
        for block in self.body.order.clone() {
            let insts = std::mem::take(&mut self.body.blocks[block].insts);
            let mut all = Vec::with_capacity(insts.len());
            for inst in insts {
                match self.lowered(inst) {
                    Some(new) => {
                        let like = self.body.insts[inst];
                        place(self.body, &new, &like);
                        all.extend(new);
                    }
                    None => all.push(inst),
                }
            }
            self.body.blocks[block].insts = all;
        }
        replace(self.body, &self.replaced);
    }

    fn refuse(&mut self, what: String) {
        if !self.refused.contains(&what) {
            self.refused.push(what);
        }
    }

    /// The instructions that take the place of another; `None` if it stays.
    fn lowered(&mut self, id: InstId) -> Option<Vec<InstId>> {
        let inst = self.body.insts[id];
        let operands = self.body.operands(id).to_vec();
        match (inst.op, operands.as_slice()) {
            (Op::Fneg, &[value]) => self.negate(id, value),
            (Op::Freeze, &[value]) => self.freeze(id, value),
            (Op::AtomicRmw(op, access), &[address, value]) => {
                let known = matches!(
                    op,
                    RmwOp::Xchg
                        | RmwOp::Add
                        | RmwOp::Sub
                        | RmwOp::And
                        | RmwOp::Nand
                        | RmwOp::Or
                        | RmwOp::Xor
                        | RmwOp::Max
                        | RmwOp::Min
                        | RmwOp::Umax
                        | RmwOp::Umin
                );
                if known && self.module.types.is_int(inst.ty) {
                    return None;
                }
                let stem = match (op, self.module.types.get(inst.ty)) {
                    (RmwOp::Fadd, Type::Float) => "llvm.nvvm.atomic.load.add.f32",
                    (RmwOp::Fadd, Type::Double) => "llvm.nvvm.atomic.load.add.f64",
                    (RmwOp::UincWrap, Type::Int(32)) => "llvm.nvvm.atomic.load.inc.32",
                    (RmwOp::UdecWrap, Type::Int(32)) => "llvm.nvvm.atomic.load.dec.32",
                    _ => {
                        self.refuse(format!("`atomicrmw {}` of this type", op.keyword()));
                        return None;
                    }
                };
                // Readers make `seq_cst` of the intrinsic, whatever was meant; what is stronger than relaxed in another
                // way has no counterpart.
                if access.volatile
                    || !matches!(access.ordering, Ordering::Relaxed | Ordering::SeqCst)
                    || !access.scope.name(&self.module.names).is_empty()
                {
                    let order = access.ordering.llvm().unwrap_or_default();
                    self.refuse(format!("`atomicrmw {}` {order}", op.keyword()));
                    return None;
                }
                let of_address = self.module.type_of(self.body, address);
                let space = match self.module.types.get(of_address) {
                    Type::Ptr(space) => space,
                    _ => 0,
                };
                let name = format!("{stem}.p{space}");
                let ty = self
                    .module
                    .types
                    .function(inst.ty, &[of_address, inst.ty], false);
                let callee = declare(self.module, name.as_bytes(), ty);
                let op = call_site(self.module, ty, 2);
                Some(self.instead(id, op, &[address, value, callee.into()]))
            }
            (Op::CallBr(..), _) => {
                self.refuse(String::from("`callbr`"));
                None
            }
            (Op::Cast(CastOp::Ptrtoaddr), _) => {
                self.body.insts[id].op = Op::Cast(CastOp::Ptrtoint);
                None
            }
            _ => None,
        }
    }

    /// Another instruction for the value of one.
    fn instead(&mut self, id: InstId, op: Op, operands: &[Value]) -> Vec<InstId> {
        let ty = self.body.insts[id].ty;
        let (new, value) = add(self.body, op, ty, operands);
        self.take_over(id, value);
        vec![new]
    }

    /// A value takes the place of the result of an instruction, with its name.
    fn take_over(&mut self, id: InstId, value: Value) {
        let Some(old) = self.body.insts[id].local() else {
            return;
        };
        if let Operand::Local(new) = value.get()
            && self.body.locals[new].name.is_none()
            && matches!(self.body.locals[new].def, Def::Inst(_))
        {
            self.body.locals[new].name = self.body.locals[old].name;
        }
        self.replaced.insert(old.into(), value);
    }

    fn negate(&mut self, id: InstId, value: Value) -> Option<Vec<InstId>> {
        let inst = self.body.insts[id];
        let scalar = self.module.types.scalar(inst.ty);
        let bits = self.module.types.get(scalar).float_bits()?;
        if inst.flags.contains(Flags::NNAN) || bits > 64 {
            if bits > 64 {
                self.refuse(String::from("`fneg` of a wide floating-point number"));
                return None;
            }
            let zero = self
                .module
                .constants
                .float(scalar, bits, &[1 << (bits - 1)]);
            let zero = self.splat(inst.ty, zero);
            let op = Op::Binary(BinaryOp::Fsub);
            let new = self.instead(id, op, &[zero, value]);
            self.body.insts[new[0]].flags = inst.flags;
            return Some(new);
        }
        let int = self.module.types.int(bits);
        let sign = self.module.constants.int(int, bits, &[1 << (bits - 1)]);
        let ints = self.module.types.with_shape_of(inst.ty, int);
        let sign = self.splat(ints, sign);
        let (a, as_int) = add(self.body, Op::Cast(CastOp::Bitcast), ints, &[value]);
        let (b, flipped) = add(self.body, Op::Binary(BinaryOp::Xor), ints, &[as_int, sign]);
        let (c, result) = add(self.body, Op::Cast(CastOp::Bitcast), inst.ty, &[flipped]);
        self.take_over(id, result);
        Some(vec![a, b, c])
    }

    /// A constant in each element, if the type has several.
    fn splat(&mut self, ty: TypeId, element: crate::constant::ConstId) -> Value {
        match self.module.types.is_vector(ty) {
            true => self
                .module
                .constants
                .splat(&self.module.types, ty, element)
                .into(),
            false => element.into(),
        }
    }

    fn freeze(&mut self, id: InstId, value: Value) -> Option<Vec<InstId>> {
        if self.is_well_defined(value, 8) {
            self.take_over(id, value);
            return Some(Vec::new());
        }
        let inst = self.body.insts[id];
        let (size, letter) = match self.module.types.get(inst.ty) {
            Type::Int(16) => (16, 'h'),
            Type::Int(32) => (32, 'r'),
            Type::Int(64) => (64, 'l'),
            Type::Float => (32, 'f'),
            Type::Double => (64, 'd'),
            Type::Int(bits) if bits < 32 => {
                let i32 = self.module.types.i32;
                let (a, wide) = add(self.body, Op::Cast(CastOp::Zext), i32, &[value]);
                let (b, moved) = self.moved(i32, 32, 'r', wide);
                let (c, result) = add(self.body, Op::Cast(CastOp::Trunc), inst.ty, &[moved]);
                self.take_over(id, result);
                return Some(vec![a, b, c]);
            }
            Type::Ptr(_) => {
                let i64 = self.module.types.i64;
                let (a, number) = add(self.body, Op::Cast(CastOp::Ptrtoint), i64, &[value]);
                let (b, moved) = self.moved(i64, 64, 'l', number);
                let (c, result) = add(self.body, Op::Cast(CastOp::Inttoptr), inst.ty, &[moved]);
                self.take_over(id, result);
                return Some(vec![a, b, c]);
            }
            _ => {
                let ty = crate::type_text(self.module, inst.ty);
                self.refuse(format!("`freeze` of `{ty}`"));
                return None;
            }
        };
        let (new, result) = self.moved(inst.ty, size, letter, value);
        self.take_over(id, result);
        Some(vec![new])
    }

    /// A value through a move that optimisers cannot see.
    fn moved(&mut self, ty: TypeId, size: u32, letter: char, value: Value) -> (InstId, Value) {
        let module = &mut *self.module;
        let function = module.types.function(ty, &[ty], false);
        let asm = Asm {
            ty: function,
            text: module
                .names
                .intern(format!("mov.b{size} $0, $1;").as_bytes()),
            constraints: module
                .names
                .intern(format!("={letter},{letter}").as_bytes()),
            flags: AsmFlags::empty(),
        };
        let asm = module.asms.intern(asm);
        let op = call_site(module, function, 1);
        add(self.body, op, ty, &[value, Operand::Asm(asm).into()])
    }

    /// Whether a value is neither `undef` nor `poison`, as far as can be seen in a few steps.
    fn is_well_defined(&self, value: Value, steps: u32) -> bool {
        let Some(steps) = steps.checked_sub(1) else {
            return false;
        };
        match value.get() {
            Operand::Const(constant) => matches!(
                self.module.constants.get(constant).kind,
                ConstKind::Int(_)
                    | ConstKind::WideInt(_)
                    | ConstKind::Float(_)
                    | ConstKind::Null
                    | ConstKind::Zero
                    | ConstKind::Bytes(_)
                    | ConstKind::Global(_)
            ),
            Operand::Local(local) => match self.body.locals[local].def {
                Def::Inst(inst) => {
                    let data = &self.body.insts[inst];
                    let passes_on = match data.op {
                        Op::Freeze => return true,
                        Op::Icmp(_) | Op::Cast(CastOp::Zext | CastOp::Sext | CastOp::Trunc) => true,
                        Op::Binary(op) => matches!(
                            op,
                            BinaryOp::Add
                                | BinaryOp::Sub
                                | BinaryOp::Mul
                                | BinaryOp::And
                                | BinaryOp::Or
                                | BinaryOp::Xor
                        ),
                        _ => false,
                    };
                    passes_on
                        && data.flags.is_empty()
                        && self
                            .body
                            .operands(inst)
                            .iter()
                            .all(|&operand| self.is_well_defined(operand, steps))
                }
                _ => false,
            },
            _ => false,
        }
    }
}
