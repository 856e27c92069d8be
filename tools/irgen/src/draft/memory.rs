//! Memory: places, addresses in them, loads, stores, copies.
//!
//! A place is either raw (bytes, read and written as anything without padding) or typed (read and
//! written only as what it holds, so that odd integers and padding are never seen as bytes).

use super::Draft;
use super::float::one_nan;
use crate::program::Operand;
use crate::ty::{Float, Ty};
use warpc_testkit::Random;

/// What is in a place.
#[derive(Clone, Debug)]
pub(super) enum Shape {
    /// Bytes, with the alignment of the first.
    Raw { bytes: u32, align: u32 },
    /// A value of a type.
    Typed(Ty),
}

/// Memory that may be used.
#[derive(Clone, Debug)]
pub(super) struct Place {
    pub pointer: Operand,
    pub space: u32,
    pub shape: Shape,
    pub writable: bool,
    /// The objects it may be in, as bits.
    pub objects: u64,
    /// Whether atomics work there: not on a thread's own memory.
    pub atomic: bool,
}

/// Type and value of an operand.
type Typed = (Operand, Ty);

impl Place {
    pub(super) fn operand(&self) -> Typed {
        (self.pointer.clone(), Ty::Ptr(self.space))
    }

    fn raw(&self) -> Option<(u32, u32)> {
        match self.shape {
            Shape::Raw { bytes, align } => Some((bytes, align)),
            Shape::Typed(_) => None,
        }
    }
}

/// A type that bytes can be read as.
fn raw_ty(random: &mut Random) -> Ty {
    let of = |random: &mut Random| match random.below(4) {
        0 => Ty::Float(random.pick(&Float::ALL)),
        _ => Ty::Int(random.pick(&[8, 8, 16, 32, 32, 64, 64, 128])),
    };
    match random.below(8) {
        0..5 => of(random),
        5 => Ty::Int(random.pick(&[24, 40, 48, 56, 96])),
        6 => {
            let of = of(random);
            let most = (32 * 8 / of.bits().unwrap_or(64)).min(16);
            Ty::Vector(random.pick(&[2, 2, 3, 4, 4, 8, 16]).min(most), Box::new(of))
        }
        _ => Ty::Array(
            random.pick(&[1, 2, 3, 4]),
            Box::new(Ty::Int(random.pick(&[8, 16, 32]))),
        ),
    }
}

fn raw_bytes(ty: &Ty) -> u32 {
    match ty {
        Ty::Array(n, of) => n * raw_bytes(of),
        other => other.bits().unwrap_or(0) / 8,
    }
}

impl Draft {
    /// A bit for a new object.
    pub(super) fn object(&mut self) -> u64 {
        1 << (self.id() % 64)
    }

    /// A place that a question holds for.
    pub(super) fn place(&mut self, wanted: impl Fn(&Place) -> bool) -> Option<Place> {
        let all: Vec<&Place> = self.places.iter().filter(|place| wanted(place)).collect();
        match all.is_empty() {
            true => None,
            false => Some(all[self.random.below(all.len())].clone()),
        }
    }

    pub(super) fn memory_step(&mut self) {
        match self.random.below(20) {
            0..6 => self.load_step(),
            6..11 => self.store_step(),
            11..13 => self.typed_load(),
            13..15 => self.typed_store(),
            15..18 => self.copy_step(),
            _ => self.pointer_step(),
        }
    }

