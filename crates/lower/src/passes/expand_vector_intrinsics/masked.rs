//! Masked accesses: one for each lane whose bit is set.
//!
//! ```text
//!   if mask[0] { r0 = load p } else { r0 = old[0] }
//!   if mask[1] { r1 = load p + size } …
//! ```
//!
//! A lane whose bit is a constant needs no branch, and a mask of ones is a plain access.

use super::Call;
use crate::edit::{Action, Editor};
use warpc_nvvm::attribute::Attribute;
use warpc_nvvm::inst::{BinaryOp, CastOp, Op};
use warpc_nvvm::layout::Layout;
use warpc_nvvm::types::TypeId;
use warpc_nvvm::value::{InstId, Value};

/// The parts of a masked access. What a kind does not have is `None`.
struct Masked {
    kind: Kind,
    /// One address, or one for each lane.
    addresses: Value,
    mask: Value,
    stored: Option<Value>,
    /// What lanes that are off give.
    otherwise: Option<Value>,
    align: u64,
    element: TypeId,
    /// The bytes of an element.
    size: u64,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Kind {
    /// Lane i is at place i.
    Placed,
    /// Each lane has its own address.
    Scattered,
    /// Lanes that are on lie one after the other.
    Packed,
}

/// `llvm.masked.load` and its kin.
pub(super) fn expand(
    editor: &mut Editor,
    layout: &Layout,
    name: &str,
    call: &Call,
) -> Option<Action> {
    let word = name.split('.').nth(1)?;
    let (kind, loads) = match word {
        "load" => (Kind::Placed, true),
        "store" => (Kind::Placed, false),
        "gather" => (Kind::Scattered, true),
        "scatter" => (Kind::Scattered, false),
        "expandload" => (Kind::Packed, true),
        "compressstore" => (Kind::Packed, false),
        _ => return None,
    };
    // Before LLVM 22 the alignment was an argument; now it is an attribute of the address.
    let mut args = call.args.clone();
    let at = usize::from(!loads);
    let mut align = param_align(editor, call.inst, at);
    if args.len() == 4 {
        align = editor.as_u64(args.remove(at + 1));
    }
    let whole = match loads {
        true => editor.body.insts[call.inst].ty,
        false => editor.type_of(args[0]),
    };
    let element = editor.module.types.scalar(whole);
    let size = layout.size(&editor.module.types, element);
    // Elements of no whole bytes lie packed in memory, and lanes have no addresses.
    if layout.bits(&editor.module.types, element) != size * 8
        || size != layout.stride(&editor.module.types, element)
    {
        return None;
    }
    let masked = Masked {
        kind,
        addresses: args[at],
        mask: args[at + 1],
        stored: (!loads).then(|| args[0]),
        otherwise: loads.then(|| args[2]),
        align: align.unwrap_or(1).max(1),
        element,
        size,
    };
    if kind != Kind::Scattered && is_all_ones(editor, masked.mask) {
        return Some(match masked.stored {
            Some(value) => {
                editor.store(value, masked.addresses, masked.align, false);
                Action::Remove
            }
            None => Action::Replace(editor.load(whole, masked.addresses, masked.align, false)),
        });
    }
    let parts = masked.lanes(editor);
    Some(match loads {
        true => Action::Replace(editor.vector(whole, &parts)),
        false => Action::Remove,
    })
}

impl Masked {
    /// Accesses lane by lane; gives what the lanes of a load are.
    fn lanes(&self, editor: &mut Editor) -> Vec<Value> {
        let mask = editor.elements(self.mask);
        let mut address = self.addresses;
        let mut results = Vec::new();
        for (lane, &bit) in mask.iter().enumerate() {
            let (place, align) = match self.kind {
                Kind::Placed => {
                    let offset = lane as u64 * self.size;
                    let align = match offset {
                        0 => self.align,
                        _ => self.align.min(1 << offset.trailing_zeros()),
                    };
                    (editor.offset(self.addresses, offset), align)
                }
                Kind::Scattered => (editor.element(self.addresses, lane as u64), self.align),
                Kind::Packed if lane == 0 => (address, self.align),
                Kind::Packed => {
                    let align = 1 << self.size.trailing_zeros();
                    (address, self.align.min(align))
                }
            };
            let stored = self.stored.map(|value| editor.element(value, lane as u64));
            let old = self
                .otherwise
                .map(|value| editor.element(value, lane as u64));
            results.extend(self.access(editor, bit, place, align, stored, old));
            if self.kind == Kind::Packed {
                address = self.advance(editor, address, bit);
            }
        }
        results
    }

    /// Accesses one lane if its bit is set.
    fn access(
        &self,
        editor: &mut Editor,
        bit: Value,
        place: Value,
        align: u64,
        stored: Option<Value>,
        old: Option<Value>,
    ) -> Option<Value> {
        let go = |editor: &mut Editor| match stored {
            Some(value) => {
                editor.store(value, place, align, false);
                None
            }
            None => Some(editor.load(self.element, place, align, false)),
        };
        match editor.as_u64(bit) {
            Some(0) => return old,
            Some(_) => return go(editor),
            None => {}
        }
        let (on, after) = (editor.new_block(), editor.new_block());
        editor.cond_br(bit, on, after);
        let before = editor.block();
        editor.start(on);
        let loaded = go(editor);
        editor.br(after);
        editor.start(after);
        let (loaded, old) = (loaded?, old?);
        let (phi, value) = editor.phi(self.element);
        editor.set_phi(phi, &[(old, before), (loaded, on)]);
        Some(value)
    }

    /// The address after a lane if its bit is set.
    fn advance(&self, editor: &mut Editor, address: Value, bit: Value) -> Value {
        let (i8, i64) = (editor.module.types.i8, editor.module.types.i64);
        match editor.as_u64(bit) {
            Some(0) => return address,
            Some(_) => return editor.offset(address, self.size),
            None => {}
        }
        let on = editor.cast(CastOp::Zext, bit, i64);
        let size = editor.int(i64, self.size);
        let bytes = editor.binary(BinaryOp::Mul, on, size);
        editor.step(i8, address, bytes)
    }
}

/// `align` of an argument.
fn param_align(editor: &Editor, inst: InstId, index: usize) -> Option<u64> {
    let Op::Call(site) = editor.body.insts[inst].op else {
        return None;
    };
    let attrs = editor.module.call_sites.get(site).attrs;
    let attributes = &editor.module.attributes;
    let name = editor.module.names.find(b"align")?;
    match attributes.find(attributes.of_param(attrs, index), name)? {
        Attribute::Int(_, bytes) => Some(bytes),
        _ => None,
    }
}

/// Whether a mask is a constant with all bits set.
fn is_all_ones(editor: &mut Editor, mask: Value) -> bool {
    let is_constant = editor.resolve(mask).constant().is_some();
    is_constant && {
        let lanes = editor.elements(mask);
        lanes.iter().all(|&lane| editor.as_u64(lane) == Some(1))
    }
}
