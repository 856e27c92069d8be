//! Loads and stores of every type.
//!
//! A type is cut into pieces: a run of bytes in memory and the part of the value they belong to. Pieces
//! that lie beside each other go together into a vector as wide as the alignment allows; a piece that is
//! less aligned than it is long is moved in shorter ones.

use super::address::{Address, Space};
use super::{Regs, Selector};
use crate::code::{Arg, Args, Class, Reg};
use crate::unit::Refused;
use warpc_diag::codes;
use warpc_nvvm::inst::Access;
use warpc_nvvm::types::{Type, TypeId};
use warpc_nvvm::value::InstId;

/// A part of a value in memory.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Piece {
    /// Where it starts, in bytes from the start of the value.
    pub offset: u64,
    /// How many bytes it has: 1 to 8.
    pub bytes: u32,
    /// The class of its register.
    pub class: Class,
    /// The bits that mean something.
    pub bits: u32,
    /// Whether a load fills the register with the sign.
    pub signed: bool,
}

impl Selector<'_, '_> {
    /// The pieces of a type, one for each part, in order.
    pub(super) fn pieces(&mut self, ty: TypeId) -> Result<Vec<Piece>, Refused> {
        let parts = self.parts(ty)?;
        let mut offsets = Vec::with_capacity(parts.len());
        self.leaf_offsets(ty, 0, &mut offsets)?;
        Ok(parts
            .iter()
            .zip(offsets)
            .map(|(part, offset)| Piece {
                offset,
                bytes: part.bits.div_ceil(8),
                class: part.class,
                bits: part.bits,
                signed: false,
            })
            .collect())
    }

    /// Where each part of a type starts in memory.
    fn leaf_offsets(
        &mut self,
        ty: TypeId,
        base: u64,
        offsets: &mut Vec<u64>,
    ) -> Result<(), Refused> {
        // What has no parts is not looked into: it may hold very many others that have none.
        if self.parts(ty)?.is_empty() {
            return Ok(());
        }
        let module = self.module;
        let types = &module.types;
        let count = match types.get(ty) {
            Type::Array { len, .. } => len,
            Type::Vector { len, element, .. } => {
                let lanes = crate::shape::lanes(module, element, len);
                if lanes > 1 {
                    offsets.extend((0..len / lanes).map(|part| base + 4 * u64::from(part)));
                    return Ok(());
                }
                if !self.unit.layout.bits(types, element).is_multiple_of(8) {
                    let message =
                        "vectors of elements that are not whole bytes are not supported in memory";
                    return Err(self.refuse(codes::UNSUPPORTED, message));
                }
                u64::from(len)
            }
            Type::Struct { .. } | Type::Named(_) => types.fields(ty).map_or(0, <[_]>::len) as u64,
            _ => {
                let parts = self.parts(ty)?.len() as u64;
                offsets.extend((0..parts).map(|part| base + 8 * part));
                return Ok(());
            }
        };
        for index in 0..count {
            let offset = self.unit.layout.offset(types, ty, index).unwrap_or(0);
            let Some(member) = types.member(ty, index) else {
                break;
            };
            self.leaf_offsets(member, base + offset, offsets)?;
        }
        Ok(())
    }

    pub(super) fn load(&mut self, inst: InstId, access: Access) -> Result<(), Refused> {
        let ty = self.body.insts[inst].ty;
        let results = self.results(inst)?;
        let pointer = self.body.operands(inst)[0];
        let address = self.address(pointer)?;
        let mut prefix = self.access_prefix("ld", access, address.space)?;
        prefix.push_str(self.cache_modifiers(inst, access, address.space, pointer));
        let align = self.alignment(access, ty);
        if self.loads_signed(inst) {
            let mut pieces = self.pieces(ty)?;
            pieces[0].signed = true;
            return self.load_group(&prefix, address, &pieces, &results, align);
        }
        self.load_parts(&prefix, address, ty, &results, align)
    }