    /// The address of some bytes of a raw place: lines that give `name`, and its alignment.
    pub(super) fn address(
        &mut self,
        place: &Place,
        size: u32,
        name: &str,
        operands: &mut Vec<Typed>,
    ) -> (String, u32) {
        let (bytes, align) = place.raw().unwrap_or((0, 1));
        let mut steps: Vec<u32> = [1, 2, 4, 8, 16].into();
        steps.retain(|step| *step <= align);
        let step = self.random.pick(&steps);
        let positions = (bytes.saturating_sub(size)) / step + 1;
        let ptr = Ty::Ptr(place.space);
        let base = operands.len();
        operands.push(place.operand());
        if self.random.chance(70) {
            let offset = self.random.below(positions as usize) as u32 * step;
            let known = 1 << (offset | align).trailing_zeros();
            let inbounds = self.random.pick(&["inbounds ", "", "nuw "]);
            return (
                format!("{name} = getelementptr {inbounds}i8, {ptr} ${base}, i64 {offset}\n"),
                known,
            );
        }
        let index = Ty::Int(self.random.pick(&[32, 32, 64, 16]));
        operands.push(self.typed(&index));
        let at = base + 1;
        let element = match step {
            4 => self
                .random
                .pick(&["i32", "float", "<2 x half>", "[4 x i8]"])
                .to_string(),
            8 => self
                .random
                .pick(&["i64", "double", "{ i32, i32 }"])
                .to_string(),
            step => format!("[{step} x i8]"),
        };
        let lines = format!(
            "{name}.i = urem {index} ${at}, {positions}\n\
             {name} = getelementptr inbounds {element}, {ptr} ${base}, {index} {name}.i\n"
        );
        (lines, step)
    }

    /// An alignment that may be claimed where this one holds.
    fn claimed(&mut self, known: u32) -> u32 {
        match self.random.chance(70) {
            true => known.min(16),
            false => {
                1 << self
                    .random
                    .below(known.min(16).trailing_zeros() as usize + 1)
            }
        }
    }

    /// A value of a type read as bytes from some place; `None` where there is no room for it.
    fn load_raw(&mut self, place: &Place, ty: &Ty) -> Option<Operand> {
        let size = raw_bytes(ty);
        if size == 0 || place.raw()?.0 < size {
            return None;
        }
        let mut operands = Vec::new();
        let (mut text, known) = self.address(place, size, "$r.p", &mut operands);
        let align = self.claimed(known);
        let volatile = if self.random.chance(8) {
            "volatile "
        } else {
            ""
        };
        let ptr = Ty::Ptr(place.space);
        if ty.float().is_some() {
            text += &format!("$r.l = load {volatile}{ty}, {ptr} $r.p, align {align}\n");
            text += &one_nan(ty, "$r.l", "$r");
        } else {
            text += &format!("$r = load {volatile}{ty}, {ptr} $r.p, align {align}");
        }
        Some(self.unit(ty, text, operands))
    }

    /// An input of a scalar or vector type.
    pub(super) fn input(&mut self, ty: &Ty) -> Operand {
        let constant = |draft: &mut Draft| Operand::Constant(draft.constant(ty));
        let Some(place) = self.place(|place| place.raw().is_some_and(|(bytes, _)| bytes >= 64))
        else {
            return constant(self);
        };
        let bits = ty.scalar().bits().unwrap_or(8);
        let whole = match (bits, matches!(ty, Ty::Vector(..))) {
            (8 | 16 | 32 | 64 | 128, _) | (24 | 40 | 48 | 96, false) => bits,
            _ => bits.next_power_of_two().max(8),
        };
        if whole == bits {
            return self.load_raw(&place, ty).unwrap_or_else(|| constant(self));
        }
        let wide = ty.with_scalar(Ty::Int(whole));
        let Some(value) = self.load_raw(&place, &wide) else {
            return constant(self);
        };
        self.unit(
            ty,
            format!("$r = trunc {wide} $0 to {ty}"),
            vec![(value, wide)],
        )
    }

    fn load_step(&mut self) {
        let ty = self.fresh(|_| true, raw_ty);
        if let Some(place) = self.place(|place| place.raw().is_some()) {
            self.load_raw(&place, &ty);
        }
    }

