//! What is attached to instructions: `!range`, `!prof` and their kin.

use super::Verifier;
use super::body::Code;
use super::metadata::Integer;
use crate::constant::ConstKind;
use crate::inst::{Inst, Op};
use crate::metadata::{Md, MdRef, NodeId, NodeKind};
use crate::module::Module;
use crate::name::Name;
use crate::types::{Type, TypeId};
use crate::value::InstId;
use rustc_hash::FxHashMap;

/// Attachments that have rules.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum AttachmentKind {
    Range,
    NoaliasAddrspace,
    AbsoluteSymbol,
    NonNull,
    Align,
    Dereferenceable,
    Tbaa,
    AliasScopes,
    AccessGroup,
    FpMath,
    Prof,
    InvariantGroup,
    Annotation,
    MemProf,
    CallSite,
    KcfiType,
    Associated,
    Mmra,
    Dbg,
}

const KINDS: &[(&str, AttachmentKind)] = &[
    ("range", AttachmentKind::Range),
    ("noalias.addrspace", AttachmentKind::NoaliasAddrspace),
    ("absolute_symbol", AttachmentKind::AbsoluteSymbol),
    ("nonnull", AttachmentKind::NonNull),
    ("align", AttachmentKind::Align),
    ("dereferenceable", AttachmentKind::Dereferenceable),
    ("dereferenceable_or_null", AttachmentKind::Dereferenceable),
    ("tbaa", AttachmentKind::Tbaa),
    ("noalias", AttachmentKind::AliasScopes),
    ("alias.scope", AttachmentKind::AliasScopes),
    ("llvm.access.group", AttachmentKind::AccessGroup),
    ("fpmath", AttachmentKind::FpMath),
    ("prof", AttachmentKind::Prof),
    ("invariant.group", AttachmentKind::InvariantGroup),
    ("annotation", AttachmentKind::Annotation),
    ("memprof", AttachmentKind::MemProf),
    ("callsite", AttachmentKind::CallSite),
    ("kcfi_type", AttachmentKind::KcfiType),
    ("associated", AttachmentKind::Associated),
    ("mmra", AttachmentKind::Mmra),
    ("dbg", AttachmentKind::Dbg),
];

/// The kinds of attachments by their names in a module.
pub(super) fn attachment_kinds(module: &Module) -> FxHashMap<Name, AttachmentKind> {
    KINDS
        .iter()
        .filter_map(|&(word, kind)| Some((module.names.find(word.as_bytes())?, kind)))
        .collect()
}

/// Whether a value lies in a range that may wrap round.
fn in_range(value: u128, low: u128, high: u128) -> bool {
    match low < high {
        true => low <= value && value < high,
        false => low <= value || value < high,
    }
}

impl<'m> Verifier<'m> {
    /// Checks what is attached to the instructions of a body.
    pub(super) fn attachments_of_body(&mut self, code: &Code<'m>) {
        for attachment in &code.body.attachments {
            let Some(&kind) = self.attachments.get(&attachment.kind) else {
                continue;
            };
            let inst = &code.body.insts[attachment.inst];
            self.at = inst.pos;
            self.attachment(code, attachment.inst, inst, kind, attachment.node);
        }
    }

