//! Neighbouring loads, and neighbouring stores, of a block become one of 64 or 128 bits.
//!
//! ```text
//!   LDS a, [r+0x10]            LDS.128 t, [r+0x10]        STS [r], a                MOV t.0, a
//!   …                    ──►   MOV a, t.0                 …                  ──►    …
//!   LDS b, [r+0x14]            …                          STS [r+0x4], b            MOV t.1, b
//!   …                          MOV b, t.1                 …                         STS.64 [r], t
//! ```
//!
//! The wide load stands where the first one was and the wide store where the last one was; the moves are where the old ones
//! were, and go with `opt_copies` and `coalesce`. Accesses are made one where
//!
//! 1. they are weak, of one or two words, in the same form, of the same address but for the number, under the same guard;
//! 2. *the address is a multiple of the whole size* ([`Alignment`]), and every byte of it is accessed by one of them: no byte is
//!    read that the program does not read;
//! 3. between them nobody may access the bytes of those that move in another way, nothing orders accesses or leaves the
//!    block ([`Effect`]), and nobody writes the address or the guard. Accesses that are not weak are not passed, either.
//!
//! The order in which a thread makes weak accesses to different places is nobody's business in PTX.

use super::Pass;
use super::assign_registers::Limits;
use super::opt_memory::copy;
use crate::analysis::alias::{Effect, Location};
use crate::analysis::alignment::Alignment;
use crate::ir::{BlockId, File, Function, Guard, Inst, Op, Operand};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use std::cell::{OnceCell, RefCell};
use warpc_sass::{Marks, Shape, Value};

/// The pass.
pub(crate) const PASS: Pass = Pass {
    name: "opt_vectorize",
    run,
};

/// How many instructions an access is moved at most: what it loads is in registers for longer.
const MOST_APART: usize = 96;

/// Groups that are open at a time.
const MOST_OPEN: usize = 24;

/// Members of a group.
const MOST_MEMBERS: usize = 64;

/// Stores that later members of a group of loads are held against.
const MOST_PASSED: usize = 32;

/// An access of a group.
#[derive(Clone, Copy)]
struct Member {
    at: usize,
    from: i64,
    words: u8,
    data: Operand,
}

/// Accesses that may become one.
struct Group {
    shape: &'static Shape,
    guard: Option<Guard>,
    /// The operands of the first one.
    operands: SmallVec<[Operand; 6]>,
    place: Location,
    stores: bool,
    members: Vec<Member>,
    /// Of loads: the stores that may come after the first one, which a later member would have to pass.
    passed: SmallVec<[Location; 4]>,
}

/// Members of a group that become one access: the number in its address, and who they are.
struct Chunk {
    shape: &'static Shape,
    slot: usize,
    from: i64,
    stores: bool,
    members: SmallVec<[Member; 4]>,
}

fn run(function: &mut Function, _: &Limits) {
    let is_candidate = |inst: &&Inst| inst.is_weak() && data(inst).is_some();
    let all = function.blocks.iter().flat_map(|block| &block.insts);
    if all.filter(is_candidate).nth(1).is_none() {
        return;
    }
    // It is asked for before anything changes: nothing does without it.
    let alignment = OnceCell::new();
    for block in function.block_ids() {
        let alignment = || alignment.get_or_init(|| Alignment::of(function));
        let chunks = chunks(&function.blocks[block.index()].insts, &alignment);
        if !chunks.is_empty() {
            rebuild(function, block, &chunks);
        }
    }
}

/// The register that a load writes or a store reads, and how many words it has; nothing for less than a word.
fn data(inst: &Inst) -> Option<(Operand, u8)> {
    let mut all = (inst.shape.slots().iter().zip(&inst.operands)).filter(|(slot, _)| {
        !slot.in_address && slot.file == Some(warpc_sass::latency::File::Register)
    });
    let (slot, operand) = all.next()?;
    let words = slot.width.registers(u128::MAX).max(1);
    let narrow = ["U8", "S8", "U16", "S16"];
    let is_whole = words <= 2 && !narrow.iter().any(|one| inst.shape.has(one));
    let fits = match operand.op {
        Op::Reg(..) => operand.marks == Marks::NONE,
        op => op == Op::Value(Value::ZERO) && !slot.is_written(),
    };
    (all.next().is_none() && is_whole && fits).then_some((*operand, words))
}

