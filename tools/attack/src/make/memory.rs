//! Objects, places in them, loads, stores, copies and calls.

use super::body::Body;
use super::ty;
use crate::program::{Arg, Id, Kind, Object, Op, Place};
use crate::ty::{Scalar, Ty};

/// Whether every byte of a value in memory is a part of it.
fn is_solid(ty: &Ty) -> bool {
    let zeros = vec![0; ty.leaves().len()];
    ty.is_whole() && ty.to_bytes(&zeros).iter().all(Option::is_some)
}

fn has_fp(ty: &Ty) -> bool {
    ty.leaves().iter().any(|leaf| matches!(leaf, Scalar::Fp(_)))
}

impl Body<'_> {
    /// A type for memory.
    fn solid(&mut self) -> Ty {
        for _ in 0..20 {
            let ty = match self.chance.one_in(2) {
                true => self.chance.of(&self.types.clone()),
                false => ty(self.family, self.chance),
            };
            if is_solid(&ty) && ty.store_size() <= 32 {
                return ty;
            }
        }
        Ty::int(self.chance.of(&[8, 16, 24, 32, 64, 128]))
    }

    /// A place for so many bytes, with its operands.
    fn place(&mut self, bytes: u64, align: u64, writes: bool) -> Option<(Place, Vec<Arg>)> {
        let fits = |i: &usize| {
            let object = &self.function.objects[*i];
            object.size >= bytes && object.align >= align && (object.is_writable() || !writes)
        };
        let fitting: Vec<usize> = self.general.iter().copied().filter(fits).collect();
        if fitting.is_empty() {
            return None;
        }
        let object = self.chance.of(&fitting);
        let mut room = self.function.objects[object].size - bytes;
        let mut args = Vec::new();
        let mut other = None;
        if fitting.len() > 1 && self.chance.one_in(6) {
            let second = self.chance.of(&fitting);
            room = room.min(self.function.objects[second].size - bytes);
            other = Some(second);
        }
        let step = match self.chance.one_in(3) {
            true => align,
            false => align.max(bytes.next_power_of_two().min(16)),
        };
        let mut offset = self.chance.below((room / step + 1) as usize) as u64 * step;
        let mut index = None;
        if self.chance.one_in(3) {
            let scale = self.chance.of(&[1u64, 2, 4, 8, 12, 16]);
            let scale = scale.next_multiple_of(align);
            offset = offset.min(room) / 2 / align * align;
            let mut bits = 0;
            while bits < 6 && offset + scale * ((2 << bits) - 1) <= room {
                bits += 1;
            }
            let scalars = |id: &Id| matches!(self.function.types[*id], Ty::One(Scalar::Int(_)));
            let all: Vec<Id> = self.known.iter().copied().filter(scalars).collect();
            if bits > 0 && !all.is_empty() {
                index = Some((scale, bits));
                args.push(Arg::Local(self.chance.of(&all)));
            }
        }
        if other.is_some() {
            args.push(self.condition());
        }
        let place = Place {
            object,
            other,
            offset,
            index,
        };
        Some((place, args))
    }

    /// Gives all objects their first bytes.
    pub(super) fn fill_memory(&mut self) {
        for object in 0..self.function.objects.len() {
            let Object { kind, size, .. } = self.function.objects[object].clone();
            if !matches!(kind, Kind::Stack | Kind::Variable(_)) {
                continue;
            }
            let whole = |object| Place {
                object,
                other: None,
                offset: 0,
                index: None,
            };
            let input = self
                .function
                .objects
                .first()
                .map(|object| object.kind.clone());
            if input == Some(Kind::Input)
                && self.function.objects[0].size >= size
                && !self.chance.one_in(4)
            {
                let mut from = whole(0);
                let room = self.function.objects[0].size - size;
                from.offset = self.chance.below(room as usize + 1) as u64;
                let op = Op::Copy {
                    to: whole(object),
                    from,
                    bytes: size,
                    may_overlap: false,
                };
                self.add(Ty::int(1), op, Vec::new());
            } else {
                let byte = Arg::Const(Ty::int(8), vec![self.chance.edge(8)]);
                let op = Op::Set {
                    to: whole(object),
                    bytes: size,
                };
                self.add(Ty::int(1), op, vec![byte]);
            }
        }
    }

    /// A value of the kernel's input.
    pub(super) fn input(&mut self) {
        let mut ty = self.solid();
        for wish in self.types.clone() {
            let known = self.known.iter().any(|id| self.function.types[*id] == wish);
            if !known && is_solid(&wish) && wish.store_size() <= 64 {
                ty = wish;
                break;
            }
        }
        let size = self.function.objects[0].size;
        let align = ty.align().min(16);
        let offset = self
            .chance
            .below(((size - ty.store_size()) / align + 1) as usize) as u64
            * align;
        let place = Place {
            object: 0,
            other: None,
            offset,
            index: None,
        };
        self.loaded(ty, place, Vec::new());
    }

    /// Loads; NaNs become the one.
    fn loaded(&mut self, ty: Ty, place: Place, args: Vec<Arg>) {
        let fp = has_fp(&ty);
        let value = self.add(ty.clone(), Op::Load(place), args);
        if !fp {
            return;
        }
        // What was loaded may be a signalling NaN: only what is made of it is used.
        self.known.pop();
        self.purified(value, &ty);
    }

    /// The parts of a value without signalling NaNs.
    fn purified(&mut self, value: Arg, ty: &Ty) {
        match ty {
            Ty::Struct(_, fields) => {
                for (i, field) in fields.iter().enumerate() {
                    let inner = self.add(field.clone(), Op::GetField(i), vec![value.clone()]);
                    if has_fp(field) {
                        self.known.pop();
                        self.purified(inner, field);
                    }
                }
            }
            _ => {
                self.add(ty.clone(), Op::Canonical, vec![value]);
            }
        }
    }

    /// A value whose bits may be seen.
    pub(super) fn visible(&mut self, arg: Arg) -> Arg {
        let ty = self.function.ty(&arg);
        match ty.is_fp() {
            true => self.add(ty, Op::Canonical, vec![arg]),
            false => arg,
        }
    }

    pub(super) fn grow_load(&mut self) {
        let ty = self.solid();
        if let Some((place, args)) = self.place(ty.store_size(), 1, false) {
            self.loaded(ty, place, args);
        }
    }

    pub(super) fn grow_store(&mut self) {
        let ty = self.solid();
        if matches!(ty, Ty::Struct(..)) && has_fp(&ty) {
            return;
        }
        let value = match self.chance.one_in(3) {
            true => Arg::Const(ty.clone(), ty.any(self.chance)),
            false => self.pick(&ty),
        };
        let value = match &value {
            Arg::Local(_) => self.visible(value),
            Arg::Const(..) => value,
        };
        if let Some((place, mut args)) = self.place(ty.store_size(), 1, true) {
            args.insert(0, value);
            self.add(ty, Op::Store(place), args);
            self.known.pop();
        }
    }

    pub(super) fn grow_copy(&mut self) {
        let bytes = match self.chance.one_in(2) {
            true => self.chance.of(&[1, 2, 3, 4, 7, 8, 12, 16, 31, 32]),
            false => 1 + self.chance.below(40) as u64,
        };
        let Some((to, mut args)) = self.place(bytes, 1, true) else {
            return;
        };
        let Some((from, more)) = self.place(bytes, 1, false) else {
            return;
        };
        args.extend(more);
        let places = [Some(to.object), to.other, Some(from.object), from.other];
        let places: Vec<usize> = places.into_iter().flatten().collect();
        let passed = |object: &&usize| self.function.objects[**object].kind == Kind::Reference;
        let references = places.iter().filter(passed).count();
        let mut apart = references < 2;
        for (i, a) in places.iter().enumerate() {
            apart &= !places[i + 1..].contains(a);
        }
        let op = Op::Copy {
            to,
            from,
            bytes,
            may_overlap: !apart || self.chance.one_in(4),
        };
        self.add(Ty::int(1), op, args);
    }

    pub(super) fn grow_set(&mut self) {
        let bytes = 1 + self.chance.below(48) as u64;
        let byte = self.pick(&Ty::int(8));
        if let Some((to, mut args)) = self.place(bytes, 1, true) {
            args.insert(0, byte);
            self.add(Ty::int(1), Op::Set { to, bytes }, args);
        }
    }

    /// Any value through memory of its own.
    pub(super) fn grow_spill(&mut self) {
        let Some(id) = self.some() else {
            return;
        };
        let ty = self.function.types[id].clone();
        let value = self.visible(Arg::Local(id));
        let kernel = matches!(
            self.function.objects.first().map(|o| &o.kind),
            Some(Kind::Input)
        );
        let object = |body: &mut Self| {
            let kind = match body.chance.below(4) {
                0 if kernel => Kind::Variable(body.chance.of(&[1, 3])),
                _ => Kind::Stack,
            };
            let align = match body.chance.one_in(3) {
                true => body.chance.of(&[1, 2, 4, 8, 16]),
                false => ty.align().min(16),
            };
            let size = ty.alloc_size();
            body.function.objects.push(Object { kind, size, align });
            body.function.objects.len() - 1
        };
        let first = object(self);
        let second = self.chance.one_in(3).then(|| object(self));
        self.add(ty, Op::Spill(first, second), vec![value]);
    }

    pub(super) fn grow_call(&mut self) {
        if self.callees.is_empty() {
            return;
        }
        let number = self.chance.below(self.callees.len());
        let callee = &self.callees[number];
        let mut places = Vec::new();
        let mut rest = Vec::new();
        for pointer in callee.pointers() {
            let Object { kind, size, align } = &callee.objects[pointer];
            let writes = *kind == Kind::Reference;
            let Some((place, args)) = self.place(*size, *align, writes) else {
                return;
            };
            places.push(place);
            rest.extend(args);
        }
        let mut args = Vec::new();
        for ty in &callee.params {
            args.push(self.pick(ty));
        }
        args.extend(rest);
        let ty = callee.results[0].clone();
        self.add(ty, Op::Call(number, places), args);
    }

    /// At the end, some of the memory becomes values, so that stores matter.
    pub(super) fn look_at_memory(&mut self) {
        for object in self.general.clone() {
            let Object { kind, size, .. } = &self.function.objects[object];
            if *kind == Kind::Input || matches!(kind, Kind::Table(..)) {
                continue;
            }
            let ty = match size {
                16.. => Ty::Vector(4, Scalar::Int(32)),
                8.. => Ty::int(64),
                _ => Ty::int(8),
            };
            let room = size - ty.store_size();
            for offset in [0, room] {
                let place = Place {
                    object,
                    other: None,
                    offset,
                    index: None,
                };
                self.add(ty.clone(), Op::Load(place), Vec::new());
            }
        }
    }
}