    fn store_step(&mut self) {
        let ty = self.fresh(|_| true, raw_ty);
        let size = raw_bytes(&ty);
        let Some(place) =
            self.place(|p| p.writable && p.raw().is_some_and(|(bytes, _)| bytes >= size))
        else {
            return;
        };
        let mut operands = vec![self.typed(&ty)];
        let (mut text, known) = self.address(&place, size, "$r.p", &mut operands);
        let align = self.claimed(known);
        let volatile = if self.random.chance(8) {
            "volatile "
        } else {
            ""
        };
        let ptr = Ty::Ptr(place.space);
        let mut name = "$0";
        if ty.float().is_some() {
            text += &one_nan(&ty, "$0", "$r.q");
            text.push('\n');
            name = "$r.q";
        }
        text += &format!("store {volatile}{ty} {name}, {ptr} $r.p, align {align}");
        self.effect(text, operands, Vec::new());
    }

    /// A part of a typed place: lines that give `$r.p`, its type, and whether it may be anywhere.
    fn part(&mut self, place: &Place, whole: &Ty, operands: &mut Vec<Typed>) -> (String, Ty, bool) {
        let ptr = Ty::Ptr(place.space);
        let base = operands.len();
        operands.push(place.operand());
        let (mut part, mut packed) = (whole.clone(), false);
        let (mut lines, mut path) = (String::new(), String::new());
        while part.is_aggregate() && self.random.chance(85) {
            packed |= matches!(part, Ty::Struct(true, _));
            let members = part.members();
            let mut index = self.random.below(members.len());
            if matches!(part, Ty::Array(..)) && self.random.chance(40) {
                let ty = Ty::Int(self.random.pick(&[32, 64]));
                let at = operands.len();
                operands.push(self.typed(&ty));
                lines += &format!("$r.i{at} = urem {ty} ${at}, {}\n", members.len());
                path += &format!(", {ty} $r.i{at}");
                index = 0;
            } else {
                path += &format!(", i32 {index}");
            }
            part = members[index].clone();
        }
        lines += &format!("$r.p = getelementptr inbounds {whole}, {ptr} ${base}, i32 0{path}\n");
        (lines, part, packed)
    }

    fn typed_place(&mut self, writable: bool) -> Option<(Place, Ty)> {
        let place =
            self.place(|p| matches!(p.shape, Shape::Typed(_)) && (p.writable || !writable))?;
        match place.shape.clone() {
            Shape::Typed(ty) => Some((place, ty)),
            Shape::Raw { .. } => None,
        }
    }

    fn typed_load(&mut self) {
        let Some((place, whole)) = self.typed_place(false) else {
            return self.load_step();
        };
        let mut operands = Vec::new();
        let (lines, part, packed) = self.part(&place, &whole, &mut operands);
        let align = if packed || self.random.chance(10) {
            ", align 1"
        } else {
            ""
        };
        let ptr = Ty::Ptr(place.space);
        self.unit(
            &part,
            format!("{lines}$r = load {part}, {ptr} $r.p{align}"),
            operands,
        );
    }

    fn typed_store(&mut self) {
        let Some((place, whole)) = self.typed_place(true) else {
            return self.store_step();
        };
        let mut operands = Vec::new();
        let (lines, part, packed) = self.part(&place, &whole, &mut operands);
        let align = if packed || self.random.chance(10) {
            ", align 1"
        } else {
            ""
        };
        let (ptr, last) = (Ty::Ptr(place.space), operands.len());
        operands.push(self.typed(&part));
        self.effect(
            format!("{lines}store {part} ${last}, {ptr} $r.p{align}"),
            operands,
            Vec::new(),
        );
    }