    /// Loads the parts of a value of a type from an address.
    pub(super) fn load_parts(
        &mut self,
        prefix: &str,
        address: Address,
        ty: TypeId,
        regs: &[Reg],
        align: u64,
    ) -> Result<(), Refused> {
        let Some(pieces) = self.bit_packed(ty) else {
            if self.has_bit_packed(ty) {
                return self.each_member(ty, |this, member, offset, range| {
                    let (place, align) = member_place(address, align, offset);
                    this.load_parts(prefix, place, member, &regs[range], align)
                });
            }
            let pieces = self.pieces(ty)?;
            return self.load_pieces(prefix, address, &pieces, regs, align);
        };
        let limbs: Regs = pieces
            .iter()
            .map(|piece| self.code.reg(piece.class))
            .collect();
        self.load_pieces(prefix, address, &pieces, &limbs, align)?;
        let bits: Args = limbs.iter().map(|&reg| reg.into()).collect();
        let words = match pieces[0].class {
            Class::B64 => self.words_of(&bits)?,
            _ => bits.to_vec(),
        };
        let made = self.words_as(ty, &words)?;
        for (&to, &from) in regs.iter().zip(&made) {
            if !self.redirect(from, to) {
                self.copy(to, from)?;
            }
        }
        Ok(())
    }

    fn load_pieces(
        &mut self,
        prefix: &str,
        address: Address,
        pieces: &[Piece],
        regs: &[Reg],
        align: u64,
    ) -> Result<(), Refused> {
        for (from, to) in self.groups(prefix, pieces, align, address.space) {
            self.load_group(prefix, address, &pieces[from..to], &regs[from..to], align)?;
        }
        Ok(())
    }

    /// Whether a member of a struct or array is a vector whose elements are not whole bytes.
    fn has_bit_packed(&mut self, ty: TypeId) -> bool {
        let module = self.module;
        match module.types.get(ty) {
            // What has no parts, or too many, is found where the parts are asked for.
            Type::Array { .. } | Type::Struct { .. } | Type::Named(_)
                if self.parts(ty).map_or(true, |parts| parts.is_empty()) =>
            {
                false
            }
            Type::Array { element, len } => len > 0 && self.has_bit_packed(element),
            Type::Struct { .. } | Type::Named(_) => {
                let fields = module.types.fields(ty).unwrap_or(&[]);
                fields.iter().any(|&field| self.has_bit_packed(field))
            }
            _ => self.bit_packed(ty).is_some(),
        }
    }

    /// Calls a function with each member of a struct or array, where it starts in memory, and its parts.
    fn each_member(
        &mut self,
        ty: TypeId,
        mut call: impl FnMut(&mut Self, TypeId, u64, std::ops::Range<usize>) -> Result<(), Refused>,
    ) -> Result<(), Refused> {
        let types = &self.module.types;
        let count = match types.get(ty) {
            Type::Array { len, .. } => len,
            _ => types.fields(ty).map_or(0, <[_]>::len) as u64,
        };
        let mut start = 0;
        let has_parts = !self.parts(ty)?.is_empty();
        let types = &self.module.types;
        for index in (0..count).take_while(|_| has_parts) {
            let Some(member) = types.member(ty, index) else {
                break;
            };
            let offset = self.unit.layout.offset(types, ty, index).unwrap_or(0);
            let len = self.parts(member)?.len();
            call(self, member, offset, start..start + len)?;
            start += len;
        }
        Ok(())
    }

    /// The pieces of a vector whose elements are not whole bytes: in memory they stand bit by bit, as an
    /// integer would.
    fn bit_packed(&mut self, ty: TypeId) -> Option<Vec<Piece>> {
        let (element, _) = self.vector_shape(ty)?;
        let types = &self.module.types;
        if self.unit.layout.bits(types, element).is_multiple_of(8) {
            return None;
        }
        let bits = self.unit.layout.bits(types, ty) as u32;
        let limbs = (0..bits.div_ceil(64)).map(|limb| {
            let left = (bits - 64 * limb).min(64);
            Piece {
                offset: 8 * u64::from(limb),
                bytes: left.div_ceil(8),
                class: if bits > 32 { Class::B64 } else { Class::B32 },
                bits: left,
                signed: false,
            }
        });
        Some(limbs.collect())
    }

