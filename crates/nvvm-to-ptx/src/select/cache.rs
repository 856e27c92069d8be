//! What loads and stores may tell the caches: data that nobody writes while the kernel runs, and data that
//! is used once.

use super::Selector;
use super::address::Space;
use warpc_nvvm::function::Def;
use warpc_nvvm::inst::{Access, CastOp, Op};
use warpc_nvvm::value::{InstId, Value};

/// How far the origin of an address is followed.
const DEPTH: u32 = 8;

impl Selector<'_, '_> {
    /// The modifiers of an access after its space: `.cs`, `.nc`.
    pub(super) fn cache_modifiers(
        &self,
        inst: InstId,
        access: Access,
        space: Space,
        pointer: Value,
    ) -> &'static str {
        let is_load = matches!(self.body.insts[inst].op, Op::Load(_));
        if access.volatile || space != Space::Global {
            return "";
        }
        let once = self.has_metadata(inst, b"nontemporal");
        let constant = is_load
            && (self.has_metadata(inst, b"invariant.load")
                || self.is_never_written(pointer, DEPTH));
        match (once, constant) {
            (false, false) => "",
            (true, false) => ".cs",
            (false, true) => ".nc",
            (true, true) => ".cs.nc",
        }
    }

    fn has_metadata(&self, inst: InstId, name: &[u8]) -> bool {
        let Some(name) = self.module.names.find(name) else {
            return false;
        };
        let attached = self.body.attachments_of(inst);
        attached.iter().any(|attachment| attachment.kind == name)
    }

    /// Whether an address comes from a parameter of the kernel through which, and beside which, nobody writes.
    fn is_never_written(&self, pointer: Value, depth: u32) -> bool {
        if !self.abi.kernel || depth == 0 {
            return false;
        }
        let Some(local) = pointer.local() else {
            return false;
        };
        let inst = match self.body.locals[local].def {
            Def::Inst(inst) => inst,
            Def::Param(index) => return self.is_read_only_param(index as usize),
            _ => return false,
        };
        let operands = self.body.operands(inst);
        let follow = |value| self.is_never_written(value, depth - 1);
        match self.body.insts[inst].op {
            Op::Gep { .. } | Op::Freeze => follow(operands[0]),
            Op::Cast(CastOp::Addrspacecast | CastOp::Bitcast) => follow(operands[0]),
            Op::Select => follow(operands[1]) && follow(operands[2]),
            // A pointer that walks on from itself.
            Op::Phi => operands.chunks(2).all(|pair| {
                self.steps_from(pair[0], pointer) || self.is_never_written(pair[0], depth / 2)
            }),
            _ => false,
        }
    }

    /// Whether a value is an offset from another.
    fn steps_from(&self, value: Value, from: Value) -> bool {
        match self.definition(value) {
            Some((inst, Op::Gep { .. })) => self.body.operands(inst)[0] == from,
            _ => value == from,
        }
    }

    fn is_read_only_param(&self, index: usize) -> bool {
        let attributes = &self.module.attributes;
        let set = attributes.of_param(self.attrs, index);
        let has = |name: &[u8]| {
            let name = self.module.names.find(name);
            name.is_some_and(|name| attributes.find(set, name).is_some())
        };
        has(b"noalias") && (has(b"readonly") || has(b"readnone"))
    }
}
