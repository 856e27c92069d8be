//! Atomic accesses and fences.
//!
//! [`warpc_model::Mapping`] says what an order at a scope becomes on a target: the fences around the access
//! and the order of the access itself. Here are the instructions. Operations that PTX does not have for a type
//! (`nand`, bytes, floating-point extremes …) have become loops around `cmpxchg` before.

use super::Selector;
use super::address::{Address, Space};
use super::load_store::Piece;
use crate::code::{Arg, Args, Class, Reg};
use crate::unit::Refused;
use warpc_diag::codes;
use warpc_model::{self as model, Lowered, Ordering, Scope, UnknownScope};
use warpc_nvvm::cache_hint;
use warpc_nvvm::inst::{Access, RmwOp, SyncScope};
use warpc_nvvm::types::{Type, TypeId};
use warpc_nvvm::value::{InstId, Value};

impl Selector<'_, '_> {
    /// The scope of an access.
    fn scope(&mut self, scope: SyncScope) -> Result<Scope, Refused> {
        let scope = scope.resolved().map_err(|name| {
            let unknown = UnknownScope(self.module.names.text(name).into_owned());
            self.refuse(codes::UNSUPPORTED, unknown.to_string())
        })?;
        let options = &self.unit.options;
        if options.mapping.scope(scope, options.sm) != scope {
            let first = self.unit.wider_scope.unwrap_or(self.at);
            self.unit.wider_scope = Some(first.min(self.at));
        }
        Ok(scope)
    }

    /// What an order at a scope becomes on the target.
    fn ordered(
        &mut self,
        access: model::Access,
        order: Ordering,
        scope: SyncScope,
    ) -> Result<Lowered, Refused> {
        let scope = self.scope(scope)?;
        let sm = self.unit.options.sm;
        // Newer fences would raise the version of the whole module; the older ones are at least as strong.
        let version = self.unit.options.version.unwrap_or(sm.first_version());
        let mapping = self.unit.options.mapping;
        mapping
            .lower(access, order, scope, sm, version)
            .map_err(|illegal| self.refuse(codes::UNSUPPORTED, illegal.to_string()))
    }

    fn fence_if(&mut self, fence: Option<model::Fence>) -> Result<(), Refused> {
        match fence {
            Some(fence) => self.emit(&fence.to_string(), &[]),
            None => Ok(()),
        }
    }

    pub(super) fn fence(&mut self, ordering: Ordering, scope: SyncScope) -> Result<(), Refused> {
        let lowered = self.ordered(model::Access::Fence, ordering, scope)?;
        self.fence_if(lowered.before)
    }

    /// `.relaxed.gpu.global`, or what the target has instead.
    fn modifiers(lowered: &Lowered, space: Space) -> String {
        let mut text = String::new();
        if lowered.volatile {
            text.push_str(".volatile");
        }
        if let Some(order) = lowered.order {
            text.push('.');
            text.push_str(order.ptx());
        }
        if let Some(scope) = lowered.scope {
            text.push('.');
            text.push_str(scope.ptx());
        }
        text + space.modifier()
    }

    /// The one piece that an atomic access moves: its bytes at once.
    fn atomic_piece(&mut self, ty: TypeId) -> Result<Vec<Piece>, Refused> {
        let pieces = self.pieces(ty)?;
        let bytes: u32 = pieces.iter().map(|piece| piece.bytes).sum();
        match (&pieces[..], bytes) {
            ([_], 1 | 2 | 4 | 8) | ([_, _], 16) => Ok(pieces),
            _ => {
                let text = warpc_nvvm::type_text(self.module, ty);
                let message = format!("an atomic access of type `{text}` is not supported");
                Err(self.refuse(codes::UNSUPPORTED, message))
            }
        }
    }

    /// Whether memory is the thread's own or never changes, so that a plain access is atomic.
    fn is_private(space: Space) -> bool {
        matches!(space, Space::Local | Space::Param | Space::Const)
    }

    /// Opcode, order, scope and space of a load or store.
    fn access_prefix_of(
        &mut self,
        opcode: &str,
        lowered: &Lowered,
        access: Access,
        space: Space,
    ) -> String {
        if Self::is_private(space) {
            return format!("{opcode}{}", space.modifier());
        }
        // A volatile access is a relaxed one at system scope that ptxas neither drops nor repeats. One that has an
        // order is not dropped either.
        let relaxed = lowered.order == Some(Ordering::Relaxed) && lowered.before.is_none();
        if access.volatile && relaxed {
            return format!("{opcode}.volatile{}", space.modifier());
        }
        format!("{opcode}{}", Self::modifiers(lowered, space))
    }