    /// `memset`, `memcpy` and `memmove`.
    fn copy_step(&mut self) {
        let Some(to) = self.place(|place| place.writable && place.raw().is_some()) else {
            return;
        };
        let kind = self.random.pick(&["set", "cpy", "move"]);
        // Only memmove may be given places that overlap. LLVM drops one between different spaces.
        let from = self.place(|place| {
            let fits = match kind {
                "move" => place.space == to.space,
                _ => place.objects & to.objects == 0,
            };
            place.raw().is_some() && fits
        });
        let Some(from) = from else { return };
        let room = to
            .raw()
            .map_or(0, |raw| raw.0)
            .min(from.raw().map_or(0, |raw| raw.0));
        let most = [4, 8, 16, 20, 32, 61, 100, 200][self.random.below(8)].min(room);
        let mut operands = Vec::new();
        let length = Ty::Int(self.random.pick(&[64, 64, 32]));
        let (mut text, to_align) = self.address(&to, most, "$r.p", &mut operands);
        let (to_ptr, from_ptr) = (Ty::Ptr(to.space), Ty::Ptr(from.space));
        let to_align = self.claimed(to_align);
        let mut from_align = 1;
        if kind != "set" {
            let (lines, known) = self.address(&from, most, "$r.q", &mut operands);
            from_align = self.claimed(known);
            text += &lines;
        }
        let count = if self.random.chance(60) {
            most.to_string()
        } else {
            let at = operands.len();
            operands.push(self.typed(&length));
            text += &format!("$r.n = urem {length} ${at}, {}\n", most + 1);
            "$r.n".into()
        };
        let volatile = if self.random.chance(5) {
            "true"
        } else {
            "false"
        };
        let (call, declare) = if kind == "set" {
            let name = format!("llvm.memset.p{}.{length}", to.space);
            let at = operands.len();
            operands.push(self.typed(&Ty::Int(8)));
            (
                format!(
                    "call void @{name}({to_ptr} align {to_align} $r.p, i8 ${at}, {length} {count}, i1 {volatile})"
                ),
                format!("void @{name}({to_ptr}, i8, {length}, i1)"),
            )
        } else {
            let name = format!("llvm.mem{kind}.p{}.p{}.{length}", to.space, from.space);
            (
                format!(
                    "call void @{name}({to_ptr} align {to_align} $r.p, {from_ptr} align {from_align} $r.q, {length} {count}, i1 {volatile})"
                ),
                format!("void @{name}({to_ptr}, {from_ptr}, {length}, i1)"),
            )
        };
        self.effect(text + &call, operands, vec![declare]);
    }

    /// A new address: of either of two places, in another space, or somewhere inside.
    fn pointer_step(&mut self) {
        let Some(one) = self.place(|place| place.raw().is_some_and(|(bytes, _)| bytes >= 32))
        else {
            return;
        };
        let Some((bytes, align)) = one.raw() else {
            return;
        };
        let ptr = Ty::Ptr(one.space);
        let mut place = one.clone();
        let (text, mut operands) = match self.random.below(4) {
            0 => {
                let other = self.place(|p| {
                    p.space == one.space && p.raw().is_some_and(|(bytes, _)| bytes >= 32)
                });
                let Some(other) = other else { return };
                let Some((other_bytes, other_align)) = other.raw() else {
                    return;
                };
                place.shape = Shape::Raw {
                    bytes: bytes.min(other_bytes),
                    align: align.min(other_align),
                };
                place.writable &= other.writable;
                place.atomic &= other.atomic;
                place.objects |= other.objects;
                let operands = vec![one.operand(), other.operand(), self.typed(&Ty::BOOL)];
                (format!("$r = select i1 $2, {ptr} $0, {ptr} $1"), operands)
            }
            1 if one.space != 0 => {
                place.space = 0;
                (
                    format!("$r = addrspacecast {ptr} $0 to ptr"),
                    vec![one.operand()],
                )
            }
            2 => (
                format!("$r.n = ptrtoint {ptr} $0 to i64\n$r = inttoptr i64 $r.n to {ptr}"),
                vec![one.operand()],
            ),
            _ => {
                let mut operands = Vec::new();
                let (lines, known) = self.address(&one, 16, "$r", &mut operands);
                place.shape = Shape::Raw {
                    bytes: 16,
                    align: known.min(16),
                };
                (lines.trim_end().into(), operands)
            }
        };
        operands.truncate(10);
        let id = self.push(Some(Ty::Ptr(place.space)), text, operands, Vec::new());
        place.pointer = Operand::Local(id);
        self.places.push(place);
    }
}
