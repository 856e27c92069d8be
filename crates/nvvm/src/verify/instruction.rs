//! Instructions: the types of operands and results.

use super::Verifier;
use super::body::Code;
use super::types::Lanes;
use crate::constant::ConstKind;
use crate::inst::{BinaryOp, CastOp, Flags, Inst, Op};
use crate::types::{IndexList, Type, TypeId};
use crate::value::{InstId, Value};
use rustc_hash::FxHashSet;
use warpc_diag::codes;

impl<'m> Verifier<'m> {
    /// Checks what an instruction says, its operands' definitions apart.
    pub(super) fn instruction(&mut self, code: &mut Code<'m>, id: InstId) {
        let body = code.body;
        let inst = &body.insts[id];
        let operands = body.operands(id);
        match inst.op {
            Op::Ret => self.ret(code, operands),
            Op::Br | Op::Unreachable => {}
            Op::CondBr => {
                let ty = self.operand_type(code, operands, 0);
                self.operand(
                    ty == Some(self.module.types.i1),
                    "the condition of `br` must be i1",
                );
            }
            Op::Switch => self.switch(code, operands),
            Op::IndirectBr => {
                let ty = self.operand_type(code, operands, 0);
                self.operand(
                    ty.is_some_and(|ty| self.module.types.is_ptr(ty)),
                    "the address of `indirectbr` must be a pointer",
                );
            }
            Op::Invoke(site) | Op::CallBr(site, _) | Op::Call(site) => self.call(code, id, site),
            Op::Resume
            | Op::CleanupRet
            | Op::CatchRet
            | Op::CatchSwitch { .. }
            | Op::CatchPad
            | Op::CleanupPad
            | Op::LandingPad { .. } => self.exception(code, id),
            Op::Fneg => {
                let ty = self.operand_type(code, operands, 0);
                self.operand(
                    ty == Some(inst.ty) && self.is_float_like(inst.ty),
                    "`fneg` takes a floating-point value and gives one of its type",
                );
            }
            Op::Binary(op) => self.binary(code, inst, op, operands),
            Op::Cast(op) => {
                if let Some(from) = self.operand_type(code, operands, 0) {
                    self.cast(op, from, inst.ty);
                }
            }
            Op::Icmp(_) | Op::Fcmp(_) => self.comparison(code, inst, operands),
            Op::Alloca { .. }
            | Op::Load(_)
            | Op::Store(_)
            | Op::Fence(..)
            | Op::CmpXchg { .. }
            | Op::AtomicRmw(..)
            | Op::Gep { .. } => self.memory(code, id),
            Op::ExtractElement => self.extract_element(code, inst, operands),
            Op::InsertElement => self.insert_element(code, inst, operands),
            Op::ShuffleVector => self.shuffle(code, inst, operands),
            Op::ExtractValue(path) => {
                let ty = self.operand_type(code, operands, 0);
                let member = ty.and_then(|ty| self.member_at(ty, path));
                self.operand(
                    member == Some(inst.ty),
                    "the indices of `extractvalue` do not lead to a member of the aggregate",
                );
            }
            Op::InsertValue(path) => {
                let ty = self.operand_type(code, operands, 0);
                let member = ty.and_then(|ty| self.member_at(ty, path));
                self.operand(
                    member.is_some() && member == self.operand_type(code, operands, 1),
                    "`insertvalue` puts a value where the aggregate has another type",
                );
                self.operand(
                    ty == Some(inst.ty),
                    "`insertvalue` gives an aggregate of the type it takes",
                );
            }
            Op::Phi => self.phi(code, inst, operands),
            Op::Select => self.select(code, inst, operands),
            Op::Freeze => {
                let ty = self.operand_type(code, operands, 0);
                self.operand(
                    ty == Some(inst.ty),
                    "`freeze` gives a value of the type it takes",
                );
            }
            Op::VaArg => {
                let ty = self.operand_type(code, operands, 0);
                self.operand(
                    ty.is_some() && self.module.types.is_first_class(inst.ty),
                    "`va_arg` takes a list and gives a value",
                );
            }
        }
        self.result(inst);
        self.flags(inst);
    }