    pub(super) fn store(&mut self, inst: InstId, access: Access) -> Result<(), Refused> {
        let operands = self.body.operands(inst);
        let (value, pointer) = (operands[0], operands[1]);
        let ty = self.type_of(value);
        let args = self.args(value)?;
        let address = self.address(pointer)?;
        let mut prefix = self.access_prefix("st", access, address.space)?;
        prefix.push_str(self.cache_modifiers(inst, access, address.space, pointer));
        let align = self.alignment(access, ty);
        self.store_parts(&prefix, address, ty, &args, align)
    }

    /// Stores the parts of a value of a type at an address.
    pub(super) fn store_parts(
        &mut self,
        prefix: &str,
        address: Address,
        ty: TypeId,
        values: &[Arg],
        align: u64,
    ) -> Result<(), Refused> {
        let Some(pieces) = self.bit_packed(ty) else {
            if self.has_bit_packed(ty) {
                return self.each_member(ty, |this, member, offset, range| {
                    let (place, align) = member_place(address, align, offset);
                    this.store_parts(prefix, place, member, &values[range], align)
                });
            }
            let pieces = self.pieces(ty)?;
            return self.store_pieces(prefix, address, &pieces, values, align);
        };
        let words = self.words(ty, values)?;
        if pieces[0].class != Class::B64 {
            return self.store_pieces(prefix, address, &pieces, &words, align);
        }
        let mut limbs = Args::new();
        for pair in words.chunks(2) {
            let high = pair.get(1).copied().unwrap_or(Arg::Int(0));
            limbs.push(self.limb_of(pair[0], high)?);
        }
        self.store_pieces(prefix, address, &pieces, &limbs, align)
    }

    fn store_pieces(
        &mut self,
        prefix: &str,
        address: Address,
        pieces: &[Piece],
        values: &[Arg],
        align: u64,
    ) -> Result<(), Refused> {
        for (from, to) in self.groups(prefix, pieces, align, address.space) {
            self.store_group(prefix, address, &pieces[from..to], &values[from..to], align)?;
        }
        Ok(())
    }

    fn alignment(&self, access: Access, ty: TypeId) -> u64 {
        let natural = self.unit.layout.align(&self.module.types, ty);
        access.align.bytes().unwrap_or(natural)
    }

    /// `ld.volatile.global`
    fn access_prefix(
        &mut self,
        opcode: &str,
        access: Access,
        space: Space,
    ) -> Result<String, Refused> {
        // Nobody else sees local memory and parameters; constant memory does not change.
        let shared = !matches!(space, Space::Local | Space::Param | Space::Const);
        let volatile = if access.volatile && shared {
            ".volatile"
        } else {
            ""
        };
        Ok(format!("{opcode}{volatile}{}", space.modifier()))
    }

    /// Runs of pieces that one instruction moves.
    fn groups(
        &mut self,
        prefix: &str,
        pieces: &[Piece],
        align: u64,
        space: Space,
    ) -> Vec<(usize, usize)> {
        let mut groups = Vec::new();
        let mut start = 0;
        while start < pieces.len() {
            let first = pieces[start];
            let size = first.bytes;
            let mut len = 1;
            if size.is_power_of_two() {
                let aligned = |count: usize| {
                    let bytes = u64::from(size) * count as u64;
                    align.is_multiple_of(bytes) && first.offset.is_multiple_of(bytes)
                };
                let beside = |count: usize| {
                    pieces[start..].len() >= count
                        && (1..count).all(|i| {
                            let piece = pieces[start + i];
                            // A half and a short integer have registers of different sizes.
                            memory_type(piece) == memory_type(first)
                                && piece.bytes == size
                                && piece.offset == first.offset + u64::from(size) * i as u64
                        })
                };
                for count in [8, 4, 2] {
                    // What the target has is asked last: an answer that nobody needs costs as much as one that somebody does.
                    if !aligned(count) || !beside(count) {
                        continue;
                    }
                    let fits = match size as usize * count {
                        0..=16 => count < 8,
                        // 256 bits at once: global memory of some targets.
                        32 => {
                            let mnemonic = format!("{prefix}.v{count}.b{}", 8 * size);
                            space == Space::Global && self.has(&mnemonic)
                        }
                        _ => false,
                    };
                    if fits {
                        len = count;
                        break;
                    }
                }
            }
            groups.push((start, start + len));
            start += len;
        }
        groups
    }

