//! Which accesses of a block become one.
//!
//! Accesses with one base are collected while nothing stands in their way: a load may join those before it
//! if no write since the first of them may touch what it reads; stores wait for others until an access may
//! touch what they write. Calls that may touch memory, atomics and fences end everything.

use super::address::{Base, Code, Place, overlap};
use super::{Chunk, WIDEST, accessed_type, address_of, element_size};
use rustc_hash::FxHashMap;
use warpc_nvvm::function::Body;
use warpc_nvvm::inst::{Access, Op};
use warpc_nvvm::layout::Layout;
use warpc_nvvm::module::GlobalId;
use warpc_nvvm::value::InstId;
use warpc_nvvm::{Effect, Module, effect_of};

/// Groups that are open at once: a bound for the work on large blocks.
const OPEN: usize = 32;
/// Writes that are remembered, and members of a group.
const REMEMBERED: usize = 64;

/// An access that may become a part of a vector.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Member {
    pub(super) inst: InstId,
    pub(super) offset: i64,
    pub(super) size: u64,
    /// What the access says about its alignment.
    align: u64,
}

/// Accesses with one base that may stand together.
struct Group {
    base: Base,
    members: Vec<Member>,
    /// How many writes there were before the first member.
    writes_before: usize,
}

/// The accesses that become one, of all blocks.
pub(super) fn chunks(
    module: &Module,
    body: &Body,
    function: GlobalId,
    layout: &Layout,
) -> Vec<Chunk> {
    let code = Code {
        module,
        body,
        function,
        layout,
    };
    let mut all = Vec::new();
    for &block in &body.order {
        let insts = body.blocks[block].insts.iter();
        let ops = insts.map(|&inst| body.insts[inst].op);
        let accesses = ops.filter(|op| matches!(op, Op::Load(_) | Op::Store(_)));
        if accesses.count() < 2 {
            continue;
        }
        let mut walk = Walk {
            code,
            loads: FxHashMap::default(),
            stores: Vec::new(),
            writes: Vec::new(),
            found: &mut all,
        };
        for &inst in &body.blocks[block].insts {
            walk.visit(inst);
        }
        walk.end();
    }
    all
}

struct Walk<'a> {
    code: Code<'a>,
    loads: FxHashMap<Base, Group>,
    stores: Vec<Group>,
    /// What was written since the last end of everything.
    writes: Vec<Place>,
    found: &'a mut Vec<Chunk>,
}