    /// Which promises an instruction can make.
    fn flags(&mut self, inst: &Inst) {
        use BinaryOp::{Add, Ashr, Lshr, Mul, Or, Sdiv, Shl, Sub, Udiv};
        if inst.flags.is_empty() {
            return;
        }
        let wraps = Flags::NUW | Flags::NSW;
        let allowed = match inst.op {
            Op::Binary(Add | Sub | Mul | Shl) | Op::Cast(CastOp::Trunc) => wraps,
            Op::Binary(Udiv | Sdiv | Lshr | Ashr) => Flags::EXACT,
            Op::Binary(Or) => Flags::DISJOINT,
            Op::Cast(CastOp::Zext | CastOp::Uitofp) => Flags::NNEG,
            Op::Icmp(_) => Flags::SAMESIGN,
            Op::Gep { .. } => Flags::INBOUNDS | Flags::NUSW | Flags::NUW,
            Op::Fneg | Op::Fcmp(_) | Op::Cast(CastOp::Fptrunc | CastOp::Fpext) => Flags::FAST,
            Op::Binary(
                BinaryOp::Fadd | BinaryOp::Fsub | BinaryOp::Fmul | BinaryOp::Fdiv | BinaryOp::Frem,
            ) => Flags::FAST,
            Op::Phi | Op::Select | Op::Call(_) if self.holds_floats(inst.ty) => Flags::FAST,
            _ => Flags::empty(),
        };
        rule!(
            self.operand_rule,
            allowed.contains(inst.flags),
            "`{}` has flags that do not apply to it",
            inst.op.mnemonic()
        );
    }

    fn operand_rule(&mut self, holds: bool, message: String) -> bool {
        self.check(holds, codes::IR_OPERAND, message)
    }

    /// Reports an error of types unless a condition holds.
    pub(super) fn operand(&mut self, holds: bool, message: &str) -> bool {
        self.check(holds, codes::IR_OPERAND, message)
    }

    /// The type of an operand.
    pub(super) fn operand_type(
        &self,
        code: &Code<'_>,
        operands: &[Value],
        at: usize,
    ) -> Option<TypeId> {
        Some(self.module.type_of(code.body, *operands.get(at)?))
    }

    /// What results can be.
    fn result(&mut self, inst: &Inst) {
        let types = &self.module.types;
        match self.ty(inst.ty) {
            Type::Void => {
                self.operand(
                    inst.result.is_none(),
                    "an instruction without a value has a name",
                );
            }
            Type::Label if inst.op == Op::Phi => {}
            Type::Function { .. } | Type::Label => {
                let message = format!(
                    "an instruction cannot give a value of type {}",
                    self.show(inst.ty)
                );
                self.operand(false, &message);
            }
            Type::Metadata => {
                self.operand(
                    inst.op.call_site().is_some(),
                    "only calls of intrinsics can give metadata",
                );
            }
            Type::Named(_) if types.fields(inst.ty).is_none() => {
                self.operand(
                    false,
                    "an instruction cannot give a value of an opaque type",
                );
            }
            _ => {}
        }
    }

    fn ret(&mut self, code: &Code<'_>, operands: &[Value]) {
        let signature = self.module.types.signature(code.global.value_ty);
        let Some((ret, _, _)) = signature else {
            return;
        };
        match (self.ty(ret), self.operand_type(code, operands, 0)) {
            (Type::Void, None) => {}
            (Type::Void, Some(_)) => {
                self.operand(false, "`ret` gives a value, but the function returns void");
            }
            (_, given) if given == Some(ret) => {}
            (_, given) => {
                let given = given.map_or("void".to_owned(), |ty| self.show(ty));
                let message = format!(
                    "`ret` gives {given}, but the function returns {}",
                    self.show(ret)
                );
                self.operand(false, &message);
            }
        }
    }

