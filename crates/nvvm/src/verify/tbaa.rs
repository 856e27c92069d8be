//! Type-based alias metadata: access tags `!{base, access, offset}` and the types they lead through.
//!
//! A tag says: an access of scalar type `access` at `offset` of a value of type `base`. A scalar type is
//! `!{name, parent}`, a struct `!{name, field, offset, …}`; in the newer form a type starts with its parent
//! and carries sizes.

use super::Verifier;
use crate::inst::{Inst, Op};
use crate::metadata::{MdRef, NodeId};
use rustc_hash::{FxHashMap, FxHashSet};

/// Nodes whose form is known.
#[derive(Clone, Debug, Default)]
pub(super) struct Checked {
    /// Whether a node is a scalar type.
    scalars: FxHashMap<NodeId, bool>,
    /// The size of the offsets of a type in bits; `None` if the type is broken.
    bases: FxHashMap<NodeId, Option<u32>>,
    /// Tags that are right, by whether they are on a call.
    tags: FxHashSet<NodeId>,
}

impl Verifier<'_> {
    /// Checks an access tag.
    pub(super) fn tbaa(&mut self, inst: &Inst, tag: NodeId) {
        self.metadata_rule(
            matches!(
                inst.op,
                Op::Load(_)
                    | Op::Store(_)
                    | Op::Call(_)
                    | Op::VaArg
                    | Op::AtomicRmw(..)
                    | Op::CmpXchg { .. }
            ),
            "`!tbaa` is for accesses of memory and calls",
        );
        if !self.tbaa.tags.insert(tag) {
            return;
        }
        if let Some(rule) = self.wrong_tag(tag) {
            self.tbaa.tags.remove(&tag);
            rule!(self.metadata_rule, false, "`!tbaa`: {rule}");
        }
    }

    /// The rule that a tag breaks.
    fn wrong_tag(&mut self, tag: NodeId) -> Option<&'static str> {
        let operands = self.tuple(tag);
        // The oldest form: the tag is the scalar type itself.
        if !operands.is_empty() && (operands.len() < 3 || self.node_at(&operands, 0).is_none()) {
            let parent = self.node_at(&operands, 1);
            let formed = self.string_at(&operands, 0).is_some()
                && parent.is_some_and(|parent| {
                    self.module.metadata.fields(parent).len() < 2 || self.is_scalar(parent)
                });
            return (!formed).then_some("a tag holds a base type, an access type and an offset");
        }
        let (Some(mut base), true) = (self.node_at(&operands, 0), operands.len() >= 3) else {
            return Some("a tag holds a base type, an access type and an offset");
        };
        let Some(access) = self.node_at(&operands, 1) else {
            return Some("a tag holds a base type, an access type and an offset");
        };
        let access_operands = self.tuple(access);
        let newer = access_operands.len() >= 3 && self.node_at(&access_operands, 0).is_some();
        let counts = if newer { 4..=5 } else { 3..=4 };
        if !counts.contains(&operands.len()) {
            return Some("a tag has too many or too few operands");
        }
        if newer && self.number_at(&operands, 3).is_none() {
            return Some("the size of a tag is a number");
        }
        let flag = if newer { 4 } else { 3 };
        if operands.len() > flag && !matches!(self.number_at(&operands, flag), Some((0 | 1, _))) {
            return Some("the flag for memory that never changes is 0 or 1");
        }
        if !newer && !self.is_scalar(access) {
            return Some("the access type must be a scalar type");
        }
        let Some((mut offset, bits)) = self.number_at(&operands, 2) else {
            return Some("the offset is a number");
        };
        let mut seen_access = false;
        let mut path = FxHashSet::default();
        loop {
            let node = self.tuple(base);
            if node.len() < 2 {
                break;
            }
            if !path.insert(base) {
                return Some("the types of a path form a cycle");
            }
            let Some(width) = self.base_width(base, &node, newer) else {
                return Some("a type on the path is not formed as it must be");
            };
            seen_access |= base == access;
            if (base == access || self.is_scalar(base)) && offset != 0 {
                return Some("a scalar is accessed at an offset");
            }
            let fits = width == bits || width == 0 && offset == 0 || newer && width == u32::MAX;
            if !fits {
                return Some("the offsets of tag and type have different sizes");
            }
            if newer && seen_access {
                break;
            }
            match field_at(self, &node, &mut offset, newer) {
                Some(next) => base = next,
                None => return Some("there is no field at the offset"),
            }
        }
        (!seen_access).then_some("the path does not lead to the access type")
    }

    /// Whether a node is a scalar type: a name and a scalar or root above it.
    fn is_scalar(&mut self, node: NodeId) -> bool {
        let mut path = FxHashSet::default();
        let mut at = node;
        let result = loop {
            if let Some(&known) = self.tbaa.scalars.get(&at) {
                break known;
            }
            // A cycle leads to no root.
            if !path.insert(at) {
                break false;
            }
            let operands = self.tuple(at);
            let named = self.string_at(&operands, 0).is_some();
            let fits = match operands.len() {
                2 => named,
                3 => named && matches!(self.number_at(&operands, 2), Some((0, _))),
                _ => false,
            };
            let Some(parent) = self.node_at(&operands, 1).filter(|_| fits) else {
                break false;
            };
            if self.module.metadata.fields(parent).len() < 2 {
                break true;
            }
            at = parent;
        };
        // All on the way lead where this one leads.
        self.tbaa
            .scalars
            .extend(path.into_iter().map(|on_path| (on_path, result)));
        result
    }

    /// The size of the offsets in a type.
    fn base_width(&mut self, node: NodeId, operands: &[MdRef], newer: bool) -> Option<u32> {
        if let Some(&known) = self.tbaa.bases.get(&node) {
            return known;
        }
        let width = self.find_base_width(node, operands, newer);
        self.tbaa.bases.insert(node, width);
        width
    }

    fn find_base_width(&mut self, node: NodeId, operands: &[MdRef], newer: bool) -> Option<u32> {
        if operands.len() == 2 {
            return self.is_scalar(node).then_some(0);
        }
        let (first, step) = layout(newer);
        let formed = match newer {
            true => operands.len().is_multiple_of(3) && self.number_at(operands, 1).is_some(),
            false => operands.len() % 2 == 1 && self.string_at(operands, 0).is_some(),
        };
        if !formed {
            return None;
        }
        let mut width = u32::MAX;
        let mut last = 0;
        for at in (first..operands.len()).step_by(step) {
            self.node_at(operands, at)?;
            let (offset, bits) = self.number_at(operands, at + 1)?;
            if newer {
                self.number_at(operands, at + 2)?;
            }
            if width == u32::MAX {
                width = bits;
            }
            if bits != width || offset < last {
                return None;
            }
            last = offset;
        }
        Some(width)
    }
}

/// Where the fields of a struct type start and how many operands each has.
fn layout(newer: bool) -> (usize, usize) {
    if newer { (3, 3) } else { (1, 2) }
}

/// The type of the field that an offset lies in; the offset becomes that within the field.
fn field_at(
    verifier: &Verifier<'_>,
    node: &[MdRef],
    offset: &mut u128,
    newer: bool,
) -> Option<NodeId> {
    if node.len() == 2 {
        return verifier.node_at(node, 1);
    }
    let (first, step) = layout(newer);
    let mut found = None;
    for at in (first..node.len()).step_by(step) {
        let (start, _) = verifier.number_at(node, at + 1)?;
        if start > *offset {
            break;
        }
        found = Some((at, start));
    }
    let (at, start) = found?;
    *offset -= start;
    verifier.node_at(node, at)
}