/// The accesses of a block that become wider ones.
fn chunks<'a>(insts: &[Inst], alignment: &impl Fn() -> &'a Alignment) -> Vec<Chunk> {
    let mut open: Vec<Group> = Vec::new();
    let mut found = Vec::new();
    let mut close = |group: Group| split(group, alignment, &mut found);
    for (at, inst) in insts.iter().enumerate() {
        match Effect::of(inst) {
            Effect::None => {}
            Effect::Wall | Effect::Leaves | Effect::Touch(..) => {
                open.drain(..).for_each(&mut close);
            }
            Effect::Load(place) => {
                close_if(&mut open, &mut close, |group| {
                    group.is_far(at) || group.stores && group.meets(&place)
                });
                join(&mut open, &mut close, (at, inst), place, false);
            }
            Effect::Store(place) => {
                close_if(&mut open, &mut close, |group| {
                    group.is_far(at) || group.stores && group.meets(&place)
                });
                for group in open.iter_mut().filter(|group| !group.stores) {
                    group.passed.push(place.clone());
                }
                join(&mut open, &mut close, (at, inst), place, true);
            }
        }
        for written in inst.writes() {
            close_if(&mut open, &mut close, |group| {
                let is_guard = group.guard.is_some_and(|guard| guard.reg == written.0);
                is_guard || group.place.depends_on(written)
            });
        }
    }
    open.into_iter().for_each(close);
    found
}

/// Closes groups.
fn close_if(
    open: &mut Vec<Group>,
    close: &mut impl FnMut(Group),
    mut is_over: impl FnMut(&Group) -> bool,
) {
    let mut index = 0;
    while index < open.len() {
        match is_over(&open[index]) {
            true => close(open.remove(index)),
            false => index += 1,
        }
    }
}

/// Adds an access to the group that it is like, or begins another one.
fn join(
    open: &mut Vec<Group>,
    close: &mut impl FnMut(Group),
    (at, inst): (usize, &Inst),
    place: Location,
    stores: bool,
) {
    let Some((data, words)) = data(inst) else {
        return;
    };
    let from = place.from;
    let member = Member {
        at,
        from,
        words,
        data,
    };
    let like = open.iter().position(|group| {
        group.stores == stores
            && group.guard == inst.guard
            && same_form(group.shape, inst.shape)
            && group.has_operands_of(inst)
    });
    if let Some(index) = like {
        let group = &mut open[index];
        let passes = !group.passed.iter().any(|store| store.may_meet(&place));
        if passes && group.members.len() < MOST_MEMBERS {
            group.members.push(member);
            return;
        }
        close(open.remove(index));
    }
    if open.len() >= MOST_OPEN {
        close(open.remove(0));
    }
    // Stores before the first load may become one with a later one, which is after it.
    let later = open.iter().filter(|group| group.stores && !stores);
    let passed = later.flat_map(Group::places).collect();
    open.push(Group {
        shape: inst.shape,
        guard: inst.guard,
        operands: inst.operands.clone(),
        place,
        stores,
        members: vec![member],
        passed,
    });
}

/// Whether two shapes are the same but for their size.
fn same_form(one: &'static Shape, other: &'static Shape) -> bool {
    let is_other = |word: &&str| !matches!(*word, "64" | "128");
    let words = |shape: &'static Shape| shape.name().split('.').filter(is_other);
    one == other || words(one).eq(words(other))
}

impl Group {
    fn is_far(&self, at: usize) -> bool {
        let first = self.members.first().map_or(at, |one| one.at);
        at - first > MOST_APART || self.passed.len() >= MOST_PASSED
    }

    /// Whether an access of the same form has the same operands but for the number and what is loaded or stored: also the
    /// same descriptor or cache policy.
    fn has_operands_of(&self, inst: &Inst) -> bool {
        let slots = inst.shape.slots().iter().enumerate();
        let mut all = slots.zip(self.operands.iter().zip(&inst.operands));
        self.operands.len() == inst.operands.len()
            && all.all(|((number, slot), (own, other))| {
                let is_data =
                    !slot.in_address && slot.file == Some(warpc_sass::latency::File::Register);
                number == self.place.slot || is_data || own == other
            })
    }

    /// The locations of the members.
    fn places(&self) -> impl Iterator<Item = Location> + '_ {
        self.members.iter().map(|member| {
            let mut place = self.place.clone();
            place.from = member.from;
            place.bytes = member.bytes();
            place
        })
    }

    /// Whether an access may be to the place of a member.
    fn meets(&self, place: &Location) -> bool {
        // As `Location::may_meet`, for all at once.
        let is_same = self.place.space == place.space && self.place.base == place.base;
        let meets = |one: &Member| {
            one.from < place.from + place.bytes && place.from < one.from + one.bytes()
        };
        self.place.may_be_in(place.space) && (!is_same || self.members.iter().any(meets))
    }

    /// How many of the lowest bits of the address are zero, but for the number.
    fn zeros(&self, alignment: &Alignment) -> u8 {
        let parts = self.place.base.iter();
        let zeros = parts.map(|operand| alignment.operand(*operand));
        zeros.min().unwrap_or(u8::MAX)
    }
}

impl Member {
    fn bytes(&self) -> i64 {
        4 * i64::from(self.words)
    }
}

