//! Module flags: `!{i32 behaviour, !"name", value}` in `!llvm.module.flags`.
//!
//! | behaviour | if the values differ |
//! |---|---|
//! | 1 error | an error |
//! | 2 warning | a warning; the first stays |
//! | 3 require | no value of its own: another flag must have a value in the end |
//! | 4 override | it wins; two that differ are an error |
//! | 5 append, 6 append unique | lists are joined |
//! | 7 max, 8 min | the larger, the smaller; with 2 on the other side also a warning |
//!
//! A `min` flag that one module does not have is zero.

use super::transfer::Transfer;
use crate::constant::{ConstId, ConstKind};
use crate::metadata::{Field, FieldValue, Md, MdRef, NamedMetadata, NodeId, NodeKind};
use crate::name::Name;
use rustc_hash::{FxHashMap, FxHashSet};

/// The name of the node that holds the flags.
pub(super) const NAME: &[u8] = b"llvm.module.flags";

const ERROR: u64 = 1;
const WARNING: u64 = 2;
const REQUIRE: u64 = 3;
const OVERRIDE: u64 = 4;
const APPEND: u64 = 5;
const APPEND_UNIQUE: u64 = 6;
const MAX: u64 = 7;
const MIN: u64 = 8;

/// A flag of the result.
#[derive(Clone, Copy)]
struct Flag {
    node: NodeId,
    behaviour: u64,
    key: MdRef,
    name: Name,
    value: MdRef,
}