    pub(super) fn atomic_load(&mut self, inst: InstId, access: Access) -> Result<(), Refused> {
        let ty = self.body.insts[inst].ty;
        let pieces = self.atomic_piece(ty)?;
        let results = self.results(inst)?;
        let address = self.address(self.body.operands(inst)[0])?;
        let order = access.ordering;
        let lowered = self.ordered(model::Access::Load, order, access.scope)?;
        self.fence_if(lowered.before)?;
        let prefix = self.access_prefix_of("ld", &lowered, access, address.space);
        let at = self.address_arg(address, 0);
        match (&pieces[..], &results[..]) {
            (&[piece], &[result]) => match piece.class {
                Class::Pred => {
                    let byte = self.op(Class::B32, &format!("{prefix}.u8"), &[at])?;
                    let bit = self.op(Class::B32, "and.b32", &[byte.into(), Arg::Int(1)])?;
                    self.emit("setp.ne.b32", &[result.into(), bit.into(), Arg::Int(0)])?;
                }
                _ => {
                    let mut operands: Args = smallvec::smallvec![result.into(), at];
                    let ty = access_type(piece).to_owned();
                    let ty = self.with_policy(inst, 0, &prefix, ty, &mut operands)?;
                    self.emit(&format!("{prefix}.{ty}"), &operands)?;
                }
            },
            (_, &[low, high]) => {
                let whole = self.op(Class::B128, &format!("{prefix}.b128"), &[at])?;
                let halves = self.code.vector(&[low.into(), high.into()]);
                self.emit("mov.b128", &[halves, whole.into()])?;
            }
            _ => return Err(self.unsupported(inst)),
        }
        self.fence_if(lowered.after)
    }

    pub(super) fn atomic_store(&mut self, inst: InstId, access: Access) -> Result<(), Refused> {
        let operands = self.body.operands(inst);
        let (value, pointer) = (operands[0], operands[1]);
        let pieces = self.atomic_piece(self.type_of(value))?;
        let parts = self.args(value)?;
        let address = self.address(pointer)?;
        let order = access.ordering;
        let lowered = self.ordered(model::Access::Store, order, access.scope)?;
        self.fence_if(lowered.before)?;
        let prefix = self.access_prefix_of("st", &lowered, access, address.space);
        let at = self.address_arg(address, 0);
        match (&pieces[..], &parts[..]) {
            (&[piece], &[part]) => {
                let value = match piece.class {
                    Class::Pred => self.extended(part.as_bits(), 1, 32, false)?,
                    class => self.in_register(part.as_bits(), class)?.into(),
                };
                let mut operands: Args = smallvec::smallvec![at, value];
                let ty = access_type(piece).to_owned();
                let ty = self.with_policy(inst, 1, &prefix, ty, &mut operands)?;
                self.emit(&format!("{prefix}.{ty}"), &operands)?;
            }
            (_, &[low, high]) => {
                let whole = self.whole(low, high)?;
                self.emit(&format!("{prefix}.b128"), &[at, whole.into()])?;
            }
            _ => return Err(self.unsupported(inst)),
        }
        self.fence_if(lowered.after)
    }

    /// Two halves in one register of 128 bits.
    fn whole(&mut self, low: Arg, high: Arg) -> Result<Reg, Refused> {
        let low = self.in_register(low.as_bits(), Class::B64)?;
        let high = self.in_register(high.as_bits(), Class::B64)?;
        let halves = self.code.vector(&[low.into(), high.into()]);
        self.op(Class::B128, "mov.b128", &[halves])
    }

    pub(super) fn atomic_rmw(
        &mut self,
        inst: InstId,
        op: RmwOp,
        access: Access,
    ) -> Result<(), Refused> {
        let operands = self.body.operands(inst);
        let (pointer, value) = (operands[0], operands[1]);
        let ty = self.type_of(value);
        let address = self.address(pointer)?;
        self.no_private_update(address.space)?;
        let order = access.ordering;
        let lowered = self.ordered(model::Access::Rmw, order, access.scope)?;
        let Some((suffix, class)) = self.rmw_suffix(op, ty) else {
            return Err(self.no_operation(op, ty));
        };
        let used = self.body.insts[inst]
            .local()
            .is_some_and(|local| self.is_asked(local));
        let mut operand = self.rmw_operand(op, value, ty, class)?;
        let modifiers = Self::modifiers(&lowered, address.space);
        self.fence_if(lowered.before)?;
        let at = self.address_arg(address, 0);
        let suffix =
            self.with_policy(inst, 0, &format!("atom{modifiers}"), suffix, &mut operand)?;
        // A reduction gives nothing back, so it cannot acquire.
        let acquires = lowered.order.is_some_and(Ordering::is_acquire) || lowered.after.is_some();
        let reduction = format!("red{modifiers}.{suffix}");
        if !used && !acquires && op != RmwOp::Xchg && self.has(&reduction) {
            operand.insert(0, at);
            return self.emit(&reduction, &operand);
        }
        let mnemonic = format!("atom{modifiers}.{suffix}");
        operand.insert(0, at);
        if class == Class::B128 {
            let old = self.op(class, &mnemonic, &operand)?;
            if used && let &[low, high] = &self.results(inst)?[..] {
                let halves = self.code.vector(&[low.into(), high.into()]);
                self.emit("mov.b128", &[halves, old.into()])?;
            }
        } else {
            let old = match used {
                true => self.result(inst)?,
                false => self.code.reg(class),
            };
            operand.insert(0, old.into());
            self.emit(&mnemonic, &operand)?;
        }
        self.fence_if(lowered.after)
    }