    fn attachment(
        &mut self,
        code: &Code<'m>,
        id: InstId,
        inst: &Inst,
        kind: AttachmentKind,
        node: NodeId,
    ) {
        let operands = self.tuple(node);
        let types = &self.module.types;
        let is_ptr = types.is_ptr(inst.ty);
        let is_load = matches!(inst.op, Op::Load(_));
        let is_call = inst.op.call_site().is_some();
        match kind {
            AttachmentKind::Range => {
                self.metadata_rule(
                    is_load || matches!(inst.op, Op::Call(_) | Op::Invoke(_)),
                    "`!range` is for loads and calls",
                );
                let scalar = types.scalar(inst.ty);
                self.range(&operands, Some(scalar), false);
            }
            AttachmentKind::NoaliasAddrspace => {
                self.metadata_rule(
                    matches!(
                        inst.op,
                        Op::Load(_)
                            | Op::Store(_)
                            | Op::AtomicRmw(..)
                            | Op::CmpXchg { .. }
                            | Op::Call(_)
                    ),
                    "`!noalias.addrspace` is for accesses of memory",
                );
                self.range(&operands, Some(types.i32), false);
            }
            AttachmentKind::NonNull => {
                self.metadata_rule(
                    is_load && is_ptr && operands.is_empty(),
                    "`!nonnull` is for loads of pointers and holds nothing",
                );
            }
            AttachmentKind::Align => {
                let value = self.integer_at(&operands, 0);
                self.metadata_rule(is_load && is_ptr, "`!align` is for loads of pointers");
                self.metadata_rule(
                    operands.len() == 1
                        && value.is_some_and(|v| {
                            v.bits == 64 && v.value.is_power_of_two() && v.value <= 1 << 32
                        }),
                    "`!align` holds one i64, a power of two up to 4294967296",
                );
            }
            AttachmentKind::Dereferenceable => {
                let value = self.integer_at(&operands, 0);
                self.metadata_rule(
                    is_ptr
                        && (is_load || matches!(inst.op, Op::Cast(crate::inst::CastOp::Inttoptr))),
                    "`!dereferenceable` is for loads of pointers and `inttoptr`",
                );
                self.metadata_rule(
                    operands.len() == 1 && value.is_some_and(|value| value.bits == 64),
                    "`!dereferenceable` holds one i64",
                );
            }
            AttachmentKind::Tbaa => self.tbaa(inst, node),
            AttachmentKind::AliasScopes => self.alias_scopes(&operands),
            AttachmentKind::AccessGroup => self.access_group(node, &operands),
            AttachmentKind::FpMath => self.fp_math(inst, &operands),
            AttachmentKind::Prof => self.prof(code, id, inst, &operands),
            AttachmentKind::InvariantGroup => {
                self.metadata_rule(
                    is_load || matches!(inst.op, Op::Store(_)),
                    "`!invariant.group` is for loads and stores",
                );
            }
            AttachmentKind::Annotation => {
                let fits = |md: &MdRef| match md.get() {
                    Md::String(_) => true,
                    Md::Node(node) => {
                        let inner = self.tuple(node);
                        inner.iter().all(|md| matches!(md.get(), Md::String(_)))
                    }
                    _ => false,
                };
                let is_tuple = self.module.metadata.node(node).kind == NodeKind::Tuple;
                self.metadata_rule(
                    is_tuple && !operands.is_empty() && operands.iter().all(fits),
                    "`!annotation` holds strings or tuples of strings",
                );
            }
            AttachmentKind::MemProf => {
                self.metadata_rule(
                    is_call && !operands.is_empty(),
                    "`!memprof` is for calls and holds at least one block",
                );
                for at in 0..operands.len() {
                    let block = self.node_at(&operands, at).map(|block| self.tuple(block));
                    let block = block.unwrap_or_default();
                    let stack = self.node_at(&block, 0);
                    self.metadata_rule(
                        block.len() >= 2 && stack.is_some(),
                        "a block of `!memprof` holds a call stack and strings",
                    );
                }
            }
            AttachmentKind::CallSite => {
                let numbers =
                    (0..operands.len()).all(|at| self.integer_at(&operands, at).is_some());
                self.metadata_rule(
                    is_call && !operands.is_empty() && numbers,
                    "`!callsite` is for calls and holds numbers",
                );
            }
            AttachmentKind::Mmra => {
                let is_tag = |operands: &[MdRef]| {
                    operands.len() == 2
                        && operands.iter().all(|md| matches!(md.get(), Md::String(_)))
                };
                let list = operands
                    .iter()
                    .all(|md| md.node().is_some_and(|tag| is_tag(&self.tuple(tag))));
                self.metadata_rule(
                    is_tag(&operands) || list,
                    "`!mmra` holds a pair of strings or a list of such pairs",
                );
                self.metadata_rule(
                    is_call
                        || matches!(
                            inst.op,
                            Op::Load(_)
                                | Op::Store(_)
                                | Op::Fence(..)
                                | Op::AtomicRmw(..)
                                | Op::CmpXchg { .. }
                        ),
                    "`!mmra` is for accesses of memory",
                );
            }
            AttachmentKind::AbsoluteSymbol
            | AttachmentKind::KcfiType
            | AttachmentKind::Associated
            | AttachmentKind::Dbg => {}
        }
    }

    /// Pairs of bounds in order, apart from each other.
    pub(super) fn range(&mut self, operands: &[MdRef], ty: Option<TypeId>, may_be_full: bool) {
        if !self.metadata_rule(
            !operands.is_empty() && operands.len().is_multiple_of(2),
            "a range is a list of pairs of bounds",
        ) {
            return;
        }
        let mut ranges: Vec<(Integer, Integer)> = Vec::new();
        for at in (0..operands.len()).step_by(2) {
            let (Some(low), Some(high)) = (
                self.integer_at(operands, at),
                self.integer_at(operands, at + 1),
            ) else {
                self.metadata_rule(false, "the bounds of a range are integers");
                return;
            };
            if !self.metadata_rule(
                low.ty == high.ty && Some(low.ty) == ty,
                "the bounds of a range have the type of the value",
            ) {
                return;
            }
            let full = low.value == high.value && low.signed() == -1;
            if !self.metadata_rule(
                low.value != high.value || full && may_be_full,
                "a range cannot be empty",
            ) {
                return;
            }
            ranges.push((low, high));
        }
        let meet = |a: &(Integer, Integer), b: &(Integer, Integer)| {
            in_range(a.0.value, b.0.value, b.1.value)
                || in_range(b.0.value, a.0.value, a.1.value)
                || a.1.value == b.0.value
                || a.0.value == b.1.value
        };
        for pair in ranges.windows(2) {
            self.metadata_rule(
                !meet(&pair[0], &pair[1]) && pair[1].0.signed() > pair[0].0.signed(),
                "the parts of a range must be in order and apart",
            );
        }
        if let [first, _, .., last] = &ranges[..] {
            self.metadata_rule(
                !meet(first, last),
                "the parts of a range must be in order and apart",
            );
        }
    }