impl Transfer<'_> {
    /// Merges the flags of the source into those of the result.
    pub(super) fn module_flags(&mut self) {
        let nodes = std::mem::take(&mut self.flags);
        if nodes.is_empty() {
            return;
        }
        let nodes: Vec<NodeId> = nodes.into_iter().map(|node| self.node(node)).collect();
        let name = self.linker.module.names.intern(NAME);
        let named = &mut self.linker.module.metadata.named;
        let at = named.iter().position(|named| named.name == name);
        let at = at.unwrap_or_else(|| {
            named.push(NamedMetadata {
                name,
                nodes: Vec::new(),
            });
            named.len() - 1
        });
        let mut result = std::mem::take(&mut named[at].nodes);
        if result.is_empty() {
            result = nodes;
        } else {
            self.merge_flags(&mut result, &nodes);
        }
        self.linker.module.metadata.named[at].nodes = result;
    }

    fn flag(&self, node: NodeId) -> Option<Flag> {
        let metadata = &self.linker.module.metadata;
        let key = metadata.operand(node, 0)?;
        let behaviour = self.number(key)?;
        match metadata.operand(node, 1)?.get() {
            Md::String(name) => Some(Flag {
                node,
                behaviour,
                key,
                name,
                value: metadata.operand(node, 2)?,
            }),
            _ => None,
        }
    }

    fn number(&self, md: MdRef) -> Option<u64> {
        match md.get() {
            Md::Const(constant) => self.linker.module.constants.as_u64(constant),
            _ => None,
        }
    }

    fn merge_flags(&mut self, result: &mut Vec<NodeId>, source: &[NodeId]) {
        let mut places: FxHashMap<Name, usize> = FxHashMap::default();
        let mut requirements: Vec<MdRef> = Vec::new();
        let mut mins: Vec<usize> = Vec::new();
        let mut in_both: FxHashSet<Name> = FxHashSet::default();
        for (place, &node) in result.iter().enumerate() {
            let Some(flag) = self.flag(node) else {
                continue;
            };
            if flag.behaviour == REQUIRE {
                requirements.push(flag.value);
                continue;
            }
            if flag.behaviour == MIN {
                mins.push(place);
            }
            places.insert(flag.name, place);
        }
        for &node in source {
            let Some(flag) = self.flag(node) else {
                continue;
            };
            if flag.behaviour == REQUIRE {
                if !requirements.contains(&flag.value) {
                    requirements.push(flag.value);
                    result.push(node);
                }
                continue;
            }
            let known = places
                .get(&flag.name)
                .copied()
                .and_then(|place| Some((place, self.flag(result[place])?)));
            match known {
                Some((place, known)) => {
                    in_both.insert(flag.name);
                    result[place] = self.merge_flag(known, flag);
                }
                None => {
                    if flag.behaviour == MIN {
                        mins.push(result.len());
                    }
                    places.insert(flag.name, result.len());
                    result.push(node);
                }
            }
        }
        for place in mins {
            if let Some(flag) = self.flag(result[place])
                && !in_both.contains(&flag.name)
            {
                result[place] = self.zero_flag(flag);
            }
        }
        for requirement in requirements {
            self.check_requirement(requirement, result, &places);
        }
    }

    /// The node that stands for two flags of one name.
    fn merge_flag(&mut self, known: Flag, flag: Flag) -> NodeId {
        let differs = known.value != flag.value;
        let either = |behaviour| known.behaviour == behaviour || flag.behaviour == behaviour;
        if known.behaviour == OVERRIDE {
            if flag.behaviour == OVERRIDE && differs {
                self.flag_error(flag, "is overridden with different values");
            }
            return known.node;
        }
        if flag.behaviour == OVERRIDE {
            return flag.node;
        }
        let mixable = either(WARNING) && (either(MAX) || either(MIN));
        if known.behaviour != flag.behaviour && !mixable {
            self.flag_error(flag, "is merged in different ways");
            return known.node;
        }
        if either(WARNING) && differs {
            let name = self.linker.module.names.text(flag.name).into_owned();
            self.linker.warning(
                self.index,
                format!("the module flag `{name}` has another value than before"),
                "compile all modules with the same options",
            );
        }
        if either(MIN) || either(MAX) {
            let behaviour = if either(MIN) { MIN } else { MAX };
            let (Some(a), Some(b)) = (self.number(known.value), self.number(flag.value)) else {
                return known.node;
            };
            let takes_new = if behaviour == MIN { b < a } else { b > a };
            let key = match known.behaviour == behaviour {
                true => known.key,
                false => flag.key,
            };
            let value = if takes_new { flag.value } else { known.value };
            return self.make_flag(key, flag.name, value, false);
        }
        match flag.behaviour {
            ERROR if differs => self.flag_error(flag, "has different values"),
            APPEND => return self.join_lists(known, flag, false),
            APPEND_UNIQUE => return self.join_lists(known, flag, true),
            _ => {}
        }
        known.node
    }

    fn make_flag(&mut self, key: MdRef, name: Name, value: MdRef, distinct: bool) -> NodeId {
        let fields = [key, Md::String(name).into(), value].map(|md| Field {
            name: None,
            value: FieldValue::Md(md),
        });
        let metadata = &mut self.linker.module.metadata;
        match distinct {
            true => metadata.add(NodeKind::Tuple, true, &fields),
            false => metadata.intern(NodeKind::Tuple, &fields),
        }
    }

    fn zero_flag(&mut self, flag: Flag) -> NodeId {
        let Md::Const(constant) = flag.value.get() else {
            return flag.node;
        };
        let constants = &mut self.linker.module.constants;
        let ty = constants.get(constant).ty;
        let zero: ConstId = constants.intern(ty, ConstKind::Int(0));
        self.make_flag(flag.key, flag.name, Md::Const(zero).into(), false)
    }

    /// Lists grow in place, so the list and the flag become distinct nodes.
    fn join_lists(&mut self, known: Flag, flag: Flag, unique: bool) -> NodeId {
        let (Md::Node(to), Md::Node(from)) = (known.value.get(), flag.value.get()) else {
            return known.node;
        };
        let metadata = &mut self.linker.module.metadata;
        let mut fields = metadata.fields(to).to_vec();
        for &field in metadata.fields(from) {
            if !unique || !fields.contains(&field) {
                fields.push(field);
            }
        }
        if metadata.node(to).distinct {
            metadata.define(to, NodeKind::Tuple, true, &fields);
            return known.node;
        }
        let list = metadata.add(NodeKind::Tuple, true, &fields);
        self.make_flag(known.key, known.name, Md::Node(list).into(), true)
    }

    fn check_requirement(
        &mut self,
        requirement: MdRef,
        result: &[NodeId],
        places: &FxHashMap<Name, usize>,
    ) {
        let metadata = &self.linker.module.metadata;
        let Some(node) = requirement.node() else {
            return;
        };
        let (Some(name), Some(wanted)) = (metadata.operand(node, 0), metadata.operand(node, 1))
        else {
            return;
        };
        let Md::String(name) = name.get() else {
            return;
        };
        let flag = places
            .get(&name)
            .and_then(|&place| self.flag(result[place]));
        if flag.is_none_or(|flag| flag.value != wanted) {
            let name = self.linker.module.names.text(name).into_owned();
            let text = format!("the module flag `{name}` does not have the value that is required");
            let help = "compile all modules with the same options";
            self.linker.error(self.index, text, help, Vec::new());
        }
    }

    fn flag_error(&mut self, flag: Flag, what: &str) {
        let name = self.linker.module.names.text(flag.name).into_owned();
        let text = format!("the module flag `{name}` {what}");
        let help = "compile all modules with the same options";
        self.linker.error(self.index, text, help, Vec::new());
    }
}
