//! Debug locations of inlined code: where it is in the callee, and from where it was called.
//!
//! ```text
//!   !DILocation(line: 2, scope: !f)                     ──►  !DILocation(line: 2, scope: !f, inlinedAt: !c)
//!   !DILocation(line: 7, scope: !g, inlinedAt: !i)      ──►  !DILocation(line: 7, scope: !g, inlinedAt: !i')
//!   !i = distinct !DILocation(line: 3, scope: !f)            !i' = distinct !DILocation(…, inlinedAt: !c)
//!                                                            !c = distinct !DILocation(of the call)
//! ```

use rustc_hash::FxHashMap;
use warpc_nvvm::Module;
use warpc_nvvm::inst::DebugLocation;
use warpc_nvvm::metadata::{Field, FieldValue, Md, NodeId};
use warpc_nvvm::name::Name;

/// The locations of one inlined call.
pub struct Locations {
    /// The location of the call.
    call: Option<NodeId>,
    /// Whether the callee has debug information. What it has not is where the call is.
    callee_has_lines: bool,
    /// The copy of the call's location that others name; made when the first does.
    at: Option<NodeId>,
    /// Locations of the callee and what became of them.
    made: FxHashMap<NodeId, NodeId>,
}

impl Locations {
    /// The locations for a call.
    pub fn new(call: Option<DebugLocation>, callee_has_lines: bool) -> Locations {
        Locations {
            call: call.map(NodeId::from),
            callee_has_lines,
            at: None,
            made: FxHashMap::default(),
        }
    }

    /// The location of a copied instruction.
    pub fn relocate(
        &mut self,
        module: &mut Module,
        from: Option<DebugLocation>,
    ) -> Option<DebugLocation> {
        let call = self.call?;
        let Some(from) = from else {
            return (!self.callee_has_lines).then(|| call.into());
        };
        Some(self.moved(module, call, from.into()).into())
    }

    fn moved(&mut self, module: &mut Module, call: NodeId, from: NodeId) -> NodeId {
        let inlined_at = module.names.intern(b"inlinedAt");
        // The chain of calls from here outwards, up to what is known. Each node is visited once, even in a cycle.
        let mut chain = vec![from];
        let mut outer = None;
        while let Some(&last) = chain.last() {
            if let Some(&made) = self.made.get(&last) {
                chain.pop();
                outer = Some(made);
                break;
            }
            match called_from(module, last, inlined_at) {
                Some(next) if !chain.contains(&next) => chain.push(next),
                _ => break,
            }
        }
        let mut outer = match outer {
            Some(outer) => outer,
            None => *self.at.get_or_insert_with(|| {
                let kind = module.metadata.node(call).kind;
                let fields = module.metadata.fields(call).to_vec();
                module.metadata.add(kind, true, &fields)
            }),
        };
        while let Some(node) = chain.pop() {
            outer = with_caller(module, node, inlined_at, outer);
            self.made.insert(node, outer);
        }
        outer
    }
}

/// The location of the call that brought a location where it is.
fn called_from(module: &Module, node: NodeId, inlined_at: Name) -> Option<NodeId> {
    match module.metadata.field(node, inlined_at)? {
        FieldValue::Md(md) => md.node(),
        _ => None,
    }
}

/// A location, called from another.
fn with_caller(module: &mut Module, node: NodeId, inlined_at: Name, caller: NodeId) -> NodeId {
    let scope = module.names.intern(b"scope");
    let mut fields = module.metadata.fields(node).to_vec();
    let is = |field: &Field, name: Name| field.name.is_some_and(|found| found.name() == name);
    fields.retain(|field| !is(field, inlined_at));
    let at = fields.iter().position(|field| is(field, scope));
    let field = Field {
        name: Some(inlined_at.into()),
        value: FieldValue::Md(Md::Node(caller).into()),
    };
    fields.insert(at.map_or(fields.len(), |at| at + 1), field);
    let found = *module.metadata.node(node);
    match found.distinct {
        true => module.metadata.add(found.kind, true, &fields),
        false => module.metadata.intern(found.kind, &fields),
    }
}