    fn alias_scopes(&mut self, scopes: &[MdRef]) {
        for at in 0..scopes.len() {
            let Some(scope) = self.node_at(scopes, at) else {
                self.metadata_rule(false, "a list of alias scopes holds scopes");
                continue;
            };
            let parts = self.tuple(scope);
            let named = |parts: &[MdRef], of: NodeId| {
                parts.first().is_some_and(|first| {
                    first.node() == Some(of) || matches!(first.get(), Md::String(_))
                })
            };
            let domain = self.node_at(&parts, 1);
            let fits = matches!(parts.len(), 2 | 3)
                && named(&parts, scope)
                && parts
                    .get(2)
                    .is_none_or(|name| matches!(name.get(), Md::String(_)))
                && domain.is_some_and(|domain| {
                    let parts = self.tuple(domain);
                    matches!(parts.len(), 1 | 2)
                        && named(&parts, domain)
                        && parts
                            .get(1)
                            .is_none_or(|name| matches!(name.get(), Md::String(_)))
                });
            self.metadata_rule(
                fits,
                "an alias scope holds itself or a string, its domain, and perhaps a string",
            );
        }
    }

    fn access_group(&mut self, node: NodeId, operands: &[MdRef]) {
        let is_group = |node: NodeId| {
            let data = self.module.metadata.node(node);
            data.distinct && self.module.metadata.fields(node).is_empty()
        };
        let fits = is_group(node) || operands.iter().all(|md| md.node().is_some_and(is_group));
        self.metadata_rule(
            fits,
            "an access group is a distinct empty node, or a list of such nodes",
        );
    }

    fn fp_math(&mut self, inst: &Inst, operands: &[MdRef]) {
        self.metadata_rule(
            self.is_float_like(inst.ty),
            "`!fpmath` is for floating-point results",
        );
        let accuracy = self
            .constant_at(operands, 0)
            .map(|constant| self.module.constants.get(constant));
        let fits = operands.len() == 1
            && accuracy.is_some_and(|accuracy| match (self.ty(accuracy.ty), accuracy.kind) {
                (Type::Float, ConstKind::Float(bits)) => {
                    let value = f32::from_bits(bits as u32);
                    value.is_finite() && value > 0.0
                }
                _ => false,
            });
        self.metadata_rule(fits, "`!fpmath` holds one positive float");
    }

    fn prof(&mut self, code: &Code<'m>, id: InstId, inst: &Inst, operands: &[MdRef]) {
        let name = self.string_at(operands, 0);
        if !self.metadata_rule(
            operands.len() >= 2 && matches!(name, Some(b"branch_weights" | b"VP" | b"unknown")),
            "`!prof` starts with `branch_weights` or `VP` and holds numbers",
        ) {
            return;
        }
        if name == Some(b"VP") {
            self.metadata_rule(
                operands.len() >= 5 && operands.len() % 2 == 1,
                "`!prof` with `VP` holds a kind, a sum, and pairs of value and count",
            );
            let of_call = matches!(self.number_at(operands, 1), Some((0 | 1, _)));
            self.metadata_rule(
                !of_call || inst.op.call_site().is_some(),
                "`!prof` with `VP` for the target or size of a call is for calls",
            );
        }
        if name != Some(b"branch_weights") {
            return;
        }
        let first = match self.string_at(operands, 1) {
            Some(b"expected") => 2,
            _ => 1,
        };
        let weights = operands.len() - first;
        let targets = || {
            code.body
                .operands(id)
                .iter()
                .filter(|v| v.block().is_some())
                .count()
        };
        let fits = match inst.op {
            Op::Invoke(_) => weights == 1 || weights == 2,
            Op::Br | Op::CondBr | Op::Switch | Op::IndirectBr | Op::CallBr(..) => {
                weights == targets()
            }
            Op::Call(_) => weights == 1,
            Op::Select => weights == 2,
            _ => false,
        };
        rule!(
            self.metadata_rule,
            fits,
            "`!prof` has {weights} weights, which does not fit `{}`",
            inst.op.mnemonic()
        );
        let numbers = (first..operands.len()).all(|at| self.integer_at(operands, at).is_some());
        self.metadata_rule(numbers, "the weights of `!prof` are numbers");
    }
}