    fn switch(&mut self, code: &Code<'_>, operands: &[Value]) {
        let ty = self.operand_type(code, operands, 0);
        let is_int = ty.is_some_and(|ty| self.module.types.is_int(ty));
        self.operand(is_int, "`switch` takes an integer");
        let mut seen = FxHashSet::default();
        for case in operands.get(2..).unwrap_or_default().chunks_exact(2) {
            let Some(constant) = case[0].constant() else {
                self.operand(false, "a case of `switch` must be a constant");
                continue;
            };
            let value = self.module.constants.get(constant);
            if !matches!(value.kind, ConstKind::Int(_) | ConstKind::WideInt(_)) {
                self.operand(false, "a case of `switch` must be a constant integer");
            } else if Some(value.ty) != ty {
                self.operand(
                    false,
                    "the cases of `switch` must have the type of its value",
                );
            } else if !seen.insert(constant) {
                self.operand(false, "two cases of `switch` have one value");
            }
        }
    }

    fn binary(&mut self, code: &Code<'_>, inst: &Inst, op: BinaryOp, operands: &[Value]) {
        let left = self.operand_type(code, operands, 0);
        let right = self.operand_type(code, operands, 1);
        if left != Some(inst.ty) || right != Some(inst.ty) {
            let show = |ty: Option<TypeId>| ty.map_or("nothing".to_owned(), |ty| self.show(ty));
            let message = format!(
                "`{}` of type {} has operands of types {} and {}: all must be the same",
                op.keyword(),
                self.show(inst.ty),
                show(left),
                show(right)
            );
            self.operand(false, &message);
            return;
        }
        let is_float = matches!(
            op,
            BinaryOp::Fadd | BinaryOp::Fsub | BinaryOp::Fmul | BinaryOp::Fdiv | BinaryOp::Frem
        );
        let (fits, wanted) = match is_float {
            true => (self.is_float_like(inst.ty), "floating-point values"),
            false => (self.is_int_like(inst.ty), "integers"),
        };
        if !fits {
            let shown = self.show(inst.ty);
            let message = format!("`{}` works on {wanted}, not on {shown}", op.keyword());
            self.operand(false, &message);
        }
    }

    fn comparison(&mut self, code: &Code<'_>, inst: &Inst, operands: &[Value]) {
        let name = inst.op.mnemonic();
        let (Some(left), Some(right)) = (
            self.operand_type(code, operands, 0),
            self.operand_type(code, operands, 1),
        ) else {
            return;
        };
        if left != right {
            let message = format!(
                "`{name}` compares {} with {}: both must have one type",
                self.show(left),
                self.show(right)
            );
            self.operand(false, &message);
            return;
        }
        let (fits, wanted) = match inst.op {
            Op::Fcmp(_) => (self.is_float_like(left), "floating-point values"),
            _ => (
                self.is_int_like(left) || self.is_ptr_like(left),
                "integers or pointers",
            ),
        };
        if !fits {
            let message = format!("`{name}` compares {wanted}, not {}", self.show(left));
            self.operand(false, &message);
        }
        self.operand(
            self.lanes(left) == self.lanes(inst.ty)
                && self.module.types.scalar(inst.ty) == self.module.types.i1,
            "a comparison gives i1, or a vector of i1 with as many elements as are compared",
        );
    }

    /// Whether a conversion exists; reports what is wrong.
    pub(super) fn cast(&mut self, op: CastOp, from: TypeId, to: TypeId) -> bool {
        let wrong = self.wrong_cast(op, from, to);
        if let Some(rule) = wrong {
            let message = format!(
                "`{}` cannot convert {} to {}: {rule}",
                op.keyword(),
                self.show(from),
                self.show(to)
            );
            self.operand(false, &message);
        }
        wrong.is_none()
    }