    pub(super) fn load_group(
        &mut self,
        prefix: &str,
        address: Address,
        pieces: &[Piece],
        results: &[Reg],
        align: u64,
    ) -> Result<(), Refused> {
        let first = pieces[0];
        if let (&[piece], &[result]) = (pieces, results) {
            return self.load_piece(prefix, address, piece, result, align);
        }
        // Predicates are made of bytes.
        let targets: Args = results
            .iter()
            .map(|&result| match self.code.class(result) {
                Class::Pred => self.code.reg(Class::B32).into(),
                _ => result.into(),
            })
            .collect();
        let vector = self.code.vector(&targets);
        let at = self.address_arg(address, first.offset as i64);
        let mnemonic = format!("{prefix}.v{}.{}", pieces.len(), memory_type(first));
        self.emit(&mnemonic, &[vector, at])?;
        for (&result, &target) in results.iter().zip(&targets) {
            if self.code.class(result) == Class::Pred {
                self.predicate_of(result, target)?;
            }
        }
        Ok(())
    }

    /// The lowest bit of a register as a predicate.
    fn predicate_of(&mut self, result: Reg, from: Arg) -> Result<(), Refused> {
        let bit = self.op(Class::B32, "and.b32", &[from, Arg::Int(1)])?;
        self.emit("setp.ne.b32", &[result.into(), bit.into(), Arg::Int(0)])
    }

    fn load_piece(
        &mut self,
        prefix: &str,
        address: Address,
        piece: Piece,
        result: Reg,
        align: u64,
    ) -> Result<(), Refused> {
        let align = offset_alignment(align, piece.offset);
        if piece.bytes.is_power_of_two() && align >= u64::from(piece.bytes) {
            let at = self.address_arg(address, piece.offset as i64);
            let mnemonic = format!("{prefix}.{}", memory_type(piece));
            if piece.class == Class::Pred {
                let byte = self.op(Class::B32, &mnemonic, &[at])?;
                return self.predicate_of(result, byte.into());
            }
            return self.emit(&mnemonic, &[result.into(), at]);
        }
        // Shorter runs, put together.
        let (class, or, shl) = match piece.class {
            Class::B64 => (Class::B64, "or.b64", "shl.b64"),
            _ => (Class::B32, "or.b32", "shl.b32"),
        };
        let mut whole: Option<Reg> = None;
        let mut done = 0;
        while done < piece.bytes {
            let bytes = largest_run(piece.bytes - done, align);
            let at = self.address_arg(address, piece.offset as i64 + i64::from(done));
            let part = self.op(class, &format!("{prefix}.u{}", 8 * bytes), &[at])?;
            let moved = match done {
                0 => part,
                _ => self.op(class, shl, &[part.into(), Arg::Int((8 * done).into())])?,
            };
            whole = Some(match whole {
                None => moved,
                Some(low) => self.op(class, or, &[low.into(), moved.into()])?,
            });
            done += bytes;
        }
        let Some(whole) = whole else { return Ok(()) };
        match piece.class {
            Class::B16 => self.emit("cvt.u16.u32", &[result.into(), whole.into()]),
            _ => self.copy(result, whole.into()),
        }
    }