    /// Operation and type with the cache policy of an access, if it has one and the instruction a place for it. The policy
    /// becomes the last operand.
    fn with_policy(
        &mut self,
        inst: InstId,
        pointer: u64,
        prefix: &str,
        suffix: String,
        operands: &mut Args,
    ) -> Result<String, Refused> {
        let Some(policy) = cache_hint::policy(self.module, self.body, inst, pointer) else {
            return Ok(suffix);
        };
        let hinted = format!("L2::cache_hint.{suffix}");
        // A policy is advice: where there is no place for it, it goes.
        if !self.has(&format!("{prefix}.{hinted}")) {
            return Ok(suffix);
        }
        let policy = self.in_register(Arg::Int(policy as i64), Class::B64)?;
        operands.push(policy.into());
        Ok(hinted)
    }

    /// Refuses a read-modify-write of memory that `atom` does not reach.
    fn no_private_update(&self, space: Space) -> Result<(), Refused> {
        if !Self::is_private(space) {
            return Ok(());
        }
        let message = format!(
            "PTX has no read-modify-write of `{}` memory",
            space.modifier()
        );
        Err(self.refuse(codes::UNSUPPORTED, message))
    }

    fn no_operation(&self, op: RmwOp, ty: TypeId) -> Refused {
        let text = warpc_nvvm::type_text(self.module, ty);
        let message = format!(
            "`atomicrmw {}` of type `{text}` is not supported",
            op.keyword()
        );
        self.refuse(codes::UNSUPPORTED, message)
    }

    /// Operation and type of the instruction, and the class of its operand.
    fn rmw_suffix(&mut self, op: RmwOp, ty: TypeId) -> Option<(String, Class)> {
        let bits = self.unit.layout.bits(&self.module.types, ty);
        let class = match bits {
            16 => Class::B16,
            32 => Class::B32,
            64 => Class::B64,
            128 => Class::B128,
            _ => return None,
        };
        let plain = matches!(bits, 32 | 64);
        let suffix = match op {
            RmwOp::Xchg if bits != 16 => format!("exch.b{bits}"),
            RmwOp::Add | RmwOp::Sub if plain => format!("add.u{bits}"),
            RmwOp::And | RmwOp::Or | RmwOp::Xor if plain => format!("{}.b{bits}", op.keyword()),
            RmwOp::Max if plain => format!("max.s{bits}"),
            RmwOp::Min if plain => format!("min.s{bits}"),
            RmwOp::Umax if plain => format!("max.u{bits}"),
            RmwOp::Umin if plain => format!("min.u{bits}"),
            RmwOp::UincWrap if bits == 32 => "inc.u32".to_owned(),
            RmwOp::UdecWrap if bits == 32 => "dec.u32".to_owned(),
            RmwOp::Fadd => match self.kind(ty) {
                Type::Float => self.float_sum().to_owned(),
                Type::Double => "add.f64".to_owned(),
                Type::Half => "add.noftz.f16".to_owned(),
                Type::BFloat => "add.noftz.bf16".to_owned(),
                Type::Vector {
                    element, len: 2, ..
                } => match self.kind(element) {
                    Type::Half => "add.noftz.f16x2".to_owned(),
                    Type::BFloat => "add.noftz.bf16x2".to_owned(),
                    _ => return None,
                },
                _ => return None,
            },
            _ => return None,
        };
        Some((suffix, class))
    }