/// Finds members of a group that are next to each other, where the address of the first is a multiple of all their bytes.
fn split<'a>(mut group: Group, alignment: &impl Fn() -> &'a Alignment, found: &mut Vec<Chunk>) {
    if group.members.len() < 2 {
        return;
    }
    let zeros = group.zeros(alignment());
    if zeros < 3 {
        return;
    }
    // What is loaded twice is loaded once and once again.
    group.members.sort_by_key(|one| (one.from, one.at));
    group
        .members
        .dedup_by(|next, one| next.from < one.from + one.bytes());
    let mut rest = &mut group.members[..];
    while let Some(first) = rest.first() {
        let from = first.from;
        let chunk = [16, 8].into_iter().find_map(|bytes| {
            let is_aligned = from % bytes == 0 && (1i64 << zeros.min(16)) % bytes == 0;
            let mut end = from;
            let mut count = 0;
            for one in &*rest {
                if one.from != end || end >= from + bytes {
                    break;
                }
                end += one.bytes();
                count += 1;
            }
            let shape = || wider(group.shape, bytes);
            let is_one = is_aligned && count > 1 && end == from + bytes;
            is_one.then(shape).flatten().map(|shape| (shape, count))
        });
        let Some((shape, count)) = chunk else {
            rest = &mut rest[1..];
            continue;
        };
        let (members, others) = rest.split_at_mut(count);
        found.push(Chunk {
            shape,
            slot: group.place.slot,
            from,
            stores: group.stores,
            members: members.iter().copied().collect(),
        });
        rest = others;
    }
}

thread_local! {
    /// Wider forms that this thread was asked for.
    static WIDER: RefCell<FxHashMap<(usize, i64), Option<&'static Shape>>> = RefCell::default();
}

/// The same access of so many bytes.
fn wider(shape: &'static Shape, bytes: i64) -> Option<&'static Shape> {
    // Shapes live for ever.
    let key = (std::ptr::from_ref(shape).addr(), bytes);
    let known = WIDER.with_borrow(|known| known.get(&key).copied());
    known.unwrap_or_else(|| {
        let size = if bytes == 16 { ".128" } else { ".64" };
        let has_slots = |other: &&'static Shape| {
            let kinds = |one: &'static Shape| one.slots().iter().map(|slot| slot.kind());
            same_form(shape, other) && other.has(&size[1..]) && kinds(shape).eq(kinds(other))
        };
        let found = shape.with(size).filter(has_slots);
        WIDER.with_borrow_mut(|known| known.insert(key, found));
        found
    })
}

/// Puts wide accesses into a block.
fn rebuild(function: &mut Function, block: BlockId, chunks: &[Chunk]) {
    // For each member its chunk, and the words of the chunk before it.
    let mut places: FxHashMap<usize, (usize, u8)> = FxHashMap::default();
    let mut tuples = Vec::with_capacity(chunks.len());
    for (number, chunk) in chunks.iter().enumerate() {
        let mut words = 0;
        for member in &chunk.members {
            places.insert(member.at, (number, words));
            words += member.words;
        }
        let zero = Op::Value(Value::ZERO);
        let is_zero = chunk.members.iter().all(|one| one.data.op == zero);
        tuples.push(match is_zero {
            true => zero,
            false => Op::Reg(function.reg(File::Register, words), 0),
        });
    }
    let insts = std::mem::take(&mut function.blocks[block.index()].insts);
    let mut new = Vec::with_capacity(insts.len() + chunks.len());
    for (at, inst) in insts.into_iter().enumerate() {
        let Some((number, words)) = places.get(&at).copied() else {
            new.push(inst);
            continue;
        };
        let (chunk, tuple) = (&chunks[number], tuples[number]);
        let at_all = || chunk.members.iter().map(|one| one.at);
        let wide = || {
            let mut wide = inst.clone();
            wide.shape = chunk.shape;
            wide.operands[chunk.slot].op = Op::Value(Value::Number(chunk.from));
            let slots = chunk.shape.slots().iter();
            for (slot, operand) in slots.zip(&mut wide.operands) {
                if !slot.in_address && slot.file == Some(warpc_sass::latency::File::Register) {
                    operand.op = tuple;
                }
            }
            wide
        };
        if !chunk.stores && at_all().min() == Some(at) {
            new.push(wide());
        }
        let own = chunk.members.iter().find(|one| one.at == at);
        if let (Some(own), Op::Reg(tuple, _)) = (own, tuple) {
            for word in 0..own.words {
                let part = Op::Reg(tuple, words + word);
                let data = match own.data.op {
                    Op::Reg(reg, lane) => Op::Reg(reg, lane + word),
                    op => op,
                };
                let (to, from) = match chunk.stores {
                    true => (part, data),
                    false => (data, part),
                };
                new.extend(copy(function, &inst, to, from));
            }
        }
        if chunk.stores && at_all().max() == Some(at) {
            new.push(wide());
        }
    }
    function.blocks[block.index()].insts = new;
}
