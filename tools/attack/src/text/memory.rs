//! Addresses, loads, stores, copies and calls.

use super::Writer;
use crate::interpret::operands;
use crate::program::{Arg, Id, Kind, Place};
use crate::ty::Ty;

/// The largest power of two that divides both.
fn common(a: u64, b: u64) -> u64 {
    let both = a | b;
    both & both.wrapping_neg()
}

impl Writer<'_> {
    pub(super) fn pointer_type(&self) -> String {
        pointer(self.kernel_space)
    }

    fn space(&self, object: usize) -> u32 {
        match &self.function.objects[object].kind {
            Kind::Input => self.kernel_space,
            Kind::Variable(space) | Kind::Table(space, _) => *space,
            _ => 0,
        }
    }

    pub(super) fn space_type(&self, object: usize) -> String {
        pointer(self.space(object))
    }

    /// An object's address as a generic one.
    fn generic(&mut self, object: usize) -> String {
        match self.space(object) {
            0 => format!("%o{object}"),
            space => self.value(&format!(
                "addrspacecast {} %o{object} to ptr",
                pointer(space)
            )),
        }
    }

    /// The address of a place with its type, and the alignment it has.
    fn address(&mut self, place: &Place, rest: &[Arg]) -> (String, u64) {
        let mut rest = rest.iter();
        let index = place.index.map(|(scale, bits)| {
            let arg = rest.next().expect("an index has an operand").clone();
            (scale, bits, arg)
        });
        let mut align = self.function.objects[place.object].align;
        let mut space = self.space(place.object);
        let mut at = format!("%o{}", place.object);
        if let Some(other) = place.other {
            let condition = rest.next().expect("a choice has an operand").clone();
            let condition = self.arg(&condition);
            align = align.min(self.function.objects[other].align);
            let (yes, no) = match self.space(other) == space {
                true => (at, format!("%o{other}")),
                false => {
                    let pair = (self.generic(place.object), self.generic(other));
                    space = 0;
                    pair
                }
            };
            let ty = pointer(space);
            at = self.value(&format!("select i1 {condition}, {ty} {yes}, {ty} {no}"));
        } else if space != 0 && self.chance.one_in(3) {
            at = self.generic(place.object);
            space = 0;
        }
        let ty = pointer(space);
        let first = self.chance.one_in(2);
        if place.offset != 0 && first {
            at = self.value(&format!(
                "getelementptr inbounds i8, {ty} {at}, i64 {}",
                place.offset
            ));
        }
        if let Some((scale, bits, arg)) = index {
            let number = self.index(bits, &arg);
            at = self.value(&format!(
                "getelementptr inbounds [{scale} x i8], {ty} {at}, {number}"
            ));
            align = common(align, scale);
        }
        if place.offset != 0 && !first {
            at = self.value(&format!(
                "getelementptr inbounds i8, {ty} {at}, i32 {}",
                place.offset
            ));
        }
        if place.offset != 0 {
            align = common(align, place.offset);
        }
        (format!("{ty} {at}"), align)
    }

    /// Some bits of an integer as an index, with its type.
    fn index(&mut self, bits: u32, arg: &Arg) -> String {
        let ty = self.function.ty(arg);
        let mut width = ty.scalar().width();
        let mut text = self.arg(arg);
        if width > 64 {
            width = if self.chance.one_in(2) { 64 } else { 32 };
            text = self.value(&format!("trunc {ty} {text} to i{width}"));
        }
        if bits >= width {
            text = self.value(&format!("zext i{width} {text} to i64"));
            return format!("i64 {text}");
        }
        let mask = (1u64 << bits) - 1;
        text = self.value(&format!("and i{width} {text}, {mask}"));
        match self.chance.below(3) {
            0 if width < 64 => {
                let cast = if self.chance.one_in(2) {
                    "zext"
                } else {
                    "sext"
                };
                text = self.value(&format!("{cast} i{width} {text} to i64"));
                format!("i64 {text}")
            }
            1 if width < 32 => {
                text = self.value(&format!("zext nneg i{width} {text} to i32"));
                format!("i32 {text}")
            }
            _ => format!("i{width} {text}"),
        }
    }

    /// An alignment that may be said: the real one, or less.
    fn said(&mut self, align: u64) -> u64 {
        match self.chance.below(6) {
            0 => 1,
            1 => (align / 2).max(1),
            _ => align,
        }
    }

    fn volatile(&mut self) -> &'static str {
        if self.chance.one_in(12) {
            "volatile "
        } else {
            ""
        }
    }

    pub(super) fn load(&mut self, id: Id, place: &Place, rest: &[Arg]) {
        let (at, align) = self.address(place, rest);
        let (align, volatile) = (self.said(align), self.volatile());
        let ty = &self.function.types[id];
        self.line(&format!(
            "%v{id} = load {volatile}{ty}, {at}, align {align}"
        ));
    }

    pub(super) fn store(&mut self, place: &Place, args: &[Arg]) {
        let (at, align) = self.address(place, &args[1..]);
        let (align, volatile) = (self.said(align), self.volatile());
        let value = self.typed(&args[0]);
        self.line(&format!("store {volatile}{value}, {at}, align {align}"));
    }

    pub(super) fn spill(&mut self, id: Id, from: usize, to: Option<usize>, arg: &Arg) {
        let whole = |object| Place {
            object,
            other: None,
            offset: 0,
            index: None,
        };
        let ty = self.function.ty(arg);
        self.store(&whole(from), std::slice::from_ref(arg));
        let last = match to {
            Some(to) => {
                self.copy(&whole(to), &whole(from), ty.alloc_size(), false, &[]);
                to
            }
            None => from,
        };
        self.load(id, &whole(last), &[]);
    }

    pub(super) fn copy(
        &mut self,
        to: &Place,
        from: &Place,
        bytes: u64,
        may_overlap: bool,
        args: &[Arg],
    ) {
        let (a, b) = args.split_at(operands(to).min(args.len()));
        let (to, to_align) = self.address(to, a);
        let (from, from_align) = self.address(from, b);
        let (to_align, from_align) = (self.said(to_align), self.said(from_align));
        let name = match may_overlap {
            true => "memmove",
            false if self.chance.one_in(8) => "memcpy.inline",
            false => "memcpy",
        };
        let ty = |text: &str| {
            text.rsplit_once(' ')
                .expect("a type stands first")
                .0
                .to_string()
        };
        let (to_ty, from_ty) = (ty(&to), ty(&from));
        let width = if self.chance.one_in(2) { 32 } else { 64 };
        let full = format!(
            "void @llvm.{name}.p{}.p{}.i{width}",
            number(&to_ty),
            number(&from_ty)
        );
        self.declares
            .insert(format!("{full}({to_ty}, {from_ty}, i{width}, i1)"));
        let at = |text: &str, align: u64| {
            let (ty, name) = text.rsplit_once(' ').expect("a type stands first");
            format!("{ty} align {align} {name}")
        };
        self.line(&format!(
            "call {full}({}, {}, i{width} {bytes}, i1 false)",
            at(&to, to_align),
            at(&from, from_align)
        ));
    }

    pub(super) fn set(&mut self, to: &Place, bytes: u64, args: &[Arg]) {
        let (at, align) = self.address(to, &args[1..]);
        let align = self.said(align);
        let value = self.typed(&args[0]);
        let (ty, name) = at.rsplit_once(' ').expect("a type stands first");
        let full = format!("void @llvm.memset.p{}.i64", number(ty));
        self.declares.insert(format!("{full}({ty}, i8, i64, i1)"));
        self.line(&format!(
            "call {full}({ty} align {align} {name}, {value}, i64 {bytes}, i1 false)"
        ));
    }

    pub(super) fn call(&mut self, id: Id, callee: usize, places: &[Place], args: &[Arg]) {
        let function = &self.program.functions[callee];
        let (values, mut rest) = args.split_at(function.params.len());
        let mut texts = Vec::new();
        for value in values {
            texts.push(self.typed(value));
        }
        for (object, place) in function.pointers().into_iter().zip(places) {
            let object = &function.objects[object];
            let (at, _) = self.address(place, rest);
            rest = &rest[operands(place)..];
            let (ty, name) = at.rsplit_once(' ').expect("a type stands first");
            let name = match ty {
                "ptr" => name.to_string(),
                _ => self.value(&format!("addrspacecast {at} to ptr")),
            };
            texts.push(match &object.kind {
                Kind::ByValue(ty) => format!("ptr byval({ty}) align {} {name}", object.align),
                _ => format!("ptr {name}"),
            });
        }
        let ty: &Ty = &self.function.types[id];
        let name = self.function_name(callee);
        self.line(&format!("%v{id} = call {ty} @{name}({})", texts.join(", ")));
    }
}

fn pointer(space: u32) -> String {
    match space {
        0 => "ptr".into(),
        _ => format!("ptr addrspace({space})"),
    }
}

fn number(ty: &str) -> u32 {
    let digits: String = ty.chars().filter(char::is_ascii_digit).collect();
    digits.parse().unwrap_or(0)
}