    /// The addition of numbers of 32 bits.
    ///
    /// `add.f32` makes zero of subnormal numbers in global memory, whatever the function wants, and all compilers use
    /// it: a loop would be many times slower. The exact form costs nothing, but its version of PTX is so new that
    /// it is taken only where such a version is asked for.
    fn float_sum(&mut self) -> &'static str {
        let exact = "add.noftz.f32";
        let asked = self.unit.options.version.is_some() && !self.mode.flushes;
        match asked && self.has(&format!("atom.{exact}")) {
            true => exact,
            false => "add.f32",
        }
    }

    fn rmw_operand(
        &mut self,
        op: RmwOp,
        value: Value,
        ty: TypeId,
        class: Class,
    ) -> Result<Args, Refused> {
        let parts = self.args(value)?;
        let operand: Arg = match (&parts[..], class) {
            (&[low, high], Class::B128) => self.whole(low, high)?.into(),
            (&[part], _) if op == RmwOp::Sub => {
                let negate = if class == Class::B64 {
                    "neg.s64"
                } else {
                    "neg.s32"
                };
                match part {
                    Arg::Int(number) => Arg::Int(number.wrapping_neg()),
                    _ => self.op(class, negate, &[part])?.into(),
                }
            }
            (&[part @ Arg::Int(_)], Class::B32 | Class::B64) if self.module.types.is_int(ty) => {
                part
            }
            (&[part], _) => self.in_register(part.as_bits(), class)?.into(),
            _ => return Err(self.no_operation(op, ty)),
        };
        Ok(smallvec::smallvec![operand])
    }

    pub(super) fn compare_exchange(
        &mut self,
        inst: InstId,
        access: Access,
        failure: Ordering,
    ) -> Result<(), Refused> {
        let operands = self.body.operands(inst);
        let (pointer, expected, new) = (operands[0], operands[1], operands[2]);
        let ty = self.type_of(expected);
        let address = self.address(pointer)?;
        self.no_private_update(address.space)?;
        let bits = self.unit.layout.bits(&self.module.types, ty);
        let (success, failure) = (access.ordering, failure);
        let joined = self.unit.options.mapping.cas(success, failure);
        let lowered = self.ordered(model::Access::Rmw, joined, access.scope)?;
        let mnemonic = format!(
            "atom{}.cas.b{bits}",
            Self::modifiers(&lowered, address.space)
        );
        let results = self.results(inst)?;
        self.fence_if(lowered.before)?;
        let (a, b) = (self.args(expected)?, self.args(new)?);
        match (bits, &a[..], &b[..], &results[..]) {
            (16 | 32 | 64, &[a], &[b], &[old, same]) => {
                self.exchange(&mnemonic, address, bits as u32, [a, b], old, same)?;
            }
            (128, &[a0, a1], &[b0, b1], &[low, high, same]) => {
                let (a, b) = (self.whole(a0, a1)?, self.whole(b0, b1)?);
                let at = self.address_arg(address, 0);
                let old = self.op(Class::B128, &mnemonic, &[at, a.into(), b.into()])?;
                let halves = self.code.vector(&[low.into(), high.into()]);
                self.emit("mov.b128", &[halves, old.into()])?;
                let first = self.op(Class::Pred, "setp.eq.b64", &[low.into(), a0])?;
                let second = self.op(Class::Pred, "setp.eq.b64", &[high.into(), a1])?;
                self.emit("and.pred", &[same.into(), first.into(), second.into()])?;
            }
            _ => return Err(self.unsupported(inst)),
        }
        self.fence_if(lowered.after)
    }

    /// A compare-and-swap of up to 64 bits.
    fn exchange(
        &mut self,
        mnemonic: &str,
        address: Address,
        bits: u32,
        [expected, new]: [Arg; 2],
        old: Reg,
        same: Reg,
    ) -> Result<(), Refused> {
        let at = self.address_arg(address, 0);
        let (expected, new) = (expected.as_bits(), new.as_bits());
        if bits != 16 {
            let class = if bits == 64 { Class::B64 } else { Class::B32 };
            let expected = self.in_register(expected, class)?;
            self.emit(mnemonic, &[old.into(), at, expected.into(), new])?;
            let setp = if bits == 64 {
                "setp.eq.b64"
            } else {
                "setp.eq.b32"
            };
            return self.emit(setp, &[same.into(), old.into(), expected.into()]);
        }
        // Integers of 16 bits live in registers of 32, numbers of 16 bits in registers of 16.
        let integer = self.code.class(old) == Class::B32;
        let short = |this: &mut Self, arg: Arg| -> Result<Reg, Refused> {
            match (integer, arg) {
                (true, Arg::Reg(_)) => this.op(Class::B16, "cvt.u16.u32", &[arg]),
                _ => this.in_register(arg, Class::B16),
            }
        };
        let (expected, new) = (short(self, expected)?, short(self, new)?);
        let found = self.op(Class::B16, mnemonic, &[at, expected.into(), new.into()])?;
        self.emit("setp.eq.b16", &[same.into(), found.into(), expected.into()])?;
        match integer {
            true => self.emit("cvt.u32.u16", &[old.into(), found.into()]),
            false => self.copy(old, found.into()),
        }
    }
}

/// The type of an atomic load or store of a piece.
fn access_type(piece: Piece) -> &'static str {
    match (piece.bytes, piece.class) {
        (1, _) => "u8",
        (2, Class::B16) => "b16",
        (2, _) => "u16",
        (4, _) => "b32",
        _ => "b64",
    }
}