impl Walk<'_> {
    fn visit(&mut self, inst: InstId) {
        let (module, body) = (self.code.module, self.code.body);
        match body.insts[inst].op {
            Op::Load(access) => self.access(inst, access, true),
            Op::Store(access) => self.access(inst, access, false),
            _ => match effect_of(module, body, inst) {
                Effect::None | Effect::Leaves => {}
                Effect::Reads | Effect::Acts | Effect::Calls => self.end(),
            },
        }
    }

    fn access(&mut self, inst: InstId, access: Access, loads: bool) {
        let (module, body) = (self.code.module, self.code.body);
        if access.volatile || access.ordering != warpc_nvvm::inst::Ordering::Weak {
            return self.end();
        }
        let ty = accessed_type(module, body, inst);
        let size = self.code.layout.size(&module.types, ty);
        let place = self.code.place(address_of(body, inst), size);
        let part = element_size(module, self.code.layout, access, ty);
        let natural = self.code.layout.align(&module.types, ty);
        let member = part.map(|size| Member {
            inst,
            offset: place.offset,
            size,
            align: access
                .align
                .bytes()
                .unwrap_or(natural)
                .max(self.code.natural_align(&place)),
        });
        self.close_stores(&place, member.filter(|_| !loads));
        match (loads, member) {
            (true, Some(member)) => self.join_loads(place, member),
            (true, None) => {}
            (false, member) => {
                if self.writes.len() >= REMEMBERED {
                    self.end();
                }
                self.writes.push(place.clone());
                if let Some(member) = member {
                    self.join_stores(place, member);
                }
            }
        }
    }

    /// A load joins the loads with its base unless a write since the first of them may touch it.
    fn join_loads(&mut self, place: Place, member: Member) {
        if let Some(group) = self.loads.get_mut(&place.base) {
            let since = &self.writes[group.writes_before..];
            let free = since
                .iter()
                .all(|write| !self.code.may_overlap(write, &place));
            if free && group.members.len() < REMEMBERED {
                group.members.push(member);
                return;
            }
        }
        let group = Group {
            base: place.base.clone(),
            members: vec![member],
            writes_before: self.writes.len(),
        };
        if let Some(old) = self.loads.insert(place.base, group) {
            self.close(old, true);
        }
    }

    fn join_stores(&mut self, place: Place, member: Member) {
        if let Some(group) = self.stores.iter_mut().find(|g| g.base == place.base) {
            group.members.push(member);
            return;
        }
        if self.stores.len() >= OPEN {
            let oldest = self.stores.remove(0);
            self.close(oldest, false);
        }
        self.stores.push(Group {
            base: place.base,
            members: vec![member],
            writes_before: 0,
        });
    }

    /// Ends the groups of stores that cannot move past an access.
    fn close_stores(&mut self, place: &Place, joins: Option<Member>) {
        let mut at = 0;
        while at < self.stores.len() {
            let group = &self.stores[at];
            let touched = match group.base == place.base {
                true => group.members.iter().any(|member| {
                    overlap((member.offset, member.size), (place.offset, place.size))
                }),
                false => self.code.may_share(&group.base, &place.base),
            };
            let full = joins.is_some() && group.members.len() >= REMEMBERED;
            if touched || full && group.base == place.base {
                let group = self.stores.remove(at);
                self.close(group, false);
            } else {
                at += 1;
            }
        }
    }

    /// Nothing moves past this point.
    fn end(&mut self) {
        let mut groups: Vec<(Group, bool)> = std::mem::take(&mut self.loads)
            .into_values()
            .map(|group| (group, true))
            .collect();
        groups.extend(self.stores.drain(..).map(|group| (group, false)));
        // Tables have no order of their own; the result must have one.
        groups.sort_by_key(|(group, _)| group.members[0].inst);
        for (group, loads) in groups {
            self.close(group, loads);
        }
        self.writes.clear();
    }

    /// Makes vectors of what a group holds.
    fn close(&mut self, group: Group, loads: bool) {
        let mut members = group.members;
        if members.len() < 2 {
            return;
        }
        let order: FxHashMap<InstId, usize> = members
            .iter()
            .enumerate()
            .map(|(at, m)| (m.inst, at))
            .collect();
        members.sort_by_key(|member| (member.offset, order[&member.inst]));
        // Loads of the same bytes: one of them can be in a vector.
        members.dedup_by_key(|member| member.offset);
        let mut rest = &members[..];
        while let Some(first) = rest.first() {
            let len = longest(rest);
            if len < 2 {
                rest = &rest[1..];
                continue;
            }
            let (chosen, after) = rest.split_at(len);
            let by_order = |member: &&Member| order[&member.inst];
            let place = match loads {
                true => chosen.iter().min_by_key(by_order),
                false => chosen.iter().max_by_key(by_order),
            };
            self.found.push(Chunk {
                members: chosen.to_vec(),
                place: place.unwrap_or(first).inst,
                loads,
            });
            rest = after;
        }
    }
}

/// How many members from the first on make one access: neighbours of one size, a power of two of bytes that
/// the first is aligned to.
fn longest(members: &[Member]) -> usize {
    let first = members[0];
    let run = members
        .iter()
        .enumerate()
        .take_while(|(at, member)| {
            let distance = (*at as u64 * first.size) as i64;
            member.size == first.size && Some(member.offset) == first.offset.checked_add(distance)
        })
        .count();
    // An aligned neighbour says something about the first, too.
    let align = members[..run].iter().map(|member| {
        let distance = (member.offset - first.offset) as u64;
        match distance {
            0 => member.align,
            _ => member.align.min(1 << distance.trailing_zeros()),
        }
    });
    let align = align.max().unwrap_or(1);
    let mut len = 1;
    while 2 * len <= run && (2 * len) as u64 * first.size <= WIDEST.min(align) {
        len *= 2;
    }
    len
}

#[cfg(test)]
mod tests {
    use super::*;
    use warpc_nvvm::index::Id;

    fn member(offset: i64, size: u64, align: u64) -> Member {
        Member {
            inst: InstId::new(0),
            offset,
            size,
            align,
        }
    }

    #[test]
    fn vectors_are_as_long_as_alignment_allows() {
        let words = |align: u64| -> Vec<Member> {
            (0..5)
                .map(|i| member(4 * i, 4, if i == 0 { align } else { 4 }))
                .collect()
        };
        assert_eq!(longest(&words(4)), 1);
        assert_eq!(longest(&words(8)), 2);
        assert_eq!(longest(&words(16)), 4);
        assert_eq!(longest(&words(32)), 4);
        // The third says that the first is aligned to eight bytes.
        let mut some = words(4);
        some[2].align = 8;
        assert_eq!(longest(&some), 2);
        // A gap, and another size.
        assert_eq!(longest(&[member(0, 4, 16), member(8, 4, 4)]), 1);
        assert_eq!(longest(&[member(0, 4, 16), member(4, 8, 4)]), 1);
        assert_eq!(longest(&[member(0, 8, 16), member(8, 8, 8)]), 2);
    }
}