    /// The rule that a conversion breaks.
    pub(super) fn wrong_cast(&self, op: CastOp, from: TypeId, to: TypeId) -> Option<&'static str> {
        const INT: &str = "integers or vectors of them are wanted";
        const FLOAT: &str = "floating-point values or vectors of them are wanted";
        const POINTER: &str = "pointers or vectors of them are wanted";
        let (int_from, int_to) = (self.is_int_like(from), self.is_int_like(to));
        let (float_from, float_to) = (self.is_float_like(from), self.is_float_like(to));
        let (ptr_from, ptr_to) = (self.is_ptr_like(from), self.is_ptr_like(to));
        let (bits_from, bits_to) = (self.scalar_bits(from), self.scalar_bits(to));
        let kinds = match op {
            CastOp::Trunc | CastOp::Zext | CastOp::Sext if !int_from || !int_to => Some(INT),
            CastOp::Fptrunc | CastOp::Fpext if !float_from || !float_to => Some(FLOAT),
            CastOp::Fptoui | CastOp::Fptosi if !float_from => Some(FLOAT),
            CastOp::Fptoui | CastOp::Fptosi if !int_to => Some(INT),
            CastOp::Uitofp | CastOp::Sitofp if !int_from => Some(INT),
            CastOp::Uitofp | CastOp::Sitofp if !float_to => Some(FLOAT),
            CastOp::Ptrtoint | CastOp::Ptrtoaddr if !ptr_from => Some(POINTER),
            CastOp::Ptrtoint | CastOp::Ptrtoaddr if !int_to => Some(INT),
            CastOp::Inttoptr if !int_from => Some(INT),
            CastOp::Inttoptr if !ptr_to => Some(POINTER),
            CastOp::Addrspacecast if !ptr_from || !ptr_to => Some(POINTER),
            CastOp::Bitcast => return self.wrong_bitcast(from, to),
            _ => None,
        };
        if kinds.is_some() {
            return kinds;
        }
        if self.lanes(from) != self.lanes(to) {
            return Some("both must have as many elements");
        }
        match op {
            CastOp::Trunc | CastOp::Fptrunc if bits_from <= bits_to => {
                Some("the result must be smaller")
            }
            CastOp::Zext | CastOp::Sext | CastOp::Fpext if bits_from >= bits_to => {
                Some("the result must be larger")
            }
            CastOp::Addrspacecast if self.scalar(from) == self.scalar(to) => {
                Some("the address spaces must differ")
            }
            CastOp::Ptrtoaddr => match self.scalar(from) {
                Type::Ptr(space) if self.layout.index_bits(space) != bits_to => {
                    Some("the result must have the size of an address")
                }
                _ => None,
            },
            _ => None,
        }
    }

    fn wrong_bitcast(&self, from: TypeId, to: TypeId) -> Option<&'static str> {
        let (ptr_from, ptr_to) = (self.is_ptr_like(from), self.is_ptr_like(to));
        if ptr_from != ptr_to {
            return Some("pointers stay pointers, use `ptrtoint` or `inttoptr`");
        }
        if ptr_from {
            if self.scalar(from) != self.scalar(to) {
                return Some("the address space stays, use `addrspacecast`");
            }
            let single = |lanes| match lanes {
                Lanes::Scalar => Lanes::Vector {
                    len: 1,
                    scalable: false,
                },
                vector => vector,
            };
            return (single(self.lanes(from)) != single(self.lanes(to)))
                .then_some("both must have as many elements");
        }
        let scalable = |ty| matches!(self.lanes(ty), Lanes::Vector { scalable: true, .. });
        match (self.primitive_bits(from), self.primitive_bits(to)) {
            (Some(a), Some(b)) if a == b && scalable(from) == scalable(to) => None,
            (Some(_), Some(_)) => Some("both must have the same size"),
            _ => Some("only numbers, pointers and vectors have bits to reinterpret"),
        }
    }

    fn phi(&mut self, code: &Code<'_>, inst: &Inst, operands: &[Value]) {
        self.operand(
            !matches!(self.ty(inst.ty), Type::Token),
            "`phi` cannot give a token",
        );
        for pair in operands.chunks_exact(2) {
            let ty = self.module.type_of(code.body, pair[0]);
            if ty != inst.ty {
                let message = format!(
                    "`phi` of type {} has a value of type {}",
                    self.show(inst.ty),
                    self.show(ty)
                );
                self.operand(false, &message);
            }
        }
    }

    fn select(&mut self, code: &Code<'_>, inst: &Inst, operands: &[Value]) {
        let ty = |at| self.operand_type(code, operands, at);
        let (Some(condition), Some(yes), Some(no)) = (ty(0), ty(1), ty(2)) else {
            return;
        };
        let types = &self.module.types;
        let fits = match self.lanes(condition) {
            Lanes::Scalar => condition == types.i1,
            lanes => types.scalar(condition) == types.i1 && self.lanes(yes) == lanes,
        };
        self.operand(
            fits,
            "the condition of `select` must be i1, or a vector of i1 with as many elements as the values",
        );
        self.operand(
            yes == no && yes == inst.ty,
            "the values of `select` must have one type, that of its result",
        );
        self.operand(
            !matches!(self.ty(yes), Type::Token | Type::Label | Type::Metadata),
            "`select` cannot choose between tokens",
        );
    }

    fn extract_element(&mut self, code: &Code<'_>, inst: &Inst, operands: &[Value]) {
        let vector = self.operand_type(code, operands, 0);
        let index = self.operand_type(code, operands, 1);
        let element = vector
            .filter(|&ty| self.module.types.is_vector(ty))
            .map(|ty| self.module.types.scalar(ty));
        self.operand(
            element == Some(inst.ty) && index.is_some_and(|ty| self.module.types.is_int(ty)),
            "`extractelement` takes a vector and an integer and gives an element",
        );
    }

    fn insert_element(&mut self, code: &Code<'_>, inst: &Inst, operands: &[Value]) {
        let vector = self.operand_type(code, operands, 0);
        let index = self.operand_type(code, operands, 2);
        let element = vector
            .filter(|&ty| self.module.types.is_vector(ty))
            .map(|ty| self.module.types.scalar(ty));
        self.operand(
            element.is_some()
                && element == self.operand_type(code, operands, 1)
                && index.is_some_and(|ty| self.module.types.is_int(ty))
                && vector == Some(inst.ty),
            "`insertelement` takes a vector, a value of its element type and an integer",
        );
    }

    fn shuffle(&mut self, code: &Code<'_>, inst: &Inst, operands: &[Value]) {
        let types = &self.module.types;
        let (Some(left), Some(right), Some(&mask)) = (
            self.operand_type(code, operands, 0),
            self.operand_type(code, operands, 1),
            operands.get(2),
        ) else {
            return;
        };
        if !self.operand(
            types.is_vector(left) && left == right,
            "`shufflevector` takes two vectors of one type",
        ) {
            return;
        }
        let mask_ty = self.module.type_of(code.body, mask);
        self.operand(
            types.is_vector(inst.ty)
                && types.scalar(inst.ty) == types.scalar(left)
                && self.lanes(inst.ty) == self.lanes(mask_ty),
            "`shufflevector` gives a vector with as many elements as its mask",
        );
        let fits = mask
            .constant()
            .is_some_and(|mask| self.mask_fits(mask, left));
        self.operand(
            fits,
            "the mask of `shufflevector` must be constants of i32 that name elements of the two vectors",
        );
    }

    /// Whether a mask names elements of two vectors of a type.
    fn mask_fits(&self, mask: crate::constant::ConstId, vector: TypeId) -> bool {
        let constants = &self.module.constants;
        let value = constants.get(mask);
        let types = &self.module.types;
        if !types.is_vector(value.ty) || types.scalar(value.ty) != types.i32 {
            return false;
        }
        let (
            Lanes::Vector { len, scalable },
            Lanes::Vector {
                scalable: of_mask, ..
            },
        ) = (self.lanes(vector), self.lanes(value.ty))
        else {
            return false;
        };
        let fits = |element: crate::constant::ConstId| match constants.get(element).kind {
            ConstKind::Undef | ConstKind::Poison => true,
            ConstKind::Int(index) => index < 2 * u64::from(len),
            _ => false,
        };
        match value.kind {
            ConstKind::Zero | ConstKind::Undef | ConstKind::Poison => scalable == of_mask,
            _ if scalable || of_mask => false,
            ConstKind::Splat(element) => fits(element),
            ConstKind::Aggregate(list) => constants.list(list).iter().all(|&e| fits(e)),
            _ => false,
        }
    }

    /// The type of a member of an aggregate.
    pub(super) fn member_at(&self, ty: TypeId, path: IndexList) -> Option<TypeId> {
        let types = &self.module.types;
        let path = types.numbers(path);
        let mut at = ty;
        for &index in path {
            at = match types.get(at) {
                Type::Array { element, len } if u64::from(index) < len => element,
                Type::Struct { .. } | Type::Named(_) => types.member(at, u64::from(index))?,
                _ => return None,
            };
        }
        (!path.is_empty()).then_some(at)
    }
}