    pub(super) fn store_group(
        &mut self,
        prefix: &str,
        address: Address,
        pieces: &[Piece],
        args: &[Arg],
        align: u64,
    ) -> Result<(), Refused> {
        let first = pieces[0];
        let mut values = Args::new();
        for (&piece, &arg) in pieces.iter().zip(args) {
            values.push(self.stored(piece, arg)?);
        }
        if let (&[piece], &[value]) = (pieces, &values[..]) {
            return self.store_piece(prefix, address, piece, value, align);
        }
        // Vectors hold registers only.
        for (value, piece) in values.iter_mut().zip(pieces) {
            let class = if piece.class == Class::Pred {
                Class::B32
            } else {
                piece.class
            };
            *value = self.in_register(*value, class)?.into();
        }
        let vector = self.code.vector(&values);
        let at = self.address_arg(address, first.offset as i64);
        let mnemonic = format!("{prefix}.v{}.{}", pieces.len(), memory_type(first));
        self.emit(&mnemonic, &[at, vector])
    }

    /// What is written for a part: bytes with zeros above the bits that mean something.
    fn stored(&mut self, piece: Piece, arg: Arg) -> Result<Arg, Refused> {
        let arg = arg.as_bits();
        if piece.class == Class::Pred {
            return self.extended(arg, 1, 32, false);
        }
        if piece.bits.is_multiple_of(8) {
            return Ok(arg);
        }
        self.zeros_above(arg, piece.class, piece.bits)
    }

    fn store_piece(
        &mut self,
        prefix: &str,
        address: Address,
        piece: Piece,
        value: Arg,
        align: u64,
    ) -> Result<(), Refused> {
        let align = offset_alignment(align, piece.offset);
        if piece.bytes.is_power_of_two() && align >= u64::from(piece.bytes) {
            let at = self.address_arg(address, piece.offset as i64);
            let mnemonic = format!("{prefix}.{}", memory_type(piece));
            let value = match value {
                Arg::Int(number) => Arg::Int(super::sign_extend(number as u64, 8 * piece.bytes)),
                other => other,
            };
            return self.emit(&mnemonic, &[at, value]);
        }
        let (class, shr) = match piece.class {
            Class::B64 => (Class::B64, "shr.u64"),
            _ => (Class::B32, "shr.u32"),
        };
        let value = match (piece.class, value) {
            (Class::B16, Arg::Reg(_)) => self.op(Class::B32, "cvt.u32.u16", &[value])?,
            _ => self.in_register(value, class)?,
        };
        let mut done = 0;
        while done < piece.bytes {
            let bytes = largest_run(piece.bytes - done, align);
            let at = self.address_arg(address, piece.offset as i64 + i64::from(done));
            let moved = match done {
                0 => value,
                _ => self.op(class, shr, &[value.into(), Arg::Int((8 * done).into())])?,
            };
            self.emit(&format!("{prefix}.u{}", 8 * bytes), &[at, moved.into()])?;
            done += bytes;
        }
        Ok(())
    }
}

/// The address and alignment of a member.
fn member_place(address: Address, align: u64, offset: u64) -> (Address, u64) {
    let place = Address {
        offset: address.offset + offset as i64,
        ..address
    };
    (place, offset_alignment(align, offset))
}

/// The alignment of a place at an offset from an aligned one.
pub(super) fn offset_alignment(align: u64, offset: u64) -> u64 {
    match offset {
        0 => align,
        _ => align.min(1 << offset.trailing_zeros()),
    }
}

/// The largest power of two that fits into what is left and the alignment.
fn largest_run(left: u32, align: u64) -> u32 {
    let most = 1 << left.ilog2();
    most.min(align.min(8) as u32)
}

/// The type an instruction moves a piece with.
fn memory_type(piece: Piece) -> &'static str {
    match (piece.bytes, piece.class) {
        (1, _) if piece.signed => "s8",
        (2, _) if piece.signed => "s16",
        (1, _) => "u8",
        (2, Class::B16) => "b16",
        (2, _) => "u16",
        (3..=4, _) => "b32",
        _ => "b64",
    }
}
